/* inputs.h - the random input of the suite, how its references are computed by several threads, and how results are compared
 * with them.
 *
 * The input is a table, for references: the variants of a session share their input, so each number is worked out
 * once and not once for every variant.
 */
#ifndef RL_KERNELS_INPUTS_H
#define RL_KERNELS_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The suite's random input.
 *
 * The generator is counter-based: element i of seed s is a function of (s, i) alone. So device and host make the same gigabyte
 * independently, in any order and in parallel, and a reference needs no copy of the input. */

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

/* Makes the table one of `seed` with at least `count` elements, working out what is missing on all processors, as long as it stays
 * below 1 GiB and an eighth of the memory that this machine and the process's control group have left; beyond that it ends earlier.
 * Not to be called while a reference is being worked out. */
void rl_inputs_have(uint64_t seed, uint64_t count);
/* Gives the memory back. */
void rl_inputs_release(void);

/* rl_random_unit(seed, index), from the table where it is there. For the host only. */
static inline float rl_input_unit(uint64_t seed, uint64_t index)
{
    return index < rl_inputs.count && seed == rl_inputs.seed ? rl_inputs.values[index] : rl_random_unit(seed, index);
}

/* Host work on all processors that this process may use: computes the reference results.
 *
 * No thread runs between two calls, so measurements have the machine to themselves. */

/* Threads worth using: the processors that the scheduler lets this process run on, or fewer when its control group is given less
 * time than that ($SLURM_CPUS_PER_TASK is obeyed too); at least 1, at most RL_PARALLEL_MOST. Found out once. */
size_t rl_parallel_width(void);
enum { RL_PARALLEL_MOST = 64 };

/* Whole processors in a control group's limit: the text of `cpu.max` ("QUOTA PERIOD", "max PERIOD"). At least 1; 0: no limit, or
 * not such a text. */
uint64_t rl_parallel_quota(const char *text);

/* Bytes of memory that the process's control group may have at most; 0: no limit. */
uint64_t rl_parallel_memory(void);

/* Does a piece: the elements [first, first + count), as thread `thread` of those that work (0: the caller). */
typedef void (*rl_parallel_piece)(void *context, size_t first, size_t count, size_t thread);

/* Cuts [0, count) into pieces of `grain` elements (the last one may be shorter), has each of them done exactly once by at most
 * `width` threads (0: rl_parallel_width()), the caller among them, and returns when all are done. Which thread does which piece
 * differs from run to run: what a result is put together from must not depend on it. `grain` is at least 1. A call from within a
 * piece is done by its caller alone. A piece must not fork. */
void rl_parallel_for(size_t width, size_t count, size_t grain, rl_parallel_piece piece, void *context);

/* Compares an output with its CPU reference.
 *
 *     struct rl_comparison comparison = {.reference = {expected_square, &seed, 0}};
 *     rl_compare(&comparison, chunk, 0, chunk_len);              any number of chunks
 *     rl_comparison_finish(&comparison, &check);
 *
 * Every element is compared, by as many threads as the process may use, so that a gigabyte takes a fraction of a second. */

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
    size_t threads; /* that compare; 0: as many as are worth using (kernels/inputs.h). The result is the same */
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
