/* timeline_phases.h - phases of programs by their NVTX ranges (private to analysis/). */
#ifndef RL_ANALYSIS_TIMELINE_PHASES_H
#define RL_ANALYSIS_TIMELINE_PHASES_H

#include "analysis/timeline.h"

/* Gives each of analysis->over_time its phases, whose gaps are there. */
void rl_phases_find(struct rl_analysis *analysis);

#endif
