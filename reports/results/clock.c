/* clock.c - how the times of a kernel were taken, and how much was subtracted because recording adds it. */
#include "show_parts.h"

VIEW_CELL(source_cell, struct rl_kernel_clock, rl_clock_name(row->clock));

static const struct view_field clock_fields[] = {
    {.id = "source",
     VIEW_GET(TEXT, source_cell),
     .help = "'serial records', which leave the code as it is, 'concurrent records', which instrument it, both, 'events', "
             "'counters'"},
    {.id = "subtracted_s", VIEW_NS(struct rl_kernel_clock, cost_ns), .help = "subtracted from the time of each launch, on average"},
    {.id = "low_s", VIEW_NS(struct rl_kernel_clock, cost_low_ns), .help = "lower bound of what recording added"},
    {.id = "high_s", VIEW_NS(struct rl_kernel_clock, cost_high_ns), .help = "the most"},
};
const struct view_record view_record_clock = {
    .id = "clock", .help = "what recording added to the times of a kernel", VIEW_FIELDS(clock_fields)};
