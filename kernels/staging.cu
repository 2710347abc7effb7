/* staging.cu - tiles through shared memory, each number of which takes a chosen number of multiply-adds: load and compute in turn,
 * asynchronous copies, pipelines of 1 to 8 stages.
 *
 * There is one block for each SM, so that no other block hides what this one waits for: a tile costs memory + compute when they
 * come one after the other, and max(memory, compute) when they overlap.
 */
#include "tile.cuh"

namespace cg = cooperative_groups;

enum {
    WARP = 32,
    BLOCK = 384,
    EACH = 8,            /* numbers of a thread in a tile: independent chains */
    TILE = BLOCK * EACH, /* 12 KiB: eight stages fit the 99 KiB that the smallest GPUs of compute capability 8.0 and up give */
    UNROLL = 8,
};

struct staging_work {
    float a, b; /* exact, and arguments of the kernel: the compiler cannot fold them */
    int steps;  /* multiply-adds on each number: a multiple of UNROLL */
};

__device__ __forceinline__ float turn(float x, staging_work work)
{
#pragma unroll 1
    for (int step = 0; step < work.steps; step++)
        x = __fmaf_rn(x, work.a, work.b);
    return x;
}

/* Each warp takes what the next one has fetched: what no other thread uses needs no shared memory. */
__device__ __forceinline__ void use_tile(float *out, const float *tile, unsigned count, staging_work work)
{
    if (count < TILE) { /* the last one: the work of the numbers that are there, and no more */
        for (unsigned i = threadIdx.x; i < count; i += BLOCK)
            out[i] = turn(tile[i], work);
        return;
    }
    const unsigned first = (threadIdx.x + WARP) % BLOCK * 4;
    __align__(16) float x[EACH];
#pragma unroll
    for (unsigned k = 0; k < EACH; k += 4)
        *reinterpret_cast<float4 *>(&x[k]) = *reinterpret_cast<const float4 *>(&tile[first + k * BLOCK]);
#pragma unroll 1
    for (int step = 0; step < work.steps; step += UNROLL) {
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
#pragma unroll
            for (unsigned k = 0; k < EACH; k++)
                x[k] = __fmaf_rn(x[k], work.a, work.b);
    }
#pragma unroll
    for (unsigned k = 0; k < EACH; k += 4)
        *reinterpret_cast<float4 *>(&out[first + k * BLOCK]) = *reinterpret_cast<const float4 *>(&x[k]);
}

extern __shared__ __align__(128) float staged[]; /* a tile for each stage */

__device__ __forceinline__ unsigned tiles_of(unsigned n)
{
    return (n + TILE - 1) / TILE;
}

__global__ void __launch_bounds__(BLOCK) staging_sync_kernel(float *out, const float *in, unsigned n, staging_work work)
{
    for (unsigned tile = blockIdx.x; tile < tiles_of(n); tile += gridDim.x) {
        const unsigned count = rl_tile_count<TILE>(n, tile);
        rl_tile_load<TILE, BLOCK>(staged, in + tile * TILE, count);
        __syncthreads();
        use_tile(out + tile * TILE, staged, count, work);
        __syncthreads(); /* the tile is free again */
    }
}

__global__ void __launch_bounds__(BLOCK) staging_memcpy_async_kernel(float *out, const float *in, unsigned n, staging_work work)
{
#if RL_TILE_ASYNC
    const cg::thread_block block = cg::this_thread_block();
    for (unsigned tile = blockIdx.x; tile < tiles_of(n); tile += gridDim.x) {
        const unsigned count = rl_tile_count<TILE>(n, tile);
        rl_tile_copy<TILE>(block, staged, in + tile * TILE, count);
        cg::wait(block);
        use_tile(out + tile * TILE, staged, count, work);
        block.sync();
    }
#endif
}

__global__ void __launch_bounds__(BLOCK) staging_barrier_kernel(float *out, const float *in, unsigned n, staging_work work)
{
#if RL_TILE_ASYNC
    __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
    const cg::thread_block block = cg::this_thread_block();
    if (block.thread_rank() == 0)
        init(&arrived, BLOCK);
    block.sync();
    for (unsigned tile = blockIdx.x; tile < tiles_of(n); tile += gridDim.x) {
        const unsigned count = rl_tile_count<TILE>(n, tile);
        rl_tile_copy<TILE>(block, staged, in + tile * TILE, count, arrived);
        arrived.arrive_and_wait();
        use_tile(out + tile * TILE, staged, count, work);
        block.sync();
    }
#endif
}

template <unsigned STAGES>
__global__ void __launch_bounds__(BLOCK) staging_pipeline_kernel(float *out, const float *in, unsigned n, staging_work work)
{
#if RL_TILE_ASYNC
    const cg::thread_block block = cg::this_thread_block();
    rl_tile_stream<STAGES>(
        tiles_of(n),
        [&](unsigned tile, unsigned stage, rl_tile_pipeline &pipeline) {
            rl_tile_copy<TILE>(block, staged + stage * TILE, in + tile * TILE, rl_tile_count<TILE>(n, tile), pipeline);
        },
        [&](unsigned tile, unsigned stage) {
            use_tile(out + tile * TILE, staged + stage * TILE, rl_tile_count<TILE>(n, tile), work);
        });
#endif
}

/* ---- the operations ---- */

static const struct row {
    const char *way; /* the variant's name up to its intensity */
    void (*kernel)(float *, const float *, unsigned, staging_work);
    unsigned stages;
} rows[] = {
    {"sync_", staging_sync_kernel, 1},
    {"memcpy_async_", staging_memcpy_async_kernel, 1},
    {"barrier_", staging_barrier_kernel, 1},
    {"pipeline_1_", staging_pipeline_kernel<1>, 1},
    {"pipeline_2_", staging_pipeline_kernel<2>, 2},
    {"pipeline_4_", staging_pipeline_kernel<4>, 4},
    {"pipeline_8_", staging_pipeline_kernel<8>, 8},
};

static const struct row *row_of(const struct rl_suite_run *run)
{
    for (const struct row &row : rows)
        if (strncmp(run->variant->name, row.way, strlen(row.way)) == 0)
            return &row;
    return nullptr;
}

static size_t shared_bytes_of(const struct row *row)
{
    return row->stages * TILE * sizeof(float);
}

/* Pulls x towards 1/2, by a 1024th of the way at each step: even 300 steps leave most of it. */
static struct staging_work work_of(const struct rl_suite_run *run)
{
    return {1 - 0x1p-10f, 0x1p-11f, run->variant->parameter[0]};
}

static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{
    const struct row *row = row_of(run);
    if (!row || work_of(run).steps % UNROLL != 0)
        return rl_no_row(run, err);
    RL_TRY(rl_size_check(run, RL_MAX_ELEMENTS, err));
    RL_TRY(rl_allow_shared(run, row->kernel, shared_bytes_of(row), err));
    return rl_map_setup(run, run->size, RL_OUT_OF_PLACE, err);
}

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    const struct row *row = row_of(run);
    const unsigned tiles = rl_blocks(run->size, TILE), sms = (unsigned)run->sm_count;
    return rl_enqueue(run, err, tiles < sms ? tiles : sms, BLOCK, shared_bytes_of(row), row->kernel, map->out, map->in,
                      (unsigned)run->size, work_of(run));
}

static double turned(const struct staging_work &work, double x)
{
    for (int step = 0; step < work.steps; step++)
        x = x * work.a + work.b;
    return x;
}

/* The work is affine in x: its values at 0 and 1 give all others. */
struct source {
    uint64_t seed;
    double at_0, slope;
};

static double expected(const void *context, uint64_t index)
{
    const struct source *source = (const struct source *)context;
    return source->at_0 + source->slope * (double)rl_input_unit(source->seed, index);
}

static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    const struct staging_work work = work_of(run);
    const struct source source = {run->seed, turned(work, 0), turned(work, 1) - turned(work, 0)};
    /* a rounding of at most 2^-25 at each step, carried along undiminished */
    return rl_map_verify(run, launch, {rl_each<expected>, &source, work.steps * 0x1p-25}, check, err);
}

RL_SUITE_OPS(staging, setup, launch, verify, rl_map_teardown)
