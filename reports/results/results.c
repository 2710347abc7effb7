#include "results/results.h"

const struct view_record *const view_results[VIEW_RESULT_COUNT] = {
#define RESULT(id) [VIEW_RESULT_##id] = &view_record_##id,
#include "results/results.def"
};
