/* shared_stencil.cu - a stencil of three points, whose every input is used three times: by loads from global memory, which the L1
 * cache may serve, and through a tile in shared memory with an element to spare at either end. Beyond the ends the array goes on as
 * it ends.
 */
#include "device.cuh"

enum { BLOCK = 256 };

/* Five operations: a multiplication and two fused multiply-adds. */
__device__ __forceinline__ float weigh(float left, float middle, float right)
{
    return __fmaf_rn(0.25f, right, __fmaf_rn(0.5f, middle, __fmul_rn(0.25f, left)));
}

__global__ void __launch_bounds__(BLOCK) stencil_global_kernel(float *out, const float *in, unsigned n)
{
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    out[i] = weigh(in[i > 0 ? i - 1 : 0], in[i], in[i + 1 < n ? i + 1 : i]);
}

__global__ void __launch_bounds__(BLOCK) stencil_shared_kernel(float *out, const float *in, unsigned n)
{
    __shared__ float tile[BLOCK + 2];
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x, at = threadIdx.x + 1;
    tile[at] = in[i < n ? i : n - 1];
    if (threadIdx.x == 0)
        tile[0] = in[i > 0 ? i - 1 : 0];
    if (threadIdx.x == BLOCK - 1)
        tile[BLOCK + 1] = in[i + 1 < n ? i + 1 : n - 1];
    __syncthreads();
    if (i >= n)
        return;
    out[i] = weigh(tile[at - 1], tile[at], tile[at + 1]);
}

/* ---- the operations ---- */

static const struct row {
    const char *name;
    void (*kernel)(float *, const float *, unsigned);
} rows[] = {
    {"global", stencil_global_kernel},
    {"shared", stencil_shared_kernel},
};

constexpr auto launch = rl_map_launch<rows, BLOCK>;

/* Each sum is exact in float64 and rounded once to float32, as the device's fused multiply-adds round. */
static double expected(const void *context, uint64_t index)
{
    const struct rl_suite_run *run = (const struct rl_suite_run *)context;
    const double left = rl_input_unit(run->seed, index > 0 ? index - 1 : 0), middle = rl_input_unit(run->seed, index);
    const double right = rl_input_unit(run->seed, index + 1 < run->size ? index + 1 : index);
    const double sum = (float)(0.5 * middle + 0.25 * left);
    return (float)(0.25 * right + sum);
}

RL_SUITE_OPS(shared_stencil, rl_map_setup_plain, launch, rl_map_verify_each<launch, expected>, rl_map_teardown)
