/* compare_doc.h - the sections of the document of a comparison (private to reports/). */
#pragma once

#include "results/compare.h"
#include "view_table.h"
#include "words.h"

enum rl_compare_page_id {
#define PAGE(id, title, when, usually, review) RL_COMPARE_PAGE_##id,
#include "compare_pages.def"
    RL_COMPARE_PAGE_COUNT
};

/* Kernels that the table of all of them takes a page for. */
enum { RL_COMPARE_SHORT = 60 };

/* The captures that are compared. */
const struct view_compare *rl_compare_what(const struct rl_document *doc);
/* The GPUs of a comparison of several models; NULL: there are none. */
static inline const struct rl_lineup *rl_compare_lineup(const struct rl_document *doc)
{
    return rl_compare_what(doc)->options.lineup;
}
/* The part that a section about one of them is about: one of the list of parts, not the base. */
size_t rl_compare_part(const struct rl_section *section);
/* The comparison that a section is about. */
const struct rl_comparison *rl_compare_of(const struct rl_document *doc, const struct rl_section *section);

/* Points that a dozen rows take: a section that begins with them goes on below another where so many are free. */
#define RL_COMPARE_ROWS 180.0

/* ---- words: everything belongs to the document ---- */

const char *rl_compare_words_change(struct rl_document *doc, const struct rl_ratio *ratio);   /* "−4.8 %"; a dash without one */
const char *rl_compare_words_interval(struct rl_document *doc, const struct rl_ratio *ratio); /* "−5.6 to −4.1 %" */
const char *rl_compare_words_label(struct rl_document *doc, const struct rl_item *item);
/* A view of the whole (results/compare.h). */
struct view rl_compare_view(const struct rl_document *doc);
/* The first ones, as a rl_view_table chooses them. */
struct view_rows rl_compare_first_rows(const struct view *view, struct view_rows rows, size_t most);
/* The mark of the verdict on a pair. */
enum rl_mark rl_compare_mark(const struct rl_pair *pair);
/* Adds the chart of speedups to the section's: rows against the base at 1; the axis spans all of them. */
void rl_compare_chart_speedups(struct rl_document *doc, struct rl_section *section, const struct rl_chart_interval *rows,
                               size_t count);
/* GPUs in charts have no colour, which limiters have, but a mark by their place. */
enum rl_tone rl_compare_card_tone(size_t card);
/* "H200", or "T4, projected": of a lineup. */
const char *rl_compare_words_lined_up(struct rl_document *doc, size_t card);
/* The GPUs next to the base with their marks: "H200 (square), T4, projected (hollow triangle)". */
const char *rl_compare_words_legend(struct rl_document *doc);
/* All of them: "A100, H100 and H200", in the document. */
const char *rl_compare_words_cards(struct rl_document *doc);
/* Pairs that changed, the largest effect on the whole first (rl_comparison_changed); `*count`: how many. */
const size_t *rl_compare_changed(struct rl_document *doc, const struct rl_comparison *comparison, size_t *count);
/* The sentence that `add` appends; "" where it appends nothing. */
const char *rl_compare_words_sentence(struct rl_document *doc, const struct rl_comparison *comparison,
                                      void (*add)(const struct rl_comparison *comparison, struct rl_buf *out));
