/* show.h - a capture as a whole: session, GPUs, roofs, experiments, kernels and their results.
 *
 * Rows are computed once, so that the cost of a field's value does not depend on the number of rows. The subject is a struct
 * view_subject.
 */
#pragma once

#include "results/subject.h"

struct view_kernel;
/* A row of view_record_show. */
struct view_show {
    struct view_subject *subject;
    struct view_kernel *classes; /* of each kernel of the capture, in its order */
    struct view_kernel *kernels; /* the same with families in the place of their classes */
    size_t kernel_count;
    size_t *families; /* those of many shapes, in the subject's */
    size_t family_count;
    bool loose; /* some kernels belong to no experiment */
};
/* Computes the rows; they live as long as the subject. */
struct view_show *view_show_new(struct view_subject *subject);

extern const struct view_record view_record_show;
/* A kernel: a class of launches, or a family of such classes as one. */
extern const struct view_record view_record_kernel;
/* Its columns in CSV, unless others are asked for. */
extern const char view_kernel_csv_columns[];
/* All kernels of the capture, as rows of it. */
struct view_rows view_show_kernels(const struct view_show *show);
/* A kernel of the capture, or its family, as a row; lives as long as the subject. */
struct view_rows view_show_kernel(struct view_subject *subject, size_t kernel);
/* Traffic of a kernel at a level of memory. */
extern const struct view_record view_record_kernel_level;
/* All levels of a kernel, in the arena of the view; none if all are unknown. */
struct view_rows view_show_levels(const struct view *view, const struct view_kernel *kernel);
/* A row's value of a counter that was asked for by name (analysis/plan.h); NULL: none, as in families and whole runs. */
const struct rl_counter *view_show_counter(const void *row, const char *name);

/* Options of the text overview of a capture. */
struct view_told_options {
    size_t findings; /* at most so many */
    bool full;       /* experiments variant by variant, all sets of metrics; otherwise a line for each experiment */
    bool all;        /* verdicts on all claims, and the whole log, not only warnings */
};
struct view_told;
extern const struct view_record view_record_told;
/* A row of it. Free with view_told_free, before the subject. */
struct view_told *view_told_new(struct view_subject *subject, const struct view_told_options *options);
/* The view's `has_said`: whether the program's block gives the reason, if a GPU represents others. */
bool view_told_has_said(const void *subject, const char *reason);
/* Frees the row. */
void view_told_free(struct view_told *told);

/* A GPU, with its facts: a row is a struct rl_gpu. */
extern const struct view_record view_record_gpu;
/* Telemetry of a GPU at a moment: a row is a struct rl_gpu_moment. */
extern const struct view_record view_record_gpu_moment;
/* A ceiling of a GPU: a row is a struct view_ceiling. */
extern const struct view_record view_record_ceiling;
struct view_ceiling {
    size_t gpu;
    enum rl_ceiling_id id;
    const struct rl_ceiling_info *info;
    const struct rl_ceiling *ceiling;
    enum rl_unit unit;
    struct rl_value theory, measured, sustained;              /* medians; why nothing was measured */
    struct rl_value share, data_sheet_share, published_share; /* of a measured figure that is used */
    double highest_clock;                                     /* of any of the GPU's ceilings, Hz; 0: unknown */
};
/* The ceilings of all GPUs that lists should have, or of one (RL_NONE: all), as rows of it in the arena of the view. */
struct view_rows view_ceilings(const struct view *view, size_t gpu);
/* An experiment in a line: its best and its last variant, verdicts on its claims. A row is a struct view_suite_row. */
extern const struct view_record view_record_suite;
struct view_suite_row {
    size_t experiment, gpu_index; /* in the capture */
    const char *name, *gpu, *best, *worst, *verdicts;
    struct rl_value best_figure, worst_figure, ratio;
    enum rl_unit unit;
};
/* The experiments of all GPUs or of one (RL_NONE: all), as rows of it in the arena of the view. */
struct view_rows view_suite_rows(const struct view *view, size_t gpu);
/* A line of the log: a row is a struct rl_log_entry. */
extern const struct view_record view_record_log;

/* Head of the text overview: versions, time, place, command, completeness, signature. A row is a struct
 * rl_capture. */
extern const struct view_record view_record_told_session;
