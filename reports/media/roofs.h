/* roofs.h - the roofs of a GPU as lines of charts. All texts belong to the document. */
#pragma once

#include "words.h"

/* Room that is needed for them. */
enum { RL_MOST_ROOFS = 18 };
/* Adds the roofs of a GPU's DRAM roofline to `roofs`, which has room for RL_MOST_ROOFS; returns their number. `all`: also those
 * that no kernel works under. */
size_t rl_roofs_of(struct rl_document *doc, const struct rl_analysis *analysis, size_t gpu, bool all, struct rl_chart_roof *roofs);
/* Its name for a chart. */
const char *rl_roofs_name(struct rl_document *doc, enum rl_ceiling_id id);
/* Adds one ceiling as a roof, theoretical and measured: at most 2 roofs; returns their number. `main`: dark and wide. */
size_t rl_roofs_add(struct rl_document *doc, const struct rl_analysis *analysis, size_t gpu, enum rl_ceiling_id id, bool main,
                    struct rl_chart_roof *roof);
/* " Solid roofs are measured here, dashed ones theoretical at the clock of the passes; of theory, at the clock of each measurement:
 * DRAM 98.0 %, FP32 FMA 99.2 %.", as far as there are any. */
const char *rl_roofs_text(struct rl_document *doc, const struct rl_analysis *analysis, size_t gpu,
                          const struct rl_chart_roofline *chart);
/* The DRAM ceiling: theoretical and, when there is one, measured, as lines across a chart of bandwidths. */
size_t rl_roofs_dram_references(struct rl_document *doc, const struct rl_analysis *analysis, size_t gpu,
                                struct rl_chart_reference **references);
