/* page_kernels.c - a block for each of the kernel classes that took the most time: its time and place, occupancy and what limits
 * it, traffic on every level of memory, access, execution, stalls, findings. What the capture does not hold is said in one line.
 * Kernel classes of a program that have charts below have a page each. */
#include <assert.h>

#include "core/mem.h"
#include "kernel_block.h"

#define BLOCK_GAP 14.0

/* "block 256 × 1 × 1"; a shape of no threads is one that is not known. */
static const char *shape_text(struct rl_report *report, const char *what, const uint32_t shape[3])
{
    return shape[0] ? rl_words(report->doc, "%s %u × %u × %u", what, shape[0], shape[1], shape[2])
                    : rl_words(report->doc, "%s not known", what);
}

static const char *shared_text(struct rl_report *report, const struct rl_kernel *k)
{
    const struct rl_value shared = k->static_shared_bytes;
    const double bytes = (rl_present(shared) ? shared.v : 0) + (double)k->dynamic_shared_bytes;
    if (!rl_present(shared) && bytes == 0 && k->grid[0] == 0)
        return "shared memory not known";
    return rl_words(report->doc, "%s shared memory%s", rl_words_value(report->doc, RL_UNIT_SIZE, rl_value_of(bytes), 4),
                    rl_present(shared) ? "" : " (dynamic; static not known)");
}

static const char *launch_text(struct rl_report *report, const struct rl_block *block)
{
    const struct rl_kernel *k = block->kernel;
    const char *registers =
        rl_present(k->registers_per_thread)
            ? rl_words(report->doc, "%s registers", rl_words_value(report->doc, RL_UNIT_COUNT, k->registers_per_thread, 3))
            : "registers not known";
    const char *kind =
        k->population.total > 1 ? rl_words(report->doc, ", kind %u of %u", k->population.number, k->population.total) : "";
    return rl_words(report->doc, "%s · %s · %s · %s · %s%s", shape_text(report, "grid", k->grid),
                    shape_text(report, "block", k->block), registers, shared_text(report, k),
                    rl_words_count(report->doc, (size_t)k->launches, "launch", "launches"), kind);
}

/* "Roofline" and the experiment as links, with the pages they are on. */
#define ROOFLINE_ROOM   76.0 /* "roofline: page 12" */
#define EXPERIMENT_ROOM 90.0
enum { LABEL_COLUMNS = 90 };

/* The first line of a block. */
static struct rl_line head_line(struct rl_report *report, const struct rl_block *block, const char *title)
{
    const size_t gpu = block->kernel->gpu, variant = block->kernel->variant;
    return (struct rl_line){
        .style = RL_STYLE_SUBSECTION,
        .text = title,
        .target = RL_NO_TARGET,
        .side_style = RL_STYLE_SIDE,
        .pages = {
            {"roofline: page ", rl_gpu_target(report, report->doc->is_short ? RL_PAGE_cover : RL_PAGE_roofline, gpu),
             ROOFLINE_ROOM},
            {"experiment: page ",
             variant == RL_NONE ? RL_NO_TARGET : rl_experiment_target(report, report->capture->variants[variant].experiment, gpu),
             EXPERIMENT_ROOM}}};
}

static void add_head(struct rl_report *report, const struct rl_section *section, const struct rl_block *block, struct rl_box *box)
{
    struct rl_layout *layout = report->doc->layout;
    struct rl_para name = RL_PARA_INIT;
    const size_t kernel = block->result->kernel;
    const char *title = rl_words(report->doc, "%zu  %s", block->number, rl_family_label(report, block->row, LABEL_COLUMNS));
    const struct rl_line line = head_line(report, block, title);
    rl_box_bookmark(box, section->bookmark, title);
    rl_box_bind(box, rl_kernel_target(report, kernel));
    rl_box_line(box, &line);
    rl_para_link(layout, &name, RL_STYLE_NAME_QUIET, rl_words_short(report->doc, block->kernel->name, RL_NAME_COLUMNS),
                 rl_name_target(report, kernel));
    name.max_lines = 1;
    rl_box_para(box, &name);
    const char *launch = block->row->figures ? rl_family_launch_text(report, block->row) : launch_text(report, block);
    rl_box_text(box, RL_STYLE_NOTE,
                block->share > 0 ? rl_words(report->doc, "%s, %s of the GPU time", launch,
                                            rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_of(block->share), 3))
                                 : launch);
    rl_box_gap(box, 3);
}

#define OWN_PAGE 1e4 /* nothing stands before it */

static void draw_block(struct rl_report *report, const struct rl_section *section, struct rl_block *block)
{
    struct rl_layout *layout = report->doc->layout;
    const size_t charts = report->whatif[block->result->kernel];
    struct rl_box *box = rl_flow_begin(layout);
    add_head(report, section, block, box);
    struct rl_box *row = rl_box_row(box), *left = rl_box_cell(row, RL_BLOCK_COLUMNS);
    if (block->entry.wrong)
        rl_box_text(left, RL_STYLE_STRONG, "WRONG result: no performance is shown.");
    rl_block_add_figures(report, block, left);
    if (charts != RL_NONE)
        (block->row->figures ? rl_family_chart_add : rl_whatif_add)(report, section, charts,
                                                                    rl_box_cell(row, RL_ALL_COLUMNS - RL_BLOCK_COLUMNS));
    if (block->row->figures) {
        rl_family_add(report, block->row, box);
    } else if (rl_kernel_sets_any(&block->entry)) { /* they are long: the rest need not be on the same page */
        rl_flow_together(box);
        box = rl_flow_begin(layout);
        rl_kernel_sets_add(report, &block->entry, box);
        rl_flow_end(box);
        box = rl_flow_begin(layout);
    }
    rl_block_add_remarks(report, block, box);
    rl_flow_together(box);
    rl_block_draw_source(report, block);
    rl_kernel_charts_draw(report, section, block->result->kernel, &report->kernel_charts[block->result->kernel]);
    rl_layout_skip(layout, BLOCK_GAP);
}

/* ---- the section ---- */

static size_t gpu_of(const struct rl_report *report, const struct rl_section *section)
{
    return rl_page_gpu(report, section->id, section->instance);
}

/* ---- those of the whole suite, in one table ---- */

enum { ORDINARY_THREADS = 256, MOST_ROWS = 10 };

/* A kernel whose launch stands for most: of 256 threads a block, without shared memory. */
static size_t ordinary_of(const struct rl_report *report, const struct rl_kernel_blocks *blocks)
{
    for (size_t i = 0; i < blocks->count; i++) {
        const struct rl_block_shape shape = rl_block_shape_of(&report->capture->kernels[blocks->at[i]]);
        if (shape.threads == ORDINARY_THREADS && shape.static_shared_bytes + shape.dynamic_shared_bytes == 0)
            return blocks->at[i];
    }
    return blocks->at[0];
}

/* One set of curves stands for all: kernels of the same block differ in registers and shared memory alone. */
static void draw_brief_curves(struct rl_report *report, const struct rl_section *section, const struct rl_kernel_blocks *blocks)
{
    const struct rl_kernel *kernel = &report->capture->kernels[ordinary_of(report, blocks)];
    struct rl_box *box = rl_flow_begin(report->doc->layout);
    rl_box_gap(box, 8);
    rl_box_subsection(box, "Occupancy by block shape");
    struct rl_box *row = rl_box_row(box);
    for (size_t i = 0; i < section->chart_count; i++)
        rl_box_drawing(rl_box_cell(row, 4), &rl_document_result(report->doc, section, i)->drawing,
                       "Theoretical occupancy if one parameter changed.");
    rl_box_note(box,
                rl_words(report->doc,
                         "Theoretical occupancy, %%, of a block of %u threads with %s registers each and no shared memory (the "
                         "mark), if one of the three changed. Blocks of other shapes: rooflight report --full.",
                         kernel->block[0] * kernel->block[1] * kernel->block[2],
                         rl_words_value(report->doc, RL_UNIT_COUNT, kernel->registers_per_thread, 3)));
    rl_flow_together(box);
}

static void draw_brief(struct rl_report *report, const struct rl_section *section, const struct rl_kernel_blocks *blocks)
{
    rl_layout_section(report->doc->layout, section->heading);
    rl_layout_textf(report->doc->layout, RL_STYLE_BODY,
                    "Each of the %s is discussed with its experiment; rooflight report --full has a block for each.",
                    rl_words_count(report->doc, blocks->count, "kernel class", "kernel classes"));
    rl_layout_skip(report->doc->layout, 8);
    if (section->chart_count > 0)
        draw_brief_curves(report, section, blocks);
}

static void plan(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    size_t count = report->capture->kernel_count;
    const struct rl_kernel_blocks *blocks = rl_kernel_blocks_of(report, gpu_of(report, section));
    if (!report->kernel_targets) {
        report->kernel_targets = rl_arena_alloc(report->doc->arena, (count + 1) * sizeof *report->kernel_targets);
        report->whatif = rl_arena_alloc(report->doc->arena, (count + 1) * sizeof *report->whatif);
        report->kernel_charts = rl_arena_alloc(report->doc->arena, (count + 1) * sizeof *report->kernel_charts);
        for (size_t i = 0; i < count; i++)
            report->kernel_targets[i] = report->whatif[i] = RL_NONE;
    }
    double width = rl_layout_width(report->doc->layout, 12 - RL_BLOCK_COLUMNS);
    if (rl_kernels_in_brief(report, blocks)) {
        rl_whatif_plan(report, section, ordinary_of(report, blocks), rl_layout_width(report->doc->layout, 4));
        return;
    }
    for (size_t i = 0; i < blocks->shown; i++) {
        const struct rl_family *row = blocks->family[i];
        size_t kernel = blocks->at[i], target = rl_layout_target(report->doc->layout);
        for (size_t k = 0; k < row->shapes; k++)
            report->kernel_targets[row->classes[k].kernel] = target;
        report->whatif[kernel] =
            row->figures ? rl_family_chart_plan(report, section, row, width) : rl_whatif_plan(report, section, kernel, width);
        report->kernel_charts[kernel] = rl_kernel_charts_plan(report, section, gpu_of(report, section), i);
    }
}

/* Which of them are here. */
static const char *extent_text(struct rl_report *report, const struct rl_kernel_blocks *blocks)
{
    const char *all = blocks->count < blocks->classes
                          ? rl_words(report->doc, "%s (%zu classes)",
                                     rl_words_count(report->doc, blocks->count, "kernel", "kernels"), blocks->classes)
                          : rl_words_count(report->doc, blocks->count, "kernel class", "kernel classes");
    if (blocks->shown == blocks->count)
        return rl_words(report->doc, "%s, ordered by the time spent in each.", all);
    const char *share =
        blocks->total_ns > 0
            ? rl_words(report->doc, ", which took %s of the total time",
                       rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_of(blocks->shown_ns / blocks->total_ns), 3))
            : "";
    return rl_words(report->doc, "The %zu of %s that took the most time%s (--top sets how many).", blocks->shown, all, share);
}

/* Whether it has charts below its block, which fill the rest of a page. */
static bool has_charts(const struct rl_report *report, size_t kernel)
{
    assert(kernel < report->capture->kernel_count);
    return report->kernel_charts[kernel].levels != RL_NONE || report->kernel_charts[kernel].times != RL_NONE;
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    const struct rl_kernel_blocks *blocks = rl_kernel_blocks_of(report, gpu_of(report, section));
    if (rl_kernels_in_brief(report, blocks)) {
        draw_brief(report, section, blocks);
        return;
    }
    if (blocks->pages > 0 && has_charts(report, blocks->at[0])) /* also where it goes on in the middle of a page */
        rl_layout_need(report->doc->layout, OWN_PAGE);
    rl_layout_section(doc->layout, section->heading);
    if (blocks->count > 1)
        rl_layout_text(report->doc->layout, RL_STYLE_BODY, extent_text(report, blocks));
    rl_layout_skip(report->doc->layout, blocks->count > 1 ? 8 : 2);
    for (size_t i = 0; i < blocks->shown; i++) {
        const struct rl_kernel_result *result = &report->analysis->kernels[blocks->at[i]];
        const struct rl_family *row = blocks->family[i];
        double ns = row->figures ? row->time.ns : rl_kernel_total_ns(report, blocks->at[i]);
        if (i > 0 && (has_charts(report, blocks->at[i]) || has_charts(report, blocks->at[i - 1])))
            rl_layout_need(report->doc->layout, OWN_PAGE);
        struct rl_block block = {.kernel = &report->capture->kernels[blocks->at[i]],
                                 .result = result,
                                 .entry = rl_entry_of_family(report, row),
                                 .row = row,
                                 .number = i + 1,
                                 .share = blocks->total_ns > 0 ? ns / blocks->total_ns : 0};
        draw_block(report, section, &block);
    }
}

#define BRIEF_ROOM 220.0 /* for the table of a suite; the curves may stand overleaf */

const struct rl_page rl_page_kernels = {
    .each_gpu = rl_page_gpu_has_kernels, .plan = plan, .draw = draw, .joins = BRIEF_ROOM, .room = 360, .own_heading = true};
