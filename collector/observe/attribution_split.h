/* attribution_split.h - launches cut into parts that are alike (attribution_parts.h). Private to attribution*.c. */
#ifndef RL_COLLECTOR_ATTRIBUTION_SPLIT_H
#define RL_COLLECTOR_ATTRIBUTION_SPLIT_H

#include "attribution_plan.h"

/* A kind of launches, or of parts of them. */
struct rl_kind {
    uint32_t class_id;
    uint8_t bin;   /* of the plan */
    uint8_t parts; /* that each such launch is cut into */
    uint8_t part;  /* which of them it is */
    bool in;       /* it has a column of its own */
};
/* The launches of a class may last differently, and then do different work; and a launch that lasts for many samples does not do
 * the same in each. So each class is cut into kinds: by the length of its launches, where there are several, and longer launches
 * into halves, or their first sample, their last and thirds of what is between; of these two samples the outer half in quarters.
 * Samples are shared out to kinds, and what they got is added up. A class that is one column, or in that of the rest, is one kind.
 */
struct rl_split {
    struct rl_sampled sampled; /* kinds in the place of classes; without launches that are far from every sample */
    struct rl_span *spans;
    struct rl_kind *kinds;
    struct rl_cut_plan plan;
};
/* Cuts the launches into parts, each of a kind; `sample_ns`: what a sample lasts. Free with rl_split_release. `sampled` must
 * outlive it. */
void rl_split_make(const struct rl_sampled *sampled, uint64_t sample_ns, struct rl_split *split);
/* Whether a kind is a part of the first or the last sample of long launches: which edge that is, below RL_CUT_EDGES, and how much
 * of it in time the part is. */
bool rl_split_edge(const struct rl_kind *kind, size_t *edge, double *share);
/* Frees parts, kinds and plan, not the samples; zeroes it. */
void rl_split_release(struct rl_split *split);

#endif
