/* points.c - variants and kernels as points below the roofs of their GPU (see page.h). */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/mem.h"
#include "core/sort.h"
#include "roofline_entries.h"
#include "roofs.h"

/* Kernels of programs that get their name where there are many, and that get a number. */
enum { MOST_NAMES = 12, MOST_NUMBERS = 100 };
/* Variants of the suite, in their order: a chart with more labels cannot be read, and finding places for them takes for ever. */
enum { MOST_VARIANTS = 200 };
/* Bars: of more variants the best of each experiment, of kernels those with the most time. */
enum { MOST_BARS = 12 };

/* Which entries have a place in a chart. */
typedef bool placing(const struct rl_roofline_entry *entry);

/* ---- which points have a name ---- */

/* The time that `most` kernels exceed; -1: there are no more than that. */
static double threshold_of(const struct rl_roofline_entries *entries, placing *place, size_t most)
{
    double *times = rl_calloc(entries->count + 1, sizeof *times);
    size_t count = 0;
    for (size_t i = 0; i < entries->count; i++)
        if (place(&entries->at[i]))
            times[count++] = entries->at[i].total_ns;
    rl_sort_doubles(times, count);
    double threshold = count > most ? times[count - 1 - most] : -1;
    free(times);
    return threshold;
}

/* What decides about names and sizes: the total times that kernels of programs must exceed for a name, or for a number, and the
 * time of all of them (variants of the suite are repeated at will, so theirs says nothing). */
struct names {
    enum rl_naming naming;
    double name_above, number_above, total_ns;
    const bool *crowded; /* RL_NAME_BEST: entries that leave their name to one with more time beside them */
};

/* Points nearer to each other than this, in decades, have no room for a name each. */
#define CROWD_X 0.6
#define CROWD_Y 0.4

static bool is_near(const struct rl_roofline_entry *a, const struct rl_roofline_entry *b)
{
    return fabs(log10(a->metric[RL_METRIC_flop_per_second].v / b->metric[RL_METRIC_flop_per_second].v)) < CROWD_Y &&
           fabs(log10(a->metric[RL_METRIC_intensity_dram].v / b->metric[RL_METRIC_intensity_dram].v)) < CROWD_X;
}

static bool is_rival(placing *place, const struct rl_roofline_entry *entry)
{
    return entry->run && entry->best && place(entry);
}

static int by_total(const void *a, const void *b)
{
    const struct rl_roofline_entry *const *x = a, *const *y = b;
    return rl_descending((*x)->total_ns, (*y)->total_ns) ?: rl_ascending_place(*x, *y); /* as in the capture */
}

/* The best variants of experiments are named one after the other, the one with the most time first, unless one beside it is. */
static const bool *find_crowded(struct rl_report *report, const struct rl_roofline_entries *entries, placing *place)
{
    bool *crowded = rl_arena_alloc(report->doc->arena, (entries->count + 1) * sizeof *crowded);
    const struct rl_roofline_entry **rivals = rl_calloc(entries->count + 1, sizeof *rivals);
    size_t count = 0, named = 0;
    for (size_t i = 0; i < entries->count; i++)
        if (is_rival(place, &entries->at[i]))
            rivals[count++] = &entries->at[i];
    rl_sort(rivals, count, sizeof *rivals, by_total);
    for (size_t i = 0; i < count; i++) {
        bool *here = &crowded[rivals[i] - entries->at];
        for (size_t k = 0; k < named && !*here; k++)
            *here = is_near(rivals[k], rivals[i]);
        *here |= named == MOST_VARIANTS;
        if (!*here)
            rivals[named++] = rivals[i];
    }
    free(rivals);
    return crowded;
}

static struct names names_for(struct rl_report *report, const struct rl_roofline_entries *entries, placing *place,
                              enum rl_naming naming)
{
    size_t most = naming == RL_NAME_ALL ? SIZE_MAX : MOST_NAMES;
    struct names names = {naming, threshold_of(entries, place, most), threshold_of(entries, place, MOST_NUMBERS), 0,
                          naming == RL_NAME_BEST ? find_crowded(report, entries, place) : NULL};
    for (size_t i = 0; i < entries->count; i++)
        names.total_ns += entries->at[i].run ? 0 : entries->at[i].total_ns;
    return names;
}

static void name_point(const struct rl_report *report, const struct rl_roofline_entry *entry, const struct names *names,
                       struct rl_chart_point *point)
{
    if (entry->run) {
        const enum rl_naming naming = names->naming;
        const bool many = entry->number > MOST_VARIANTS;
        const char *name = naming == RL_NAME_ALL && !many ? entry->name : NULL, *number = many ? NULL : point->tag;
        if (naming == RL_NAME_BEST && entry->best && !names->crowded[entry->number - 1])
            name = report->capture->experiments[rl_entry_experiment(report, entry)].name;
        point->label = name;
        point->tag = naming == RL_NAME_BEST ? NULL : number;
        point->small = naming == RL_NAME_BEST && !entry->best;
        return;
    }
    point->label = entry->total_ns > names->name_above ? entry->name : NULL;
    if (entry->total_ns <= names->number_above || names->naming == RL_NAME_BEST)
        point->tag = NULL;
}

/* ---- points ---- */

/* The rate is work over time: its interval follows from that of the time. */
static struct rl_chart_point make_point(struct rl_report *report, const struct rl_roofline_entry *entry, const struct names *names)
{
    const struct rl_stats *time = entry->duration;
    double rate = rl_entry_metric(report, entry, RL_METRIC_flop_per_second).v;
    struct rl_chart_point point = {
        .x = rl_entry_metric(report, entry, RL_METRIC_intensity_dram).v,
        .y = rate,
        .low = NAN,
        .high = NAN,
        /* the only one has all the time: its area would say nothing */
        .weight = !entry->run && entry->total_ns > 0 && entry->total_ns < names->total_ns ? entry->total_ns / names->total_ns : NAN,
        .tone = rl_words_tone(rl_entry_limiter(entry)),
        .name = entry->label,
        .tag = rl_words(report->doc, "%zu", entry->number),
    };
    if (time->has_interval && time->low > 0) {
        point.low = rate * time->median / time->high;
        point.high = rate * time->median / time->low;
    }
    name_point(report, entry, names, &point);
    return point;
}

static struct rl_chart_point *make_points(struct rl_report *report, size_t gpu, placing *place, enum rl_naming naming,
                                          size_t *count)
{
    const struct rl_roofline_entries *entries = rl_entries_with_best(report, gpu);
    struct names names = names_for(report, entries, place, naming);
    struct rl_chart_point *points = rl_arena_alloc(report->doc->arena, (entries->count + 1) * sizeof *points);
    for (size_t i = *count = 0; i < entries->count; i++)
        if (place(&entries->at[i]))
            points[(*count)++] = make_point(report, &entries->at[i], &names);
    return points;
}

static bool any_measured(const struct rl_chart_roof *roofs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (roofs[i].measured)
            return true;
    return false;
}

struct rl_chart *rl_points_roofline(struct rl_report *report, struct rl_section *section, size_t gpu, bool all_roofs,
                                    enum rl_naming naming)
{
    struct rl_chart_roof *roofs = rl_arena_alloc(report->doc->arena, RL_MOST_ROOFS * sizeof *roofs);
    size_t roof_count = rl_roofs_of(report->doc, report->analysis, gpu, all_roofs, roofs), count;
    struct rl_chart_point *points = make_points(report, gpu, rl_entry_on_roofline, naming, &count);
    if (count == 0 && !any_measured(roofs, roof_count)) /* roofs of a data sheet alone show nothing */
        return NULL;
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_ROOFLINE);
    chart->roofline = (struct rl_chart_roofline){.roofs = roofs, .roof_count = roof_count, .points = points, .point_count = count};
    return chart;
}

static bool is_best(const struct rl_roofline_entry *entry)
{
    return entry->best && rl_entry_on_roofline(entry);
}

struct rl_chart *rl_points_best(struct rl_report *report, struct rl_section *section, size_t gpu)
{
    struct rl_chart_roof *roofs = rl_arena_alloc(report->doc->arena, RL_MOST_ROOFS * sizeof *roofs);
    const size_t roof_count = rl_roofs_of(report->doc, report->analysis, gpu, true, roofs);
    size_t count;
    struct rl_chart_point *points = make_points(report, gpu, is_best, RL_NAME_BEST, &count);
    if (count == 0)
        return NULL;
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_ROOFLINE);
    chart->roofline = (struct rl_chart_roofline){.roofs = roofs, .roof_count = roof_count, .points = points, .point_count = count};
    return chart;
}

struct rl_chart *rl_points_bars(struct rl_report *report, struct rl_section *section, size_t gpu)
{
    const struct rl_roofline_entries *entries = rl_entries_with_best(report, gpu);
    const struct rl_roofline_entry **rows = rl_calloc(entries->count + 1, sizeof *rows);
    size_t all = 0, count = 0;
    for (size_t i = 0; i < entries->count; i++)
        all += rl_entry_moves_only(&entries->at[i]);
    for (size_t i = 0; i < entries->count; i++)
        if (rl_entry_moves_only(&entries->at[i]) && (all <= MOST_BARS || !entries->at[i].run || entries->at[i].best))
            rows[count++] = &entries->at[i];
    rl_sort(rows, count, sizeof *rows, by_total);
    count = count < MOST_BARS ? count : MOST_BARS;
    struct rl_chart_bar *bars = rl_arena_alloc(report->doc->arena, (count + 1) * sizeof *bars);
    struct rl_chart_reference *references = NULL;
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < count; i++) {
        const struct rl_stats *time = rows[i]->duration;
        const double rate = rl_entry_metric(report, rows[i], RL_METRIC_dram_bytes_per_second).v;
        const bool known = time->has_interval && time->low > 0;
        least = fmin(least, rate);
        most = fmax(most, rate);
        bars[i] = (struct rl_chart_bar){.label = rows[i]->label,
                                        .value = rate,
                                        .low = known ? rate * time->median / time->high : NAN,
                                        .high = known ? rate * time->median / time->low : NAN,
                                        .tone = rl_words_tone(rl_entry_limiter(rows[i]))};
    }
    free(rows);
    if (count == 0)
        return NULL;
    const size_t reference_count = rl_roofs_dram_references(report->doc, report->analysis, gpu, &references);
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_BARS);
    chart->bars = (struct rl_chart_bars){.unit = RL_UNIT_BYTE_PER_SECOND,
                                         .log = most > 100 * least,
                                         .title = "DRAM throughput",
                                         .bars = bars,
                                         .bar_count = count,
                                         .references = references,
                                         .reference_count = reference_count,
                                         .values_aside = reference_count > 0};
    return chart;
}

const char *rl_points_method(struct rl_report *report, size_t gpu, const struct rl_chart *chart)
{
    if (chart->kind == RL_CHART_BARS)
        return "DRAM bytes from counters, over the median duration.";
    return rl_words(
        report->doc,
        "Floating-point operations and DRAM bytes from counters, over the median duration measured without counters; bars: 95 %% "
        "interval.%s",
        rl_roofs_text(report->doc, report->analysis, gpu, &chart->roofline));
}

size_t rl_points_count(struct rl_report *report, size_t gpu)
{
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu);
    size_t count = 0;
    for (size_t i = 0; i < entries->count; i++)
        count += rl_entry_on_roofline(&entries->at[i]) || rl_entry_moves_only(&entries->at[i]);
    return count;
}
