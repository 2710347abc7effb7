/* compare_item.c - a kernel, or a run as a whole, in one capture; and ratios. */
#include "analysis/program.h"

#include "compare_parts.h"
#include <assert.h>

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

enum { LABEL, NAME, BOUND, FULL_NAME };

static struct view_cell item_text(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_item *item = ((const struct view_item *)row)->item;
    const char *const texts[] = {[LABEL] = item->label,
                                 [NAME] = item->kernel == RL_NONE ? item->path : item->name,
                                 [BOUND] = rl_bound_name(item->bound),
                                 /* labels of the suite say all */
                                 [FULL_NAME] = item->variant == RL_NONE ? item->name : ""};
    assert((size_t)field->key < RL_COUNT(texts));
    return view_cell_text(texts[field->key]);
}

static struct view_cell shape_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const char *shape = rl_item_shape(((const struct view_item *)row)->item);
    return *shape ? view_cell_text(shape) : view_cell_absent("no grid is known");
}

static struct view_cell spelt_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct rl_buf text = RL_BUF_IN(view->arena);
    rl_item_text(((const struct view_item *)row)->item, &text);
    return view_cell_kept(view, &text);
}

enum { MEDIAN, ROOF_SHARE, ROOF_TIME };

static struct view_cell item_value(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_item *item = row;
    const struct rl_value values[] = {[MEDIAN] = item->median->n ? rl_value_of(item->median->median)
                                                                 : rl_value_missing(RL_NOT_COLLECTED, "no times"),
                                      [ROOF_SHARE] = item->item->roof_share,
                                      [ROOF_TIME] = item->item->roof_time_s};
    assert((size_t)field->key < RL_COUNT(values));
    return view_cell_number(values[field->key]);
}

/* clang-format off */
#define NAMED                                                                                                                      \
    {.id = "id", .head = "id", VIEW_GET(TEXT, id_cell), .help = "short name of the kernel class"},      \
    {.id = "label", .head = "kernel", VIEW_GET(TEXT, item_text), .key = LABEL, .columns = VIEW_NAME_COLUMNS,        \
     .identifies = true, .help = "what it is called in tables"},                                                                   \
    {.id = "name", .head = "name", VIEW_GET(TEXT, item_text), .key = NAME,                                          \
     .help = "name of the kernel in full; of a run as a whole experiment and variant"},                                            \
    {.id = "shape", .head = "shape", VIEW_GET(TEXT, shape_cell), .help = "grid, block and dynamic shared memory"}
static const struct view_field item_fields[] = {
    NAMED,
    {.id = "median_s", .head = "", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .get = item_value, .key = MEDIAN,
     .help = "median of its times"},
    {.id = "n", .head = "samples", VIEW_IN(struct view_item, median, n), .help = "number of times"},
    {.id = "roof_share", .head = "roof", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = item_value,
     .key = ROOF_SHARE, .help = "time at the roof over its time"},
    {.id = "roof_time_s", .head = "at the roof", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .get = item_value,
     .key = ROOF_TIME, .help = "what a launch takes at the roof"},
    {.id = "bound", .head = "bound", VIEW_GET(TEXT, item_text), .key = BOUND, .help = "what it is bound by"},
    {.id = "spelt", VIEW_GET(TEXT, spelt_cell), .columns = 100, .for_people = true, .help = "name and shape"},
};
/* clang-format on */
const struct view_record view_record_item = {
    .id = "item", .help = "a kernel, or a run as a whole, in one capture", VIEW_FIELDS(item_fields)};

/* clang-format off */
static const struct view_field unmatched_fields[] = {
    {.id = "other", VIEW_AT(struct view_item, other), .help = "position of the capture among the others"},
    NAMED,
    {.id = "full_name", VIEW_GET(TEXT, item_text), .key = FULL_NAME, .columns = 60, .for_people = true,
     .help = "name of the kernel where the label does not say it"},
};
/* clang-format on */
const struct view_record view_record_unmatched = {
    .id = "unmatched", .help = "a kernel that only one of two captures has", VIEW_FIELDS(unmatched_fields)};
