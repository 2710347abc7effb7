/* Kernels under another name: scores by hand, and what is not matched. */
#include "rl_test.h"

#include <string.h>

#include "analysis/compare.h"
#include "core/buf.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/sides.h"
#include "internal.h"

/* ---- what is matched ---- */

static void assert_score(const struct rl_pair *pair, double score, const char *text)
{
    struct rl_buf said = RL_BUF_INIT;
    assert_non_null(pair->likeness);
    assert_float_equal(pair->likeness->score, score, 1e-9);
    rl_pair_match_text(pair, &said);
    assert_string_equal(said.data, text);
    rl_buf_release(&said);
}

/* One kernel on each side, under the names, with as many blocks. */
static struct sides renamed(const char *base, const char *new, uint32_t base_grid, uint32_t new_grid)
{
    struct sides sides = sides_new();
    sides_add(&sides, 0, base, base_grid, NULL, 1000000)->launches = 0;
    sides_add(&sides, 1, new, new_grid, NULL, 1000000)->launches = 0;
    return sides;
}

static void a_suffix(void **state)
{
    (void)state;
    struct sides sides = renamed("void reduce<4>(float*)", "reduce_v2(float*, int)", 10, 10);
    const struct rl_comparison *comparison = sides_compare(&sides);
    assert_pair(comparison, 0, 0, RL_MATCH_LIKE);
    assert_int_equal(comparison->matched[RL_MATCH_LIKE], 1);
    assert_score(&comparison->pairs[0], (4 * 0.75 + 2 + 1) / 7, "likeness 0.86 (name 0.75, configuration 1.00, order 1.00)");
    sides_free(&sides);
}

static void namespaces(void **state)
{
    (void)state;
    struct sides sides = renamed("void a::k(int)", "void b::k(int)", 10, 10);
    const struct rl_comparison *comparison = sides_compare(&sides);
    assert_pair(comparison, 0, 0, RL_MATCH_LIKE);
    assert_score(&comparison->pairs[0], (4 * 0.95 + 3) / 7, "likeness 0.97 (name 0.95, configuration 1.00, order 1.00)");
    sides_free(&sides);
}

/* What was counted and how often it ran speak, too: (4 * 0.75 + 2 * 0.625 + 3 * 0.9 + 0.5 + 1) / 11. */
static void all_parts(void **state)
{
    (void)state;
    struct sides sides = renamed("reduce(int)", "reduce_v2(int)", 10, 20);
    sides.capture[0]->kernels[0].launches = 4;
    sides.capture[1]->kernels[0].launches = 8;
    sides_metric(&sides, RL_METRIC_instructions, 1000, 800);
    sides_metric(&sides, RL_METRIC_global_sectors, 500, 500);
    const struct rl_comparison *comparison = sides_compare(&sides);
    assert_pair(comparison, 0, 0, RL_MATCH_LIKE);
    assert_score(&comparison->pairs[0], 8.45 / 11,
                 "likeness 0.77 (name 0.75, configuration 0.62, counts 0.90, launches 0.50, order 1.00)");
    assert_int_equal(comparison->pairs[0].tally_count, 2);
    sides_free(&sides);
}

/* Of two that are named alike the one with the same counts is meant, and the other one is new. */
static void counts_tell_template_arguments_apart(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    sides_add(&sides, 0, "void k<1>(int)", 10, NULL, 1000000);
    sides_add(&sides, 1, "void k<2>(int)", 10, NULL, 1000000);
    sides_add(&sides, 1, "void k<3>(int)", 10, NULL, 1000000);
    sample_set(sides.capture[0], 0, "instructions", rl_value_of(1000));
    sample_set(sides.capture[1], 0, "instructions", rl_value_of(100));
    sample_set(sides.capture[1], 1, "instructions", rl_value_of(1000));
    const struct rl_comparison *comparison = sides_compare(&sides);
    assert_int_equal(comparison->pair_count, 1);
    assert_pair(comparison, 0, 1, RL_MATCH_LIKE);
    assert_int_equal(comparison->added_count, 1);
    sides_free(&sides);
}

/* Once the clear ones are taken, others are the only ones of their like. */
static void what_is_taken_makes_room(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    sides_add(&sides, 0, "gemm_a(int)", 10, NULL, 1000000);
    sides_add(&sides, 0, "gemm_b(int)", 10, NULL, 1000000);
    sides_add(&sides, 1, "gemm_a_v2(int)", 10, NULL, 1000000);
    sides_add(&sides, 1, "gemm_b_v2(int)", 10, NULL, 1000000);
    const struct rl_comparison *comparison = sides_compare(&sides);
    assert_pair(comparison, 0, 0, RL_MATCH_LIKE);
    assert_pair(comparison, 1, 1, RL_MATCH_LIKE);
    sides_free(&sides);
}

/* ---- what is not ---- */

static void assert_nothing(struct sides *sides)
{
    assert_int_equal(sides_compare(sides)->pair_count, 0);
    sides_free(sides);
}

static void too_little_in_common(void **state)
{
    (void)state;
    struct sides other = renamed("scan(int)", "transpose(int)", 10, 10), short_name = renamed("ab(int)", "abcdef(int)", 10, 10);
    struct sides shape = renamed("reduce(int)", "reduce_v2(int)", 10, 1000),
                 counts = renamed("reduce(int)", "reduce_v2(int)", 10, 10);
    assert_nothing(&other);
    assert_nothing(&short_name);
    assert_nothing(&shape); /* (4 * 0.75 + 2 * 0.5025 + 1) / 7 = 0.715 */
    sides_metric(&counts, RL_METRIC_instructions, 1000, 100);
    assert_nothing(&counts); /* (4 * 0.75 + 2 + 3 * 0.1 + 1) / 10 = 0.63 */
}

/* (4 * 0.4 + 2 + 3 + 1 + 1) / 11 = 0.78 would do, but less than half of the name is the same. */
static void all_but_the_name(void **state)
{
    (void)state;
    struct sides sides = renamed("abcdefghij(int)", "abcdqrstuv(int)", 10, 10);
    for (size_t i = 0; i < 2; i++)
        sides.capture[i]->kernels[0].launches = 7;
    sides_metric(&sides, RL_METRIC_instructions, 1000, 1000);
    assert_nothing(&sides);
}

static void which_of_two_would_be_a_guess(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    sides_add(&sides, 0, "reduce(int)", 10, NULL, 1000000);
    for (size_t i = 0; i < 3; i++) /* enough that their order does not tell them apart */
        sides_add(&sides, 0, i ? "x(int)" : "y(int)", 10, NULL, 1000000);
    sides_add(&sides, 1, "reduce_v2(int)", 10, NULL, 1000000);
    sides_add(&sides, 1, "reduce_v3(int)", 10, NULL, 1000000);
    for (size_t i = 0; i < 30; i++)
        sides_add(&sides, 1, "other_kernel(int)", 10, NULL, 1000000);
    assert_nothing(&sides);
}

/* Variants of the suite are other kernels, however much alike they are called. */
static void variants_are_not_renamed(void **state)
{
    (void)state;
    struct sides sides = renamed("copy(int)", "copy_v2(int)", 10, 10);
    for (size_t i = 0; i < 2; i++) {
        sample_experiment(sides.capture[i], i ? "second" : "first");
        sample_variant(sides.capture[i], 0, 0, "one", NULL);
        sides.capture[i]->kernels[0].variant = 0;
        sides.capture[i]->kernels[0].launches_per_run = 1;
    }
    assert_nothing(&sides);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_suffix),
        cmocka_unit_test(namespaces),
        cmocka_unit_test(all_parts),
        cmocka_unit_test(counts_tell_template_arguments_apart),
        cmocka_unit_test(what_is_taken_makes_room),
        cmocka_unit_test(too_little_in_common),
        cmocka_unit_test(all_but_the_name),
        cmocka_unit_test(which_of_two_would_be_a_guess),
        cmocka_unit_test(variants_are_not_renamed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
