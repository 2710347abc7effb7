/* results.h - all results there are, each the record of a document. Rows of `program` are a struct rl_program
 * (analysis/program.h), of `ranks` a struct rl_ranks (analysis/ranks.h); the subject is a struct view_subject that has them. */
#ifndef RL_RESULTS_RESULTS_H
#define RL_RESULTS_RESULTS_H

#include "results/view.h"

#define RESULT(id) extern const struct view_record view_record_##id;
#include "results/results.def"
#undef RESULT

enum view_result {
#define RESULT(id) VIEW_RESULT_##id,
#include "results/results.def"
#undef RESULT
    VIEW_RESULT_COUNT
};
/* The record of each. */
extern const struct view_record *const view_results[VIEW_RESULT_COUNT];

#endif
