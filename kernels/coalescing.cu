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
static double expected(const void *context, uint64_t index)
{
    const struct rl_suite_run *run = (const struct rl_suite_run *)context;
    const double x = rl_random_unit(run->seed, index);

    return index % (uint64_t)run->variant->parameter[0] == 0 ? 1 - x : x;
}

static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    return rl_map_verify(run, launch, {rl_each<expected>, run, 0}, check, err);
}

RL_SUITE_OPS(coalescing, setup, launch, verify, rl_map_teardown)
