/* layout_parts.c - marks, headings, figures and notes (see layout.h). */

#include "layout_private.h"

/* ---- marks ---- */

/* A disc with a tick. */
static void draw_disc(struct rl_pdf *pdf, double cx, double cy, double r)
{
    static const struct rl_colour white = {255, 255, 255, 255};
    rl_pdf_fill_circle(pdf, cx, cy, 1.15 * r, rl_layout_grey);
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
    static const struct rl_colour white = {255, 255, 255, 255};
    rl_pdf_fill_rect(pdf, (struct rl_rect){cx - r, cy - r, 2 * r, 2 * r}, rl_layout_ink);
    rl_pdf_line(pdf, cx, cy + 0.7 * r, cx, cy - 0.15 * r, 0.36 * r, white);
    rl_pdf_line(pdf, cx, cy - 0.42 * r, cx, cy - 0.75 * r, 0.36 * r, white);
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

void rl_layout_item(struct rl_layout *layout, enum rl_mark mark, const struct rl_para *para)
{
    const double indent = RL_ITEM_INDENT;
    enum rl_style style = para->count ? para->spans[0].style : RL_STYLE_BODY;
    struct rl_frame outer = layout->frame;
    if (layout->web) {
        rl_web_item(layout->web, mark, para, RL_NO_TARGET);
        return;
    }
    const bool alone = rl_pdf_role_of(layout->pdf, rl_pdf_element(layout->pdf)) != RL_PDF_BODY;
    if (alone)
        rl_layout_begin_item(layout);
    rl_layout_need(layout, rl_styles[style].leading);
    rl_layout_mark(layout, mark, outer.x, rl_layout_baseline(layout, layout->y, style), style);
    layout->frame = (struct rl_frame){outer.x + indent, outer.width - indent};
    rl_layout_para(layout, para);
    layout->frame = outer;
    if (alone)
        rl_layout_end_item(layout);
}

/* ---- headings ---- */

static void heading(struct rl_layout *layout, enum rl_style style, double before, double after, double below, const char *title)
{
    struct rl_para para = {.max_lines = 3};
    rl_para_add(layout, &para, style, title);
    rl_layout_skip(layout, before);
    rl_layout_need(layout, rl_para_height(layout, &para, layout->frame.width) + after + below);
    rl_layout_para(layout, &para);
    rl_layout_skip(layout, after);
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
    struct caption caption = {{0}, {0}};
    rl_para_coded(layout, &caption.seen, RL_STYLE_BODY, RL_STYLE_CODE, text);
    if (method)
        rl_para_add(layout, &caption.how, RL_STYLE_NOTE, method);
    caption.seen.max_lines = caption.how.max_lines = CAPTION_LINES;
    return caption;
}

static double caption_height(struct rl_layout *layout, const char *text, const char *method)
{
    struct caption caption = caption_of(layout, text, method);
    double width = layout->frame.width;
    double height = rl_para_height(layout, &caption.seen, width) + (method ? rl_para_height(layout, &caption.how, width) : 0);
    return CAPTION_GAP + height;
}

static void lay_caption(struct rl_layout *layout, const char *text, const char *method)
{
    struct caption caption = caption_of(layout, text, method);
    rl_layout_skip(layout, CAPTION_GAP);
    rl_layout_para(layout, &caption.seen);
    if (method)
        rl_layout_para(layout, &caption.how);
}

enum { MOST_TIPS = 40 };

/* A caption without what is set around names in it. */
static const char *caption_alone(struct rl_layout *layout, const char *caption)
{
    struct rl_buf text = RL_BUF_IN(&layout->arena);
    for (const char *p = caption; *p; p++)
        if (*p != '`')
            rl_buf_addch(&text, *p);
    return rl_layout_copy(layout, text.data ? text.data : "");
}

/* The chart in words: its caption, then the values of its marks. */
static const char *alternative_text(struct rl_layout *layout, const struct rl_drawing *drawing, const char *caption)
{
    struct rl_buf text = RL_BUF_IN(&layout->arena);
    rl_buf_adds(&text, caption_alone(layout, caption));
    for (size_t i = 0; i < drawing->tip_count && i < MOST_TIPS; i++)
        rl_buf_addf(&text, "%s%s",
                    i                                            ? "; "
                    : text.len && text.data[text.len - 1] == '.' ? " Chart: "
                                                                 : ". Chart: ",
                    drawing->tips[i].text);
    if (drawing->tip_count > MOST_TIPS)
        rl_buf_addf(&text, "; %zu more", drawing->tip_count - MOST_TIPS);
    return rl_layout_copy(layout, text.data);
}

void rl_layout_drawing(struct rl_layout *layout, const struct rl_drawing *drawing, const char *alternative)
{
    if (layout->web) {
        rl_web_drawing(layout->web, drawing, caption_alone(layout, alternative)); /* marks say their values themselves */
        return;
    }
    double top = rl_layout_take(layout, drawing->height);
    double x = layout->frame.x + fmax(0, (layout->frame.width - drawing->width) / 2);
    rl_pdf_drawing(layout->pdf, drawing, x, top - drawing->height, alternative_text(layout, drawing, alternative));
}

static double figure_height(struct rl_layout *layout, const struct rl_drawing *drawing, const char *text, const char *method)
{
    return drawing->height + caption_height(layout, text, method);
}

bool rl_layout_figure_fits(struct rl_layout *layout, const struct rl_drawing *drawing, const char *text, const char *method)
{
    return layout->web || rl_layout_room(layout) >= figure_height(layout, drawing, text, method);
}

void rl_layout_figure(struct rl_layout *layout, const struct rl_drawing *drawing, const char *text, const char *method)
{
    rl_layout_need(layout, figure_height(layout, drawing, text, method));
    rl_layout_drawing(layout, drawing, text);
    lay_caption(layout, text, method);
}

/* ---- notes ---- */

#define NOTES_GAP   4.0
#define NOTES_LEAST 39.0 /* notes may reach into the lower margin, so that they do not begin another page */

/* A number in raised digits. */
static const char *raised(struct rl_layout *layout, size_t number)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char plain[24];
    struct rl_buf out = RL_BUF_IN(&layout->arena);
    snprintf(plain, sizeof plain, "%zu", number);
    for (const char *p = plain; *p; p++)
        rl_buf_adds(&out, digits[*p - '0']);
    return out.data;
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
        RL_APPEND(layout->notes, layout->note_count, layout->note_cap, rl_arena_strdup(&layout->arena, text));
    }
    return raised(layout, i + 1);
}

/* The `i`th open note with its sign. */
static struct rl_para note_para(struct rl_layout *layout, size_t i)
{
    struct rl_para para = {.max_lines = RL_TEXT_LINES};
    rl_para_addf(layout, &para, RL_STYLE_NOTE, "%s %s", raised(layout, i + 1), layout->notes[i]);
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
    }
    layout->note_count = 0;
    layout->bottom = bottom;
}
