/* estimates.h - values of samples in the place of counters that were not read (private to analysis/; analysis/sampled.h). */
#ifndef RL_ANALYSIS_ESTIMATES_H
#define RL_ANALYSIS_ESTIMATES_H

#include "analysis/sampled.h"
#include "internal.h"

/* Each sampled counter is moved to both ends of its interval, one after the other. */
enum { RL_ESTIMATE_STEPS = 2 * RL_SAMPLED_COUNT };
/* Points the evaluator at a kernel class that has no counters, with sampled values in their place: at step 0 these, at step 1 + 2 c
 * and 2 + 2 c those with counter c at the upper and the lower end of its interval. False: there is no such step. */
bool rl_estimates_focus(struct rl_eval *eval, size_t kernel, const struct rl_sampled_values *values, size_t step);

/* Half of the interval of what is made of sampled values: by how much each of these moves it, added up. */
struct rl_moves {
    double sum, last;
};
/* Adds what a step (1, 2, 3, ...) made of a value that was `at` at step 0. */
void rl_estimate_widen(struct rl_moves *moves, size_t step, struct rl_value at, struct rl_value moved);

/* Metrics of a class if it was sampled and not counted (estimates.c). */
void rl_kernel_estimates(struct rl_analysis *analysis, struct rl_eval *eval, struct rl_kernel_result *result);

#endif
