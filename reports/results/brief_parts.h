/* brief_parts.h - what a brief is made of (private to reports/results/). */
#pragma once

#include "results/brief.h"
#include "show_parts.h"

/* A kernel: a class alone, or a family. */
struct view_brief_kernel {
    struct view_kernel kernel;
    const struct rl_family *family;
    const struct rl_kernel_result *told; /* whose limits and metrics are shown: its own, of a family those of the counted shape with
                                            the most time; NULL: none was counted */
    const struct rl_ranked_finding *findings; /* the first of its findings */
    size_t finding_count;
    bool detailed; /* with limits, findings and unknowns */
};
struct view_brief {
    struct view_subject *subject;
    bool chosen;     /* kernels were asked for */
    bool all;        /* every kernel is in `kernels` */
    size_t matching; /* kernels that match, or all */
    struct view_brief_kernel *kernels;
    size_t kernel_count;
    struct view_brief_kernel *others; /* where kernels were asked for: those that match and have less GPU time */
    size_t other_count;
    struct rl_ranked_finding *findings; /* of an overview: those that matter most */
    size_t finding_count;
    double told_share; /* of the GPU time: that of `kernels` and `others` */
};

/* An unknown: its reason, and the option that collects it. */
struct view_unknown {
    const char *what, *reason, *how; /* how: a command, or that none helps; NULL: the reason has it */
    size_t order;
    bool is_option;   /* `how` is an option that collects it */
    bool decides;     /* without it a limiter is unknown */
    uint64_t kernels; /* of an overview: so many have the same, with this share of the GPU time */
    double share;
};
/* The unknowns of one kernel, at most VIEW_BRIEF_UNKNOWN. In the arena of the view. */
struct view_rows view_unknown_of_kernel(const struct view *view, const struct view_brief_kernel *kernel);
/* The unknowns of an overview: why its kernels have no counters, the most GPU time first. */
struct view_rows view_unknown_of_brief(const struct view *view, const struct view_brief *brief);
extern const struct view_record view_record_unknown;

/* The largest cause of times without a kernel, where they are more than 3 % of the time; otherwise NULL. In the arena of the view.
 */
const void *view_gap_of_brief(const struct view *view);
extern const struct view_record view_record_brief_gap;

/* In a line; a row is a struct view_brief_kernel. */
extern const struct view_record view_record_brief_other;

/* Texts of a capture are shortened to so many columns, in data, too. */
enum { VIEW_BRIEF_TEXT = 360 };
/* In the arena of the view; cut behind a clause or a word, a single long word in its middle. */
const char *view_brief_text(const struct view *view, const char *text);
