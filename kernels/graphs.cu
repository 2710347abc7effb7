/* graphs.cu - three short kernels, over and over: launched one by one, and as one graph that is replayed.
 *
 * x = x * A, x = x + C, x = x * B on integers of 32 bits, modulo 2^32. A, B and C are odd, so nothing is lost however often it is
 * repeated, and 1000 repetitions are one multiplication and one addition, which the host works out.
 */
#include "device.cuh"

enum { BLOCK = 256 };

static const uint32_t A = 1664525, C = 1013904223, B = 22695477;

__global__ void graphs_multiply_kernel(uint32_t *data, unsigned n, uint32_t factor)
{
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        data[i] *= factor;
}

__global__ void graphs_add_kernel(uint32_t *data, unsigned n, uint32_t addend)
{
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        data[i] += addend;
}

/* ---- the operations ---- */

static enum rl_status launch_three(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    uint32_t *data = (uint32_t *)map->out;
    const unsigned n = (unsigned)map->count, blocks = rl_blocks(n, BLOCK);
    RL_TRY(rl_enqueue(run, err, blocks, BLOCK, 0, graphs_multiply_kernel, data, n, A));
    RL_TRY(rl_enqueue(run, err, blocks, BLOCK, 0, graphs_add_kernel, data, n, C));
    return rl_enqueue(run, err, blocks, BLOCK, 0, graphs_multiply_kernel, data, n, B);
}

static enum rl_status prepare_graph(struct rl_suite_run *run, struct rl_err *err)
{
    return rl_map_graph(run, launch_three, err);
}

static const struct row {
    const char *name;
    enum rl_status (*prepare)(struct rl_suite_run *, struct rl_err *);
    enum rl_status (*once)(struct rl_suite_run *, struct rl_err *);
} rows[] = {
    {"launches", NULL, launch_three},
    {"graph", prepare_graph, rl_enqueue_graph},
};

static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{

    RL_TRY(rl_size_check(run, RL_MAX_ELEMENTS, err));
    RL_ROW(row, rows, run, err);
    RL_TRY(rl_map_setup(run, run->size, RL_IN_PLACE, err));
    rl_map_of(run)->words = true;
    return rl_map_prepare(run, row->prepare, err);
}

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    RL_ROW(row, rows, run, err);
    for (int i = 0; i < run->variant->parameter[0]; i++)
        RL_TRY(row->once(run, err));
    return RL_OK;
}

/* All repetitions together: x -> factor * x + addend. */
struct affine {
    uint64_t seed;
    uint32_t factor, addend;
};

static double expected(const void *context, uint64_t index)
{
    const struct affine *affine = (const struct affine *)context;
    const float x = rl_input_unit(affine->seed, index);
    uint32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return (uint32_t)(affine->factor * bits + affine->addend);
}

static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    struct affine affine = {run->seed, 1, 0};
    for (int i = 0; i < run->variant->parameter[0]; i++) {
        affine.factor = affine.factor * A * B;
        affine.addend = (affine.addend * A + C) * B;
    }
    return rl_map_verify(run, launch, {rl_each<expected>, &affine, 0}, check, err);
}

RL_SUITE_OPS(graphs, setup, launch, verify, rl_map_teardown)
