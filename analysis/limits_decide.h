/* limits_decide.h - what limits a launch, from its time at every resource (private to analysis/). */
#ifndef RL_ANALYSIS_LIMITS_DECIDE_H
#define RL_ANALYSIS_LIMITS_DECIDE_H

#include "internal.h"

/* Fills the rest of result->limits, of which `of` is there. `eval` points at the launch; the sentence goes to the arena. */
void rl_limiting_decide(struct rl_analysis *analysis, struct rl_eval *eval, struct rl_kernel_result *result);

/* Notes of each kernel what samples of its instructions say: result->limits.sampled_stall (limits_stalls.c). */
void rl_stalls_sampled(struct rl_analysis *analysis);
/* Appends what it says of a launch that it limits (limits_stalls.c). */
void rl_sampled_stall_say(struct rl_buf *text, const struct rl_sampled_stall *stall);
/* Appends behind `before` why it does not say what limits the launch; nothing where it says that no reason stands out
 * (limits_stalls.c). */
void rl_sampled_stall_say_unknown(struct rl_buf *text, const char *before, const struct rl_sampled_stall *stall);

#endif
