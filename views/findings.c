/* findings.c - findings: as data, and ranked for people. */
#include "show_parts.h"

static struct view_cell gpu_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const size_t gpu = ((const struct rl_finding *)row)->gpu;
    return gpu == RL_NONE ? view_cell_absent("") : view_cell_integer(view_subject_of(view)->capture->gpus[gpu].index);
}

static const struct view_field finding_fields[] = {
    {.id = "id", VIEW_AT(struct rl_finding, id), .help = "which rule found it: 'list findings' has them"},
    {.id = "gpu", .type = VIEW_TYPE_INTEGER, .get = gpu_cell, .help = "index of the GPU; absent: of the session"},
    {.id = "text", VIEW_AT(struct rl_finding, text), .help = "what was found, with its figures"},
    {.id = "gain",
     VIEW_AT(struct rl_finding, gain),
     .unit = RL_UNIT_NONE,
     .help = "estimate of the speed-up that it points to, as a factor"},
};
const struct view_record view_record_finding = {.id = "finding", .title = "", .help = "a finding", VIEW_FIELDS(finding_fields)};

/* ---- ranked ---- */

static const struct rl_ranked_finding *ranked(const void *row)
{
    return row;
}

static struct view_cell rule_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(ranked(row)->finding->id);
}

static struct view_cell text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(ranked(row)->finding->text);
}

static struct view_cell kernel_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const size_t kernel = ranked(row)->kernel;
    return view_cell_text(kernel == RL_NONE ? NULL : view_subject_of(view)->analysis->kernels[kernel].label);
}

static struct view_cell shapes_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_whole(ranked(row)->shapes > 1 ? ranked(row)->shapes - 1 : 0);
}

static const struct view_field ranked_fields[] = {
    {.id = "id", .type = VIEW_TYPE_TEXT, .get = rule_cell, .help = "which rule found it"},
    {.id = "kernel", .type = VIEW_TYPE_TEXT, .get = kernel_cell, .columns = VIEW_NAME_COLUMNS, .help = "kernel that it is about"},
    {.id = "other_shapes", .type = VIEW_TYPE_WHOLE, .get = shapes_cell, .help = "of how many more of its shapes it speaks"},
    {.id = "text", .type = VIEW_TYPE_TEXT, .get = text_cell, .help = "what was found"},
};
const struct view_record view_record_ranked_finding = {
    .id = "ranked_finding", .title = "", .help = "a finding by what it could save", VIEW_FIELDS(ranked_fields)};
