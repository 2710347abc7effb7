/* compare.h - the parts of `rooflight compare`: a base, others beside it, and the forms in which the result is printed. */
#ifndef RL_CLI_COMPARE_H
#define RL_CLI_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/columns.h"
#include "analysis/compare.h"
#include "captures.h"
#include "compare_project.h"
#include "doc.h"
#include "trust.h"

/* One capture that takes part. */
struct compare_part {
    const char *path;    /* as typed; of a redacted copy its alias */
    char alias[32];      /* "base.rlcap", "new-2.rlcap" */
    const char *name;    /* the end of the path that tells it from the others: for notes, reviews and documents */
    struct rl_buf bytes; /* of the file */
    struct rl_capture *capture;
    struct rl_analysis *analysis;
    struct rl_comparison *against_base; /* NULL for the base itself */
};

struct compare {
    struct compare_part *parts; /* the base first */
    size_t count;
    char **uuids; /* of all GPUs so far, each once, where their numbers take their place */
    size_t uuid_count, uuid_cap;
    struct cli_redaction redaction; /* of all parts, where it is asked for */
    struct rl_columns *columns;     /* of cards; NULL: before and after */
    bool verbose;                   /* every row, also what stayed the same */
    double tolerance;               /* of the gate; negative: no gate */
    struct cli_trust trust;
    struct project project; /* the base on other cards; count 0: not asked for */
};

/* Whether captures of several models of cards take part: then the question is what the cards do, not what a change did. */
bool compare_is_of_cards(const struct compare *compare);
/* Name of the first card of a part, as the driver has it without the maker; "unknown card" without one. */
const char *compare_card(const struct compare_part *part);
/* Pairs over all comparisons that the gate takes for regressions; `*unequal`: how many of them do unequal work. */
size_t compare_regressions(const struct compare *compare, size_t *unequal);

/* ---- what both forms for people print (compare_lists.c) ---- */

enum { COMPARE_LABEL = 10 /* columns of the labels in the head */ };

/* A list with a heading before its first line that ends after 20 lines, or says how many more there are. */
struct compare_list {
    const struct compare *compare;
    struct cli_doc *doc;
    const char *heading;
    size_t count, left_out;
};
void compare_list_line(struct compare_list *list, const char *label, const char *text);
void compare_list_end(struct compare_list *list);

/* A name from a capture, printable, and shortened where it is long. */
void compare_add_name(struct rl_buf *out, const char *name);
/* "1 kernel", "2 kernels". */
void compare_add_plural(struct rl_buf *out, size_t count, const char *noun);
/* A capture in a line: file, card, when, how many kernels. */
void compare_print_part(const char *label, const struct compare_part *part, struct cli_doc *doc);
/* What must be known before the figures. `first`: nothing of the kind stands above. */
void compare_print_notes(const struct rl_comparison *comparison, bool first, struct cli_doc *doc);
/* What the gate says; nothing without one. */
void compare_print_gate(const struct compare *compare, struct cli_doc *doc);
/* What was removed, added, and matched how. */
void compare_print_matching(const struct compare *compare, const struct rl_comparison *comparison, struct cli_doc *doc);

/* ---- forms ---- */

/* Before and after, for each capture beside the base. */
void compare_changes_text(const struct compare *compare, struct cli_doc *doc);
/* One table for each question about the cards (compare_cards.c). */
void compare_cards_text(const struct compare *compare, struct cli_doc *doc);
/* The one that fits. */
void compare_text(const struct compare *compare, struct cli_doc *doc);
void compare_json(const struct compare *compare, struct rl_buf *out);

#endif
