/* ceiling_wgmma.cu - matrix units by wgmma, the instruction of a group of four warps (Hopper; compiled for sm_90a alone). Both
 * operands lie in shared memory, 64 and 256 rows of 128 bytes along k; the 64 x 256 results stay in registers, round after round.
 *
 * Layout (PTX ISA, "Asynchronous warpgroup level matrix instructions"): rows along k of 128 bytes, eight rows together, their
 * 16-byte pieces exchanged by the 128-byte swizzle (piece p of row r lies at p ^ (r % 8)). The result of thread t of a group,
 * register r: row 16 (t / 32) + t % 32 / 4 + 8 (r / 2 % 2), column 8 (r / 4) + 2 (t % 4) + r % 2.
 */
#include "ceiling_matrix.cuh"

enum {
    GROUP = 128,
    RESULTS = 128, /* registers of a thread: 64 x 256 over a group */
    PIECE = 16,    /* bytes that the swizzle moves together */
    STEP = 32,     /* bytes along k of one instruction */
    STEPS = RL_MATRIX_ROW / STEP,
    SHARED = RL_MATRIX_BYTES + 8 * RL_MATRIX_ROW /* room to align the operands to eight rows */
};

/* ---- instructions ---- */

#define R8(c, d, i)  c(d[i]), c(d[i + 1]), c(d[i + 2]), c(d[i + 3]), c(d[i + 4]), c(d[i + 5]), c(d[i + 6]), c(d[i + 7])
#define R32(c, d, i) R8(c, d, i), R8(c, d, i + 8), R8(c, d, i + 16), R8(c, d, i + 24)
#define R128(c, d)   R32(c, d, 0), R32(c, d, 32), R32(c, d, 64), R32(c, d, 96)
/* The operands follow; the accumulator is added to. */
#define WGMMA(what, c, rest)                                                                                                       \
    asm volatile("{\n"                                                                                                             \
                 ".reg .pred add;\n"                                                                                               \
                 "setp.ne.b32 add, 1, 0;\n"                                                                                        \
                 "wgmma.mma_async.sync.aligned." what " {" ALL_128 "}, %128, %129, add" rest ";\n"                                 \
                 "}"                                                                                                               \
                 : R128(c, d)                                                                                                      \
                 : "l"(a), "l"(b))
#define ALL_128                                                                                                                    \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                                                       \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "                                             \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "                                             \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "                                             \
    "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "                                             \
    "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "                                             \
    "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "                                 \
    "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"

/* Out: a register of the result; KS: elements along k in a row. */
#define INSTRUCTION(name, element, out, c, ks, code)                                                                               \
    struct name {                                                                                                                  \
        typedef out Out;                                                                                                           \
        enum { ELEMENT = element, KS = ks };                                                                                       \
        static __device__ __forceinline__ void multiply(Out *d, uint64_t a, uint64_t b) { code; }                                  \
        /* Nothing may look at the results before. */                                                                              \
        static __device__ __forceinline__ void wait(Out *d)                                                                        \
        {                                                                                                                          \
            asm volatile("wgmma.wait_group.sync.aligned 0;" : R128(c, d)::"memory");                                               \
        }                                                                                                                          \
    };

/* The numbers at the end: neither operand negated, neither transposed. */
INSTRUCTION(f16, RL_ELEMENT_F16, float, "+f", 64, WGMMA("m64n256k16.f32.f16.f16", "+f", ", 1, 1, 0, 0"))
INSTRUCTION(bf16, RL_ELEMENT_BF16, float, "+f", 64, WGMMA("m64n256k16.f32.bf16.bf16", "+f", ", 1, 1, 0, 0"))
INSTRUCTION(tf32, RL_ELEMENT_TF32, float, "+f", 32, WGMMA("m64n256k8.f32.tf32.tf32", "+f", ", 1, 1"))
INSTRUCTION(e4m3, RL_ELEMENT_E4M3, float, "+f", 128, WGMMA("m64n256k32.f32.e4m3.e4m3", "+f", ", 1, 1"))
INSTRUCTION(s8, RL_ELEMENT_S8, int, "+r", 128, WGMMA("m64n256k32.s32.s8.s8", "+r", ""))

/* ---- the kernel ---- */

/* Copies both operands to `shared`, swizzled. */
static __device__ __forceinline__ void load_operands(char *shared, const char *matrices)
{
    for (int i = (int)threadIdx.x; i < RL_MATRIX_BYTES / PIECE; i += (int)blockDim.x) {
        const int row = i / (RL_MATRIX_ROW / PIECE), piece = i % (RL_MATRIX_ROW / PIECE);
        *(uint4 *)(shared + row * RL_MATRIX_ROW + (piece ^ row % 8) * PIECE) = *(const uint4 *)(matrices + i * PIECE);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); /* the matrix units read by another path */
    __syncthreads();
}

/* Descriptor of an operand: where it begins, groups of eight rows 1024 bytes apart, swizzle of 128 bytes; in units of 16 bytes. */
static __device__ __forceinline__ uint64_t describe(const char *operand)
{
    const uint64_t start = (uint64_t)__cvta_generic_to_shared(operand);

    return (start & 0x3ffff) >> 4 | (uint64_t)1 << 16 | (uint64_t)(8 * RL_MATRIX_ROW >> 4) << 32 | (uint64_t)1 << 62;
}

template <class I>
__global__ void __launch_bounds__(384, 1) wgmma_kernel(const char *matrices, uint64_t rounds, struct rl_bench_mark mark)
{
    extern __shared__ char room[];
    char *shared = room + (-(unsigned)__cvta_generic_to_shared(room) & (8 * RL_MATRIX_ROW - 1));
    typename I::Out d[RESULTS] = {};

    load_operands(shared, matrices);
    const struct rl_bench_watch watch = rl_bench_watch_start();
    const uint64_t a = describe(shared), b = describe(shared + RL_MATRIX_A_ROWS * RL_MATRIX_ROW);
#pragma unroll 1
    for (uint64_t round = 0; round < rounds; round++) {
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int step = 0; step < STEPS; step++)
            I::multiply(d, a + step * (STEP >> 4), b + step * (STEP >> 4));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    }
    I::wait(d);

    const int thread = (int)threadIdx.x % GROUP, row = 16 * (thread / 32) + thread % 32 / 4, column = 2 * (thread % 4);
    int64_t sum = 0;
#pragma unroll
    for (int r = 0; r < RESULTS; r++)
        sum += (int64_t)d[r] * rl_matrix_weight(row + 8 * (r / 2 % 2), 8 * (r / 4) + column + r % 2);
    rl_bench_keep(mark, (uint64_t)sum);
    rl_bench_watch_stop(mark, watch);
}

/* ---- the table ---- */

#define ROW(i)                                                                                                                     \
    {                                                                                                                              \
        "wgmma " #i, 0, wgmma_kernel<i>, i::ELEMENT, i::KS                                                                         \
    }

static const struct rl_matrix_kernel rows[] = {ROW(f16), ROW(bf16), ROW(tf32), ROW(e4m3), ROW(s8)};

RL_MATRIX_OPS(wgmma, rows, SHARED)
