/* CUPTI's host library works without a GPU: what is scheduled on which chip is checked for every chip it knows. */
#include "rl_test.h"

#include "analysis/plan.h"
#include "collector/collector.h"
#include "core/formula.h"

enum { MAX_CHIPS = 64 };

static const char *chips[MAX_CHIPS];
static size_t chip_count;

static int open_cupti(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    if (rl_cupti_open(NULL, &err) != RL_OK) {
        print_message("SKIPPED: %s\n", err.text);
        return 0;
    }
    chip_count = rl_cupti_chips(chips, MAX_CHIPS);
    return 0;
}

/* Skips when the library is not installed: the program is built with its headers but may run without it. */
static void need_cupti(void)
{
    if (chip_count == 0)
        skip();
}

static void test_library_knows_the_chips_of_our_table(void **state)
{
    (void)state;
    need_cupti();
    for (size_t i = 0; i < chip_count; i++)
        if (!rl_chip_find(chips[i]))
            fail_msg("analysis/chips.def has no row for %s", chips[i]);
    if (strncmp(rl_cupti_version(), "13.0", 4) == 0)
        assert_int_equal(chip_count, 29);
}

/* The default set: one pass of hardware counters and one of SASS counters, on every chip. */
static void test_default_set_takes_two_passes_on_every_chip(void **state)
{
    (void)state;
    need_cupti();
    for (size_t i = 0; i < chip_count; i++) {
        struct rl_plan plan;
        struct rl_err err = RL_ERR_INIT;
        rl_plan_make(chips[i], RL_SET_CORE, &plan);
        assert_int_equal(plan.configuration_count, 2);
        for (size_t c = 0; c < plan.configuration_count; c++) {
            struct rl_schedule schedule;
            const struct rl_plan_configuration *configuration = &plan.configurations[c];
            assert_int_equal(rl_cupti_schedule(chips[i], (const char *const *)configuration->counters, configuration->counter_count,
                                               &schedule, &err),
                             RL_OK);
            if (schedule.passes != 1)
                fail_msg("%s: configuration '%s' takes %zu passes", chips[i], configuration->name, schedule.passes);
            rl_schedule_release(&schedule);
        }
        rl_plan_release(&plan);
    }
}

/* What one chip offers of the plan, and what chips.def says of it. */
struct offered {
    const struct rl_chip *chip;
    struct rl_plan plan;
    struct rl_schedule schedules[2];
};

static bool is_available(const struct offered *offered, const char *name)
{
    for (size_t c = 0; c < 2; c++)
        for (size_t i = 0; i < offered->plan.configurations[c].counter_count; i++)
            if (strcmp(offered->plan.configurations[c].counters[i], name) == 0)
                return offered->schedules[c].available[i];
    return false;
}

/* A name of a formula: anything but a counter is there; a counter is there, or chips.def says that it is not. */
static struct rl_value offer(void *context, const char *name)
{
    const struct offered *offered = context;
    if (!strstr(name, "__"))
        return rl_value_of(1);
    const char *lacks = rl_chip_lacks(offered->chip, name);
    if (is_available(offered, name) == (lacks != NULL))
        fail_msg("%s: %s is %s, but chips.def says it %s", offered->chip->name, name, lacks ? "there" : "not there",
                 lacks ? "is not" : "is");
    return lacks ? rl_value_missing(RL_NOT_ON_CHIP, lacks) : rl_value_of(1);
}

static void check_metric(struct offered *offered, size_t metric)
{
    struct rl_formula *formula = NULL;
    struct rl_err err = RL_ERR_INIT;
    if (rl_formula_parse(rl_metrics[metric].formula, &formula, &err) != RL_OK)
        fail_msg("%s: %s", rl_metrics[metric].id, err.text);
    struct rl_value value = rl_formula_eval(formula, offer, offered, NULL);
    if (!rl_present(value) && value.state != RL_NOT_ON_CHIP)
        fail_msg("%s: %s is missing: %s", offered->chip->name, rl_metrics[metric].id, value.reason);
    rl_formula_free(formula);
}

/* Every metric either can be computed from what the chip offers in those two passes, or is declared as not on this chip. */
static void test_every_metric_schedules_or_is_declared_absent(void **state)
{
    (void)state;
    need_cupti();
    for (size_t i = 0; i < chip_count; i++) {
        struct offered offered = {.chip = rl_chip_find(chips[i])};
        rl_plan_make(chips[i], RL_SET_CORE, &offered.plan);
        for (size_t c = 0; c < 2; c++) {
            const struct rl_plan_configuration *configuration = &offered.plan.configurations[c];
            assert_int_equal(rl_cupti_schedule(chips[i], (const char *const *)configuration->counters, configuration->counter_count,
                                               &offered.schedules[c], NULL),
                             RL_OK);
        }
        for (size_t m = 0; m < RL_METRIC_COUNT; m++)
            check_metric(&offered, m);
        rl_schedule_release(&offered.schedules[0]);
        rl_schedule_release(&offered.schedules[1]);
        rl_plan_release(&offered.plan);
    }
}

static void test_unknown_chip_is_refused(void **state)
{
    (void)state;
    need_cupti();
    static const char *const counters[] = {"sm__cycles_active.avg"};
    struct rl_schedule schedule;
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(rl_cupti_schedule("GX999", counters, 1, &schedule, &err), RL_UNSUPPORTED);
    assert_non_null(strstr(err.text, "GX999"));
}

static void test_unknown_counter_is_unavailable_and_alone(void **state)
{
    (void)state;
    need_cupti();
    static const char *const counters[] = {"sm__cycles_active.avg", "sm__no_such_counter.sum"};
    struct rl_schedule schedule;
    assert_int_equal(rl_cupti_schedule("GH100", counters, 2, &schedule, NULL), RL_OK);
    assert_true(schedule.available[0]);
    assert_false(schedule.available[1]);
    assert_int_equal(schedule.passes, 1);
    rl_schedule_release(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_library_knows_the_chips_of_our_table),
        cmocka_unit_test(test_default_set_takes_two_passes_on_every_chip),
        cmocka_unit_test(test_every_metric_schedules_or_is_declared_absent),
        cmocka_unit_test(test_unknown_chip_is_refused),
        cmocka_unit_test(test_unknown_counter_is_unavailable_and_alone),
    };
    return cmocka_run_group_tests(tests, open_cupti, NULL);
}
