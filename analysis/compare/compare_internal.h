/* compare_internal.h - the steps of a comparison, in order (private to analysis/). */
#ifndef RL_ANALYSIS_COMPARE_INTERNAL_H
#define RL_ANALYSIS_COMPARE_INTERNAL_H

#include "analysis/compare.h"

/* How two GPUs are related (compare_alike.c). */
enum rl_relation_of_cards rl_relation_of_gpus(const struct rl_gpu *a, const struct rl_gpu *b);
/* The result of the kernel of an item of a side; of what is no variant of the suite it is not checked (compare_items.c). */
enum rl_result rl_side_result(const struct rl_compare_side *side, size_t item);
/* The items of a side (compare_items.c). */
void rl_comparison_list_items(struct rl_compare_side *side, const struct rl_analysis *analysis, struct rl_arena *arena);
/* Pairs with base, new and match set, in the order of the base; what is left over on either side (compare_match.c). */
enum rl_status rl_comparison_match(struct rl_comparison *comparison, const struct rl_compare_options *options, struct rl_err *err);
/* Two items that are alike. */
struct rl_alike {
    size_t base, new;
    struct rl_likeness likeness;
};
/* Finds items, free on both sides (`partner` of the base's is RL_NONE, the new one's is not `taken`), that are alike, and no others
 * nearly as much (compare_like.c). `found` has room for as many as the base has items; returns how many there are. */
size_t rl_comparison_find_alike(const struct rl_comparison *comparison, const size_t *partner, const bool *taken,
                                struct rl_alike *found);
/* Counts that both items have, in the order of deterministic.def; `found` has room for RL_TALLY_COUNT. Returns how many
 * (compare_counts.c). */
size_t rl_items_count_work(const struct rl_comparison *comparison, size_t base, size_t new, struct rl_tally *found);
/* Whether both did the same work (compare_why.c). */
void rl_pair_compare_work(struct rl_comparison *comparison, struct rl_pair *pair);
/* Counts of both sides (compare_counts.c). */
void rl_pair_count_work(struct rl_comparison *comparison, struct rl_pair *pair);
/* Metrics that moved; the verdict is there (compare_why.c). */
void rl_pair_find_causes(struct rl_comparison *comparison, struct rl_pair *pair);
/* Notes to read first; pairs and counts are there (compare_notes.c). */
void rl_comparison_add_notes(struct rl_comparison *comparison);

#endif
