/* effect.h - what a change does to the whole: every kernel counts by the time that it takes in the base.
 *
 *     ratio = sum(w r) / sum(w)      w: time of the base's launches of a kernel (median by launches); r: its ratio, new over base
 *
 * That is the time that the same launches take in the new version over the time that they take in the base. The ends of the
 * interval are the same sums of the ends of the kernels' intervals, as if all of them erred the same way and as far: sessions share
 * a clock and a temperature, so that errors need not average out. It holds with the confidence of the comparison where the kernels'
 * intervals hold together, and with that of one interval where how many verdicts are wrong is bounded (analysis/sessions.h). It is
 * wider than independent errors would ask for, never narrower.
 *
 * Kernels without a ratio, or without an interval where others have one, are left out; `of.share` says how much of the time is
 * left. So are kernels that only one side has. A kernel that does other work counts with its time: whoever waits for the program
 * waits for it, too. What the rest does by itself is `like_for_like`.
 */
#ifndef RL_ANALYSIS_EFFECT_H
#define RL_ANALYSIS_EFFECT_H

#include <stddef.h>

#include "analysis/verdict.h"
#include "core/buf.h"
#include "core/stats.h"

struct rl_comparison;
struct rl_pair;

/* Some kernels of the base. */
struct rl_effect_part {
    size_t kernels;
    double share; /* of the time of the base, 0..1 */
};

struct rl_effect {
    struct rl_ratio time;                    /* new over base; not present: no kernel has a ratio */
    enum rl_verdict verdict;                 /* on it, by the rules of the comparison; UNDECIDED without an interval */
    struct rl_effect_part of;                /* the kernels that it is of */
    struct rl_effect_part with[4];           /* kernels that are compared, by their verdict */
    struct rl_effect_part unequal;           /* of those, the ones that do other work */
    struct rl_ratio like_for_like;           /* of all others; not present where no kernel does other work */
    struct rl_effect_part excluded, removed; /* not compared; only in the base */
    struct rl_effect_part added;             /* only in the new one: its time there, as a share of the time of the base */
    enum rl_doubt doubt;                     /* what keeps most of the time of the undecided ones undecided */
    size_t more;                 /* samples or sessions that would decide half of those, as rl_change has it; 0: unknown */
    size_t right, broke, mended; /* kernels with a result that was checked on both sides: right on both; right in the base and wrong
                                    now; the other way round */
};

/* Works it out for a comparison whose pairs are judged, and gives every pair its share of the base's time. */
void rl_comparison_weigh(struct rl_comparison *comparison);
/* The part of a pair in the ratio of the whole: -0.02 takes 2 % off the time of all kernels; 0 of a pair that is not in it. */
double rl_pair_contribution(const struct rl_comparison *comparison, const struct rl_pair *pair);
/* All pairs by what they do to the whole: results that broke, then what is FASTER or SLOWER, the largest part in the ratio first;
 * then what is open and what is the same, by share of the time. `order` has room for all; returns how many broke or changed. */
size_t rl_comparison_changed(const struct rl_comparison *comparison, size_t *order);

/* ---- sentences, in plain English; each appends nothing where there is nothing to say ---- */

/* How a ratio of times is to be read, wherever one is printed. */
#define RL_RATIO_READS "new over base: 0.95 is 5 % less time, 1.05 is 5 % more"
/* How a speedup is to be read, wherever one card is compared with another: the ratio turned round, and never called one. */
#define RL_SPEEDUP_READS "time on the base over time on the card: 2 is twice as fast"

/* "FASTER", "SLOWER", "NO CHANGE", "MIXED", "UNDECIDED", "WRONG RESULT", "NOTHING TO COMPARE". Never nothing. Where there are cases
 * it is of them, as are the tables: MIXED where some are FASTER and others SLOWER. */
const char *rl_effect_headline(const struct rl_comparison *comparison);
struct rl_case_comparison;
/* The same of cases alone. */
const char *rl_effect_cases_headline(const struct rl_case_comparison *cases);
/* "The same launches take 4.8 % less time (−5.6 to −4.1 %).", of cases rl_effect_cases_text; where the sides were measured on two
 * cards, did not take turns or have less than RL_SESSIONS_ENOUGH sessions each, that, and the command that strengthens the
 * evidence. */
void rl_effect_text(const struct rl_comparison *comparison, struct rl_buf *out);
/* Cases (analysis/cases.h): "By geometric mean 12 cases take 3.1 % more time (interval +2.0 to +4.2 %): 1 SLOWER, 11 SAME." */
void rl_effect_cases_text(const struct rl_comparison *comparison, struct rl_buf *out);
/* The change of all kernels together, where cases are in the first sentence: "FASTER. The same launches take ...". */
void rl_effect_kernels_text(const struct rl_comparison *comparison, struct rl_buf *out);
/* "5 kernels, 83.0 % of the base's time, take the same time within 1 %." */
void rl_effect_same_text(const struct rl_comparison *comparison, struct rl_buf *out);
/* How many could not be decided, their share of the time, and what would decide them. */
void rl_effect_undecided_text(const struct rl_comparison *comparison, struct rl_buf *out);
/* Which do other work, and what the others do by themselves. */
void rl_effect_unequal_text(const struct rl_comparison *comparison, struct rl_buf *out);
/* Appends the kernels that only one side has, with their time. */
void rl_effect_unmatched_text(const struct rl_comparison *comparison, struct rl_buf *out);
/* Whether the results are the same. */
void rl_effect_results_text(const struct rl_comparison *comparison, struct rl_buf *out);

#endif
