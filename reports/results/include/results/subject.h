/* subject.h - what the views of a capture are about: the capture and all that is worked out of it once.
 *
 * It is the `subject` of their rl_view, so that a field's function finds what it needs besides its row.
 */
#ifndef RL_RESULTS_SUBJECT_H
#define RL_RESULTS_SUBJECT_H

#include "analysis/analysis.h"
#include "analysis/cases.h"
#include "analysis/families.h"
#include "analysis/gains.h"
#include "analysis/links.h"
#include "analysis/program.h"
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
    bool *hidden;                     /* rl_ranks_omitted, or of view_subject_fold_models; NULL: no GPU is */
    bool folded;                      /* `hidden` is of view_subject_fold_models */
    size_t *alike;                    /* rl_cards_count_equivalent, of ranks only; NULL: every card stands for itself */
    struct rl_gain_record *gains;     /* rl_gain_records */
    size_t gain_count;
    struct rl_cases *cases; /* of ranges and benchmarks; count 0: there are none */
    struct rl_arena arena;
};

/* Works it out. `fold`: which classes are a family. Free with view_subject_free. */
struct view_subject *view_subject_new(const char *name, const struct rl_capture *capture, const struct rl_analysis *analysis,
                                      enum rl_fold fold);
/* The same with an analysis made for it, to be freed by the caller after it: of a large capture another thread does meanwhile what
 * needs no analysis. */
struct view_subject *view_subject_analyse(const char *name, const struct rl_capture *capture, enum rl_fold fold,
                                          struct rl_analysis **analysis);
/* Hides the GPUs of a program, unless of ranks, for which another GPU of the same model stands: the one with the most kernel time.
 */
void view_subject_fold_models(struct view_subject *subject);
/* Whether lists leave the GPU out. */
bool view_subject_hides(const struct view_subject *subject, size_t gpu);
/* Frees it; what was borrowed stays. */
void view_subject_free(struct view_subject *subject);
/* A view of `row` of `record` on the subject; valid as long as both are. */
struct view view_subject_view(struct view_subject *subject, const struct view_record *record, const void *row);

#endif
