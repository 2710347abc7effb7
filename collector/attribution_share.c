/* attribution_share.c - least squares, what each sample counted shared out by it, and both without each block
 * (attribution_parts.h). */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "attribution_parts.h"
#include "core/mem.h"

/* Solutions: 0 of all samples, 1 + b without block b. */
enum { SOLUTIONS = RL_DESIGN_BLOCKS + 1 };

/* The counters that arrive alike are worked out together. */
struct sharing {
    struct rl_attributing *at;
    struct rl_arrival arrival;
    size_t *counters, counter_count;
    double *x;                /* solution x counter of `counters` x column: by least squares */
    double *got;              /* the same: what was shared out to it */
    double *units[SOLUTIONS]; /* of each column */
};

static bool alike(const struct rl_arrival *a, const struct rl_arrival *b)
{
    return a->delay_ns == b->delay_ns && a->tail_ns == b->tail_ns;
}

static double *cell(const struct sharing *sharing, double *of, size_t solution, size_t counter)
{
    return &of[(solution * sharing->counter_count + counter) * sharing->at->columns.count];
}

static void subtract(double *to, const double *from, const double *less, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = from[i] - less[i];
}

static void add_up(const struct rl_products *blocks, size_t n, size_t counters, struct rl_products *sum)
{
    for (size_t b = 0; b < RL_DESIGN_BLOCKS; b++) {
        for (size_t i = 0; i < n * n; i++)
            sum->gram[i] += blocks[b].gram[i];
        for (size_t i = 0; i < n * counters; i++)
            sum->moment[i] += blocks[b].moment[i];
        for (size_t i = 0; i < n; i++)
            sum->weight[i] += blocks[b].weight[i];
    }
}

/* Least squares of all samples and without each block. */
static void solve(struct sharing *sharing)
{
    struct rl_attributing *at = sharing->at;
    const size_t n = at->columns.count, counters = at->sampled->counter_count;
    struct rl_products blocks[RL_DESIGN_BLOCKS], sums[2]; /* all, and what is left without one */
    rl_products_init(at->sampled, &at->columns, RL_DESIGN_BLOCKS, blocks);
    rl_products_init(at->sampled, &at->columns, 2, sums);
    rl_design_products(at->sampled, &at->columns, &sharing->arrival, at->sampled->sample_count, RL_DESIGN_BLOCKS, blocks);
    add_up(blocks, n, counters, &sums[0]);
    for (size_t solution = 0; solution < SOLUTIONS; solution++) {
        const struct rl_products *of = solution ? &sums[1] : &sums[0];
        if (solution) {
            subtract(sums[1].gram, sums[0].gram, blocks[solution - 1].gram, n * n);
            subtract(sums[1].moment, sums[0].moment, blocks[solution - 1].moment, n * counters);
            subtract(sums[1].weight, sums[0].weight, blocks[solution - 1].weight, n);
        }
        memcpy(sharing->units[solution], of->weight, n * sizeof(double));
        for (size_t i = 0; i < sharing->counter_count; i++)
            rl_nnls_solve(&at->nnls, of->gram, n, &of->moment[sharing->counters[i] * n], n, cell(sharing, sharing->x, solution, i));
    }
    rl_products_release(sums, 2);
    rl_products_release(blocks, RL_DESIGN_BLOCKS);
}

/* Shares one sample's value out by one solution: in proportion to what it expects; by time where it expects nothing. */
static void share_one(const struct rl_design_row *row, double value, const double *x, double *got)
{
    double expected = 0, parts = 0;
    for (size_t i = 0; i < row->count; i++) {
        expected += row->weight[row->used[i]] * x[row->used[i]];
        parts += row->weight[row->used[i]];
    }
    for (size_t i = 0; i < row->count; i++) {
        const uint32_t column = row->used[i];
        got[column] += expected > 0 ? value * row->weight[column] * x[column] / expected : value * row->weight[column] / parts;
    }
}

static void share_row(void *context, size_t sample, const struct rl_design_row *row)
{
    struct sharing *sharing = context;
    const struct rl_sampled *sampled = sharing->at->sampled;
    const size_t block = rl_design_block(sample, sampled->sample_count, RL_DESIGN_BLOCKS);
    for (size_t i = 0; i < sharing->counter_count; i++) {
        const double value = sampled->values[sample * sampled->counter_count + sharing->counters[i]];
        for (size_t solution = 0; value > 0 && solution < SOLUTIONS; solution++)
            if (solution != block + 1)
                share_one(row, value, cell(sharing, sharing->x, solution, i), cell(sharing, sharing->got, solution, i));
    }
}

static void keep(struct sharing *sharing, struct rl_shares *shares)
{
    const size_t n = shares->columns;
    for (size_t i = 0; i < sharing->counter_count; i++)
        for (size_t solution = 0; solution < SOLUTIONS; solution++)
            for (size_t column = 0; column < n; column++) {
                const double units = sharing->units[solution][column], got = cell(sharing, sharing->got, solution, i)[column];
                const size_t to = sharing->counters[i] * n + column;
                const bool some = units > 1e-9 * sharing->units[0][column];
                *(solution ? &shares->replicate[solution - 1][to] : &shares->value[to]) = some ? got / units : -1;
                shares->weight[to] = sharing->units[0][column];
            }
}

/* The counters that arrive like `first` and were not worked out yet. */
static void gather(const struct rl_arrival_found *arrivals, size_t first, bool *done, struct sharing *sharing)
{
    sharing->counter_count = 0;
    sharing->arrival = arrivals[first].best;
    for (size_t c = first; c < sharing->at->sampled->counter_count; c++)
        if (!done[c] && alike(&arrivals[c].best, &arrivals[first].best)) {
            sharing->counters[sharing->counter_count++] = c;
            done[c] = true;
        }
}

void rl_share_out(struct rl_attributing *at, const struct rl_arrival_found *arrivals, struct rl_shares *shares)
{
    const size_t n = at->columns.count, counters = at->sampled->counter_count;
    bool *done = rl_calloc(counters, sizeof *done);
    struct sharing sharing = {.at = at,
                              .counters = rl_calloc(counters, sizeof(size_t)),
                              .x = rl_calloc(SOLUTIONS * counters * n, sizeof(double)),
                              .got = rl_calloc(SOLUTIONS * counters * n, sizeof(double))};
    for (size_t i = 0; i < SOLUTIONS; i++)
        sharing.units[i] = rl_calloc(n, sizeof(double));
    *shares = (struct rl_shares){
        .columns = n, .value = rl_calloc(counters * n, sizeof(double)), .weight = rl_calloc(counters * n, sizeof(double))};
    for (size_t b = 0; b < RL_DESIGN_BLOCKS; b++)
        shares->replicate[b] = rl_calloc(counters * n, sizeof(double));
    for (size_t c = 0; c < counters; c++) {
        if (done[c])
            continue;
        gather(arrivals, c, done, &sharing);
        assert(sharing.counter_count > 0);
        solve(&sharing);
        memset(sharing.got, 0, SOLUTIONS * counters * n * sizeof(double));
        rl_design_rows(at->sampled, &at->columns, &sharing.arrival, at->sampled->sample_count, share_row, &sharing);
        keep(&sharing, shares);
    }
    for (size_t i = 0; i < SOLUTIONS; i++)
        free(sharing.units[i]);
    free(sharing.got);
    free(sharing.x);
    free(sharing.counters);
    free(done);
}

void rl_shares_release(struct rl_shares *shares)
{
    for (size_t b = 0; b < RL_DESIGN_BLOCKS; b++)
        free(shares->replicate[b]);
    free(shares->value);
    free(shares->weight);
}
