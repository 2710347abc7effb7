#include "core/stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/sort.h"

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
    double *sorted = rl_calloc(n, sizeof *sorted);
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
    free(sorted);
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
