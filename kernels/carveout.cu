/* carveout.cu - how an SM's memory is split between shared memory and L1 cache: a kernel that wants both. Each block holds a tile
 * of the input in shared memory, so more shared memory lets more blocks work at once; and it looks things up in a table that fits
 * the L1 cache unless shared memory takes too much of it. Blocks are small and look-ups depend on one another: one block alone
 * leaves the SM waiting.
 */
#include "device.cuh"

enum {
    BLOCK = 64,
    TILE = 2048,     /* floats: 8 KiB of shared memory a block */
    ENTRIES = 16384, /* of the table, the beginning of the input: 64 KiB */
    STEPS = 4,       /* look-ups for each element, one after the other */
    HOP = 37,        /* between the tile's elements that lead from step to step */
};

/* Entry that two random floats lead to: their mantissas, which are the random part, mixed and scaled to the table. */
__host__ __device__ static unsigned entry(uint32_t a, uint32_t b, unsigned entries)
{
    return (unsigned)((uint64_t)((a ^ b) << 9) * entries >> 32);
}

/* A preference is a property of a function: each has one of its own. */
template <int PREFERENCE> __global__ void __launch_bounds__(BLOCK) carveout_kernel(float *out, const float *in, unsigned n)
{
    __shared__ float tile[TILE];
    const unsigned first = blockIdx.x * TILE, entries = n < ENTRIES ? n : ENTRIES;
#pragma unroll 8
    for (unsigned k = 0; k < TILE / BLOCK; k++) {
        const unsigned j = k * BLOCK + threadIdx.x;
        tile[j] = __ldcs(&in[first + j < n ? first + j : 0]);
    }
    __syncthreads();
#pragma unroll 1
    for (unsigned j = threadIdx.x; j < TILE && first + j < n; j += BLOCK) {
        float x = tile[j];
#pragma unroll
        for (unsigned step = 1; step <= STEPS; step++)
            x = in[entry(__float_as_uint(x), __float_as_uint(tile[(j + step * HOP) % TILE]), entries)];
        out[first + j] = x;
    }
}

/* ---- the operations ---- */

struct row {
    const char *name;
    void (*kernel)(float *, const float *, unsigned);
    int preference; /* per cent of the most shared memory, or cudaSharedmemCarveoutDefault */
};

#define ROW(name, preference)                                                                                                      \
    {                                                                                                                              \
        name, carveout_kernel<preference>, preference                                                                              \
    }

static const struct row rows[] = {
    ROW("none", cudaSharedmemCarveoutDefault),
    ROW("shared", cudaSharedmemCarveoutMaxShared),
    ROW("l1", cudaSharedmemCarveoutMaxL1),
    ROW("equal", 50),
};

static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{
    RL_ROW(row, rows, run, err);
    RL_TRY(rl_size_check(run, RL_MAX_ELEMENTS, err));
    RL_TRY(RL_CUDA(err, cudaFuncSetAttribute(row->kernel, cudaFuncAttributePreferredSharedMemoryCarveout, row->preference)));
    return rl_map_setup(run, run->size, RL_OUT_OF_PLACE, err);
}

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    return rl_enqueue(run, err, rl_blocks(map->count, TILE), BLOCK, 0, rl_row(rows, run)->kernel, map->out, map->in,
                      (unsigned)map->count);
}

struct source {
    uint64_t seed, size;
};

/* Bits of element `index` of the input, as the tile holds it: beyond the end it has the first element. */
static uint32_t bits(const struct source *source, uint64_t index)
{
    const float x = rl_input_unit(source->seed, index < source->size ? index : 0);
    uint32_t word;
    memcpy(&word, &x, sizeof(word));
    return word;
}

static double expected(const void *context, uint64_t index)
{
    const struct source *source = (const struct source *)context;
    const uint64_t first = index / TILE * TILE, size = source->size;
    const unsigned entries = size < ENTRIES ? (unsigned)size : (unsigned)ENTRIES;
    uint64_t at = index;
    for (unsigned step = 1; step <= STEPS; step++)
        at = entry(bits(source, at), bits(source, first + (index + step * HOP) % TILE), entries);
    return rl_input_unit(source->seed, at);
}

static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    const struct source source = {run->seed, run->size};
    return rl_map_verify(run, launch, {rl_each<expected>, &source, 0}, check, err);
}

RL_SUITE_OPS(carveout, setup, launch, verify, rl_map_teardown)
