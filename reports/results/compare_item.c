/* compare_item.c - a kernel, or a run as a whole, in one capture; and ratios. */

#include "compare_parts.h"

/* ---- ratios ---- */

VIEW_CELL(end_cell, struct rl_ratio,
          !row->has_interval ? view_cell_absent("too few samples for an interval")
                             : view_cell_number(rl_value_of(field->key ? row->high : row->low)));

static const struct view_field ratio_fields[] = {
    {.id = "estimate", VIEW_AT(struct rl_ratio, estimate), .digits = 3, .help = "ratio of the medians"},
    {.id = "low", .type = VIEW_TYPE_NUMBER, .digits = 3, .get = end_cell, .key = 0, .help = "lower end of its interval"},
    {.id = "high", .type = VIEW_TYPE_NUMBER, .digits = 3, .get = end_cell, .key = 1, .help = "upper end of its interval"},
};
const struct view_record view_record_ratio = {
    .id = "ratio", .help = "a ratio with its interval; all intervals of a comparison hold together", VIEW_FIELDS(ratio_fields)};

/* ---- items ---- */

struct view_cell view_item_id(const struct view *view, const struct view_item *item)
{
    return item->item->kernel == RL_NONE ? view_cell_absent("a run as a whole is no kernel")
                                         : view_cell_text(view_kernel_id(view, &item->capture->kernels[item->item->kernel]));
}

VIEW_CELL(id_cell, void, view_item_id(view, row));

VIEW_CELL(name_cell, struct view_item, row->item->kernel == RL_NONE ? row->item->path : row->item->name);
VIEW_CELL(bound_cell, struct view_item, rl_bound_name(row->item->bound));
VIEW_CELL(full_name_cell, struct view_item, row->item->variant == RL_NONE ? row->item->name : ""); /* labels of the suite say all */
VIEW_CELL(shape_cell, struct view_item,
          *rl_item_shape(row->item) ? view_cell_text(rl_item_shape(row->item)) : view_cell_absent("no grid is known"));

VIEW_SAID(spelt_cell, struct view_item, "", rl_item_text(row->item, &text));

VIEW_CELL(median_cell, struct view_item,
          row->median->n ? rl_value_of(row->median->median) : rl_value_missing(RL_NOT_COLLECTED, "no times"));

/* clang-format off */
#define NAMED                                                                                                                      \
    {.id = "id", .head = "id", VIEW_GET(TEXT, id_cell), .help = "short name of the launch configuration"},      \
    {.id = "label", .head = "kernel", VIEW_IN(struct view_item, item, label), .columns = VIEW_NAME_COLUMNS,        \
     .identifies = true, .help = "what it is called in tables"},                                                                   \
    {.id = "name", .head = "name", VIEW_GET(TEXT, name_cell),                                          \
     .help = "name of the kernel in full; of a run as a whole experiment and variant"},                                            \
    {.id = "shape", .head = "shape", VIEW_GET(TEXT, shape_cell), .help = "grid, block and dynamic shared memory"}
static const struct view_field item_fields[] = {
    NAMED,
    {.id = "median_s", .head = "", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .get = median_cell,
     .help = "median of its times"},
    {.id = "n", .head = "samples", VIEW_IN(struct view_item, median, n), .help = "number of times"},
    {.id = "roof_share", .head = "roof", VIEW_IN(struct view_item, item, roof_share), .unit = RL_UNIT_FRACTION, .digits = 3,
     .help = "time at the roof over its time"},
    {.id = "roof_time_s", .head = "at the roof", VIEW_IN(struct view_item, item, roof_time_s), .unit = RL_UNIT_SECOND,
     .help = "what a launch takes at the roof"},
    {.id = "bound", .head = "bound", VIEW_GET(TEXT, bound_cell), .help = "what it is bound by"},
    {.id = "spelt", VIEW_GET(TEXT, spelt_cell), .columns = 100, .for_people = true, .help = "name and configuration"},
};
/* clang-format on */
const struct view_record view_record_item = {
    .id = "item", .help = "a kernel, or a run as a whole, in one capture", VIEW_FIELDS(item_fields)};

/* clang-format off */
static const struct view_field unmatched_fields[] = {
    {.id = "other", VIEW_AT(struct view_item, other), .help = "position of the capture among the others"},
    NAMED,
    {.id = "full_name", VIEW_GET(TEXT, full_name_cell), .columns = 60, .for_people = true,
     .help = "name of the kernel where the label does not say it"},
};
/* clang-format on */
const struct view_record view_record_unmatched = {
    .id = "unmatched", .help = "a kernel that only one of two captures has", VIEW_FIELDS(unmatched_fields)};
