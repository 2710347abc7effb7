/* layout.c - pages, places, headings and figures (see layout.h). Running text is in layout_text.c, tables in grid.c. */
#include "layout.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/utf8.h"
#include "layout_private.h"

/* ---- the look ---- */

enum { ink = 0x22, grey = 0x6B, hairline = 0xC4 }; /* all neutral */
const struct rl_colour rl_layout_ink = {ink, ink, ink, 255}, rl_layout_grey = {grey, grey, grey, 255},
                       rl_layout_hairline = {hairline, hairline, hairline, 255}, rl_layout_amber = {0xE6, 0x9F, 0x00, 255},
                       rl_layout_green = {0x2B, 0x7A, 0x3D, 255};

const struct rl_style_row rl_styles[RL_STYLE_COUNT] = {
#define STYLE(id, face, size, leading, colour) [RL_STYLE_##id] = {RL_FACE_##face, size, leading, {colour, colour, colour, 255}},
#include "styles.def"
#undef STYLE
};

/* ---- life ---- */

/* Letter paper is 50 points lower than A4: what fills a sheet of the one shall fill one of the other. */
#define LOW_PAPER  800.0
#define LOW_MARGIN 44.0
#define LOW_AIR    0.6

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

struct rl_pdf *rl_layout_pdf(struct rl_layout *layout)
{
    return layout->pdf;
}
struct rl_arena *rl_layout_arena(struct rl_layout *layout)
{
    return &layout->arena;
}

/* ---- pages and frames ---- */

static void start_page(struct rl_layout *layout)
{
    layout->page = rl_pdf_page_add(layout->pdf);
    layout->y = layout->top;
    layout->fresh = true;
}

void rl_layout_page(struct rl_layout *layout)
{
    start_page(layout);
    rl_layout_set_frame(layout, rl_layout_columns(layout, 0, RL_ALL_COLUMNS));
}

double rl_layout_room(const struct rl_layout *layout)
{
    return layout->y - layout->bottom;
}

void rl_layout_need(struct rl_layout *layout, double height)
{
    if (!layout->fresh && rl_layout_room(layout) < height - 0.01)
        start_page(layout);
}

void rl_layout_skip(struct rl_layout *layout, double height)
{
    assert(height >= 0);
    if (!layout->fresh)
        layout->y -= height * layout->air;
}

double rl_layout_take(struct rl_layout *layout, double height)
{
    assert(height >= 0 && rl_pdf_page_count(layout->pdf) > 0);
    rl_layout_need(layout, height);
    double y = layout->y;
    layout->y -= height;
    layout->fresh = false;
    return y;
}

double rl_layout_y(const struct rl_layout *layout)
{
    return layout->y;
}

void rl_layout_set_y(struct rl_layout *layout, double y)
{
    layout->y = y;
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
    const struct rl_style_row *row = &rl_styles[style];
    return top - (row->leading + layout->capital * row->size) / 2;
}

double rl_layout_line(const struct rl_layout *layout, enum rl_style style)
{
    return rl_layout_baseline(layout, layout->y, style);
}

/* ---- targets, links, bookmarks ---- */

size_t rl_layout_target(struct rl_layout *layout)
{
    RL_GROW(layout->targets, layout->target_count + 1, layout->target_cap);
    layout->targets[layout->target_count] = (struct rl_target){0};
    return layout->target_count++;
}

void rl_layout_bind(struct rl_layout *layout, size_t target)
{
    assert(target < layout->target_count);
    double y = layout->fresh ? layout->page_height : layout->y + 6; /* the page's very top, or a little air */
    layout->targets[target] = (struct rl_target){true, {layout->page, y}};
}

size_t rl_layout_bookmark(struct rl_layout *layout, size_t parent, const char *title)
{
    double y = layout->fresh ? layout->page_height : layout->y + 6;
    return rl_pdf_bookmark(layout->pdf, parent, rl_layout_copy(layout, title), (struct rl_pdf_place){layout->page, y});
}

void rl_layout_link(struct rl_layout *layout, struct rl_rect rect, size_t target)
{
    if (target == RL_NO_TARGET)
        return;
    assert(target < layout->target_count);
    RL_GROW(layout->links, layout->link_count + 1, layout->link_cap);
    layout->links[layout->link_count++] = (struct rl_waiting_link){layout->page, rect, target};
}

void rl_layout_page_number(struct rl_layout *layout, enum rl_side side, double x, double baseline, enum rl_style style,
                           const char *before, size_t target)
{
    assert(before && target < layout->target_count);
    RL_GROW(layout->numbers, layout->number_count + 1, layout->number_cap);
    layout->numbers[layout->number_count++] = (struct rl_waiting_number){layout->page, side, x, baseline, style, before, target};
}

/* ---- marks ---- */

/* A disc with a tick. */
static void draw_disc(struct rl_pdf *pdf, double cx, double cy, double r)
{
    static const struct rl_colour white = {255, 255, 255, 255};
    rl_pdf_fill_circle(pdf, cx, cy, 1.15 * r, rl_layout_green);
    rl_pdf_line(pdf, cx - 0.55 * r, cy + 0.02 * r, cx - 0.12 * r, cy - 0.45 * r, 0.3 * r, white);
    rl_pdf_line(pdf, cx - 0.2 * r, cy - 0.45 * r, cx + 0.58 * r, cy + 0.5 * r, 0.3 * r, white);
}
static void draw_ring(struct rl_pdf *pdf, double cx, double cy, double r)
{
    rl_pdf_ring(pdf, cx, cy, r - 0.4, 0.8, rl_layout_ink);
}
static void draw_dash(struct rl_pdf *pdf, double cx, double cy, double r)
{
    rl_pdf_line(pdf, cx - r, cy, cx + r, cy, 0.8, rl_layout_grey);
}
/* A square with an exclamation mark. */
static void draw_square(struct rl_pdf *pdf, double cx, double cy, double r)
{
    rl_pdf_fill_rect(pdf, (struct rl_rect){cx - r, cy - r, 2 * r, 2 * r}, rl_layout_amber);
    rl_pdf_line(pdf, cx, cy + 0.7 * r, cx, cy - 0.15 * r, 0.36 * r, rl_layout_ink);
    rl_pdf_line(pdf, cx, cy - 0.42 * r, cx, cy - 0.75 * r, 0.36 * r, rl_layout_ink);
}

static void (*const draw_mark[])(struct rl_pdf *pdf, double cx, double cy, double r) = {
    [RL_MARK_GOOD] = draw_disc,
    [RL_MARK_ATTENTION] = draw_square,
    [RL_MARK_OPEN] = draw_ring,
    [RL_MARK_QUIET] = draw_dash,
};

double rl_layout_mark(struct rl_layout *layout, enum rl_mark mark, double x, double baseline, enum rl_style style)
{
    if (mark == RL_MARK_NONE)
        return 0;
    assert(mark < RL_COUNT(draw_mark) && draw_mark[mark]);
    double size = rl_styles[style].size, r = 0.31 * size;
    draw_mark[mark](layout->pdf, x + r, baseline + layout->capital * size / 2, r);
    return 2 * r;
}

/* ---- headings ---- */

static void heading(struct rl_layout *layout, enum rl_style style, double before, double after, double below, const char *title)
{
    struct rl_para para = RL_PARA_INIT;
    rl_para_add(layout, &para, style, title);
    para.max_lines = 3;
    rl_layout_skip(layout, before);
    rl_layout_need(layout, rl_para_height(layout, &para, layout->frame.width) + after + below);
    rl_layout_para(layout, &para);
    rl_layout_skip(layout, after);
    rl_para_release(&para);
}

void rl_layout_section(struct rl_layout *layout, const char *title)
{
    heading(layout, RL_STYLE_SECTION, 18, 6, 60, title);
}
void rl_layout_subsection(struct rl_layout *layout, const char *title)
{
    heading(layout, RL_STYLE_SUBSECTION, RL_HEADING_BEFORE, RL_HEADING_AFTER, 36, title);
}

/* ---- figures ---- */

enum { CAPTION_LINES = 5 };

#define CAPTION_GAP 4.0

/* The two paragraphs below a chart. */
struct caption {
    struct rl_para seen, how;
};

static struct caption caption_of(struct rl_layout *layout, const char *text, const char *method)
{
    struct caption caption = {RL_PARA_INIT, RL_PARA_INIT};
    rl_para_coded(layout, &caption.seen, RL_STYLE_BODY, RL_STYLE_CODE, text);
    if (method)
        rl_para_add(layout, &caption.how, RL_STYLE_NOTE, method);
    caption.seen.max_lines = caption.how.max_lines = CAPTION_LINES;
    return caption;
}

static void release_caption(struct caption *caption)
{
    rl_para_release(&caption->seen);
    rl_para_release(&caption->how);
}

double rl_layout_caption_height(struct rl_layout *layout, const char *text, const char *method)
{
    struct caption caption = caption_of(layout, text, method);
    double width = layout->frame.width;
    double height = rl_para_height(layout, &caption.seen, width) + (method ? rl_para_height(layout, &caption.how, width) : 0);
    release_caption(&caption);
    return CAPTION_GAP + height;
}

void rl_layout_caption(struct rl_layout *layout, const char *text, const char *method)
{
    struct caption caption = caption_of(layout, text, method);
    rl_layout_skip(layout, CAPTION_GAP);
    rl_layout_para(layout, &caption.seen);
    if (method)
        rl_layout_para(layout, &caption.how);
    release_caption(&caption);
}

void rl_layout_drawing(struct rl_layout *layout, const struct rl_drawing *drawing, const char *alternative)
{
    double top = rl_layout_take(layout, drawing->height);
    double x = layout->frame.x + fmax(0, (layout->frame.width - drawing->width) / 2);
    rl_pdf_drawing(layout->pdf, drawing, x, top - drawing->height, rl_layout_copy(layout, alternative));
}

void rl_layout_figure(struct rl_layout *layout, const struct rl_drawing *drawing, const char *text, const char *method)
{
    rl_layout_need(layout, drawing->height + rl_layout_caption_height(layout, text, method));
    rl_layout_drawing(layout, drawing, text);
    rl_layout_caption(layout, text, method);
}

/* ---- notes ---- */

#define NOTES_GAP   4.0
#define NOTES_LEAST 39.0 /* notes may reach into the lower margin, so that they do not begin a page of their own */

/* A number in raised digits. */
static const char *raised(struct rl_layout *layout, size_t number)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char plain[24];
    struct rl_buf out = RL_BUF_INIT;
    snprintf(plain, sizeof plain, "%zu", number);
    for (const char *p = plain; *p; p++)
        rl_buf_adds(&out, digits[*p - '0']);
    const char *text = rl_arena_strdup(&layout->arena, out.data);
    rl_buf_release(&out);
    return text;
}

const char *rl_layout_note(struct rl_layout *layout, const char *text)
{
    assert(text);
    if (!text[0]) /* a capture may hold that */
        text = "no reason recorded";
    size_t i = 0;
    while (i < layout->note_count && strcmp(layout->notes[i], text) != 0)
        i++;
    if (i == layout->note_count) {
        RL_GROW(layout->notes, layout->note_count + 1, layout->note_cap);
        layout->notes[layout->note_count++] = rl_arena_strdup(&layout->arena, text);
    }
    return raised(layout, i + 1);
}

/* The `i`th open note with its sign; release it. */
static struct rl_para note_para(struct rl_layout *layout, size_t i)
{
    struct rl_para para = RL_PARA_INIT;
    rl_para_addf(layout, &para, RL_STYLE_NOTE, "%s %s", raised(layout, i + 1), layout->notes[i]);
    para.max_lines = RL_TEXT_LINES;
    return para;
}

double rl_layout_notes_height(struct rl_layout *layout)
{
    double height = NOTES_GAP - (layout->bottom - NOTES_LEAST);
    if (layout->note_count == 0)
        return 0;
    for (size_t i = 0; i < layout->note_count; i++) {
        struct rl_para para = note_para(layout, i);
        height += rl_para_height(layout, &para, layout->frame.width);
        rl_para_release(&para);
    }
    return fmax(height, 0);
}

void rl_layout_notes(struct rl_layout *layout)
{
    const double bottom = layout->bottom;
    layout->bottom = NOTES_LEAST;
    if (layout->note_count > 0)
        rl_layout_skip(layout, NOTES_GAP);
    for (size_t i = 0; i < layout->note_count; i++) {
        struct rl_para para = note_para(layout, i);
        rl_layout_para(layout, &para);
        rl_para_release(&para);
    }
    layout->note_count = 0;
    layout->bottom = bottom;
}

/* ---- the end ---- */

#define IMAGE_WIDTH  120.0
#define IMAGE_HEIGHT 26.0

/* What stands above the first page. */
static void draw_first(struct rl_layout *layout, const struct rl_running *running)
{
    double left = RL_MARGIN, right = layout->page_width - RL_MARGIN, y = layout->page_height - 34;
    double width = right - left - IMAGE_WIDTH - RL_GUTTER;
    if (running->first_title)
        rl_layout_label(layout, RL_SIDE_LEFT, left, y, width, RL_STYLE_SUBSECTION, running->first_title);
    if (running->first_author)
        rl_layout_label(layout, RL_SIDE_LEFT, left, y - 11, width, RL_STYLE_RUNNING, running->first_author);
    rl_pdf_image(layout->pdf, (struct rl_rect){right - IMAGE_WIDTH, y - 8, IMAGE_WIDTH, IMAGE_HEIGHT});
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
        snprintf(text, sizeof text, "%s%zu", n->before, layout->targets[n->target].place.page + 1);
        rl_pdf_page_select(layout->pdf, n->page);
        layout->page = n->page;
        double width = rl_layout_label(layout, n->side, n->x, n->baseline, NUMBER_MOST, n->style, text);
        double x = n->side == RL_SIDE_RIGHT ? n->x - width : n->x;
        rl_layout_link(layout, (struct rl_rect){x - 2, n->baseline - 3, width + 4, 11}, n->target);
    }
}

void rl_layout_finish(struct rl_layout *layout, const struct rl_running *running, size_t home)
{
    for (size_t page = 0; page < rl_pdf_page_count(layout->pdf); page++)
        draw_running(layout, running, page, home);
    draw_numbers(layout);
    for (size_t i = 0; i < layout->link_count; i++) {
        const struct rl_waiting_link *link = &layout->links[i];
        if (bound(layout, link->target))
            rl_pdf_link(layout->pdf, link->page, link->rect, layout->targets[link->target].place);
    }
}
