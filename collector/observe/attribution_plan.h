/* attribution_plan.h - which columns each class gets (attribution_split.h). Private to attribution*.c. */
#ifndef RL_COLLECTOR_ATTRIBUTION_PLAN_H
#define RL_COLLECTOR_ATTRIBUTION_PLAN_H

#include "attribution.h"

/* Lengths by powers of the root of 2, from below a microsecond to above a quarter of an hour; long launches are cut into parts. */
enum { RL_CUT_LENGTHS = 64, RL_CUT_PARTS = 9, RL_CUT_FOUR = 4, RL_CUT_THREE = 3, RL_CUT_EDGES = 2 };

/* All kinds of a class are columns, or the class is one, or it is only in that of the rest: never some of its kinds, because its
 * launches would then have done only a part of what they did. */
enum rl_cut_level { RL_CUT_REST, RL_CUT_ONE, RL_CUT_KINDS };

struct rl_cut_plan {
    size_t class_count, columns;
    double *launches, *ns;    /* of each class in the samples: launches, parts added up, and their time */
    enum rl_cut_level *level; /* of each class */
    uint8_t *bin;             /* of each length of each class (RL_CUT_LENGTHS): lengths of one bin are one kind */
    uint8_t *parts;           /* of the same: into which such a launch is cut, by how many samples those of its bin last */
};
/* Chooses for each class how its launches are cut; `sample_ns`: what a sample lasts. Free with rl_cut_release. */
void rl_cut_make(const struct rl_sampled *sampled, uint64_t sample_ns, struct rl_cut_plan *plan);
/* Of a zeroed one, too; zeroes it. */
void rl_cut_release(struct rl_cut_plan *plan);
/* The length of a launch, below RL_CUT_LENGTHS. */
size_t rl_cut_length(const struct rl_span *launch);

/* Launches held against the samples one after the other, in the order of their starts. */
struct rl_cut_sweep {
    const struct rl_sampled *sampled;
    size_t first; /* sample that ends after the last launch's start */
};
/* The part of the next launch that is in samples, 0 to 1; *near (may be NULL): it is, or is so close to one that what it does may
 * arrive there. */
double rl_cut_part_in(struct rl_cut_sweep *sweep, const struct rl_span *launch, uint64_t reach_ns, bool *near);

#endif
