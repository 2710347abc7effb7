/* chips.def and the plan that is made from it. The rows are held against CUPTI's host library by the collector's tests. */
#include "analysis/plan.h"
#include "core/formula.h"
#include "rl_test.h"

/* Chips that the host library of CUPTI 13.0 can initialise. */
static const char *const served[] = {
    "GV100", "TU102", "TU104", "TU106", "TU116", "TU117", "GA100", "GA102", "GA103", "GA104",
    "GA106", "GA107", "GA10B", "GH100", "AD102", "AD103", "AD104", "AD106", "AD107", "GB100",
    "GB102", "GB110", "GB10B", "GB202", "GB203", "GB205", "GB206", "GB207", "GB20B",
};

static void rows_are_whole_and_unique(void **state)
{
    (void)state;
    for (size_t i = 0; i < rl_chip_count; i++) {
        const struct rl_chip *chip = &rl_chips[i];
        assert_ptr_equal(rl_chip_find(chip->name), chip); /* the first of its name, so names are unique */
        assert_true(strlen(chip->architecture) > 2);
        assert_true(strlen(chip->source) > 5);
        assert_non_null(rl_sm_limits_of(chip->cc));
        assert_true(chip->fp32_per_sm > 0 && chip->fp64_per_sm > 0 && chip->schedulers_per_sm > 0);
    }
    assert_null(rl_chip_find("GX999"));
    assert_null(rl_chip_find(""));
    assert_null(rl_chip_find(NULL));
}

static void every_served_chip_has_a_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof served / sizeof served[0]; i++)
        if (!rl_chip_find(served[i]))
            fail_msg("chips.def has no row for %s", served[i]);
}

static void what_a_chip_lacks(void **state)
{
    const struct rl_chip *tu104 = rl_chip_find("TU104");
    (void)state;

    assert_string_equal(rl_chip_lacks(tu104, "dram__bytes_op_read.sum"), "not on this chip");
    assert_string_equal(rl_chip_lacks(tu104, "dram__cycles_elapsed.avg.per_second"), "needs a separate pass on this chip");
    assert_null(rl_chip_lacks(tu104, "dram__bytes_read.sum"));
    assert_null(rl_chip_lacks(tu104, "dram__bytes_op_read.su"));
    assert_null(rl_chip_lacks(tu104, "dram__bytes_op_read.sum.x"));
    assert_null(rl_chip_lacks(NULL, "dram__bytes_op_read.sum"));
    assert_string_equal(rl_chip_lacks(rl_chip_find("GB10B"), "dram__anything.sum"), "not on this chip");
    assert_null(rl_chip_lacks(rl_chip_find("GB10B"), "dra"));
}

static void what_a_cupti_lacks(void **state)
{
    (void)state;
    assert_string_equal(rl_cupti_lacks("12.4", "sm__icc_requests.sum"), "needs a CUPTI newer than 12.4");
    assert_string_equal(rl_cupti_lacks("11.8", "sm__icc_requests_lookup_hit.sum"), "needs a CUPTI newer than 12.4");
    assert_string_equal(rl_cupti_lacks("11.2 to 11.4", "ctc__rx_bytes.sum"), "needs a CUPTI newer than 11.8");
    assert_null(rl_cupti_lacks("12.4", "ctc__rx_bytes.sum"));
    assert_null(rl_cupti_lacks("12.10", "sm__icc_requests.sum"));
    assert_null(rl_cupti_lacks("13.0.1", "sm__icc_requests.sum"));
    assert_null(rl_cupti_lacks("API 24", "sm__icc_requests.sum")); /* captures of earlier programs */
    assert_null(rl_cupti_lacks(NULL, "sm__icc_requests.sum"));
    assert_null(rl_cupti_lacks("11.8", "sm__cycles_active.avg"));
}

static bool asks_for(const struct rl_plan *plan, size_t configuration, const char *counter)
{
    for (size_t i = 0; i < plan->configurations[configuration].counter_count; i++)
        if (strcmp(plan->configurations[configuration].counters[i], counter) == 0)
            return true;
    return false;
}

static void check_plan(const char *chip)
{
    struct rl_plan plan;

    rl_plan_make(chip, RL_SET_CORE, &plan);
    assert_in_range(plan.configuration_count, 2, 3); /* the third for launches of matrix instructions, where the chip counts them */
    assert_true(plan.configuration_count == 2 || plan.configurations[2].when);
    assert_string_equal(plan.configurations[0].name, "hardware");
    assert_string_equal(plan.configurations[1].name, "sass");
    for (size_t c = 0; c < 2; c++) {
        assert_true(plan.configurations[c].counter_count > 10);
        for (size_t i = 0; i < plan.configurations[c].counter_count; i++) {
            const char *counter = plan.configurations[c].counters[i];
            assert_non_null(strstr(counter, "__"));
            assert_int_equal(strstr(counter, "_sass_") != NULL, c == 1);
            for (size_t j = 0; j < i; j++)
                assert_string_not_equal(counter, plan.configurations[c].counters[j]);
        }
    }
    rl_plan_release(&plan);
    assert_int_equal(plan.configuration_count, 0);
}

static void plans_are_distinct_and_sorted_by_kind(void **state)
{
    (void)state;
    check_plan(NULL);
    check_plan("unheard of");
    for (size_t i = 0; i < rl_chip_count; i++)
        check_plan(rl_chips[i].name);
}

/* Optional sets come behind the default counters, each counter once, whatever is asked for. */
static void optional_sets_join_the_hardware_counters(void **state)
{
    struct rl_plan core, stalls, all;
    (void)state;

    rl_plan_make("GH100", 0, &core);
    rl_plan_make("GH100", 1u << RL_SET_STALLS, &stalls);
    rl_plan_make("GH100", RL_SETS_ALL, &all);
    assert_int_equal(core.configurations[0].fixed + 2, core.configurations[0].counter_count); /* of the tensor pipe */
    assert_int_equal(stalls.configurations[0].fixed, core.configurations[0].fixed);
    assert_int_equal(stalls.configurations[0].counter_count, core.configurations[0].counter_count + 16);
    for (size_t i = 0; i < core.configurations[0].counter_count; i++)
        assert_string_equal(stalls.configurations[0].counters[i], core.configurations[0].counters[i]);
    assert_true(asks_for(&stalls, 0, "smsp__warps_issue_stalled_barrier.sum")); /* included by stalls */
    assert_false(asks_for(&stalls, 0, "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active"));
    assert_int_equal(all.configuration_count, 4);
    assert_string_equal(all.configurations[2].name, "tensor");
    assert_null(all.configurations[2].when);
    assert_string_equal(all.configurations[3].name, "links");
    assert_true(all.configurations[3].of_device);
    for (size_t i = 0; i < all.configuration_count; i++) /* by instrumented code: what has "_sass_" in its name, and nothing else */
        for (size_t c = 0; c < all.configurations[i].counter_count; c++)
            assert_int_equal(strstr(all.configurations[i].counters[c], "_sass_") != NULL, all.configurations[i].of_instructions);
    rl_plan_release(&core);
    rl_plan_release(&stalls);
    rl_plan_release(&all);
}

/* What limits a launch is counted of programs, behind the two of the default, and each counter once: what the sets have is not
 * planned again. */
static void limits_come_behind_the_default(void **state)
{
    struct rl_plan plan, asked;
    struct rl_formula *when = NULL;
    (void)state;

    rl_plan_make("GH100", 0, &plan);
    assert_string_equal(plan.configurations[2].name, "tensor");
    rl_plan_add_limits("GH100", &plan);
    assert_int_equal(plan.configuration_count, 7);
    assert_string_equal(plan.configurations[2].name, "limits");
    assert_string_equal(plan.configurations[3].name, "stalls");
    assert_string_equal(plan.configurations[4].name, "units");
    assert_string_equal(plan.configurations[5].name, "tensor");
    assert_string_equal(plan.configurations[6].name, "host memory");
    assert_int_equal(plan.configurations[6].counter_count, 1);
    assert_true(asks_for(&plan, 6, "lts__t_sectors_aperture_sysmem.sum"));
    assert_false(asks_for(&plan, 4, "lts__t_sectors_aperture_sysmem.sum"));
    for (size_t c = 2; c < 5; c++) {
        assert_int_equal(rl_formula_parse(plan.configurations[c].when, &when, NULL), RL_OK);
        rl_formula_free(when);
    }
    assert_int_equal(plan.configurations[4].counter_count, 2);
    assert_true(asks_for(&plan, 4, "sm__inst_executed_pipe_tensor.sum")); /* the default passes have no room for it */
    assert_true(asks_for(&plan, 2, "smsp__warps_issue_stalled_barrier.sum"));
    assert_true(asks_for(&plan, 2, "smsp__warps_issue_stalled_lg_throttle.sum"));
    assert_true(asks_for(&plan, 2, "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"));
    assert_true(asks_for(&plan, 3, "smsp__warps_issue_stalled_membar.sum"));
    assert_false(asks_for(&plan, 2, "smsp__warps_issue_stalled_membar.sum"));
    for (size_t c = 2; c < 5; c++)
        for (size_t i = 0; i < plan.configurations[c].counter_count; i++)
            assert_false(asks_for(&plan, 0, plan.configurations[c].counters[i]));
    rl_plan_make("GH100", 1u << RL_SET_LIMITS | 1u << RL_SET_STALLS, &asked);
    const size_t before = asked.configuration_count;
    rl_plan_add_limits("GH100", &asked);
    assert_int_equal(asked.configuration_count, before + 1);
    assert_int_equal(asked.configurations[2].counter_count, 2);
    assert_string_equal(asked.configurations[2].name, "units");
    rl_plan_release(&plan);
    rl_plan_release(&asked);
}

struct given {
    const char *name;
    double value;
};

static struct rl_value given_value(void *context, const char *name)
{
    for (const struct given *given = context; given->name; given++)
        if (strcmp(given->name, name) == 0)
            return rl_value_of(given->value);
    return rl_value_missing(RL_NOT_ON_CHIP, NULL);
}

/* Further passes are for launches that leave 15 % of DRAM's bandwidth and of the issue slots; the tensor pipe's instructions are
 * counted where it worked, too. */
static void further_passes_are_for_launches_that_need_them(void **state)
{
#define LAUNCH(bytes, instructions, tensor)                                                                                        \
    {                                                                                                                              \
        {"sm__cycles_active.max", 1e6}, {"sm__cycles_active.avg", 1e6}, {"sm__cycles_elapsed.avg.per_second", 1e9},                \
            {"dram__bytes.sum.peak_sustained", 1000}, {"dram__cycles_elapsed.avg.per_second", 1e9},                                \
            {"dram__bytes_read.sum", bytes}, {"dram__bytes_write.sum", 0}, {"smsp__inst_executed.sum.peak_sustained", 4},          \
            {"smsp__inst_executed.sum", instructions}, {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", tensor}, \
            {NULL, 0},                                                                                                             \
    }
    static const struct {
        struct given counters[11];
        bool limits, units;
    } known[] = {
        {LAUNCH(8.4e8, 3.3e6, 0), true, true}, /* 84 % of 1e9 bytes, 83 % of 4e6 instructions */
        {LAUNCH(8.6e8, 1e6, 0), false, false}, /* DRAM is busy */
        {LAUNCH(1e8, 3.5e6, 0), false, false}, /* the schedulers are */
        {LAUNCH(8.6e8, 1e6, 0.01), false, true},
    };
    static const size_t limits = 2, units = 4;
    struct rl_plan plan;
    (void)state;
    rl_plan_make("GH100", 0, &plan);
    rl_plan_add_limits("GH100", &plan);
    for (size_t c = limits; c <= units; c += units - limits) {
        struct rl_formula *when = NULL;
        assert_int_equal(rl_formula_parse(plan.configurations[c].when, &when, NULL), RL_OK);
        for (size_t i = 0; i < RL_COUNT(known); i++) {
            const struct rl_value value = rl_formula_eval(when, given_value, (void *)known[i].counters, NULL);
            if ((rl_present(value) && value.v > 0) != (c == limits ? known[i].limits : known[i].units))
                fail_msg("launch %zu: %s is %g", i, plan.configurations[c].name, value.v);
        }
        /* A chip without these counters takes all passes. */
        const struct rl_value unknown = rl_formula_eval(when, given_value, (void *)&(struct given){NULL, 0}, NULL);
        assert_true(rl_present(unknown) && unknown.v > 0);
        rl_formula_free(when);
    }
    rl_plan_release(&plan);
#undef LAUNCH
}

/* The rarer stall reasons are counted where they may have 30 % of the warps' time: issuing has 10 %, memory and the other common
 * reasons the rest. */
static void rare_stalls_are_counted_where_one_may_tell(void **state)
{
#define WAITED(memory, barrier)                                                                                                    \
    {                                                                                                                              \
        {"sm__cycles_active.max", 1e6}, {"sm__cycles_active.avg", 1e6}, {"sm__cycles_elapsed.avg.per_second", 1e9},                \
            {"dram__bytes.sum.peak_sustained", 1000}, {"dram__cycles_elapsed.avg.per_second", 1e9}, {"dram__bytes_read.sum", 0},   \
            {"dram__bytes_write.sum", 0}, {"smsp__inst_executed.sum.peak_sustained", 4}, {"smsp__inst_executed.sum", 1e6},         \
            {"sm__warps_active.sum", 1e7}, {"smsp__warps_issue_stalled_long_scoreboard.sum", memory},                              \
            {"smsp__warps_issue_stalled_barrier.sum", barrier}, {"smsp__warps_issue_stalled_wait.sum", 0},                         \
            {"smsp__warps_issue_stalled_short_scoreboard.sum", 0}, {"smsp__warps_issue_stalled_math_pipe_throttle.sum", 0},        \
            {"smsp__warps_issue_stalled_mio_throttle.sum", 0}, {"smsp__warps_issue_stalled_lg_throttle.sum", 0}, {NULL, 0},        \
    }
    static const struct {
        struct given counters[18];
        bool wanted;
    } known[] = {
        {WAITED(6.1e6, 0), false},   /* 29 % are left */
        {WAITED(3e6, 2.9e6), true},  /* 31 % */
        {WAITED(3e6, 3.1e6), false}, /* all common reasons count */
        {WAITED(0, 0), false},       /* and have to be counted first */
    };
    struct rl_plan plan;
    struct rl_formula *when = NULL;
    (void)state;
    rl_plan_make("GH100", 0, &plan);
    rl_plan_add_limits("GH100", &plan);
    assert_string_equal(plan.configurations[3].name, "stalls");
    assert_int_equal(rl_formula_parse(plan.configurations[3].when, &when, NULL), RL_OK);
    for (size_t i = 0; i < RL_COUNT(known); i++) {
        const struct rl_value value = rl_formula_eval(when, given_value, (void *)known[i].counters, NULL);
        assert_int_equal(rl_present(value) && value.v > 0, known[i].wanted);
    }
    rl_formula_free(when);
    rl_plan_release(&plan);
#undef WAITED
}

/* Traffic to host memory is counted where DRAM did not deliver what missed in L2, or did not take what was stored. */
static void host_memory_is_counted_where_dram_is_passed_by(void **state)
{
#define MOVED(miss, write, from, to)                                                                                               \
    {                                                                                                                              \
        {"lts__t_tag_requests_miss.sum", miss}, {"lts__t_sectors_srcunit_tex_op_write.sum", write},                                \
            {"dram__bytes_read.sum", from}, {"dram__bytes_write.sum", to}, {NULL, 0},                                              \
    }
    static const struct {
        struct given counters[5];
        bool wanted;
    } known[] = {
        {MOVED(1e6, 0, 1.28e8, 0), false},     /* lines of 128 bytes, from DRAM */
        {MOVED(4e6, 0, 6.4e7, 0), false},      /* single sectors, 64 bytes at a time for two of them */
        {MOVED(1e6, 0, 1e6, 0), true},         /* DRAM has hardly been read */
        {MOVED(3200, 132, 0, 0), false},       /* a kernel without memory traffic (H200) */
        {MOVED(2e6, 1e6, 3.2e7, 1e6), false},  /* what was stored lies in L2 */
        {MOVED(8e6, 8e6, 1e6, 1e6), true},     /* 256 MB were stored: no L2 holds them */
        {MOVED(8e6, 8e6, 1e6, 2.56e8), false}, /* and went to DRAM */
    };
    struct rl_plan plan;
    struct rl_formula *when = NULL;
    (void)state;
    rl_plan_make("GH100", 0, &plan);
    rl_plan_add_limits("GH100", &plan);
    assert_int_equal(rl_formula_parse(plan.configurations[6].when, &when, NULL), RL_OK);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct rl_value value = rl_formula_eval(when, given_value, (void *)known[i].counters, NULL);
        assert_int_equal(rl_present(value) && value.v > 0, known[i].wanted);
    }
    rl_formula_free(when);
    rl_plan_release(&plan);
#undef MOVED
}

static void plans_leave_out_what_needs_a_pass_of_its_own(void **state)
{
    static const struct {
        const char *chip, *counter;
        size_t configuration;
        bool asked;
    } known[] = {
        {NULL, "dram__cycles_elapsed.avg.per_second", 0, true},
        {"TU104", "dram__cycles_elapsed.avg.per_second", 0, false},
        {"GV100", "lts__t_tag_requests_hit.sum", 0, false},
        {"TU104", "lts__t_tag_requests_hit.sum", 0, true},
        {"GH100", "smsp__issue_active.sum", 0, false},
        {"GH100", "sm__inst_executed_pipe_tensor.sum", 0, true},
        {"AD102", "smsp__issue_active.sum", 0, true},
        /* alternatives are asked for: the card knows best */
        {"GB202", "dram__bytes_read.sum", 0, true},
        {"GB202", "dram__bytes_op_read.sum", 0, true},
        {"GH100", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained", 1, true},
        {"GH100", "smsp__sass_thread_inst_executed_op_ffma2_pred_on.sum", 1, true},
        {"GH100", "dram__bytes.sum.peak_sustained", 0, true},
    };
    (void)state;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct rl_plan plan;
        rl_plan_make(known[i].chip, RL_SET_CORE, &plan);
        if (asks_for(&plan, known[i].configuration, known[i].counter) != known[i].asked)
            fail_msg("%s on %s", known[i].counter, known[i].chip ? known[i].chip : "an unknown chip");
        rl_plan_release(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_whole_and_unique),
        cmocka_unit_test(every_served_chip_has_a_row),
        cmocka_unit_test(what_a_chip_lacks),
        cmocka_unit_test(what_a_cupti_lacks),
        cmocka_unit_test(optional_sets_join_the_hardware_counters),
        cmocka_unit_test(limits_come_behind_the_default),
        cmocka_unit_test(further_passes_are_for_launches_that_need_them),
        cmocka_unit_test(rare_stalls_are_counted_where_one_may_tell),
        cmocka_unit_test(host_memory_is_counted_where_dram_is_passed_by),
        cmocka_unit_test(plans_are_distinct_and_sorted_by_kind),
        cmocka_unit_test(plans_leave_out_what_needs_a_pass_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
