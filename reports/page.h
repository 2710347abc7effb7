/* page.h - what a page of the report sees.
 *
 * A report is made in two steps. First every page that is to be shown adds its charts (`plan`); one gnuplot process draws them all.
 * Then the pages are laid out one after another (`draw`); each starts on a fresh sheet and may run over several. Short ones of
 * several GPUs stand below each other.
 */
#ifndef RL_REPORTS_PAGE_H
#define RL_REPORTS_PAGE_H

#include "analysis/families.h"
#include "chart.h"
#include "grid.h"
#include "layout.h"
#include "reports/report.h"

struct rl_report;
struct rl_section;
struct rl_spots;
struct rl_kernel_blocks;

/* A page of pages.def. */
struct rl_page {
    /* Appends the title of this instance; NULL: the row's title. */
    void (*title)(const struct rl_report *report, const struct rl_section *section, struct rl_buf *out);
    /* Adds charts with rl_report_chart; NULL: it has none. */
    void (*plan)(struct rl_report *report, struct rl_section *section);
    /* Lays it out; the sheet is there and the bookmark is set. */
    void (*draw)(struct rl_report *report, struct rl_section *section);
    /* It goes on below the page before when so many points are free there; 0: it begins a sheet. In short documents every page
     * goes on, where `room` points are free (0: RL_SHORT_ROOM). */
    double joins, room;
};
#define RL_SHORT_ROOM  76.0
#define RL_FRESH_SHEET 1e4 /* as `room`: never */

enum rl_page_id {
#define PAGE(id, title, when) RL_PAGE_##id,
#include "pages.def"
#undef PAGE
    RL_PAGE_COUNT
};

/* One instance of a page: what is shown for one GPU or one experiment. */
struct rl_section {
    enum rl_page_id id;
    size_t instance; /* 0 .. number of them - 1 */
    const char *title;
    size_t target;   /* for links */
    size_t bookmark; /* to put others below; set when it is drawn */
    size_t first_chart, chart_count;
};

/* What the instances of a page are about, and where they stand among the sections. */
struct rl_page_list {
    size_t *gpus; /* that it is about, ascending; of a page that is about no GPU those that were measured */
    size_t gpu_count;
    size_t first, count; /* sections; 0: it is not shown */
};
struct rl_experiment_key {
    size_t experiment, gpu;
};

struct rl_report {
    const struct rl_analysis *analysis;
    const struct rl_capture *capture;
    const struct rl_report_options *options;
    bool *hidden;   /* rl_ranks_hidden: GPUs without pages of their own; NULL: none */
    size_t *stands; /* rl_cards_stand_for */
    struct rl_page_list pages[RL_PAGE_COUNT];
    struct rl_experiment_key *experiments; /* those that have a page, by GPU, then in the order of the capture */
    size_t experiment_count;
    struct rl_layout *layout;
    struct rl_arena *arena; /* the layout's */
    struct rl_section *sections;
    size_t section_count, section_cap;
    struct rl_chart *charts;
    size_t chart_count, chart_cap;
    struct rl_chart_result *results;  /* one per chart once they are drawn */
    struct rl_spots *spots;           /* one per GPU, found when asked for: rl_spots_of */
    struct rl_families *families;     /* of all kernels, each of one GPU; there before anything is planned */
    struct rl_ranked_finding *ranked; /* all findings by what they could save, those of a family as one: rl_findings_rank */
    size_t ranked_count;
    struct rl_groups rows_of_gpu, ranked_of_row; /* indices in families->at of each GPU, in `ranked` of each of those */
    struct rl_kernel_blocks *blocks;             /* one per GPU: rl_kernel_blocks_of */
    size_t *kernel_targets;                      /* one per kernel: rl_kernel_target */
    size_t *metric_targets;                      /* one per metric: rl_metric_target */
    size_t *name_targets;                        /* one per kernel: rl_name_target */
    size_t *whatif;                              /* one per kernel: first chart beside its block, in its section, or RL_NONE */
    struct rl_kernel_charts *kernel_charts;      /* one per kernel with a block: kernels.h */
    bool used[RL_METRIC_COUNT];                  /* metrics that were printed: the last page explains them */
};

/* ---- pages.c: which pages there are ---- */

extern const struct rl_page *const rl_pages[RL_PAGE_COUNT];
extern const char *const rl_page_titles[RL_PAGE_COUNT];
extern const char *const rl_page_ids[RL_PAGE_COUNT];
/* Whether the document is a short one: of so few kernels of one GPU that each thing is said once, without pages that gather what
 * kernels have in common, and without what concerns none of them. Who asks for sections (--only) gets them in full. */
bool rl_report_short(const struct rl_report *report);
/* Finds out what pages are about, once the kernels with a block are chosen. */
void rl_pages_find(struct rl_report *report);
/* How many instances of a page this report has. */
size_t rl_page_count(const struct rl_report *report, enum rl_page_id id);
/* The GPU that instance `instance` of a page is about. */
size_t rl_page_gpu(const struct rl_report *report, enum rl_page_id id, size_t instance);
/* Whether the page of a rank's card speaks of GPU `other`, too, because both are alike. */
bool rl_page_tells_of(const struct rl_report *report, size_t gpu, size_t other);
/* Title of the row; on pages of a GPU with the rank behind it, where the capture has ranks, or the GPU's number, where it has
 * several. Appends. */
void rl_page_title(const struct rl_report *report, const struct rl_section *section, struct rl_buf *out);
/* Begins the section under its title, with the card's name behind it where the capture has several and no
 * ranks. */
void rl_page_heading(struct rl_report *report, const struct rl_section *section, size_t gpu);
/* The experiment and GPU of instance `instance` of the experiment pages. */
struct rl_experiment_key rl_experiment_key_of(const struct rl_report *report, size_t instance);
/* The pages about experiments on a GPU: instances `*first` and the following. Returns their number. */
size_t rl_experiments_on(const struct rl_report *report, size_t gpu, size_t *first);
/* Target of the page about this experiment on this GPU; RL_NO_TARGET when there is none. */
size_t rl_experiment_target(const struct rl_report *report, size_t experiment, size_t gpu);
/* Target of the first page `id`; RL_NO_TARGET when it is not shown. */
size_t rl_page_target(const struct rl_report *report, enum rl_page_id id);
/* The same for the page about a GPU. */
size_t rl_gpu_target(const struct rl_report *report, enum rl_page_id id, size_t gpu);
/* Where the glossary explains a metric; RL_NO_TARGET when it is not shown. */
size_t rl_metric_target(const struct rl_report *report, enum rl_metric metric);
/* Target of a kernel's block; RL_NO_TARGET when it has none. */
size_t rl_kernel_target(const struct rl_report *report, size_t kernel);

/* ---- report.c ---- */

/* Adds a chart, as wide as the page, to the section being planned; the pointer is good until the next one is added. Its `height` 0
 * means the natural one. Strings and arrays of it must be taken from the report's arena. */
struct rl_chart *rl_report_chart(struct rl_report *report, struct rl_section *section, enum rl_chart_kind kind);
/* What became of the section's `index`-th chart. */
const struct rl_chart_result *rl_report_result(const struct rl_report *report, const struct rl_section *section, size_t index);

/* ---- words.c: figures and names as text; everything belongs to the report's arena ---- */

const char *rl_words(struct rl_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "4.51 TB/s"; an en dash when missing. */
const char *rl_words_value(struct rl_report *report, enum rl_unit unit, struct rl_value value, int digits);
/* "928 ns": a time in seconds with three digits. */
const char *rl_words_seconds(struct rl_report *report, double seconds);
/* One scale for a column: the one that suits the median of the values that are not zero. */
struct rl_scale rl_words_scale(enum rl_unit unit, const struct rl_value *values, size_t count);
/* "0.3703–0.3712" in that scale, with up to two digits more where both ends would print alike; one number where they still do; ""
 * without an interval. */
const char *rl_words_interval(struct rl_report *report, double low, double high, bool has_interval, double factor, int digits);
/* A text from the capture for use in a sentence: printable, and shortened in the middle to `columns`. */
const char *rl_words_short(struct rl_report *report, const char *text, size_t columns);
/* A text of the suite in the document's manner: its long numbers in groups ("1 048 576" for "1,048,576"), "µs" for "us". */
const char *rl_words_told(struct rl_report *report, const char *text, size_t columns);
/* A text as the beginning of a sentence: its first letter a capital one. */
const char *rl_words_sentence(struct rl_report *report, const char *text);
/* Topic of an experiment as a heading, "Memory access". */
const char *rl_words_topic(struct rl_report *report, size_t experiment);
/* "2026-11-21 10:30:40 UTC", or "date unknown". */
const char *rl_words_date(struct rl_report *report);
/* Why nothing has counters, at the beginning of a sentence's end: "without counters (not permitted: ...)", or "runs timed as wholes
 * are not counted, so" when the session did collect. */
const char *rl_words_uncounted(struct rl_report *report);
/* "3 kernels", "1 kernel". */
const char *rl_words_count(struct rl_report *report, size_t count, const char *one, const char *many);
/* Name of the card, without the maker's name in front. */
const char *rl_words_card(struct rl_report *report, size_t gpu);
enum rl_tone rl_words_tone(enum rl_bound bound);
enum rl_mark rl_words_mark(enum rl_claim_outcome outcome);
/* "Held", at the beginning of a sentence. */
const char *rl_words_outcome(enum rl_claim_outcome outcome);

/* ---- page_method.c ---- */

/* "What was run": the command, when, on which system, and what identifies the capture. */
void rl_method_draw_run(struct rl_report *report);

/* ---- roofs.c: the roofs of a GPU; points.c: what lies below them ---- */

/* Adds the roofs of a GPU's DRAM roofline to `roofs`, which has room for RL_MOST_ROOFS; returns their number. `all`: also those
 * that no kernel works under. */
enum { RL_MOST_ROOFS = 18 };
size_t rl_roofs_of(struct rl_report *report, size_t gpu, bool all, struct rl_chart_roof *roofs);
/* True when a kernel of the GPU does work of this kind (a metric; RL_METRIC_COUNT: true of all). */
bool rl_roofs_used(const struct rl_report *report, size_t gpu, enum rl_metric work);
/* Its name for a chart. */
const char *rl_roofs_name(struct rl_report *report, enum rl_ceiling_id id);
/* Adds one ceiling as a roof, theoretical and measured: at most 2 roofs; returns their number. `main`: dark and wide. */
size_t rl_roofs_add(struct rl_report *report, size_t gpu, enum rl_ceiling_id id, bool main, struct rl_chart_roof *roof);
/* " Solid roofs are measured here, dashed ones theoretical at the clock of the passes; of theory, at the clock of each measurement:
 * DRAM 98.0 %, FP32 FMA 99.2 %.", as far as there are any. */
const char *rl_roofs_text(struct rl_report *report, size_t gpu, const struct rl_chart_roofline *chart);
/* The DRAM ceiling: theoretical and, when there is one, measured, as lines across a chart of bandwidths. */
size_t rl_roofs_dram_references(struct rl_report *report, size_t gpu, struct rl_chart_reference **references);

/* How the points of a chart are named. */
enum rl_naming {
    RL_NAME_ALL,     /* each by its name, by its number where there is no room */
    RL_NAME_BEST,    /* the best variant of each experiment by the experiment's name, unless one with more time lies beside it;
                        the others are small; of a program the kernels that take the most time */
    RL_NAME_NUMBERS, /* by the number in the table of the GPU's roofline page, kernels that take the most time by name */
};
/* Adds a roofline with the roofs and the spots of a GPU to the section; NULL when it would be empty. */
struct rl_chart *rl_points_roofline(struct rl_report *report, struct rl_section *section, size_t gpu, bool all_roofs,
                                    enum rl_naming naming);
/* Adds a strip with the spots that have no floating-point operations; NULL when there are none. Those under RL_STRIP_LEAST of the
 * DRAM roof are left out when there are others. */
#define RL_STRIP_LEAST 0.001
struct rl_chart *rl_points_strip(struct rl_report *report, struct rl_section *section, size_t gpu, enum rl_naming naming);
/* How the points of one of the two, and its roofs, were got. */
const char *rl_points_method(struct rl_report *report, size_t gpu, const struct rl_chart *chart);
/* How many points of a GPU's roofline and strip have a place: what decides how to name them. */
size_t rl_points_count(struct rl_report *report, size_t gpu);

#endif
