/* range.c - windows, by whichever back end is in force (range.h). */
#include "range.h"

void rl_range_warm(void)
{
    RL_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, initialize);
    if (rl_backend()->id == RL_BACKEND_range)
        (void)RL_CUPTI(NULL, cuptiProfilerInitialize, &initialize);
}

enum rl_status rl_range_open(struct rl_range_profiler *profiler, CUcontext context, int device, struct rl_err *err)
{
    assert(context);
    *profiler = (struct rl_range_profiler){.backend = rl_backend(), .context = context, .device = device};
    rl_cupti_load_host();
    enum rl_status status = profiler->backend->open(profiler, err);
    return status != RL_OK && rl_cupti_load_target() ? profiler->backend->open(profiler, err) : status;
}

/* Forgets the window, whatever state it is in. */
static void drop_window(struct rl_range_profiler *profiler)
{
    if (profiler->backend)
        profiler->backend->drop(profiler);
    RL_FREE(profiler->image, profiler->spent, profiler->spare);
    profiler->image = profiler->spent = profiler->spare = NULL;
    profiler->config = NULL;
    profiler->joint = NULL;
}

bool rl_range_is_enabled(const struct rl_range_profiler *profiler)
{
    return profiler->joint && profiler->object;
}

size_t rl_range_distance(const struct rl_range_profiler *profiler, const struct rl_config *config)
{
    assert(profiler->joint && profiler->joint == config->joint);
    const size_t passes = profiler->joint->passes;
    return (config->pass + passes - profiler->next_pass) % passes;
}

void rl_range_rest(struct rl_range_profiler *profiler)
{
    assert(!profiler->config);
    drop_window(profiler);
}

void rl_range_close(struct rl_range_profiler *profiler)
{
    drop_window(profiler);
    RL_FREE(profiler->availability, profiler->chip);
    *profiler = (struct rl_range_profiler){0};
}

enum rl_status rl_range_begin(struct rl_range_profiler *profiler, const struct rl_config *config, size_t max_ranges,
                              enum rl_range_mode mode, struct rl_err *err)
{
    assert(profiler->backend && (config->host || config->joint) && config->counter_count > 0);
    assert(!profiler->config && max_ranges > 0);
    enum rl_status status = RL_FAILED;
    for (bool again = true; again; again = status != RL_OK && rl_cupti_load_target()) {
        profiler->config = config;
        profiler->max_ranges = max_ranges;
        profiler->marked = mode == RL_RANGE_MARKED;
        if ((status = profiler->backend->begin(profiler, mode, err)) != RL_OK)
            drop_window(profiler);
    }
    return status;
}

enum rl_status rl_range_push(struct rl_range_profiler *profiler, size_t number, struct rl_err *err)
{
    assert(profiler->config && number < profiler->max_ranges);
    char name[24];
    snprintf(name, sizeof name, "%zu", number);
    return profiler->backend->push(profiler, name, err);
}

enum rl_status rl_range_pop(struct rl_range_profiler *profiler, struct rl_err *err)
{
    assert(profiler->config);
    return profiler->backend->pop(profiler, err);
}

enum rl_status rl_range_next(struct rl_range_profiler *profiler, bool *again, struct rl_err *err)
{
    assert(profiler->config);
    return profiler->backend->next(profiler, again, err);
}

enum rl_status rl_range_end(struct rl_range_profiler *profiler, struct rl_value *values, struct rl_err *err)
{
    assert(profiler->config);
    for (size_t i = 0; i < profiler->max_ranges * profiler->config->counter_count; i++)
        values[i] = rl_value_missing(RL_VALUE_FAILED, "the range was not decoded");
    enum rl_status status = profiler->backend->end(profiler, values, err);
    if (status == RL_OK && profiler->config->joint && profiler->marked) {
        /* The window is over, and another one of the same image may follow. */
        profiler->joint = profiler->config->joint;
        profiler->next_pass = (profiler->config->pass + 1) % profiler->joint->passes;
        profiler->spent = profiler->image;
        profiler->spent_size = profiler->image_room;
        profiler->image = NULL;
        profiler->config = NULL;
    } else
        drop_window(profiler);
    return status;
}
