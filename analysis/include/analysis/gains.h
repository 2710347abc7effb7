/* gains.h - gains that rules predict, compared with measured ones.
 *
 * Experiments of the suite say which of their variants removes what slows down another one (struct rl_variant_pair). Where a rule
 * speaks of a launch of the slow variant, and of none of the fast one, its advice was followed: the gain that it gave is a
 * prediction, and the quotient of the two times is what came of it. Where it speaks of both, and the figure that it judges is
 * better in the fast one, the advice was followed in part: the prediction is the gain of the slow one over that of the fast one.
 * A variant may remove more than one thing, so that more than one rule can have a record of one pair; each is then compared with
 * the same measurement.
 *
 * Copies of a run are judged like those of a program: less than half of the link's measured rate in one variant, and more in the
 * other, is pageable_copies, and predicted is the time of the run without what its copies take longer than at that rate.
 *
 * A run of several launches becomes as much faster as its one launch allows (Amdahl): predicted = T / (T - t (1 - 1 / gain)), with
 * T the median times of all its kernels and t that of the launch that the rule speaks of.
 */
#ifndef RL_ANALYSIS_GAINS_H
#define RL_ANALYSIS_GAINS_H

#include "analysis/analysis.h"

/* A rule whose median error over the pairs that try it is beyond this is not to promise gains (tests/unit/analysis/test_gains.c).
 */
#define RL_MOST_GAIN_ERROR 0.5

struct rl_gain_record {
    size_t experiment, gpu;
    size_t broken, mended;     /* variants of the capture */
    enum rl_rule rule;         /* RL_RULE_COUNT: no rule speaks of the one and not of the other */
    struct rl_value predicted; /* missing where the rule gives no gain, and where there is no rule */
    struct rl_value measured;  /* time of the broken one over that of the fixed one, each for the same operations or useful bytes */
    struct rl_value low, high; /* its 95 % interval; missing without one */
    struct rl_value error;     /* predicted / measured - 1; missing where one of them is, or where the pair is no gain here */
};

/* The records of a capture, by experiments and pairs in its order, then by rules; `*records` is to be freed. Pairs of which a
 * variant was not run, failed, or is not in the capture have none. Returns their number. */
size_t rl_gain_records(const struct rl_analysis *analysis, struct rl_gain_record **records);
/* How many of them have an error: something was predicted, and measured. */
size_t rl_gain_predictions(const struct rl_gain_record *records, size_t count);
/* Median of the sizes of the errors of a rule (RL_RULE_COUNT: of all); missing where there is none. */
struct rl_value rl_gain_median_error(const struct rl_gain_record *records, size_t count, enum rl_rule rule);

#endif
