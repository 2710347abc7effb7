/* nnls.h - least squares with results that are not negative. Private to the collector.
 *
 *     rl_nnls_init -> { rl_nnls_take -> { rl_nnls_solve } ... } ... -> rl_nnls_release
 *
 * Many problems have one matrix. What was factorised for one serves the next as far as both hold the same unknowns at 0: an unknown
 * that is let free costs n^2 steps, one that is held those of the unknowns factorised after it, the first problem n^3 / 6. */
#ifndef RL_COLLECTOR_NNLS_H
#define RL_COLLECTOR_NNLS_H

#include <stdbool.h>
#include <stddef.h>

/* Room for problems of up to `size` unknowns. */
struct rl_nnls {
    size_t size;
    const double *gram; /* the matrix that was taken: n x n, rows of `stride` numbers */
    size_t stride, n;
    double *factor, *trial; /* size x size, size */
    size_t *free_at;        /* the unknowns that are not held at 0, in the order of the factor's rows */
    size_t free_count, factored;
    bool *is_free;
};
/* Room for problems of up to `size` unknowns. Free with rl_nnls_release. */
void rl_nnls_init(struct rl_nnls *nnls, size_t size);
/* Zeroes it. */
void rl_nnls_release(struct rl_nnls *nnls);
/* Takes the matrix G = A'A of a least-squares problem (n x n, rows of `stride` numbers, positive semidefinite), which must stay as
 * it is until another one is taken. */
void rl_nnls_take(struct rl_nnls *nnls, const double *gram, size_t stride, size_t n);
/* The x >= 0 (n numbers) that minimises x'Gx - 2 r'x, where `moment` is r = A'b: Lawson and Hanson, Solving Least Squares Problems,
 * 1974, chapter 23, on the normal equations (Bro and de Jong, J. Chemometrics 11, 1997). It is begun with those unknowns free that
 * are above 0 in `like`, the solution of a similar problem, or, where that is NULL, with all. Unknowns whose column is 0 stay 0. */
void rl_nnls_solve(struct rl_nnls *nnls, const double *moment, const double *like, double *x);

#endif
