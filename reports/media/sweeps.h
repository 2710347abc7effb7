/* sweeps.h - every configuration of every micro-benchmark: small charts, two beside each other.
 *
 * What a roof is worth depends on how hard the benchmark was tried. Each chart shows all configurations of one benchmark that the
 * capture holds, the fastest first, the one that is the ceiling in bold, below the theoretical figure at its clock and the best
 * published one.
 */
#ifndef RL_REPORTS_SWEEPS_H
#define RL_REPORTS_SWEEPS_H

#include "page.h"

/* Adds a chart to the section for each micro-benchmark of the GPU that was tried in at least two configurations. */
void rl_sweeps_plan(struct rl_report *report, struct rl_section *section, size_t gpu);
/* Lays them out with a heading; nothing when there are none. */
void rl_sweeps_draw(struct rl_report *report, struct rl_section *section, size_t gpu);

#endif
