/* limits_decide.h - what limits a launch, from its time at every resource (private to analysis/). */
#ifndef RL_ANALYSIS_LIMITS_DECIDE_H
#define RL_ANALYSIS_LIMITS_DECIDE_H

#include "internal.h"

/* Fills the rest of result->limits, of which `of` is there. `eval` points at the launch; the sentence goes to the arena. */
void rl_limiting_decide(struct rl_analysis *analysis, struct rl_eval *eval, struct rl_kernel_result *result);

/* The shortest time of a kernel, as it was measured on the card; 0: it was not. */
double rl_shortest_launch_s(const struct rl_gpu_result *card);

/* Notes of each kernel what samples of its instructions say: result->limits.sampled_stall (limits_stalls.c). */
void rl_stalls_sampled(struct rl_analysis *analysis);
/* The reason for which warps wait most, of those that were counted (enum rl_metric); -1: none was (limits_stalls.c). */
int rl_counted_stall(const struct rl_kernel_result *result);
/* The lower end of what samples say, where stalls were not counted (limits_stalls.c). */
struct rl_value rl_sampled_stall_low(const struct rl_kernel_result *result);
/* Appends "62.0 % (55.1 % to 68.4 %)" (limits_stalls.c). */
void rl_sampled_stall_add_share(struct rl_buf *text, const struct rl_sampled_stall *stall);
/* Appends sentences, each with a blank behind it: the hottest line, or how to get lines; and whose the samples are where several
 * classes share them (limits_stalls.c). */
void rl_sampled_stall_add_where(struct rl_buf *text, const struct rl_capture *capture, const struct rl_sampled_stall *stall);
/* Advice on the reason, which there is (limits_stalls.c). */
const char *rl_sampled_stall_advice(const struct rl_sampled_stall *stall);
/* Appends what it says of a launch that it limits (limits_stalls.c). */
void rl_sampled_stall_say(struct rl_buf *text, const struct rl_sampled_stall *stall);
/* "long scoreboard (waiting for memory)": a stall reason by Nsight Compute's name, from its id, and what it means; appends. */
void rl_stall_add_name(struct rl_buf *text, const char *id, const char *meaning);
/* Appends behind `before` why it does not say what limits the launch; nothing where it says that no reason stands out
 * (limits_stalls.c). */
void rl_sampled_stall_say_unknown(struct rl_buf *text, const char *before, const struct rl_sampled_stall *stall);

#endif
