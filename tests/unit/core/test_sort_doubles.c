/* Sorting of numbers against the library's, in every order and at every size around the lengths of runs. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/sort.h"
#include "rl_test.h"

enum { MOST = 300 };

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void assert_sorted_as_the_library_does(const double *numbers, size_t count)
{
    double expected[MOST], sorted[MOST];
    assert_true(count <= MOST);
    memcpy(expected, numbers, count * sizeof *numbers);
    memcpy(sorted, numbers, count * sizeof *numbers);
    qsort(expected, count, sizeof *expected, compare);
    rl_sort_doubles(sorted, count);
    for (size_t i = 0; i < count; i++)
        assert_true(sorted[i] == expected[i]);
}

static double ascending(size_t i)
{
    return (double)i - 100;
}
static double descending(size_t i)
{
    return 100 - (double)i;
}
static double alike(size_t i)
{
    return (double)(i % 3);
}
static double scattered(size_t i)
{
    return sin((double)i * 12.9898) * 43758.5453;
}
static double last_is_least(size_t i)
{
    return i % 17 == 16 ? -1 : (double)i;
}

static void every_size_in_several_orders(void **state)
{
    (void)state;
    static double (*const orders[])(size_t) = {ascending, descending, alike, scattered, last_is_least};
    double numbers[MOST];
    for (size_t order = 0; order < RL_COUNT(orders); order++)
        for (size_t count = 0; count <= MOST; count++) {
            for (size_t i = 0; i < count; i++)
                numbers[i] = orders[order](i);
            assert_sorted_as_the_library_does(numbers, count);
        }
}

static void infinities_and_zeros(void **state)
{
    (void)state;
    double numbers[] = {INFINITY, 0.0, -0.0, -INFINITY, 0.0, 1e-320, -0.0};
    rl_sort_doubles(numbers, RL_COUNT(numbers));
    assert_true(isinf(numbers[0]) && numbers[0] < 0);
    static const bool negative[] = {false, true, false, true}; /* zeros in their own order */
    for (size_t i = 0; i < RL_COUNT(negative); i++)
        assert_int_equal(signbit(numbers[1 + i]) != 0, negative[i]);
    assert_true(numbers[5] == 1e-320);
    assert_true(isinf(numbers[6]));
}

static void equal_ones_keep_their_order(void **state)
{
    (void)state;
    double numbers[MOST];
    for (size_t i = 0; i < MOST; i++)
        numbers[i] = i % 5 == 0 ? 1 : i % 2 ? 0.0 : -0.0;
    rl_sort_doubles(numbers, MOST);
    size_t zero = 0;
    for (size_t i = 0; i < MOST; i++)
        if (i % 5 != 0)
            assert_int_equal(signbit(numbers[zero++]) != 0, i % 2 == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_in_several_orders),
        cmocka_unit_test(infinities_and_zeros),
        cmocka_unit_test(equal_ones_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
