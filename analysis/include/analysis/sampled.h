/* sampled.h - values of launches that are estimates from samples of the whole GPU.
 *
 * A kernel class without any exact counter that has a sampled value has metrics and limits from these: means over the launches in
 * the samples, each with a 95 % interval. A class that was counted never has, whatever was sampled of it, and neither has a family
 * of shapes (analysis/families.h). Where a metric is made of several sampled values their intervals add up, as if all of them were
 * wrong in the same direction. An interval of more than a fifth of the value on either side says too little: then the value is
 * missing, with that reason.
 *
 * Comparisons, projections, claims and rules take exact counters alone, but for the rule that a launch cannot be above a roof.
 */
#ifndef RL_ANALYSIS_SAMPLED_H
#define RL_ANALYSIS_SAMPLED_H

#include "analysis/analysis.h"

/* Largest half width of an interval, relative to its value, at which a sampled value is reported. */
#define RL_SAMPLED_WIDEST 0.2

struct rl_sampled_as {
    const char *name; /* metric or counter */
    enum rl_sampled_counter of;
    bool per_sm, per_active, per_warps;
};
extern const struct rl_sampled_as rl_sampled_as[];
extern const size_t rl_sampled_as_count;

/* How a value of a kernel class is known. */
enum rl_evidence {
    RL_EVIDENCE_NONE,    /* it is not, the value says why; or it needs no counter */
    RL_EVIDENCE_COUNTED, /* exact counters of some of its launches */
    RL_EVIDENCE_SAMPLED, /* estimates from samples */
    RL_EVIDENCE_COUNT
};
/* "none", "counted", "sampled": stable. */
const char *rl_evidence_name(enum rl_evidence evidence);
/* Source of the metrics and limits of a kernel class. */
enum rl_evidence rl_evidence_of(const struct rl_capture *capture, size_t kernel);
/* Whether some exact counter of it was read. */
bool rl_has_counters(const struct rl_kernel *kernel);

/* The rows of a kernel class, which stand together: `*first` is an index into the capture's. Returns their number. */
size_t rl_sampled_of(const struct rl_capture *capture, size_t kernel, size_t *first);
/* Whether the class has no exact counter but at least one sampled value. */
bool rl_is_sampled(const struct rl_capture *capture, size_t kernel);
/* Its sampled values by counter, and half of their intervals; without a row they are missing with the reason "not sampled". Where
 * only the sum over a group of classes is known, the sum and its interval bound the value of a launch from above. */
struct rl_sampled_values {
    struct rl_value value[RL_SAMPLED_COUNT];
    double half_width[RL_SAMPLED_COUNT];
    double most[RL_SAMPLED_COUNT]; /* INFINITY: nothing is known */
};
/* Fills them. */
void rl_sampled_values(const struct rl_capture *capture, size_t kernel, struct rl_sampled_values *values);

/* The estimate that stands for one of these metrics (RL_METRIC_COUNT of them, as of the estimates, which may be NULL); NULL: the
 * metric is there, or nothing stands for it. */
const struct rl_estimate *rl_estimate_of(const struct rl_value *metrics, const struct rl_estimate *estimates,
                                         enum rl_metric metric);
/* The metric of a class: the exact one; without it the estimate, where there is one. */
struct rl_value rl_known_metric(const struct rl_kernel_result *result, enum rl_metric metric);
/* The metric sm_active_share of the launch itself. A counted range begins before its launch and ends after it, in a program by tens
 * of microseconds: the share is as much greater as the range took longer, up to 1. */
struct rl_value rl_sms_with_work(const struct rl_kernel_result *result);

#endif
