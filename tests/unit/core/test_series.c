/* Medians of series: independent samples as in core/stats.h, dependent ones wider, steps and drifts wholly inside. */
#include "rl_test.h"

#include <math.h>
#include <stdint.h>

#include "core/mem.h"
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

/* ---- coverage, on series with known medians ---- */

enum { DRAWS = 10000, SERIES = 36 };

/* xorshift64* (Vigna 2016), uniform in (0, 1) */
static double uniform(uint64_t *seed)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return ((double)(*seed * 0x2545F4914F6CDD1Dull >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *state)
{
    return sqrt(-2 * log(uniform(state))) * cos(2 * M_PI * uniform(state));
}

/* Times of 20 to 21 ticks with a hundredth of a tick of noise; launches begin anywhere between two ticks. Returns the true one. */
static double draw_ticks(uint64_t *seed, double *samples)
{
    const double time = 20 + uniform(seed);
    for (size_t i = 0; i < SERIES; i++) {
        const double begin = uniform(seed);
        samples[i] = floor(begin + time + 0.01 * normal(seed)) - floor(begin);
    }
    return time;
}

/* Each remembers the one before: half of it, or eight tenths. */
static double draw_remembering(uint64_t *seed, double *samples, double memory)
{
    double at = normal(seed);
    for (size_t i = 0; i < SERIES; i++) {
        samples[i] = 100 + at;
        at = memory * at + sqrt(1 - memory * memory) * normal(seed);
    }
    return 100;
}

static double draw_half(uint64_t *seed, double *samples)
{
    return draw_remembering(seed, samples, 0.5);
}

static double draw_most(uint64_t *seed, double *samples)
{
    return draw_remembering(seed, samples, 0.8);
}

static double draw_none(uint64_t *seed, double *samples)
{
    return draw_remembering(seed, samples, 0);
}

/* What an interval that knows neither clock nor order covers is too little: that is why there is another one. */
static void intervals_of_series_cover_the_median(void **state)
{
    static const struct {
        const char *name;
        double (*draw)(uint64_t *seed, double *samples);
        double step, least, plain_most; /* shares of the draws */
    } kinds[] = {
        {"ticks", draw_ticks, 1, 0.95, 0.6},
        {"independent", draw_none, 0, 0.95, 1},
        {"remembers half", draw_half, 0, 0.94, 0.9},
        {"remembers most", draw_most, 0, 0.90, 0.7},
    };
    (void)state;
    for (size_t kind = 0; kind < RL_COUNT(kinds); kind++) {
        uint64_t seed = 5 + kind;
        int covered = 0, plain = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            double samples[SERIES];
            const double median = kinds[kind].draw(&seed, samples);
            const struct rl_stats s = rl_stats_of_series(samples, SERIES, kinds[kind].step), without = rl_stats_of(samples, SERIES);
            covered += s.low <= median && median <= s.high;
            plain += without.low <= median && median <= without.high;
        }
        print_message("%s: %.1f %% covered, %.1f %% without clock and order\n", kinds[kind].name, 100.0 * covered / DRAWS,
                      100.0 * plain / DRAWS);
        assert_true(covered >= kinds[kind].least * DRAWS && plain <= kinds[kind].plain_most * DRAWS);
    }
}

static void a_ratio_of_series_knows_the_clock(void **state)
{
    double four[30], two[30];
    (void)state;
    for (size_t i = 0; i < 30; i++) {
        four[i] = 4;
        two[i] = 2;
    }
    const struct rl_ratio exact = rl_series_ratio(&(struct rl_series){four, 30, 0}, &(struct rl_series){two, 30, 0});
    assert_true(exact.present && exact.has_interval && exact.low == 2 && exact.high == 2);
    const struct rl_ratio coarse = rl_series_ratio(&(struct rl_series){four, 30, 1}, &(struct rl_series){two, 30, 0.5});
    assert_true(coarse.estimate == 2 && coarse.low == 3.5 / 2.25 && coarse.high == 4.5 / 1.75);
    assert_false(rl_series_ratio(&(struct rl_series){four, 30, 0}, &(struct rl_series){two, 5, 0}).has_interval);
    assert_false(rl_series_ratio(&(struct rl_series){four, 30, 0}, &(struct rl_series){two, 30, 4}).has_interval); /* may be 0 */
    assert_false(rl_series_ratio(&(struct rl_series){four, 0, 0}, &(struct rl_series){two, 30, 0}).present);
    assert_true(rl_stats_of_series(two, 30, 6).low == 0);
    assert_false(rl_stats_of_series(two, 5, 1).has_interval);
}

/* Signs of the eight: - - - - + + + +. Sums of two neighbours: -1 three times, 0, 1 three times; of an independent one, 1/4 each.
 * So 8/6 x 6/7 / 2 / (1/4) = 16/7. With ties, - - 0 0 0 0 + +: 8/6 x 2.5/7 / 2 / (1/8) = 40/21. Of 24 the longest batch, of six,
 * counts: 24/18 x 136/19 / 6 / (1/4). */
static void dependence_by_hand(void **state)
{
    double ramp[24];
    (void)state;
    for (size_t i = 0; i < 24; i++)
        ramp[i] = (double)i + 1;
    const struct rl_median eight = rl_median_of(ramp, 8, 0.95), all = rl_median_of(ramp, 24, 0.95);
    assert_close(eight.dependence, 16.0 / 7, 1e-14);
    assert_close(eight.low, 4.5 - 3.5 * sqrt(16.0 / 7), 1e-14); /* of minimum and maximum, continued */
    assert_close(eight.high, 4.5 + 3.5 * sqrt(16.0 / 7), 1e-14);
    assert_close(all.dependence, 24.0 / 18 * 136 / 19 / 6 * 4, 1e-14);
    assert_close(rl_median_of((double[]){1, 1, 2, 2, 2, 2, 3, 3}, 8, 0.95).dependence, 40.0 / 21, 1e-14);
}

/* 100 and 101 in turn: the noise of neighbours allows a level of four to be 4 x 1.2533 / (0.6745 x sqrt 2) / 2 = 2.628 off the
 * median of all, 101. */
static void levels_beyond_the_noise_are_inside(void **state)
{
    static const struct {
        size_t first;
        double step, low, high; /* of the interval */
    } rows[] = {{20, 3.1, 100, 101}, {20, 3.2, 100, 103.7}, {0, 3.2, 100, 103.7}, {8, 3.2, 100, 103.7}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        double up[24], down[24];
        for (size_t k = 0; k < 24; k++) {
            up[k] = (k % 2 ? 101 : 100) + (k / 4 == rows[i].first / 4 ? rows[i].step : 0);
            down[k] = 201 - up[k];
        }
        const struct rl_median above = rl_median_of(up, 24, 0.5), below = rl_median_of(down, 24, 0.5);
        assert_true(above.median == 101 && below.median == 100);
        assert_close(above.low, rows[i].low, 1e-12);
        assert_close(above.high, rows[i].high, 1e-12);
        assert_close(below.low, 201 - rows[i].high, 1e-12);
        assert_close(below.high, 201 - rows[i].low, 1e-12);
    }
}

static void a_clock_widens_times(void **state)
{
    const double samples[] = {6, 1, 5, 2, 4, 3};
    const struct rl_stats fine = rl_stats_of_times(samples, 6, 0.5), coarse = rl_stats_of_times(samples, 6, 4);
    (void)state;
    assert_true(fine.median == 3.5 && fine.low == 0.75 && fine.high == 6.25);
    assert_true(coarse.low == 0 && coarse.high == 8); /* no time is negative */
    const struct rl_stats few = rl_stats_of_times(samples, 5, 4), few_in_order = rl_stats_of_series(samples, 5, 4);
    assert_true(!few.has_interval && few.low == 0 && few.high == 0);
    assert_true(!few_in_order.has_interval && few_in_order.low == 0 && few_in_order.high == 0 && few_in_order.max == 6);
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
        cmocka_unit_test(intervals_of_series_cover_the_median),
        cmocka_unit_test(a_ratio_of_series_knows_the_clock),
        cmocka_unit_test(dependence_by_hand),
        cmocka_unit_test(levels_beyond_the_noise_are_inside),
        cmocka_unit_test(a_clock_widens_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
