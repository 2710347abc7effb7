/* ceiling_matrix.cuh - the matrices of the tensor benchmarks: what is multiplied, and what must come out.
 *
 * A product is D = A x B' with A of up to 64 rows and B' of up to 256 rows (the columns of B), each row 128 bytes of elements along
 * k. One set is random (timed), one holds small whole numbers whose products and sums are exact in every accumulator (checked).
 */
#pragma once

#include "ceiling.cuh"

enum rl_element {
    RL_ELEMENT_F16,
    RL_ELEMENT_BF16,
    RL_ELEMENT_TF32,
    RL_ELEMENT_F64,
    RL_ELEMENT_E4M3,
    RL_ELEMENT_S8,
    RL_ELEMENT_COUNT
};
enum {
    RL_MATRIX_ROW = 128, /* bytes */
    RL_MATRIX_A_ROWS = 64,
    RL_MATRIX_B_ROWS = 256,
    RL_MATRIX_BYTES = (RL_MATRIX_A_ROWS + RL_MATRIX_B_ROWS) * RL_MATRIX_ROW, /* of one set: A, then B' */
    RL_OPERAND_BYTES = 2 * RL_ELEMENT_COUNT * RL_MATRIX_BYTES
};

/* Fills `operands` on the device. */
enum rl_status rl_matrix_fill(struct rl_bench_space *space, struct rl_err *err);
/* The set of an element type. */
const char *rl_matrix_of(const struct rl_bench_space *space, enum rl_element element, bool checking);
/* Sum over the results of all groups of a checked launch, each weighted by its place (rl_matrix_weight). `ks`: elements along k. */
uint64_t rl_matrix_expected(const struct rl_bench_case *c, int ks);

/* A row of a table of kernels that multiply. */
struct rl_matrix_kernel {
    const char *kernel;
    int unroll; /* products in flight, where the configuration chooses */
    void (*function)(const char *matrices, uint64_t rounds, struct rl_bench_mark mark);
    int element, ks; /* enum rl_element; elements along k */
};
typedef enum rl_status rl_matrix_launcher(struct rl_bench_space *space, const struct rl_bench_case *c, size_t slot, bool checking,
                                          struct rl_err *err);
/* Launch and check a case; `row` NULL: there is no such kernel. */
enum rl_status rl_matrix_launch(const struct rl_matrix_kernel *row, size_t shared_bytes, struct rl_bench_space *space,
                                const struct rl_bench_case *c, size_t slot, bool checking, struct rl_err *err);
enum rl_status rl_matrix_check(const struct rl_matrix_kernel *row, rl_matrix_launcher *launch, struct rl_bench_space *space,
                               const struct rl_bench_case *c, struct rl_suite_check *check, struct rl_err *err);

/* RL_BENCH_OPS for a table whose kernels all take `shared` bytes of dynamic shared memory. */
#define RL_MATRIX_OPS(family, rows, shared)                                                                                        \
    static enum rl_status launch(struct rl_bench_space *space, const struct rl_bench_case *c, size_t slot, bool checking,          \
                                 struct rl_err *err)                                                                               \
    {                                                                                                                              \
        return rl_matrix_launch(rl_bench_row(rows, c), shared, space, c, slot, checking, err);                                     \
    }                                                                                                                              \
    static enum rl_status check(struct rl_bench_space *space, const struct rl_bench_case *c, struct rl_suite_check *check,         \
                                struct rl_err *err)                                                                                \
    {                                                                                                                              \
        return rl_matrix_check(rl_bench_row(rows, c), launch, space, c, check, err);                                               \
    }                                                                                                                              \
    RL_BENCH_OPS(family, launch, check)

/* Weight of the result in row i, column j: sums that confuse two places differ. */
static __host__ __device__ __forceinline__ int rl_matrix_weight(int i, int j)
{
    return 1 + (31 * i + 17 * j) % 13;
}
