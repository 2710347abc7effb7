#include "plans.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/mem.h"
#include "core/suggest.h"

/* ---- sets ---- */

static enum rl_status unknown_set(const char *name, struct rl_err *err)
{
    struct rl_buf known = RL_BUF_INIT;
    const char *names[RL_SET_COUNT];
    for (int i = 0; i < RL_SET_COUNT; i++) {
        names[i] = rl_sets[i].name;
        rl_buf_addf(&known, "%s, ", names[i]);
    }
    const char *nearest = rl_suggest_nearest(name, names, RL_SET_COUNT);
    rl_err_set(err, RL_USAGE, "there is no set of metrics '%s'%s%s%s known are %sall", name, nearest ? ", did you mean '" : "",
               nearest ? nearest : "", nearest ? "'?" : ";", known.data);
    rl_buf_release(&known);
    return RL_USAGE;
}

enum rl_status cli_parse_sets(const char *text, unsigned *sets, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    *sets = 0;
    for (const char *at = text; status == RL_OK; at += strcspn(at, ",") + 1) {
        char *name = rl_strndup(at, strcspn(at, ","));
        enum rl_metric_set set = rl_set_find(name);
        if (strcmp(name, "all") == 0)
            *sets = RL_SETS_ALL;
        else if (set < RL_SET_COUNT)
            *sets |= 1u << set;
        else
            status = unknown_set(name, err);
        free(name);
        if (!at[strcspn(at, ",")])
            break;
    }
    return status;
}

/* ---- plans ---- */

struct cli_made_plan {
    char *chip; /* NULL: unknown chip */
    struct rl_plan plan;
    struct rl_collect_configuration configurations[RL_PLAN_MOST];
};

struct rl_collect_configuration cli_configuration(const struct rl_plan_configuration *from)
{
    return (struct rl_collect_configuration){
        .name = from->name,
        .counters = from->counters,
        .counter_count = from->counter_count,
        .fixed = from->fixed,
        .when = from->when,
        .of_device = from->of_device,
        .of_instructions = from->of_instructions,
        .witnesses = from->witnesses,
    };
}

static bool is_for(const struct cli_made_plan *made, const char *chip)
{
    return made->chip && chip ? strcmp(made->chip, chip) == 0 : made->chip == chip;
}

static struct cli_made_plan *make_plan(struct cli_plans *plans, const char *chip)
{
    struct cli_made_plan *made = rl_calloc(1, sizeof *made);
    made->chip = rl_strdup(chip);
    rl_plan_make(chip, plans->sets, &made->plan);
    for (size_t i = 0; i < made->plan.configuration_count; i++)
        made->configurations[i] = cli_configuration(&made->plan.configurations[i]);
    RL_GROW(plans->list, plans->count + 1, plans->cap);
    return plans->list[plans->count++] = made;
}

void cli_plans_give(void *context, const char *chip, const struct rl_collect_configuration **configurations, size_t *count)
{
    struct cli_plans *plans = context;
    struct cli_made_plan *made = NULL;
    for (size_t i = 0; i < plans->count && !made; i++)
        made = is_for(plans->list[i], chip) ? plans->list[i] : NULL;
    if (!made)
        made = make_plan(plans, chip);
    *configurations = made->configurations;
    *count = made->plan.configuration_count;
}

void cli_plans_release(struct cli_plans *plans)
{
    for (size_t i = 0; i < plans->count; i++) {
        rl_plan_release(&plans->list[i]->plan);
        free(plans->list[i]->chip);
        free(plans->list[i]);
    }
    free(plans->list);
    *plans = (struct cli_plans){0};
}
