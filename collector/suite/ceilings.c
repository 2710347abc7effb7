/* ceilings.c - for every micro-benchmark: a pilot that finds how many rounds a launch needs, a sweep of a few launches per
 * configuration, and many launches of the best one. All times are GPU timestamps of the Activity API; CUDA events would add some
 * microseconds to each. */

#include "activity.h"
#include "kernels/ceiling.h"
#include "nvml.h"
#include "session.h"

/* ---- which configuration of a micro-benchmark has become the ceiling ---- */

size_t rl_ceiling_best(const double *const *rates, const size_t *counts, size_t count)
{
    size_t best = RL_NONE;
    double highest = 0;
    for (size_t i = 0; i < count; i++) {
        double median = rl_stats_of(rates[i], counts[i]).median;
        if (counts[i] && (best == RL_NONE || median > highest)) {
            best = i;
            highest = median;
        }
    }
    return best;
}

size_t rl_ceiling_in_full(const struct rl_capture *capture, size_t gpu, const char *id)
{
    size_t best = RL_NONE, most = 0;
    double highest = 0;
    for (size_t i = 0; i < capture->ceiling_count; i++) {
        const struct rl_ceiling_run *run = &capture->ceilings[i];
        if (run->gpu != gpu || strcmp(run->id, id) != 0 || run->sample_count == 0 || run->sample_count < most)
            continue;
        double median = rl_stats_of(run->samples, run->sample_count).median;
        if (run->sample_count > most || median > highest) {
            best = i;
            most = run->sample_count;
            highest = median;
        }
    }
    return best;
}

const struct rl_ceiling_limits rl_ceiling_full = {
    .sweep_samples = 5, .samples = 40, .launch_ns = 1e6, .warm_up_s = 0.3, .budget_s = 5, .host_bytes = 128 << 20};
const struct rl_ceiling_limits rl_ceiling_quick = {
    .quick = true, .sweep_samples = 3, .samples = 30, .launch_ns = 5e5, .warm_up_s = 0.15, .budget_s = 1.5, .host_bytes = 32 << 20};

enum { MOST = RL_BENCH_MAX_CONFIGURATIONS };
static const double sustained_load_s = 20;

/* All benchmarks on one GPU. */
struct measuring {
    struct rl_collecting *s;
    const struct rl_collect_task *task;
    struct rl_bench_space space;
    bool events; /* the Activity API cannot be had */
    int64_t start_ns;
};

/* One benchmark: its configurations that run here. */
struct sweep {
    const struct rl_bench *bench;
    const struct rl_ceiling_limits *limits;
    struct rl_bench_case cases[MOST];
    size_t count;
    double *rates[MOST]; /* work per second of each launch */
    size_t rate_counts[MOST];
    double *clocks[MOST]; /* of the SMs in each launch, seen by the kernel itself; 0: unknown */
    struct rl_value readings[RL_READING_COUNT];
};

static void say(const struct measuring *m, const char *what)
{
    m->task->says(m->task->context, what);
}

/* ---- durations ---- */

static size_t needed(const size_t *per_launch, size_t cases, size_t repeat, size_t *open)
{
    assert(cases > 0 && repeat > 0);
    size_t sum = 0;
    *open = RL_NONE;
    for (size_t i = 0; i < cases; i++) {
        sum += per_launch[i] * repeat;
        if (per_launch[i] == 0)
            *open = i;
    }
    return sum;
}

bool rl_ceiling_durations(const struct rl_activity *seen, size_t seen_count, size_t *per_launch, size_t cases, size_t repeat,
                          uint64_t *duration_ns)
{
    size_t open, sum = needed(per_launch, cases, repeat, &open);
    if (open != RL_NONE && seen_count > sum && repeat > 0)
        per_launch[open] = (seen_count - sum) / repeat;
    if (needed(per_launch, cases, repeat, &open) != seen_count || open != RL_NONE)
        return false;
    for (size_t i = 0; i < cases; i++)
        for (size_t n = 0; n < repeat; n++, seen += per_launch[i])
            *duration_ns++ = seen[per_launch[i] - 1].end_ns - seen[0].start_ns;
    return true;
}

/* Some launches of some cases: launch n of case i has slot i * repeat + n. */
struct series {
    const size_t *which; /* indices of cases */
    size_t count, repeat;
    uint64_t *duration_ns;
    double *clock_hz; /* 0: not reported by the kernel */
};

static struct series new_series(const size_t *which, size_t count, size_t repeat)
{
    assert(count > 0 && repeat > 0);
    assert(count * repeat <= RL_BENCH_SLOTS);
    return (struct series){.which = which,
                           .count = count,
                           .repeat = repeat,
                           .duration_ns = rl_calloc(count * repeat, sizeof(uint64_t)),
                           .clock_hz = rl_calloc(count * repeat, sizeof(double))};
}

static void release_series(struct series *series)
{
    RL_FREE(series->duration_ns, series->clock_hz);
}

/* Launches while the Activity API looks on; the GPU is read while it works. */
static enum rl_status watch(struct measuring *m, struct sweep *w, const struct series *series, struct rl_err *err)
{
    assert(series->count <= MOST && w->count > 0);
    const struct rl_activity *seen = NULL;
    size_t seen_count = 0, per_launch[MOST];
    enum rl_status status =
        rl_activity_start(w->cases[0].configuration->family == RL_BENCH_link ? RL_ACTIVITY_TIMELINE : RL_ACTIVITY_SERIAL, err);
    if (status != RL_OK)
        return status;
    enum rl_status launched = RL_OK;
    for (size_t i = 0; i < series->count * series->repeat && launched == RL_OK; i++)
        launched = rl_bench_launch(&m->space, &w->cases[series->which[i / series->repeat]], i, err);
    rl_nvml_readings(m->s->capture->gpus[m->s->gpu].uuid, w->readings);
    enum rl_status waited = rl_device_wait(m->space.stream, launched == RL_OK ? err : NULL);
    launched = launched == RL_OK ? waited : launched;
    status = rl_activity_stop(&seen, &seen_count, launched == RL_OK ? err : NULL);
    if (launched != RL_OK || status != RL_OK)
        return launched != RL_OK ? launched : status;
    for (size_t i = 0; i < series->count; i++) /* a library may need several kernels */
        per_launch[i] = w->cases[series->which[i]].configuration->reference ? 0 : 1;
    if (!rl_ceiling_durations(seen, seen_count, per_launch, series->count, series->repeat, series->duration_ns))
        return rl_err_set(err, RL_FAILED, "the Activity API saw %zu activities of %zu launches", seen_count,
                          series->count * series->repeat);
    return RL_OK;
}

static enum rl_status use_events(struct measuring *m, struct sweep *w, const struct series *series, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < series->count * series->repeat && status == RL_OK; i++)
        status = rl_bench_time_events(&m->space, &w->cases[series->which[i / series->repeat]], i, &series->duration_ns[i], err);
    rl_nvml_readings(m->s->capture->gpus[m->s->gpu].uuid, w->readings);
    return status;
}

static enum rl_status time_series(struct measuring *m, struct sweep *w, const struct series *series, struct rl_err *err)
{
    enum rl_status status = rl_bench_clear(&m->space, err);
    RL_THEN(status, rl_device_wait(m->space.stream, err));
    RL_THEN(status, (m->events ? use_events : watch)(m, w, series, err));
    return status == RL_OK ? rl_bench_clocks(&m->space, 0, series->count * series->repeat, series->clock_hz, err) : status;
}

/* ---- the sweep of one benchmark ---- */

/* The configurations that run here: one launch of each tells, and loads its code. */
static enum rl_status find_cases(struct measuring *m, struct sweep *w, struct rl_err *why, struct rl_err *err)
{
    for (const struct rl_bench_configuration *c = w->bench->configurations; c->kernel; c++) {
        if (w->limits->quick && !c->quick)
            continue;
        assert(w->count < MOST);
        enum rl_status status = rl_bench_resolve(w->bench, c, &m->space.card, &w->cases[w->count], why);
        RL_THEN(status, rl_bench_launch(&m->space, &w->cases[w->count], w->count, why));
        if (status == RL_OK) {
            status = rl_device_wait(m->space.stream, err);
            if (status != RL_OK)
                return status;
            w->count++;
        }
    }
    return RL_OK;
}

static enum rl_status pilot(struct measuring *m, struct sweep *w, const size_t *all, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    for (int i = 0; i < 2 && status == RL_OK; i++) { /* the first guess is from a launch too short to be a measure */
        struct series series = new_series(all, w->count, 1);
        status = time_series(m, w, &series, err);
        for (size_t c = 0; c < w->count && status == RL_OK; c++)
            rl_bench_set_duration(&w->cases[c], (double)series.duration_ns[c], w->limits->launch_ns);
        release_series(&series);
    }
    return status;
}

/* Times the cases in `which` and adds to their rates. */
static enum rl_status take_samples(struct measuring *m, struct sweep *w, const size_t *which, size_t count, size_t repeat,
                                   struct rl_err *err)
{
    assert(count <= w->count);
    struct series series = new_series(which, count, repeat);
    enum rl_status status = time_series(m, w, &series, err);
    for (size_t i = 0; i < count && status == RL_OK; i++) {
        size_t c = which[i];
        const uint64_t *duration_ns = series.duration_ns + i * repeat;
        const double *clock_hz = series.clock_hz + i * repeat;
        double work = rl_bench_work(&w->cases[c]);
        assert(c < w->count && work > 0);
        w->rates[c] = rl_realloc(w->rates[c], w->rate_counts[c] + repeat, sizeof *w->rates[c]);
        w->clocks[c] = rl_realloc(w->clocks[c], w->rate_counts[c] + repeat, sizeof *w->clocks[c]);
        for (size_t j = 0; j < repeat; j++) {
            w->clocks[c][w->rate_counts[c]] = clock_hz[j];
            w->rates[c][w->rate_counts[c]++] = work / (1e-9 * (double)(duration_ns[j] ? duration_ns[j] : 1));
        }
    }
    release_series(&series);
    return status;
}

/* A benchmark that computes the wrong thing is no roof. */
static enum rl_status check_case(struct measuring *m, struct sweep *w, size_t c, struct rl_err *err)
{
    struct rl_suite_check check = {0};
    enum rl_status status = rl_bench_check(&m->space, &w->cases[c], &check, err);
    if (status != RL_OK || check.correct)
        return status;
    w->rate_counts[c] = 0;
    RL_SCRATCH text = RL_BUF_INIT;
    rl_bench_text(&w->cases[c], &text);
    rl_warn(m->s, "roof %s: %s computed the wrong result, its rate is not used: %s", w->bench->id, text.data, check.text);
    return RL_OK;
}

/* The best configuration, and those that are measured in full to be compared with it. */
static size_t chosen(const struct sweep *w, size_t which[MOST])
{
    size_t best = rl_ceiling_best((const double *const *)w->rates, w->rate_counts, w->count), count = 0;
    for (size_t c = 0; c < w->count; c++)
        if (c == best || w->cases[c].configuration->reference)
            which[count++] = c;
    assert(count <= w->count);
    return count;
}

/* ---- the capture ---- */

static void store_run(struct measuring *m, const struct sweep *w, size_t c, const char *id)
{
    assert(c < w->count && w->rate_counts[c] > 0);
    struct rl_capture *capture = m->s->capture;
    RL_SCRATCH text = RL_BUF_INIT;
    rl_bench_text(&w->cases[c], &text);
    struct rl_ceiling_run *run = rl_capture_add_ceiling(capture);
    run->gpu = m->s->gpu;
    run->id = rl_capture_text(capture, id);
    run->unit = w->bench->unit;
    run->configuration = rl_capture_text(capture, text.data);
    /* Texts of settings are those of the tables, which stay. */
    struct rl_setting settings[RL_BENCH_MAX_SETTINGS];
    run->setting_count = rl_bench_settings(&w->cases[c], settings);
    run->settings = rl_arena_alloc(&capture->arena, run->setting_count * sizeof *run->settings);
    memcpy(run->settings, settings, run->setting_count * sizeof *settings);
    double clock = rl_stats_of(w->clocks[c], w->rate_counts[c]).median;
    run->sm_clock_hz = clock > 0 ? rl_value_of(clock) : w->readings[RL_READING_sm_clock_hz];
    run->memory_clock_hz = w->readings[RL_READING_memory_clock_hz];
    run->throttle_reasons = w->readings[RL_READING_throttle_reasons];
    run->samples = rl_arena_alloc(&capture->arena, w->rate_counts[c] * sizeof *run->samples);
    memcpy(run->samples, w->rates[c], w->rate_counts[c] * sizeof *run->samples);
    run->sample_count = w->rate_counts[c];
}

static void release_sweep(struct sweep *w)
{
    for (size_t c = 0; c < MOST; c++) {
        RL_FREE(w->rates[c], w->clocks[c]);
    }
}

/* The effect of a failure on the session: a benchmark less, or a device lost. */
static enum rl_status after_failure(struct measuring *m, const char *id, const char *why)
{
    rl_warn(m->s, "roof %s is not measured: %s", id, why);
    return rl_device_usable() ? RL_OK : (enum rl_status)RL_RESUME;
}

/* ---- all of them ---- */

static enum rl_status open_space(struct measuring *m, uint64_t host_bytes, struct rl_err *err)
{
    const struct rl_gpu *gpu = &m->s->capture->gpus[m->s->gpu];
    const struct rl_value l2 = gpu->fact[RL_FACT_l2_bytes];
    const struct rl_bench_card card = {.cc = 10 * gpu->cc_major + gpu->cc_minor,
                                       .built = rl_built(),
                                       .sm_count = m->s->sm_count,
                                       .l2_bytes = rl_positive(l2) ? (uint64_t)l2.v : 0};
    const struct rl_activity *seen;
    size_t count;
    m->events = rl_cupti_open(NULL, NULL) != RL_OK || rl_activity_start(RL_ACTIVITY_SERIAL, NULL) != RL_OK ||
                rl_activity_stop(&seen, &count, NULL) != RL_OK;
    if (m->events)
        rl_warn(m->s, "roofs are timed by CUDA events, which add some microseconds to a launch: the Activity API cannot be used");
    m->start_ns = rl_monotonic_ns();
    return rl_bench_open(&m->space, &card, m->s->stream, host_bytes, err);
}

/* Keeps the GPU busy; with `what` it says so every second. */
static enum rl_status load(struct measuring *m, const struct rl_bench_case *c, double for_s, const char *what, struct rl_err *err)
{
    int said = 0;
    enum rl_status status = RL_OK;
    const int64_t start_ns = rl_monotonic_ns();
    for (double now = 0; now < for_s && status == RL_OK; now = rl_seconds_since(start_ns)) {
        for (int i = 0; i < 10 && status == RL_OK; i++)
            status = rl_bench_launch(&m->space, c, 0, err);
        RL_THEN(status, rl_device_wait(m->space.stream, err));
        if (what && (int)now >= said) {
            char text[160];
            snprintf(text, sizeof text, "%s after %.0f of %.0f s of load", what, now, for_s);
            say(m, text);
            said = (int)now + 1;
        }
    }
    return status;
}

static enum rl_status warm_up(struct measuring *m, const struct rl_ceiling_limits *limits, struct rl_err *err)
{
    struct sweep w = {.bench = rl_bench_find("fp32"), .limits = &rl_ceiling_quick};
    struct rl_err why = RL_ERR_INIT;
    assert(w.bench);
    enum rl_status status = find_cases(m, &w, &why, err);
    if (status != RL_OK || w.count == 0)
        return status;
    w.count = 1;
    status = pilot(m, &w, (const size_t[]){0}, err);
    return status == RL_OK ? load(m, &w.cases[0], limits->warm_up_s, NULL, err) : status;
}

static enum rl_status measure_one(struct measuring *m, const struct rl_bench *bench, const struct rl_ceiling_limits *limits)
{
    struct sweep w = {.bench = bench, .limits = limits};
    struct rl_err why = RL_ERR_INIT, err = RL_ERR_INIT;
    enum rl_status status = find_cases(m, &w, &why, &err);
    if (status == RL_OK && w.count == 0)
        rl_capture_log(m->s->capture, rl_elapsed_ns(m->s), RL_LOG_NOTE, "roof %s is not measured: %s", bench->id, why.text);
    else if (status == RL_OK) {
        size_t which[MOST], count = w.count;
        for (size_t c = 0; c < w.count; c++)
            which[c] = c;
        status = pilot(m, &w, which, &err);
        RL_THEN(status, take_samples(m, &w, which, count, w.limits->sweep_samples, &err));
        if (status == RL_OK) {
            count = chosen(&w, which);
            status = take_samples(m, &w, which, count, w.limits->samples, &err);
        }
        for (size_t i = 0; i < count && status == RL_OK; i++)
            status = check_case(m, &w, which[i], &err);
    }
    for (size_t c = 0; c < w.count && status == RL_OK; c++)
        if (w.rate_counts[c])
            store_run(m, &w, c, bench->id);
    release_sweep(&w);
    return status == RL_OK ? RL_OK : after_failure(m, bench->id, err.text);
}

enum rl_status rl_measure_ceilings(struct rl_collecting *s, const struct rl_collect_task *task, struct rl_err *err)
{
    struct measuring m = {.s = s, .task = task};
    struct rl_err why = RL_ERR_INIT;
    const struct rl_ceiling_limits *limits = s->options->ceilings == RL_CEILINGS_QUICK ? &rl_ceiling_quick : &rl_ceiling_full;
    if (s->options->ceilings == RL_CEILINGS_NONE)
        return RL_OK;
    const enum rl_collect_phase before = rl_enter(s, RL_PHASE_CEILINGS);
    task->begins(task->context, RL_NONE);
    say(&m, "ceilings");
    enum rl_status status = open_space(&m, limits->host_bytes, &why);
    RL_THEN(status, warm_up(&m, limits, &why));
    if (status != RL_OK)
        status = after_failure(&m, "of any kind", why.text);
    for (size_t i = 0; i < rl_bench_count && status == RL_OK && m.space.a; i++) {
        char what[160];
        snprintf(what, sizeof what, "ceiling %s", rl_benches[i].label);
        say(&m, what);
        status = measure_one(&m, &rl_benches[i], rl_seconds_since(m.start_ns) < limits->budget_s ? limits : &rl_ceiling_quick);
        RL_THEN(status, rl_save_at_times(s, err));
    }
    rl_capture_log(s->capture, rl_elapsed_ns(s), RL_LOG_NOTE, "ceilings took %.2f s", rl_seconds_since(m.start_ns));
    if (status != (enum rl_status)RL_RESUME)
        rl_bench_close(&m.space);
    else if (rl_save(s, err) != RL_OK) /* another process goes on with it */
        status = RL_IO;
    rl_enter(s, before);
    return status;
}

/* ---- after a long load ---- */

/* The configuration that has become the ceiling. */
static bool find_best(struct measuring *m, struct sweep *w)
{
    const size_t found = rl_ceiling_in_full(m->s->capture, m->s->gpu, w->bench->id);
    const struct rl_ceiling_run *best = found == RL_NONE ? NULL : &m->s->capture->ceilings[found];
    struct rl_setting settings[RL_BENCH_MAX_SETTINGS];
    for (const struct rl_bench_configuration *c = w->bench->configurations; best && c->kernel && w->count == 0; c++) {
        if (rl_bench_resolve(w->bench, c, &m->space.card, &w->cases[0], NULL) != RL_OK)
            continue;
        const size_t count = rl_bench_settings(&w->cases[0], settings);
        w->count = rl_settings_equal(settings, count, best->settings, best->setting_count);
    }
    return w->count > 0;
}

static enum rl_status sustain(struct measuring *m, const struct rl_bench *bench)
{
    static const size_t first[] = {0};
    struct sweep w = {.bench = bench, .limits = &rl_ceiling_full};
    struct rl_err err = RL_ERR_INIT;
    char what[160];
    if (!find_best(m, &w))
        return RL_OK;
    snprintf(what, sizeof what, "ceiling %s", bench->label);
    enum rl_status status = rl_bench_launch(&m->space, &w.cases[0], 0, &err);
    RL_THEN(status, pilot(m, &w, first, &err));
    RL_THEN(status, load(m, &w.cases[0], sustained_load_s, what, &err));
    RL_THEN(status, take_samples(m, &w, first, 1, w.limits->samples, &err));
    if (status == RL_OK) {
        char id[64];
        snprintf(id, sizeof id, "%s_sustained", bench->id);
        store_run(m, &w, 0, id);
    }
    release_sweep(&w);
    return status == RL_OK ? RL_OK : after_failure(m, bench->id, err.text);
}

enum rl_status rl_measure_sustained(struct rl_collecting *s, const struct rl_collect_task *task, struct rl_err *err)
{
    struct measuring m = {.s = s, .task = task};
    struct rl_err why = RL_ERR_INIT;
    if (s->options->ceilings != RL_CEILINGS_SUSTAINED)
        return RL_OK;
    rl_enter(s, RL_PHASE_CEILINGS);
    enum rl_status status = open_space(&m, rl_ceiling_full.host_bytes, &why);
    if (status != RL_OK)
        status = after_failure(&m, "under sustained load", why.text);
    for (size_t i = 0; i < rl_bench_count && status == RL_OK && m.space.a; i++) {
        if (!rl_benches[i].sustained)
            continue;
        status = sustain(&m, &rl_benches[i]);
        RL_THEN(status, rl_save(s, err));
    }
    if (status == (enum rl_status)RL_RESUME)
        return RL_OK; /* everything else is done: nothing needs the device any more */
    rl_bench_close(&m.space);
    return status;
}
