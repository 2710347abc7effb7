/* ceiling_matrix.cu - see ceiling_matrix.cuh. */
#include "ceiling_matrix.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <math.h>
#include <stdlib.h>

/* ---- elements ---- */

static void put_f16(void *at, float value)
{
    const __half element = __float2half(value);
    memcpy(at, &element, sizeof element);
}

static void put_bf16(void *at, float value)
{
    const __nv_bfloat16 element = __float2bfloat16(value);
    memcpy(at, &element, sizeof element);
}

/* The tensor cores read the upper 19 bits of a float. */
static void put_tf32(void *at, float value)
{
    memcpy(at, &value, sizeof value);
}

static void put_f64(void *at, float value)
{
    const double element = value;
    memcpy(at, &element, sizeof element);
}

static void put_e4m3(void *at, float value)
{
    const __nv_fp8_storage_t element = __nv_cvt_float_to_fp8(value, __NV_SATFINITE, __NV_E4M3);
    memcpy(at, &element, sizeof element);
}

static void put_s8(void *at, float value)
{
    const int8_t element = (int8_t)value;
    memcpy(at, &element, sizeof element);
}

static const struct {
    void (*put)(void *at, float value);
    size_t size;
    float scale; /* of random elements */
} elements[RL_ELEMENT_COUNT] = {
    {put_f16, 2, 1}, {put_bf16, 2, 1}, {put_tf32, 4, 1}, {put_f64, 8, 1}, {put_e4m3, 1, 1}, {put_s8, 1, 127},
};

/* 1, 2 or 3 of either sign. Row 0..63: A, from 64 on: B'. */
static int whole_number(int row, int k)
{
    const uint64_t bits = rl_random_bits(1, (uint64_t)(row * RL_MATRIX_ROW + k));
    const int size = 1 + (int)((bits >> 8) % 3);
    return bits & 1 ? -size : size;
}

static float random_number(int row, int k)
{
    return 2 * rl_random_unit(2, (uint64_t)(row * RL_MATRIX_ROW + k)) - 1;
}

static void fill_set(char *set, int element, bool checking)
{
    const size_t size = elements[element].size;
    for (int row = 0; row < RL_MATRIX_A_ROWS + RL_MATRIX_B_ROWS; row++)
        for (int k = 0; k < RL_MATRIX_ROW / (int)size; k++) {
            const float value = checking ? (float)whole_number(row, k) : elements[element].scale * random_number(row, k);
            elements[element].put(set + row * RL_MATRIX_ROW + k * size, value);
        }
}

static size_t set_offset(int element, bool checking)
{
    return (size_t)(2 * element + checking) * RL_MATRIX_BYTES;
}

enum rl_status rl_matrix_fill(struct rl_bench_space *space, struct rl_err *err)
{
    char *operands = (char *)rl_calloc(1, RL_OPERAND_BYTES);
    for (int element = 0; element < RL_ELEMENT_COUNT; element++)
        for (int checking = 0; checking < 2; checking++)
            fill_set(operands + set_offset(element, checking), element, checking);
    const enum rl_status status = RL_CUDA(err, cudaMemcpy(space->operands, operands, RL_OPERAND_BYTES, cudaMemcpyHostToDevice));
    free(operands);
    return status;
}

const char *rl_matrix_of(const struct rl_bench_space *space, enum rl_element element, bool checking)
{
    return (const char *)space->operands + set_offset(element, checking);
}

/* ---- results ---- */

static int64_t product(int i, int j, int ks)
{
    int64_t sum = 0;
    for (int k = 0; k < ks; k++)
        sum += whole_number(i, k) * whole_number(RL_MATRIX_A_ROWS + j, k);
    return sum;
}

uint64_t rl_matrix_expected(const struct rl_bench_case *c, int ks)
{
    const struct rl_bench_configuration *configuration = c->configuration;
    const uint64_t groups = (uint64_t)c->grid * c->block / configuration->group;
    int64_t sum = 0;
    for (int i = 0; i < configuration->m; i++)
        for (int j = 0; j < configuration->n; j++)
            sum += rl_matrix_weight(i, j) * product(i, j, ks);
    return (uint64_t)sum * c->rounds * groups;
}

enum rl_status rl_matrix_launch(const struct rl_matrix_kernel *row, size_t shared_bytes, struct rl_bench_space *space,
                                const struct rl_bench_case *c, size_t slot, bool checking, struct rl_err *err)
{
    if (!row)
        return rl_bench_no_kernel(c, err);
    return rl_bench_start(space, c, shared_bytes, row->function, err, rl_matrix_of(space, (enum rl_element)row->element, checking),
                          c->rounds, rl_bench_mark_of(space, slot, checking));
}

enum rl_status rl_matrix_check(const struct rl_matrix_kernel *row, rl_matrix_launcher *launch, struct rl_bench_space *space,
                               const struct rl_bench_case *c, struct rl_suite_check *check, struct rl_err *err)
{
    uint64_t sum = 0;
    if (!row)
        return rl_bench_no_kernel(c, err);
    RL_TRY(rl_bench_sum(space, c, launch, &sum, err));
    rl_bench_verdict(check, c, sum, rl_matrix_expected(c, row->ks), UINT64_MAX);
    return RL_OK;
}
