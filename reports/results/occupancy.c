/* occupancy.c - how many blocks and warps an SM can hold, and what allows no more. */
#include "show_parts.h"

VIEW_SAID(limiter_cell, struct rl_occupancy, "", rl_occupancy_limiter_text(row, &text));

/* One of the resources, where together they are too wide. */
static struct view_cell single_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct rl_occupancy one = *(const struct rl_occupancy *)row;
    unsigned left = one.limiters;
    for (int i = 0; i < field->key; i++)
        left &= left - 1;
    one.limiters = left & ~(left - 1);
    return limiter_cell(view, field, &one);
}

#define SINGLE(id_, key_)                                                                                                          \
    {                                                                                                                              \
        .id = (id_), .label = (key_) ? "and by" : "limited by", VIEW_GET(TEXT, single_cell), .key = (key_), .for_people = true,    \
        .shown = VIEW_ON_REQUEST, .help = "one of them"                                                                            \
    }

/* clang-format off */
static const struct view_field occupancy_fields[] = {
    {.id = "theoretical", VIEW_AT(struct rl_occupancy, fraction), .unit = RL_UNIT_FRACTION,
     .help = "warps that an SM can hold at once, as a share of the most it can hold of any kernel"},
    {.id = "blocks_per_sm", VIEW_AT(struct rl_occupancy, blocks_per_sm), .help = "blocks that an SM can hold at once"},
    {.id = "warps_per_sm", VIEW_AT(struct rl_occupancy, warps_per_sm), .help = "warps that an SM can hold at once"},
    {.id = "limited_by", VIEW_GET(TEXT, limiter_cell), .help = "resources that allow no further block"},
    SINGLE("limit", 0),
    SINGLE("limit_2", 1),
    SINGLE("limit_3", 2),
    SINGLE("limit_4", 3),
};
/* clang-format on */
const struct view_record view_record_occupancy = {
    .id = "occupancy", .help = "what resources of the launch allow", VIEW_FIELDS(occupancy_fields)};
