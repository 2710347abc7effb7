/* cover.h - parts of the first page. Of an observed program: where the GPU's time went, before any rate. */
#ifndef RL_REPORTS_COVER_H
#define RL_REPORTS_COVER_H

#include "kernels.h"

/* A figure in large type: "79.6 %" under "GPU idle", and below it "of 449 ms". */
struct rl_cover_figure {
    const char *label, *value, *below;
};
enum { RL_COVER_FIGURES = 6 };

/* ---- cover_program.c ---- */

/* The result in two sentences: how long the GPU was idle; what most of its kernels' time went into, and what limits that. Of a GPU
 * with timed kernels. */
const char *rl_cover_program_answer(struct rl_report *report, size_t gpu);
/* Fills at most RL_COVER_FIGURES - 1 figures, so that the clock has room, and returns how many. */
size_t rl_cover_program_figures(struct rl_report *report, size_t gpu, struct rl_cover_figure *figures);

/* ---- cover_contents.c ---- */

/* Points that the shorter contents take. */
double rl_cover_contents_height(struct rl_report *report);
/* Lays them at the foot of the page, in columns beside each other, as far as there is room. */
void rl_cover_contents_draw(struct rl_report *report);

#endif
