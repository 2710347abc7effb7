/* drawing.h - a chart as a list of things to draw.
 *
 * The drawing terminal (templates/rooflight.lua) prints one plain command a line; rl_drawing_read turns them into operations that
 * carry everything needed to draw them: no state is left to track. Text that comes from data is added as operations by the chart
 * code. A page (PDF) or a file (SVG) is made by going through `ops` once, in order: later ones lie on top.
 *
 * Coordinates and lengths are points (1/72 inch), the origin is the lower left corner of the chart, y points up. Everything lies
 * inside 0..width, 0..height.
 */
#pragma once

#include "core/core.h"

struct rl_colour {
    uint8_t r, g, b, a;
}; /* sRGB; a = 255 is opaque, 0 is "not drawn" */

enum rl_draw_kind {
    RL_DRAW_PATH,   /* `count` vertices from `drawing->vertices[first]`, joined by lines; `closed`: last to first, too */
    RL_DRAW_CIRCLE, /* centre x, y and `radius` */
    RL_DRAW_TEXT,   /* one line of UTF-8 that starts (see `align`) at x, y on the base line */
    RL_DRAW_KINDS
};

enum rl_draw_align { RL_DRAW_LEFT, RL_DRAW_CENTRE, RL_DRAW_RIGHT };
enum { RL_DRAW_DASHES = 4 };

struct rl_vertex {
    double x, y;
};

struct rl_draw_op {
    enum rl_draw_kind kind;
    double x, y; /* CIRCLE, TEXT */

    /* PATH and CIRCLE are filled first (non-zero winding), then stroked; round joins, butt caps. */
    struct rl_colour stroke, fill; /* a == 0: not stroked, not filled */
    double line_width;             /* > 0 when stroked */
    double dash[RL_DRAW_DASHES];   /* lengths on, off, on, off */
    int dash_count;                /* 0 (solid), 2 or 4 */
    size_t first, count;           /* PATH */
    bool closed;                   /* PATH */
    double radius;                 /* CIRCLE */

    /* TEXT: `align` says which part of the text lies at x, y: its left end, middle or right end, along the turned base line. */
    const char *text; /* valid, printable UTF-8, not terminated by contract: use text_len; owned by the drawing */
    size_t text_len;
    double size; /* font size */
    bool bold;
    double angle; /* degrees, counter-clockwise, about x, y */
    enum rl_draw_align align;
    struct rl_colour colour;
};

/* The text of a place in a drawing: a tooltip, and for readers who cannot see it. */
struct rl_draw_tip {
    double x, y, across, up; /* middle; reach to the sides and upwards and downwards */
    const char *text;        /* printable, owned by the drawing */
};

struct rl_drawing {
    double width, height;
    struct rl_draw_tip *tips;
    size_t tip_count, tip_cap;
    struct rl_draw_op *ops;
    size_t op_count, op_cap;
    struct rl_vertex *vertices;
    size_t vertex_count, vertex_cap;
    struct rl_arena texts; /* the bytes of the texts */
};

/* How wide and how high the text of a chart is: given by the layer that owns the fonts. */
struct rl_text_metrics {
    /* Width in points of `len` bytes of UTF-8 at `size_pt` points, in the document's sans, regular or bold. */
    double (*width)(void *context, const char *text, size_t len, double size_pt, int bold);
    void *context;
    double cap_height;      /* height of a capital or a figure above the base line, for a size of 1 pt; about 0.72 */
    double ascent, descent; /* reach of the tallest and deepest letters, for a size of 1 pt; about 0.76 and 0.22 */
};

/* An empty drawing of that size, points. Release it with rl_drawing_release. */
void rl_drawing_init(struct rl_drawing *drawing, double width, double height);
/* Frees its operations. */
void rl_drawing_release(struct rl_drawing *drawing);

/* Appends an empty operation of this kind (opaque black text, nothing stroked or filled) for the caller to complete; the pointer
 * is good until the next one is added. */
struct rl_draw_op *rl_drawing_add(struct rl_drawing *drawing, enum rl_draw_kind kind);
/* Appends a path of `count` vertices, neither stroked nor filled yet. */
struct rl_draw_op *rl_drawing_path(struct rl_drawing *drawing, const struct rl_vertex *vertices, size_t count, bool closed);
/* Appends a text; bytes that cannot be shown are replaced (rl_utf8_printable). */
struct rl_draw_op *rl_drawing_text(struct rl_drawing *drawing, double x, double y, enum rl_draw_align align, double size,
                                   const char *text, size_t len);

/* Appends a tip; bytes that cannot be shown are replaced. */
void rl_drawing_tip(struct rl_drawing *drawing, double x, double y, double across, double up, const char *text);

/* Reads the drawing commands of chart `number` from `*text` (`*len` bytes are left), appends its operations to the initialised
 * `drawing`, and moves `*text` and `*len` behind its "end" line. `metrics` turns the terminal's vertically centred texts into
 * base lines. The width and height that the commands give must be those of `drawing`. RL_FORMAT with line number and reason when
 * the commands are damaged. The commands are listed at the top of templates/rooflight.lua. */
enum rl_status rl_drawing_read(struct rl_drawing *drawing, size_t number, const struct rl_text_metrics *metrics, const char **text,
                               size_t *len, struct rl_err *err);

/* The shape of a mark with the area of a circle of `radius`; hollow ones (odd and even types as gnuplot's: 4 hollow, 5 filled
 * square; 6, 7 circle; 8, 9 triangle; 10, 11 triangle on its tip; 12, 13 diamond) are white inside and have an edge of this
 * colour. */
void rl_drawing_mark(struct rl_drawing *drawing, double x, double y, int shape, double radius, double line_width,
                     struct rl_colour colour);
/* How far the shape's corners reach from its centre, for a radius of 1: 1 for a circle. */
double rl_drawing_mark_reach(int shape);

/* Appends the drawing as a self-contained SVG document. `family` is the font family to name, for example "DejaVu Sans". */
void rl_drawing_svg(const struct rl_drawing *drawing, const char *family, struct rl_buf *out);
/* The same as an element of HTML, in the fonts of the text around it, with its tips and an alternative text. */
void rl_drawing_svg_inline(const struct rl_drawing *drawing, const char *alternative, struct rl_buf *out);
