/* pdf_private.h - what the files pdf*.c know of a document. */
#pragma once

#include "pdf.h"

#include <hpdf.h>

enum {
    RL_PDF_CODEPOINTS = 65536, /* of the Basic Multilingual Plane, the range of libharu's encoder */
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

/* A child of an element, in order: marked content of a page, an element, an annotation. */
enum rl_pdf_kid_kind { RL_PDF_KID_CONTENT, RL_PDF_KID_ELEMENT, RL_PDF_KID_ANNOTATION };
struct rl_pdf_kid {
    uint32_t value; /* number of the content on its page, of the element, of the annotation's object */
    uint32_t page, next;
    enum rl_pdf_kid_kind kind;
};
struct rl_pdf_element {
    enum rl_pdf_role role;
    uint32_t parent, first, last; /* first, last: kids; 0: none */
    char *alternative;            /* of a figure */
    struct rl_rect box;
};

/* The structure of a document: elements, what they hold, and to which of them the marked contents of each page belong. */
struct rl_pdf_owners {
    uint32_t *at;
    size_t count, cap;
};
struct rl_pdf_tags {
    struct rl_pdf_element *elements;
    size_t count, cap;
    struct rl_pdf_kid *kids; /* the first one has none */
    size_t kid_count, kid_cap;
    struct rl_pdf_owners *pages; /* by page */
    size_t page_cap;
    struct rl_pdf_owners links; /* of annotations, in their order */
    uint32_t open;              /* element; those around it: */
    uint32_t *outer;
    size_t depth, outer_cap;
    uint32_t marked;       /* element whose content is being written on the current page */
    bool marking;          /* some is */
    uint32_t first_object; /* number of the first of our own objects, see pdf_structure.c */
    HPDF_Dict table;       /* where these are */
};

struct rl_pdf {
    struct rl_pdf_tags tags;
    HPDF_Stream contents; /* of the current page */
    char *title;          /* NULL: none */
    HPDF_Array attached;  /* names and files, in the catalog; NULL: none yet */
    HPDF_Doc doc;
    const struct rl_fonts *fonts;
    double width, height;
    HPDF_Page *pages;
    size_t page_count, page_cap;
    HPDF_Page page; /* the current one */
    size_t page_index;
    uint8_t stroke_alpha, fill_alpha; /* in force on it */
    struct rl_pdf_font font[RL_FONT_COUNT];
    struct rl_pdf_alpha *alphas;
    size_t alpha_count, alpha_cap;
    HPDF_Outline *bookmarks;
    size_t bookmark_count, bookmark_cap;
    HPDF_STATUS error, detail; /* the first one */
};

/* ---- pdf_objects.c ---- */

/* libharu's error handler: records the first error. */
void rl_pdf_note_error(HPDF_STATUS error, HPDF_STATUS detail, void *user);
/* Whether there is a page and no error so far. */
bool rl_pdf_ready(const struct rl_pdf *pdf);
/* Whether the coordinates are within libharu's range. */
bool rl_pdf_drawable(double x, double y);
/* As libharu's type. */
HPDF_REAL rl_pdf_real(double v);
/* Writes operators of our own. */
void rl_pdf_raw(struct rl_pdf *pdf, const char *operators);
/* Appends a number between two texts. */
void rl_pdf_add_number(struct rl_buf *out, const char *before, size_t number, const char *after);
/* Appends a text as a string of PDF: UTF-16 in hexadecimal, of which no byte can end the string. */
void rl_pdf_add_utf16(struct rl_buf *out, const char *text);
/* The number of one of libharu's objects. */
uint32_t rl_pdf_object(HPDF_Dict dict);
/* Adds the bytes to the stream, packed; its dictionary must name the filter (rl_pdf_name_filter). */
void rl_pdf_write_packed(struct rl_pdf *pdf, HPDF_Stream out, const void *bytes, size_t len);
/* Names the filter of such a stream: its dictionary's write_fn. */
HPDF_STATUS rl_pdf_name_filter(HPDF_Dict dict, HPDF_Stream document);

/* ---- pdf_tags.c ---- */

/* Names of roles in the standard. */
extern const char *const rl_pdf_role_names[RL_PDF_ROLES];
/* The element that holds all others. */
void rl_pdf_tags_init(struct rl_pdf *pdf);
/* Frees all elements. */
void rl_pdf_tags_release(struct rl_pdf *pdf);
/* Called before anything is drawn: it belongs to the open element, or (`decoration`) to none. */
void rl_pdf_mark(struct rl_pdf *pdf, bool decoration);
/* Ends the content that is being written: before another page is selected, and at the end. */
void rl_pdf_unmark(struct rl_pdf *pdf);
/* Makes room for the contents of a page. */
void rl_pdf_tags_page(struct rl_pdf *pdf, size_t page);
/* Adds an annotation of a page to an element; returns its number for the reverse list. */
uint32_t rl_pdf_tags_link(struct rl_pdf *pdf, size_t element, size_t page, HPDF_Dict annotation);

/* ---- pdf_structure.c ---- */

/* Adds the objects of the structure to the document. */
void rl_pdf_tags_finish(struct rl_pdf *pdf);

/* ---- pdf.c ---- */

/* Sets the colour of fills. */
void rl_pdf_use_fill(struct rl_pdf *pdf, struct rl_colour c);
/* Sets colour and width of strokes. */
void rl_pdf_use_stroke(struct rl_pdf *pdf, struct rl_colour c, double width);
/* Begins a path of these vertices, moved by dx, dy; false: nothing can be drawn. */
bool rl_pdf_trace(struct rl_pdf *pdf, const struct rl_vertex *v, size_t count, double dx, double dy);
