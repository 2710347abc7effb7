/* select.c - from "EXPERIMENT/VARIANT" arguments to variants. */
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "kernels/suite.h"

enum { MAX_NAME = 64 }; /* bytes of a name that the distance looks at */

struct selection {
    struct rl_suite_item *items;
    size_t count, cap;
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Levenshtein distance of the first MAX_NAME bytes. */
static size_t distance(const char *a, const char *b)
{
    const size_t a_len = strnlen(a, MAX_NAME), b_len = strnlen(b, MAX_NAME);
    size_t row[MAX_NAME + 1];

    for (size_t j = 0; j <= b_len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            const size_t replaced = diagonal + (a[i - 1] != b[j - 1]);

            diagonal = row[j];
            row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[b_len];
}

/* How little `name` is like a known name: 0 for a part of it ("padded"), else their distance. */
static size_t unlikeness(const char *name, const char *known)
{
    return *name && strstr(known, name) ? 0 : distance(name, known);
}

static const char *nearest_experiment(const char *name)
{
    const char *nearest = rl_suite[0].name;

    for (size_t i = 1; i < rl_suite_count; i++)
        if (unlikeness(name, rl_suite[i].name) < unlikeness(name, nearest))
            nearest = rl_suite[i].name;
    return nearest;
}

static const char *nearest_variant(const struct rl_suite_experiment *experiment, const char *name)
{
    const char *nearest = experiment->variants[0].name;

    for (const struct rl_suite_variant *variant = experiment->variants; variant->name; variant++)
        if (unlikeness(name, variant->name) < unlikeness(name, nearest))
            nearest = variant->name;
    return nearest;
}

static void add(struct selection *selection, const struct rl_suite_experiment *experiment, const struct rl_suite_variant *variant)
{
    for (size_t i = 0; i < selection->count; i++)
        if (selection->items[i].variant == variant)
            return;
    RL_GROW(selection->items, selection->count + 1, selection->cap);
    selection->items[selection->count++] = (struct rl_suite_item){experiment, variant};
}

static void add_all(struct selection *selection, const struct rl_suite_experiment *experiment)
{
    for (const struct rl_suite_variant *variant = experiment->variants; variant->name; variant++)
        add(selection, experiment, variant);
}

static enum rl_status add_named(struct selection *selection, const char *arg, struct rl_err *err)
{
    const size_t len = strcspn(arg, "/");
    char *name = rl_strndup(arg, len);
    const struct rl_suite_experiment *experiment = rl_suite_find(name);
    const struct rl_suite_variant *variant;
    enum rl_status status = RL_OK;

    if (!experiment) {
        status = rl_err_set(err, RL_USAGE, "unknown experiment '%s': did you mean '%s'? 'rooflight list kernels' shows all", name,
                            nearest_experiment(name));
    } else if (arg[len] == '\0') {
        add_all(selection, experiment);
    } else if ((variant = rl_suite_find_variant(experiment, arg + len + 1)) != NULL) {
        add(selection, experiment, variant);
    } else {
        status = rl_err_set(err, RL_USAGE,
                            "experiment '%s' has no variant '%s': did you mean '%s/%s'? 'rooflight list kernels' shows all", name,
                            arg + len + 1, name, nearest_variant(experiment, arg + len + 1));
    }
    free(name);
    return status;
}

enum rl_status rl_suite_select(const char *const *args, size_t arg_count, struct rl_suite_item **items, size_t *item_count,
                               struct rl_err *err)
{
    struct selection selection = {NULL, 0, 0};

    *items = NULL;
    *item_count = 0;
    for (size_t i = 0; arg_count == 0 && i < rl_suite_count; i++)
        add_all(&selection, &rl_suite[i]);
    for (size_t i = 0; i < arg_count; i++) {
        const enum rl_status status = add_named(&selection, args[i], err);

        if (status != RL_OK) {
            free(selection.items);
            return status;
        }
    }
    *items = selection.items;
    *item_count = selection.count;
    return RL_OK;
}
