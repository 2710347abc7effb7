/* between.cu - which elements lie between the first and the last of their tile: a predicate that is unknown before the whole
 * tile is there.
 *
 * Both variants go through their tiles with as many blocks as the GPU holds at once and test the same copies in shared memory;
 * one waits for each tile in turn, the other has the next three in flight.
 */
#include "tile.cuh"

namespace cg = cooperative_groups;

enum {
    BLOCK = 256,
    EACH = 4, /* elements of a thread in a tile */
    TILE = BLOCK * EACH,
    STAGES = 4,
};

/* 1 for the elements of the tile that are neither below nor above both ends, else 0. */
__device__ __forceinline__ void test_tile(float *out, const float *tile, unsigned count)
{
    const float first = tile[0], last = tile[count - 1];
    const float low = fminf(first, last), high = fmaxf(first, last);
#pragma unroll
    for (unsigned k = 0; k < EACH; k++) {
        const unsigned i = threadIdx.x + k * BLOCK;
        if (i < count)
            out[i] = low <= tile[i] && tile[i] <= high ? 1.0f : 0.0f;
    }
}

__global__ void between_plain_kernel(float *out, const float *in, unsigned n)
{
    __shared__ __align__(16) float tile[TILE];
    for (unsigned t = blockIdx.x; t < (n + TILE - 1) / TILE; t += gridDim.x) {
        const unsigned count = rl_tile_count<TILE>(n, t);
        rl_tile_load<TILE, BLOCK>(tile, in + t * TILE, count);
        __syncthreads();
        test_tile(out + t * TILE, tile, count);
        __syncthreads(); /* the tile is free again */
    }
}

__global__ void between_pipeline_kernel(float *out, const float *in, unsigned n)
{
#if RL_TILE_ASYNC
    __shared__ __align__(16) float tiles[STAGES][TILE];
    const cg::thread_block block = cg::this_thread_block();
    rl_tile_stream<STAGES>(
        (n + TILE - 1) / TILE,
        [&](unsigned tile, unsigned stage, rl_tile_pipeline &pipeline) {
            rl_tile_copy<TILE>(block, tiles[stage], in + tile * TILE, rl_tile_count<TILE>(n, tile), pipeline);
        },
        [&](unsigned tile, unsigned stage) { test_tile(out + tile * TILE, tiles[stage], rl_tile_count<TILE>(n, tile)); });
#endif
}

/* ---- the operations ---- */

static const struct row {
    const char *name;
    void (*kernel)(float *, const float *, unsigned);
} rows[] = {
    {"plain", between_plain_kernel},
    {"pipeline4", between_pipeline_kernel},
};

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    const unsigned tiles = rl_blocks(run->size, TILE);
    unsigned blocks = 0;
    RL_ROW(row, rows, run, err);
    RL_TRY(rl_cooperative_blocks(run, row->kernel, BLOCK, 0, &blocks, err));
    return rl_enqueue(run, err, blocks < tiles ? blocks : tiles, BLOCK, 0, row->kernel, map->out, map->in, (unsigned)run->size);
}

static double expected(const void *context, uint64_t index)
{
    const struct rl_suite_run *run = (const struct rl_suite_run *)context;
    const uint64_t start = index / TILE * TILE, end = start + TILE < run->size ? start + TILE : run->size;
    const float first = rl_input_unit(run->seed, start), last = rl_input_unit(run->seed, end - 1);
    const float x = rl_input_unit(run->seed, index);
    return (x >= first || x >= last) && (x <= first || x <= last) ? 1 : 0;
}

RL_SUITE_OPS(between, rl_map_setup_plain, launch, rl_map_verify_each<launch, expected>, rl_map_teardown)
