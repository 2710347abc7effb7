/* count.c - counters. Variants stay set up on the device until their counters are taken together, because opening a window of the
 * range profiler costs about 0.2 s and a launch in it about a millisecond. */
#include <assert.h>
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "session.h"

static void no_counters(struct rl_collecting *s, enum rl_status status, const char *why)
{
    s->summary->counters = status;
    snprintf(s->summary->counters_text, sizeof s->summary->counters_text, "%s", why);
    s->capture->session.counters = rl_capture_text(s->capture, why);
    rl_warn(s, "%s", why);
}

/* The state that counters have when they could not be collected for this reason. */
static enum rl_state missing_state(enum rl_status status)
{
    return status == RL_PERMISSION ? RL_NOT_PERMITTED : RL_NOT_COLLECTED;
}

/* Packs one configuration of the plan and appends the result to the session's. */
static enum rl_status add_configuration(struct rl_collecting *s, const struct rl_collect_configuration *wanted, struct rl_err *err)
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
void rl_count_open(struct rl_collecting *s)
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

static void store(struct rl_collecting *s, size_t kernel, const char *name, struct rl_value value, size_t pass)
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
static size_t runs_in_window(const struct rl_pending *pending)
{
    enum { RUNS = 3, MANY_LAUNCHES = 16 };
    return pending->run.sequence_count > MANY_LAUNCHES ? 1 : RUNS;
}

/* Hands the values of the last run of each variant to the classes, a class's last launch first. */
static void store_run(struct rl_collecting *s, size_t config, const struct rl_pending *pending, const struct rl_value *values)
{
    const struct rl_config *c = &s->configs[config];
    for (size_t i = pending->run.sequence_count; i-- > 0;)
        for (size_t n = 0; n < c->counter_count; n++)
            store(s, pending->first_kernel + pending->run.sequence[i], c->counters[n], values[i * c->counter_count + n],
                  s->passes[config]);
}

static void store_window(struct rl_collecting *s, size_t config, const struct rl_value *values)
{
    for (size_t p = 0; p < s->pending_count; p++) {
        const struct rl_pending *pending = &s->pending[p];
        size_t counters = s->configs[config].counter_count, launches = pending->run.sequence_count;
        values += (runs_in_window(pending) - 1) * launches * counters;
        store_run(s, config, pending, values);
        values += launches * counters;
    }
}

static enum rl_status launch_pending(struct rl_collecting *s, struct rl_err *err)
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

static size_t pending_launches(const struct rl_collecting *s)
{
    size_t launches = 0;
    for (size_t p = 0; p < s->pending_count; p++)
        launches += runs_in_window(&s->pending[p]) * s->pending[p].run.sequence_count;
    return launches;
}

static enum rl_status count_window(struct rl_collecting *s, size_t config, struct rl_err *err)
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
void rl_count_missing(struct rl_collecting *s, size_t kernel, struct rl_value missing)
{
    const struct rl_collect_configuration *wanted = NULL;
    size_t count = 0;
    s->options->plan(s->options->plan_context, s->profiler.chip, &wanted, &count);
    for (size_t i = 0; i < count; i++)
        for (size_t n = 0; n < wanted[i].counter_count; n++)
            store(s, kernel, wanted[i].counters[n], missing, RL_NONE);
}

/* Why a counter of the plan is not there: the chip lacks it, or nothing could be collected. */
static struct rl_value absence(const struct rl_collecting *s)
{
    enum rl_status status = s->summary->counters;
    return rl_value_missing(status == RL_OK ? RL_NOT_ON_CHIP : missing_state(status), NULL);
}

void rl_count_later(struct rl_collecting *s, const struct rl_pending *pending)
{
    RL_GROW(s->pending, s->pending_count + 1, s->pending_cap);
    s->pending[s->pending_count++] = *pending;
}

enum rl_status rl_count_pending(struct rl_collecting *s, struct rl_err *err)
{
    struct rl_err why = RL_ERR_INIT;
    enum rl_status status = RL_OK;
    for (size_t c = 0; c < s->config_count && s->summary->counters == RL_OK && s->pending_count; c++)
        if (s->configs[c].counter_count && (status = count_window(s, c, &why)) != RL_OK)
            no_counters(s, status, why.text);
    for (size_t p = 0; p < s->pending_count; p++) {
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
    free(s->configs);
    free(s->passes);
    free(s->pending);
}
