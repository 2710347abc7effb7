/* compare_project.h - what the base's launches could do on cards that are not at hand. Never mixed with measurements: sections, and
 * a member of the JSON, of their own. */
#ifndef RL_CLI_COMPARE_PROJECT_H
#define RL_CLI_COMPARE_PROJECT_H

#include "analysis/projection.h"
#include "core/json.h"
#include "doc.h"

enum { PROJECT_MOST_CARDS = 16 };

struct project {
    struct rl_projection *cards[PROJECT_MOST_CARDS];
    size_t count;
};

/* The cards of a list "A100-SXM4-40GB,T4". RL_USAGE for an unknown card, with the nearest known one, and for too many. */
enum rl_status project_parse(const char *list, const struct rl_card_info *cards[PROJECT_MOST_CARDS], size_t *count,
                             struct rl_err *err);
/* Projects to each of the cards. Release with project_release, before the analysis. */
void project_make(struct project *project, const struct rl_analysis *analysis, const struct rl_card_info *const *cards,
                  size_t count);
void project_release(struct project *project);

/* A section for each card; with `all` every kernel, else the first ones. */
void project_text(const struct project *project, bool all, struct cli_doc *doc);
/* The member "projections". */
void project_json(const struct project *project, struct rl_json *json);

#endif
