/* bank_conflicts.cu - columns of a tile in shared memory: 32 floats from one row to the next put a column into one bank, 33 into 32
 * banks.
 *
 * Each warp has a tile of 32 x 32. Lane x owns row x and moves it on by one place, again and again: at every step the lanes of the
 * warp touch one column together. All accesses to shared memory are of that kind, also those that fill the tile and read it back.
 */
#include "device.cuh"

enum {
    TILE = 32,
    WARPS = 8, /* of a block, each with its tile */
    BLOCK = WARPS * TILE,
    ROUNDS = 25, /* each moves the rows on by one: not a multiple of 32, or the tile would be as at the start */
};

/* Volatile: each element is an access of its own. Without that the compiler may move four at a time, or keep rows in registers. */
template <int PITCH> __global__ void __launch_bounds__(BLOCK) bank_conflicts_kernel(float *out, const float *in, unsigned n)
{
    __shared__ volatile float tiles[WARPS][TILE][PITCH];
    const unsigned lane = threadIdx.x % TILE, warp = threadIdx.x / TILE;
    const unsigned first = (blockIdx.x * WARPS + warp) * TILE * TILE;
    volatile float *row = tiles[warp][lane];
    /* the input's rows are the tile's columns, so that the lanes read neighbours */
#pragma unroll
    for (unsigned y = 0; y < TILE; y++) {
        const unsigned i = first + y * TILE + lane;
        row[y] = in[i < n ? i : 0];
    }
#pragma unroll 1
    for (unsigned round = 0; round < ROUNDS; round++) {
        float v[TILE];
#pragma unroll
        for (unsigned y = 0; y < TILE; y++)
            v[y] = row[y];
#pragma unroll
        for (unsigned y = 0; y < TILE; y++)
            row[(y + 1) % TILE] = v[y];
    }
#pragma unroll
    for (unsigned y = 0; y < TILE; y++) {
        const unsigned i = first + y * TILE + lane;
        if (i < n)
            out[i] = row[y];
    }
}

/* ---- the operations ---- */

static const struct row {
    const char *name;
    void (*kernel)(float *, const float *, unsigned);
} rows[] = {
    {"column", bank_conflicts_kernel<TILE>},
    {"column_padded", bank_conflicts_kernel<TILE + 1>},
};

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    RL_ROW(row, rows, run, err);
    return rl_enqueue_map(run, err, WARPS * TILE * TILE, BLOCK, row->kernel);
}

/* The element ROUNDS places before it in its row; beyond the input's end the tiles hold its first element. */
static double expected(const void *context, uint64_t index)
{
    const struct rl_suite_run *run = (const struct rl_suite_run *)context;
    const uint64_t lane = index % TILE, y = index / TILE % TILE, first = index / (TILE * TILE) * (TILE * TILE);
    const uint64_t from = first + (y + TILE - ROUNDS % TILE) % TILE * TILE + lane;
    return rl_input_unit(run->seed, from < run->size ? from : 0);
}

RL_SUITE_OPS(bank_conflicts, rl_map_setup_plain, launch, rl_map_verify_each<launch, expected>, rl_map_teardown)
