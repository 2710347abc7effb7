/* kernel_charts.c - what a kernel class of a program has on its page below its block (see kernels.h): its place at every level of
 * memory, and how long its launches took. Variants of the suite have an experiment's page instead. */

#include <assert.h>

#include "analysis/program.h"
#include "core/mem.h"
#include "core/sort.h"
#include "core/stats.h"
#include "kernels.h"
#include "levels.h"

enum { FEWEST_TIMES = 8, LEFT_COLUMNS = 7 };
#define HEIGHT     180.0
#define GAP_BEFORE 10.0
#define WORDS      70.0 /* a chart's title above it and its caption below */
#define MOST_RATIO 20.0 /* of the longest to the shortest time on a linear axis */

/* Shares of the launches that are marked on their curve, and named in its caption. */
static const double marked[] = {0.5, 0.99};

/* ---- how long launches took ---- */

/* The times of a kernel's sample in ascending order, s. */
static double *sorted_times(struct rl_report *report, const struct rl_kernel *kernel)
{
    double *times = rl_arena_alloc(report->doc->arena, kernel->duration_count * sizeof *times);
    for (size_t i = 0; i < kernel->duration_count; i++)
        times[i] = (double)kernel->duration_ns[i] * 1e-9;
    rl_sort_doubles(times, kernel->duration_count);
    return times;
}

/* The share of launches that took at most so long, a step up at each time. */
static struct rl_chart_series steps(struct rl_report *report, const double *times, size_t count)
{
    double *x = rl_arena_alloc(report->doc->arena, 2 * count * sizeof *x),
           *y = rl_arena_alloc(report->doc->arena, 2 * count * sizeof *y);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        x[used] = x[used + 1] = times[i];
        y[used] = (double)i / (double)count;
        while (i + 1 < count && times[i + 1] == times[i])
            i++;
        y[used + 1] = (double)(i + 1) / (double)count;
        used += 2;
    }
    return (struct rl_chart_series){.tone = RL_TONE_MEMORY, .count = used, .x = x, .y = y, .bare = true};
}

static struct rl_chart_series mark(struct rl_report *report, const double *times, size_t count, const double *share)
{
    double *x = rl_arena_alloc(report->doc->arena, sizeof *x);
    *x = rl_stats_quantile_sorted(times, count, *share);
    return (struct rl_chart_series){.tone = RL_TONE_MEMORY, .count = 1, .x = x, .y = share};
}

static size_t plan_times(struct rl_report *report, struct rl_section *section, const struct rl_kernel *kernel, double width)
{
    size_t count = kernel->duration_count;
    if (count < FEWEST_TIMES)
        return RL_NONE;
    const double *times = sorted_times(report, kernel);
    struct rl_chart_series *series = rl_arena_alloc(report->doc->arena, (1 + RL_COUNT(marked)) * sizeof *series);
    series[0] = steps(report, times, count);
    for (size_t i = 0; i < RL_COUNT(marked); i++)
        series[1 + i] = mark(report, times, count, &marked[i]);
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_LINES);
    chart->width = width;
    chart->height = HEIGHT;
    chart->lines = (struct rl_chart_lines){.x_unit = RL_UNIT_SECOND,
                                           .y_unit = RL_UNIT_FRACTION,
                                           .x_scale = times[0] > 0 && times[count - 1] > MOST_RATIO * times[0] ? RL_SCALE_LOG10
                                                                                                               : RL_SCALE_LINEAR,
                                           .x_title = "Duration",
                                           .y_title = "Launches that took at most this long",
                                           .show_values = true,
                                           .series = series,
                                           .series_count = 1 + RL_COUNT(marked),
                                           .y_top = 1};
    return section->chart_count - 1;
}

/* "Half of 494 launches took at most 928 ns, 99 % at most 960 ns, the longest one 1.15 µs.", of what the chart shows. */
static const char *times_caption(struct rl_report *report, size_t index, const struct rl_chart_lines *chart)
{
    assert(index < report->capture->kernel_count);
    const struct rl_kernel_use *use = rl_kernel_use_of(report->capture, index);
    const struct rl_chart_series *steps = &chart->series[0], *half = &chart->series[1], *nearly_all = &chart->series[2];
    return rl_words(report->doc, "Half of %s took at most %s, 99\xC2\xA0%% at most %s, the longest one %s.",
                    rl_words_count(report->doc, use ? (size_t)use->timed : report->capture->kernels[index].duration_count, "launch",
                                   "launches"),
                    rl_words_seconds(report->doc, half->x[0]), rl_words_seconds(report->doc, nearly_all->x[0]),
                    rl_words_seconds(report->doc, use ? (double)use->max_ns * 1e-9 : steps->x[steps->count - 1]));
}

static const char *times_method(struct rl_report *report, size_t index)
{
    assert(index < report->capture->kernel_count);
    const struct rl_kernel *kernel = &report->capture->kernels[index];
    const struct rl_kernel_use *use = rl_kernel_use_of(report->capture, index);
    return use && use->timed > kernel->duration_count
               ? rl_words(report->doc, "Timed without counters. The curve shows a uniform sample of %zu.", kernel->duration_count)
               : "Timed without counters.";
}

/* ---- both ---- */

struct rl_kernel_charts rl_kernel_charts_plan(struct rl_report *report, struct rl_section *section, size_t gpu, size_t rank)
{
    struct rl_kernel_charts charts = {RL_NONE, RL_NONE, false};
    const struct rl_kernel_blocks *blocks = rl_kernel_blocks_of(report, gpu);
    if (rank >= blocks->pages || blocks->family[rank]->figures)
        return charts;
    const size_t kernel = blocks->at[rank];
    const struct rl_roofline_entry entry = rl_entry_of_kernel(report, &report->analysis->kernels[kernel]);
    if (rl_levels_plan_kernel(report, section, gpu, &entry, &charts.arithmetic)) {
        charts.levels = section->chart_count - 1;
        struct rl_chart *chart = &report->doc->charts[report->doc->chart_count - 1];
        chart->width = rl_layout_width(report->doc->layout, LEFT_COLUMNS);
        chart->height = HEIGHT;
    }
    if (entry.shows)
        charts.times =
            plan_times(report, section, &report->capture->kernels[kernel], rl_layout_width(report->doc->layout, 12 - LEFT_COLUMNS));
    return charts;
}

/* A chart under its title. */
static void add_one(struct rl_box *cell, const struct rl_drawing *drawing, const char *title, const char *caption,
                    const char *method)
{
    rl_box_text(cell, RL_STYLE_STRONG, title);
    rl_box_gap(cell, 4);
    rl_box_figure(cell, drawing, caption, method);
}

void rl_kernel_charts_draw(struct rl_report *report, const struct rl_section *section, size_t kernel,
                           const struct rl_kernel_charts *charts)
{
    if (charts->levels == RL_NONE && charts->times == RL_NONE)
        return;
    struct rl_box *box = rl_flow_begin(report->doc->layout);
    rl_box_gap(box, GAP_BEFORE);
    struct rl_box *row = rl_box_row(box);
    if (charts->levels != RL_NONE)
        add_one(rl_box_cell(row, LEFT_COLUMNS), &rl_document_result(report->doc, section, charts->levels)->drawing,
                charts->arithmetic ? "Arithmetic against each level of memory" : "Instructions against each level of memory",
                "Where points are close together, a cache saves nothing; where they are far apart, it serves most requests.",
                charts->arithmetic ? "Floating-point operations per byte moved at each level, from counters."
                                   : "Warp instructions per transaction: 32 bytes for DRAM, L2 and L1, 128 for shared memory.");
    if (charts->times != RL_NONE)
        add_one(rl_box_cell(row, RL_ALL_COLUMNS - LEFT_COLUMNS), &rl_document_result(report->doc, section, charts->times)->drawing,
                "How long its launches took",
                times_caption(report, kernel, &report->doc->charts[section->first_chart + charts->times].lines),
                times_method(report, kernel));
    rl_flow_together(box);
}
