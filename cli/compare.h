/* compare.h - the parts of `rooflight compare`: a base, others beside it, and how the result is printed. */
#ifndef RL_CLI_COMPARE_H
#define RL_CLI_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/columns.h"
#include "analysis/compare.h"
#include "analysis/gate.h"
#include "analysis/lineup.h"
#include "captures.h"
#include "compare_project.h"
#include "doc.h"
#include "document_inputs.h"
#include "results/compare.h"
#include "results/listing.h"

/* One capture that takes part. */
struct compare_part {
    const char *path;    /* as typed; of a redacted copy its alias */
    char alias[48];      /* "base.rlcap", "new-2.rlcap", "session-3.rlcap" */
    const char *name;    /* the end of the path that tells it from the others: for notes, reviews and documents */
    struct rl_buf bytes; /* of the file */
    struct rl_capture *capture;
    struct rl_analysis *analysis;
    struct rl_comparison *against_base; /* NULL for the base itself */
    struct rl_gate *gate;               /* NULL: none was asked for */
};

struct compare {
    struct compare_part *parts; /* the base first; of sessions the first of each side, then the base's others, then the new ones */
    size_t count;               /* of captures that are held against one another: of sessions 2 */
    size_t read;                /* of parts */
    size_t more[2];             /* further sessions of base and new */
    char **uuids;               /* of all GPUs so far, each once, where their numbers take their place */
    size_t uuid_count, uuid_cap;
    struct cli_redaction redaction; /* of all parts, where it is asked for */
    struct rl_columns *columns;     /* of cards; NULL: before and after */
    struct rl_lineup *lineup;       /* of those cards and the projected ones; NULL: none */
    struct rl_compare_side alone;   /* the base where nothing is compared with it */
    bool verbose;                   /* every row, also what stayed the same */
    bool gated;
    struct rl_gate_rules rules; /* of the gate */
    double smallest_effect;     /* 0: the usual one */
    double margin;              /* likewise */
    size_t look;                /* as rl_verdict_rules has it */
    struct rl_match_map map;
    struct rl_arena arena;             /* lists of `alone` */
    struct cli_document_inputs inputs; /* of the document */
    struct project project;            /* the base on other cards; count 0: not asked for */
};

/* Whether captures of several models of cards take part: then the question is what the cards do, not what a change did. */
bool compare_is_of_cards(const struct compare *compare);
/* The bound of regressions; negative when no gate asks for it. */
double compare_tolerance(const struct compare *compare);

enum compare_form { COMPARE_TEXT, COMPARE_JSON, COMPARE_MARKDOWN, COMPARE_CSV, COMPARE_VALUES };
struct compare_print {
    enum compare_form form;
    const struct view_choice *choice; /* of columns and rows of the table of pairs; NULL: none */
    size_t width;                     /* of a terminal */
    bool bold;
};
/* What views of the comparison are about; free with view_compare_free. */
struct view_compare *compare_subject(const struct compare *compare, const struct compare_print *print);
/* Prints the comparison: before and after, or cards. */
void compare_print(const struct compare *compare, const struct compare_print *print, struct rl_buf *out);

#endif
