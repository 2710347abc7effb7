/* kernel_source.c - where the warps of a kernel stood, in its block: hottest lines, or instructions (see kernels.h). */

#include "kernels.h"
#include "results/sentence.h"
#include "results/source.h"
#include "view_table.h"

#define NOTE 12.0 /* below a table, how many rows it leaves out */
enum { MOST_ROWS = 8, MOST_INSTRUCTIONS = 5 /* below the lines */ };

/* Samples say the function: blocks of other classes of its name have the same. Number of the first of them, from 1. */
static size_t first_of_name(struct rl_report *report, const struct rl_kernel_block *block)
{
    const struct rl_kernel_blocks *blocks = rl_kernel_blocks_of(report, block->row->gpu);
    for (size_t i = 0; i + 1 < block->number; i++)
        if (strcmp(report->capture->kernels[blocks->family[i]->kernel].name, report->capture->kernels[block->row->kernel].name) ==
            0)
            return i + 1;
    return block->number;
}

static void draw_table(struct rl_report *report, const struct view *view, bool lines, bool shared)
{
    rl_view_table(report->doc->layout, view,
                  &(struct rl_view_table){
                      .list = lines ? "lines" : "instructions",
                      .title = lines ? "Hottest lines" : "Hottest instructions",
                      .columns = lines ? "at,share,low,high,reason_label,reason_share,text"
                                       : "offset,sass,share,low,high,reason_label,reason_share",
                      .most = MOST_ROWS,
                  });
    rl_layout_text(report->doc->layout, RL_STYLE_NOTE,
                   rl_view_words(report->doc->layout, view,
                                 "{samples sample|samples} of its warps, one per scheduler every {period_cycles} cycles; "
                                 "{stalled_share} could not issue. "
                                 "The 95 % CIs count samples taken at the same moment as one."));
    if (shared)
        rl_layout_text(
            report->doc->layout, RL_STYLE_NOTE,
            rl_view_words(
                report->doc->layout, view,
                "Samples identify the function, not the launch: they cover all {classes} launch configurations of this name."));
    rl_layout_text(
        report->doc->layout, RL_STYLE_NOTE,
        rl_view_words(
            report->doc->layout, view,
            "[Over the whole kernel a global load touches {sectors_per_load} sectors on average; {ideal_sectors_per_load} would "
            "hold "
            "its bytes. ][A global store touches {sectors_per_store}; {ideal_sectors_per_store} would do. ][Sectors per load and "
            "store are unknown: {sectors_unknown}.]"));
    if (!lines)
        rl_layout_text(
            report->doc->layout, RL_STYLE_NOTE,
            rl_view_words(
                report->doc->layout, view,
                "Its module has no line numbers: compile with nvcc -lineinfo (NVRTC: the option -lineinfo) to get them."));
}

void rl_kernel_source_draw(struct rl_report *report, const struct rl_kernel_block *block)
{
    const struct rl_sampled_stall *stall = &report->analysis->kernels[block->row->kernel].limits.sampled_stall;
    if (!stall->samples)
        return;
    const size_t first = first_of_name(report, block);
    rl_layout_skip(report->doc->layout, 6);
    if (first < block->number) {
        rl_layout_textf(
            report->doc->layout, RL_STYLE_NOTE,
            "Its hottest lines are listed with kernel %zu, which has the same name: samples identify the function, not the "
            "launch.",
            first);
        return;
    }
    const struct source_kernel *source = view_source_of_kernel(report->subject, block->row);
    const struct view view = view_subject_view(report->subject, &view_record_source_kernel, source);
    draw_table(report, &view, stall->line != RL_NONE, stall->classes > 1);
    if (stall->line != RL_NONE && view_source_has_sass(source)) {
        /* The instructions at the hottest lines, but for a short report where they would begin another page. */
        const struct rl_view_table table = {.list = "instructions",
                                            .title = "Hottest instructions",
                                            .columns = "offset,sass,at,share,reason_label,reason_share",
                                            .most = MOST_INSTRUCTIONS};
        rl_layout_skip(report->doc->layout, 4);
        if (!rl_layout_has_pages(report->doc->layout) || rl_report_is_full(report) ||
            rl_layout_room(report->doc->layout) >= rl_view_table_height(report->doc->layout, &view, &table) + NOTE)
            rl_view_table(report->doc->layout, &view, &table);
        else if (rl_layout_room(report->doc->layout) >= NOTE)
            rl_layout_text(report->doc->layout, RL_STYLE_NOTE, "Hottest instructions: rooflight show --source.");
    }
}
