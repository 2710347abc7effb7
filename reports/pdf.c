/* pdf.c - a PDF document through libharu (see pdf.h).
 *
 * libharu's public functions make most of it. Its objects (dictionaries, arrays, streams: hpdf_objects.h, installed with it) serve
 * for what they cannot do or do wrongly: a file attached from memory, a language, dashes that are not whole points, a text table
 * that every reader accepts, links that keep the reader's zoom.
 */
#include "pdf.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hpdf.h>
#include <png.h>

#include "core/fs.h"
#include "core/mem.h"
#include "core/units.h"
#include "core/utf8.h"

enum {
    CODEPOINTS = 65536,  /* of the Basic Multilingual Plane: what libharu's encoder knows */
    MAX_RUN = 4096,      /* bytes of text in one operator; libharu allows 65535 */
    RANGES_A_BLOCK = 100 /* most entries of one block of a CMap (Adobe Technical Note 5014) */
};
#define FAR 32000.0 /* libharu writes numbers up to 32767 */

struct font {
    HPDF_Font handle;             /* NULL until a text needs it */
    uint8_t used[CODEPOINTS / 8]; /* characters that are on a page */
};

struct alpha {
    uint8_t stroke, fill;
    HPDF_ExtGState state;
};

struct rl_pdf {
    HPDF_Array attached; /* names and files, in the catalog; NULL: none yet */
    HPDF_Doc doc;
    const struct rl_fonts *fonts;
    double width, height;
    HPDF_Page *pages;
    size_t page_count, page_cap;
    HPDF_Page page;                   /* the current one */
    uint8_t stroke_alpha, fill_alpha; /* in force on it */
    struct font font[RL_FONT_COUNT];
    struct alpha *alphas;
    size_t alpha_count, alpha_cap;
    HPDF_Outline *bookmarks;
    size_t bookmark_count, bookmark_cap;
    HPDF_Image image; /* NULL: none */
    double image_width, image_height;
    HPDF_STATUS error, detail; /* the first one */
};

static void note_error(HPDF_STATUS error, HPDF_STATUS detail, void *user)
{
    struct rl_pdf *pdf = user;
    if (!pdf->error) {
        pdf->error = error;
        pdf->detail = detail;
    }
}

static bool ready(const struct rl_pdf *pdf)
{
    return !pdf->error && pdf->page;
}

static bool drawable(double x, double y)
{
    return fabs(x) <= FAR && fabs(y) <= FAR;
} /* false for NaN */

static HPDF_REAL real(double v)
{
    return (HPDF_REAL)v;
}

/* ---- life ---- */

enum rl_status rl_pdf_new(const struct rl_fonts *fonts, double width, double height, struct rl_pdf **out, struct rl_err *err)
{
    assert(fonts && width > 0 && width <= FAR && height > 0 && height <= FAR);
    struct rl_pdf *pdf = rl_calloc(1, sizeof *pdf);
    pdf->fonts = fonts;
    pdf->width = width;
    pdf->height = height;
    pdf->doc = HPDF_New(note_error, pdf);
    if (!pdf->doc) {
        rl_pdf_free(pdf);
        return rl_err_set(err, RL_FAILED, "libharu %s cannot start a document", HPDF_GetVersion());
    }
    HPDF_UseUTFEncodings(pdf->doc);
    HPDF_SetCurrentEncoder(pdf->doc, "UTF-8");
    HPDF_SetCompressionMode(pdf->doc, HPDF_COMP_ALL);
    HPDF_SetPageMode(pdf->doc, HPDF_PAGE_MODE_USE_OUTLINE);
    *out = pdf;
    return RL_OK;
}

void rl_pdf_free(struct rl_pdf *pdf)
{
    if (!pdf)
        return;
    if (pdf->doc)
        HPDF_Free(pdf->doc);
    free(pdf->pages);
    free(pdf->alphas);
    free(pdf->bookmarks);
    free(pdf);
}

/* ---- pages ---- */

void rl_pdf_page_select(struct rl_pdf *pdf, size_t page)
{
    assert(page < pdf->page_count);
    pdf->page = pdf->pages[page];
    pdf->stroke_alpha = pdf->fill_alpha = 0; /* unknown: set at first use */
}

size_t rl_pdf_page_add(struct rl_pdf *pdf)
{
    RL_GROW(pdf->pages, pdf->page_count + 1, pdf->page_cap);
    HPDF_Page page = pdf->error ? NULL : HPDF_AddPage(pdf->doc);
    pdf->pages[pdf->page_count++] = page;
    rl_pdf_page_select(pdf, pdf->page_count - 1);
    if (ready(pdf)) {
        HPDF_Page_SetWidth(page, real(pdf->width));
        HPDF_Page_SetHeight(page, real(pdf->height));
        HPDF_Page_SetLineJoin(page, HPDF_ROUND_JOIN);
    }
    return pdf->page_count - 1;
}

size_t rl_pdf_page_count(const struct rl_pdf *pdf)
{
    return pdf->page_count;
}

/* Writes operators that libharu has no function for. */
static void raw(struct rl_pdf *pdf, const char *operators)
{
    HPDF_Dict contents = HPDF_Dict_GetItem(pdf->page, "Contents", HPDF_OCLASS_DICT);
    if (contents)
        HPDF_Stream_WriteStr(contents->stream, operators);
}

/* ---- colour ---- */

static HPDF_ExtGState alpha_state(struct rl_pdf *pdf, uint8_t stroke, uint8_t fill)
{
    for (size_t i = 0; i < pdf->alpha_count; i++)
        if (pdf->alphas[i].stroke == stroke && pdf->alphas[i].fill == fill)
            return pdf->alphas[i].state;
    HPDF_ExtGState state = HPDF_CreateExtGState(pdf->doc);
    if (!state)
        return NULL;
    HPDF_ExtGState_SetAlphaStroke(state, real(stroke / 255.0));
    HPDF_ExtGState_SetAlphaFill(state, real(fill / 255.0));
    RL_GROW(pdf->alphas, pdf->alpha_count + 1, pdf->alpha_cap);
    pdf->alphas[pdf->alpha_count++] = (struct alpha){stroke, fill, state};
    return state;
}

/* Transparencies in force; 0 (nothing is drawn with it) leaves one as it is. */
static void use_alpha(struct rl_pdf *pdf, uint8_t stroke, uint8_t fill)
{
    assert(pdf->page);
    stroke = stroke ? stroke : pdf->stroke_alpha ? pdf->stroke_alpha : 255;
    fill = fill ? fill : pdf->fill_alpha ? pdf->fill_alpha : 255;
    if (stroke == pdf->stroke_alpha && fill == pdf->fill_alpha)
        return;
    HPDF_ExtGState state = alpha_state(pdf, stroke, fill);
    if (state)
        HPDF_Page_SetExtGState(pdf->page, state);
    pdf->stroke_alpha = stroke;
    pdf->fill_alpha = fill;
}

static void use_fill(struct rl_pdf *pdf, struct rl_colour c)
{
    use_alpha(pdf, 0, c.a);
    HPDF_Page_SetRGBFill(pdf->page, real(c.r / 255.0), real(c.g / 255.0), real(c.b / 255.0));
}

static void use_stroke(struct rl_pdf *pdf, struct rl_colour c, double width)
{
    use_alpha(pdf, c.a, 0);
    HPDF_Page_SetRGBStroke(pdf->page, real(c.r / 255.0), real(c.g / 255.0), real(c.b / 255.0));
    HPDF_Page_SetLineWidth(pdf->page, real(width > 0 && width < FAR ? width : 0));
}

/* ---- text ---- */

static HPDF_Font font_handle(struct rl_pdf *pdf, enum rl_font_id id)
{
    assert(id < RL_FONT_COUNT && rl_fonts_path(pdf->fonts, id));
    struct font *font = &pdf->font[id];
    if (!font->handle && !pdf->error) {
        const char *name = HPDF_LoadTTFontFromFile(pdf->doc, rl_fonts_path(pdf->fonts, id), HPDF_TRUE);
        font->handle = name ? HPDF_GetFont(pdf->doc, name, "UTF-8") : NULL;
    }
    return font->handle;
}

/* A stretch of text that one font shows. */
struct run {
    enum rl_font_id font;
    char text[MAX_RUN + 8];
    size_t len;
    int width; /* 1/1000 of the size */
};

/* Appends a character of the Basic Multilingual Plane; libharu wants a terminated string. */
static void put_utf8(struct run *run, uint32_t c)
{
    assert(c < CODEPOINTS && run->len + 4 <= sizeof run->text);
    char *p = run->text + run->len;
    if (c < 0x80) {
        *p++ = (char)c;
    } else if (c < 0x800) {
        *p++ = (char)(0xC0 | c >> 6);
        *p++ = (char)(0x80 | (c & 0x3F));
    } else {
        *p++ = (char)(0xE0 | c >> 12);
        *p++ = (char)(0x80 | (c >> 6 & 0x3F));
        *p++ = (char)(0x80 | (c & 0x3F));
    }
    *p = 0;
    run->len = (size_t)(p - run->text);
}

/* Takes the next run from `*text`; false at its end. */
static bool next_run(struct rl_pdf *pdf, enum rl_face face, const char **text, size_t *len, struct run *run, bool mark)
{
    run->len = 0;
    run->width = 0;
    while (*len > 0 && run->len < MAX_RUN) {
        uint32_t c;
        size_t used = rl_utf8_decode(*text, *len, &c);
        enum rl_font_id font = rl_fonts_pick(pdf->fonts, face, &c);
        if (run->len > 0 && font != run->font)
            break;
        HPDF_Font handle = font_handle(pdf, font);
        if (!handle)
            return false;
        run->font = font;
        put_utf8(run, c);
        run->width += HPDF_Font_GetUnicodeWidth(handle, (HPDF_UNICODE)c);
        if (mark)
            pdf->font[font].used[c / 8] |= (uint8_t)(1u << (c % 8));
        *text += used;
        *len -= used;
    }
    return run->len > 0;
}

double rl_pdf_text_width(struct rl_pdf *pdf, enum rl_face face, double size, const char *text, size_t len)
{
    struct run run;
    double width = 0;
    while (next_run(pdf, face, &text, &len, &run, false))
        width += run.width;
    return width * size / 1000;
}

double rl_pdf_text_turned(struct rl_pdf *pdf, double x, double y, double angle, const struct rl_type *type, const char *text,
                          size_t len)
{
    assert(type->face < RL_FACE_COUNT);
    if (!ready(pdf) || !drawable(x, y) || !isfinite(angle) || len == 0 || type->size <= 0)
        return 0;
    double c = cos(angle * M_PI / 180), s = sin(angle * M_PI / 180), width = 0;
    struct run run;
    use_fill(pdf, type->colour);
    HPDF_Page_BeginText(pdf->page);
    HPDF_Page_SetTextMatrix(pdf->page, real(c), real(s), real(-s), real(c), real(x), real(y));
    while (next_run(pdf, type->face, &text, &len, &run, true)) {
        HPDF_Page_SetFontAndSize(pdf->page, pdf->font[run.font].handle, real(type->size));
        HPDF_Page_ShowText(pdf->page, run.text);
        width += run.width;
    }
    HPDF_Page_EndText(pdf->page);
    return width * type->size / 1000;
}

double rl_pdf_text(struct rl_pdf *pdf, double x, double y, const struct rl_type *type, const char *text, size_t len)
{
    return rl_pdf_text_turned(pdf, x, y, 0, type, text, len);
}

/* ---- shapes ---- */

void rl_pdf_line(struct rl_pdf *pdf, double x0, double y0, double x1, double y1, double width, struct rl_colour colour)
{
    if (!ready(pdf) || !drawable(x0, y0) || !drawable(x1, y1))
        return;
    use_stroke(pdf, colour, width);
    HPDF_Page_MoveTo(pdf->page, real(x0), real(y0));
    HPDF_Page_LineTo(pdf->page, real(x1), real(y1));
    HPDF_Page_Stroke(pdf->page);
}

void rl_pdf_fill_rect(struct rl_pdf *pdf, struct rl_rect r, struct rl_colour colour)
{
    if (!ready(pdf) || !drawable(r.x, r.y) || !drawable(r.width, r.height))
        return;
    use_fill(pdf, colour);
    HPDF_Page_Rectangle(pdf->page, real(r.x), real(r.y), real(r.width), real(r.height));
    HPDF_Page_Fill(pdf->page);
}

static bool trace(struct rl_pdf *pdf, const struct rl_vertex *v, size_t count, double dx, double dy)
{
    for (size_t i = 0; i < count; i++)
        if (!drawable(v[i].x + dx, v[i].y + dy))
            return false;
    for (size_t i = 0; i < count; i++)
        (i ? HPDF_Page_LineTo : HPDF_Page_MoveTo)(pdf->page, real(v[i].x + dx), real(v[i].y + dy));
    return count > 0;
}

void rl_pdf_fill_circle(struct rl_pdf *pdf, double x, double y, double radius, struct rl_colour colour)
{
    if (!ready(pdf) || !drawable(x, y) || !(radius > 0 && radius < FAR))
        return;
    use_fill(pdf, colour);
    HPDF_Page_Circle(pdf->page, real(x), real(y), real(radius));
    HPDF_Page_Fill(pdf->page);
}

void rl_pdf_ring(struct rl_pdf *pdf, double x, double y, double radius, double width, struct rl_colour colour)
{
    if (!ready(pdf) || !drawable(x, y) || !(radius > 0 && radius < FAR))
        return;
    use_stroke(pdf, colour, width);
    HPDF_Page_Circle(pdf->page, real(x), real(y), real(radius));
    HPDF_Page_Stroke(pdf->page);
}

/* ---- charts ---- */

/* libharu 2.3 takes whole points only, later versions take fractions: the operator itself serves both. */
static void use_dash(struct rl_pdf *pdf, const double *dash, int count)
{
    struct rl_buf op = RL_BUF_INIT;
    rl_buf_addch(&op, '[');
    assert(count >= 0 && count <= RL_DRAW_DASHES);
    for (int i = 0; i < count; i++) {
        rl_buf_addch(&op, ' ');
        rl_number_format(&op, dash[i] > 0 && dash[i] < 1000 ? dash[i] : 1, 4);
    }
    rl_buf_adds(&op, " ] 0 d\n");
    raw(pdf, op.data);
    rl_buf_release(&op);
}

/* Fills and strokes the path that was traced. */
static void paint(struct rl_pdf *pdf, const struct rl_draw_op *op)
{
    bool fill = op->fill.a > 0, stroke = op->stroke.a > 0, closed = op->closed || op->kind == RL_DRAW_CIRCLE;
    if (closed)
        HPDF_Page_ClosePath(pdf->page);
    (fill && stroke ? HPDF_Page_FillStroke : fill ? HPDF_Page_Fill : HPDF_Page_Stroke)(pdf->page);
}

static void draw_shape(struct rl_pdf *pdf, const struct rl_drawing *drawing, const struct rl_draw_op *op, double dx, double dy)
{
    if (!op->fill.a && !op->stroke.a)
        return;
    if (op->fill.a)
        use_fill(pdf, op->fill);
    if (op->stroke.a)
        use_stroke(pdf, op->stroke, op->line_width);
    if (op->stroke.a && op->dash_count)
        use_dash(pdf, op->dash, op->dash_count);
    bool traced = true;
    if (op->kind == RL_DRAW_PATH)
        traced = trace(pdf, drawing->vertices + op->first, op->count, dx, dy);
    else if (drawable(op->x + dx, op->y + dy) && op->radius > 0 && op->radius < FAR)
        HPDF_Page_Circle(pdf->page, real(op->x + dx), real(op->y + dy), real(op->radius));
    else
        traced = false;
    if (traced)
        paint(pdf, op);
    if (op->stroke.a && op->dash_count)
        use_dash(pdf, NULL, 0);
}

static void draw_text(struct rl_pdf *pdf, const struct rl_draw_op *op, double dx, double dy)
{
    static const double part[] = {[RL_DRAW_LEFT] = 0, [RL_DRAW_CENTRE] = 0.5, [RL_DRAW_RIGHT] = 1};
    struct rl_type type = {op->bold ? RL_FACE_BOLD : RL_FACE_REGULAR, op->size, op->colour};
    double back = part[op->align] * rl_pdf_text_width(pdf, type.face, type.size, op->text, op->text_len);
    double x = op->x + dx - back * cos(op->angle * M_PI / 180), y = op->y + dy - back * sin(op->angle * M_PI / 180);
    if (op->colour.a)
        rl_pdf_text_turned(pdf, x, y, op->angle, &type, op->text, op->text_len);
}

/* A string of PDF as UTF-16 in hexadecimal: no byte of it can end the string. */
static void add_utf16(struct rl_buf *out, const char *text)
{
    size_t len = strlen(text);
    rl_buf_adds(out, "<FEFF");
    for (uint32_t c; len > 0;) {
        size_t used = rl_utf8_decode(text, len, &c);
        if (c > 0xFFFF)
            rl_buf_addf(out, "%04X%04X", 0xD800 + (unsigned)((c - 0x10000) >> 10), 0xDC00 + (unsigned)((c - 0x10000) & 0x3FF));
        else
            rl_buf_addf(out, "%04X", (unsigned)c);
        text += used;
        len -= used;
    }
    rl_buf_addch(out, '>');
}

void rl_pdf_drawing(struct rl_pdf *pdf, const struct rl_drawing *drawing, double x, double y, const char *alternative)
{
    assert(drawing && alternative);
    if (!ready(pdf))
        return;
    struct rl_buf op = RL_BUF_INIT;
    rl_buf_adds(&op, "/Span <</Alt ");
    add_utf16(&op, alternative);
    rl_buf_adds(&op, ">> BDC\n");
    raw(pdf, op.data);
    rl_buf_release(&op);
    for (size_t i = 0; i < drawing->op_count && ready(pdf); i++) {
        const struct rl_draw_op *o = &drawing->ops[i];
        if (o->kind == RL_DRAW_TEXT)
            draw_text(pdf, o, x, y);
        else
            draw_shape(pdf, drawing, o, x, y);
    }
    raw(pdf, "EMC\n");
}

/* ---- the image ---- */

enum { IMAGE_MOST = 4096 }; /* pixels on a side */

/* libharu's own reader of PNG trusts the file; libpng's pixels on white need no trust. */
enum rl_status rl_pdf_image_read(struct rl_pdf *pdf, const void *png, size_t len, struct rl_err *err)
{
    static const png_color white = {255, 255, 255};
    png_image image = {.version = PNG_IMAGE_VERSION};
    enum rl_status status = RL_OK;
    uint8_t *pixels = NULL;
    if (!png_image_begin_read_from_memory(&image, png, len))
        return rl_err_set(err, RL_FORMAT, "not a PNG that can be read: %s", image.message);
    if (image.width > IMAGE_MOST || image.height > IMAGE_MOST) {
        status = rl_err_set(err, RL_FORMAT, "a picture of %u × %u pixels: at most %d × %d", (unsigned)image.width,
                            (unsigned)image.height, IMAGE_MOST, IMAGE_MOST);
    } else {
        image.format = PNG_FORMAT_RGB;
        pixels = rl_calloc(PNG_IMAGE_SIZE(image), 1);
        if (!png_image_finish_read(&image, &white, pixels, 0, NULL))
            status = rl_err_set(err, RL_FORMAT, "the PNG is damaged: %s", image.message);
    }
    if (status == RL_OK && !pdf->error) {
        pdf->image = HPDF_LoadRawImageFromMem(pdf->doc, pixels, image.width, image.height, HPDF_CS_DEVICE_RGB, 8);
        pdf->image_width = image.width;
        pdf->image_height = image.height;
    }
    png_image_free(&image);
    free(pixels);
    return status;
}

void rl_pdf_image(struct rl_pdf *pdf, struct rl_rect r)
{
    if (!ready(pdf) || !pdf->image)
        return;
    double scale = fmin(r.width / pdf->image_width, r.height / pdf->image_height);
    double width = pdf->image_width * scale, height = pdf->image_height * scale;
    use_alpha(pdf, 0, 255);
    HPDF_Page_DrawImage(pdf->page, pdf->image, real(r.x + r.width - width), real(r.y + (r.height - height) / 2), real(width),
                        real(height));
}

/* Appends `text` fit to be shown, shortened to `columns`: what goes into bookmarks and properties. */
static void add_shown(struct rl_buf *out, const char *text, size_t columns)
{
    struct rl_buf clean = RL_BUF_INIT;
    rl_utf8_printable(&clean, text, strlen(text));
    rl_utf8_ellipsis(out, clean.data, clean.len, columns);
    rl_buf_release(&clean);
}

/* ---- links and bookmarks ---- */

/* The place as a destination that leaves the zoom as it is: libharu's own function does not take the 0 that says so. */
static HPDF_Destination destination(struct rl_pdf *pdf, struct rl_pdf_place to)
{
    assert(to.page < pdf->page_count);
    HPDF_Destination d = HPDF_Page_CreateDestination(pdf->pages[to.page]);
    double top = fmin(fmax(to.y, 0), pdf->height);
    if (!d || HPDF_Destination_SetXYZ(d, 0, real(top), 1) != HPDF_OK)
        return NULL;
    HPDF_Real zoom = HPDF_Array_GetItem(d, 4, HPDF_OCLASS_REAL);
    if (zoom)
        HPDF_Real_SetValue(zoom, 0);
    return d;
}

void rl_pdf_link(struct rl_pdf *pdf, size_t page, struct rl_rect r, struct rl_pdf_place to)
{
    assert(page < pdf->page_count);
    if (pdf->error || !drawable(r.x, r.y) || !drawable(r.x + r.width, r.y + r.height))
        return;
    HPDF_Rect rect = {real(r.x), real(r.y), real(r.x + r.width), real(r.y + r.height)};
    HPDF_Destination d = destination(pdf, to);
    HPDF_Annotation link = d ? HPDF_Page_CreateLinkAnnot(pdf->pages[page], rect, d) : NULL;
    if (link)
        HPDF_LinkAnnot_SetBorderStyle(link, 0, 0, 0);
}

size_t rl_pdf_bookmark(struct rl_pdf *pdf, size_t parent, const char *title, struct rl_pdf_place to)
{
    assert(parent == RL_PDF_NO_PARENT || parent < pdf->bookmark_count);
    RL_GROW(pdf->bookmarks, pdf->bookmark_count + 1, pdf->bookmark_cap);
    struct rl_buf shown = RL_BUF_INIT;
    add_shown(&shown, title, 100);
    HPDF_Outline above = parent == RL_PDF_NO_PARENT ? NULL : pdf->bookmarks[parent], mark = NULL;
    if (!pdf->error)
        mark = HPDF_CreateOutline(pdf->doc, above, shown.data, HPDF_GetEncoder(pdf->doc, "UTF-8"));
    HPDF_Destination d = mark ? destination(pdf, to) : NULL;
    if (d)
        HPDF_Outline_SetDestination(mark, d);
    if (mark)
        HPDF_Outline_SetOpened(mark, parent == RL_PDF_NO_PARENT);
    pdf->bookmarks[pdf->bookmark_count++] = mark;
    rl_buf_release(&shown);
    return pdf->bookmark_count - 1;
}

/* ---- properties ---- */

static bool valid_date(const HPDF_Date *d)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (d->year < 1900 || d->year > 9999 || d->month < 1 || d->month > 12)
        return false;
    bool leap = d->month == 2 && d->year % 4 == 0 && (d->year % 100 != 0 || d->year % 400 == 0);
    return d->day >= 1 && d->day <= days[d->month - 1] + leap && d->hour >= 0 && d->hour <= 23 && d->minutes >= 0 &&
           d->minutes <= 59 && d->seconds >= 0 && d->seconds <= 59;
}

/* The number of `digits` digits at a place of a time; -1: there are others. */
static int number_at(const char *text, size_t at, size_t digits)
{
    int number = 0;
    for (size_t i = at; i < at + digits; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        number = 10 * number + (text[i] - '0');
    }
    return number;
}

/* "2026-11-21T10:30:40Z"; nothing else is set. */
static void set_date(struct rl_pdf *pdf, const char *created)
{
    static const char shape[] = "0000-00-00T00:00:00Z";
    if (strlen(created) != strlen(shape))
        return;
    for (size_t i = 0; shape[i]; i++)
        if (shape[i] != '0' && created[i] != shape[i])
            return;
    HPDF_Date d = {.year = number_at(created, 0, 4),
                   .month = number_at(created, 5, 2),
                   .day = number_at(created, 8, 2),
                   .hour = number_at(created, 11, 2),
                   .minutes = number_at(created, 14, 2),
                   .seconds = number_at(created, 17, 2),
                   .ind = 'Z'};
    if (valid_date(&d))
        HPDF_SetInfoDateAttr(pdf->doc, HPDF_INFO_CREATION_DATE, d);
}

void rl_pdf_set_info(struct rl_pdf *pdf, const struct rl_pdf_info *info)
{
    const struct {
        HPDF_InfoType type;
        const char *text;
    } rows[] = {
        {HPDF_INFO_TITLE, info->title},       {HPDF_INFO_AUTHOR, info->author},   {HPDF_INFO_SUBJECT, info->subject},
        {HPDF_INFO_KEYWORDS, info->keywords}, {HPDF_INFO_CREATOR, info->creator},
    };
    for (size_t i = 0; i < RL_COUNT(rows) && !pdf->error; i++) {
        if (!rows[i].text)
            continue;
        struct rl_buf shown = RL_BUF_INIT;
        add_shown(&shown, rows[i].text, 500);
        HPDF_SetInfoAttr(pdf->doc, rows[i].type, shown.data);
        rl_buf_release(&shown);
    }
    if (info->created && !pdf->error)
        set_date(pdf, info->created);
}

/* ---- attachment ---- */

static HPDF_String utf16_string(struct rl_pdf *pdf, const char *text)
{
    return HPDF_String_New(pdf->doc->mmgr, text, HPDF_GetEncoder(pdf->doc, "UTF-8"));
}

static HPDF_Dict embedded_stream(struct rl_pdf *pdf, const char *media_type, const void *bytes, size_t len)
{
    HPDF_Dict stream = HPDF_DictStream_New(pdf->doc->mmgr, pdf->doc->xref), params = HPDF_Dict_New(pdf->doc->mmgr);
    if (!stream || !params)
        return NULL;
    HPDF_Dict_AddName(stream, "Type", "EmbeddedFile");
    HPDF_Dict_AddName(stream, "Subtype", media_type);
    HPDF_Dict_AddNumber(params, "Size", (HPDF_INT32)len);
    HPDF_Dict_Add(stream, "Params", params);
    HPDF_Dict_Add(stream, RL_PDF_HASH_KEY, HPDF_String_New(pdf->doc->mmgr, rl_sha256_of(bytes, len).hex, NULL));
    stream->filter = HPDF_STREAM_FILTER_FLATE_DECODE;
    HPDF_Stream_Write(stream->stream, (HPDF_BYTE *)bytes, (HPDF_UINT)len);
    return stream;
}

/* The dictionary that names the file (ISO 32000-1, 7.11.3). */
static HPDF_Dict file_specification(struct rl_pdf *pdf, const char *name, const char *description, HPDF_Dict stream)
{
    HPDF_Dict file = HPDF_Dict_New(pdf->doc->mmgr), embedded = HPDF_Dict_New(pdf->doc->mmgr);
    if (!file || !embedded || HPDF_Xref_Add(pdf->doc->xref, file) != HPDF_OK)
        return NULL;
    HPDF_Dict_AddName(file, "Type", "Filespec");
    HPDF_Dict_Add(file, "F", utf16_string(pdf, name));
    HPDF_Dict_Add(file, "UF", utf16_string(pdf, name));
    HPDF_Dict_Add(file, "Desc", utf16_string(pdf, description));
    HPDF_Dict_AddName(file, "AFRelationship", "Data");
    HPDF_Dict_Add(embedded, "F", stream);
    HPDF_Dict_Add(file, "EF", embedded);
    return file;
}

/* The list of attachments in the catalog, made when it is needed; NULL: no memory. */
static HPDF_Array attachments(struct rl_pdf *pdf)
{
    HPDF_MMgr memory = pdf->doc->mmgr;
    if (pdf->attached)
        return pdf->attached;
    HPDF_Dict names = HPDF_Dict_New(memory), tree = HPDF_Dict_New(memory);
    HPDF_Array list = HPDF_Array_New(memory);
    if (!names || !tree || !list)
        return NULL;
    HPDF_Dict_Add(tree, "Names", list);
    HPDF_Dict_Add(names, "EmbeddedFiles", tree);
    HPDF_Dict_Add(pdf->doc->catalog, "Names", names);
    return pdf->attached = list;
}

/* libharu's HPDF_AttachFile takes a path only, and writes it into the document. */
void rl_pdf_attach(struct rl_pdf *pdf, const char *name, const char *description, const char *media_type, const void *bytes,
                   size_t len)
{
    assert(len <= INT32_MAX);
    if (pdf->error)
        return;
    HPDF_Dict stream = embedded_stream(pdf, media_type, bytes, len);
    HPDF_Dict file = stream ? file_specification(pdf, name, description, stream) : NULL;
    HPDF_Array list = attachments(pdf);
    if (!file || !list) {
        note_error(HPDF_FAILD_TO_ALLOC_MEM, 0, pdf);
        return;
    }
    HPDF_Array_Add(list, utf16_string(pdf, name));
    HPDF_Array_Add(list, file);
}

/* ---- the end ---- */

static bool is_used(const struct font *font, uint32_t c)
{
    return c < CODEPOINTS && (font->used[c / 8] >> (c % 8) & 1);
}

/* Last code of the stretch of used characters that begins at `first` and stays within one value of the high byte. */
static uint32_t stretch_end(const struct font *font, uint32_t first)
{
    uint32_t last = first;
    while ((last & 0xFF) != 0xFF && is_used(font, last + 1))
        last++;
    return last;
}

/* The "ToUnicode" table: which character each code of the text means. libharu's own is not of the form that the standard asks for
 * (ISO 32000-1, 9.10.3), and poppler complains about it. */
static void unicode_table(const struct font *font, struct rl_buf *out)
{
    struct rl_buf ranges = RL_BUF_INIT;
    int count = 0;
    rl_buf_adds(out, "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
                     "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
                     "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
                     "1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n");
    for (uint32_t c = 0; c < CODEPOINTS; c++) {
        uint32_t last = is_used(font, c) ? stretch_end(font, c) : c;
        if (is_used(font, c)) {
            rl_buf_addf(&ranges, "<%04X> <%04X> <%04X>\n", (unsigned)c, (unsigned)last, (unsigned)c);
            count++;
        }
        c = last;
        if (count == RANGES_A_BLOCK || (c == CODEPOINTS - 1 && count > 0)) {
            rl_buf_addf(out, "%d beginbfrange\n%sendbfrange\n", count, ranges.data);
            rl_buf_reset(&ranges);
            count = 0;
        }
    }
    rl_buf_adds(out, "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n");
    rl_buf_release(&ranges);
}

static void replace_unicode_table(const struct font *font)
{
    HPDF_Dict table = HPDF_Dict_GetItem(font->handle, "ToUnicode", HPDF_OCLASS_DICT);
    if (!table)
        return;
    struct rl_buf text = RL_BUF_INIT;
    unicode_table(font, &text);
    HPDF_MemStream_FreeData(table->stream);
    HPDF_Stream_Write(table->stream, (HPDF_BYTE *)text.data, (HPDF_UINT)text.len);
    rl_buf_release(&text);
}

/* libharu lists the widths of every character of the font: 10 kB of text for each. Those on the pages are enough. */
static void shorten_widths(const struct font *font, HPDF_Dict descendant)
{
    HPDF_Array widths = HPDF_Dict_GetItem(descendant, "W", HPDF_OCLASS_ARRAY);
    if (!widths)
        return;
    HPDF_Array_Clear(widths);
    HPDF_Array stretch = NULL;
    for (uint32_t c = 0; c < CODEPOINTS; c++) {
        if (!is_used(font, c)) {
            stretch = NULL;
            continue;
        }
        if (!stretch) {
            stretch = HPDF_Array_New(descendant->mmgr);
            if (!stretch || HPDF_Array_AddNumber(widths, (HPDF_INT32)c) || HPDF_Array_Add(widths, stretch))
                return; /* out of memory: the handler knows */
        }
        HPDF_Array_AddNumber(stretch, HPDF_Font_GetUnicodeWidth(font->handle, (HPDF_UNICODE)c));
    }
}

/* The map from characters to glyphs, two bytes each, needs to reach the last character that is used. */
static void shorten_glyph_map(const struct font *font, HPDF_Dict descendant)
{
    HPDF_Dict map = HPDF_Dict_GetItem(descendant, "CIDToGIDMap", HPDF_OCLASS_DICT);
    uint32_t last = CODEPOINTS - 1;
    while (last > 0 && !is_used(font, last))
        last--;
    if (!map)
        return;
    struct rl_buf bytes = RL_BUF_INIT;
    for (HPDF_UINT i = 0; i < HPDF_MemStream_GetBufCount(map->stream); i++) {
        HPDF_UINT len = 0;
        HPDF_BYTE *part = HPDF_MemStream_GetBufPtr(map->stream, i, &len);
        if (part)
            rl_buf_add(&bytes, part, len);
    }
    rl_buf_truncate(&bytes, (last + 1) * 2);
    HPDF_MemStream_FreeData(map->stream);
    HPDF_Stream_Write(map->stream, (HPDF_BYTE *)bytes.data, (HPDF_UINT)bytes.len);
    rl_buf_release(&bytes);
}

static void finish_fonts(struct rl_pdf *pdf)
{
    for (size_t i = 0; i < RL_FONT_COUNT; i++) {
        const struct font *font = &pdf->font[i];
        if (!font->handle || pdf->error)
            continue;
        replace_unicode_table(font);
        HPDF_Array descendants = HPDF_Dict_GetItem(font->handle, "DescendantFonts", HPDF_OCLASS_ARRAY);
        HPDF_Dict descendant = descendants ? HPDF_Array_GetItem(descendants, 0, HPDF_OCLASS_DICT) : NULL;
        if (descendant) {
            shorten_widths(font, descendant);
            shorten_glyph_map(font, descendant);
        }
    }
}

/* What libharu has no function for: the language, and the title in the window instead of the file's name. */
static void finish_catalog(struct rl_pdf *pdf)
{
    HPDF_Dict preferences = HPDF_Dict_New(pdf->doc->mmgr);
    HPDF_Dict_Add(pdf->doc->catalog, "Lang", HPDF_String_New(pdf->doc->mmgr, "en", NULL));
    if (preferences) {
        HPDF_Dict_AddBoolean(preferences, "DisplayDocTitle", HPDF_TRUE);
        HPDF_Dict_Add(pdf->doc->catalog, "ViewerPreferences", preferences);
    }
    HPDF_AddPageLabel(pdf->doc, 0, HPDF_PAGE_NUM_STYLE_DECIMAL, 1, NULL);
    pdf->doc->pdf_version = HPDF_VER_17;
}

/* Copies what libharu wrote. */
static void take_bytes(struct rl_pdf *pdf, struct rl_buf *out)
{
    enum { CHUNK = 1 << 16 };
    HPDF_BYTE *chunk = rl_calloc(1, CHUNK);
    HPDF_UINT32 left = HPDF_GetStreamSize(pdf->doc);
    HPDF_ResetStream(pdf->doc);
    while (left > 0 && !pdf->error) {
        HPDF_UINT32 len = left < CHUNK ? left : CHUNK;
        HPDF_STATUS status = HPDF_ReadFromStream(pdf->doc, chunk, &len);
        if ((status != HPDF_OK && status != HPDF_STREAM_EOF) || len == 0)
            note_error(status ? status : HPDF_STREAM_EOF, 0, pdf);
        rl_buf_add(out, chunk, len);
        left -= len;
    }
    free(chunk);
}

enum rl_status rl_pdf_finish(struct rl_pdf *pdf, struct rl_buf *out, struct rl_err *err)
{
    size_t start = out->len;
    assert(pdf->page_count > 0);
    if (!pdf->error)
        finish_fonts(pdf);
    if (!pdf->error)
        finish_catalog(pdf);
    if (!pdf->error)
        HPDF_SaveToStream(pdf->doc);
    if (!pdf->error)
        take_bytes(pdf, out);
    if (!pdf->error)
        return RL_OK;
    rl_buf_truncate(out, start);
    return rl_err_set(err, RL_FAILED, "libharu %s cannot make the document: error 0x%04lX, detail %lu", HPDF_GetVersion(),
                      (unsigned long)pdf->error, (unsigned long)pdf->detail);
}
