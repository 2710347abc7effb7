/* fleet_effects.c - what nodes, racks and drivers have in common: each level of a factor against the rest of its group. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/robust.h"
#include "core/mem.h"
#include "core/sort.h"
#include "fleet_internal.h"

enum { LEAST_ON_A_SIDE = 4 }; /* GPUs, for the normal approximation of the rank test */

const char *rl_fleet_factor_name(enum rl_fleet_factor factor)
{
    static const char *const names[] = {"node", "rack", "driver"};
    assert(factor < RL_COUNT(names));
    return names[factor];
}

static const char *level_of(const struct rl_fleet_record *record, enum rl_fleet_factor factor)
{
    assert(factor < RL_FACTOR_COUNT);
    const char *const levels[RL_FACTOR_COUNT] = {record->node, record->rack, record->driver};
    return levels[factor];
}

/* One GPU: its level and how it does in the part under test. */
struct member {
    const char *level;
    double deviation, rank;
};

static int by_level(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    return rl_ascending(x->level, y->level) ?: rl_ascending(x->deviation, y->deviation);
}

/* A driver that is held apart has its own centre: its GPUs' deviations do not show how it does. What they have in common is the
 * median shift of the centres over the part's measures. */
static double driver_shift(const struct rl_fleet *fleet, const struct rl_fleet_record *record, enum rl_fleet_part part,
                           double *work)
{
    size_t count = 0;
    for (size_t i = 0; i < record->measure_count; i++) {
        const struct rl_fleet_spread *spread = rl_fleet_spread_of(fleet, record->group, record->measures[i].key);
        if (fleet->keys[spread->key].part == part)
            work[count++] = rl_fleet_centre(spread, record) - spread->centre;
    }
    return count ? rl_robust_median(work, count) : 0;
}

static size_t take_members(const struct rl_fleet *fleet, size_t group, enum rl_fleet_factor factor, enum rl_fleet_part part,
                           struct member *members, double *work)
{
    size_t count = 0;
    for (size_t i = 0; i < fleet->groups[group].record_count; i++) {
        const struct rl_fleet_record *record = fleet->records[fleet->groups[group].records[i]];
        if (isnan(record->part_deviation[part]) || !*level_of(record, factor))
            continue;
        double shift = factor == RL_FACTOR_DRIVER ? driver_shift(fleet, record, part, work) : 0;
        members[count++] = (struct member){level_of(record, factor), record->part_deviation[part] + shift, 0};
    }
    return count;
}

/* Median of the deviations outside first..next less that inside. */
static double shift_of(const struct member *members, size_t count, size_t first, size_t next, double *work)
{
    assert(first < next && next <= count);
    size_t in = 0, out = 0;
    for (size_t i = first; i < next; i++)
        work[in++] = members[i].deviation;
    double inside = rl_robust_median(work, in);
    for (size_t i = 0; i < count; i++)
        if (i < first || i >= next)
            work[out++] = members[i].deviation;
    return inside - rl_robust_median(work, out);
}

/* A fifth of the chance that GPUs are accused with. */
static double sure(const struct rl_fleet *fleet)
{
    return fleet->options.alpha / 5;
}

static void test_levels(struct rl_fleet *fleet, struct rl_fleet_effect effect, struct member *members, size_t count, double *work)
{
    double *values = rl_calloc(count, sizeof *values), *ranks = rl_calloc(count, sizeof *ranks);
    for (size_t i = 0; i < count; i++)
        values[i] = members[i].deviation;
    double ties = rl_robust_ranks(values, count, ranks);
    for (size_t i = 0; i < count; i++)
        members[i].rank = ranks[i];
    free(values);
    free(ranks);
    rl_sort(members, count, sizeof *members, by_level);
    for (size_t first = 0, next; first < count; first = next) {
        double rank_sum = 0;
        for (next = first; next < count && strcmp(members[next].level, members[first].level) == 0; next++)
            rank_sum += members[next].rank;
        effect.count = next - first;
        if (effect.count < LEAST_ON_A_SIDE || count - effect.count < LEAST_ON_A_SIDE)
            continue;
        effect.level = members[first].level;
        effect.p = rl_robust_rank_test(rank_sum, effect.count, count, ties);
        /* A correction makes no p smaller, and most of thousands of nodes are out of the question already. */
        effect.shift = effect.p < sure(fleet) ? shift_of(members, count, first, next, work) : 0;
        RL_GROW(fleet->effects, fleet->effect_count + 1, fleet->effect_cap);
        fleet->effects[fleet->effect_count++] = effect;
    }
}

static int by_p(const void *a, const void *b)
{
    const struct rl_fleet_effect *x = a, *y = b;
    return rl_ascending(x->p, y->p);
}

static int greatest_first(const void *a, const void *b)
{
    const struct rl_fleet_effect *x = a, *y = b;
    return rl_descending(fabs(x->shift), fabs(y->shift)) ?: rl_ascending(x->level, y->level) ?: rl_ascending(x->part, y->part);
}

/* Holm's correction over all tests; only what is sure and large enough stays. */
static void keep_sure(struct rl_fleet *fleet)
{
    size_t kept = 0;
    double corrected = 0;
    if (fleet->effect_count == 0)
        return;
    rl_sort(fleet->effects, fleet->effect_count, sizeof *fleet->effects, by_p);
    for (size_t i = 0; i < fleet->effect_count; i++) {
        struct rl_fleet_effect effect = fleet->effects[i];
        corrected = fmax(corrected, fmin(1, effect.p * (double)(fleet->effect_count - i)));
        effect.p = corrected;
        if (corrected < sure(fleet) && fabs(effect.shift) >= fleet->options.least / 2)
            fleet->effects[kept++] = effect;
    }
    fleet->effect_count = kept;
    rl_sort(fleet->effects, kept, sizeof *fleet->effects, greatest_first);
}

void rl_fleet_find_effects(struct rl_fleet *fleet)
{
    struct member *members = rl_calloc(fleet->record_count, sizeof *members);
    size_t most = fleet->record_count > fleet->key_count ? fleet->record_count : fleet->key_count;
    double *work = rl_calloc(most + 1, sizeof *work);
    for (size_t group = 0; group < fleet->group_count; group++)
        for (int factor = 0; factor < RL_FACTOR_COUNT; factor++)
            for (int part = 0; part < RL_PART_COUNT; part++) {
                struct rl_fleet_effect effect = {
                    .factor = (enum rl_fleet_factor)factor, .group = group, .part = (enum rl_fleet_part)part};
                size_t count = take_members(fleet, group, effect.factor, effect.part, members, work);
                test_levels(fleet, effect, members, count, work);
            }
    keep_sure(fleet);
    free(members);
    free(work);
}
