/* program_together.h - what samples of a GPU say of the classes of one kernel together, where they tell nothing of each alone.
 * Private to the collector's program_sampling.c.
 *
 * A program that launches one kernel on hundreds of grids, each once or a few times and for a microsecond, has too few launches of
 * each, and more classes than there are columns (attribution.h). What all of them did is known well all the same: asked for as one
 * class they have launches enough, and take one column. */
#ifndef RL_COLLECTOR_PROGRAM_TOGETHER_H
#define RL_COLLECTOR_PROGRAM_TOGETHER_H

#include "attribution.h"
#include "capture/capture.h"

/* `found` is what rl_attribute told of `sampled`; `kernels` are the first `kernel_count` of its classes. Shares the samples out
 * once more, within the same bound of work, with one class for those of a kernel of which launches were in samples and nothing is
 * told, where there are two or more of them. For each counter that this one has a value of its own of, all of them become a group
 * (RL_ATTRIBUTED_GROUP) of the value's total, named by the least of them. Nothing else of `found` changes. */
void rl_tell_together(const struct rl_sampled *sampled, const struct rl_kernel *kernels, size_t kernel_count,
                      struct rl_attribution *found);

#endif
