/* compare_project.h - the cards that are not at hand, to which the base's launches are projected. */
#ifndef RL_CLI_COMPARE_PROJECT_H
#define RL_CLI_COMPARE_PROJECT_H

#include "analysis/projection.h"

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
/* Frees what project_make allocated. */
void project_release(struct project *project);

#endif
