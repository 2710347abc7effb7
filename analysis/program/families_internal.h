/* families_internal.h - what families.c has from others of this folder (private to analysis/). */
#ifndef RL_ANALYSIS_FAMILIES_INTERNAL_H
#define RL_ANALYSIS_FAMILIES_INTERNAL_H

#include "analysis/families.h"

/* Launches of the class whose counters were read: of an imported class with counters all of them. */
uint64_t rl_class_counted(const struct rl_analysis *analysis, const struct rl_program_class *class);
/* The figures of a family whose classes, times and counts are there; they live in the arena (family_figures.c). */
const struct rl_family_figures *rl_family_figures_new(const struct rl_analysis *analysis, struct rl_arena *arena,
                                                      const struct rl_family *family);
/* The id of the family that a kernel belongs to: rl_kernel_id without the shape (program.c). */
void rl_family_id(const struct rl_kernel *kernel, char id[RL_KERNEL_ID]);

#endif
