/* inputs.h - the random input of the suite, parallel computation of CPU references, and comparison of results with them.
 *
 * The variants of a session share their input, so the host keeps it in a table and computes each number once.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/parts.h"

/* The suite's random input.
 *
 * The generator is counter-based: element i of seed s is a function of (s, i). So device and host generate the same input
 * independently, in any order and in parallel, and a reference needs no copy of it. */

#ifdef __CUDACC__
#define RL_HOST_DEVICE __host__ __device__
#else
#define RL_HOST_DEVICE
#endif

/* Output number `index` of SplitMix64 started with `seed` (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
 * OOPSLA 2014). */
static inline RL_HOST_DEVICE uint64_t rl_random_bits(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A float strictly between 0 and 1: an odd multiple of 2^-24. It is never 0, never 1/2, and 1 - x is exact and of the same kind. */
static inline RL_HOST_DEVICE float rl_random_unit(uint64_t seed, uint64_t index)
{
    const uint32_t odd = (uint32_t)(rl_random_bits(seed, index) >> 41) * 2 + 1;

    return (float)odd * 0x1p-24f;
}

/* values[i] is rl_random_unit(seed, i) for i < count. */
struct rl_inputs {
    uint64_t seed, count;
    const float *values;
};
extern struct rl_inputs rl_inputs;

/* Extends the table of `seed` to at least `count` elements, on all processors. It is limited to 1 GiB and to an eighth of the free
 * memory of the machine and of the process's control group, and may be shorter for that reason. Do not call it while a reference is
 * being computed. */
void rl_inputs_have(uint64_t seed, uint64_t count);
/* Frees the table. */
void rl_inputs_release(void);

/* rl_random_unit(seed, index), from the table if it has it. Host only. */
static inline float rl_input_unit(uint64_t seed, uint64_t index)
{
    return index < rl_inputs.count && seed == rl_inputs.seed ? rl_inputs.values[index] : rl_random_unit(seed, index);
}

/* Number of threads to use for reference results (core/parts.h): the processors of the process's affinity, limited by
 * $SLURM_CPUS_PER_TASK; 1 to RL_PARALLEL_MOST. Determined once. */
size_t rl_parallel_width(void);

/* Bytes of memory that the process's control group, or one above it, may have at most; 0: no limit. */
uint64_t rl_parallel_memory(void);

/* Compares an output with its CPU reference.
 *
 *     struct rl_comparison comparison = {.reference = {expected_square, &seed, 0}};
 *     rl_compare(&comparison, chunk, 0, chunk_len);              any number of chunks
 *     rl_comparison_finish(&comparison, &check);
 *
 * Every element is compared, by as many threads as the process may use, so that a gigabyte takes a fraction of a second. */

struct rl_suite_check;

/* Writes the reference values of elements [start, start + count), computed in float64, to `values`. Called by several threads at
 * once, for at most some thousand elements at a time. */
typedef void (*rl_expected)(const void *context, uint64_t start, size_t count, double *values);

struct rl_reference {
    rl_expected expected; /* rl_each<> of device.cuh makes it from a function of a single element */
    const void *context;  /* passed to `expected` */
    double tolerance;     /* allowed: |value - expected| <= tolerance * max(1, |expected|); 0: equal. NaN is never right. */
};

/* A comparison in progress: the reference, and the results so far (initially zero). */
struct rl_comparison {
    struct rl_reference reference;
    bool words;     /* the elements are uint32_t, not float */
    size_t threads; /* number of threads; 0: rl_parallel_width(). The result does not depend on it */
    uint64_t compared, wrong;
    uint64_t first_wrong; /* lowest index of a wrong element; meaningful when wrong > 0 */
    double first_value;
    double largest_error;   /* absolute, of the elements that are right */
    uint64_t largest_place; /* lowest index of an element with that error; meaningful when it is over 0 */
};

/* Compares `count` values from element `start` on, and adds the results to `comparison`. */
void rl_compare(struct rl_comparison *comparison, const void *values, uint64_t start, size_t count);
/* Turns the results into a verdict and its sentence. It is not correct if nothing was compared. */
void rl_comparison_finish(const struct rl_comparison *comparison, struct rl_suite_check *check);
