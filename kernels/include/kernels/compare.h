/* compare.h - compares an output with its CPU reference.
 *
 *     struct rl_comparison comparison = {.reference = {expected_square, &seed, 0}};
 *     rl_compare(&comparison, chunk, 0, chunk_len);              any number of chunks
 *     rl_comparison_finish(&comparison, &check);
 *
 * Every element is compared, by as many threads as the process may use, so that a gigabyte takes a fraction of a second.
 */
#ifndef RL_KERNELS_COMPARE_H
#define RL_KERNELS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rl_suite_check;

/* Writes what the elements [start, start + count) must be, computed in float64, to `values`. Called from several threads at once,
 * for at most some thousand elements at a time. */
typedef void (*rl_expected)(const void *context, uint64_t start, size_t count, double *values);

struct rl_reference {
    rl_expected expected; /* rl_each<> of device.cuh makes one of a function of a single element */
    const void *context;  /* handed to `expected` */
    double tolerance;     /* allowed: |value - expected| <= tolerance * max(1, |expected|); 0: equal. NaN is never right. */
};

/* A comparison in progress: what to compare with, and the results so far (zero to begin with). */
struct rl_comparison {
    struct rl_reference reference;
    bool words;     /* the elements are uint32_t, not float */
    size_t threads; /* that compare; 0: as many as are worth using (kernels/parallel.h). The result is the same */
    uint64_t compared, wrong;
    uint64_t first_wrong; /* lowest index of a wrong element; meaningful when wrong > 0 */
    double first_value;
    double largest_error;   /* absolute, of the elements that are right */
    uint64_t largest_place; /* lowest index of an element with that error; meaningful when it is over 0 */
};

/* Compares `count` values, the first of which is element `start`, and adds what it finds to `comparison`. */
void rl_compare(struct rl_comparison *comparison, const void *values, uint64_t start, size_t count);
/* Turns the results into a verdict and its sentence. Nothing compared is not correct. */
void rl_comparison_finish(const struct rl_comparison *comparison, struct rl_suite_check *check);

#endif
