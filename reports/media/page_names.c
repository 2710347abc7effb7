/* page_names.c - the kernel names that are too long for the other pages, in full. */
#include "kernels.h"

enum { MOST_LINES = 48 }; /* of one name: 6,000 characters; a capture may hold ten times that */

static size_t columns_of(const char *name)
{
    struct rl_buf clean = RL_BUF_INIT;
    rl_utf8_printable(&clean, name, strlen(name));
    size_t columns = rl_utf8_width(clean.data, clean.len);
    rl_buf_release(&clean);
    return columns;
}

/* Whether its block has the name shortened. */
static bool name_is_long(const struct rl_report *report, size_t kernel)
{
    return columns_of(report->capture->kernels[kernel].name) > RL_NAME_MOST_COLUMNS;
}

/* Kernels with a block in the whole document; this one may have been asked for without. */
static const struct rl_kernel_blocks *blocks_of(const struct rl_report *report, size_t instance)
{
    return rl_kernel_blocks_of(report, rl_page_gpu(report, RL_PAGE_kernels, instance));
}

static void plan(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    size_t count = report->capture->kernel_count;
    report->name_targets = rl_arena_alloc(report->doc->arena, (count + 1) * sizeof *report->name_targets);
    for (size_t i = 0; i < count; i++)
        report->name_targets[i] = RL_NO_TARGET;
    for (size_t page = 0; page < report->pages[RL_PAGE_kernels].gpu_count; page++)
        for (size_t i = 0; i < blocks_of(report, page)->shown; i++)
            if (name_is_long(report, blocks_of(report, page)->family[i]->kernel))
                report->name_targets[blocks_of(report, page)->family[i]->kernel] = rl_layout_target(report->doc->layout);
}

static void draw_name(struct rl_report *report, size_t kernel, size_t number)
{
    struct rl_layout *layout = report->doc->layout;
    const size_t target = rl_kernel_target(report, kernel);
    const char *label = rl_words_short(report->doc, report->analysis->kernels[kernel].label, 70);
    struct rl_para name = {.max_lines = MOST_LINES};
    rl_layout_need(layout, 40);
    rl_layout_bind(layout, report->name_targets[kernel]);
    rl_para_add(layout, &name, RL_STYLE_CELL_NAME, report->capture->kernels[kernel].name);
    struct rl_box *box = rl_flow_begin(layout);
    rl_box_line(box, &(struct rl_line){.style = RL_STYLE_STRONG,
                                       .text = rl_words(report->doc, "%zu %s", number, label),
                                       .target = target,
                                       .side_style = RL_STYLE_SIDE,
                                       .pages = {{"page ", target, 34}}});
    rl_box_para(box, &name);
    rl_box_gap(box, 6);
    rl_flow_end(box);
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    for (size_t page = 0; page < report->pages[RL_PAGE_kernels].gpu_count; page++) {
        const struct rl_kernel_blocks *blocks = blocks_of(report, page);
        for (size_t i = 0; i < blocks->shown; i++)
            if (report->name_targets[blocks->family[i]->kernel] != RL_NO_TARGET)
                draw_name(report, blocks->family[i]->kernel, i + 1);
    }
}

static size_t how_many(const struct rl_document *doc)
{
    const struct rl_report *report = doc->subject;
    for (size_t gpu = 0; gpu < report->capture->gpu_count; gpu++) {
        if (rl_page_hides_gpu(report, gpu))
            continue;
        const struct rl_kernel_blocks *blocks = rl_kernel_blocks_of(report, gpu);
        for (size_t i = 0; i < blocks->shown; i++)
            if (name_is_long(report, blocks->family[i]->kernel))
                return 1;
    }
    return 0;
}

const struct rl_page rl_page_names = {.count = how_many, .plan = plan, .draw = draw, .joins = 110};
