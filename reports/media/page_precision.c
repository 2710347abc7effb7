/* page_precision.c - what kind of arithmetic is done, and how near it comes to the roof of its own type: the tensor roofline, and
 * the mix of precisions. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "precision.h"
#include "roofline_entries.h"
#include "roofs.h"
#include "view_table.h"

#define CHART_HEIGHT 250.0
enum { MOST_ROOFS = 2 * RL_CEILING_COUNT };

/* ---- the tensor roofline ---- */

static void plan(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    size_t gpu = rl_page_gpu(report, section->id, section->instance), roof_count = 0, count;
    struct rl_chart_roof *roofs = rl_arena_alloc(report->doc->arena, MOST_ROOFS * sizeof *roofs);
    struct rl_chart_point *points = rl_precision_tensor_points(report, gpu, &count);
    if (count == 0 || !rl_precision_has_tensor(report->analysis, gpu))
        return;
    for (size_t id = 0; id < RL_CEILING_COUNT; id++)
        if (rl_ceilings[id].level == RL_LEVEL_TENSOR && rl_ceilings[id].unit == RL_UNIT_FLOP_PER_SECOND)
            roof_count += rl_roofs_add(report->doc, report->analysis, gpu, (enum rl_ceiling_id)id, id == RL_CEILING_tensor_fp16,
                                       roofs + roof_count);
    roof_count += rl_roofs_add(report->doc, report->analysis, gpu, RL_CEILING_fp32, false, roofs + roof_count);
    roof_count += rl_roofs_add(report->doc, report->analysis, gpu, RL_CEILING_dram, true, roofs + roof_count);
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_ROOFLINE);
    chart->height = CHART_HEIGHT;
    chart->roofline = (struct rl_chart_roofline){.roofs = roofs, .roof_count = roof_count, .points = points, .point_count = count};
}

/* Integers are no floating-point operations: without words nobody would know that they are missing. */
static void draw_integers(struct rl_report *report, size_t integers)
{
    if (integers > 0)
        rl_layout_text(report->doc->layout, RL_STYLE_BODY,
                       rl_words(report->doc, "%s INT8 matrices, whose operations are not floating-point: see the table below.",
                                rl_words_count(report->doc, integers, "kernel multiplies", "kernels multiply")));
}

/* What has no point on the roofline of the matrix units, and how it would have one. */
static void draw_uncounted(struct rl_report *report, size_t uncounted)
{
    if (uncounted > 0)
        rl_layout_text(
            report->doc->layout, RL_STYLE_BODY,
            rl_words(report->doc,
                     "%s the matrix units, whose operations were not counted by type (rooflight collect --metrics tensor counts "
                     "them): their rate is not known here.",
                     rl_words_count(report->doc, uncounted, "kernel uses", "kernels use")));
}

/* `others`: the chart has points of other kernels. */
static void draw_mixed(struct rl_report *report, struct rl_precision_mixed mixed, bool others)
{
    if (mixed.kernels == 0)
        return;
    const char *who = mixed.kernels == 1 ? rl_words(report->doc, "1 %skernel uses", others ? "more " : "")
                                         : rl_words(report->doc, "%zu %skernels use", mixed.kernels, others ? "more " : "");
    rl_layout_text(report->doc->layout, RL_STYLE_BODY,
                   rl_words(report->doc,
                            "%s the matrix units, in passes or launches that did different work (%s%s): %s not known here.", who,
                            mixed.kernels == 1 ? "" : "the first: ", rl_entry_why_mixed(report, mixed.first),
                            mixed.kernels == 1 ? "its rate is" : "their rates are"));
}

static void draw_tensor(struct rl_report *report, struct rl_section *section, size_t gpu)
{
    size_t count, hollow = 0;
    const size_t uncounted = rl_precision_uncounted(report, gpu), integers = rl_precision_integers(report, gpu);
    const struct rl_chart_point *points = rl_precision_tensor_points(report, gpu, &count);
    const struct rl_precision_mixed mixed = rl_precision_mixed_tensor(report, gpu);
    if (section->chart_count == 0 && uncounted == 0 && integers == 0 && mixed.kernels == 0)
        return;
    rl_layout_subsection(report->doc->layout, "Matrix units");
    for (size_t i = 0; i < count; i++)
        hollow += points[i].hollow;
    if (section->chart_count > 0)
        rl_layout_figure(
            report->doc->layout, &rl_document_result(report->doc, section, 0)->drawing,
            rl_words(report->doc, "%s the matrix units, below the roof of each type of number.",
                     rl_words_count(report->doc, count, "kernel uses", "kernels use")),
            rl_words(report->doc, "%s%s",
                     hollow > 0 ? "Hollow: operations from the work model, as the matrix operations were not counted; bytes from "
                                  "counters where there are any, else from the model."
                                : "Operations and bytes from counters.",
                     rl_roofs_text(report->doc, report->analysis, gpu, &report->doc->charts[section->first_chart].roofline)));
    draw_mixed(report, mixed, section->chart_count > 0);
    draw_integers(report, integers);
    draw_uncounted(report, uncounted);
}

/* ---- the mix ---- */

/* A kind of arithmetic, or the kernels whose operations are in no other row. */
struct mix_row {
    const char *name, *best;
    uint64_t kernels;
    struct rl_value flop, share, rate, of_ceiling;
    enum rl_unit unit, rate_unit;
};

/* clang-format off */
static const struct view_field mix_fields[] = {
    {.id = "precision", VIEW_AT(struct mix_row, name)},
    {.id = "kernels", .head = "kernels that use it", VIEW_AT(struct mix_row, kernels)},
    {.id = "operations", VIEW_AT_UNIT(struct mix_row, flop, unit), .digits = 3},
    {.id = "share", VIEW_AT(struct mix_row, share), .unit = RL_UNIT_FRACTION, .digits = 3, .bar = true},
    {.id = "rate", .head = "highest rate", VIEW_AT_UNIT(struct mix_row, rate, rate_unit), .digits = 3},
    {.id = "of_ceiling", .head = "of its ceiling", VIEW_AT(struct mix_row, of_ceiling), .unit = RL_UNIT_FRACTION, .digits = 3},
    {.id = "best", .head = "by", VIEW_AT(struct mix_row, best), .look = VIEW_LOOK_CODE, .columns = 40},
};
/* clang-format on */

static struct mix_row row_of(const struct rl_report *report, size_t gpu, const struct rl_precision_use *use, struct rl_value total)
{
    const struct rl_value none = rl_value_missing(RL_UNDEFINED, "no floating-point operations"),
                          nothing = rl_value_missing(RL_NOT_COLLECTED, "");
    const struct rl_value ceiling = rl_ceiling_figure(&report->analysis->gpus[gpu].ceiling[use->ceiling]);
    return (struct mix_row){.name = use->name,
                            .kernels = use->kernels,
                            .flop = use->flop,
                            .unit = use->integer ? RL_UNIT_COUNT : RL_UNIT_FLOP,
                            .share = use->integer ? none : rl_value_div(use->flop, total, "no floating-point operations"),
                            .rate = use->best ? use->rate : nothing,
                            .rate_unit = rl_ceilings[use->ceiling].unit,
                            .of_ceiling = use->best ? rl_value_div(use->rate, ceiling, "no ceiling") : nothing,
                            .best = use->best ? use->best->label : ""};
}

/* Kernels whose operations are in no other row, and why. */
static struct mix_row mixed_row(struct rl_report *report, const struct rl_precision_mixed *mixed)
{
    const char *why = rl_entry_why_mixed(report, mixed->first);
    const struct rl_value none = rl_value_missing(
        RL_DISAGREES,
        mixed->kernels == 1 ? why : rl_words(report->doc, "%s, of %s; the others likewise", why, mixed->first->label));
    return (struct mix_row){.name = "launches of different work",
                            .kernels = mixed->kernels,
                            .flop = none,
                            .share = none,
                            .rate = none,
                            .of_ceiling = none,
                            .best = mixed->kernels == 1 ? mixed->first->label : ""};
}

static void dress_mix(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    if (field->bar)
        cell->share_colour = rl_tones[RL_TONE_GREY].mark;
}

static void draw_mix(struct rl_report *report, size_t gpu)
{
    const struct rl_precision_mixed mixed = rl_precision_mixed(report, gpu);
    struct rl_precision_use uses[RL_PRECISIONS];
    struct rl_value total = rl_precision_mix(report, gpu, uses);
    struct mix_row rows[RL_PRECISIONS + 1];
    size_t count = 0;
    bool untyped = false;
    for (size_t i = 0; i < RL_PRECISIONS; i++) {
        untyped |= uses[i].untyped && uses[i].kernels > 0;
        if (!uses[i].matrix || uses[i].kernels > 0)
            rows[count++] = row_of(report, gpu, &uses[i], total);
    }
    if (mixed.kernels > 0)
        rows[count++] = mixed_row(report, &mixed);
    rl_view_table(report->doc->layout, &report->view,
                  &(struct rl_view_table){RL_TABLE(mix_fields, rows, count), .title = "Precision mix", .dress = dress_mix});
    rl_layout_skip(report->doc->layout, 4);
    rl_layout_text(report->doc->layout, RL_STYLE_NOTE,
                   rl_words(report->doc,
                            "Operations of one run of each variant, or of all launches of each kernel of a program. Special "
                            "functions, conversions and integer work outside the matrix units are not counted as operations.%s%s",
                            mixed.kernels > 0
                                ? " Kernels whose launches did different work have a separate row and appear in no other, because "
                                  "one launch does not stand for all. Shares are of the operations in the other rows."
                                : "",
                            untyped ? " Matrix operations whose type was not counted are compared with the FP16 roof." : ""));
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    size_t gpu = rl_page_gpu(report, section->id, section->instance);
    draw_tensor(report, section, gpu);
    draw_mix(report, gpu);
}

/* One precision alone, without matrix units, needs no page, nor do few kernels: their roofs are on the first page. */
static bool has_one(const struct rl_document *doc, size_t gpu)
{
    const struct rl_report *report = doc->subject;
    static const enum rl_metric flop[] = {RL_METRIC_flop_fp64, RL_METRIC_flop_fp32, RL_METRIC_flop_fp16,
                                          RL_METRIC_tensor_instructions};
    const size_t *at, all = rl_group(&report->analysis->index.kernels_of_gpu, gpu, &at);
    bool used[RL_COUNT(flop)] = {false};
    int kinds = 0;
    if (doc->is_short)
        return false;
    for (size_t i = 0; i < all; i++) {
        const struct rl_kernel_result *kernel = &report->analysis->kernels[at[i]];
        for (size_t f = 0; f < RL_COUNT(flop); f++)
            used[f] |= rl_present(kernel->metric[flop[f]]) && kernel->metric[flop[f]].v > 0;
    }
    for (size_t f = 0; f < RL_COUNT(flop); f++)
        kinds += used[f];
    return kinds > 1 || used[RL_COUNT(flop) - 1];
}

const struct rl_page rl_page_precision = {.each_gpu = has_one, .plan = plan, .draw = draw, .joins = 400};
