/* page_reading.c - how to read this document: the roofline with three of its own points explained, and one kernel figure by figure.
 */
#include <math.h>

#include "core/mem.h"
#include "flow.h"
#include "roofline_entries.h"
#include "roofs.h"
#include "view_table.h"

#define CHART_HEIGHT 188.0

/* Examples out of the document itself, one for each thing that a place can mean. */
enum example { AT_MEMORY, AT_ARITHMETIC, AWAY, EXAMPLES };
static const char letters[EXAMPLES + 1] = "ABC";

static size_t gpu_of(const struct rl_report *report)
{
    return rl_page_gpu(report, RL_PAGE_roofline, 0);
}

static bool is_example(const struct rl_roofline_entry *entry, enum example example)
{
    const enum rl_topic topic = rl_topic_of(entry);
    if (!entry->shows || !rl_entry_on_roofline(entry) || !rl_present(entry->roof_share) || entry->above_roof)
        return false;
    return example == AT_MEMORY       ? entry->limiter == RL_RESOURCE_dram
           : example == AT_ARITHMETIC ? topic == RL_TOPIC_COMPUTE && entry->limiter != RL_RESOURCE_COUNT
                                      : entry->bound != RL_BOUND_UNKNOWN && topic == RL_TOPIC_OTHER;
}

/* The one with the greatest share of its roof; of those away from it the least. NULL: there is none. */
static const struct rl_roofline_entry *example_of(struct rl_report *report, enum example example)
{
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu_of(report));
    const struct rl_roofline_entry *best = NULL;
    const double sign = example == AWAY ? -1 : 1;
    for (size_t i = 0; i < entries->count; i++)
        if (is_example(&entries->at[i], example) && (!best || sign * entries->at[i].roof_share.v > sign * best->roof_share.v))
            best = &entries->at[i];
    return best;
}

static void plan(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    struct rl_chart_roof *roofs = rl_arena_alloc(doc->arena, RL_MOST_ROOFS * sizeof *roofs);
    struct rl_chart_point *points = rl_arena_alloc(doc->arena, EXAMPLES * sizeof *points);
    size_t roof_count = 0, count = 0;
    roof_count += rl_roofs_add(doc, report->analysis, gpu_of(report), RL_CEILING_dram, true, roofs);
    roof_count += rl_roofs_add(doc, report->analysis, gpu_of(report), RL_CEILING_fp32, true, roofs + roof_count);
    for (int i = 0; i < EXAMPLES; i++) {
        const struct rl_roofline_entry *entry = example_of(report, (enum example)i);
        if (!entry)
            continue;
        points[count++] = (struct rl_chart_point){.x = entry->metric[RL_METRIC_intensity_dram].v,
                                                  .y = entry->metric[RL_METRIC_flop_per_second].v,
                                                  .low = NAN,
                                                  .high = NAN,
                                                  .weight = NAN,
                                                  .tone = rl_words_tone(rl_entry_limiter(entry)),
                                                  .label = rl_words(doc, "%c", letters[i])};
    }
    if (count == 0)
        return;
    struct rl_chart *chart = rl_document_chart(doc, section, RL_CHART_ROOFLINE);
    chart->height = CHART_HEIGHT;
    chart->roofline = (struct rl_chart_roofline){.roofs = roofs, .roof_count = roof_count, .points = points, .point_count = count};
}

/* ---- the roofline ---- */

static const char *const meanings[EXAMPLES] = {
    [AT_MEMORY] = "on the slanted line: device memory carries as many bytes as it can. Only moving fewer bytes makes it faster.",
    [AT_ARITHMETIC] = "as fast as the units that do its work allow. Only fewer or cheaper instructions make it faster.",
    [AWAY] = "far below both lines: neither memory nor arithmetic limits it, so there is time to gain. Its finding says what does.",
};

static void add_point(struct rl_report *report, struct rl_box *box, enum example example)
{
    const struct rl_roofline_entry *entry = example_of(report, example);
    struct rl_layout *layout = report->doc->layout;
    struct rl_para para = RL_PARA_INIT;
    if (!entry)
        return;
    rl_para_addf(layout, &para, RL_STYLE_STRONG, "%c  ", letters[example]);
    rl_para_addf(layout, &para, RL_STYLE_CODE, "%s", rl_words_short(report->doc, entry->label, 50));
    rl_para_addf(layout, &para, RL_STYLE_BODY, ", %s of its roof, is %s",
                 rl_words_value(report->doc, RL_UNIT_FRACTION, entry->roof_share, 3), meanings[example]);
    rl_box_para(box, &para);
    rl_box_gap(box, 3);
}

static void draw_roofline(struct rl_report *report, const struct rl_section *section)
{
    const struct rl_gpu_result *gpu = &report->analysis->gpus[gpu_of(report)];
    struct rl_box *box = rl_flow_begin(report->doc->layout);
    rl_box_subsection(box, "A roofline");
    rl_box_text(
        box, RL_STYLE_BODY,
        "Each point is a kernel. Further right: more arithmetic per byte moved through device memory. Further up: more arithmetic "
        "per second. No kernel can lie above the lines: the slanted one is what device memory can carry, the level one what the "
        "arithmetic units can do.");
    rl_box_gap(box, 4);
    rl_box_drawing(box, &rl_document_result(report->doc, section, 0)->drawing, "a roofline with examples of this document");
    if (rl_present(gpu->ridge_dram))
        rl_box_text(box, RL_STYLE_BODY,
                    rl_words(report->doc,
                             "The lines meet at the ridge, %s: with less arithmetic per byte, memory limits; with more, arithmetic "
                             "does.",
                             rl_words_value(report->doc, RL_UNIT_FLOP_PER_BYTE, gpu->ridge_dram, 3)));
    rl_box_gap(box, 4);
    for (int i = 0; i < EXAMPLES; i++)
        add_point(report, box, (enum example)i);
    rl_flow_end(box);
}

/* ---- one kernel ---- */

/* The figures of a kernel in the order in which to read them, and what each tells. */
static const struct figure {
    const char *name;
    int metric; /* enum rl_metric; -1: the time, -2: the share of the roof */
    const char *tells;
    const char *here;
} figures[] = {
    {"median time", -1,
     "how long one launch takes, without counters. \u00b1: half of the 95 % interval. Two kernels whose intervals overlap cannot "
     "be distinguished."},
    {"share of its roof", -2, "how close it is to what limits it. From 60 % on, that is called its limit."},
    {NULL, RL_METRIC_dram_bytes_per_second, "how fast it moves bytes through device memory: compare with the DRAM ceiling."},
    {NULL, RL_METRIC_flop_per_second, "how much arithmetic it does per second: compare with the ceiling of its number type."},
    {NULL, RL_METRIC_achieved_occupancy,
     "how many warps were resident, as a share of the most an SM can hold. Low is bad only "
     "where warps wait."},
    {NULL, RL_METRIC_issue_active,
     "how often the schedulers had something to issue. Near 100 %, the instructions themselves are the limit."},
    {NULL, RL_METRIC_sectors_per_request_load,
     "32-byte sectors that one warp's load touches: 4 is best for 4-byte words; 32 means that the threads read far apart."},
    {NULL, RL_METRIC_warp_execution_efficiency,
     "threads of a warp that take part: less than 100 % means that branches split the "
     "warp."},
};

static const char *figure_text(struct rl_report *report, const struct rl_roofline_entry *entry, int metric)
{
    if (metric == -1) {
        const struct rl_stats *times = entry->duration;
        const char *median = rl_words_value(report->doc, RL_UNIT_SECOND, entry->time_s, 4);
        const struct rl_value half = rl_value_div(rl_value_of((times->high - times->low) / 2), entry->time_s, "no time");
        return times->has_interval && rl_present(half)
                   ? rl_words(report->doc, "%s \u00b1%s", median, rl_words_value(report->doc, RL_UNIT_FRACTION, half, 1))
                   : median;
    }
    if (metric == -2)
        return rl_words(report->doc, "%s, %s", rl_words_value(report->doc, RL_UNIT_FRACTION, entry->roof_share, 3),
                        rl_limiter_label(rl_entry_limiter(entry)));
    return rl_words_value(report->doc, rl_metrics[metric].unit, rl_entry_metric(report, entry, (enum rl_metric)metric), 3);
}

/* clang-format off */
static const struct view_field figure_fields[] = {
    {.id = "figure", VIEW_AT(struct figure, name), .look = VIEW_LOOK_STRONG},
    {.id = "here", VIEW_AT(struct figure, here)},
    {.id = "tells", .head = "what it means", VIEW_AT(struct figure, tells), .wraps = true},
};
/* clang-format on */

static void draw_kernel(struct rl_report *report)
{
    const struct rl_roofline_entry *entry = NULL;
    struct figure rows[RL_COUNT(figures)];
    for (int example = 0; example < EXAMPLES && !entry; example++)
        entry = example_of(report, (enum example)example);
    if (!entry)
        return;
    rl_layout_skip(report->doc->layout, 6);
    for (size_t i = 0; i < RL_COUNT(figures); i++) {
        rows[i] = figures[i];
        rows[i].name = figures[i].name ? figures[i].name : rl_metrics[figures[i].metric].label;
        rows[i].here = figure_text(report, entry, figures[i].metric);
    }
    rl_view_table(
        report->doc->layout, &report->view,
        &(struct rl_view_table){RL_TABLE(figure_fields, rows, RL_COUNT(rows)),
                                .title = rl_words(report->doc, "One kernel: %s", rl_words_short(report->doc, entry->label, 60))});
    rl_layout_text(report->doc->layout, RL_STYLE_NOTE,
                   "A dash is a missing value, and a note says why: missing is not zero. ~: an estimate. \xE2\x89\xA5: at least. "
                   "Words and definitions: the glossary.");
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    if (section->chart_count > 0)
        draw_roofline(report, section);
    else
        rl_layout_text(doc->layout, RL_STYLE_BODY,
                       "Nothing in this document has a position under the roofs that could be "
                       "explained.");
    draw_kernel(report);
    rl_layout_notes(doc->layout);
}

/* Something has a place under the roofs that can be explained. */
static size_t how_many(const struct rl_document *doc)
{
    const struct rl_report *report = doc->subject;
    return report->pages[RL_PAGE_roofline].gpu_count > 0 && !doc->is_short;
}

const struct rl_page rl_page_reading = {.count = how_many, .plan = plan, .draw = draw, .joins = 360};
