/* projection_internal.h - what the parts of a projection ask each other (private to analysis/). */
#ifndef RL_ANALYSIS_PROJECTION_INTERNAL_H
#define RL_ANALYSIS_PROJECTION_INTERNAL_H

#include "analysis/projection.h"

/* Whether the launch does packed FP16 or BF16, which counters do not tell apart. */
bool rl_projection_has_packed(const struct rl_kernel_result *result);
/* Whether the card has less L2 than the measured one, or that is not known. */
bool rl_projection_has_less_l2(const struct rl_card_info *card, const struct rl_gpu *gpu);
/* Likewise more. */
bool rl_projection_has_more_l2(const struct rl_card_info *card, const struct rl_gpu *gpu);
/* The roof of packed BF16 there, where it is under that of FP16. */
struct rl_value rl_projection_lower_bf16(const struct rl_projection *projection);
/* Whether packed FP16 is possible there and packed BF16 is not. */
bool rl_projection_lacks_bf16(const struct rl_projection *projection);
/* Writes the sentences; the kernels are projected. */
void rl_projection_assume(struct rl_projection *projection);

#endif
