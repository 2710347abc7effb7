/* Counters that no formula has: which they are, what they count, how a plan gets them. */
#include "rl_test.h"

#include "analysis/plan.h"
#include "core/mem.h"
#include "fixtures/capture.h"

static void units_follow_from_names(void **state)
{
    static const struct {
        const char *name, *unit;
    } cases[] = {
        {"dram__bytes_read.sum", "B"},
        {"dram__bytes_read.sum.per_second", "B/s"},
        {"dram__sectors_read.sum", "sector"},
        {"smsp__inst_issued.avg.per_cycle_active", "inst/cycle"},
        {"smsp__thread_inst_executed.sum", "inst"},
        {"sm__cycles_active.avg", "cycle"},
        {"sm__throughput.avg.pct_of_peak_sustained_elapsed", "%"},
        {"smsp__warps_active.avg.peak_sustained", "warp/cycle"},
        {"smsp__average_warp_latency_issue_stalled_barrier.ratio", ""},
        {"l1tex__data_bank_conflicts_pipe_lsu.sum", ""},
        {"l1tex__data_bank_conflicts_pipe_lsu.sum.per_second", "1/s"},
        {"gpu__time_duration.sum", "ns"},
        {"bytesize__x.sum", ""},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(cases); i++) {
        struct rl_buf unit = RL_BUF_INIT;
        rl_counter_unit(cases[i].name, &unit);
        if (strcmp(unit.len ? unit.data : "", cases[i].unit) != 0)
            fail_msg("%s: '%s' instead of '%s'", cases[i].name, unit.len ? unit.data : "", cases[i].unit);
        rl_buf_release(&unit);
    }
}

static void values_are_printed_with_them(void **state)
{
    static const struct {
        const char *name, *text;
        double value;
    } cases[] = {
        {"dram__bytes_write.avg", "12.50\xC2\xA0kB", 12500},
        {"gpu__time_active.sum", "2.500\xC2\xA0\xC2\xB5s", 2500},
        {"smsp__inst_issued.sum",
         "1\xE2\x80\xAF"
         "048\xE2\x80\xAF"
         "576\xC2\xA0inst",
         1048576},
        {"smsp__inst_issued.avg.per_cycle_active", "1.530\xC2\xA0inst/cycle", 1.53},
        {"l1tex__data_bank_conflicts_pipe_lsu.sum", "7", 7},
    };
    struct rl_buf text = RL_BUF_INIT;
    (void)state;
    for (size_t i = 0; i < RL_COUNT(cases); i++) {
        rl_buf_reset(&text);
        rl_counter_format(cases[i].name, rl_value_of(cases[i].value), &text);
        assert_string_equal(text.data, cases[i].text);
    }
    rl_buf_reset(&text);
    rl_counter_format("smsp__inst_issued.sum", rl_value_missing(RL_VALUE_FAILED, "not a finite number"), &text);
    assert_string_equal(text.data, "\xE2\x80\x93 (not a finite number)");
    rl_buf_release(&text);
}

static void names_of_counters_have_a_form(void **state)
{
    static const char *const good[] = {"smsp__inst_executed.sum", "a__b.c.d"};
    static const char *const bad[] = {
        "dram_bytes", "smsp__inst_executed", "__x.sum", "smsp__.sum", "smsp__x.", "smsp__x.Sum", "smsp__x y.sum", "1__x.sum", ""};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(good); i++)
        assert_true(rl_is_counter_name(good[i]));
    for (size_t i = 0; i < RL_COUNT(bad); i++)
        assert_false(rl_is_counter_name(bad[i]));
}

static void store(struct rl_capture *capture, size_t kernel, const char *name, enum rl_counter_kind kind, double value)
{
    struct rl_counter *counter = rl_capture_add_counter(capture, kernel);
    counter->name = rl_capture_text(capture, name);
    counter->kind = kind;
    counter->value = rl_value_of(value);
}

/* Not those of formulas, nor witnesses, nor what another tool printed; each once, in order. */
static void what_no_formula_has_was_asked_for(void **state)
{
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        (void)sample_kernel(capture, "kernel");
        store(capture, i, "dram__bytes_read.sum", RL_COUNTER, 1);
        store(capture, i, "smsp__sass_inst_executed.sum", RL_COUNTER, 2);
        store(capture, i, "sm__cycles_active.max", RL_COUNTER, 2);
        store(capture, i, "smsp__issue_active.sum", RL_FOREIGN, 3);
        store(capture, i, i ? "sm__b.sum" : "sm__a.sum", RL_COUNTER, 4);
        store(capture, i, "lts__z.sum", RL_COUNTER, 5);
    }
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const char *const *names;
    static const char *const expected[] = {"lts__z.sum", "sm__a.sum", "sm__b.sum"};
    assert_int_equal(rl_named_counters(analysis, &names), 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(names[i], expected[i]);
    assert_int_equal(rl_named_counter(&capture->kernels[1], "sm__b.sum")->value.v, 4);
    assert_null(rl_named_counter(&capture->kernels[0], "sm__b.sum"));
    assert_null(rl_named_counter(&capture->kernels[0], "smsp__issue_active.sum"));
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static bool plans_for(const struct rl_configuration *configuration, const char *name)
{
    return strcmp(configuration->counters[configuration->counter_count - 1], name) == 0;
}

/* Behind what belongs together, by its name with the hardware or with instrumented code, and once. */
static void a_plan_takes_counters_by_name(void **state)
{
    struct rl_plan plan;
    (void)state;
    rl_plan_make("GH100", 0, &plan);
    const size_t hardware = plan.configurations[0].counter_count, sass = plan.configurations[1].counter_count,
                 fixed = plan.configurations[0].fixed;
    rl_plan_add(&plan, "smsp__issue_active.avg");
    rl_plan_add(&plan, "smsp__issue_active.avg");
    rl_plan_add(&plan, "smsp__sass_inst_executed_op_shared.sum.per_second");
    rl_plan_add(&plan, "dram__bytes_read.sum");
    assert_int_equal(plan.configurations[0].counter_count, hardware + 1);
    assert_int_equal(plan.configurations[1].counter_count, sass + 1);
    assert_int_equal(plan.configurations[0].fixed, fixed);
    assert_true(plans_for(&plan.configurations[0], "smsp__issue_active.avg"));
    assert_true(plans_for(&plan.configurations[1], "smsp__sass_inst_executed_op_shared.sum.per_second"));
    rl_plan_release(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_follow_from_names),       cmocka_unit_test(values_are_printed_with_them),
        cmocka_unit_test(names_of_counters_have_a_form), cmocka_unit_test(what_no_formula_has_was_asked_for),
        cmocka_unit_test(a_plan_takes_counters_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
