#include "analysis/plan.h"

#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "internal.h"

static const char *const configuration_names[] = {"hardware", "sass"};

struct maker {
    const struct rl_chip *chip;
    struct rl_plan *plan;
    size_t cap[RL_COUNT(configuration_names)];
};

static void add_counter(struct maker *maker, const char *name)
{
    const size_t which = strstr(name, "_sass_") ? 1 : 0;
    struct rl_plan_configuration *configuration = &maker->plan->configurations[which];

    if (rl_chip_apart(maker->chip, name))
        return;
    for (size_t i = 0; i < configuration->counter_count; i++)
        if (strcmp(configuration->counters[i], name) == 0)
            return;
    RL_GROW(configuration->counters, configuration->counter_count + 1, maker->cap[which]);
    configuration->counters[configuration->counter_count++] = rl_strdup(name);
}

static void add_counters_of(struct maker *maker, const struct rl_formula *formula)
{
    const char *const *names;
    const size_t count = rl_formula_names(formula, &names);

    for (size_t i = 0; i < count; i++)
        if (strstr(names[i], "__"))
            add_counter(maker, names[i]);
}

void rl_plan_make(const char *chip, enum rl_metric_set set, struct rl_plan *plan)
{
    struct maker maker = {.chip = rl_chip_find(chip), .plan = plan};
    struct rl_formulas formulas;

    *plan = (struct rl_plan){.configuration_count = RL_COUNT(configuration_names)};
    for (size_t i = 0; i < RL_COUNT(configuration_names); i++)
        plan->configurations[i].name = configuration_names[i];
    rl_formulas_parse(&formulas);
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        if (rl_metrics[i].set == set)
            add_counters_of(&maker, formulas.metric[i]);
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        add_counters_of(&maker, formulas.ceiling[i]);
    rl_formulas_free(&formulas);
}

void rl_plan_release(struct rl_plan *plan)
{
    for (size_t i = 0; i < plan->configuration_count; i++) {
        for (size_t j = 0; j < plan->configurations[i].counter_count; j++)
            free((char *)plan->configurations[i].counters[j]);
        free(plan->configurations[i].counters);
    }
    *plan = (struct rl_plan){0};
}
