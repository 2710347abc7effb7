/* pdf.c - a PDF document through libharu (see pdf.h).
 *
 * libharu's public functions make most of it. Its objects (dictionaries, arrays, streams: hpdf_objects.h, installed with it) serve
 * for what they cannot do or do wrongly: a file attached from memory, a language, dashes that are not whole points, a text table
 * that every reader accepts, links that keep the reader's zoom.
 */
#include "pdf_private.h"

enum { MAX_RUN = 4096 }; /* bytes of text in one operator; libharu allows 65535 */

/* ---- life ---- */

enum rl_status rl_pdf_new(const struct rl_fonts *fonts, double width, double height, struct rl_pdf **out, struct rl_err *err)
{
    assert(fonts && width > 0 && width <= RL_PDF_FAR && height > 0 && height <= RL_PDF_FAR);
    struct rl_pdf *pdf = rl_calloc(1, sizeof *pdf);
    pdf->fonts = fonts;
    pdf->width = width;
    pdf->height = height;
    pdf->doc = HPDF_New(rl_pdf_note_error, pdf);
    if (!pdf->doc) {
        rl_pdf_free(pdf);
        return rl_err_set(err, RL_FAILED, "libharu %s cannot start a document", HPDF_GetVersion());
    }
    HPDF_UseUTFEncodings(pdf->doc);
    HPDF_SetCurrentEncoder(pdf->doc, "UTF-8");
    HPDF_SetCompressionMode(pdf->doc, HPDF_COMP_ALL);
    HPDF_SetPageMode(pdf->doc, HPDF_PAGE_MODE_USE_OUTLINE);
    rl_pdf_tags_init(pdf);
    *out = pdf;
    return RL_OK;
}

void rl_pdf_free(struct rl_pdf *pdf)
{
    if (!pdf)
        return;
    if (pdf->doc)
        HPDF_Free(pdf->doc);
    rl_pdf_tags_release(pdf);
    free(pdf->title);
    free(pdf->pages);
    free(pdf->alphas);
    free(pdf->bookmarks);
    free(pdf);
}

/* ---- pages ---- */

void rl_pdf_page_select(struct rl_pdf *pdf, size_t page)
{
    assert(page < pdf->page_count);
    rl_pdf_unmark(pdf);
    pdf->page = pdf->pages[page];
    pdf->page_index = page;
    HPDF_Dict contents = pdf->page ? HPDF_Dict_GetItem(pdf->page, "Contents", HPDF_OCLASS_DICT) : NULL;
    pdf->contents = contents ? contents->stream : NULL;
    pdf->stroke_alpha = pdf->fill_alpha = 0; /* unknown: set at first use */
}

size_t rl_pdf_page_add(struct rl_pdf *pdf)
{
    RL_GROW(pdf->pages, pdf->page_count + 1, pdf->page_cap);
    HPDF_Page page = pdf->error ? NULL : HPDF_AddPage(pdf->doc);
    pdf->pages[pdf->page_count++] = page;
    rl_pdf_tags_page(pdf, pdf->page_count - 1);
    rl_pdf_page_select(pdf, pdf->page_count - 1);
    if (rl_pdf_ready(pdf)) {
        HPDF_Page_SetWidth(page, rl_pdf_real(pdf->width));
        HPDF_Page_SetHeight(page, rl_pdf_real(pdf->height));
        HPDF_Page_SetLineJoin(page, HPDF_ROUND_JOIN);
    }
    return pdf->page_count - 1;
}

size_t rl_pdf_page_count(const struct rl_pdf *pdf)
{
    return pdf->page_count;
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
    HPDF_ExtGState_SetAlphaStroke(state, rl_pdf_real(stroke / 255.0));
    HPDF_ExtGState_SetAlphaFill(state, rl_pdf_real(fill / 255.0));
    RL_APPEND(pdf->alphas, pdf->alpha_count, pdf->alpha_cap, (struct rl_pdf_alpha){stroke, fill, state});
    return state;
}

/* Transparencies in force; 0 (nothing is drawn with it) leaves one as it is. */
static void pdf_use_alpha(struct rl_pdf *pdf, uint8_t stroke, uint8_t fill)
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

void rl_pdf_use_fill(struct rl_pdf *pdf, struct rl_colour c)
{
    pdf_use_alpha(pdf, 0, c.a);
    HPDF_Page_SetRGBFill(pdf->page, rl_pdf_real(c.r / 255.0), rl_pdf_real(c.g / 255.0), rl_pdf_real(c.b / 255.0));
}

void rl_pdf_use_stroke(struct rl_pdf *pdf, struct rl_colour c, double width)
{
    pdf_use_alpha(pdf, c.a, 0);
    HPDF_Page_SetRGBStroke(pdf->page, rl_pdf_real(c.r / 255.0), rl_pdf_real(c.g / 255.0), rl_pdf_real(c.b / 255.0));
    HPDF_Page_SetLineWidth(pdf->page, rl_pdf_real(width > 0 && width < RL_PDF_FAR ? width : 0));
}

/* ---- text ---- */

static HPDF_Font font_handle(struct rl_pdf *pdf, enum rl_font_id id)
{
    assert(id < RL_FONT_COUNT && rl_fonts_path(pdf->fonts, id));
    struct rl_pdf_font *font = &pdf->font[id];
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
        /* Appends a character of the Basic Multilingual Plane; libharu wants a terminated string. */
        assert(c < RL_PDF_CODEPOINTS && run->len + 4 <= sizeof run->text);
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
    if (!rl_pdf_ready(pdf) || !rl_pdf_drawable(x, y) || !isfinite(angle) || len == 0 || type->size <= 0)
        return 0;
    double c = cos(angle * M_PI / 180), s = sin(angle * M_PI / 180), width = 0;
    struct run run;
    rl_pdf_mark(pdf, false);
    rl_pdf_use_fill(pdf, type->colour);
    HPDF_Page_BeginText(pdf->page);
    HPDF_Page_SetTextMatrix(pdf->page, rl_pdf_real(c), rl_pdf_real(s), rl_pdf_real(-s), rl_pdf_real(c), rl_pdf_real(x),
                            rl_pdf_real(y));
    while (next_run(pdf, type->face, &text, &len, &run, true)) {
        HPDF_Page_SetFontAndSize(pdf->page, pdf->font[run.font].handle, rl_pdf_real(type->size));
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
    if (!rl_pdf_ready(pdf) || !rl_pdf_drawable(x0, y0) || !rl_pdf_drawable(x1, y1))
        return;
    rl_pdf_mark(pdf, true);
    rl_pdf_use_stroke(pdf, colour, width);
    HPDF_Page_MoveTo(pdf->page, rl_pdf_real(x0), rl_pdf_real(y0));
    HPDF_Page_LineTo(pdf->page, rl_pdf_real(x1), rl_pdf_real(y1));
    HPDF_Page_Stroke(pdf->page);
}

void rl_pdf_fill_rect(struct rl_pdf *pdf, struct rl_rect r, struct rl_colour colour)
{
    if (!rl_pdf_ready(pdf) || !rl_pdf_drawable(r.x, r.y) || !rl_pdf_drawable(r.width, r.height))
        return;
    rl_pdf_mark(pdf, true);
    rl_pdf_use_fill(pdf, colour);
    HPDF_Page_Rectangle(pdf->page, rl_pdf_real(r.x), rl_pdf_real(r.y), rl_pdf_real(r.width), rl_pdf_real(r.height));
    HPDF_Page_Fill(pdf->page);
}

bool rl_pdf_trace(struct rl_pdf *pdf, const struct rl_vertex *v, size_t count, double dx, double dy)
{
    for (size_t i = 0; i < count; i++)
        if (!rl_pdf_drawable(v[i].x + dx, v[i].y + dy))
            return false;
    for (size_t i = 0; i < count; i++)
        (i ? HPDF_Page_LineTo : HPDF_Page_MoveTo)(pdf->page, rl_pdf_real(v[i].x + dx), rl_pdf_real(v[i].y + dy));
    return count > 0;
}

void rl_pdf_fill_circle(struct rl_pdf *pdf, double x, double y, double radius, struct rl_colour colour)
{
    if (!rl_pdf_ready(pdf) || !rl_pdf_drawable(x, y) || !(radius > 0 && radius < RL_PDF_FAR))
        return;
    rl_pdf_mark(pdf, true);
    rl_pdf_use_fill(pdf, colour);
    HPDF_Page_Circle(pdf->page, rl_pdf_real(x), rl_pdf_real(y), rl_pdf_real(radius));
    HPDF_Page_Fill(pdf->page);
}

void rl_pdf_ring(struct rl_pdf *pdf, double x, double y, double radius, double width, struct rl_colour colour)
{
    if (!rl_pdf_ready(pdf) || !rl_pdf_drawable(x, y) || !(radius > 0 && radius < RL_PDF_FAR))
        return;
    rl_pdf_mark(pdf, true);
    rl_pdf_use_stroke(pdf, colour, width);
    HPDF_Page_Circle(pdf->page, rl_pdf_real(x), rl_pdf_real(y), rl_pdf_real(radius));
    HPDF_Page_Stroke(pdf->page);
}
