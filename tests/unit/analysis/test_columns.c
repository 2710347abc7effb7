/* Columns of cards: speedups, what the roofs predict, what a card is wasted on, and what is not there. */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "analysis/columns.h"
#include "core/mem.h"
#include "fixtures/capture.h"

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
    for (size_t i = 0; i < 2; i++) {
        sample_set(cards->capture[i], kernel, "dram__bytes_read.sum", rl_value_of(bytes));
        sample_set(cards->capture[i], kernel, "lts__t_sectors_srcunit_tex.sum", rl_value_of(bytes / 32));
        sample_set(cards->capture[i], kernel, "l1tex__t_bytes.sum", rl_value_of(bytes));
        sample_set(cards->capture[i], kernel, "lts__t_tag_requests_miss.sum", rl_value_of(bytes / 32));
    }
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
    set_dram_read(&cards, 0, 39999e3); /* 62 % of 32 GB/s in 2 ms */
    set_dram_read(&cards, 1, 39999e3);
    set_dram_read(&cards, 2, 7e3);
    for (size_t i = 0; i < 2; i++)
        cards.capture[i]->kernels[2].grid[0] = 60;
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
    const struct rl_ratio *time = &cards.comparison->pairs[0].change.time;
    assert_int_equal(cards.comparison->pairs[0].base, 0);
    assert_close(next->cells[0].speedup.low * time->high, 1, 1e-12);
    assert_close(next->cells[0].speedup.high * time->low, 1, 1e-12);
    assert_true(rl_present(next->cells[0].predicted));
    assert_string_equal(base->cells[0].roof, "DRAM bandwidth");
    assert_close(next->cells[0].predicted.v, rl_value_div(base->cells[0].roof_time_s, next->cells[0].roof_time_s, NULL).v, 1e-12);
    assert_close(rl_cell_speedup_achieved(&next->cells[1]).v, 1.25 / next->cells[1].predicted.v, 1e-3);
    assert_true(next->cells[1].predicted.v > 1.6); /* memory is faster there, and the launch is 1.25 times as fast */
    assert_true(rl_cell_is_underused(next, 1));
    assert_false(rl_cell_is_underused(next, 0));
    assert_false(rl_present(next->cells[2].predicted));
    assert_string_equal(rl_value_reason(next->cells[2].predicted), "too little work for a roof to limit it");
    assert_false(rl_cell_is_underused(next, 2));
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
    sample_set(cards.capture[1], 0, "lts__t_sectors_srcunit_tex_op_read.sum", rl_value_missing(RL_NOT_ON_CHIP, NULL));
    compare(&cards);
    rl_column_lacks(cards.columns, &cards.columns->columns[1], &text);
    assert_int_equal(strncmp(text.data, "L2 traffic, ", 12), 0); /* and what is made of it */
    assert_non_null(strstr(text.data, " (not on this chip)"));
    assert_null(strstr(text.data, "DRAM traffic"));
    assert_string_equal(cards.columns->columns[1].cells[1].why_not, "not in this capture");
    assert_false(rl_present(rl_cell_speedup_achieved(&cards.columns->columns[1].cells[1])));
    rl_buf_release(&text);
    release(&cards);
}

/* ---- cells by hand ---- */

/* Wasted: what limits on the base, by 60 % of its roof or more, is faster there, and the whole interval is under 80 % of what the
 * roofs predict. */
static void wasted_by_hand(void **state)
{
    static const struct {
        double share, high, predicted;
        bool has_interval, present, wasted;
    } rows[] = {{0.61, 1.59, 2, true, true, true},   {0.59, 1.59, 2, true, true, false},  {-1, 1.59, 2, true, true, false},
                {0.61, 1.61, 2, true, true, false},  {0.61, 1.59, 2, false, true, false}, {0.61, 1.59, 2, true, false, false},
                {0.61, 1.59, -1, true, true, false}, {0.61, 0.7, 0.99, true, true, false}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_cell cell = {
            .speedup = {.present = rows[i].present, .has_interval = rows[i].has_interval, .estimate = 1.5, .high = rows[i].high},
            .predicted = rows[i].predicted < 0 ? rl_value_missing(RL_UNDEFINED, "none") : rl_value_of(rows[i].predicted)};
        struct rl_item item = {.roof_share =
                                   rows[i].share < 0 ? rl_value_missing(RL_UNDEFINED, "none") : rl_value_of(rows[i].share)};
        const struct rl_comparison comparison = {.base = {.items = &item, .count = 1}};
        const struct rl_column column = {.cells = &cell, .comparison = &comparison}, base = {.cells = &cell};
        assert_int_equal(rl_cell_is_underused(&column, 0), rows[i].wasted);
        assert_false(rl_cell_is_underused(&base, 0));
        assert_int_equal(rl_cell_has_speedup(&cell), rows[i].present);
        cell.why_not = "computed a wrong result";
        assert_false(rl_cell_is_underused(&column, 0));
        assert_false(rl_cell_has_speedup(&cell));
    }
}

/* Reasons stand behind all that is lacking for them, in the order of the metrics; what is only undefined there is no lack. */
static void lacks_by_hand(void **state)
{
    struct rl_value metrics[2][RL_METRIC_COUNT];
    struct rl_cell cells[2] = {{.metric = metrics[0]}, {.metric = metrics[1]}};
    struct rl_column sides[2] = {{.cells = &cells[0]}, {.cells = &cells[1]}};
    const struct rl_compare_side base = {.count = 1};
    const struct rl_columns columns = {.base = &base, .columns = sides, .count = 2};
    struct rl_buf text = RL_BUF_INIT, wanted = RL_BUF_INIT;
    (void)state;
    for (size_t m = 0; m < RL_METRIC_COUNT; m++)
        metrics[0][m] = metrics[1][m] = rl_value_of(1);
    rl_column_lacks(&columns, &sides[1], &text);
    assert_string_equal(text.data ? text.data : "", "");
    metrics[1][2] = rl_value_missing(RL_NOT_COLLECTED, "too long");
    metrics[1][3] = rl_value_missing(RL_NOT_ON_CHIP, "not there");
    metrics[1][5] = rl_value_missing(RL_NOT_COLLECTED, "too long");
    metrics[1][6] = rl_value_missing(RL_UNDEFINED, "no branches");
    metrics[1][7] = metrics[0][7] = rl_value_missing(RL_NOT_COLLECTED, "on neither");
    rl_column_lacks(&columns, &sides[1], &text);
    rl_buf_addf(&wanted, "%s, %s (too long); %s (not there)", rl_metrics[2].label, rl_metrics[5].label, rl_metrics[3].label);
    assert_string_equal(text.data, wanted.data);
    for (size_t present = 0; present <= 4; present++) { /* of up to three it is said what is there */
        for (size_t m = 0; m < RL_METRIC_COUNT; m++)
            metrics[1][m] = m < present ? rl_value_of(1) : rl_value_missing(RL_NOT_COLLECTED, "why");
        rl_buf_reset(&text);
        rl_buf_reset(&wanted);
        rl_column_lacks(&columns, &sides[1], &text);
        rl_buf_adds(&wanted, present ? "all metrics but " : "all metrics");
        for (size_t m = 0; m < present; m++)
            rl_buf_addf(&wanted, "%s%s", m ? ", " : "", rl_metrics[m].label);
        assert_int_equal(strcmp(text.data, wanted.data) == 0, present <= 3);
    }
    for (size_t lacking = 12; lacking <= 13; lacking++) { /* twelve are named */
        for (size_t m = 0; m < RL_METRIC_COUNT; m++) {
            metrics[0][m] = m < lacking ? rl_value_of(1) : rl_value_missing(RL_NOT_COLLECTED, "why");
            metrics[1][m] = rl_value_missing(RL_NOT_COLLECTED, "why");
        }
        rl_buf_reset(&text);
        rl_column_lacks(&columns, &sides[1], &text);
        assert_int_equal(strcmp(text.data, "all metrics") == 0, lacking == 13);
    }
    cells[1].metric = NULL; /* nothing at all is said elsewhere */
    rl_buf_reset(&text);
    rl_column_lacks(&columns, &sides[1], &text);
    assert_string_equal(text.data, "");
    rl_buf_release(&text);
    rl_buf_release(&wanted);
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
    struct rl_capture *capture = rl_capture_new();
    static const struct {
        const char *source;
        enum rl_column_kind kind;
    } sources[] = {{"collect", RL_COLUMN_MEASURED},
                   {"ncu", RL_COLUMN_IMPORTED},
                   {"nvprof", RL_COLUMN_IMPORTED},
                   {"published", RL_COLUMN_PUBLISHED}};
    for (size_t i = 0; i < RL_COUNT(sources); i++) {
        capture->session.source = rl_capture_text(capture, sources[i].source);
        assert_int_equal(rl_column_kind_of(capture), sources[i].kind);
    }
    rl_capture_free(capture);
}

/* Where the operations were not counted nobody knows which roof is above the launch, though the time for its traffic is known. */
static void a_roof_needs_both_its_times(void **state)
{
    (void)state;
    struct cards cards = two_cards();
    for (size_t i = 0; i < 2; i++) {
        add_kernel(cards.capture[i], "counted(int)", 2000000);
        const size_t bare = sample_kernel(cards.capture[i], "traffic_only(int)");
        sample_time(cards.capture[i], bare, 2000000);
        sample_value(cards.capture[i], bare, RL_METRIC_VALUE, "dram_bytes", rl_value_of(4e6));
    }
    compare(&cards);
    const struct rl_cell *cell = &cards.columns->columns[0].cells[1];
    assert_false(rl_present(cell->roof_time_s));
    assert_string_equal(cell->roof, "");
    release(&cards);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speed_up_and_what_the_roofs_predict),
        cmocka_unit_test(what_a_card_has_not_is_said),
        cmocka_unit_test(wasted_by_hand),
        cmocka_unit_test(lacks_by_hand),
        cmocka_unit_test(kinds_are_kept),
        cmocka_unit_test(a_roof_needs_both_its_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
