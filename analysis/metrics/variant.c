/* variant.c - variants of the suite as wholes: a run may be one launch, many, copies, or a graph. */
#include "internal.h"

static const char *why_not(struct rl_analysis *analysis, const struct rl_variant *variant)
{
    const char *reason = variant->reason ? variant->reason : "no reason recorded";
    if (variant->status == RL_VARIANT_FAILED)
        return rl_arena_printf(&analysis->arena, "failed (%s)", reason);
    if (variant->status == RL_VARIANT_UNSUPPORTED)
        return rl_arena_printf(&analysis->arena, "is not supported here (%s)", reason);
    return variant->result == RL_RESULT_WRONG ? "computed a wrong result" : NULL;
}

static void gather_times(struct rl_analysis *analysis, struct rl_variant_result *result)
{
    const struct rl_variant *variant = &analysis->capture->variants[result->variant];
    if (variant->duration_count) {
        result->count = variant->duration_count;
        result->seconds = rl_arena_alloc(&analysis->arena, result->count * sizeof *result->seconds);
        for (size_t i = 0; i < result->count; i++)
            result->seconds[i] = (double)variant->duration_ns[i] / 1e9;
    } else {
        /* A run whose kernels were timed one by one takes what they take together. */
        const size_t *kernels, count = rl_group(&analysis->index.kernels_of_variant, result->variant, &kernels);
        for (size_t i = 0; i < count && !result->untimed; i++) {
            const struct rl_kernel *kernel = &analysis->capture->kernels[kernels[i]];
            if (!result->seconds) {
                result->count = kernel->duration_count;
                result->clock_step_s = 0;
                result->seconds = rl_arena_alloc(&analysis->arena, (result->count + 1) * sizeof *result->seconds);
            }
            result->clock_step_s += analysis->kernels[kernels[i]].clock_step_s;
            for (size_t j = 0; j < kernel->duration_count && j < result->count; j++)
                result->seconds[j] += (double)kernel->duration_ns[j] / 1e9;
            if (result->count != kernel->duration_count)
                result->untimed = "has kernels that were launched different numbers of times";
        }
    }
    if (!result->untimed && result->count == 0)
        result->untimed = "was not timed";
    if (!result->untimed)
        result->duration = rl_stats_of_series(result->seconds, result->count, result->clock_step_s);
}

struct rl_ratio rl_variant_ratio(const struct rl_variant_result *over, const struct rl_variant_result *under)
{
    const struct rl_series a = {over->seconds, over->count, over->clock_step_s},
                           b = {under->seconds, under->count, under->clock_step_s};
    return rl_series_ratio(&a, &b);
}

/* A point in time at which something starts (+1) or ends (-1). */
struct edge {
    int64_t at;
    int step;
    size_t engine;
};

/* Activities that can overlap: the two directions of copying, and computing. */
enum { TO_DEVICE, TO_HOST, COMPUTE, ENGINES };

static size_t engine_of(enum rl_event_kind kind)
{
    return kind == RL_EVENT_COPY_TO_DEVICE ? TO_DEVICE : kind == RL_EVENT_COPY_TO_HOST ? TO_HOST : COMPUTE;
}

/* An end does not overlap with a start at the same moment. */
RL_COMPARATOR(compare_edges, struct edge, rl_ascending(x->at, y->at) ?: rl_ascending(x->step, y->step));

/* Nanoseconds during which each engine was busy, and during which any was. */
static void sweep(const struct rl_variant *variant, int64_t busy[ENGINES], int64_t *any)
{
    RL_FREED struct edge *edges = rl_calloc(2 * variant->event_count, sizeof *edges);
    int active[ENGINES] = {0};
    for (size_t i = 0; i < variant->event_count; i++) {
        const struct rl_event *event = &variant->events[i];
        edges[2 * i] = (struct edge){event->start_ns, 1, engine_of(event->kind)};
        edges[2 * i + 1] = (struct edge){event->end_ns, -1, engine_of(event->kind)};
    }
    rl_sort(edges, 2 * variant->event_count, sizeof *edges, compare_edges);
    for (size_t i = 0; i + 1 < 2 * variant->event_count; i++) {
        active[edges[i].engine] += edges[i].step;
        const int64_t length = edges[i + 1].at - edges[i].at;
        bool some = false;
        for (size_t e = 0; e < ENGINES; e++) {
            busy[e] += active[e] > 0 ? length : 0;
            some = some || active[e] > 0;
        }
        *any += some ? length : 0;
    }
}

static struct rl_value overlap(const struct rl_variant *variant)
{
    int64_t busy[ENGINES] = {0}, any = 0;
    double sum = 0, longest = 0;
    if (variant->event_count == 0)
        return rl_value_missing(RL_NOT_COLLECTED, "no timeline");
    sweep(variant, busy, &any);
    if ((busy[TO_DEVICE] == 0 && busy[TO_HOST] == 0) || busy[COMPUTE] == 0)
        return rl_value_missing(RL_UNDEFINED, busy[COMPUTE] ? "no copies" : "no kernels");
    for (size_t e = 0; e < ENGINES; e++) {
        sum += (double)busy[e];
        longest = fmax(longest, (double)busy[e]);
    }
    return rl_value_of((sum - (double)any) / (sum - longest));
}

const enum rl_metric rl_metric_sums[] = {
    RL_METRIC_instructions,
    RL_METRIC_branch_targets,
    RL_METRIC_dram_read_bytes,
    RL_METRIC_dram_write_bytes,
    RL_METRIC_dram_bytes,
    RL_METRIC_l2_bytes,
    RL_METRIC_l1_bytes,
    RL_METRIC_shared_bytes,
    RL_METRIC_shared_wavefronts,
    RL_METRIC_spill_bytes,
    RL_METRIC_global_atomics,
    RL_METRIC_shared_atomics,
    RL_METRIC_flop_fp64,
    RL_METRIC_flop_fp32,
    RL_METRIC_flop_fp16,
    RL_METRIC_flop_tensor,
    RL_METRIC_flop_tensor_fp16,
    RL_METRIC_flop_tensor_bf16,
    RL_METRIC_flop_tensor_tf32,
    RL_METRIC_flop_tensor_fp64,
    RL_METRIC_flop_tensor_fp8,
    RL_METRIC_tensor_int8_operations,
    RL_METRIC_tensor_instructions,
    RL_METRIC_flop_total,
    RL_METRIC_shared_instructions,
    RL_METRIC_global_instructions,
    RL_METRIC_global_sectors,
};
const size_t rl_metric_sum_count = RL_COUNT(rl_metric_sums);

static const struct {
    enum rl_metric metric, sum;
} rates[] = {
    {RL_METRIC_instructions_per_second, RL_METRIC_instructions}, {RL_METRIC_dram_bytes_per_second, RL_METRIC_dram_bytes},
    {RL_METRIC_l2_bytes_per_second, RL_METRIC_l2_bytes},         {RL_METRIC_l1_bytes_per_second, RL_METRIC_l1_bytes},
    {RL_METRIC_shared_bytes_per_second, RL_METRIC_shared_bytes}, {RL_METRIC_flop_per_second, RL_METRIC_flop_total},
};
static const struct {
    enum rl_metric metric, bytes;
} intensities[] = {
    {RL_METRIC_intensity_dram, RL_METRIC_dram_bytes},
    {RL_METRIC_intensity_l2, RL_METRIC_l2_bytes},
    {RL_METRIC_intensity_l1, RL_METRIC_l1_bytes},
    {RL_METRIC_intensity_shared, RL_METRIC_shared_bytes},
};

void rl_metrics_derive(struct rl_value metric[RL_METRIC_COUNT], struct rl_value time_s)
{
    for (size_t i = 0; i < RL_COUNT(rates); i++)
        metric[rates[i].metric] = rl_value_div(metric[rates[i].sum], time_s, rl_metrics[rates[i].metric].zero_reason);
    for (size_t i = 0; i < RL_COUNT(intensities); i++)
        metric[intensities[i].metric] =
            rl_value_div(metric[RL_METRIC_flop_total], metric[intensities[i].bytes], rl_metrics[intensities[i].metric].zero_reason);
}

static void take_metrics(struct rl_analysis *analysis, struct rl_variant_result *result)
{
    const struct rl_kernel_result *kernel = rl_analysis_of_variant(analysis, result->variant);
    if (!kernel) {
        for (size_t m = 0; m < RL_METRIC_COUNT; m++)
            result->metric[m] = rl_value_missing(RL_NOT_COLLECTED, "a run has no kernel that can be counted by itself");
    } else if (kernel->siblings == 1 && analysis->capture->kernels[kernel->kernel].launches_per_run <= 1) {
        memcpy(result->metric, kernel->metric, sizeof result->metric);
    } else {
        const struct rl_capture *capture = analysis->capture;
        const size_t *kernels, count = rl_group(&analysis->index.kernels_of_variant, result->variant, &kernels);
        for (size_t m = 0; m < RL_METRIC_COUNT; m++)
            result->metric[m] = rl_value_missing(RL_UNDEFINED, "a run is several launches");
        for (size_t s = 0; s < rl_metric_sum_count; s++) {
            struct rl_value sum = rl_value_of(0);
            for (size_t i = 0; i < count; i++)
                sum = rl_value_add(sum, rl_value_mul(analysis->kernels[kernels[i]].metric[rl_metric_sums[s]],
                                                     rl_value_of((double)capture->kernels[kernels[i]].launches_per_run)));
            result->metric[rl_metric_sums[s]] = sum;
        }
        rl_metrics_derive(result->metric, result->time_s);
    }
}

static void take_variant(struct rl_analysis *analysis, size_t index)
{
    const struct rl_capture *capture = analysis->capture;
    const struct rl_variant *variant = &capture->variants[index];
    struct rl_variant_result *result = &analysis->variants[index];
    result->variant = index;
    result->label = rl_arena_printf(&analysis->arena, "%s / %s", capture->experiments[variant->experiment].name, variant->name);
    result->why_not = why_not(analysis, variant);
    gather_times(analysis, result);
    result->time_s = result->untimed ? rl_value_missing(RL_NOT_COLLECTED, result->untimed) : rl_value_of(result->duration.median);
    result->time_per_operation_s = rl_value_div(result->time_s, variant->operations, "no operations");
    result->useful_bytes_per_second = rl_value_div(variant->useful_bytes, result->time_s, "no duration");
    result->overlap_share = overlap(variant);
    take_metrics(analysis, result);
    const size_t *kernels, count = rl_group(&analysis->index.kernels_of_variant, result->variant, &kernels);
    RL_FREED struct rl_limited_launch *launches = rl_calloc(count, sizeof *launches);
    for (size_t i = 0; i < count; i++)
        launches[i] = (struct rl_limited_launch){&analysis->kernels[kernels[i]],
                                                 (double)analysis->capture->kernels[kernels[i]].launches_per_run};
    result->place = rl_place_of_several(launches, count,
                                        result->why_not ? rl_value_missing(RL_NOT_COLLECTED, result->why_not) : result->time_s);
    if (count == 0)
        result->place.roof_share = rl_value_missing(RL_NOT_COLLECTED, "a run has no kernel that can be counted by itself");
}

void rl_step_variants(struct rl_analysis *analysis)
{
    for (size_t i = 0; i < analysis->capture->variant_count; i++)
        take_variant(analysis, i);
}
