/* passes.h - which counters of a plan share a pass on a GPU, kept from run to run. Private to the collector.
 *
 * To find out takes the host library a second, which an observed program has not. So the collecting process does it once, after a
 * run, for each GPU whose availability image is kept (availability.h), and keeps it beside that: a file for each image and plan.
 * The next run's processes get it with their notes, as a plan of which each configuration is one pass. */
#ifndef RL_COLLECTOR_PASSES_H
#define RL_COLLECTOR_PASSES_H

#include "collector/collector.h"
#include "core/buf.h"

/* Name among the notes, followed by the chip; the text is as that of a plan (handout.h). */
#define RL_PASSES_NOTE "passes."

/* Appends what is kept for the plans and the images that are among the notes. */
void rl_passes_give(struct rl_buf *notes);
/* Finds out and keeps what is not kept yet for the plans that are among the notes, on every GPU whose image is kept. Where that
 * cannot be done nothing happens. */
void rl_passes_keep(const struct rl_buf *notes, rl_collect_plan plan, void *context);

#endif
