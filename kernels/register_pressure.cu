/* register_pressure.cu - how many registers a kernel takes, and what decides it: the values that are live at once, not the
 * variables that the source declares. Each thread reads one number and writes one.
 */
#include "device.cuh"

enum {
    BLOCK = 256,
    VOLATILES = 16,
    CHAIN = 100,
    LIVE = 128,
    DISTANCE = 64, /* between a live value and the one it depends on */
    ROUNDS = 5,
};

__device__ unsigned thread_index()
{
    return blockIdx.x * BLOCK + threadIdx.x;
}

__global__ void lean_kernel(float *out, const float *in, unsigned n, float a, float b)
{
    const unsigned i = thread_index();
    if (i < n)
        out[i] = fmaf(in[i], a, b);
}

/* Sum of squared deviations from the mean: the mean needs all the values, the deviations need them again. */
__global__ void volatile16_kernel(float *out, const float *in, unsigned n, float a, float b)
{
    const unsigned i = thread_index();
    volatile float v[VOLATILES];
    if (i >= n)
        return;
    v[0] = in[i];
#pragma unroll
    for (int k = 1; k < VOLATILES; k++)
        v[k] = fmaf(v[k - 1], a, b);
    float sum = v[0];
#pragma unroll
    for (int k = 1; k < VOLATILES; k++)
        sum += v[k];
    float deviation = fmaf(sum, -1.0f / VOLATILES, v[0]), squares = deviation * deviation;
#pragma unroll
    for (int k = 1; k < VOLATILES; k++) {
        deviation = fmaf(sum, -1.0f / VOLATILES, v[k]);
        squares = fmaf(deviation, deviation, squares);
    }
    out[i] = squares;
}

/* An array of a hundred, of which one element is live at a time. */
__global__ void array100_kernel(float *out, const float *in, unsigned n, float a, float b)
{
    const unsigned i = thread_index();
    float v[CHAIN];
    if (i >= n)
        return;
    v[0] = in[i];
#pragma unroll
    for (int k = 1; k < CHAIN; k++)
        v[k] = fmaf(v[k - 1], a, b);
    out[i] = v[CHAIN - 1];
}

__device__ __forceinline__ float mix_live(float x, float a, float b)
{
    float v[LIVE];
#pragma unroll
    for (int k = 0; k < LIVE; k++)
        v[k] = x + (k + 1) * (1.0f / LIVE);
#pragma unroll
    for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
        for (int k = 0; k < LIVE; k++)
            v[k] = fmaf(v[(k + DISTANCE) % LIVE], a, v[k]);
    }
    float sum = v[0];
#pragma unroll
    for (int k = 1; k < LIVE; k++)
        sum += v[k];
    return fmaf(sum, b, x);
}

__global__ void __launch_bounds__(BLOCK) live128_kernel(float *out, const float *in, unsigned n, float a, float b)
{
    const unsigned i = thread_index();
    if (i < n)
        out[i] = mix_live(in[i], a, b);
}

/* The bound asks for 1024 threads on an SM, which every GPU has room for: 64 registers a thread on all of them, a few less than
 * the values need. What is spilled fits L1; at twice the threads it would not, and the traffic behind L1 would depend on where the
 * driver puts local memory: by 7 % of L2's sectors and 27 % of DRAM reads on an H200, with the limit of the stack. */
__global__ void __launch_bounds__(BLOCK, 1024 / BLOCK)
    live128_bounded_kernel(float *out, const float *in, unsigned n, float a, float b)
{
    const unsigned i = thread_index();
    if (i < n)
        out[i] = mix_live(in[i], a, b);
}

/* ---- the references, in float64 ---- */

static double reference_lean(double x, double a, double b)
{
    return a * x + b;
}

static double reference_volatile16(double x, double a, double b)
{
    double v[VOLATILES], mean = 0, squares = 0;
    for (int k = 0; k < VOLATILES; k++) {
        v[k] = k == 0 ? x : a * v[k - 1] + b;
        mean += v[k] / VOLATILES;
    }
    for (int k = 0; k < VOLATILES; k++)
        squares += (v[k] - mean) * (v[k] - mean);
    return squares;
}

static double reference_array100(double x, double a, double b)
{
    for (int k = 1; k < CHAIN; k++)
        x = a * x + b;
    return x;
}

/* The values k and k + 64 depend on each other alone: two numbers stand for 128 at a time. */
static double reference_live128(double x, double a, double b)
{
    double sum = 0;
    for (int k = 0; k < DISTANCE; k++) {
        double low = x + (k + 1.0) / LIVE, high = x + (k + 1.0 + DISTANCE) / LIVE;
        for (int round = 0; round < ROUNDS; round++) {
            low += a * high;
            high += a * low;
        }
        sum += low + high;
    }
    return b * sum + x;
}

/* ---- the operations ---- */

static const struct row {
    const char *name;
    void (*kernel)(float *, const float *, unsigned, float, float);
    double (*reference)(double x, double a, double b);
    float a, b;       /* exact in float32, and arguments of the kernel: the compiler cannot fold them */
    double tolerance; /* a few roundings of 2^-24 for each step of the longest chain */
} rows[] = {
    {"lean", lean_kernel, reference_lean, 0.75f, 0.5f, 1e-7},
    {"volatile16", volatile16_kernel, reference_volatile16, -0.75f, 0.5f, 5e-6},
    {"array100", array100_kernel, reference_array100, 0.984375f, 0.0078125f, 1e-5},
    {"live128", live128_kernel, reference_live128, 0.5f, 0.0009765625f, 2e-5},
    {"live128_bounded", live128_bounded_kernel, reference_live128, 0.5f, 0.0009765625f, 2e-5},
};

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    RL_ROW(row, rows, run, err);
    return rl_enqueue_map(run, err, BLOCK, BLOCK, row->kernel, row->a, row->b);
}

struct source {
    uint64_t seed;
    double at_0, slope, curve; /* the reference is at_0 + slope x + curve x^2 */
};

/* Every reference is a parabola over the input, most of them a straight line: their steps are lines, and one of them squares where
 * those end. Three of its values stand for thousands of operations on each of millions of elements. */
static struct source parabola(const struct row *row, uint64_t seed)
{
    const double at_0 = row->reference(0, row->a, row->b), at_1 = row->reference(1, row->a, row->b);
    const double curve = 2 * (at_0 + at_1) - 4 * row->reference(0.5, row->a, row->b);
    return {seed, at_0, at_1 - at_0 - curve, curve};
}

static double expected(const void *context, uint64_t index)
{
    const struct source *source = (const struct source *)context;
    const double x = rl_input_unit(source->seed, index);
    return source->at_0 + x * (source->slope + x * source->curve);
}

static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    RL_ROW(row, rows, run, err);
    const struct source source = parabola(row, run->seed);
    return rl_map_verify(run, launch, {rl_each<expected>, &source, row->tolerance}, check, err);
}

RL_SUITE_OPS(register_pressure, rl_map_setup_plain, launch, verify, rl_map_teardown)
