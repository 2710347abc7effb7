/* Medians of series: independent samples as in core/stats.h, dependent ones wider, steps and drifts wholly inside. */
#include "rl_test.h"

#include "core/series.h"
#include "core/stats.h"

static void nothing_and_one(void **state)
{
    (void)state;
    const struct rl_median none = rl_median_of(NULL, 0, 0.95), one = rl_median_of((double[]){3}, 1, 0.95);
    assert_true(none.n == 0 && !none.has_interval && none.median == 0);
    assert_true(one.n == 1 && !one.has_interval && one.median == 3 && one.dependence == 1);
}

/* Minimum and maximum of n samples cover 1 - 2^(1-n): 96.9 % for 6, 99.97 % for 13, 99.9969 % for 16. */
static void an_interval_takes_enough_samples(void **state)
{
    (void)state;
    const double samples[16] = {5, 1, 4, 2, 6, 3, 5, 1, 4, 2, 6, 3, 5, 1, 4, 2};
    assert_int_equal(rl_median_of(samples, 5, 0.95).least, 6);
    assert_false(rl_median_of(samples, 5, 0.95).has_interval);
    assert_true(rl_median_of(samples, 6, 0.95).has_interval);
    assert_int_equal(rl_median_of(samples, 5, 0.9997).least, 13);
    assert_false(rl_median_of(samples, 12, 0.9997).has_interval);
    assert_true(rl_median_of(samples, 13, 0.9997).has_interval);
}

/* 1 to 20, shuffled so that neighbours alternate around the median: no dependence, and the interval of rl_stats_of, x[6] to x[15].
 */
static void independent_samples_have_the_known_interval(void **state)
{
    (void)state;
    const double samples[20] = {1, 20, 3, 18, 5, 16, 7, 14, 9, 12, 11, 10, 13, 8, 15, 6, 17, 4, 19, 2};
    const struct rl_median median = rl_median_of(samples, 20, 0.95);
    const struct rl_stats stats = rl_stats_of(samples, 20);
    assert_true(median.median == 10.5 && median.dependence == 1);
    assert_true(median.low == stats.low && median.high == stats.high);
    assert_true(median.low == 6 && median.high == 15);
}

/* Up and up: the middle of a batch of 5 is sure to be on one side. The interval is the whole range and more. */
static void a_drift_is_wholly_inside(void **state)
{
    (void)state;
    double samples[36];
    for (size_t i = 0; i < 36; i++)
        samples[i] = 100 + (double)i;
    const struct rl_median median = rl_median_of(samples, 36, 0.975);
    assert_true(median.median == 117.5);
    assert_true(median.dependence > 5 && median.dependence <= 9 * 36.0 / 27);
    assert_true(median.low <= 100 && median.high >= 135);
    assert_close(117.5 - median.low, median.high - 117.5, 1e-12);
}

/* Six samples of 36 at the upper level: the ranks of the interval do not reach them, the stretches do. */
static void a_short_step_is_inside(void **state)
{
    (void)state;
    double samples[36];
    for (size_t i = 0; i < 36; i++)
        samples[i] = (i < 30 ? 100 : 105) + 0.1 * (double)(i % 3);
    const struct rl_median median = rl_median_of(samples, 36, 0.975);
    assert_true(median.median < 101);
    assert_true(median.low >= 100 && median.low < 100.2);
    assert_true(median.high >= 105 && median.high < 105.3);
}

static void equal_samples_have_no_width(void **state)
{
    (void)state;
    double samples[30];
    for (size_t i = 0; i < 30; i++)
        samples[i] = 7;
    const struct rl_median median = rl_median_of(samples, 30, 0.99);
    assert_true(median.has_interval && median.low == 7 && median.high == 7 && median.dependence == 1);
}

static void samples_are_not_changed(void **state)
{
    (void)state;
    double samples[8] = {3, 1, 2, 9, 4, 7, 5, 6};
    const double before[8] = {3, 1, 2, 9, 4, 7, 5, 6};
    rl_median_of(samples, 8, 0.9);
    assert_memory_equal(samples, before, sizeof samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_and_one),
        cmocka_unit_test(an_interval_takes_enough_samples),
        cmocka_unit_test(independent_samples_have_the_known_interval),
        cmocka_unit_test(a_drift_is_wholly_inside),
        cmocka_unit_test(a_short_step_is_inside),
        cmocka_unit_test(equal_samples_have_no_width),
        cmocka_unit_test(samples_are_not_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
