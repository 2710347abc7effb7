/* pdf.h - a PDF document in memory: text in embedded fonts, lines, shapes, links, bookmarks, an attachment.
 *
 * Text and charts belong to *elements*, which say what they are (paragraph, table, heading) and make the document one that screen
 * readers can read: a tagged PDF (ISO 32000-1, 14.7 and 14.8; ISO 14289-1).
 *
 * The only door to libharu: nothing else includes its header. Coordinates are points (1/72 inch) from the lower left corner of the
 * page, y points up. Drawing functions act on the current page and return nothing: the first failure of libharu is remembered,
 * everything after it is ignored, and rl_pdf_finish reports it, so that a document is made whole or not at all. A coordinate that
 * is not finite, or further away than libharu can write, leaves that one shape out.
 *
 * Texts may hold any bytes. What cannot be shown (invalid UTF-8, control characters, characters that no font has) appears as
 * U+FFFD. The same calls give the same bytes: no clock is read.
 */
#pragma once

#include "drawing.h"
#include "fonts.h"

struct rl_pdf;

/* How a text is set. */
struct rl_type {
    enum rl_face face;
    double size; /* points */
    struct rl_colour colour;
};

struct rl_rect {
    double x, y, width, height;
}; /* x, y: lower left corner */

/* A document whose pages are `width` x `height` points. `fonts` must live as long as it. Free with rl_pdf_free. */
enum rl_status rl_pdf_new(const struct rl_fonts *fonts, double width, double height, struct rl_pdf **pdf, struct rl_err *err);
/* Frees it; NULL is allowed. */
void rl_pdf_free(struct rl_pdf *pdf);

/* Appends an empty page and makes it the current one; returns its index, from 0. */
size_t rl_pdf_page_add(struct rl_pdf *pdf);
/* Makes an earlier page the current one, to draw more on it. */
void rl_pdf_page_select(struct rl_pdf *pdf, size_t page);
/* How many pages there are. */
size_t rl_pdf_page_count(const struct rl_pdf *pdf);

/* ---- what things are ---- */

/* The role of an element (pdf_roles.def). */
enum rl_pdf_role {
#define ROLE(id, name) RL_PDF_##id,
#include "pdf_roles.def"
    RL_PDF_ROLES
};
#define RL_PDF_WHOLE ((size_t)0) /* the element that holds all others */

/* Begins an element inside the one that is open; what is drawn until rl_pdf_end belongs to it, on whatever pages. Lines and shapes
 * outside charts are decoration, and so is text outside elements. Returns its number. */
size_t rl_pdf_begin(struct rl_pdf *pdf, enum rl_pdf_role role);
/* Goes on with an earlier element until rl_pdf_end. */
void rl_pdf_resume(struct rl_pdf *pdf, size_t element);
/* Ends what was begun or resumed last. */
void rl_pdf_end(struct rl_pdf *pdf);
/* The open element. */
size_t rl_pdf_element(const struct rl_pdf *pdf);
/* The role of an element. */
enum rl_pdf_role rl_pdf_role_of(const struct rl_pdf *pdf, size_t element);
/* The element that the open one ends with so far, when it is of this role; RL_PDF_WHOLE: it does not. */
size_t rl_pdf_last_inside(const struct rl_pdf *pdf, enum rl_pdf_role role);

/* ---- text and shapes ---- */

/* Width in points of `len` bytes: exactly what readers will use. */
double rl_pdf_text_width(struct rl_pdf *pdf, enum rl_face face, double size, const char *text, size_t len);
/* One line of text that starts at x on the base line y. Returns its width. */
double rl_pdf_text(struct rl_pdf *pdf, double x, double y, const struct rl_type *type, const char *text, size_t len);
/* The same turned by `angle` degrees, counter-clockwise, about x, y. */
double rl_pdf_text_turned(struct rl_pdf *pdf, double x, double y, double angle, const struct rl_type *type, const char *text,
                          size_t len);

/* A straight line. */
void rl_pdf_line(struct rl_pdf *pdf, double x0, double y0, double x1, double y1, double width, struct rl_colour colour);
/* Filled shapes without an outline. */
void rl_pdf_fill_rect(struct rl_pdf *pdf, struct rl_rect rect, struct rl_colour colour);
/* A disc. */
void rl_pdf_fill_circle(struct rl_pdf *pdf, double x, double y, double radius, struct rl_colour colour);
/* The outline of a circle. */
void rl_pdf_ring(struct rl_pdf *pdf, double x, double y, double radius, double width, struct rl_colour colour);

/* A chart with its lower left corner at x, y, as a separate element. `alternative` (not NULL) describes it for those who cannot see
 * it. */
void rl_pdf_drawing(struct rl_pdf *pdf, const struct rl_drawing *drawing, double x, double y, const char *alternative);

/* A place on a page. */
struct rl_pdf_place {
    size_t page;
    double y;
};

/* Makes `rect` of page `page` a link to `to`: that of `element` where this is a link, otherwise one inside it. */
void rl_pdf_link(struct rl_pdf *pdf, size_t page, struct rl_rect rect, struct rl_pdf_place to, size_t element);

#define RL_PDF_NO_PARENT ((size_t)-1)
/* Adds a bookmark below `parent` (an earlier one, or RL_PDF_NO_PARENT) and returns its number. */
size_t rl_pdf_bookmark(struct rl_pdf *pdf, size_t parent, const char *title, struct rl_pdf_place to);

/* The document's properties; NULL leaves an entry out. `created` is UTC, "2026-11-21T10:30:40Z"; anything else
 * is left out. */
struct rl_pdf_info {
    const char *title, *author, *subject, *keywords, *creator, *created;
};
/* Sets them; texts are copied. */
void rl_pdf_set_info(struct rl_pdf *pdf, const struct rl_pdf_info *info);

/* Attaches `len` bytes as a file called `name` (a plain file name; of several, in ascending order: readers search the list) of a
 * media type such as "application/vnd.sqlite3". Their SHA-256
 * stands in the stream's dictionary below RL_PDF_HASH_KEY (a key of our own, as ISO 32000-1, annex E, has them). */
#define RL_PDF_HASH_KEY "ROOF_SHA256"
/* Attaches a file; its bytes are copied. */
void rl_pdf_attach(struct rl_pdf *pdf, const char *name, const char *description, const char *media_type, const void *bytes,
                   size_t len);

/* Appends the finished document to `out`, once. RL_FAILED with libharu's first error otherwise, and `out` is as it was. */
enum rl_status rl_pdf_finish(struct rl_pdf *pdf, struct rl_buf *out, struct rl_err *err);
