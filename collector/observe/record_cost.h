/* record_cost.h - what a serial activity record adds to a kernel's time. Private to the collector.
 *
 * CUPTI times a kernel that it serialises by timestamps before and behind it (CUPTI_ACTIVITY_KIND_KERNEL). They leave its code
 * alone, but the difference holds about 1.3 us besides the kernel, 1.5 us from 20 us on (H100 and H200, CUPTI 13.0). The reference
 * is the time from one launch to the next of launches that are queued back to back, without CUPTI, less the gap between two
 * launches. The gap is that time of an empty kernel of one warp less what its concurrent record says, which a single warp does not
 * lengthen. */
#pragma once

#include "core/core.h"

enum { RL_RECORD_COST_POINTS = 8 };
struct rl_record_cost {
    double gap_ns; /* between the end of a launch and the start of the next; 0: not measured */
    size_t count;
    struct {
        double recorded_ns, cost_ns;
    } at[RL_RECORD_COST_POINTS]; /* ascending by recorded_ns */
};
/* As measured on an H200, for programs, in which nothing of ours is launched. */
extern const struct rl_record_cost rl_record_cost_usual;

/* The kernel's own time: what was recorded less the cost, interpolated between the points and constant beyond them; at least 0.
 * `cost` may be NULL: nothing is subtracted. */
uint64_t rl_record_untraced(const struct rl_record_cost *cost, uint64_t recorded_ns);

/* Time that a record of a kernel that lasts `own_ns` without it holds besides, in ns; 0 without points. */
double rl_record_cost_of(const struct rl_record_cost *cost, double own_ns);
