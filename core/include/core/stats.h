/* stats.h - robust statistics of repeated measurements.
 *
 * Kernel times are skewed, quantised and sometimes bimodal, so no distribution is assumed. Samples are never dropped.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct rl_stats {
    size_t n;
    double min, max, mean;
    double median;     /* midpoint of the two central order statistics when n is even */
    bool has_interval; /* false when n < 6: no pair of order statistics covers 95 % */
    double low, high;  /* 95 % CI of the median, from order statistics */
    double coverage;   /* its true coverage, >= 0.95, e.g. 0.9572 for n = 30 */
};

/* Summary of `n` samples in any order (not changed). n = 0 gives n == 0 and everything else 0.
 * The interval is the distribution-free one from order statistics: the narrowest symmetric pair (x[k], x[n+1-k]) with
 * P(Bin(n, 1/2) in [k, n-k]) >= 0.95 (Conover, Practical Nonparametric Statistics, 3rd ed., section 3.2; for any continuous
 * distribution; with ties the coverage is at least that). The widest pair, minimum and maximum, covers 1 - 2^(1-n): 93.75 % for
 * n = 5 and 96.875 % for n = 6, so fewer than 6 samples have no interval. Samples must be finite. */
struct rl_stats rl_stats_of(const double *samples, size_t n);

/* Rank k (1-based, from below) of the lower end of the narrowest such interval for a confidence between 0 and 1; 0 (coverage 0)
 * when there is none. The binomial sum is exact to about 1e-12 for n up to a million and more. `coverage` may be NULL. */
size_t rl_stats_interval_rank(size_t n, double confidence, double *coverage);

/* Half of the interval's width over the median: the figure that decides when to stop measuring. Infinity without an interval or
 * with a median that is not positive. */
double rl_stats_relative_half_width(const struct rl_stats *stats);

/* The q-quantile (0..1) of samples sorted ascending, linear between order statistics (Hyndman and Fan's type 7). n >= 1. */
double rl_stats_quantile_sorted(const double *sorted, size_t n, double q);

struct rl_ratio {
    bool present;      /* false if a side has no samples or a median that is not positive, or if the ratio is no finite double */
    double estimate;   /* median(a) / median(b) */
    bool has_interval; /* needs 7 samples on each side, and lower ends that are positive */
    double low, high;  /* conservative 95 % CI */
};
/* Ratio of the medians of two independent series. The interval is conservative: opposite ends of the two medians' intervals at
 * 97.5 % each are divided, so by Bonferroni the ratio is covered with at least 95 %. */
struct rl_ratio rl_stats_ratio(const double *a, size_t na, const double *b, size_t nb);

/* Ratio of two medians, with an interval of the quotients of opposite ends. */
struct rl_ratio rl_stats_divide(const struct rl_stats *over, const struct rl_stats *under);

/* Whether a series, in the order of measuring, has drifted: median of its second half over that of its first, as rl_stats_ratio.
 * Without drift the interval covers 1 with at least 95 %, whatever the distribution. */
struct rl_ratio rl_stats_drift(const double *samples, size_t n);

/* The median of a series of measurements in the order of measuring.
 *
 * rl_stats_of assumes independent samples. Times of a kernel may depend on each other: clocks wander, a GPU warms up, power
 * management changes state. Intervals that ignore this are too narrow, and two captures of the same code then seem to differ. Here
 * dependence, estimated from the order, widens the interval. */

struct rl_median {
    size_t n;
    double median;
    double dependence; /* number of samples that are worth one independent sample: 1 (independent) to about n / 4 */
    bool has_interval; /* false with fewer than `least` samples */
    double low, high;
    size_t least; /* fewest samples that have an interval at this confidence */
};

/* Median of `n` samples in the order of measuring, with a two-sided interval at `confidence` (0 to 1). n = 0 gives n == 0.
 *
 * Independent samples have the distribution-free interval of two order statistics (rl_stats_interval_rank): whatever the
 * distribution, it misses the median with at most 1 - confidence. Dependent ones have that interval stretched about its middle, in
 * ranks, by the square root of the dependence: the variance of a sample quantile grows by the integrated autocorrelation time of
 * the indicator "above the median" (Sen, On the Bahadur representation of sample quantiles for sequences of phi-mixing random
 * variables, J. Multivariate Analysis 2, 1972). That time is estimated by overlapping batch means (Meketon and Schmeiser,
 * Overlapping batch means: something for nothing?, Winter Simulation Conference 1984), the largest over batches of up to a quarter
 * of the series, so that it errs on the side of dependence. A drift or a step depends on itself over the whole series: the interval
 * then is its whole range, and where the stretched ranks lie beyond it, the range continued beyond in proportion. */
struct rl_median rl_median_of(const double *samples, size_t n, double confidence);

/* Summary of `n` times in the order of measuring, taken by a clock with steps of `step` (same unit; 0: none that matter): that of
 * rl_stats_of, but with the interval of rl_median_of at 95 %, half a step wider on either side. A clock rounds a time to one of
 * its two neighbouring steps, most often the nearer, so the median of any number of launches is up to half a step off. */
struct rl_stats rl_stats_of_series(const double *samples, size_t n, double step);
/* The same for times whose order is unknown: only the clock's step is added to the interval of rl_stats_of. */
struct rl_stats rl_stats_of_times(const double *samples, size_t n, double step);

struct rl_series {
    const double *samples; /* in the order of measuring */
    size_t n;
    double step; /* of the clock */
};
/* Ratio of the medians of two independent series of times, `a` over `b`; rl_stats_ratio with intervals as above. */
struct rl_ratio rl_series_ratio(const struct rl_series *a, const struct rl_series *b);
