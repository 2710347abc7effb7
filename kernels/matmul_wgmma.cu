/* matmul_wgmma.cu - the product on Hopper's tensor cores: wgmma, fed by the tensor memory accelerator (TMA). Both exist for the
 * target sm_90a alone, for which this file is compiled next to the others; for those the kernel is empty, and the host sees that.
 *
 * A block makes 128 x 256 results: two groups of four warps (consumers) 64 x 256 each, from tiles of 128 rows of A and 256 rows of
 * B' with 64 elements along the sum. One more warp (producer) has the TMA fetch them, up to four of each ahead. Two blocks, one
 * below the other, are a cluster: they need the same tile of B', of which each fetches a half for both, so that it leaves L2 once.
 * Producers and consumers tell each other by two barriers in shared memory for each stage: `full`, the tiles are there, and
 * `empty`, no consumer of the cluster needs them any longer. Layouts, descriptors and fragments: PTX ISA, "Asynchronous warpgroup
 * level matrix instructions".
 */
#include "matmul.cuh"

#ifdef RL_MATMUL_WGMMA

#include <cooperative_groups.h>
#include <cuda/ptx>

extern "C" {
#include "kernels/driver.h"
}

enum {
    M_TILE = 128,
    N_TILE = 256,
    DEPTH = 64, /* rows of 128 bytes: the span of the swizzle */
    ROW_BYTES = DEPTH * 2,
    STAGES = 4,
    GROUP = 128, /* threads of a warpgroup */
    CONSUMERS = M_TILE / 64,
    CONSUMER_WARPS = CONSUMERS * GROUP / 32,
    THREADS = CONSUMERS * GROUP + 32,
    CLUSTER = 2, /* blocks, along M */
    EVERY_BLOCK = (1 << CLUSTER) - 1,
    B_SHARE = N_TILE / CLUSTER, /* rows of B' that a block fetches */
    SUMS = N_TILE / 2,          /* of a thread */
    A_BYTES = M_TILE * ROW_BYTES,
    B_BYTES = N_TILE * ROW_BYTES,
    B_SHARE_BYTES = B_SHARE * ROW_BYTES,
    STAGE_BYTES = A_BYTES + B_BYTES,
    SWIZZLE_BYTES = 1024, /* eight rows: tiles begin at multiples of that */
    SHARED_BYTES = STAGES * STAGE_BYTES + SWIZZLE_BYTES,
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

namespace groups = cooperative_groups;
namespace ptx = cuda::ptx;

struct matmul_wgmma_barriers {
    uint64_t full[STAGES], empty[STAGES];
};

/* ---- instructions ---- */

#define LIST8(of, i)  of(i), of(i + 1), of(i + 2), of(i + 3), of(i + 4), of(i + 5), of(i + 6), of(i + 7)
#define LIST32(of, i) LIST8(of, i), LIST8(of, i + 8), LIST8(of, i + 16), LIST8(of, i + 24)
#define LIST128(of)   LIST32(of, 0), LIST32(of, 32), LIST32(of, 64), LIST32(of, 96)
#define SUM(i)        "+f"(sums[i])

/* sums += A (64 x 16) x B (16 x 256), with 64 and 256 rows in shared memory. Whoever looks at the sums waits first. */
__device__ __forceinline__ void multiply(float (&sums)[SUMS], uint64_t a, uint64_t b)
{
    asm volatile("{\n"
                 ".reg .pred add;\n"
                 "setp.ne.b32 add, 1, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
                 "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
                 "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
                 "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
                 "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
                 "%128, %129, add, 1, 1, 0, 0;\n" /* neither operand negated, neither transposed */
                 "}"
                 : LIST128(SUM)
                 : "l"(a), "l"(b));
}

/* The sums and the shared memory may be used by the instructions that follow. */
__device__ __forceinline__ void begin_multiplying()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void end_batch()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* Until no more than `PENDING` batches are unfinished. */
template <int PENDING> __device__ __forceinline__ void wait_for_batches(float (&sums)[SUMS])
{
    asm volatile("wgmma.wait_group.sync.aligned %128;" : LIST128(SUM) : "n"(PENDING) : "memory");
}

/* Descriptor of rows that begin at `address`: groups of eight rows 1024 bytes apart, swizzle of 128 bytes; in units of 16 bytes. */
__device__ __forceinline__ uint64_t describe(unsigned address)
{
    return (uint64_t)((address & 0x3ffff) >> 4) | (uint64_t)1 << 16 | (uint64_t)(SWIZZLE_BYTES >> 4) << 32 | (uint64_t)1 << 62;
}

__device__ __forceinline__ void wait_for(uint64_t *barrier, unsigned parity)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, parity))
        ;
}

/* At a barrier of any block of the cluster. The tiles have been read and nothing was written, so nothing is to be released; with a
 * release of the cluster's scope the product takes 272 us instead of 188 on an H200. */
__device__ __forceinline__ void arrive_at(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" : : "r"((unsigned)__cvta_generic_to_shared(barrier)) : "memory");
}

/* All threads of the cluster. */
__device__ __forceinline__ void meet()
{
    ptx::barrier_cluster_arrive(ptx::sem_release);
    ptx::barrier_cluster_wait(ptx::sem_acquire);
}

/* ---- the two roles ---- */

/* Bytes that the other block fetches may come before this block says how many it expects: its barrier counts below zero, too. */
__device__ __forceinline__ void produce(matmul_wgmma_barriers *barriers, unsigned char *tiles, const CUtensorMap *a,
                                        const CUtensorMap *b, unsigned rounds)
{
    const unsigned rank = groups::this_cluster().block_rank();
    for (unsigned round = 0; round < rounds; round++) {
        const unsigned stage = round % STAGES, lap = round / STAGES;
        const int32_t a_at[] = {(int32_t)(round * DEPTH), (int32_t)(blockIdx.x * M_TILE)};
        const int32_t b_at[] = {(int32_t)(round * DEPTH), (int32_t)(blockIdx.y * N_TILE + rank * B_SHARE)};
        unsigned char *to = tiles + stage * STAGE_BYTES;
        if (lap > 0)
            wait_for(&barriers->empty[stage], (lap - 1) % 2);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barriers->full[stage], STAGE_BYTES);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to, a, a_at, &barriers->full[stage]);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to + A_BYTES + rank * B_SHARE_BYTES, b, b_at,
                                  &barriers->full[stage], EVERY_BLOCK);
    }
}

/* The product of one round stays in flight while the next begins, so a stage is free one round after its own. */
__device__ __forceinline__ void consume(float (&sums)[SUMS], matmul_wgmma_barriers *barriers, const unsigned char *tiles,
                                        unsigned group, unsigned rounds)
{
    const unsigned start = (unsigned)__cvta_generic_to_shared(tiles);
    const unsigned lane = threadIdx.x % 32;
    matmul_wgmma_barriers *told = groups::this_cluster().map_shared_rank(barriers, lane % CLUSTER);
    for (unsigned round = 0; round < rounds; round++) {
        const unsigned stage = round % STAGES, lap = round / STAGES;
        const uint64_t a = describe(start + stage * STAGE_BYTES + group * 64 * ROW_BYTES);
        const uint64_t b = describe(start + stage * STAGE_BYTES + A_BYTES);
        wait_for(&barriers->full[stage], lap % 2);
        begin_multiplying();
#pragma unroll
        for (unsigned k = 0; k < DEPTH / 16; k++)
            multiply(sums, a + k * 2, b + k * 2); /* 16 elements are 32 bytes: two units */
        end_batch();
        wait_for_batches<1>(sums);
        if (lane < CLUSTER && round > 0) /* a lane tells each block */
            arrive_at(&told->empty[(round - 1) % STAGES]);
    }
    wait_for_batches<0>(sums);
}

/* Register 4 j + r of a thread: row 16 warp + lane / 4 + 8 (r / 2), column 8 j + 2 (lane % 4) + r % 2. */
__device__ __forceinline__ void store_sums(float *c, unsigned n, const float (&sums)[SUMS], unsigned group)
{
    const unsigned thread = threadIdx.x % GROUP, lane = thread % 32;
    const unsigned row = blockIdx.x * M_TILE + group * 64 + thread / 32 * 16 + lane / 4;
    const unsigned column = blockIdx.y * N_TILE + lane % 4 * 2;
#pragma unroll
    for (unsigned j = 0; j < SUMS / 4; j++)
#pragma unroll
        for (unsigned half = 0; half < 2; half++)
            rl_matmul_store(c, n, row + half * 8, column + j * 8, sums[j * 4 + half * 2], sums[j * 4 + half * 2 + 1]);
}

#endif

#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define IN_CLUSTERS /* other targets may not know them */
#else
#define IN_CLUSTERS __cluster_dims__(CLUSTER, 1, 1)
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#define OF_GRID /* nor this */
#else
#define OF_GRID __grid_constant__
#endif

extern __shared__ unsigned char matmul_wgmma_shared[];

/* Neighbouring blocks take the tiles of A one below the other: what is resident at a time shares few columns of B. */
__global__ void IN_CLUSTERS __launch_bounds__(THREADS, 1)
    matmul_wgmma_kernel(float *c, unsigned n, const OF_GRID CUtensorMap a, const OF_GRID CUtensorMap b)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    __shared__ matmul_wgmma_barriers barriers;
    const unsigned rounds = (n + DEPTH - 1) / DEPTH, group = threadIdx.x / GROUP;
    const unsigned start = (unsigned)__cvta_generic_to_shared(matmul_wgmma_shared);
    unsigned char *tiles = matmul_wgmma_shared + (SWIZZLE_BYTES - start % SWIZZLE_BYTES) % SWIZZLE_BYTES;
    float sums[SUMS] = {};
    if (threadIdx.x == 0) {
        for (unsigned stage = 0; stage < STAGES; stage++) {
            ptx::mbarrier_init(&barriers.full[stage], 1);
            ptx::mbarrier_init(&barriers.empty[stage], CLUSTER * CONSUMER_WARPS);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster); /* the TMA and the other block see them */
    }
    meet();
    if (group < CONSUMERS) {
        consume(sums, &barriers, tiles, group, rounds);
        store_sums(c, n, sums, group);
    } else if (threadIdx.x % 32 == 0) {
        produce(&barriers, tiles, &a, &b, rounds);
    }
    meet(); /* a block that has ended has no barriers to arrive at */
#endif
}

/* ---- the host's side ---- */

/* Only the code for sm_90a has barriers: the others' kernel is empty and takes no shared memory. */
enum rl_status rl_matmul_wgmma_usable(bool *usable, struct rl_err *err)
{
    cudaFuncAttributes attributes;
    RL_TRY(RL_CUDA(err, cudaFuncGetAttributes(&attributes, matmul_wgmma_kernel)));
    *usable = attributes.sharedSizeBytes > 0;
    return RL_OK;
}

typedef CUresult encode_function(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                                 const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                                 CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

/* The driver's function, without linking against the driver. */
static enum rl_status find_encode(encode_function **encode, struct rl_err *err)
{
    void *function = rl_driver_function("cuTensorMapEncodeTiled");
    if (!function)
        return rl_err_set(err, RL_UNSUPPORTED, "the driver has no cuTensorMapEncodeTiled: install a newer driver");
    *encode = (encode_function *)function;
    return RL_OK;
}

/* How to fetch tiles of `rows` rows of an operand. */
static enum rl_status map_operand(encode_function *encode, CUtensorMap *map, void *operand, unsigned pitch, unsigned rows,
                                  struct rl_err *err)
{
    const cuuint64_t extent[] = {pitch, pitch}, row_bytes[] = {pitch * sizeof(__nv_bfloat16)};
    const cuuint32_t box[] = {DEPTH, rows}, every[] = {1, 1};
    const CUresult result =
        encode(map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, operand, extent, row_bytes, box, every, CU_TENSOR_MAP_INTERLEAVE_NONE,
               CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return result == CUDA_SUCCESS ? RL_OK : rl_err_set(err, RL_FAILED, "cuTensorMapEncodeTiled: error %d", (int)result);
}

enum rl_status rl_matmul_wgmma_prepare(struct rl_suite_run *run, struct rl_err *err)
{
    struct rl_matmul *m = rl_matmul_of(run);
    encode_function *encode = NULL;
    RL_TRY(find_encode(&encode, err));
    RL_TRY(map_operand(encode, &m->a_map, m->a, m->pitch, M_TILE, err));
    RL_TRY(map_operand(encode, &m->b_map, m->b, m->pitch, B_SHARE, err));
    return rl_allow_shared(run, matmul_wgmma_kernel, SHARED_BYTES, err);
}

enum rl_status rl_matmul_wgmma_launch(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_matmul *m = rl_matmul_of(run);
    const dim3 grid(rl_blocks(m->n, CLUSTER * M_TILE) * CLUSTER, rl_blocks(m->n, N_TILE));
    return rl_enqueue(run, err, grid, THREADS, SHARED_BYTES, matmul_wgmma_kernel, m->c, m->n, m->a_map, m->b_map);
}

#else

enum rl_status rl_matmul_wgmma_usable(bool *usable, struct rl_err *)
{
    *usable = false;
    return RL_OK;
}

/* Never called where it is not usable. */
enum rl_status rl_matmul_wgmma_prepare(struct rl_suite_run *run, struct rl_err *err)
{
    return rl_no_row(run, err);
}

enum rl_status rl_matmul_wgmma_launch(struct rl_suite_run *run, struct rl_err *err)
{
    return rl_no_row(run, err);
}

#endif
