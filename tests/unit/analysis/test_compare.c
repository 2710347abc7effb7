/* Two captures side by side: every way of matching, what is left over, work, causes, and what a reader must know first. */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/sides.h"

/* ---- matching ---- */

static void each_way_of_matching(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    sides_add(&sides, 0, "void a<1>(int)", 10, NULL, 1000000);
    sides_add(&sides, 0, "void b<float>(int)", 10, NULL, 1000000);
    sides_add(&sides, 0, "void c<2>(int)", 10, NULL, 1000000);
    sides_add(&sides, 0, "old_name(int)", 10, "step/solve", 1000000);
    sides_add(&sides, 0, "gone(int)", 10, NULL, 1000000);
    sides_add(&sides, 1, "fresh(int)", 10, NULL, 1000000);
    sides_add(&sides, 1, "new_name(long)", 99, "step/solve", 1000000);
    sides_add(&sides, 1, "void c<2>(int)", 20, NULL, 1000000);       /* another shape */
    sides_add(&sides, 1, "void b<double>(int)", 10, NULL, 1000000);  /* other arguments */
    sides_add(&sides, 1, "void a<1>(int)", 10, "anywhere", 1000000); /* another path */
    const struct rl_comparison *comparison = sides_compare(&sides);
    assert_int_equal(comparison->pair_count, 4);
    assert_pair(comparison, 0, 4, RL_MATCH_EXACT);
    assert_pair(comparison, 1, 3, RL_MATCH_SHORT);
    assert_pair(comparison, 2, 2, RL_MATCH_SHORT);
    assert_pair(comparison, 3, 1, RL_MATCH_NVTX);
    assert_int_equal(comparison->removed_count, 1);
    assert_int_equal(comparison->removed[0], 4);
    assert_int_equal(comparison->added_count, 1);
    assert_int_equal(comparison->added[0], 0);
    assert_int_equal(comparison->matched[RL_MATCH_SHORT], 2);
    sides_free(&sides);
}

/* Two kernels of one name on one side and three on the other: which is new would be a guess. */
static void what_is_ambiguous_is_not_matched(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    for (uint32_t i = 0; i < 2; i++)
        sides_add(&sides, 0, "void k<1>(int)", 10 + i, NULL, 1000000);
    for (uint32_t i = 0; i < 3; i++)
        sides_add(&sides, 1, "void k<2>(int)", 20 + i, NULL, 1000000);
    const struct rl_comparison *comparison = sides_compare(&sides);
    assert_int_equal(comparison->pair_count, 0);
    assert_int_equal(comparison->removed_count, 2);
    assert_int_equal(comparison->added_count, 3);
    sides_free(&sides);
}

/* Where other template arguments leave only the short name, a shape goes with its like, whatever the order. */
static void shapes_tell_short_names_apart(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    sides_add(&sides, 0, "void k<1>(int)", 10, NULL, 1000000);
    sides_add(&sides, 0, "void k<1>(int)", 20, NULL, 2000000);
    sides_add(&sides, 1, "void k<2>(int)", 20, NULL, 2000000);
    sides_add(&sides, 1, "void k<2>(int)", 10, NULL, 1000000);
    const struct rl_comparison *comparison = sides_compare(&sides);
    assert_pair(comparison, 0, 1, RL_MATCH_SHORT);
    assert_pair(comparison, 1, 0, RL_MATCH_SHORT);
    sides_free(&sides);
}

/* Of several that are the same in everything, as many are matched as both sides have, in their order. */
static void one_more_of_the_same_is_new(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    sides_add(&sides, 0, "a(int)", 10, NULL, 1000000);
    sides_add(&sides, 0, "b(int)", 10, NULL, 1000000);
    for (size_t i = 0; i < 2; i++)
        sides_add(&sides, 1, "a(int)", 10, NULL, 1000000);
    sides_add(&sides, 1, "b(int)", 10, NULL, 1000000);
    const struct rl_comparison *comparison = sides_compare(&sides);
    assert_int_equal(comparison->pair_count, 2);
    assert_pair(comparison, 0, 0, RL_MATCH_EXACT);
    assert_pair(comparison, 1, 2, RL_MATCH_EXACT);
    assert_int_equal(comparison->added_count, 1);
    assert_int_equal(comparison->added[0], 1);
    sides_free(&sides);
}

/* The same kernel under two paths goes with the path, whatever the order. */
static void paths_tell_equal_kernels_apart(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    sides_add(&sides, 0, "k(int)", 10, "first", 1000000);
    sides_add(&sides, 0, "k(int)", 10, "second", 2000000);
    sides_add(&sides, 1, "k(int)", 10, "second", 2000000);
    sides_add(&sides, 1, "k(int)", 10, "first", 1000000);
    const struct rl_comparison *comparison = sides_compare(&sides);
    assert_pair(comparison, 0, 1, RL_MATCH_EXACT);
    assert_pair(comparison, 1, 0, RL_MATCH_EXACT);
    assert_int_equal(comparison->verdicts[RL_SAME], 2);
    sides_free(&sides);
}

/* Kernels that share a short name have labels with their template arguments and shapes. */
static void labels_tell_apart(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    sides_add(&sides, 0, "void k<1>(int)", 10, NULL, 1000000);
    sides_add(&sides, 0, "void k<1>(int)", 20, NULL, 1000000);
    sides_add(&sides, 0, "other(int)", 20, NULL, 1000000);
    const struct rl_comparison *comparison = sides_compare(&sides);
    assert_string_equal(comparison->base.items[0].label, "k<1> [10, 256]");
    assert_string_equal(comparison->base.items[1].label, "k<1> [20, 256]");
    assert_string_equal(comparison->base.items[2].label, "other");
    sides_free(&sides);
}

static enum rl_status parse(const char *text, struct rl_match_map *map, struct rl_err *err)
{
    *map = (struct rl_match_map){0};
    return rl_match_map_parse(text, strlen(text), "map", map, err);
}

static void a_map_file(void **state)
{
    (void)state;
    struct rl_match_map map;
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(parse("# note\r\n\n  a(int)  =>\tb<1>  \r\nop=>(x) => y", &map, &err), RL_OK);
    assert_int_equal(map.count, 2);
    assert_string_equal(map.entries[0].base, "a(int)");
    assert_string_equal(map.entries[0].new, "b<1>");
    assert_int_equal(map.entries[0].line, 3);
    assert_string_equal(map.entries[1].base, "op=>(x)");
    rl_match_map_release(&map);
    static const char *const bad[] = {"a b", "a =>", "=> b", "a => b\n = > c", "x => y\n=>"};
    for (size_t i = 0; i < RL_COUNT(bad); i++) {
        assert_int_equal(parse(bad[i], &map, &err), RL_FORMAT);
        assert_non_null(strstr(err.text, i < 3 ? "line 1" : "line 2"));
        rl_match_map_release(&map);
    }
    map = (struct rl_match_map){0};
    assert_int_equal(rl_match_map_parse("a\0b => c", 8, "map", &map, &err), RL_FORMAT);
}

static void a_map_decides_first(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    struct rl_match_map map;
    sides_add(&sides, 0, "a(int)", 10, NULL, 1000000);
    sides_add(&sides, 0, "b(int)", 10, NULL, 1000000);
    sides_add(&sides, 1, "a(int)", 10, NULL, 1000000);
    sides_add(&sides, 1, "b(int)", 10, NULL, 1000000);
    assert_int_equal(parse("a => b(int)", &map, NULL), RL_OK);
    const struct rl_compare_options options = {.map = &map, .base_name = "a", .new_name = "b"};
    assert_int_equal(sides_compare_with(&sides, &options, NULL), RL_OK);
    assert_int_equal(sides.comparison->pair_count, 1);
    assert_pair(sides.comparison, 0, 1, RL_MATCH_MAP);
    sides_free(&sides);
    rl_match_map_release(&map);
}

/* The left name is one of the base, the right one of the new capture. */
static void a_map_joins_what_has_another_name(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    struct rl_match_map map;
    sides_add(&sides, 0, "kept(int)", 10, NULL, 1000000);
    sides_add(&sides, 0, "old(int)", 10, NULL, 1000000);
    sides_add(&sides, 0, "old(int)", 20, NULL, 1000000);
    sides_add(&sides, 1, "fresh(long)", 30, NULL, 1000000);
    sides_add(&sides, 1, "fresh(long)", 40, NULL, 1000000);
    sides_add(&sides, 1, "kept(int)", 10, NULL, 1000000);
    assert_int_equal(parse("old => fresh(long)", &map, NULL), RL_OK);
    const struct rl_compare_options options = {.map = &map, .base_name = "a", .new_name = "b"};
    assert_int_equal(sides_compare_with(&sides, &options, NULL), RL_OK);
    assert_int_equal(sides.comparison->pair_count, 3);
    assert_pair(sides.comparison, 0, 2, RL_MATCH_EXACT);
    assert_pair(sides.comparison, 1, 0, RL_MATCH_MAP);
    assert_pair(sides.comparison, 2, 1, RL_MATCH_MAP);
    assert_int_equal(sides.comparison->matched[RL_MATCH_MAP], 2);
    sides_free(&sides);
    rl_match_map_release(&map);
}

static void a_map_that_names_nothing_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"x => b", "a => x", "a => c"};
    for (size_t i = 0; i < RL_COUNT(bad); i++) {
        struct sides sides = sides_new();
        struct rl_match_map map;
        struct rl_err err = RL_ERR_INIT;
        sides_add(&sides, 0, "a(int)", 10, NULL, 1000000);
        sides_add(&sides, 1, "b(int)", 10, NULL, 1000000);
        sides_add(&sides, 1, "c(int)", 10, NULL, 1000000);
        sides_add(&sides, 1, "c(int)", 20, NULL, 1000000);
        assert_int_equal(parse(bad[i], &map, NULL), RL_OK);
        const struct rl_compare_options options = {.map = &map, .base_name = "a", .new_name = "b"};
        assert_int_equal(sides_compare_with(&sides, &options, &err), RL_FAILED);
        assert_non_null(strstr(err.text, "line 1"));
        assert_null(sides.comparison);
        sides_free(&sides);
        rl_match_map_release(&map);
    }
}

/* ---- verdicts, work, causes ---- */

static void faster_slower_same(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    const uint64_t after[] = {900000, 1100000, 1001000, 1012000};
    for (uint32_t i = 0; i < 4; i++) {
        sides_add(&sides, 0, "k(int)", 10 + i, NULL, 1000000);
        sides_add(&sides, 1, "k(int)", 10 + i, NULL, after[i]);
    }
    const struct rl_comparison *comparison = sides_compare(&sides);
    static const enum rl_verdict expected[] = {RL_FASTER, RL_SLOWER, RL_SAME, RL_UNDECIDED};
    size_t order[4];
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pair_of(comparison, i)->change.verdict, expected[i]);
    assert_int_equal(comparison->rules.comparisons, 4);
    assert_true(rl_pair_is_regression(pair_of(comparison, 1), 0.05));
    assert_false(rl_pair_is_regression(pair_of(comparison, 1), 0.1));
    rl_comparison_sort(comparison, order);
    assert_true(order[0] == 1 && order[1] == 0 && order[2] == 3 && order[3] == 2);
    assert_int_equal(comparison->note_count, 0);
    sides_free(&sides);
}

static void unequal_work_is_noticed(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    static const double flops[2][4] = {{1e9, 1e9, 0, 0}, {1.004e9, 1.02e9, 0, 0}};
    for (size_t side = 0; side < 2; side++)
        for (uint32_t i = 0; i < 4; i++) {
            sides_add(&sides, side, "k(int)", 10 + i, NULL, 1000000)->launches = side && i == 2 ? 7 : i == 3 ? 0 : 5;
            if (flops[side][i] > 0)
                sides_flop(&sides, side, i, flops[side][i]);
        }
    const struct rl_comparison *comparison = sides_compare(&sides);
    assert_int_equal(pair_of(comparison, 0)->work, RL_WORK_EQUAL);
    assert_int_equal(pair_of(comparison, 1)->work, RL_WORK_UNEQUAL);
    assert_non_null(strstr(pair_of(comparison, 1)->work_text, "1.020"));
    assert_int_equal(pair_of(comparison, 2)->work, RL_WORK_UNEQUAL);
    assert_non_null(strstr(pair_of(comparison, 2)->work_text, "7 launches instead of 5"));
    assert_int_equal(pair_of(comparison, 3)->work, RL_WORK_UNKNOWN);
    assert_int_equal(comparison->unequal_count, 2);
    size_t unequal = 0, like = 0;
    for (size_t i = 0; i < RL_COUNT(comparison->verdicts); i++) {
        unequal += comparison->unequal[i];
        like += comparison->verdicts[i];
    }
    assert_int_equal(unequal, 2); /* apart from those that compare like with like */
    assert_int_equal(like, 2);
    assert_int_equal(comparison->note_count, 1);
    assert_non_null(strstr(comparison->notes[0], "2 of 4 kernels do not"));
    sides_free(&sides);
}

/* What is slower because it does more is no headline, comes behind what is slower without that, and holds up the gate all the same.
 */
static void unequal_work_is_counted_apart(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    static const uint64_t times[2][3] = {{1000000, 1000000, 1000000}, {9000000, 1300000, 1000000}};
    for (size_t side = 0; side < 2; side++)
        for (uint32_t i = 0; i < 3; i++) {
            sides_add(&sides, side, "k(int)", 10 + i, NULL, times[side][i])->launches = 5;
            sides_flop(&sides, side, i, side && i == 0 ? 9e9 : 1e9);
        }
    const struct rl_comparison *comparison = sides_compare(&sides);
    size_t order[3];
    rl_comparison_sort(comparison, order);
    assert_int_equal(comparison->verdicts[RL_SLOWER], 1);
    assert_int_equal(comparison->unequal[RL_SLOWER], 1);
    assert_int_equal(order[0], 1);
    assert_int_equal(order[1], 0);
    assert_true(rl_pair_is_regression(pair_of(comparison, 0), 0.03));
    sides_free(&sides);
}

/* Copies: no operations, and as many bytes as they are. */
static void work_without_operations_is_what_is_stored(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    static const double flops[] = {0, 0, 1e9, 0}, stored[2][4] = {{1e9, 1e9, 1e9, -1}, {1.004e9, 2e9, 2e9, 1e9}};
    for (size_t side = 0; side < 2; side++)
        for (uint32_t i = 0; i < 4; i++) {
            sides_add(&sides, side, "k(int)", 10 + i, NULL, 1000000)->launches = 5;
            sides_flop(&sides, side, i, flops[i]);
            if (stored[side][i] >= 0)
                sample_set(sides.capture[side], i, "smsp__sass_data_bytes_mem_global_op_st.sum", rl_value_of(stored[side][i]));
        }
    const struct rl_comparison *comparison = sides_compare(&sides);
    static const enum rl_work expected[] = {RL_WORK_EQUAL, RL_WORK_UNEQUAL, RL_WORK_EQUAL, RL_WORK_EQUAL};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pair_of(comparison, i)->work, expected[i]);
    assert_non_null(strstr(pair_of(comparison, 1)->work_text, "stored instead of 1"));
    assert_int_equal(comparison->unequal_count, 1);
    sides_free(&sides);
}

/* Slower, with twice the DRAM traffic (explains), a third less occupancy (explains, less), fewer instructions (does not), and what
 * is within the scatter of counters, too small a part, or a rate. */
static void what_moved_is_ranked(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    sides_add(&sides, 0, "k(int)", 10, NULL, 1000000);
    sides_add(&sides, 1, "k(int)", 10, NULL, 1500000);
    sides_metric(&sides, RL_METRIC_dram_bytes, 1e9, 2e9);
    sides_metric(&sides, RL_METRIC_achieved_occupancy, 0.9, 0.6);
    sides_metric(&sides, RL_METRIC_instructions, 2e6, 1e6);
    sides_metric(&sides, RL_METRIC_l2_bytes, 1e9, 1.02e9);
    sides_metric(&sides, RL_METRIC_shared_atomics, 0, 9);
    sides_metric(&sides, RL_METRIC_branch_efficiency, 0.05, 0.04);
    sides_metric(&sides, RL_METRIC_dram_bytes_per_second, 1e12, 2e12);
    const struct rl_pair *pair = pair_of(sides_compare(&sides), 0);
    assert_int_equal(pair->change.verdict, RL_SLOWER);
    assert_int_equal(pair->moved_count, 3);
    assert_int_equal(pair->moved[0].metric, RL_METRIC_dram_bytes);
    assert_int_equal(pair->moved[1].metric, RL_METRIC_achieved_occupancy);
    assert_int_equal(pair->moved[2].metric, RL_METRIC_instructions);
    assert_true(pair->moved[0].explains && pair->moved[1].explains && !pair->moved[2].explains);
    sides_free(&sides);
}

/* Imported counters often come with one time or none: nothing is said of the time, but what moved is. */
static void what_moved_is_told_without_times(void **state)
{
    (void)state;
    for (size_t times = 0; times < 2; times++) {
        struct sides sides = sides_new();
        for (size_t i = 0; i < 2; i++) {
            sides_add(&sides, i, "k(int)", 10, NULL, 1000000);
            sides.capture[i]->kernels[0].duration_count = times;
        }
        sides_metric(&sides, RL_METRIC_dram_bytes, 1e9, 2e9);
        const struct rl_pair *pair = pair_of(sides_compare(&sides), 0);
        assert_int_equal(pair->change.verdict, RL_UNDECIDED);
        assert_true(rl_pair_moved_alone(pair));
        assert_int_equal(pair->moved_count, 1);
        assert_false(pair->moved[0].explains);
        sides_free(&sides);
    }
    struct sides sides = sides_new();
    sides_add(&sides, 0, "k(int)", 10, NULL, 1000000);
    sides_add(&sides, 1, "k(int)", 10, NULL, 1500000);
    sides_metric(&sides, RL_METRIC_dram_bytes, 1e9, 2e9);
    assert_false(rl_pair_moved_alone(pair_of(sides_compare(&sides), 0))); /* SLOWER says more */
    sides_free(&sides);
}

/* ---- what makes captures less comparable ---- */

static void cards_decide_what_sessions_may_differ(void **state)
{
    (void)state;
    static const struct {
        const char *name, *uuid;
        enum rl_relation_of_cards relation;
        enum rl_verdict verdict; /* of 3 % */
    } rows[] = {
        {"NVIDIA Test Card", "GPU-1", RL_ONE_CARD, RL_SLOWER},
        {"NVIDIA Test Card", "GPU-2", RL_ONE_MODEL, RL_UNDECIDED},
        {"NVIDIA Test Card", NULL, RL_MAYBE_ONE, RL_UNDECIDED},
        {"NVIDIA Other Card", "GPU-2", RL_OTHER_MODEL, RL_SLOWER},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct sides sides = sides_new();
        sides_add(&sides, 0, "k(int)", 10, NULL, 1000000);
        sides_add(&sides, 1, "k(int)", 10, NULL, 1030000);
        sides.capture[1]->gpus[0].name = rl_capture_text(sides.capture[1], rows[i].name);
        sides.capture[1]->gpus[0].uuid = rl_capture_text(sides.capture[1], rows[i].uuid);
        const struct rl_comparison *comparison = sides_compare(&sides);
        assert_int_equal(comparison->relation, rows[i].relation);
        assert_int_equal(pair_of(comparison, 0)->change.verdict, rows[i].verdict);
        assert_int_equal(comparison->note_count, rows[i].verdict == RL_UNDECIDED);
        sides_free(&sides);
    }
}

static void add_variant(struct sides *sides, size_t side, enum rl_result result)
{
    struct rl_capture *capture = sides->capture[side];
    sample_experiment(capture, "e");
    struct rl_variant *variant = sample_variant(capture, 0, 0, "v", NULL);
    variant->result = result;
    variant->measure = rl_capture_text(capture, "kernel");
    sides_add(sides, side, "k(int)", 10, NULL, 1000000)->variant = 0;
}

static void a_wrong_result_has_no_verdict(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    struct rl_buf text = RL_BUF_INIT;
    add_variant(&sides, 0, RL_RESULT_OK);
    add_variant(&sides, 1, RL_RESULT_WRONG);
    const struct rl_comparison *comparison = sides_compare(&sides);
    const struct rl_pair *pair = pair_of(comparison, 0);
    assert_true(pair->broke);
    assert_int_equal(pair->change.verdict, RL_UNDECIDED);
    assert_int_equal(pair->change.base.n, 0);
    assert_int_equal(comparison->excluded_count, 1);
    assert_true(rl_pair_is_regression(pair, 10));
    rl_pair_doubt_text(pair, &text);
    assert_string_equal(text.data, "the candidate computed a wrong result");
    assert_int_equal(comparison->note_count, 1);
    rl_buf_release(&text);
    sides_free(&sides);
}

/* Runs timed on the GPU and by the host, and kernels: each as coarse as its own clock, 32 ns, next to nothing and 500 ns. */
static void each_clock_has_its_step(void **state)
{
    (void)state;
    static const struct {
        const char *measure;
        uint64_t step_ns;
        double low, high;
    } wholes[] = {{"span", 32, 31e-9, 33e-9}, {"wall", 1, 0, 6e-9}, {"span", 64, 31e-9, 33e-9}};
    struct sides sides = sides_new();
    for (size_t side = 0; side < 2; side++) {
        struct rl_capture *capture = sides.capture[side];
        sample_experiment(capture, "e");
        for (size_t i = 0; i < RL_COUNT(wholes); i++) {
            struct rl_variant *variant = sample_variant(capture, 0, 0, (const char *[]){"a", "b", "c"}[i], wholes[i].measure);
            variant->duration_count = 30;
            variant->duration_ns = rl_arena_alloc(&capture->arena, 30 * sizeof *variant->duration_ns);
            for (uint64_t k = 0; k < 30; k++)
                variant->duration_ns[k] = 6400 + wholes[i].step_ns * (k * 7 % 30);
        }
        sides_add(&sides, side, "k(int)", 10, NULL, 1000000);
        for (uint64_t k = 0; k < 31; k++)
            capture->kernels[0].duration_ns[k] = 1000000 + 500 * (k * 7 % 31);
    }
    const struct rl_comparison *comparison = sides_compare(&sides);
    for (size_t i = 0; i < RL_COUNT(wholes); i++) {
        const double step = comparison->base.items[i].times.resolution_s;
        if (!(step >= wholes[i].low && step <= wholes[i].high))
            fail_msg("%zu, %s: %g", i, wholes[i].measure, step);
    }
    assert_close(comparison->base.items[RL_COUNT(wholes)].times.resolution_s, 500e-9, 1e-12);
    sides_free(&sides);
}

static void the_same_capture_is_refused(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    struct rl_err err = RL_ERR_INIT;
    const struct rl_compare_options options = {.base_name = "a.rlcap", .new_name = "b.rlcap"};
    for (size_t i = 0; i < 2; i++)
        sides.capture[i]->sha256 = rl_sha256_of("x", 1);
    assert_int_equal(sides_compare_with(&sides, &options, &err), RL_FAILED);
    assert_non_null(strstr(err.text, "'a.rlcap' and 'b.rlcap'"));
    sides_free(&sides);
}

static void sessions_are_compared_too(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    for (size_t i = 0; i < 2; i++) {
        sides.capture[i]->session.driver = rl_capture_text(sides.capture[i], i ? "580" : "570");
        sides.capture[i]->session.complete = i;
    }
    rl_capture_add_moment(sides.capture[1], 0)->reading[RL_READING_throttle_reasons] = rl_value_of(0x8); /* hardware slow-down */
    const struct rl_comparison *comparison = sides_compare(&sides);
    assert_int_equal(comparison->note_count, 3);
    assert_non_null(strstr(comparison->notes[0], "'a' is incomplete"));
    assert_non_null(strstr(comparison->notes[1], "lowered while 'b'"));
    assert_string_equal(comparison->notes[2], "The driver changed from 570 to 580.");
    sides_free(&sides);
}

/* Failures of sessions are told by their number, from the second on as of the first. */
static void sessions_that_failed_are_named(void **state)
{
    static const char *const wanted[] = {"Session 1 of the side of 'b' did not end normally: its program ended with status 3, "
                                         "so it lacks whatever was not launched.",
                                         "Session 2 of the side of 'b' did not end normally: its program was ended by signal "
                                         "9, so it lacks whatever was not launched."};
    (void)state;
    struct sides sides = sides_new(), further = sides_new();
    sides_add(&sides, 0, "a(int)", 10, NULL, 1000000);
    sides_add(&sides, 1, "a(int)", 10, NULL, 1000000);
    sides_add(&further, 0, "a(int)", 10, NULL, 1000000);
    struct rl_process *failed = sample_process(sides.capture[1], &(struct sample_process){.pid = 1, .command = "./app"});
    failed->end = rl_capture_text(sides.capture[1], "exited");
    failed->status = 3;
    struct rl_process *killed = sample_process(further.capture[0], &(struct sample_process){.pid = 1, .command = "./app"});
    killed->end = rl_capture_text(further.capture[0], "killed");
    killed->status = 9;
    struct rl_analysis *analysis = rl_analysis_new(further.capture[0]);
    const struct rl_compare_session session = {analysis, "c"};
    const struct rl_compare_options options = {.base_name = "a", .new_name = "b", .more = {NULL, &session}, .more_count = {0, 1}};
    assert_int_equal(sides_compare_with(&sides, &options, NULL), RL_OK);
    size_t found = 0;
    for (size_t i = 0; i < sides.comparison->note_count; i++)
        if (strstr(sides.comparison->notes[i], "did not end")) {
            assert_true(found < RL_COUNT(wanted));
            assert_string_equal(sides.comparison->notes[i], wanted[found++]);
        }
    assert_int_equal(found, RL_COUNT(wanted));
    assert_int_equal(sides.comparison->new.items[0].sessions.count, 2);
    assert_int_equal(sides.comparison->base.items[0].sessions.count, 1);
    rl_analysis_free(analysis);
    sides_free(&further);
    sides_free(&sides);
}

/* Weights are medians times launches; of a side without times each item counts the same. */
static void the_weight_of_a_side_by_hand(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    double weights[3];
    sides_add(&sides, 0, "a(int)", 10, NULL, 1000000)->launches = 3;
    sides_add(&sides, 0, "b(int)", 10, NULL, 2000000)->launches = 0; /* not told: one */
    sides_add(&sides, 0, "c(int)", 10, NULL, 1000000)->duration_count = 0;
    sides_add(&sides, 1, "a(int)", 10, NULL, 1000000)->duration_count = 0;
    sides_add(&sides, 1, "b(int)", 10, NULL, 1000000)->duration_count = 0;
    const struct rl_comparison *comparison = sides_compare(&sides);
    assert_close(rl_compare_side_weigh(&comparison->base, weights), 5e-3, 1e-3);
    assert_close(weights[0], 3e-3, 1e-3);
    assert_close(weights[1], 2e-3, 1e-3);
    assert_true(weights[2] == 0);
    assert_true(rl_compare_side_weigh(&comparison->new, weights) == 2);
    assert_true(weights[0] == 1 && weights[1] == 1);
    sides_free(&sides);
}

/* Slower by 4 %: a regression up to there, and counted with those that do other work. */
static void regressions_are_counted(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    static const char *const names[] = {"a(int)", "b(int)", "c(int)"};
    for (size_t i = 0; i < RL_COUNT(names); i++)
        for (size_t side = 0; side < 2; side++) {
            sides_add(&sides, side, names[i], 10, NULL, side && i < 2 ? 1040000 : 1000000);
            sides_flop(&sides, side, i, side && i == 1 ? 2e9 : 1e9);
        }
    const struct rl_comparison *comparison = sides_compare(&sides);
    size_t unequal = RL_NONE;
    assert_int_equal(rl_comparison_regressions(comparison, 0.02, &unequal), 2);
    assert_int_equal(unequal, 1);
    assert_int_equal(rl_comparison_regressions(comparison, 0.05, &unequal), 0);
    assert_int_equal(unequal, 0);
    sides_free(&sides);
}

/* Of the third session no less is said than of the second, and of it once. */
static void the_session_that_is_incomplete_is_named(void **state)
{
    (void)state;
    struct sides sides = sides_new(), further = sides_new();
    sides_add(&sides, 0, "a(int)", 10, NULL, 1000000);
    sides_add(&sides, 1, "a(int)", 10, NULL, 1000000);
    for (size_t i = 0; i < 2; i++) {
        sides_add(&further, i, "a(int)", 10, NULL, 1000000);
        further.capture[i]->session.complete = i == 0;
    }
    struct rl_analysis *analyses[] = {rl_analysis_new(further.capture[0]), rl_analysis_new(further.capture[1])};
    const struct rl_compare_session more[] = {{analyses[0], "c"}, {analyses[1], "d"}};
    const struct rl_compare_options options = {.base_name = "a", .new_name = "b", .more = {NULL, more}, .more_count = {0, 2}};
    assert_int_equal(sides_compare_with(&sides, &options, NULL), RL_OK);
    size_t found = 0;
    for (size_t i = 0; i < sides.comparison->note_count; i++)
        if (strstr(sides.comparison->notes[i], "incomplete")) {
            assert_string_equal(sides.comparison->notes[i],
                                "Session 3 of the side of 'b' is incomplete: kernels that it did not reach have "
                                "fewer sessions.");
            found++;
        }
    assert_int_equal(found, 1);
    for (size_t i = 0; i < 2; i++)
        rl_analysis_free(analyses[i]);
    sides_free(&further);
    sides_free(&sides);
}

/* What passes did to the caches: known where all say the same word or different ones, not known where one does not. */
static void caches_of_all_passes(void **state)
{
    static const struct {
        const char *base[3], *new[3], *text;
    } rows[] = {
        {{"warm", "warm", "warm"}, {"warm", "warm", "warm"}, NULL},
        {{"warm", "warm", "warm"}, {"flushed", "flushed", "flushed"}, "changed from warm to flushed"},
        {{"warm", "warm", "warm"}, {"warm", "flushed", "warm"}, "changed from warm to mixed"},
        {{"warm", "warm", "warm"}, {"flushed", "unknown", "flushed"}, NULL},
        {{"warm", "warm", "warm"}, {"flushed", NULL, "flushed"}, NULL},
        {{"unknown", "unknown", "unknown"}, {"warm", "warm", "warm"}, NULL},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct sides sides = sides_new();
        struct rl_buf text = RL_BUF_INIT;
        for (size_t side = 0; side < 2; side++) {
            sides_add(&sides, side, "a(int)", 10, NULL, 1000000);
            for (size_t p = 0; p < 3; p++) {
                const char *cache = side ? rows[i].new[p] : rows[i].base[p];
                rl_capture_add_pass(sides.capture[side])->cache = cache ? rl_capture_text(sides.capture[side], cache) : NULL;
            }
        }
        const struct rl_comparison *comparison = sides_compare(&sides);
        assert_int_equal(rl_comparison_differs(comparison, RL_CIRCUMSTANCE_CACHES, &text), rows[i].text != NULL);
        assert_string_equal(text.len ? text.data : "", rows[i].text ? rows[i].text : "");
        rl_buf_release(&text);
        sides_free(&sides);
    }
}

/* The side that lacks the name is told, and the name that it lacks. */
static void a_map_of_strangers_says_whose(void **state)
{
    static const struct {
        const char *map, *says;
    } rows[] = {{"x => b(int)", "line 1 of the map: no kernel of the baseline is called 'x'"},
                {"a(int) => y", "line 1 of the map: no kernel of the candidate is called 'y'"},
                {"x => y", "line 1 of the map: no kernel of the baseline is called 'x'"}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct sides sides = sides_new();
        struct rl_match_map map;
        struct rl_err err = RL_ERR_INIT;
        sides_add(&sides, 0, "a(int)", 10, NULL, 1000000);
        sides_add(&sides, 1, "b(int)", 10, NULL, 1000000);
        assert_int_equal(parse(rows[i].map, &map, NULL), RL_OK);
        const struct rl_compare_options options = {.map = &map, .base_name = "a", .new_name = "b"};
        assert_int_equal(sides_compare_with(&sides, &options, &err), RL_FAILED);
        assert_non_null(strstr(err.text, rows[i].says));
        rl_match_map_release(&map);
        sides_free(&sides);
    }
}

/* Two cards, of one session each or of two: which is said in words of its own. */
static void sessions_of_several_cards_are_told(void **state)
{
    (void)state;
    for (size_t many = 0; many < 2; many++) {
        struct sides sides = sides_new(), further = sides_new();
        for (size_t i = 0; i < 2; i++) {
            sides_add(&sides, i, "a(int)", 10, NULL, 1000000);
            sides_add(&further, i, "a(int)", 10, NULL, 1000000);
            sides.capture[i]->gpus[0].uuid = rl_capture_text(sides.capture[i], i ? "GPU-2" : "GPU-1");
            further.capture[i]->gpus[0].uuid = rl_capture_text(further.capture[i], i ? "GPU-2" : "GPU-1");
        }
        struct rl_analysis *analyses[] = {rl_analysis_new(further.capture[0]), rl_analysis_new(further.capture[1])};
        const struct rl_compare_session a = {analyses[0], "c"}, b = {analyses[1], "d"};
        const struct rl_compare_options options = {.base_name = "a", .new_name = "b", .more = {&a, &b}, .more_count = {many, many}};
        assert_int_equal(sides_compare_with(&sides, &options, NULL), RL_OK);
        assert_int_equal(sides.comparison->relation, RL_ONE_MODEL);
        const char *words = many ? "The sessions were measured on several GPUs of one model: "
                                 : "The captures were measured on two GPUs of one model: ";
        size_t found = 0;
        for (size_t i = 0; i < sides.comparison->note_count; i++)
            found += strncmp(sides.comparison->notes[i], words, strlen(words)) == 0;
        assert_int_equal(found, 1);
        for (size_t i = 0; i < 2; i++)
            rl_analysis_free(analyses[i]);
        sides_free(&further);
        sides_free(&sides);
    }
}

/* Each of the four conditions alone takes it away. */
static void what_moved_alone_by_hand(void **state)
{
    (void)state;
    const struct rl_pair alone = {.change = {.verdict = RL_UNDECIDED}, .moved_count = 1};
    struct rl_pair excluded = alone, decided = alone, timed = alone, still = alone;
    excluded.not_compared = "not alike";
    decided.change.verdict = RL_SLOWER;
    timed.change.time.has_interval = true;
    still.moved_count = 0;
    assert_true(rl_pair_moved_alone(&alone));
    assert_false(rl_pair_moved_alone(&excluded) || rl_pair_moved_alone(&decided) || rl_pair_moved_alone(&timed) ||
                 rl_pair_moved_alone(&still));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_of_matching),
        cmocka_unit_test(what_is_ambiguous_is_not_matched),
        cmocka_unit_test(shapes_tell_short_names_apart),
        cmocka_unit_test(one_more_of_the_same_is_new),
        cmocka_unit_test(paths_tell_equal_kernels_apart),
        cmocka_unit_test(labels_tell_apart),
        cmocka_unit_test(a_map_file),
        cmocka_unit_test(a_map_decides_first),
        cmocka_unit_test(a_map_joins_what_has_another_name),
        cmocka_unit_test(a_map_that_names_nothing_is_refused),
        cmocka_unit_test(faster_slower_same),
        cmocka_unit_test(unequal_work_is_noticed),
        cmocka_unit_test(unequal_work_is_counted_apart),
        cmocka_unit_test(work_without_operations_is_what_is_stored),
        cmocka_unit_test(what_moved_is_ranked),
        cmocka_unit_test(what_moved_is_told_without_times),
        cmocka_unit_test(cards_decide_what_sessions_may_differ),
        cmocka_unit_test(a_wrong_result_has_no_verdict),
        cmocka_unit_test(each_clock_has_its_step),
        cmocka_unit_test(the_same_capture_is_refused),
        cmocka_unit_test(sessions_are_compared_too),
        cmocka_unit_test(sessions_that_failed_are_named),
        cmocka_unit_test(the_weight_of_a_side_by_hand),
        cmocka_unit_test(regressions_are_counted),
        cmocka_unit_test(the_session_that_is_incomplete_is_named),
        cmocka_unit_test(caches_of_all_passes),
        cmocka_unit_test(a_map_of_strangers_says_whose),
        cmocka_unit_test(sessions_of_several_cards_are_told),
        cmocka_unit_test(what_moved_alone_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
