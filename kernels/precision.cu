/* precision.cu - one chain of fused multiply-adds in four types: how much faster the narrower ones are. Each element is multiplied
 * by 1 + a and by 1 - a in turn, as x + x a and x - x a: two registers to an instruction, which is what the pipes take at full
 * rate. Chains that depend on nothing but themselves fill each thread.
 */
#include "device.cuh"

#include <assert.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>
#include <stdio.h>

enum {
    BLOCK = 256,
    CHAINS = 8, /* of a thread, each of one value or of a pair */
    STEPS = 2048,
    STARTS = 128, /* different values that a chain may begin with */
};

/* Exact in all types, and so large that no chain of the narrowest type comes to rest. An argument of the kernel: the compiler
 * cannot fold it. */
static const float A = 11.0f / 128;

/* ---- the types ---- */

/* WIDTH: elements that one instruction handles; UNROLL: steps in one round of the loop, an even number, at which the pipes are
 * busiest. Packing is exact. Unpacking of 16-bit types moves bits, because the instruction that converts them counts as an
 * addition; values are positive and normal. */
struct fp64 {
    using type = double;
    enum { WIDTH = 1, UNROLL = 32 };
    __host__ __device__ static type pack(const float (&x)[WIDTH]) { return (double)x[0]; }
    __device__ static type fma(type x, type a) { return __fma_rn(x, a, x); }
    __device__ static void unpack(float (&x)[WIDTH], type v) { x[0] = (float)v; }
};

struct fp32 {
    using type = float;
    enum { WIDTH = 1, UNROLL = 128 };
    __host__ __device__ static type pack(const float (&x)[WIDTH]) { return x[0]; }
    __device__ static type fma(type x, type a) { return __fmaf_rn(x, a, x); }
    __device__ static void unpack(float (&x)[WIDTH], type v) { x[0] = v; }
};

/* GPUs without such instructions are refused (min_cc), and in code for them these types do nothing. */
struct fp16x2 {
    using type = __half2;
    enum { WIDTH = 2, UNROLL = 32 };
    __host__ __device__ static type pack(const float (&x)[WIDTH]) { return __floats2half2_rn(x[0], x[1]); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 530
    __device__ static type fma(type x, type a) { return __hfma2(x, a, x); }
    __device__ static float widen(__half v) { return __uint_as_float(((uint32_t)__half_as_ushort(v) << 13) + 0x38000000u); }
    __device__ static void unpack(float (&x)[WIDTH], type v)
    {
        x[0] = widen(__low2half(v));
        x[1] = widen(__high2half(v));
    }
#else
    __device__ static type fma(type x, type) { return x; }
    __device__ static void unpack(float (&)[WIDTH], type) {}
#endif
};

struct bf16x2 {
    using type = __nv_bfloat162;
    enum { WIDTH = 2, UNROLL = 32 };
    __host__ __device__ static type pack(const float (&x)[WIDTH]) { return __floats2bfloat162_rn(x[0], x[1]); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    __device__ static type fma(type x, type a) { return __hfma2(x, a, x); }
    __device__ static float widen(__nv_bfloat16 v) { return __uint_as_float((uint32_t)__bfloat16_as_ushort(v) << 16); }
    __device__ static void unpack(float (&x)[WIDTH], type v)
    {
        x[0] = widen(__low2bfloat16(v));
        x[1] = widen(__high2bfloat16(v));
    }
#else
    __device__ static type fma(type x, type) { return x; }
    __device__ static void unpack(float (&)[WIDTH], type) {}
#endif
};

/* ---- the kernel ---- */

/* The first value of element x: at least 1/2 and less than 1, by the seven highest bits of its mantissa. */
__device__ __forceinline__ float start(float x)
{
    return __uint_as_float((__float_as_uint(x) & 0x007f0000u) | 0x3f000000u);
}

/* Thread t of `threads` has the elements t, t + threads, t + 2 threads and so on. Beyond the end it has the first one again, and
 * does not store it. */
template <class Type>
__global__ void __launch_bounds__(BLOCK, RL_THREADS_PER_SM / BLOCK)
    precision_kernel(float *out, const float *in, unsigned n, unsigned threads, typename Type::type a, typename Type::type b,
                     int rounds)
{
    const unsigned t = blockIdx.x * BLOCK + threadIdx.x;
    typename Type::type v[CHAINS];
    float x[Type::WIDTH];
    if (t >= threads)
        return;
#pragma unroll
    for (unsigned chain = 0; chain < CHAINS; chain++) {
#pragma unroll
        for (unsigned lane = 0; lane < Type::WIDTH; lane++) {
            const unsigned i = t + (chain * Type::WIDTH + lane) * threads;
            x[lane] = start(in[i < n ? i : 0]);
        }
        v[chain] = Type::pack(x);
    }
#pragma unroll 1
    for (int round = rounds; round > 0; round--) {
#pragma unroll
        for (int step = 0; step < Type::UNROLL; step++) {
#pragma unroll
            for (unsigned chain = 0; chain < CHAINS; chain++)
                v[chain] = Type::fma(v[chain], step % 2 == 0 ? a : b);
        }
    }
#pragma unroll
    for (unsigned chain = 0; chain < CHAINS; chain++) {
        Type::unpack(x, v[chain]);
#pragma unroll
        for (unsigned lane = 0; lane < Type::WIDTH; lane++) {
            const unsigned i = t + (chain * Type::WIDTH + lane) * threads;
            if (i < n)
                out[i] = x[lane];
        }
    }
}

template <class Type> static enum rl_status enqueue(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    const unsigned threads = rl_blocks(map->count, CHAINS * Type::WIDTH);
    const float plus[2] = {A, A}, minus[2] = {-A, -A};
    float a[Type::WIDTH], b[Type::WIDTH];
    static_assert(Type::UNROLL % 2 == 0 && STEPS % Type::UNROLL == 0, "rounds begin with 1 + a");
    memcpy(a, plus, sizeof(a));
    memcpy(b, minus, sizeof(b));
    return rl_enqueue(run, err, rl_blocks(threads, BLOCK), BLOCK, 0, precision_kernel<Type>, map->out, map->in,
                      (unsigned)map->count, threads, Type::pack(a), Type::pack(b), STEPS / Type::UNROLL);
}

/* ---- the references: each step exactly, then rounded as the type rounds ---- */

static double step_fp64(double x, double a)
{
    return fma(x, a, x);
}

static double step_fp32(double x, double a)
{
    return fmaf((float)x, (float)a, (float)x);
}

/* x + x a is exact in float64 for numbers of so few digits. */
static double step_rounded(double x, double a, int digits)
{
    int exponent;
    const double mantissa = frexp(x + x * a, &exponent);
    return ldexp(rint(ldexp(mantissa, digits)), exponent - digits);
}

static double step_fp16(double x, double a)
{
    const double y = step_rounded(x, a, 11);
    assert(y >= 0x1p-14 && y < 2); /* normal */
    return y;
}

static double step_bf16(double x, double a)
{
    return step_rounded(x, a, 8);
}

/* ---- the operations ---- */

static const struct row {
    const char *name;
    enum rl_status (*enqueue)(struct rl_suite_run *run, struct rl_err *err);
    double (*step)(double x, double a);
} rows[] = {
    {"fp64", enqueue<fp64>, step_fp64},
    {"fp32", enqueue<fp32>, step_fp32},
    {"fp16x2", enqueue<fp16x2>, step_fp16},
    {"bf16x2", enqueue<bf16x2>, step_bf16},
};

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    const struct row *row = rl_row(rows, run);
    return row ? row->enqueue(run, err) : rl_no_row(run, err);
}

struct source {
    uint64_t seed;
    float ends[STARTS]; /* of the chains */
};

static double expected(const void *context, uint64_t index)
{
    const struct source *source = (const struct source *)context;
    const float x = rl_input_unit(source->seed, index);
    uint32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return source->ends[bits >> 16 & (STARTS - 1)];
}

static double end_of(double x, double (*step)(double, double))
{
    for (int k = 0; k < STEPS; k++)
        x = step(x, k % 2 == 0 ? A : -A);
    return x;
}

/* Works out where all chains end; returns how far the type's rounding takes them from where they end in float64, relatively. */
static double work_out(struct source *source, double (*step)(double, double))
{
    double farthest = 0;
    for (int k = 0; k < STARTS; k++) {
        const double x = 0.5 + 0.5 * k / STARTS, end = end_of(x, step), exact = end_of(x, step_fp64);
        source->ends[k] = (float)end;
        farthest = fmax(farthest, fabs(source->ends[k] - exact) / exact);
    }
    return farthest;
}

static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    struct source source = {run->seed, {}};
    RL_ROW(row, rows, run, err);
    const double farthest = work_out(&source, row->step);
    RL_TRY(rl_map_verify(run, launch, {rl_each<expected>, &source, 0}, check, err));
    const size_t length = strlen(check->text);
    if (check->correct)
        snprintf(check->text + length, sizeof(check->text) - length, "; rounding takes values up to %.2g %% from those of float64",
                 100 * farthest);
    return RL_OK;
}

RL_SUITE_OPS(precision, rl_map_setup_plain, launch, verify, rl_map_teardown)
