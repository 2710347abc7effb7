/* The comparison with a reference, and the random input. */
#include "rl_test.h"

#include "core/mem.h"
#include "kernels/inputs.h"
#include "kernels/run.h"

static void expected_random(const void *context, uint64_t start, size_t count, double *values)
{
    for (size_t i = 0; i < count; i++)
        values[i] = rl_random_unit(*(const uint64_t *)context, start + i);
}

static void expected_index(const void *context, uint64_t start, size_t count, double *values)
{
    (void)context;
    for (size_t i = 0; i < count; i++)
        values[i] = (double)(start + i);
}

static void the_generator_is_splitmix64(void **state)
{
    static const uint64_t published[] = {UINT64_C(0xe220a8397b1dcdaf), UINT64_C(0x6e789e6aa1b965f4), UINT64_C(0x06c45d188009454f),
                                         UINT64_C(0xf88bb8a8724c81ec), UINT64_C(0x1b39896a51a8749b)};

    (void)state;
    for (uint64_t i = 0; i < RL_COUNT(published); i++)
        assert_true(rl_random_bits(0, i) == published[i]);
    assert_true(rl_random_bits(1, 0) != rl_random_bits(0, 0));
}

static void random_floats_are_uniform_odd_and_exact(void **state)
{
    const size_t n = 100000;
    double sum = 0, squares = 0;

    (void)state;
    for (size_t i = 0; i < n; i++) {
        const float x = rl_random_unit(42, i), scaled = x * 0x1p24f;

        assert_true(x > 0 && x < 1 && x != 0.5f);
        assert_true(fmodf(scaled, 2) == 1);
        assert_true((double)(1.0f - x) == 1.0 - (double)x); /* exact, */
        assert_true(1.0f - (1.0f - x) == x);                /* and back */
        sum += x;
        squares += (double)x * x;
    }
    /* Four standard errors: 0.2887 / sqrt(n) for the mean, 0.2981 / sqrt(n) for the mean square. */
    assert_true(fabs(sum / (double)n - 0.5) < 4 * 0.2887 / sqrt((double)n));
    assert_true(fabs(squares / (double)n - 1.0 / 3) < 4 * 0.2981 / sqrt((double)n));
}

static float *random_floats(uint64_t seed, size_t n)
{
    float *values = rl_calloc(n, sizeof(*values));

    for (size_t i = 0; i < n; i++)
        values[i] = rl_random_unit(seed, i);
    return values;
}

static void what_is_equal_is_correct_at_any_size(void **state)
{
    static const size_t sizes[] = {1, 2, 31, 65535, 65536, 65537, 131072, 1000003};
    const uint64_t seed = 7;

    (void)state;
    for (size_t i = 0; i < RL_COUNT(sizes); i++) {
        struct rl_comparison comparison = {.reference = {expected_random, &seed, 0}};
        struct rl_suite_check check;
        float *values = random_floats(seed, sizes[i]);
        char text[64];

        rl_compare(&comparison, values, 0, sizes[i]);
        rl_comparison_finish(&comparison, &check);
        assert_true(check.correct);
        assert_int_equal(check.deviation.kind, RL_DEVIATION_ABSOLUTE);
        assert_true(check.deviation.largest == 0 && check.deviation.compared == sizes[i] && check.deviation.wrong == 0);
        assert_false(rl_present(check.deviation.element)); /* none is off */
        snprintf(text, sizeof(text), "%zu elements, largest error 0", sizes[i]);
        assert_string_equal(check.text, text);
        free(values);
    }
}

/* One wrong element anywhere, in one chunk or in several, is found and named. */
static void one_wrong_element_is_found(void **state)
{
    enum { N = 300001, CUT = 100000 };
    static const size_t places[] = {0, 1, CUT - 1, CUT, 150000, N - 1};
    const uint64_t seed = 9;
    float *values = random_floats(seed, N);

    (void)state;
    for (size_t i = 0; i < RL_COUNT(places); i++) {
        struct rl_comparison comparison = {.reference = {expected_random, &seed, 1e-3}};
        struct rl_suite_check check;
        const float right = values[places[i]];
        char text[64];

        values[places[i]] = right + 2;
        rl_compare(&comparison, values, 0, CUT);
        rl_compare(&comparison, values + CUT, CUT, N - CUT);
        values[places[i]] = right;
        rl_comparison_finish(&comparison, &check);
        assert_false(check.correct);
        assert_true(comparison.first_wrong == places[i] && comparison.wrong == 1 && comparison.compared == N);
        assert_true(check.deviation.element.v == (double)places[i] && check.deviation.wrong == 1);
        assert_true(check.deviation.tolerance.v == 1e-3);
        snprintf(text, sizeof(text), "element %zu: ", places[i]);
        assert_int_equal(strncmp(check.text, text, strlen(text)), 0);
        assert_non_null(strstr(check.text, "; 1 of 300001 elements wrong"));
    }
    free(values);
}

/* With one thread and with many, at the first element, the last one, around every border of what threads take at a time, and at one
 * place between them: the same element, the same count, the same largest error of the others. */
static void threads_find_the_same(void **state)
{
    enum { N = 9 * 1024 + 17, PIECE = 1024 };
    static const size_t threads[] = {1, 2, 3, 7, 16, 64};
    const uint64_t seed = 11;
    float *values = random_floats(seed, N);

    (void)state;
    values[4000] += 0x1p-12f; /* within the tolerance */
    for (size_t place = 0; place < N; place++) {
        const size_t in_piece = place % PIECE;
        if (in_piece > 1 && in_piece != 500 && in_piece != PIECE - 1 && place != N - 1 && place != 4000)
            continue;
        const float right = values[place];

        values[place] = place % 2 ? NAN : right + 1;
        for (size_t t = 0; t < RL_COUNT(threads); t++) {
            struct rl_comparison comparison = {.reference = {expected_random, &seed, 1e-3}, .threads = threads[t]};

            rl_compare(&comparison, values, 0, N);
            assert_true(comparison.wrong == 1 && comparison.first_wrong == place && comparison.compared == N);
            assert_true(place % 2 ? isnan(comparison.first_value) : comparison.first_value == (double)(right + 1));
            assert_close(comparison.largest_error, place == 4000 ? 0 : 0x1p-12, 1e-7);
            assert_true(place == 4000 || comparison.largest_place == 4000);
        }
        values[place] = right;
    }
    free(values);
}

static void the_first_wrong_element_is_named(void **state)
{
    enum { N = 200000 };
    struct rl_comparison comparison = {.reference = {expected_index, NULL, 0}};
    struct rl_suite_check check;
    float *values = rl_calloc(N, sizeof(*values));

    (void)state;
    for (size_t i = 0; i < N; i++)
        values[i] = (float)i;
    values[199999] = values[120000] = values[17] = 3.5f;
    rl_compare(&comparison, values, 0, N);
    rl_comparison_finish(&comparison, &check);
    assert_false(check.correct);
    assert_string_equal(check.text, "element 17: 3.5, expected 17; 3 of 200000 elements wrong");
    free(values);
}

static void poison_is_never_right(void **state)
{
    struct rl_comparison comparison = {.reference = {expected_index, NULL, 1e30}};
    struct rl_suite_check check;
    float values[3] = {0, 0, INFINITY};

    (void)state;
    memset(&values[1], 0xff, sizeof(values[1]));
    rl_compare(&comparison, values, 0, 3);
    rl_comparison_finish(&comparison, &check);
    assert_false(check.correct);
    assert_int_equal(comparison.wrong, 2); /* infinity is not within any tolerance either */
    assert_non_null(strstr(check.text, "element 1: NaN"));
    assert_non_null(strstr(check.text, "expected 1; 2 of 3"));
}

static void nothing_compared_is_not_correct(void **state)
{
    struct rl_comparison comparison = {.reference = {expected_index, NULL, 0}};
    struct rl_suite_check check;

    (void)state;
    rl_comparison_finish(&comparison, &check);
    assert_false(check.correct);
    assert_int_equal(check.deviation.kind, RL_DEVIATION_NONE);
}

/* Of several elements that are as far off the first one is named, whichever thread comes to it first. */
static void the_first_of_the_largest_errors_is_named(void **state)
{
    enum { N = 40000 };
    static const size_t threads[] = {1, 4, 16};
    float *values = rl_calloc(N, sizeof(*values));

    (void)state;
    for (size_t i = 0; i < N; i++)
        values[i] = (float)i;
    values[700] += 0.25f;
    values[1500] = values[1500] + 0.5f;
    values[1501] = values[1501] + 0.5f;
    values[39999] = values[39999] - 0.5f;
    for (size_t t = 0; t < RL_COUNT(threads); t++) {
        struct rl_comparison comparison = {.reference = {expected_index, NULL, 0.5}, .threads = threads[t]};
        struct rl_suite_check check;

        rl_compare(&comparison, values, 0, N);
        rl_comparison_finish(&comparison, &check);
        assert_true(check.correct && check.deviation.largest == 0.5 && check.deviation.element.v == 1500);
    }
    free(values);
}

static void tolerance_is_relative_above_one_and_absolute_below(void **state)
{
    static const struct {
        float value;
        uint64_t index;
        double tolerance;
        bool correct;
    } known[] = {
        {0.009f, 0, 0.01, true},    {0.011f, 0, 0.01, false},  /* |error| <= 0.01 */
        {1009, 1000, 0.01, true},   {1011, 1000, 0.01, false}, /* |error| <= 10 */
        {-1000, 1000, 0.01, false}, {1000, 1000, 0, true},     {1000.0001f, 1000, 0, false},
    };

    (void)state;
    for (size_t i = 0; i < RL_COUNT(known); i++) {
        struct rl_comparison comparison = {.reference = {expected_index, NULL, known[i].tolerance}};
        struct rl_suite_check check;

        rl_compare(&comparison, &known[i].value, known[i].index, 1);
        rl_comparison_finish(&comparison, &check);
        assert_int_equal(check.correct, known[i].correct);
        if (check.correct)
            assert_close(check.deviation.largest, fabs((double)known[i].value - (double)known[i].index), 1e-12);
    }
}

static void expected_word(const void *context, uint64_t start, size_t count, double *values)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (double)(uint32_t)rl_random_bits(*(const uint64_t *)context, start + i);
}

/* Integers of 32 bits are compared as such: one off at 4 billion is wrong. */
static void words_are_compared_exactly(void **state)
{
    enum { N = 200001, PLACE = 150000 };
    const uint64_t seed = 3;
    uint32_t *values = rl_calloc(N, sizeof(*values));
    char text[64];

    (void)state;
    for (size_t i = 0; i < N; i++)
        values[i] = (uint32_t)rl_random_bits(seed, i);
    for (int change = 0; change < 2; change++) {
        struct rl_comparison comparison = {.reference = {expected_word, &seed, 0}, .words = true};
        struct rl_suite_check check;

        values[PLACE] ^= (uint32_t)change;
        rl_compare(&comparison, values, 0, N);
        rl_comparison_finish(&comparison, &check);
        assert_int_equal(check.correct, change == 0);
        snprintf(text, sizeof(text), "element %d: %u, expected %u; ", PLACE, values[PLACE], values[PLACE] ^ 1);
        assert_int_equal(strncmp(check.text, text, strlen(text)) == 0, change == 1);
    }
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_generator_is_splitmix64),
        cmocka_unit_test(random_floats_are_uniform_odd_and_exact),
        cmocka_unit_test(what_is_equal_is_correct_at_any_size),
        cmocka_unit_test(one_wrong_element_is_found),
        cmocka_unit_test(threads_find_the_same),
        cmocka_unit_test(the_first_wrong_element_is_named),
        cmocka_unit_test(poison_is_never_right),
        cmocka_unit_test(nothing_compared_is_not_correct),
        cmocka_unit_test(the_first_of_the_largest_errors_is_named),
        cmocka_unit_test(tolerance_is_relative_above_one_and_absolute_below),
        cmocka_unit_test(words_are_compared_exactly),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
