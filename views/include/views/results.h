/* results.h - all results there are. */
#ifndef RL_VIEWS_RESULTS_H
#define RL_VIEWS_RESULTS_H

#include "views/view.h"

enum view_result {
#define RESULT(id) VIEW_RESULT_##id,
#include "views/results.def"
#undef RESULT
    VIEW_RESULT_COUNT
};
/* The record of each. */
extern const struct view_record *const view_results[VIEW_RESULT_COUNT];

#endif
