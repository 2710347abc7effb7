/* kernels.h - the kernels of a GPU that have a block in the report.
 *
 * A capture may hold thousands; those that took the most time have a block, up to a number that the reader chose. The tables name
 * all. A kernel is a class, or a family of classes (analysis/families.h), which is at the place of its class with the most time.
 */
#pragma once

#include "results/brief.h"
#include "roofline_entries.h"

struct rl_kernel_blocks {
    const struct rl_family **family; /* the one with the most time first; figures NULL: a class alone */
    size_t classes;                  /* of all of them */
    size_t shown;                    /* the first so many have a block */
    size_t pages;                    /* of a program: the first so many have a page each, the others half of one */
    size_t count;                    /* of all */
    double total_ns;                 /* time of all */
};

/* Finds them for every GPU: once, before anything is planned. They belong to the report. */
void rl_kernels_choose(struct rl_report *report);
/* Those of a GPU. */
const struct rl_kernel_blocks *rl_kernel_blocks_of(const struct rl_report *report, size_t gpu);

/* Time that a kernel took in the session, ns; 0: unknown. */
double rl_kernel_total_ns(const struct rl_report *report, size_t kernel);
/* The same of a row: of all its shapes, and of GPUs that are alike. */
double rl_family_total_ns(const struct rl_report *report, const struct rl_family *family);

/* The label of a row, of a family with ", 511 shapes"; at most `columns` wide. */
const char *rl_family_label(struct rl_report *report, const struct rl_family *family, size_t columns);

/* Columns of a kernel's name in its block: a longer one is shortened to a line there. */
enum { RL_NAME_COLUMNS = 94, RL_NAME_MOST_COLUMNS = 300 };
/* Where the name stands in full; RL_NO_TARGET: in its block alone. */
size_t rl_name_target(const struct rl_report *report, size_t kernel);

/* ---- kernel_sets.c: the optional sets of metrics ---- */

/* Adds what was collected of them for a kernel, over the width of the page; nothing when nothing was. */
void rl_kernel_sets_add(struct rl_report *report, const struct rl_roofline_entry *entry, struct rl_box *box);

/* ---- kernel_block.c, kernel_source.c: the block of a kernel ---- */

struct rl_kernel_charts {
    const struct view_brief_kernel *row;
    size_t resources, stalls, levels; /* charts of the section; RL_NONE: none */
    bool arithmetic;                  /* `levels` is of floating-point operations, not of instructions */
    bool half;                        /* it takes half a page */
};
struct rl_kernel_block {
    struct rl_roofline_entry entry;
    const struct rl_family *row;
    size_t number; /* from 1 */
    double share;  /* of the time of all kernels of this GPU */
    bool fills;    /* it begins on a page that is not filled: parts of it may begin another one */
};
/* Adds the charts of a kernel to the section. */
struct rl_kernel_charts rl_kernel_block_plan(struct rl_report *report, struct rl_section *section, const struct rl_family *family,
                                             bool half);
/* Lays it. */
void rl_kernel_block_draw(struct rl_report *report, const struct rl_section *section, const struct rl_kernel_block *block);
/* Lays the hottest lines of a kernel whose instructions were sampled, without lines its instructions; once for each name. */
void rl_kernel_source_draw(struct rl_report *report, const struct rl_kernel_block *block);

/* ---- family_block.c: what a family has in its block that a class alone has not ---- */

/* "grids of 1 to 65536 blocks, median 256, ...", for the head of the block. */
const char *rl_family_launch_text(struct rl_report *report, const struct rl_family *family);
/* Adds, over the width of the page: how far its shapes agree, and a table of a few of them. */
void rl_family_add(struct rl_report *report, const struct rl_family *family, struct rl_box *box);

/* ---- kernel_advice.c ---- */

/* "40 registers per thread instead of 48 would allow 75.0 %": the nearest step up of what limits it; "" when there is none,
 * or when all blocks of the grid are resident at once. */
const char *rl_kernel_advice(struct rl_report *report, size_t kernel);
