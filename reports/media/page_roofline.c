/* page_roofline.c - all kernels of a GPU against its DRAM roof. */
#include <stdlib.h>

#include "ceilings_table.h"
#include "core/mem.h"
#include "core/sort.h"
#include "cover.h"
#include "flow.h"
#include "kernels.h"
#include "levels.h"
#include "roofline_entries.h"
#include "roofs.h"
#include "view_table.h"

#define CHART_HEIGHT 264.0

enum { MOST_NAMES = 25 }; /* with more points than that, numbers of the table stand beside them */

/* ---- of a program: its kernels against every level of memory ---- */

#define LEVELS_HEIGHT 330.0
#define BEST_HEIGHT   262.0 /* of the suite: below the readings of the card */
#define ALONE_HEIGHT  520.0 /* of one whose ceilings fill that page */
enum { FEW_CEILINGS = 4 };

static void draw_levels(struct rl_report *report, const struct rl_section *section, size_t gpu)
{
    if (section->chart_count == 0)
        rl_layout_textf(report->doc->layout, RL_STYLE_LEAD, "There is nothing to draw: %s nothing has a position under the roofs.",
                        rl_words_uncounted(report->doc, &report->capture->session));
    for (size_t i = 0; i < section->chart_count; i++) {
        const struct rl_chart *chart = &report->doc->charts[section->first_chart + i];
        const bool arithmetic = i == 0 && rl_levels_has_arithmetic(report, gpu);
        rl_layout_figure(
            report->doc->layout, &rl_document_result(report->doc, section, i)->drawing,
            arithmetic ? rl_words(report->doc, "%s A mark for each level, joined; the limiting level is filled.",
                                  rl_levels_chosen_text(report, gpu))
                       : rl_words(report->doc, "%s: warp instructions against each level.", rl_levels_executing_text(report, gpu)),
            rl_words(report->doc, "Work from counters over the median time without counters.%s",
                     rl_roofs_text(report->doc, report->analysis, gpu, &chart->roofline)));
        rl_layout_skip(report->doc->layout, 10);
    }
}

static void plan(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    size_t gpu = rl_page_gpu(report, section->id, section->instance);
    if (rl_report_is_of_program(report)) {
        if (rl_levels_has_arithmetic(report, gpu)) {
            rl_levels_plan_hierarchy(report, section, gpu);
            report->doc->charts[report->doc->chart_count - 1].height = LEVELS_HEIGHT;
        }
        if (rl_levels_has_instructions(report, gpu) && (section->chart_count == 0 || rl_levels_issue_leads(report, gpu))) {
            rl_levels_plan_instructions(report, section, gpu);
            report->doc->charts[report->doc->chart_count - 1].height = LEVELS_HEIGHT;
        }
        return;
    }
    if (rl_report_is_of_suite(report)) {
        struct rl_chart *best = rl_points_best(report, section, gpu);
        if (best)
            best->height = rl_ceilings_left(report, gpu) > FEW_CEILINGS ? ALONE_HEIGHT : BEST_HEIGHT;
        return;
    }
    enum rl_naming naming = rl_points_count(report, gpu) > MOST_NAMES ? RL_NAME_NUMBERS : RL_NAME_ALL;
    struct rl_chart *chart = rl_points_roofline(report, section, gpu, true, naming);
    if (chart)
        chart->height = CHART_HEIGHT;
    rl_points_bars(report, section, gpu);
}

/* The kernel that is nearest to a roof. */
static const char *caption(struct rl_report *report, size_t gpu, size_t drawn)
{
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu);
    const struct rl_roofline_entry *best = NULL;
    for (size_t i = 0; i < entries->count; i++) {
        const struct rl_roofline_entry *entry = &entries->at[i];
        if (entry->shows && entry->bound != RL_BOUND_UNKNOWN && rl_present(entry->roof_share) &&
            (!best || entry->roof_share.v > best->roof_share.v))
            best = entry;
    }
    if (!best)
        return "Nothing has the counters that place it on the roofline: only the roofs are drawn.";
    return rl_words(report->doc, "Closest to its roof: %s, at %s, limited by %s%s.", rl_words_short(report->doc, best->label, 60),
                    rl_words_value(report->doc, RL_UNIT_FRACTION, best->roof_share, 3), rl_limiter_label(rl_entry_limiter(best)),
                    drawn ? "" : "; none does floating-point work");
}

/* What stands beside the points, and how many have nothing, because there was no room or because they are too many. The short form
 * of the page has no table. */
static const char *names_text(struct rl_report *report, size_t gpu, const struct rl_chart_result *result,
                              const struct rl_chart_point *points, size_t count)
{
    size_t bare = result->bare, numbered = 0;
    for (size_t i = 0; i < count; i++) {
        bare += !points[i].label && !points[i].tag;
        numbered += !points[i].label && points[i].tag;
    }
    for (size_t i = 0; i < result->unlabelled_count; i++)
        numbered += points[result->unlabelled[i]].tag != NULL;
    return rl_words(report->doc, "%s%s", numbered > 0 ? " The numbers are those of the table." : "",
                    bare == 0 ? ""
                              : rl_words(report->doc, " %s without a name%s.",
                                         rl_words_count(report->doc, bare, "point is", "points are"),
                                         rl_report_is_of_suite(report) ? "" : ": see the table"));
}

static void draw_roofline(struct rl_report *report, const struct rl_chart *chart, const struct rl_chart_result *result, size_t gpu)
{
    rl_layout_figure(report->doc->layout, &result->drawing, caption(report, gpu, chart->roofline.point_count),
                     rl_words(report->doc, "%s%s", rl_points_method(report, gpu, chart),
                              names_text(report, gpu, result, chart->roofline.points, chart->roofline.point_count)));
}

static void draw_bars(struct rl_report *report, const struct rl_chart *chart, const struct rl_chart_result *result, size_t gpu)
{
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu);
    size_t left_out = 0;
    for (size_t i = 0; i < entries->count; i++)
        left_out += rl_entry_moves_only(&entries->at[i]);
    left_out -= chart->bars.bar_count;
    rl_layout_figure(
        report->doc->layout, &result->drawing,
        "Kernels without floating-point operations have no intensity; their DRAM throughput is shown instead.",
        rl_words(report->doc, "%s%s", rl_points_method(report, gpu, chart),
                 left_out == 0 ? "" : rl_words(report->doc, " %s not drawn.", rl_words_count(report->doc, left_out, "is", "are"))));
}

static void draw_charts(struct rl_report *report, struct rl_section *section, size_t gpu)
{
    if (section->chart_count == 0)
        rl_layout_textf(report->doc->layout, RL_STYLE_LEAD, "There is nothing to draw: %s nothing has a position under the roofs.",
                        rl_words_uncounted(report->doc, &report->capture->session));
    for (size_t i = 0; i < section->chart_count; i++) {
        const struct rl_chart *chart = &report->doc->charts[section->first_chart + i];
        if (chart->kind == RL_CHART_ROOFLINE)
            draw_roofline(report, chart, rl_document_result(report->doc, section, i), gpu);
        else
            draw_bars(report, chart, rl_document_result(report->doc, section, i), gpu);
        rl_layout_skip(report->doc->layout, 10);
    }
}

/* ---- above a roof ---- */

static double above_ratio(const struct rl_roofline_entry *entry)
{
    return entry->family ? entry->family->figures->above_roof_ratio : entry->kernel ? entry->kernel->above_roof_ratio : 1;
}

/* Every point above a roof says something about the roof or the measurement: what, as far as it is known. */
static void draw_above(struct rl_report *report, size_t gpu)
{
    enum { MOST = 6 };
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu);
    const bool has_table = !rl_report_is_of_suite(report) && !rl_report_is_of_program(report);
    size_t all = 0, said = 0;
    for (size_t i = 0; i < entries->count; i++)
        all += entries->at[i].above_roof && entries->at[i].shows;
    for (size_t i = 0; i < entries->count && said < MOST; i++) {
        const struct rl_roofline_entry *entry = &entries->at[i];
        if (!entry->above_roof || !entry->shows)
            continue;
        struct rl_para para = RL_PARA_INIT;
        if (said++ == 0)
            rl_layout_subsection(report->doc->layout, "Above a roof");
        rl_para_addf(report->doc->layout, &para, RL_STYLE_STRONG, "%s: ", rl_words_short(report->doc, entry->label, 60));
        rl_para_addf(report->doc->layout, &para, RL_STYLE_BODY, "%s times the %s.",
                     rl_words_value(report->doc, RL_UNIT_NONE, rl_value_of(above_ratio(entry)), 3), entry->above_roof);
        if (said == MOST && all > MOST)
            rl_para_addf(report->doc->layout, &para, RL_STYLE_NOTE, " %zu more%s.", all - MOST,
                         has_table ? " explained below the table" : ": rooflight report --full");
        rl_layout_item(report->doc->layout, RL_MARK_ATTENTION, &para);
        rl_para_release(&para);
    }
}

/* ---- the table; captures of large programs ---- */

enum { MOST_ROWS = 400 }; /* of the table: those that took the most time */

/* The time that a kernel or variant must exceed for a row; -1: all have one. */
static double row_threshold(const struct rl_roofline_entries *entries)
{
    if (entries->count <= MOST_ROWS)
        return -1;
    double *times = rl_calloc(entries->count, sizeof *times);
    for (size_t i = 0; i < entries->count; i++)
        times[i] = entries->at[i].total_ns;
    rl_sort_doubles(times, entries->count);
    double threshold = times[entries->count - 1 - MOST_ROWS];
    free(times);
    return threshold;
}

/* Of a limiter: how many kernels it has, and their time. */
struct limiter_row {
    size_t limiter;
    const char *name;
    uint64_t count;
    double time_s;
    struct rl_value share;
};
/* clang-format off */
static const struct view_field limiter_fields[] = {
    {.id = "limiter", .head = "limited by", VIEW_AT(struct limiter_row, name)},
    {.id = "kernels", VIEW_AT(struct limiter_row, count)},
    {.id = "time_s", .head = "time", VIEW_AT(struct limiter_row, time_s), .unit = RL_UNIT_SECOND, .digits = 3},
    {.id = "share", .head = "share of the time", VIEW_AT(struct limiter_row, share), .unit = RL_UNIT_FRACTION, .digits = 3,
     .bar = true},
};
/* clang-format on */

static void dress_limiter(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    (void)to;
    if (field->bar && row)
        cell->share_colour = rl_tones[rl_words_tone(((const struct limiter_row *)row)->limiter)].mark;
}

static int by_time(const void *a, const void *b)
{
    const struct limiter_row *x = a, *y = b;
    return rl_descending(x->time_s, y->time_s) ?: rl_ascending(x->limiter, y->limiter);
}

static void draw_summary(struct rl_report *report, const struct rl_roofline_entries *entries)
{
    struct limiter_row rows[RL_LIMITER_COUNT] = {0};
    double total_s = 0;
    size_t count = 0;
    for (size_t i = 0; i < entries->count; i++) {
        struct limiter_row *row = &rows[rl_entry_limiter(&entries->at[i])];
        row->count++;
        row->time_s += entries->at[i].total_ns * 1e-9;
        total_s += entries->at[i].total_ns * 1e-9;
    }
    for (size_t i = 0; i < RL_LIMITER_COUNT; i++)
        if (rows[i].count)
            rows[count++] = (struct limiter_row){i, rl_limiter_label(i), rows[i].count, rows[i].time_s,
                                                 rl_value_div(rl_value_of(rows[i].time_s), rl_value_of(total_s), "no times")};
    rl_sort(rows, count, sizeof *rows, by_time);
    rl_view_table(report->doc->layout, &report->view,
                  &(struct rl_view_table){RL_TABLE(limiter_fields, rows, count), .title = "Limiters", .dress = dress_limiter});
}

/* ---- headroom ---- */

#define LEAST_HEADROOM 0.001 /* of GPU time */

struct headroom_row {
    const char *kernel, *resource;
    double time_s, roof_s;
    enum rl_time_state state; /* of the time */
    size_t target;
    enum rl_tone tone;
    struct rl_value share;
};
static struct view_cell headroom_time_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct headroom_row *of = row;
    struct view_cell cell = view_cell_number(rl_value_of(of->time_s));
    (void)view;
    (void)field;
    cell.sign = rl_time_state_sign(of->state);
    return cell;
}

/* clang-format off */
static const struct view_field headroom_fields[] = {
    {.id = "kernel", VIEW_AT(struct headroom_row, kernel), .look = VIEW_LOOK_CODE, .columns = 60},
    {.id = "resource", .head = "nearest roof", VIEW_AT(struct headroom_row, resource)},
    {.id = "share", .head = "of it", VIEW_AT(struct headroom_row, share), .unit = RL_UNIT_FRACTION, .digits = 3, .bar = true},
    {.id = "time_s", .head = "GPU time", .type = VIEW_TYPE_NUMBER, .get = headroom_time_cell, .unit = RL_UNIT_SECOND, .digits = 3},
    {.id = "roof_s", .head = "at the roof", VIEW_AT(struct headroom_row, roof_s), .unit = RL_UNIT_SECOND, .digits = 3},
};
/* clang-format on */

static void dress_headroom(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    const struct headroom_row *of = row;
    (void)to;
    if (row && field->bar)
        cell->share_colour = rl_tones[of->tone].mark;
    if (row && field == &headroom_fields[0])
        cell->target = of->target;
}

/* The time of each kernel at the roof that it is nearest to. */
static void draw_headroom(struct rl_report *report, size_t gpu)
{
    enum { MOST = 12 };
    const struct rl_kernel_blocks *blocks = rl_kernel_blocks_of(report, gpu);
    struct headroom_row rows[MOST];
    size_t count = 0;
    double time_s = 0, roof_s = 0;
    for (size_t i = 0; i < blocks->count && count < MOST; i++) {
        const struct rl_family *family = blocks->family[i];
        const struct rl_limiting *limits = &report->analysis->kernels[family->kernel].limits;
        const struct rl_roofline_entry entry = rl_entry_of_family(report, family);
        if (!rl_present(entry.roof_share) || limits->first == RL_RESOURCE_COUNT || entry.above_roof || entry.roof_share.v <= 0 ||
            family->gpu_s < LEAST_HEADROOM * blocks->total_ns * 1e-9)
            continue;
        rows[count++] = (struct headroom_row){.kernel = rl_family_label(report, family, 60),
                                              .resource = rl_resources[limits->first].label,
                                              .time_s = family->gpu_s,
                                              .state = family->time.state,
                                              .roof_s = family->gpu_s * entry.roof_share.v,
                                              .target = rl_kernel_target(report, family->kernel),
                                              .tone = rl_words_tone(limits->first),
                                              .share = entry.roof_share};
        time_s += family->gpu_s;
        roof_s += family->gpu_s * entry.roof_share.v;
    }
    rl_view_table(report->doc->layout, &report->view,
                  &(struct rl_view_table){RL_TABLE(headroom_fields, rows, count), .title = "Headroom", .dress = dress_headroom});
    if (count)
        rl_layout_textf(report->doc->layout, RL_STYLE_BODY, "Together: %s, at their roofs %s (%s).",
                        rl_words_seconds(report->doc, time_s), rl_words_seconds(report->doc, roof_s),
                        rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_of(roof_s / time_s), 3));
}

/* Rules stand between experiments; kernels of a run stay with it. */
static int group_of(const struct view *view, const void *row)
{
    return ((const struct rl_entry_row *)row)->group;
}

static void draw_table(struct rl_report *report, size_t gpu)
{
    static const enum rl_metric printed[] = {RL_METRIC_flop_per_second, RL_METRIC_intensity_dram, RL_METRIC_dram_bytes_per_second};
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu);
    const double threshold = row_threshold(entries);
    size_t most = 0, count = 0, shown = 0;
    if (threshold >= 0)
        draw_summary(report, entries);
    for (size_t i = 0; i < entries->count; i++)
        most += rl_entry_row_count(report, &entries->at[i]);
    struct rl_entry_row *rows = rl_arena_alloc(report->doc->arena, (most + 1) * sizeof *rows);
    for (size_t i = 0; i < entries->count; i++) {
        const struct rl_roofline_entry *entry = &entries->at[i];
        const size_t experiment = rl_entry_experiment(report, entry);
        if (entry->total_ns < threshold || (threshold >= 0 && shown == MOST_ROWS))
            continue;
        const size_t first = count;
        count += rl_entry_rows_add(report, entry, entry->label,
                                   entry->run ? rl_experiment_target(report, experiment, gpu)
                                              : rl_kernel_target(report, entry->kernel->kernel),
                                   &rows[count]);
        for (size_t row = first; row < count; row++)
            rows[row].group = (int)(experiment + 1);
        shown++;
    }
    for (size_t i = 0; i < RL_COUNT(printed); i++)
        report->used[printed[i]] = true;
    const char *what = entries->suite ? "variants" : "kernels";
    rl_view_table(report->doc->layout, &report->view,
                  &(struct rl_view_table){.record = &rl_entry_record,
                                          .rows = {rows, sizeof *rows, count, NULL},
                                          .title = threshold >= 0
                                                       ? rl_words(report->doc, "The %d %s that took the most time", MOST_ROWS, what)
                                                       : rl_words(report->doc, "All %s", what),
                                          .columns = entries->suite ? "number,label,time_s,rate,intensity,dram,roof_share,bound"
                                                                    : "number,kernel,time_s,rate,intensity,dram,roof_share,bound",
                                          .tight = entries->count > RL_GRID_LONG,
                                          .group = group_of,
                                          .dress = rl_entry_dress,
                                          .to = report});
    if (shown < entries->count)
        rl_layout_textf(report->doc->layout, RL_STYLE_NOTE, "%zu more: see rooflight show.", entries->count - shown);
}

/* ---- of the whole suite: the best variant of each experiment ---- */

static void draw_best(struct rl_report *report, struct rl_section *section, size_t gpu)
{
    if (section->chart_count == 0) {
        draw_charts(report, section, gpu);
        return;
    }
    const struct rl_chart *chart = &report->doc->charts[section->first_chart];
    const struct rl_chart_result *result = rl_document_result(report->doc, section, 0);
    rl_layout_figure(report->doc->layout, &result->drawing, caption(report, gpu, chart->roofline.point_count),
                     rl_words(report->doc,
                              "The best variant of each experiment with floating-point work, from counters over the median time "
                              "without counters; all variants: rooflight report --full. Solid roofs were measured.%s",
                              names_text(report, gpu, result, chart->roofline.points, chart->roofline.point_count)));
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    size_t gpu = rl_page_gpu(report, section->id, section->instance);
    if (rl_report_is_of_program(report)) {
        draw_levels(report, section, gpu);
        draw_headroom(report, gpu);
        draw_above(report, gpu);
        return;
    }
    if (rl_report_is_of_suite(report)) {
        draw_best(report, section, gpu);
        draw_above(report, gpu);
        return;
    }
    draw_charts(report, section, gpu);
    draw_above(report, gpu);
    draw_table(report, gpu);
}

#define CHART_ROOM 560.0 /* for the chart, the bars and the first rows */

/* The first page of a short document shows the same points, unless it is about a program. */
static bool has_one(const struct rl_document *doc, size_t gpu)
{
    const struct rl_report *report = doc->subject;
    return rl_page_gpu_was_measured(doc, gpu) && (!doc->is_short || rl_cover_is_of_program(report, gpu));
}

const struct rl_page rl_page_roofline = {.each_gpu = has_one, .plan = plan, .draw = draw, .joins = CHART_ROOM};
