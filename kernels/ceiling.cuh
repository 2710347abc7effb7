/* ceiling.cuh - what the files of the micro-benchmarks share. Each exports one symbol, RL_BENCH_OPS(family, launch, check).
 * ceiling.cu drives the families; what they call is in ceiling_check.cu. */
#pragma once

#include "device.cuh"

extern "C" {
#include "kernels/ceiling.h"
}

/* Where a launch leaves what it found, and whether every thread does. A timed launch computes its sum like a checked one, and
 * stores it in the one case of 2^32 in which it equals `key`: the compiler cannot know that it will not. */
struct rl_bench_mark {
    struct rl_bench_result *result;
    uint32_t mask, key;
};

struct rl_bench_ops {
    /* Enqueues one launch; with `checking` every thread adds its sum to the slot. */
    enum rl_status (*launch)(struct rl_bench_space *space, const struct rl_bench_case *c, size_t slot, bool checking,
                             struct rl_err *err);
    /* Launches the case, which rl_bench_check has made small, and compares. */
    enum rl_status (*check)(struct rl_bench_space *space, const struct rl_bench_case *c, struct rl_suite_check *check,
                            struct rl_err *err);
};
#define RL_BENCH_OPS(family, ...)                                                                                                  \
    extern "C" {                                                                                                                   \
    extern const struct rl_bench_ops rl_bench_##family;                                                                            \
    const struct rl_bench_ops rl_bench_##family = {__VA_ARGS__};                                                                   \
    }

struct rl_bench_mark rl_bench_mark_of(const struct rl_bench_space *space, size_t slot, bool checking);
/* Reads `count` results from slot `first` on. */
enum rl_status rl_bench_results(const struct rl_bench_space *space, size_t first, size_t count, struct rl_bench_result *results,
                                struct rl_err *err);
/* Clears slot 0, launches once with `checking`, waits and reads the sum. */
enum rl_status rl_bench_sum(struct rl_bench_space *space, const struct rl_bench_case *c,
                            enum rl_status (*launch)(struct rl_bench_space *, const struct rl_bench_case *, size_t, bool,
                                                     struct rl_err *),
                            uint64_t *sum, struct rl_err *err);
/* Vector `i` of the output as it must be. */
typedef uint4 (*rl_bench_expected)(const struct rl_bench_space *space, uint64_t i);
/* Poisons the output, launches once and compares every word of it. */
enum rl_status rl_bench_check_output(struct rl_bench_space *space, const struct rl_bench_case *c,
                                     enum rl_status (*launch)(struct rl_bench_space *, const struct rl_bench_case *, size_t, bool,
                                                              struct rl_err *),
                                     rl_bench_expected expected, struct rl_suite_check *check, struct rl_err *err);
/* The verdict on a sum of which the bits in `bits` count. */
void rl_bench_verdict(struct rl_suite_check *check, const struct rl_bench_case *c, uint64_t sum, uint64_t expected, uint64_t bits);
/* Bit pattern of a float of buffer a. */
uint32_t rl_bench_word_of_a(const struct rl_bench_space *space, uint64_t i);
/* Sum of the bit patterns of the first `count` floats of buffer a. */
uint32_t rl_bench_sum_of_a(const struct rl_bench_space *space, uint64_t count);
/* ceiling_cublas.cu: releases what it holds, if anything. */
void rl_bench_close_library(struct rl_bench_space *space);
/* RL_FAILED: "the benchmarks have no kernel 'x'": ceilings.def and the .cu file disagree. */
enum rl_status rl_bench_no_kernel(const struct rl_bench_case *c, struct rl_err *err);

/* Launches kernel<<<grid, block, shared_bytes>>>(arguments...) of the case. */
template <class... Parameters>
enum rl_status rl_bench_start(const struct rl_bench_space *space, const struct rl_bench_case *c, size_t shared_bytes,
                              void (*kernel)(Parameters...), struct rl_err *err, typename rl_as_is<Parameters>::type... arguments)
{
    void *addresses[] = {&arguments..., nullptr};
    const void *function = reinterpret_cast<const void *>(kernel);

    if (shared_bytes > 48 * 1024)
        RL_TRY(RL_CUDA(err, cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes)));
    return RL_CUDA(err, cudaLaunchKernel(function, c->grid, c->block, addresses, shared_bytes, (cudaStream_t)space->stream));
}

/* The kernel of a family's table with the case's name and unroll. Static: rows of several files have one name and other members. */
template <class Row, size_t N> static const Row *rl_bench_row(const Row (&rows)[N], const struct rl_bench_case *c)
{
    for (const Row &row : rows)
        if (strcmp(row.kernel, c->configuration->kernel) == 0 && row.unroll == c->configuration->unroll)
            return &row;
    return nullptr;
}

/* Declares `row`, that of the case, or returns rl_bench_no_kernel from the function. */
#define RL_BENCH_ROW(row, rows, c, err)                                                                                            \
    const auto *const row = rl_bench_row(rows, c);                                                                                 \
    if (!row)                                                                                                                      \
    return rl_bench_no_kernel(c, err)

using rl_bench_launcher = enum rl_status(struct rl_bench_space *, const struct rl_bench_case *, size_t, bool, struct rl_err *);

/* The operation `check` of kernels whose threads' sums add up to Expected(space, case) modulo 2^32. */
template <rl_bench_launcher *Launch, uint64_t (*Expected)(const struct rl_bench_space *, const struct rl_bench_case *)>
static enum rl_status rl_bench_check_sum(struct rl_bench_space *space, const struct rl_bench_case *c, struct rl_suite_check *check,
                                         struct rl_err *err)
{
    uint64_t sum = 0;

    RL_TRY(rl_bench_sum(space, c, Launch, &sum, err));
    rl_bench_verdict(check, c, sum, Expected(space, c), UINT32_MAX);
    return RL_OK;
}

/* ---- device code ---- */

/* Every thread calls this with its own sum at its end. */
static __device__ __forceinline__ void rl_bench_keep(const struct rl_bench_mark &mark, uint64_t sum)
{
    if (((uint32_t)sum & mark.mask) == mark.key)
        atomicAdd((unsigned long long *)&mark.result->sum, (unsigned long long)sum);
}

/* The SM's cycles and the GPU's time at one moment, seen by the first thread of the first block. */
struct rl_bench_watch {
    uint64_t cycles, ns;
};

static __device__ __forceinline__ uint64_t rl_bench_ns()
{
    uint64_t ns;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
    return ns;
}

static __device__ __forceinline__ uint64_t rl_bench_cycles()
{
    uint64_t cycles;

    asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
    return cycles;
}

/* Both clocks at the same moment: a warp may wait long for its turn between two instructions, so the cycles are read again until
 * they lie within a microsecond of the GPU's time. */
static __device__ __forceinline__ struct rl_bench_watch rl_bench_watch_now()
{
    struct rl_bench_watch watch;
    uint64_t later;
    int tries = 0;

    do {
        watch.ns = rl_bench_ns();
        watch.cycles = rl_bench_cycles();
        later = rl_bench_ns();
    } while (later - watch.ns > 1000 && ++tries < 100);
    return watch;
}

static __device__ __forceinline__ struct rl_bench_watch rl_bench_watch_start()
{
    struct rl_bench_watch watch = {};

    if (blockIdx.x == 0 && threadIdx.x == 0)
        watch = rl_bench_watch_now();
    return watch;
}

static __device__ __forceinline__ void rl_bench_watch_stop(const struct rl_bench_mark &mark, const struct rl_bench_watch &start)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        const struct rl_bench_watch stop = rl_bench_watch_now();
        atomicAdd((unsigned long long *)&mark.result->cycles, (unsigned long long)(stop.cycles - start.cycles));
        atomicAdd((unsigned long long *)&mark.result->ns, (unsigned long long)(stop.ns - start.ns));
    }
}

static __device__ __forceinline__ uint32_t rl_bench_add(uint4 v)
{
    return v.x + v.y + (v.z + v.w);
}
