/* subject.h - the `subject` of the views of a capture: the capture and all results that are computed once, for the functions of
 * fields.
 */
#pragma once

#include "analysis/actions.h"
#include "analysis/cases.h"
#include "analysis/links.h"
#include "analysis/ranks.h"
#include "results/view.h"

struct view_subject {
    const char *name; /* of the capture, for people: its path. Borrowed, as the next two */
    const struct rl_capture *capture;
    const struct rl_analysis *analysis;
    struct rl_families *families;     /* of all classes, each of one GPU */
    struct rl_program *program;       /* NULL: the suite was measured */
    struct rl_families *program_rows; /* of the program's classes, ranks put together; NULL with `program` */
    struct rl_ranks *ranks;           /* NULL: there are none */
    struct rl_links *links;           /* NULL: none was measured */
    bool *hidden;                     /* rl_ranks_omitted, and GPUs that others stand for where `folded`; NULL: no GPU is */
    bool folded;                      /* RL_FOLD_ALIKE, and some GPUs are alike */
    size_t *represented;              /* rl_cards_represented, of ranks or RL_FOLD_ALIKE; NULL: every GPU stands for itself */
    struct rl_gain_record *gains;     /* rl_gain_records */
    size_t gain_count;
    struct rl_cases *cases; /* of ranges and benchmarks; count 0: there are none */
    struct rl_arena arena;
};

/* Computes it. `fold`: which classes are combined. Free with view_subject_free, before the analysis. */
struct view_subject *view_subject_new(const char *name, const struct rl_capture *capture, const struct rl_analysis *analysis,
                                      enum rl_fold fold);
/* The same with a new analysis, which the caller frees after it. For a large capture a second thread does the parts that need no
 * analysis. */
struct view_subject *view_subject_analyse(const char *name, const struct rl_capture *capture, enum rl_fold fold,
                                          struct rl_analysis **analysis);
/* Number of GPUs that a GPU represents, itself included; 0: another one represents it. */
size_t view_subject_stands_for(const struct view_subject *subject, size_t gpu);
/* Whether lists leave the GPU out. */
bool view_subject_hides(const struct view_subject *subject, size_t gpu);
/* Frees it; what was borrowed stays. */
void view_subject_free(struct view_subject *subject);
/* A view of `row` of `record` on the subject; valid as long as both are. */
struct view view_subject_view(struct view_subject *subject, const struct view_record *record, const void *row);

/* The ordinal of a GPU, whose place in the capture is the size_t at `key` of the row; absent where that is RL_NONE. */
struct view_cell view_gpu_cell(const struct view *view, const struct view_field *field, const void *row);
/* A field of one. */
#define VIEW_GPU(row, member) .type = VIEW_TYPE_INTEGER, .get = view_gpu_cell, .key = offsetof(row, member)

/* A member of what the subject's member `pointer` leads to, that as a record, and rows in it; absent where that is NULL. */
#define VIEW_SUBJECT(pointer, member)            .of_subject = true, VIEW_IN(struct view_subject, pointer, member)
#define VIEW_SUBJECT_RECORD(pointer, of)         .of_subject = true, VIEW_AT_POINTER(struct view_subject, pointer, of)
#define VIEW_SUBJECT_MEMBER(pointer, member, of) .of_subject = true, VIEW_IN_MEMBER(struct view_subject, pointer, member, of)
#define VIEW_SUBJECT_ROWS(pointer, items, number, of)                                                                              \
    .of_subject = true, VIEW_IN_ROWS(struct view_subject, pointer, items, number, of)

/* The short name of a kernel class, in the view's arena (rl_kernel_id). */
const char *view_kernel_id(const struct view *view, const struct rl_kernel *kernel);
