/* ceilings_best.c - which configuration of a micro-benchmark has become the ceiling. */
#include <string.h>

#include "capture/capture.h"
#include "ceilings.h"
#include "core/stats.h"

size_t rl_ceiling_best(const double *const *rates, const size_t *counts, size_t count)
{
    size_t best = RL_NONE;
    double highest = 0;
    for (size_t i = 0; i < count; i++) {
        double median = rl_stats_of(rates[i], counts[i]).median;
        if (counts[i] && (best == RL_NONE || median > highest)) {
            best = i;
            highest = median;
        }
    }
    return best;
}

size_t rl_ceiling_in_full(const struct rl_capture *capture, size_t gpu, const char *id)
{
    size_t best = RL_NONE, most = 0;
    double highest = 0;
    for (size_t i = 0; i < capture->ceiling_count; i++) {
        const struct rl_ceiling_run *run = &capture->ceilings[i];
        if (run->gpu != gpu || strcmp(run->id, id) != 0 || run->sample_count == 0 || run->sample_count < most)
            continue;
        double median = rl_stats_of(run->samples, run->sample_count).median;
        if (run->sample_count > most || median > highest) {
            best = i;
            most = run->sample_count;
            highest = median;
        }
    }
    return best;
}
