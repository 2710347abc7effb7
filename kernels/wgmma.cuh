/* wgmma.cuh - the matrix instruction of a group of four warps (Hopper; code for sm_90a alone has it). Both operands lie in shared
 * memory, 64 and 256 rows of 128 bytes along k, which four instructions go through; the 64 x 256 results stay in registers.
 *
 * Layout (PTX ISA, "Asynchronous warpgroup level matrix instructions"): rows along k of 128 bytes, eight rows together, their
 * 16-byte pieces exchanged by the 128-byte swizzle (piece p of row r lies at p ^ (r % 8)). The result of thread t of a group,
 * register r: row 16 (t / 32) + t % 32 / 4 + 8 (r / 2 % 2), column 8 (r / 4) + 2 (t % 4) + r % 2.
 */
#pragma once

#include <stdint.h>

enum {
    RL_WGMMA_GROUP = 128, /* threads */
    RL_WGMMA_A_ROWS = 64,
    RL_WGMMA_B_ROWS = 256,
    RL_WGMMA_ROW = 128,                                                  /* bytes along k */
    RL_WGMMA_BYTES = (RL_WGMMA_A_ROWS + RL_WGMMA_B_ROWS) * RL_WGMMA_ROW, /* of both operands: A, then B' */
    RL_WGMMA_EIGHT_ROWS = 8 * RL_WGMMA_ROW,                              /* operands begin at multiples of that */
    RL_WGMMA_RESULTS = 128,                                              /* registers of a thread: 64 x 256 over a group */
    RL_WGMMA_PIECE = 16,                                                 /* bytes that the swizzle moves together */
    RL_WGMMA_STEP = 32,                                                  /* bytes along k of one instruction */
    RL_WGMMA_STEPS = RL_WGMMA_ROW / RL_WGMMA_STEP,
};

/* Where piece `piece` of row `row` of an operand lies, in bytes from its start. */
static __device__ __forceinline__ int rl_wgmma_place(int row, int piece)
{
    return row * RL_WGMMA_ROW + (piece ^ row % 8) * RL_WGMMA_PIECE;
}

/* Row and column of result `r` of a thread of a group. */
static __device__ __forceinline__ int rl_wgmma_row(int thread, int r)
{
    return 16 * (thread / 32) + thread % 32 / 4 + 8 * (r / 2 % 2);
}

static __device__ __forceinline__ int rl_wgmma_column(int thread, int r)
{
    return 8 * (r / 4) + 2 * (thread % 4) + r % 2;
}

/* After the operands were written, by all threads that wrote them: the tensor cores read by another path. */
static __device__ __forceinline__ void rl_wgmma_publish()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
}

/* Descriptor of an operand: where it begins, groups of eight rows 1024 bytes apart, swizzle of 128 bytes; in units of 16 bytes. */
static __device__ __forceinline__ uint64_t rl_wgmma_describe(const void *operand)
{
    const uint64_t start = (uint64_t)__cvta_generic_to_shared(operand);

    return (start & 0x3ffff) >> 4 | (uint64_t)1 << 16 | (uint64_t)(RL_WGMMA_EIGHT_ROWS >> 4) << 32 | (uint64_t)1 << 62;
}

#define RL_WGMMA_R8(c, d, i)  c(d[i]), c(d[i + 1]), c(d[i + 2]), c(d[i + 3]), c(d[i + 4]), c(d[i + 5]), c(d[i + 6]), c(d[i + 7])
#define RL_WGMMA_R32(c, d, i) RL_WGMMA_R8(c, d, i), RL_WGMMA_R8(c, d, i + 8), RL_WGMMA_R8(c, d, i + 16), RL_WGMMA_R8(c, d, i + 24)
#define RL_WGMMA_R128(c, d)   RL_WGMMA_R32(c, d, 0), RL_WGMMA_R32(c, d, 32), RL_WGMMA_R32(c, d, 64), RL_WGMMA_R32(c, d, 96)
/* The operands follow; the accumulator is added to. */
#define RL_WGMMA(what, c, rest)                                                                                                    \
    asm volatile("{\n"                                                                                                             \
                 ".reg .pred add;\n"                                                                                               \
                 "setp.ne.b32 add, 1, 0;\n"                                                                                        \
                 "wgmma.mma_async.sync.aligned." what " {" RL_WGMMA_ALL "}, %128, %129, add" rest ";\n"                            \
                 "}"                                                                                                               \
                 : RL_WGMMA_R128(c, d)                                                                                             \
                 : "l"(a), "l"(b))
#define RL_WGMMA_ALL                                                                                                               \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                                                       \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "                                             \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "                                             \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "                                             \
    "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "                                             \
    "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "                                             \
    "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "                                 \
    "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"

/* One type of elements: Out is a register of the result, KS the elements along k in a row. */
#define RL_WGMMA_TYPE(name, out, c, ks, code)                                                                                      \
    struct rl_wgmma_##name {                                                                                                       \
        typedef out Out;                                                                                                           \
        enum { KS = ks };                                                                                                          \
        static __device__ __forceinline__ void multiply(Out *d, uint64_t a, uint64_t b) { code; }                                  \
        /* Nothing may look at the results before. */                                                                              \
        static __device__ __forceinline__ void wait(Out *d)                                                                        \
        {                                                                                                                          \
            asm volatile("wgmma.wait_group.sync.aligned 0;" : RL_WGMMA_R128(c, d)::"memory");                                      \
        }                                                                                                                          \
    };

/* The numbers at the end: neither operand negated, neither transposed. */
RL_WGMMA_TYPE(f16, float, "+f", 64, RL_WGMMA("m64n256k16.f32.f16.f16", "+f", ", 1, 1, 0, 0"))
RL_WGMMA_TYPE(bf16, float, "+f", 64, RL_WGMMA("m64n256k16.f32.bf16.bf16", "+f", ", 1, 1, 0, 0"))
RL_WGMMA_TYPE(tf32, float, "+f", 32, RL_WGMMA("m64n256k8.f32.tf32.tf32", "+f", ", 1, 1"))
RL_WGMMA_TYPE(e4m3, float, "+f", 128, RL_WGMMA("m64n256k32.f32.e4m3.e4m3", "+f", ", 1, 1"))
RL_WGMMA_TYPE(s8, int, "+r", 128, RL_WGMMA("m64n256k32.s32.s8.s8", "+r", ""))

/* One round: D += A x B over all four steps along k, as one batch. `d` holds RL_WGMMA_RESULTS registers; the instructions may still
 * be in flight when this returns, but not those of the round before. */
template <class T> static __device__ __forceinline__ void rl_wgmma_round(typename T::Out *d, uint64_t a, uint64_t b)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int step = 0; step < RL_WGMMA_STEPS; step++)
        T::multiply(d, a + step * (RL_WGMMA_STEP >> 4), b + step * (RL_WGMMA_STEP >> 4));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
}
