#include "results/subject.h"

#include "core/parts.h"

/* A subject on its way. */
enum { LEAST_KERNELS = 4096 }; /* fewer take less time than a thread */

struct making {
    struct view_subject *subject;
    enum rl_fold fold;
    struct rl_class_groups *of_program, *of_capture; /* NULL: there are none; the program's are those of the capture */
    struct rl_analysis *analysis;
};

/* Whether GPUs that are alike are one, which the analysis says. */
static bool joins_gpus(const struct making *making)
{
    const struct rl_capture *capture = making->subject->capture;
    return making->fold == RL_FOLD_ALIKE && rl_is_program(capture) && capture->gpu_count > 1;
}

/* The part that needs the capture alone. Classes of several ranks are one where they are alike; without ranks the classes of a
 * program are those of its capture. */
static void prepare(void *context)
{
    struct making *making = context;
    struct view_subject *subject = making->subject;
    const struct rl_capture *capture = subject->capture;
    subject->ranks = rl_has_ranks(capture) ? rl_ranks_new(capture) : NULL;
    subject->program = rl_is_program(capture) ? rl_program_new(capture) : NULL;
    if (subject->program && (subject->ranks || !joins_gpus(making)))
        making->of_program = rl_class_groups_new(capture, subject->program->classes, subject->program->class_count,
                                                 making->fold != RL_FOLD_NONE && subject->ranks ? RL_FOLD_RANKS : making->fold);
    if ((!subject->program || subject->ranks) && !joins_gpus(making))
        making->of_capture = rl_class_groups_of_capture(capture, making->fold);
    subject->links = capture->link_count ? rl_links_new(capture) : NULL;
    subject->hidden = rl_ranks_omitted(capture);
}

/* The part that needs the analysis. */
static struct view_subject *finish(struct making *making, const struct rl_analysis *analysis)
{
    struct view_subject *subject = making->subject;
    assert(analysis->capture == subject->capture);
    subject->analysis = analysis;
    if (joins_gpus(making)) {
        subject->represented = rl_cards_represented(analysis, NULL);
        making->of_capture = rl_class_groups_of_alike(analysis);
        /* Hides the GPUs for which another one stands. */
        const size_t count = subject->capture->gpu_count;
        bool *hidden = subject->hidden ? subject->hidden : rl_calloc(count, sizeof *hidden);
        for (size_t i = 0; i < count; i++) {
            hidden[i] |= subject->represented[i] != i;
            subject->folded |= subject->represented[i] != i;
        }
        if (!subject->hidden && !subject->folded)
            free(hidden);
        else
            subject->hidden = hidden;
    } else if (subject->ranks)
        subject->represented = rl_cards_represented(analysis, subject->hidden);
    if (making->of_program)
        subject->program_rows = rl_families_new(analysis, making->of_program);
    subject->families = making->of_capture ? rl_families_new(analysis, making->of_capture) : subject->program_rows;
    if (subject->program && !subject->program_rows)
        subject->program_rows = subject->families;
    subject->gain_count = rl_gain_records(analysis, &subject->gains);
    subject->cases = rl_cases_new(analysis);
    return subject;
}

static struct making begin(const char *name, const struct rl_capture *capture, enum rl_fold fold)
{
    struct making making = {.subject = rl_calloc(1, sizeof *making.subject), .fold = fold};
    making.subject->name = name;
    making.subject->capture = capture;
    return making;
}

struct view_subject *view_subject_new(const char *name, const struct rl_capture *capture, const struct rl_analysis *analysis,
                                      enum rl_fold fold)
{
    struct making making = begin(name, capture, fold);
    prepare(&making);
    return finish(&making, analysis);
}

static void analyse(void *context)
{
    struct making *making = context;
    making->analysis = rl_analysis_new(making->subject->capture);
}

struct view_subject *view_subject_analyse(const char *name, const struct rl_capture *capture, enum rl_fold fold,
                                          struct rl_analysis **analysis)
{
    struct making making = begin(name, capture, fold);
    rl_parts_both(capture->kernel_count, LEAST_KERNELS, analyse, prepare, &making);
    *analysis = making.analysis;
    return finish(&making, making.analysis);
}

size_t view_subject_stands_for(const struct view_subject *subject, size_t gpu)
{
    assert(gpu < subject->capture->gpu_count);
    return subject->represented ? rl_cards_count_represented(subject->represented, subject->capture->gpu_count, gpu) : 1;
}

bool view_subject_hides(const struct view_subject *subject, size_t gpu)
{
    assert(gpu < subject->capture->gpu_count);
    return subject->hidden && subject->hidden[gpu];
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
    rl_cases_free(subject->cases);
    free(subject->hidden);
    free(subject->represented);
    free(subject->gains);
    rl_arena_release(&subject->arena);
    free(subject);
}

struct view view_subject_view(struct view_subject *subject, const struct view_record *record, const void *row)
{
    return (struct view){.record = record, .row = row, .subject = subject, .arena = &subject->arena};
}

struct view_cell view_gpu_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_subject *subject = view->subject;
    size_t gpu;
    memcpy(&gpu, (const char *)row + field->key, sizeof gpu);
    return gpu == RL_NONE ? view_cell_absent("") : view_cell_integer(subject->capture->gpus[gpu].index);
}

const char *view_kernel_id(const struct view *view, const struct rl_kernel *kernel)
{
    char *id = rl_arena_alloc(view->arena, RL_KERNEL_ID);
    rl_kernel_id(kernel, id);
    return id;
}
