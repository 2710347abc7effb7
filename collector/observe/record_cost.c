/* record_cost.c - the time of a kernel without what its serial record adds (record_cost.h). */
#include "record_cost.h"

/* Spinning kernels of one warp, H200, driver 580.159.04, CUPTI 13.0 (docs/data/benchmarks-clock.md has the command). */
const struct rl_record_cost rl_record_cost_usual = {
    .gap_ns = 690,
    .count = 4,
    .at = {{1860, 1260}, {11840, 1270}, {22140, 1550}, {202110, 1520}},
};

static double cost_at(const struct rl_record_cost *cost, double recorded_ns)
{
    size_t above = 0;
    while (above < cost->count && cost->at[above].recorded_ns < recorded_ns)
        above++;
    if (above == 0 || above == cost->count)
        return cost->at[above ? above - 1 : 0].cost_ns;
    const double from = cost->at[above - 1].recorded_ns, to = cost->at[above].recorded_ns;
    return cost->at[above - 1].cost_ns +
           (cost->at[above].cost_ns - cost->at[above - 1].cost_ns) * (recorded_ns - from) / (to - from);
}

double rl_record_cost_of(const struct rl_record_cost *cost, double own_ns)
{
    return cost && cost->count ? cost_at(cost, own_ns + cost_at(cost, own_ns)) : 0;
}

uint64_t rl_record_untraced(const struct rl_record_cost *cost, uint64_t recorded_ns)
{
    if (!cost || cost->count == 0)
        return recorded_ns;
    const double own_ns = (double)recorded_ns - cost_at(cost, (double)recorded_ns);
    return own_ns > 0 ? (uint64_t)(own_ns + 0.5) : 0;
}
