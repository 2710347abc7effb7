/* scan.cu - exclusive prefix sums of 32-bit integers, modulo 2^32, so that the result is the same in any order and can be checked
 * bit by bit. The input is the bits of random floats.
 *
 * Blelloch's scheme in one cooperative kernel: the up-sweep sums threads, warps and blocks; after a barrier of the whole grid each
 * block knows what comes before it; the down-sweep hands every element the sum of those before it. The data is read twice and
 * written once. The up-sweep goes from the end to the beginning, so that the down-sweep begins with what the cache still holds.
 */
#include "device.cuh"
#include "grid.cuh"

#if __has_include(<cub/device/device_scan.cuh>)
#include <cub/device/device_scan.cuh>
#define HAVE_CUB 1
#endif

enum {
    BLOCK = 256,
    WARP = 32,
    WARPS = BLOCK / WARP,
    EACH = 4,           /* elements of one load */
    ROW = EACH * BLOCK, /* elements that a block loads at once; blocks divide the data by rows */
    ROWS = 4,           /* of a tile: loads that a thread has in flight */
    SUMS = ROWS * WARPS,
};
static_assert(SUMS == WARP, "one warp scans the sums of a tile");

/* The elements of one block: from `begin`, a multiple of ROW, up to `end`. */
struct part {
    unsigned begin, end;
};

__device__ part scan_part(unsigned n)
{
    const unsigned rows = (n + ROW - 1) / ROW;
    const unsigned first = (unsigned)((uint64_t)rows * blockIdx.x / gridDim.x);
    const unsigned last = (unsigned)((uint64_t)rows * (blockIdx.x + 1) / gridDim.x);
    return {first * ROW, min(last * ROW, n)};
}

/* Elements i to i + 3; 0 from `end` on. */
__device__ __forceinline__ uint4 scan_load(const uint32_t *__restrict__ in, unsigned i, unsigned end)
{
    if (i + EACH <= end)
        return *reinterpret_cast<const uint4 *>(in + i);
    return make_uint4(i < end ? in[i] : 0, i + 1 < end ? in[i + 1] : 0, i + 2 < end ? in[i + 2] : 0, 0);
}

__device__ __forceinline__ void scan_store(uint32_t *out, unsigned i, unsigned end, uint4 v)
{
    if (i + EACH <= end) {
        *reinterpret_cast<uint4 *>(out + i) = v;
        return;
    }
    if (i < end)
        out[i] = v.x;
    if (i + 1 < end)
        out[i + 1] = v.y;
    if (i + 2 < end)
        out[i + 2] = v.z;
}

__device__ __forceinline__ uint32_t scan_sum(uint4 v)
{
    return (v.x + v.y) + (v.z + v.w);
}

/* The sum of this lane's and all lower lanes' x. */
__device__ __forceinline__ uint32_t scan_warp(uint32_t x)
{
    const unsigned lane = threadIdx.x % WARP;
#pragma unroll
    for (unsigned distance = 1; distance < WARP; distance *= 2) {
        const uint32_t lower = __shfl_up_sync(~0u, x, distance);
        x += lane >= distance ? lower : 0;
    }
    return x;
}

/* The sum over the block, in all its threads. */
__device__ uint32_t scan_block_sum(uint32_t x)
{
    __shared__ uint32_t sums[WARPS];
    uint32_t sum = 0;
    x = scan_warp(x);
    if (threadIdx.x % WARP == WARP - 1)
        sums[threadIdx.x / WARP] = x;
    __syncthreads();
#pragma unroll
    for (unsigned w = 0; w < WARPS; w++)
        sum += sums[w];
    __syncthreads(); /* before the next use writes it */
    return sum;
}

__device__ uint32_t scan_up(const uint32_t *__restrict__ in, part own)
{
    uint32_t sum = 0;
    for (unsigned rows = (own.end - own.begin + ROW - 1) / ROW; rows > 0; rows -= min(rows, (unsigned)ROWS)) {
        uint4 v[ROWS];
#pragma unroll
        for (unsigned r = 0; r < ROWS; r++) {
            const unsigned row = rows - 1 - r; /* wraps below 0: nothing there */
            v[r] = r < rows ? scan_load(in, own.begin + row * ROW + threadIdx.x * EACH, own.end) : make_uint4(0, 0, 0, 0);
        }
#pragma unroll
        for (unsigned r = 0; r < ROWS; r++)
            sum += scan_sum(v[r]);
    }
    return scan_block_sum(sum);
}

/* Scans ROWS of the rows, from element `first` on; `before` is the sum of all elements before them. Returns the sum of all elements
 * up to their end. Calls of a block take the two halves of `sums` in turn, so that one barrier each is enough. */
__device__ uint32_t scan_tile(uint32_t *out, const uint32_t *in, unsigned first, unsigned end, uint32_t before, uint32_t *sums)
{
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    uint4 v[ROWS];
    uint32_t inclusive[ROWS];
#pragma unroll
    for (unsigned r = 0; r < ROWS; r++)
        v[r] = scan_load(in, first + r * ROW + threadIdx.x * EACH, end);
#pragma unroll
    for (unsigned r = 0; r < ROWS; r++) {
        inclusive[r] = scan_warp(scan_sum(v[r]));
        if (lane == WARP - 1)
            sums[r * WARPS + warp] = inclusive[r];
    }
    __syncthreads();
    const uint32_t own = sums[lane], scanned = scan_warp(own); /* of all warps in all rows, by every warp for itself */
#pragma unroll
    for (unsigned r = 0; r < ROWS; r++) {
        uint32_t x = before + __shfl_sync(~0u, scanned - own, r * WARPS + warp) + inclusive[r] - scan_sum(v[r]);
        uint4 result;
        result.x = x;
        result.y = x += v[r].x;
        result.z = x += v[r].y;
        result.w = x += v[r].z;
        scan_store(out, first + r * ROW + threadIdx.x * EACH, end, result);
    }
    return before + __shfl_sync(~0u, scanned, WARP - 1);
}

__device__ void scan_down(uint32_t *out, const uint32_t *__restrict__ in, part own, uint32_t before)
{
    __shared__ uint32_t sums[2][SUMS];
    unsigned half = 0;
    for (unsigned first = own.begin; first < own.end; first += ROWS * ROW) {
        before = scan_tile(out, in, first, own.end, before, sums[half]);
        half ^= 1;
    }
}

__global__ void __launch_bounds__(BLOCK) scan_blelloch_kernel(uint32_t *out, const uint32_t *in, unsigned n, uint32_t *partial)
{
    const part own = scan_part(n);
    const uint32_t sum = scan_up(in, own);
    uint32_t before = 0;
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
    rl_grid_barrier();
    for (unsigned b = threadIdx.x; b < blockIdx.x; b += BLOCK)
        before += partial[b];
    scan_down(out, in, own, scan_block_sum(before));
}

/* ---- the library ---- */

#ifdef HAVE_CUB

static enum rl_status library_scan(const struct rl_suite_run *run, void *scratch, size_t *scratch_bytes, const uint32_t *in,
                                   uint32_t *out, struct rl_err *err)
{
    const int n = (int)run->size;
    const cudaStream_t stream = (cudaStream_t)run->stream;
    return RL_CUDA(err, cub::DeviceScan::ExclusiveSum(scratch, *scratch_bytes, in, out, n, stream));
}

static enum rl_status library_bytes(const struct rl_suite_run *run, size_t *bytes, struct rl_err *err)
{
    return library_scan(run, NULL, bytes, NULL, NULL, err);
}

static enum rl_status launch_library(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    size_t bytes = map->scratch_bytes;
    if (run->fault == RL_FAULT_NO_LAUNCH)
        return RL_OK;
    return library_scan(run, map->scratch, &bytes, (const uint32_t *)map->in, (uint32_t *)map->out, err);
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

static enum rl_status setup_library(struct rl_suite_run *run, struct rl_err *err)
{
    size_t bytes = 0;
    RL_TRY(library_bytes(run, &bytes, err));
    return rl_map_setup_sized(run, run->size, run->size, bytes, err);
}

static enum rl_status setup_blelloch(struct rl_suite_run *run, struct rl_err *err)
{
    unsigned blocks = 0;
    RL_TRY(rl_cooperative_blocks(run, scan_blelloch_kernel, BLOCK, 0, &blocks, err));
    RL_TRY(rl_map_setup_sized(run, run->size, run->size, blocks * sizeof(uint32_t), err));
    rl_map_of(run)->blocks = blocks;
    return RL_OK;
}

static enum rl_status launch_blelloch(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    return rl_enqueue_cooperative(run, err, map->blocks, BLOCK, 0, scan_blelloch_kernel, (uint32_t *)map->out,
                                  (const uint32_t *)map->in, (unsigned)map->count, (uint32_t *)map->scratch);
}

static const struct row {
    const char *name;
    enum rl_status (*setup)(struct rl_suite_run *, struct rl_err *);
    enum rl_status (*launch)(struct rl_suite_run *, struct rl_err *);
} rows[] = {
    {"blelloch", setup_blelloch, launch_blelloch},
    {"cub", setup_library, launch_library},
};

static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{

    RL_TRY(rl_size_check(run, RL_MAX_ELEMENTS, err));
    RL_ROW(row, rows, run, err);
    RL_TRY(row->setup(run, err));
    rl_map_of(run)->words = true;
    return RL_OK;
}

constexpr auto launch = rl_launch_row<rows>;

static uint32_t input_bits(uint64_t seed, uint64_t index)
{
    const float x = rl_input_unit(seed, index);
    uint32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static double expected(const void *context, uint64_t index)
{
    return ((const uint32_t *)context)[index];
}

/* The running sums, piece by piece: first each piece from 0, then what stands before it is added to all of it. */
enum { PIECE = 1 << 16 };

struct scanning {
    uint64_t seed;
    uint32_t *sums;
    uint32_t *before; /* of each piece: at first its own sum */
};

static void scan_piece(void *context, size_t first, size_t count, size_t)
{
    const struct scanning *scanning = (const struct scanning *)context;
    uint32_t sum = 0;
    for (size_t i = first; i < first + count; i++) {
        scanning->sums[i] = sum;
        sum += input_bits(scanning->seed, i);
    }
    scanning->before[first / PIECE] = sum;
}

static void raise_piece(void *context, size_t first, size_t count, size_t)
{
    const struct scanning *scanning = (const struct scanning *)context;
    for (size_t i = first; i < first + count; i++)
        scanning->sums[i] += scanning->before[first / PIECE];
}

static void scan(const struct scanning *scanning, size_t size)
{
    uint32_t sum = 0;
    rl_parallel_for(rl_parallel_width(), size, PIECE, scan_piece, (void *)scanning);
    for (size_t piece = 0; piece < rl_blocks(size, PIECE); piece++) {
        const uint32_t own = scanning->before[piece];
        scanning->before[piece] = sum;
        sum += own;
    }
    rl_parallel_for(rl_parallel_width(), size, PIECE, raise_piece, (void *)scanning);
}

static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    const struct scanning scanning = {run->seed, (uint32_t *)rl_calloc(run->size, sizeof(uint32_t)),
                                      (uint32_t *)rl_calloc(rl_blocks(run->size, PIECE), sizeof(uint32_t))};
    scan(&scanning, run->size);
    const enum rl_status status = rl_map_verify(run, launch, {rl_each<expected>, scanning.sums, 0}, check, err);
    free(scanning.sums);
    free(scanning.before);
    return status;
}

RL_SUITE_OPS(scan, setup, launch, verify, rl_map_teardown)
