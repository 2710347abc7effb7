/* timing.h - timing a variant without counters. Private to the collector. */
#ifndef RL_COLLECTOR_TIMING_H
#define RL_COLLECTOR_TIMING_H

#include "capture/capture.h"
#include "core/err.h"
#include "kernels/run.h"
#include "record_cost.h"

struct rl_timing_limits {
    size_t min_samples, max_samples; /* per kernel class */
    double budget_s;                 /* stop after this much measuring, converged or not */
    double half_width;               /* or when the relative half-width of the median's interval is below this */
    double warm_up_s;                /* launches before the first sample, at least this long and at least 3 */
    double window_s;                 /* samples are spread over this much of runs one after another; 0: as short as it takes */
};
extern const struct rl_timing_limits rl_timing_full, rl_timing_quick;

/* Adds one kernel class to the capture for each different launch of the variant (class `*first` + i is run->launches[i]) and takes
 * samples as the variant wants to be measured: GPU timestamps of the Activity API for its kernels (serial records, less their cost)
 * or for the span of a run, or the host's clock. Kernels that are a run of their own also get their time back to back, the
 * reference of the clock. Where the Activity API cannot be had, runs of a single launch are timed by CUDA events. */
enum rl_status rl_time_variant(struct rl_capture *capture, size_t variant, struct rl_suite_run *run,
                               const struct rl_timing_limits *limits, const struct rl_record_cost *cost, size_t *first,
                               size_t *count, struct rl_err *err);

#endif
