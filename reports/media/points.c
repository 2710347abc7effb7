/* points.c - variants and kernels as points below the roofs of their GPU (see page.h). */
#include <assert.h>
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

/* Where entries have a place: which ones, and the rate that their points show. */
struct field {
    bool (*place)(const struct rl_roofline_entry *entry);
    enum rl_metric rate;
    bool intensity; /* the rate is y, over the intensity; otherwise it is x */
};
static const struct field roofline = {rl_entry_on_roofline, RL_METRIC_flop_per_second, true},
                          strip = {rl_entry_on_strip, RL_METRIC_dram_bytes_per_second, false};

/* ---- topics ---- */

enum rl_topic rl_topic_of(const struct rl_roofline_entry *entry)
{
    const struct rl_value matrices = entry->metric[RL_METRIC_flop_tensor];
    if (rl_present(matrices) && matrices.v > 0)
        return RL_TOPIC_MATRIX;
    return entry->bound == RL_BOUND_MEMORY ? RL_TOPIC_MEMORY : entry->bound == RL_BOUND_COMPUTE ? RL_TOPIC_COMPUTE : RL_TOPIC_OTHER;
}

static bool is_memory(const struct rl_roofline_entry *entry)
{
    return rl_entry_on_roofline(entry) && rl_topic_of(entry) == RL_TOPIC_MEMORY;
}
static bool is_compute(const struct rl_roofline_entry *entry)
{
    return rl_entry_on_roofline(entry) && rl_topic_of(entry) == RL_TOPIC_COMPUTE;
}
static bool is_matrix(const struct rl_roofline_entry *entry)
{
    return rl_entry_on_roofline(entry) && rl_topic_of(entry) == RL_TOPIC_MATRIX;
}
static bool is_other(const struct rl_roofline_entry *entry)
{
    return rl_entry_on_roofline(entry) && rl_topic_of(entry) == RL_TOPIC_OTHER;
}

static const struct field topics[RL_TOPICS] = {
    [RL_TOPIC_MEMORY] = {is_memory, RL_METRIC_flop_per_second, true},
    [RL_TOPIC_COMPUTE] = {is_compute, RL_METRIC_flop_per_second, true},
    [RL_TOPIC_MATRIX] = {is_matrix, RL_METRIC_flop_per_second, true},
    [RL_TOPIC_OTHER] = {is_other, RL_METRIC_flop_per_second, true},
};

/* ---- which points have a name ---- */

/* The time that `most` kernels exceed; -1: there are no more than that. */
static double threshold_of(const struct rl_roofline_entries *entries, const struct field *field, size_t most)
{
    double *times = rl_calloc(entries->count + 1, sizeof *times);
    size_t count = 0;
    for (size_t i = 0; i < entries->count; i++)
        if (field->place(&entries->at[i]))
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

static bool is_near(const struct field *field, const struct rl_roofline_entry *a, const struct rl_roofline_entry *b)
{
    double y = fabs(log10(a->metric[field->rate].v / b->metric[field->rate].v));
    if (!field->intensity)
        return y < CROWD_X;
    return y < CROWD_Y && fabs(log10(a->metric[RL_METRIC_intensity_dram].v / b->metric[RL_METRIC_intensity_dram].v)) < CROWD_X;
}

static bool is_rival(const struct field *field, const struct rl_roofline_entry *entry)
{
    return entry->run && entry->best && field->place(entry);
}

static int by_total(const void *a, const void *b)
{
    const struct rl_roofline_entry *const *x = a, *const *y = b;
    return rl_descending((*x)->total_ns, (*y)->total_ns) ?: rl_ascending_place(*x, *y); /* as in the capture */
}

/* The best variants of experiments are named one after the other, the one with the most time first, unless one beside it is. */
static const bool *find_crowded(struct rl_report *report, const struct rl_roofline_entries *entries, const struct field *field)
{
    bool *crowded = rl_arena_alloc(report->doc->arena, (entries->count + 1) * sizeof *crowded);
    const struct rl_roofline_entry **rivals = rl_calloc(entries->count + 1, sizeof *rivals);
    size_t count = 0, named = 0;
    for (size_t i = 0; i < entries->count; i++)
        if (is_rival(field, &entries->at[i]))
            rivals[count++] = &entries->at[i];
    rl_sort(rivals, count, sizeof *rivals, by_total);
    for (size_t i = 0; i < count; i++) {
        bool *here = &crowded[rivals[i] - entries->at];
        for (size_t k = 0; k < named && !*here; k++)
            *here = is_near(field, rivals[k], rivals[i]);
        *here |= named == MOST_VARIANTS;
        if (!*here)
            rivals[named++] = rivals[i];
    }
    free(rivals);
    return crowded;
}

static struct names names_for(struct rl_report *report, const struct rl_roofline_entries *entries, const struct field *field,
                              enum rl_naming naming)
{
    size_t most = naming == RL_NAME_ALL ? SIZE_MAX : MOST_NAMES;
    struct names names = {naming, threshold_of(entries, field, most), threshold_of(entries, field, MOST_NUMBERS), 0,
                          naming == RL_NAME_BEST ? find_crowded(report, entries, field) : NULL};
    for (size_t i = 0; i < entries->count; i++)
        names.total_ns += entries->at[i].run ? 0 : entries->at[i].total_ns;
    return names;
}

static void name_variant(const struct rl_report *report, const struct rl_roofline_entry *entry, const struct names *names,
                         struct rl_chart_point *point)
{
    const enum rl_naming naming = names->naming;
    const bool many = entry->number > MOST_VARIANTS;
    const char *name = naming == RL_NAME_ALL && !many ? entry->name : NULL, *number = many ? NULL : point->tag;
    if (naming == RL_NAME_BEST && entry->best && !names->crowded[entry->number - 1])
        name = report->capture->experiments[rl_entry_experiment(report, entry)].name;
    point->label = name;
    point->tag = naming == RL_NAME_BEST ? NULL : number;
    point->small = naming == RL_NAME_BEST && !entry->best;
}

static void name_point(const struct rl_report *report, const struct rl_roofline_entry *entry, const struct names *names,
                       struct rl_chart_point *point)
{
    if (entry->run) {
        name_variant(report, entry, names, point);
        return;
    }
    point->label = entry->total_ns > names->name_above ? entry->name : NULL;
    if (entry->total_ns <= names->number_above || names->naming == RL_NAME_BEST)
        point->tag = NULL;
}

/* ---- points ---- */

/* The rate is work over time: its interval follows from that of the time. */
static struct rl_chart_point make_point(struct rl_report *report, const struct rl_roofline_entry *entry, const struct field *field,
                                        const struct names *names)
{
    const struct rl_stats *time = entry->duration;
    double rate = rl_entry_metric(report, entry, field->rate).v;
    struct rl_chart_point point = {
        .x = field->intensity ? rl_entry_metric(report, entry, RL_METRIC_intensity_dram).v : rate,
        .y = rate,
        .low = NAN,
        .high = NAN,
        /* the only one has all the time: its area would say nothing */
        .weight = !entry->run && entry->total_ns > 0 && entry->total_ns < names->total_ns ? entry->total_ns / names->total_ns : NAN,
        .tone = rl_words_tone(entry->bound),
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

static struct rl_chart_point *make_points(struct rl_report *report, size_t gpu, const struct field *field, enum rl_naming naming,
                                          size_t *count)
{
    const struct rl_roofline_entries *entries = rl_entries_with_best(report, gpu);
    struct names names = names_for(report, entries, field, naming);
    struct rl_chart_point *points = rl_arena_alloc(report->doc->arena, (entries->count + 1) * sizeof *points);
    for (size_t i = *count = 0; i < entries->count; i++)
        if (field->place(&entries->at[i]))
            points[(*count)++] = make_point(report, &entries->at[i], field, &names);
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
    struct rl_chart_point *points = make_points(report, gpu, &roofline, naming, &count);
    if (count == 0 && !any_measured(roofs, roof_count)) /* roofs of a data sheet alone show nothing */
        return NULL;
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_ROOFLINE);
    chart->roofline = (struct rl_chart_roofline){.roofs = roofs, .roof_count = roof_count, .points = points, .point_count = count};
    return chart;
}

/* Those that its points are held against: a small chart has no room for all. */
static size_t roofs_of_topic(struct rl_report *report, size_t gpu, enum rl_topic topic, struct rl_chart_roof *roofs)
{
    static const enum rl_ceiling_id vectors[] = {RL_CEILING_dram, RL_CEILING_fp32, RL_CEILING_fp64, RL_CEILING_fp16};
    const size_t most = topic == RL_TOPIC_COMPUTE ? RL_COUNT(vectors) : 2;
    size_t count = 0;
    if (topic == RL_TOPIC_MATRIX)
        return rl_roofs_of(report->doc, report->analysis, gpu, true, roofs);
    for (size_t i = 0; i < most; i++)
        count += rl_roofs_add(report->doc, report->analysis, gpu, vectors[i], i < 2, roofs + count);
    return count;
}

struct rl_chart *rl_points_topic(struct rl_report *report, struct rl_section *section, size_t gpu, enum rl_topic topic)
{
    struct rl_chart_roof *roofs = rl_arena_alloc(report->doc->arena, RL_MOST_ROOFS * sizeof *roofs);
    const size_t roof_count = roofs_of_topic(report, gpu, topic, roofs);
    size_t count;
    struct rl_chart_point *points = make_points(report, gpu, &topics[topic], RL_NAME_BEST, &count);
    if (count == 0)
        return NULL;
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_ROOFLINE);
    chart->width = RL_CHART_HALF;
    chart->roofline = (struct rl_chart_roofline){
        .roofs = roofs, .roof_count = roof_count, .points = points, .point_count = count, .no_ridge = topic != RL_TOPIC_COMPUTE};
    return chart;
}

/* Leaves out what is so far from the DRAM roof that it would squeeze all others together. */
static size_t without_far_points(struct rl_report *report, size_t gpu, struct rl_chart_point *points, size_t count)
{
    assert(gpu < report->capture->gpu_count);
    struct rl_value roof = rl_ceiling_figure(&report->analysis->gpus[gpu].ceiling[RL_CEILING_dram]);
    double least = rl_present(roof) ? RL_STRIP_LEAST * roof.v : 0;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (points[i].x >= least)
            points[kept++] = points[i];
    return kept > 0 ? kept : count;
}

struct rl_chart *rl_points_strip(struct rl_report *report, struct rl_section *section, size_t gpu, enum rl_naming naming)
{
    size_t count;
    struct rl_chart_point *points = make_points(report, gpu, &strip, naming, &count);
    if (count == 0)
        return NULL;
    count = without_far_points(report, gpu, points, count);
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_STRIP);
    struct rl_chart_reference *references;
    size_t reference_count = rl_roofs_dram_references(report->doc, report->analysis, gpu, &references);
    chart->strip = (struct rl_chart_strip){.unit = RL_UNIT_BYTE_PER_SECOND,
                                           .log = true,
                                           .title = "DRAM throughput",
                                           .points = points,
                                           .point_count = count,
                                           .references = references,
                                           .reference_count = reference_count};
    return chart;
}

const char *rl_points_method(struct rl_report *report, size_t gpu, const struct rl_chart *chart)
{
    if (chart->kind == RL_CHART_STRIP)
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
        count += rl_entry_on_roofline(&entries->at[i]) || rl_entry_on_strip(&entries->at[i]);
    return count;
}
