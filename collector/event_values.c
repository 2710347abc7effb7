/* event_values.c - from what groups of events have counted to values of counters (event_plan.h). */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "cupti_api.h"
#include "event_plan.h"
#include "event_table.h"

/* ---- reading ---- */

static enum rl_status ask_group(void *group, unsigned what, uint32_t *value, struct rl_err *err)
{
    size_t size = sizeof *value;
    return RL_EVENT(err, cuptiEventGroupGetAttribute, group, what, &size, value);
}

/* Instances of the group's unit: `read` of them are, of `all` on the device. */
static enum rl_status ask_instances(const struct rl_event_plan *plan, void *group, uint32_t *read, uint32_t *all,
                                    struct rl_err *err)
{
    uint32_t domain = 0;
    size_t size = sizeof *all;
    enum rl_status status = ask_group(group, RL_EVENT_GROUP_INSTANCES, read, err);
    if (status == RL_OK)
        status = ask_group(group, RL_EVENT_GROUP_DOMAIN, &domain, err);
    if (status == RL_OK)
        status = RL_EVENT(err, cuptiDeviceGetEventDomainAttribute, plan->device.device, domain, RL_EVENT_DOMAIN_TOTAL_INSTANCES,
                          &size, all);
    if (status == RL_OK && *read == 0)
        status = rl_err_set(err, RL_FAILED, "a group of events has no instance on this GPU");
    return status;
}

/* The sum over the instances that were read, scaled to all; never the number that stands for an overflow otherwise. */
static uint64_t whole(const uint64_t *values, uint32_t read, uint32_t all)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < read; i++) {
        if (values[i] > RL_EVENT_OVERFLOW - 1 - sum)
            return RL_EVENT_OVERFLOW;
        sum += values[i];
    }
    return read == all ? sum : (uint64_t)((double)sum * all / read + 0.5);
}

static void keep(const struct rl_event_plan *plan, uint32_t id, uint64_t value, uint64_t *raw)
{
    for (size_t i = 0; i < plan->event_count; i++)
        if (plan->events[i] == id)
            raw[i] = value; /* CUPTI collects each event once */
}

static enum rl_status read_events(const struct rl_event_plan *plan, void *group, const uint32_t *ids, size_t count, uint64_t *raw,
                                  struct rl_err *err)
{
    uint32_t read = 0, all = 0;
    enum rl_status status = ask_instances(plan, group, &read, &all, err);
    if (status != RL_OK)
        return status;
    uint64_t *values = rl_calloc(read, sizeof *values);
    for (size_t i = 0; i < count && status == RL_OK; i++) {
        size_t size = read * sizeof *values;
        status = RL_EVENT(err, cuptiEventGroupReadEvent, group, 0, ids[i], &size, values);
        if (status == RL_OK)
            keep(plan, ids[i], whole(values, (uint32_t)(size / sizeof *values), all), raw);
    }
    free(values);
    return status;
}

static enum rl_status read_group(const struct rl_event_plan *plan, void *group, uint64_t *raw, struct rl_err *err)
{
    uint32_t count = 0;
    enum rl_status status = ask_group(group, RL_EVENT_GROUP_COUNT, &count, err);
    if (status != RL_OK)
        return status;
    uint32_t *ids = rl_calloc(count, sizeof *ids);
    size_t size = count * sizeof *ids;
    status = RL_EVENT(err, cuptiEventGroupGetAttribute, group, RL_EVENT_GROUP_EVENTS, &size, ids);
    if (status == RL_OK)
        status = read_events(plan, group, ids, size / sizeof *ids, raw, err);
    free(ids);
    return status;
}

enum rl_status rl_event_read_set(const struct rl_event_plan *plan, const struct rl_event_set *set, uint64_t *raw,
                                 struct rl_err *err)
{
    enum rl_status status = RL_OK;
    for (uint32_t g = 0; g < set->numEventGroups && status == RL_OK; g++)
        status = read_group(plan, set->eventGroups[g], raw, err);
    return status;
}

/* ---- evaluating ---- */

struct evaluation {
    const struct rl_event_plan *plan;
    const uint64_t *raw;
};

static struct rl_value number_of(const union rl_metric_value *value, unsigned kind)
{
    switch (kind) {
    case RL_METRIC_OF_DOUBLE:
        return rl_value_of(value->metricValueDouble);
    case RL_METRIC_OF_UINT64:
        return rl_value_of((double)value->metricValueUint64);
    case RL_METRIC_OF_PERCENT:
        return rl_value_of(value->metricValuePercent);
    case RL_METRIC_OF_INT64:
        return rl_value_of((double)value->metricValueInt64);
    default: /* throughputs need a time, levels of utilisation are no quantities: no formula has them */
        return rl_value_missing(RL_VALUE_FAILED, "CUPTI's metric is of another kind than was expected");
    }
}

static struct rl_value value_of_metric(const struct rl_event_plan *plan, const struct rl_event_operand *operand,
                                       const uint64_t *raw)
{
    const size_t count = operand->event_count;
    uint32_t *ids = rl_calloc(count, sizeof *ids);
    uint64_t *values = rl_calloc(count, sizeof *values);
    union rl_metric_value value = {0};
    for (size_t i = 0; i < count; i++) {
        ids[i] = plan->events[operand->events[i]];
        values[i] = raw[operand->events[i]];
    }
    const int code = rl_event.cuptiMetricGetValue(plan->device.device, operand->metric, count * sizeof *ids, ids,
                                                  count * sizeof *values, values, 0, &value);
    free(values);
    free(ids);
    return code == CUPTI_SUCCESS                      ? number_of(&value, operand->kind)
           : code == CUPTI_ERROR_INVALID_METRIC_VALUE ? rl_value_missing(RL_UNDEFINED, "CUPTI gives the metric no value")
                                                      : rl_value_missing(RL_VALUE_FAILED, "CUPTI could not work the metric out");
}

static struct rl_value value_of_operand(void *context, const char *name)
{
    const struct evaluation *evaluation = context;
    const struct rl_event_plan *plan = evaluation->plan;
    size_t index = 0;
    while (strcmp(plan->operands[index].name, name) != 0)
        index++;
    assert(index < plan->operand_count);
    const struct rl_event_operand *operand = &plan->operands[index];
    for (size_t i = 0; i < operand->event_count; i++)
        if (evaluation->raw[operand->events[i]] == RL_EVENT_OVERFLOW)
            return rl_value_missing(RL_VALUE_FAILED, "a counter of the GPU ran over");
    if (operand->is_metric)
        return value_of_metric(plan, operand, evaluation->raw);
    return rl_value_of(operand->event_count ? (double)evaluation->raw[operand->events[0]] : (double)plan->device.sm_count);
}

void rl_event_evaluate(const struct rl_event_plan *plan, const uint64_t *raw, struct rl_value *values)
{
    struct evaluation evaluation = {plan, raw};
    for (size_t i = 0; i < plan->counter_count; i++)
        values[i] = rl_formula_eval(plan->formulas[i], value_of_operand, &evaluation, NULL);
}
