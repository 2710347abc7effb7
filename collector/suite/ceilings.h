/* ceilings.h - measured roofs: sweeps of the micro-benchmarks of kernels/ceiling.h. Private to the collector. */
#pragma once

#include "core/core.h"

struct rl_activity;
struct rl_capture;
struct rl_collecting;
struct rl_collect_task;

/* How thoroughly ceilings are measured. */
struct rl_ceiling_limits {
    bool quick;                    /* the short sweeps only */
    size_t sweep_samples, samples; /* launches of each configuration in the sweep, and of the best one besides */
    double launch_ns;              /* what a launch takes where rounds can be chosen */
    double warm_up_s;              /* before the first benchmark: an idle GPU needs a while for its clock */
    double budget_s;               /* for all; what is left when it has run out gets the short sweep */
    uint64_t host_bytes;           /* page-locked memory for the link to the host */
};
extern const struct rl_ceiling_limits rl_ceiling_full, rl_ceiling_quick;

/* Measures every ceiling that the GPU and options->ceilings allow and adds the runs to the capture, which is written after each.
 * What cannot be measured is logged. RL_RESUME when the device was lost, RL_IO when the capture cannot be written. */
enum rl_status rl_measure_ceilings(struct rl_collecting *s, const struct rl_collect_task *task, struct rl_err *err);
/* With RL_CEILINGS_SUSTAINED: measures the ceilings that power and heat limit once more, each after 20 s of load. */
enum rl_status rl_measure_sustained(struct rl_collecting *s, const struct rl_collect_task *task, struct rl_err *err);

/* ---- parts, for tests ---- */

/* Index of the series with the highest median; RL_NONE when all are empty. `rates[i]` has `counts[i]` samples. */
size_t rl_ceiling_best(const double *const *rates, const size_t *counts, size_t count);
/* The run that is the ceiling `id` of the GPU: of those with the most samples, which were measured in full, the one with the
 * highest median; a look in the sweep is too short for the clock to fall. RL_NONE: there is no run. */
size_t rl_ceiling_in_full(const struct rl_capture *capture, size_t gpu, const char *id);
/* Shares `seen` activities, in order of their start, out to launches: launch i of case c took activities per_launch[c] at a time
 * and lasts from the start of its first to the end of its last. The number of launches of each case is `repeat`. False when the
 * numbers do not fit; at most one case may have per_launch 0, which is then found from what the others leave. */
bool rl_ceiling_durations(const struct rl_activity *seen, size_t seen_count, size_t *per_launch, size_t cases, size_t repeat,
                          uint64_t *duration_ns);
