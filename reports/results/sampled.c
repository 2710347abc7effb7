/* sampled.c - what samples of the whole GPU say of a kernel class: estimates with intervals, apart from exact counters. */
#include "analysis/sampled.h"
#include "show_parts.h"

static const struct {
    enum rl_unit unit;
    const char *label;
} counters[RL_SAMPLED_COUNT] = {
#define SAMPLED(id, unit, of, label, meaning) [RL_SAMPLED_##id] = {RL_UNIT_##unit, label},
#include "capture/sampled.def"
};

enum key { COUNTER, LABEL, UNIT };
static struct view_cell text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const enum rl_sampled_counter counter = ((const struct rl_sampled_value *)row)->counter;
    const char *const texts[] = {
        [COUNTER] = rl_sampled_name(counter), [LABEL] = counters[counter].label, [UNIT] = rl_unit_json(counters[counter].unit)};
    return view_cell_text(texts[field->key]);
}

enum figure { PER_LAUNCH, HALF_WIDTH, TOTAL, TOTAL_HALF_WIDTH };
static struct view_cell figure_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_sampled_value *value = row;
    const struct rl_value figures[] = {[PER_LAUNCH] = value->per_launch,
                                       [HALF_WIDTH] = value->half_width,
                                       [TOTAL] = rl_value_of(value->total),
                                       [TOTAL_HALF_WIDTH] = rl_value_of(value->total_half_width)};
    struct view_cell cell = view_cell_number(figures[field->key]);
    cell.unit = counters[value->counter].unit;
    return cell;
}

#define FIGURE(which) VIEW_GET(NUMBER, figure_cell), .key = (which), .unit_of_row = true
static const struct view_field sampled_fields[] = {
    {.id = "counter", VIEW_GET(TEXT, text_cell), .key = COUNTER, .help = "what was sampled"},
    {.id = "label", VIEW_GET(TEXT, text_cell), .key = LABEL, .identifies = true, .help = "the same for people"},
    {.id = "unit", VIEW_GET(TEXT, text_cell), .key = UNIT, .help = "unit of the figures"},
    {.id = "launches",
     VIEW_AT(struct rl_sampled_value, launches),
     .unit = RL_UNIT_NONE,
     .help = "launches in the samples, parts of launches added up"},
    {.id = "per_launch", FIGURE(PER_LAUNCH), .help = "estimated mean of a launch; absent: only the sum of a group is known"},
    {.id = "half_width", FIGURE(HALF_WIDTH), .help = "half of its 95 % CI"},
    {.id = "together",
     VIEW_AT(struct rl_sampled_value, together),
     .help = "position in the capture of the kernel itself; older captures: of the first of a group of which the sum is known"},
    {.id = "total", FIGURE(TOTAL), .help = "of all launches in the samples, of the whole group"},
    {.id = "total_half_width", FIGURE(TOTAL_HALF_WIDTH), .help = "half of its 95 % CI"},
};
const struct view_record view_record_sampled = {.id = "sampled",
                                                .help =
                                                    "what samples of the whole GPU say about a launch configuration: an estimate",
                                                VIEW_FIELDS(sampled_fields)};

struct view_rows view_sampled_of(const struct rl_capture *capture, size_t kernel)
{
    size_t first = 0, count = rl_sampled_of(capture, kernel, &first);
    return (struct view_rows){capture->sampled ? &capture->sampled[first] : NULL, sizeof *capture->sampled, count, NULL};
}
