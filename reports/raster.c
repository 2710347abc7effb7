/* raster.c - a drawing as pixels (see raster.h). */
#include "raster.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include FT_STROKER_H

#include <png.h>

#include "core/mem.h"
#include "core/utf8.h"

enum {
    CHANNELS = 3,
    CIRCLE_CORNERS = 48,
    MOST_POINTS = SHRT_MAX, /* of one outline */
    MOST_DASHES = 4096,     /* of one path: a solid line beyond */
};

struct canvas {
    const struct rl_fonts *fonts;
    FT_Library library;
    FT_Stroker stroker;
    double scale, height; /* pixels a point; height in points */
    int columns, rows;
    uint8_t *pixels;
    struct rl_colour colour; /* of what is being filled */
    FT_Error error;          /* the first one */
};

static void note_error(struct canvas *canvas, FT_Error error)
{
    if (!canvas->error)
        canvas->error = error;
}

/* ---- places: points from the lower left corner to 1/64 of a pixel, y up as FreeType has it ---- */

static FT_Pos fixed(const struct canvas *canvas, double points)
{
    return lround(points * canvas->scale * 64);
}

static FT_Vector place(const struct canvas *canvas, struct rl_vertex v)
{
    return (FT_Vector){fixed(canvas, v.x), fixed(canvas, v.y)};
}

/* ---- filling ---- */

static void blend(uint8_t *pixel, struct rl_colour c, unsigned coverage)
{
    unsigned a = coverage * c.a, keep = 255 * 255 - a;
    const uint8_t from[CHANNELS] = {c.r, c.g, c.b};
    for (int i = 0; i < CHANNELS; i++)
        pixel[i] = (uint8_t)((from[i] * a + pixel[i] * keep + 255 * 255 / 2) / (255 * 255));
}

static void paint_spans(int y, int count, const FT_Span *spans, void *user)
{
    struct canvas *canvas = user;
    int row = canvas->rows - 1 - y;
    assert(row >= 0 && row < canvas->rows);
    for (int i = 0; i < count; i++)
        for (int x = spans[i].x; x < spans[i].x + spans[i].len; x++)
            blend(canvas->pixels + ((size_t)row * (size_t)canvas->columns + (size_t)x) * CHANNELS, canvas->colour,
                  spans[i].coverage);
}

static void fill_outline(struct canvas *canvas, FT_Outline *outline, struct rl_colour colour)
{
    FT_Raster_Params params = {.flags = FT_RASTER_FLAG_AA | FT_RASTER_FLAG_DIRECT | FT_RASTER_FLAG_CLIP,
                               .gray_spans = paint_spans,
                               .user = canvas,
                               .clip_box = {0, 0, canvas->columns, canvas->rows}};
    canvas->colour = colour;
    if (outline->n_points > 0)
        note_error(canvas, FT_Outline_Render(canvas->library, outline, &params));
}

static void fill_polygon(struct canvas *canvas, const struct rl_vertex *v, size_t count, struct rl_colour colour)
{
    FT_Outline outline;
    if (count < 3 || count > MOST_POINTS)
        return;
    FT_Error error = FT_Outline_New(canvas->library, (FT_UInt)count, 1, &outline);
    note_error(canvas, error);
    if (error)
        return;
    for (size_t i = 0; i < count; i++) {
        outline.points[i] = place(canvas, v[i]);
        outline.tags[i] = FT_CURVE_TAG_ON;
    }
    outline.contours[0] = (short)(count - 1);
    fill_outline(canvas, &outline, colour);
    FT_Outline_Done(canvas->library, &outline);
}

/* ---- lines ---- */

static void begin_line(struct canvas *canvas, struct rl_vertex at, bool open)
{
    FT_Vector start = place(canvas, at);
    note_error(canvas, FT_Stroker_BeginSubPath(canvas->stroker, &start, open));
}
static void line_to(struct canvas *canvas, struct rl_vertex at)
{
    FT_Vector end = place(canvas, at);
    note_error(canvas, FT_Stroker_LineTo(canvas->stroker, &end));
}
static void end_line(struct canvas *canvas)
{
    note_error(canvas, FT_Stroker_EndSubPath(canvas->stroker));
}

static void trace_solid(struct canvas *canvas, const struct rl_vertex *v, size_t count, bool closed)
{
    begin_line(canvas, v[0], !closed);
    for (size_t i = 1; i < count; i++)
        line_to(canvas, v[i]);
    end_line(canvas);
}

/* The pieces that are on, one after another along the path. */
static void trace_dashed(struct canvas *canvas, const struct rl_vertex *v, size_t count, const double *dash, int dashes)
{
    int at = 0;
    double left = dash[0];
    begin_line(canvas, v[0], true);
    for (size_t i = 1; i < count; i++) {
        double dx = v[i].x - v[i - 1].x, dy = v[i].y - v[i - 1].y, length = hypot(dx, dy), done = 0;
        while (length - done > left) {
            done += left;
            struct rl_vertex there = {v[i - 1].x + dx * done / length, v[i - 1].y + dy * done / length};
            if (at % 2 == 0) {
                line_to(canvas, there);
                end_line(canvas);
            }
            at = (at + 1) % dashes;
            left = dash[at];
            if (at % 2 == 0)
                begin_line(canvas, there, true);
        }
        left -= length - done;
        if (at % 2 == 0)
            line_to(canvas, v[i]);
    }
    if (at % 2 == 0)
        end_line(canvas);
}

static double length_of(const struct rl_vertex *v, size_t count)
{
    double length = 0;
    for (size_t i = 1; i < count; i++)
        length += hypot(v[i].x - v[i - 1].x, v[i].y - v[i - 1].y);
    return length;
}

/* Whether the dashes can be drawn one by one. */
static bool can_dash(double length, const double *dash, int dashes)
{
    double period = 0;
    for (int i = 0; i < dashes; i++)
        period += dash[i] > 0.05 ? dash[i] : NAN;
    return period > 0 && length / period < MOST_DASHES;
}

static void fill_stroke(struct canvas *canvas, struct rl_colour colour)
{
    FT_UInt points = 0, contours = 0;
    FT_Outline outline;
    FT_Error error = FT_Stroker_GetCounts(canvas->stroker, &points, &contours);
    if (!error && points > 0 && points <= MOST_POINTS && contours <= MOST_POINTS) {
        error = FT_Outline_New(canvas->library, points, (FT_Int)contours, &outline);
        if (!error) {
            outline.n_points = outline.n_contours = 0; /* Export appends */
            FT_Stroker_Export(canvas->stroker, &outline);
            fill_outline(canvas, &outline, colour);
            outline.n_points = (short)points; /* as it was made */
            outline.n_contours = (short)contours;
            FT_Outline_Done(canvas->library, &outline);
        }
    }
    note_error(canvas, error);
}

static void stroke(struct canvas *canvas, const struct rl_draw_op *op, const struct rl_vertex *v, size_t count, bool closed)
{
    double length = length_of(v, count);
    if (!(length * canvas->scale >= 1.0 / 64)) /* FreeType's stroker takes no line without length */
        return;
    FT_Stroker_Set(canvas->stroker, fixed(canvas, op->line_width) / 2, FT_STROKER_LINECAP_BUTT, FT_STROKER_LINEJOIN_ROUND, 0);
    FT_Stroker_Rewind(canvas->stroker);
    if (op->dash_count > 0 && can_dash(length, op->dash, op->dash_count))
        trace_dashed(canvas, v, count, op->dash, op->dash_count);
    else
        trace_solid(canvas, v, count, closed);
    fill_stroke(canvas, op->stroke);
}

/* ---- operations ---- */

static void draw_shape(struct canvas *canvas, const struct rl_draw_op *op, const struct rl_vertex *v, size_t count, bool closed)
{
    if (op->fill.a)
        fill_polygon(canvas, v, count, op->fill);
    if (op->stroke.a)
        stroke(canvas, op, v, count, closed);
}

static void draw_path(struct canvas *canvas, const struct rl_drawing *drawing, const struct rl_draw_op *op)
{
    draw_shape(canvas, op, drawing->vertices + op->first, op->count, op->closed);
}

static void draw_circle(struct canvas *canvas, const struct rl_drawing *drawing, const struct rl_draw_op *op)
{
    struct rl_vertex corners[CIRCLE_CORNERS];
    (void)drawing;
    for (int i = 0; i < CIRCLE_CORNERS; i++) {
        double angle = 2 * M_PI * i / CIRCLE_CORNERS;
        corners[i] = (struct rl_vertex){op->x + op->radius * cos(angle), op->y + op->radius * sin(angle)};
    }
    draw_shape(canvas, op, corners, CIRCLE_CORNERS, true);
}

/* The next character of a text at this size; NULL when there is none. */
static FT_GlyphSlot load_glyph(struct canvas *canvas, const struct rl_draw_op *op, const char **text, size_t *len)
{
    uint32_t c;
    size_t used = rl_utf8_decode(*text, *len, &c);
    enum rl_font_id font = rl_fonts_pick(canvas->fonts, op->bold ? RL_FACE_BOLD : RL_FACE_REGULAR, &c);
    FT_Face face = rl_fonts_face(canvas->fonts, font);
    *text += used;
    *len -= used;
    FT_Error error = FT_Set_Char_Size(face, lround(op->size * canvas->scale * 64), 0, 72, 72);
    if (!error)
        error = FT_Load_Char(face, c, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP);
    note_error(canvas, error);
    return error ? NULL : face->glyph;
}

/* Width of a text in pixels. */
static double text_width(struct canvas *canvas, const struct rl_draw_op *op)
{
    double width = 0;
    const char *text = op->text;
    for (size_t len = op->text_len; len > 0;) {
        FT_GlyphSlot glyph = load_glyph(canvas, op, &text, &len);
        width += glyph ? (double)glyph->linearHoriAdvance / 65536 : 0;
    }
    return width;
}

static void draw_text(struct canvas *canvas, const struct rl_drawing *drawing, const struct rl_draw_op *op)
{
    static const double part[] = {[RL_DRAW_LEFT] = 0, [RL_DRAW_CENTRE] = 0.5, [RL_DRAW_RIGHT] = 1};
    double c = cos(op->angle * M_PI / 180), s = sin(op->angle * M_PI / 180);
    double along = part[op->align] > 0 ? -part[op->align] * text_width(canvas, op) : 0;
    FT_Matrix turn = {lround(c * 65536), lround(-s * 65536), lround(s * 65536), lround(c * 65536)};
    const char *text = op->text;
    (void)drawing;
    for (size_t len = op->text_len; len > 0 && op->colour.a;) {
        FT_GlyphSlot glyph = load_glyph(canvas, op, &text, &len);
        if (!glyph)
            continue;
        FT_Outline_Transform(&glyph->outline, &turn);
        FT_Outline_Translate(&glyph->outline, fixed(canvas, op->x) + lround(along * c * 64),
                             fixed(canvas, op->y) + lround(along * s * 64));
        fill_outline(canvas, &glyph->outline, op->colour);
        along += (double)glyph->linearHoriAdvance / 65536;
    }
}

static void draw_all(struct canvas *canvas, const struct rl_drawing *drawing)
{
    static void (*const draw[RL_DRAW_KINDS])(struct canvas *, const struct rl_drawing *, const struct rl_draw_op *) = {
        [RL_DRAW_PATH] = draw_path, [RL_DRAW_CIRCLE] = draw_circle, [RL_DRAW_TEXT] = draw_text};
    for (size_t i = 0; i < drawing->op_count && !canvas->error; i++) {
        assert(drawing->ops[i].kind < RL_DRAW_KINDS);
        draw[drawing->ops[i].kind](canvas, drawing, &drawing->ops[i]);
    }
}

/* ---- the file ---- */

static bool add_png(const struct canvas *canvas, struct rl_buf *out)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)canvas->columns,
                       .height = (png_uint_32)canvas->rows,
                       .format = PNG_FORMAT_RGB};
    png_alloc_size_t size = 0;
    if (!png_image_write_to_memory(&image, NULL, &size, 0, canvas->pixels, 0, NULL))
        return false;
    void *bytes = rl_calloc(1, size);
    bool ok = png_image_write_to_memory(&image, bytes, &size, 0, canvas->pixels, 0, NULL);
    if (ok)
        rl_buf_add(out, bytes, size);
    free(bytes);
    return ok;
}

enum rl_status rl_drawing_png(const struct rl_drawing *drawing, const struct rl_fonts *fonts, double scale, struct rl_buf *out,
                              struct rl_err *err)
{
    assert(drawing && fonts && scale > 0);
    struct canvas canvas = {.fonts = fonts, .library = rl_fonts_library(fonts), .scale = scale, .height = drawing->height};
    canvas.columns = (int)ceil(drawing->width * scale);
    canvas.rows = (int)ceil(drawing->height * scale);
    enum rl_status status = RL_OK;
    note_error(&canvas, FT_Stroker_New(canvas.library, &canvas.stroker));
    canvas.pixels = rl_calloc((size_t)canvas.rows * (size_t)canvas.columns, CHANNELS);
    memset(canvas.pixels, 0xFF, (size_t)canvas.rows * (size_t)canvas.columns * CHANNELS);
    if (!canvas.error)
        draw_all(&canvas, drawing);
    if (canvas.error)
        status = rl_err_set(err, RL_FAILED, "FreeType cannot draw a chart: error %d", canvas.error);
    else if (!add_png(&canvas, out))
        status = rl_err_set(err, RL_FAILED, "libpng cannot write a chart");
    if (canvas.stroker)
        FT_Stroker_Done(canvas.stroker);
    free(canvas.pixels);
    return status;
}
