/* points.c - the best variants of experiments as points below the roofs of their GPU (see page.h). */
#include "roofline_entries.h"

/* A chart with more points cannot be read, and finding places for their names takes for ever. */
enum { MOST_POINTS = 200 };

/* Points nearer to each other than this, in decades, have no room for a name each. */
#define CROWD_X 0.6
#define CROWD_Y 0.4

static bool is_near(const struct rl_roofline_entry *a, const struct rl_roofline_entry *b)
{
    return fabs(log10(a->metric[RL_METRIC_flop_per_second].v / b->metric[RL_METRIC_flop_per_second].v)) < CROWD_Y &&
           fabs(log10(a->metric[RL_METRIC_intensity_dram].v / b->metric[RL_METRIC_intensity_dram].v)) < CROWD_X;
}

RL_COMPARATOR(by_total, struct rl_roofline_entry *const,
              rl_descending((*x)->total_ns, (*y)->total_ns) ?: rl_ascending_place(*x, *y)); /* as in the capture */

struct rl_chart *rl_points_best(struct rl_report *report, struct rl_section *section, size_t gpu)
{
    const struct rl_roofline_entries *entries = rl_entries_with_best(report, gpu);
    const struct rl_roofline_entry **best = rl_arena_alloc(report->doc->arena, (entries->count + 1) * sizeof *best);
    size_t count = 0;
    for (size_t i = 0; i < entries->count; i++)
        if (entries->at[i].best && rl_entry_on_roofline(&entries->at[i]))
            best[count++] = &entries->at[i];
    if (count == 0)
        return NULL;
    /* Names, the one with the most time first, unless a named point lies next to it. */
    rl_sort(best, count, sizeof *best, by_total);
    count = count < MOST_POINTS ? count : MOST_POINTS;
    struct rl_chart_point *points = rl_arena_alloc(report->doc->arena, count * sizeof *points);
    for (size_t i = 0; i < count; i++) {
        const struct rl_stats *time = best[i]->duration;
        const double rate = rl_entry_metric(report, best[i], RL_METRIC_flop_per_second).v;
        const bool has_interval = time->has_interval && time->low > 0; /* the rate's follows from that of the time */
        bool crowded = false;
        for (size_t k = 0; k < i && !crowded; k++)
            crowded = points[k].label && is_near(best[k], best[i]);
        points[i] = (struct rl_chart_point){
            .x = rl_entry_metric(report, best[i], RL_METRIC_intensity_dram).v,
            .y = rate,
            .low = has_interval ? rate * time->median / time->high : NAN,
            .high = has_interval ? rate * time->median / time->low : NAN,
            .tone = rl_words_tone(rl_entry_limiter(best[i])),
            .name = best[i]->label,
            .label = crowded ? NULL : report->capture->experiments[rl_entry_experiment(report, best[i])].name,
        };
    }
    struct rl_chart_roof *roofs = rl_arena_alloc(report->doc->arena, RL_MOST_ROOFS * sizeof *roofs);
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_ROOFLINE);
    chart->roofline = (struct rl_chart_roofline){.roofs = roofs,
                                                 .roof_count = rl_roofs_of(report->doc, report->analysis, gpu, true, roofs),
                                                 .points = points,
                                                 .point_count = count};
    return chart;
}

/* The best variant that is nearest to a roof. */
static const char *nearest_text(struct rl_report *report, size_t gpu, size_t drawn)
{
    const struct rl_roofline_entries *entries = rl_entries_with_best(report, gpu);
    const struct rl_roofline_entry *best = NULL;
    for (size_t i = 0; i < entries->count; i++) {
        const struct rl_roofline_entry *entry = &entries->at[i];
        if (entry->best && entry->shows && !entry->above_roof && entry->bound != RL_BOUND_UNKNOWN &&
            rl_present(entry->roof_share) && (!best || entry->roof_share.v > best->roof_share.v))
            best = entry;
    }
    if (!best)
        return "No variant is known to be below a roof that limits it.";
    return rl_words(report->doc, "Closest to its roof: %s, at %s, limited by %s%s.", rl_words_short(report->doc, best->label, 60),
                    rl_words_value(report->doc, RL_UNIT_FRACTION, best->roof_share, 3), rl_entry_limited_by(best),
                    drawn ? "" : "; none does floating-point work");
}

void rl_roofline_draw_best(struct rl_report *report, const struct rl_section *section, size_t gpu)
{
    const struct rl_chart_roofline *chart = &report->doc->charts[section->first_chart].roofline;
    const struct rl_chart_result *result = rl_document_result(report->doc, section, 0);
    size_t bare = result->bare;
    for (size_t i = 0; i < chart->point_count; i++)
        bare += !chart->points[i].label;
    rl_layout_figure(
        report->doc->layout, &result->drawing, nearest_text(report, gpu, chart->point_count),
        rl_words(report->doc,
                 "The best variant of each experiment with floating-point work, from counters over the median time "
                 "without counters; all variants: the pages of their experiments.%s%s",
                 rl_roofs_text(report->doc, report->analysis, gpu, chart),
                 bare ? rl_words(report->doc, " %s without a name.", rl_words_count(report->doc, bare, "point is", "points are"))
                      : ""));
}
