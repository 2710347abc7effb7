/* effect.c - what a change does to the whole (see verdict.h). */

#include "compare_internal.h"

struct sum {
    double weight, estimate, low, high;
    bool by_intervals; /* only kernels with an interval */
};

static bool has_interval(const struct rl_pair *pair)
{
    return !pair->not_compared && pair->change.time.present && pair->change.time.has_interval;
}

static bool is_in(const struct rl_pair *pair, bool by_intervals)
{
    return !pair->not_compared && pair->change.time.present && (has_interval(pair) || !by_intervals) && pair->share > 0;
}

static void add(struct sum *sum, const struct rl_pair *pair)
{
    const struct rl_ratio *time = &pair->change.time;
    sum->weight += pair->share;
    sum->estimate += pair->share * time->estimate;
    sum->low += pair->share * time->low;
    sum->high += pair->share * time->high;
}

static struct rl_ratio ratio_of(const struct sum *sum)
{
    if (sum->weight <= 0)
        return (struct rl_ratio){.present = false};
    return (struct rl_ratio){.present = true,
                             .estimate = sum->estimate / sum->weight,
                             .has_interval = sum->by_intervals,
                             .low = sum->by_intervals ? sum->low / sum->weight : 0,
                             .high = sum->by_intervals ? sum->high / sum->weight : 0};
}

static void sum_up(struct rl_comparison *comparison)
{
    struct rl_effect *effect = &comparison->effect;
    struct sum all = {.by_intervals =
                          RL_ANY(i, comparison->pair_count, has_interval(&comparison->pairs[i]) && comparison->pairs[i].share > 0)},
               alike = all;
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = &comparison->pairs[i];
        if (!is_in(pair, all.by_intervals))
            continue;
        add(&all, pair);
        effect->of.kernels++;
        if (pair->work != RL_WORK_UNEQUAL)
            add(&alike, pair);
    }
    effect->of.share = all.weight;
    effect->time = ratio_of(&all);
    effect->like_for_like = effect->unequal.kernels ? ratio_of(&alike) : (struct rl_ratio){.present = false};
}

static void count(struct rl_effect_part *part, double share)
{
    part->kernels++;
    part->share += share;
}

static void count_pairs(struct rl_comparison *comparison, const double *weights, double all)
{
    struct rl_effect *effect = &comparison->effect;
    for (size_t i = 0; i < comparison->pair_count; i++) {
        struct rl_pair *pair = &comparison->pairs[i];
        pair->share = weights[pair->base] / all;
        const enum rl_result base = rl_side_result(&comparison->base, pair->base),
                             new = rl_side_result(&comparison->new, pair->new);
        comparison->effect.right += base == RL_RESULT_OK && new == RL_RESULT_OK;
        comparison->effect.broke += base == RL_RESULT_OK && new == RL_RESULT_WRONG;
        comparison->effect.mended += base == RL_RESULT_WRONG && new == RL_RESULT_OK;
        count(pair->not_compared ? &effect->excluded : &effect->with[pair->change.verdict], pair->share);
        if (!pair->not_compared && pair->work == RL_WORK_UNEQUAL)
            count(&effect->unequal, pair->share);
    }
    for (size_t i = 0; i < comparison->removed_count; i++)
        count(&effect->removed, weights[comparison->removed[i]] / all);
}

static bool has_times(const struct rl_compare_side *side)
{
    return RL_ANY(i, side->count, side->items[i].times.n);
}

RL_COMPARATOR(ascending, size_t, rl_ascending(*x, *y));

bool rl_pair_is_open(const struct rl_pair *pair)
{
    return !pair->not_compared && pair->change.verdict == RL_UNDECIDED;
}

/* Of two doubts with as much time (where there are no times) the one of more kernels. */
static enum rl_doubt greatest_doubt(const struct rl_comparison *comparison)
{
    struct rl_effect_part parts[RL_DOUBT_COUNT] = {{0}};
    enum rl_doubt greatest = RL_DOUBT_NONE;
    for (size_t i = 0; i < comparison->pair_count; i++)
        if (rl_pair_is_open(&comparison->pairs[i]))
            count(&parts[comparison->pairs[i].change.doubt], comparison->pairs[i].share);
    for (size_t i = 0; i < RL_COUNT(parts); i++) {
        const double more = parts[i].share - parts[greatest].share;
        if (more > 1e-12 || (more > -1e-12 && parts[i].kernels > parts[greatest].kernels))
            greatest = (enum rl_doubt)i;
    }
    return greatest;
}

static void find_doubt(struct rl_comparison *comparison)
{
    size_t *more = rl_calloc(comparison->pair_count + 1, sizeof *more), known = 0;
    struct rl_effect *effect = &comparison->effect;
    effect->doubt = greatest_doubt(comparison);
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_change *change = &comparison->pairs[i].change;
        if (rl_pair_is_open(&comparison->pairs[i]) && change->doubt == effect->doubt && change->more_samples)
            more[known++] = change->more_samples;
    }
    rl_sort(more, known, sizeof *more, ascending);
    effect->more = known ? more[(known - 1) / 2] : 0;
    free(more);
}

void rl_comparison_weigh(struct rl_comparison *comparison)
{
    double *weights = rl_calloc(comparison->base.count + 1, sizeof *weights);
    const double time = rl_compare_side_weigh(&comparison->base, weights), all = time > 0 ? time : 1;
    comparison->effect = (struct rl_effect){.doubt = RL_DOUBT_NONE};
    count_pairs(comparison, weights, all);
    free(weights);
    weights = rl_calloc(comparison->new.count + 1, sizeof *weights);
    const bool timed = has_times(&comparison->base) && has_times(&comparison->new);
    rl_compare_side_weigh(&comparison->new, weights);
    for (size_t i = 0; i < comparison->added_count; i++)
        count(&comparison->effect.added, timed ? weights[comparison->added[i]] / all : 0);
    free(weights);
    sum_up(comparison);
    /* A change of the whole is one of some kernel: what no kernel shows beyond its condition their sum does not. */
    const struct rl_effect *effect = &comparison->effect;
    const enum rl_verdict verdict =
        effect->time.present && effect->time.has_interval ? rl_verdict_place(&effect->time, &comparison->rules) : RL_UNDECIDED;
    const bool is_change = verdict == RL_FASTER || verdict == RL_SLOWER;
    comparison->effect.verdict = is_change && effect->with[verdict].kernels == 0 ? RL_UNDECIDED : verdict;
    find_doubt(comparison);
}

double rl_pair_contribution(const struct rl_comparison *comparison, const struct rl_pair *pair)
{
    const struct rl_effect *effect = &comparison->effect;
    if (!effect->time.present || !is_in(pair, effect->time.has_interval))
        return 0;
    return pair->share / effect->of.share * (pair->change.time.estimate - 1);
}

struct ranked {
    size_t pair;
    int group; /* what broke, what changed, what is open, the rest */
    double contribution, size;
};

RL_COMPARATOR(by_rank, struct ranked, rl_ascending(x->group, y->group) ?: rl_descending(x->contribution, y->contribution)
              ?: rl_descending(x->size, y->size) ?: rl_ascending(x->pair, y->pair));

static struct ranked rank(const struct rl_comparison *comparison, size_t index)
{
    const struct rl_pair *pair = &comparison->pairs[index];
    const enum rl_verdict verdict = pair->change.verdict;
    const bool changed = !pair->not_compared && (verdict == RL_FASTER || verdict == RL_SLOWER);
    const int group = pair->broke ? 0 : changed ? 1 : verdict == RL_UNDECIDED && !pair->not_compared ? 2 : 3;
    return (struct ranked){index, group, group < 2 ? fabs(rl_pair_contribution(comparison, pair)) : pair->share,
                           changed ? fabs(log(pair->change.time.estimate)) : 0};
}

size_t rl_comparison_changed(const struct rl_comparison *comparison, size_t *order)
{
    RL_FREED struct ranked *ranked = rl_calloc(comparison->pair_count + 1, sizeof *ranked);
    size_t changed = 0;
    for (size_t i = 0; i < comparison->pair_count; i++) {
        ranked[i] = rank(comparison, i);
        changed += ranked[i].group < 2;
    }
    rl_sort(ranked, comparison->pair_count, sizeof *ranked, by_rank);
    for (size_t i = 0; i < comparison->pair_count; i++)
        order[i] = ranked[i].pair;
    return changed;
}
