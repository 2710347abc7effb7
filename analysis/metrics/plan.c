#include "analysis/plan.h"

#include "internal.h"

enum { HARDWARE, SASS, TENSOR, LINKS, UNITS, LIMITS, STALLS, HOST };
enum { LATE = HOST + 1 - UNITS };
static_assert(HOST + 1 == RL_PLAN_MOST, "each configuration has its row");

/* Bytes of DRAM that are missing to 85 % of what it could move while the busiest SM worked: above 0 where another unit may limit
 * the launch. The duration in a pass is longer, because the host begins and ends it. */
#define IDLE_DRAM                                                                                                                  \
    "0.85 * sm__cycles_active.max / sm__cycles_elapsed.avg.per_second * dram__bytes.sum.peak_sustained * "                         \
    "dram__cycles_elapsed.avg.per_second - dram__bytes_read.sum - dram__bytes_write.sum else 1"

/* The same of the instructions that its schedulers could issue. */
#define ISSUE_PEAK "smsp__inst_executed.sum.peak_sustained"
#define IDLE_ISSUE "0.85 * " ISSUE_PEAK " * sm__cycles_active.avg - smsp__inst_executed.sum else 1"
#define IDLE       "min((" IDLE_DRAM "), (" IDLE_ISSUE "))"

/* Time of resident warps, less that of the common stall reasons and of issuing, and less the share from which on a reason is
 * evidence (RL_TELLING_STALL): above 0 where one of the other reasons may be evidence. Nothing before the common ones were
 * counted. */
#define WARP_CYCLES     "sm__warps_active.sum"
#define STALLED(reason) "smsp__warps_issue_stalled_" reason ".sum"
#define MEMORY_STALLS   STALLED("long_scoreboard")
#define WAIT_STALLS     STALLED("barrier") " + " STALLED("wait") " + " STALLED("short_scoreboard")
#define FULL_STALLS     STALLED("math_pipe_throttle") " + " STALLED("mio_throttle") " + " STALLED("lg_throttle")
#define OTHER_STALLS                                                                                                               \
    "0.7 * " WARP_CYCLES " - smsp__inst_executed.sum - (" MEMORY_STALLS ") - (" WAIT_STALLS ") - (" FULL_STALLS ") else 1"

/* Where the hardware pass has room for it, it has shown whether the tensor pipe worked at all. */
#define TENSOR_WORK RL_TENSOR_CYCLES " else 1"

/* Bytes that missed in L2 and that DRAM did not deliver, which reads 64 bytes at a time, and that are more than twice what kernels
 * without any memory traffic show (100 kB, H200), or that were stored, went to no DRAM, and are more than an L2 cache holds: above
 * 0 where the host or another GPU has the data. */
#define BEYOND_DRAM                                                                                                                \
    "max(32 * (lts__t_tag_requests_miss.sum - lts__t_sectors_srcunit_tex_op_write.sum) - 2 * dram__bytes_read.sum - 2.5e5, "       \
    "32 * lts__t_sectors_srcunit_tex_op_write.sum - dram__bytes_write.sum - 1.3e8)"

/* l1tex__t_sectors: sectors looked up in L1, hit or not. It has a separate unit, so that it fits with nearly everything. */
static const char *const hardware_witnesses[] = {"l1tex__t_sectors.sum", NULL};
/* Sectors between L2 and the SMs: those that the tensor memory accelerator moves do not pass L1. */
static const char *const tensor_beside[] = {"lts__t_sectors_srcunit_tex.sum", NULL};
/* How long the busiest SM worked: the time of a launch that nothing else times. */
static const char *const late_beside[] = {"sm__cycles_active.max", NULL};
static const char *const hardware_beside[] = {"sm__cycles_active.max", ISSUE_PEAK, WARP_CYCLES, NULL};
/* 0 of code that always executes the same instructions. */
static const char *const sass_witnesses[] = {"smsp__sass_branch_targets.sum", NULL};
/* No chip has room for them where it counts executed instructions. */
const char *const rl_tensor_counters[RL_TENSOR_COUNTERS] = {"sm__inst_executed_pipe_tensor.sum",
                                                            "sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum"};

static const struct rl_configuration configurations[RL_PLAN_MOST] = {
    [HARDWARE] = {.name = "hardware", .witnesses = hardware_witnesses, .beside = hardware_beside},
    [SASS] = {.name = "sass", .of_instructions = true, .witnesses = sass_witnesses},
    [TENSOR] = {.name = "tensor", .rare = true, .witnesses = hardware_witnesses, .beside = tensor_beside},
    [LINKS] = {.name = "links", .of_device = true},
    [HOST] = {.name = "host memory", .rare = true, .when = BEYOND_DRAM, .witnesses = hardware_witnesses},
    [UNITS] = {.name = "units", .when = "max(" IDLE ", (" TENSOR_WORK "))", .witnesses = hardware_witnesses, .beside = late_beside},
    [LIMITS] = {.name = "limits", .when = IDLE, .witnesses = hardware_witnesses, .beside = late_beside},
    [STALLS] = {.name = "stalls",
                .when = "min(min((" IDLE "), (" OTHER_STALLS ")), (" WAIT_STALLS " else 1))",
                .witnesses = hardware_witnesses,
                .beside = late_beside},
};

struct maker {
    const struct rl_chip *chip;
    struct rl_plan *plan;
    size_t cap[RL_PLAN_MOST];
    size_t late; /* where counters of optional sets go, but for those of stalls and caches, which are behind it; 0: each set has its
                  * place */
    bool with_tensor; /* the counters that belong in one pass are placed */
};

/* Where the counter of a metric of that set goes. */
static size_t place_of(enum rl_metric_set set, const char *name)
{
    return strstr(name, "_sass_") ? SASS : set == RL_SET_TENSOR ? TENSOR : set == RL_SET_LINKS ? LINKS : HARDWARE;
}

static bool is_of_tensor_pipe(const char *name)
{
    return RL_ANY(i, RL_TENSOR_COUNTERS, strcmp(rl_tensor_counters[i], name) == 0);
}

static bool is_planned(const struct rl_plan *plan, const char *name)
{
    for (size_t c = 0; c < RL_PLAN_MOST; c++)
        for (size_t i = 0; i < plan->configurations[c].counter_count; i++)
            if (strcmp(plan->configurations[c].counters[i], name) == 0)
                return true;
    return false;
}

static void add_counter(struct maker *maker, enum rl_metric_set set, const char *name)
{
    const size_t late = maker->late + (set == RL_SET_CACHES ? HOST - LIMITS : set == RL_SET_STALLS ? STALLS - LIMITS : 0);
    const bool apart = rl_chip_apart(maker->chip, name); /* there is no room for it in the default passes */
    const size_t which = maker->late && (set != RL_SET_CORE || apart) ? late : place_of(set, name);
    struct rl_configuration *configuration = &maker->plan->configurations[which];
    if (is_planned(maker->plan, name) || (apart && !maker->late) || (is_of_tensor_pipe(name) && !maker->with_tensor))
        return;
    if (set != RL_SET_CORE && rl_chip_lacks(maker->chip, name))
        return;
    RL_APPEND(configuration->counters, configuration->counter_count, maker->cap[which], rl_strdup(name));
}

static void add_counters_of(struct maker *maker, enum rl_metric_set set, const struct rl_formula *formula)
{
    const char *const *names;
    const size_t count = rl_formula_names(formula, &names);
    for (size_t i = 0; i < count; i++)
        if (rl_names_counter(names[i]))
            add_counter(maker, set, names[i]);
}

/* The counters of the set's own metrics, and of those that come with it. */
static void add_set(struct maker *maker, enum rl_metric_set set, const struct rl_formulas *formulas)
{
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        if (rl_metrics[i].set == set || (rl_sets[set].also && rl_is_listed(rl_sets[set].also, rl_metrics[i].id)))
            add_counters_of(maker, rl_metrics[i].set, formulas->metric[i]);
}

static unsigned with_included(unsigned sets)
{
    assert(sets <= RL_SETS_ALL);
    for (size_t set = RL_SET_COUNT; set-- > 0;)
        if (sets & (1u << set)) {
            assert(rl_sets[set].includes < 1u << set); /* only earlier sets, so that one way through the table is enough */
            sets |= rl_sets[set].includes;
        }
    return sets | 1u << RL_SET_CORE;
}

void rl_plan_make(const char *chip, unsigned sets, struct rl_plan *plan)
{
    struct maker maker = {.chip = rl_chip_find(chip), .plan = plan};
    struct rl_formulas formulas;
    *plan = (struct rl_plan){0};
    memcpy(plan->configurations, configurations, sizeof configurations);
    sets = with_included(sets);
    plan->configurations[TENSOR].when = sets & (1u << RL_SET_TENSOR) ? NULL : rl_metrics[RL_METRIC_tensor_instructions].formula;
    rl_formulas_parse(&formulas);
    add_set(&maker, RL_SET_CORE, &formulas);
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        if (formulas.ceiling[i])
            add_counters_of(&maker, RL_SET_CORE, formulas.ceiling[i]);
    /* Counters that the default passes of the chip have room for. */
    const char *name = maker.chip ? maker.chip->along : "";
    for (name += strspn(name, " "); *name; name += strspn(name, " ")) {
        RL_FREED char *counter = rl_strndup(name, strcspn(name, " "));
        add_counter(&maker, RL_SET_LIMITS, counter);
        name += strcspn(name, " ");
    }
    for (size_t i = 0; i < RL_PLAN_MOST; i++)
        plan->configurations[i].fixed = plan->configurations[i].counter_count;
    maker.with_tensor = true;
    for (size_t i = 0; i < RL_TENSOR_COUNTERS; i++)
        if (!rl_chip_lacks(maker.chip, rl_tensor_counters[i]))
            add_counter(&maker, RL_SET_CORE, rl_tensor_counters[i]);
    for (size_t set = RL_SET_CORE + 1; set < RL_SET_COUNT; set++)
        if (set == RL_SET_TENSOR || sets & (1u << set))
            add_set(&maker, (enum rl_metric_set)set, &formulas);
    /* Leaves configurations without counters out, but for the two that are always there. */
    for (size_t i = 0; i < RL_PLAN_MOST; i++)
        if (i <= SASS || plan->configurations[i].counter_count > 0)
            plan->configurations[plan->configuration_count++] = plan->configurations[i];
    rl_formulas_free(&formulas);
}

/* With those of the set TOPSTALLS the reasons that are most of nearly every launch's time. */
static const enum rl_metric common_stalls[] = {RL_METRIC_stall_short_scoreboard, RL_METRIC_stall_math_pipe_throttle,
                                               RL_METRIC_stall_mio_throttle, RL_METRIC_stall_lg_throttle};

void rl_plan_add_limits(const char *chip, struct rl_plan *plan)
{
    const size_t first = plan->configuration_count, others = first - SASS - 1;
    struct rl_configuration *made = &plan->configurations[first], moved[RL_PLAN_MOST];
    struct maker maker = {.chip = rl_chip_find(chip), .plan = plan, .late = first + 1};
    struct rl_formulas formulas;
    size_t count = 0;
    assert(first > SASS && first + LATE <= RL_PLAN_MOST);
    memcpy(made, &configurations[UNITS], LATE * sizeof *made);
    /* Takes these counters out of the hardware's configuration, for launches that may have work for them. */
    struct rl_configuration *hardware = &plan->configurations[HARDWARE];
    size_t kept = 0, cap = 0;
    for (size_t i = 0; i < hardware->counter_count; i++)
        if (is_of_tensor_pipe(hardware->counters[i]))
            RL_APPEND(made->counters, made->counter_count, cap, hardware->counters[i]);
        else
            hardware->counters[kept++] = hardware->counters[i];
    hardware->counter_count = kept;
    made->fixed = made->counter_count;
    rl_formulas_parse(&formulas);
    add_set(&maker, RL_SET_LIMITS, &formulas);
    add_set(&maker, RL_SET_TOPSTALLS, &formulas);
    for (size_t i = 0; i < RL_COUNT(common_stalls); i++)
        add_counters_of(&maker, RL_SET_TOPSTALLS, formulas.metric[common_stalls[i]]);
    add_set(&maker, RL_SET_STALLS, &formulas);
    rl_formulas_free(&formulas);
    /* Limits, of which the first pass decides most, come first, and before others, which few launches want. */
    static const size_t order[] = {LIMITS - UNITS, STALLS - UNITS, 0};
    for (size_t i = 0; i < RL_COUNT(order); i++)
        if (made[order[i]].counter_count)
            moved[count++] = made[order[i]];
    memcpy(moved + count, &plan->configurations[SASS + 1], others * sizeof *moved);
    count += others;
    if (made[HOST - UNITS].counter_count)
        moved[count++] = made[HOST - UNITS];
    memcpy(&plan->configurations[SASS + 1], moved, count * sizeof *moved);
    plan->configuration_count = SASS + 1 + count;
}

void rl_plan_add(struct rl_plan *plan, const char *counter)
{
    struct rl_configuration *configuration = &plan->configurations[place_of(RL_SET_CORE, counter)];
    assert(plan->configuration_count > SASS);
    if (is_planned(plan, counter))
        return;
    configuration->counters =
        rl_realloc(configuration->counters, configuration->counter_count + 1, sizeof *configuration->counters);
    configuration->counters[configuration->counter_count++] = rl_strdup(counter);
}

void rl_plan_each_witness(void (*take)(struct known *known, const char *name), struct known *known)
{
    for (size_t i = 0; i < RL_PLAN_MOST; i++) {
        for (const char *const *witness = configurations[i].witnesses; witness && *witness; witness++)
            take(known, *witness);
        for (const char *const *along = configurations[i].beside; along && *along; along++)
            take(known, *along);
    }
}

void rl_plan_release(struct rl_plan *plan)
{
    for (size_t i = 0; i < plan->configuration_count; i++) {
        for (size_t j = 0; j < plan->configurations[i].counter_count; j++)
            free((char *)plan->configurations[i].counters[j]);
        free(plan->configurations[i].counters);
    }
    *plan = (struct rl_plan){0};
}
