/* arithmetic.c - kinds of arithmetic and the roofs that they are compared with (see analysis.h). */

#include "internal.h"

#define NONE_OF(what) .impossible = "not possible: no " what " there"

/* From which compute capability on: packed FP16, CUDA C++ Programming Guide, "Arithmetic Instructions"; matrices, PTX ISA, target
 * notes of wmma and mma. */
const struct rl_arithmetic rl_arithmetics[RL_ARITHMETICS] = {
    {.work = RL_METRIC_flop_fp64, .roof = RL_CEILING_fp64, NONE_OF("FP64")},
    {.work = RL_METRIC_flop_fp32, .roof = RL_CEILING_fp32, NONE_OF("FP32")},
    {.work = RL_METRIC_flop_fp16, .roof = RL_CEILING_fp16, .since = 53, NONE_OF("packed FP16")},
    {.work = RL_METRIC_flop_tensor_fp16, .roof = RL_CEILING_tensor_fp16, .matrix = true, .since = 70, NONE_OF("tensor cores")},
    {.work = RL_METRIC_flop_tensor_bf16, .roof = RL_CEILING_tensor_bf16, .matrix = true, .since = 80, NONE_OF("matrices of BF16")},
    {.work = RL_METRIC_flop_tensor_tf32, .roof = RL_CEILING_tensor_tf32, .matrix = true, .since = 80, NONE_OF("matrices of TF32")},
    {.work = RL_METRIC_flop_tensor_fp64, .roof = RL_CEILING_tensor_fp64, .matrix = true, .since = 80, NONE_OF("matrices of FP64")},
    {.work = RL_METRIC_flop_tensor_fp8, .roof = RL_CEILING_tensor_fp8, .matrix = true, .since = 89, NONE_OF("matrices of FP8")},
    {.work = RL_METRIC_tensor_int8_operations,
     .roof = RL_CEILING_tensor_int8,
     .matrix = true,
     .since = 72,
     NONE_OF("matrices of INT8")},
    {.work = RL_METRIC_flop_tensor,
     .roof = RL_CEILING_tensor_fp16,
     .matrix = true,
     .untyped = true,
     .since = 70,
     NONE_OF("tensor cores")},
};

#undef NONE_OF

/* Smaller remainders of a sum, relative to it, are rounding error. */
static const double rounding = 1e-9;

/* Matrix instructions below this share of all instructions may be the rounding of a difference of two counters. */
static const double some_matrices = 1e-3;

/* Floating-point operations of matrices by type. */
static bool has_type(const struct rl_arithmetic *kind)
{
    return kind->matrix && !kind->untyped && rl_metrics[kind->work].unit == RL_UNIT_FLOP;
}

static struct rl_value typed(const struct rl_value *metric, enum rl_metric work)
{
    const struct rl_value all = metric[RL_METRIC_flop_tensor];
    return rl_positive(metric[work]) && (!rl_present(all) || all.v > 0) ? metric[work] : rl_value_of(0);
}

static struct rl_value rest(const struct rl_value *metric)
{
    const struct rl_value all = metric[RL_METRIC_flop_tensor];
    double left = all.v;
    if (!rl_present(all))
        return all;
    for (size_t i = 0; i < RL_ARITHMETICS; i++)
        if (has_type(&rl_arithmetics[i]))
            left -= typed(metric, rl_arithmetics[i].work).v;
    return rl_value_of(left > rounding * all.v ? left : 0);
}

bool rl_has_untyped_tensor_work(const struct rl_value *metric)
{
    return rl_positive(rest(metric));
}

struct rl_value rl_arithmetic_work(const struct rl_value *metric, size_t kind)
{
    const struct rl_arithmetic *row = &rl_arithmetics[kind];
    if (row->untyped)
        return rest(metric);
    if (row->work == RL_METRIC_tensor_int8_operations) {
        const struct rl_value counted = metric[RL_METRIC_tensor_int8_operations], flop = metric[RL_METRIC_flop_tensor];
        const struct rl_value matrices = metric[RL_METRIC_tensor_instructions], all = metric[RL_METRIC_instructions];
        if (rl_present(counted))
            return counted;
        const bool others = !rl_positive(matrices) || (rl_present(all) && matrices.v < some_matrices * all.v);
        return others || counted.state == RL_NOT_ON_CHIP || !rl_present(flop) || flop.v > 0 ? rl_value_of(0) : counted;
    }
    if (has_type(row))
        return typed(metric, row->work);
    return metric[row->work].state == RL_UNDEFINED ? rl_value_of(0)
                                                             : metric[row->work]; /* none that differs from constants */
}

struct rl_value rl_tensor_operations(struct rl_eval *eval)
{
    static const enum rl_metric types[] = {RL_METRIC_flop_tensor_fp16, RL_METRIC_flop_tensor_bf16, RL_METRIC_flop_tensor_tf32,
                                           RL_METRIC_flop_tensor_fp64, RL_METRIC_flop_tensor_fp8};
    struct rl_value sum = rl_value_of(0);
    for (size_t i = 0; i < RL_COUNT(types); i++) {
        const struct rl_value operations = eval->ask->metric(eval, types[i]);
        if (operations.state != RL_NOT_ON_CHIP)
            sum = rl_value_add(sum, operations);
    }
    return sum.state == RL_NOT_COLLECTED ? rl_value_missing(RL_NOT_COLLECTED, "tensor operations not collected") : sum;
}
