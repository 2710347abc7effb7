/* actions.h - the findings to act on first, and the GPU time by limiter, library and activity.
 *
 * An action is a finding with advice. Actions are ranked by the seconds that each could save in the whole run: for a kernel from
 * the time of all its launches and the gain of the rule, for an idle GPU the idle time, which is an upper bound (at_most of
 * findings.def). Findings without such an estimate follow, by the GPU time that they concern, with the reason. No actions are
 * findings of rules without a gain, about the measurement, about less than RL_LEAST_SHARE of the GPU time, and about variants of
 * the suite. A kernel has at most one action.
 */
#pragma once

#include "analysis/families.h"

/* Share of the GPU time below which a kernel has only a line in tables. */
#define RL_LEAST_SHARE 0.005

struct rl_action {
    struct rl_ranked_finding found;
    struct rl_value saving_s; /* in the whole run, at most; missing with the reason */
    double concerns_s;        /* GPU time that it is about, or idle time */
};

/* Whether it advises on a variant of the suite, which may be slow on purpose. */
bool rl_advises_on_suite(const struct rl_capture *capture, const struct rl_ranked_finding *found);

enum { RL_MOST_ACTIONS = 5 }; /* actions that reports list */
/* The first `most` actions of a GPU (RL_NONE: of all), the one that could save the most first; `actions` has room for them. Returns
 * their number. */
size_t rl_actions_of(const struct rl_analysis *analysis, const struct rl_families *families, size_t gpu, struct rl_action *actions,
                     size_t most);

/* Upper bound of the seconds that a finding could save in the whole run; missing with the reason. */
struct rl_value rl_most_saved_s(const struct rl_analysis *analysis, const struct rl_families *families,
                                const struct rl_ranked_finding *found);

/* Whether `finding` says that a GPU was idle while others of `ranked` give the cause, so that it is redundant. */
bool rl_is_explained(const struct rl_families *families, const struct rl_ranked_finding *ranked, size_t count,
                     const struct rl_finding *finding);

/* The limiter of a class or a family; unknown if it is above a roof, because roof or counters are then doubtful. */
size_t rl_family_limiter(const struct rl_analysis *analysis, const struct rl_family *family);
/* "DRAM bandwidth and L2 bandwidth (read)": that in words, of a class with those that it cannot be distinguished from, of a family
 * whose shapes differ with its share of the time. */
const char *rl_family_limited_by(const struct rl_analysis *analysis, const struct rl_family *family);
/* GPU time by the limiter of its kernels. */
struct rl_time_by_limiter {
    struct rl_limiter_time {
        size_t limiter;
        double gpu_s;
    } of[RL_LIMITER_COUNT]; /* those with time, the most first */
    size_t count;
    double total_s;
};
/* The time by limiter of a GPU (RL_NONE: of all). */
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

/* The time from the first to the last activity of a program on a GPU, by activity. */
struct rl_run_time {
    double kernel_s; /* in kernels */
    double copy_s;   /* in memcpys and memsets that ran while no kernel ran */
    double idle_s;
};
/* Fills *time. Returns false where the parts do not add up to the run: several processes used the GPU, nothing was timed, or
 * overlapping kernels take more time together than the GPU was busy. */
bool rl_run_time_of(const struct rl_program_gpu *gpu, struct rl_run_time *time);

/* Gains predicted by rules, compared with measured ones.
 *
 * Experiments of the suite have pairs of a slow variant and one that removes the cause (struct rl_variant_pair). If a rule triggers
 * on a launch of the slow variant and on none of the fast one, its advice was followed: the rule's gain is the prediction, and the
 * ratio of the two times the measurement. If it triggers on both, and its figure is better in the fast one, the advice was followed
 * in part: the prediction is the gain of the slow one over that of the fast one. A variant may remove several causes, so several
 * rules can have a record of one pair, each compared with the same measurement.
 *
 * Copies of a run are judged like those of a program: if they have less than half of the link's measured rate in one variant and
 * more in the other, the rule is pageable_copies, and the prediction is the time of the run with copies at that rate.
 *
 * For a run of several launches (Amdahl): predicted = T / (T - t (1 - 1 / gain)), with T the median times of all its kernels and t
 * that of the launch on which the rule triggers. */

/* A rule whose median error over its pairs is beyond this must not predict gains (tests/unit/analysis/test_gains.c). */
#define RL_MOST_GAIN_ERROR 0.5

struct rl_gain_record {
    size_t experiment, gpu;
    size_t broken, mended;     /* variants of the capture */
    enum rl_rule rule;         /* RL_RULE_COUNT: no rule triggers on only one of them */
    struct rl_value predicted; /* missing where the rule gives no gain, and where there is no rule */
    struct rl_value measured;  /* time of the broken one over that of the fixed one, each for the same operations or useful bytes */
    struct rl_value low, high; /* its 95 % CI; missing without one */
    struct rl_value error;     /* predicted / measured - 1; missing where one of them is, or where the pair is no gain here */
};

/* The records of a capture, by experiments and pairs in its order, then by rules; `*records` is to be freed. Pairs of which a
 * variant was not run, failed, or is not in the capture have none. Returns their number. */
size_t rl_gain_records(const struct rl_analysis *analysis, struct rl_gain_record **records);
/* Number of records with an error, that is, with a prediction and a measurement. */
size_t rl_gain_predictions(const struct rl_gain_record *records, size_t count);
/* Median of the absolute errors of a rule (RL_RULE_COUNT: of all); missing if there is none. */
struct rl_value rl_gain_median_error(const struct rl_gain_record *records, size_t count, enum rl_rule rule);
