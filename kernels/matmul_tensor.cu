/* matmul_tensor.cu - the product on the tensor cores by mma.sync, which every GPU has from compute capability 8.0 on; and the
 * choice between this and wgmma (matmul_wgmma.cu).
 *
 * A block makes 128 x 128 results from tiles of 128 rows of 32 elements of A and of B', four of each in turn, fetched
 * asynchronously. Eight warps: 2 by 4 of 64 x 32 results. Fragments as the PTX ISA has them for mma.m16n8k16 and ldmatrix.
 */
#include "matmul.cuh"

#include <cuda_pipeline.h>

enum {
    SIDE = 128,
    DEPTH = 32,
    PIECES = DEPTH / 8, /* of 16 bytes, in a row of a tile */
    STAGES = 4,
    THREADS = 256,
    M_STEPS = 4, /* of 16 rows of a warp */
    N_STEPS = 4, /* of 8 columns of a warp */
};

struct matmul_mma_tiles {
    uint4 a[SIDE * PIECES], b[SIDE * PIECES];
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

/* Where a piece of a row lies: exchanged so that eight rows' pieces of one number are in different banks. */
__device__ __forceinline__ unsigned piece_at(unsigned row, unsigned piece)
{
    return row * PIECES + (piece ^ (row / 2 % PIECES));
}

__device__ __forceinline__ void fetch_tiles(matmul_mma_tiles *to, const __nv_bfloat16 *a, const __nv_bfloat16 *b, unsigned pitch)
{
#pragma unroll
    for (unsigned first = 0; first < SIDE * PIECES; first += THREADS) {
        const unsigned i = first + threadIdx.x, row = i / PIECES, piece = i % PIECES;
        const size_t from = (size_t)row * pitch + piece * 8;
        __pipeline_memcpy_async(&to->a[piece_at(row, piece)], a + from, 16);
        __pipeline_memcpy_async(&to->b[piece_at(row, piece)], b + from, 16);
    }
}

/* Four matrices of 8 x 8; lane i gives the address of row i % 8 of matrix i / 8. */
__device__ __forceinline__ void load_matrices(unsigned (&to)[4], const uint4 *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"((unsigned)__cvta_generic_to_shared(row))
                 : "memory");
}

/* sums += A (16 x 16) x B (16 x 8) */
__device__ __forceinline__ void multiply(float (&sums)[4], const unsigned (&a)[4], const unsigned *b)
{
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ __forceinline__ void multiply_tiles(float (&sums)[M_STEPS][N_STEPS][4], const matmul_mma_tiles *tiles, unsigned row,
                                               unsigned column)
{
    const unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned k = 0; k < PIECES; k += 2) { /* 16 elements are two pieces */
        unsigned a[M_STEPS][4], b[N_STEPS / 2][4];

#pragma unroll
        for (unsigned i = 0; i < M_STEPS; i++)
            load_matrices(a[i], &tiles->a[piece_at(row + i * 16 + lane % 16, k + lane / 16)]);
#pragma unroll
        for (unsigned j = 0; j < N_STEPS / 2; j++)
            load_matrices(b[j], &tiles->b[piece_at(column + j * 16 + lane / 16 * 8 + lane % 8, k + lane / 8 % 2)]);
#pragma unroll
        for (unsigned i = 0; i < M_STEPS; i++)
#pragma unroll
            for (unsigned j = 0; j < N_STEPS; j++)
                multiply(sums[i][j], a[i], &b[j / 2][j % 2 * 2]);
    }
}

__device__ __forceinline__ void store_sums(float *c, unsigned n, const float (&sums)[M_STEPS][N_STEPS][4], unsigned row,
                                           unsigned column)
{
    const unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned i = 0; i < M_STEPS; i++)
#pragma unroll
        for (unsigned j = 0; j < N_STEPS; j++)
#pragma unroll
            for (unsigned half = 0; half < 2; half++)
                rl_matmul_store(c, n, row + i * 16 + half * 8 + lane / 4, column + j * 8 + lane % 4 * 2, sums[i][j][half * 2],
                                sums[i][j][half * 2 + 1]);
}

#endif

extern __shared__ __align__(128) unsigned char matmul_mma_shared[]; /* struct matmul_mma_tiles for each stage */

/* Every round commits, also when nothing is left to fetch, so that waiting for all but the latest two means the same in each. */
__global__ void __launch_bounds__(THREADS)
    matmul_mma_kernel(float *c, const __nv_bfloat16 *a, const __nv_bfloat16 *b, unsigned n, unsigned pitch)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    matmul_mma_tiles *tiles = reinterpret_cast<matmul_mma_tiles *>(matmul_mma_shared);
    const unsigned rounds = (n + DEPTH - 1) / DEPTH, warp = threadIdx.x / 32;
    const unsigned row = warp / 4 * 64, column = warp % 4 * 32;
    float sums[M_STEPS][N_STEPS][4] = {};
    a += (size_t)blockIdx.x * SIDE * pitch;
    b += (size_t)blockIdx.y * SIDE * pitch;
    const auto fetch = [&](unsigned round) {
        if (round < rounds)
            fetch_tiles(&tiles[round % STAGES], a + round * DEPTH, b + round * DEPTH, pitch);
        __pipeline_commit();
    };
    for (unsigned round = 0; round < STAGES - 1; round++)
        fetch(round);
    for (unsigned round = 0; round < rounds; round++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads(); /* the tiles are there for all, and those of the round before are free */
        fetch(round + STAGES - 1);
        multiply_tiles(sums, &tiles[round % STAGES], row, column);
    }
    store_sums(c, n, sums, blockIdx.x * SIDE + row, blockIdx.y * SIDE + column);
#endif
}

/* ---- which of the two ---- */

static enum rl_status check_card(struct rl_err *err)
{
    int device = 0, major = 0;
    RL_TRY(RL_CUDA(err, cudaGetDevice(&device)));
    RL_TRY(RL_CUDA(err, cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device)));
    if (major < 8)
        return rl_err_set(err, RL_UNSUPPORTED, "bfloat16 matrix products need compute capability 8.0");
    return RL_OK;
}

enum rl_status rl_matmul_tensor_prepare(struct rl_suite_run *run, struct rl_err *err)
{
    struct rl_matmul *m = rl_matmul_of(run);
    RL_TRY(check_card(err));
    RL_TRY(rl_matmul_wgmma_usable(&m->wgmma, err));
    if (m->wgmma)
        return rl_matmul_wgmma_prepare(run, err);
    return rl_allow_shared(run, matmul_mma_kernel, STAGES * sizeof(matmul_mma_tiles), err);
}

enum rl_status rl_matmul_tensor_launch(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_matmul *m = rl_matmul_of(run);
    const unsigned side = rl_blocks(m->n, SIDE);
    if (m->wgmma)
        return rl_matmul_wgmma_launch(run, err);
    return rl_enqueue(run, err, dim3(side, side), THREADS, STAGES * sizeof(matmul_mma_tiles), matmul_mma_kernel, m->c,
                      (const __nv_bfloat16 *)m->a, (const __nv_bfloat16 *)m->b, m->n, m->pitch);
}
