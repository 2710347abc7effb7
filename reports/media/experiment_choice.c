/* experiment_choice.c - the variants that the page of an experiment with very many shows (see experiment.h). */
#include "experiment.h"

struct rl_view rl_view_choose(struct rl_report *report, const struct rl_view *view)
{
    enum { SPACED = RL_VIEW_MOST - 2 };
    struct rl_view choice = *view;
    if (view->count <= RL_VIEW_MOST)
        return choice;
    struct rl_roofline_entry *entries = rl_arena_alloc(report->doc->arena, RL_VIEW_MOST * sizeof *entries);
    bool *chosen = rl_calloc(view->count, sizeof *chosen);
    for (size_t i = 0; i < SPACED; i++)
        chosen[i * (view->count - 1) / (SPACED - 1)] = true;
    if (view->best != RL_NONE)
        chosen[view->best] = chosen[view->worst] = true;
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
