/* availability.h - which counters a GPU has, kept from run to run. Private to the collector.
 *
 * CUPTI takes 0.1 s to tell, and half a second the first time, while the program waits for its first launch. The answer depends on
 * chip, product (which names MIG instances and virtual GPUs), CUPTI and driver, and on who may read counters: so each image is a
 * file, rooflight/availability/PLACE/KEY below $XDG_CACHE_HOME or ~/.cache, where PLACE stands for driver and permission and KEY
 * for the rest. The collecting process reads and writes it; an observed one gets what is there with its notes (handout.h), and
 * tells in its stream what it had to ask for.
 *
 * Files are read only if they and their folder belong to this user, only he may write them, and their checksum is right. Where
 * there is no home, or nothing can be written, everything is asked for each time. */
#pragma once

#include "collector/collector.h"

enum { RL_AVAILABILITY_MOST = 1 << 16 /* bytes of an image */, RL_AVAILABILITY_CHIP = 16 /* of the name of a chip */ };
/* Name of an image among the notes, and of its file: followed by the chip, a dot, and its key in hexadecimal digits. */
#define RL_AVAILABILITY_NOTE "availability."

/* FNV-1a over chip, product and version of CUPTI. */
uint64_t rl_availability_key(const char *chip, const char *product, uint32_t cupti);

/* Appends every image that is kept for this driver and this user to the notes. */
void rl_availability_give(struct rl_buf *notes);
/* Appends any file of that folder; false: the folder has no such file of this user. */
bool rl_availability_read(const char *name, struct rl_buf *bytes);
/* Writes a file of at most RL_AVAILABILITY_MOST bytes; failures are ignored. */
void rl_availability_write(const char *name, const void *bytes, size_t size);
/* Stores an image; failures are ignored. */
void rl_availability_keep(const char *chip, uint64_t key, const void *image, size_t size);

/* ---- passes.c: which counters of a plan share a pass on a GPU ---- */

/* To find out takes the host library a second, which an observed program has not. So the collecting process does it once, after a
 * run, for each GPU whose availability image is kept, and keeps it with that: a file for each image and plan. The next run's
 * processes get it with their notes, as a plan of which each configuration is one pass. */

/* Name among the notes, followed by the chip; the text is as that of a plan (handout.h). */
#define RL_PASSES_NOTE "passes."

/* Appends the stored passes for the plans and images in the notes. */
void rl_passes_give(struct rl_buf *notes);
/* Computes and stores missing passes of the plans in the notes, for every GPU with a stored image. Failures are ignored. */
void rl_passes_keep(const struct rl_buf *notes, rl_collect_plan plan, void *context);
