/* nnls.c - least squares with results that are not negative (nnls.h). */
#include "nnls.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

static const double RIDGE = 1e-10;    /* of the diagonal: columns that depend on one another share what they explain */
static const double TOLERANCE = 1e-9; /* of the largest moment */

struct problem {
    const double *gram, *moment;
    size_t stride, n;
};

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

static size_t list_free(struct rl_nnls *nnls, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (nnls->is_free[i])
            nnls->free_at[count++] = i;
    return count;
}

/* Cholesky's factor of the Gram matrix of the free unknowns, lower triangle, by rows. */
static void factorise(struct rl_nnls *nnls, const struct problem *problem, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = problem->gram[nnls->free_at[i] * problem->stride + nnls->free_at[j]];
            if (i == j)
                sum *= 1 + RIDGE;
            for (size_t k = 0; k < j; k++)
                sum -= nnls->factor[i * nnls->size + k] * nnls->factor[j * nnls->size + k];
            nnls->factor[i * nnls->size + j] = i == j ? sqrt(fmax(sum, 1e-300)) : sum / nnls->factor[j * nnls->size + j];
        }
}

/* The unconstrained solution for the free unknowns in `trial`, 0 for the others. */
static void solve_free(struct rl_nnls *nnls, const struct problem *problem)
{
    const size_t count = list_free(nnls, problem->n);
    double *x = nnls->trial;
    factorise(nnls, problem, count);
    memset(x, 0, problem->n * sizeof *x);
    for (size_t i = 0; i < count; i++) {
        double sum = problem->moment[nnls->free_at[i]];
        for (size_t k = 0; k < i; k++)
            sum -= nnls->factor[i * nnls->size + k] * x[nnls->free_at[k]];
        x[nnls->free_at[i]] = sum / nnls->factor[i * nnls->size + i];
    }
    for (size_t i = count; i-- > 0;) {
        double sum = x[nnls->free_at[i]];
        for (size_t k = i + 1; k < count; k++)
            sum -= nnls->factor[k * nnls->size + i] * x[nnls->free_at[k]];
        x[nnls->free_at[i]] = sum / nnls->factor[i * nnls->size + i];
    }
}

/* Goes from x towards the trial as far as nothing becomes negative, and holds at 0 what would; true when the whole way was free. */
static bool step(struct rl_nnls *nnls, size_t n, double *x)
{
    double way = 1;
    for (size_t i = 0; i < n; i++)
        if (nnls->is_free[i] && nnls->trial[i] < 0)
            way = fmin(way, x[i] / (x[i] - nnls->trial[i]));
    bool whole = true;
    for (size_t i = 0; i < n; i++) {
        const bool stops = nnls->is_free[i] && nnls->trial[i] < 0 && x[i] <= way * (x[i] - nnls->trial[i]);
        x[i] += way * (nnls->trial[i] - x[i]);
        if (stops) {
            x[i] = 0;
            nnls->is_free[i] = false;
            whole = false;
        }
    }
    return whole;
}

/* The held unknown that would make the sum of squares fall most; n: none would. */
static size_t steepest(const struct rl_nnls *nnls, const struct problem *problem, const double *x)
{
    size_t best = problem->n;
    double most = 0, scale = 0;
    for (size_t i = 0; i < problem->n; i++)
        scale = fmax(scale, fabs(problem->moment[i]));
    most = TOLERANCE * scale;
    for (size_t i = 0; i < problem->n; i++) {
        if (nnls->is_free[i] || problem->gram[i * problem->stride + i] <= 0)
            continue;
        double gradient = problem->moment[i];
        for (size_t k = 0; k < problem->n; k++)
            gradient -= problem->gram[i * problem->stride + k] * x[k];
        if (gradient > most) {
            most = gradient;
            best = i;
        }
    }
    return best;
}

void rl_nnls_solve(struct rl_nnls *nnls, const double *gram, size_t stride, const double *moment, size_t n, double *x)
{
    assert(n <= nnls->size && stride >= n);
    const struct problem problem = {gram, moment, stride, n};
    memset(x, 0, n * sizeof *x);
    for (size_t i = 0; i < n; i++)
        nnls->is_free[i] = gram[i * stride + i] > 0;
    for (size_t tries = 0; tries < 3 * n + 1; tries++) { /* Lawson and Hanson's bound in practice */
        do
            solve_free(nnls, &problem);
        while (!step(nnls, n, x));
        const size_t next = steepest(nnls, &problem, x);
        if (next == n)
            return;
        nnls->is_free[next] = true;
    }
}
