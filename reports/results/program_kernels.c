/* program_kernels.c - the kernels of a program: classes one by one, and the rows of its table, families of shapes as one. */

#include "show_parts.h"

enum { NAME_COLUMNS = 44 };

static struct view_cell nanoseconds_cell(double ns)
{
    return view_cell_number(rl_value_of(ns * 1e-9));
}

/* ---- kernel classes, one by one ---- */

VIEW_CELL(class_name_cell, struct rl_program_class, view_subject_of(view)->capture->kernels[row->kernel].name);

VIEW_CELL(class_gpu_s_cell, struct rl_program_class, view_cell_signed(rl_class_gpu_s(row), rl_time_state_sign(row->time.state)));

VIEW_CELL(class_time_cell, struct rl_program_class, rl_time_state_name(row->time.state));
VIEW_CELL(class_share_cell, void, rl_class_share(row));

VIEW_CELL_IF(uncounted_cell, struct rl_program_class, row->use,
             row->use->uncounted ? view_cell_text(row->use->uncounted) : view_cell_absent("counters were read"));

/* clang-format off */
static const struct view_field class_fields[] = {
    {.id = "id", VIEW_AT_ARRAY(struct rl_program_class, id), .help = "short name of the kernel, the same in every capture"},
    {.id = "kernel", VIEW_AT(struct rl_program_class, kernel), .help = "its place in the list of kernels, from 0"},
    {.id = "name", VIEW_GET(TEXT, class_name_cell), .help = "name of the kernel in full"},
    {.id = "launches", VIEW_AT(struct rl_program_class, launches), .help = "number of launches"},
    {.id = "gpu_s", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .get = class_gpu_s_cell,
     .help = "GPU time of all launches; those without a time count as the mean of the timed ones where there are enough"},
    {.id = "gpu_s_is", VIEW_GET(TEXT, class_time_cell), .help = "how that is known: 'whole', 'estimated', 'at least' or 'none'"},
    {.id = "gpu_error_s", VIEW_NS(struct rl_program_class, time.error_ns),
     .help = "half of the 95 % CI of an estimate, if the timed launches are a random sample"},
    {.id = "share", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .get = class_share_cell,
     .help = "share of the GPU time of all configurations"},
    {.id = "timed", VIEW_IN(struct rl_program_class, use, timed), .optional = true, .help = "launches with a time"},
    {.id = "graph", VIEW_IN(struct rl_program_class, use, graph), .optional = true,
     .help = "of the timed launches: nodes of CUDA graphs"},
    {.id = "min_s", VIEW_IN_NS(struct rl_program_class, use, min_ns), .optional = true, .help = "shortest timed launch"},
    {.id = "max_s", VIEW_IN_NS(struct rl_program_class, use, max_ns), .optional = true, .help = "longest timed launch"},
    {.id = "deviation_s", VIEW_IN_NS(struct rl_program_class, use, deviation_ns), .optional = true,
     .help = "standard deviation of all timed launches"},
    {.id = "counted", VIEW_IN(struct rl_program_class, use, counted), .optional = true,
     .help = "launches whose counters were read"},
    {.id = "uncounted", VIEW_GET(TEXT, uncounted_cell), .optional = true,
     .help = "why there are no counters, or fewer than asked for"},
};
/* clang-format on */
const struct view_record view_record_program_class = {
    .id = "program_class", .help = "a launch configuration of the program", VIEW_FIELDS(class_fields)};

/* ---- kernels: families of classes, and classes alone ---- */

VIEW_CELL(row_label_cell, struct rl_family,
          !row->figures ? view_cell_text(row->label)
                        : view_cell_text(rl_arena_printf(view->arena, "%s, %zu configs", row->label, row->shapes)));

VIEW_CELL(row_gpu_s_cell, struct rl_family, view_cell_signed(rl_family_gpu_s(row), rl_time_state_sign(row->time.state)));

VIEW_CELL(row_share_cell, void, rl_family_share(row));

enum time_key { TIME_MEDIAN, TIME_LEAST, TIME_GREATEST, TIME_DEVIATION };

/* Times of single launches: all of a family, the timed ones of a class. */
static struct view_cell row_time_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_family *family = row;
    const struct rl_family_figures *figures = family->figures;
    const struct rl_stats *duration = &view_subject_of(view)->analysis->kernels[family->kernel].duration;
    const struct rl_kernel_use *use = family->classes[0].use;
    if (figures) {
        const struct rl_value values[] = {[TIME_MEDIAN] = figures->median_s,
                                          [TIME_LEAST] = figures->min_s,
                                          [TIME_GREATEST] = figures->max_s,
                                          [TIME_DEVIATION] = rl_value_missing(RL_UNDEFINED, "configurations differ")};
        assert((size_t)field->key < RL_COUNT(values));
        return view_cell_number(values[field->key]);
    }
    if (field->key == TIME_MEDIAN ? !duration->n : !(use && use->timed))
        return view_cell_number(rl_value_missing(RL_NOT_COLLECTED, "no launch was timed"));
    return field->key == TIME_MEDIAN     ? view_cell_number(rl_value_of(duration->median))
           : field->key == TIME_LEAST    ? nanoseconds_cell((double)use->min_ns)
           : field->key == TIME_GREATEST ? nanoseconds_cell((double)use->max_ns)
                                         : nanoseconds_cell(use->deviation_ns);
}

/* clang-format off */
static const struct view_field row_fields[] = {
    {.id = "id", .head = "id", VIEW_AT_ARRAY(struct rl_family, id), .identifies = true, .look = VIEW_LOOK_QUIET,
     .help = "short name of the kernel, the same in every capture"},
    {.id = "label", .head = "kernel", VIEW_GET(TEXT, row_label_cell), .columns = NAME_COLUMNS,
     .look = VIEW_LOOK_CODE, .help = "shortest name that distinguishes the kernel from others, and its number of configurations"},
    {.id = "launches", .head = "launches", VIEW_AT(struct rl_family, time.launches), .help = "number of launches"},
    {.id = "gpu_s", .head = "GPU time", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .digits = 3, .get = row_gpu_s_cell,
     .help = "GPU time of all launches; those without a time count as the mean of the timed ones where there are enough"},
    {.id = "share", .head = "share", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = row_share_cell,
     .bar = true, .help = "share of the GPU time of the program"},
    {.id = "median_s", .head = "median", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .get = row_time_cell, .key = TIME_MEDIAN,
     .scale = "launch", .help = "median duration of a launch"},
    {.id = "min_s", .head = "min", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .get = row_time_cell, .key = TIME_LEAST,
     .scale = "launch", .help = "shortest launch"},
    {.id = "max_s", .head = "max", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .get = row_time_cell,
     .key = TIME_GREATEST, .scale = "launch", .help = "longest launch"},
    {.id = "deviation_s", .head = "deviation", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .digits = 2, .get = row_time_cell,
     .key = TIME_DEVIATION, .shown = VIEW_ON_REQUEST, .help = "standard deviation of all timed launches"},
    {.id = "counted", .head = "counted", VIEW_AT(struct rl_family, counted), .help = "launches whose counters were read"},
    {.id = "shapes", VIEW_AT(struct rl_family, shapes), .shown = VIEW_ON_REQUEST, .help = "number of launch configurations"},
};
/* clang-format on */
const struct view_record view_record_program_kernel = {
    .id = "program_kernel", .help = "a kernel of the program, all its configurations together", VIEW_FIELDS(row_fields)};

/* Those with the most time, and of those without a time the ones with the most launches, because they may have taken long. */
struct view_rows view_choose_kernels(const struct view *view, struct view_rows rows, size_t most)
{
    const struct view_subject *subject = view_subject_of(view);
    const size_t timed = rl_families_leading(subject->program_rows, 1);
    size_t *at = rl_arena_alloc(view->arena, (rows.count + 1) * sizeof *at), count = 0, with_time = 0, without = 0;
    for (size_t i = 0; i < rows.count; i++) {
        const bool is_listed = i < timed ? with_time++ < most : without++ < VIEW_MOST_TIMELESS;
        if (!most || is_listed)
            at[count++] = i;
    }
    rows.at = at;
    rows.count = count;
    return rows;
}

/* ---- why classes have no counters ---- */

VIEW_CELL(first_cell, struct rl_uncounted_reason, view_subject_of(view)->program->classes[row->first].id);
VIEW_CELL(others_cell, struct rl_uncounted_reason, row->classes - 1);

VIEW_CELL(remedy_cell, struct rl_uncounted_reason, rl_uncounted_remedy(view_subject_of(view)->capture, row->reason));

static const struct view_field uncounted_fields[] = {
    {.id = "reason", VIEW_AT(struct rl_uncounted_reason, reason), .help = "why there are no counters, or fewer than asked for"},
    {.id = "how",
     VIEW_GET(TEXT, remedy_cell),
     .optional = true,
     .help = "the option that counts them, or that none does; absent: the reason has it"},
    {.id = "classes", VIEW_AT(struct rl_uncounted_reason, classes), .help = "number of launch configurations"},
    {.id = "first", VIEW_GET(TEXT, first_cell), .help = "id of the one with the most time"},
    {.id = "others", VIEW_GET(WHOLE, others_cell), .for_people = true, .help = "how many more there are"},
};
const struct view_record view_record_uncounted = {
    .id = "uncounted", .help = "configurations without counters for one reason", VIEW_FIELDS(uncounted_fields)};
