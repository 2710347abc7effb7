/* timing.c - warm up, then launch in groups until the median is known well enough. */
#include "timing.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "activity.h"
#include "collector/collector.h"
#include "core/mem.h"
#include "core/stats.h"
#include "demangle.h"

const struct rl_timing_limits rl_timing_full = {.min_samples = 30, .max_samples = 500, .budget_s = 1.0, .half_width = 0.01, .warm_up_s = 0.02};
const struct rl_timing_limits rl_timing_quick = {.min_samples = 30, .max_samples = 100, .budget_s = 0.2, .half_width = 0.01, .warm_up_s = 0.01};

enum { GROUP = 30, WARM_UP_LAUNCHES = 3 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool same_shape(const struct rl_kernel *kernel, const char *name, const uint32_t grid[3], const uint32_t block[3], uint64_t dynamic)
{
    return strcmp(kernel->mangled, name) == 0 && memcmp(kernel->grid, grid, sizeof kernel->grid) == 0 &&
           memcmp(kernel->block, block, sizeof kernel->block) == 0 && kernel->dynamic_shared_bytes == dynamic;
}

size_t rl_class_of_launch(const struct rl_capture *capture, size_t first, size_t count, const struct rl_launch *launch)
{
    for (size_t k = first; k < first + count; k++)
        if (same_shape(&capture->kernels[k], launch->name, launch->grid, launch->block, launch->dynamic_shared_bytes))
            return k;
    return RL_NONE;
}

static void add_class(struct rl_capture *capture, size_t variant, const struct rl_suite_run *run, const struct rl_launch *launch)
{
    struct rl_kernel *kernel = rl_capture_add_kernel(capture);
    kernel->gpu = capture->variants[variant].gpu;
    kernel->variant = variant;
    kernel->mangled = rl_capture_text(capture, launch->name);
    kernel->name = rl_demangle(&capture->arena, launch->name);
    memcpy(kernel->grid, launch->grid, sizeof kernel->grid);
    memcpy(kernel->block, launch->block, sizeof kernel->block);
    kernel->dynamic_shared_bytes = launch->dynamic_shared_bytes;
    kernel->static_shared_bytes = rl_value_of((double)launch->static_shared_bytes);
    kernel->registers_per_thread = rl_value_of(launch->registers_per_thread);
    kernel->local_bytes_per_thread = rl_value_of((double)launch->local_bytes_per_thread);
    kernel->nvtx = rl_arena_printf(&capture->arena, "%s/%s", run->experiment->name, run->variant->name);
}

/* Launches once while noting what is launched, and adds the classes. */
static enum rl_status record_classes(struct rl_capture *capture, size_t variant, struct rl_suite_run *run, size_t *first, size_t *count,
                                     struct rl_err *err)
{
    *first = capture->kernel_count;
    *count = 0;
    run->launch_count = 0;
    run->recording = true;
    enum rl_status status = run->experiment->ops->launch(run, err);
    run->recording = false;
    for (size_t i = 0; i < run->launch_count && status == RL_OK; i++)
        if (rl_class_of_launch(capture, *first, *count, &run->launches[i]) == RL_NONE) {
            add_class(capture, variant, run, &run->launches[i]);
            ++*count;
        }
    return status == RL_OK ? rl_device_wait(run->stream, err) : status;
}

static enum rl_status warm_up(struct rl_suite_run *run, double least_s, struct rl_err *err)
{
    double start = seconds();
    enum rl_status status = RL_OK;
    for (int i = 0; status == RL_OK && (i < WARM_UP_LAUNCHES || seconds() - start < least_s); i++) {
        status = run->experiment->ops->launch(run, err);
        if (status == RL_OK)
            status = rl_device_wait(run->stream, err);
    }
    return status;
}

/* Samples live in the capture's arena, in room that doubles. */
static void add_sample(struct rl_capture *capture, struct rl_kernel *kernel, uint64_t duration_ns)
{
    size_t count = kernel->duration_count;
    if ((count & (count - 1)) == 0) {
        uint64_t *room = rl_arena_alloc(&capture->arena, (count ? 2 * count : 1) * sizeof *room);
        if (count)
            memcpy(room, kernel->duration_ns, count * sizeof *room);
        kernel->duration_ns = room;
    }
    kernel->duration_ns[kernel->duration_count++] = duration_ns;
    kernel->launches++;
    kernel->total_ns += duration_ns;
}

static enum rl_status launch_group(struct rl_suite_run *run, size_t launches, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < launches && status == RL_OK; i++)
        status = run->experiment->ops->launch(run, err);
    enum rl_status waited = rl_device_wait(run->stream, status == RL_OK ? err : NULL);
    return status == RL_OK ? waited : status;
}

/* One group under the Activity API. */
static enum rl_status sample_activity(struct rl_capture *capture, size_t first, size_t count, struct rl_suite_run *run, size_t launches,
                                      struct rl_err *err)
{
    const struct rl_activity_launch *seen = NULL;
    size_t seen_count = 0;
    enum rl_status status = rl_activity_start(err);
    if (status != RL_OK)
        return status;
    enum rl_status launched = launch_group(run, launches, err);
    status = rl_activity_stop(&seen, &seen_count, launched == RL_OK ? err : NULL);
    if (launched != RL_OK || status != RL_OK)
        return launched != RL_OK ? launched : status;
    size_t matched = 0;
    for (size_t i = 0; i < seen_count; i++)
        for (size_t k = first; k < first + count; k++)
            if (same_shape(&capture->kernels[k], seen[i].name, seen[i].grid, seen[i].block, seen[i].dynamic_shared_bytes)) {
                add_sample(capture, &capture->kernels[k], seen[i].end_ns - seen[i].start_ns);
                matched++;
            }
    if (matched < launches * run->launch_count)
        return rl_err_set(err, RL_FAILED, "the Activity API saw %zu of %zu launches", matched, launches * run->launch_count);
    return RL_OK;
}

/* One group under CUDA events. */
static enum rl_status sample_events(struct rl_capture *capture, size_t first, struct rl_suite_run *run, size_t launches, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < launches && status == RL_OK; i++) {
        uint64_t duration_ns = 0;
        status = rl_device_time_events(run, run->experiment->ops, &duration_ns, err);
        if (status == RL_OK)
            add_sample(capture, &capture->kernels[first], duration_ns);
    }
    return status;
}

/* Whether every class has enough samples. */
static bool converged(const struct rl_capture *capture, size_t first, size_t count, const struct rl_timing_limits *limits)
{
    for (size_t k = first; k < first + count; k++) {
        const struct rl_kernel *kernel = &capture->kernels[k];
        if (kernel->duration_count < limits->min_samples)
            return false;
        double *samples = rl_calloc(kernel->duration_count, sizeof *samples);
        for (size_t i = 0; i < kernel->duration_count; i++)
            samples[i] = (double)kernel->duration_ns[i];
        struct rl_stats stats = rl_stats_of(samples, kernel->duration_count);
        free(samples);
        if (kernel->duration_count < limits->max_samples && !(rl_stats_relative_half_width(&stats) < limits->half_width))
            return false;
    }
    return true;
}

/* How many launches fit the time left, from the last group's pace: long kernels are measured in small groups. */
static size_t next_group(double group_s, size_t group, double left_s)
{
    if (group_s <= 0)
        return GROUP;
    double fit = left_s / (group_s / (double)group);
    return fit < 1 ? 1 : fit > GROUP ? GROUP : (size_t)fit;
}

/* Whether the Activity API can be used: not when CUPTI is missing or another tool has it. */
static bool activity_works(void)
{
    const struct rl_activity_launch *launches;
    size_t count;
    return rl_cupti_open(NULL, NULL) == RL_OK && rl_activity_start(NULL) == RL_OK && rl_activity_stop(&launches, &count, NULL) == RL_OK;
}

enum rl_status rl_time_variant(struct rl_capture *capture, size_t variant, struct rl_suite_run *run,
                               const struct rl_timing_limits *limits, size_t *first, size_t *count, struct rl_err *err)
{
    enum rl_status status = record_classes(capture, variant, run, first, count, err);
    if (status == RL_OK)
        status = warm_up(run, limits->warm_up_s, err);
    if (status != RL_OK)
        return status;
    assert(*count > 0);

    bool events = !activity_works();
    if (events && run->launch_count != 1)
        return rl_err_set(err, RL_UNSUPPORTED, "variants of several launches can only be timed with CUPTI's Activity API");
    double start = seconds();
    size_t group = 6; /* enough for an interval, and to learn the pace */
    do {
        double group_start = seconds();
        status = events ? sample_events(capture, *first, run, group, err) : sample_activity(capture, *first, *count, run, group, err);
        double now = seconds();
        group = next_group(now - group_start, group, limits->budget_s - (now - start));
    } while (status == RL_OK && !converged(capture, *first, *count, limits) && seconds() - start < limits->budget_s);

    for (size_t k = *first; k < *first + *count; k++)
        capture->kernels[k].timing = rl_capture_text(capture, events ? "events" : "activity");
    return status;
}
