/* evidence.c - what is known of a kernel class: exact counters, or estimates from samples (analysis/sampled.h). */
#include "analysis/sampled.h"

const struct rl_sampled_as rl_sampled_as[] = {
#define SAMPLED_AS(name_, ...) {.name = name_, __VA_ARGS__},
#include "analysis/sampled.def"
#undef SAMPLED_AS
};
const size_t rl_sampled_as_count = RL_COUNT(rl_sampled_as);

RL_NAMES(rl_evidence_name,
         enum rl_evidence, [RL_EVIDENCE_NONE] = "none", [RL_EVIDENCE_COUNTED] = "counted", [RL_EVIDENCE_SAMPLED] = "sampled")

bool rl_has_counters(const struct rl_kernel *kernel)
{
    for (size_t i = 0; i < kernel->counter_count; i++) {
        const struct rl_counter *counter = &kernel->counters[i];
        /* Occupancy in theory follows from the launch, whoever has printed it. */
        if (counter->kind != RL_FOREIGN &&
            !(counter->kind == RL_METRIC_VALUE && strcmp(counter->name, rl_metrics[RL_METRIC_theoretical_occupancy].id) == 0) &&
            rl_present(counter->value))
            return true;
    }
    return false;
}

size_t rl_sampled_of(const struct rl_capture *capture, size_t kernel, size_t *first)
{
    /* they stand in the order of kernels, a few of each */
    size_t end = *first = RL_FIRST_FROM(capture->sampled, capture->sampled_count, kernel, kernel);
    while (end < capture->sampled_count && capture->sampled[end].kernel == kernel)
        end++;
    return end - *first;
}

bool rl_is_sampled(const struct rl_capture *capture, size_t kernel)
{
    size_t first = 0, count = rl_sampled_of(capture, kernel, &first);
    if (count == 0 || rl_has_counters(&capture->kernels[kernel]))
        return false;
    for (size_t i = first; i < first + count; i++)
        if (rl_present(capture->sampled[i].per_launch) && rl_present(capture->sampled[i].half_width))
            return true;
    return false;
}

enum rl_evidence rl_evidence_of(const struct rl_capture *capture, size_t kernel)
{
    return rl_has_counters(&capture->kernels[kernel]) ? RL_EVIDENCE_COUNTED
           : rl_is_sampled(capture, kernel)           ? RL_EVIDENCE_SAMPLED
                                                      : RL_EVIDENCE_NONE;
}

static double most_of(const struct rl_sampled_value *row)
{
    if (rl_present(row->per_launch) && rl_present(row->half_width))
        return row->per_launch.v + row->half_width.v;
    return row->launches > 0 && row->total_half_width > 0 ? (row->total + row->total_half_width) / row->launches : INFINITY;
}

void rl_sampled_values(const struct rl_capture *capture, size_t kernel, struct rl_sampled_values *values)
{
    size_t first = 0, count = rl_sampled_of(capture, kernel, &first);
    for (size_t i = 0; i < RL_SAMPLED_COUNT; i++) {
        values->value[i] = rl_value_missing(RL_NOT_COLLECTED, "not sampled");
        values->half_width[i] = 0;
        values->most[i] = INFINITY;
    }
    for (size_t i = first + count; i-- > first;) { /* of two the first one */
        const struct rl_sampled_value *row = &capture->sampled[i];
        assert(row->counter < RL_SAMPLED_COUNT);
        values->value[row->counter] = rl_present(row->half_width) ? row->per_launch : row->half_width;
        values->half_width[row->counter] = rl_present(row->half_width) ? row->half_width.v : 0;
        values->most[row->counter] = most_of(row);
    }
}

const struct rl_estimate *rl_estimate_of(const struct rl_value *metrics, const struct rl_estimate *estimates, enum rl_metric metric)
{
    assert(metric < RL_METRIC_COUNT);
    return estimates && !rl_present(metrics[metric]) && rl_present(estimates[metric].value) ? &estimates[metric] : NULL;
}

struct rl_value rl_known_metric(const struct rl_kernel_result *result, enum rl_metric metric)
{
    assert(metric < RL_METRIC_COUNT);
    return rl_present(result->metric[metric]) || !result->estimate ? result->metric[metric] : result->estimate[metric].value;
}

struct rl_value rl_sms_with_work(const struct rl_kernel_result *result)
{
    const struct rl_value longer =
        rl_value_div(rl_known_metric(result, RL_METRIC_pass_duration_s), result->rate_time_s, "no duration");
    struct rl_value share = rl_known_metric(result, RL_METRIC_sm_active_share);
    if (rl_present(share) && rl_present(longer) && longer.v > 1)
        share.v = fmin(share.v * longer.v, fmax(share.v, 1));
    return share;
}

bool rl_copies_in_bulk(const struct rl_kernel_result *result)
{
    const struct rl_value l2 = rl_known_metric(result, RL_METRIC_l2_bytes), l1 = rl_known_metric(result, RL_METRIC_l1_bytes);
    return rl_present(l2) && rl_present(l1) && l2.v >= RL_BULK_FROM * l1.v && l2.v > 0;
}
