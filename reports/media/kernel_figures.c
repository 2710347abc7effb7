/* kernel_figures.c - the figures in the block of a kernel: lists, and the levels of memory (see kernel_block.h). */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "kernel_block.h"
#include "results/show.h"
#include "view_table.h"

#define LIST_GAP 6.0

/* Fields of the kernel in lists side by side, above and below the table of levels. */
#define PLACE "duration_s.median,gpu_s,metrics.flop_per_second,metrics.intensity_dram,roof_share,bound"
#define OCCUPANCY                                                                                                                  \
    "metrics.theoretical_occupancy,occupancy.limit,occupancy.limit_2,occupancy.limit_3,occupancy.limit_4,metrics.achieved_"        \
    "occupancy,metrics.issue_active,"                                                                                              \
    "metrics.warp_execution_efficiency,metrics.branch_efficiency"
#define GLOBAL "metrics.sectors_per_request_load,metrics.sectors_per_request_store,metrics.load_efficiency,metrics.store_efficiency"
#define OTHERS "metrics.shared_conflict_ways,metrics.spill_bytes,metrics.spill_share,metrics.instructions"
#define LEVELS "metrics.dram_bytes,metrics.l2_bytes,metrics.l1_bytes,metrics.shared_bytes"

/* Names of metrics lead to the glossary. */
static void dress(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    struct rl_report *report = to;
    const enum rl_metric metric = rl_metric_find(field->id);
    if (row || metric == RL_METRIC_COUNT)
        return;
    report->used[metric] = true;
    cell->target = rl_metric_target(report, metric);
}

static void dress_level(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    if (field->bar)
        cell->share_colour = rl_tones[RL_TONE_MEMORY].mark;
}

static void add_beside(struct rl_report *report, const struct view_rows *kernel, struct rl_box *column, const char *left,
                       const char *right)
{
    struct rl_box *row = rl_box_row(column);
    const char *const lists[] = {left, right};
    for (size_t i = 0; i < RL_COUNT(lists); i++)
        rl_view_table_add(rl_box_cell(row, RL_BLOCK_COLUMNS / 2), &report->view,
                          &(struct rl_view_table){.record = &view_record_kernel,
                                                  .rows = *kernel,
                                                  .columns = lists[i],
                                                  .across = true,
                                                  .there = true,
                                                  .plain = true,
                                                  .dress = dress,
                                                  .to = report});
    rl_box_gap(column, LIST_GAP);
}

void rl_block_add_figures(struct rl_report *report, struct rl_block *block, struct rl_box *column)
{
    static const enum rl_metric of_levels[] = {
        RL_METRIC_dram_bytes,  RL_METRIC_dram_bytes_per_second, RL_METRIC_intensity_dram, RL_METRIC_l2_bytes,
        RL_METRIC_l2_hit_rate, RL_METRIC_l2_bytes_per_second,   RL_METRIC_intensity_l2,   RL_METRIC_l1_bytes,
        RL_METRIC_l1_hit_rate, RL_METRIC_l1_bytes_per_second,   RL_METRIC_intensity_l1,   RL_METRIC_shared_bytes,
        RL_METRIC_shared_bytes_per_second};
    block->kernel_row = view_show_kernel(report->subject, block->result->kernel);
    add_beside(report, &block->kernel_row, column, PLACE, OCCUPANCY);
    const struct view_rows levels = view_show_levels(&report->view, block->kernel_row.first);
    for (size_t i = 0; i < RL_COUNT(of_levels); i++)
        report->used[of_levels[i]] = true;
    if (rl_view_table_add(column, &report->view,
                          &(struct rl_view_table){.record = &view_record_kernel_level, .rows = levels, .dress = dress_level}))
        rl_box_gap(column, LIST_GAP);
    add_beside(report, &block->kernel_row, column, GLOBAL, OTHERS);
}

/* ---- values that are missing ---- */

static void take_gap(void *to, const char *text)
{
    struct rl_buf *gaps = to;
    rl_buf_addf(gaps, "%s%s", gaps->len ? "; " : "No value: ", text);
}

void rl_block_add_gaps(struct rl_report *report, struct rl_block *block, struct rl_box *box)
{
    struct view_listing listing;
    struct rl_buf gaps = RL_BUF_INIT;
    struct rl_para para = {.max_lines = 6};
    view_listing_make(&listing, &report->view, &view_record_kernel, block->kernel_row, NULL,
                      PLACE "," OCCUPANCY "," LEVELS "," GLOBAL "," OTHERS);
    listing.labels = true;
    view_listing_notes(&listing, take_gap, &gaps);
    view_listing_release(&listing);
    if (gaps.len) {
        rl_para_addf(report->doc->layout, &para, RL_STYLE_NOTE, "%s.", gaps.data);
        rl_box_para(box, &para);
    }
    rl_buf_release(&gaps);
}
