/* timing.h - timing a variant without counters. Private to the collector. */
#ifndef RL_COLLECTOR_TIMING_H
#define RL_COLLECTOR_TIMING_H

#include "capture/capture.h"
#include "core/err.h"
#include "kernels/run.h"

struct rl_timing_limits {
    size_t min_samples, max_samples; /* per kernel class */
    double budget_s;                 /* stop after this much measuring, converged or not */
    double half_width;               /* or when the relative half-width of the median's interval is below this */
    double warm_up_s;                /* launches before the first sample, at least this long and at least 3 */
};
extern const struct rl_timing_limits rl_timing_full, rl_timing_quick;

/* Adds one kernel class to the capture for each distinct launch of the variant and fills its samples: GPU timestamps of the Activity
 * API, or CUDA events where that cannot be had (only for variants of one launch). `first` and `count` give the classes added. */
enum rl_status rl_time_variant(struct rl_capture *capture, size_t variant, struct rl_suite_run *run,
                               const struct rl_timing_limits *limits, size_t *first, size_t *count, struct rl_err *err);

/* The class among kernels [first, first + count) that launch `index` of the run belongs to. */
size_t rl_class_of_launch(const struct rl_capture *capture, size_t first, size_t count, const struct rl_launch *launch);

#endif
