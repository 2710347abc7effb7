/* ranks.h - comparing the ranks of a program (analysis/ranks.h): rows are a struct rl_ranks, struct rl_rank and
 * struct rl_rank_kernel. The subject is a struct view_subject that has ranks. */
#ifndef RL_RESULTS_RANKS_H
#define RL_RESULTS_RANKS_H

#include "results/view.h"

extern const struct view_record view_record_ranks;

#endif
