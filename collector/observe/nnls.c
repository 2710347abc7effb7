/* nnls.c - least squares with results that are not negative (nnls.h). */
#include "nnls.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

static const double RIDGE = 1e-10;    /* of the diagonal: columns that depend on one another share what they explain */
static const double TOLERANCE = 1e-9; /* of the largest moment */

void rl_nnls_init(struct rl_nnls *nnls, size_t size)
{
    *nnls = (struct rl_nnls){.size = size,
                             .factor = rl_calloc(size * size, sizeof *nnls->factor),
                             .trial = rl_calloc(size, sizeof *nnls->trial),
                             .free_at = rl_calloc(size, sizeof *nnls->free_at),
                             .is_free = rl_calloc(size, sizeof *nnls->is_free)};
}

void rl_nnls_release(struct rl_nnls *nnls)
{
    free(nnls->factor);
    free(nnls->trial);
    free(nnls->free_at);
    free(nnls->is_free);
    *nnls = (struct rl_nnls){0};
}

void rl_nnls_take(struct rl_nnls *nnls, const double *gram, size_t stride, size_t n)
{
    assert(n <= nnls->size && stride >= n);
    nnls->gram = gram;
    nnls->stride = stride;
    nnls->n = n;
    nnls->free_count = nnls->factored = 0;
    memset(nnls->is_free, 0, n * sizeof *nnls->is_free);
}

/* Four sums, so that no addition waits for the one before. */
static double dot(const double *a, const double *b, size_t n)
{
    double sum[4] = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++)
            sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        sum[0] += a[i] * b[i];
    return sum[0] + sum[1] + (sum[2] + sum[3]);
}

/* ---- which unknowns are free ---- */

static void let_free(struct rl_nnls *nnls, size_t unknown)
{
    nnls->is_free[unknown] = true;
    nnls->free_at[nnls->free_count++] = unknown;
}

/* Drops from the list of the free what was held meanwhile; rows of the factor before the first of those stay good. */
static void drop_held(struct rl_nnls *nnls)
{
    size_t kept = 0;
    for (size_t i = 0; i < nnls->free_count; i++) {
        if (nnls->is_free[nnls->free_at[i]])
            nnls->free_at[kept++] = nnls->free_at[i];
        else if (kept == i && i < nnls->factored)
            nnls->factored = i;
    }
    nnls->free_count = kept;
    nnls->factored = nnls->factored < kept ? nnls->factored : kept;
}

/* ---- solving ---- */

/* Cholesky's factor of the Gram matrix of the free unknowns, lower triangle, by rows: those that are not there yet. */
static void factorise(struct rl_nnls *nnls)
{
    for (size_t i = nnls->factored; i < nnls->free_count; i++) {
        double *row = &nnls->factor[i * nnls->size];
        const double *gram = &nnls->gram[nnls->free_at[i] * nnls->stride];
        for (size_t j = 0; j < i; j++) {
            const double *above = &nnls->factor[j * nnls->size];
            row[j] = (gram[nnls->free_at[j]] - dot(row, above, j)) / above[j];
        }
        const double own = gram[nnls->free_at[i]];
        row[i] =
            sqrt(fmax(own * (1 + RIDGE) - dot(row, row, i), own * RIDGE)); /* where it depends on others rounding may leave less */
    }
    nnls->factored = nnls->free_count;
}

/* The unconstrained solution for the free unknowns in `trial`, 0 for the others. */
static void solve_free(struct rl_nnls *nnls, const double *moment, double *y)
{
    const size_t count = nnls->free_count;
    factorise(nnls);
    for (size_t i = 0; i < count; i++) {
        const double *row = &nnls->factor[i * nnls->size];
        y[i] = (moment[nnls->free_at[i]] - dot(row, y, i)) / row[i];
    }
    memset(nnls->trial, 0, nnls->n * sizeof *nnls->trial);
    for (size_t i = count; i-- > 0;) {
        const double *row = &nnls->factor[i * nnls->size];
        const double x = y[i] / row[i];
        for (size_t k = 0; k < i; k++)
            y[k] -= row[k] * x;
        nnls->trial[nnls->free_at[i]] = x;
    }
}

/* How far x[i] can go towards its trial before it is negative, 1: all the way. What rounding has left of an unknown that nothing
 * tells of has a trial that is no number: it goes nowhere, and is held. */
static double way_of(const struct rl_nnls *nnls, const double *x, size_t i)
{
    if (!nnls->is_free[i])
        return 1;
    if (!isfinite(nnls->trial[i]))
        return 0;
    return nnls->trial[i] >= 0 ? 1 : x[i] / (x[i] - nnls->trial[i]);
}

static bool is_bad(const struct rl_nnls *nnls, size_t i)
{
    return nnls->is_free[i] && !(nnls->trial[i] >= 0 && isfinite(nnls->trial[i]));
}

/* Goes from x towards the trial as far as nothing becomes negative, and holds at 0 what would; true when the whole way was free. */
static bool step(struct rl_nnls *nnls, double *x)
{
    double way = 1;
    size_t first = nnls->n; /* the one that would become negative first: rounded, its way is not always what it was */
    for (size_t i = 0; i < nnls->n; i++) {
        if (!is_bad(nnls, i))
            continue;
        const double until = way_of(nnls, x, i);
        first = first == nnls->n || until < way ? i : first;
        way = fmin(way, until);
    }
    for (size_t i = 0; i < nnls->n; i++) {
        const bool stops = is_bad(nnls, i) && (i == first || way_of(nnls, x, i) <= way);
        x[i] += way > 0 ? way * (nnls->trial[i] - x[i]) : 0;
        if (stops) {
            x[i] = 0;
            nnls->is_free[i] = false;
        }
    }
    if (first != nnls->n)
        drop_held(nnls);
    return first == nnls->n;
}

/* The held unknown that would make the sum of squares fall most; n: none would. */
static size_t steepest(const struct rl_nnls *nnls, const double *moment, const double *x)
{
    size_t best = nnls->n;
    double most = 0, scale = 0;
    for (size_t i = 0; i < nnls->n; i++)
        scale = fmax(scale, fabs(moment[i]));
    most = TOLERANCE * scale;
    for (size_t i = 0; i < nnls->n; i++) {
        const double *row = &nnls->gram[i * nnls->stride];
        if (nnls->is_free[i] || row[i] <= 0)
            continue;
        const double gradient = moment[i] - dot(row, x, nnls->n);
        if (gradient > most) {
            most = gradient;
            best = i;
        }
    }
    return best;
}

/* Keeps of the list what is to be free, in its order, and adds the rest. */
static void begin_free(struct rl_nnls *nnls, const double *moment, const double *like)
{
    bool any = false;
    for (size_t i = 0; i < nnls->n; i++)
        any = any || moment[i] > 0; /* otherwise x is 0: no step could make the sum of squares fall */
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < nnls->n; i++) {
            const bool wanted = any && nnls->gram[i * nnls->stride + i] > 0 && (!like || like[i] > 0);
            if (pass && wanted && !nnls->is_free[i])
                let_free(nnls, i);
            else if (!wanted)
                nnls->is_free[i] = false;
        }
        drop_held(nnls);
    }
}

void rl_nnls_solve(struct rl_nnls *nnls, const double *moment, const double *like, double *x)
{
    assert(nnls->gram);
    double *y = rl_calloc(nnls->n + 1, sizeof *y);
    memset(x, 0, nnls->n * sizeof *x);
    begin_free(nnls, moment, like);
    for (size_t tries = 0; tries < 3 * nnls->n + 1; tries++) { /* Lawson and Hanson's bound in practice */
        do
            solve_free(nnls, moment, y);
        while (!step(nnls, x));
        const size_t next = steepest(nnls, moment, x);
        if (next == nnls->n)
            break;
        let_free(nnls, next);
    }
    free(y);
}
