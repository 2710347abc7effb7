/* attribution_edges.c - what finer parts at the edges of long launches have changed (attribution_parts.h). Where a kernel ends with
 * nothing but stores, or begins late, its neighbours would lose or gain by parts that are as long as a sample; by finer ones they
 * lose less, and how much that still is goes with what they have changed. */
#include <stdlib.h>

#include "attribution_parts.h"
#include "core/mem.h"

/* Least squares with the parts of each edge as one column. */
struct coarse {
    size_t count;
    size_t *of;    /* of each column: the one that it is a part of */
    double *share; /* how much of that one's work it has */
    double *gram, *moment, *x;
};

/* Columns of kinds come in any order: the first part of an edge makes the column of it. */
static void map_columns(const struct rl_attributing *at, struct coarse *coarse)
{
    const size_t n = at->columns.count;
    const size_t edges = at->plan->class_count * RL_CUT_LENGTHS * RL_CUT_EDGES;
    size_t *first = rl_calloc(edges, sizeof *first); /* 1 + the column; 0: none yet */
    for (size_t i = 0; i < n; i++) {
        const struct rl_kind *kind = i + 2 < n ? &at->kinds[at->columns.kind_of[i]] : NULL;
        size_t edge;
        double share = 1;
        if (!kind || !rl_split_edge(kind, &edge, &share)) {
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

static void take_gram(const double *gram, size_t n, struct coarse *coarse)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            coarse->gram[coarse->of[i] * coarse->count + coarse->of[j]] += coarse->share[i] * coarse->share[j] * gram[i * n + j];
}

static void take_moment(const double *moment, size_t n, struct coarse *coarse)
{
    for (size_t i = 0; i < coarse->count; i++)
        coarse->moment[i] = 0;
    for (size_t i = 0; i < n; i++)
        coarse->moment[coarse->of[i]] += coarse->share[i] * moment[i];
}

void rl_find_edges(const struct rl_attributing *at, const struct rl_products *all, const struct rl_alike *alike, const double *fine,
                   double *changed)
{
    const size_t n = at->columns.count;
    struct coarse coarse = {.of = rl_calloc(n, sizeof(size_t)), .share = rl_calloc(n, sizeof(double))};
    struct rl_nnls nnls;
    map_columns(at, &coarse);
    const size_t m = coarse.count;
    coarse.gram = rl_calloc(m * m, sizeof(double));
    coarse.moment = rl_calloc(m, sizeof(double));
    coarse.x = rl_calloc(m, sizeof(double));
    rl_nnls_init(&nnls, m);
    take_gram(all->gram, n, &coarse);
    rl_nnls_take(&nnls, coarse.gram, m, m);
    for (size_t i = 0; i < alike->count && m < n; i++) {
        const size_t counter = alike->counters[i];
        take_moment(&all->moment[counter * n], n, &coarse);
        rl_nnls_solve(&nnls, coarse.moment, NULL, coarse.x);
        for (size_t column = 0; column < n; column++)
            changed[counter * n + column] = fine[i * n + column] - coarse.share[column] * coarse.x[coarse.of[column]];
    }
    rl_nnls_release(&nnls);
    free(coarse.x);
    free(coarse.moment);
    free(coarse.gram);
    free(coarse.share);
    free(coarse.of);
}
