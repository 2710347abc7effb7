/* Columns of cards: speed-ups, what the roofs predict, what a card is wasted on, and what is not there. */
#include "analysis/columns.h"
#include "core/mem.h"
#include "sample.h"

struct cards {
    struct rl_capture *capture[2];
    struct rl_analysis *analysis[2];
    struct rl_comparison *comparison;
    struct rl_columns *columns;
};

static void add_kernel(struct rl_capture *capture, const char *name, uint64_t ns)
{
    const size_t kernel = sample_full_kernel(capture, name);
    uint64_t times[31];
    for (size_t i = 0; i < 31; i++)
        times[i] = ns + (i * 7 % 31) * ns / 31000;
    sample_times(capture, kernel, times, 31);
}

static struct cards two_cards(void)
{
    struct cards cards = {{sample_new(SAMPLE_CHIP, SAMPLE_CC), sample_new(SAMPLE_CHIP, SAMPLE_CC)}, {NULL}, NULL, NULL};
    cards.capture[1]->gpus[0].name = rl_capture_text(cards.capture[1], "NVIDIA Next Card");
    return cards;
}

static void compare(struct cards *cards)
{
    const struct rl_compare_options options = {.base_name = "a", .new_name = "b"};
    for (size_t i = 0; i < 2; i++)
        cards->analysis[i] = rl_analysis_new(cards->capture[i]);
    assert_int_equal(rl_comparison_new(cards->analysis[0], cards->analysis[1], &options, &cards->comparison, NULL), RL_OK);
    cards->columns = rl_columns_new(&cards->comparison->base);
    rl_columns_add(cards->columns, cards->comparison);
}

static void release(struct cards *cards)
{
    rl_columns_free(cards->columns);
    rl_comparison_free(cards->comparison);
    for (size_t i = 0; i < 2; i++) {
        rl_analysis_free(cards->analysis[i]);
        rl_capture_free(cards->capture[i]);
    }
}

static void set_dram_read(struct cards *cards, size_t kernel, double bytes)
{
    for (size_t i = 0; i < 2; i++)
        sample_set(cards->capture[i], kernel, "dram__bytes_read.sum", rl_value_of(bytes));
}

/* Twice the memory rate: the roofs allow 2; one kernel takes it, the other gains 1.25. DRAM: 4 MB at 32 GB/s, 125 us at the roof. A
 * third moves 8 KB there, 250 ns: no launch is that short, so no roof limits it. */
static void speed_up_and_what_the_roofs_predict(void **state)
{
    (void)state;
    struct cards cards = two_cards();
    for (size_t i = 0; i < 2; i++) {
        add_kernel(cards.capture[i], "full(int)", i ? 1000 * 1000 : 2000 * 1000);
        add_kernel(cards.capture[i], "half(int)", i ? 1600 * 1000 : 2000 * 1000);
        add_kernel(cards.capture[i], "short(int)", i ? 1600 * 1000 : 2000 * 1000);
        for (size_t k = 0; k < 3; k++)
            sample_set(cards.capture[i], k, "flop_total", rl_value_of(0));
    }
    set_dram_read(&cards, 0, 3999e3);
    set_dram_read(&cards, 1, 3999e3);
    set_dram_read(&cards, 2, 7e3);
    for (size_t k = 0; k < 3; k++)
        sample_set(cards.capture[1], k, "dram__cycles_elapsed.avg.per_second", rl_value_of(1e9));
    compare(&cards);
    const struct rl_column *base = &cards.columns->columns[0], *next = &cards.columns->columns[1];
    assert_string_equal(base->card, "Test Card");
    assert_string_equal(next->card, "Next Card");
    assert_int_equal(next->kind, RL_COLUMN_MEASURED);
    assert_true(base->cells[0].speedup.estimate == 1);
    assert_close(next->cells[0].speedup.estimate, 2, 1e-3);
    assert_true(next->cells[0].speedup.low < 2 && next->cells[0].speedup.high > 2);
    assert_true(rl_present(next->cells[0].predicted));
    assert_close(next->cells[0].predicted.v, rl_value_div(base->cells[0].roof_time_s, next->cells[0].roof_time_s, NULL).v, 1e-12);
    assert_close(rl_cell_use(&next->cells[1]).v, 1.25 / next->cells[1].predicted.v, 1e-3);
    assert_int_equal(rl_cell_is_wasted(next, 1), next->cells[1].speedup.high < 0.8 * next->cells[1].predicted.v);
    assert_false(rl_cell_is_wasted(next, 0));
    assert_false(rl_present(next->cells[2].predicted));
    assert_string_equal(next->cells[2].predicted.reason, "too little work for a roof to limit it");
    assert_false(rl_cell_is_wasted(next, 2));
    release(&cards);
}

static void what_a_card_has_not_is_said(void **state)
{
    (void)state;
    struct cards cards = two_cards();
    struct rl_buf text = RL_BUF_INIT;
    add_kernel(cards.capture[0], "k(int)", 1000000);
    add_kernel(cards.capture[0], "only_here(int)", 1000000);
    add_kernel(cards.capture[1], "k(int)", 1000000);
    sample_set(cards.capture[1], 0, "lts__t_sectors_srcunit_tex.sum", rl_value_missing(RL_NOT_ON_CHIP, NULL));
    compare(&cards);
    rl_column_lacks(cards.columns, &cards.columns->columns[1], &text);
    assert_int_equal(strncmp(text.data, "L2 traffic, ", 12), 0); /* and what is made of it */
    assert_non_null(strstr(text.data, " (not on this chip)"));
    assert_null(strstr(text.data, "DRAM traffic"));
    assert_string_equal(cards.columns->columns[1].cells[1].why_not, "not in this capture");
    assert_false(rl_present(rl_cell_use(&cards.columns->columns[1].cells[1])));
    rl_buf_release(&text);
    release(&cards);
}

/* Half the time at three times the price: 2 ms at 3.60 an hour cost 2e-6, 1 ms at 10.80 3e-6, and the same money buys 2/3 of the
 * work.
 */
static void money_by_hand(void **state)
{
    (void)state;
    struct cards cards = two_cards();
    add_kernel(cards.capture[0], "k(int)", 2000000);
    add_kernel(cards.capture[1], "k(int)", 1000000);
    compare(&cards);
    struct rl_column *columns = cards.columns->columns;
    assert_false(rl_present(rl_cell_cost(&columns[0], 0)));
    assert_false(rl_cell_worth(cards.columns, 1, 0).present);
    columns[0].price = 3.6;
    columns[1].price = 10.8;
    assert_close(rl_cell_cost(&columns[0], 0).v, columns[0].cells[0].time_s.v / 1000, 1e-12);
    assert_close(rl_cell_cost(&columns[1], 0).v, 3 * columns[1].cells[0].time_s.v / 1000, 1e-12);
    const struct rl_ratio worth = rl_cell_worth(cards.columns, 1, 0);
    assert_close(worth.estimate, 2.0 / 3, 1e-3);
    assert_close(worth.low, columns[1].cells[0].speedup.low / 3, 1e-12);
    assert_true(worth.has_interval && worth.low < worth.estimate && worth.estimate < worth.high);
    release(&cards);
}

/* What others published keeps its word. */
static void kinds_are_kept(void **state)
{
    (void)state;
    struct cards cards = two_cards();
    add_kernel(cards.capture[0], "k(int)", 1000000);
    sample_time(cards.capture[1], sample_kernel(cards.capture[1], "k(int)"), 1000000); /* nobody counts for a paper */
    cards.capture[1]->session.source = rl_capture_text(cards.capture[1], "published");
    compare(&cards);
    struct rl_buf text = RL_BUF_INIT;
    rl_column_lacks(cards.columns, &cards.columns->columns[1], &text);
    assert_int_equal(strncmp(text.data, "all metrics", 11), 0);
    rl_buf_release(&text);
    assert_int_equal(cards.columns->columns[0].kind, RL_COLUMN_MEASURED);
    assert_int_equal(cards.columns->columns[1].kind, RL_COLUMN_PUBLISHED);
    assert_string_equal(rl_column_kind_name(cards.columns->columns[1].kind), "published");
    release(&cards);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speed_up_and_what_the_roofs_predict),
        cmocka_unit_test(what_a_card_has_not_is_said),
        cmocka_unit_test(money_by_hand),
        cmocka_unit_test(kinds_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
