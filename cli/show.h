/* show.h - prints the results of a capture, as `rooflight show` does. */
#pragma once

#include "doc.h"
#include "results/listing.h"
#include "results/show.h"

struct cli_call;

enum show_format { SHOW_TEXT, SHOW_JSON, SHOW_CSV, SHOW_MARKDOWN };
struct show {
    struct view_subject *subject; /* an analysed capture */
    enum show_format format;
    struct cli_doc doc; /* for text and Markdown; JSON and CSV are appended to doc.out */
    bool whole;         /* no limit on the number of lines */
    bool all;           /* no limit on the rows of a table */
    bool all_columns;   /* CSV: every column */
};

/* Prints the whole capture, or, with `choice`, the chosen kernels as one table. */
void show_whole(const struct show *show, const struct view_choice *choice, const struct view_told_options *told);
/* Prints the brief (results/brief.h): of the kernels that match the extended regular expression `only`, or, for NULL, of the whole
 * capture. Messages name the expression as `typed`. RL_USAGE when it is invalid or matches nothing. */
enum rl_status show_brief(const struct show *show, const char *only, const char *typed, struct rl_err *err);
/* Prints stalls by source line (results/source.h) for kernels that match the extended regular expression. RL_USAGE when it is
 * invalid or matches nothing. */
enum rl_status show_source(const struct show *show, const char *only, struct rl_err *err);
/* Prints the GPU activity of a program over time, or with `gaps` the idle time by cause (results/results.h). */
void show_timeline(const struct show *show, bool gaps);
/* Prints cases: work with parameters, timed several times (results/results.h). */
void show_cases(const struct show *show);

/* Opens the capture at `path` and appends its brief, as text, to the output of the call; `only` (may be NULL) as in show_brief. */
enum rl_status show_brief_of(const struct cli_call *call, const char *path, const char *only, struct rl_err *err);
