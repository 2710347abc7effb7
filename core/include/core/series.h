/* series.h - the median of a series of measurements, when they were taken one after the other.
 *
 * core/stats.h describes samples as if each said something new. Times of a kernel do not always: clocks wander, a card warms up,
 * power management steps. An interval that ignores it is too narrow, and two captures of the same code then seem to differ. Here
 * the order of measuring counts, and dependence widens the interval.
 */
#ifndef RL_CORE_SERIES_H
#define RL_CORE_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/stats.h"

struct rl_median {
    size_t n;
    double median;
    double dependence; /* how many samples say as much as one independent one: 1 (independent) to about n / 4 */
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

#endif
