/* roofline_entries.h - what has a place under the roofs of a GPU: the variants of the suite as wholes, and the kernels of programs.
 *
 * A variant's run may be one launch, several, or nothing that could be counted. The roofline, its table and the cover show one
 * entry for each, in the order of the capture, the variants of an experiment side by side, kernels of programs last.
 */
#pragma once

#include "page.h"

struct rl_roofline_entry {
    const struct rl_variant_result *run;   /* NULL: a kernel of a program */
    const struct rl_kernel_result *kernel; /* the launch, when there is just one; NULL: several, or none was seen */
    const struct rl_family *family;        /* of many shapes: then `kernel` is the one with the most time; otherwise NULL */
    size_t number;                         /* in the table of its GPU's roofline page, from 1 */
    const char *label;                     /* "coalescing / stride_1", or the kernel's shortened name */
    const char *name;                      /* of its point: the variant's alone, unless it is a mere number */
    const struct rl_stats *duration;
    struct rl_value time_s;             /* median; missing with the reason, also when the result is wrong */
    const struct rl_value *metric;      /* of the run: RL_METRIC_COUNT of them; rl_entry_metric is for printing */
    const struct rl_estimate *estimate; /* of metrics that are not there, RL_METRIC_COUNT; NULL: none */
    struct rl_value roof_share;         /* time at the roofs, launch by launch, over the time of the run */
    enum rl_resource limiter;           /* RL_RESOURCE_COUNT: none */
    enum rl_bound bound;                /* with several launches: of those that take most of the time at the roofs */
    const char *above_roof;             /* explanation; NULL: it is below */
    double total_ns;                    /* time that its kernels took in the session */
    bool shows;                         /* false: no performance is shown (wrong, failed, not supported) */
    bool wrong;
    bool best; /* rl_entries_with_best: of its experiment; where variants do different work, the one nearest to its roof */
};

struct rl_roofline_entries {
    struct rl_roofline_entry *at;
    size_t count;
    bool suite;  /* variants are among them */
    bool marked; /* the best are known */
};

/* The entries of a GPU; found once, they belong to the report. */
const struct rl_roofline_entries *rl_roofline_entries_of(struct rl_report *report, size_t gpu);

/* The same with the best of each experiment marked (roofline_best.c). */
const struct rl_roofline_entries *rl_entries_with_best(struct rl_report *report, size_t gpu);

/* A metric, noted as used; missing with the reason when the entry shows no performance. */
struct rl_value rl_entry_metric(struct rl_report *report, const struct rl_roofline_entry *entry, enum rl_metric metric);

/* Its limiter (rl_limiter_of). */
size_t rl_entry_limiter(const struct rl_roofline_entry *entry);
/* That in words, of one kernel class with those that it cannot be distinguished from. */
const char *rl_entry_limited_by(const struct rl_roofline_entry *entry);

/* The experiment that an entry belongs to; RL_NONE for kernels of programs. */
size_t rl_entry_experiment(const struct rl_report *report, const struct rl_roofline_entry *entry);

/* Has a place on the DRAM roofline: floating-point operations and DRAM traffic. */
bool rl_entry_on_roofline(const struct rl_roofline_entry *entry);

/* A kernel as a separate entry, without a number. */
struct rl_roofline_entry rl_entry_of_kernel(const struct rl_report *report, const struct rl_kernel_result *kernel);
/* The same of a row of the report's families: of many shapes with their sums (rl_family_figures). */
struct rl_roofline_entry rl_entry_of_family(struct rl_report *report, const struct rl_family *family);

/* ---- tables of entries ---- */

/* Additional figures in tables of experiments. */
enum rl_entry_extra { RL_EXTRA_OPERATION, RL_EXTRA_BANDWIDTH, RL_EXTRA_OVERLAP, RL_EXTRA_GAP, RL_EXTRA_ERROR, RL_EXTRAS };
/* A counted figure and the head of its column. */
struct rl_entry_counter {
    const char *head;
    enum rl_unit unit;
    struct rl_value value;
};
extern const struct view_record rl_entry_counter_record;
/* A row: an entry, a kernel of a run that is more than one launch, or how many more kernels there are. */
struct rl_entry_row {
    const char *name;
    const struct rl_roofline_entry *entry; /* NULL: the row is its name alone */
    bool part;                             /* a kernel of the run above */
    size_t target;                         /* that the name leads to */
    int group;                             /* a rule stands between rows of different ones */
    const char *measure;
    struct rl_value extra[RL_EXTRAS];
    struct rl_entry_counter *counters; /* of an entry, not of its parts */
    size_t counter_count;
};
extern const struct view_record rl_entry_record;
/* How many rows an entry has: the kernels of a run stand below it, as far as a table names them. */
size_t rl_entry_row_count(const struct rl_report *report, const struct rl_roofline_entry *entry);
/* Fills them; returns their number. */
size_t rl_entry_rows_add(struct rl_report *report, const struct rl_roofline_entry *entry, const char *name, size_t target,
                         struct rl_entry_row *rows);
/* As `dress` of a table of such rows; `to` is the report. */
void rl_entry_dress(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell);
/* The roof of the kind of numbers that most operations of an entry are done in; that of FP32 when it does none. */
enum rl_ceiling_id rl_entry_arithmetic_roof(const struct rl_roofline_entry *entry);

/* ---- the roofs of a GPU as lines of charts ---- */

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

/* ---- kernels against every level of memory; a few have all their points joined ---- */

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
