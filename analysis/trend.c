#include "analysis/trend.h"

#include <assert.h>
#include <math.h>

#include "analysis/robust.h"
#include "core/mem.h"

/* A line through y = ln(median) by least squares. */
struct line {
    double slope, error; /* a day; standard error of it */
    double freedom;
};

static struct line fit(const struct rl_trend_point *points, size_t count)
{
    double days = 0, mean = 0, across = 0, along = 0, rest = 0;
    for (size_t i = 0; i < count; i++) {
        assert(points[i].median_s > 0);
        days += points[i].days / (double)count;
        mean += log(points[i].median_s) / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        along += (points[i].days - days) * (points[i].days - days);
        across += (points[i].days - days) * (log(points[i].median_s) - mean);
    }
    const double slope = across / along;
    for (size_t i = 0; i < count; i++) {
        const double away = log(points[i].median_s) - mean - slope * (points[i].days - days);
        rest += away * away;
    }
    const double freedom = (double)(count - 2), floor = RL_SESSION_FLOOR * RL_SESSION_FLOOR;
    return (struct line){slope, sqrt(fmax(rest / freedom, floor) / along), freedom};
}

struct rl_trend rl_trend_of(const struct rl_trend_point *points, size_t count, size_t kernels, double smallest_effect)
{
    struct rl_trend trend = {.count = count, .days = count ? points[count - 1].days - points[0].days : 0};
    assert(kernels > 0 && trend.days >= 0);
    if (count < RL_TREND_LEAST || trend.days <= 0)
        return trend;
    const struct line line = fit(points, count);
    const double reach = rl_robust_limit(1 - RL_FEW_SESSIONS_CONFIDENCE, (double)kernels, line.freedom) * line.error * trend.days;
    const double rise = line.slope * trend.days;
    trend.ratio = (struct rl_ratio){
        .present = true, .has_interval = true, .estimate = exp(rise), .low = exp(rise - reach), .high = exp(rise + reach)};
    trend.per_week = expm1(line.slope * 7);
    trend.verdict = trend.ratio.low > 1 + smallest_effect                                             ? RL_SLOWER
                    : trend.ratio.high < 1 - smallest_effect                                          ? RL_FASTER
                    : trend.ratio.low > 1 - smallest_effect && trend.ratio.high < 1 + smallest_effect ? RL_SAME
                                                                                                      : RL_UNDECIDED;
    return trend;
}

void rl_trend_sparkline(const struct rl_trend_point *points, size_t count, struct rl_buf *out)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const double least_range = 0.01;
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, points[i].median_s);
        high = fmax(high, points[i].median_s);
    }
    const double range = fmax(high - low, least_range * low);
    for (size_t i = 0; i < count; i++) {
        const double height = (points[i].median_s - low) / range * (RL_COUNT(blocks) - 1);
        assert(height >= 0 && height < RL_COUNT(blocks));
        rl_buf_adds(out, blocks[(size_t)lround(height)]);
    }
}
