/* ranks_internal.h - between the files that analyse ranks. */
#ifndef RL_ANALYSIS_RANKS_INTERNAL_H
#define RL_ANALYSIS_RANKS_INTERNAL_H

#include "analysis/ranks.h"

/* ranks_remarks.c */

/* One for each process of the capture: it is there for the second time, the same file given twice. Free with free(). */
bool *rl_ranks_find_duplicates(const struct rl_ranks *ranks);
/* Fills `remarks` and `hosts`. `shared`: GPUs that several ranks have used. */
void rl_ranks_describe(struct rl_ranks *ranks, const bool *repeated, const bool *shared);

/* ranks_kernels.c: fills `kernels`. */
void rl_ranks_compare(struct rl_ranks *ranks);

#endif
