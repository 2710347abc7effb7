/* families.h - kernels that are launched in many shapes (analysis/families.h): a row is a struct rl_family with figures. The
 * subject is a struct view_subject. */
#ifndef RL_RESULTS_FAMILIES_H
#define RL_RESULTS_FAMILIES_H

#include "results/view.h"

extern const struct view_record view_record_family;
/* Five figures over shapes: a row is a struct rl_spread, of times or of what has another unit in each row. */
extern const struct view_record view_record_spread, view_record_time_spread;
/* Sentence and fields of a family's row. */
#define VIEW_FAMILY_SENTENCE                                                                                                       \
    "{id}: {shapes shape|shapes}, grids of {blocks.least} to {blocks.greatest} blocks[, {time_per_block_s.median} a block (the "   \
    "middle half of the shapes {time_per_block_s.low} to {time_per_block_s.high})]; {counted_shapes} counted[; "                   \
    "{traits}]"

#endif
