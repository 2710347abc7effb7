/* actions.h - what to do first, and what limits the GPU time as a whole.
 *
 * An action is a finding that advises. Actions are ranked by the seconds that each could save in the whole run: a kernel's by the
 * time of all its launches and the gain that its rule gives, an idle GPU by the time in which it was idle, which is a bound and no
 * prediction (at_most of findings.def). Findings without an estimate of the saving follow, by the GPU time they concern, with the
 * reason for the missing estimate. Rules that expect no gain, rules about the measurement, and findings about less than
 * RL_LEAST_SHARE of the GPU time are no actions, nor are those about variants of the suite. A kernel has at most one.
 */
#ifndef RL_ANALYSIS_ACTIONS_H
#define RL_ANALYSIS_ACTIONS_H

#include "analysis/analysis.h"
#include "analysis/families.h"

/* Share of the GPU time below which nothing has more than a line of a table. */
#define RL_LEAST_SHARE 0.005

struct rl_action {
    struct rl_ranked_finding found;
    struct rl_value saving_s; /* in the whole run, at most; missing with the reason */
    double concerns_s;        /* GPU time of which it speaks, or in which the GPU did nothing */
};

/* Whether it tells how to make a variant of the suite faster, which is as slow as its experiment needs it. */
bool rl_advises_on_suite(const struct rl_capture *capture, const struct rl_ranked_finding *found);

enum { RL_MOST_ACTIONS = 5 }; /* actions that reports list */
/* The first `most` actions of a GPU (RL_NONE: of all), the one that could save the most first; `actions` has room for them. Returns
 * their number. */
size_t rl_actions_of(const struct rl_analysis *analysis, const struct rl_families *families, size_t gpu, struct rl_action *actions,
                     size_t most);

/* Seconds that a finding could save in the whole run, at most; 0 where that is unknown. */
double rl_most_saved_s(const struct rl_analysis *analysis, const struct rl_families *families,
                       const struct rl_ranked_finding *found);

/* Whether findings say why a GPU was idle, so that another one, that it was, tells nothing more. */
bool rl_is_explained(const struct rl_families *families, const struct rl_ranked_finding *ranked, size_t count,
                     const struct rl_finding *finding);

/* The limiter of a class or a family; unknown where it lies above a roof, because roof or counters are in doubt then. */
size_t rl_family_limiter(const struct rl_analysis *analysis, const struct rl_family *family);
/* GPU time by the limiter of its kernels. */
struct rl_time_by_limiter {
    double of_s[RL_LIMITER_COUNT], total_s;
};
/* That of a GPU (RL_NONE: of all). */
struct rl_time_by_limiter rl_time_by_limiter_of(const struct rl_analysis *analysis, const struct rl_families *families, size_t gpu);

/* GPU time of the kernels of a library (core/libraries.def). */
struct rl_library_time {
    const char *library;
    double gpu_s, share; /* of the GPU time of all kernels, 0 to 1 */
};
enum { RL_MOST_LIBRARIES = 16 };
/* The libraries whose kernels ran on a GPU (RL_NONE: on any), the one with the most time first, at most RL_MOST_LIBRARIES. Returns
 * their number. */
size_t rl_time_by_library_of(const struct rl_analysis *analysis, const struct rl_families *families, size_t gpu,
                             struct rl_library_time libraries[RL_MOST_LIBRARIES]);

/* How an observed program spent the time from its first to its last activity on a GPU. */
struct rl_run_time {
    double kernel_s; /* in kernels */
    double copy_s;   /* in memcpys and memsets that ran while no kernel ran */
    double idle_s;
};
/* Fills *time. Returns false where the parts do not add up to the run: several processes used the GPU, nothing was timed, or
 * overlapping kernels take more time together than the GPU was busy. */
bool rl_run_time_of(const struct rl_program_gpu *gpu, struct rl_run_time *time);

/* Gains that rules predict, compared with measured ones.
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
 * T the median times of all its kernels and t that of the launch that the rule speaks of. */

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
