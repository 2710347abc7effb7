/* event_groups.c - the back end `event`: counters by groups of CUPTI's events (host.h says what these functions do). Without a
 * device it knows nothing: which events fit together, CUPTI says of a context. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "event_plan.h"
#include "event_table.h"
#include "event_windows.h"
#include "host.h"

static size_t chips(const char **names, size_t max)
{
    (void)names, (void)max;
    return 0;
}

static enum rl_status knows(const char *chip, const uint8_t *availability, struct rl_err *err)
{
    if (!availability)
        return rl_err_set(err, RL_UNSUPPORTED, "chip '%s': CUPTI lists its events only on a machine with such a card", chip);
    return rl_event_open(err);
}

/* The passes of a plan; 0: its events cannot be had. */
static size_t passes_of_plan(const struct rl_event_plan *plan, struct rl_err *err)
{
    struct rl_event_sets *sets = NULL;
    if (plan->event_count == 0 || rl_event_plan_sets(plan, &sets, err) != RL_OK)
        return 0;
    const size_t passes = sets->numSets;
    (void)rl_event.cuptiEventGroupSetsDestroy(sets);
    return passes;
}

static size_t passes_of(const char *chip, const uint8_t *availability, const char *const *counters, size_t count)
{
    const struct rl_event_device *device = (const void *)availability;
    struct rl_event_plan plan = {0};
    size_t passes = 0;
    (void)chip;
    if (device && rl_event_plan_make(&plan, device, counters, count, NULL) == RL_OK)
        passes = passes_of_plan(&plan, NULL);
    rl_event_plan_free(&plan);
    return passes;
}

static bool list(const char *chip, const uint8_t *availability, const char *const *counters, size_t count, bool *available)
{
    const struct rl_event_device *device = (const void *)availability;
    (void)chip;
    for (size_t i = 0; device && i < count; i++) {
        struct rl_event_plan plan = {0};
        available[i] = rl_event_plan_make(&plan, device, &counters[i], 1, NULL) == RL_OK;
        rl_event_plan_free(&plan);
    }
    return device != NULL;
}

static enum rl_status finish(struct rl_config *config, const char *chip, const uint8_t *availability, size_t most,
                             struct rl_err *err)
{
    assert(!config->host && config->counter_count > 0);
    struct rl_event_plan *plan = rl_calloc(1, sizeof *plan);
    enum rl_status status = knows(chip, availability, err);
    config->host = plan;
    if (status == RL_OK)
        status = rl_event_plan_make(plan, (const void *)availability, config->counters, config->counter_count, err);
    const size_t passes = status == RL_OK ? passes_of_plan(plan, err) : 0;
    if (status == RL_OK && (passes < 1 || passes > most))
        status = rl_err_set(err, RL_UNSUPPORTED, "counter configuration '%s' takes %zu passes on %s", config->name, passes, chip);
    return status;
}

static void release(struct rl_config *config)
{
    rl_event_plan_free(config->host);
    free(config->host);
}

static const char *why_not(const uint8_t *availability, const char *counter)
{
    const struct rl_event_device *device = (const void *)availability;
    return device ? rl_event_why_not(counter, device->cc) : NULL;
}

static const char *differs(const uint8_t *availability, const char *counter)
{
    const struct rl_event_device *device = (const void *)availability;
    const struct rl_event_row *row = device ? rl_event_row(counter, device->cc) : NULL;
    return row ? row->differs : NULL;
}

const struct rl_backend rl_backend_event = {
    .id = RL_BACKEND_event,
    .in_rounds = true,
    .chips = chips,
    .knows = knows,
    .passes = passes_of,
    .list = list,
    .finish = finish,
    .release = release,
    .why_not = why_not,
    .differs = differs,
    .open = rl_event_windows_open,
    .begin = rl_event_windows_begin,
    .push = rl_event_windows_push,
    .pop = rl_event_windows_pop,
    .next = rl_event_windows_next,
    .end = rl_event_windows_end,
    .drop = rl_event_windows_drop,
};
