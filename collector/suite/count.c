/* count.c - counters. Variants stay set up on the device until their counters are taken together, because opening a window of the
 * range profiler costs about 0.2 s and a launch in it about a millisecond. */
#include <nvtx3/nvToolsExt.h>

#include "core/formula.h"
#include "session.h"
#include "tracer.h"

static void no_counters(struct rl_collecting *s, enum rl_status status, const char *why)
{
    s->summary->counters = status;
    snprintf(s->summary->counters_text, sizeof s->summary->counters_text, "%s", why);
    s->capture->session.counters = rl_capture_text(s->capture, why);
    rl_warn(s, "%s", why);
}

/* Packs configuration `index` of the plan unless that is done. */
static enum rl_status pack(struct rl_collecting *s, size_t index, struct rl_err *err)
{
    const struct rl_configuration *wanted = &s->wanted[index];
    struct rl_packed *packed = &s->packed[index];
    struct rl_config *parts = NULL;
    if (packed->count > 0)
        return RL_OK;
    RL_FREED bool *available = rl_calloc(wanted->counter_count, sizeof *available);
    packed->first = s->config_count;
    enum rl_status status =
        rl_host_pack(s->profiler.chip, s->profiler.availability, wanted, available, &parts, &packed->count, err);
    /* Appends the parts of a packed configuration to the session's, with a pass of the capture for each. */
    size_t count = packed->count;
    s->configs = rl_realloc(s->configs, s->config_count + count, sizeof *s->configs);
    s->passes = rl_realloc(s->passes, s->config_count + count, sizeof *s->passes);
    for (size_t i = 0; i < count; i++) {
        struct rl_pass *pass = rl_capture_add_pass(s->capture);
        pass->gpu = s->gpu;
        pass->configuration = rl_capture_text(s->capture, parts[i].name);
        pass->mode = rl_capture_text(s->capture, rl_backend_mode("user replay", (char[RL_MODE_SIZE]){0}));
        pass->cache = rl_capture_text(s->capture, "warm");
        s->passes[s->config_count] = s->capture->pass_count - 1;
        s->configs[s->config_count++] = parts[i];
    }
    free(parts);
    return status;
}

/* Opens the profiler and packs what every launch gets; without counters the session goes on with times. */
void rl_count_open(struct rl_collecting *s)
{
    struct rl_err err = RL_ERR_INIT;
    enum rl_status status = rl_cupti_open(NULL, &err);
    CUcontext context = NULL;
    RL_THEN(status, rl_backend_choose(s->cc, s->options->backend, &err));
    RL_THEN(status, rl_current_context(&context, &err));
    RL_THEN(status, rl_range_open(&s->profiler, context, s->options->gpu, &err));
    if (s->profiler.chip)
        s->capture->gpus[s->gpu].chip = rl_capture_text(s->capture, s->profiler.chip);
    s->options->plan(s->options->plan_context, s->profiler.chip, &s->wanted, &s->wanted_count);
    s->packed = rl_calloc(s->wanted_count, sizeof *s->packed);
    for (size_t i = 0; i < s->wanted_count && status == RL_OK; i++)
        if (!s->wanted[i].when)
            status = pack(s, i, &err);
    s->summary->counters = status;
    if (status == RL_OK)
        s->capture->session.counters = rl_capture_text(s->capture, RL_COUNTERS_COLLECTED);
    else
        no_counters(s, status, err.text);
}

/* How often the class has the counter already: of any pass, or with `of_pass` of this one. */
static size_t times_stored(const struct rl_kernel *kernel, const char *name, size_t pass, bool of_pass)
{
    return RL_SUM(size_t, i, kernel->counter_count,
                  strcmp(kernel->counters[i].name, name) == 0 && (!of_pass || kernel->counters[i].pass == pass));
}

static bool is_witness(const struct rl_configuration *wanted, const char *name)
{
    for (const char *const *witness = wanted->witnesses; witness && *witness; witness++)
        if (strcmp(*witness, name) == 0)
            return true;
    return false;
}

static void add_counter(struct rl_collecting *s, size_t kernel, const char *name, struct rl_value value, size_t pass)
{
    struct rl_counter *counter = rl_capture_add_counter(s->capture, kernel);
    counter->name = rl_capture_text(s->capture, name);
    counter->value = rl_capture_value(s->capture, value);
    counter->pass = pass;
}

/* A class launched several times in a run: its last launch, which comes first here, stands for it. */
static void store(struct rl_collecting *s, size_t kernel, const char *name, struct rl_value value, size_t pass, bool of_pass)
{
    if (times_stored(&s->capture->kernels[kernel], name, pass, of_pass) == 0)
        add_counter(s, kernel, name, value, pass);
}

/* GPU time of one run of the variant, as it was timed. */
static double run_ns(const struct rl_collecting *s, const struct rl_pending *pending)
{
    double sum = 0;
    for (size_t k = pending->first_kernel; k < pending->first_kernel + pending->kernel_count; k++) {
        const struct rl_kernel *kernel = &s->capture->kernels[k];
        if (kernel->launches)
            sum += (double)kernel->total_ns / (double)kernel->launches * (double)kernel->launches_per_run;
    }
    return sum;
}

/* How often a variant runs in a window of `wanted`; its last run counts, and the one before it is the second reading of the
 * witnesses. One before those leaves the caches as the timed runs found them, where that matters: warm with the variant's own data,
 * not with its neighbour's. Runs of many launches warm themselves. Instrumented code is tens of times slower than the code itself,
 * so what takes long without it runs once. In a `further` pass of the same counters the run that warms is the second reading, too.
 */
static size_t runs_in_window(const struct rl_collecting *s, const struct rl_configuration *wanted, bool further,
                             const struct rl_pending *pending)
{
    enum { RUNS = 3, FEWER_RUNS = 2, MANY_LAUNCHES = 16 };
    static const double long_ns = 1e6;
    if (pending->run.sequence_count > MANY_LAUNCHES || (wanted->of_instructions && run_ns(s, pending) > long_ns))
        return 1;
    return wanted->of_instructions || further ? FEWER_RUNS : RUNS;
}

/* Launches of a run of the variant in a window. */
static size_t launches_in_run(const struct rl_pending *pending)
{
    assert(pending->run.skipped < pending->run.sequence_count);
    return pending->run.sequence_count - pending->run.skipped;
}

/* The class of launch `i` of those. */
static size_t class_of(const struct rl_pending *pending, size_t i)
{
    return pending->first_kernel + pending->run.sequence[pending->run.skipped + i];
}

/* Only the witnesses of the run before the last one are kept, once for each class. */
static void store_witnesses(struct rl_collecting *s, size_t config, const struct rl_pending *pending, const struct rl_value *values)
{
    const struct rl_config *c = &s->configs[config];
    for (size_t i = launches_in_run(pending); i-- > 0;)
        for (size_t n = 0; n < c->counter_count; n++) {
            const size_t kernel = class_of(pending, i), pass = s->passes[config];
            if (is_witness(c->wanted, c->counters[n]) &&
                times_stored(&s->capture->kernels[kernel], c->counters[n], pass, true) == 1)
                add_counter(s, kernel, c->counters[n], values[i * c->counter_count + n], pass);
        }
}

/* ---- which launches a configuration is for ---- */

static struct rl_value counter_of(void *context, const char *name)
{
    const struct rl_counter *counter = rl_kernel_counter(context, name);
    return counter ? counter->value : rl_value_missing(RL_NOT_ON_CHIP, NULL);
}

/* Whether the class is one that `wanted` is to be collected for, by the counters that it has so far. */
static bool is_for_kernel(const struct rl_collecting *s, const struct rl_configuration *wanted, size_t kernel)
{
    struct rl_formula *formula = NULL;
    if (!wanted->when)
        return true;
    if (rl_formula_parse(wanted->when, &formula, NULL) != RL_OK)
        return false;
    struct rl_value value = rl_formula_eval(formula, counter_of, &s->capture->kernels[kernel], NULL);
    rl_formula_free(formula);
    return rl_positive(value);
}

/* Marks the waiting variants that the configuration is for; returns their launches in the window of its first or a further pass. */
static size_t choose_pending(struct rl_collecting *s, const struct rl_configuration *wanted, bool further)
{
    size_t launches = 0;
    for (size_t p = 0; p < s->pending_count; p++) {
        struct rl_pending *pending = &s->pending[p];
        bool any = false;
        for (size_t k = 0; k < pending->kernel_count && !any; k++)
            any = is_for_kernel(s, wanted, pending->first_kernel + k);
        pending->runs = any ? runs_in_window(s, wanted, further, pending) : 0;
        launches += pending->runs * launches_in_run(pending);
    }
    return launches;
}

/* ---- a window ---- */

static void store_window(struct rl_collecting *s, size_t config, const struct rl_value *values)
{
    for (size_t p = 0; p < s->pending_count; p++) {
        const struct rl_pending *pending = &s->pending[p];
        if (pending->runs == 0)
            continue;
        size_t counters = s->configs[config].counter_count, launches = launches_in_run(pending);
        values += (pending->runs - 1) * launches * counters;
        const struct rl_config *c = &s->configs[config];
        for (size_t i = launches_in_run(pending); i-- > 0;)
            for (size_t n = 0; n < c->counter_count; n++)
                store(s, class_of(pending, i), c->counters[n], values[i * c->counter_count + n], s->passes[config],
                      is_witness(c->wanted, c->counters[n]));
        if (pending->runs > 1)
            store_witnesses(s, config, pending, values - launches * counters);
        values += launches * counters;
    }
}

/* One run configuration over the chosen variants, which make `launches` launches. */
static enum rl_status count_window(struct rl_collecting *s, size_t config, size_t launches, struct rl_err *err)
{
    assert(config < s->config_count && launches > 0);
    RL_TRY(rl_range_begin(&s->profiler, &s->configs[config], launches, RL_RANGE_LAUNCHES, err));
    RL_FREED struct rl_value *values = rl_calloc(launches * s->configs[config].counter_count, sizeof *values);
    /* The launches of a window, as often as its configuration has passes. */
    enum rl_status launched = RL_OK;
    for (bool again = true; launched == RL_OK && again;) {
        launched = RL_OK;
        for (size_t p = 0; p < s->pending_count && launched == RL_OK; p++) {
            struct rl_suite_run *run = &s->pending[p].run;
            if (s->pending[p].runs == 0)
                continue;
            nvtxRangePushA(s->capture->kernels[s->pending[p].first_kernel].nvtx);
            for (size_t i = 0; i < s->pending[p].runs && launched == RL_OK; i++) {
                run->enqueued = 0;
                launched = run->experiment->ops->launch(run, err);
            }
            RL_THEN(launched, rl_device_wait(run->stream, err));
            nvtxRangePop();
        }
        RL_THEN(launched, rl_range_next(&s->profiler, &again, err));
    }
    enum rl_status status = rl_range_end(&s->profiler, values, launched == RL_OK ? err : NULL);
    if (launched == RL_OK && status == RL_OK)
        store_window(s, config, values);
    return launched != RL_OK ? launched : status;
}

/* Marks every counter of the plan that a class does not have as missing for this reason. */
void rl_count_missing(struct rl_collecting *s, size_t kernel, struct rl_value missing)
{
    assert(kernel < s->capture->kernel_count && !rl_present(missing));
    for (size_t i = 0; i < s->wanted_count; i++)
        for (size_t n = 0; n < s->wanted[i].counter_count && is_for_kernel(s, &s->wanted[i], kernel); n++) {
            struct rl_value why = missing;
            if (missing.state == RL_NOT_ON_CHIP)
                why = rl_value_missing(RL_NOT_ON_CHIP, NULL);
            store(s, kernel, s->wanted[i].counters[n], why, RL_NONE, false);
        }
}

/* Why a counter of the plan is not there: the chip lacks it, or nothing could be collected. */
static struct rl_value absence(const struct rl_collecting *s)
{
    enum rl_status status = s->summary->counters;
    return rl_value_missing(status == RL_OK ? RL_NOT_ON_CHIP : status == RL_PERMISSION ? RL_NOT_PERMITTED : RL_NOT_COLLECTED, NULL);
}

void rl_count_later(struct rl_collecting *s, const struct rl_pending *pending)
{
    assert(pending->kernel_count > 0 && pending->first_kernel + pending->kernel_count <= s->capture->kernel_count);
    RL_GROW(s->pending, s->pending_count + 1, s->pending_cap);
    s->pending[s->pending_count] = *pending;
    s->pending[s->pending_count++].run.skipped = rl_suite_repeats(&pending->run);
}

/* Counts what waits under all parts of configuration `index` of the plan. */
static enum rl_status count_wanted(struct rl_collecting *s, size_t index, struct rl_err *err)
{
    size_t launches = choose_pending(s, &s->wanted[index], false);
    enum rl_status status = launches ? pack(s, index, err) : RL_OK;
    const enum rl_collect_phase before = rl_enter(s, s->wanted[index].of_instructions ? RL_PHASE_INSTRUMENTING : RL_PHASE_COUNTING);
    for (size_t c = 0; launches && status == RL_OK && c < s->packed[index].count; c++) {
        launches = choose_pending(s, &s->wanted[index], c > 0);
        if (s->configs[s->packed[index].first + c].counter_count)
            status = count_window(s, s->packed[index].first + c, launches, err);
    }
    rl_enter(s, before);
    return status;
}

static enum rl_status launch_trial(void *context, struct rl_err *err)
{
    struct rl_suite_run *run = context;
    run->enqueued = 0;
    return run->experiment->ops->launch(run, err);
}

/* Measures what recording kernels adds to them, and tries it on the variant. A failure is a warning. */
static void measure_tracer(struct rl_collecting *s, struct rl_pending *pending)
{
    const struct rl_kernel *kernel = &s->capture->kernels[pending->first_kernel];
    const struct rl_tracer_trial trial = {
        .launch = launch_trial, .context = &pending->run, .warps = rl_launch_warps(kernel->grid, kernel->block)};
    struct rl_tracer tracer;
    struct rl_err why = RL_ERR_INIT;
    assert(pending->kernel_count == 1 && launches_in_run(pending) == 1);
    if (rl_tracer_measure(&s->profiler, s->stream, &trial, &tracer, &why) != RL_OK)
        rl_warn(s, "what recording kernels adds to them could not be measured: %s", why.text);
    rl_tracer_store(&tracer, s->gpu, s->capture);
}

enum rl_status rl_count_pending(struct rl_collecting *s, struct rl_err *err)
{
    struct rl_err why = RL_ERR_INIT;
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < s->wanted_count && s->summary->counters == RL_OK && s->pending_count; i++)
        if ((status = count_wanted(s, i, &why)) != RL_OK)
            no_counters(s, status, why.text);
    for (size_t p = 0; p < s->pending_count; p++) {
        if (s->pending[p].run.variant->traced && s->summary->counters == RL_OK && s->capture->tracer_count == 0)
            measure_tracer(s, &s->pending[p]);
        for (size_t k = 0; k < s->pending[p].kernel_count; k++)
            rl_count_missing(s, s->pending[p].first_kernel + k, absence(s));
        s->pending[p].run.experiment->ops->teardown(&s->pending[p].run);
    }
    s->pending_count = 0;
    return rl_save(s, err);
}

void rl_count_close(struct rl_collecting *s)
{
    for (size_t p = 0; p < s->pending_count; p++)
        s->pending[p].run.experiment->ops->teardown(&s->pending[p].run);
    rl_range_close(&s->profiler);
    for (size_t c = 0; c < s->config_count; c++)
        rl_config_release(&s->configs[c]);
    RL_FREE(s->configs, s->packed, s->passes, s->pending);
}
