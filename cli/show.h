/* show.h - a capture as the results that `rooflight show` prints. */
#ifndef RL_CLI_SHOW_H
#define RL_CLI_SHOW_H

#include "core/core.h"
#include "doc.h"
#include "results/listing.h"
#include "results/show.h"
#include "results/subject.h"

struct cli_call;

enum show_format { SHOW_TEXT, SHOW_JSON, SHOW_CSV, SHOW_MARKDOWN };
struct show {
    struct view_subject *subject; /* of a capture, analysed */
    enum show_format format;
    struct cli_doc doc; /* text and Markdown; data go to doc.out */
    bool whole;         /* however long it is */
    bool all;           /* rows of tables, however many */
    bool all_columns;   /* of CSV */
};

/* The whole capture, or of its kernels those that were chosen (NULL: all) as one table. */
void show_whole(const struct show *show, const struct view_choice *choice, const struct view_told_options *told);
/* In few lines (results/brief.h). `only`: an extended regular expression of kernels, which messages call `typed`; NULL: an
 * overview. RL_USAGE when it is none, or nothing matches it. */
enum rl_status show_brief(const struct show *show, const char *only, const char *typed, struct rl_err *err);
/* Where the warps of kernels that match an extended regular expression were stalled, and why (results/source.h). RL_USAGE when it
 * is none, or nothing matches it. */
enum rl_status show_source(const struct show *show, const char *only, struct rl_err *err);
/* The activity of a program's GPUs over time, or with `gaps` why no kernel ran (results/results.h). */
void show_timeline(const struct show *show, bool gaps);
/* Work with parameters, timed several times (results/results.h). */
void show_cases(const struct show *show);

/* The overview of a capture that has just been written, as text, into the output of the call; with `only` (may be NULL) its kernels
 * that match, as show_brief prints them. */
enum rl_status show_brief_of(const struct cli_call *call, const char *path, const char *only, struct rl_err *err);

#endif
