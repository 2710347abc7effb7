/* nnls.h - least squares with results that are not negative. Private to the collector. */
#ifndef RL_COLLECTOR_NNLS_H
#define RL_COLLECTOR_NNLS_H

#include <stdbool.h>
#include <stddef.h>

/* Room for problems of up to `size` unknowns. */
struct rl_nnls {
    size_t size;
    double *factor, *trial; /* size x size, size */
    size_t *free_at;        /* the unknowns that are not held at 0 */
    bool *is_free;
};
/* Free with rl_nnls_release. */
void rl_nnls_init(struct rl_nnls *nnls, size_t size);
void rl_nnls_release(struct rl_nnls *nnls);
/* The x >= 0 (n numbers) that minimises x'Gx - 2 r'x, where `gram` is G = A'A (n x n, rows of `stride` numbers, positive
 * semidefinite) and `moment` r = A'b of a least-squares problem: Lawson and Hanson, Solving Least Squares Problems, 1974, chapter
 * 23, on the normal equations (Bro and de Jong, J. Chemometrics 11, 1997), begun with all unknowns free. Unknowns whose column is 0
 * stay 0. */
void rl_nnls_solve(struct rl_nnls *nnls, const double *gram, size_t stride, const double *moment, size_t n, double *x);

#endif
