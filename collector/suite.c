/* suite.c - collecting the kernel suite: times first, then counters, in as few counter windows as memory allows. */
#include <assert.h>
#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collector/collector.h"
#include "core/buf.h"
#include "core/fs.h"
#include "core/mem.h"
#include "facts.h"
#include "kernels/run.h"
#include "range.h"
#include "timing.h"

/* A variant that is set up on the device and waits for its counters. */
struct pending {
    struct rl_suite_run run;
    size_t first_kernel, kernel_count; /* its classes in the capture */
};

struct session {
    const struct rl_collect_options *options;
    struct rl_collect_summary *summary;
    struct rl_capture *capture;
    char *path;                        /* where the unfinished capture is written */
    struct timespec start;
    size_t gpu;                        /* index in the capture */
    void *stream;
    int sm_count;
    size_t memory_floor;               /* free device memory that waiting variants must leave */
    struct rl_range_profiler profiler;
    struct rl_config *configs;         /* of all configurations, split ones included */
    size_t *passes;                    /* one index in the capture per config */
    size_t config_count;
    struct pending *pending;
    size_t pending_count, pending_cap;
};

static int64_t elapsed_ns(const struct session *s)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)(now.tv_sec - s->start.tv_sec) * 1000000000 + (now.tv_nsec - s->start.tv_nsec);
}

static void warn(struct session *s, const char *text)
{
    rl_capture_log(s->capture, elapsed_ns(s), RL_LOG_WARNING, "%s", text);
    s->summary->warnings++;
}

/* ---- what the capture says before anything ran ---- */

static void add_command(struct session *s)
{
    const struct rl_collect_options *options = s->options;
    struct rl_session *session = &s->capture->session;
    session->source = rl_capture_text(s->capture, "collect");
    session->tool_version = rl_capture_text(s->capture, options->tool_version);
    session->command = rl_arena_alloc(&s->capture->arena, (options->command_count + 1) * sizeof *session->command);
    session->command_count = options->command_count;
    for (size_t i = 0; i < options->command_count; i++)
        session->command[i] = rl_capture_text(s->capture, options->command[i]);
}

static const char *const relations[] = {[RL_ABOUT] = "about", [RL_AT_LEAST] = "at_least", [RL_AT_MOST] = "at_most"};

static void add_claim(struct session *s, size_t experiment, const struct rl_suite_claim *row, const char *source)
{
    struct rl_claim *claim = rl_capture_add_claim(s->capture, experiment);
    claim->id = rl_capture_text(s->capture, row->id);
    claim->text = rl_capture_text(s->capture, row->text);
    claim->quantity = rl_capture_text(s->capture, row->quantity);
    claim->subject = rl_capture_text(s->capture, row->subject);
    claim->baseline = rl_capture_text(s->capture, row->baseline);
    claim->relation = rl_capture_text(s->capture, relations[row->relation]);
    claim->value = row->value;
    claim->tolerance = row->tolerance;
    claim->card = rl_capture_text(s->capture, row->card);
    claim->card_specific = row->card_specific;
    claim->source = rl_capture_text(s->capture, source);
}

/* Index of the experiment in the capture; added with its claims at its first variant. */
static size_t experiment_index(struct session *s, const struct rl_suite_experiment *row)
{
    for (size_t i = 0; i < s->capture->experiment_count; i++)
        if (strcmp(s->capture->experiments[i].name, row->name) == 0)
            return i;
    struct rl_experiment *experiment = rl_capture_add_experiment(s->capture);
    experiment->name = rl_capture_text(s->capture, row->name);
    experiment->topic = rl_capture_text(s->capture, row->topic);
    experiment->question = rl_capture_text(s->capture, row->question);
    experiment->explanation = rl_capture_text(s->capture, row->explanation);
    experiment->source = rl_capture_text(s->capture, row->source);
    size_t index = s->capture->experiment_count - 1;
    for (const struct rl_suite_claim *claim = row->claims; claim->id; claim++)
        add_claim(s, index, claim, row->source);
    return index;
}

static uint64_t size_of(const struct session *s, const struct rl_suite_experiment *experiment)
{
    if (s->options->size)
        return s->options->size;
    return s->options->quick ? experiment->quick_size : experiment->default_size;
}

static size_t add_variant(struct session *s, const struct rl_suite_item *item)
{
    size_t experiment = experiment_index(s, item->experiment);
    struct rl_variant *variant = rl_capture_add_variant(s->capture);
    uint64_t size = size_of(s, item->experiment);
    variant->experiment = experiment;
    variant->gpu = s->gpu;
    variant->name = rl_capture_text(s->capture, item->variant->name);
    variant->description = rl_capture_text(s->capture, item->variant->description);
    variant->size = size;
    variant->size_unit = rl_capture_text(s->capture, item->experiment->size_unit);
    variant->model_flop = rl_suite_model(item->variant, item->variant->flop, size);
    variant->model_bytes = rl_suite_model(item->variant, item->variant->bytes, size);
    variant->useful_bytes = rl_suite_model(item->variant, item->variant->useful_bytes, size);
    variant->operations = rl_suite_model(item->variant, item->variant->operations, size);
    variant->measure = rl_capture_text(s->capture, rl_measure_names[item->variant->measure]);
    return s->capture->variant_count - 1;
}

/* ---- counters ---- */

static void no_counters(struct session *s, enum rl_status status, const char *why)
{
    s->summary->counters = status;
    snprintf(s->summary->counters_text, sizeof s->summary->counters_text, "%s", why);
    s->capture->session.counters = rl_capture_text(s->capture, why);
    warn(s, why);
}

/* The state that counters have when they could not be collected for this reason. */
static enum rl_state missing_state(enum rl_status status)
{
    return status == RL_PERMISSION ? RL_NOT_PERMITTED : RL_NOT_COLLECTED;
}

/* Packs one configuration of the plan and appends the result to the session's. */
static enum rl_status add_configuration(struct session *s, const struct rl_collect_configuration *wanted, struct rl_err *err)
{
    struct rl_config *configs = NULL;
    size_t count = 0;
    bool *available = rl_calloc(wanted->counter_count, sizeof *available);
    enum rl_status status = rl_host_pack(s->profiler.chip, s->profiler.availability, wanted->name, wanted->counters,
                                         wanted->counter_count, available, &configs, &count, err);
    s->configs = rl_realloc(s->configs, s->config_count + count, sizeof *s->configs);
    s->passes = rl_realloc(s->passes, s->config_count + count, sizeof *s->passes);
    for (size_t i = 0; i < count; i++) {
        struct rl_pass *pass = rl_capture_add_pass(s->capture);
        pass->gpu = s->gpu;
        pass->configuration = rl_capture_text(s->capture, configs[i].name);
        pass->mode = rl_capture_text(s->capture, "user replay");
        pass->cache = rl_capture_text(s->capture, "warm");
        s->passes[s->config_count] = s->capture->pass_count - 1;
        s->configs[s->config_count++] = configs[i];
    }
    free(configs);
    free(available);
    return status;
}

/* Opens the profiler and packs the plan; without counters the session goes on with times. */
static void open_counters(struct session *s)
{
    struct rl_err err = RL_ERR_INIT;
    enum rl_status status = rl_cupti_open(NULL, &err);
    if (status == RL_OK)
        status = rl_range_open(&s->profiler, s->options->gpu, &err);
    if (s->profiler.chip)
        s->capture->gpus[s->gpu].chip = rl_capture_text(s->capture, s->profiler.chip);
    const struct rl_collect_configuration *wanted = NULL;
    size_t count = 0;
    s->options->plan(s->options->plan_context, s->profiler.chip, &wanted, &count);
    for (size_t i = 0; i < count && status == RL_OK; i++)
        status = add_configuration(s, &wanted[i], &err);
    s->summary->counters = status;
    if (status == RL_OK)
        s->capture->session.counters = rl_capture_text(s->capture, "collected");
    else
        no_counters(s, status, err.text);
}

static void store(struct session *s, size_t kernel, const char *name, struct rl_value value, size_t pass)
{
    if (rl_kernel_counter(&s->capture->kernels[kernel], name))
        return; /* a class launched several times in a run: its last launch stands for it */
    struct rl_counter *counter = rl_capture_add_counter(s->capture, kernel);
    counter->name = rl_capture_text(s->capture, name);
    counter->value = value;
    if (value.state != RL_PRESENT)
        counter->value.reason = rl_capture_text(s->capture, value.reason);
    counter->pass = pass;
}

/* How often a variant runs in a window; its last run counts. The others leave the caches as the timed runs found them: warm with
 * the variant's own data, not with its neighbour's. Runs of many launches warm themselves. */
static size_t runs_in_window(const struct pending *pending)
{
    enum { RUNS = 3, MANY_LAUNCHES = 16 };
    return pending->run.sequence_count > MANY_LAUNCHES ? 1 : RUNS;
}

/* Hands the values of the last run of each variant to the classes, a class's last launch first. */
static void store_run(struct session *s, size_t config, const struct pending *pending, const struct rl_value *values)
{
    const struct rl_config *c = &s->configs[config];
    for (size_t i = pending->run.sequence_count; i-- > 0;)
        for (size_t n = 0; n < c->counter_count; n++)
            store(s, pending->first_kernel + pending->run.sequence[i], c->counters[n], values[i * c->counter_count + n],
                  s->passes[config]);
}

static void store_window(struct session *s, size_t config, const struct rl_value *values)
{
    for (size_t p = 0; p < s->pending_count; p++) {
        const struct pending *pending = &s->pending[p];
        size_t counters = s->configs[config].counter_count, launches = pending->run.sequence_count;
        values += (runs_in_window(pending) - 1) * launches * counters;
        store_run(s, config, pending, values);
        values += launches * counters;
    }
}

static enum rl_status launch_pending(struct session *s, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    for (size_t p = 0; p < s->pending_count && status == RL_OK; p++) {
        struct rl_suite_run *run = &s->pending[p].run;
        nvtxRangePushA(s->capture->kernels[s->pending[p].first_kernel].nvtx);
        for (size_t i = 0; i < runs_in_window(&s->pending[p]) && status == RL_OK; i++)
            status = run->experiment->ops->launch(run, err);
        if (status == RL_OK)
            status = rl_device_wait(run->stream, err);
        nvtxRangePop();
    }
    return status;
}

static size_t pending_launches(const struct session *s)
{
    size_t launches = 0;
    for (size_t p = 0; p < s->pending_count; p++)
        launches += runs_in_window(&s->pending[p]) * s->pending[p].run.sequence_count;
    return launches;
}

static enum rl_status count_window(struct session *s, size_t config, struct rl_err *err)
{
    size_t launches = pending_launches(s);
    enum rl_status status = rl_range_begin(&s->profiler, &s->configs[config], launches, err);
    if (status != RL_OK)
        return status;
    struct rl_value *values = rl_calloc(launches * s->configs[config].counter_count, sizeof *values);
    enum rl_status launched = launch_pending(s, err);
    status = rl_range_end(&s->profiler, values, launched == RL_OK ? err : NULL);
    if (launched == RL_OK && status == RL_OK)
        store_window(s, config, values);
    free(values);
    return launched != RL_OK ? launched : status;
}

/* Marks every counter of the plan that a class does not have as missing for this reason. */
static void store_missing(struct session *s, size_t kernel, struct rl_value missing)
{
    const struct rl_collect_configuration *wanted = NULL;
    size_t count = 0;
    s->options->plan(s->options->plan_context, s->profiler.chip, &wanted, &count);
    for (size_t i = 0; i < count; i++)
        for (size_t n = 0; n < wanted[i].counter_count; n++)
            store(s, kernel, wanted[i].counters[n], missing, RL_NONE);
}

/* Why a counter of the plan is not there: the chip lacks it, or nothing could be collected. */
static struct rl_value absence(const struct session *s)
{
    enum rl_status status = s->summary->counters;
    return rl_value_missing(status == RL_OK ? RL_NOT_ON_CHIP : missing_state(status), NULL);
}

static enum rl_status save(struct session *s, struct rl_err *err) { return rl_capture_write(s->capture, s->path, err); }

/* Collects the counters of everything that waits, releases the device memory and writes the capture. */
static enum rl_status flush_pending(struct session *s, struct rl_err *err)
{
    struct rl_err why = RL_ERR_INIT;
    enum rl_status status = RL_OK;
    for (size_t c = 0; c < s->config_count && s->summary->counters == RL_OK && s->pending_count; c++)
        if (s->configs[c].counter_count && (status = count_window(s, c, &why)) != RL_OK)
            no_counters(s, status, why.text);
    for (size_t p = 0; p < s->pending_count; p++) {
        for (size_t k = 0; k < s->pending[p].kernel_count; k++)
            store_missing(s, s->pending[p].first_kernel + k, absence(s));
        s->pending[p].run.experiment->ops->teardown(&s->pending[p].run);
    }
    s->pending_count = 0;
    return save(s, err);
}

/* ---- one variant ---- */

static void set_status(struct session *s, size_t variant, enum rl_status status, const char *why)
{
    struct rl_variant *row = &s->capture->variants[variant];
    row->status = status == RL_UNSUPPORTED ? RL_VARIANT_UNSUPPORTED : RL_VARIANT_FAILED;
    row->reason = rl_capture_text(s->capture, why);
    if (row->status == RL_VARIANT_UNSUPPORTED)
        s->summary->variants_unsupported++;
    else
        s->summary->variants_failed++;
    rl_capture_log(s->capture, elapsed_ns(s), RL_LOG_WARNING, "%s/%s: %s", s->capture->experiments[row->experiment].name, row->name, why);
    s->summary->warnings++;
}

static enum rl_status check_requirements(const struct session *s, const struct rl_suite_variant *variant, struct rl_err *err)
{
    const struct rl_gpu *gpu = &s->capture->gpus[s->gpu];
    int cc = 10 * gpu->cc_major + gpu->cc_minor;
    if (cc < variant->min_cc)
        return rl_err_set(err, RL_UNSUPPORTED, "needs compute capability %d.%d, this card has %d.%d", variant->min_cc / 10,
                          variant->min_cc % 10, gpu->cc_major, gpu->cc_minor);
    if (variant->cooperative && gpu->fact[RL_FACT_cooperative_launch].v != 1)
        return rl_err_set(err, RL_UNSUPPORTED, "needs cooperative launch, which this card or driver does not have");
    return RL_OK;
}

static void store_check(struct session *s, size_t variant, const struct rl_suite_check *check)
{
    struct rl_variant *row = &s->capture->variants[variant];
    row->result = check->correct ? RL_RESULT_OK : RL_RESULT_WRONG;
    row->result_text = rl_capture_text(s->capture, check->text);
    if (!check->correct) {
        s->summary->variants_wrong++;
        rl_capture_log(s->capture, elapsed_ns(s), RL_LOG_ERROR, "%s/%s computed the wrong result: %s",
                       s->capture->experiments[row->experiment].name, row->name, check->text);
    }
}

static bool memory_is_short(const struct session *s)
{
    size_t available = 0, total = 0;
    return cudaMemGetInfo(&available, &total) == cudaSuccess && available < s->memory_floor;
}

static void progress(const struct session *s, size_t done, size_t total, const char *what)
{
    if (s->options->progress)
        s->options->progress(s->options->progress_context, done, total, what);
}

/* Sets up, verifies and times one variant; what succeeds waits for its counters. */
static enum rl_status measure(struct session *s, const struct rl_suite_item *item, size_t variant, struct rl_err *why)
{
    struct pending pending = {.run = {.experiment = item->experiment, .variant = item->variant, .size = s->capture->variants[variant].size,
                                      .seed = 1, .stream = s->stream, .sm_count = s->sm_count}};
    struct rl_suite_check check = {0};
    const struct rl_suite_ops *ops = item->experiment->ops;
    enum rl_status status = check_requirements(s, item->variant, why);
    if (status == RL_OK)
        status = ops->setup(&pending.run, why);
    if (status != RL_OK)
        return status;
    status = ops->verify(&pending.run, &check, why);
    if (status == RL_OK) {
        store_check(s, variant, &check);
        status = rl_time_variant(s->capture, variant, &pending.run, s->options->quick ? &rl_timing_quick : &rl_timing_full,
                                 &pending.first_kernel, &pending.kernel_count, why);
    }
    if (status != RL_OK) {
        ops->teardown(&pending.run);
        return status;
    }
    if (item->variant->measure == RL_BY_WALL || pending.kernel_count == 0) {
        for (size_t k = 0; k < pending.kernel_count; k++)
            store_missing(s, pending.first_kernel + k, rl_value_missing(RL_NOT_COLLECTED, "timed by the host's clock, not counted"));
        ops->teardown(&pending.run);
        return RL_OK;
    }
    RL_GROW(s->pending, s->pending_count + 1, s->pending_cap);
    s->pending[s->pending_count++] = pending;
    return RL_OK;
}

static enum rl_status collect_item(struct session *s, const struct rl_suite_item *item, struct rl_err *err)
{
    struct rl_err why = RL_ERR_INIT;
    size_t variant = add_variant(s, item), waiting = s->pending_count;
    char range[128];
    snprintf(range, sizeof range, "%s/%s", item->experiment->name, item->variant->name);
    nvtxRangePushA(range);
    enum rl_status status = measure(s, item, variant, &why);
    if (status == RL_UNSUPPORTED && waiting) {
        /* Perhaps only the waiting variants' memory was in the way. */
        enum rl_status flushed = flush_pending(s, err);
        status = flushed == RL_OK ? measure(s, item, variant, &why) : flushed;
    }
    nvtxRangePop();
    if (status == RL_OK)
        s->summary->variants_done++;
    else
        set_status(s, variant, status, why.text);
    return memory_is_short(s) ? flush_pending(s, err) : save(s, err);
}

/* ---- the session ---- */

static enum rl_status open_gpu(struct session *s, struct rl_err *err)
{
    int count = 0;
    enum rl_status status = rl_device_count(&count, err);
    if (status == RL_OK && (s->options->gpu < 0 || s->options->gpu >= count))
        status = rl_err_set(err, RL_USAGE, "there is no GPU %d: this machine has %d (0 to %d)", s->options->gpu, count, count - 1);
    if (status == RL_OK)
        status = rl_device_open(s->options->gpu, &s->stream, &s->sm_count, err);
    if (status != RL_OK)
        return status;
    size_t available = 0, total = 0;
    if (cudaMemGetInfo(&available, &total) == cudaSuccess)
        s->memory_floor = available / 2;
    rl_facts_session(s->capture);
    struct rl_gpu *gpu = rl_capture_add_gpu(s->capture);
    s->gpu = s->capture->gpu_count - 1;
    return rl_facts_gpu(s->capture, gpu, s->options->gpu, err);
}

static enum rl_status collect_items(struct session *s, const struct rl_suite_item *items, size_t count, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    rl_facts_moment(s->capture, s->gpu, "before", elapsed_ns(s));
    for (size_t i = 0; i < count && status == RL_OK; i++) {
        char what[160];
        snprintf(what, sizeof what, "%s/%s", items[i].experiment->name, items[i].variant->name);
        progress(s, i, count, what);
        status = collect_item(s, &items[i], err);
        bool last_of_experiment = i + 1 == count || items[i + 1].experiment != items[i].experiment;
        if (last_of_experiment)
            rl_facts_moment(s->capture, s->gpu, "during", elapsed_ns(s));
    }
    progress(s, count, count, "counters");
    if (status == RL_OK)
        status = flush_pending(s, err);
    rl_facts_moment(s->capture, s->gpu, "after", elapsed_ns(s));
    return status;
}

/* Marks the capture complete and puts it in its place. */
static enum rl_status finish(struct session *s, struct rl_err *err)
{
    s->capture->session.complete = true;
    enum rl_status status = rl_capture_write(s->capture, s->options->output, err);
    if (status == RL_OK && strcmp(s->path, s->options->output) != 0)
        remove(s->path);
    s->summary->wall_s = 1e-9 * (double)elapsed_ns(s);
    return status;
}

static void close_session(struct session *s)
{
    for (size_t p = 0; p < s->pending_count; p++)
        s->pending[p].run.experiment->ops->teardown(&s->pending[p].run);
    rl_range_close(&s->profiler);
    for (size_t c = 0; c < s->config_count; c++)
        rl_config_release(&s->configs[c]);
    free(s->configs);
    free(s->passes);
    free(s->pending);
    if (s->stream)
        rl_device_close(s->stream);
    rl_capture_free(s->capture);
    free(s->path);
}

/* A good file is replaced by a complete capture only; a new one may be seen while it grows. */
static char *growing_path(const char *output)
{
    if (!rl_path_exists(output))
        return rl_strdup(output);
    struct rl_buf path = RL_BUF_INIT;
    rl_buf_addf(&path, "%s.partial", output);
    return rl_buf_detach(&path, NULL);
}

enum rl_status rl_collect_suite(const struct rl_collect_options *options, struct rl_collect_summary *summary, struct rl_err *err)
{
    assert(options->output && options->plan && options->tool_version);
    *summary = (struct rl_collect_summary){0};
    struct session s = {.options = options, .summary = summary, .capture = rl_capture_new(), .path = growing_path(options->output)};
    clock_gettime(CLOCK_MONOTONIC, &s.start);
    struct rl_suite_item *items = NULL;
    size_t count = 0;
    enum rl_status status = rl_suite_select(options->selection, options->selection_count, &items, &count, err);
    if (status == RL_OK)
        status = rl_check_writable(options->output, err);
    if (status == RL_OK)
        status = open_gpu(&s, err);
    if (status == RL_OK) {
        add_command(&s);
        open_counters(&s);
        status = save(&s, err);
    }
    if (status == RL_OK)
        status = collect_items(&s, items, count, err);
    if (status == RL_OK)
        status = finish(&s, err);
    close_session(&s);
    free(items);
    return status;
}
