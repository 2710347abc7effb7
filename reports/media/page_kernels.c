/* page_kernels.c - kernels by GPU time: a page each for those that take most of it, two to a page for the others, and a line each
 * for the rest. */

#include "kernels.h"
#include "view_table.h"

#define OWN_PAGE 1e4 /* nothing stands before it */

static size_t gpu_of(const struct rl_report *report, const struct rl_section *section)
{
    return rl_page_gpu(report, section->id, section->instance);
}

/* ---- the rest, a line each ---- */

enum { MOST_LINES = 40 };

struct line {
    const struct rl_family *family;
    const char *kernel, *limit;
};

static struct view_cell time_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_family *family = ((const struct line *)row)->family;
    struct view_cell cell = view_cell_number(field->key ? rl_family_share(family) : rl_family_gpu_s(family));
    cell.sign = field->key ? NULL : rl_time_state_sign(family->time.state);
    cell.unit = field->key ? RL_UNIT_FRACTION : RL_UNIT_SECOND;
    return cell;
}

static const struct view_field line_fields[] = {
    {.id = "kernel", VIEW_AT(struct line, kernel), .look = VIEW_LOOK_CODE, .columns = 46, .identifies = true},
    {.id = "launches", VIEW_IN(struct line, family, time.launches)},
    {.id = "gpu_s", .head = "GPU time", VIEW_GET(NUMBER, time_cell), .key = 0, .unit_of_row = true, .digits = 3},
    {.id = "limit", .head = "limited by", VIEW_AT(struct line, limit)},
};

/* ---- the section ---- */

static void plan(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    const size_t count = report->capture->kernel_count;
    const struct rl_kernel_blocks *blocks = rl_kernel_blocks_of(report, gpu_of(report, section));
    if (!report->kernel_targets) {
        report->kernel_targets = rl_arena_alloc(doc->arena, (count + 1) * sizeof *report->kernel_targets);
        report->kernel_charts = rl_arena_alloc(doc->arena, (count + 1) * sizeof *report->kernel_charts);
        for (size_t i = 0; i < count; i++)
            report->kernel_targets[i] = RL_NONE;
    }
    for (size_t i = 0; i < blocks->shown; i++) {
        const struct rl_family *row = blocks->family[i];
        const size_t target = rl_layout_target(doc->layout);
        for (size_t k = 0; k < row->shapes; k++)
            report->kernel_targets[row->classes[k].kernel] = target;
        report->kernel_charts[row->kernel] = rl_kernel_block_plan(report, section, row, i >= blocks->pages && blocks->count > 1);
    }
}

/* Whether a block fills a page: without counters it has little to show. */
static bool is_whole(const struct rl_report *report, const struct rl_kernel_blocks *blocks, size_t i)
{
    const struct rl_kernel_charts *charts = &report->kernel_charts[blocks->family[i]->kernel];
    return charts->resources != RL_NONE || charts->levels != RL_NONE;
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    const struct rl_kernel_blocks *blocks = rl_kernel_blocks_of(report, gpu_of(report, section));
    bool fills = !rl_layout_is_filled(doc->layout);
    if (blocks->pages > 0 && !fills) /* also where it goes on in the middle of a page */
        rl_layout_need(doc->layout, OWN_PAGE);
    rl_layout_section(doc->layout, section->heading);
    rl_layout_skip(doc->layout, 2);
    for (size_t i = 0; i < blocks->shown; i++) {
        const struct rl_family *row = blocks->family[i];
        const double ns = rl_family_total_ns(report, row);
        fills = i ? !rl_layout_is_filled(doc->layout) : fills;
        const struct rl_kernel_block block = {.entry = rl_entry_of_family(report, row),
                                              .row = row,
                                              .number = i + 1,
                                              .fills = fills,
                                              .share = blocks->total_ns > 0 ? ns / blocks->total_ns : 0};
        if (i > 0 && i <= blocks->pages && is_whole(report, blocks, i - 1) && (i == blocks->pages || is_whole(report, blocks, i)) &&
            !fills)
            rl_layout_need(doc->layout, OWN_PAGE);
        rl_kernel_block_draw(report, section, &block);
    }
    if (blocks->shown < blocks->count) {
        const size_t left = blocks->count - blocks->shown, count = left < MOST_LINES ? left : MOST_LINES;
        struct line *lines = rl_arena_alloc(report->doc->arena, (count + 1) * sizeof *lines);
        for (size_t i = 0; i < count; i++) {
            const struct rl_family *family = blocks->family[blocks->shown + i];
            lines[i] = (struct line){family, rl_family_label(report, family, 46), rl_family_limited_by(report->analysis, family)};
        }
        rl_view_table(report->doc->layout, &report->view,
                      &(struct rl_view_table){RL_TABLE(line_fields, lines, count), .title = "Other kernels", .tight = true});
        if (count < left)
            rl_layout_textf(report->doc->layout, RL_STYLE_NOTE, "%zu more: rooflight show --full.", left - count);
    }
}

#define ROOM 380.0 /* a heading and half a page */
#define HEAD 200.0 /* a heading, and what a kernel's block begins with */

const struct rl_page rl_page_kernels = {
    .each_gpu = rl_page_gpu_has_kernels, .plan = plan, .draw = draw, .joins = ROOM, .fills = HEAD, .own_heading = true};
