/* experiment.h - one experiment on one GPU, as the experiment page and its tables see it. */
#pragma once

#include "roofline_entries.h"

/* A value of the i-th variant; missing, with the reason, if it did not run, was not timed, or computed a wrong result. */
struct rl_view;
typedef struct rl_value (*rl_view_value)(struct rl_report *report, const struct rl_view *view, size_t i);

/* The variants of the experiment on the GPU as wholes. */
struct rl_view {
    const struct rl_experiment *experiment;
    struct rl_experiment_key key;
    const struct rl_roofline_entry *entries; /* `count` of them */
    size_t count;
    const struct rl_criterion *quantity; /* that variants are compared by (rl_best_variant_of) */
    bool comparable;                     /* by that quantity: the variants do the same work, per byte or in total */
    size_t best, worst;                  /* by that quantity; RL_NONE: fewer than two variants have it */
};

enum { RL_VIEW_MOST = 60, RL_VIEW_TIGHT = 8 }; /* from RL_VIEW_TIGHT rows on tables are set closer */
/* Where there are more than RL_VIEW_MOST variants, evenly spaced ones, the best and the last; otherwise all. Belongs to the
 * report's arena. */
struct rl_view rl_view_choose(struct rl_report *report, const struct rl_view *view);

/* Belongs to the report's arena. */
struct rl_view rl_view_of(struct rl_report *report, struct rl_experiment_key key);

/* Whether the experiment declares that its tables show the column: a metric's id, RL_COLUMN_GAP, RL_COLUMN_ERROR. */
bool rl_view_declares(const struct rl_view *view, const char *column);
/* The setting of the i-th variant with this key; NULL: it has none. */
const struct rl_setting *rl_view_setting(const struct rl_report *report, const struct rl_view *view, size_t i, const char *key);

/* Variant `i` of the view. */
const struct rl_variant *rl_view_variant(const struct rl_report *report, const struct rl_view *view, size_t i);

/* Median time of a run, s. */
struct rl_value rl_view_time(struct rl_report *report, const struct rl_view *view, size_t i);
/* The value at this offset of struct rl_variant_result. */
struct rl_value rl_view_result(const struct rl_view *view, size_t i, size_t at);
/* Median of what lies between one kernel and the next on the timeline of a run, where it is timed by the host's clock and copies
 * nothing: runs that copy have their timeline drawn. */
struct rl_value rl_view_gap(struct rl_report *report, const struct rl_view *view, size_t i);
/* The largest absolute difference between result and reference, from the variant's check. */
struct rl_value rl_view_error(struct rl_report *report, const struct rl_view *view, size_t i);
/* Registers of a thread. */
struct rl_value rl_view_registers(struct rl_report *report, const struct rl_view *view, size_t i);
/* A metric of a run (rl_entry_metric). */
struct rl_value rl_view_metric(struct rl_report *report, const struct rl_view *view, size_t i, enum rl_metric metric);

/* The quantity that the experiment is judged by, with its 95 % CI (NAN: none). */
struct rl_view_figure {
    struct rl_value value;
    double low, high;
};
/* The quantity that the experiment is judged by, with its interval. */
struct rl_view_figure rl_view_figure(struct rl_report *report, const struct rl_view *view, size_t i);

/* The best figure over the worst or its inverse: at least 1. */
double rl_view_range(struct rl_report *report, const struct rl_view *view);

/* How the runs of variants are timed (`measure` of a variant, as captures say it). */
struct rl_measure_row {
    const char *id;     /* "span"; NULL: of a way that this version does not know */
    const char *column; /* in a table: "GPU timeline" */
    const char *method; /* after "Median of 31 ...": "runs without counters on the GPU's timeline, from ..." */
};
/* Never NULL. `measure` may be NULL. */
const struct rl_measure_row *rl_measure_of(const char *measure);
/* The way that all variants have in common; NULL when there is none. */
const struct rl_measure_row *rl_view_measure(const struct rl_report *report, const struct rl_view *view);

/* ---- page_experiment.c ---- */

/* Free points with which an experiment of a whole suite goes on below the section before: as many as it takes, so that it stands on
 * one page, unless that leaves the page before with too little. */
double rl_experiment_room(const struct rl_document *doc, const struct rl_section *section);

/* ---- experiment_tables.c ---- */

/* "Variants": times, rates, shares. */
void rl_view_draw_variants(struct rl_report *report, const struct rl_view *view);
/* "What the counters say", with the work model next to the counters. */
void rl_view_draw_counters(struct rl_report *report, const struct rl_view *view);
/* Figures published for other GPUs, next to those of this one; nothing if there are none. */
void rl_view_draw_references(struct rl_report *report, const struct rl_view *view);

/* ---- experiment_curve.c ---- */

/* Adds the curve of what the experiment is judged by over its parameter; NULL: it is not drawn as one. */
struct rl_chart *rl_view_plan_curve(struct rl_report *report, struct rl_section *section, const struct rl_view *view);
/* The DRAM roof across a chart of bandwidths: its count; none across others. */
size_t rl_view_roof_lines(struct rl_report *report, const struct rl_view *view, struct rl_chart_reference **references);
