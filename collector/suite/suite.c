/* suite.c - the collecting process: opens the GPU, sets up, verifies and times variant after variant, and has them counted. */
#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>

#include "activity.h"
#include "kernels/built.h"
#include "kernels/inputs.h"
#include "outputs.h"
#include "session.h"

enum { FEW = 10, MANY = 40, REPEATS = 7, RECORDS = 30 };
/* 0: an empty kernel. */
static const uint64_t lengths_ns[RL_RECORD_COST_POINTS] = {0, 2000, 6000, 10000, 15000, 20000, 40000, 100000};

/* From the start of one launch to the start of the next. */
static enum rl_status launch_to_launch(void *stream, uint64_t spin_ns, double *ns, struct rl_err *err)
{
    double each[REPEATS];
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < REPEATS && status == RL_OK; i++) {
        double few_ns = 0, many_ns = 0;
        status = rl_device_time_spins(stream, spin_ns, FEW, &few_ns, err);
        RL_THEN(status, rl_device_time_spins(stream, spin_ns, MANY, &many_ns, err));
        each[i] = (many_ns - few_ns) / (MANY - FEW);
    }
    if (status == RL_OK)
        *ns = rl_stats_of(each, REPEATS).median;
    return status;
}

static enum rl_status recorded(void *stream, enum rl_activity_clock clock, uint64_t spin_ns, double *ns, struct rl_err *err)
{
    const struct rl_activity *seen = NULL;
    size_t count = 0;
    double each[RECORDS];
    RL_TRY(rl_activity_start(clock, err));
    const enum rl_status launched = rl_device_spin(stream, spin_ns, RECORDS, err);
    enum rl_status status = rl_activity_stop(&seen, &count, launched == RL_OK ? err : NULL);
    if (launched != RL_OK || status != RL_OK)
        return launched != RL_OK ? launched : status;
    if (count != RECORDS)
        return rl_err_set(err, RL_FAILED, "the Activity API saw %zu of %d launches", count, RECORDS);
    for (size_t i = 0; i < RECORDS; i++)
        each[i] = (double)(seen[i].end_ns - seen[i].start_ns);
    *ns = rl_stats_of(each, RECORDS).median;
    return RL_OK;
}

static enum rl_status measure_gap(void *stream, double *gap_ns, struct rl_err *err)
{
    double apart_ns = 0, empty_ns = 0;
    enum rl_status status = recorded(stream, RL_ACTIVITY_TIMELINE, 0, &empty_ns, err);
    RL_THEN(status, launch_to_launch(stream, 0, &apart_ns, err));
    *gap_ns = apart_ns - empty_ns;
    return status;
}

/* Measures it on the device of the stream (cudaStream_t), which is idle, in about 0.2 s. CUPTI is open, and nothing is recorded.
 * Errors as rl_activity_start and rl_device_time_spins; `cost` is zero then. */
static enum rl_status record_cost_measure(void *stream, struct rl_record_cost *cost, struct rl_err *err)
{
    struct rl_record_cost found = {.count = RL_RECORD_COST_POINTS};
    *cost = (struct rl_record_cost){0};
    rl_activity_set_cost(NULL);
    enum rl_status status = rl_device_spin(stream, 0, FEW, err); /* loads the code */
    RL_THEN(status, rl_device_spin(stream, lengths_ns[1], FEW, err));
    RL_THEN(status, measure_gap(stream, &found.gap_ns, err));
    for (size_t i = 0; i < RL_RECORD_COST_POINTS && status == RL_OK; i++) {
        double apart_ns = 0;
        status = launch_to_launch(stream, lengths_ns[i], &apart_ns, err);
        RL_THEN(status, recorded(stream, RL_ACTIVITY_SERIAL, lengths_ns[i], &found.at[i].recorded_ns, err));
        found.at[i].cost_ns = found.at[i].recorded_ns - (apart_ns - found.gap_ns);
    }
    if (status == RL_OK)
        *cost = found;
    return status;
}

/* ---- one variant ---- */

static void set_status(struct rl_collecting *s, size_t variant, enum rl_status status, const char *why)
{
    assert(variant < s->capture->variant_count && status != RL_OK);
    struct rl_variant *row = &s->capture->variants[variant];
    row->status = status == RL_UNSUPPORTED ? RL_VARIANT_UNSUPPORTED : RL_VARIANT_FAILED;
    row->reason = rl_capture_text(s->capture, why);
    if (row->status == RL_VARIANT_UNSUPPORTED)
        s->summary->variants_unsupported++;
    else
        s->summary->variants_failed++;
    rl_warn(s, "%s/%s: %s", s->capture->experiments[row->experiment].name, row->name, why);
}

static enum rl_status check_requirements(const struct rl_collecting *s, const struct rl_suite_variant *variant, struct rl_err *err)
{
    const struct rl_gpu *gpu = &s->capture->gpus[s->gpu];
    int cc = 10 * gpu->cc_major + gpu->cc_minor;
    const struct rl_built built = rl_built();
    const enum rl_status status =
        rl_built_check_card(&built, (struct rl_built_need){variant->min_cc, variant->min_toolkit}, cc, err);
    if (status != RL_OK)
        return status;
    if (variant->cooperative && gpu->fact[RL_FACT_cooperative_launch].v != 1)
        return rl_err_set(err, RL_UNSUPPORTED, "needs cooperative launch, which this GPU or driver does not have");
    return RL_OK;
}

static struct rl_pending new_pending(const struct rl_collecting *s, const struct rl_suite_item *item, size_t variant)
{
    return (struct rl_pending){.run = {.experiment = item->experiment,
                                       .variant = item->variant,
                                       .size = s->capture->variants[variant].size,
                                       .seed = 1,
                                       .stream = s->stream,
                                       .sm_count = s->sm_count}};
}

/* A variant that is only timed keeps nothing on the device; the others wait for their counters. */
static void finish_variant(struct rl_collecting *s, struct rl_pending *pending)
{
    assert(pending->run.experiment && pending->first_kernel + pending->kernel_count <= s->capture->kernel_count);
    if (pending->run.variant->measure != RL_BY_WALL && pending->kernel_count > 0) {
        rl_count_later(s, pending);
        return;
    }
    for (size_t k = 0; k < pending->kernel_count; k++)
        rl_count_missing(s, pending->first_kernel + k,
                         rl_value_missing(RL_NOT_COLLECTED, "timed by the host's clock, not counted"));
    pending->run.experiment->ops->teardown(&pending->run);
}

/* Sets up, verifies and times one variant. */
static enum rl_status measure(struct rl_collecting *s, const struct rl_suite_item *item, size_t variant, struct rl_err *why)
{
    struct rl_pending pending = new_pending(s, item, variant);
    struct rl_suite_check check = {0};
    const struct rl_suite_ops *ops = item->experiment->ops;
    enum rl_status status = check_requirements(s, item->variant, why);
    RL_THEN(status, ops->setup(&pending.run, why));
    if (status != RL_OK)
        return status;
    rl_enter(s, RL_PHASE_CHECKING);
    status = ops->verify(&pending.run, &check, why);
    rl_enter(s, RL_PHASE_TIMING);
    if (status == RL_OK) {
        struct rl_variant *row = &s->capture->variants[variant];
        row->result = check.correct ? RL_RESULT_OK : RL_RESULT_WRONG;
        row->result_text = rl_capture_text(s->capture, check.text);
        if (check.deviation.kind != RL_DEVIATION_NONE)
            row->deviation = check.deviation;
        if (!check.correct) {
            s->summary->variants_wrong++;
            rl_capture_log(s->capture, rl_elapsed_ns(s), RL_LOG_ERROR, "%s/%s computed the wrong result: %s",
                           s->capture->experiments[row->experiment].name, row->name, check.text);
        }
        struct rl_timing_limits limits = s->options->quick ? rl_timing_quick : rl_timing_full;
        limits.window_s = s->options->window_s;
        status = rl_time_variant(s->capture, variant, &pending.run, &limits, &s->record_cost, &pending.first_kernel,
                                 &pending.kernel_count, why);
    }
    rl_enter(s, RL_PHASE_PREPARING);
    if (status == RL_OK)
        finish_variant(s, &pending);
    else if (status != RL_TIMEOUT) /* a hanging device cannot be asked to free anything */
        ops->teardown(&pending.run);
    return status;
}

static enum rl_status collect_item(struct rl_collecting *s, const struct rl_suite_item *item, struct rl_err *err)
{
    struct rl_err why = RL_ERR_INIT;
    size_t variant = rl_describe_variant(s, item), waiting = s->pending_count;
    char range[128];
    snprintf(range, sizeof range, "%s/%s", item->experiment->name, item->variant->name);
    nvtxRangePushA(range);
    enum rl_status status = measure(s, item, variant, &why);
    if (status == RL_UNSUPPORTED && waiting) {
        /* Perhaps only the waiting variants' memory was in the way. */
        enum rl_status counted = rl_count_pending(s, err);
        status = counted == RL_OK ? measure(s, item, variant, &why) : counted;
    }
    nvtxRangePop();
    if (status == RL_OK)
        s->summary->variants_done++;
    else
        set_status(s, variant, status, why.text);
    if (status == RL_TIMEOUT || (status != RL_OK && !rl_device_usable())) {
        enum rl_status saved = rl_save(s, err);
        return saved == RL_OK ? (enum rl_status)RL_RESUME : saved;
    }
    size_t available = 0, total = 0;
    return cudaMemGetInfo(&available, &total) == cudaSuccess && available < s->memory_floor ? rl_count_pending(s, err)
                                                                                            : rl_save_at_times(s, err);
}

/* The item in whose hands a process before this one has died. */
static enum rl_status mark_failed(struct rl_collecting *s, const struct rl_suite_item *item, const char *why, struct rl_err *err)
{
    set_status(s, rl_describe_variant(s, item), RL_FAILED, why);
    return rl_save(s, err);
}

/* Whether a variant was timed but not yet counted when the process before this one ended. */
static bool waits_for_counters(const struct rl_capture *capture, size_t variant, size_t *first, size_t *count)
{
    *first = *count = 0;
    if (capture->variants[variant].status != RL_VARIANT_DONE)
        return false;
    for (size_t k = 0; k < capture->kernel_count; k++)
        if (capture->kernels[k].variant == variant && capture->kernels[k].counter_count == 0) {
            *first = *count ? *first : k;
            ++*count;
        }
    return *count > 0;
}

/* Sets a timed variant up once more, only to be counted. */
static void count_again(struct rl_collecting *s, const struct rl_suite_item *item, size_t variant, size_t first, size_t count)
{
    struct rl_err why = RL_ERR_INIT;
    struct rl_pending pending = new_pending(s, item, variant);
    const struct rl_suite_ops *ops = item->experiment->ops;
    if (ops->setup(&pending.run, &why) != RL_OK)
        return;
    pending.run.recording = true;
    enum rl_status status = ops->launch(&pending.run, &why);
    pending.run.recording = false;
    RL_THEN(status, rl_device_wait(pending.run.stream, &why));
    pending.first_kernel = first;
    pending.kernel_count = count;
    if (status == RL_OK && pending.run.launch_count == count)
        rl_count_later(s, &pending);
    else
        ops->teardown(&pending.run);
}

static enum rl_status open_gpu(struct rl_collecting *s, struct rl_err *err)
{
    int count = 0;
    enum rl_status status = rl_device_count(&count, err);
    if (status == RL_OK && (s->options->gpu < 0 || s->options->gpu >= count))
        status = rl_err_set(err, RL_USAGE, "there is no GPU %d: this machine has %d (0 to %d)", s->options->gpu, count, count - 1);
    RL_THEN(status, rl_device_open(s->options->gpu, &s->stream, &s->sm_count, err));
    if (status != RL_OK)
        return status;
    s->cc = rl_device_cc(s->options->gpu);
    rl_cupti_wish(s->cc, s->options->backend);
    size_t available = 0, total = 0;
    if (cudaMemGetInfo(&available, &total) == cudaSuccess)
        s->memory_floor = available / 4;
    s->gpu = 0;
    if (s->capture->gpu_count) /* continued: the facts are there */
        return RL_OK;
    rl_facts_session(s->capture);
    return rl_facts_gpu(s->capture, rl_capture_add_gpu(s->capture), s->options->gpu, err);
}

/* ---- placement and clocks ---- */

/* Where the Activity API cannot be used launches are timed by events, and the log notes it where that matters. */
static void calibrate_records(struct rl_collecting *s)
{
    struct rl_err why = RL_ERR_INIT;
    if (rl_cupti_open(NULL, NULL) != RL_OK)
        return;
    const enum rl_status status = record_cost_measure(s->stream, &s->record_cost, &why);
    rl_activity_set_cost(&s->record_cost);
    if (status != RL_OK)
        rl_warn(s, "what activity records add to a launch could not be measured: %s", why.text);
    else
        rl_capture_log(s->capture, rl_elapsed_ns(s), RL_LOG_NOTE,
                       "serial activity records add %.0f ns to an empty kernel and %.0f ns to one of %.0f us, which is subtracted; "
                       "the gap between launches is %.0f ns",
                       s->record_cost.at[0].cost_ns, s->record_cost.at[RL_RECORD_COST_POINTS - 1].cost_ns,
                       s->record_cost.at[RL_RECORD_COST_POINTS - 1].recorded_ns * 1e-3, s->record_cost.gap_ns);
}

/* Reads the GPU. Of a lock to the base clock it is the first reading under load that tells the figure. */
static void take_moment(struct rl_collecting *s, const struct rl_clock_lock *lock, const char *moment)
{
    struct rl_gpu *gpu = &s->capture->gpus[s->gpu];
    rl_facts_moment(s->capture, s->gpu, moment, rl_elapsed_ns(s));
    assert(gpu->moment_count > 0);
    const struct rl_value clock = gpu->moments[gpu->moment_count - 1].reading[RL_READING_sm_clock_hz];
    if (lock && strcmp(moment, "during") == 0 && rl_present(clock) && !rl_present(gpu->fact[RL_FACT_sm_clock_locked_hz]))
        gpu->fact[RL_FACT_sm_clock_locked_hz] = clock;
}

static enum rl_status begin(struct rl_collecting *s, const struct rl_collect_task *task, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    if (task->resumes) /* what the process before has left */
        status = rl_capture_read(task->path, &s->capture, err);
    else
        s->capture = rl_capture_new();
    RL_THEN(status, open_gpu(s, err));
    if (status == RL_OK) {
        /* Memory taken first moves the arrays of the suite to other places than those of sessions that took another amount. */
        const size_t bytes = s->options->displacement_bytes;
        s->capture->gpus[s->gpu].fact[RL_FACT_displacement_bytes] = rl_value_of((double)bytes);
        status = rl_device_displace(bytes, err);
    }
    if (status != RL_OK)
        return status;
    if (!task->resumes) {
        rl_describe_command(s);
        const struct rl_clock_lock *lock = task->lock;
        assert(s->gpu < s->capture->gpu_count);
        struct rl_value *fact = s->capture->gpus[s->gpu].fact;
        const struct rl_value none =
            rl_value_missing(RL_NOT_COLLECTED, lock ? "the driver does not report it" : "clocks were not locked");
        fact[RL_FACT_clocks_locked] = rl_value_of(lock != NULL);
        fact[RL_FACT_sm_clock_locked_hz] = lock && lock->sm_hz > 0 ? rl_value_of(lock->sm_hz) : none;
        fact[RL_FACT_memory_clock_locked_hz] = lock && lock->memory_hz > 0 ? rl_value_of(lock->memory_hz) : none;
    }
    calibrate_records(s);
    rl_count_open(s);
    rl_facts_moment(s->capture, s->gpu, task->resumes ? "during" : "before", rl_elapsed_ns(s)); /* at rest: tells no locked clock */
    if (task->resumes) {
        assert(task->first <= task->item_count);
        for (size_t v = 0; v < s->capture->variant_count && v < task->first; v++) {
            size_t first, count;
            if (waits_for_counters(s->capture, v, &first, &count))
                count_again(s, &task->items[v], v, first, count);
        }
    }
    status = rl_save(s, err);
    return status == RL_OK && !task->resumes ? rl_measure_ceilings(s, task, err) : status;
}

static enum rl_status take_items(struct rl_collecting *s, const struct rl_collect_task *task, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    rl_enter(s, RL_PHASE_PREPARING);
    for (size_t i = task->first; i < task->item_count && status == RL_OK; i++) {
        task->begins(task->context, i);
        status = task->failed && task->failed[i] ? mark_failed(s, &task->items[i], task->failed[i], err)
                                                 : collect_item(s, &task->items[i], err);
        bool last_of_experiment = i + 1 == task->item_count || task->items[i + 1].experiment != task->items[i].experiment;
        if (last_of_experiment && status == RL_OK)
            take_moment(s, task->lock, "during");
    }
    rl_inputs_release();
    if (status != RL_OK)
        return status;
    status = rl_save(s, err); /* nothing is measured again from here on */
    task->begins(task->context, task->item_count);
    RL_THEN(status, rl_count_pending(s, err));
    RL_THEN(status, rl_measure_sustained(s, task, err));
    take_moment(s, task->lock, "after");
    return status;
}

enum rl_status rl_collect_items(const struct rl_collect_options *options, const struct rl_collect_task *task,
                                struct rl_collect_summary *summary, struct rl_err *err)
{
    assert(task->path && task->begins && task->says && task->first <= task->item_count);
    struct rl_collecting s = {.options = options, .summary = summary, .path = task->path, .start_ns = task->start_ns};
    s.phase_ns = rl_elapsed_ns(&s);
    enum rl_status status = begin(&s, task, err);
    RL_THEN(status, take_items(&s, task, err));
    rl_enter(&s, RL_PHASE_WRITING);
    if (status == RL_OK) {
        s.capture->session.complete = true;
        status = rl_output_replace(s.capture, options->output, s.path, err);
    }
    rl_enter(&s, RL_PHASE_OPENING);
    if (status == (enum rl_status)RL_RESUME)
        return status; /* the device is lost: this process has nothing to release that its end does not */
    rl_count_close(&s);
    if (s.stream)
        rl_device_close(s.stream);
    rl_capture_free(s.capture);
    return status;
}
