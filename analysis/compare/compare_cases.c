/* compare_cases.c - cases of two captures, matched by name and parameters (see cases.h). */
#include "analysis/cases.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "core/mem.h"
#include "core/sort.h"

/* A case and its place among those of the same name, which are of several GPUs. */
struct named {
    const struct rl_case *of;
    size_t number; /* among those of the same name */
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    return rl_ascending_text(x->of->name.key, y->of->name.key) ?: rl_ascending(x->of->gpu, y->of->gpu);
}

static int by_name_and_number(const struct named *a, const struct named *b)
{
    return rl_ascending_text(a->of->name.key, b->of->name.key) ?: rl_ascending(a->number, b->number);
}

/* Free with free(). */
static struct named *sorted(const struct rl_cases *cases)
{
    struct named *named = rl_calloc(cases->count, sizeof *named);
    for (size_t i = 0; i < cases->count; i++)
        named[i].of = &cases->at[i];
    if (cases->count)
        rl_sort(named, cases->count, sizeof *named, by_name);
    for (size_t i = 1; i < cases->count; i++)
        named[i].number = rl_ascending_text(named[i].of->name.key, named[i - 1].of->name.key) == 0 ? named[i - 1].number + 1 : 0;
    return named;
}

static void match(struct rl_case_comparison *comparison)
{
    struct named *base = sorted(comparison->base), *new = sorted(comparison->new);
    const size_t base_count = comparison->base->count, new_count = comparison->new->count;
    comparison->pairs = rl_calloc(base_count, sizeof *comparison->pairs);
    comparison->removed = rl_calloc(base_count, sizeof(void *));
    comparison->added = rl_calloc(new_count, sizeof(void *));
    for (size_t i = 0, j = 0; i < base_count || j < new_count;) {
        const int order = i == base_count ? 1 : j == new_count ? -1 : by_name_and_number(&base[i], &new[j]);
        if (order == 0)
            comparison->pairs[comparison->pair_count++] = (struct rl_case_pair){.base = base[i++].of, .new = new[j++].of};
        else if (order < 0)
            comparison->removed[comparison->removed_count++] = base[i++].of;
        else
            comparison->added[comparison->added_count++] = new[j++].of;
    }
    free(new);
    free(base);
}

/* The median clock of the GPU, so that a change of clocks is no verdict. */
static struct rl_value clock_of(const struct rl_cases *cases, const struct rl_case *of)
{
    if (of->gpu == RL_NONE || cases->analysis->gpus[of->gpu].sm_clock.n == 0)
        return rl_value_missing(RL_NOT_COLLECTED, "no clock");
    return rl_value_of(cases->analysis->gpus[of->gpu].sm_clock.median);
}

static struct rl_times times_of(const struct rl_cases *cases, const struct rl_case *of)
{
    return (struct rl_times){.seconds = of->seconds, .n = of->n, .sm_clock_hz = clock_of(cases, of)};
}

static int by_change(const void *a, const void *b)
{
    static const int ranks[] = {[RL_SLOWER] = 0, [RL_FASTER] = 1, [RL_UNDECIDED] = 2, [RL_SAME] = 3};
    const struct rl_case_pair *x = a, *y = b;
    const double p = x->change.time.present ? fabs(x->change.time.estimate - 1) : 0;
    const double q = y->change.time.present ? fabs(y->change.time.estimate - 1) : 0;
    return rl_ascending(ranks[x->change.verdict], ranks[y->change.verdict]) ?: rl_descending(p, q);
}

struct rl_case_comparison *rl_case_comparison_new(const struct rl_analysis *base, const struct rl_analysis *new,
                                                  const struct rl_verdict_rules *rules)
{
    struct rl_case_comparison *comparison = rl_calloc(1, sizeof *comparison);
    comparison->base = rl_cases_new(base);
    comparison->new = rl_cases_new(new);
    if (comparison->base->count + comparison->new->count == 0) {
        rl_case_comparison_free(comparison);
        return NULL;
    }
    match(comparison);
    struct rl_verdict_rules own = *rules;
    own.comparisons = 0;
    for (size_t i = 0; i < comparison->pair_count; i++)
        own.comparisons += comparison->pairs[i].base->n > 0 && comparison->pairs[i].new->n > 0;
    own.comparisons += own.comparisons == 0;
    own.sessions[0] = own.sessions[1] = 1;
    const double of_cards = own.session_effect > 0 ? own.session_effect : RL_SESSION_EFFECT;
    for (size_t i = 0; i < comparison->pair_count; i++) {
        struct rl_case_pair *pair = &comparison->pairs[i];
        const struct rl_times before = times_of(comparison->base, pair->base), after = times_of(comparison->new, pair->new);
        own.session_effect = pair->base->is_benchmark && pair->new->is_benchmark ? RL_SESSION_EFFECT : of_cards;
        pair->change = rl_change_of(&before, &after, &own);
        comparison->verdicts[pair->change.verdict]++;
    }
    if (comparison->pair_count)
        rl_sort(comparison->pairs, comparison->pair_count, sizeof *comparison->pairs, by_change);
    return comparison;
}

void rl_case_comparison_free(struct rl_case_comparison *comparison)
{
    if (!comparison)
        return;
    rl_cases_free(comparison->base);
    rl_cases_free(comparison->new);
    free(comparison->pairs);
    free(comparison->removed);
    free(comparison->added);
    free(comparison);
}
