/* page_levels.c - the same kernels against every level of memory: the hierarchical roofline, the instruction roofline, and how well
 * their accesses fit the hardware.
 *
 * Hierarchical roofline: Yang, Kurth, Williams, "Hierarchical Roofline analysis for GPUs" (2019); instruction roofline: Ding and
 * Williams, "An Instruction Roofline Model for GPUs" (2019).
 */
#include <math.h>
#include <stdlib.h>

#include "core/mem.h"
#include "kernels.h"
#include "levels.h"
#include "roofline_entries.h"
#include "roofs.h"

enum { HIERARCHY, INSTRUCTIONS, GLOBAL_PATTERN, SHARED_PATTERN, CHARTS };

/* Charts of the section by what they are: those that would be empty are not there. */
struct charts {
    size_t at[CHARTS]; /* RL_NONE: not there */
};

static struct charts charts_of(struct rl_report *report, struct rl_section *section, size_t gpu, bool plan)
{
    static bool (*const has[CHARTS])(struct rl_report *, size_t) = {rl_levels_has_arithmetic, rl_levels_has_instructions,
                                                                    rl_levels_has_global, rl_levels_has_shared};
    static void (*const add[CHARTS])(struct rl_report *, struct rl_section *, size_t) = {
        rl_levels_plan_hierarchy, rl_levels_plan_instructions, rl_levels_plan_global, rl_levels_plan_shared};
    struct charts charts;
    size_t count = 0;
    for (int i = 0; i < CHARTS; i++) {
        charts.at[i] = has[i](report, gpu) ? count++ : RL_NONE;
        if (plan && charts.at[i] != RL_NONE)
            add[i](report, section, gpu);
    }
    return charts;
}

static void plan(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    charts_of(report, section, rl_page_gpu(report, section->id, section->instance), true);
}

/* ---- the page ---- */

static void draw_one(struct rl_report *report, const struct rl_section *section, size_t chart, const char *title,
                     const char *caption, const char *method)
{
    if (chart == RL_NONE)
        return;
    struct rl_box *box = rl_flow_begin(report->doc->layout);
    rl_box_subsection(box, title);
    rl_box_figure(box, &rl_document_result(report->doc, section, chart)->drawing, caption, method);
    rl_flow_together(box);
}

static const char *roofs_of_chart(struct rl_report *report, const struct rl_section *section, size_t gpu, size_t chart)
{
    return chart == RL_NONE
               ? ""
               : rl_roofs_text(report->doc, report->analysis, gpu, &report->doc->charts[section->first_chart + chart].roofline);
}

/* The two patterns beside each other, or the one that is there. */
static void draw_patterns(struct rl_report *report, const struct rl_section *section, const size_t charts[2])
{
    static const char *const titles[] = {"Global memory: the stride walls", "Shared memory: the conflict walls"};
    static const char *const captions[] = {
        "Left of `stride 1`: wide words, or words far apart.",
        "Left of `no conflict`: several passes for one access.",
    };
    static const char note[] =
        "Warp loads and stores per transaction: 32-byte sectors of global memory, passes of up to 128 bytes of shared memory. "
        "Walls: 4-byte words at that stride (contiguous 16-byte words: stride 4), conflicts of that many ways. The leftmost points "
        "are named; kernels over a thousand times slower than the fastest are not drawn.";
    if (charts[0] == RL_NONE && charts[1] == RL_NONE)
        return;
    struct rl_box *box = rl_flow_begin(report->doc->layout);
    rl_box_gap(box, 8);
    struct rl_box *row = rl_box_row(box);
    for (int i = 0; i < 2; i++) {
        struct rl_box *cell = rl_box_cell(row, RL_ALL_COLUMNS / 2);
        if (charts[i] == RL_NONE)
            continue;
        rl_box_text(cell, RL_STYLE_SUBSECTION, titles[i]);
        rl_box_gap(cell, 4);
        rl_box_figure(cell, &rl_document_result(report->doc, section, charts[i])->drawing, captions[i], NULL);
    }
    rl_box_note(box, note);
    rl_flow_together(box);
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    size_t gpu = rl_page_gpu(report, section->id, section->instance);
    const struct charts charts = charts_of(report, section, gpu, false);
    draw_one(
        report, section, charts.at[HIERARCHY], "Arithmetic against each level",
        rl_words(report->doc,
                 "%s Points of one kernel are joined: close together, a cache saves nothing; far apart, it serves most requests.",
                 rl_levels_chosen_text(report, gpu)),
        rl_words(report->doc,
                 "Floating-point operations per byte moved at each level, from counters. The point that touches its level's roof "
                 "shows what limits the kernel. FP16 and matrix-unit work may lie above the flat FP32 roof.%s",
                 roofs_of_chart(report, section, gpu, charts.at[HIERARCHY])));
    draw_one(report, section, charts.at[INSTRUCTIONS], "Instructions against each level",
             rl_words(report->doc, "%s: below the flat roof the schedulers wait.", rl_levels_executing_text(report, gpu)),
             "Warp instructions per second over warp instructions per transaction: 32 bytes for DRAM, L2 and L1, 128 for shared "
             "memory. Flat roof: one instruction per cycle and scheduler.");
    draw_patterns(report, section, &charts.at[GLOBAL_PATTERN]);
}

/* Of one kernel alone the DRAM roofline says enough; a few of a program have the chart on their pages. */
static bool has_one(const struct rl_document *doc, size_t gpu)
{
    const struct rl_report *report = doc->subject;
    const size_t *at, all = rl_group(&report->analysis->index.kernels_of_gpu, gpu, &at);
    size_t count = 0;
    if (doc->is_short && rl_kernel_blocks_of(report, gpu)->pages > 0)
        return false;
    for (size_t i = 0; i < all; i++) {
        const struct rl_kernel_result *kernel = &report->analysis->kernels[at[i]];
        count += !kernel->wrong && rl_present(kernel->metric[RL_METRIC_instructions_per_second]);
    }
    return count > 1;
}

const struct rl_page rl_page_levels = {.each_gpu = has_one, .plan = plan, .draw = draw, .joins = 400};
