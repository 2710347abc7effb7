/* show.h - a capture as a whole: session, cards, ceilings, experiments, kernels and what follows from them.
 *
 * Rows are worked out once, so that a field's value costs the same however many rows there are. The subject is a struct
 * view_subject.
 */
#ifndef RL_RESULTS_SHOW_H
#define RL_RESULTS_SHOW_H

#include "results/subject.h"
#include "results/view.h"

struct view_kernel;
/* A row of view_record_show. */
struct view_show {
    struct view_subject *subject;
    struct view_kernel *classes; /* of each kernel of the capture, in its order */
    struct view_kernel *kernels; /* the same with families in the place of their classes */
    size_t kernel_count;
    size_t *place;    /* of each kernel of the capture: in `kernels`; RL_NONE: a family stands for it */
    size_t *families; /* those of many shapes, in the subject's */
    size_t family_count;
    bool loose; /* some kernels belong to no experiment */
};
/* Works the rows out; they live as long as the subject. */
struct view_show *view_show_new(struct view_subject *subject);

extern const struct view_record view_record_show;
/* A kernel: a class of launches, or a family of such classes as one. */
extern const struct view_record view_record_kernel;
/* All kernels of the capture, as rows of it. */
struct view_rows view_show_kernels(const struct view_show *show);
/* A line of a table of kernels: a class, in whose place its family stands where it has one, or a run of a variant as a whole. */
struct view_kernel_line {
    size_t kernel, variant; /* of the capture; RL_NONE as `kernel`: the run */
};
/* Lines as rows of it, in their order; they live as long as the subject. */
struct view_rows view_show_lines(struct view_subject *subject, const struct view_kernel_line *lines, size_t count);
/* Fields of it that are columns of the tables of `show`, beside the measured figures: ids with commas between them; NULL: none. */
struct view_kernel_columns {
    const char *before, *after;
};
extern const struct view_kernel_columns view_columns_of_variants, view_columns_of_kernels;
/* What such a row has of a counter that was asked for by name (analysis/counters.h); NULL: nothing, as families and whole runs. */
const struct rl_counter *view_show_counter(const void *row, const char *name);

/* What people are told first: which versions, when, where, from which command, how complete, signed by whom. A row is a struct
 * rl_capture. */
extern const struct view_record view_record_told_session;

#endif
