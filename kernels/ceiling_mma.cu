/* ceiling_mma.cu - tensor cores by mma.sync, the instruction of a warp (Volta and later). The operands stay in registers; a warp
 * keeps several independent products in flight and adds to them round after round.
 */
#include "ceiling_matrix.cuh"

enum { WARP = 32 };

/* ---- instructions ---- */

/* GPUs older than an instruction get no code for it, and are never asked to run it (min_cc of the configuration). */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#define SM70(...) __VA_ARGS__
#else
#define SM70(...) (void)d, (void)a, (void)b
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
#define SM75(...) __VA_ARGS__
#else
#define SM75(...) (void)d, (void)a, (void)b
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define SM80(...) __VA_ARGS__
#else
#define SM80(...) (void)d, (void)a, (void)b
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890 && CUDART_VERSION >= 12040 /* min_toolkit, too */
#define SM89(...) __VA_ARGS__
#else
#define SM89(...) (void)d, (void)a, (void)b
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define SM90(...) __VA_ARGS__
#else
#define SM90(...) (void)d, (void)a, (void)b
#endif

#define R1(c, x) c(x[0])
#define R2(c, x) R1(c, x), c(x[1])
#define R4(c, x) R2(c, x), c(x[2]), c(x[3])
#define R8(c, x) R4(c, x), c(x[4]), c(x[5]), c(x[6]), c(x[7])
#define MMA_1_1(what, d_in, a_in)                                                                                                  \
    asm volatile("mma.sync.aligned." what " {%0, %1}, {%2}, {%3}, {%0, %1};" : R2(d_in, d) : R1(a_in, a), R1(a_in, b))
#define MMA_2_1(what, d_in, a_in)                                                                                                  \
    asm volatile("mma.sync.aligned." what " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"                                   \
                 : R4(d_in, d)                                                                                                     \
                 : R2(a_in, a), R1(a_in, b))
#define MMA_4_2(what, d_in, a_in)                                                                                                  \
    asm volatile("mma.sync.aligned." what " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                       \
                 : R4(d_in, d)                                                                                                     \
                 : R4(a_in, a), R2(a_in, b))
#define MMA_8_4(what, d_in, a_in)                                                                                                  \
    asm volatile("mma.sync.aligned." what                                                                                          \
                 " {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"                  \
                 : R4(d_in, d)                                                                                                     \
                 : R8(a_in, a), R4(a_in, b))
#define MMA_2_2(what, d_in, a_in)                                                                                                  \
    asm volatile("mma.sync.aligned." what                                                                                          \
                 " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%0, %1, %2, %3, %4, %5, %6, %7};"                      \
                 : R8(d_in, d)                                                                                                     \
                 : R2(a_in, a), R2(a_in, b))

/* Where a lane has its elements (PTX ISA, "Matrix fragments for mma"): row and place along k (in registers) of register `r` of A
 * and of B, whose rows are columns; row and column of result `r`. ROWS: of A. With 16 of them every other register has the
 * second 8. */
template <int OF_RESULT> struct whole_warp {
    enum { ROWS = 4 * OF_RESULT };
    static __device__ __forceinline__ int row_of_a(int lane, int r) { return lane / 4 + (ROWS == 16 ? 8 * (r % 2) : 0); }
    static __device__ __forceinline__ int along_a(int lane, int r) { return lane % 4 + 4 * (ROWS == 16 ? r / 2 : r); }
    static __device__ __forceinline__ int row_of_b(int lane, int) { return lane / 4; }
    static __device__ __forceinline__ int along_b(int lane, int r) { return lane % 4 + 4 * r; }
    static __device__ __forceinline__ int row(int lane, int r) { return lane / 4 + 8 * (r / 2); }
    static __device__ __forceinline__ int column(int lane, int r) { return 2 * (lane % 4) + r % 2; }
};
/* m8n8k4 is four products of eight lanes each, of which four are in the second half of the warp: here of eight rows of A each with
 * the same columns of B. */
struct quads {
    enum { ROWS = 32 };
    static __device__ __forceinline__ int upper(int lane) { return 4 * (lane / 16); }
    static __device__ __forceinline__ int first_row(int lane) { return 8 * (lane % 16 / 4) + upper(lane); }
    static __device__ __forceinline__ int row_of_a(int lane, int) { return first_row(lane) + lane % 4; }
    static __device__ __forceinline__ int along_a(int, int r) { return r; }
    static __device__ __forceinline__ int row_of_b(int lane, int) { return upper(lane) + lane % 4; }
    static __device__ __forceinline__ int along_b(int, int r) { return r; }
    static __device__ __forceinline__ int row(int lane, int r) { return first_row(lane) + lane % 2 + r / 2 % 2 * 2; }
    static __device__ __forceinline__ int column(int lane, int r) { return lane / 2 % 2 * 2 + r % 2 + r / 4 * 4; }
};

/* In: a register of A and B, Out: of the result; AS, BS, DS: how many; KS: elements along k. */
#define INSTRUCTION(name, element, place, in, out, as, bs, ds, ks, code)                                                           \
    struct name : place {                                                                                                          \
        typedef in In;                                                                                                             \
        typedef out Out;                                                                                                           \
        enum { ELEMENT = element, AS = as, BS = bs, DS = ds, KS = ks };                                                            \
        static __device__ __forceinline__ void multiply(Out *d, const In *a, const In *b) { code; }                                \
    };

INSTRUCTION(f16_k4, RL_ELEMENT_F16, quads, uint32_t, float, 2, 2, 8, 4, SM70(MMA_2_2("m8n8k4.row.col.f32.f16.f16.f32", "+f", "r")))
INSTRUCTION(f16_k8, RL_ELEMENT_F16, whole_warp<4>, uint32_t, float, 2, 1, 4, 8,
            SM75(MMA_2_1("m16n8k8.row.col.f32.f16.f16.f32", "+f", "r")))
INSTRUCTION(s8_k16, RL_ELEMENT_S8, whole_warp<2>, uint32_t, int, 1, 1, 2, 16,
            SM75(MMA_1_1("m8n8k16.row.col.s32.s8.s8.s32", "+r", "r")))
INSTRUCTION(f16_k16, RL_ELEMENT_F16, whole_warp<4>, uint32_t, float, 4, 2, 4, 16,
            SM80(MMA_4_2("m16n8k16.row.col.f32.f16.f16.f32", "+f", "r")))
INSTRUCTION(bf16_k16, RL_ELEMENT_BF16, whole_warp<4>, uint32_t, float, 4, 2, 4, 16,
            SM80(MMA_4_2("m16n8k16.row.col.f32.bf16.bf16.f32", "+f", "r")))
INSTRUCTION(tf32_k8, RL_ELEMENT_TF32, whole_warp<4>, uint32_t, float, 4, 2, 4, 8,
            SM80(MMA_4_2("m16n8k8.row.col.f32.tf32.tf32.f32", "+f", "r")))
INSTRUCTION(s8_k32, RL_ELEMENT_S8, whole_warp<4>, uint32_t, int, 4, 2, 4, 32,
            SM80(MMA_4_2("m16n8k32.row.col.s32.s8.s8.s32", "+r", "r")))
INSTRUCTION(f64_k4, RL_ELEMENT_F64, whole_warp<2>, double, double, 1, 1, 2, 4,
            SM80(MMA_1_1("m8n8k4.row.col.f64.f64.f64.f64", "+d", "d")))
INSTRUCTION(e4m3_k32, RL_ELEMENT_E4M3, whole_warp<4>, uint32_t, float, 4, 2, 4, 32,
            SM89(MMA_4_2("m16n8k32.row.col.f32.e4m3.e4m3.f32", "+f", "r")))
INSTRUCTION(f64_k16, RL_ELEMENT_F64, whole_warp<4>, double, double, 8, 4, 4, 16,
            SM90(MMA_8_4("m16n8k16.row.col.f64.f64.f64.f64", "+d", "d")))

/* ---- the kernel ---- */

/* Register `along` of row `row` of a matrix. */
template <class In> static __device__ __forceinline__ In load_register(const char *matrix, int row, int along)
{
    return *(const In *)(matrix + row * RL_MATRIX_ROW + along * (int)sizeof(In));
}

/* A warp's product is I::ROWS * DOWN rows by 8 * ACROSS columns. */
template <class I, int DOWN, int ACROSS>
__global__ void __launch_bounds__(256) mma_kernel(const char *matrices, uint64_t rounds, struct rl_bench_mark mark)
{
    const struct rl_bench_watch watch = rl_bench_watch_start();
    const int lane = (int)threadIdx.x % WARP;
    typename I::In a[DOWN][I::AS], b[ACROSS][I::BS];
    typename I::Out d[DOWN][ACROSS][I::DS] = {};
#pragma unroll
    for (int i = 0; i < DOWN; i++)
        for (int r = 0; r < I::AS; r++)
            a[i][r] = load_register<typename I::In>(matrices, i * I::ROWS + I::row_of_a(lane, r), I::along_a(lane, r));
#pragma unroll
    for (int j = 0; j < ACROSS; j++)
        for (int r = 0; r < I::BS; r++)
            b[j][r] = load_register<typename I::In>(matrices, RL_MATRIX_A_ROWS + 8 * j + I::row_of_b(lane, r), I::along_b(lane, r));
#pragma unroll 4
    for (uint64_t round = 0; round < rounds; round++)
#pragma unroll
        for (int i = 0; i < DOWN; i++)
#pragma unroll
            for (int j = 0; j < ACROSS; j++)
                I::multiply(d[i][j], a[i], b[j]);

    int64_t sum = 0;
#pragma unroll
    for (int i = 0; i < DOWN; i++)
#pragma unroll
        for (int j = 0; j < ACROSS; j++)
#pragma unroll
            for (int r = 0; r < I::DS; r++)
                sum += (int64_t)d[i][j][r] * rl_matrix_weight(i * I::ROWS + I::row(lane, r), 8 * j + I::column(lane, r));
    rl_bench_keep(mark, (uint64_t)sum);
    rl_bench_watch_stop(mark, watch);
}

/* ---- the table ---- */

#define ROW(name, i, down, across)                                                                                                 \
    {                                                                                                                              \
        name, (down) * (across), mma_kernel<i, down, across>, i::ELEMENT, i::KS                                                    \
    }

static const struct rl_matrix_kernel rows[] = {
    ROW("mma f16 m8n8k4", f16_k4, 1, 4),      ROW("mma f16 m8n8k4", f16_k4, 2, 4),      ROW("mma f16 m16n8k8", f16_k8, 2, 4),
    ROW("mma s8 m8n8k16", s8_k16, 4, 4),      ROW("mma f16 m16n8k16", f16_k16, 2, 4),   ROW("mma f16 m16n8k16", f16_k16, 4, 4),
    ROW("mma bf16 m16n8k16", bf16_k16, 2, 4), ROW("mma bf16 m16n8k16", bf16_k16, 4, 4), ROW("mma tf32 m16n8k8", tf32_k8, 2, 4),
    ROW("mma tf32 m16n8k8", tf32_k8, 4, 4),   ROW("mma e4m3 m16n8k32", e4m3_k32, 2, 4), ROW("mma e4m3 m16n8k32", e4m3_k32, 4, 4),
    ROW("mma s8 m16n8k32", s8_k32, 2, 4),     ROW("mma s8 m16n8k32", s8_k32, 4, 4),     ROW("mma f64 m8n8k4", f64_k4, 4, 4),
    ROW("mma f64 m16n8k16", f64_k16, 2, 4),
};

RL_MATRIX_OPS(mma, rows, 0)
