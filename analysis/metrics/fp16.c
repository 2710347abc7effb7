/* fp16.c - which FP16 instructions are arithmetic (see eval.h). */
#include "eval.h"

#include "internal.h"

/* FP16 instructions below this share of the thread instructions are taken for what compilers make of them in code without any FP16
 * arithmetic: HFMA2 to load a constant, HADD2 to convert to FP32. nvcc 13.0 does the former for compute capability 8.0, 9.0, 10.0
 * and 12.0: 1 to 5 % of the instructions of plain FP32 kernels, up to 13 % of those that only store constants. A kernel that loads
 * 16 bytes and makes four packed FMAs of them has 18 %, a loop of packed FMAs well over half. */
static const double fp16_arithmetic_share = 0.15;

/* HFMA2 of the FMA pipe below this share of all are the rounding of a difference of two passes. */
static const double fma_pipe_share = 0.05;

static struct rl_value truth(bool yes)
{
    return rl_value_of(yes ? 1 : 0);
}

/* Chips with HFMA2 on the tensor pipe (GA100, GH100) load constants there and nowhere else, while the compiler deals packed FMAs
 * out to that pipe and the FMA pipe in turn: one of them on the FMA pipe is arithmetic, however few there are. */
static bool has_fma_pipe_hfma2(struct rl_eval *eval, struct rl_value width)
{
    const struct rl_value threads = eval->ask->counter(eval, "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum");
    const struct rl_value warps = eval->ask->counter(eval, "sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum");

    return rl_present(threads) && rl_present(warps) && rl_present(width) &&
           threads.v - width.v * warps.v > fma_pipe_share * threads.v;
}

struct rl_value rl_fp16_arithmetic(struct rl_eval *eval, struct rl_value width)
{
    const struct rl_value fp16 = eval->ask->metric(eval, RL_METRIC_fp16_instructions);
    const struct rl_value all = eval->ask->metric(eval, RL_METRIC_thread_instructions);

    if (!rl_present(fp16) || fp16.v == 0)
        return rl_present(fp16) ? truth(false) : fp16;
    return rl_present(all) ? truth(fp16.v >= fp16_arithmetic_share * all.v || has_fma_pipe_hfma2(eval, width)) : all;
}

struct rl_value rl_fp16_told(struct rl_eval *eval, struct rl_value width)
{
    const struct rl_value fp16 = eval->ask->metric(eval, RL_METRIC_fp16_instructions), arithmetic = rl_fp16_arithmetic(eval, width);
    const struct rl_value fma = eval->ask->counter(eval, "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum");
    const bool has_pipe = rl_present(eval->ask->counter(eval, "sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum"));

    if (!rl_present(fp16) || !rl_present(arithmetic))
        return rl_present(fp16) ? arithmetic : fp16;
    if (arithmetic.v > 0 || fp16.v == 0 || (has_pipe && rl_present(fma) && fma.v == fp16.v))
        return truth(true);
    return rl_value_missing(RL_UNDEFINED, "too few FP16 instructions to tell arithmetic from constants and conversions");
}
