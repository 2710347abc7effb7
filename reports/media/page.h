/* page.h - what a page of the report of one capture sees: the capture, its analysis, and what pages know of each other. */
#ifndef RL_REPORTS_PAGE_H
#define RL_REPORTS_PAGE_H

#include "analysis/families.h"
#include "document.h"
#include "flow.h"
#include "grid.h"
#include "results/subject.h"
#include "words.h"

struct rl_report;
struct rl_roofline_entry;
struct rl_roofline_entries;
struct rl_kernel_blocks;

enum rl_page_id {
#define PAGE(id, title) RL_PAGE_##id,
#include "pages.def"
#undef PAGE
    RL_PAGE_COUNT
};

/* The subjects of the instances of a page. */
struct rl_page_list {
    size_t *gpus; /* that it is about, ascending; of a page that is about no GPU those that were measured */
    size_t gpu_count;
};
struct rl_experiment_key {
    size_t experiment, gpu;
};

struct rl_report {
    const struct rl_analysis *analysis;
    const struct rl_capture *capture;
    struct rl_document *doc;
    struct view view;             /* on the subject: for tables whose rows a page has made */
    struct view_subject *subject; /* what views are about: program, ranks, links and the like, worked out once */
    const bool *hidden;           /* of the subject: GPUs without pages; NULL: none */
    struct rl_page_list pages[RL_PAGE_COUNT];
    struct rl_experiment_key *experiments; /* those that have a page, by GPU, then in the order of the capture */
    size_t experiment_count;
    struct rl_roofline_entries *entries; /* one per GPU, found when asked for: rl_roofline_entries_of */
    const struct rl_families *families;  /* of the subject: of all kernels, each of one GPU */
    struct rl_ranked_finding *ranked;    /* all findings by what they could save, those of a family as one: rl_findings_rank */
    size_t ranked_count;
    struct rl_groups rows_of_gpu, ranked_of_row; /* indices in families->at of each GPU, in `ranked` of each of those */
    struct rl_kernel_blocks *blocks;             /* one per GPU: rl_kernel_blocks_of */
    size_t *kernel_targets;                      /* one per kernel: rl_kernel_target */
    size_t *metric_targets;                      /* one per metric: rl_metric_target */
    size_t *name_targets;                        /* one per kernel: rl_name_target */
    struct rl_kernel_charts *kernel_charts;      /* one per kernel with a block: kernels.h */
    bool used[RL_METRIC_COUNT];                  /* metrics that were printed: the last page explains them */
};

/* ---- pages.c: which pages there are ---- */

/* Whether the reader asked for all of it (--full), or for the section by its name. */
bool rl_report_is_full(const struct rl_report *report);

/* Whether it is the report of a whole suite, two experiments to a page: what leads to no decision is in the full one (--full). */
bool rl_report_is_of_suite(const struct rl_report *report);

/* Whether anything was measured of a kernel or of a variant as a whole: there is a first page. As `count` of a page. */
size_t rl_page_when_measured(const struct rl_document *doc);
/* Whether a kernel or variant of the GPU is in the capture. As `each_gpu` of a page. */
bool rl_page_gpu_was_measured(const struct rl_document *doc, size_t gpu);
/* Whether a kernel of the GPU is in the capture. As `each_gpu` of a page. */
bool rl_page_gpu_has_kernels(const struct rl_document *doc, size_t gpu);
/* Whether no page is about the GPU, because others stand for it. */
bool rl_page_hides_gpu(const struct rl_report *report, size_t gpu);

extern const struct rl_section_kind rl_pages[RL_PAGE_COUNT];
/* Finds the pairs of experiment and GPU that have variants. */
void rl_experiments_find(struct rl_report *report);
/* The GPU that instance `instance` of a page is about. */
size_t rl_page_gpu(const struct rl_report *report, enum rl_page_id id, size_t instance);
/* Whether pages about a GPU speak of GPU `other`, too: it is that, or stands for it. */
bool rl_page_covers_gpu(const struct rl_report *report, size_t gpu, size_t other);
/* The experiment and GPU of instance `instance` of the experiment pages. */
struct rl_experiment_key rl_experiment_key_of(const struct rl_report *report, size_t instance);
/* The pages about experiments on a GPU: instances `*first` and the following. Returns their number. */
size_t rl_experiments_on(const struct rl_report *report, size_t gpu, size_t *first);
/* Target of the page about this experiment on this GPU; RL_NO_TARGET when there is none. */
size_t rl_experiment_target(const struct rl_report *report, size_t experiment, size_t gpu);
/* Target of the first page `id`; RL_NO_TARGET when it is not shown. */
size_t rl_page_target(const struct rl_report *report, enum rl_page_id id);
/* Target of the page that tells more of what a rule says of a card. */
size_t rl_card_rule_target(const struct rl_report *report, enum rl_rule rule);
/* The same for the page about a GPU. */
size_t rl_gpu_target(const struct rl_report *report, enum rl_page_id id, size_t gpu);
/* Where the glossary explains a metric; RL_NO_TARGET when it is not shown. */
size_t rl_metric_target(const struct rl_report *report, enum rl_metric metric);
/* Target of a kernel's block; RL_NO_TARGET when it has none. */
size_t rl_kernel_target(const struct rl_report *report, size_t kernel);

/* ---- cover_program.c ---- */

/* Whether it is the report of a program with several kernels, with the pages that its reader needs to decide; all others are in the
 * whole one (--full). */
bool rl_report_is_of_program(const struct rl_report *report);

/* ---- page_published.c ---- */

/* Whether it is about figures that others have published: one page has them. */
bool rl_report_is_of_published(const struct rl_report *report);

/* ---- method_run.c ---- */

/* "What was run": the command, when, on which system, and what identifies the capture. */
void rl_method_draw_run(struct rl_report *report);
/* The SM clock of a card in the passes, and how its clocks were locked. */
const char *rl_method_clock_text(struct rl_report *report, size_t gpu);
/* How the clocks of a card were locked. */
const char *rl_method_lock_text(struct rl_report *report, size_t gpu);

/* ---- points.c: what lies below the roofs of a GPU ---- */

/* Lays that chart, the section's first, with its caption. */
void rl_roofline_draw_best(struct rl_report *report, const struct rl_section *section, size_t gpu);
/* Adds a roofline with the best variant of each experiment alone, by the experiment's name; NULL when none has a place there. */
struct rl_chart *rl_points_best(struct rl_report *report, struct rl_section *section, size_t gpu);
#endif
