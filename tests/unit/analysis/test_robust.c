/* Robust scale, limits and rank tests against tables and hand computation. */
#include "analysis/robust.h"
#include "rl_test.h"

static void the_scale_by_hand(void **state)
{
    (void)state;
    const double values[] = {1, 2, 3, 4, 100}; /* about 3: 2 1 0 1 97, the middle one is 1 */
    assert_close(rl_robust_scale(values, 5, 3), 1.4826 * 1.206, 1e-12);
    const double alike[] = {5, 5, 5, 7};
    assert_true(rl_robust_scale(alike, 4, 5) == 0);
    assert_true(rl_robust_scale(alike, 1, 5) == 0);
    double ten[10];
    for (int i = 0; i < 10; i++)
        ten[i] = i; /* about 4.5: .5 .5 1.5 1.5 2.5 2.5 ... */
    assert_close(rl_robust_scale(ten, 10, 4.5), 1.4826 * 10 / 9.2 * 2.5, 1e-12);
}

/* 0, 1, 0, 1, ... about 0.25: all deviations lie at 0.25 or 0.75, so that the median is known for every count. Factors as published
 * by Croux and Rousseeuw (1992). */
static void few_values_have_factors_of_their_own(void **state)
{
    static const double published[] = {1.196, 1.495, 1.363, 1.206, 1.200, 1.140, 1.129, 1.107, 10 / 9.2, 11 / 10.2};
    const double values[] = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0};
    (void)state;
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        const size_t n = i + 2;
        const double middle = n % 2 ? 0.25 : 0.5;
        assert_close(rl_robust_scale(values, n, 0.25), 1.4826 * published[i] * middle, 1e-12);
    }
}

static void a_scale_of_few_is_held_by_its_kind(void **state)
{
    (void)state;
    assert_close(rl_robust_moderated(0, 4, 2, 4), sqrt(2), 1e-12);
    assert_close(rl_robust_moderated(3, 1e9, 2, 4), 3, 1e-6);
    assert_close(rl_robust_freedom(101), 37, 1e-12);
    assert_true(rl_robust_freedom(1) == 0);
}

/* Two-sided points of Student's t as in every table. */
static void limits_are_those_of_the_tables(void **state)
{
    (void)state;
    assert_close(rl_robust_limit(0.05, 1, 1), 12.7062047, 1e-6);
    assert_close(rl_robust_limit(0.05, 1, 10), 2.2281389, 1e-6);
    assert_close(rl_robust_limit(0.001, 1, 4), 8.6103016, 1e-6);
    assert_close(rl_robust_limit(0.05, 1, 1e7), 1.9599640, 1e-5);
    assert_close(rl_robust_limit(0.05, 50, 10), 4.5868939, 1e-5);                   /* p = 0.001 */
    assert_close(rl_robust_two_sided(rl_robust_limit(0.05, 1e6, 1e9)), 5e-8, 1e-3); /* far out in the tail */
}

static void the_median_by_hand(void **state)
{
    double one[] = {7}, odd[] = {9, -1, 4}, even[] = {8, 1, 3, 2};
    (void)state;
    assert_true(rl_robust_median(one, 1) == 7);
    assert_true(rl_robust_median(odd, 3) == 4);
    assert_true(rl_robust_median(even, 4) == 2.5);
    assert_true(even[0] == 1 && even[1] == 2 && even[2] == 3 && even[3] == 8);
}

/* Abramowitz and Stegun, tables 6.1 and 6.4: -gamma, -gamma - 2 ln 2, pi^2 / 6, pi^2 / 2. */
static void the_gamma_functions_are_those_of_the_tables(void **state)
{
    (void)state;
    assert_close(rl_robust_digamma(1), -0.57721566490153, 1e-10);
    assert_close(rl_robust_digamma(0.5), -1.96351002602142, 1e-10);
    assert_close(rl_robust_digamma(25), 3.19874251285197, 1e-10);
    assert_close(rl_robust_trigamma(1), 1.64493406684823, 1e-9);
    assert_close(rl_robust_trigamma(0.5), 4.93480220054468, 1e-9);
    for (double x = 1e-3; x < 1e6; x *= 7)
        assert_close(rl_robust_trigamma_inverse(rl_robust_trigamma(x)), x, 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scale_by_hand),
        cmocka_unit_test(few_values_have_factors_of_their_own),
        cmocka_unit_test(a_scale_of_few_is_held_by_its_kind),
        cmocka_unit_test(limits_are_those_of_the_tables),
        cmocka_unit_test(the_median_by_hand),
        cmocka_unit_test(the_gamma_functions_are_those_of_the_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
