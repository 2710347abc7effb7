/* What stands in for counters where there are only events (event_counters.def): every row means one thing on a card, and something
 * to a formula. Whether the names exist, tests/older asks CUPTI. */
#include "rl_test.h"

#include "analysis/plan.h"
#include "core/formula.h"
#include "core/mem.h"
#include "event_table.h"

static const int cards[] = {30, 35, 37, 50, 52, 53, 60, 61, 62, 70, 72};

static void test_formulas_are_formulas(void **state)
{
    (void)state;
    const struct rl_event_row *row;
    size_t count = 0;
    for (; (row = rl_event_row_at(count)); count++) {
        struct rl_formula *formula = NULL;
        struct rl_err err = RL_ERR_INIT;
        if (rl_formula_parse(row->formula, &formula, &err) != RL_OK)
            fail_msg("%s: %s", row->counter, err.text);
        const char *const *names;
        if (rl_formula_names(formula, &names) == 0)
            fail_msg("%s is counted by nothing", row->counter);
        if (row->least < 30 || row->least > row->most || row->most > 72)
            fail_msg("%s: %d to %d", row->counter, row->least, row->most);
        rl_formula_free(formula);
    }
    assert_true(count > 40);
}

static void test_a_card_has_one_row_of_a_counter(void **state)
{
    (void)state;
    for (size_t c = 0; c < RL_COUNT(cards); c++)
        for (size_t i = 0; rl_event_row_at(i); i++) {
            const struct rl_event_row *row = rl_event_row_at(i);
            if (cards[c] >= row->least && cards[c] <= row->most && rl_event_row(row->counter, cards[c]) != row)
                fail_msg("%s: two rows for compute capability %d", row->counter, cards[c]);
        }
    assert_null(rl_event_row("dram__bytes_read.sum", 75));
    assert_string_equal(rl_event_row("dram__bytes_read.sum", 37)->formula, "32 * dram_read_transactions");
    assert_string_equal(rl_event_row("dram__bytes_read.sum", 61)->formula, "dram_read_bytes");
}

static bool is_planned(const struct rl_plan *plan, const char *counter)
{
    for (size_t c = 0; c < plan->configuration_count; c++)
        for (size_t i = 0; i < plan->configurations[c].counter_count; i++)
            if (strcmp(plan->configurations[c].counters[i], counter) == 0)
                return true;
    return false;
}

/* Of every set, on a chip of which no table says what it lacks. */
static void test_every_row_is_of_a_formula(void **state)
{
    (void)state;
    struct rl_plan plan;
    rl_plan_make("GP100", RL_SETS_ALL, &plan);
    for (size_t i = 0; rl_event_row_at(i); i++)
        if (!is_planned(&plan, rl_event_row_at(i)->counter))
            fail_msg("no formula asks for %s", rl_event_row_at(i)->counter);
    rl_plan_release(&plan);
}

/* Counters of instructions that the default plan asks for: each is counted, or it is said why not in words of its own. */
static void test_absences_have_their_reasons(void **state)
{
    (void)state;
    static const char *const chips[] = {"GK210", "GM204", "GP100", "GV100"};
    static const size_t least[] = {20, 20, 23, 18}; /* that are counted */
    for (size_t c = 0; c < RL_COUNT(chips); c++) {
        struct rl_plan plan;
        const int cc = rl_chip_find(chips[c])->cc;
        size_t counted = 0;
        rl_plan_make(chips[c], 1u << RL_SET_CORE, &plan);
        const struct rl_plan_configuration *sass = &plan.configurations[1];
        for (size_t i = 0; i < sass->counter_count; i++) {
            counted += rl_event_row(sass->counters[i], cc) != NULL;
            if (!rl_event_row(sass->counters[i], cc) && strstr(rl_event_absent(sass->counters[i], cc), "no event or metric"))
                fail_msg("%s: why is there no %s?", chips[c], sass->counters[i]);
        }
        if (counted < least[c])
            fail_msg("%s: %zu of %zu counters of instructions", chips[c], counted, sass->counter_count);
        rl_plan_release(&plan);
    }
    assert_string_equal(rl_event_absent("sm__pipe_tensor_cycles_active.sum", 60), "the chip has no tensor cores");
    assert_string_equal(rl_event_absent("lts__t_tag_requests_hit.sum", 60), "sectors in L2 are counted, not look-ups");
    assert_string_equal(rl_event_absent("lts__t_tag_requests_hit.sum", 80), "CUPTI's events are not for this card");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formulas_are_formulas),
        cmocka_unit_test(test_a_card_has_one_row_of_a_counter),
        cmocka_unit_test(test_every_row_is_of_a_formula),
        cmocka_unit_test(test_absences_have_their_reasons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
