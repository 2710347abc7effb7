/* show.c - a capture as a whole. */
#include "results/show.h"

#include <assert.h>

#include "results/results.h"
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

static const struct view_show *show_of(const void *row)
{
    return row;
}

static const struct rl_capture *capture_of(const void *row)
{
    return show_of(row)->subject->capture;
}

VIEW_CELL(complete_cell, void, capture_of(row)->session.complete);
VIEW_CELL(capture_cell, void, view_cell_record(capture_of(row)));

enum list_key { LIST_GPUS, LIST_EXPERIMENTS, LIST_KERNELS, LIST_LOG, LIST_FINDINGS };

static struct view_cell list_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_capture *capture = capture_of(row);
    const struct rl_analysis *analysis = show_of(row)->subject->analysis;
    const struct view_kernel *classes = show_of(row)->classes;
    const struct view_rows rows[] = {
        [LIST_GPUS] = {capture->gpus, sizeof *capture->gpus, capture->gpu_count, NULL},
        [LIST_EXPERIMENTS] = {capture->experiments, sizeof *capture->experiments, capture->experiment_count, NULL},
        [LIST_KERNELS] = {classes, sizeof *classes, capture->kernel_count, NULL},
        [LIST_LOG] = {capture->log, sizeof *capture->log, capture->log_count, NULL},
        [LIST_FINDINGS] = {analysis->findings, sizeof *analysis->findings, analysis->finding_count, NULL},
    };
    assert((size_t)field->key < RL_COUNT(rows));
    return view_cell_rows(rows[field->key]);
}

VIEW_CELL(ceilings_cell, void, view_ceilings(view, RL_NONE));

static struct view_cell gains_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_rows rows = view_gains(show_of(row)->subject);
    return rows.count ? view_cell_rows(rows) : view_cell_absent("");
}

static struct view_cell families_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_show *show = row;
    const struct rl_family *at = show->subject->families->at;
    return show->loose ? view_cell_rows((struct view_rows){at, sizeof *at, show->family_count, show->families})
                       : view_cell_absent("");
}

static struct view_cell cases_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_rows rows = view_cases(view);
    return rows.count ? view_cell_rows(rows) : view_cell_absent("");
}

VIEW_CELL(program_cell, struct view_show, view_cell_record(row->subject->program));
VIEW_CELL(ranks_cell, struct view_show, view_cell_record(row->subject->ranks));

/* ---- links ---- */

enum links_key { LINKS_ALL, LINKS_EACH, LINKS_FROM_HOST, LINKS_TO_HOST, LINKS_FINDINGS };

static struct view_cell links_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_links *links = show_of(row)->subject->links;
    if (!links)
        return view_cell_absent("");
    if (field->type == VIEW_TYPE_RECORD)
        return view_cell_record(field->key == LINKS_ALL         ? (const void *)links
                                : field->key == LINKS_FROM_HOST ? (const void *)&links->from_host
                                                                : (const void *)&links->to_host);
    return view_cell_rows(field->key == LINKS_EACH ? VIEW_ROWS(links->links, links->capture->link_count)
                                                   : VIEW_ROWS(links->findings, links->finding_count));
}

#define LIST(which, of)        .type = VIEW_TYPE_LIST, .record = (of), .get = list_cell, .key = (which)
#define LINKS(kind, which, of) .type = VIEW_TYPE_##kind, .record = (of), .get = links_cell, .key = (which), .optional = true

/* clang-format off */
static const struct view_field show_fields[] = {
    {.id = "complete", VIEW_GET(BOOLEAN, complete_cell), .help = "whether the measurement ran to its end"},
    {.id = "session", VIEW_GET_RECORD(&view_record_session, capture_cell), .help = "who measured, with what, and when"},
    {.id = "gpus", LIST(LIST_GPUS, &view_record_gpu), .help = "the GPUs of the session"},
    {.id = "ceilings", VIEW_GET_LIST(&view_record_ceiling, ceilings_cell), .help = "roofs of the GPUs"},
    {.id = "experiments", LIST(LIST_EXPERIMENTS, &view_record_experiment), .help = "experiments of the suite"},
    {.id = "kernels", LIST(LIST_KERNELS, &view_record_kernel), .help = "every kernel class"},
    {.id = "families", VIEW_GET_LIST(&view_record_family, families_cell), .optional = true,
     .help = "kernels of many shapes, whose classes are elements of 'kernels'"},
    {.id = "cases", VIEW_GET_LIST(&view_record_case, cases_cell), .optional = true,
     .help = "work with parameters, timed several times: of NVTX ranges, or of a benchmark"},
    {.id = "program", VIEW_GET_RECORD(&view_record_program, program_cell), .optional = true, .help = "the observed program"},
    {.id = "ranks", VIEW_GET_RECORD(&view_record_ranks, ranks_cell), .optional = true,
     .help = "the ranks of the program, compared with one another"},
    {.id = "links", LINKS(LIST, LINKS_EACH, &view_record_link), .help = "links between GPUs, and between them and the host"},
    {.id = "host_to_all", LINKS(RECORD, LINKS_FROM_HOST, &view_record_link_total), .help = "from the host to all GPUs at once"},
    {.id = "all_to_host", LINKS(RECORD, LINKS_TO_HOST, &view_record_link_total), .help = "from all GPUs at once to the host"},
    {.id = "link_findings", LINKS(LIST, LINKS_FINDINGS, &view_record_link_finding), .help = "findings about links"},
    {.id = "findings", LIST(LIST_FINDINGS, &view_record_finding), .help = "findings about session and GPUs"},
    {.id = "gains", VIEW_GET_LIST(&view_record_gain, gains_cell), .optional = true,
     .help = "gains that rules predict, next to what was measured of pairs of variants"},
    {.id = "log", LIST(LIST_LOG, &view_record_log), .help = "log of the session"},
};
const struct view_record view_record_show = {
    .id = "show", .format = "rooflight", .help = "a capture: what was measured, and what follows from it",
    VIEW_FIELDS(show_fields)};
/* clang-format on */
