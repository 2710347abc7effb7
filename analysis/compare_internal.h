/* compare_internal.h - the steps of a comparison, in order (private to analysis/). */
#ifndef RL_ANALYSIS_COMPARE_INTERNAL_H
#define RL_ANALYSIS_COMPARE_INTERNAL_H

#include "analysis/compare.h"

/* How two GPUs are related (compare_alike.c). */
enum rl_relation_of_cards rl_relation_of_gpus(const struct rl_gpu *a, const struct rl_gpu *b);
/* The items of a side (compare_items.c). */
void rl_comparison_list_items(struct rl_compare_side *side, const struct rl_analysis *analysis, struct rl_arena *arena);
/* Further sessions of both sides: their times become those of the items (compare_sessions.c). RL_FAILED with the reason. */
enum rl_status rl_comparison_add_sessions(struct rl_comparison *comparison, struct rl_err *err);
/* Pairs with base, new and match set, in the order of the base; what is left over on either side (compare_match.c). */
enum rl_status rl_comparison_match(struct rl_comparison *comparison, const struct rl_compare_options *options, struct rl_err *err);
/* Whether both did the same work (compare_why.c). */
void rl_pair_compare_work(struct rl_comparison *comparison, struct rl_pair *pair);
/* What both counted (compare_counts.c). */
void rl_pair_count_work(struct rl_comparison *comparison, struct rl_pair *pair);
/* What moved; the verdict is there (compare_why.c). */
void rl_pair_find_causes(struct rl_comparison *comparison, struct rl_pair *pair);
/* What a reader must know first; pairs and counts are there (compare_notes.c). */
void rl_comparison_add_notes(struct rl_comparison *comparison);

#endif
