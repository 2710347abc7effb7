/* page_roofline.c - all kernels of a GPU against its DRAM roof. */
#include <math.h>

#include "core/mem.h"
#include "page.h"

#define CHART_HEIGHT 330.0

static void plan(struct rl_report *report, struct rl_section *section)
{
    size_t gpu = rl_page_gpu(report, section->id, section->instance);
    struct rl_chart *chart = rl_report_chart(report, section, RL_CHART_ROOFLINE);
    chart->height = CHART_HEIGHT;
    rl_roofs_roofline(report, gpu, true, chart);
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
        rl_words(report, "%s comes", best->label), rl_words_value(report, RL_UNIT_FRACTION, best->roof_share, 3),
        bound[RL_BOUND_MEMORY], bound[RL_BOUND_COMPUTE], bound[RL_BOUND_LATENCY], drawn ? "" : "; none does floating-point work");
}

static const char *unlabelled_text(struct rl_report *report, const struct rl_chart_result *result)
{
    if (result->unlabelled_count == 0)
        return "";
    return rl_words(report, " %s without a name for want of room: see the table.",
                    rl_words_count(report, result->unlabelled_count, "point is", "points are"));
}

static void draw_charts(struct rl_report *report, struct rl_section *section, size_t gpu)
{
    const struct rl_chart_result *roofline = rl_report_result(report, section, 0);
    size_t drawn = report->charts[section->first_chart].roofline.point_count;
    rl_layout_figure(
        report->layout, &roofline->drawing, caption(report, gpu, drawn),
        rl_words(report,
                 "Floating-point operations and DRAM bytes by counters, over the median duration measured without counters; bars: "
                 "95 %% interval. Dashed roofs are theoretical at the clock of the passes, solid ones measured here.%s",
                 unlabelled_text(report, roofline)));
    rl_layout_skip(report->layout, 10);
    if (section->chart_count < 2)
        return;
    const struct rl_chart_result *strip = rl_report_result(report, section, 1);
    rl_layout_figure(report->layout, &strip->drawing,
                     "Kernels without floating-point operations have no intensity: their DRAM throughput stands for them.",
                     rl_words(report, "DRAM bytes by counters over the median duration.%s", unlabelled_text(report, strip)));
    rl_layout_skip(report->layout, 10);
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
