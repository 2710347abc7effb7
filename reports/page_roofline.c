/* page_roofline.c - all kernels of a GPU against its DRAM roof. */
#include <math.h>

#include "core/mem.h"
#include "page.h"

#define CHART_HEIGHT 330.0

enum { MOST_LABELS = 60 };

static void plan(struct rl_report *report, struct rl_section *section)
{
    size_t gpu = rl_page_gpu(report, section->id, section->instance);
    struct rl_chart *chart = rl_roofs_roofline(report, section, gpu, (struct rl_roofs_detail){true, MOST_LABELS});
    if (chart)
        chart->height = CHART_HEIGHT;
    if (rl_roofs_strip(report, gpu, NULL) > 0)
        rl_roofs_strip(report, gpu, rl_report_chart(report, section, RL_CHART_STRIP));
}

/* What the chart shows, in words: how many lie near a roof, and which is nearest. */
static const char *caption(struct rl_report *report, size_t gpu, size_t drawn)
{
    size_t bound[4] = {0};
    const struct rl_kernel_result *best = NULL;
    for (size_t i = 0; i < report->capture->kernel_count; i++) {
        const struct rl_kernel_result *k = &report->analysis->kernels[i];
        if (report->capture->kernels[i].gpu != gpu || k->wrong)
            continue;
        bound[k->bound]++;
        if (rl_present(k->roof_share) && k->bound != RL_BOUND_UNKNOWN && (!best || k->roof_share.v > best->roof_share.v))
            best = k;
    }
    if (!best)
        return "No kernel has the counters that place it on the roofline: only the roofs are drawn.";
    return rl_words(
        report,
        "%s nearest to the roof: %s of it. %zu memory-bound, %zu compute-bound, %zu latency-bound (under 60 %% of the roof)%s.",
        rl_words(report, "%s comes", rl_words_short(report, best->label, 60)),
        rl_words_value(report, RL_UNIT_FRACTION, best->roof_share, 3), bound[RL_BOUND_MEMORY], bound[RL_BOUND_COMPUTE],
        bound[RL_BOUND_LATENCY], drawn ? "" : "; none does floating-point work");
}

/* How many points have no name, because there was no room or because they are too many. */
static const char *unlabelled_text(struct rl_report *report, const struct rl_chart_result *result,
                                   const struct rl_chart_point *points, size_t count)
{
    size_t bare = result->unlabelled_count;
    for (size_t i = 0; i < count; i++)
        bare += points[i].label == NULL;
    if (bare == 0)
        return "";
    return rl_words(report, " %s without a name: see the table.", rl_words_count(report, bare, "point is", "points are"));
}

static void draw_roofline(struct rl_report *report, const struct rl_chart *chart, const struct rl_chart_result *result, size_t gpu)
{
    rl_layout_figure(
        report->layout, &result->drawing, caption(report, gpu, chart->roofline.point_count),
        rl_words(report,
                 "Floating-point operations and DRAM bytes by counters, over the median duration measured without counters; bars: "
                 "95 %% interval. Dashed roofs are theoretical at the clock of the passes, solid ones measured here.%s",
                 unlabelled_text(report, result, chart->roofline.points, chart->roofline.point_count)));
}

static void draw_strip(struct rl_report *report, const struct rl_chart *chart, const struct rl_chart_result *result)
{
    rl_layout_figure(report->layout, &result->drawing,
                     "Kernels without floating-point operations have no intensity: their DRAM throughput stands for them.",
                     rl_words(report, "DRAM bytes by counters over the median duration.%s",
                              unlabelled_text(report, result, chart->strip.points, chart->strip.point_count)));
}

static void draw_charts(struct rl_report *report, struct rl_section *section, size_t gpu)
{
    if (section->chart_count == 0)
        rl_layout_textf(report->layout, RL_STYLE_LEAD, "There is nothing to draw: no roof and no kernel has the counters (%s).",
                        rl_words_short(report, report->capture->session.counters, 120));
    for (size_t i = 0; i < section->chart_count; i++) {
        const struct rl_chart *chart = &report->charts[section->first_chart + i];
        if (chart->kind == RL_CHART_ROOFLINE)
            draw_roofline(report, chart, rl_report_result(report, section, i), gpu);
        else
            draw_strip(report, chart, rl_report_result(report, section, i));
        rl_layout_skip(report->layout, 10);
    }
}

/* ---- the table ---- */

enum { FLOP_RATE, INTENSITY, DRAM_RATE, TIME, SERIES };
static const struct {
    enum rl_metric metric;
    enum rl_unit unit;
} series_rows[] = {
    [FLOP_RATE] = {RL_METRIC_flop_per_second, RL_UNIT_FLOP_PER_SECOND},
    [INTENSITY] = {RL_METRIC_intensity_dram, RL_UNIT_FLOP_PER_BYTE},
    [DRAM_RATE] = {RL_METRIC_dram_bytes_per_second, RL_UNIT_BYTE_PER_SECOND},
    [TIME] = {RL_METRIC_COUNT, RL_UNIT_SECOND},
};

static struct rl_value series_value(struct rl_report *report, size_t kernel, size_t series)
{
    const struct rl_kernel_result *k = &report->analysis->kernels[kernel];
    return series == TIME ? rl_words_time(k) : rl_words_metric(report, k, series_rows[series].metric);
}

static void find_scales(struct rl_report *report, size_t gpu, struct rl_scale scales[SERIES])
{
    struct rl_value *values = rl_arena_alloc(report->arena, (report->capture->kernel_count + 1) * sizeof *values);
    for (size_t s = 0; s < SERIES; s++) {
        size_t count = 0;
        for (size_t i = 0; i < report->capture->kernel_count; i++)
            if (report->capture->kernels[i].gpu == gpu)
                values[count++] = series_value(report, i, s);
        scales[s] = rl_words_scale(series_rows[s].unit, values, count);
    }
}

static void add_kernel(struct rl_report *report, struct rl_grid *grid, size_t kernel, const struct rl_scale scales[SERIES])
{
    const struct rl_kernel_result *k = &report->analysis->kernels[kernel];
    size_t variant = report->capture->kernels[kernel].variant;
    rl_grid_cell(grid, RL_STYLE_CELL_QUIET, rl_words(report, "%zu", rl_roofs_number(report, kernel)));
    struct rl_grid_cell *name = rl_grid_cell(grid, RL_STYLE_CELL_NAME, k->label);
    if (variant != RL_NONE)
        name->target =
            rl_experiment_target(report, report->capture->variants[variant].experiment, report->capture->kernels[kernel].gpu);
    rl_grid_value(grid, RL_STYLE_CELL, series_value(report, kernel, TIME), scales[TIME].factor, 4);
    rl_grid_value(grid, RL_STYLE_CELL, series_value(report, kernel, FLOP_RATE), scales[FLOP_RATE].factor, 3);
    rl_grid_value(grid, RL_STYLE_CELL, series_value(report, kernel, INTENSITY), 1, 3);
    rl_grid_value(grid, RL_STYLE_CELL, series_value(report, kernel, DRAM_RATE), scales[DRAM_RATE].factor, 3);
    rl_words_add_share(report, grid, k, series_value(report, kernel, TIME));
    rl_grid_cell(grid, k->wrong ? RL_STYLE_CELL_STRONG : RL_STYLE_CELL, k->wrong ? "WRONG" : rl_bound_name(k->bound));
}

static void draw_table(struct rl_report *report, size_t gpu)
{
    struct rl_scale scales[SERIES];
    struct rl_grid grid;
    find_scales(report, gpu, scales);
    rl_grid_init(&grid, report->layout);
    grid.title = "All kernels";
    rl_grid_add_column(&grid, "", "", RL_GRID_RIGHT);
    rl_grid_add_column(&grid, "kernel", "", RL_GRID_LEFT);
    rl_grid_add_column(&grid, "median time", scales[TIME].symbol, RL_GRID_DECIMAL);
    rl_grid_add_column(&grid, "rate", scales[FLOP_RATE].symbol, RL_GRID_DECIMAL);
    rl_grid_add_column(&grid, "intensity (DRAM)", "FLOP/B", RL_GRID_DECIMAL);
    rl_grid_add_column(&grid, "DRAM throughput", scales[DRAM_RATE].symbol, RL_GRID_DECIMAL);
    rl_grid_add_column(&grid, "share of its roof", "%", RL_GRID_DECIMAL)->share_width = 36;
    rl_grid_add_column(&grid, "bound", "", RL_GRID_LEFT)->whole = true;
    for (size_t i = 0, previous = RL_NONE; i < report->capture->kernel_count; i++) {
        const struct rl_kernel *kernel = &report->capture->kernels[i];
        if (kernel->gpu != gpu)
            continue;
        size_t experiment = kernel->variant == RL_NONE ? RL_NONE : report->capture->variants[kernel->variant].experiment;
        (experiment == previous ? rl_grid_row : rl_grid_group)(&grid);
        previous = experiment;
        add_kernel(report, &grid, i, scales);
    }
    rl_grid_lay(&grid);
    rl_grid_release(&grid);
    rl_layout_notes(report->layout);
}

static void draw(struct rl_report *report, struct rl_section *section)
{
    size_t gpu = rl_page_gpu(report, section->id, section->instance);
    bool several = report->capture->gpu_count > 1;
    rl_layout_section(report->layout,
                      several ? rl_words(report, "%s: %s", section->title, rl_words_card(report, gpu)) : section->title);
    draw_charts(report, section, gpu);
    draw_table(report, gpu);
}

const struct rl_page rl_page_roofline = {.plan = plan, .draw = draw};
