/* limits_decide.h - what limits a launch, from its time at every resource (private to analysis/). */
#ifndef RL_ANALYSIS_LIMITS_DECIDE_H
#define RL_ANALYSIS_LIMITS_DECIDE_H

#include "internal.h"

/* Fills the rest of result->limits, of which `of` is there. `eval` points at the launch; the sentence goes to the arena. */
void rl_limiting_decide(struct rl_analysis *analysis, struct rl_eval *eval, struct rl_kernel_result *result);

#endif
