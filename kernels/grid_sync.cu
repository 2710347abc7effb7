/* grid_sync.cu - three passes over an array, each of which needs all of the one before: sqrt(x * FACTOR + ADDEND), a pass for each
 * operation. The passes are three launches with the host waiting in between, three launches in a row, or one cooperative launch
 * with a barrier of the whole grid in between.
 *
 * Every pass writes to memory and the next one reads that again, in all variants: what differs is how the passes are kept apart.
 */
#include <math.h>
#include <stdio.h>

#include "device.cuh"
#include "grid.cuh"

/* Threads of a block. Blocks meet at a barrier, so the cooperative launch has few and large ones. */
enum { BLOCK = 256, GRID_BLOCK = 1024 };

static const float FACTOR = 0.7f, ADDEND = 0.3f;

struct multiply {
    float factor;
    __device__ float operator()(float x) const { return x * factor; }
};
struct add {
    float addend;
    __device__ float operator()(float x) const { return x + addend; }
};
struct square_root {
    __device__ float operator()(float x) const { return sqrtf(x); /* correctly rounded, unless fast math is asked for */ }
};

/* One pass by the whole grid, whatever its size: 16 bytes a thread at a time, then the last one to three elements. */
template <class Operation> __device__ void grid_sync_pass(float *out, const float *in, unsigned n, Operation operation)
{
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    const float4 *in4 = reinterpret_cast<const float4 *>(in);
    float4 *out4 = reinterpret_cast<float4 *>(out);
    for (unsigned i = thread; i < n / 4; i += threads) {
        const float4 v = in4[i];
        out4[i] = make_float4(operation(v.x), operation(v.y), operation(v.z), operation(v.w));
    }
    const unsigned rest = n / 4 * 4 + thread;
    if (rest < n)
        out[rest] = operation(in[rest]);
}

template <class Operation> __global__ void grid_sync_pass_kernel(float *out, const float *in, unsigned n, Operation operation)
{
    grid_sync_pass(out, in, n, operation);
}

__global__ void __launch_bounds__(GRID_BLOCK) grid_sync_kernel(float *out, const float *in, unsigned n, float factor, float addend)
{
    grid_sync_pass(out, in, n, multiply{factor});
    rl_grid_barrier();
    grid_sync_pass(out, out, n, add{addend});
    rl_grid_barrier();
    grid_sync_pass(out, out, n, square_root{});
}

/* ---- the operations ---- */

static enum rl_status keep_on(struct rl_suite_run *, struct rl_err *)
{
    return RL_OK;
}

static enum rl_status synchronise(struct rl_suite_run *run, struct rl_err *err)
{
    return rl_device_wait(run->stream, err);
}

static enum rl_status launch_passes(struct rl_suite_run *run, enum rl_status (*between)(struct rl_suite_run *, struct rl_err *),
                                    struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    const unsigned n = (unsigned)map->count, blocks = rl_blocks((map->count + 3) / 4, BLOCK);
    RL_TRY(rl_enqueue(run, err, blocks, BLOCK, 0, grid_sync_pass_kernel<multiply>, map->out, map->in, n, multiply{FACTOR}));
    RL_TRY(between(run, err));
    RL_TRY(rl_enqueue(run, err, blocks, BLOCK, 0, grid_sync_pass_kernel<add>, map->out, map->out, n, add{ADDEND}));
    RL_TRY(between(run, err));
    return rl_enqueue(run, err, blocks, BLOCK, 0, grid_sync_pass_kernel<square_root>, map->out, map->out, n, square_root{});
}

static enum rl_status launch_with_sync(struct rl_suite_run *run, struct rl_err *err)
{
    return launch_passes(run, synchronise, err);
}

static enum rl_status launch_in_a_row(struct rl_suite_run *run, struct rl_err *err)
{
    return launch_passes(run, keep_on, err);
}

static enum rl_status launch_cooperative(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    return rl_enqueue_cooperative(run, err, map->blocks, GRID_BLOCK, 0, grid_sync_kernel, map->out, map->in, (unsigned)map->count,
                                  FACTOR, ADDEND);
}

static const struct row {
    const char *name;
    enum rl_status (*launch)(struct rl_suite_run *, struct rl_err *);
} rows[] = {
    {"launches_with_sync", launch_with_sync},
    {"launches", launch_in_a_row},
    {"cooperative", launch_cooperative},
};

static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{
    unsigned blocks = 0;
    RL_TRY(rl_size_check(run, RL_MAX_ELEMENTS, err));
    if (run->variant->cooperative)
        RL_TRY(rl_cooperative_blocks(run, grid_sync_kernel, GRID_BLOCK, 0, &blocks, err));
    RL_TRY(rl_map_setup(run, run->size, RL_OUT_OF_PLACE, err));
    rl_map_of(run)->blocks = blocks;
    return RL_OK;
}

constexpr auto launch = rl_launch_row<rows>;

/* Each operation is correctly rounded on the device; in float64 it is exact, or so near that rounding it gives the same float. */
static double expected(const void *context, uint64_t index)
{
    const double x = rl_input_unit(*(const uint64_t *)context, index);
    const float product = (float)(x * (double)FACTOR);
    const float sum = (float)((double)product + (double)ADDEND);
    return (float)sqrt((double)sum);
}

/* The largest cooperative grids of this kernel, for the reader. */
static enum rl_status add_grids(const struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    static const int threads[] = {256, 512, 1024};
    const char *before = "; grids up to ";
    for (int block : threads) {
        const size_t len = strlen(check->text);
        unsigned blocks = 0;
        RL_TRY(rl_cooperative_blocks(run, grid_sync_kernel, block, 0, &blocks, err));
        snprintf(check->text + len, sizeof(check->text) - len, "%s%u x %d", before, blocks, block);
        before = ", ";
    }
    return RL_OK;
}

static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    RL_TRY(rl_map_verify(run, launch, {rl_each<expected>, &run->seed, 0}, check, err));
    return check->correct && run->variant->cooperative ? add_grids(run, check, err) : RL_OK;
}

RL_SUITE_OPS(grid_sync, setup, launch, verify, rl_map_teardown)
