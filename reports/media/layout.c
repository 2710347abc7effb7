/* layout.c - pages, places and links (see layout.h). Lines of text are in layout_text.c, what is made of them in layout_parts.c,
 * heads and feet in layout_end.c. */
#include "layout.h"

#include "layout_private.h"

/* ---- the look ---- */

enum { ink = 0x22, grey = 0x6B, hairline = 0xC4 }; /* all neutral */
const struct rl_colour rl_layout_ink = {ink, ink, ink, 255}, rl_layout_grey = {grey, grey, grey, 255},
                       rl_layout_hairline = {hairline, hairline, hairline, 255};

const struct rl_style_row rl_styles[RL_STYLE_COUNT] = {
#define STYLE(id, face, size, leading, colour) [RL_STYLE_##id] = {RL_FACE_##face, size, leading, {colour, colour, colour, 255}},
#include "styles.def"
};

/* ---- life ---- */

/* Letter paper is 50 points lower than A4: what fills a sheet of the one shall fill one of the other. */
#define LOW_PAPER  800.0
#define LOW_MARGIN 44.0
#define LOW_AIR    0.6

/* The page height that a document without pages reports to callers that fill the rest of a page. */
#define WEB_ROOM 0.5

struct rl_layout *rl_layout_new(struct rl_pdf *pdf, const struct rl_fonts *fonts, double width, double height)
{
    assert(pdf && fonts && width > 2 * RL_MARGIN && height > 2 * RL_MARGIN);
    struct rl_layout *layout = rl_calloc(1, sizeof *layout);
    layout->pdf = pdf;
    layout->page_width = width;
    layout->page_height = height;
    const bool low = height < LOW_PAPER;
    layout->top = height - (low ? LOW_MARGIN : RL_MARGIN);
    layout->bottom = low ? LOW_MARGIN : RL_MARGIN;
    layout->air = low ? LOW_AIR : 1;
    layout->capital = rl_fonts_heights(fonts).capital;
    rl_layout_set_frame(layout, rl_layout_columns(layout, 0, RL_ALL_COLUMNS));
    return layout;
}

void rl_layout_to_web(struct rl_layout *layout, struct rl_web *web)
{
    layout->web = web;
    layout->fresh = false;
}

void rl_layout_free(struct rl_layout *layout)
{
    if (!layout)
        return;
    rl_arena_release(&layout->arena);
    free(layout->targets);
    free(layout->links);
    free(layout->numbers);
    free(layout->notes);
    free(layout);
}

struct rl_arena *rl_layout_arena(struct rl_layout *layout)
{
    return &layout->arena;
}

/* ---- pages and frames ---- */

static void start_page(struct rl_layout *layout)
{
    layout->page = rl_pdf_page_add(layout->pdf);
    layout->y = layout->used = layout->top;
    layout->fresh = true;
}

void rl_layout_page(struct rl_layout *layout)
{
    if (!layout->web)
        start_page(layout);
    rl_layout_set_frame(layout, rl_layout_columns(layout, 0, RL_ALL_COLUMNS));
}

bool rl_layout_has_pages(const struct rl_layout *layout)
{
    return !layout->web;
}

double rl_layout_room(const struct rl_layout *layout)
{
    return layout->web ? WEB_ROOM * (layout->top - layout->bottom) : layout->y - layout->bottom;
}

bool rl_layout_is_filled(const struct rl_layout *layout)
{
    return layout->web || layout->top - layout->used >= RL_LEAST_FILLED * (layout->top - layout->bottom);
}

void rl_layout_need(struct rl_layout *layout, double height)
{
    if (!layout->web && !layout->fresh && layout->whole == 0 && rl_layout_room(layout) < height - 0.01)
        start_page(layout);
}

void rl_layout_skip(struct rl_layout *layout, double height)
{
    assert(height >= 0);
    if (!layout->web && !layout->fresh)
        layout->y -= height * layout->air;
}

double rl_layout_take(struct rl_layout *layout, double height)
{
    assert(height >= 0 && !layout->web && rl_pdf_page_count(layout->pdf) > 0);
    rl_layout_need(layout, height);
    double y = layout->y;
    layout->y -= height;
    layout->used = layout->y;
    layout->fresh = false;
    return y;
}

void rl_layout_set_y(struct rl_layout *layout, double y)
{
    layout->y = layout->used = y;
    layout->fresh = y >= layout->top;
}

struct rl_frame rl_layout_columns(const struct rl_layout *layout, int first, int count)
{
    assert(first >= 0 && count > 0 && first + count <= RL_ALL_COLUMNS);
    double width = layout->page_width - 2 * RL_MARGIN;
    double column = (width - (RL_ALL_COLUMNS - 1) * RL_GUTTER) / RL_ALL_COLUMNS;
    return (struct rl_frame){RL_MARGIN + first * (column + RL_GUTTER), count * column + (count - 1) * RL_GUTTER};
}

double rl_layout_width(const struct rl_layout *layout, int columns)
{
    return rl_layout_columns(layout, 0, columns).width;
}

void rl_layout_set_frame(struct rl_layout *layout, struct rl_frame frame)
{
    assert(frame.width > 0);
    layout->frame = frame;
}
struct rl_frame rl_layout_frame(const struct rl_layout *layout)
{
    return layout->frame;
}

double rl_layout_baseline(const struct rl_layout *layout, double top, enum rl_style style)
{
    assert(style < RL_STYLE_COUNT);
    const struct rl_style_row *row = &rl_styles[style];
    return top - (row->leading + layout->capital * row->size) / 2;
}

double rl_layout_line(const struct rl_layout *layout, enum rl_style style)
{
    return rl_layout_baseline(layout, layout->y, style);
}

/* ---- what things are ---- */

bool rl_layout_begin_text(struct rl_layout *layout, enum rl_style style)
{
    assert(style < RL_STYLE_COUNT);
    static const enum rl_pdf_role roles[RL_STYLE_COUNT] = {
        [RL_STYLE_DISPLAY] = RL_PDF_TITLE, [RL_STYLE_SECTION] = RL_PDF_TITLE, [RL_STYLE_SUBSECTION] = RL_PDF_HEADING};
    const enum rl_pdf_role around = rl_pdf_role_of(layout->pdf, rl_pdf_element(layout->pdf));
    if (around != RL_PDF_DOCUMENT && around != RL_PDF_SECTION)
        return false; /* it is a part of that */
    rl_pdf_begin(layout->pdf, roles[style] ? roles[style] : RL_PDF_TEXT);
    return true;
}

void rl_layout_begin_item(struct rl_layout *layout)
{
    const size_t list = rl_pdf_last_inside(layout->pdf, RL_PDF_LIST);
    if (list == RL_PDF_WHOLE)
        rl_pdf_begin(layout->pdf, RL_PDF_LIST);
    else
        rl_pdf_resume(layout->pdf, list);
    rl_pdf_begin(layout->pdf, RL_PDF_ITEM);
    rl_pdf_begin(layout->pdf, RL_PDF_BODY);
}

void rl_layout_end_item(struct rl_layout *layout)
{
    for (int i = 0; i < 3; i++) /* text, item, list */
        rl_pdf_end(layout->pdf);
}

/* ---- targets, links, bookmarks ---- */

const char *rl_layout_copy(struct rl_layout *layout, const char *text)
{
    struct rl_buf out = RL_BUF_INIT;
    rl_utf8_printable(&out, text, strlen(text));
    const char *copy = rl_arena_strdup(&layout->arena, out.data);
    rl_buf_release(&out);
    return copy;
}

size_t rl_layout_target(struct rl_layout *layout)
{
    RL_APPEND(layout->targets, layout->target_count, layout->target_cap, (struct rl_target){0});
    return layout->target_count - 1;
}

void rl_layout_bind(struct rl_layout *layout, size_t target)
{
    assert(target < layout->target_count);
    if (layout->web) {
        rl_web_bind(layout->web, target);
        return;
    }
    double y = layout->fresh ? layout->page_height : layout->y + 6; /* the page's very top, or a little air */
    layout->targets[target] = (struct rl_target){true, {layout->page, y}};
}

size_t rl_layout_bookmark(struct rl_layout *layout, size_t parent, const char *title)
{
    if (layout->web)
        return rl_web_bookmark(layout->web, parent, rl_layout_copy(layout, title));
    double y = layout->fresh ? layout->page_height : layout->y + 6;
    return rl_pdf_bookmark(layout->pdf, parent, rl_layout_copy(layout, title), (struct rl_pdf_place){layout->page, y});
}

void rl_layout_link(struct rl_layout *layout, struct rl_rect rect, size_t target)
{
    if (target == RL_NO_TARGET)
        return;
    assert(target < layout->target_count);
    RL_APPEND(layout->links, layout->link_count, layout->link_cap,
              (struct rl_waiting_link){layout->page, rect, target, rl_pdf_element(layout->pdf)});
}

void rl_layout_page_number(struct rl_layout *layout, double x, double baseline, enum rl_style style, const char *before,
                           size_t target)
{
    assert(before && target < layout->target_count);
    RL_APPEND(layout->numbers, layout->number_count, layout->number_cap,
              (struct rl_waiting_number){layout->page, x, baseline, style, before, target, rl_pdf_element(layout->pdf)});
}
