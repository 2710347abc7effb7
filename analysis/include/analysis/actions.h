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

#endif
