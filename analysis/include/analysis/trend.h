/* trend.h - what becomes of a kernel over accepted captures of days and weeks: drifts too slow for any two of them to show.
 *
 * The points are ln(time) over the day, a straight line is laid through them by least squares, and what it rises from the first
 * point to the last one has an interval by Student's t with the scatter about the line (two points fewer; at least
 * RL_SESSION_FLOOR), at a level of 1 % that all kernels share (Bonferroni). (Draper and Smith, Applied Regression Analysis, 1.4.) A
 * change in one step shows as a rise, too: the line says that the kernel is not where it was, the points say how it came there.
 */
#ifndef RL_ANALYSIS_TREND_H
#define RL_ANALYSIS_TREND_H

#include "analysis/sessions.h"
#include "core/arena.h"

enum { RL_TREND_LEAST = 4 }; /* points that a line needs to have an interval that says something */

struct rl_trend_point {
    double days;     /* since any moment that all points share */
    double median_s; /* over 0 */
};
struct rl_trend {
    size_t count;
    double days;           /* from the first point to the last */
    struct rl_ratio ratio; /* last over first along the line; absent with too few points, or all of one moment */
    double per_week;       /* relative change in a week along the line; 0 where the ratio is absent */
    enum rl_verdict verdict;
};
/* `points` in the order of their days; `kernels` >= 1: how many are looked at. */
struct rl_trend rl_trend_of(const struct rl_trend_point *points, size_t count, size_t kernels, double smallest_effect);
/* Appends the points as a line of blocks, "▁▂▅█", least to greatest; where they lie within 1 %, they show as that little. */
void rl_trend_sparkline(const struct rl_trend_point *points, size_t count, struct rl_buf *out);

/* A kernel of the newest captures, over those that were accepted. */
struct rl_kernel_trend {
    const char *label;
    struct rl_trend_point *points; /* the newest one last */
    const char *sparkline;
    struct rl_trend trend;
};
/* Accepted captures that new ones are held against. */
struct rl_history {
    struct rl_arena arena;
    const char *chosen;              /* name of the entry that was compared with: the last one of this card and driver */
    size_t entries, comparable;      /* all; those of this card and driver */
    struct rl_kernel_trend *kernels; /* those that drift first, the greatest change first */
    size_t count;
};

#endif
