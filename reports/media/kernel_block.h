/* kernel_block.h - the block of a kernel in a report: what page_kernels.c puts together. */
#ifndef RL_REPORTS_KERNEL_BLOCK_H
#define RL_REPORTS_KERNEL_BLOCK_H

#include "kernels.h"
#include "results/view.h"

#define RL_BLOCK_COLUMNS 8 /* of the page's twelve, for its figures; the charts of occupancy take the others */

struct rl_block {
    const struct rl_kernel *kernel;
    const struct rl_kernel_result *result;
    struct rl_roofline_entry entry;
    const struct rl_family *row; /* what the entry is of: the kernel, or the family that it stands for (figures not NULL) */
    size_t number;               /* from 1 */
    double share;                /* of the time of all kernels of this GPU */
    struct view_rows kernel_row; /* it as a row of view_record_kernel; set by rl_block_add_figures */
};

/* ---- kernel_figures.c ---- */

/* Adds lists of its time and place, occupancy and access, and a table of the levels of memory; notes what is missing. */
void rl_block_add_figures(struct rl_report *report, struct rl_block *block, struct rl_box *column);
/* Adds, in one paragraph, what has no value, and why; once. */
void rl_block_add_gaps(struct rl_report *report, struct rl_block *block, struct rl_box *box);

/* ---- kernel_remarks.c ---- */

/* Adds the reasons for stalls, where another tool has counted them, what was found about it, and what has no value. */
void rl_block_add_remarks(struct rl_report *report, struct rl_block *block, struct rl_box *box);

/* ---- kernel_source.c ---- */

/* Lays the hottest lines of a kernel whose instructions were sampled, without lines its instructions; once for each name. */
void rl_block_draw_source(struct rl_report *report, const struct rl_block *block);

#endif
