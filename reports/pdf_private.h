/* pdf_private.h - what pdf.c, pdf_drawing.c and pdf_document.c know of a document. */
#ifndef RL_REPORTS_PDF_PRIVATE_H
#define RL_REPORTS_PDF_PRIVATE_H

#include "pdf.h"

#include <hpdf.h>

enum {
    RL_PDF_CODEPOINTS = 65536, /* of the Basic Multilingual Plane: what libharu's encoder knows */
};
#define RL_PDF_FAR 32000.0 /* libharu writes numbers up to 32767 */

struct rl_pdf_font {
    HPDF_Font handle;                    /* NULL until a text needs it */
    uint8_t used[RL_PDF_CODEPOINTS / 8]; /* characters that are on a page */
};

struct rl_pdf_alpha {
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
    struct rl_pdf_font font[RL_FONT_COUNT];
    struct rl_pdf_alpha *alphas;
    size_t alpha_count, alpha_cap;
    HPDF_Outline *bookmarks;
    size_t bookmark_count, bookmark_cap;
    HPDF_Image image; /* NULL: none */
    double image_width, image_height;
    HPDF_STATUS error, detail; /* the first one */
};

/* Whether there is a page and no error so far. */
bool rl_pdf_ready(const struct rl_pdf *pdf);
/* Whether libharu can write these coordinates. */
bool rl_pdf_drawable(double x, double y);
/* As libharu's type. */
HPDF_REAL rl_pdf_real(double v);
/* Writes operators of our own. */
void rl_pdf_raw(struct rl_pdf *pdf, const char *operators);
/* Sets the opacity of strokes and fills. */
void rl_pdf_use_alpha(struct rl_pdf *pdf, uint8_t stroke, uint8_t fill);
/* Sets the colour of fills. */
void rl_pdf_use_fill(struct rl_pdf *pdf, struct rl_colour c);
/* Sets colour and width of strokes. */
void rl_pdf_use_stroke(struct rl_pdf *pdf, struct rl_colour c, double width);
/* Begins a path of these vertices, moved by dx, dy; false: nothing can be drawn. */
bool rl_pdf_trace(struct rl_pdf *pdf, const struct rl_vertex *v, size_t count, double dx, double dy);
/* Appends a text as a string of PDF: UTF-16 in hexadecimal, of which no byte can end the string. */
void rl_pdf_add_utf16(struct rl_buf *out, const char *text);
/* Notes the first error: libharu's handler of errors. */
void rl_pdf_note_error(HPDF_STATUS error, HPDF_STATUS detail, void *user);

#endif
