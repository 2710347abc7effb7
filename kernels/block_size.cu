/* block_size.cu - what the number of threads in a block is worth: one fused multiply-add per element and thread, so that the loads
 * in flight, and with them the memory's throughput, depend on how many threads an SM holds and how smoothly blocks follow each
 * other.
 */
#include "device.cuh"

#include <stdlib.h>

static const float A = 0.75f, B = 0.5f; /* exact, and arguments of the kernel: the compiler cannot fold them */

__global__ void block_size_kernel(float *out, const float *in, unsigned n, float a, float b)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = __fmaf_rn(in[i], a, b);
}

/* ---- the operations ---- */

struct state {
    struct rl_map map; /* first: rl_map_* take the whole for it */
    unsigned block;    /* threads */
};

/* The variant's own block size, or the one that the runtime proposes. */
static enum rl_status choose_block(const struct rl_suite_run *run, unsigned *block, struct rl_err *err)
{
    int grid, proposed = run->variant->parameter[0];
    if (proposed == 0)
        RL_TRY(RL_CUDA(err, cudaOccupancyMaxPotentialBlockSize(&grid, &proposed, block_size_kernel, 0, 0)));
    *block = (unsigned)proposed;
    return RL_OK;
}

/* The block size is chosen here, not at the launch, whose time it must not lengthen. */
static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{
    unsigned block;
    RL_TRY(rl_size_check(run, RL_MAX_ELEMENTS, err));
    RL_TRY(choose_block(run, &block, err));
    RL_TRY(rl_map_setup(run, run->size, RL_OUT_OF_PLACE, err));
    struct state *state = (struct state *)rl_realloc(run->state, 1, sizeof(*state));
    state->block = block;
    run->state = state;
    return RL_OK;
}

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    const unsigned block = static_cast<const struct state *>(run->state)->block;
    return rl_enqueue_map(run, err, block, block, block_size_kernel, A, B);
}

/* 0.75 x + 0.5 is exact in float64: one rounding to float32 gives what the device must give. */
static double expected(const void *context, uint64_t index)
{
    const double x = rl_map_input(context, index);
    return (float)(x * A + B);
}

RL_SUITE_OPS(block_size, setup, launch, rl_map_verify_each<launch, expected>, rl_map_teardown)
