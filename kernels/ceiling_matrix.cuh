/* ceiling_matrix.cuh - the matrices of the tensor benchmarks: what is multiplied, and what must come out.
 *
 * A product is D = A x B' with A of up to 64 rows and B' of up to 256 rows (the columns of B), each row 128 bytes of elements along
 * k. One set is random (timed), one holds small whole numbers whose products and sums are exact in every accumulator (checked).
 */
#ifndef RL_KERNELS_CEILING_MATRIX_CUH
#define RL_KERNELS_CEILING_MATRIX_CUH

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

/* Weight of the result in row i, column j: sums that confuse two places differ. */
static __host__ __device__ __forceinline__ int rl_matrix_weight(int i, int j)
{
    return 1 + (31 * i + 17 * j) % 13;
}

#endif
