/* Which lines have more or fewer of the samples than before: what is one line, intervals, times. On cards of 10 SMs of 4
 * schedulers, so that 40,000 samples are 1,000 draws. */
#include "rl_test.h"

#include <math.h>
#include <string.h>

#include "analysis/compare.h"
#include "capture/capture.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/sides.h"

/* Three lines with so many thousandths of 40,000 samples, from line `first` on. */
static void sample(struct rl_capture *capture, size_t kernel, uint32_t first, const uint64_t share[3])
{
    for (uint32_t i = 0; i < 3; i++)
        sample_stall(capture, kernel, first + i, RL_STALL_long_scoreboard, 40 * share[i]);
}

static const uint64_t before[] = {500, 300, 200}, after[] = {200, 600, 200};

/* One kernel of 100 us on both sides. */
static struct sides two_sides(uint32_t first)
{
    struct sides sides = sides_new();

    for (size_t i = 0; i < 2; i++)
        sides_add(&sides, i, "k(int)", 10, NULL, 100000);
    sample(sides.capture[0], 0, 7, before);
    sample(sides.capture[1], 0, first, after);
    return sides;
}

static size_t changes_of(struct sides *sides, struct rl_arena *arena, struct rl_line_change **changes)
{
    return rl_line_changes_of(sides_compare(sides), arena, changes);
}

static void assert_change(const struct rl_line_change *change, uint32_t base, uint32_t new, const double share[3])
{
    assert_int_equal(change->base, base);
    assert_int_equal(change->new, new);
    assert_close(change->share.value.v, share[0], 1e-12);
    assert_close(change->share.low.v, share[1], 1e-7);
    assert_close(change->share.high.v, share[2], 1e-7);
}

/* Newcombe, from Wilson's 50.0 (46.9 to 53.1) and 20.0 (17.6 to 22.6) %, 30.0 (27.2 to 32.9) and 60.0 (56.9 to 63.0) %. */
static const double less[] = {-0.3, -0.33891955, -0.25964554}, more[] = {0.3, 0.25769030, 0.34070505};

/* The same text one line further down is the same line; what changed by nothing is not there. */
static void lines_are_found_by_their_text(void **state)
{
    struct sides sides = two_sides(8);
    struct rl_arena arena = {0};
    struct rl_line_change *changes;
    (void)state;

    for (size_t i = 0; i < 3; i++)
        sides.capture[1]->source_lines[i].text = rl_arena_printf(&arena, "line %zu; ", 7 + i); /* blanks do not count */
    assert_int_equal(changes_of(&sides, &arena, &changes), 2);
    const bool less_first = changes[0].share.value.v < 0;
    assert_change(&changes[!less_first], 7, 8, less);
    assert_change(&changes[less_first], 8, 9, more);
    assert_string_equal(changes[!less_first].text, "line 7;");
    assert_string_equal(changes[0].path, "/src/k.cu");
    assert_close(changes[less_first].time_s.value.v, 30e-6, 2e-3);
    assert_true(changes[less_first].time_s.low.v > 20e-6 && changes[less_first].time_s.high.v < 40e-6);
    sides_free(&sides);
    rl_arena_release(&arena);
}

/* Without texts on one side the numbers decide: 7 has become nothing, 10 is new. */
static void without_texts_numbers_decide(void **state)
{
    struct sides sides = two_sides(8);
    struct rl_arena arena = {0};
    struct rl_line_change *changes;
    (void)state;

    sides.capture[1]->source_lines[2].text = NULL;
    assert_int_equal(changes_of(&sides, &arena, &changes), 4);
    assert_int_equal(changes[0].base, 7); /* -50 us */
    assert_int_equal(changes[0].new, 0);
    assert_close(changes[0].time_s.value.v, -50e-6, 2e-3);
    assert_int_equal(changes[1].base, 9); /* +40 us */
    assert_int_equal(changes[1].new, 9);
    sides_free(&sides);
    rl_arena_release(&arena);
}

/* A line without samples of its own may have those that were not kept one by one. */
static void the_rest_may_be_of_any_line(void **state)
{
    (void)state;
    for (int all = 0; all < 2; all++) {
        struct sides sides = sides_new();
        struct rl_arena arena = {0};
        struct rl_line_change *changes;
        for (size_t i = 0; i < 2; i++) {
            sides_add(&sides, i, "k(int)", 10, NULL, 100000);
            sample_stall(sides.capture[i], 0, 7, RL_STALL_wait, 39000);
        }
        sample_stall(sides.capture[0], 0, 8, RL_STALL_wait, 1000);
        sample_stall(sides.capture[1], 0, 0, RL_STALL_wait, 1000);
        struct rl_pc_instruction *last = &sides.capture[1]->pc_instructions[1];
        last->rest = all == 0;
        last->line = RL_NONE;
        assert_int_equal(changes_of(&sides, &arena, &changes), all);
        sides_free(&sides);
        rl_arena_release(&arena);
    }
}

/* A capture without samples, a kernel without lines, several shapes of one kernel: they are told once. */
static void each_name_is_told_once(void **state)
{
    struct sides sides = two_sides(7), none = sides_new();
    struct rl_arena arena = {0};
    struct rl_line_change *changes;
    (void)state;

    for (size_t i = 0; i < 2; i++) {
        sides_add(&sides, i, "k(int)", 20, NULL, 500000);
        sides_add(&none, i, "k(int)", 10, NULL, 100000);
    }
    assert_int_equal(changes_of(&sides, &arena, &changes), 2);
    assert_close(fabs(changes[0].time_s.value.v), 150e-6, 2e-3); /* of 500 */
    assert_int_equal(changes_of(&none, &arena, &changes), 0);
    sides_free(&sides);
    sides_free(&none);
    rl_arena_release(&arena);
}

/* A transposition whose tile in shared memory had bank conflicts, before and after a column more: samples/programs. */
static void a_real_pair_says_which_line_got_faster(void **state)
{
    (void)state;
    static const char *const paths[] = {RL_SOURCE_DIR "/samples/programs/transpose-before-h200.rlcap",
                                        RL_SOURCE_DIR "/samples/programs/transpose-after-h200.rlcap"};
    struct rl_capture *captures[2];
    struct rl_analysis *analyses[2];
    struct rl_err err = RL_ERR_INIT;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(rl_capture_read(paths[i], &captures[i], &err), RL_OK);
        analyses[i] = rl_analysis_new(captures[i]);
    }
    struct rl_comparison *comparison;
    const struct rl_compare_options options = {.base_name = paths[0], .new_name = paths[1]};
    assert_int_equal(rl_comparison_new(analyses[0], analyses[1], &options, &comparison, &err), RL_OK);
    struct rl_arena arena = RL_ARENA_INIT;
    struct rl_line_change *changes;
    assert_true(rl_line_changes_of(comparison, &arena, &changes) > 0);
    assert_int_equal(changes[0].base, 18); /* where the tile is read column by column */
    assert_int_equal(changes[0].new, 18);
    assert_non_null(strstr(changes[0].text, "tile[threadIdx.x]"));
    assert_true(changes[0].time_s.high.v < 0);
    rl_arena_release(&arena);
    rl_comparison_free(comparison);
    for (size_t i = 0; i < 2; i++) {
        rl_analysis_free(analyses[i]);
        rl_capture_free(captures[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_found_by_their_text),
        cmocka_unit_test(without_texts_numbers_decide),
        cmocka_unit_test(the_rest_may_be_of_any_line),
        cmocka_unit_test(each_name_is_told_once),
        cmocka_unit_test(a_real_pair_says_which_line_got_faster),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
