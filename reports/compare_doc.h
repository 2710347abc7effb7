/* compare_doc.h - the pages of the document of a comparison (private to reports/). */
#ifndef RL_REPORTS_COMPARE_DOC_H
#define RL_REPORTS_COMPARE_DOC_H

#include "document.h"
#include "page.h"
#include "reports/compare.h"

enum rl_compare_page_id {
#define PAGE(id, title, when) RL_COMPARE_PAGE_##id,
#include "compare_pages.def"
#undef PAGE
    RL_COMPARE_PAGE_COUNT
};

/* One instance of a page: of each capture beside the base there can be one. */
struct rl_compare_section {
    enum rl_compare_page_id id;
    size_t part; /* in the report's list, of parts or of projections; 0 where the page is about all */
    const char *title;
    size_t target;
    size_t first_chart, chart_count;
};

struct rl_compare_doc {
    const struct rl_compare_report *what;
    struct rl_document document;
    struct rl_layout *layout;
    struct rl_report words; /* arena and layout only: for words.c */
    struct rl_compare_section *sections;
    size_t section_count, section_cap;
    struct rl_chart *charts;
    size_t chart_count, chart_cap;
    struct rl_chart_result *results;
    size_t **order; /* pairs of each part in the order of rl_comparison_rank; NULL for the base */
};

/* A row of compare_pages.def. */
struct rl_compare_page {
    /* Adds charts with rl_compare_chart; NULL: it has none. */
    void (*plan)(struct rl_compare_doc *doc, struct rl_compare_section *section);
    /* Lays it out; the sheet, the bookmark and, except on the first page, the title are there. */
    void (*draw)(struct rl_compare_doc *doc, struct rl_compare_section *section);
};

/* Adds a chart, as wide as the page, to the section being planned; good until the next one is added. */
struct rl_chart *rl_compare_chart(struct rl_compare_doc *doc, struct rl_compare_section *section, enum rl_chart_kind kind);
/* The drawing of the section's `index`-th chart. */
const struct rl_chart_result *rl_compare_result(const struct rl_compare_doc *doc, const struct rl_compare_section *section,
                                                size_t index);
/* The comparison that a section is about. */
const struct rl_comparison *rl_compare_of(const struct rl_compare_doc *doc, const struct rl_compare_section *section);
/* Memory that lives as long as the document. */
void *rl_compare_alloc(struct rl_compare_doc *doc, size_t size);

/* ---- words: everything belongs to the document ---- */

const char *rl_compare_words_change(struct rl_compare_doc *doc, const struct rl_ratio *ratio); /* "−4.8 %"; a dash without one */
const char *rl_compare_words_interval(struct rl_compare_doc *doc, const struct rl_ratio *ratio); /* "−5.6 to −4.1 %" */
const char *rl_compare_words_label(struct rl_compare_doc *doc, const struct rl_item *item);
/* Name and shape, shortened to so many columns. */
const char *rl_compare_words_item(struct rl_compare_doc *doc, const struct rl_item *item, size_t columns);
/* What a card's column is called: "A100", "A100, published". */
const char *rl_compare_words_card(struct rl_compare_doc *doc, const struct rl_column *column);
enum rl_tone rl_compare_tone(enum rl_verdict verdict);
enum rl_mark rl_compare_mark(const struct rl_pair *pair);
/* Items of which some card beside the base has what is asked for, in their order; `items` has room for all of the base. Returns how
 * many. */
size_t rl_compare_items_with(const struct rl_columns *columns, size_t *items, bool (*has)(const struct rl_cell *cell));
/* The remarks of a comparison, each with a mark. */
void rl_compare_lay_notes(struct rl_compare_doc *doc, const struct rl_comparison *comparison);
/* "n more ...: --json has them all", when n > 0. */
void rl_compare_lay_rest(struct rl_compare_doc *doc, size_t left_out);
/* A line of figures over their names. */
struct rl_compare_figure {
    const char *value, *name;
};
void rl_compare_lay_figures(struct rl_compare_doc *doc, const struct rl_compare_figure *figures, size_t count);

/* ---- the base's launches on other cards (compare_projected.c, compare_projection.c) ---- */

const char *rl_compare_words_kernel(struct rl_compare_doc *doc, size_t kernel); /* of the base */
const char *rl_compare_words_base_card(struct rl_compare_doc *doc);
/* The median time of a kernel of the base; missing when it was not timed. */
struct rl_value rl_compare_time_here(const struct rl_compare_doc *doc, size_t kernel);

#endif
