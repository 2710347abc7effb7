/* reduction.cu - the sum of an array of floats: by an atomic addition for every element, by a kernel that leaves a sum per block
 * and another that adds those, and by one cooperative kernel that does both with a barrier of the whole grid in between.
 *
 * What is added across threads is float64. In float32 a sum of 16 Mi numbers would lose what is added last; and the suite's random
 * numbers are multiples of 2^-24, so their sums are exact in float64, in any order, up to 2^29 elements.
 */
#include <stdlib.h>

#include "device.cuh"
#include "grid.cuh"

enum { BLOCK = 512, WARP = 32, LOADS = 4 };

/* ---- one atomic addition for every element ---- */

struct running {
    double sum;
    unsigned finished; /* blocks */
};

/* The last block to finish hands over the sum and leaves zeros for the next launch. */
__global__ void __launch_bounds__(BLOCK) reduce_atomic_kernel(float *out, const float *in, unsigned n, running *running)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600 /* min_cc of the variant: no atomic addition of float64 before */
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        atomicAdd(&running->sum, (double)in[i]);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(&running->finished, 1) == gridDim.x - 1) {
        *out = (float)__longlong_as_double(atomicExch(reinterpret_cast<unsigned long long *>(&running->sum), 0));
        running->finished = 0;
    }
#endif
}

/* ---- sums of threads and blocks ---- */

__device__ __forceinline__ float reduce_vector(float4 v)
{
    return (v.x + v.y) + (v.z + v.w);
}

/* A thread's share of the array. LOADS of 16 bytes each are in flight; their 16 numbers are added in float32 as a tree,
 * four roundings deep, and only then in float64, which few GPUs are fast at. */
__device__ double reduce_share(const float *__restrict__ in, unsigned n)
{
    const unsigned thread = blockIdx.x * BLOCK + threadIdx.x, threads = gridDim.x * BLOCK, vectors = n / 4;
    const float4 *in4 = reinterpret_cast<const float4 *>(in);
    const unsigned rest = vectors * 4 + thread;
    double sum = rest < n ? in[rest] : 0;
    for (unsigned i = thread; i < vectors; i += LOADS * threads) {
        float4 v[LOADS];
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
            v[k] = i + k * threads < vectors ? in4[i + k * threads] : make_float4(0, 0, 0, 0);
        sum += (reduce_vector(v[0]) + reduce_vector(v[1])) + (reduce_vector(v[2]) + reduce_vector(v[3]));
    }
    return sum;
}

__device__ __forceinline__ double reduce_warp(double x)
{
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        x += __shfl_down_sync(~0u, x, distance);
    return x;
}

/* The sum over the block's threads, in thread 0. Once per kernel and use: no thread waits before the shared memory is written
 * again.
 */
__device__ double reduce_block(double x, double (&sums)[BLOCK / WARP])
{
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    x = reduce_warp(x);
    if (lane == 0)
        sums[warp] = x;
    __syncthreads();
    if (warp == 0)
        x = reduce_warp(lane < BLOCK / WARP ? sums[lane] : 0);
    return x;
}

__device__ void reduce_to_partial(double *partial, const float *in, unsigned n)
{
    __shared__ double sums[BLOCK / WARP];
    const double sum = reduce_block(reduce_share(in, n), sums);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

/* By one block. */
__device__ void reduce_partial(float *out, const double *partial, unsigned count)
{
    __shared__ double sums[BLOCK / WARP];
    double sum = 0;
    for (unsigned i = threadIdx.x; i < count; i += BLOCK)
        sum += partial[i];
    sum = reduce_block(sum, sums);
    if (threadIdx.x == 0)
        *out = (float)sum;
}

__global__ void __launch_bounds__(BLOCK) reduce_to_partial_kernel(double *partial, const float *in, unsigned n)
{
    reduce_to_partial(partial, in, n);
}

__global__ void __launch_bounds__(BLOCK) reduce_partial_kernel(float *out, const double *partial, unsigned count)
{
    reduce_partial(out, partial, count);
}

__global__ void __launch_bounds__(BLOCK) reduce_grid_kernel(float *out, const float *in, unsigned n, double *partial)
{
    reduce_to_partial(partial, in, n);
    rl_grid_barrier();
    if (blockIdx.x == 0)
        reduce_partial(out, partial, gridDim.x);
}

/* ---- the operations ---- */

static enum rl_status launch_atomic(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    return rl_enqueue(run, err, rl_blocks(map->count, BLOCK), BLOCK, 0, reduce_atomic_kernel, map->out, map->in,
                      (unsigned)map->count, (running *)map->scratch);
}

static enum rl_status launch_two(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    double *partial = (double *)map->scratch;
    RL_TRY(rl_enqueue(run, err, map->blocks, BLOCK, 0, reduce_to_partial_kernel, partial, map->in, (unsigned)map->count));
    return rl_enqueue(run, err, 1, BLOCK, 0, reduce_partial_kernel, map->out, partial, map->blocks);
}

static enum rl_status launch_grid(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    return rl_enqueue_cooperative(run, err, map->blocks, BLOCK, 0, reduce_grid_kernel, map->out, map->in, (unsigned)map->count,
                                  (double *)map->scratch);
}

static const struct row {
    const char *name;
    enum rl_status (*launch)(struct rl_suite_run *, struct rl_err *);
} rows[] = {
    {"atomic", launch_atomic},
    {"two_kernels", launch_two},
    {"warp_shuffle_grid", launch_grid},
};

/* The grid that fills the GPU, for both variants that leave a sum per block, so that they differ in nothing else. */
static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{
    unsigned blocks = 0;
    RL_TRY(rl_size_check(run, RL_MAX_ELEMENTS, err));
    RL_TRY(rl_cooperative_blocks(run, reduce_grid_kernel, BLOCK, 0, &blocks, err));
    RL_TRY(rl_map_setup_sized(run, run->size, 1, sizeof(running) + blocks * sizeof(double), err));
    rl_map_of(run)->blocks = blocks;
    return RL_OK;
}

constexpr auto launch = rl_launch_row<rows>;

static double expected(const void *context, uint64_t)
{
    return *(const double *)context;
}

enum { PIECE = 1 << 16 };

struct summing {
    uint64_t seed;
    double *sums; /* one for each piece, added up in order: the same with any number of threads */
};

static void sum_piece(void *context, size_t first, size_t count, size_t)
{
    const struct summing *summing = (const struct summing *)context;
    double sum = 0;
    for (uint64_t i = first; i < first + count; i++)
        sum += (double)rl_input_unit(summing->seed, i);
    summing->sums[first / PIECE] = sum;
}

static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    const size_t pieces = rl_blocks(run->size, PIECE);
    const struct summing summing = {run->seed, (double *)rl_calloc(pieces, sizeof(double))};
    double sum = 0;
    rl_parallel_for(rl_parallel_width(), run->size, PIECE, sum_piece, (void *)&summing);
    for (size_t i = 0; i < pieces; i++)
        sum += summing.sums[i];
    free(summing.sums);
    /* four roundings to float32 of sums of 16 positive numbers, and one of the result */
    return rl_map_verify(run, launch, {rl_each<expected>, &sum, 5 * 0x1p-24}, check, err);
}

RL_SUITE_OPS(reduction, setup, launch, verify, rl_map_teardown)
