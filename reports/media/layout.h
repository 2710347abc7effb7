/* layout.h - pages from text, figures and tables.
 *
 * A layout fills pages from top to bottom: `y` is the top of what is still free, the *frame* says between which columns things go.
 * What does not fit goes to a new page by itself. Every page has a grid of 12 columns inside margins of 18 mm; lines of running
 * text are 12 pt apart.
 *
 * Forward references cost nothing: a *target* is a number that is bound to a place when the layout comes by it; links and page
 * numbers that point to targets are drawn at the end, when all places and the number of pages are known.
 *
 * Texts may hold any bytes: they are made printable (core/utf8.h) when they come in, and are copied.
 */
#pragma once

#include "pdf.h"

/* ---- the look ---- */

/* A kind of text (styles.def): face, size, distance of the lines and colour. */
enum rl_style {
#define STYLE(id, face, size, leading, colour) RL_STYLE_##id,
#include "styles.def"
    RL_STYLE_COUNT
};
struct rl_style_row {
    enum rl_face face;
    double size, leading;
    struct rl_colour colour;
};
extern const struct rl_style_row rl_styles[RL_STYLE_COUNT];

extern const struct rl_colour rl_layout_ink, rl_layout_grey, rl_layout_hairline; /* text, secondary text, thin lines */

/* A small shape that repeats the word next to it, in form and never in colour alone. */
enum rl_mark {
    RL_MARK_NONE,
    RL_MARK_GOOD /* disc with a tick */,
    RL_MARK_ATTENTION /* square with an exclamation mark */,
    RL_MARK_OPEN /* ring */,
    RL_MARK_QUIET /* dash, grey */
};

/* ---- the layout ---- */

struct rl_frame {
    double x, width;
};

struct rl_layout;
struct rl_web;

/* A layout on an empty document of `width` x `height` points. Free with rl_layout_free. */
struct rl_layout *rl_layout_new(struct rl_pdf *pdf, const struct rl_fonts *fonts, double width, double height);
/* From here on all goes into this document, and nothing onto pages: widths of texts are still those of the pages' fonts. */
void rl_layout_to_web(struct rl_layout *layout, struct rl_web *web);
/* Frees it; the document stays. */
void rl_layout_free(struct rl_layout *layout);
/* Memory that lives as long as the layout. */
struct rl_arena *rl_layout_arena(struct rl_layout *layout);

/* Starts a page; the frame becomes the full width. */
void rl_layout_page(struct rl_layout *layout);
/* Starts a page, with the same frame, unless `height` points are free. */
void rl_layout_need(struct rl_layout *layout, double height);
/* Leaves `height` points free (nothing at the top of a page; on low paper less). */
void rl_layout_skip(struct rl_layout *layout, double height);
/* Whether it has pages, which something may not fit on; a document for a browser has none. */
bool rl_layout_has_pages(const struct rl_layout *layout);
/* Points that are free below. */
double rl_layout_room(const struct rl_layout *layout);
#define RL_LEAST_FILLED 0.604 /* of the space between head and foot */
/* Whether so much of the page is used that another may begin; a document for a browser is always filled. */
bool rl_layout_is_filled(const struct rl_layout *layout);
/* Base line of the next line of text in this style. */
double rl_layout_line(const struct rl_layout *layout, enum rl_style style);
/* Moves the top of what is free, points from the lower edge. */
void rl_layout_set_y(struct rl_layout *layout, double y);
/* Width of so many columns of the grid with the gutters between them. */
enum { RL_ALL_COLUMNS = 12 };
/* Points that so many columns of the grid take. */
double rl_layout_width(const struct rl_layout *layout, int columns);
/* The frame that spans `count` columns of the grid from column `first` (0 to 11); sets it. */
struct rl_frame rl_layout_columns(const struct rl_layout *layout, int first, int count);
/* Sets the frame. */
void rl_layout_set_frame(struct rl_layout *layout, struct rl_frame frame);
/* The frame that is set. */
struct rl_frame rl_layout_frame(const struct rl_layout *layout);

/* ---- targets ---- */

#define RL_NO_TARGET ((size_t)-1)
/* A new target, not bound yet. Links to targets that are never bound are left out. */
size_t rl_layout_target(struct rl_layout *layout);
/* Binds it to the present place. */
void rl_layout_bind(struct rl_layout *layout, size_t target);
/* A bookmark at the present place below `parent` (RL_PDF_NO_PARENT: at the top). */
size_t rl_layout_bookmark(struct rl_layout *layout, size_t parent, const char *title);
/* Makes `rect` of the current page a link. */
void rl_layout_link(struct rl_layout *layout, struct rl_rect rect, size_t target);

/* ---- text ---- */

/* A paragraph of one or more styles. Zero it, add to it, lay it: its texts and spans belong to the layout. */
struct rl_span {
    enum rl_style style;
    const char *text;
    size_t len;
    size_t target;
};
struct rl_para {
    struct rl_span *spans;
    size_t count, cap;
    int max_lines; /* 0: no limit; what is left over is cut off with an ellipsis */
};

/* Adds a text in one style, copied; its options ("--full") are set in the style of code. */
void rl_para_add(struct rl_layout *layout, struct rl_para *para, enum rl_style style, const char *text);
/* The same as printf has it. */
void rl_para_addf(struct rl_layout *layout, struct rl_para *para, enum rl_style style, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Text in which names stand in backticks: they are set in `code` and lose their backticks. */
void rl_para_coded(struct rl_layout *layout, struct rl_para *para, enum rl_style style, enum rl_style code, const char *text);
/* The same as a link. */
void rl_para_link(struct rl_layout *layout, struct rl_para *para, enum rl_style style, const char *text, size_t target);

/* Height in points when set `width` wide. */
double rl_para_height(struct rl_layout *layout, const struct rl_para *para, double width);
/* Lays it into the frame, from page to page, and moves `y`. Two lines of it at least stand on each page. */
void rl_layout_para(struct rl_layout *layout, const struct rl_para *para);
/* One style; at most RL_TEXT_LINES lines, so that no name or message can fill pages. */
enum { RL_TEXT_LINES = 16 };
/* Lays a paragraph of one style. */
void rl_layout_text(struct rl_layout *layout, enum rl_style style, const char *text);
/* The same as printf has it. */
void rl_layout_textf(struct rl_layout *layout, enum rl_style style, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* A mark (shape) with a paragraph RL_ITEM_INDENT to its right. */
#define RL_ITEM_INDENT 11.0
/* Lays the mark and the paragraph, from page to page. */
void rl_layout_item(struct rl_layout *layout, enum rl_mark mark, const struct rl_para *para);
/* Text in one line at a given place, not moving `y`; wider than `width`, it is shortened in the middle. Returns its width. */
enum rl_side { RL_SIDE_LEFT, RL_SIDE_RIGHT };
/* Draws it on the current page. */
double rl_layout_label(struct rl_layout *layout, enum rl_side side, double x, double baseline, double width, enum rl_style style,
                       const char *text);

/* Headings, with room for something below them. */
void rl_layout_section(struct rl_layout *layout, const char *title);
/* The smaller one, within a page. */
void rl_layout_subsection(struct rl_layout *layout, const char *title);

/* Draws `before` and the number of the page that `target` is on, left of a given place of the current page, as a link. `before`
 * must live as long as the layout. */
void rl_layout_page_number(struct rl_layout *layout, double x, double baseline, enum rl_style style, const char *before,
                           size_t target);
/* Draws a mark about the middle of a line of text at this base line, its left edge at x; returns its width. */
double rl_layout_mark(struct rl_layout *layout, enum rl_mark mark, double x, double baseline, enum rl_style style);

/* A chart without a caption; `alternative` describes it for those who cannot see it. */
void rl_layout_drawing(struct rl_layout *layout, const struct rl_drawing *drawing, const char *alternative);
/* A chart with its caption below, in which names may stand in backticks: what is seen (`caption`) and, smaller, how it was measured
 * (`method`, or NULL). All stays together. */
void rl_layout_figure(struct rl_layout *layout, const struct rl_drawing *drawing, const char *caption, const char *method);
/* Whether it has room on this page. */
bool rl_layout_figure_fits(struct rl_layout *layout, const struct rl_drawing *drawing, const char *caption, const char *method);

/* ---- notes ---- */

/* The sign (raised number) of a note with this text; the same text gives the same sign until the notes are printed. */
const char *rl_layout_note(struct rl_layout *layout, const char *text);
/* Room in points that the open notes need above the lower margin, into which they may reach; 0 when there are none. */
double rl_layout_notes_height(struct rl_layout *layout);
/* Prints the notes that are open, and starts again at 1. */
void rl_layout_notes(struct rl_layout *layout);

/* ---- the end ---- */

struct rl_running {
    const char *head_left, *head_right, *foot;
    const char *const *continued; /* by page: the section in which it begins; NULL: none that has a name */
    size_t continued_count;
    const char *first_title, *first_author; /* above the first page; NULL: none */
};
/* Draws header (on the first page: title and author) and footer with "page n of m", the page
 * numbers and links that waited. Once, at the end. `home` is where the header leads to. */
void rl_layout_finish(struct rl_layout *layout, const struct rl_running *running, size_t home);
