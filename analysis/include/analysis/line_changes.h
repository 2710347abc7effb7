/* line_changes.h - before and after by source line: which lines of a kernel have more of the samples of its warps, and which less.
 *
 * Lines of both sides are the same when file name and text are (the k-th of equal ones with the k-th), wherever they stand now;
 * where a text is unknown, when file name and number are. A line without samples on one side may have had some among the
 * instructions that are not kept one by one: upper ends have room for all of those.
 *
 * Intervals: the share of each side has that of analysis/pc.h; the difference has the one that follows from both (Newcombe,
 * Statistics in Medicine 17, 1998, method 10; Zou and Donner, Statistics in Medicine 27, 2008, for quantities of any kind). Time at
 * a line is its share of the median time of a launch, with the ends of both multiplied. Samples say the function: where several
 * classes share them the time is that of one of them, the one that takes most time.
 */
#ifndef RL_ANALYSIS_LINE_CHANGES_H
#define RL_ANALYSIS_LINE_CHANGES_H

#include "analysis/compare.h"
#include "analysis/pc.h"

/* A figure of one side or a difference, with its 95 % interval; value missing: unknown. */
struct rl_line_figure {
    struct rl_value value, low, high;
};
/* A line of a kernel whose share of the samples changed by more than they scatter. */
struct rl_line_change {
    size_t pair;             /* of the comparison */
    const char *path, *text; /* as the new side has them, else as the base; NULL: unknown */
    uint32_t base, new;      /* numbers of the line; 0: it has no samples there */
    struct rl_line_figure base_share, new_share, share;
    struct rl_line_figure base_s, new_s, time_s; /* missing where times are not compared */
};

/* Those of all kernels of which both first sessions were sampled, each name once; by the change of time, then of share, the
 * largest first. In the arena. Takes no longer than sorting kernels and lines. */
size_t rl_line_changes_of(const struct rl_comparison *comparison, struct rl_arena *arena, struct rl_line_change **changes);

#endif
