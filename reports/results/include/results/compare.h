/* compare.h - the `subject` of the views of a comparison: captures compared with the first one, by pair and by GPU, and projections
 * of its launches. */
#pragma once

#include "analysis/gate.h"
#include "analysis/projection.h"
#include "results/view.h"

/* A capture that takes part. All is borrowed but the order. */
struct view_part {
    const char *path, *name; /* of its file: as typed, and the shortest distinguishing end of it */
    const char *role;        /* its name for people: "base", "new", "GPU 3" */
    const struct rl_capture *capture;
    const struct rl_analysis *analysis;
    const struct rl_comparison *comparison; /* with the base; NULL: it is the base */
    const struct rl_gate *gate;             /* of that comparison; NULL: none was asked for */
    const void *bytes;                      /* of its file, which a document carries; NULL: it does not */
    size_t len;
    size_t first;            /* its first row in the list of all pairs */
    size_t *order;           /* of its pairs, as rl_comparison_sort has them */
    struct view_line *lines; /* whose samples changed */
    size_t line_count;
    bool has_limiters; /* a kernel of a pair has one, on either side */
};
/* A source line that has another share of the samples than in the base. */
struct view_line {
    const char *kernel; /* in the base */
    struct rl_line_change change;
};
/* An item of one capture. */
struct view_item {
    const struct rl_capture *capture;
    const struct rl_item *item;
    const struct rl_median *median; /* NULL: its times are not what the row is about */
    size_t other;                   /* position among the captures other than the base */
};
struct view_pair {
    size_t other;
    const struct view_part *part;
    const struct rl_pair *pair;
    struct view_item base, new;
};
/* A kernel on a GPU. */
struct view_on_card {
    const struct rl_columns *columns;
    size_t column, item;
};
struct view_card_kernel {
    const struct rl_capture *capture; /* the base */
    const struct rl_item *item;
    struct view_on_card *cards; /* the base first */
    size_t count;
};
/* A kernel on a GPU that was not measured. */
struct view_projected {
    const struct rl_projection *projection;
    const struct rl_projected *projected;
};
struct view_projection {
    const struct rl_projection *projection;
    struct view_projected *kernels;
    size_t count;
};

/* Options of the comparison. */
struct view_compare_options {
    const struct rl_columns *columns; /* of GPUs; NULL: before and after */
    double tolerance;                 /* of regressions; negative: the gate does not look for them */
    const struct rl_projection *const *projections;
    size_t projection_count;
    const struct rl_lineup *lineup; /* of GPUs, side by side; NULL: none */
    bool brief;                     /* what stayed the same is only counted: a summary for a review */
    bool all;                       /* all rows */
    bool folded;                    /* of many kernels on several GPUs one for each experiment */
    bool chosen;                    /* of GPUs, too, people want the table of pairs */
    bool charted;                   /* a chart has the speedups of all kernels: no table repeats them */
    bool numbered;                  /* many GPUs have numbers in heads of tables, where names find no room */
};
struct view_compare {
    struct view_compare_options options;
    struct view_part *parts; /* the base first */
    size_t count;
    struct view_pair *pairs; /* of all parts, in their order */
    size_t pair_count;
    struct view_card_kernel *kernels; /* of GPUs: the base's, as far as another GPU has them */
    size_t kernel_count;
    struct view_projection *projections;
    struct rl_arena arena;
};

/* `parts` are copied, except for their `role`, `first`, `order` and `lines`, which are made. Free with view_compare_free, before
 * what it borrows. */
struct view_compare *view_compare_new(const struct view_part *parts, size_t count, const struct view_compare_options *options);
/* Frees the result of view_compare_new. */
void view_compare_free(struct view_compare *compare);
/* Number of pairs over all parts that are regressions for the gate; `*unequal`: number of these with unequal work. */
size_t view_compare_regressions(const struct view_compare *compare, size_t *unequal);
/* A view of it: of view_record_cards where there are columns of GPUs, else of view_record_changes. Valid as long as it is. */
struct view view_compare_view(struct view_compare *compare);

extern const struct view_record view_record_changes, view_record_cards, view_record_projection;
/* A row is one of the captures other than the base. */
extern const struct view_record view_record_part;
/* The same as a review has room for: Markdown, and the first page of the document (compare_review.c). */
extern const struct view_record view_record_review;
/* Parts of it with separate pages: the causes of its changes, and how its kernels were matched. Rows: struct view_part. */
extern const struct view_record view_record_explained, view_record_matching;
/* Rows are a struct view_pair: what --columns, --sort, --where and CSV are about. */
extern const struct view_record view_record_pair;
