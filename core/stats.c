#include "core/stats.h"

#include "core/core.h"

/* The value at a share of the way from low to high: no difference is larger than a double. */
static double between(double low, double high, double share)
{
    return (low < 0) == (high < 0) ? low + (high - low) * share : low * (1 - share) + high * share;
}

/* Compensated sum (Neumaier 1974), so that the mean of a million samples is as good as that of ten. */
static double mean_of(const double *samples, size_t n)
{
    double sum = 0, lost = 0;
    for (size_t i = 0; i < n; i++) {
        double next = sum + samples[i];
        lost += fabs(sum) >= fabs(samples[i]) ? (sum - next) + samples[i] : (samples[i] - next) + sum;
        sum = next;
    }
    return (sum + lost) / (double)n;
}

/* Sum of the weights of k .. n-k, in pairs from the centre outwards, for the largest k >= 0 at which it reaches `enough`. */
static double central_weight(size_t n, double enough, size_t *k)
{
    double weight = 1, sum = n % 2 ? 2 : 1;
    for (*k = n / 2; *k > 0 && weight > 0 && sum < enough; --*k) {
        /* Bin(n, 1/2) relative to its central probability: the weight of j - 1 successes from that of j. Walking away from the
         * centre needs no factorials and neither overflows nor loses digits; weights too small for a double do not count anyway. */
        const size_t j = *k;
        assert(j <= n);
        weight = weight * (double)j / (double)(n - j + 1);
        sum += 2 * weight;
    }
    return sum;
}

size_t rl_stats_interval_rank(size_t n, double confidence, double *coverage)
{
    assert(confidence > 0 && confidence < 1);
    size_t rank;
    double total = central_weight(n, INFINITY, &rank);
    double inside = central_weight(n, confidence * total, &rank);
    if (coverage)
        *coverage = rank > 0 ? inside / total : 0;
    return rank;
}

static void set_interval(struct rl_stats *stats, const double *sorted, double confidence)
{
    double coverage;
    size_t rank = rl_stats_interval_rank(stats->n, confidence, &coverage);
    stats->has_interval = rank > 0;
    if (!stats->has_interval)
        return;
    stats->low = sorted[rank - 1];
    stats->high = sorted[stats->n - rank];
    stats->coverage = coverage;
}

static struct rl_stats stats_with_confidence(const double *samples, size_t n, double confidence)
{
    struct rl_stats stats = {.n = n};
    if (n == 0)
        return stats;
    RL_FREED double *sorted = rl_calloc(n, sizeof *sorted);
    for (size_t i = 0; i < n; i++) {
        assert(isfinite(samples[i]));
        sorted[i] = samples[i];
    }
    rl_sort_doubles(sorted, n);
    stats.min = sorted[0];
    stats.max = sorted[n - 1];
    stats.mean = fmin(fmax(mean_of(sorted, n), stats.min), stats.max); /* also where no double holds the sum */
    assert(n > 0);
    stats.median = between(sorted[(n - 1) / 2], sorted[n / 2], 0.5);
    set_interval(&stats, sorted, confidence);
    return stats;
}

struct rl_stats rl_stats_of(const double *samples, size_t n)
{
    return stats_with_confidence(samples, n, 0.95);
}

double rl_stats_relative_half_width(const struct rl_stats *stats)
{
    if (!stats->has_interval || !(stats->median > 0))
        return INFINITY;
    return (stats->high - stats->low) / 2 / stats->median;
}

double rl_stats_quantile_sorted(const double *sorted, size_t n, double q)
{
    assert(n > 0 && q >= 0 && q <= 1);
    double place = q * (double)(n - 1);
    size_t below = (size_t)place;
    if (below + 1 >= n)
        return sorted[n - 1];
    return between(sorted[below], sorted[below + 1], place - (double)below);
}

struct rl_ratio rl_stats_divide(const struct rl_stats *over, const struct rl_stats *under)
{
    struct rl_ratio ratio = {.present = over->n > 0 && under->n > 0 && over->median > 0 && under->median > 0};
    if (!ratio.present)
        return ratio;
    ratio.estimate = over->median / under->median;
    if (!isfinite(ratio.estimate))
        return (struct rl_ratio){.present = false};
    ratio.has_interval =
        over->has_interval && under->has_interval && over->low > 0 && under->low > 0 && isfinite(over->high / under->low);
    if (ratio.has_interval) {
        ratio.low = over->low / under->high;
        ratio.high = over->high / under->low;
    }
    return ratio;
}

struct rl_ratio rl_stats_ratio(const double *a, size_t na, const double *b, size_t nb)
{
    const struct rl_stats over = stats_with_confidence(a, na, 0.975), under = stats_with_confidence(b, nb, 0.975);
    return rl_stats_divide(&over, &under);
}

struct rl_ratio rl_stats_drift(const double *samples, size_t n)
{
    const size_t half = n / 2;
    return rl_stats_ratio(samples + (n - half), half, samples, half);
}

static double median_of(double *samples, size_t n)
{
    rl_sort_doubles(samples, n);
    return samples[(n - 1) / 2] + (samples[n / 2] - samples[(n - 1) / 2]) / 2;
}

/* Variance of the sum of `length` neighbours over that of one, per sample: length x Var(mean) / Var(one). The mean over all is
 * taken as known (the median's signs sum to nothing), the factor makes up for batches that overlap the whole too little. */
static double batch_dependence(const double *sums, size_t n, size_t length, double variance)
{
    const size_t batches = n - length + 1;
    double squares = RL_SUM(double, i, batches, (sums[i + length] - sums[i]) * (sums[i + length] - sums[i]));
    const double factor = (double)n / (double)(n - length);
    return factor * squares / (double)batches / (double)length / variance;
}

/* Takes a stretch of the series into the interval when its median is not where the noise of neighbours allows it to be: a session
 * that stepped has two levels, and the other capture may have seen only one of them. */
static void include_levels(struct rl_median *result, const double *samples)
{
    enum { SHORTEST = 4, STRETCHES = 12, SIGMAS = 4 };
    const size_t n = result->n, length = n / STRETCHES > SHORTEST ? n / STRETCHES : SHORTEST;
    RL_FREED double *scratch = rl_calloc(n, sizeof *scratch);
    /* Standard deviation of one sample about its neighbours, by the median difference: steps and drifts hardly enter into it. */
    assert(n > 1);
    for (size_t i = 0; i + 1 < n; i++)
        scratch[i] = fabs(samples[i + 1] - samples[i]);
    const double allowed = SIGMAS * 1.2533 * (median_of(scratch, n - 1) / sqrt(2) / 0.6745) / sqrt((double)length);
    for (size_t first = 0; first + length <= n; first += length) {
        memcpy(scratch, &samples[first], length * sizeof *scratch);
        const double level = median_of(scratch, length);
        if (fabs(level - result->median) > allowed) {
            result->low = fmin(result->low, level);
            result->high = fmax(result->high, level);
        }
    }
}

/* The order statistic at a rank counted from 0, which need not be whole or in the range: outwards to the next one inside, beyond
 * the ends in proportion to their distance from the median. */
static double at_rank(const double *sorted, size_t n, double median, double rank)
{
    assert(n > 1); /* otherwise the middle is rank 0 */
    const double middle = (double)(n - 1) / 2;
    if (rank < 0)
        return median - (median - sorted[0]) * (middle - rank) / middle;
    if (rank > (double)(n - 1))
        return median + (sorted[n - 1] - median) * (rank - middle) / middle;
    return sorted[(size_t)(rank < middle ? floor(rank) : ceil(rank))];
}

struct rl_median rl_median_of(const double *samples, size_t n, double confidence)
{
    struct rl_median result = {.n = n};
    assert(confidence > 0 && confidence < 1);
    result.least = (size_t)ceil(1 - log2(1 - confidence)); /* minimum and maximum cover 1 - 2^(1 - n) */
    if (n == 0)
        return result;
    RL_FREED double *sorted = rl_calloc(n, sizeof *sorted);
    memcpy(sorted, samples, n * sizeof *sorted);
    result.median = median_of(sorted, n);
    double *sums = rl_calloc(n + 1, sizeof *sums), most = 1;
    /* Running sums of -1/2 below, 0 at and +1/2 above the median: sums[i] is that of the first i samples. */
    double squares = 0;
    sums[0] = 0;
    for (size_t i = 0; i < n; i++) {
        const double sign = 0.5 * (samples[i] > result.median) - 0.5 * (samples[i] < result.median);
        sums[i + 1] = sums[i] + sign;
        squares += sign * sign;
    }
    const double variance = squares / (double)n;
    for (size_t length = 2; variance > 0 && length <= n / 4; length += 1 + length / 4)
        most = fmax(most, batch_dependence(sums, n, length, variance));
    free(sums);
    result.dependence = most;
    const size_t rank = rl_stats_interval_rank(result.n, confidence, NULL);
    result.has_interval = rank > 0;
    if (result.has_interval) {
        const double middle = (double)(result.n - 1) / 2, reach = (middle - (double)(rank - 1)) * sqrt(result.dependence);
        result.low = at_rank(sorted, result.n, result.median, middle - reach);
        result.high = at_rank(sorted, result.n, result.median, middle + reach);
    }
    if (result.has_interval)
        include_levels(&result, samples);
    return result;
}

static void add_step(struct rl_stats *stats, double step)
{
    stats->low = stats->has_interval ? fmax(0, stats->low - step / 2) : 0;
    stats->high = stats->has_interval ? stats->high + step / 2 : 0;
}

/* The summary with the interval of the median in order, at a confidence. */
static struct rl_stats in_order(const struct rl_series *series, double confidence)
{
    struct rl_stats stats = rl_stats_of(series->samples, series->n);
    const struct rl_median median = rl_median_of(series->samples, series->n, confidence);
    stats.has_interval = median.has_interval;
    stats.low = median.low;
    stats.high = median.high;
    add_step(&stats, series->step);
    return stats;
}

struct rl_stats rl_stats_of_series(const double *samples, size_t n, double step)
{
    return in_order(&(struct rl_series){samples, n, step}, 0.95);
}

struct rl_stats rl_stats_of_times(const double *samples, size_t n, double step)
{
    struct rl_stats stats = rl_stats_of(samples, n);
    add_step(&stats, step);
    return stats;
}

struct rl_ratio rl_series_ratio(const struct rl_series *a, const struct rl_series *b)
{
    const struct rl_stats over = in_order(a, 0.975), under = in_order(b, 0.975);
    return rl_stats_divide(&over, &under);
}
