/* report.h - from an analysis, a comparison or a fleet to a document, PDF or HTML.
 *
 * Pages come from pages.def, charts from one gnuplot process (its drawing commands are turned into PDF operators, so that charts
 * are vectors in the document's own fonts), the document from libharu. The same capture and tool version give the same bytes:
 * nothing depends on the time of day, the machine's locale or the order of a hash table.
 */
#pragma once

#include "analysis/analysis.h"

/* Output of a document: PDF pages, or one HTML file that needs no other file and makes no request. */
enum rl_medium { RL_MEDIUM_PDF, RL_MEDIUM_HTML };
enum rl_paper { RL_PAPER_A4, RL_PAPER_LETTER };

enum { RL_REPORT_TOP = 20 };

struct rl_report_options {
    enum rl_medium medium;
    enum rl_paper paper;
    /* Largest number of kernels of a GPU with a block; 0: RL_REPORT_TOP, and of a program only those with 1 % of the GPU time or
     * more, on at most five pages (more only for kernels with 5 %). */
    size_t top;
    bool full;          /* with the appendix: definitions of roofs, the table of all variants, blocks of the suite's kernels */
    bool shapes;        /* shapes of a kernel are never combined to a family (analysis/families.h) */
    const char *title;  /* of the document, in its head and its properties; NULL: the program's name, or "GPU roofline report" */
    const char *author; /* in the properties and on the first page; NULL: none */
    const char *only;   /* ids of pages.def, separated by commas: nothing else is in the document; NULL: everything */
    const char *notes;  /* the reviewer's own text (any bytes), on a page behind the first, or NULL */
    size_t notes_len;
    bool redacted;          /* the capture was redacted (rl_capture_redact), which the foot of every page states */
    const char *created;    /* date of the document, UTC, "2026-11-21T10:30:40Z"; NULL: the start of the session */
    const char *charts_dir; /* NULL, or an existing folder that gets every chart as NAME.svg */
    const char *tool_version;
    const char *font_dir; /* NULL: the system's font folders */
    const char *gnuplot;  /* path; NULL: the first in $PATH */
    const char *keep_dir; /* NULL, or a folder that gets the gnuplot program, its data and drawing commands */
    /* The capture file itself, attached to the document under this name; NULL: nothing attached. */
    const void *attachment;
    size_t attachment_len;
    const char *attachment_name;
};

/* Makes the document of one capture and appends its bytes to `out`, which is unchanged after an error. RL_ABSENT: gnuplot or a font
 * is missing, with the package to install; RL_USAGE: `only` names no section of this capture; RL_IO: a chart's file cannot be
 * written; RL_FAILED: gnuplot or libharu failed. */
enum rl_status rl_report_make(const struct rl_analysis *analysis, const struct rl_report_options *options, struct rl_buf *out,
                              struct rl_err *err);

struct view_compare;
/* Makes the document of a comparison (results/compare.h): a summary page, then the evidence. As rl_report_make; with projections
 * the base may be the only part. The attachment of `options` is not used. */
enum rl_status rl_compare_report_make(const struct view_compare *compare, const struct rl_report_options *options,
                                      struct rl_buf *out, struct rl_err *err);

struct rl_fleet;
/* Makes the document of a finished fleet (analysis/fleet.h) with at least one compared GPU: the slow GPUs, by how much, and why. As
 * rl_report_make; nothing is attached. */
enum rl_status rl_fleet_report_make(const struct rl_fleet *fleet, const struct rl_report_options *options, struct rl_buf *out,
                                    struct rl_err *err);

/* A check of a report's requirements on this machine, for `doctor`: finding and remedy ("" if ok). */
struct rl_report_check {
    const char *name;
    bool ok;
    char detail[256], advice[256];
};
enum { RL_REPORT_CHECKS = 2 }; /* gnuplot with its lua terminal, fonts */
void rl_report_probe(const struct rl_report_options *options, struct rl_report_check checks[RL_REPORT_CHECKS]);
