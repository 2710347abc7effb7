/* resources.h - the evidence for a kernel's limiter: its resources by their share of the roof, and the stalls of its warps. All
 * media show these rows, so that a share of a roof reads alike wherever it stands. */
#ifndef RL_RESULTS_RESOURCES_H
#define RL_RESULTS_RESOURCES_H

#include "analysis/limits.h"
#include "results/view.h"

struct rl_kernel_result;

struct view_resource {
    enum rl_resource resource;
    const struct rl_limit *limit; /* its share is present and positive */
    bool sampled;                 /* the share is an estimate */
};
/* Row: struct view_resource. */
extern const struct view_record view_record_resource;
/* The resources that a launch uses, the largest share first. */
struct view_rows view_resources_of(struct rl_arena *arena, const struct rl_kernel_result *kernel);
/* Appends "85.5 ±0.1": a share of a roof in % with half of its 95 % interval, without one the share alone. */
void view_share_format(struct rl_buf *out, const struct rl_limit *limit, bool sampled);

struct view_stall {
    const char *reason;      /* Nsight Compute's name: "long scoreboard" */
    double share, low, high; /* of the warps' time; the interval of samples, NAN without one */
};
/* Row: struct view_stall. */
extern const struct view_record view_record_stall;
/* Reasons with 1 % or more of the warps' time, the largest first: counted, or where nothing was the commonest one of samples. */
struct view_rows view_stalls_of(struct rl_arena *arena, const struct rl_kernel_result *kernel);

#endif
