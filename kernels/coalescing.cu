/* coalescing.cu - what a stride between the threads of a warp costs: x[i] = 1 - x[i] for i = 0, stride, 2 stride, ... < n.
 *
 * 1 - x is exact for the suite's random numbers and gives numbers of the same kind, so the array holds as much randomness after
 * ten thousand launches as after one.
 */
#include "device.cuh"

enum { BLOCK = 256 };

__global__ void stride_kernel(float *data, int stride, long n)
{
    const unsigned thread = blockIdx.x * BLOCK + threadIdx.x;
    const long i = (long)((uint64_t)thread * (unsigned)stride); /* one wide multiplication */
    if (i < n)
        data[i] = 1.0f - data[i];
}

static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{
    RL_TRY(rl_size_check(run, RL_MAX_ELEMENTS, err));
    return rl_map_setup(run, run->size, RL_IN_PLACE, err);
}

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    const int stride = run->variant->parameter[0];
    const uint64_t visited = (run->size + stride - 1) / stride;
    return rl_enqueue(run, err, rl_blocks(visited, BLOCK), BLOCK, 0, stride_kernel, rl_map_of(run)->in, stride, (long)run->size);
}

/* Also the elements between the strides are compared: they must stay as they were. */
static void expected(const void *context, uint64_t start, size_t count, double *values)
{
    const struct rl_suite_run *run = (const struct rl_suite_run *)context;
    const uint64_t stride = (uint64_t)run->variant->parameter[0];
    for (size_t i = 0; i < count; i++)
        values[i] = rl_input_unit(run->seed, start + i);
    for (uint64_t i = (stride - start % stride) % stride; i < count; i += stride) /* those that the kernel visits */
        values[i] = 1 - values[i];
}

static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    return rl_map_verify(run, launch, {expected, run, 0}, check, err);
}

RL_SUITE_OPS(coalescing, setup, launch, verify, rl_map_teardown)
