/* layout_end.c - heads and feet of all pages, page numbers and links that waited (see layout.h). */

#include "layout_private.h"

/* The head of the first page. */
static void draw_first(struct rl_layout *layout, const struct rl_running *running)
{
    double left = RL_MARGIN, y = layout->page_height - 34, width = layout->page_width - 2 * RL_MARGIN;
    if (running->first_title)
        rl_layout_label(layout, RL_SIDE_LEFT, left, y, width, RL_STYLE_SUBSECTION, running->first_title);
    if (running->first_author)
        rl_layout_label(layout, RL_SIDE_LEFT, left, y - 11, width, RL_STYLE_RUNNING, running->first_author);
}

static void draw_running(struct rl_layout *layout, const struct rl_running *running, size_t page, size_t home)
{
    double left = RL_MARGIN, right = layout->page_width - RL_MARGIN, half = (right - left - RL_GUTTER) / 2;
    char number[64];
    rl_pdf_page_select(layout->pdf, page);
    layout->page = page;
    snprintf(number, sizeof number, "page %zu of %zu", page + 1, rl_pdf_page_count(layout->pdf));
    rl_layout_label(layout, RL_SIDE_LEFT, left, 28, right - left - 80, RL_STYLE_RUNNING, running->foot);
    rl_layout_label(layout, RL_SIDE_RIGHT, right, 28, 76, RL_STYLE_RUNNING, number);
    if (page == 0) {
        draw_first(layout, running);
        return;
    }
    double y = layout->page_height - 32;
    double width = rl_layout_label(layout, RL_SIDE_LEFT, left, y, half, RL_STYLE_RUNNING, running->head_left);
    rl_layout_link(layout, (struct rl_rect){left, y - 3, width, 12}, home);
    if (page < running->continued_count && running->continued[page]) {
        char name[128];
        snprintf(name, sizeof name, " · %.100s, continued", running->continued[page]);
        rl_layout_label(layout, RL_SIDE_LEFT, left + width, y, right - left - half, RL_STYLE_RUNNING, name);
    }
    rl_layout_label(layout, RL_SIDE_RIGHT, right, y, half, RL_STYLE_RUNNING, running->head_right);
}

static bool bound(const struct rl_layout *layout, size_t target)
{
    return target < layout->target_count && layout->targets[target].bound;
}

#define NUMBER_MOST 90.0 /* width of "experiment: page 1234" */

static void draw_numbers(struct rl_layout *layout)
{
    for (size_t i = 0; i < layout->number_count; i++) {
        const struct rl_waiting_number *n = &layout->numbers[i];
        if (!bound(layout, n->target))
            continue;
        char text[64];
        snprintf(text, sizeof text, " %s%zu", n->before, layout->targets[n->target].place.page + 1);
        rl_pdf_page_select(layout->pdf, n->page);
        layout->page = n->page;
        rl_pdf_resume(layout->pdf, n->element);
        rl_pdf_begin(layout->pdf, RL_PDF_LINK);
        double width = rl_layout_label(layout, RL_SIDE_RIGHT, n->x, n->baseline, NUMBER_MOST, n->style, text);
        rl_layout_link(layout, (struct rl_rect){n->x - width - 2, n->baseline - 3, width + 4, 11}, n->target);
        rl_pdf_end(layout->pdf);
        rl_pdf_end(layout->pdf);
    }
}

void rl_layout_finish(struct rl_layout *layout, const struct rl_running *running, size_t home)
{
    rl_pdf_begin(layout->pdf, RL_PDF_ARTIFACT);
    for (size_t page = 0; page < rl_pdf_page_count(layout->pdf); page++)
        draw_running(layout, running, page, home);
    rl_pdf_end(layout->pdf);
    draw_numbers(layout);
    for (size_t i = 0; i < layout->link_count; i++) {
        const struct rl_waiting_link *link = &layout->links[i];
        if (bound(layout, link->target))
            rl_pdf_link(layout->pdf, link->page, link->rect, layout->targets[link->target].place, link->element);
    }
}
