/* timing.c - warm up, then run in groups until the median is known well enough. */
#include "session.h"

#include "activity.h"
#include "demangle.h"

const struct rl_timing_limits rl_timing_full = {
    .min_samples = 30, .max_samples = 500, .budget_s = 0.6, .half_width = 0.01, .warm_up_s = 0.02};
const struct rl_timing_limits rl_timing_quick = {
    .min_samples = 30, .max_samples = 100, .budget_s = 0.2, .half_width = 0.01, .warm_up_s = 0.01};

enum { GROUP = 30, WARM_UP_RUNS = 3, MAX_EVENTS = 4096, SLOTS = 16, BUSY_RUNS = 8 };

struct timing {
    struct rl_capture *capture;
    struct rl_suite_run *run;
    size_t variant;
    size_t first, count; /* its kernel classes in the capture */
};

static double seconds(void)
{
    return 1e-9 * (double)rl_monotonic_ns();
}

static bool same_shape(const struct rl_kernel *kernel, const char *name, const uint32_t grid[3], const uint32_t block[3],
                       uint64_t dynamic)
{
    return strcmp(kernel->mangled, name) == 0 && memcmp(kernel->grid, grid, sizeof kernel->grid) == 0 &&
           memcmp(kernel->block, block, sizeof kernel->block) == 0 && kernel->dynamic_shared_bytes == dynamic;
}

/* Runs once while noting what is launched, and adds the classes: class i of the variant is run->launches[i]. */
static enum rl_status record_classes(struct timing *t, struct rl_err *err)
{
    struct rl_suite_run *run = t->run;
    assert(!run->recording);
    t->first = t->capture->kernel_count;
    run->launch_count = run->sequence_count = 0;
    run->recording = true;
    enum rl_status status = run->experiment->ops->launch(run, err);
    run->recording = false;
    for (size_t i = 0; i < run->launch_count && status == RL_OK; i++) {
        const struct rl_launch *launch = &run->launches[i];
        assert(launch->name && launch->count > 0);
        struct rl_kernel *kernel = rl_capture_add_kernel(t->capture);
        kernel->gpu = t->capture->variants[t->variant].gpu;
        kernel->variant = t->variant;
        kernel->mangled = rl_capture_text(t->capture, launch->name);
        kernel->name = rl_demangle(&t->capture->arena, launch->name);
        memcpy(kernel->grid, launch->grid, sizeof kernel->grid);
        memcpy(kernel->block, launch->block, sizeof kernel->block);
        kernel->dynamic_shared_bytes = launch->dynamic_shared_bytes;
        kernel->static_shared_bytes = rl_value_of((double)launch->static_shared_bytes);
        kernel->registers_per_thread = rl_value_of(launch->registers_per_thread);
        kernel->local_bytes_per_thread = rl_value_of((double)launch->local_bytes_per_thread);
        kernel->launches_per_run = launch->count;
        kernel->nvtx = rl_arena_printf(&t->capture->arena, "%s/%s", t->run->experiment->name, t->run->variant->name);
    }
    t->count = t->capture->kernel_count - t->first;
    return status == RL_OK ? rl_device_wait(run->stream, err) : status;
}

/* ---- samples ---- */

/* Appends to an array that lives in the capture's arena and whose room doubles. */
static void add_sample(struct rl_capture *capture, uint64_t **samples, size_t *count, uint64_t duration_ns)
{
    assert(*samples || *count == 0);
    if ((*count & (*count - 1)) == 0) {
        uint64_t *room = rl_arena_alloc(&capture->arena, (*count ? 2 * *count : 1) * sizeof *room);
        if (*count)
            memcpy(room, *samples, *count * sizeof *room);
        *samples = room;
    }
    (*samples)[(*count)++] = duration_ns;
}

static void add_kernel_sample(const struct timing *t, struct rl_kernel *kernel, uint64_t duration_ns)
{
    add_sample(t->capture, &kernel->duration_ns, &kernel->duration_count, duration_ns);
    kernel->launches++;
    kernel->total_ns += duration_ns;
}

static void add_run_sample(const struct timing *t, uint64_t duration_ns)
{
    struct rl_variant *variant = &t->capture->variants[t->variant];
    add_sample(t->capture, &variant->duration_ns, &variant->duration_count, duration_ns);
}

static enum rl_status run_once(struct rl_suite_run *run, struct rl_err *err)
{
    enum rl_status status = run->experiment->ops->launch(run, err);
    enum rl_status waited = rl_device_wait(run->stream, status == RL_OK ? err : NULL);
    return status == RL_OK ? waited : status;
}

/* Gives the kernels among the activities to their classes; returns how many belonged to one. */
static size_t share_out(const struct timing *t, const struct rl_activity *seen, size_t seen_count)
{
    size_t matched = 0;
    for (size_t i = 0; i < seen_count; i++)
        for (size_t k = t->first; k < t->first + t->count && seen[i].kind == RL_EVENT_KERNEL; k++)
            if (same_shape(&t->capture->kernels[k], seen[i].name, seen[i].grid, seen[i].block, seen[i].dynamic_shared_bytes)) {
                add_kernel_sample(t, &t->capture->kernels[k], seen[i].end_ns - seen[i].start_ns);
                matched++;
            }
    return matched;
}

/* Runs `runs` times under the Activity API, one after the other when `apart`; `*seen` is what the GPU did. */
static enum rl_status watch_runs(struct rl_suite_run *run, size_t runs, enum rl_activity_clock clock, bool apart,
                                 const struct rl_activity **seen, size_t *seen_count, struct rl_err *err)
{
    RL_TRY(rl_activity_start(clock, err));
    enum rl_status launched = RL_OK;
    for (size_t i = 0; i < runs && launched == RL_OK; i++)
        launched = apart ? run_once(run, err) : run->experiment->ops->launch(run, err);
    RL_THEN(launched, rl_device_wait(run->stream, err));
    enum rl_status status = rl_activity_stop(seen, seen_count, launched == RL_OK ? err : NULL);
    return launched != RL_OK ? launched : status;
}

/* The timeline of one run, for the capture. */
static void keep_events(const struct timing *t, const struct rl_activity *seen, size_t seen_count)
{
    assert(seen_count > 0 && t->variant < t->capture->variant_count);
    struct rl_variant *variant = &t->capture->variants[t->variant];
    size_t count = seen_count < MAX_EVENTS ? seen_count : MAX_EVENTS;
    variant->events = rl_arena_alloc(&t->capture->arena, (count + 1) * sizeof *variant->events);
    variant->event_count = count;
    for (size_t i = 0; i < count; i++)
        variant->events[i] = (struct rl_event){seen[i].kind, seen[i].stream, (int64_t)(seen[i].start_ns - seen[0].start_ns),
                                               (int64_t)(seen[i].end_ns - seen[0].start_ns), seen[i].bytes};
}

/* ---- the ways to measure: each takes one group of samples ---- */

/* Every run is one launch (or a few of one kind): many runs in a row, each launch a sample of its class. */
static enum rl_status sample_kernels(const struct timing *t, size_t runs, struct rl_err *err)
{
    const struct rl_activity *seen = NULL;
    size_t seen_count = 0;
    RL_TRY(watch_runs(t->run, runs, RL_ACTIVITY_SERIAL, false, &seen, &seen_count, err));
    size_t expected = runs * t->run->sequence_count, matched = share_out(t, seen, seen_count);
    if (matched < expected)
        return rl_err_set(err, RL_FAILED, "the Activity API saw %zu of %zu launches", matched, expected);
    return RL_OK;
}

static enum rl_status sample_events(const struct timing *t, size_t runs, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < runs && status == RL_OK; i++) {
        uint64_t duration_ns = 0;
        status = rl_device_time_events(t->run, t->run->experiment->ops, &duration_ns, err);
        if (status == RL_OK)
            add_kernel_sample(t, &t->capture->kernels[t->first], duration_ns);
    }
    return status;
}

/* Watches `runs` runs and one before them, which is dropped: the first launch after the Activity API was switched on is followed by
 * more than 100 us of the host's. Every run does the same number of things, so counting distinguishes them. */
static enum rl_status watch_whole_runs(const struct timing *t, size_t runs, enum rl_activity_clock clock,
                                       const struct rl_activity **seen, size_t *per_run, struct rl_err *err)
{
    assert(runs > 0);
    size_t count = 0;
    RL_TRY(watch_runs(t->run, runs + 1, clock, true, seen, &count, err));
    *per_run = count / (runs + 1);
    if (count == 0 || count % (runs + 1) != 0)
        return rl_err_set(err, RL_FAILED, "the Activity API saw %zu activities in %zu equal runs", count, runs + 1);
    *seen += *per_run;
    return RL_OK;
}

/* From the first start of a run to its last end, less what instrumentation added to its kernels: `untraced_ns` has the duration of
 * each of its `kernels` without. */
static uint64_t span_of(const struct rl_activity *seen, size_t count, const double *untraced_ns, size_t kernels)
{
    assert(count > 0);
    uint64_t end_ns = 0;
    double excess_ns = 0;
    for (size_t i = 0, k = 0; i < count; i++) {
        end_ns = seen[i].end_ns > end_ns ? seen[i].end_ns : end_ns;
        if (seen[i].kind == RL_EVENT_KERNEL && k < kernels)
            excess_ns += fmax(0, (double)(seen[i].end_ns - seen[i].start_ns) - untraced_ns[k++]);
    }
    return (uint64_t)((double)(end_ns - seen[0].start_ns) - excess_ns);
}

static enum rl_status sample_spans(const struct timing *t, size_t runs, struct rl_err *err)
{
    const struct rl_activity *seen = NULL;
    size_t kernels = 0, per_run = 0;
    RL_TRY(watch_whole_runs(t, runs, RL_ACTIVITY_SERIAL, &seen, &kernels, err));
    share_out(t, seen, runs * kernels);
    /* Median duration of each of a run's kernels over equal runs, in ns. */
    double *medians = rl_calloc(kernels, sizeof *medians), *each = rl_calloc(runs, sizeof *each);
    for (size_t i = 0; i < kernels; i++) {
        for (size_t r = 0; r < runs; r++)
            each[r] = (double)(seen[r * kernels + i].end_ns - seen[r * kernels + i].start_ns);
        medians[i] = rl_stats_of(each, runs).median;
    }
    free(each);
    double *untraced_ns = medians;
    enum rl_status status = watch_whole_runs(t, runs, RL_ACTIVITY_TIMELINE, &seen, &per_run, err);
    for (size_t i = 0; i < runs && status == RL_OK; i++)
        add_run_sample(t, span_of(&seen[i * per_run], per_run, untraced_ns, kernels));
    if (status == RL_OK && !t->capture->variants[t->variant].events)
        keep_events(t, seen, per_run);
    free(untraced_ns);
    return status;
}

static enum rl_status sample_wall(const struct timing *t, size_t runs, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < runs && status == RL_OK; i++) {
        const int64_t start_ns = rl_monotonic_ns();
        status = run_once(t->run, err);
        if (status == RL_OK)
            add_run_sample(t, (uint64_t)(rl_monotonic_ns() - start_ns));
    }
    return status;
}

/* Whether the Activity API can be used: not when CUPTI is missing or another tool has it. */
static bool activity_works(void)
{
    static bool worked; /* then a tool that came later is an error, reported where it is met */
    const struct rl_activity *seen;
    size_t count;
    worked = worked || (rl_cupti_open(NULL, NULL) == RL_OK && rl_activity_start(RL_ACTIVITY_SERIAL, NULL) == RL_OK &&
                        rl_activity_stop(&seen, &count, NULL) == RL_OK);
    return worked;
}

struct method {
    const char *timing; /* as kernels name it; NULL: kernels get no times */
    enum rl_status (*sample)(const struct timing *t, size_t runs, struct rl_err *err);
};

static enum rl_status choose_method(const struct timing *t, struct method *method, struct rl_err *err)
{
    static const struct method methods[] = {[RL_BY_KERNEL] = {"activity", sample_kernels},
                                            [RL_BY_SPAN] = {"activity", sample_spans},
                                            [RL_BY_WALL] = {NULL, sample_wall}};
    enum rl_measure measure = t->run->variant->measure;
    assert(measure < (enum rl_measure)RL_COUNT(methods));
    *method = methods[measure];
    if (measure == RL_BY_WALL || activity_works())
        return RL_OK;
    if (measure == RL_BY_SPAN || t->run->sequence_count != 1)
        return rl_err_set(err, RL_UNSUPPORTED, "runs of several launches can be timed only by CUPTI's Activity API");
    *method = (struct method){"events", sample_events};
    return RL_OK;
}

/* ---- when is it enough ---- */

static bool enough(const uint64_t *duration_ns, size_t count, const struct rl_timing_limits *limits)
{
    assert(limits->min_samples <= limits->max_samples);
    if (count < limits->min_samples)
        return false;
    if (count >= limits->max_samples)
        return true;
    RL_FREED double *samples = rl_calloc(count, sizeof *samples);
    for (size_t i = 0; i < count; i++)
        samples[i] = (double)duration_ns[i];
    struct rl_stats stats = rl_stats_of(samples, count);
    return rl_stats_relative_half_width(&stats) < limits->half_width;
}

static bool converged(const struct timing *t, const struct rl_timing_limits *limits)
{
    if (t->run->variant->measure != RL_BY_KERNEL) {
        const struct rl_variant *variant = &t->capture->variants[t->variant];
        return enough(variant->duration_ns, variant->duration_count, limits);
    }
    for (size_t k = t->first; k < t->first + t->count; k++)
        if (!enough(t->capture->kernels[k].duration_ns, t->capture->kernels[k].duration_count, limits))
            return false;
    return true;
}

/* How many runs fit the time left, from the last group's pace: long runs are measured in small groups. */
static size_t next_group(double group_s, size_t group, double left_s)
{
    assert(group > 0);
    if (group_s <= 0)
        return GROUP;
    double fit = left_s / (group_s / (double)group);
    return fit < 1 ? 1 : fit > GROUP ? GROUP : (size_t)fit;
}

/* Groups of samples until the median is known well enough, the first SLOTS of them spread evenly over the window. */
static enum rl_status take_samples(const struct timing *t, const struct method *method, const struct rl_timing_limits *limits,
                                   struct rl_err *err)
{
    assert(method->sample && limits->budget_s > 0 && limits->window_s >= 0);
    const double start = seconds(), most_s = fmax(limits->budget_s, limits->window_s);
    enum rl_status status;
    size_t group = 6, slot = 0; /* enough for an interval, and to learn the pace */
    do {
        const double group_start = seconds();
        status = method->sample(t, group, err);
        const double now = seconds();
        group = next_group(now - group_start, group, most_s - (now - start));
        if (status == RL_OK && slot < SLOTS) {
            /* Runs on without taking times until `end_s`: the GPU stays as busy, warm and clocked as it is while times are taken.
             */
            struct rl_suite_run *run = t->run;
            double end_s = start + limits->window_s * (double)++slot / SLOTS;
            while (status == RL_OK && seconds() < end_s) {
                for (int i = 0; i < BUSY_RUNS && status == RL_OK; i++)
                    status = run->experiment->ops->launch(run, err);
                const enum rl_status waited = rl_device_wait(run->stream, status == RL_OK ? err : NULL);
                status = status == RL_OK ? waited : status;
            }
        }
    } while (status == RL_OK && (seconds() - start < limits->window_s || (!converged(t, limits) && seconds() - start < most_s)));
    return status;
}

/* ---- the reference ---- */

/* Time from one launch to the next where launches are queued back to back, without CUPTI, less the gap between two launches. Only
 * of runs of one kernel, and not of very long ones, which no record lengthens by much. */
static enum rl_status measure_back_to_back(const struct timing *t, const struct rl_record_cost *cost, struct rl_err *err)
{
    enum { MOST = 40, LEAST = 8, REPEATS = 5 };
    static const double ALL_NS = 2e6, LONGEST_NS = 2e7;
    struct rl_kernel *kernel = &t->capture->kernels[t->first];
    const size_t launches = t->run->sequence_count;
    if (t->count != 1 || !kernel->duration_count || cost->gap_ns <= 0)
        return RL_OK;
    const double run_ns = (double)kernel->total_ns / (double)kernel->launches * (double)launches;
    if (run_ns > LONGEST_NS)
        return RL_OK;
    const double fit = ALL_NS / (run_ns + cost->gap_ns * (double)launches);
    const unsigned many = fit < LEAST ? LEAST : fit > MOST ? MOST : (unsigned)fit, few = many / 4;
    double each[REPEATS];
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < REPEATS && status == RL_OK; i++) {
        double few_ns = 0, many_ns = 0;
        status = rl_device_time_queue(t->run, t->run->experiment->ops, few, &few_ns, err);
        RL_THEN(status, rl_device_time_queue(t->run, t->run->experiment->ops, many, &many_ns, err));
        each[i] = (many_ns - few_ns) / (many - few) / (double)launches - cost->gap_ns;
    }
    const double median_ns = status == RL_OK ? rl_stats_of(each, REPEATS).median : 0;
    if (median_ns > 0)
        kernel->clock.back_to_back_ns = rl_value_of(median_ns);
    return status;
}

/* `text` says where its times are from. What was subtracted is known to two ticks of the GPU's timer. */
static void describe_clock(struct rl_kernel *kernel, char *text, bool events, const struct rl_record_cost *cost)
{
    static const double TICKS_NS = 64;
    const double mean_ns = (double)kernel->total_ns / (double)kernel->launches,
                 added_ns = events ? 0 : rl_record_cost_of(cost, mean_ns), within_ns = events ? 0 : TICKS_NS;
    kernel->timing = text;
    kernel->clock.clock = events ? RL_CLOCK_EVENTS : RL_CLOCK_SERIAL;
    kernel->clock.cost_ns = rl_value_of(added_ns);
    kernel->clock.cost_low_ns = rl_value_of(fmax(0, added_ns - within_ns));
    kernel->clock.cost_high_ns = rl_value_of(added_ns + within_ns);
}

enum rl_status rl_time_variant(struct rl_capture *capture, size_t variant, struct rl_suite_run *run,
                               const struct rl_timing_limits *limits, const struct rl_record_cost *cost, size_t *first,
                               size_t *count, struct rl_err *err)
{
    assert(variant < capture->variant_count && run->experiment);
    struct timing t = {.capture = capture, .run = run, .variant = variant};
    struct method method;
    enum rl_status status = record_classes(&t, err);
    if (status == RL_OK) {
        double start = seconds();
        for (int i = 0; status == RL_OK && (i < WARM_UP_RUNS || seconds() - start < limits->warm_up_s); i++)
            status = run_once(run, err);
    }
    RL_THEN(status, choose_method(&t, &method, err));
    RL_THEN(status, take_samples(&t, &method, limits, err));
    if (status == RL_OK && run->variant->measure == RL_BY_KERNEL)
        status = measure_back_to_back(&t, cost, err);
    *first = t.first;
    *count = t.count;
    if (status != RL_OK)
        return status;
    for (size_t k = t.first; k < t.first + t.count; k++)
        if (capture->kernels[k].duration_count)
            describe_clock(&capture->kernels[k], rl_capture_text(capture, method.timing), method.sample == sample_events, cost);
    if (run->variant->measure == RL_BY_WALL) {
        /* A run timed by wall clock is observed once more for its timeline; that it cannot be is no failure. */
        const struct rl_activity *seen = NULL;
        size_t per_run = 0;
        if (activity_works() && watch_whole_runs(&t, 1, RL_ACTIVITY_TIMELINE, &seen, &per_run, NULL) == RL_OK)
            keep_events(&t, seen, per_run);
    }
    return RL_OK;
}
