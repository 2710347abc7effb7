/* ceiling_wgmma.cu - tensor cores by wgmma (wgmma.cuh; compiled for sm_90a alone): the same product round after round. */
#include "ceiling_matrix.cuh"
#include "wgmma.cuh"

enum { SHARED = RL_MATRIX_BYTES + RL_WGMMA_EIGHT_ROWS }; /* room to align the operands to eight rows */
static_assert((int)RL_MATRIX_BYTES == RL_WGMMA_BYTES && (int)RL_MATRIX_ROW == RL_WGMMA_ROW, "the matrices are whole operands");

/* Copies both operands to `shared`, swizzled. */
static __device__ __forceinline__ void load_operands(char *shared, const char *matrices)
{
    for (int i = (int)threadIdx.x; i < RL_MATRIX_BYTES / RL_WGMMA_PIECE; i += (int)blockDim.x) {
        const int row = i / (RL_MATRIX_ROW / RL_WGMMA_PIECE), piece = i % (RL_MATRIX_ROW / RL_WGMMA_PIECE);
        *(uint4 *)(shared + rl_wgmma_place(row, piece)) = *(const uint4 *)(matrices + i * RL_WGMMA_PIECE);
    }
    rl_wgmma_publish();
}

template <class T>
__global__ void __launch_bounds__(384, 1) wgmma_kernel(const char *matrices, uint64_t rounds, struct rl_bench_mark mark)
{
    extern __shared__ char room[];
    char *shared = room + (-(unsigned)__cvta_generic_to_shared(room) & (RL_WGMMA_EIGHT_ROWS - 1));
    typename T::Out d[RL_WGMMA_RESULTS] = {};
    load_operands(shared, matrices);
    const struct rl_bench_watch watch = rl_bench_watch_start();
    const uint64_t a = rl_wgmma_describe(shared), b = rl_wgmma_describe(shared + RL_MATRIX_A_ROWS * RL_MATRIX_ROW);
#pragma unroll 1
    for (uint64_t round = 0; round < rounds; round++)
        rl_wgmma_round<T>(d, a, b);
    T::wait(d);

    const int thread = (int)threadIdx.x % RL_WGMMA_GROUP;
    int64_t sum = 0;
#pragma unroll
    for (int r = 0; r < RL_WGMMA_RESULTS; r++)
        sum += (int64_t)d[r] * rl_matrix_weight(rl_wgmma_row(thread, r), rl_wgmma_column(thread, r));
    rl_bench_keep(mark, (uint64_t)sum);
    rl_bench_watch_stop(mark, watch);
}

/* ---- the table ---- */

#define ROW(type, element)                                                                                                         \
    {                                                                                                                              \
        "wgmma " #type, 0, wgmma_kernel<rl_wgmma_##type>, element, rl_wgmma_##type::KS                                             \
    }

static const struct rl_matrix_kernel rows[] = {ROW(f16, RL_ELEMENT_F16), ROW(bf16, RL_ELEMENT_BF16), ROW(tf32, RL_ELEMENT_TF32),
                                               ROW(e4m3, RL_ELEMENT_E4M3), ROW(s8, RL_ELEMENT_S8)};

RL_MATRIX_OPS(wgmma, rows, SHARED)
