/* fleet_spread.c - how measures and parts are distributed over a group, and from where on a GPU stands apart. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/robust.h"
#include "core/mem.h"
#include "core/sort.h"
#include "core/stats.h"
#include "fleet_internal.h"

/* What the typical scale of a part's measures counts for, in degrees of freedom, when a scale is estimated from few GPUs. */
static const double prior_freedom = 4;
/* The typical scale is taken from the same GPUs, so when few of them happen to lie close together it must not be believed: chips of
 * one kind differ by some tenths of a percent. */
static const double least_typical = 3e-3;
/* No scale is known better than this: half of a thousandth. */
static const double least_scale = 5e-4;

double rl_fleet_log(const struct rl_fleet_key *key, double value)
{
    assert(value > 0); /* rl_fleet_add_measure takes no other */
    return key->ceiling ? -log(value) : log(value);
}

double rl_fleet_share(double deviation)
{
    return -expm1(-deviation);
}

double rl_fleet_centre(const struct rl_fleet *fleet, const struct rl_fleet_spread *spread, const struct rl_fleet_record *record)
{
    (void)fleet;
    double centre = spread->driver_centre[record->driver_index];
    return isnan(centre) ? spread->centre : centre;
}

const struct rl_fleet_spread *rl_fleet_spread_of(const struct rl_fleet *fleet, size_t group, size_t key)
{
    size_t low = 0, high = fleet->spread_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct rl_fleet_spread *spread = &fleet->spreads[middle];
        if (spread->group < group || (spread->group == group && spread->key < key))
            low = middle + 1;
        else
            high = middle;
    }
    const struct rl_fleet_spread *found = low < fleet->spread_count ? &fleet->spreads[low] : NULL;
    return found && found->group == group && found->key == key ? found : NULL;
}

const struct rl_fleet_measure *rl_fleet_measure_of(const struct rl_fleet_record *record, size_t key)
{
    size_t low = 0, high = record->measure_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (record->measures[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < record->measure_count && record->measures[low].key == key ? &record->measures[low] : NULL;
}

double rl_fleet_deviation(const struct rl_fleet *fleet, const struct rl_fleet_record *record,
                          const struct rl_fleet_measure *measure)
{
    const struct rl_fleet_spread *spread =
        record->use == RL_USE_COMPARED ? rl_fleet_spread_of(fleet, record->group, measure->key) : NULL;
    return spread ? rl_fleet_log(&fleet->keys[measure->key], measure->value) - rl_fleet_centre(fleet, spread, record) : NAN;
}

/* ---- measures ---- */

/* The values of one key in one group, in the order of its records. */
struct column {
    size_t count;
    double *values, *logs, *noise, *work;
    size_t *drivers;
};

static void column_init(struct column *column, size_t most)
{
    *column = (struct column){.values = rl_calloc(most, sizeof(double)),
                              .logs = rl_calloc(most, sizeof(double)),
                              .noise = rl_calloc(most, sizeof(double)),
                              .work = rl_calloc(most, sizeof(double)),
                              .drivers = rl_calloc(most, sizeof(size_t))};
}

static void column_release(struct column *column)
{
    free(column->values);
    free(column->logs);
    free(column->noise);
    free(column->work);
    free(column->drivers);
}

/* A measure, and the place of its record in the group. */
struct entry {
    const struct rl_fleet_measure *measure;
    const struct rl_fleet_record *record;
    size_t place;
};

static int by_key(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return rl_ascending(x->measure->key, y->measure->key) ?: rl_ascending(x->place, y->place);
}

/* All measures of a group, key by key; free with free(). */
static struct entry *entries_of(const struct rl_fleet *fleet, const struct rl_fleet_group *group, size_t *count)
{
    size_t all = 0;
    for (size_t i = 0; i < group->record_count; i++)
        all += fleet->records[group->records[i]]->measure_count;
    struct entry *entries = rl_calloc(all, sizeof *entries);
    *count = 0;
    for (size_t i = 0; i < group->record_count; i++) {
        const struct rl_fleet_record *record = fleet->records[group->records[i]];
        for (size_t k = 0; k < record->measure_count; k++)
            entries[(*count)++] = (struct entry){&record->measures[k], record, i};
    }
    rl_sort(entries, *count, sizeof *entries, by_key);
    return entries;
}

/* `count` entries of one key. */
static void take_column(const struct rl_fleet *fleet, const struct entry *entries, size_t count, struct column *column)
{
    column->count = count;
    for (size_t i = 0; i < count; i++) {
        const struct rl_fleet_measure *measure = entries[i].measure;
        column->values[i] = measure->value;
        column->logs[i] = rl_fleet_log(&fleet->keys[measure->key], measure->value);
        column->noise[i] = measure->noise;
        column->drivers[i] = entries[i].record->driver_index;
    }
}

/* Centres of the drivers that enough GPUs share; only where there are several drivers. */
static const double *centres_of_drivers(struct rl_fleet *fleet, const struct rl_fleet_group *group, struct column *column)
{
    double *centres = rl_arena_alloc(&fleet->arena, group->driver_count * sizeof *centres);
    for (size_t driver = 0; driver < group->driver_count; driver++) {
        size_t count = 0;
        for (size_t i = 0; i < column->count; i++)
            if (column->drivers[i] == driver)
                column->work[count++] = column->logs[i];
        centres[driver] = group->driver_count > 1 && count >= RL_FLEET_STRATUM ? rl_robust_median(column->work, count) : NAN;
    }
    return centres;
}

static void describe_values(struct rl_fleet_spread *spread, struct column *column)
{
    spread->median = rl_robust_median(column->values, column->count); /* sorts */
    spread->low = rl_stats_quantile_sorted(column->values, column->count, 0.05);
    spread->high = rl_stats_quantile_sorted(column->values, column->count, 0.95);
    spread->first = column->values[0];
    spread->last = column->values[column->count - 1];
}

static void add_spread(struct rl_fleet *fleet, size_t group_index, size_t key, struct column *column)
{
    const struct rl_fleet_group *group = &fleet->groups[group_index];
    struct rl_fleet_spread spread = {.key = key, .group = group_index, .count = column->count, .limit = INFINITY};
    for (size_t i = 0; i < column->count; i++)
        column->work[i] = column->logs[i];
    spread.centre = rl_robust_median(column->work, column->count);
    spread.driver_centre = centres_of_drivers(fleet, group, column);
    for (size_t i = 0; i < column->count; i++) {
        double centre = spread.driver_centre[column->drivers[i]];
        column->logs[i] -= isnan(centre) ? spread.centre : centre;
    }
    spread.scale = rl_robust_scale(column->logs, column->count, 0);
    spread.ties = column->count >= RL_FLEET_LEAST && spread.scale == 0;
    spread.floor = fmax(least_scale, rl_robust_median(column->noise, column->count));
    describe_values(&spread, column);
    RL_GROW(fleet->spreads, fleet->spread_count + 1, fleet->spread_cap);
    fleet->spreads[fleet->spread_count++] = spread;
}

static void add_spreads(struct rl_fleet *fleet, size_t group, struct column *column)
{
    size_t count;
    struct entry *entries = entries_of(fleet, &fleet->groups[group], &count);
    for (size_t first = 0, end; first < count; first = end) {
        const size_t key = entries[first].measure->key;
        for (end = first + 1; end < count && entries[end].measure->key == key; end++)
            continue;
        take_column(fleet, entries + first, end - first, column);
        add_spread(fleet, group, key, column);
    }
    free(entries);
}

/* ---- limits ---- */

struct span {
    struct rl_fleet_spread *first;
    size_t count;
};

/* Those of a group, which begin at `*next`; moves it to where those of the next group begin. */
static struct span spreads_of(struct rl_fleet *fleet, size_t group, size_t *next)
{
    struct span span = {fleet->spreads ? &fleet->spreads[*next] : NULL, 0};
    for (; *next < fleet->spread_count && fleet->spreads[*next].group == group; ++*next)
        span.count++;
    return span;
}

/* The typical scale of the measures of each part: the median over them. */
static void typical_scales(const struct rl_fleet *fleet, struct span span, double typical[RL_PART_COUNT])
{
    double *scales = rl_calloc(span.count, sizeof *scales);
    for (int part = 0; part < RL_PART_COUNT; part++) {
        size_t count = 0;
        for (size_t i = 0; i < span.count; i++)
            if ((int)fleet->keys[span.first[i].key].part == part && span.first[i].count >= RL_FLEET_LEAST)
                scales[count++] = fmax(span.first[i].scale, span.first[i].floor);
        typical[part] = fmax(least_typical, count ? rl_robust_median(scales, count) : 0);
    }
    free(scales);
}

static double limit_of(const struct rl_fleet *fleet, const struct rl_fleet_group *group, size_t count, double scale)
{
    double freedom = rl_robust_freedom(count) + prior_freedom;
    return fmax(log1p(fleet->options.least), scale * rl_robust_limit(fleet->options.alpha, group->looks, freedom));
}

static void set_limits(struct rl_fleet *fleet, struct rl_fleet_group *group, struct span span, const double typical[RL_PART_COUNT])
{
    for (size_t i = 0; i < span.count; i++) {
        struct rl_fleet_spread *spread = &span.first[i];
        if (!group->judged || spread->count < RL_FLEET_LEAST)
            continue;
        double moderated = rl_robust_moderated(spread->scale, rl_robust_freedom(spread->count),
                                               typical[fleet->keys[spread->key].part], prior_freedom);
        spread->scale = fmax(moderated, spread->floor);
        spread->limit = limit_of(fleet, group, spread->count, spread->scale);
    }
}

/* ---- parts ---- */

/* The median of a record's deviations over the measures of a part; NAN when it has fewer than half of them. */
static double part_deviation(const struct rl_fleet *fleet, const struct rl_fleet_group *group, const struct rl_fleet_record *record,
                             enum rl_fleet_part part, double *work)
{
    size_t count = 0;
    for (size_t i = 0; i < record->measure_count; i++)
        if (fleet->keys[record->measures[i].key].part == part)
            work[count++] = rl_fleet_deviation(fleet, record, &record->measures[i]);
    return count > 0 && 2 * count >= group->part[part].measures ? rl_robust_median(work, count) : NAN;
}

static void count_parts(struct rl_fleet *fleet, struct rl_fleet_group *group, struct span span)
{
    for (size_t i = 0; i < span.count; i++)
        if (2 * span.first[i].count >= group->record_count)
            group->part[fleet->keys[span.first[i].key].part].measures++;
}

static void take_part(struct rl_fleet *fleet, struct rl_fleet_group *group, enum rl_fleet_part part, double *work, double *values)
{
    struct rl_fleet_part_spread *spread = &group->part[part];
    spread->count = 0;
    for (size_t i = 0; i < group->record_count; i++) {
        struct rl_fleet_record *record = fleet->records[group->records[i]];
        record->part_deviation[part] = part_deviation(fleet, group, record, part, work);
        if (!isnan(record->part_deviation[part]))
            values[spread->count++] = record->part_deviation[part];
    }
    spread->scale = spread->count ? rl_robust_scale(values, spread->count, 0) : 0;
    spread->limit = INFINITY;
    group->looks += (double)spread->count;
}

static void limit_part(const struct rl_fleet *fleet, struct rl_fleet_group *group, enum rl_fleet_part part, double typical)
{
    struct rl_fleet_part_spread *spread = &group->part[part];
    if (!group->judged || spread->count < RL_FLEET_LEAST)
        return;
    spread->scale = fmax(least_scale, rl_robust_moderated(spread->scale, rl_robust_freedom(spread->count), typical, prior_freedom));
    spread->limit = limit_of(fleet, group, spread->count, spread->scale);
}

static void judge_group(struct rl_fleet *fleet, size_t index, struct span span)
{
    struct rl_fleet_group *group = &fleet->groups[index];
    double typical[RL_PART_COUNT];
    size_t most = 0;
    for (size_t i = 0; i < group->record_count; i++)
        if (fleet->records[group->records[i]]->measure_count > most)
            most = fleet->records[group->records[i]]->measure_count;
    double *work = rl_calloc(most, sizeof *work), *values = rl_calloc(group->record_count, sizeof *values);
    group->looks = 1;
    for (size_t i = 0; i < span.count; i++)
        group->looks += (double)span.first[i].count;
    typical_scales(fleet, span, typical);
    count_parts(fleet, group, span);
    for (int part = 0; part < RL_PART_COUNT; part++)
        take_part(fleet, group, (enum rl_fleet_part)part, work, values);
    set_limits(fleet, group, span, typical);
    for (int part = 0; part < RL_PART_COUNT; part++)
        limit_part(fleet, group, (enum rl_fleet_part)part, typical[part]);
    free(work);
    free(values);
}

void rl_fleet_make_spreads(struct rl_fleet *fleet)
{
    struct column column;
    column_init(&column, fleet->record_count);
    for (size_t group = 0; group < fleet->group_count; group++)
        add_spreads(fleet, group, &column);
    column_release(&column);
    for (size_t group = 0, next = 0; group < fleet->group_count; group++)
        judge_group(fleet, group, spreads_of(fleet, group, &next));
}
