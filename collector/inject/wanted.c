/* wanted.c - the classes to be counted, and under which configuration they lack launches. */
#include "counts.h"
#include "handout.h"
#include "times.h"

enum {
    /* How many times as long an instrumented launch takes (H200, CUPTI 13.0, HeCBench): about the first if it issues few
     * instructions (bsearch 9 to 13, perplexity 25, minisweep 28, kalman 49), and as much more as the second if it issues one in
     * every cycle (bilateral 150, pnpoly 80 to 166, nqueen 64). */
    INSTRUMENTED_TIMES = 16,
    MORE_TIMES = 128,
    INSTRUCTION_NS = 300, /* for each instruction of a warp by itself (minisweep) */
    FEWER_SAMPLES = 2,    /* launches under configurations that instrument code, which run many times as long */
    UNLIKE_TIMES = 4,     /* as many if durations change from one launch to the next */
    UNLIKE_TIMES_CONDITIONAL = 3
};
static const double SHARE = 0.99;                  /* share of the GPU time to be covered */
static const uint64_t DEFAULT_COST_NS = 200000000; /* of a window for which the profiler is enabled (H200, CUPTI 13.0) */
/* Of one of the same image as the one before, of each pass in between, and where the pass of all hardware's counters is among
 * these: the counters of L2 take long to set up. */
static const uint64_t AGAIN_COST_NS = 4000000, SKIPPED_COST_NS = 2500000, HARDWARE_COST_NS = 37000000;
static const uint64_t RANGE_COST_NS = 1500000;
static uint64_t deferred_until_ns; /* time before which conditional configurations are not wanted */
static size_t again;               /* additional launches that each class wants under the first configuration */

/* The classes that the requested run is to count, ascending by hash. */
static struct wanted {
    uint64_t hash, launches;
} * wanted;
static size_t wanted_count;
static bool wanted_chosen; /* chosen by the user; there may be none */

RL_COMPARATOR(compare_hashes, struct wanted, rl_ascending(x->hash, y->hash));

void wanted_read(void)
{
    size_t len = 0, cap = 0;
    const char *text = rl_handout_find(notes, notes_size, RL_HANDOUT_WANTED, &len);
    for (size_t at = 0; text && at < len;) {
        char *end;
        struct wanted class = {.hash = strtoull(text + at, &end, 16)};
        RL_GROW(wanted, wanted_count + 1, cap);
        wanted[wanted_count++] = class;
        at = (size_t)(end + 1 - text);
    }
    wanted_chosen = text != NULL;
    if (wanted_count)
        rl_sort(wanted, wanted_count, sizeof *wanted, compare_hashes);
}

static const struct wanted *find_wanted(const struct class *class)
{
    const struct wanted key = {.hash = class->hash};
    return wanted_count ? bsearch(&key, wanted, wanted_count, sizeof *wanted, compare_hashes) : NULL;
}

bool wanted_at_all(const struct class *class)
{
    if (class->excluded || class->collective || class->waits)
        return false;
    return settings.times ? class->wanted : !wanted_chosen || find_wanted(class);
}

void wanted_learn(struct class *class)
{
    if (!settings.times && find_wanted(class))
        class->proven = true;
}

uint64_t wanted_own_ns(const struct class *class)
{
    const uint64_t alone_ns = class->alone_ns > RANGE_COST_NS ? class->alone_ns - RANGE_COST_NS : 0;
    return class->timed ? (uint64_t) class->mean_ns : alone_ns;
}

/* Two launches of each suffice if they are long, or if the program has so many classes that a window was full. One launch under
 * each configuration with a condition says more than two under half of them; a counter of the hardware's
 * configuration is among theirs and shows whether it did the same work. */
static size_t samples_under(const struct target *target, const struct class *class, size_t config)
{
    static const uint64_t LONG_NS = 10000000;
    const size_t samples = (size_t)settings.samples, fewer = samples < FEWER_SAMPLES ? samples : FEWER_SAMPLES;
    const bool spare = wanted_own_ns(class) > LONG_NS || window_was_full();
    if (!settings.times)
        return samples;
    if (target->plan.when[config])
        return now_ns() < deferred_until_ns ? 0 : 1;
    return target->instruments[config] ? fewer : (spare ? fewer : samples) + (config == 0 ? again : 0);
}

/* Instrumentation costs time per instruction: if few are issued, one warp by itself may execute them all. */
static double instrumented_ns(const struct class *class)
{
    const double own_ns = (double)wanted_own_ns(class), most_ns = INSTRUMENTED_TIMES * own_ns,
                 serial_ns = class->issued > 0 ? INSTRUCTION_NS * class->issued : most_ns;
    return own_ns * (1 + MORE_TIMES * class->issue_share) + (serial_ns < most_ns ? serial_ns : most_ns);
}

uint64_t wanted_lost_ns(uint64_t own_ns)
{
    return times_are_serial() ? (uint64_t)(budget_lost_share() * (double)own_ns) : own_ns;
}

uint64_t wanted_launch_cost(const struct target *target, const struct class *class, size_t config)
{
    if (!target->instruments[config])
        return RANGE_COST_NS + wanted_lost_ns(wanted_own_ns(class));
    return class->instrumented_ns ? class->instrumented_ns : RANGE_COST_NS + (uint64_t)instrumented_ns(class);
}

bool wanted_more_come(void)
{
    static const uint64_t MOST_NS = 2000 * MS;
    const uint64_t twice_ns = 2 * durations_newest_gap_ns(), later_ns = twice_ns < MOST_NS ? twice_ns : MOST_NS;
    return now_ns() - durations_newest_ns() < (later_ns > WANTED_COMING_NS ? later_ns : WANTED_COMING_NS);
}

/* Instrumented launches of the class would hold the program up for longer than the budget has, or nothing says yet how long its
 * launches take. One launch without another that agrees with it is of little use, so there has to be room for all that are missing;
 * and as long as other classes come, which the hardware has not even counted, they get no more than half of what is left. */
static bool is_too_long(const struct target *target, const struct class *class, size_t config, size_t missing)
{
    static const uint64_t SHORT_NS = 10000000; /* too short to look at the clock */
    if (!settings.times || !target->instruments[config])
        return false;
    if (!class->timed && !class->alone_ns)
        return true;
    const uint64_t cost_ns = missing * wanted_launch_cost(target, class, config);
    if (cost_ns <= SHORT_NS)
        return false;
    const bool sparing = !class->counted[config] && wanted_more_come();
    return !budget_has(sparing ? 2 * cost_ns : cost_ns);
}

size_t wanted_still(const struct target *target, const struct class *class, size_t config)
{
    assume(config < target->plan.count);
    if (target->off[config] || !plan_is_ready(&target->plan, config) || !wanted_at_all(class) ||
        !plan_meets(&target->plan, class, config))
        return 0;
    const size_t missing = durations_missing(class, config, samples_under(target, class, config),
                                             target->plan.when[config] ? UNLIKE_TIMES_CONDITIONAL : UNLIKE_TIMES);
    return missing && !is_too_long(target, class, config, missing) ? missing : 0; /* the budget notes that it refused */
}

void wanted_defer(uint64_t until_ns)
{
    deferred_until_ns = until_ns;
}

void wanted_again(void)
{
    again++;
}

static int compare_totals(const void *a, const void *b)
{
    const struct class *const *x = a, *const *y = b;
    return rl_descending((*x)->total_ns, (*y)->total_ns);
}

/* Of a kernel with many shapes, those with the most time stand for the others. */
void wanted_choose(void)
{
    if (!settings.times || !hold())
        return;
    struct class **sorted = rl_calloc(class_count(), sizeof(struct class *));
    size_t *families = rl_calloc(FAMILY_SLOTS, sizeof *families);
    size_t count = 0;
    double total = 0, covered = 0;
    for (size_t i = 0; i < class_count(); i++)
        if (!class_at(i)->excluded && !class_at(i)->collective) {
            sorted[count++] = class_at(i);
            total += (double)class_at(i)->total_ns;
        }
    if (count)
        rl_sort(sorted, count, sizeof *sorted, compare_totals);
    for (size_t i = 0; i < count; i++) {
        /* Number of chosen classes of this kernel; there may be a few more when two kernels share a place. */
        size_t *shapes = &families[family_slot(sorted[i]->name)];
        sorted[i]->wanted = (covered < SHARE * total || !sorted[i]->timed) && *shapes < RL_STREAM_MOST_SHAPES;
        *shapes += sorted[i]->wanted;
        covered += (double)sorted[i]->total_ns;
    }
    free(families);
    free(sorted);
    let_go();
}

size_t wanted_launches(const struct target *target, size_t config, size_t most)
{
    size_t lacking = 0;
    if (!hold())
        return 0;
    for (size_t i = 0; i < class_count() && lacking < most; i++)
        if (class_at(i)->shape.gpu == target->gpu && atomic_load(class_at(i)->launched))
            lacking += wanted_still(target, class_at(i), config);
    let_go();
    return lacking;
}

bool wanted_in_window(void)
{
    assume(window.target);
    return wanted_launches(window.target, window.config, 1) > 0;
}

double wanted_share(void)
{
    double total = 0, lacking = 0;
    if (!hold())
        return 0;
    for (size_t i = 0; i < class_count(); i++) {
        struct class *class = class_at(i);
        const unsigned long long launched = atomic_load(class->launched);
        const bool active = launched != class->launched_then;
        class->launched_then = launched;
        total += (double)class->total_ns;
        for (size_t t = 0, config; active && target_at(t); t++)
            if (target_at(t)->ready && !target_at(t)->dead && target_at(t)->gpu == class->shape.gpu &&
                wanted_config(target_at(t), class, &config)) {
                lacking += (double)class->total_ns;
                break;
            }
    }
    let_go();
    return total > 0 ? lacking / total : 0;
}

/* Passes of one image form a ring: the next one is the cheapest. */
static size_t distance_to(const struct target *target, size_t config)
{
    const struct rl_config *next = &target->plan.configs[config];
    return next->joint && rl_range_is_enabled(&target->profiler) ? rl_range_distance(&target->profiler, next) : config;
}

bool wanted_config(const struct target *target, const struct class *class, size_t *config)
{
    bool found = false;
    for (int conditional = 0; conditional < 2 && !found; conditional++)
        for (size_t c = 0; c < target->plan.count; c++)
            if ((target->plan.when[c] != NULL) == conditional && target->plan.configs[c].counter_count &&
                wanted_still(target, class, c) && (!found || distance_to(target, c) < distance_to(target, *config))) {
                *config = c;
                found = true;
            }
    return found;
}

bool wanted_is_beyond_hardware(const struct target *target, size_t config)
{
    const struct rl_config *next = &target->plan.configs[config], *hardware = &target->plan.configs[0];
    const bool is_open = window.target == target && window.config == 0;
    return !is_open && next->joint && hardware->joint && rl_range_is_enabled(&target->profiler) &&
           rl_range_distance(&target->profiler, hardware) < rl_range_distance(&target->profiler, next);
}

/* H200, CUPTI 13.0. */
uint64_t wanted_cost(const struct target *target, size_t config)
{
    assume(target->ready && config < target->plan.count);
    const struct rl_config *next = &target->plan.configs[config];
    if (!next->joint && target->cost_ns[config])
        return target->cost_ns[config];
    if (!next->joint || !rl_range_is_enabled(&target->profiler))
        return target->start_ns > DEFAULT_COST_NS ? target->start_ns : DEFAULT_COST_NS;
    const bool sets_hardware = config == 0 || wanted_is_beyond_hardware(target, config);
    return AGAIN_COST_NS + rl_range_distance(&target->profiler, next) * SKIPPED_COST_NS + (sets_hardware ? HARDWARE_COST_NS : 0);
}
