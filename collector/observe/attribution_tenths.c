/* attribution_tenths.c - least squares of each tenth of the time, and what its samples counted shared out by it
 * (attribution_parts.h). */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "attribution_parts.h"
#include "core/mem.h"

enum { TENTHS = RL_ATTRIBUTED_TENTHS };

void rl_clock_samples(const struct rl_sampled *sampled, struct rl_clocked *clocked)
{
    const size_t samples = sampled->sample_count;
    size_t count[TENTHS] = {0}, met[TENTHS] = {0};
    assert(samples > 0);
    const double lasts = (double)(sampled->end_ns[samples - 1] - sampled->start_ns[0]);
    *clocked = (struct rl_clocked){.tenth = rl_calloc(samples, 1),
                                   .chunk = rl_calloc(samples, 1),
                                   .first_ns = (double)sampled->start_ns[0],
                                   .tenth_ns = fmax(lasts, 1) / TENTHS};
    for (size_t s = 0; s < samples; s++) {
        clocked->tenth[s] = (uint8_t)rl_tenth_of(clocked, (double)sampled->start_ns[s]);
        count[clocked->tenth[s]]++;
    }
    for (size_t s = 0; s < samples; s++) {
        const size_t tenth = clocked->tenth[s];
        clocked->chunk[s] = (uint8_t)(tenth * RL_TENTH_CHUNKS + met[tenth]++ * RL_TENTH_CHUNKS / count[tenth]);
    }
}

size_t rl_tenth_of(const struct rl_clocked *clocked, double ns)
{
    return (size_t)fmin(fmax((ns - clocked->first_ns) / clocked->tenth_ns, 0), TENTHS - 1);
}

void rl_clocked_release(struct rl_clocked *clocked)
{
    free(clocked->tenth);
    free(clocked->chunk);
    *clocked = (struct rl_clocked){0};
}

struct tenths {
    struct rl_attributing *at;
    const struct rl_alike *alike;
    struct rl_shares *shares;
    double *x; /* counter of `alike` x tenth x column */
};

static void solve(const struct tenths *tenths)
{
    struct rl_attributing *at = tenths->at;
    const size_t n = at->columns.count;
    struct rl_products products[TENTHS];
    struct rl_coarse coarse;
    rl_coarse_make(at, false, &coarse);
    rl_products_init(at->sampled, &at->columns, TENTHS, products);
    rl_design_products(at->sampled, &at->columns, &tenths->alike->arrival, at->sampled->sample_count, TENTHS, at->clocked.tenth,
                       products);
    for (size_t tenth = 0; tenth < TENTHS; tenth++) {
        rl_coarse_take(&coarse, products[tenth].gram, &at->nnls);
        for (size_t i = 0; i < tenths->alike->count; i++)
            (void)rl_coarse_solve(&coarse, &at->nnls, &products[tenth].moment[tenths->alike->counters[i] * n], NULL,
                                  &tenths->x[(i * TENTHS + tenth) * n]);
    }
    rl_products_release(products, TENTHS);
    rl_coarse_release(&coarse);
}

/* In proportion to what is expected; by time where nothing is. */
static void share_value(const struct rl_design_row *row, double value, const double *x, double *got, double *weight)
{
    double expected = 0, parts = 0;
    for (size_t i = 0; i < row->count; i++) {
        const uint32_t column = row->used[i];
        expected += row->weight[column] * x[column];
        parts += row->weight[column];
        weight[column] += row->weight[column];
    }
    for (size_t i = 0; i < row->count && value > 0; i++) {
        const uint32_t column = row->used[i];
        got[column] += value * row->weight[column] * (expected > 0 ? x[column] / expected : 1 / parts);
    }
}

static void share_row(void *context, size_t sample, const struct rl_design_row *row)
{
    const struct tenths *tenths = context;
    const struct rl_attributing *at = tenths->at;
    const size_t n = at->columns.count, chunk = at->clocked.chunk[sample], tenth = at->clocked.tenth[sample];
    for (size_t i = 0; i < tenths->alike->count; i++) {
        const size_t counter = tenths->alike->counters[i], to = (counter * RL_CHUNKS + chunk) * n;
        share_value(row, at->sampled->values[sample * at->sampled->counter_count + counter], &tenths->x[(i * TENTHS + tenth) * n],
                    &tenths->shares->chunk_got[to], &tenths->shares->chunk_weight[to]);
    }
}

void rl_share_tenths(struct rl_attributing *at, const struct rl_alike *alike, struct rl_shares *shares)
{
    const struct tenths tenths = {at, alike, shares, rl_calloc(alike->count * TENTHS * at->columns.count, sizeof(double))};
    solve(&tenths);
    rl_design_rows(at->sampled, &at->columns, &alike->arrival, at->sampled->sample_count, share_row, (void *)&tenths);
    free(tenths.x);
}
