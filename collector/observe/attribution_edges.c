/* attribution_edges.c - what finer parts at the edges of launches change (attribution_parts.h). Where a kernel ends with nothing
 * but stores, or begins late, its neighbours would lose or gain by parts that are as long as a sample; by finer ones they lose
 * less, and how much that still is goes with what they have changed. Of launches that are shorter than three samples finer parts
 * cannot be told well enough to be believed: what they would change is in the interval. */
#include <stdlib.h>
#include <string.h>

#include "attribution_parts.h"
#include "core/mem.h"

/* Columns of kinds come in any order: the first part of an edge makes the column of it. */
static void map_columns(const struct rl_attributing *at, bool of_all, struct rl_coarse *coarse)
{
    const size_t n = at->columns.count;
    const size_t edges = at->plan->class_count * RL_CUT_LENGTHS * RL_CUT_EDGES;
    size_t *first = rl_calloc(edges, sizeof *first); /* 1 + the column; 0: none yet */
    for (size_t i = 0; i < n; i++) {
        const struct rl_kind *kind = i + 2 < n ? &at->kinds[at->columns.kind_of[i]] : NULL;
        size_t edge;
        double share = 1;
        if (!kind || (!of_all && kind->parts == RL_CUT_PARTS) || !rl_split_edge(kind, &edge, &share)) {
            coarse->of[i] = coarse->count++;
            coarse->share[i] = 1;
            continue;
        }
        size_t *to = &first[(kind->class_id * RL_CUT_LENGTHS + kind->bin) * RL_CUT_EDGES + edge];
        *to = *to ? *to : ++coarse->count;
        coarse->of[i] = *to - 1;
        coarse->share[i] = share;
    }
    free(first);
}

void rl_coarse_make(const struct rl_attributing *at, bool of_all, struct rl_coarse *coarse)
{
    const size_t n = at->columns.count;
    *coarse = (struct rl_coarse){.fine = n, .of = rl_calloc(n, sizeof(size_t)), .share = rl_calloc(n, sizeof(double))};
    map_columns(at, of_all, coarse);
    coarse->gram = rl_calloc(coarse->count * coarse->count, sizeof(double));
    coarse->moment = rl_calloc(coarse->count, sizeof(double));
    coarse->x = rl_calloc(coarse->count, sizeof(double));
    coarse->like = rl_calloc(coarse->count, sizeof(double));
}

void rl_coarse_release(struct rl_coarse *coarse)
{
    free(coarse->like);
    free(coarse->x);
    free(coarse->moment);
    free(coarse->gram);
    free(coarse->share);
    free(coarse->of);
    *coarse = (struct rl_coarse){0};
}

void rl_coarse_take(struct rl_coarse *coarse, const double *gram, struct rl_nnls *nnls)
{
    const size_t n = coarse->fine, m = coarse->count;
    memset(coarse->gram, 0, m * m * sizeof(double));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            coarse->gram[coarse->of[i] * m + coarse->of[j]] += coarse->share[i] * coarse->share[j] * gram[i * n + j];
    rl_nnls_take(nnls, coarse->gram, m, m);
}

double rl_coarse_solve(struct rl_coarse *coarse, struct rl_nnls *nnls, const double *moment, const double *like, double *x)
{
    double explained = 0;
    memset(coarse->moment, 0, coarse->count * sizeof(double));
    for (size_t i = 0; i < coarse->fine; i++) {
        coarse->moment[coarse->of[i]] += coarse->share[i] * moment[i];
        if (like)
            coarse->like[coarse->of[i]] = like[i] / coarse->share[i];
    }
    rl_nnls_solve(nnls, coarse->moment, like ? coarse->like : NULL, coarse->x);
    for (size_t i = 0; i < coarse->count; i++)
        explained += coarse->x[i] * coarse->moment[i];
    for (size_t i = 0; i < coarse->fine; i++)
        x[i] = coarse->share[i] * coarse->x[coarse->of[i]];
    return explained;
}

void rl_find_edges(struct rl_attributing *at, const struct rl_products *all, const struct rl_alike *alike, const double *found,
                   struct rl_shares *shares)
{
    const size_t n = at->columns.count;
    struct rl_coarse coarse;
    double *x = rl_calloc(n, sizeof *x);
    rl_coarse_make(at, true, &coarse);
    rl_coarse_take(&coarse, all->gram, &at->nnls);
    for (size_t i = 0; i < alike->count; i++) {
        const size_t to = alike->counters[i] * n;
        (void)rl_coarse_solve(&coarse, &at->nnls, &all->moment[to], NULL, x);
        for (size_t column = 0; column < n; column++)
            shares->changed[to + column] = found[i * n + column] - x[column];
    }
    rl_nnls_take(&at->nnls, all->gram, n, n);
    for (size_t i = 0; i < alike->count; i++) {
        const size_t to = alike->counters[i] * n;
        rl_nnls_solve(&at->nnls, &all->moment[to], NULL, x);
        for (size_t column = 0; column < n; column++)
            shares->finer[to + column] = x[column] - found[i * n + column];
    }
    rl_coarse_release(&coarse);
    free(x);
}
