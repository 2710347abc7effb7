#include "analysis/analysis.h"

#include "clock_step.h"
#include "internal.h"

/* When all times are equal the step of the clock is unknown: that of CUDA's events ("a resolution of around 0.5 microseconds",
 * CUDA Runtime API, cudaEventElapsedTime), the coarsest of those that time kernels. */
static const double coarsest_s = 0.5e-6;

/* How something was timed; what has the same text here was timed by one clock. */
static const char *clock_of_kernel(const struct rl_kernel *kernel)
{
    return kernel->timing ? kernel->timing : "";
}

static const char *clock_of_variant(const struct rl_variant *variant)
{
    return variant->measure ? variant->measure : "";
}

struct clock {
    bool of_wholes; /* of runs of the suite that are timed as a whole */
    const char *name;
    struct rl_gaps gaps;
    double step_s;
};

/* No collector has so many; a capture may say what it likes, and what is beyond them counts as one. */
enum { MOST_CLOCKS = 16 };

struct clocks {
    struct clock at[MOST_CLOCKS];
    size_t count;
};

static struct clock *find(struct clocks *clocks, bool of_wholes, const char *name)
{
    for (size_t i = 0; i < clocks->count; i++)
        if (clocks->at[i].of_wholes == of_wholes && strcmp(clocks->at[i].name, name) == 0)
            return &clocks->at[i];
    if (clocks->count == MOST_CLOCKS)
        return &clocks->at[MOST_CLOCKS - 1];
    struct clock *clock = &clocks->at[clocks->count++];
    clock->of_wholes = of_wholes;
    clock->name = name;
    return clock;
}

static void add(struct clock *clock, const uint64_t *duration_ns, size_t count)
{
    RL_FREED double *seconds = rl_seconds_of(duration_ns, count);
    rl_clock_gaps_add(&clock->gaps, seconds, count);
}

static void set_step(struct rl_analysis *analysis, struct rl_eval *eval, size_t index, void *clocks)
{
    (void)eval;
    analysis->kernels[index].clock_step_s = find(clocks, false, clock_of_kernel(&analysis->capture->kernels[index]))->step_s;
}

/* The steps of the clocks that took the times of kernels and of variants that were timed as wholes. */
static void step_clocks(struct rl_analysis *analysis)
{
    const struct rl_capture *capture = analysis->capture;
    RL_FREED struct clocks *clocks = rl_calloc(1, sizeof *clocks);
    for (size_t i = 0; i < capture->kernel_count; i++)
        add(find(clocks, false, clock_of_kernel(&capture->kernels[i])), capture->kernels[i].duration_ns,
            capture->kernels[i].duration_count);
    for (size_t i = 0; i < capture->variant_count; i++)
        add(find(clocks, true, clock_of_variant(&capture->variants[i])), capture->variants[i].duration_ns,
            capture->variants[i].duration_count);
    for (size_t i = 0; i < clocks->count; i++) {
        const double step = rl_clock_gaps_step(&clocks->at[i].gaps);
        clocks->at[i].step_s = step > 0 ? step : coarsest_s;
    }
    rl_each_kernel(analysis, NULL, set_step, clocks); /* in threads, because results of many kernels are memory that is new */
    for (size_t i = 0; i < capture->variant_count; i++)
        analysis->variants[i].clock_step_s = find(clocks, true, clock_of_variant(&capture->variants[i]))->step_s;
}

static struct rl_stats duration_of(const struct rl_capture *capture, size_t index, double step_s)
{
    const struct rl_kernel *kernel = &capture->kernels[index];
    RL_FREED double *seconds = rl_seconds_of(kernel->duration_ns, kernel->duration_count);
    return rl_samples_in_order(capture, index) ? rl_stats_of_series(seconds, kernel->duration_count, step_s)
                                               : rl_stats_of_times(seconds, kernel->duration_count, step_s);
}

/* Counters of an imported class are means over its launches, and so is what was sampled. */
static bool counters_are_means(const struct rl_capture *capture, const struct rl_kernel *kernel)
{
    if (rl_is_sampled(capture, (size_t)(kernel - capture->kernels)))
        return true;
    const size_t pass = kernel->counter_count ? kernel->counters[0].pass : RL_NONE;
    assert(pass == RL_NONE || pass < capture->pass_count);
    const char *mode = pass == RL_NONE ? NULL : capture->passes[pass].mode;
    return mode && strcmp(mode, "imported") == 0;
}

static struct rl_value rate_time(const struct rl_capture *capture, const struct rl_kernel *kernel, const struct rl_stats *duration)
{
    const struct rl_counter *pass = duration->n ? NULL : rl_kernel_counter(kernel, rl_metrics[RL_METRIC_pass_duration_s].id);
    if (pass && rl_present(pass->value))
        return pass->value;
    if (!duration->n)
        return rl_value_missing(RL_NOT_COLLECTED, "not timed");
    return rl_value_of(counters_are_means(capture, kernel) ? duration->mean : duration->median);
}

static void describe(struct rl_analysis *analysis, struct rl_eval *eval, size_t index, void *context)
{
    const size_t *siblings;
    const struct rl_kernel *kernel = &analysis->capture->kernels[index];
    struct rl_kernel_result *result = &analysis->kernels[index];
    struct rl_buf name = RL_BUF_INIT;
    (void)eval, (void)context;
    result->kernel = index;
    result->own_pass = RL_NONE;
    rl_kernel_short_name(kernel->name, &name);
    result->short_name = rl_analysis_keep_text(analysis, &name);
    if (kernel->variant != RL_NONE) {
        result->siblings = rl_group(&analysis->index.kernels_of_variant, kernel->variant, &siblings);
        result->wrong = analysis->capture->variants[kernel->variant].result == RL_RESULT_WRONG;
    }
    result->duration = duration_of(analysis->capture, index, result->clock_step_s);
    result->rate_time_s = rate_time(analysis->capture, kernel, &result->duration);
    const struct rl_gpu *gpu = &analysis->capture->gpus[kernel->gpu];
    const struct rl_block_shape shape = rl_block_shape_of(kernel);
    result->occupancy = rl_occupancy_of(rl_sm_limits_of(gpu->cc_major * 10 + gpu->cc_minor), &shape);
}

struct rl_analysis *rl_analysis_new(const struct rl_capture *capture)
{
    struct rl_analysis *analysis = rl_calloc(1, sizeof *analysis);
    struct rl_eval eval;
    assert(capture);
    analysis->capture = capture;
    rl_index_make(&analysis->index, capture);
    analysis->gpus = rl_calloc(capture->gpu_count, sizeof *analysis->gpus);
    analysis->kernels = rl_calloc(capture->kernel_count, sizeof *analysis->kernels);
    analysis->variants = rl_calloc(capture->variant_count, sizeof *analysis->variants);
    step_clocks(analysis);
    rl_each_kernel(analysis, NULL, describe, NULL);
    rl_step_labels(analysis);
    rl_eval_init(&eval, analysis);
    rl_step_metrics(analysis, &eval);
    rl_step_limits(analysis, &eval);
    rl_step_variants(analysis);
    rl_step_claims(analysis);
    const size_t count = analysis->capture->gpu_count;
    RL_FREED struct rl_program_gpu *times = rl_calloc(count, sizeof *times);
    rl_program_gpus(analysis->capture, times);
    for (size_t i = 0; i < count; i++)
        analysis->gpus[i].program = times[i];
    rl_step_over_time(analysis);
    rl_step_moments(analysis);
    rl_step_findings(analysis, &eval);
    rl_step_counters(analysis, &eval);
    rl_eval_release(&eval);
    return analysis;
}

void rl_analysis_free(struct rl_analysis *analysis)
{
    if (!analysis)
        return;
    RL_FREE(analysis->kernels, analysis->gpus, analysis->variants, analysis->claims, analysis->findings, analysis->counters);
    rl_index_release(&analysis->index);
    rl_arena_release(&analysis->arena);
    free(analysis);
}
