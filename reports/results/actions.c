/* actions.c - what limits the GPU time of a program as a whole, and what to do first (analysis/actions.h). */
#include "analysis/actions.h"
#include "show_parts.h"

/* ---- time by limiter ---- */

struct limiter {
    size_t limiter;
    double gpu_s, total_s;
};

VIEW_CELL(limiter_text_cell, struct limiter, field->for_people ? rl_limiter_label(row->limiter) : rl_limiter_id(row->limiter));

VIEW_CELL(limiter_share_cell, struct limiter, row->gpu_s / row->total_s);

/* clang-format off */
static const struct view_field limiter_fields[] = {
    {.id = "limiter", VIEW_GET(TEXT, limiter_text_cell), .shown = VIEW_ON_REQUEST,
     .help = "what limits these kernels: a resource, 'latency', 'parallelism', 'start_and_drain', 'launch_overhead' or 'unknown'"},
    {.id = "limit_text", .head = "limited by", VIEW_GET(TEXT, limiter_text_cell), .for_people = true,
     .identifies = true, .help = "the same in words"},
    {.id = "gpu_s", .head = "GPU time", VIEW_AT(struct limiter, gpu_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "GPU time of the kernels that it limits"},
    {.id = "share", .head = "share", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = limiter_share_cell,
     .bar = true, .help = "its share of the GPU time of all kernels"},
};
/* clang-format on */
const struct view_record view_record_limiter = {
    .id = "limiter", .help = "GPU time of all kernels with one limiter", VIEW_FIELDS(limiter_fields)};

struct view_cell view_limiters_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_subject *subject = view_subject_of(view);
    const struct rl_time_by_limiter time = rl_time_by_limiter_of(subject->analysis, subject->families, RL_NONE);
    struct limiter *limiters = rl_arena_alloc(view->arena, RL_LIMITER_COUNT * sizeof *limiters);
    for (size_t i = 0; i < time.count; i++)
        limiters[i] = (struct limiter){time.of[i].limiter, time.of[i].gpu_s, time.total_s};
    return view_cell_rows(VIEW_ROWS(limiters, time.count));
}

/* ---- time in kernels of libraries ---- */

static const struct view_field library_fields[] = {
    {.id = "library",
     VIEW_AT(struct rl_library_time, library),
     .identifies = true,
     .help = "whose kernels they are, by their names"},
    {.id = "gpu_s", VIEW_AT(struct rl_library_time, gpu_s), .unit = RL_UNIT_SECOND, .digits = 3, .help = "GPU time of its kernels"},
    {.id = "share",
     VIEW_AT(struct rl_library_time, share),
     .unit = RL_UNIT_FRACTION,
     .digits = 3,
     .help = "its share of the GPU time of all kernels"},
};
const struct view_record view_record_library = {
    .id = "library", .help = "GPU time of the kernels of a library", VIEW_FIELDS(library_fields)};

struct view_cell view_libraries_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_subject *subject = view_subject_of(view);
    struct rl_library_time *libraries = rl_arena_alloc(view->arena, RL_MOST_LIBRARIES * sizeof *libraries);
    const size_t count = rl_time_by_library_of(subject->analysis, subject->families, RL_NONE, libraries);
    return view_cell_rows(VIEW_ROWS(libraries, count));
}

void view_libraries_text(const struct rl_analysis *analysis, const struct rl_families *families, size_t gpu, struct rl_buf *out)
{
    struct rl_library_time libraries[RL_MOST_LIBRARIES];
    const size_t count = rl_time_by_library_of(analysis, families, gpu, libraries);
    for (size_t i = 0; i < count && libraries[i].share >= RL_LEAST_SHARE; i++) {
        rl_buf_addf(out, "%s%s ", i ? ", " : "", libraries[i].library);
        rl_unit_format(out, RL_UNIT_FRACTION, libraries[i].share, 3);
    }
}

struct view_cell view_libraries_text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_subject *subject = view_subject_of(view);
    struct rl_buf text = RL_BUF_IN(view->arena);
    view_libraries_text(subject->analysis, subject->families, RL_NONE, &text);
    return view_cell_kept(view, &text);
}

/* ---- actions ---- */

static const struct rl_family *family_of(const struct view *view, const struct rl_action *action)
{
    const struct rl_families *families = view_subject_of(view)->families;
    return &families->at[families->of_kernel[action->found.kernel]];
}

VIEW_CELL(problem_cell, struct rl_action, rl_rules[row->found.finding->rule].problem);
VIEW_CELL_IF(why_not_cell, struct rl_action, !rl_present(row->saving_s), rl_value_reason(row->saving_s));
VIEW_CELL_IF(kernel_cell, struct rl_action, row->found.kernel != RL_NONE, family_of(view, row)->label);
VIEW_CELL_IF(kernel_id_cell, struct rl_action, row->found.kernel != RL_NONE,
             family_of(view, row)->figures ? family_of(view, row)->id : family_of(view, row)->classes->id);

/* clang-format off */
static const struct view_field action_fields[] = {
    {.id = "id", VIEW_IN(struct rl_action, found.finding, id), .help = "which rule found it: 'list findings' has them"},
    {.id = "problem", VIEW_GET(TEXT, problem_cell), .identifies = true, .help = "what is wrong, in a few words"},
    {.id = "kernel", VIEW_GET(TEXT, kernel_cell), .optional = true, .help = "label of the kernel; absent: of the whole run"},
    {.id = "kernel_id", VIEW_GET(TEXT, kernel_id_cell), .optional = true, .help = "its short name"},
    {.id = "text", VIEW_IN(struct rl_action, found.finding, text), .help = "the evidence, and what to do"},
    {.id = "saving_s", VIEW_AT(struct rl_action, saving_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "upper bound on the time saved in the run"},
    {.id = "unknown_because", VIEW_GET(TEXT, why_not_cell), .for_people = true,
     .help = "why it is unknown what it could save"},
    {.id = "concerns_s", VIEW_AT(struct rl_action, concerns_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "GPU time that it affects, or in which the GPU was idle"},
};
/* clang-format on */
const struct view_record view_record_action = {
    .id = "action", .help = "what to do, and what it could save", VIEW_FIELDS(action_fields)};

struct view_cell view_actions_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_subject *subject = view_subject_of(view);
    struct rl_action *actions = rl_arena_alloc(view->arena, RL_MOST_ACTIONS * sizeof *actions);
    assert(view->arena);
    const size_t count = rl_actions_of(subject->analysis, subject->families, RL_NONE, actions, RL_MOST_ACTIONS);
    return view_cell_rows(VIEW_ROWS(actions, count));
}
