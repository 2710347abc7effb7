/* jacobi.cu - steps of Jacobi's iteration on a square grid of n x n points: every inner point becomes the mean of its four
 * neighbours, points on the edge stay. Each step needs all of the one before: a launch for each step, one cooperative kernel with
 * a barrier of the whole grid between steps, or a graph of the launches.
 *
 * A run begins anew from the input, so that runs differ in nothing.
 */
#include <stdlib.h>

#include "device.cuh"
#include "grid.cuh"

/* A tile of 32 x 32 points is the work of 32 x 8 threads. Blocks meet at a barrier, so those of the cooperative launch are large
 * and have several tiles each. */
enum { TILE = 32, ROWS = 8, EACH = TILE / ROWS, BLOCK = TILE * ROWS, TILES = 4 };

/* One step on a tile. A point of the edge is the mean of itself four times over, which is exact. All loads stand before the first
 * store; and they are no read-only loads, because another block wrote `in` just before. */
__device__ __forceinline__ void jacobi_tile(float *out, const float *in, unsigned n, unsigned tile)
{
    const unsigned tiles = (n + TILE - 1) / TILE;
    const unsigned x = tile % tiles * TILE + threadIdx.x, top = tile / tiles * TILE + threadIdx.y;
    float v[EACH];
#pragma unroll
    for (unsigned k = 0; k < EACH; k++) {
        const unsigned y = top + k * ROWS, i = x < n && y < n ? y * n + x : 0;
        const bool edge = x == 0 || y == 0 || x + 1 >= n || y + 1 >= n;
        const unsigned down = edge ? 0 : n, aside = edge ? 0 : 1;
        v[k] = ((in[i - down] + in[i + down]) + (in[i - aside] + in[i + aside])) * 0.25f;
    }
#pragma unroll
    for (unsigned k = 0; k < EACH; k++)
        if (x < n && top + k * ROWS < n)
            out[(top + k * ROWS) * n + x] = v[k];
}

__global__ void __launch_bounds__(BLOCK) jacobi_step_kernel(float *out, const float *in, unsigned n)
{
    jacobi_tile(out, in, n, blockIdx.x);
}

/* Steps from `in` to `a`, from there to `b`, and then to and fro. The last one ends in `a` when their number is odd. */
__global__ void __launch_bounds__(BLOCK *TILES) jacobi_grid_kernel(float *a, float *b, const float *in, unsigned n, unsigned steps)
{
    const unsigned tiles = (n + TILE - 1) / TILE;
    for (unsigned step = 0; step < steps; step++) {
        float *to = step % 2 == 0 ? a : b;
        const float *from = step == 0 ? in : step % 2 == 0 ? b : a;
        for (unsigned tile = blockIdx.x * TILES + threadIdx.z; tile < tiles * tiles; tile += gridDim.x * TILES)
            jacobi_tile(to, from, n, tile);
        if (step + 1 < steps)
            rl_grid_barrier();
    }
}

/* ---- the operations ---- */

static unsigned steps_of(const struct rl_suite_run *run)
{
    return (unsigned)run->variant->parameter[0];
}

/* The arrays that steps go to in turn, so that the last step ends in the output. */
static void targets(const struct rl_suite_run *run, float *target[2])
{
    const struct rl_map *map = rl_map_of(run);
    const unsigned odd = steps_of(run) % 2;
    target[1 - odd] = map->out;
    target[odd] = (float *)map->scratch;
}

static enum rl_status launch_steps(struct rl_suite_run *run, struct rl_err *err)
{
    const unsigned n = (unsigned)run->size, tiles = rl_blocks(n, TILE), steps = steps_of(run);
    const float *from = rl_map_of(run)->in;
    float *target[2];
    targets(run, target);
    for (unsigned step = 0; step < steps; step++) {
        float *to = target[step % 2];
        RL_TRY(rl_enqueue(run, err, tiles * tiles, dim3(TILE, ROWS), 0, jacobi_step_kernel, to, from, n));
        from = to;
    }
    return RL_OK;
}

static enum rl_status launch_cooperative(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    float *target[2];
    targets(run, target);
    return rl_enqueue_cooperative(run, err, map->blocks, dim3(TILE, ROWS, TILES), 0, jacobi_grid_kernel, target[0], target[1],
                                  map->in, (unsigned)run->size, steps_of(run));
}

static enum rl_status prepare_grid(struct rl_suite_run *run, struct rl_err *err)
{
    return rl_cooperative_blocks(run, jacobi_grid_kernel, BLOCK * TILES, 0, &rl_map_of(run)->blocks, err);
}

static enum rl_status prepare_graph(struct rl_suite_run *run, struct rl_err *err)
{
    return rl_map_graph(run, launch_steps, err);
}

static const struct row {
    const char *name;
    enum rl_status (*prepare)(struct rl_suite_run *, struct rl_err *);
    enum rl_status (*launch)(struct rl_suite_run *, struct rl_err *);
} rows[] = {
    {"launches", NULL, launch_steps},
    {"cooperative", prepare_grid, launch_cooperative},
    {"graph", prepare_graph, rl_enqueue_graph},
};

static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{

    RL_TRY(rl_size_check(run, 46340, err)); /* the largest square of RL_MAX_ELEMENTS */
    RL_ROW(row, rows, run, err);
    const uint64_t points = run->size * run->size;
    RL_TRY(rl_map_setup_sized(run, points, points, points * sizeof(float), err));
    return rl_map_prepare(run, row->prepare, err);
}

constexpr auto launch = rl_launch_row<rows>;

/* One step in float64. */
struct step {
    double *out;
    const double *in;
    size_t n;
};

static void relax_rows(void *context, size_t first, size_t count, size_t)
{
    const struct step *step = (const struct step *)context;
    const size_t n = step->n;
    const double *in = step->in;
    memcpy(step->out + first * n, in + first * n, count * n * sizeof(*in));
    for (size_t y = first > 1 ? first : 1; y < first + count && y + 1 < n; y++)
        for (size_t i = y * n + 1; i + 1 < (y + 1) * n; i++)
            step->out[i] = (in[i - n] + in[i + n] + in[i - 1] + in[i + 1]) * 0.25;
}

static double expected(const void *context, uint64_t index)
{
    return ((const double *)context)[index];
}

static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    const size_t n = run->size;
    const unsigned steps = steps_of(run);
    double *from = (double *)rl_calloc(n * n, sizeof(*from)), *to = (double *)rl_calloc(n * n, sizeof(*to));
    for (size_t i = 0; i < n * n; i++)
        from[i] = rl_input_unit(run->seed, i);
    for (unsigned step = 0; step < steps; step++) {
        double *next = to;
        struct step one = {next, from, n};
        rl_parallel_for(rl_parallel_width(), n, 64, relax_rows, &one);
        to = from;
        from = next;
    }
    /* three roundings a step of at most 2^-24 each, which the mean carries along undiminished */
    const enum rl_status status = rl_map_verify(run, launch, {rl_each<expected>, from, 3.0 * steps * 0x1p-24}, check, err);
    free(from);
    free(to);
    return status;
}

RL_SUITE_OPS(jacobi, setup, launch, verify, rl_map_teardown)
