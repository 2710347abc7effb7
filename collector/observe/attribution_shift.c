/* attribution_shift.c - how far the clock of samples is from that of launches (attribution_parts.h). */
#include <math.h>
#include <stdlib.h>

#include "attribution_parts.h"
#include "core/mem.h"

static const double FURTHEST_NS = 20e3;  /* looked for this far on either side, or two samples */
static const double FINEST_NS = 50;      /* the clocks tick in 32 ns */
static const double LEAST_SPREAD = 0.03; /* standard deviation of the busy part below which it tells no time */
static const double FAVOUR_NEAR = 0.01;  /* of periodic kernels many shifts are as good; the least one is likelier */
/* Where kernels run nearly all the time, those that do other work at their ends look like a shift: one of more than this is less
 * likely than that (the clocks of H100 and H200 were apart by 0 to 1.3 us). */
static const double FAR_NS = 2000, FAVOUR_NOT_FAR = 0.05;

static double mean_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

static double correlation(const double *x, const double *y, size_t n, double *spread)
{
    const double mean_x = mean_of(x, n), mean_y = mean_of(y, n);
    double xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    *spread = sqrt(xx / (double)n);
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
}

/* What goes into a score, and room. */
struct scoring {
    struct rl_attributing *at;
    double *busy, *rate, *x, *variance;
    struct rl_products products;
    struct rl_coarse coarse;
    double furthest_ns;
    double favour_not_far;
    bool all_lag; /* no other counter tells the time */
    double (*score)(struct scoring *scoring, double shift_ns);
};

/* Correlation of the busy counter with the part of each sample in which kernels ran. */
static double score_busy(struct scoring *scoring, double shift_ns)
{
    double spread = 0;
    const struct rl_sampled *probe = scoring->at->probe;
    rl_design_busy(probe, shift_ns, probe->sample_count, scoring->busy);
    const double r = correlation(scoring->busy, scoring->rate, probe->sample_count, &spread);
    return spread < LEAST_SPREAD ? 0 : r;
}

/* Where classes are asked, the busy counter says nothing: it does not vary. */
static bool tells_time(const struct scoring *scoring, size_t counter)
{
    const struct rl_sampled *sampled = scoring->at->sampled;
    const bool lags = sampled->lags && sampled->lags[counter];
    return scoring->variance[counter] > 0 && (scoring->all_lag || (counter != sampled->busy_counter && !lags));
}

/* Mean over the other counters that do not lag (over all, where there are none) of the multiple correlation with what ran. Parts of
 * edges of their own would take a shift for what short kernels do there. */
static double score_classes(struct scoring *scoring, double shift_ns)
{
    struct rl_attributing *at = scoring->at;
    const size_t n = at->columns.count, counters = at->sampled->counter_count;
    const struct rl_arrival arrival = {.shift_ns = shift_ns};
    double sum = 0;
    size_t counted = 0;
    rl_design_products(at->probe, &at->columns, &arrival, at->probe->sample_count, 1, NULL, &scoring->products);
    rl_coarse_take(&scoring->coarse, scoring->products.gram, &at->nnls);
    for (size_t c = 0; c < counters; c++) {
        if (!tells_time(scoring, c))
            continue;
        const double left = scoring->products.squares[c] -
                            rl_coarse_solve(&scoring->coarse, &at->nnls, &scoring->products.moment[c * n], NULL, scoring->x);
        sum += sqrt(fmax(0, 1 - left / scoring->variance[c]));
        counted++;
    }
    return counted ? sum / (double)counted : 0;
}

static double favoured(struct scoring *scoring, double shift_ns)
{
    return scoring->score(scoring, shift_ns) -
           (FAVOUR_NEAR * fabs(shift_ns) + scoring->favour_not_far * fmax(fabs(shift_ns) - FAR_NS, 0)) / scoring->furthest_ns;
}

static struct rl_shift_found best_of(struct scoring *scoring, double step_ns)
{
    struct rl_shift_found best = {0, favoured(scoring, 0)};
    const int steps = (int)ceil(scoring->furthest_ns / step_ns);
    for (int i = -steps; i <= steps; i++) {
        const double score = favoured(scoring, i * step_ns);
        if (score > best.correlation)
            best = (struct rl_shift_found){i * step_ns, score};
    }
    for (double step = step_ns / 2; step >= FINEST_NS / 2; step /= 2) {
        const double from = best.shift_ns;
        for (int side = -1; side <= 1; side += 2) {
            const double score = favoured(scoring, from + side * step);
            if (score > best.correlation)
                best = (struct rl_shift_found){from + side * step, score};
        }
    }
    best.correlation = scoring->score(scoring, best.shift_ns);
    return best;
}

static void prepare(struct scoring *scoring)
{
    const struct rl_sampled *sampled = scoring->at->probe;
    const size_t n = sampled->sample_count, counters = sampled->counter_count;
    for (size_t s = 0; s < n; s++) {
        const double ns = (double)(sampled->end_ns[s] - sampled->start_ns[s]);
        scoring->rate[s] = ns > 0 ? sampled->values[s * counters + sampled->busy_counter] / ns : 0;
    }
    for (size_t c = 0; c < counters; c++) {
        double sum = 0, squares = 0;
        for (size_t s = 0; s < n; s++) {
            sum += sampled->values[s * counters + c];
            squares += sampled->values[s * counters + c] * sampled->values[s * counters + c];
        }
        scoring->variance[c] = squares - sum * sum / (double)n;
    }
    bool any = false;
    for (size_t c = 0; c < counters; c++)
        any = any || tells_time(scoring, c);
    scoring->all_lag = !any;
}

struct rl_shift_found rl_find_shift(struct rl_attributing *at)
{
    const struct rl_sampled *sampled = at->probe;
    const double sample_ns = (double)at->sample_ns;
    struct scoring scoring = {.at = at,
                              .busy = rl_calloc(sampled->sample_count, sizeof(double)),
                              .rate = rl_calloc(sampled->sample_count, sizeof(double)),
                              .x = rl_calloc(at->columns.count, sizeof(double)),
                              .variance = rl_calloc(sampled->counter_count, sizeof(double)),
                              .furthest_ns = fmax(FURTHEST_NS, 2 * sample_ns),
                              .score = score_busy};
    rl_products_init(sampled, &at->columns, 1, &scoring.products);
    rl_coarse_make(at, false, &scoring.coarse);
    prepare(&scoring);
    struct rl_shift_found best = best_of(&scoring, fmax(500, sample_ns / 4));
    if (best.correlation < 0.5) {
        scoring.score = score_classes;
        scoring.favour_not_far = FAVOUR_NOT_FAR;
        scoring.furthest_ns = fmax(FURTHEST_NS / 4, sample_ns);
        best = best_of(&scoring, fmax(1000, sample_ns / 4));
    }
    rl_products_release(&scoring.products, 1);
    rl_coarse_release(&scoring.coarse);
    free(scoring.variance);
    free(scoring.x);
    free(scoring.rate);
    free(scoring.busy);
    return best;
}
