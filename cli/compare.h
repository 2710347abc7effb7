/* compare.h - the parts of `rooflight compare`: a base, others beside it, and the forms in which the result is printed. */
#ifndef RL_CLI_COMPARE_H
#define RL_CLI_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/compare.h"
#include "compare_project.h"
#include "doc.h"

/* One capture that takes part. */
struct compare_part {
    const char *path;
    struct rl_capture *capture;
    struct rl_analysis *analysis;
    struct rl_comparison *against_base; /* NULL for the base itself */
};

struct compare {
    struct compare_part *parts; /* the base first */
    size_t count;
    bool verbose;           /* every row, also what stayed the same */
    double tolerance;       /* of the gate; negative: no gate */
    struct project project; /* the base on other cards; count 0: not asked for */
};

/* Whether captures of several models of cards take part: then the question is what the cards do, not what a change did. */
bool compare_is_of_cards(const struct compare *compare);
/* Name of the first card of a part, as the driver has it without the maker; "unknown card" without one. */
const char *compare_card(const struct compare_part *part);
/* Pairs over all comparisons that the gate takes for regressions. */
size_t compare_regressions(const struct compare *compare);

void compare_text(const struct compare *compare, struct cli_doc *doc);
void compare_json(const struct compare *compare, struct rl_buf *out);

#endif
