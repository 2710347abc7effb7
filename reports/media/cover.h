/* cover.h - parts of the first page, which answers its reader. Of an observed program: what limits it, what to do first, what that
 * saves. Of a GPU: what it can do, against theory and data sheet, and what it is good and bad at. */
#pragma once

#include "kernels.h"

/* ---- cover_program.c ---- */

/* Whether the page is about an observed program: with kernels on the GPU, and times. */
bool rl_cover_is_of_program(const struct rl_report *report, size_t gpu);
/* Whether the capture has only imported benchmark times. */
bool rl_cover_is_of_benchmark(const struct rl_report *report);
/* The name of the program, owned by the document: "transformer.py". */
const char *rl_cover_program_name(struct rl_report *report);
/* Adds the charts of the page of a GPU with timed kernels of an observed program. */
void rl_cover_program_plan(struct rl_report *report, struct rl_section *section, size_t gpu);
/* Lays the page. */
void rl_cover_program_draw(struct rl_report *report, const struct rl_section *section, size_t gpu);

/* ---- cover_actions.c ---- */

/* Findings by time saved, each with its evidence and page; then unknowns. */
void rl_cover_actions_draw(struct rl_report *report, size_t gpu);
/* The kernels by time, families of shapes as one, those with RL_LEAST_SHARE of it or more. */
void rl_cover_kernels_draw(struct rl_report *report, size_t gpu);
/* The checks of the GPU that need attention, in a line. */
void rl_cover_health_draw(struct rl_report *report, size_t gpu);
/* The GPU that the first page is about. */
size_t rl_cover_gpu(const struct rl_report *report);
/* "94.4 %": a part of a whole. */
const char *rl_cover_share_text(struct rl_report *report, double part, double whole);
/* Adds the checks of the GPU's state to a column. */
void rl_cover_health_add(struct rl_report *report, struct rl_box *cell, size_t gpu);

/* ---- cover_card.c ---- */

/* Adds the charts of the page of a suite: latency and bandwidth over the working set, where the capture has these experiments, or
 * the roofline. */
void rl_cover_card_plan(struct rl_report *report, struct rl_section *section, size_t gpu);
/* The result in a sentence; NULL: none of its roofs was measured. */
const char *rl_cover_card_answer(struct rl_report *report, size_t gpu);
/* Whether the first page has the roofline of a suite that measured no ceilings, so that no other page has it. */
bool rl_cover_has_roofline(const struct rl_report *report, size_t gpu);
/* Lays what stands below head and sentence. */
void rl_cover_card_draw(struct rl_report *report, const struct rl_section *section, size_t gpu);

/* ---- the state of the GPU, check by check ---- */

struct rl_health {
    const char *title, *text; /* "ECC", "on, 0 uncorrected errors" */
    enum rl_mark mark;        /* GOOD, ATTENTION, or QUIET: unknown */
};

extern const size_t rl_health_count;
/* The `index`-th check of a GPU; texts belong to the report's arena. */
struct rl_health rl_health_check(struct rl_report *report, size_t gpu, size_t index);
