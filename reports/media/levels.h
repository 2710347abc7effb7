/* levels.h - kernels against every level of memory: joined points under the roofs of all levels.
 *
 * A few kernels have all their points joined: the best variant of each experiment, the longest kernels of a program.
 */
#pragma once

#include "roofline_entries.h"

/* FLOP/s over the intensity at each level, or warp instructions over transactions of each level. */
enum rl_levels_kind { RL_LEVELS_ARITHMETIC, RL_LEVELS_INSTRUCTIONS };

/* Whether the chart would show anything of this GPU. */
bool rl_levels_has(struct rl_report *report, size_t gpu, enum rl_levels_kind kind);
/* Whether issue slots or a pipe are nearest to their roof for most of the kernels' time. */
bool rl_levels_issue_leads(struct rl_report *report, size_t gpu);

/* Adds the chart to the section. */
void rl_levels_plan(struct rl_report *report, struct rl_section *section, size_t gpu, enum rl_levels_kind kind);

/* The chart of one kernel alone: of arithmetic, or where it does none of instructions, which `arithmetic` says. False, and nothing
 * added: there is neither. */
bool rl_levels_plan_kernel(struct rl_report *report, struct rl_section *section, size_t gpu, const struct rl_roofline_entry *entry,
                           bool *arithmetic);

/* Which kernels are shown with all their points: "The best variant of each experiment." */
const char *rl_levels_chosen_text(struct rl_report *report, size_t gpu);
/* Which ones the chart of instructions shows: "Every kernel has a place here, also those without floating-point work". */
const char *rl_levels_executing_text(struct rl_report *report, size_t gpu);
