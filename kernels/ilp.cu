/* ilp.cu - instruction-level parallelism: one warp squares an array, so nothing but its own independent loads hides the latency
 * of memory. No variant reads or writes past the end, whatever the size.
 */
#include "device.cuh"

enum { WARP = 32, STEP = 4 * WARP };

__global__ void square_serial_kernel(float *out, const float *in, unsigned n)
{
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < n; i += WARP)
        out[i] = in[i] * in[i];
}

/* The four loads are a stride of a warp apart, each of them 32 neighbours; the arrays may overlap as far as the compiler knows, so
 * the loads stand before the stores. */
__global__ void square_unrolled4_kernel(float *out, const float *in, unsigned n)
{
    unsigned i = threadIdx.x;
#pragma unroll 1
    for (; i < n - n % STEP; i += STEP) {
        const float a = in[i], b = in[i + WARP], c = in[i + 2 * WARP], d = in[i + 3 * WARP];
        out[i] = a * a;
        out[i + WARP] = b * b;
        out[i + 2 * WARP] = c * c;
        out[i + 3 * WARP] = d * d;
    }
#pragma unroll 1
    for (; i < n; i += WARP)
        out[i] = in[i] * in[i];
}

__global__ void square_vector4_kernel(float *out, const float *in, unsigned n)
{
    const float4 *in4 = reinterpret_cast<const float4 *>(in);
    float4 *out4 = reinterpret_cast<float4 *>(out);
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < n / 4; i += WARP) {
        const float4 v = in4[i];
        out4[i] = make_float4(v.x * v.x, v.y * v.y, v.z * v.z, v.w * v.w);
    }
    const unsigned rest = n / 4 * 4 + threadIdx.x;
    if (rest < n)
        out[rest] = in[rest] * in[rest];
}

static const struct row {
    const char *name;
    void (*kernel)(float *, const float *, unsigned);
} rows[] = {
    {"serial", square_serial_kernel},
    {"unrolled4", square_unrolled4_kernel},
    {"vector4", square_vector4_kernel},
};

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    RL_ROW(row, rows, run, err);
    return rl_enqueue(run, err, 1, WARP, 0, row->kernel, map->out, map->in, (unsigned)map->count);
}

/* The square of a 24-bit number is exact in float64: one rounding to float32 gives what the device must give. */
static double expected(const void *context, uint64_t index)
{
    const double x = rl_map_input(context, index);
    return (float)(x * x);
}

RL_SUITE_OPS(ilp, rl_map_setup_plain, launch, rl_map_verify_each<launch, expected>, rl_map_teardown)
