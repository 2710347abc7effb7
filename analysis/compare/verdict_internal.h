/* verdict_internal.h - what verdicts by samples and by sessions share (private to analysis/). */
#ifndef RL_ANALYSIS_VERDICT_INTERNAL_H
#define RL_ANALYSIS_VERDICT_INTERNAL_H

#include "analysis/verdict.h"

enum { RL_MOST_SESSIONS_TOLD = 100 }; /* more than this is never asked for on a side */

/* A ratio with its interval, times a factor over 0. */
static inline struct rl_ratio rl_ratio_scaled(struct rl_ratio ratio, double factor)
{
    ratio.estimate *= factor;
    ratio.low *= factor;
    ratio.high *= factor;
    return ratio;
}
/* The verdict by where an interval lies, which `ratio` must have. */
enum rl_verdict rl_verdict_place(const struct rl_ratio *ratio, const struct rl_verdict_rules *rules);
/* Sets the verdict by where the interval lies, and the interval in cycles where the clocks differ; RL_DOUBT_CLOCKS where time and
 * cycles do not agree. The doubt of an interval that reaches over an edge is the caller's. */
void rl_change_judge(struct rl_change *change, const struct rl_verdict_rules *rules);
/* How far the estimate is from the next edge that an interval would have to stay within or beyond, in parts of the estimate: an
 * interval that reaches less far is decided. Not over 0: none would be. */
double rl_change_room(const struct rl_change *change, const struct rl_verdict_rules *rules);

#endif
