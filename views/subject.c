#include "views/subject.h"

#include <assert.h>
#include <stdlib.h>

/* Classes of several ranks are one where they are alike. */
static struct rl_families *program_rows(const struct view_subject *subject, enum rl_fold fold)
{
    const struct rl_program *program = subject->program;
    const enum rl_fold of_ranks = fold != RL_FOLD_NONE && subject->ranks ? RL_FOLD_RANKS : fold;
    return rl_families_new(subject->analysis, program->classes, program->class_count, of_ranks);
}

struct view_subject *view_subject_new(const char *name, const struct rl_capture *capture, const struct rl_analysis *analysis,
                                      enum rl_fold fold)
{
    struct view_subject *subject = rl_calloc(1, sizeof *subject);
    assert(analysis->capture == capture);
    *subject = (struct view_subject){.name = name, .capture = capture, .analysis = analysis};
    subject->ranks = rl_has_ranks(capture) ? rl_ranks_new(capture) : NULL;
    subject->program = rl_is_program(capture) ? rl_program_new(capture) : NULL;
    if (subject->program)
        subject->program_rows = program_rows(subject, fold);
    /* Without ranks the classes of a program are those of its capture. */
    subject->families = subject->program && !subject->ranks ? subject->program_rows : rl_families_of_capture(analysis, fold);
    subject->links = capture->link_count ? rl_links_new(capture) : NULL;
    subject->hidden = rl_ranks_omitted(capture);
    subject->alike = subject->ranks ? rl_cards_count_equivalent(analysis, subject->hidden) : NULL;
    subject->gain_count = rl_gain_records(analysis, &subject->gains);
    return subject;
}

void view_subject_free(struct view_subject *subject)
{
    if (subject->families != subject->program_rows)
        rl_families_free(subject->families);
    if (subject->program) {
        rl_families_free(subject->program_rows);
        rl_program_free(subject->program);
    }
    if (subject->ranks)
        rl_ranks_free(subject->ranks);
    if (subject->links)
        rl_links_free(subject->links);
    free(subject->hidden);
    free(subject->alike);
    free(subject->gains);
    rl_arena_release(&subject->arena);
    free(subject);
}

struct view view_subject_view(struct view_subject *subject, const struct view_record *record, const void *row)
{
    return (struct view){.record = record, .row = row, .subject = subject, .arena = &subject->arena};
}
