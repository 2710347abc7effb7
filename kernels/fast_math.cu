/* fast_math.cu - functions of the mathematical library against the intrinsics that give up accuracy: each thread evaluates one of
 * them at its number, again and again. No option like -use_fast_math is on: then both would be the same.
 */
#include "device.cuh"

#include <math.h>

enum {
    BLOCK = 256,
    EVALUATIONS = 64,
    UNROLL = 4,
};

/* The argument is 3 x + 1/8 for a random x of (0, 1): within half a turn, where the error of __sinf is specified. */
static const float SCALE = 3, OFFSET = 0.125f;

struct sinf_of {
    __device__ static float at(float x) { return sinf(x); }
};
struct sinf_fast_of {
    __device__ static float at(float x) { return __sinf(x); }
};
struct expf_of {
    __device__ static float at(float x) { return expf(x); }
};
struct expf_fast_of {
    __device__ static float at(float x) { return __expf(x); }
};
struct rsqrt_of {
    __device__ static float at(float x) { return 1.0f / sqrtf(x); }
};
struct rsqrt_fast_of {
    __device__ static float at(float x) { return rsqrtf(x); }
};

/* Each evaluation depends on the one before, though nothing ever exceeds the limit: none can be left out. */
template <class Function>
__global__ void __launch_bounds__(BLOCK)
    fast_math_kernel(float *out, const float *in, unsigned n, float scale, float offset, float limit, int rounds)
{
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    float x = __fmaf_rn(in[i], scale, offset), y = 0;
#pragma unroll 1
    for (int round = rounds; round > 0; round--) {
#pragma unroll
        for (int k = 0; k < UNROLL; k++) {
            y = Function::at(x);
            x = y > limit ? y : x;
        }
    }
    out[i] = y;
}

/* ---- the operations ---- */

static double reciprocal_root(double x)
{
    return 1 / sqrt(x);
}

struct row {
    const char *name;
    void (*kernel)(float *, const float *, unsigned, float, float, float, int);
    rl_expected expected;
    double tolerance; /* relative above 1, absolute below */
};

/* The argument is exact in float64 and rounded once, as on the device. */
template <double (*Reference)(double)> static double element(const void *context, uint64_t index)
{
    return Reference((float)((double)rl_input_unit(*(const uint64_t *)context, index) * SCALE + OFFSET));
}

/* Tolerances: twice the largest errors that the CUDA C++ Programming Guide names (mathematical functions). These are, for sinf,
 * expf and rsqrtf, 2 units in the last place, at most 2^-22 of the value; for __sinf 2^-21.41 within half a turn; for __expf here 5
 * units. The reciprocal of a root is rounded twice. */
static const struct row rows[] = {
    {"sinf", fast_math_kernel<sinf_of>, rl_each<element<sin>>, 0x1p-22},
    {"sinf_fast", fast_math_kernel<sinf_fast_of>, rl_each<element<sin>>, 0x1.8p-21},
    {"expf", fast_math_kernel<expf_of>, rl_each<element<exp>>, 0x1p-21},
    {"expf_fast", fast_math_kernel<expf_fast_of>, rl_each<element<exp>>, 0x1.4p-20},
    {"rsqrt", fast_math_kernel<rsqrt_of>, rl_each<element<reciprocal_root>>, 0x1p-22},
    {"rsqrt_fast", fast_math_kernel<rsqrt_fast_of>, rl_each<element<reciprocal_root>>, 0x1p-21},
};

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    RL_ROW(row, rows, run, err);
    return rl_enqueue_map(run, err, BLOCK, BLOCK, row->kernel, SCALE, OFFSET, 1e30f, EVALUATIONS / UNROLL);
}

static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    RL_ROW(row, rows, run, err);
    return rl_map_verify(run, launch, {row->expected, &run->seed, row->tolerance}, check, err);
}

RL_SUITE_OPS(fast_math, rl_map_setup_plain, launch, verify, rl_map_teardown)
