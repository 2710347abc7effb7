/* each.c - values that follow from several printed ones of the same launch. The product of two averages is not the average of the
 * products: what is multiplied is multiplied launch by launch, and the results are averaged as printed values are. */
#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "core/mem.h"
#include "model.h"

/* The input of the formulas: one launch. */
struct view {
    const struct rl_model *model;
    const struct rl_launch *launch;
};

static struct rl_value value_of(const struct rl_launch_value_ *value)
{
    return value->missing ? rl_value_missing(RL_NOT_ON_CHIP, NULL) : rl_value_of(value->value);
}

static struct rl_value look_up(void *context, const char *name)
{
    static const enum rl_counter_kind kinds[] = {RL_FOREIGN, RL_COUNTER};
    const struct view *view = context;
    uint32_t slot;

    if (strcmp(name, "time_s") == 0)
        return isnan(view->launch->duration_s) ? rl_value_missing(RL_NOT_ON_CHIP, NULL) : rl_value_of(view->launch->duration_s);
    if (rl_metric_find(name) < RL_METRIC_COUNT) {
        for (size_t i = 0; i < view->launch->metric_count; i++) {
            const struct rl_launch_value_ *value = &view->launch->values[view->launch->metrics[i]];
            if (strcmp(view->model->targets.slots[value->slot].name, name) == 0)
                return value_of(value);
        }
        return rl_value_missing(RL_NOT_ON_CHIP, NULL);
    }
    for (size_t k = 0; k < RL_COUNT(kinds); k++) {
        const bool known = rl_targets_find_slot(&view->model->targets, kinds[k], name, &slot);
        const uint32_t at = known && slot < view->model->at_cap ? view->model->at[slot] : 0;
        if (at)
            return value_of(&view->launch->values[at - 1]);
    }
    return rl_value_missing(RL_NOT_ON_CHIP, NULL);
}

void rl_each_derive(struct rl_model *model, rl_each_add add)
{
    const struct rl_launch *launch = &model->launch;
    struct view view = {model, launch};
    enum rl_destination destination;
    const char *target;
    bool timed = false; /* the first that gives a duration counts */

    if (launch->launches != 1 || launch->repeated || !launch->value_count) /* what is an average already stays one */
        return;
    for (size_t row = 0; (target = rl_derivation_target(row, &destination)); row++) {
        if (!rl_derivation_each(row) || (strcmp(target, "pass_duration_s") == 0 && (launch->duration_s > 0 || timed)))
            continue;
        const struct rl_value value = rl_derivation_value(model->derivations, row, look_up, &view);
        if (!rl_present(value))
            continue;
        timed |= strcmp(target, "pass_duration_s") == 0;
        add(model, destination == RL_TO_COUNTER ? RL_COUNTER : RL_METRIC_VALUE, target, value.v);
    }
}
