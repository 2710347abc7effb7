/* ceiling_fma.cu - vector arithmetic and the other pipes: independent chains of fused multiply-adds x = x * f + x, with factors
 * that alternate so that the numbers neither grow nor vanish. That form reads two registers: with three different ones, two of
 * which lie in the same bank, the register file and not the arithmetic would be the limit (84 % of the FP32 rate of an H200).
 * Chains of roots keep the unit of special functions busy, rotations the integer pipe, and a multiply-add and a rotation in turn
 * the schedulers.
 */
#include "ceiling.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>
#include <stdlib.h>

enum {
    STEPS = 1024, /* fused multiply-adds of a thread in the body of the loop: few enough for the instruction cache */
    STARTS = 512  /* different numbers that chains start from */
};

/* ---- the types ---- */

/* A factor for each half of a pair. They are equal, but the compiler must not know: it would keep one half and take a form of the
 * instruction that only one of the two pipes for it can run. */
struct factors {
    float up[2], down[2];
};

/* T: what an instruction works on; WORDS: how many numbers of the data a chain starts from. */
struct fma_float {
    typedef float T;
    enum { WORDS = 1 };
    static __device__ __forceinline__ T make(const float *a) { return a[0]; }
    static __device__ __forceinline__ T step(T x, T f) { return fmaf(x, f, x); }
    static __device__ __forceinline__ uint32_t bits(T x) { return __float_as_uint(x); }
};

struct fma_double {
    typedef double T;
    enum { WORDS = 1 };
    static __device__ __forceinline__ T make(const float *a) { return a[0]; }
    static __device__ __forceinline__ T step(T x, T f) { return fma(x, f, x); }
    static __device__ __forceinline__ uint32_t bits(T x) { return (uint32_t)__double2loint(x) + (uint32_t)__double2hiint(x); }
};

/* GPUs without such an instruction never run this (min_cc of the configuration). */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 530
#define HALF_FMA(x, f) __hfma2(x, f, x)
#else
#define HALF_FMA(x, f) ((void)(f), (x))
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define BFLOAT_FMA(x, f) __hfma2(x, f, x)
#else
#define BFLOAT_FMA(x, f) ((void)(f), (x))
#endif

struct fma_half2 {
    typedef __half2 T;
    enum { WORDS = 2 };
    static __device__ __forceinline__ T make(const float *a) { return __floats2half2_rn(a[0], a[1]); }
    static __device__ __forceinline__ T step(T x, T f) { return HALF_FMA(x, f); }
    static __device__ __forceinline__ uint32_t bits(T x) { return *(const uint32_t *)&x; }
};

struct fma_bfloat2 {
    typedef __nv_bfloat162 T;
    enum { WORDS = 2 };
    static __device__ __forceinline__ T make(const float *a) { return __floats2bfloat162_rn(a[0], a[1]); }
    static __device__ __forceinline__ T step(T x, T f) { return BFLOAT_FMA(x, f); }
    static __device__ __forceinline__ uint32_t bits(T x) { return *(const uint32_t *)&x; }
};

/* Square roots' reciprocals of 1, of which the approximation is exact; the compiler knows of the numbers only that they are there.
 * (Reciprocals it leaves out in pairs, and what follows a power of two it works into the power.) The word tells the data. */
struct root {
    struct T {
        float number;
        uint32_t word;
    };
    enum { WORDS = 1 };
    static __device__ __forceinline__ T make(const float *a) /* of a number from 0 to 1, without 1 */
    {
        return {floorf(a[0]) + 1, __float_as_uint(a[0])};
    }
    static __device__ __forceinline__ T step(T x, T)
    {
        T y = x;
        asm volatile("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y.number) : "f"(x.number));
        return y;
    }
    static __device__ __forceinline__ uint32_t bits(T x) { return __float_as_uint(x.number) + x.word; }
};

/* By as many bits as the factor's exponent says, 27 or 26. */
struct rotation {
    typedef uint32_t T;
    enum { WORDS = 1 };
    static __device__ __forceinline__ T make(const float *a) { return __float_as_uint(a[0]); }
    static __device__ __forceinline__ T step(T x, T f) { return __funnelshift_l(x, x, f >> 23); }
    static __device__ __forceinline__ uint32_t bits(T x) { return x; }
};

struct fma_and_rotation {
    struct T {
        float number;
        uint32_t word;
    };
    enum { WORDS = 1 };
    static __device__ __forceinline__ T make(const float *a) { return {fma_float::make(a), rotation::make(a)}; }
    static __device__ __forceinline__ T step(T x, T f)
    {
        return {fma_float::step(x.number, f.number), rotation::step(x.word, f.word)};
    }
    static __device__ __forceinline__ uint32_t bits(T x) { return fma_float::bits(x.number) + rotation::bits(x.word); }
};

/* ---- the kernel ---- */

/* `rounds` steps of each chain, a multiple of STEPS / CHAINS: the first half of that many steps up, the second down again. */
template <class Type, int CHAINS>
__global__ void __launch_bounds__(256)
    fma_kernel(const float *a, uint64_t rounds, struct factors factors, struct rl_bench_mark mark)
{
    const struct rl_bench_watch watch = rl_bench_watch_start();
    const unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * CHAINS;
    const typename Type::T up = Type::make(factors.up), down = Type::make(factors.down);
    typename Type::T x[CHAINS];
    uint32_t sum = 0;
#pragma unroll
    for (int i = 0; i < CHAINS; i++)
        x[i] = Type::make(a + (first + i) % STARTS * Type::WORDS);
#pragma unroll 1
    for (uint64_t round = 0; round < rounds; round += STEPS / CHAINS) {
#pragma unroll
        for (int step = 0; step < STEPS / CHAINS; step++)
#pragma unroll
            for (int i = 0; i < CHAINS; i++)
                x[i] = Type::step(x[i], step < STEPS / CHAINS / 2 ? up : down);
    }
#pragma unroll
    for (int i = 0; i < CHAINS; i++)
        sum += Type::bits(x[i]);
    rl_bench_keep(mark, sum);
    rl_bench_watch_stop(mark, watch);
}

/* ---- the same on the CPU ---- */

/* 1/16 and -1/17: together they lead back to where a chain came from, but for rounding. */
static const float UP = 0.0625f, DOWN = -0.05882353f;

static float factor(uint64_t step, uint64_t half)
{
    return step / half % 2 ? DOWN : UP;
}

/* Bits after `rounds` steps of the chain that starts from a[0] (and a[1]), up for `half` steps, then down for as many, and so on.
 * Each step is rounded once, as on the device: for the narrow types product and sum are exact in float64 before they are rounded.
 */
typedef uint32_t (*chain)(const float *a, uint64_t rounds, uint64_t half);

static uint32_t chain_float(const float *a, uint64_t rounds, uint64_t half)
{
    float x = a[0];
    uint32_t bits;
    for (uint64_t i = 0; i < rounds; i++)
        x = fmaf(x, factor(i, half), x);
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint32_t chain_double(const float *a, uint64_t rounds, uint64_t half)
{
    double x = a[0];
    uint64_t bits;
    for (uint64_t i = 0; i < rounds; i++)
        x = fma(x, (double)factor(i, half), x);
    memcpy(&bits, &x, sizeof bits);
    return (uint32_t)bits + (uint32_t)(bits >> 32);
}

static uint32_t word_of(float number)
{
    uint32_t word;
    memcpy(&word, &number, sizeof word);
    return word;
}

static uint32_t chain_root(const float *a, uint64_t, uint64_t)
{
    return word_of(1) + word_of(a[0]);
}

static uint32_t chain_rotation(const float *a, uint64_t rounds, uint64_t half)
{
    uint32_t x = word_of(a[0]);
    for (uint64_t i = 0; i < rounds; i++) {
        const unsigned by = word_of(factor(i, half)) >> 23 & 31;
        x = x << by | x >> (32 - by);
    }
    return x;
}

static uint32_t chain_both(const float *a, uint64_t rounds, uint64_t half)
{
    return chain_float(a, rounds, half) + chain_rotation(a, rounds, half);
}

static __half narrow(double x, __half *)
{
    return __double2half(x);
}

static __nv_bfloat16 narrow(double x, __nv_bfloat16 *)
{
    return __double2bfloat16(x);
}

static double wide(__half x)
{
    return (double)__half2float(x);
}

static double wide(__nv_bfloat16 x)
{
    return (double)__bfloat162float(x);
}

/* Both halves of a packed pair. */
template <class Half> static uint32_t chain_packed(const float *a, uint64_t rounds, uint64_t half)
{
    uint32_t bits = 0;
    for (int side = 0; side < 2; side++) {
        Half x = narrow(a[side], (Half *)NULL);
        uint16_t pattern;
        for (uint64_t i = 0; i < rounds; i++)
            x = narrow(fma(wide(x), wide(narrow(factor(i, half), (Half *)NULL)), wide(x)), (Half *)NULL);
        memcpy(&pattern, &x, sizeof pattern);
        bits |= (uint32_t)pattern << (16 * side);
    }
    return bits;
}

/* ---- the table ---- */

struct row {
    const char *kernel;
    int unroll; /* chains */
    void (*function)(const float *, uint64_t, struct factors, struct rl_bench_mark);
    chain expected;
    int words;
};

#define ROW(name, type, chains, expected)                                                                                          \
    {                                                                                                                              \
        name, chains, fma_kernel<type, chains>, expected, type::WORDS                                                              \
    }
#define ROWS(name, type, expected) ROW(name, type, 4, expected), ROW(name, type, 8, expected), ROW(name, type, 16, expected)

static const struct row rows[] = {
    ROWS("DFMA", fma_double, chain_double),
    ROWS("FFMA", fma_float, chain_float),
    ROWS("HFMA2", fma_half2, chain_packed<__half>),
    ROWS("HFMA2.BF16", fma_bfloat2, chain_packed<__nv_bfloat16>),
    ROWS("MUFU", root, chain_root),
    ROWS("SHF", rotation, chain_rotation),
    ROWS("FFMA and SHF", fma_and_rotation, chain_both),
};

static enum rl_status launch(struct rl_bench_space *space, const struct rl_bench_case *c, size_t slot, bool checking,
                             struct rl_err *err)
{
    RL_BENCH_ROW(row, rows, c, err);
    return rl_bench_start(space, c, 0, row->function, err, (const float *)space->a, c->rounds, {{UP, UP}, {DOWN, DOWN}},
                          rl_bench_mark_of(space, slot, checking));
}

static uint64_t expected(const struct rl_bench_space *space, const struct rl_bench_case *c)
{
    const struct row *row = rl_bench_row(rows, c); /* it was launched */
    const uint64_t chains = (uint64_t)c->grid * c->block * row->unroll;
    uint32_t sum = 0;
    for (uint64_t i = 0; i < STARTS; i++) {
        const float a[2] = {rl_random_unit(space->seed, i * row->words), rl_random_unit(space->seed, i * row->words + 1)};
        const uint64_t alike = chains / STARTS + (i < chains % STARTS); /* chains that start from the same number */
        sum += (uint32_t)alike * row->expected(a, c->rounds, c->step / 2);
    }
    return sum;
}

RL_BENCH_OPS(fma, launch, rl_bench_check_sum<launch, expected>)
