/* vector_add.cu - the sum of two arrays, straight from global memory and through shared memory: every float is used once, so there
 * is nothing that staging could save.
 */
#include "tile.cuh"

namespace cg = cooperative_groups;

enum {
    BLOCK = 256,
    EACH = 4, /* elements of a thread in a tile */
    TILE = BLOCK * EACH,
    STAGES = 4,
    ALIGN = 64, /* floats: where the second array may start */
};

__global__ void add_direct_kernel(float *out, const float *a, const float *b, unsigned n)
{
    const unsigned first = blockIdx.x * TILE + threadIdx.x;
    float x[EACH], y[EACH];
#pragma unroll
    for (unsigned k = 0; k < EACH; k++) {
        const unsigned i = first + k * BLOCK;
        x[k] = i < n ? a[i] : 0;
        y[k] = i < n ? b[i] : 0;
    }
#pragma unroll
    for (unsigned k = 0; k < EACH; k++)
        if (first + k * BLOCK < n)
            out[first + k * BLOCK] = __fadd_rn(x[k], y[k]);
}

/* The sum of two tiles in shared memory. Neighbouring threads take neighbouring floats, which other threads have fetched. */
__device__ __forceinline__ void add_tile(float *out, const float *x, const float *y, unsigned count)
{
#pragma unroll
    for (unsigned k = 0; k < EACH; k++) {
        const unsigned i = threadIdx.x + k * BLOCK;
        if (i < count)
            out[i] = __fadd_rn(x[i], y[i]);
    }
}

__global__ void add_sync_kernel(float *out, const float *a, const float *b, unsigned n)
{
    __shared__ __align__(16) float x[TILE], y[TILE];
    const unsigned start = blockIdx.x * TILE, count = rl_tile_count<TILE>(n, blockIdx.x);
    rl_tile_load<TILE, BLOCK>(x, a + start, count);
    rl_tile_load<TILE, BLOCK>(y, b + start, count);
    __syncthreads();
    add_tile(out + start, x, y, count);
}

__global__ void add_async_kernel(float *out, const float *a, const float *b, unsigned n)
{
#if RL_TILE_ASYNC
    __shared__ __align__(16) float x[TILE], y[TILE];
    const cg::thread_block block = cg::this_thread_block();
    const unsigned start = blockIdx.x * TILE, count = rl_tile_count<TILE>(n, blockIdx.x);
    rl_tile_copy<TILE>(block, x, a + start, count);
    rl_tile_copy<TILE>(block, y, b + start, count);
    cg::wait(block);
    add_tile(out + start, x, y, count);
#endif
}

__global__ void add_pipeline_kernel(float *out, const float *a, const float *b, unsigned n)
{
#if RL_TILE_ASYNC
    __shared__ __align__(16) float x[STAGES][TILE], y[STAGES][TILE];
    const cg::thread_block block = cg::this_thread_block();
    rl_tile_stream<STAGES>(
        (n + TILE - 1) / TILE,
        [&](unsigned tile, unsigned stage, rl_tile_pipeline &pipeline) {
            const unsigned count = rl_tile_count<TILE>(n, tile);
            rl_tile_copy<TILE>(block, x[stage], a + tile * TILE, count, pipeline);
            rl_tile_copy<TILE>(block, y[stage], b + tile * TILE, count, pipeline);
        },
        [&](unsigned tile, unsigned stage) { add_tile(out + tile * TILE, x[stage], y[stage], rl_tile_count<TILE>(n, tile)); });
#endif
}

/* ---- the operations ---- */

static const struct row {
    const char *name;
    void (*kernel)(float *, const float *, const float *, unsigned);
    bool resident; /* as many blocks as the GPU holds at once go through all the tiles; else a block for each tile */
} rows[] = {
    {"direct", add_direct_kernel, false},
    {"staged_sync", add_sync_kernel, false},
    {"staged_async", add_async_kernel, false},
    {"staged_pipeline4", add_pipeline_kernel, true},
};

/* Where the second array starts in the input. */
static uint64_t second_of(uint64_t size)
{
    return (size + ALIGN - 1) / ALIGN * ALIGN;
}

static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{
    RL_TRY(rl_size_check(run, RL_MAX_ELEMENTS, err));
    return rl_map_setup_sized(run, second_of(run->size) + run->size, run->size, 0, err);
}

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    const unsigned tiles = rl_blocks(run->size, TILE);
    unsigned blocks = tiles;
    RL_ROW(row, rows, run, err);
    if (row->resident)
        RL_TRY(rl_cooperative_blocks(run, row->kernel, BLOCK, 0, &blocks, err));
    return rl_enqueue(run, err, blocks < tiles ? blocks : tiles, BLOCK, 0, row->kernel, map->out, map->in,
                      map->in + second_of(run->size), (unsigned)run->size);
}

/* The sum of two 24-bit numbers is exact in float64: one rounding to float32 gives what the device must give. */
static double expected(const void *context, uint64_t index)
{
    const struct rl_suite_run *run = (const struct rl_suite_run *)context;
    const double x = rl_input_unit(run->seed, index), y = rl_input_unit(run->seed, second_of(run->size) + index);
    return (float)(x + y);
}

RL_SUITE_OPS(vector_add, setup, launch, rl_map_verify_each<launch, expected>, rl_map_teardown)
