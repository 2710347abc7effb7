/* show.c - a capture as a whole. */
#include "results/show.h"

#include "show_parts.h"

/* ---- rows ---- */

static void find_classes(struct view_show *show)
{
    const struct view_subject *subject = show->subject;
    const struct rl_families *families = subject->families;
    show->classes = rl_arena_alloc(&show->subject->arena, subject->capture->kernel_count * sizeof *show->classes);
    for (size_t i = 0; i < subject->capture->kernel_count; i++)
        show->classes[i] = view_kernel_of_class(subject, i);
    for (size_t i = 0; i < families->count; i++)
        for (size_t j = 0; j < families->at[i].shapes; j++)
            show->classes[families->at[i].classes[j].kernel].class = &families->at[i].classes[j];
}

/* A family stands where its first class is. */
static void find_kernels(struct view_show *show)
{
    struct view_subject *subject = show->subject;
    const size_t all = subject->capture->kernel_count;
    show->kernels = rl_arena_alloc(&subject->arena, all * sizeof *show->kernels);
    for (size_t i = 0; i < all; i++) {
        const struct rl_family *family = &subject->families->at[subject->families->of_kernel[i]];
        if (family->kernel == i)
            show->kernels[show->kernel_count++] = family->figures ? view_kernel_of_family(subject, family) : show->classes[i];
    }
}

struct view_show *view_show_new(struct view_subject *subject)
{
    struct view_show *show = rl_arena_alloc(&subject->arena, sizeof *show);
    *show = (struct view_show){.subject = subject};
    find_classes(show);
    find_kernels(show);
    /* Families of shapes, and whether there are kernels of no experiment at all. */
    const struct rl_families *families = show->subject->families;
    show->families = rl_arena_alloc(&show->subject->arena, families->folded * sizeof *show->families);
    for (size_t i = 0; i < families->count; i++)
        if (families->at[i].figures)
            show->families[show->family_count++] = i;
    for (size_t i = 0; i < show->subject->capture->kernel_count; i++)
        show->loose = show->loose || show->subject->capture->kernels[i].variant == RL_NONE;
    assert(show->family_count == families->folded);
    return show;
}

struct view_rows view_show_kernels(const struct view_show *show)
{
    return VIEW_ROWS(show->kernels, show->kernel_count);
}

struct view_rows view_show_kernel(struct view_subject *subject, size_t kernel)
{
    struct view_kernel *row = rl_arena_alloc(&subject->arena, sizeof *row);
    const struct rl_family *family = &subject->families->at[subject->families->of_kernel[kernel]];
    *row = family->figures ? view_kernel_of_family(subject, family) : view_kernel_of_class(subject, kernel);
    row->class = family->classes;
    return VIEW_ROWS(row, 1);
}

/* ---- lists ---- */

VIEW_CELL(classes_cell, struct view_show,
          ((struct view_rows){row->classes, sizeof *row->classes, row->subject->capture->kernel_count, NULL}));
VIEW_CELL(ceilings_cell, void, view_ceilings(view, RL_NONE));

VIEW_CELL_IF(gains_cell, struct view_show, view_gains(row->subject).count, view_gains(row->subject));

VIEW_CELL_IF(families_cell, struct view_show, row->loose,
             ((struct view_rows){row->subject->families->at, sizeof *row->subject->families->at, row->family_count,
                                 row->families}));

VIEW_CELL_IF(cases_cell, struct view_show, view_cases(view).count, view_cases(view));

VIEW_CELL_IF(links_cell, struct view_show, row->subject->links,
             VIEW_ROWS(row->subject->links->links, row->subject->capture->link_count));

/* clang-format off */
static const struct view_field show_fields[] = {
    {.id = "complete", VIEW_SUBJECT(capture, session.complete), .help = "whether the measurement ran to its end"},
    {.id = "session", VIEW_SUBJECT_RECORD(capture, &view_record_session), .help = "who measured, with what, and when"},
    {.id = "gpus", VIEW_SUBJECT_ROWS(capture, gpus, gpu_count, &view_record_gpu), .help = "the GPUs of the session"},
    {.id = "ceilings", VIEW_GET_LIST(&view_record_ceiling, ceilings_cell), .help = "roofs of the GPUs"},
    {.id = "experiments", VIEW_SUBJECT_ROWS(capture, experiments, experiment_count, &view_record_experiment),
     .help = "experiments of the suite"},
    {.id = "kernels", VIEW_GET_LIST(&view_record_kernel, classes_cell), .help = "every launch configuration"},
    {.id = "families", VIEW_GET_LIST(&view_record_family, families_cell), .optional = true,
     .help = "kernels of many configurations, which are elements of 'kernels'"},
    {.id = "cases", VIEW_GET_LIST(&view_record_case, cases_cell), .optional = true,
     .help = "work with parameters, timed several times: of NVTX ranges, or of a benchmark"},
    {.id = "program", VIEW_SUBJECT_RECORD(program, &view_record_program), .optional = true, .help = "the observed program"},
    {.id = "ranks", VIEW_SUBJECT_RECORD(ranks, &view_record_ranks), .optional = true,
     .help = "the ranks of the program, compared with one another"},
    {.id = "links", VIEW_GET_LIST(&view_record_link, links_cell), .optional = true,
     .help = "links between GPUs, and between them and the host"},
    {.id = "host_to_all", VIEW_SUBJECT_MEMBER(links, from_host, &view_record_link_total), .optional = true,
     .help = "from the host to all GPUs at once"},
    {.id = "all_to_host", VIEW_SUBJECT_MEMBER(links, to_host, &view_record_link_total), .optional = true,
     .help = "from all GPUs at once to the host"},
    {.id = "link_findings", VIEW_SUBJECT_ROWS(links, findings, finding_count, &view_record_link_finding), .optional = true,
     .help = "findings about links"},
    {.id = "findings", VIEW_SUBJECT_ROWS(analysis, findings, finding_count, &view_record_finding),
     .help = "findings about session and GPUs"},
    {.id = "gains", VIEW_GET_LIST(&view_record_gain, gains_cell), .optional = true,
     .help = "gains that rules predict, next to what was measured of pairs of variants"},
    {.id = "log", VIEW_SUBJECT_ROWS(capture, log, log_count, &view_record_log), .help = "log of the session"},
};
const struct view_record view_record_show = {
    .id = "show", .format = "rooflight", .help = "a capture: what was measured, and what follows from it",
    VIEW_FIELDS(show_fields)};
/* clang-format on */
