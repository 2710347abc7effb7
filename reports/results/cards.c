/* cards.c - the GPUs of a capture: facts, readings, sentences about each. */
#include "show_parts.h"

/* ---- readings ---- */

VIEW_CELL(at_cell, struct rl_gpu_moment, (double)row->at_ns / 1e9);

/* "before, at 0.4 s". */
VIEW_CELL(when_cell, struct rl_gpu_moment,
          rl_arena_printf(view->arena, "%s, at %.1f\u00a0s", row->moment, (double)row->at_ns / 1e9));

/* clang-format off */
static const struct view_field moment_fields[] = {
    {.id = "when", VIEW_GET(TEXT, when_cell), .for_people = true, .identifies = true, .shown = VIEW_ON_REQUEST,
     .help = "when it was read"},
    {.id = "moment", VIEW_AT(struct rl_gpu_moment, moment), .shown = VIEW_ON_REQUEST,
     .help = "'before', 'during' or 'after' the session"},
    {.id = "at_s", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .get = at_cell, .shown = VIEW_ON_REQUEST,
     .help = "when, since the start of the session"},
#define READING(name, of, label)                                                                                                   \
    {.id = #name, .head = (label), .type = VIEW_TYPE_NUMBER, .access = VIEW_AT_VALUE, .unit = RL_UNIT_##of,                        \
     .digits = RL_UNIT_##of == RL_UNIT_HERTZ ? 4 : 3,                                                                              \
     .at = offsetof(struct rl_gpu_moment, reading) + RL_READING_##name * sizeof(struct rl_value), .help = (label)},
#include "capture/readings.def"
};
/* clang-format on */
const struct view_record view_record_gpu_moment = {
    .id = "moment", .help = "what was read from the GPU at a moment", VIEW_FIELDS(moment_fields)};

/* ---- facts ---- */

VIEW_CELL(capability_cell, struct rl_gpu,
          row->cc_major ? rl_arena_printf(view->arena, "%d.%d", row->cc_major, row->cc_minor) : NULL);
VIEW_CELL(driver_cell, void, view_subject_of(view)->capture->session.driver);

/* Several GPUs that are alike have one line. */
static struct view_cell place_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_subject *subject = view_subject_of(view);
    const struct rl_gpu *gpu = row;
    const bool all_shown = subject->folded || !subject->hidden;
    const size_t alike = all_shown ? view_subject_stands_for(subject, (size_t)(gpu - subject->capture->gpus)) : 1;
    return view_cell_text(alike > 1 ? rl_arena_printf(view->arena, "%zu GPUs", alike)
                                    : rl_arena_printf(view->arena, "GPU %d", gpu->index));
}

VIEW_CELL(name_of_several_cell, struct rl_gpu, view_subject_of(view)->capture->gpu_count > 1 ? row->name : NULL);

/* clang-format off */
static const struct view_field gpu_fields[] = {
    {.id = "index", .head = "GPU", VIEW_AT(struct rl_gpu, index), .identifies = true, .help = "CUDA ordinal in the session"},
    {.id = "name", .head = "name", VIEW_AT(struct rl_gpu, name), .help = "name of the product"},
    {.id = "uuid", VIEW_AT(struct rl_gpu, uuid), .help = "its UUID"},
    {.id = "chip", VIEW_AT(struct rl_gpu, chip), .help = "CUPTI's name of the chip"},
    {.id = "compute_capability", VIEW_GET(TEXT, capability_cell), .help = "compute capability"},
    {.id = "driver", VIEW_GET(TEXT, driver_cell), .help = "version of the driver"},
#define FACT(name, of, text)                                                                                                       \
    {.id = #name, .head = (text), .type = VIEW_TYPE_NUMBER, .access = VIEW_AT_VALUE, .unit = RL_UNIT_##of, .digits = 4,            \
     .at = offsetof(struct rl_gpu, fact) + RL_FACT_##name * sizeof(struct rl_value), .help = (text)},
#define FLAG(name, label, no, yes)                                                                                                 \
    {.id = #name, .head = (label), .type = VIEW_TYPE_NUMBER, .access = VIEW_AT_VALUE, .unit = RL_UNIT_COUNT,                       \
     .words = (const char *const[2]){no, yes},                                                                                     \
     .at = offsetof(struct rl_gpu, fact) + RL_FACT_##name * sizeof(struct rl_value), .help = (label)},
#include "capture/facts.def"
    {.id = "place", VIEW_GET(TEXT, place_cell), .for_people = true, .help = "which it is, or how many like it"},
    {.id = "name_of_several", VIEW_GET(TEXT, name_of_several_cell), .for_people = true, .help = "its name where there are several"},
    {.id = "moments", VIEW_AT_ROWS(struct rl_gpu, moments, moment_count, &view_record_gpu_moment),
     .help = "readings at several moments"},
};
/* clang-format on */
const struct view_record view_record_gpu = {.id = "gpu", .help = "a GPU of the session", VIEW_FIELDS(gpu_fields)};
