/* Statistics against hand-computed answers, exact binomials and simulation. */
#include "rl_test.h"

#include <float.h>

#include "core/mem.h"
#include "core/sort.h"
#include "core/stats.h"

static void no_samples(void **state)
{
    (void)state;
    struct rl_stats s = rl_stats_of(NULL, 0), zero = {0};
    assert_memory_equal(&s, &zero, sizeof s);
    assert_true(isinf(rl_stats_relative_half_width(&s)));
}

static void one_sample(void **state)
{
    (void)state;
    struct rl_stats s = rl_stats_of((double[]){7.5}, 1);
    assert_int_equal(s.n, 1);
    assert_true(s.min == 7.5 && s.max == 7.5 && s.mean == 7.5 && s.median == 7.5);
    assert_false(s.has_interval);
    assert_true(isinf(rl_stats_relative_half_width(&s)));
}

static void two_samples(void **state)
{
    (void)state;
    struct rl_stats s = rl_stats_of((double[]){3, 1}, 2);
    assert_true(s.min == 1 && s.max == 3 && s.mean == 2 && s.median == 2);
    assert_false(s.has_interval);
}

static void five_samples_have_no_interval_and_six_have(void **state)
{
    (void)state;
    double samples[] = {5, 1, 4, 2, 100, 3};
    struct rl_stats five = rl_stats_of(samples, 5), six = rl_stats_of(samples, 6);
    assert_true(five.median == 4);
    assert_close(five.mean, 22.4, 1e-15);
    assert_false(five.has_interval);
    assert_true(five.coverage == 0);
    assert_true(six.median == 3.5);
    assert_true(six.has_interval && six.low == 1 && six.high == 100);
    assert_true(fabs(six.coverage - (1 - 2.0 / 64)) < 1e-15);
    assert_close(rl_stats_relative_half_width(&six), 99.0 / 2 / 3.5, 1e-15);
}

static void samples_are_not_changed(void **state)
{
    (void)state;
    double samples[] = {3, 1, 2}, before[] = {3, 1, 2};
    rl_stats_of(samples, 3);
    rl_stats_ratio(samples, 3, samples, 3);
    assert_memory_equal(samples, before, sizeof samples);
}

static void ties_give_an_interval_of_no_width(void **state)
{
    (void)state;
    double samples[40];
    for (int i = 0; i < 40; i++)
        samples[i] = i < 38 ? 2.0 : 9.0;
    struct rl_stats s = rl_stats_of(samples, 40);
    assert_true(s.median == 2 && s.low == 2 && s.high == 2 && s.max == 9);
    assert_true(rl_stats_relative_half_width(&s) == 0);
    assert_true(s.coverage >= 0.95);
}

static void thirty_samples_use_ranks_10_and_21(void **state)
{
    (void)state;
    double samples[30];
    for (int i = 0; i < 30; i++)
        samples[(i * 7) % 30] = i + 1;
    struct rl_stats s = rl_stats_of(samples, 30);
    assert_true(s.median == 15.5 && s.low == 10 && s.high == 21);
    assert_true(fabs(s.coverage - 0.9572) < 5e-5);
}

static void not_positive_medians(void **state)
{
    (void)state;
    double samples[] = {-4, -3, -2, -1, 0, 1, 2, 3};
    struct rl_stats s = rl_stats_of(samples, 8);
    assert_true(s.median == -0.5 && s.has_interval);
    assert_true(isinf(rl_stats_relative_half_width(&s)));
}

/* All ranks up to n = 60, where the binomial coefficients are whole numbers in 64 bits. */
static void ranks_agree_with_exact_binomials(void **state)
{
    (void)state;
    uint64_t row[62] = {1};
    for (size_t n = 1; n <= 60; n++) {
        for (size_t j = n; j > 0; j--)
            row[j] += row[j - 1];
        static const double confidences[] = {0.5001, 0.9, 0.95, 0.975, 0.99, 0.999};
        for (size_t c = 0; c < 6; c++) {
            size_t rank = n / 2;
            long double inside = 0, total = powl(2, (long double)n);
            for (size_t j = rank; j <= n - rank; j++)
                inside += (long double)row[j];
            while (rank > 0 && inside / total < (long double)confidences[c]) {
                rank--;
                inside += 2.0L * (long double)row[rank];
            }
            double coverage = -1;
            assert_int_equal(rl_stats_interval_rank(n, confidences[c], &coverage), rank);
            assert_true(fabs(coverage - (rank ? (double)(inside / total) : 0)) < 1e-14);
        }
    }
}

/* From exact sums of binomial coefficients in integers of n bits. */
static void ranks_of_many_samples(void **state)
{
    (void)state;
    static const struct {
        size_t n, rank;
        double coverage;
    } rows[] = {{1000, 469, 0.9537088026395019}, {100000, 49690, 0.9504442853304751}, {1000000, 499020, 0.9501210313476319}};
    for (int i = 0; i < 3; i++) {
        double coverage;
        assert_int_equal(rl_stats_interval_rank(rows[i].n, 0.95, &coverage), rows[i].rank);
        assert_true(fabs(coverage - rows[i].coverage) < 1e-11);
    }
    assert_int_equal(rl_stats_interval_rank(0, 0.95, NULL), 0);
    assert_int_equal(rl_stats_interval_rank(1, 0.95, NULL), 0);
}

static void a_million_samples(void **state)
{
    (void)state;
    size_t n = 1000000;
    double *samples = malloc(n * sizeof *samples);
    assert_non_null(samples);
    for (size_t i = 0; i < n; i++)
        samples[i] = (double)((i * 500009) % n) * 1e-3 + 1e6; /* every i once, shuffled: 500009 is prime to n */
    struct rl_stats s = rl_stats_of(samples, n);
    assert_close(s.median, 1e6 + 499.9995, 1e-15);
    assert_close(s.mean, 1e6 + 499.9995, 1e-15);
    assert_close(s.low, 1e6 + 499.019, 1e-15);
    assert_close(s.high, 1e6 + 500.980, 1e-15);
    free(samples);
}

/* xorshift64* (Vigna 2016), uniform in (0, 1) */
static double uniform(uint64_t *seed)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return ((double)(*seed * 0x2545F4914F6CDD1Dull >> 11) + 0.5) / 9007199254740992.0;
}

static void simulated_coverage_is_the_stated_one(void **state)
{
    (void)state;
    static const size_t sizes[] = {6, 9, 17, 30, 51};
    enum { ROUNDS = 20000 };
    uint64_t seed = 20250101;
    for (int i = 0; i < 5; i++) {
        size_t covered = 0;
        struct rl_stats s = {0};
        for (int round = 0; round < ROUNDS; round++) {
            double samples[51];
            for (size_t k = 0; k < sizes[i]; k++)
                samples[k] = -log(uniform(&seed)); /* exponential: skewed as times are; its median is ln 2 */
            s = rl_stats_of(samples, sizes[i]);
            covered += s.low <= log(2) && log(2) <= s.high;
        }
        double sigma = sqrt(s.coverage * (1 - s.coverage) / ROUNDS);
        assert_true(s.coverage >= 0.95);
        if (fabs((double)covered / ROUNDS - s.coverage) > 4 * sigma)
            fail_msg("n = %zu: %zu of %d covered, stated %g", sizes[i], covered, (int)ROUNDS, s.coverage);
    }
}

static void ratio_of_medians(void **state)
{
    (void)state;
    double a[] = {20, 22, 24, 26, 28, 30, 32}, b[] = {10, 10.5, 11, 12, 13, 13.5, 16};
    struct rl_ratio r = rl_stats_ratio(a, 7, b, 7);
    assert_true(r.present && r.has_interval);
    assert_true(r.estimate == 26.0 / 12);
    assert_true(r.low == 20.0 / 16 && r.high == 32.0 / 10); /* n = 7 at 97.5 %: minimum and maximum */
    r = rl_stats_ratio(a, 6, b, 7);                         /* 96.875 % is too little for 97.5 % */
    assert_true(r.present && !r.has_interval);
    assert_true(r.estimate == 25.0 / 12);
}

static void ratio_without_meaning(void **state)
{
    (void)state;
    double positive[] = {1, 2, 3, 4, 5, 6, 7}, zero[7] = {0}, partly[] = {-1, 2, 3, 4, 5, 6, 7};
    assert_false(rl_stats_ratio(NULL, 0, positive, 7).present);
    assert_false(rl_stats_ratio(positive, 7, NULL, 0).present);
    assert_false(rl_stats_ratio(positive, 7, zero, 7).present);
    assert_false(rl_stats_ratio(zero, 7, positive, 7).present);
    assert_true(rl_stats_ratio(positive, 7, partly, 7).present);
    assert_false(rl_stats_ratio(positive, 7, partly, 7).has_interval);
    assert_false(rl_stats_ratio(partly, 7, positive, 7).has_interval);
}

static void ratio_covers_at_least_what_it_says(void **state)
{
    (void)state;
    enum { ROUNDS = 4000, N = 15 };
    uint64_t seed = 7;
    int covered = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double a[N], b[N];
        for (int k = 0; k < N; k++) {
            a[k] = 3 * (1 - log(uniform(&seed)));
            b[k] = 2 * (1 - log(uniform(&seed)));
        }
        struct rl_ratio r = rl_stats_ratio(a, N, b, N);
        covered += r.low <= 1.5 && 1.5 <= r.high;
    }
    assert_true(covered >= 0.95 * ROUNDS);
}

/* ---- series as GPUs give them, with known medians ---- */

enum { DRAWS = 10000, SERIES = 30 };

/* A kernel of 100 us with 1 % of even noise: median 100. The k-th launch of a series makes a difference to `drifting` only. */
static double plain(uint64_t *seed, int k)
{
    (void)k;
    return 99.5 + uniform(seed);
}

/* Two clocks: 60 % of the launches at the lower one. */
static double bimodal(uint64_t *seed, int k)
{
    (void)k;
    return uniform(seed) < 0.4 ? 90 + uniform(seed) : 100 + uniform(seed);
}

/* One launch of twenty is disturbed and takes up to ten times as long: the median is that of the first 50 / 95 of the others. */
static double spiked(uint64_t *seed, int k)
{
    (void)k;
    return uniform(seed) < 0.05 ? 200 + 800 * uniform(seed) : 99.5 + uniform(seed);
}

/* A clock with ticks of 0.25: 99.5, 99.75, ... 100.5; the middle one, of 25 %, holds the median. */
static double quantised(uint64_t *seed, int k)
{
    return floor(4 * plain(seed, k) + 0.5) / 4;
}

/* Slower by 5 % from the first to the last launch, evenly about 100: of all launches together, half take less. */
static double drifting(uint64_t *seed, int k)
{
    return plain(seed, k) + 5 * ((k + 0.5) / SERIES - 0.5);
}

static const struct {
    const char *name;
    double (*draw)(uint64_t *seed, int k);
    double median;
    bool drifts;
} kinds[] = {
    {"plain", plain, 100},
    {"bimodal", bimodal, 100 + 1.0 / 6}, /* 40 % lie below 91, 10 % more of the 60 % above 100 */
    {"spiked", spiked, 99.5 + 50.0 / 95},
    {"quantised", quantised, 100},
    {"drifting", drifting, 100, true},
};

static void intervals_cover_the_median_of_every_kind(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        uint64_t seed = 11 + kind;
        int covered = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            double series[SERIES];
            for (int k = 0; k < SERIES; k++)
                series[k] = kinds[kind].draw(&seed, k);
            struct rl_stats s = rl_stats_of(series, SERIES);
            covered += s.low <= kinds[kind].median && kinds[kind].median <= s.high;
        }
        /* 95.7 % are promised, and more where launches are not alike (Hoeffding, On the distribution of the number of successes in
         * independent trials, 1956); three standard deviations of 10,000 draws are 0.6 % */
        if (covered < 0.951 * DRAWS)
            fail_msg("%s: %d of %d intervals cover the median", kinds[kind].name, covered, DRAWS);
    }
}

/* A series without drift is rarely said to have one, whatever its kind; 5 % over the series are always found in 1 % of noise. */
static void drift_is_found_and_not_invented(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        uint64_t seed = 23 + kind;
        int seen = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            double series[SERIES];
            for (int k = 0; k < SERIES; k++)
                series[k] = kinds[kind].draw(&seed, k);
            struct rl_ratio drift = rl_stats_drift(series, SERIES);
            assert_true(drift.present && drift.has_interval);
            seen += drift.low > 1 || (drift.high < 1 && !kinds[kind].drifts);
        }
        if (kinds[kind].drifts ? seen < 0.99 * DRAWS : seen > 0.05 * DRAWS)
            fail_msg("%s: drift is seen in %d of %d series", kinds[kind].name, seen, DRAWS);
    }
    assert_false(rl_stats_drift((double[]){1, 2, 3}, 3).has_interval);
}

static void quantiles_are_of_type_7(void **state)
{
    (void)state;
    double sorted[] = {1, 2, 4, 8, 16};
    assert_true(rl_stats_quantile_sorted(sorted, 5, 0) == 1);
    assert_true(rl_stats_quantile_sorted(sorted, 5, 0.5) == 4);
    assert_true(rl_stats_quantile_sorted(sorted, 5, 1) == 16);
    assert_true(rl_stats_quantile_sorted(sorted, 5, 0.125) == 1.5);      /* place 0.5 */
    assert_close(rl_stats_quantile_sorted(sorted, 5, 0.9), 12.8, 1e-15); /* place 3.6: 8 + 0.6 * 8 */
    assert_true(rl_stats_quantile_sorted(sorted, 1, 0.3) == 1);
    assert_true(rl_stats_quantile_sorted(sorted, 2, 0.25) == 1.25);
}

/* 2^53 + 1 is no double: what every addition loses, small to large and large to small, comes back at the end. */
static void means_lose_nothing(void **state)
{
    (void)state;
    assert_true(rl_stats_of((double[]){1, 1e100, 1, -1e100}, 4).mean == 0.5);
    assert_true(rl_stats_of((double[]){0x1p54 + 4, 1, -0x1p54}, 3).mean == 5.0 / 3);
    assert_true(rl_stats_of((double[]){0x1p53 + 2, 0x1p53, 1}, 3).mean == (0x1p54 + 4) / 3);
}

static void nothing_but_zeros(void **state)
{
    const double zeros[7] = {0}, from_zero[] = {0, 2, 3, 4, 5, 6, 7}, positive[] = {1, 2, 3, 4, 5, 6, 7};
    struct rl_stats s = rl_stats_of(zeros, 7);
    (void)state;
    assert_true(s.has_interval && s.low == 0 && s.high == 0);
    assert_true(isinf(rl_stats_relative_half_width(&s)));
    assert_true(rl_stats_ratio(from_zero, 7, positive, 7).present);
    assert_false(rl_stats_ratio(from_zero, 7, positive, 7).has_interval); /* an end that is 0 has no ratio */
    assert_false(rl_stats_ratio(positive, 7, from_zero, 7).has_interval);
}

/* The middle one of an odd number belongs to neither half. */
static void drift_of_fifteen(void **state)
{
    (void)state;
    const struct rl_ratio drift = rl_stats_drift((double[]){3, 1, 4, 2, 7, 5, 6, 100, 8, 20, 10, 18, 14, 12, 16}, 15);
    assert_true(drift.present && drift.estimate == 14.0 / 4);
    assert_true(drift.has_interval && drift.low == 8.0 / 7 && drift.high == 20);
}

/* Medians are divided, and the ends of their intervals crosswise; what is 0 or was not measured divides nothing. */
static void division_by_hand(void **state)
{
    const struct rl_stats six = {.n = 9, .median = 6, .has_interval = true, .low = 5, .high = 8},
                          two = {.n = 9, .median = 2, .has_interval = true, .low = 1, .high = 4};
    struct rl_stats changed = two;
    (void)state;
    const struct rl_ratio ratio = rl_stats_divide(&six, &two);
    assert_true(ratio.present && ratio.has_interval);
    assert_true(ratio.estimate == 3 && ratio.low == 5.0 / 4 && ratio.high == 8);
    changed.low = 0;
    assert_true(rl_stats_divide(&six, &changed).present && rl_stats_divide(&changed, &six).present);
    assert_false(rl_stats_divide(&six, &changed).has_interval || rl_stats_divide(&changed, &six).has_interval);
    changed = two;
    changed.has_interval = false;
    assert_false(rl_stats_divide(&six, &changed).has_interval || rl_stats_divide(&changed, &six).has_interval);
    changed = two;
    changed.median = 0;
    assert_false(rl_stats_divide(&six, &changed).present || rl_stats_divide(&changed, &six).present);
    changed = two;
    changed.n = 0;
    assert_false(rl_stats_divide(&six, &changed).present || rl_stats_divide(&changed, &six).present);
}

/* What a capture can hold: the summary is finite and in order, and a ratio that has no double is none. */
static void any_samples_have_a_finite_summary(void **state)
{
    static const double lists[][3] = {{0, 0, 0},
                                      {1e13, 1e13, 1e13},
                                      {-1, 0, 1},
                                      {5e-324, 5e-324, 5e-324},
                                      {DBL_MAX, DBL_MAX, DBL_MAX},
                                      {-DBL_MAX, 5e-324, DBL_MAX},
                                      {-DBL_MAX, DBL_MAX, DBL_MAX}};
    (void)state;
    double samples[40], tiny[40];
    for (size_t list = 0; list < RL_COUNT(lists); list++)
        for (size_t n = 1; n <= RL_COUNT(samples); n++) {
            for (size_t i = 0; i < n; i++) {
                samples[i] = lists[list][i % 3];
                tiny[i] = 5e-324;
            }
            const struct rl_stats s = rl_stats_of(samples, n);
            assert_true(isfinite(s.mean) && isfinite(s.median));
            assert_true(s.min <= s.mean && s.mean <= s.max && s.min <= s.median && s.median <= s.max);
            assert_true(!s.has_interval || (s.low <= s.median && s.median <= s.high));
            rl_sort_doubles(samples, n);
            for (double q = 0; q <= 1; q += 0.125) {
                const double quantile = rl_stats_quantile_sorted(samples, n, q);
                assert_true(samples[0] <= quantile && quantile <= samples[n - 1]);
            }
            const struct rl_ratio ratio = rl_stats_ratio(samples, n, tiny, n), drift = rl_stats_drift(samples, n);
            assert_true(isfinite(ratio.estimate) && isfinite(ratio.low) && isfinite(ratio.high));
            assert_true(isfinite(drift.estimate) && isfinite(drift.low) && isfinite(drift.high));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_samples),
        cmocka_unit_test(one_sample),
        cmocka_unit_test(two_samples),
        cmocka_unit_test(five_samples_have_no_interval_and_six_have),
        cmocka_unit_test(samples_are_not_changed),
        cmocka_unit_test(ties_give_an_interval_of_no_width),
        cmocka_unit_test(thirty_samples_use_ranks_10_and_21),
        cmocka_unit_test(not_positive_medians),
        cmocka_unit_test(ranks_agree_with_exact_binomials),
        cmocka_unit_test(ranks_of_many_samples),
        cmocka_unit_test(a_million_samples),
        cmocka_unit_test(simulated_coverage_is_the_stated_one),
        cmocka_unit_test(ratio_of_medians),
        cmocka_unit_test(ratio_without_meaning),
        cmocka_unit_test(ratio_covers_at_least_what_it_says),
        cmocka_unit_test(intervals_cover_the_median_of_every_kind),
        cmocka_unit_test(drift_is_found_and_not_invented),
        cmocka_unit_test(quantiles_are_of_type_7),
        cmocka_unit_test(means_lose_nothing),
        cmocka_unit_test(nothing_but_zeros),
        cmocka_unit_test(drift_of_fifteen),
        cmocka_unit_test(division_by_hand),
        cmocka_unit_test(any_samples_have_a_finite_summary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
