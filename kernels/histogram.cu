/* histogram.cu - how many of n random floats between 0 and 1 fall into each of 256 bins of equal width.
 *
 * The counters are the bottleneck. In global memory all threads share them. The private variants give every block its own in shared
 * memory, and of those a copy for each bank, so that lanes never meet; the blocks' counts are then added by a second kernel, or by
 * the same one after a barrier of the whole grid.
 */
#include "device.cuh"
#include "grid.cuh"

#if __has_include(<cub/device/device_histogram.cuh>)
#include <cub/device/device_histogram.cuh>
#define HAVE_CUB 1
#endif

enum { BINS = 256, BLOCK = 512, WARP = 32, LOADS = 2 };

/* Exact: the width of a bin is a power of two. */
__device__ __forceinline__ unsigned histogram_bin(float x)
{
    return (unsigned)(x * BINS);
}

/* Calls count(bin) for this thread's share of the samples. LOADS of 16 bytes each are in flight. */
template <class Count> __device__ __forceinline__ void histogram_share(const float *__restrict__ in, unsigned n, Count count)
{
    const unsigned thread = blockIdx.x * BLOCK + threadIdx.x, threads = gridDim.x * BLOCK, vectors = n / 4;
    const float4 *in4 = reinterpret_cast<const float4 *>(in);
    const unsigned rest = vectors * 4 + thread;
    for (unsigned i = thread; i < vectors; i += LOADS * threads) {
        float4 v[LOADS];
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
            if (i + k * threads < vectors)
                v[k] = in4[i + k * threads];
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
            if (i + k * threads < vectors) {
                count(histogram_bin(v[k].x));
                count(histogram_bin(v[k].y));
                count(histogram_bin(v[k].z));
                count(histogram_bin(v[k].w));
            }
    }
    if (rest < n)
        count(histogram_bin(in[rest]));
}

/* ---- counters in global memory ---- */

__global__ void histogram_zero_kernel(uint32_t *out)
{
    out[threadIdx.x] = 0;
}

__global__ void __launch_bounds__(BLOCK) histogram_global_kernel(uint32_t *out, const float *in, unsigned n)
{
    histogram_share(in, n, [out](unsigned bin) { atomicAdd(&out[bin], 1); });
}

/* ---- counters of each block ---- */

/* The counts of this block's samples, to a row of `partial`. */
__device__ void histogram_private(uint32_t *partial, const float *in, unsigned n)
{
    __shared__ uint32_t counters[BINS * WARP]; /* of each bin a copy in every bank, one for each lane */
    const unsigned lane = threadIdx.x % WARP;
    for (unsigned i = threadIdx.x; i < BINS * WARP; i += BLOCK)
        counters[i] = 0;
    __syncthreads();
    histogram_share(in, n, [lane](unsigned bin) { atomicAdd(&counters[bin * WARP + lane], 1); });
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < BINS; bin += BLOCK) {
        uint32_t sum = 0;
#pragma unroll 8
        for (unsigned k = 0; k < WARP; k++)
            sum += counters[bin * WARP + (k + bin) % WARP]; /* each lane begins with another bank */
        partial[blockIdx.x * BINS + bin] = sum;
    }
}

/* The sums over all rows of `partial`, by as many blocks as there are: a warp for each bin. */
__device__ void histogram_merge(uint32_t *out, const uint32_t *partial, unsigned rows)
{
    const unsigned lane = threadIdx.x % WARP, warps = gridDim.x * (BLOCK / WARP);
    for (unsigned bin = (blockIdx.x * BLOCK + threadIdx.x) / WARP; bin < BINS; bin += warps) {
        uint32_t sum = 0;
        for (unsigned row = lane; row < rows; row += WARP)
            sum += partial[row * BINS + bin];
#pragma unroll
        for (int distance = WARP / 2; distance > 0; distance /= 2)
            sum += __shfl_down_sync(~0u, sum, distance);
        if (lane == 0)
            out[bin] = sum;
    }
}

__global__ void __launch_bounds__(BLOCK) histogram_private_kernel(uint32_t *partial, const float *in, unsigned n)
{
    histogram_private(partial, in, n);
}

__global__ void __launch_bounds__(BLOCK) histogram_merge_kernel(uint32_t *out, const uint32_t *partial, unsigned rows)
{
    histogram_merge(out, partial, rows);
}

__global__ void __launch_bounds__(BLOCK) histogram_grid_kernel(uint32_t *out, const float *in, unsigned n, uint32_t *partial)
{
    histogram_private(partial, in, n);
    rl_grid_barrier();
    histogram_merge(out, partial, gridDim.x);
}

static enum rl_status launch_global(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    uint32_t *out = (uint32_t *)map->out;
    RL_TRY(rl_enqueue(run, err, 1, BINS, 0, histogram_zero_kernel, out));
    return rl_enqueue(run, err, map->blocks, BLOCK, 0, histogram_global_kernel, out, map->in, (unsigned)map->count);
}

static enum rl_status launch_private(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    uint32_t *partial = (uint32_t *)map->scratch;
    RL_TRY(rl_enqueue(run, err, map->blocks, BLOCK, 0, histogram_private_kernel, partial, map->in, (unsigned)map->count));
    return rl_enqueue(run, err, BINS * WARP / BLOCK, BLOCK, 0, histogram_merge_kernel, (uint32_t *)map->out, partial, map->blocks);
}

static enum rl_status launch_cooperative(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    return rl_enqueue_cooperative(run, err, map->blocks, BLOCK, 0, histogram_grid_kernel, (uint32_t *)map->out, map->in,
                                  (unsigned)map->count, (uint32_t *)map->scratch);
}

/* ---- the library ---- */

#ifdef HAVE_CUB

static enum rl_status library_histogram(const struct rl_suite_run *run, void *scratch, size_t *scratch_bytes, const float *in,
                                        uint32_t *out, struct rl_err *err)
{
    const int n = (int)run->size, levels = BINS + 1;
    const cudaStream_t stream = (cudaStream_t)run->stream;
    return RL_CUDA(err, cub::DeviceHistogram::HistogramEven(scratch, *scratch_bytes, in, out, levels, 0.0f, 1.0f, n, stream));
}

static enum rl_status library_bytes(const struct rl_suite_run *run, size_t *bytes, struct rl_err *err)
{
    return library_histogram(run, NULL, bytes, NULL, NULL, err);
}

static enum rl_status launch_library(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    size_t bytes = map->scratch_bytes;
    if (run->fault == RL_FAULT_NO_LAUNCH)
        return RL_OK;
    return library_histogram(run, map->scratch, &bytes, map->in, (uint32_t *)map->out, err);
}

#else

static enum rl_status library_bytes(const struct rl_suite_run *, size_t *, struct rl_err *err)
{
    return rl_no_cub(err);
}

static enum rl_status launch_library(struct rl_suite_run *run, struct rl_err *err)
{
    return rl_no_row(run, err);
}

#endif

/* ---- the operations ---- */

static enum rl_status scratch_library(const struct rl_suite_run *run, size_t *bytes, unsigned *, struct rl_err *err)
{
    return library_bytes(run, bytes, err);
}

/* The grid that fills the GPU, and a row of counts for each of its blocks. */
static enum rl_status scratch_rows(const struct rl_suite_run *run, size_t *bytes, unsigned *blocks, struct rl_err *err)
{
    RL_TRY(rl_cooperative_blocks(run, histogram_grid_kernel, BLOCK, 0, blocks, err));
    *bytes = *blocks * BINS * sizeof(uint32_t);
    return RL_OK;
}

static const struct row {
    const char *name;
    enum rl_status (*scratch)(const struct rl_suite_run *, size_t *, unsigned *, struct rl_err *);
    enum rl_status (*launch)(struct rl_suite_run *, struct rl_err *);
} rows[] = {
    {"global_atomics", scratch_rows, launch_global},
    {"private_merge", scratch_rows, launch_private},
    {"cooperative", scratch_rows, launch_cooperative},
    {"cub", scratch_library, launch_library},
};

static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{
    size_t bytes = 0;
    unsigned blocks = 0;
    RL_TRY(rl_size_check(run, RL_MAX_ELEMENTS, err));
    RL_ROW(row, rows, run, err);
    RL_TRY(row->scratch(run, &bytes, &blocks, err));
    RL_TRY(rl_map_setup_sized(run, run->size, BINS, bytes, err));
    rl_map_of(run)->blocks = blocks;
    rl_map_of(run)->words = true;
    return RL_OK;
}

constexpr auto launch = rl_launch_row<rows>;

static double expected(const void *context, uint64_t index)
{
    return ((const uint32_t *)context)[index];
}

struct counting {
    uint64_t seed;
    uint32_t counts[RL_PARALLEL_MOST][BINS]; /* one row for each thread */
};

static void count_piece(void *context, size_t first, size_t count, size_t thread)
{
    struct counting *counting = (struct counting *)context;
    uint32_t *counts = counting->counts[thread];
    for (uint64_t i = first; i < first + count; i++)
        counts[(unsigned)((double)rl_input_unit(counting->seed, i) * BINS)]++;
}

static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    struct counting counting = {};
    uint32_t *counts = counting.counts[0];
    counting.seed = run->seed;
    rl_parallel_for(rl_parallel_width(), run->size, 1 << 16, count_piece, &counting);
    for (unsigned thread = 1; thread < RL_PARALLEL_MOST; thread++)
        for (unsigned bin = 0; bin < BINS; bin++)
            counts[bin] += counting.counts[thread][bin];
    return rl_map_verify(run, launch, {rl_each<expected>, counts, 0}, check, err);
}

RL_SUITE_OPS(histogram, setup, launch, verify, rl_map_teardown)
