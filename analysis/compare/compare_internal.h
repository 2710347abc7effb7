/* compare_internal.h - the steps of a comparison, in order (private to analysis/). */
#pragma once

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
/* Finds pairs of unmatched items (`partner` of the base's is RL_NONE, the new one's is not `taken`) that are similar, with no
 * close second (compare_like.c). `found` has room for the number of items of the base; returns the number of pairs. */
size_t rl_comparison_find_alike(const struct rl_comparison *comparison, const size_t *partner, const bool *taken,
                                struct rl_alike *found);
/* Counts that both items have, in the order of deterministic.def; `found` has room for RL_TALLY_COUNT. Returns how many
 * (compare_counts.c). */
size_t rl_items_count_work(const struct rl_comparison *comparison, size_t base, size_t new, struct rl_tally *found);
/* Whether both did the same work (compare_why.c). */
void rl_pair_compare_work(struct rl_comparison *comparison, struct rl_pair *pair);
/* Counts of both sides (compare_counts.c). */
void rl_pair_count_work(struct rl_comparison *comparison, struct rl_pair *pair);
/* Finds the metrics that moved, after the verdict (compare_why.c). */
void rl_pair_find_causes(struct rl_comparison *comparison, struct rl_pair *pair);
/* Whether it is compared, and undecided (effect.c). */
bool rl_pair_is_open(const struct rl_pair *pair);
/* Adds the notes to read first, after pairs and counts (compare_notes.c). */
void rl_comparison_add_notes(struct rl_comparison *comparison);

/* Sessions of one kernel by stretches of measuring, blocks: one host, one GPU, one day.
 *
 * Sessions of a block share more than sessions of two blocks do: the GPU's chip, the host's clocks, the temperature of the room.
 *
 *   one block, or all of them on both sides    what they share cancels. With n and m sessions of a block on either side and d the
 *                  difference of their mean ln(median), the estimate is the mean of the d, weighted by n m / (n + m); what scatters
 * are sessions around the level of their block and side, and the d around the estimate. (Two-way layout without interaction:
 * Searle, Casella and McCulloch, Variance Components, 1992, ch. 4. With one block it is the difference of two means.) some on one
 * side only, more than two       blocks are what is counted: each by the mean of its sessions. What scatters are these means, which
 * have all levels below in them (Kalibera and Jones, ISMM 2013). one on each side, and not the same         what blocks differ is
 * unknown: they are taken for one, with a note */

struct rl_session_blocks {
    enum rl_design design;
    double difference; /* of ln(median), new minus base */
    double squares;    /* sum of the squared distances of what scatters, */
    double freedom;    /* which has this freedom; its mean square over `weight` is the variance of `difference` */
    double weight;
    double within;     /* that mean square by the samples; it is not less */
    double ways;       /* number of ways to divide sessions, or blocks, between both sides; clamped at 1e9 */
    size_t counted[2]; /* sessions, or blocks, on each side */
    double trend;      /* the part of `difference` explained by steady drift between successive sessions of one side */
    double rank_level; /* two-sided level of the rank-sum test of Wilcoxon, Mann and Whitney, by blocks (van Elteren 1960): how
                        * often sides that chance divided would lie so far apart, whatever sessions depend on. 1 where blocks are
                        * counted */
};

/* Number of ways to divide so many between both sides; clamped. */
double rl_ways_to_share(size_t base, size_t new);
/* RL_SESSIONS_CONFIDENCE or RL_FEW_SESSIONS_CONFIDENCE (sessions.h), where there are so many. */
double rl_confidence_of_ways(double ways);
/* A session's part in it; `side` 0: base. */
struct rl_session_level {
    size_t block;
    int side;
    double y, within; /* ln(level), and its variance as samples tell it */
    size_t turn;      /* as struct rl_times has it */
};
/* Whether the sides alternated in every block: neither was ever ahead by more than two of its sessions, or half if there are
 * few. `sessions` are in the order of their starts. */
bool rl_sessions_take_turns(const struct rl_session_level *sessions, size_t count);
/* Both sides have some of `count` sessions. */
struct rl_session_blocks rl_session_blocks_of(const struct rl_session_level *sessions, size_t count);

/* ---- what verdicts by samples and by sessions share ---- */

enum { RL_MOST_SESSIONS_TOLD = 100 }; /* largest number of sessions requested of a side */

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
/* Distance of the estimate from the nearest threshold, relative to the estimate: a narrower interval is decided. 0 or less: none
 * would be. */
double rl_change_room(const struct rl_change *change, const struct rl_verdict_rules *rules);
