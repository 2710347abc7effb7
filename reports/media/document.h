/* document.h - the engine of all documents, whatever they are about.
 *
 * A document is a list of sections. It is made in two steps. First every section that is to be shown adds its charts (`plan`); one
 * gnuplot process draws them all. Then the sections are laid out one after another (`draw`); each starts on a fresh sheet and may
 * run over several, and short ones stand below each other.
 *
 * What a document is about (a capture, a comparison, a fleet) is its *subject*: `subject` points to data of the subject's own.
 */
#ifndef RL_REPORTS_DOCUMENT_H
#define RL_REPORTS_DOCUMENT_H

#include "chart.h"
#include "layout.h"
#include "media/report.h"

struct rl_document;
struct rl_section;

/* The whole document in words: at the head and the foot of its pages, and in its properties. */
struct rl_imprint {
    const char *title;          /* where the reader gives none (--title) */
    const char *about;          /* at the right of the heads, and in the properties behind that title */
    const char *before, *after; /* the version at the foot; NULL: nothing */
    const char *subject, *keywords, *created;
    bool summary; /* the first page is one */
};

/* How a section is made: the one thing that its file exports. */
struct rl_page {
    /* When it is shown, in the report of a capture: how many sections of its kind there are (0: none), or whether a GPU has one.
     * Both NULL: always one. Other documents have that in their table of sections. */
    size_t (*count)(const struct rl_document *doc);
    bool (*each_gpu)(const struct rl_document *doc, size_t gpu);
    /* Appends the title of this instance, which then stands below a bookmark with the kind's; NULL: the kind's. */
    void (*title)(struct rl_document *doc, const struct rl_section *section, struct rl_buf *out);
    /* Adds charts with rl_document_chart; NULL: it has none. */
    void (*plan)(struct rl_document *doc, struct rl_section *section);
    /* Lays it out below its heading; the sheet is there and the bookmark is set. Notes that it leaves open are printed after it. */
    void (*draw)(struct rl_document *doc, struct rl_section *section);
    /* It goes on below the section before when so many points are free there; 0: it begins a sheet. */
    double joins;
    bool own_heading; /* it draws its heading itself */
};

/* A row of the list of sections that a document may have. */
struct rl_section_kind {
    const char *id, *title;
    const struct rl_page *page;
};

/* Properties of all documents about one kind of subject. */
struct rl_document_kind {
    const struct rl_section_kind *sections; /* in their order */
    size_t count;
    /* Prepares the subject, once the document is open and it is known which sections were asked for; NULL: nothing to do. */
    void (*begin)(struct rl_document *doc);
    /* How many sections of a kind there are, of those asked for; 0: it is not shown. */
    size_t (*instances)(const struct rl_document *doc, size_t id);
    /* Changes title and heading of a section, which are those of its kind. */
    void (*entitle)(struct rl_document *doc, struct rl_section *section);
    /* Free points with which a section goes on below the one before; 0: it begins a sheet. NULL: each begins one. */
    double (*room)(const struct rl_document *doc, const struct rl_section *section);
    /* Attaches its files, with rl_document_attach. */
    struct rl_imprint (*imprint)(struct rl_document *doc);
    /* Writes what does not go into the document, once it is made; NULL: nothing. */
    enum rl_status (*end)(const struct rl_document *doc, struct rl_err *err);
    double between; /* points between two sections of one sheet */
    bool stacks;    /* short sections of one kind stand below each other */
};

/* A section: what is shown for one instance of its kind, such as a GPU or an experiment. */
struct rl_section {
    size_t id, instance; /* index of its kind; 0 .. number of instances - 1 */
    const struct rl_page *page;
    const char *title, *heading; /* of bookmark and contents; above the section, NULL: none */
    size_t target;               /* for links */
    size_t bookmark;             /* to put others below; set when it is drawn */
    size_t first_chart, chart_count;
};

/* Where the sections of one kind stand among all. */
struct rl_listed {
    bool wanted; /* asked for, or the reader did not choose (--only) */
    size_t first, count;
};

struct rl_document {
    const struct rl_report_options *options;
    struct rl_fonts *fonts;
    struct rl_pdf *pdf;
    struct rl_web *web; /* the document, when it is to be HTML; NULL: `pdf` is */
    struct rl_layout *layout;
    struct rl_arena *arena; /* the layout's */
    const struct rl_document_kind *kind;
    void *subject;
    struct rl_listed *listed; /* one per kind */
    struct rl_section *sections;
    size_t section_count, section_cap;
    const char **continued; /* by page: the title of the section in which it begins; NULL: none */
    size_t continued_count, continued_cap;
    struct rl_chart *charts;
    size_t chart_count, chart_cap;
    struct rl_chart_result *results; /* one per chart once they are drawn */
};

/* Makes the document and appends its bytes to `out`: lists the sections, plans them, draws their charts with one run of gnuplot,
 * each at its natural height where it has none, and lays them out. RL_USAGE: the reader asked for sections that there are not;
 * RL_FAILED: libharu refused. `out` is as it was then. */
enum rl_status rl_document_make(const struct rl_document_kind *kind, void *subject, const struct rl_report_options *options,
                                struct rl_buf *out, struct rl_err *err);
/* Attaches a file (rl_pdf_attach); HTML carries none. */
void rl_document_attach(struct rl_document *doc, const char *name, const char *description, const void *bytes, size_t len);

/* ---- for sections ---- */

/* Adds a chart, as wide as the page, to the section being planned; the pointer is good until the next one is added. Its `height` 0
 * means the natural one. Strings and arrays of it must be taken from the document's arena. */
struct rl_chart *rl_document_chart(struct rl_document *doc, struct rl_section *section, enum rl_chart_kind kind);
/* The result of the section's `index`-th chart. */
const struct rl_chart_result *rl_document_result(const struct rl_document *doc, const struct rl_section *section, size_t index);
/* Target of an instance of a kind of section; RL_NO_TARGET when it is not shown. */
size_t rl_document_target(const struct rl_document *doc, size_t id, size_t instance);

#endif
