/* results.h - all results there are. */
#ifndef RL_RESULTS_RESULTS_H
#define RL_RESULTS_RESULTS_H

#include "results/view.h"

enum view_result {
#define RESULT(id) VIEW_RESULT_##id,
#include "results/results.def"
#undef RESULT
    VIEW_RESULT_COUNT
};
/* The record of each. */
extern const struct view_record *const view_results[VIEW_RESULT_COUNT];

#endif
