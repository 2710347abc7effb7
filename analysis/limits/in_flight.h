/* in_flight.h - Little's law at the levels of memory (private to analysis/). */
#ifndef RL_ANALYSIS_IN_FLIGHT_H
#define RL_ANALYSIS_IN_FLIGHT_H

#include "internal.h"

/* Finds what chains of loads say of the latencies of every card: rl_gpu_result.latency_s, from the capture itself, else from one of
 * another card of the model in samples/ (latencies.def); missing where none says it. */
void rl_latencies_measured(struct rl_analysis *analysis);
/* What the launch had under way, from its shares and those latencies. */
struct rl_in_flight rl_in_flight_of(const struct rl_analysis *analysis, const struct rl_kernel_result *result);

#endif
