/* fp16.h - which FP16 instructions of a launch are arithmetic (private to analysis/).
 *
 * Compilers load constants and convert numbers with them, and the counters are the same. The evaluator points at the launch;
 * `width`: threads of a warp.
 */
#ifndef RL_ANALYSIS_FP16_H
#define RL_ANALYSIS_FP16_H

#include "eval.h"

/* 1 where they are taken for arithmetic: at least 15 % of the thread instructions, or packed FMAs ran on the FMA pipe of a chip
 * that loads constants on the tensor pipe; else 0. Missing where they were not counted. */
struct rl_value rl_fp16_arithmetic(struct rl_eval *eval, struct rl_value width);
/* 1 where that is sure: it is 1, there are none, or all are packed FMAs that ran on the tensor pipe of such a chip, where packed
 * FMAs that are arithmetic would be dealt out to both. Otherwise unknown: additions and multiplications may be conversions. */
struct rl_value rl_fp16_told(struct rl_eval *eval, struct rl_value width);

#endif
