/* attribution_split.h - launches cut into parts that are alike (attribution_parts.h). Private to attribution*.c. */
#ifndef RL_COLLECTOR_ATTRIBUTION_SPLIT_H
#define RL_COLLECTOR_ATTRIBUTION_SPLIT_H

#include "attribution.h"

/* The launches of a class may last differently, and then do different work; and a launch that lasts for many samples does not do
 * the same in each. So each class is cut into kinds: by the length of its launches, where there are several, and longer launches
 * into halves, or their first sample, their last and thirds of what is between. Samples are shared out to kinds, and what they got
 * is added up. */
struct rl_split {
    struct rl_sampled sampled; /* kinds in the place of classes */
    struct rl_span *spans;
    uint32_t *class_of; /* class of each kind */
    double *launches;   /* of each class: parts of launches in the samples, added up, without delay */
};
/* `sample_ns`: what a sample lasts. Free with rl_split_release. `sampled` must outlive it. */
void rl_split_make(const struct rl_sampled *sampled, uint64_t sample_ns, struct rl_split *split);
void rl_split_release(struct rl_split *split);

#endif
