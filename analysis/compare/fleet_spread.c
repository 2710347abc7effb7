/* fleet_spread.c - how measures and parts are distributed over a group, and from where on a GPU stands apart. */
#include "analysis/robust.h"
#include "fleet_internal.h"

/* The weight of the typical scale of a part's measures, in degrees of freedom, when a scale is estimated from few GPUs. */
static const double prior_freedom = 4;
/* The typical scale is taken from the same GPUs, so when few of them happen to lie close together it must not be believed: chips of
 * one kind differ by some tenths of a percent. */
static const double least_typical = 3e-3;
/* No scale is known better than this: half of a thousandth. */
static const double least_scale = 5e-4;

/* ln(time) or -ln(rate): greater is slower. */
static double fleet_log(const struct rl_fleet_key *key, double value)
{
    assert(value > 0); /* rl_fleet_add_measure takes no other */
    return key->ceiling ? -log(value) : log(value);
}

double rl_fleet_share(double deviation)
{
    return -expm1(-deviation);
}

static double fleet_centre(const struct rl_fleet_spread *spread, const struct rl_fleet_record *record)
{
    const double centre = spread->driver_centre[record->driver_index];
    return isnan(centre) ? spread->centre : centre;
}

const struct rl_fleet_spread *rl_fleet_spread_of(const struct rl_fleet *fleet, size_t group, size_t key)
{
    const struct rl_fleet_spread *all = fleet->spreads;
    const size_t at = RL_BISECT(i, fleet->spread_count, all[i].group < group || (all[i].group == group && all[i].key < key));
    return at < fleet->spread_count && all[at].group == group && all[at].key == key ? &all[at] : NULL;
}

const struct rl_fleet_measure *rl_fleet_measure_of(const struct rl_fleet_record *record, size_t key)
{
    const size_t at = RL_BISECT(i, record->measure_count, record->measures[i].key < key);
    return at < record->measure_count && record->measures[at].key == key ? &record->measures[at] : NULL;
}

double rl_fleet_deviation(const struct rl_fleet *fleet, const struct rl_fleet_record *record,
                          const struct rl_fleet_measure *measure)
{
    const struct rl_fleet_spread *spread =
        record->use == RL_USE_COMPARED ? rl_fleet_spread_of(fleet, record->group, measure->key) : NULL;
    return spread ? fleet_log(&fleet->keys[measure->key], measure->value) - fleet_centre(spread, record) : NAN;
}

/* A measure, and the place of its record in the group. */
struct entry {
    const struct rl_fleet_measure *measure;
    const struct rl_fleet_record *record;
    size_t place;
};

RL_COMPARATOR(by_key, struct entry, rl_ascending(x->measure->key, y->measure->key) ?: rl_ascending(x->place, y->place));

/* All measures of a group, key by key; free with free(). */
static struct entry *entries_of(const struct rl_fleet *fleet, const struct rl_fleet_group *group, size_t *count)
{
    const size_t all = RL_SUM(size_t, i, group->record_count, fleet->records[group->records[i]]->measure_count);
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

/* How one key is distributed over a group: `count` entries, in the order of the group's records. */
static void add_spread(struct rl_fleet *fleet, size_t group_index, const struct entry *entries, size_t count)
{
    const struct rl_fleet_group *group = &fleet->groups[group_index];
    const struct rl_fleet_key *key = &fleet->keys[entries->measure->key];
    struct rl_fleet_spread spread = {.key = entries->measure->key, .group = group_index, .count = count, .limit = INFINITY};
    RL_FREED double *values = rl_calloc(count, sizeof *values), *logs = rl_calloc(count, sizeof *logs),
                    *work = rl_calloc(count, sizeof *work);
    double *centres = rl_arena_alloc(&fleet->arena, group->driver_count * sizeof *centres);
    for (size_t i = 0; i < count; i++)
        work[i] = logs[i] = fleet_log(key, entries[i].measure->value);
    spread.centre = rl_robust_median(work, count);
    /* Centres of the drivers that enough GPUs share; only where there are several drivers. */
    for (size_t driver = 0; driver < group->driver_count; driver++) {
        size_t with = 0;
        for (size_t i = 0; i < count; i++)
            if (entries[i].record->driver_index == driver)
                work[with++] = logs[i];
        centres[driver] = group->driver_count > 1 && with >= RL_FLEET_STRATUM ? rl_robust_median(work, with) : NAN;
    }
    spread.driver_centre = centres;
    /* The scale of the deviations, and what it is never below. */
    for (size_t i = 0; i < count; i++) {
        logs[i] -= fleet_centre(&spread, entries[i].record);
        work[i] = entries[i].measure->noise;
        values[i] = entries[i].measure->value;
    }
    spread.scale = rl_robust_scale(logs, count, 0);
    spread.floor = fmax(least_scale, rl_robust_median(work, count));
    /* The values themselves. */
    spread.median = rl_robust_median(values, count); /* sorts */
    spread.low = rl_stats_quantile_sorted(values, count, 0.05);
    spread.high = rl_stats_quantile_sorted(values, count, 0.95);
    spread.first = values[0];
    spread.last = values[count - 1];
    RL_APPEND(fleet->spreads, fleet->spread_count, fleet->spread_cap, spread);
}

/* The spreads of one group. */
struct span {
    struct rl_fleet_spread *first;
    size_t count;
};

static double limit_of(const struct rl_fleet *fleet, const struct rl_fleet_group *group, size_t count, double scale)
{
    double freedom = rl_robust_freedom(count) + prior_freedom;
    return fmax(log1p(fleet->options.least), scale * rl_robust_limit(fleet->options.alpha, group->looks, freedom));
}

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

/* How the parts are distributed. Every figure of every GPU is a look, and so is every part of it. */
static void spread_parts(struct rl_fleet *fleet, struct rl_fleet_group *group, struct span span)
{
    size_t most = group->record_count;
    for (size_t i = 0; i < group->record_count; i++)
        if (fleet->records[group->records[i]]->measure_count > most)
            most = fleet->records[group->records[i]]->measure_count;
    RL_FREED double *work = rl_calloc(most, sizeof *work), *values = rl_calloc(group->record_count, sizeof *values);
    group->looks = 1;
    for (size_t i = 0; i < span.count; i++) {
        group->looks += (double)span.first[i].count;
        group->part[fleet->keys[span.first[i].key].part].measures += 2 * span.first[i].count >= group->record_count;
    }
    for (int part = 0; part < RL_PART_COUNT; part++) {
        struct rl_fleet_part_spread *spread = &group->part[part];
        for (size_t i = 0; i < group->record_count; i++) {
            struct rl_fleet_record *record = fleet->records[group->records[i]];
            record->part_deviation[part] = part_deviation(fleet, group, record, (enum rl_fleet_part)part, work);
            if (!isnan(record->part_deviation[part]))
                values[spread->count++] = record->part_deviation[part];
        }
        spread->scale = spread->count ? rl_robust_scale(values, spread->count, 0) : 0;
        spread->limit = INFINITY;
        group->looks += (double)spread->count;
    }
}

/* The limits, with scales moderated by the typical one of the part. */
static void judge_group(struct rl_fleet *fleet, struct rl_fleet_group *group, struct span span)
{
    double typical[RL_PART_COUNT];
    /* The typical scale of the measures of each part: the median over them. */
    RL_FREED double *scales = rl_calloc(span.count, sizeof *scales);
    for (int part = 0; part < RL_PART_COUNT; part++) {
        size_t count = 0;
        for (size_t j = 0; j < span.count; j++)
            if ((int)fleet->keys[span.first[j].key].part == part && span.first[j].count >= RL_FLEET_LEAST)
                scales[count++] = fmax(span.first[j].scale, span.first[j].floor);
        typical[part] = fmax(least_typical, count ? rl_robust_median(scales, count) : 0);
    }
    spread_parts(fleet, group, span);
    for (size_t i = 0; i < span.count && group->judged; i++) {
        struct rl_fleet_spread *spread = &span.first[i];
        if (spread->count < RL_FLEET_LEAST)
            continue;
        spread->scale = fmax(spread->floor, rl_robust_moderated(spread->scale, rl_robust_freedom(spread->count),
                                                                typical[fleet->keys[spread->key].part], prior_freedom));
        spread->limit = limit_of(fleet, group, spread->count, spread->scale);
    }
    for (int part = 0; part < RL_PART_COUNT && group->judged; part++) {
        struct rl_fleet_part_spread *spread = &group->part[part];
        if (spread->count < RL_FLEET_LEAST)
            continue;
        spread->scale =
            fmax(least_scale, rl_robust_moderated(spread->scale, rl_robust_freedom(spread->count), typical[part], prior_freedom));
        spread->limit = limit_of(fleet, group, spread->count, spread->scale);
    }
}

void rl_fleet_make_spreads(struct rl_fleet *fleet)
{
    for (size_t group = 0; group < fleet->group_count; group++) {
        size_t count;
        struct entry *entries = entries_of(fleet, &fleet->groups[group], &count);
        for (size_t first = 0, end; first < count; first = end) {
            for (end = first + 1; end < count && entries[end].measure->key == entries[first].measure->key; end++)
                continue;
            add_spread(fleet, group, entries + first, end - first);
        }
        free(entries);
    }
    for (size_t group = 0, first = 0; group < fleet->group_count; group++) {
        struct span span = {fleet->spreads ? &fleet->spreads[first] : NULL, 0};
        for (; first < fleet->spread_count && fleet->spreads[first].group == group; first++)
            span.count++;
        judge_group(fleet, &fleet->groups[group], span);
    }
}
