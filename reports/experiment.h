/* experiment.h - one experiment on one GPU, as the experiment page and its tables see it. */
#ifndef RL_REPORTS_EXPERIMENT_H
#define RL_REPORTS_EXPERIMENT_H

#include "page.h"

/* The variants of the experiment on the GPU, with the results of those that ran. */
struct rl_view {
    const struct rl_experiment *experiment;
    struct rl_experiment_key key;
    size_t *variants;                        /* indices in the capture */
    const struct rl_kernel_result **results; /* NULL: no kernel of it */
    size_t count;
    bool bandwidth;  /* judged by useful bandwidth: its claims speak of it, or not of time, and all variants that were timed have it
                      */
    bool comparable; /* by bandwidth, or all variants do the same work */
    size_t best, worst; /* by bandwidth or time; RL_NONE: fewer than two variants have it */
};

/* Belongs to the report's arena. */
struct rl_view rl_view_of(struct rl_report *report, const struct rl_section *section);

const struct rl_variant *rl_view_variant(const struct rl_report *report, const struct rl_view *view, size_t i);
/* NULL: no kernel of it was seen. */
const struct rl_kernel *rl_view_kernel(const struct rl_report *report, const struct rl_view *view, size_t i);

/* A value of the i-th variant; missing with the reason when it did not run, or computed the wrong thing. */
typedef struct rl_value (*rl_view_value)(struct rl_report *report, const struct rl_view *view, size_t i);
struct rl_value rl_view_time(struct rl_report *report, const struct rl_view *view, size_t i);
struct rl_value rl_view_bandwidth(struct rl_report *report, const struct rl_view *view, size_t i);
struct rl_value rl_view_registers(struct rl_report *report, const struct rl_view *view, size_t i);
struct rl_value rl_view_metric(struct rl_report *report, const struct rl_view *view, size_t i, enum rl_metric metric);

/* What the experiment is judged by (bandwidth or time), with its 95 % interval (NAN: none). */
struct rl_view_figure {
    struct rl_value value;
    double low, high;
};
struct rl_view_figure rl_view_figure(struct rl_report *report, const struct rl_view *view, size_t i);

/* ---- experiment_tables.c ---- */

/* "Variants": times, bandwidths, shares. */
void rl_view_draw_variants(struct rl_report *report, const struct rl_view *view);
/* "What the counters say", with the work model beside the counters. */
void rl_view_draw_counters(struct rl_report *report, const struct rl_view *view);
/* Figures published for other cards beside those of this one; nothing when there are none. */
void rl_view_draw_references(struct rl_report *report, const struct rl_view *view);

#endif
