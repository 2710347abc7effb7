/* verdict_internal.h - what verdicts by samples and by sessions share (private to analysis/). */
#ifndef RL_ANALYSIS_VERDICT_INTERNAL_H
#define RL_ANALYSIS_VERDICT_INTERNAL_H

#include "analysis/verdict.h"

/* Sets the verdict by where the interval lies, and the interval in cycles where the clocks differ; RL_DOUBT_CLOCKS where time and
 * cycles do not agree. The doubt of an interval that reaches over an edge is the caller's. */
void rl_change_judge(struct rl_change *change, double smallest_effect);

#endif
