/* working_set.cu - how fast data is read again and again, by how much of it there is. Every block goes through all of the data,
 * from a place of its own on, so that the blocks do not read the same at one time; a thread has several vectors of 16 bytes under
 * way. Whatever the working set, as much is read in all.
 */
#include "device.cuh"

enum { BLOCK = 256, UNROLL = 4, VECTOR_WORDS = 4 };

static __device__ __forceinline__ uint32_t add(uint4 v)
{
    return v.x + v.y + (v.z + v.w);
}

/* Vectors of the working set are mask + 1, a power of two and a multiple of BLOCK. The first vector that a thread reads. */
static __host__ __device__ __forceinline__ unsigned first_of(unsigned block, unsigned thread, unsigned blocks, unsigned mask)
{
    return (unsigned)((uint64_t)block * (mask + 1) / blocks) / BLOCK * BLOCK + thread;
}

/* Thread `own` of all reads as many vectors as there are numbers own, own + step, ... below `count`. */
__global__ void __launch_bounds__(BLOCK) read_kernel(uint32_t *out, const uint4 *__restrict__ in, unsigned mask, unsigned count)
{
    const unsigned own = blockIdx.x * BLOCK + threadIdx.x, step = gridDim.x * BLOCK;
    const unsigned reads = own < count ? (count - own - 1) / step + 1 : 0;
    unsigned at = first_of(blockIdx.x, threadIdx.x, gridDim.x, mask), read = 0;
    uint32_t sum = 0;
#pragma unroll 1
    for (; read + UNROLL <= reads; read += UNROLL, at += UNROLL * BLOCK) {
        uint4 v[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            v[u] = in[(at + u * BLOCK) & mask];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            sum += add(v[u]);
    }
    for (; read < reads; read++, at += BLOCK)
        sum += add(in[at & mask]);
    out[own] = sum;
}

/* ---- the operations ---- */

static unsigned vectors(const struct rl_suite_run *run)
{
    return (unsigned)((uint64_t)run->variant->parameter[0] * 1024 / sizeof(uint4));
}

static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{
    unsigned blocks = 0;
    RL_TRY(rl_size_check(run, RL_MAX_ELEMENTS, err));
    RL_TRY(rl_cooperative_blocks(run, read_kernel, BLOCK, 0, &blocks, err));
    RL_TRY(rl_map_setup_sized(run, (uint64_t)VECTOR_WORDS * vectors(run), (uint64_t)blocks * BLOCK, 0, err));
    rl_map_of(run)->words = true;
    return RL_OK;
}

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    return rl_enqueue(run, err, (unsigned)(map->out_count / BLOCK), BLOCK, 0, read_kernel, (uint32_t *)map->out,
                      (const uint4 *)map->in, vectors(run) - 1, (unsigned)run->size);
}

static uint32_t sum_of_vector(uint64_t seed, unsigned vector)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < VECTOR_WORDS; i++) {
        const float value = rl_input_unit(seed, (uint64_t)VECTOR_WORDS * vector + i);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        sum += bits;
    }
    return sum;
}

static double expected(const void *context, uint64_t index)
{
    const struct rl_suite_run *run = static_cast<const struct rl_suite_run *>(context);
    const uint64_t step = rl_map_of(run)->out_count;
    const unsigned mask = vectors(run) - 1;
    unsigned at = first_of((unsigned)(index / BLOCK), (unsigned)(index % BLOCK), (unsigned)(step / BLOCK), mask);
    uint32_t sum = 0;
    for (uint64_t i = index; i < run->size; i += step, at += BLOCK)
        sum += sum_of_vector(run->seed, at & mask);
    return sum;
}

RL_SUITE_OPS(working_set, setup, launch, rl_map_verify_each<launch, expected>, rl_map_teardown)
