/* attribution_bound.c - how much of the samples an attribution takes (attribution_bound.h). */
#include "attribution_bound.h"

#include <math.h>

#include "attribution_design.h"

enum { MOST_PROBES = 20000, LEAST_PROBES = 500, LEAST_SAMPLES = 2000, LEAST_KINDS = 50 };
/* Of a server's processor, per sample and pass over the samples: for itself, and for each launch in it with those whose tails reach
 * into it. Searches make so many passes, everything else so many. Solving takes so long for each third power of the columns. */
static const double SAMPLE_NS = 250, LAUNCH_NS = 120, SEARCHES = 160, PASSES = 16, SOLVING_NS = 30;
static const double OF_SEARCHES = 0.4, OF_SHARES = 0.4, OF_SOLVING = 0.2; /* of the whole */

static size_t within(double n, size_t least, size_t most)
{
    const size_t fits = n < (double)most ? (size_t)n : most, enough = least < most ? least : most;
    return fits < enough ? enough : fits;
}

struct rl_attribution_bound rl_attribution_bound(uint64_t work_ns, size_t samples, size_t launches)
{
    const size_t most_probes = samples < MOST_PROBES ? samples : MOST_PROBES;
    if (!work_ns || !samples)
        return (struct rl_attribution_bound){samples, most_probes, RL_DESIGN_MOST_KINDS};
    const double row_ns = SAMPLE_NS + LAUNCH_NS * (double)launches / (double)samples, work = (double)work_ns;
    struct rl_attribution_bound bound = {within(OF_SHARES * work / PASSES / row_ns, LEAST_SAMPLES, samples),
                                         within(OF_SEARCHES * work / SEARCHES / row_ns, LEAST_PROBES, most_probes),
                                         within(cbrt(OF_SOLVING * work / SOLVING_NS), LEAST_KINDS, RL_DESIGN_MOST_KINDS)};
    bound.probes = bound.probes < bound.samples ? bound.probes : bound.samples;
    return bound;
}
