/* experiment_choice.c - the variants that the page of an experiment with very many shows (see experiment.h). */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "core/mem.h"
#include "core/sort.h"
#include "experiment.h"

struct ranked {
    size_t index;
    double merit; /* the greater, the better; -INFINITY: it has no figure */
};

static int by_merit(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return rl_descending(x->merit, y->merit) ?: rl_ascending(x->index, y->index);
}

/* Sorts the variants, the best first; returns how many have a figure. */
static size_t rank(struct rl_report *report, const struct rl_view *view, struct ranked *ranked)
{
    size_t known = 0;
    for (size_t i = 0; i < view->count; i++) {
        const struct rl_value value = view->quantity->value(report, view, i);
        const double merit = view->quantity->more_is_better ? value.v : -value.v;
        ranked[i] = (struct ranked){i, rl_present(value) ? merit : -INFINITY};
        known += rl_present(value);
    }
    rl_sort(ranked, view->count, sizeof *ranked, by_merit);
    return known;
}

/* A third each of the best, of those about the median and of the last; where fewer have a figure, others besides. */
static void choose_by_rank(struct rl_report *report, const struct rl_view *view, bool *chosen)
{
    enum { THIRD = RL_VIEW_MOST / 3 };
    struct ranked *ranked = rl_calloc(view->count, sizeof *ranked);
    const size_t known = rank(report, view, ranked);
    for (size_t i = 0; i < THIRD; i++) {
        const size_t at[] = {i, (known > RL_VIEW_MOST ? known / 2 - THIRD / 2 : THIRD) + i,
                             (known > RL_VIEW_MOST ? known - THIRD : (size_t)2 * THIRD) + i};
        for (size_t k = 0; k < RL_COUNT(at); k++)
            chosen[ranked[at[k]].index] = true;
    }
    free(ranked);
}

/* Points of a curve at equal distances, with the best and the last. */
static void choose_by_distance(const struct rl_view *view, bool *chosen)
{
    const size_t points = RL_VIEW_MOST - 2;
    for (size_t i = 0; i < points; i++)
        chosen[i * (view->count - 1) / (points - 1)] = true;
    if (view->best != RL_NONE)
        chosen[view->best] = chosen[view->worst] = true;
}

struct rl_view rl_view_choose(struct rl_report *report, const struct rl_view *view, bool curve)
{
    struct rl_view choice = *view;
    if (view->count <= RL_VIEW_MOST)
        return choice;
    struct rl_roofline_entry *entries = rl_arena_alloc(report->doc->arena, RL_VIEW_MOST * sizeof *entries);
    bool *chosen = rl_calloc(view->count, sizeof *chosen);
    if (curve)
        choose_by_distance(view, chosen);
    else
        choose_by_rank(report, view, chosen);
    choice.count = 0;
    for (size_t i = 0; i < view->count; i++) {
        if (!chosen[i])
            continue;
        choice.best = i == view->best ? choice.count : choice.best;
        choice.worst = i == view->worst ? choice.count : choice.worst;
        assert(choice.count < RL_VIEW_MOST);
        entries[choice.count++] = view->entries[i];
    }
    choice.entries = entries;
    free(chosen);
    return choice;
}

const char *rl_view_choice_text(struct rl_report *report, const struct rl_view *view, bool curve)
{
    const char *all = rl_words_value(report->doc, RL_UNIT_COUNT, rl_value_of((double)view->count), 6);
    return curve ? rl_words(report->doc,
                            "Of %s variants, evenly spaced ones, the best and the slowest are shown here: rooflight show --json "
                            "has all.",
                            all)
                 : rl_words(report->doc,
                            "Of %s variants, the %d best, %d around the median and the %d slowest are shown here: rooflight show "
                            "--json has all.",
                            all, RL_VIEW_MOST / 3, RL_VIEW_MOST / 3, RL_VIEW_MOST / 3);
}
