/* event_plan.c - from counters to events (event_plan.h). */
#include "event_plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "cupti_api.h"
#include "event_table.h"

static size_t place_of_event(struct rl_event_plan *plan, uint32_t id)
{
    size_t place = 0;
    while (place < plan->event_count && plan->events[place] != id)
        place++;
    if (place == plan->event_count) {
        RL_GROW(plan->events, plan->event_count + 1, plan->event_cap);
        plan->events[plan->event_count++] = id;
    }
    return place;
}

static void add_events(struct rl_event_plan *plan, struct rl_event_operand *operand, const uint32_t *ids, size_t count)
{
    operand->events = rl_calloc(count, sizeof *operand->events);
    operand->event_count = count;
    for (size_t i = 0; i < count; i++)
        operand->events[i] = place_of_event(plan, ids[i]);
}

static enum rl_status resolve_event(struct rl_event_plan *plan, struct rl_event_operand *operand, struct rl_err *err)
{
    uint32_t id = 0;
    const enum rl_status status =
        RL_EVENT(err, cuptiEventGetIdFromName, plan->device.device, operand->name + strlen(RL_EVENT_PREFIX), &id);
    if (status == RL_OK)
        add_events(plan, operand, &id, 1);
    return status;
}

static enum rl_status resolve_metric(struct rl_event_plan *plan, struct rl_event_operand *operand, struct rl_err *err)
{
    size_t size = sizeof operand->kind;
    uint32_t count = 0;
    operand->is_metric = true;
    enum rl_status status = RL_EVENT(err, cuptiMetricGetIdFromName, plan->device.device, operand->name, &operand->metric);
    if (status == RL_OK)
        status = RL_EVENT(err, cuptiMetricGetAttribute, operand->metric, RL_METRIC_KIND, &size, &operand->kind);
    if (status == RL_OK)
        status = RL_EVENT(err, cuptiMetricGetNumEvents, operand->metric, &count);
    if (status != RL_OK)
        return status;
    uint32_t *ids = rl_calloc(count, sizeof *ids);
    size = count * sizeof *ids;
    status = RL_EVENT(err, cuptiMetricEnumEvents, operand->metric, &size, ids);
    if (status == RL_OK)
        add_events(plan, operand, ids, size / sizeof *ids);
    free(ids);
    return status;
}

static bool is_event(const char *name)
{
    return strncmp(name, RL_EVENT_PREFIX, strlen(RL_EVENT_PREFIX)) == 0;
}

static enum rl_status add_operand(struct rl_event_plan *plan, const char *name, struct rl_err *err)
{
    for (size_t i = 0; i < plan->operand_count; i++)
        if (strcmp(plan->operands[i].name, name) == 0)
            return RL_OK;
    RL_GROW(plan->operands, plan->operand_count + 1, plan->operand_cap);
    struct rl_event_operand *operand = &plan->operands[plan->operand_count++];
    *operand = (struct rl_event_operand){.name = name};
    if (strcmp(name, RL_EVENT_SM_COUNT) == 0)
        return plan->device.sm_count > 0 ? RL_OK
                                         : rl_err_set(err, RL_UNSUPPORTED, "the driver does not say how many SMs there are");
    const enum rl_status status = is_event(name) ? resolve_event(plan, operand, err) : resolve_metric(plan, operand, err);
    return status == RL_OK ? RL_OK : rl_err_context(err, RL_UNSUPPORTED, "%s", name);
}

static enum rl_status add_counter(struct rl_event_plan *plan, size_t index, const char *counter, struct rl_err *err)
{
    const struct rl_event_row *row = rl_event_row(counter, plan->device.cc);
    if (!row)
        return rl_err_set(err, RL_UNSUPPORTED, "%s: %s", counter, rl_event_absent(counter, plan->device.cc));
    enum rl_status status = rl_formula_parse(row->formula, &plan->formulas[index], err);
    const char *const *names = NULL;
    const size_t count = status == RL_OK ? rl_formula_names(plan->formulas[index], &names) : 0;
    for (size_t i = 0; i < count && status == RL_OK; i++)
        status = add_operand(plan, names[i], err);
    return status == RL_OK ? RL_OK : rl_err_context(err, RL_UNSUPPORTED, "%s", counter);
}

enum rl_status rl_event_plan_make(struct rl_event_plan *plan, const struct rl_event_device *device, const char *const *counters,
                                  size_t count, struct rl_err *err)
{
    assert(device && counters && count > 0);
    *plan = (struct rl_event_plan){
        .device = *device, .formulas = rl_calloc(count, sizeof(struct rl_formula *)), .counter_count = count};
    enum rl_status status = rl_event_open(err);
    for (size_t i = 0; i < count && status == RL_OK; i++)
        status = add_counter(plan, i, counters[i], err);
    return status;
}

void rl_event_plan_free(struct rl_event_plan *plan)
{
    for (size_t i = 0; i < plan->operand_count; i++)
        free(plan->operands[i].events);
    for (size_t i = 0; i < plan->counter_count; i++)
        rl_formula_free(plan->formulas[i]);
    free(plan->formulas);
    free(plan->operands);
    free(plan->events);
    *plan = (struct rl_event_plan){0};
}

enum rl_status rl_event_plan_sets(const struct rl_event_plan *plan, struct rl_event_sets **sets, struct rl_err *err)
{
    *sets = NULL;
    return RL_EVENT(err, cuptiEventGroupSetsCreate, plan->device.context, plan->event_count * sizeof *plan->events, plan->events,
                    sets);
}
