/* transpose.cu - a square matrix of floats transposed: strided stores, a tile in shared memory, the tile without bank conflicts.
 *
 * Every block handles two tiles of 32 x 32, one below the other, with 32 x 8 threads, so each thread moves eight elements, and all
 * eight loads are in flight before the first store: the variants differ in their access pattern alone. With one tile a block has
 * too little in flight while it waits at its barrier: then tiled_padded reaches 87 to 90 % of the copy on an H200, now 93 to 96 %.
 */
#include "device.cuh"

enum { TILE = 32, ROWS = 8, EACH = TILE / ROWS, TILES = 2 };

/* Elements (x, y), (x, y + 8), (x, y + 16) and (x, y + 24) of a matrix of n x n; outside of it some element, which no thread
 * stores.
 */
__device__ __forceinline__ void load(float (&v)[EACH], const float *in, unsigned n, unsigned x, unsigned y)
{
#pragma unroll
    for (unsigned k = 0; k < EACH; k++)
        v[k] = in[x < n && y + k * ROWS < n ? (y + k * ROWS) * n + x : 0];
}

__device__ __forceinline__ void store(float *out, const float (&v)[EACH], unsigned n, unsigned x, unsigned y)
{
#pragma unroll
    for (unsigned k = 0; k < EACH; k++)
        if (x < n && y + k * ROWS < n)
            out[(y + k * ROWS) * n + x] = v[k];
}

/* A thread's elements of the block's tiles, whose first one starts at (left, top). */
__device__ __forceinline__ void load_tiles(float (&v)[TILES][EACH], const float *in, unsigned n, unsigned left, unsigned top)
{
#pragma unroll
    for (unsigned t = 0; t < TILES; t++)
        load(v[t], in, n, left + threadIdx.x, top + t * TILE + threadIdx.y);
}

__global__ void copy_kernel(float *out, const float *in, unsigned n)
{
    const unsigned left = blockIdx.x * TILE, top = blockIdx.y * TILES * TILE;
    float v[TILES][EACH];
    load_tiles(v, in, n, left, top);
#pragma unroll
    for (unsigned t = 0; t < TILES; t++)
        store(out, v[t], n, left + threadIdx.x, top + t * TILE + threadIdx.y);
}

__global__ void transpose_naive_kernel(float *out, const float *in, unsigned n)
{
    const unsigned left = blockIdx.x * TILE, top = blockIdx.y * TILES * TILE;
    const unsigned x = left + threadIdx.x, y = top + threadIdx.y;
    float v[TILES][EACH];
    load_tiles(v, in, n, left, top);
#pragma unroll
    for (unsigned k = 0; k < TILES * EACH; k++)
        if (x < n && y + k * ROWS < n)
            out[x * n + y + k * ROWS] = v[k / EACH][k % EACH];
}

/* PITCH: floats from one row of a tile to the next. At 32 a column lies in one bank; at 33 in 32 banks. */
template <int PITCH> __global__ void transpose_tiled_kernel(float *out, const float *in, unsigned n)
{
    __shared__ float tile[TILES][TILE][PITCH];
    const unsigned left = blockIdx.x * TILE, top = blockIdx.y * TILES * TILE;
    float v[TILES][EACH];
    load_tiles(v, in, n, left, top);
#pragma unroll
    for (unsigned k = 0; k < TILES * EACH; k++)
        tile[k / EACH][threadIdx.y + k % EACH * ROWS][threadIdx.x] = v[k / EACH][k % EACH];
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < TILES * EACH; k++)
        v[k / EACH][k % EACH] = tile[k / EACH][threadIdx.x][threadIdx.y + k % EACH * ROWS];
#pragma unroll
    for (unsigned t = 0; t < TILES; t++)
        store(out, v[t], n, top + t * TILE + threadIdx.x, left + threadIdx.y);
}

/* ---- the operations ---- */

struct place {
    uint64_t seed, rows;
};

static double expected_copy(const void *context, uint64_t index)
{
    return rl_input_unit(((const struct place *)context)->seed, index);
}

static void expected_transposed(const void *context, uint64_t start, size_t count, double *values)
{
    const struct place *place = (const struct place *)context;
    uint64_t row = start / place->rows, column = start % place->rows;
    for (size_t i = 0; i < count; i++) {
        values[i] = rl_input_unit(place->seed, column * place->rows + row);
        if (++column == place->rows) {
            column = 0;
            row++;
        }
    }
}

static const struct row {
    const char *name;
    void (*kernel)(float *, const float *, unsigned);
    rl_expected expected;
} rows[] = {
    {"copy", copy_kernel, rl_each<expected_copy>},
    {"naive", transpose_naive_kernel, expected_transposed},
    {"tiled", transpose_tiled_kernel<TILE>, expected_transposed},
    {"tiled_padded", transpose_tiled_kernel<TILE + 1>, expected_transposed},
};

static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{
    RL_TRY(rl_size_check(run, 46340, err)); /* the largest square of RL_MAX_ELEMENTS */
    return rl_map_setup(run, run->size * run->size, RL_OUT_OF_PLACE, err);
}

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    const dim3 grid(rl_blocks(run->size, TILE), rl_blocks(run->size, TILES * TILE));
    RL_ROW(row, rows, run, err);
    return rl_enqueue(run, err, grid, dim3(TILE, ROWS), 0, row->kernel, map->out, map->in, (unsigned)run->size);
}

static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    const struct place place = {run->seed, run->size};
    RL_ROW(row, rows, run, err);
    return rl_map_verify(run, launch, {row->expected, &place, 0}, check, err);
}

RL_SUITE_OPS(transpose, setup, launch, verify, rl_map_teardown)
