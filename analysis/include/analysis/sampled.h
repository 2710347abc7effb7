/* sampled.h - values of launches that are estimates from samples of the whole GPU.
 *
 * A kernel class with sampled values and without any exact counter has metrics and limits from the samples: means over the launches
 * in them, each with a 95 % CI. Counted classes and families of shapes (analysis/families.h) have none. If a metric combines
 * several sampled values, their intervals add up. A value whose half interval exceeds a fifth of it is missing, with that reason.
 *
 * Comparisons, projections, claims and rules use exact counters only, except the rule that a launch cannot be above a roof.
 */
#pragma once

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
    RL_EVIDENCE_NONE,    /* unknown, the value has the reason; or it needs no counter */
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

/* The sampled values of a kernel class, which are adjacent: `*first` is the index of the first in the capture. Returns their
 * number. */
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

/* The estimate of a missing metric (`metrics` and `estimates` have RL_METRIC_COUNT elements, `estimates` may be NULL); NULL: the
 * metric is present, or has no estimate. */
const struct rl_estimate *rl_estimate_of(const struct rl_value *metrics, const struct rl_estimate *estimates,
                                         enum rl_metric metric);
/* The metric of a class: the exact value, otherwise the estimate, if any. */
struct rl_value rl_known_metric(const struct rl_kernel_result *result, enum rl_metric metric);
/* The metric sm_active_share of the launch itself: that of the counted range times the range's duration over the launch's, at most
 * 1. In a program a range is tens of microseconds longer than its launch. */
struct rl_value rl_sms_with_work(const struct rl_kernel_result *result);
/* Whether bulk copies (TMA) bring data: L2 was asked for RL_BULK_FROM times what L1 looked up, or more. */
bool rl_copies_in_bulk(const struct rl_kernel_result *result);
