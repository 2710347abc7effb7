#include "collect.h"

#include "core/formula.h"
#include "core/suggest.h"
#include "parts.h"

/* Names to choose from: sets, metrics and the counters of their formulas, each with the set that collects it. */
struct known {
    struct rl_arena arena;
    const char **names;
    enum rl_metric_set *sets;
    size_t count, cap, set_cap;
};

static void add_known(struct known *known, const char *name, enum rl_metric_set set)
{
    RL_GROW(known->names, known->count + 1, known->cap);
    RL_GROW(known->sets, known->count + 1, known->set_cap);
    known->names[known->count] = rl_arena_strdup(&known->arena, name);
    known->sets[known->count++] = set;
}

static struct known find_known(void)
{
    struct known known = {.arena = RL_ARENA_INIT};
    for (size_t i = 0; i < RL_SET_COUNT; i++)
        add_known(&known, rl_sets[i].name, (enum rl_metric_set)i);
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        add_known(&known, rl_metrics[i].id, rl_metrics[i].set);
    for (size_t i = 0; i < RL_METRIC_COUNT; i++) {
        struct rl_formula *formula = NULL;
        const char *const *names = NULL;
        struct rl_err err = RL_ERR_INIT;
        const size_t count =
            rl_formula_parse(rl_metrics[i].formula, &formula, &err) == RL_OK ? rl_formula_names(formula, &names) : 0;
        for (size_t j = 0; j < count; j++)
            if (rl_names_counter(names[j]))
                add_known(&known, names[j], rl_metrics[i].set);
        rl_formula_free(formula);
    }
    return known;
}

static enum rl_status unknown_name(const struct known *known, const char *name, struct rl_err *err)
{
    RL_SCRATCH sets = RL_BUF_INIT;
    for (size_t i = 0; i < RL_SET_COUNT; i++)
        rl_buf_addf(&sets, "%s, ", rl_sets[i].name);
    const char *nearest = rl_suggest_nearest(name, known->names, known->count);
    if (nearest)
        rl_err_set(err, RL_USAGE, "there is no set of metrics '%s', nor a metric or counter, did you mean '%s'? sets are %sall",
                   name, nearest, sets.data);
    else
        rl_err_set(err, RL_USAGE, "there is no set of metrics '%s', nor a metric or counter; sets are %sall", name, sets.data);
    return RL_USAGE;
}

/* Whether some chip has the counter in one pass: the host library says so, without a GPU. Also true where that is not there. */
static bool some_chip_has(const char *counter)
{
    enum { MOST = 64 };
    const char *chips[MOST];
    if (!cli_collector || cli_collector->cupti_open(NULL, NULL) != RL_OK)
        return true;
    const size_t count = cli_collector->cupti_chips(chips, MOST);
    bool found = count == 0;
    for (size_t i = 0; i < count && i < MOST && !found; i++)
        if (cli_collector->cupti_available(chips[i], &counter, 1, &found, NULL) != RL_OK)
            found = false;
    return found;
}

/* A counter: of a formula, whose set collects it, or any that a chip has. All formulas are read for it. */
static enum rl_status take_counter(const char *name, struct cli_plans *plans, struct rl_err *err)
{
    struct known known = find_known();
    enum rl_status status = RL_OK;
    size_t i = 0;
    while (i < known.count && strcmp(known.names[i], name) != 0)
        i++;
    if (i < known.count)
        plans->sets |= 1u << known.sets[i];
    else if (!rl_is_counter_name(name))
        status = unknown_name(&known, name, err);
    else if (some_chip_has(name)) {
        RL_APPEND(plans->counters, plans->counter_count, plans->counter_cap, rl_strdup(name));
    } else {
        const char *nearest = rl_suggest_nearest(name, known.names, known.count);
        status = rl_err_set(err, RL_USAGE, "no chip that CUPTI knows has a counter '%s', or takes it in one pass%s%s%s", name,
                            nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    }
    rl_arena_release(&known.arena);
    RL_FREE(known.names, known.sets);
    return status;
}

enum rl_status cli_parse_metrics(const char *text, struct cli_plans *plans, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    plans->sets = 0;
    for (const char *at = text; status == RL_OK; at += strcspn(at, ",") + 1) {
        RL_FREED char *name = rl_strndup(at, strcspn(at, ","));
        const enum rl_metric metric = rl_metric_find(name);
        const enum rl_metric_set set = rl_set_find(name);
        if (strcmp(name, "all") == 0)
            plans->sets = RL_SETS_ALL;
        else if (set < RL_SET_COUNT || metric < RL_METRIC_COUNT)
            plans->sets |= 1u << (set < RL_SET_COUNT ? set : rl_metrics[metric].set);
        else
            status = take_counter(name, plans, err);
        if (!at[strcspn(at, ",")])
            break;
    }
    return status;
}

struct cli_made_plan {
    char *chip; /* NULL: unknown chip */
    struct rl_plan plan;
};

void cli_plans_give(void *context, const char *chip, const struct rl_configuration **configurations, size_t *count)
{
    struct cli_plans *plans = context;
    struct cli_made_plan *made = NULL;
    for (size_t i = 0; i < plans->count && !made; i++) {
        const char *of = plans->list[i]->chip;
        made = of && chip ? (strcmp(of, chip) == 0 ? plans->list[i] : NULL) : of == chip ? plans->list[i] : NULL;
    }
    if (!made) {
        made = rl_calloc(1, sizeof *made);
        made->chip = rl_strdup(chip);
        rl_plan_make(chip, plans->sets, &made->plan);
        for (size_t i = 0; i < plans->counter_count; i++)
            rl_plan_add(&made->plan, plans->counters[i]);
        if (plans->of_program)
            rl_plan_add_limits(chip, &made->plan);
        RL_APPEND(plans->list, plans->count, plans->cap, made);
    }
    *configurations = made->plan.configurations;
    *count = made->plan.configuration_count;
}

void cli_plans_release(struct cli_plans *plans)
{
    for (size_t i = 0; i < plans->count; i++) {
        rl_plan_release(&plans->list[i]->plan);
        RL_FREE(plans->list[i]->chip, plans->list[i]);
    }
    free(plans->list);
    for (size_t i = 0; i < plans->counter_count; i++)
        free(plans->counters[i]);
    free(plans->counters);
    *plans = (struct cli_plans){0};
}
