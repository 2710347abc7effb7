/* select.c - from "EXPERIMENT/VARIANT" arguments to variants. */
#include "core/core.h"
#include "core/suggest.h"
#include "kernels/suite.h"

struct selection {
    struct rl_suite_item *items;
    size_t count, cap;
};

enum { LEAST_PART = 3 }; /* bytes of a name that may stand for one that it is a part of */

/* The name that is meant: one that `name` is a part of ("padded"), else the nearest, if it may be a slip; NULL: none. */
static const char *meant(const char *name, const char *const *known, size_t count)
{
    for (size_t i = 0; i < count && strlen(name) >= LEAST_PART; i++)
        if (strstr(known[i], name))
            return known[i];
    return rl_suggest_nearest(name, known, count);
}

static void add(struct selection *selection, const struct rl_suite_experiment *experiment, const struct rl_suite_variant *variant)
{
    for (size_t i = 0; i < selection->count; i++)
        if (selection->items[i].variant == variant)
            return;
    RL_APPEND(selection->items, selection->count, selection->cap, (struct rl_suite_item){experiment, variant});
}

static void add_all(struct selection *selection, const struct rl_suite_experiment *experiment)
{
    for (const struct rl_suite_variant *variant = experiment->variants; variant->name; variant++)
        add(selection, experiment, variant);
}

static enum rl_status unknown_experiment(const char *name, struct rl_err *err)
{
    const char **known = rl_calloc(rl_suite_count, sizeof *known);
    for (size_t i = 0; i < rl_suite_count; i++)
        known[i] = rl_suite[i].name;
    const char *nearest = meant(name, known, rl_suite_count);
    free(known);
    if (nearest)
        return rl_err_set(err, RL_USAGE, "unknown experiment '%s': did you mean '%s'? 'rooflight list kernels' shows all", name,
                          nearest);
    return rl_err_set(err, RL_USAGE, "unknown experiment '%s': 'rooflight list kernels' shows all", name);
}

static enum rl_status unknown_variant(const struct rl_suite_experiment *experiment, const char *name, struct rl_err *err)
{
    size_t count = 0;
    while (experiment->variants[count].name)
        count++;
    const char **known = rl_calloc(count, sizeof *known);
    for (size_t i = 0; i < count; i++)
        known[i] = experiment->variants[i].name;
    const char *nearest = meant(name, known, count);
    free(known);
    if (nearest)
        return rl_err_set(err, RL_USAGE,
                          "experiment '%s' has no variant '%s': did you mean '%s/%s'? 'rooflight list kernels' shows all",
                          experiment->name, name, experiment->name, nearest);
    return rl_err_set(err, RL_USAGE, "experiment '%s' has no variant '%s': 'rooflight list kernels' shows all", experiment->name,
                      name);
}

enum rl_status rl_suite_select(const char *const *args, size_t arg_count, struct rl_suite_item **items, size_t *item_count,
                               struct rl_err *err)
{
    assert(args || arg_count == 0);
    struct selection selection = {NULL, 0, 0};
    *items = NULL;
    *item_count = 0;
    for (size_t i = 0; arg_count == 0 && i < rl_suite_count; i++)
        add_all(&selection, &rl_suite[i]);
    for (size_t i = 0; i < arg_count; i++) {
        const char *arg = args[i];
        const size_t len = strcspn(arg, "/");
        RL_FREED char *name = rl_strndup(arg, len);
        const struct rl_suite_experiment *experiment = rl_suite_find(name);
        const struct rl_suite_variant *variant;
        enum rl_status status = RL_OK;
        if (!experiment)
            status = unknown_experiment(name, err);
        else if (arg[len] == '\0')
            add_all(&selection, experiment);
        else if ((variant = rl_suite_find_variant(experiment, arg + len + 1)) != NULL)
            add(&selection, experiment, variant);
        else
            status = unknown_variant(experiment, arg + len + 1, err);
        if (status != RL_OK) {
            free(selection.items);
            return status;
        }
    }
    *items = selection.items;
    *item_count = selection.count;
    return RL_OK;
}
