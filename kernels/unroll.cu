/* unroll.cu - how many elements a thread should handle: with one load in flight in each thread the memory's latency may bind, with
 * several independent ones less so.
 */
#include "device.cuh"

enum { BLOCK = 256 };

static const float A = 0.75f, B = 0.5f; /* exact, and arguments of the kernel: the compiler cannot fold them */

/* A block's elements of one step are neighbours. All loads stand before the first store: the compiler may not move a load over one.
 */
template <unsigned EACH>
__global__ void __launch_bounds__(BLOCK) unroll_kernel(float *out, const float *in, unsigned n, float a, float b)
{
    const unsigned start = blockIdx.x * EACH * BLOCK, first = start + threadIdx.x;
    float v[EACH];
    if (n - start >= EACH * BLOCK) {
#pragma unroll
        for (unsigned k = 0; k < EACH; k++)
            v[k] = in[first + k * BLOCK];
#pragma unroll
        for (unsigned k = 0; k < EACH; k++)
            out[first + k * BLOCK] = __fmaf_rn(v[k], a, b);
        return;
    }
#pragma unroll 1
    for (unsigned i = first; i < n; i += BLOCK)
        out[i] = __fmaf_rn(in[i], a, b);
}

/* ---- the operations ---- */

static const struct row {
    const char *name;
    void (*kernel)(float *, const float *, unsigned, float, float);
    unsigned each;
} rows[] = {
    {"1", unroll_kernel<1>, 1},
    {"2", unroll_kernel<2>, 2},
    {"4", unroll_kernel<4>, 4},
    {"8", unroll_kernel<8>, 8},
};

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    RL_ROW(row, rows, run, err);
    return rl_enqueue_map(run, err, row->each * BLOCK, BLOCK, row->kernel, A, B);
}

/* 0.75 x + 0.5 is exact in float64: one rounding to float32 gives what the device must give. */
static double expected(const void *context, uint64_t index)
{
    const double x = rl_map_input(context, index);
    return (float)(x * A + B);
}

RL_SUITE_OPS(unroll, rl_map_setup_plain, launch, rl_map_verify_each<launch, expected>, rl_map_teardown)
