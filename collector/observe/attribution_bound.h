/* attribution_bound.h - how much of the samples an attribution takes, so that it ends in time (attribution.h). Private to
 * attribution*.c. */
#ifndef RL_COLLECTOR_ATTRIBUTION_BOUND_H
#define RL_COLLECTOR_ATTRIBUTION_BOUND_H

#include <stddef.h>
#include <stdint.h>

struct rl_attribution_bound {
    size_t samples; /* that are shared out */
    size_t probes;  /* that serve the searches */
    size_t kinds;   /* that have a column */
};
/* What fits into `work_ns` of a processor (0: there is no bound), by what the steps took per sample and launch. There is always
 * enough to tell something. */
struct rl_attribution_bound rl_attribution_bound(uint64_t work_ns, size_t samples, size_t launches);

#endif
