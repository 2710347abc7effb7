/* results.h - all results, each the record of a document. Rows of `program` are a struct rl_program
 * (analysis/program.h), of `ranks` a struct rl_ranks (analysis/ranks.h); the subject is a struct view_subject that has them. */
#pragma once

#include "results/subject.h"

#define RESULT(id) extern const struct view_record view_record_##id;
#include "results/results.def"

enum view_result {
#define RESULT(id) VIEW_RESULT_##id,
#include "results/results.def"
    VIEW_RESULT_COUNT
};
/* The record of each. */
extern const struct view_record *const view_results[VIEW_RESULT_COUNT];

/* ---- cases.c ---- */

/* Cases: work with parameters, timed several times (analysis/cases.h), and how they changed. The subject of view_record_cases
 * is a struct view_subject, its row a struct rl_cases. */
extern const struct view_record view_record_cases;
/* The same without their kernels, among the tables of a capture. */
extern const struct view_record view_record_told_cases;
/* A row is a struct rl_case. */
extern const struct view_record view_record_case;
/* The same in one line. */
extern const struct view_record view_record_brief_case;
/* Its label if that fits into `columns` columns; otherwise without the parameters that its neighbours share. */
const char *view_case_label(const struct rl_case *of, size_t columns);
/* The cases of a struct view_subject. */
struct view_rows view_cases(const struct view *view);

/* A case in both captures: a row is a struct rl_case_pair. It needs no subject. */
extern const struct view_record view_record_case_pair;
/* Columns of such a table for people. */
#define VIEW_CASE_PAIR_COLUMNS "shown,base_s,new_s,time_text,interval,verdict"

/* ---- families.c ---- */

/* Kernels that are launched in many shapes (analysis/families.h): a row is a struct rl_family with figures. The subject is a
 * struct view_subject. */
extern const struct view_record view_record_family, view_record_family_limiter;
/* Five figures over shapes: a row is a struct rl_spread, of times or of values with a unit per row. */
extern const struct view_record view_record_spread, view_record_time_spread;
/* Sentence and fields of a family's row. */
#define VIEW_FAMILY_SENTENCE                                                                                                       \
    "{id}: {shapes configuration|configurations}, grids of {blocks.least} to {blocks.greatest} blocks[, "                          \
    "{time_per_block_s.median} a block (the "                                                                                      \
    "middle half of the configurations {time_per_block_s.low} to {time_per_block_s.high})]; {counted_shapes} counted[; "           \
    "{traits}]; limited by {limited_by}"

/* ---- gains.c ---- */

/* Predicted gains of rules and measured ones (analysis/actions.h). The subject is a struct view_subject. */
/* A prediction: a row is a struct rl_gain_record. */
extern const struct view_record view_record_gain;
/* All of a capture: a row is a struct view_subject. */
extern const struct view_record view_record_gains;
/* The records of the capture. */
struct view_rows view_gains(const struct view_subject *subject);

/* ---- ledger.c ---- */

/* The fate of the values of imported files: rows are a struct rl_ledger_row (capture/capture.h). */
extern const struct view_record view_record_ledger_row;

/* The rows of a capture: contradicted ones first, foreign ones last; with `brief`, foreign ones and columns are only counted, in
 * one row each. Valid as long as capture and arena are. */
struct view_rows view_ledger_rows(const struct rl_capture *capture, bool brief, struct rl_arena *arena);

/* ---- links.c ---- */

/* The links between GPUs and between them and the host (analysis/links.h): rows are a struct rl_links and its parts. The subject is
 * a struct view_subject that has links. */
extern const struct view_record view_record_links;
/* A link: a row is a struct rl_link_result of the subject's links. */
extern const struct view_record view_record_link;
/* All GPUs at once, from or to the host: a row is a struct rl_link_total. */
extern const struct view_record view_record_link_total;
/* A finding about links: a row is a struct rl_link_finding. */
extern const struct view_record view_record_link_finding;

/* ---- metrics.c ---- */

/* The metrics of a launch, as a record: a row is a struct view_metrics, and each row of metrics.def is a field. The subject is
 * a struct view_subject; metrics that its analysis does not list are left out. Estimates have the sign "~". */
struct view_metrics {
    const struct rl_value *metric;      /* RL_METRIC_COUNT of them, exact */
    const struct rl_estimate *estimate; /* as many, for missing metrics; NULL: none */
};
extern const struct view_record view_record_metrics;
/* The value of one, or its estimate. */
struct view_cell view_metric_cell(const struct view_metrics *metrics, enum rl_metric metric);
/* A figure of a set of metrics. */
struct view_set_figure {
    enum rl_metric metric;
    double value;
};
/* The figures of a set and of those that come with it: `ranked` the largest first and no zero, otherwise as in metrics.def. Returns
 * their number, RL_METRIC_COUNT at most. */
size_t view_set_figures(const struct rl_value *metric, enum rl_metric_set set, bool ranked, struct view_set_figure *figures);
/* Half of the 95 % CIs of those that are estimates. */
extern const struct view_record view_record_half_widths;

/* ---- actions.c ---- */

/* Appends "cuBLAS 43.2 %, NCCL 25.5 %": the libraries with RL_LEAST_SHARE of the GPU time or more on a GPU (RL_NONE: on all). */
void view_libraries_text(const struct rl_analysis *analysis, const struct rl_families *families, size_t gpu, struct rl_buf *out);

/* ---- resources.c ---- */

/* The evidence for a kernel's limiter: its resources by their share of the roof, and the stalls of its warps. All media show these
 * rows. */
struct view_resource {
    enum rl_resource resource;
    const struct rl_limit *limit; /* its share is present and positive */
    bool sampled;                 /* the share is an estimate */
};
/* Row: struct view_resource. */
extern const struct view_record view_record_resource;
/* The resources that a launch uses, the largest share first. */
struct view_rows view_resources_of(struct rl_arena *arena, const struct rl_kernel_result *kernel);
/* Appends "85.5 ±0.1": a share of a roof in % with half of its 95 % CI, without one the share alone. */
void view_share_format(struct rl_buf *out, const struct rl_limit *limit, bool sampled);
/* Ids of the resources that the limiter cannot be distinguished from, bits 1 << enum rl_resource, separated by blanks; absent:
 * none. */
struct view_cell view_tied(const struct view *view, uint64_t tied);

struct view_stall {
    const char *reason;      /* Nsight Compute's name: "long scoreboard" */
    double share, low, high; /* of the warps' time; the interval of samples, NAN without one */
};
/* Row: struct view_stall. */
extern const struct view_record view_record_stall;
/* Stall reasons with 1 % or more of the warps' time, the largest first: counted, otherwise the commonest one of PC samples. */
struct view_rows view_stalls_of(struct rl_arena *arena, const struct rl_kernel_result *kernel);

/* ---- timeline.c ---- */

/* Activity of the GPUs of a program over time, and why no kernel ran (analysis/timeline.h). The subject is a struct view_subject,
 * and so is the row of both results. */
extern const struct view_record view_record_timeline, view_record_gaps;

/* Times without a kernel, those of all GPUs together, the one that cost most first. */
extern const struct view_record view_record_gap;
/* The rows of view_record_gap. */
struct view_rows view_gaps(const struct view *view);
/* Each bin of each lane that has something, and each with samples: rows of this record. */
extern const struct view_record view_record_timeline_bin;
/* Those rows, in the arena of the view. */
struct view_rows view_timeline_bins(const struct view *view);

/* One GPU as one process used it: rows are struct rl_over_time. Its lists: lanes, overlaps, phases, gaps. */
extern const struct view_record view_record_over_time;
