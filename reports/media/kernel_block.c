/* kernel_block.c - a kernel: its limiter, every resource by its share of the roof, stalls, its place under the roofs of each level,
 * findings by time saved, unknowns (see kernels.h). Rows and sentences are those of `show --brief --kernel`. */
#include "core/kernel_names.h"
#include "kernels.h"
#include "results/results.h"
#include "results/show.h"
#include "view_table.h"

enum {
    LEFT_COLUMNS = 6,
    MOST_RESOURCES = 14,
    FEW_RESOURCES = 8,
    MOST_STALLS = 6,
    FEW_STALLS = 3,
    LABEL_COLUMNS = 56,
    NAME_LINES = 5
};
#define RESOURCE_HEIGHT 19.0 /* of a row */
#define RESOURCE_LOW    16.0 /* the same in half a page */
#define CHART_ENDS      44.0 /* axis, threshold */
#define ROOFLINE_HEIGHT 250.0
#define ROOFLINE_ALONE  290.0 /* without stalls below it */
#define ROOFLINE_LOW    190.0
#define STALL_HEIGHT    14.0
#define STALL_ENDS      26.0
#define BLOCK_GAP       10.0
#define WIDE_LABELS     0.28 /* share of the width, of resources alone */

/* ---- the charts ---- */

static struct rl_chart *plan_bars(struct rl_report *report, struct rl_section *section, int columns, double height,
                                  const struct rl_chart_bar *bars, size_t count)
{
    static const struct rl_chart_reference threshold = {.value = RL_BOUND_SHARE, .label = "60 %: limiter"};
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_BARS);
    chart->width = rl_layout_width(report->doc->layout, columns);
    chart->height = height;
    chart->bars = (struct rl_chart_bars){.unit = RL_UNIT_FRACTION,
                                         .bars = bars,
                                         .bar_count = count,
                                         .references = &threshold,
                                         .label_share = 0.55,
                                         .values_aside = true,
                                         .top = 1};
    return chart;
}

/* "85.5 ±0.1 p". */
static const char *resource_note(struct rl_report *report, const struct view_resource *row)
{
    struct rl_buf text = RL_BUF_IN(report->doc->arena);
    view_share_format(&text, row->limit, row->sampled);
    return rl_words(report->doc, "%s %c", text.data, row->limit->measured ? 'm' : 'p');
}

static size_t plan_resources(struct rl_report *report, struct rl_section *section, const struct rl_kernel_result *result, bool half)
{
    const struct view_rows rows = view_resources_of(report->doc->arena, result);
    const size_t most = half ? FEW_RESOURCES : MOST_RESOURCES, count = rows.count < most ? rows.count : most;
    struct rl_chart_bar *bars = rl_arena_alloc(report->doc->arena, (count + 1) * sizeof *bars);
    for (size_t i = 0; i < count; i++) {
        const struct view_resource *row = view_rows_at(&rows, i);
        bars[i] = (struct rl_chart_bar){.label = rl_resources[row->resource].label,
                                        .value = row->limit->share.v,
                                        .low = row->limit->low,
                                        .high = row->limit->high,
                                        .tone = rl_words_tone(row->resource),
                                        .strong = row->resource == result->limits.limiter,
                                        .note = resource_note(report, row)};
    }
    if (!count)
        return RL_NONE;
    plan_bars(report, section, LEFT_COLUMNS, (half ? RESOURCE_LOW : RESOURCE_HEIGHT) * (double)count + CHART_ENDS, bars, count)
        ->bars.reference_count = 1;
    return section->chart_count - 1;
}

static size_t plan_stalls(struct rl_report *report, struct rl_section *section, const struct rl_kernel_result *result)
{
    const struct view_rows rows = view_stalls_of(report->doc->arena, result);
    const size_t count = rows.count < MOST_STALLS ? rows.count : MOST_STALLS;
    struct rl_chart_bar *bars = rl_arena_alloc(report->doc->arena, (count + 1) * sizeof *bars);
    for (size_t i = 0; i < count; i++) {
        const struct view_stall *row = view_rows_at(&rows, i);
        bars[i] = (struct rl_chart_bar){.label = row->reason,
                                        .value = row->share,
                                        .low = row->low,
                                        .high = row->high,
                                        .tone = RL_TONE_GREY,
                                        .note = rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_of(row->share), 3)};
    }
    if (!count)
        return RL_NONE;
    plan_bars(report, section, RL_ALL_COLUMNS - LEFT_COLUMNS, STALL_HEIGHT * (double)count + STALL_ENDS, bars, count);
    return section->chart_count - 1;
}

/* Whether resources have the full width of a page: there are neither stalls nor a roofline next to them. */
static bool is_wide(const struct rl_report *report, const struct rl_kernel_charts *charts)
{
    return rl_layout_has_pages(report->doc->layout) && charts->resources != RL_NONE && charts->stalls == RL_NONE &&
           charts->levels == RL_NONE;
}

struct rl_kernel_charts rl_kernel_block_plan(struct rl_report *report, struct rl_section *section, const struct rl_family *family,
                                             bool half)
{
    struct rl_kernel_charts charts = {.row = view_brief_kernel_new(report->subject, family, report->ranked, report->ranked_count),
                                      .resources = RL_NONE,
                                      .stalls = RL_NONE,
                                      .levels = RL_NONE,
                                      .half = half};
    const struct rl_kernel_result *result = view_brief_kernel_result(charts.row);
    const size_t gpu = report->capture->kernels[family->kernel].gpu;
    if (!result)
        return charts;
    const size_t first = report->doc->chart_count;
    charts.resources = plan_resources(report, section, result, half);
    charts.stalls = half ? RL_NONE : plan_stalls(report, section, result);
    const struct rl_roofline_entry entry = rl_entry_of_kernel(report, result);
    if (rl_levels_plan_kernel(report, section, gpu, &entry, &charts.arithmetic)) {
        charts.levels = section->chart_count - 1;
        struct rl_chart *chart = &report->doc->charts[report->doc->chart_count - 1];
        chart->width = rl_layout_width(report->doc->layout, RL_ALL_COLUMNS - LEFT_COLUMNS);
        chart->height = half ? ROOFLINE_LOW : charts.stalls == RL_NONE ? ROOFLINE_ALONE : ROOFLINE_HEIGHT;
    }
    if (is_wide(report, &charts)) {
        report->doc->charts[first].width = rl_layout_width(report->doc->layout, RL_ALL_COLUMNS);
        report->doc->charts[first].bars.label_share = WIDE_LABELS;
    }
    return charts;
}

/* ---- the head ---- */

/* "grid 2 × 64 × 1"; a shape of no threads is one that is unknown. */
static const char *shape_text(struct rl_report *report, const char *what, const uint32_t shape[3])
{
    return shape[0] ? rl_words(report->doc, "%s %u\u00a0×\u00a0%u\u00a0×\u00a0%u", what, shape[0], shape[1], shape[2])
                    : rl_words(report->doc, "%s unknown", what);
}

static const char *shared_text(struct rl_report *report, const struct rl_kernel *k)
{
    const struct rl_value shared = k->static_shared_bytes;
    const double bytes = (rl_present(shared) ? shared.v : 0) + (double)k->dynamic_shared_bytes;
    if (!rl_present(shared) && bytes == 0 && k->grid[0] == 0)
        return "shared memory unknown";
    return rl_words(report->doc, "%s shared memory%s", rl_words_value(report->doc, RL_UNIT_SIZE, rl_value_of(bytes), 4),
                    rl_present(shared) ? "" : " (dynamic; static unknown)");
}

static const char *launch_text(struct rl_report *report, const struct rl_family *row)
{
    const struct rl_kernel *k = &report->capture->kernels[row->kernel];
    if (row->figures)
        return rl_family_launch_text(report, row);
    return rl_words(
        report->doc, "%s · %s · %s · %s · %s%s", shape_text(report, "grid", k->grid), shape_text(report, "block", k->block),
        rl_present(k->registers_per_thread)
            ? rl_words(report->doc, "%s registers", rl_words_value(report->doc, RL_UNIT_COUNT, k->registers_per_thread, 3))
            : "registers unknown",
        shared_text(report, k),
        rl_words_count(report->doc, (size_t)(row->gpus > 1 ? row->time.launches : k->launches), "launch", "launches"),
        k->population.total > 1 ? rl_words(report->doc, ", population %u of %u", k->population.number, k->population.total) : "");
}

/* "459 ms · 17.8 % of GPU time". */
static const char *time_text(struct rl_report *report, const struct rl_family *row, double share)
{
    const char *total = rl_words(report->doc, "%s%s", rl_time_state_sign(row->time.state),
                                 rl_words_value(report->doc, RL_UNIT_SECOND, rl_family_gpu_s(row), 3));
    return share > 0 ? rl_words(report->doc, "%s · %s of GPU time", total,
                                rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_of(share), 3))
                     : total;
}

/* Whether the title has the name in full. */
static bool has_full_name(struct rl_report *report, const struct rl_family *row)
{
    const struct rl_kernel *kernel = &report->capture->kernels[row->kernel];
    return !row->figures && kernel->variant == RL_NONE && strlen(kernel->name) <= LABEL_COLUMNS &&
           strcmp(report->analysis->kernels[row->kernel].short_name, kernel->name) == 0;
}

static const char *title_of(struct rl_report *report, const struct rl_kernel_block *block)
{
    return rl_words(report->doc, "%zu  %s", block->number, rl_family_label(report, block->row, LABEL_COLUMNS));
}

static void add_head(struct rl_report *report, const struct rl_section *section, const struct rl_kernel_block *block,
                     const struct view *view, struct rl_box *box)
{
    struct rl_layout *layout = report->doc->layout;
    struct rl_para name = {0};
    const size_t kernel = block->row->kernel, variant = report->capture->kernels[kernel].variant;
    const char *full = report->capture->kernels[kernel].name, *title = title_of(report, block);
    rl_box_bookmark(box, section->bookmark, title);
    rl_box_bind(box, rl_kernel_target(report, kernel));
    rl_box_line(box, &(struct rl_line){.style = RL_STYLE_SUBSECTION,
                                       .text = title,
                                       .target = variant == RL_NONE
                                                     ? RL_NO_TARGET
                                                     : rl_experiment_target(report, report->capture->variants[variant].experiment,
                                                                            report->capture->kernels[kernel].gpu),
                                       .side_style = RL_STYLE_STRONG,
                                       .side = time_text(report, block->row, block->share)});
    if (!has_full_name(report, block->row)) {
        const size_t target = rl_name_target(report, kernel);
        const bool is_short = target == RL_NO_TARGET;
        rl_para_link(layout, &name, RL_STYLE_NAME_QUIET,
                     rl_words_short(report->doc, full, is_short ? RL_NAME_MOST_COLUMNS : RL_NAME_COLUMNS), target);
        name.max_lines = !rl_layout_has_pages(layout) ? 0 : is_short ? NAME_LINES : 1;
        rl_box_para(box, &name);
    }
    rl_box_text(box, RL_STYLE_NOTE,
                rl_words(report->doc, "%s · %s", launch_text(report, block->row),
                         rl_view_words(layout, view, "{time_s}[ ({low_s} to {high_s})]")));
    if (block->row->gpus > 1)
        rl_box_text(box, RL_STYLE_NOTE, rl_words(report->doc, "GPUs: %s.", rl_view_words(layout, view, VIEW_BRIEF_GPUS)));
    rl_box_gap(box, 3);
}

#define OF_LIBRARY "[ Code of {library}: no advice.]"
/* "Limited by parallelism: 18.8 % ... Occupancy: 12.6 % achieved, 18.8 % theoretical.", "Limiter unknown: ..." */
static void add_limiter(struct rl_report *report, const struct rl_kernel_block *block, const struct view *view, struct rl_box *box)
{
    struct rl_layout *layout = report->doc->layout;
    struct rl_para para = {0};
    const bool achieved = *rl_view_words(layout, view, "[{achieved} {occupancy}]") != 0;
    const bool is_unknown = rl_family_limiter(report->analysis, block->row) == RL_LIMITER_UNKNOWN;
    rl_para_add(layout, &para, RL_STYLE_STRONG,
                rl_view_words(layout, view, is_unknown ? "Limiter {limited_by}: " : "Limited by {limited_by}: "));
    rl_para_add(layout, &para, RL_STYLE_BODY,
                rl_view_words(layout, view,
                              achieved ? "{why}. Occupancy: {achieved} achieved, {occupancy} theoretical." OF_LIBRARY
                                       : "{why}.[ Theoretical occupancy: {occupancy}.]" OF_LIBRARY));
    rl_box_para(box, &para);
    if (report->analysis->kernels[block->row->kernel].disagrees)
        rl_box_text(box, RL_STYLE_BODY,
                    rl_words(report->doc, "Rates are unknown; passes disagree: %s.",
                             report->analysis->kernels[block->row->kernel].disagrees));
    rl_box_gap(box, 6);
}

/* "Stalls, % of the warps' time: long scoreboard 87.8, wait 2.48": in half a page, which has no room for their chart. */
static void add_stalls(struct rl_report *report, const struct rl_kernel_result *result, struct rl_box *box)
{
    const struct view_rows rows = view_stalls_of(report->doc->arena, result);
    struct rl_para para = {0};
    for (size_t i = 0; i < rows.count && i < FEW_STALLS; i++) {
        const struct view_stall *row = view_rows_at(&rows, i);
        rl_para_addf(report->doc->layout, &para, i ? RL_STYLE_BODY : RL_STYLE_STRONG, i ? ", %s %s" : "Stalls: %s %s", row->reason,
                     rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_of(row->share), 3));
    }
    if (para.count) {
        rl_para_add(report->doc->layout, &para, RL_STYLE_BODY, " of the warps' time.");
        rl_box_para(box, &para);
    }
}

/* ---- stalls that another tool counted ---- */

/* How reasons for stalls are called. One row adds a form: what stands before and behind the reason, and what is counted. */
static const struct {
    const char *before, *behind, *what;
} stall_names[] = {
    {"smsp__average_warps_issue_stalled_", "_per_issue_active.ratio", "warps stalled for each instruction issued"},
    {"smsp__average_warp_latency_issue_stalled_", ".ratio", "cycles stalled for each warp instruction"},
    {"stall_", "", "as nvprof prints them"},
};

struct imported_stall {
    size_t form;
    const char *reason;
    double value;
};

RL_COMPARATOR(by_value, struct imported_stall, rl_descending(x->value, y->value) ?: strcmp(x->reason, y->reason));

static bool read_stall(struct rl_report *report, const struct rl_counter *counter, struct imported_stall *stall)
{
    for (size_t i = 0; i < RL_COUNT(stall_names) && rl_positive(counter->value); i++) {
        const size_t before = strlen(stall_names[i].before), behind = strlen(stall_names[i].behind), len = strlen(counter->name);
        if (len <= before + behind || strncmp(counter->name, stall_names[i].before, before) != 0 ||
            strcmp(counter->name + len - behind, stall_names[i].behind) != 0)
            continue;
        char *reason = rl_arena_strndup(report->doc->arena, counter->name + before, len - before - behind);
        for (char *p = reason; *p; p++)
            *p = *p == '_' ? ' ' : *p;
        *stall = (struct imported_stall){i, rl_words_short(report->doc, reason, 40), counter->value.v};
        return true;
    }
    return false;
}

static void add_imported_stalls(struct rl_report *report, const struct rl_family *row, struct rl_box *box)
{
    const struct rl_kernel *kernel = &report->capture->kernels[row->kernel];
    struct imported_stall *stalls = rl_calloc(kernel->counter_count + 1, sizeof *stalls);
    struct rl_para para = {0};
    size_t count = 0;
    for (size_t i = 0; i < kernel->counter_count; i++)
        if (read_stall(report, &kernel->counters[i], &stalls[count]) && stalls[count].form == stalls[0].form)
            count++;
    rl_sort(stalls, count, sizeof *stalls, by_value);
    for (size_t i = 0; i < count && i < MOST_STALLS; i++)
        rl_para_addf(report->doc->layout, &para, i ? RL_STYLE_BODY : RL_STYLE_STRONG, i ? ", %s %s" : "Stalls (%3$s): %1$s %2$s",
                     stalls[i].reason, rl_words_value(report->doc, RL_UNIT_NONE, rl_value_of(stalls[i].value), 3),
                     stall_names[stalls[0].form].what);
    if (count) {
        rl_box_para(box, &para);
        rl_box_gap(box, 3);
    }
    free(stalls);
}

/* ---- the block ---- */

static void add_chart(struct rl_report *report, const struct rl_section *section, struct rl_box *cell, size_t chart,
                      const char *title, const char *alternative)
{
    if (chart == RL_NONE)
        return;
    rl_box_text(cell, RL_STYLE_STRONG, title);
    rl_box_gap(cell, 3);
    rl_box_drawing(cell, &rl_document_result(report->doc, section, chart)->drawing, alternative);
    rl_box_gap(cell, 4);
}

static void dress_level(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    struct rl_report *report = to;
    static const enum rl_metric used[] = {
        RL_METRIC_dram_bytes,  RL_METRIC_dram_bytes_per_second, RL_METRIC_intensity_dram, RL_METRIC_l2_bytes,
        RL_METRIC_l2_hit_rate, RL_METRIC_l2_bytes_per_second,   RL_METRIC_intensity_l2,   RL_METRIC_l1_bytes,
        RL_METRIC_l1_hit_rate, RL_METRIC_l1_bytes_per_second,   RL_METRIC_intensity_l1,   RL_METRIC_shared_bytes};
    for (size_t i = 0; i < RL_COUNT(used); i++)
        report->used[used[i]] = true;
}

/* "Launches: p99 7.14 µs, max 8.16 µs."; the head has the median. */
static const char *launches_text(struct rl_report *report, const struct rl_family *row)
{
    const struct rl_kernel *kernel = &report->capture->kernels[row->kernel];
    const struct rl_kernel_use *use = rl_kernel_use_of(report->capture, row->kernel);
    const size_t count = kernel->duration_count;
    enum { FEWEST = 8 };
    if (row->figures || count < FEWEST)
        return NULL;
    double *times = rl_arena_alloc(report->doc->arena, count * sizeof *times);
    for (size_t i = 0; i < count; i++)
        times[i] = (double)kernel->duration_ns[i] * 1e-9;
    rl_sort_doubles(times, count);
    return rl_words(report->doc, "Launches: p99 %s, max %s.",
                    rl_words_seconds(report->doc, rl_stats_quantile_sorted(times, count, 0.99)),
                    rl_words_seconds(report->doc, use ? (double)use->max_ns * 1e-9 : times[count - 1]));
}

static const char *roofline_title(const struct rl_kernel_charts *charts)
{
    const struct rl_kernel_result *result = view_brief_kernel_result(charts->row);
    if (charts->arithmetic)
        return "Hierarchical roofline";
    return result && rl_present(result->metric[RL_METRIC_flop_total]) ? "Instruction roofline: no FLOP"
                                                                      : "Instruction roofline: FLOP not counted";
}

/* Resources on the left; roofline and stalls, if any, on the right. */
static void add_charts(struct rl_report *report, const struct rl_section *section, const struct rl_kernel_charts *charts,
                       struct rl_box *box)
{
    struct rl_box *row = rl_box_row(box), *left = rl_box_cell(row, is_wide(report, charts) ? RL_ALL_COLUMNS : LEFT_COLUMNS),
                  *right = is_wide(report, charts) ? left : rl_box_cell(row, RL_ALL_COLUMNS - LEFT_COLUMNS);
    add_chart(report, section, left, charts->resources, "Resources, % of roof, 95 % CI",
              "Each resource, % of its roof; from 60 % on it is the limiter.");
    if (charts->resources != RL_NONE)
        rl_box_note(left, "m: measured roof, p: theoretical peak.");
    add_chart(report, section, right, charts->levels, roofline_title(charts),
              "The kernel against the roof of each level of memory; the mark of the limiting level is filled.");
    add_chart(report, section, right, charts->stalls, "Stalls, % of the warps' time", "Why warps wait, by their time.");
    rl_box_gap(box, 4);
}

void rl_kernel_block_draw(struct rl_report *report, const struct rl_section *section, const struct rl_kernel_block *block)
{
    const struct rl_kernel_charts *charts = &report->kernel_charts[block->row->kernel];
    const struct view view = view_subject_view(report->subject, &view_record_brief_kernel, charts->row);
    const struct view_rows kernel = view_show_kernel(report->subject, block->row->kernel);
    const char *launches = charts->half ? NULL : launches_text(report, block->row);
    struct rl_box *head = rl_flow_begin(report->doc->layout), *large = rl_flow_begin(report->doc->layout),
                  *box = rl_flow_begin(report->doc->layout);
    add_head(report, section, block, &view, head);
    if (block->entry.wrong)
        rl_box_text(head, RL_STYLE_STRONG, "WRONG result: no performance is shown.");
    else
        add_limiter(report, block, &view, head);
    if (charts->resources != RL_NONE || charts->levels != RL_NONE)
        add_charts(report, section, charts, large);
    if (charts->half && view_brief_kernel_result(charts->row))
        add_stalls(report, view_brief_kernel_result(charts->row), box);
    if (!block->row->figures)
        add_imported_stalls(report, block->row, box);
    rl_view_items_add(box, report->doc->layout, &view, "findings", charts->half ? 2 : 0, NULL);
    const bool is_of_library = rl_library_of_name(report->capture->kernels[block->row->kernel].name) != NULL;
    const char *advice =
        block->entry.shows && !block->row->figures && !is_of_library ? rl_kernel_advice(report, block->row->kernel) : "";
    if (advice[0]) {
        struct rl_para para = {0};
        rl_para_addf(report->doc->layout, &para, RL_STYLE_STRONG, "occupancy: ");
        rl_para_add(report->doc->layout, &para, RL_STYLE_BODY, advice);
        rl_box_item(box, RL_MARK_QUIET, &para);
    }
    /* Reasons are under Evidence, once for all kernels. */
    rl_view_items_add(box, report->doc->layout, &view, "unknown", charts->half ? 1 : 0,
                      rl_page_target(report, RL_PAGE_evidence) == RL_NO_TARGET ? NULL : "{what}: [{option}][{elsewhere}]");
    rl_box_gap(box, 6);
    if (!charts->half && kernel.count && view_brief_kernel_result(charts->row)) {
        rl_view_table_add(box, &report->view,
                          &(struct rl_view_table){.record = &view_record_kernel_level,
                                                  .rows = view_show_levels(&report->view, kernel.first),
                                                  .dress = dress_level,
                                                  .to = report});
        if (launches)
            rl_box_note(box, launches);
    }
    if (block->row->figures)
        rl_family_add(report, block->row, box);
    rl_flow_filling(head, large, box, block->fills, rl_words(report->doc, "%s, continued", title_of(report, block)));
    rl_kernel_source_draw(report, block);
    if (rl_report_is_full(report) && !block->row->figures) {
        box = rl_flow_begin(report->doc->layout);
        rl_box_gap(box, 6);
        rl_kernel_sets_add(report, &block->entry, box);
        rl_flow_end(box);
    }
    rl_layout_skip(report->doc->layout, BLOCK_GAP);
}
