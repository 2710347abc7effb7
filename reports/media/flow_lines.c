/* flow_lines.c - boxes of one line (see flow.h): something at the left and something at the right, and key figures. */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "flow_private.h"
#include "layout_private.h"

#define SIDE_GAP   4.0
#define VALUE_BASE 15.0 /* of a large number's base line below its top */
#define UNIT_GAP   3.0

/* Numbers of pages, from the right end on; returns the room that they take. */
static double lay_references(struct rl_layout *layout, const struct rl_line *line, double right, double baseline)
{
    double room = 0;
    for (size_t i = 0; i < RL_COUNT(line->pages); i++) {
        const struct rl_reference *page = &line->pages[i];
        if (!page->before || page->target == RL_NO_TARGET)
            continue;
        rl_layout_page_number(layout, RL_SIDE_RIGHT, right - room, baseline, line->side_style, page->before, page->target);
        room += page->room;
    }
    return room;
}

void rl_flow_line(struct rl_layout *layout, const struct rl_line *line, double height)
{
    if (layout->web) {
        rl_web_line(layout->web, line);
        return;
    }
    const struct rl_frame frame = rl_layout_frame(layout);
    const double top = rl_layout_take(layout, height), baseline = rl_layout_baseline(layout, top, line->style);
    const double right = frame.x + frame.width, leading = rl_styles[line->style].leading;
    const bool alone = rl_layout_begin_text(layout, line->style), leads = line->target != RL_NO_TARGET;
    const double room = lay_references(layout, line, right, baseline);
    if (leads)
        rl_pdf_begin(layout->pdf, RL_PDF_LINK);
    const double side =
        line->side ? rl_layout_text_width(layout, line->side_style, line->side, strlen(line->side)) + SIDE_GAP : room;
    const double width = rl_layout_label(layout, RL_SIDE_LEFT, frame.x, baseline, fmax(frame.width - side, frame.width / 2),
                                         line->style, line->text);
    rl_layout_link(layout, (struct rl_rect){frame.x, top - leading, width, leading}, line->target);
    if (leads)
        rl_pdf_end(layout->pdf);
    if (line->side)
        rl_layout_label(layout, RL_SIDE_RIGHT, right, baseline, frame.width - width - SIDE_GAP, line->side_style, line->side);
    if (alone)
        rl_pdf_end(layout->pdf);
}

void rl_flow_value(struct rl_layout *layout, const char *number, const char *unit)
{
    if (layout->web) {
        rl_web_value(layout->web, number, unit);
        return;
    }
    const struct rl_frame frame = rl_layout_frame(layout);
    const double baseline = rl_layout_take(layout, RL_FLOW_VALUE_HEIGHT) - VALUE_BASE;
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_addf(&text, "%s%s", number, unit[0] ? " " : "");
    const double gap = UNIT_GAP - (unit[0] ? rl_layout_text_width(layout, RL_STYLE_FIGURE, " ", 1) : 0);
    const bool alone = rl_layout_begin_text(layout, RL_STYLE_FIGURE);
    const double width = rl_layout_label(layout, RL_SIDE_LEFT, frame.x, baseline, frame.width, RL_STYLE_FIGURE, text.data);
    if (unit[0])
        rl_layout_label(layout, RL_SIDE_LEFT, frame.x + width + gap, baseline, frame.width - width - gap, RL_STYLE_BODY, unit);
    if (alone)
        rl_pdf_end(layout->pdf);
    rl_buf_release(&text);
}
