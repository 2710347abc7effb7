/* document.h - what every document starts from: fonts, an empty PDF, a layout, and charts in its fonts. */
#ifndef RL_REPORTS_DOCUMENT_H
#define RL_REPORTS_DOCUMENT_H

#include "chart.h"
#include "layout.h"
#include "reports/report.h"

struct rl_document {
    const struct rl_report_options *options;
    struct rl_fonts *fonts;
    struct rl_pdf *pdf;
    struct rl_layout *layout;
};

/* Opens fonts and an empty document on the chosen paper. Close it in every case. */
enum rl_status rl_document_open(struct rl_document *document, const struct rl_report_options *options, struct rl_err *err);
void rl_document_close(struct rl_document *document);

/* Draws the charts with one run of gnuplot, each at its natural height where it has none. `*results` (one each) is the caller's:
 * rl_document_release_charts, on failure too. */
enum rl_status rl_document_draw(const struct rl_document *document, struct rl_chart *charts, size_t count,
                                struct rl_chart_result **results, struct rl_err *err);
void rl_document_release_charts(struct rl_chart_result *results, size_t count);

/* The folder of the templates: the one given; below the program's own prefix; where they were installed; the source's. NULL: none.
 * Free with free(). */
char *rl_document_templates(const char *given);

#endif
