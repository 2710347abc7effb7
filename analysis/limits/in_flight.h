/* in_flight.h - Little's law at the levels of memory (private to analysis/). */
#ifndef RL_ANALYSIS_IN_FLIGHT_H
#define RL_ANALYSIS_IN_FLIGHT_H

#include "internal.h"

/* Finds what chains of loads say of the latencies of every card: rl_gpu_result.latency_s, from the capture itself, else from one of
 * another card of the model in samples/ (latencies.def); missing where none says it. */
void rl_latencies_measured(struct rl_analysis *analysis);
/* Bytes that the launch has in flight, by its shares and those latencies, and how long its loads wait. `eval` points at the launch.
 */
struct rl_in_flight rl_in_flight_of(const struct rl_analysis *analysis, struct rl_eval *eval,
                                    const struct rl_kernel_result *result);

#endif
