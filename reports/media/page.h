/* page.h - the data that pages of a capture's report share: the capture, its analysis, and links between pages. */
#pragma once

#include "analysis/timeline.h"
#include "flow.h"
#include "results/subject.h"
#include "words.h"

struct rl_report;
struct rl_roofline_entry;
struct rl_roofline_entries;
struct rl_kernel_blocks;

enum rl_page_id {
#define PAGE(id, title) RL_PAGE_##id,
#include "pages.def"
    RL_PAGE_COUNT
};

/* The subjects of the instances of a page. */
struct rl_page_list {
    size_t *gpus; /* the GPU of each instance, ascending; for a page that is not about one GPU, all measured GPUs */
    size_t gpu_count;
};
struct rl_experiment_key {
    size_t experiment, gpu;
};

struct rl_report {
    const struct rl_analysis *analysis;
    const struct rl_capture *capture;
    struct rl_document *doc;
    struct view view;             /* of the subject; for tables whose rows a page makes itself */
    struct view_subject *subject; /* the subject of all views: program, ranks, links and so on, computed once */
    const bool *hidden;           /* per GPU: it has no pages (owned by the subject); NULL: none is hidden */
    struct rl_page_list pages[RL_PAGE_COUNT];
    struct rl_experiment_key *experiments; /* experiments with a page, by GPU, then in the order of the capture */
    size_t experiment_count;
    struct rl_roofline_entries *entries; /* one per GPU, computed on demand: rl_roofline_entries_of */
    const struct rl_families *families;  /* owned by the subject: families of all kernels, each on one GPU */
    struct rl_ranked_finding *ranked;    /* all findings by time saved, one per family: rl_findings_rank */
    size_t ranked_count;
    struct rl_groups rows_of_gpu, ranked_of_row; /* per GPU: indices in families->at; per such row: indices in `ranked` */
    struct rl_kernel_blocks *blocks;             /* one per GPU: rl_kernel_blocks_of */
    size_t *kernel_targets;                      /* one per kernel: rl_kernel_target */
    size_t *metric_targets;                      /* one per metric: rl_metric_target */
    size_t *name_targets;                        /* one per kernel: rl_name_target */
    struct rl_kernel_charts *kernel_charts;      /* one per kernel with a block: kernels.h */
    bool used[RL_METRIC_COUNT];                  /* the metric was printed, so the last page explains it */
};

/* ---- pages.c: the pages of a report ---- */

/* Whether the report is the full one (--full), or the reader chose sections by name. */
bool rl_report_is_full(const struct rl_report *report);

/* Whether it is the short report of a whole suite, with two experiments to a page; false with --full, --only and --top. */
bool rl_report_is_of_suite(const struct rl_report *report);

/* 1 if a kernel or a variant was measured, so that there is a first page, otherwise 0. For `count` of a page. */
size_t rl_page_when_measured(const struct rl_document *doc);
/* Whether the capture has a kernel or variant of the GPU. For `each_gpu` of a page. */
bool rl_page_gpu_was_measured(const struct rl_document *doc, size_t gpu);
/* Whether the capture has a kernel of the GPU. For `each_gpu` of a page. */
bool rl_page_gpu_has_kernels(const struct rl_document *doc, size_t gpu);
/* Whether the GPU has no pages because those of an identical GPU represent it. */
bool rl_page_hides_gpu(const struct rl_report *report, size_t gpu);

extern const struct rl_section_kind rl_pages[RL_PAGE_COUNT];
/* Fills `experiments` with the pairs of experiment and GPU that have variants. */
void rl_experiments_find(struct rl_report *report);
/* The GPU of instance `instance` of a page. */
size_t rl_page_gpu(const struct rl_report *report, enum rl_page_id id, size_t instance);
/* Whether pages about `gpu` also cover `other`: it is the same GPU, or one that `gpu` represents. */
bool rl_page_covers_gpu(const struct rl_report *report, size_t gpu, size_t other);
/* The experiment and GPU of instance `instance` of the experiment pages. */
struct rl_experiment_key rl_experiment_key_of(const struct rl_report *report, size_t instance);
/* Returns the number of experiment pages of a GPU; their instances begin with `*first`. */
size_t rl_experiments_on(const struct rl_report *report, size_t gpu, size_t *first);
/* Link target of the page of this experiment on this GPU; RL_NO_TARGET if there is none. */
size_t rl_experiment_target(const struct rl_report *report, size_t experiment, size_t gpu);
/* Link target of the first page `id`; RL_NO_TARGET if it is not shown. */
size_t rl_page_target(const struct rl_report *report, enum rl_page_id id);
/* Link target of the page with the details of a rule about a GPU. */
size_t rl_card_rule_target(const struct rl_report *report, enum rl_rule rule);
/* As rl_page_target, for the page about this GPU. */
size_t rl_gpu_target(const struct rl_report *report, enum rl_page_id id, size_t gpu);
/* Link target of a metric's entry in the glossary; RL_NO_TARGET if it is not shown. */
size_t rl_metric_target(const struct rl_report *report, enum rl_metric metric);
/* Link target of a kernel's block; RL_NO_TARGET if it has none. */
size_t rl_kernel_target(const struct rl_report *report, size_t kernel);

/* ---- cover_program.c ---- */

/* Whether it is the report of a program with several kernels, which has only the pages needed for a decision; --full adds the
 * others. */
bool rl_report_is_of_program(const struct rl_report *report);

/* ---- page_published.c ---- */

/* Whether it is the report of published figures, which take one page. */
bool rl_report_is_of_published(const struct rl_report *report);

/* ---- method_run.c ---- */

/* Draws "Session": the command, time, system and identification of the capture. */
void rl_method_draw_run(struct rl_report *report);
/* The SM clock of a GPU during the passes and how its clocks were locked, in the document's arena. */
const char *rl_method_clock_text(struct rl_report *report, size_t gpu);
/* How the clocks of a GPU were locked, in the document's arena. */
const char *rl_method_lock_text(struct rl_report *report, size_t gpu);

/* ---- points.c: points of rooflines ---- */

/* Lays out the chart that rl_points_best added, the section's first, with its caption. */
void rl_roofline_draw_best(struct rl_report *report, const struct rl_section *section, size_t gpu);
/* Adds a roofline with the best variant of each experiment, labelled with the experiment's name; NULL if there are none. */
struct rl_chart *rl_points_best(struct rl_report *report, struct rl_section *section, size_t gpu);

/* ---- roofs of a GPU as a table ---- */

/* True when a micro-benchmark of the GPU was measured, even where its figure is refused. */
bool rl_ceilings_any_measured(const struct rl_report *report, size_t gpu);
/* True when a measured figure is above what the GPU can do. */
bool rl_ceilings_any_refused(const struct rl_report *report, size_t gpu);

/* How many rows the table of measured ceilings has: of a whole suite the first page has the others. */
size_t rl_ceilings_left(const struct rl_report *report, size_t gpu);

enum rl_ceilings_table {
    RL_CEILINGS_FIRST,       /* of the first page: measured roofs against theory and data sheet, in the burst and after long load */
    RL_CEILINGS_MEASURED,    /* the same against the best published figures, without those of the first page */
    RL_CEILINGS_SUSTAINED,   /* rates after long load next to those of the first second */
    RL_CEILINGS_THEORY,      /* theory alone, with definitions: for sessions that measured no ceiling */
    RL_CEILINGS_DEFINITIONS, /* what each ceiling is, and the configuration that reached it */
};
/* Lays a table; false where it would be empty. */
bool rl_ceilings_draw(struct rl_report *report, size_t gpu, enum rl_ceilings_table table);

/* ---- charts of what a GPU did over time ---- */

/* The timelines that have pages, at most RL_MOST_TIMELINES: of GPUs that have pages, in the order of the capture. */
enum { RL_MOST_TIMELINES = 8 };
/* How many there are. */
size_t rl_timelines_shown(const struct rl_report *report);
/* One of them. */
const struct rl_over_time *rl_timeline_at(const struct rl_report *report, size_t instance);
/* The one of a GPU that one process had for itself; NULL: there is none. */
const struct rl_over_time *rl_timeline_of_gpu(const struct rl_report *report, size_t gpu);

/* The key of all these charts. */
#define RL_TONE_KERNELS   RL_TONE_INK
#define RL_TONE_COPYING   RL_TONE_LINK
#define RL_TONE_NO_KERNEL RL_TONE_IDLE
#define RL_TONE_UNWATCHED RL_TONE_COUNTED

/* Adds the chart with all lanes to the section. */
void rl_time_lanes_plan(struct rl_report *report, struct rl_section *section, const struct rl_over_time *over);
/* Whether samples of the whole GPU have lanes: in less than a hundredth of the time they are a few dots on empty lanes. */
bool rl_time_has_moments(const struct rl_over_time *over);
/* How long a step of these charts is. */
double rl_time_step_s(const struct rl_over_time *over);
