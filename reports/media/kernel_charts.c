/* kernel_charts.c - what the whole document (--full) has of a kernel below its block: occupancy if its launch changed, how long its
 * launches took, optional sets of metrics (see kernels.h). */

#include "core/sort.h"
#include "kernels.h"

enum { FEWEST_TIMES = 8, LEFT_COLUMNS = 7 };
#define HEIGHT     180.0
#define MOST_RATIO 20.0 /* of the longest to the shortest time on a linear axis */

static size_t plan_times(struct rl_report *report, struct rl_section *section, const struct rl_kernel *kernel, double width)
{
    const size_t count = kernel->duration_count;
    if (count < FEWEST_TIMES)
        return RL_NONE;
    /* The times of a kernel's sample in ascending order, s. */
    double *times = rl_arena_alloc(report->doc->arena, kernel->duration_count * sizeof *times);
    for (size_t i = 0; i < kernel->duration_count; i++)
        times[i] = (double)kernel->duration_ns[i] * 1e-9;
    rl_sort_doubles(times, kernel->duration_count);
    struct rl_chart_series *series = rl_arena_alloc(report->doc->arena, sizeof *series);
    /* The share of launches that took at most so long, a step up at each time. */
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
    *series = (struct rl_chart_series){.tone = RL_TONE_INK, .count = used, .x = x, .y = y, .bare = true};
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_LINES);
    chart->width = width;
    chart->height = HEIGHT;
    chart->lines = (struct rl_chart_lines){.x_unit = RL_UNIT_SECOND,
                                           .y_unit = RL_UNIT_FRACTION,
                                           .x_scale = times[0] > 0 && times[count - 1] > MOST_RATIO * times[0] ? RL_SCALE_LOG10
                                                                                                               : RL_SCALE_LINEAR,
                                           .x_title = "Duration",
                                           .y_title = "Launches that took at most this long",
                                           .series = series,
                                           .series_count = 1,
                                           .y_top = 1};
    return section->chart_count - 1;
}

void rl_kernel_extras_plan(struct rl_report *report, struct rl_section *section, const struct rl_family *family)
{
    struct rl_kernel_charts *charts = &report->kernel_charts[family->kernel];
    const double width = rl_layout_width(report->doc->layout, RL_ALL_COLUMNS - LEFT_COLUMNS);
    charts->whatif = family->figures ? rl_family_chart_plan(report, section, family, width)
                                     : rl_whatif_plan(report, section, family->kernel, width);
    if (!family->figures && rl_entry_of_family(report, family).shows)
        charts->times = plan_times(report, section, &report->capture->kernels[family->kernel],
                                   rl_layout_width(report->doc->layout, LEFT_COLUMNS));
}

void rl_kernel_extras_draw(struct rl_report *report, const struct rl_section *section, const struct rl_kernel_block *block)
{
    const struct rl_kernel_charts *charts = &report->kernel_charts[block->row->kernel];
    struct rl_box *box = rl_flow_begin(report->doc->layout);
    rl_box_gap(box, 6);
    if (!block->row->figures)
        rl_kernel_sets_add(report, &block->entry, box);
    if (charts->times != RL_NONE || charts->whatif != RL_NONE) {
        struct rl_box *row = rl_box_row(box), *left = rl_box_cell(row, LEFT_COLUMNS),
                      *right = rl_box_cell(row, RL_ALL_COLUMNS - LEFT_COLUMNS);
        if (charts->times != RL_NONE)
            rl_box_figure(left, &rl_document_result(report->doc, section, charts->times)->drawing, "Times of its launches.",
                          "Timed without counters; a uniform sample of at most 512 launches.");
        if (charts->whatif != RL_NONE)
            (block->row->figures ? rl_family_chart_add : rl_whatif_add)(report, section, charts->whatif, right);
    }
    rl_flow_end(box);
}
