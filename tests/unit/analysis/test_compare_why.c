/* What a comparison says beside its verdicts: names and shapes, unequal work in words, what moved and by how much, the order in
 * which a reader wants it, and the notes that stand before it. */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/sides.h"

static void items_have_names_shapes_and_paths(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    struct rl_buf text = RL_BUF_INIT;
    struct rl_kernel *kernel = sides_add(&sides, 0, "k(int)", 2, "step/solve", 1000000);
    memcpy(kernel->grid, (uint32_t[3]){2, 3, 5}, sizeof kernel->grid);
    memcpy(kernel->block, (uint32_t[3]){7, 11, 13}, sizeof kernel->block);
    kernel->dynamic_shared_bytes = 17;
    kernel->launches = 9;
    memset(sides_add(&sides, 0, "published", 0, NULL, 1000000)->grid, 0, sizeof kernel->grid);
    sides_add(&sides, 1, "other(int)", 1, NULL, 1000000);
    const struct rl_item *items = sides_compare(&sides)->base.items;
    assert_string_equal(items[0].shape, "<<<(2, 3, 5), (7, 11, 13), 17>>>");
    assert_string_equal(items[0].path, "step/solve");
    assert_string_equal(items[1].path, "");
    assert_int_equal(items[0].launches, 9);
    assert_int_equal(items[0].times.n, 31);
    assert_close(items[0].times.seconds[0], 1e-3, 1e-12);
    assert_close(items[0].times.seconds[1], 1e-3 * (1 + 7 / 31000.), 1e-6);
    rl_item_text(&items[0], &text);
    assert_string_equal(text.data, "k(int) <<<(2, 3, 5), (7, 11, 13), 17>>>");
    rl_buf_reset(&text);
    rl_item_text(&items[1], &text);
    assert_string_equal(text.data, "published");
    assert_string_equal(rl_item_shape(&items[1]), "");
    rl_buf_reset(&text);
    rl_item_text(&(struct rl_item){.name = "", .shape = "4096"}, &text);
    assert_string_equal(text.data, "size 4096");
    rl_buf_release(&text);
    sides_free(&sides);
}

/* A variant of one kernel: the name is that of experiment and variant, launches are those of a run, operations those of the model.
 */
static void kernels_of_the_suite_are_items_of_their_variant(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    for (size_t side = 0; side < 2; side++) {
        struct rl_capture *capture = sides.capture[side];
        sample_experiment(capture, "e");
        struct rl_variant *variant = sample_variant(capture, 0, 0, "v", "kernel");
        variant->model_flop = rl_value_of(side ? 3e9 : 2e9);
        struct rl_kernel *kernel = sides_add(&sides, side, "k(int)", 10, NULL, 1000000);
        kernel->variant = 0;
        kernel->launches = 40;
        kernel->launches_per_run = 4;
    }
    const struct rl_comparison *comparison = sides_compare(&sides);
    const struct rl_item *item = &comparison->base.items[0];
    assert_int_equal(comparison->base.count, 1);
    assert_string_equal(item->path, "e/v");
    assert_int_equal(item->variant, 0);
    assert_int_equal(item->launches, 4);
    assert_close(item->flop.v, 2e9, 1e-12);
    assert_string_equal(pair_of(comparison, 0)->work_text, "3.000\u00a0GFLOP instead of 2.000\u00a0GFLOP");
    sides_free(&sides);
}

/* Runs timed as wholes are items; their kernels, without times of their own, are not. */
static void wholes_are_items_before_kernels(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    for (size_t side = 0; side < 2; side++) {
        struct rl_capture *capture = sides.capture[side];
        sample_experiment(capture, "e");
        struct rl_variant *variant = sample_variant(capture, 0, 0, "v", "span");
        variant->size = 4096;
        variant->model_flop = rl_value_of(5e9);
        sample_equal_runs(capture, 2000000, 31);
        struct rl_kernel *kernel = sides_add(&sides, side, "k(int)", 10, NULL, 1000000);
        kernel->variant = 0;
        kernel->duration_count = 0;
        sides_add(&sides, side, "alone(int)", 10, NULL, 1000000);
    }
    const struct rl_comparison *comparison = sides_compare(&sides);
    assert_int_equal(comparison->base.count, 2);
    const struct rl_item *whole = &comparison->base.items[0];
    assert_int_equal(whole->kernel, RL_NONE);
    assert_string_equal(whole->shape, "4096");
    assert_string_equal(whole->path, "e/v");
    assert_string_equal(whole->name, "");
    assert_close(whole->flop.v, 5e9, 1e-12);
    assert_false(rl_present(whole->stored) || rl_present(whole->roof_time_s) || rl_present(whole->roof_share));
    assert_int_equal(whole->times.n, 31);
    assert_close(whole->times.seconds[30], 2e-3, 1e-12);
    assert_string_equal(comparison->base.items[1].name, "alone(int)");
    assert_int_equal(comparison->pair_count, 2);
    sides_free(&sides);
}

static void unequal_work_in_words(void **state)
{
    static const struct {
        double flop[2], stored[2];
        uint64_t launches[2];
        enum rl_work work;
        const char *said;
    } rows[] = {
        {{1e9, 2e9}, {-1, -1}, {5, 5}, RL_WORK_UNEQUAL, "2.000\u00a0GFLOP instead of 1.000\u00a0GFLOP"},
        {{1e9, 2e9}, {-1, -1}, {5, 7}, RL_WORK_UNEQUAL, "2.000\u00a0GFLOP instead of 1.000\u00a0GFLOP"},
        {{1e9, 1e9}, {-1, -1}, {5, 7}, RL_WORK_EQUAL, NULL}, /* of a launch */
        {{-1, -1}, {-1, -1}, {5, 7}, RL_WORK_UNEQUAL, "7 launches instead of 5"},
        {{0, 0}, {4e9, 1e9}, {0, 0}, RL_WORK_UNEQUAL, "1.000\u00a0GB stored instead of 4.000\u00a0GB"},
        {{0, 1e9}, {4e9, 1e9}, {0, 0}, RL_WORK_UNEQUAL, "1.000\u00a0GFLOP instead of 0\u00a0FLOP"},
        {{1e9, 0.9951e9}, {-1, -1}, {0, 0}, RL_WORK_EQUAL, NULL}, /* half a percent of the greater one */
        {{1e9, 0.9949e9}, {-1, -1}, {0, 0}, RL_WORK_UNEQUAL, "994.9\u00a0MFLOP instead of 1.000\u00a0GFLOP"},
        {{-1, -1}, {4e9, 1e9}, {5, 0}, RL_WORK_UNKNOWN, NULL},
        {{-1, 1e9}, {-1, -1}, {0, 5}, RL_WORK_UNKNOWN, NULL},
        {{-1, -1}, {-1, -1}, {5, 5}, RL_WORK_EQUAL, NULL},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct sides sides = sides_new();
        for (size_t side = 0; side < 2; side++) {
            sides_add(&sides, side, "k(int)", 10, NULL, 1000000)->launches = rows[i].launches[side];
            if (rows[i].flop[side] >= 0)
                sides_flop(&sides, side, 0, rows[i].flop[side]);
            if (rows[i].stored[side] >= 0)
                sample_set(sides.capture[side], 0, "smsp__sass_data_bytes_mem_global_op_st.sum", rl_value_of(rows[i].stored[side]));
        }
        const struct rl_pair *pair = pair_of(sides_compare(&sides), 0);
        assert_int_equal(pair->work, rows[i].work);
        if (rows[i].said)
            assert_string_equal(pair->work_text, rows[i].said);
        else
            assert_null(pair->work_text);
        sides_free(&sides);
    }
}

/* Where operations are not known, bytes judge, within what they scatter; the number of launches only where neither is. */
static void bytes_judge_where_operations_do_not(void **state)
{
    static const struct {
        double bytes[2];
        enum rl_work work;
        const char *said;
    } rows[] = {
        {{1e9, 1.05e9}, RL_WORK_EQUAL, NULL},
        {{1e9, 2e9}, RL_WORK_UNEQUAL, "2.000\u00a0GB to and from DRAM instead of 1.000\u00a0GB"},
        {{1e9, -1}, RL_WORK_UNEQUAL, "7 launches instead of 5"},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct sides sides = sides_new();
        for (size_t side = 0; side < 2; side++) {
            sides_add(&sides, side, "k(int)", 10, NULL, 1000000)->launches = side ? 7 : 5;
            if (rows[i].bytes[side] >= 0) {
                sample_set(sides.capture[side], 0, "dram__bytes_read.sum", rl_value_of(rows[i].bytes[side]));
                sample_set(sides.capture[side], 0, "dram__bytes_write.sum", rl_value_of(0));
            }
        }
        const struct rl_pair *pair = pair_of(sides_compare(&sides), 0);
        assert_int_equal(pair->work, rows[i].work);
        assert_string_equal(pair->work_text ? pair->work_text : "", rows[i].said ? rows[i].said : "");
        sides_free(&sides);
    }
}

/* The weight is ln(new / base), twice that where the kernel is bound by what the metric is about. A kernel without counters has no
 * bound, so that the factor is 1; whatever was or becomes nothing weighs 3, and so does what grows more than e^3 times. */
static void weights_by_hand(void **state)
{
    static const struct {
        enum rl_metric metric;
        double base, new, weight; /* 0: it did not move */
    } rows[] = {
        {RL_METRIC_dram_bytes, 1e9, 2e9, 0.69314718},
        {RL_METRIC_dram_bytes, 2e9, 1e9, 0.69314718},
        {RL_METRIC_dram_bytes, 1e9, 1.0310e9, 0.03052920},
        {RL_METRIC_dram_bytes, 1e9, 1.0300e9, 0}, /* ln 1.03 = 0.02956 */
        {RL_METRIC_dram_bytes, 1e9, 1e15, 3},
        {RL_METRIC_dram_bytes, 0, 1, 3},
        {RL_METRIC_dram_bytes, 1, 0, 3},
        {RL_METRIC_dram_bytes, 0, 0, 0},
        {RL_METRIC_achieved_occupancy, 0.10, 0.119, 0}, /* under two points, though a fifth more */
        {RL_METRIC_achieved_occupancy, 0.10, 0.121, 0.19062036},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct sides sides = sides_new();
        sides_add(&sides, 0, "k(int)", 10, NULL, 1000000);
        sides_add(&sides, 1, "k(int)", 10, NULL, 1500000);
        sides_metric(&sides, rows[i].metric, rows[i].base, rows[i].new);
        const struct rl_pair *pair = pair_of(sides_compare(&sides), 0);
        assert_int_equal(pair->moved_count, rows[i].weight > 0);
        if (rows[i].weight > 0) {
            assert_int_equal(pair->moved[0].metric, rows[i].metric);
            assert_close(pair->moved[0].weight, rows[i].weight, 1e-6);
            assert_close(pair->moved[0].base.v, rows[i].base, 1e-12);
            assert_close(pair->moved[0].new.v, rows[i].new, 1e-12);
        }
        sides_free(&sides);
    }
}

/* Spills count from a hundredth of what L1 moves, on the side where they are more; and always where that is unknown. */
static void small_parts_explain_nothing(void **state)
{
    static const struct {
        double base, new, whole_base, whole_new;
        size_t moved;
    } rows[] = {
        {10, 20, 1000, 1000, 1}, {10, 20, 2000, 2000, 0}, {5, 21, 1000, 2000, 1}, {21, 5, 2000, 1000, 1},
        {21, 5, 2200, 10000, 0}, {10, 20, -1, 1000, 1},   {1, 2, 1000, -1, 1},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct sides sides = sides_new();
        size_t moved = 0;
        sides_add(&sides, 0, "k(int)", 10, NULL, 1000000);
        sides_add(&sides, 1, "k(int)", 10, NULL, 1500000);
        sides_metric(&sides, RL_METRIC_spill_bytes, rows[i].base, rows[i].new);
        if (rows[i].whole_base > 0)
            sample_set(sides.capture[0], 0, "l1_bytes", rl_value_of(rows[i].whole_base));
        if (rows[i].whole_new > 0)
            sample_set(sides.capture[1], 0, "l1_bytes", rl_value_of(rows[i].whole_new));
        const struct rl_pair *pair = pair_of(sides_compare(&sides), 0);
        for (size_t m = 0; m < pair->moved_count; m++)
            moved += pair->moved[m].metric == RL_METRIC_spill_bytes;
        if (moved != rows[i].moved)
            fail_msg("row %zu: %zu", i, moved);
        sides_free(&sides);
    }
}

/* What explains comes first, then by weight, then in the order of the metrics; what is the same has no causes. */
static void what_moved_has_an_order(void **state)
{
    (void)state;
    for (int same = 0; same < 2; same++) {
        struct sides sides = sides_new();
        sides_add(&sides, 0, "k(int)", 10, NULL, 1000000);
        sides_add(&sides, 1, "k(int)", 10, NULL, same ? 1000000 : 1500000);
        sides_metric(&sides, RL_METRIC_instructions, 8, 1);
        sides_metric(&sides, RL_METRIC_l1_bytes, 1, 2);
        sides_metric(&sides, RL_METRIC_l2_bytes, 1, 2);
        sides_metric(&sides, RL_METRIC_dram_bytes, 1, 4);
        const struct rl_pair *pair = pair_of(sides_compare(&sides), 0);
        assert_int_equal(pair->moved_count, same ? 0 : 4);
        if (!same) {
            const bool l2_first = RL_METRIC_l2_bytes < RL_METRIC_l1_bytes;
            assert_int_equal(pair->moved[0].metric, RL_METRIC_dram_bytes);
            assert_int_equal(pair->moved[1].metric, l2_first ? RL_METRIC_l2_bytes : RL_METRIC_l1_bytes);
            assert_int_equal(pair->moved[2].metric, l2_first ? RL_METRIC_l1_bytes : RL_METRIC_l2_bytes);
            assert_int_equal(pair->moved[3].metric, RL_METRIC_instructions);
            assert_true(pair->moved[2].explains && !pair->moved[3].explains);
        }
        sides_free(&sides);
    }
}

/* The heavier first; of two causes of one weight the one whose metric is listed first. */
static void causes_of_one_weight_are_in_the_order_of_the_metrics(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    sides_add(&sides, 0, "k(int)", 10, NULL, 1000000);
    sides_add(&sides, 1, "k(int)", 10, NULL, 1500000);
    sides_metric(&sides, RL_METRIC_dram_bytes, 1, 2);
    sides_metric(&sides, RL_METRIC_instructions, 1, 2);
    sides_metric(&sides, RL_METRIC_l1_bytes, 1, 8);
    assert_true(RL_METRIC_instructions < RL_METRIC_dram_bytes);
    const struct rl_pair *pair = pair_of(sides_compare(&sides), 0);
    assert_int_equal(pair->moved_count, 3);
    assert_int_equal(pair->moved[0].metric, RL_METRIC_l1_bytes);
    assert_int_equal(pair->moved[1].metric, RL_METRIC_instructions);
    assert_int_equal(pair->moved[2].metric, RL_METRIC_dram_bytes);
    sides_free(&sides);
}

/* What moved of one kernel is not what moved of the next. */
static void each_pair_has_causes_of_its_own(void **state)
{
    enum { PAIRS = 3 };
    (void)state;
    struct sides sides = sides_new();
    for (uint32_t k = 0; k < PAIRS; k++)
        for (size_t side = 0; side < 2; side++) {
            sides_add(&sides, side, "k(int)", 10 + k, NULL, side ? 1500000 : 1000000);
            sample_set(sides.capture[side], k, "dram_bytes", rl_value_of(side ? 100 + k : 1));
            sample_set(sides.capture[side], k, "instructions", rl_value_of(side ? 2 : 1));
        }
    const struct rl_comparison *comparison = sides_compare(&sides);
    for (size_t k = 0; k < PAIRS; k++) {
        const struct rl_pair *pair = pair_of(comparison, k);
        assert_int_equal(pair->moved_count, 2);
        assert_int_equal(pair->moved[0].metric, RL_METRIC_dram_bytes);
        assert_close(pair->moved[0].new.v, 100. + (double)k, 1e-12);
        assert_int_equal(pair->moved[1].metric, RL_METRIC_instructions);
        assert_close(pair->moved[1].weight, 0.69314718, 1e-6);
    }
    sides_free(&sides);
}

/* What belongs to the roof that bound the kernel weighs twice: half more traffic (2 x 0.405) before twice the instructions (0.693).
 * 4 MB at 32 GB/s are 125 us of 150. */
static void what_bound_the_kernel_weighs_twice(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    for (size_t side = 0; side < 2; side++) {
        struct rl_capture *capture = sides.capture[side];
        const size_t kernel = sample_full_kernel(capture, "k(int)");
        uint64_t times[31];
        for (size_t i = 0; i < 31; i++)
            times[i] = (side ? 225000 : 150000) + i * 7 % 31;
        sample_times(capture, kernel, times, 31);
        sample_set(capture, kernel, "dram__bytes_read.sum", rl_value_of(side ? 5999e3 : 3999e3));
        sample_set(capture, kernel, "lts__t_sectors_srcunit_tex.sum", rl_value_of(130e3));
        sample_set(capture, kernel, "l1tex__t_bytes.sum", rl_value_of(32 * 130e3));
        sample_set(capture, kernel, "lts__t_tag_requests_hit.sum", rl_value_of(90e3));
        sample_set(capture, kernel, "lts__t_tag_requests_miss.sum", rl_value_of(30e3));
        sample_set(capture, kernel, "smsp__sass_inst_executed.sum", rl_value_of(side ? 2000 : 1000));
        sample_set(capture, kernel, "smsp__sass_thread_inst_executed.sum", rl_value_of(side ? 48000 : 24000));
    }
    const struct rl_comparison *comparison = sides_compare(&sides);
    const struct rl_pair *pair = pair_of(comparison, 0);
    assert_int_equal(comparison->base.items[0].bound, RL_BOUND_MEMORY);
    assert_int_equal(pair->moved[0].metric, RL_METRIC_dram_bytes);
    assert_close(pair->moved[0].weight, 2 * 0.40546511, 1e-3);
    assert_int_equal(pair->moved[1].metric, RL_METRIC_instructions);
    assert_close(pair->moved[1].weight, 0.69314718, 1e-6);
    sides_free(&sides);
}

/* Faster with less traffic: explained; with more: not. */
static void less_of_what_slows_explains_what_is_faster(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        struct sides sides = sides_new();
        sides_add(&sides, 0, "k(int)", 10, NULL, 1500000);
        sides_add(&sides, 1, "k(int)", 10, NULL, 1000000);
        sides_metric(&sides, RL_METRIC_dram_bytes, 2, more ? 4 : 1);
        sides_metric(&sides, RL_METRIC_achieved_occupancy, 0.5, more ? 0.25 : 0.9);
        const struct rl_pair *pair = pair_of(sides_compare(&sides), 0);
        assert_int_equal(pair->change.verdict, RL_FASTER);
        assert_int_equal(pair->moved_count, 2);
        assert_int_equal(pair->moved[0].explains, !more);
        assert_int_equal(pair->moved[1].explains, !more);
        sides_free(&sides);
    }
}

/* ---- order ---- */

/* Broken, slower, faster, unequal work, undecided, same; the largest change first, then in the order of the base. */
static void the_order_of_reading(void **state)
{
    static const struct {
        uint64_t before, after;
        double more_work;
    } rows[] = {
        {1000000, 1000000, 1}, {1000000, 1012000, 1}, {1000000, 700000, 1},  {1000000, 1300000, 1}, {1000000, 2000000, 1},
        {1000000, 500000, 1},  {1000000, 1500000, 2}, {1000000, 1000000, 1}, {1000000, 1300000, 1}, {1000000, 3000000, 2},
    };
    static const size_t wanted[] = {4, 3, 8, 5, 2, 9, 6, 1, 0, 7};
    size_t order[RL_COUNT(rows)];
    struct sides sides = sides_new();
    (void)state;
    for (size_t side = 0; side < 2; side++)
        for (uint32_t i = 0; i < RL_COUNT(rows); i++) {
            sides_add(&sides, side, "k(int)", 10 + i, NULL, side ? rows[i].after : rows[i].before);
            sides_flop(&sides, side, i, side ? 1e9 * rows[i].more_work : 1e9);
        }
    const struct rl_comparison *comparison = sides_compare(&sides);
    rl_comparison_sort(comparison, order);
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        assert_int_equal(order[i], wanted[i]);
    assert_int_equal(comparison->pair_count, RL_COUNT(rows));
    assert_int_equal(comparison->verdicts[RL_SLOWER], 3);
    assert_int_equal(comparison->verdicts[RL_FASTER], 2);
    assert_int_equal(comparison->verdicts[RL_UNDECIDED], 1);
    assert_int_equal(comparison->verdicts[RL_SAME], 2);
    assert_int_equal(comparison->unequal[RL_SLOWER], 2);
    assert_int_equal(comparison->unequal_count, 2);
    assert_int_equal(comparison->broken_count, 0);
    assert_int_equal(comparison->excluded_count, 0);
    assert_int_equal(comparison->matched[RL_MATCH_EXACT], RL_COUNT(rows));
    assert_int_equal(comparison->rules.comparisons, RL_COUNT(rows));
    sides_free(&sides);
}

/* ---- wrong results ---- */

static void wrong_results_on_either_side(void **state)
{
    static const struct {
        enum rl_result base, new;
        bool broke;
        const char *said, *note;
    } rows[] = {
        {RL_RESULT_OK, RL_RESULT_OK, false, NULL, NULL},
        {RL_RESULT_OK, RL_RESULT_WRONG, true, "the candidate computed a wrong result",
         "1 kernel that computed the right result computes a wrong one now."},
        {RL_RESULT_WRONG, RL_RESULT_OK, false, "the baseline computed a wrong result", NULL},
        {RL_RESULT_WRONG, RL_RESULT_WRONG, false, "on both sides it computed a wrong result", NULL},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct sides sides = sides_new();
        for (size_t side = 0; side < 2; side++) {
            struct rl_capture *capture = sides.capture[side];
            sample_experiment(capture, "e");
            struct rl_variant *variant = sample_variant(capture, 0, 0, "v", "kernel");
            variant->result = side ? rows[i].new : rows[i].base;
            sides_add(&sides, side, "k(int)", 10, NULL, 1000000)->variant = 0;
        }
        const struct rl_comparison *comparison = sides_compare(&sides);
        const struct rl_pair *pair = pair_of(comparison, 0);
        assert_int_equal(pair->broke, rows[i].broke);
        assert_int_equal(comparison->broken_count, rows[i].broke);
        assert_int_equal(comparison->excluded_count, rows[i].said != NULL);
        assert_int_equal(comparison->verdicts[RL_SAME], rows[i].said == NULL);
        assert_int_equal(comparison->rules.comparisons, 1); /* at least */
        assert_int_equal(rl_pair_is_regression(pair, 0.05), rows[i].broke);
        assert_int_equal(comparison->note_count, rows[i].note != NULL);
        if (rows[i].said) {
            assert_string_equal(pair->not_compared, rows[i].said);
            assert_int_equal(pair->change.verdict, RL_UNDECIDED);
            assert_false(rl_present(pair->change.clock));
        }
        if (rows[i].note)
            assert_string_equal(comparison->notes[0], rows[i].note);
        sides_free(&sides);
    }
}

/* ---- notes ---- */

static void assert_notes(const struct rl_comparison *comparison, const char *const *wanted, size_t count)
{
    assert_int_equal(comparison->note_count, count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(comparison->notes[i], wanted[i]);
}

static void notes_in_words(void **state)
{
    static const char *const wanted[] = {
        "The captures have no kernel in common by name or NVTX path: --match FILE can say which is which.",
        "'b' is incomplete: kernels that it did not reach count as missing.",
        "The captures were measured on two GPUs of one model: unchanged code differs by up to 3 % between such GPUs, so smaller "
        "changes are not decided. Measure both on one GPU.",
        "The clock was lowered while 'a' was measured.",
        "The driver changed from 1 to 2.",
        "rooflight changed from 0.1 to 0.2.",
        "The source of the figures changed from ncu to collect.",
    };
    struct sides sides = sides_new();
    (void)state;
    sides_add(&sides, 0, "a(int)", 10, NULL, 1000000);
    sides_add(&sides, 1, "b(int)", 10, NULL, 1000000);
    for (size_t i = 0; i < 2; i++) {
        struct rl_capture *capture = sides.capture[i];
        capture->session.driver = rl_capture_text(capture, i ? "2" : "1");
        capture->session.tool_version = rl_capture_text(capture, i ? "0.2" : "0.1");
        capture->session.source = rl_capture_text(capture, i ? "collect" : "ncu");
        capture->session.complete = i == 0;
        capture->gpus[0].uuid = rl_capture_text(capture, i ? "GPU-2" : "GPU-1");
    }
    rl_capture_add_moment(sides.capture[0], 0)->reading[RL_READING_throttle_reasons] = rl_value_of(0);
    rl_capture_add_moment(sides.capture[0], 0)->reading[RL_READING_throttle_reasons] = rl_value_of(0x8);
    assert_notes(sides_compare(&sides), wanted, RL_COUNT(wanted));
    sides_free(&sides);
}

/* Records that instrument the code against those that do not. */
static void clocks_that_differ_are_said(void **state)
{
    static const enum rl_clock clocks[][2] = {
        {RL_CLOCK_SERIAL, RL_CLOCK_SERIAL}, {RL_CLOCK_UNKNOWN, RL_CLOCK_SERIAL}, {RL_CLOCK_SERIAL, RL_CLOCK_BOTH}};
    static const char *const words[] = {NULL, "(unknown; serial records)", "(serial records; serial and concurrent records)"};
    (void)state;
    for (size_t row = 0; row < RL_COUNT(clocks); row++) {
        struct sides sides = sides_new();
        for (size_t side = 0; side < 2; side++) {
            sides_add(&sides, side, "a(int)", 10, NULL, 1000000);
            sides_add(&sides, side, "b(int)", 10, NULL, 1000000);
            sides.capture[side]->kernels[1].clock.clock = clocks[row][side];
        }
        const struct rl_comparison *comparison = sides_compare(&sides);
        assert_int_equal(comparison->note_count, words[row] != NULL);
        if (words[row]) {
            assert_non_null(strstr(comparison->notes[0], words[row]));
            assert_non_null(strstr(comparison->notes[0], "1 of 2 kernels"));
            assert_int_equal(strstr(comparison->notes[0], "up to 10 % longer") != NULL, clocks[row][0] == RL_CLOCK_UNKNOWN);
        }
        sides_free(&sides);
    }
}

/* A side without any kernel has nothing to be told apart. */
static void an_empty_side_needs_no_note(void **state)
{
    (void)state;
    for (size_t side = 0; side < 2; side++) {
        struct sides sides = sides_new();
        sides_add(&sides, side, "a(int)", 10, NULL, 1000000);
        const struct rl_comparison *comparison = sides_compare(&sides);
        assert_int_equal(comparison->note_count, 0);
        assert_int_equal(comparison->pair_count, 0);
        assert_int_equal(comparison->added_count, side);
        assert_int_equal(comparison->removed_count, 1 - side);
        sides_free(&sides);
    }
}

/* A capture without a GPU (a suite that was refused) says nothing of its card. */
static void a_side_without_a_gpu(void **state)
{
    (void)state;
    for (size_t side = 0; side < 2; side++) {
        struct sides sides = sides_new();
        rl_capture_free(sides.capture[side]);
        sides.capture[side] = rl_capture_new();
        sides_add(&sides, 1 - side, "a(int)", 10, NULL, 1000000);
        const struct rl_comparison *comparison = sides_compare(&sides);
        assert_int_equal(comparison->relation, RL_MAYBE_ONE);
        assert_int_equal(comparison->pair_count, 0);
        sides_free(&sides);
    }
}

/* Items of another GPU are not these. */
static void gpus_are_kept_apart(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    for (size_t side = 0; side < 2; side++) {
        rl_capture_add_gpu(sides.capture[side])->name = rl_capture_text(sides.capture[side], "NVIDIA Test Card");
        sides_add(&sides, side, "k(int)", 10, NULL, 1000000)->gpu = side;
    }
    assert_int_equal(sides_compare(&sides)->pair_count, 0);
    sides_free(&sides);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_have_names_shapes_and_paths),
        cmocka_unit_test(kernels_of_the_suite_are_items_of_their_variant),
        cmocka_unit_test(wholes_are_items_before_kernels),
        cmocka_unit_test(unequal_work_in_words),
        cmocka_unit_test(bytes_judge_where_operations_do_not),
        cmocka_unit_test(weights_by_hand),
        cmocka_unit_test(small_parts_explain_nothing),
        cmocka_unit_test(what_moved_has_an_order),
        cmocka_unit_test(causes_of_one_weight_are_in_the_order_of_the_metrics),
        cmocka_unit_test(each_pair_has_causes_of_its_own),
        cmocka_unit_test(what_bound_the_kernel_weighs_twice),
        cmocka_unit_test(less_of_what_slows_explains_what_is_faster),
        cmocka_unit_test(the_order_of_reading),
        cmocka_unit_test(wrong_results_on_either_side),
        cmocka_unit_test(notes_in_words),
        cmocka_unit_test(clocks_that_differ_are_said),
        cmocka_unit_test(an_empty_side_needs_no_note),
        cmocka_unit_test(a_side_without_a_gpu),
        cmocka_unit_test(gpus_are_kept_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
