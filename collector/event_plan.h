/* event_plan.h - the back end `event`: which events are collected for a list of counters, and what follows from them. What
 * event_plan.c and event_values.c know of each other and event_groups.c of both. Private to the collector. */
#ifndef RL_COLLECTOR_EVENT_PLAN_H
#define RL_COLLECTOR_EVENT_PLAN_H

#include <stdbool.h>

#include "core/formula.h"
#include "event_api.h"
#include "range.h"

/* The device and context that a profiler is for: its counter-availability image. */
struct rl_event_device {
    CUcontext context;
    CUdevice device;
    int cc;       /* x 10 */
    int sm_count; /* 0: not known */
};

/* What a name of a formula stands for on the device. */
struct rl_event_operand {
    const char *name;            /* belongs to a formula */
    bool is_metric;              /* else: an event, or sm_count */
    uint32_t metric;             /* id */
    unsigned kind;               /* of its value */
    size_t *events, event_count; /* by their places in the plan; of sm_count: none */
};

/* What a configuration keeps (config->host). */
struct rl_event_plan {
    struct rl_event_device device;
    struct rl_formula **formulas; /* one for each counter */
    size_t counter_count;
    struct rl_event_operand *operands;
    size_t operand_count, operand_cap;
    uint32_t *events; /* ids, each once */
    size_t event_count, event_cap;
};

/* Which events the counters need on the device. RL_UNSUPPORTED when it lacks one of them. Release with rl_event_plan_free in every
 * case. */
enum rl_status rl_event_plan_make(struct rl_event_plan *plan, const struct rl_event_device *device, const char *const *counters,
                                  size_t count, struct rl_err *err);
/* Of a zeroed one, too; zeroes it. */
void rl_event_plan_free(struct rl_event_plan *plan);
/* The passes in which the events of the plan are collected. Free with cuptiEventGroupSetsDestroy. */
enum rl_status rl_event_plan_sets(const struct rl_event_plan *plan, struct rl_event_sets **sets, struct rl_err *err);

/* Puts what the groups of an enabled set have collected since it was enabled into raw[], one for each event of the plan, scaled to
 * all instances of its unit; RL_EVENT_OVERFLOW for what is more than a counter holds. */
enum rl_status rl_event_read_set(const struct rl_event_plan *plan, const struct rl_event_set *set, uint64_t *raw,
                                 struct rl_err *err);
/* Values of the plan's counters from its events. */
void rl_event_evaluate(const struct rl_event_plan *plan, const uint64_t *raw, struct rl_value *values);

#endif
