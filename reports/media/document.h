/* document.h - makes documents of all kinds from lists of sections.
 *
 * A document is a list of sections and is made in two steps. First every shown section adds its charts (`plan`), and one gnuplot
 * process draws them all. Then the sections are laid out in order (`draw`). Each starts on a new page and may continue on further
 * ones; short sections can share a page.
 *
 * The *subject* of a document is a capture, a comparison or a fleet; `subject` points to its data.
 */
#pragma once

#include "chart.h"
#include "layout.h"
#include "media/report.h"

struct rl_document;
struct rl_section;

/* Texts about the whole document, for page headers and footers and for its properties. */
struct rl_imprint {
    const char *title;          /* used unless the reader gives one (--title) */
    const char *about;          /* at the right of the header, and after the title in the properties */
    const char *before, *after; /* in the footer, around the version; NULL: nothing */
    const char *subject, *keywords, *created;
    bool summary; /* the first page is a summary */
};

/* The functions of a kind of section; the only symbol that its file exports. */
struct rl_page {
    /* Only in the report of a capture: the number of sections of this kind (0: none), or whether a GPU has one. With both NULL
     * there is always one. Other documents decide this in rl_document_kind.instances. */
    size_t (*count)(const struct rl_document *doc);
    bool (*each_gpu)(const struct rl_document *doc, size_t gpu);
    /* Appends the title of this instance, whose bookmark is below one with the kind's title; NULL: the kind's title is used. */
    void (*title)(struct rl_document *doc, const struct rl_section *section, struct rl_buf *out);
    /* Adds charts with rl_document_chart; NULL: the section has none. */
    void (*plan)(struct rl_document *doc, struct rl_section *section);
    /* Lays the section out below its heading; page and bookmark exist already. Notes that are still open are printed after it. */
    void (*draw)(struct rl_document *doc, struct rl_section *section);
    /* Free height, in points, with which the section continues below the previous one; 0: it begins a new page. */
    double joins;
    /* Only in the report of a program: the same on a page that is not filled (rl_layout_is_filled). `draw` then puts what finds
     * room before what does not, such as tables before a chart. 0: as `joins`. */
    double fills;
    bool own_heading; /* `draw` draws the heading, too */
};

/* A kind of section that a document can have. */
struct rl_section_kind {
    const char *id, *title;
    const struct rl_page *page;
};

/* A kind of document, one for each kind of subject. */
struct rl_document_kind {
    const struct rl_section_kind *sections; /* in the order of the document */
    size_t count;
    /* Prepares the subject after the document is open and the requested sections are known; NULL: nothing to do. */
    void (*begin)(struct rl_document *doc);
    /* The number of sections of a requested kind; 0: none is shown. */
    size_t (*instances)(const struct rl_document *doc, size_t id);
    /* Changes title and heading of a section from those of its kind. */
    void (*entitle)(struct rl_document *doc, struct rl_section *section);
    /* As rl_page.joins; NULL: every section begins a new page. */
    double (*room)(const struct rl_document *doc, const struct rl_section *section);
    /* Returns the texts about the document, and attaches its files with rl_document_attach. */
    struct rl_imprint (*imprint)(struct rl_document *doc);
    /* Writes additional files after the document is made; NULL: there are none. */
    enum rl_status (*end)(const struct rl_document *doc, struct rl_err *err);
    double between; /* points between two sections on one page */
    bool stacks;    /* short sections of one kind share a page */
};

/* A section: one instance of its kind, such as a GPU or an experiment. */
struct rl_section {
    size_t id, instance; /* index of the kind; 0 .. number of instances - 1 */
    const struct rl_page *page;
    const char *title, *heading; /* for bookmark and contents; above the section (NULL: none) */
    size_t target;               /* for links */
    size_t bookmark;             /* parent for further bookmarks; set when the section is drawn */
    size_t first_chart, chart_count;
};

/* The range of sections of one kind. */
struct rl_listed {
    bool wanted; /* the reader requested the kind, or requested none (--only) */
    size_t first, count;
};

struct rl_document {
    const struct rl_report_options *options;
    struct rl_fonts *fonts;
    struct rl_pdf *pdf;
    struct rl_web *web; /* the output if it is HTML; NULL: it is `pdf` */
    struct rl_layout *layout;
    struct rl_arena *arena; /* the layout's */
    const struct rl_document_kind *kind;
    void *subject;
    struct rl_listed *listed; /* one per kind */
    struct rl_section *sections;
    size_t section_count, section_cap;
    const char **continued; /* per page: the title of the section that continues on it; NULL: none */
    size_t continued_count, continued_cap;
    struct rl_chart *charts;
    size_t chart_count, chart_cap;
    struct rl_chart_result *results; /* one per chart once they are drawn */
};

/* Makes the document and appends its bytes to `out`: lists and plans the sections, draws their charts with one run of gnuplot, and
 * lays them out. RL_USAGE for requested sections that the document does not have, RL_FAILED for an error of libharu; other errors
 * as rl_charts_draw. `out` is unchanged on failure. */
enum rl_status rl_document_make(const struct rl_document_kind *kind, void *subject, const struct rl_report_options *options,
                                struct rl_buf *out, struct rl_err *err);
/* Attaches a file (rl_pdf_attach); does nothing for HTML. */
void rl_document_attach(struct rl_document *doc, const char *name, const char *description, const void *bytes, size_t len);

/* ---- for sections ---- */

/* Adds a chart with the width of the page to the section being planned. The pointer is valid until the next chart is added. A
 * `height` of 0 is replaced by the natural height. Allocate strings and arrays of the chart in the document's arena. */
struct rl_chart *rl_document_chart(struct rl_document *doc, struct rl_section *section, enum rl_chart_kind kind);
/* The result of the section's `index`-th chart. */
const struct rl_chart_result *rl_document_result(const struct rl_document *doc, const struct rl_section *section, size_t index);
/* Link target of an instance of a kind of section; RL_NO_TARGET if it is not shown. */
size_t rl_document_target(const struct rl_document *doc, size_t id, size_t instance);
