#include "analysis/analysis.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/program.h"
#include "core/mem.h"
#include "core/series.h"
#include "internal.h"

char *rl_keep_text(struct rl_analysis *analysis, struct rl_buf *buf)
{
    char *text = rl_arena_strndup(&analysis->arena, buf->data, buf->len);

    rl_buf_release(buf);
    return text;
}

void rl_expand(struct rl_buf *out, const char *pattern, rl_fill fill, void *context)
{
    while (*pattern) {
        const size_t plain = strcspn(pattern, "{");
        rl_buf_add(out, pattern, plain);
        pattern += plain;
        if (*pattern == '{') {
            const size_t len = strcspn(pattern, "}");
            assert(pattern[len] == '}');
            fill(context, pattern + 1, len - 1, out);
            pattern += len + 1;
        }
    }
}

/* ---- what is known of a kernel before any counter ---- */

double *rl_seconds_of(const uint64_t *duration_ns, size_t count)
{
    assert(duration_ns || count == 0);
    double *seconds = rl_calloc(count, sizeof *seconds);

    for (size_t i = 0; i < count; i++)
        seconds[i] = (double)duration_ns[i] / 1e9;
    return seconds;
}

static struct rl_stats duration_of(const struct rl_capture *capture, size_t index, double step_s)
{
    assert(index < capture->kernel_count);
    const struct rl_kernel *kernel = &capture->kernels[index];
    double *seconds = rl_seconds_of(kernel->duration_ns, kernel->duration_count);
    struct rl_stats stats;

    stats = rl_samples_in_order(capture, index) ? rl_stats_of_series(seconds, kernel->duration_count, step_s)
                                                : rl_stats_of_times(seconds, kernel->duration_count, step_s);
    free(seconds);
    return stats;
}

/* A number of the capture as an int: -1 when it is missing or no such number. */
static int64_t whole(struct rl_value value)
{
    return rl_present(value) && value.v >= 0 && value.v <= INT_MAX ? (int64_t)value.v : -1;
}

struct rl_block_shape rl_block_shape_of(const struct rl_kernel *kernel)
{
    const double threads = (double)kernel->block[0] * kernel->block[1] * kernel->block[2];

    return (struct rl_block_shape){
        .threads = threads <= INT_MAX ? (int)threads : INT_MAX,
        .registers_per_thread = (int)whole(kernel->registers_per_thread),
        .static_shared_bytes = whole(kernel->static_shared_bytes),
        .dynamic_shared_bytes = kernel->dynamic_shared_bytes <= INT_MAX ? (int64_t)kernel->dynamic_shared_bytes : INT_MAX,
    };
}

static struct rl_occupancy occupancy_of(const struct rl_capture *capture, const struct rl_kernel *kernel)
{
    const struct rl_gpu *gpu = &capture->gpus[kernel->gpu];
    const struct rl_block_shape shape = rl_block_shape_of(kernel);

    return rl_occupancy_of(rl_sm_limits_of(gpu->cc_major * 10 + gpu->cc_minor), &shape);
}

static void describe(struct rl_analysis *analysis, size_t index)
{
    assert(index < analysis->capture->kernel_count);
    const size_t *siblings;
    const struct rl_kernel *kernel = &analysis->capture->kernels[index];
    struct rl_kernel_result *result = &analysis->kernels[index];
    struct rl_buf name = RL_BUF_INIT;

    result->kernel = index;
    rl_kernel_short_name(kernel->name, &name);
    result->short_name = rl_keep_text(analysis, &name);
    if (kernel->variant != RL_NONE) {
        result->siblings = rl_group(&analysis->index.kernels_of_variant, kernel->variant, &siblings);
        result->wrong = analysis->capture->variants[kernel->variant].result == RL_RESULT_WRONG;
    }
    result->duration = duration_of(analysis->capture, index, result->clock_step_s);
    result->occupancy = occupancy_of(analysis->capture, kernel);
}

static void describe_all(struct rl_analysis *analysis)
{
    for (size_t i = 0; i < analysis->capture->kernel_count; i++)
        describe(analysis, i);
}

/* The sets of which some kernel has a value. */
static unsigned sets_collected(const struct rl_analysis *analysis)
{
    unsigned sets = 1u << RL_SET_CORE;

    for (size_t i = 0; i < analysis->capture->kernel_count; i++)
        for (size_t m = 0; m < RL_METRIC_COUNT; m++)
            if (rl_present(analysis->kernels[i].metric[m]))
                sets |= 1u << rl_metrics[m].set;
    return sets;
}

static void add_program(struct rl_analysis *analysis)
{
    const size_t count = analysis->capture->gpu_count;
    struct rl_program_gpu *times = rl_calloc(count, sizeof *times);

    rl_program_gpus(analysis->capture, times);
    for (size_t i = 0; i < count; i++)
        analysis->gpus[i].program = times[i];
    free(times);
}

/* ---- the whole ---- */

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
    rl_step_clocks(analysis);
    describe_all(analysis);
    rl_step_labels(analysis);
    rl_eval_init(&eval, analysis);
    rl_step_metrics(analysis, &eval);
    analysis->sets = sets_collected(analysis);
    rl_step_roofs(analysis);
    rl_step_variants(analysis);
    rl_step_claims(analysis);
    add_program(analysis);
    rl_step_findings(analysis, &eval);
    rl_eval_release(&eval);
    return analysis;
}

void rl_analysis_free(struct rl_analysis *analysis)
{
    if (!analysis)
        return;
    for (size_t i = 0; i < analysis->capture->kernel_count; i++)
        free(analysis->kernels[i].findings);
    free(analysis->kernels);
    free(analysis->gpus);
    free(analysis->variants);
    free(analysis->claims);
    free(analysis->findings);
    rl_index_release(&analysis->index);
    rl_arena_release(&analysis->arena);
    free(analysis);
}

const struct rl_kernel_result *rl_analysis_of_variant(const struct rl_analysis *analysis, size_t variant)
{
    const size_t *kernels;

    return rl_group(&analysis->index.kernels_of_variant, variant, &kernels) ? &analysis->kernels[kernels[0]] : NULL;
}
