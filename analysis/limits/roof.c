/* roof.c - metrics of the launches, ceilings of the GPUs. */
#include "core/parts.h"
#include "internal.h"

/* Counters of the same work that differ by more than this between passes have not seen the same work. */
static const double disagreement_tolerance = 0.02;

/* ---- metrics and ceilings of each kernel ---- */

/* The theoretical ceilings as one kernel's clocks give them. */
struct roofs {
    struct rl_value of[RL_CEILING_COUNT];
};

/* Counted launches that took longer by more than this, or shorter, and than every timed launch, stand for no others: they were
 * cold, or paged memory in. */
static const double most_slower = 1.5;

/* Whether the counted launch took longer for its clock alone: as many cycles fit into the time of record at the GPU's highest.
 * What was counted then goes with the time that it took. */
static bool ran_at_lower_clock(const struct rl_eval *eval, const struct rl_kernel_result *result, double cycles,
                               struct rl_value own_s)
{
    static const double least_s = 20e-6, slower = 1.1, most_cycles = 1.05;
    const struct rl_kernel *kernel = &eval->capture->kernels[eval->kernel];
    const struct rl_value most_hz = eval->capture->gpus[kernel->gpu].fact[RL_FACT_sm_clock_max_hz];
    if (!rl_present(own_s) || !rl_present(result->rate_time_s) || !rl_present(most_hz) || own_s.v < least_s)
        return false;
    return own_s.v > slower * result->rate_time_s.v && cycles < most_cycles * most_hz.v * result->rate_time_s.v;
}

/* Launches of a program's class may do different work. Those that a pass has counted and timed itself have their own time. */
static void judge_by_own_time(struct rl_eval *eval, struct rl_kernel_result *result)
{
    /* How long the counted launches of the kernel took: as long as their busiest SM was active. The range around a launch, which is
     * what there is otherwise, is up to 0.2 ms longer. */
    const struct rl_counter *active = rl_kernel_counter(&eval->capture->kernels[eval->kernel], "sm__cycles_active.max");
    const struct rl_value clock = rl_eval_metric(eval, RL_METRIC_sm_clock_hz);
    const struct rl_value own_s = active && rl_positive(active->value) && rl_positive(clock)
                                      ? rl_value_of(active->value.v / clock.v + 1e-9 * RL_KERNEL_START_NS)
                                      : rl_eval_metric(eval, RL_METRIC_pass_duration_s);
    const bool of_program = eval->capture->kernels[eval->kernel].variant == RL_NONE;
    result->unlike = result->disagrees && !of_program; /* launches of a variant have the same input */
    if (of_program && !result->disagrees && active && ran_at_lower_clock(eval, result, active->value.v, own_s))
        result->rate_time_s = own_s;
    if (!result->disagrees || !of_program || !rl_present(own_s) || !rl_present(result->rate_time_s))
        return;
    const bool is_within = own_s.v >= result->duration.min && own_s.v <= result->duration.max;
    result->unlike = !is_within && (own_s.v > most_slower * result->rate_time_s.v || result->rate_time_s.v > most_slower * own_s.v);
    if (result->unlike)
        return;
    result->own_pass = rl_eval_pass(eval, eval->formulas.metric[RL_METRIC_pass_duration_s]);
    if (result->own_pass != RL_NONE)
        result->rate_time_s = own_s;
}

/* Whether the metric speaks of launches that did different work. Those of a variant all have the same input; those of a program's
 * class need not, and its times are of other launches than its counters. */
static bool is_mixed(struct rl_eval *eval, const struct rl_formula *formula)
{
    const bool of_program = eval->capture->kernels[eval->kernel].variant == RL_NONE;

    return rl_eval_mixes_passes(eval, formula) || (of_program && rl_eval_mixes_times(eval, formula));
}

/* Operations of the tensor cores are counted in separate passes, which no formula above them shows. */
static bool adds_matrices(const struct rl_kernel_result *result, size_t metric)
{
    const struct rl_value matrices = result->metric[RL_METRIC_flop_tensor];

    return metric == RL_METRIC_intensity_shared && rl_positive(matrices);
}

/* An rl_kernel_step; `context`: the roofs of all kernels. */
static void evaluate_kernel(struct rl_analysis *analysis, struct rl_eval *eval, size_t kernel, void *context)
{
    struct rl_kernel_result *result = &analysis->kernels[kernel];
    struct roofs *roofs = (struct roofs *)context + kernel;

    rl_eval_focus(eval, RL_NONE, kernel);
    /* Whether passes agree, by the counters that several of them have. */
    const struct rl_repeated *repeated = &eval->repeated;

    result->disagreement =
        repeated->name ? rl_value_of(repeated->spread) : rl_value_missing(RL_NOT_COLLECTED, "no counter was repeated");
    if (repeated->name && repeated->spread > disagreement_tolerance)
        result->disagrees =
            rl_arena_printf(&analysis->arena, "%s %.10g and %.10g", repeated->name, repeated->first, repeated->other);
    judge_by_own_time(eval, result);
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        result->metric[i] = rl_eval_metric(eval, (enum rl_metric)i);
    /* Passes that disagree have no common metrics. */
    for (size_t i = 0; i < RL_METRIC_COUNT && result->disagrees; i++)
        if (rl_present(result->metric[i]) && (is_mixed(eval, eval->formulas.metric[i]) || adds_matrices(result, i)))
            result->metric[i] =
                rl_value_missing(RL_DISAGREES, rl_arena_printf(&analysis->arena, "passes disagree: %s", result->disagrees));
    /* A warp waits for one reason at a time, so the shares add up to 1 at most. Where they do not, the pass of the stalls and the
     * one that counted the resident warps have seen launches of different length, and none of them means anything. */
    static const double most = 1.02;
    double sum = 0;

    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        if (rl_metric_is_stall((enum rl_metric)i) && rl_present(result->metric[i]))
            sum += result->metric[i].v;
    for (size_t i = 0; i < RL_METRIC_COUNT && sum > most; i++)
        if (rl_metric_is_stall((enum rl_metric)i) && rl_present(result->metric[i]))
            result->metric[i] = rl_value_missing(RL_DISAGREES, "stalls of more than all warps: passes saw different launches");
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        if (rl_present(result->metric[i]))
            analysis->sets |= 1u << rl_metrics[i].set;
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        roofs->of[i] = rl_eval_ceiling(eval, i);
    struct rl_value useful = rl_eval_name(eval, RL_NAME_launch_useful_bytes);
    result->useful_bytes_per_second = rl_value_div(useful, rl_eval_name(eval, RL_NAME_time_s), "no duration");
}

/* ---- ceilings of a GPU ---- */

/* Values of the GPU's kernels that are there, in `values`; the first reason for one that is not, in `missing`. */
static size_t gather(const struct rl_analysis *analysis, size_t gpu, const struct roofs *roofs, size_t ceiling, double *values,
                     struct rl_value *missing)
{
    const size_t *kernels;
    size_t count = 0;

    *missing = rl_value_missing(RL_NOT_COLLECTED, "no kernel was measured on the GPU");
    for (size_t i = rl_group(&analysis->index.kernels_of_gpu, gpu, &kernels); i-- > 0;) {
        const struct rl_value value = roofs[kernels[i]].of[ceiling];
        if (rl_present(value))
            values[count++] = value.v;
        else
            *missing = value;
    }
    return count;
}

static struct rl_stats clock_of(const struct rl_analysis *analysis, size_t gpu, double *values)
{
    const size_t *kernels, all = rl_group(&analysis->index.kernels_of_gpu, gpu, &kernels);
    size_t count = 0;

    for (size_t i = 0; i < all; i++) {
        const struct rl_value clock = analysis->kernels[kernels[i]].metric[RL_METRIC_sm_clock_hz];
        if (rl_present(clock))
            values[count++] = clock.v;
    }
    return rl_stats_of(values, count);
}

struct rl_value rl_ceiling_theory(const struct rl_ceiling *ceiling)
{
    return rl_present(ceiling->limit) ? ceiling->limit : ceiling->theoretical;
}

struct rl_value rl_ceiling_figure(const struct rl_ceiling *ceiling)
{
    return ceiling->measured.n ? rl_value_of(ceiling->measured.median) : ceiling->theoretical;
}

/* Roofs that no kernel's counters gave, from the facts of the GPU: at the clock that was observed, or, in a capture without any
 * clock (nvprof's, published figures), at the GPU's highest. */
static void assume_clock(struct rl_analysis *analysis, struct rl_eval *eval, size_t gpu)
{
    struct rl_gpu_result *result = &analysis->gpus[gpu];
    const bool observed = result->sm_clock.n > 0;
    const struct rl_value clock =
        observed ? rl_value_of(result->sm_clock.median) : analysis->capture->gpus[gpu].fact[RL_FACT_sm_clock_max_hz];

    result->assumed_clock = rl_value_missing(RL_NOT_COLLECTED, NULL);
    if (!rl_present(clock))
        return;
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        struct rl_ceiling *ceiling = &result->ceiling[i];
        const struct rl_value value = rl_ceiling_without_kernels(eval, gpu, i, clock);
        if (rl_present(ceiling->theoretical) || !rl_present(value))
            continue;
        if (observed &&
            ceiling->theoretical.state != RL_NOT_COLLECTED) /* counters that failed or disagree are no gap to fill */
            continue;
        ceiling->theoretical = ceiling->theoretical_low = ceiling->theoretical_high = value;
        if (!observed)
            result->assumed_clock = clock;
    }
}

/* Ceilings of a GPU by the clocks of its kernels. */
struct card_roofs {
    struct rl_analysis *analysis;
    size_t gpu;
    const struct roofs *roofs;
};

/* An rl_part_function, of ceilings. */
static void summarise_some(void *context, size_t part, size_t first, size_t end)
{
    const struct card_roofs *of = context;
    const size_t *kernels, most = rl_group(&of->analysis->index.kernels_of_gpu, of->gpu, &kernels);
    RL_FREED double *values = rl_calloc(most, sizeof *values);
    struct rl_value missing;

    (void)part;
    for (size_t i = first; i < end; i++) {
        const size_t count = gather(of->analysis, of->gpu, of->roofs, i, values, &missing);
        const struct rl_stats stats = rl_stats_of(values, count);
        struct rl_ceiling *ceiling = &of->analysis->gpus[of->gpu].ceiling[i];
        ceiling->theoretical = count ? rl_value_of(stats.median) : missing;
        ceiling->theoretical_low = count ? rl_value_of(stats.min) : missing;
        ceiling->theoretical_high = count ? rl_value_of(stats.max) : missing;
    }
}

void rl_step_metrics(struct rl_analysis *analysis, struct rl_eval *eval)
{
    const struct rl_capture *capture = analysis->capture;
    RL_FREED struct roofs *roofs = rl_calloc(capture->kernel_count, sizeof *roofs);
    RL_FREED double *values = rl_calloc(capture->kernel_count, sizeof *values);

    analysis->sets = 1u << RL_SET_CORE;
    rl_each_kernel(analysis, eval, evaluate_kernel, roofs);
    for (size_t i = 0; i < capture->gpu_count; i++) {
        struct rl_gpu_result *result = &analysis->gpus[i];
        struct card_roofs of = {analysis, i, roofs};
        const size_t *kernels, parts = rl_parts_of(rl_group(&analysis->index.kernels_of_gpu, i, &kernels), RL_LEAST_KERNELS);

        rl_parts_run(parts, RL_CEILING_COUNT, summarise_some, &of);
        result->sm_clock = clock_of(analysis, i, values);
        rl_ceilings_measured(analysis, eval, i);
        assume_clock(analysis, eval, i);
    }
    rl_ceilings_data_sheets(analysis, eval);
}

/* ---- time at the roofs ---- */

static struct rl_value figure(const struct rl_gpu_result *card, enum rl_ceiling_id ceiling)
{
    return rl_ceiling_figure(&card->ceiling[ceiling]);
}

/* How many times as fast as with FP16 the GPU's tensor cores are with the floating-point types that are slowest and fastest. */
void rl_types_spread(const struct rl_gpu_result *card, double *slowest, double *fastest)
{
    const struct rl_value fp16 = figure(card, RL_CEILING_tensor_fp16);

    *slowest = *fastest = 1;
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const struct rl_value ratio = rl_value_div(figure(card, (enum rl_ceiling_id)i), fp16, "no roof");
        if (rl_ceilings[i].level != RL_LEVEL_TENSOR || rl_ceilings[i].unit != RL_UNIT_FLOP_PER_SECOND || !rl_present(ratio))
            continue;
        *slowest = fmin(*slowest, ratio.v);
        *fastest = fmax(*fastest, ratio.v);
    }
}

static const struct {
    const char *name, *id, *label;
    enum rl_limiter_kind kind;
} bounds[] = {
    [RL_BOUND_UNKNOWN] = {"unknown", "unknown", "unknown", RL_KIND_UNKNOWN},
    [RL_BOUND_MEMORY] = {"memory-bound", "memory", "memory", RL_KIND_UNKNOWN},
    [RL_BOUND_COMPUTE] = {"compute-bound", "compute", "compute", RL_KIND_COMPUTE},
    [RL_BOUND_LATENCY] = {"latency-bound", "latency", "latency", RL_KIND_LATENCY},
    [RL_BOUND_DISPATCH] = {"dispatch-bound", "block_launch", "block launch rate", RL_KIND_FILL},
    [RL_BOUND_PARALLELISM] = {"parallelism-bound", "parallelism", "parallelism", RL_KIND_FILL},
    [RL_BOUND_LAUNCH] = {"launch-bound", "launch_overhead", "launch overhead", RL_KIND_FILL},
    [RL_BOUND_FIXED] = {"start-bound", "start_and_drain", "start and drain", RL_KIND_FILL},
    [RL_BOUND_HOST] = {"host-bound", "host", "PCIe", RL_KIND_LINK},
};
_Static_assert(RL_COUNT(bounds) == RL_BOUND_COUNT, "every bound has its words");

const char *rl_bound_name(enum rl_bound bound)
{
    assert((size_t)bound < RL_COUNT(bounds));
    return bounds[bound].name;
}

size_t rl_limiter_of(enum rl_resource limiter, enum rl_bound bound)
{
    return limiter < RL_RESOURCE_COUNT ? (size_t)limiter : (size_t)RL_RESOURCE_COUNT + (size_t)bound;
}

const char *rl_limiter_id(size_t limiter)
{
    assert(limiter < RL_LIMITER_COUNT);
    return limiter < RL_RESOURCE_COUNT ? rl_resources[limiter].id : bounds[limiter - RL_RESOURCE_COUNT].id;
}

const char *rl_limiter_label(size_t limiter)
{
    assert(limiter < RL_LIMITER_COUNT);
    return limiter < RL_RESOURCE_COUNT ? rl_resources[limiter].label : bounds[limiter - RL_RESOURCE_COUNT].label;
}

enum rl_limiter_kind rl_limiter_kind_of(size_t limiter)
{
    assert(limiter < RL_LIMITER_COUNT);
    return limiter < RL_RESOURCE_COUNT ? rl_resources[limiter].kind : bounds[limiter - RL_RESOURCE_COUNT].kind;
}
