/* clock.c - how the times of a kernel were taken, and how much was subtracted because recording adds it. */
#include "show_parts.h"

VIEW_CELL(source_cell, struct rl_kernel_clock, rl_clock_name(row->clock));

enum bound { MIDDLE, LOW, HIGH };

static struct view_cell subtracted_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_kernel_clock *clock = row;
    const struct rl_value ns = field->key == MIDDLE ? clock->cost_ns : field->key == LOW ? clock->cost_low_ns : clock->cost_high_ns;
    return view_cell_number(rl_present(ns) ? rl_value_of(ns.v * 1e-9) : ns);
}

#define SUBTRACTED(which) .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .get = subtracted_cell, .key = (which)

static const struct view_field clock_fields[] = {
    {.id = "source",
     VIEW_GET(TEXT, source_cell),
     .help = "'serial records', which leave the code as it is, 'concurrent records', which instrument it, both, 'events', "
             "'counters'"},
    {.id = "subtracted_s", SUBTRACTED(MIDDLE), .help = "subtracted from the time of each launch, on average"},
    {.id = "low_s", SUBTRACTED(LOW), .help = "lower bound of what recording added"},
    {.id = "high_s", SUBTRACTED(HIGH), .help = "the most"},
};
const struct view_record view_record_clock = {
    .id = "clock", .help = "what recording added to the times of a kernel", VIEW_FIELDS(clock_fields)};
