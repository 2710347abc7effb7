/* attribution_share.c - least squares, what each sample counted shared out by it, and both without each block
 * (attribution_parts.h). */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "attribution_parts.h"
#include "core/mem.h"

/* Solutions: 0 of all samples, 1 + b without block b. They lie side by side, with a few that nobody reads, so that the processor
 * takes several at a time. */
enum { SOLUTIONS = RL_DESIGN_BLOCKS + 1, LANES = 24 };

/* What is worked out for the counters that arrive alike. */
struct sharing {
    struct rl_attributing *at;
    struct rl_alike alike;
    uint8_t *block_of; /* of each sample */
    double *x;         /* counter of `alike` x column x lane: by least squares */
    double *got;       /* the same: what was shared out to it */
    double *units;     /* column x lane */
    double *kept;      /* as `got`: of the block that the solution is without */
    double *first;     /* counter x column: solution 0 */
    struct rl_shares *shares;
    struct rl_coarse coarse; /* finer parts of short launches are only looked at (attribution_edges.c) */
};

static bool alike(const struct rl_arrival *a, const struct rl_arrival *b)
{
    return a->begin_ns == b->begin_ns && a->end_ns == b->end_ns && a->tail_ns == b->tail_ns;
}

static void subtract(double *to, const double *from, const double *less, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = from[i] - less[i];
}

/* What rounding leaves of columns that are all in the block that was taken away is nothing. */
static void forget_gone(const struct rl_products *all, size_t n, size_t counters, struct rl_products *left)
{
    for (size_t i = 0; i < n; i++) {
        if (left->gram[i * n + i] > 1e-9 * all->gram[i * n + i])
            continue;
        for (size_t j = 0; j < n; j++)
            left->gram[i * n + j] = left->gram[j * n + i] = 0;
        for (size_t c = 0; c < counters; c++)
            left->moment[c * n + i] = 0;
    }
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

/* Solution 0 is also that of the lanes that nobody reads. */
static void solve_one(struct sharing *sharing, size_t solution, const struct rl_products *of, double *x)
{
    struct rl_attributing *at = sharing->at;
    const size_t n = at->columns.count;
    rl_coarse_take(&sharing->coarse, of->gram, &at->nnls);
    for (size_t column = 0; column < n; column++)
        sharing->units[column * LANES + solution] = of->weight[column];
    for (size_t i = 0; i < sharing->alike.count; i++) {
        double *first = &sharing->first[i * n];
        (void)rl_coarse_solve(&sharing->coarse, &at->nnls, &of->moment[sharing->alike.counters[i] * n], solution ? first : NULL, x);
        if (solution == 0)
            memcpy(first, x, n * sizeof *x);
        for (size_t column = 0; column < n; column++)
            for (size_t lane = solution; lane < (solution ? solution + 1 : LANES); lane++)
                sharing->x[(i * n + column) * LANES + lane] = x[column];
    }
}

/* Least squares of all samples and without each block. */
static void solve(struct sharing *sharing)
{
    struct rl_attributing *at = sharing->at;
    const size_t n = at->columns.count, counters = at->sampled->counter_count;
    struct rl_products blocks[RL_DESIGN_BLOCKS], sums[2]; /* all, and what is left without one */
    double *x = rl_calloc(n, sizeof *x);
    rl_products_init(at->sampled, &at->columns, RL_DESIGN_BLOCKS, blocks);
    rl_products_init(at->sampled, &at->columns, 2, sums);
    rl_design_products(at->sampled, &at->columns, &sharing->alike.arrival, at->sampled->sample_count, RL_DESIGN_BLOCKS,
                       sharing->block_of, blocks);
    add_up(blocks, n, counters, &sums[0]);
    solve_one(sharing, 0, &sums[0], x);
    rl_find_edges(at, &sums[0], &sharing->alike, sharing->first, sharing->shares);
    for (size_t b = 0; b < RL_DESIGN_BLOCKS; b++) {
        subtract(sums[1].gram, sums[0].gram, blocks[b].gram, n * n);
        subtract(sums[1].moment, sums[0].moment, blocks[b].moment, n * counters);
        subtract(sums[1].weight, sums[0].weight, blocks[b].weight, n);
        forget_gone(&sums[0], n, counters, &sums[1]);
        solve_one(sharing, 1 + b, &sums[1], x);
    }
    rl_products_release(sums, 2);
    rl_products_release(blocks, RL_DESIGN_BLOCKS);
    free(x);
}

/* Where a solution expects nothing of what ran in a sample, what was counted goes by time. */
static void share_by_time(const struct rl_design_row *row, double value, size_t lane, double *got)
{
    double parts = 0;
    for (size_t i = 0; i < row->count; i++)
        parts += row->weight[row->used[i]];
    for (size_t i = 0; i < row->count; i++)
        got[row->used[i] * LANES + lane] += value * row->weight[row->used[i]] / parts;
}

/* Shares one sample's value out by each solution, in proportion to what it expects; to `kept` by that without the sample's block.
 */
static void share_value(const struct rl_design_row *row, double value, size_t block, const double *x, double *got, double *kept)
{
    double expected[LANES] = {0}, factor[LANES];
    const size_t without = 1 + block;
    for (size_t i = 0; i < row->count; i++) {
        const double weight = row->weight[row->used[i]], *of = &x[row->used[i] * LANES];
        for (size_t lane = 0; lane < LANES; lane++)
            expected[lane] += weight * of[lane];
    }
    for (size_t lane = 0; lane < LANES; lane++)
        factor[lane] = expected[lane] > 0 ? value / expected[lane] : 0;
    const double factor_without = factor[without];
    factor[without] = 0;
    for (size_t i = 0; i < row->count; i++) {
        const double weight = row->weight[row->used[i]], *of = &x[row->used[i] * LANES];
        double *to = &got[row->used[i] * LANES];
        for (size_t lane = 0; lane < LANES; lane++)
            to[lane] += weight * of[lane] * factor[lane];
        kept[row->used[i] * LANES + without] += weight * of[without] * factor_without;
    }
    for (size_t lane = 0; lane < SOLUTIONS; lane++)
        if (expected[lane] <= 0)
            share_by_time(row, value, lane, lane == without ? kept : got);
}

/* What of a sample's value might as well have been the others'. What is shared out to the time in which nothing ran is nobody's. */
static void contest(const struct sharing *sharing, const struct rl_design_row *row, double value, const double *x,
                    double *contested)
{
    const uint32_t nothing = (uint32_t)sharing->at->columns.count - 1;
    double expected = 0, of_kernels = 0;
    for (size_t i = 0; i < row->count; i++) {
        const double expects = row->weight[row->used[i]] * x[row->used[i] * LANES];
        expected += expects;
        of_kernels += row->used[i] == nothing ? 0 : expects;
    }
    for (size_t i = 0; expected > 0 && i < row->count; i++) {
        const double own = row->weight[row->used[i]] * x[row->used[i] * LANES];
        double together = 0; /* with the parts that are one */
        for (size_t k = 0; k < row->count; k++)
            if (sharing->coarse.of[row->used[k]] == sharing->coarse.of[row->used[i]])
                together += row->weight[row->used[k]] * x[row->used[k] * LANES];
        const double others = of_kernels - together;
        contested[row->used[i]] += together > 0 ? value / expected * (together < others ? together : others) * own / together : 0;
    }
}

static void share_row(void *context, size_t sample, const struct rl_design_row *row)
{
    struct sharing *sharing = context;
    const struct rl_sampled *sampled = sharing->at->sampled;
    const size_t n = sharing->at->columns.count;
    for (size_t i = 0; i < sharing->alike.count; i++) {
        const double value = sampled->values[sample * sampled->counter_count + sharing->alike.counters[i]];
        if (value <= 0)
            continue;
        share_value(row, value, sharing->block_of[sample], &sharing->x[i * n * LANES], &sharing->got[i * n * LANES],
                    &sharing->kept[i * n * LANES]);
        contest(sharing, row, value, &sharing->x[i * n * LANES], &sharing->shares->contested[sharing->alike.counters[i] * n]);
    }
}

/* Value of a unit by the solution without block `b`: of the other samples, or of all of them. */
static double without_block(const struct sharing *sharing, size_t cell, size_t b)
{
    const double *units = &sharing->units[cell % sharing->at->columns.count * LANES];
    const double got = sharing->got[cell * LANES + 1 + b], kept = sharing->kept[cell * LANES + 1 + b];
    if (sharing->at->sampled->sums)
        return units[0] > 0 ? (got + kept) / units[0] : -1;
    return units[1 + b] > 1e-9 * units[0] ? got / units[1 + b] : -1;
}

static void keep(const struct sharing *sharing, struct rl_shares *shares)
{
    const size_t n = shares->columns;
    for (size_t i = 0; i < sharing->alike.count; i++)
        for (size_t column = 0; column < n; column++) {
            const double *units = &sharing->units[column * LANES], *got = &sharing->got[(i * n + column) * LANES];
            const size_t to = sharing->alike.counters[i] * n + column;
            shares->weight[to] = units[0];
            shares->value[to] = units[0] > 0 ? got[0] / units[0] : -1;
            for (size_t b = 0; b < RL_DESIGN_BLOCKS; b++)
                shares->replicate[b][to] = without_block(sharing, i * n + column, b);
        }
}

/* The counters that arrive like `first` and were not worked out yet. */
static void gather(const struct rl_arrival_found *arrivals, size_t first, bool *done, struct sharing *sharing)
{
    sharing->alike.count = 0;
    sharing->alike.arrival = arrivals[first].best;
    for (size_t c = first; c < sharing->at->sampled->counter_count; c++)
        if (!done[c] && alike(&arrivals[c].best, &arrivals[first].best)) {
            sharing->alike.counters[sharing->alike.count++] = c;
            done[c] = true;
        }
}

static void make_room(const struct sharing *sharing, struct rl_shares *shares)
{
    const size_t n = sharing->at->columns.count, cells = n * sharing->at->sampled->counter_count;
    *shares = (struct rl_shares){.columns = n,
                                 .value = rl_calloc(cells, sizeof(double)),
                                 .weight = rl_calloc(cells, sizeof(double)),
                                 .contested = rl_calloc(cells, sizeof(double)),
                                 .changed = rl_calloc(cells, sizeof(double)),
                                 .finer = rl_calloc(cells, sizeof(double)),
                                 .chunk_got = rl_calloc(cells * RL_CHUNKS, sizeof(double)),
                                 .chunk_weight = rl_calloc(cells * RL_CHUNKS, sizeof(double))};
    for (size_t b = 0; b < RL_DESIGN_BLOCKS; b++)
        shares->replicate[b] = rl_calloc(cells, sizeof(double));
}

void rl_share_out(struct rl_attributing *at, const struct rl_arrival_found *arrivals, struct rl_shares *shares)
{
    const size_t n = at->columns.count, counters = at->sampled->counter_count, samples = at->sampled->sample_count;
    bool *done = rl_calloc(counters, sizeof *done);
    struct sharing sharing = {.at = at,
                              .alike.counters = rl_calloc(counters, sizeof(size_t)),
                              .block_of = rl_design_blocks(samples, RL_DESIGN_BLOCKS),
                              .x = rl_calloc(LANES * counters * n, sizeof(double)),
                              .got = rl_calloc(LANES * counters * n, sizeof(double)),
                              .kept = rl_calloc(LANES * counters * n, sizeof(double)),
                              .units = rl_calloc(LANES * n, sizeof(double)),
                              .first = rl_calloc(counters * n, sizeof(double)),
                              .shares = shares};
    make_room(&sharing, shares);
    rl_coarse_make(at, false, &sharing.coarse);
    for (size_t c = 0; c < counters; c++) {
        if (done[c])
            continue;
        gather(arrivals, c, done, &sharing);
        assert(sharing.alike.count > 0);
        solve(&sharing);
        memset(sharing.got, 0, LANES * counters * n * sizeof(double));
        memset(sharing.kept, 0, LANES * counters * n * sizeof(double));
        rl_design_rows(at->sampled, &at->columns, &sharing.alike.arrival, samples, share_row, &sharing);
        keep(&sharing, shares);
        rl_share_tenths(at, &sharing.alike, shares);
    }
    rl_coarse_release(&sharing.coarse);
    free(sharing.first);
    free(sharing.units);
    free(sharing.kept);
    free(sharing.got);
    free(sharing.x);
    free(sharing.block_of);
    free(sharing.alike.counters);
    free(done);
}

void rl_shares_release(struct rl_shares *shares)
{
    for (size_t b = 0; b < RL_DESIGN_BLOCKS; b++)
        free(shares->replicate[b]);
    free(shares->value);
    free(shares->weight);
    free(shares->contested);
    free(shares->changed);
    free(shares->finer);
    free(shares->chunk_got);
    free(shares->chunk_weight);
}
