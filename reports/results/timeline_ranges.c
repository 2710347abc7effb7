/* timeline_ranges.c - parts of what a GPU did over time: where the host was while no kernel ran (see timeline_parts.h). */
#include <assert.h>

#include "core/mem.h"
#include "show_parts.h"
#include "timeline_parts.h"

static const struct rl_capture *capture_of(const struct view *view)
{
    return view_subject_of(view)->capture;
}

static const struct rl_range_lane *lane_of(const void *row)
{
    assert(row && ((const struct rl_range_lane *)row)->place < RL_IDLE_PLACE_COUNT);
    return row;
}

enum text_key { TEXT_PLACE, TEXT_LABEL, TEXT_PATH };

static struct view_cell text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_range_lane *lane = lane_of(row);
    if (field->key == TEXT_PLACE)
        return view_cell_text(rl_idle_place_name(lane->place));
    return view_cell_text(view_range_lane_text(view, lane, field->key == TEXT_LABEL));
}

static struct view_cell time_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_range_lane *lane = lane_of(row);
    assert(lane->timeline < view_subject_of(view)->analysis->over_time_count);
    const struct rl_over_time *over = &view_subject_of(view)->analysis->over_time[lane->timeline];
    const struct rl_value time = rl_value_of((double)lane->total_ns * 1e-9);
    return view_cell_number(field->key ? rl_value_div(time, rl_value_of(over->axis_s), "no time") : time);
}

/* Seconds of each bin, in the arena of the view; `*bins` of them. */
static double *bins_of(const struct view *view, const void *row, uint32_t *bins)
{
    const struct rl_capture *capture = capture_of(view);
    const struct rl_range_lane *lane = lane_of(row);
    assert(lane >= capture->range_lanes && lane < capture->range_lanes + capture->range_lane_count);
    *bins = capture->timelines[lane->timeline].bins;
    double *seconds = rl_arena_alloc(view->arena, *bins * sizeof *seconds);
    rl_range_lane_add_to(capture, (size_t)(lane - capture->range_lanes), seconds);
    for (uint32_t i = 0; i < *bins; i++)
        seconds[i] *= 1e-9;
    return seconds;
}

static struct view_cell picture_cell(const struct view *view, const struct view_field *field, const void *row)
{
    uint32_t bins;
    const double *seconds = bins_of(view, row, &bins);
    return view_cell_text(view_picture(view, &capture_of(view)->timelines[lane_of(row)->timeline], seconds));
}

static struct view_cell bins_cell(const struct view *view, const struct view_field *field, const void *row)
{
    uint32_t bins;
    const double *seconds = bins_of(view, row, &bins);
    return view_cell_rows((struct view_rows){seconds, sizeof *seconds, bins, NULL});
}

/* clang-format off */
#define TEXT(which) .type = VIEW_TYPE_TEXT, .get = text_cell, .key = TEXT_##which
#define TIME(which) .type = VIEW_TYPE_NUMBER, .get = time_cell, .key = (which)
static const struct view_field range_lane_fields[] = {
    {.id = "place", TEXT(PLACE), .shown = VIEW_ON_REQUEST,
     .help = "'range': an NVTX range; 'other_ranges': all that have no lane; 'no_range': outside of all, or not known"},
    {.id = "label", .head = "before launches in", TEXT(LABEL), .for_people = true, .identifies = true, .columns = 32,
     .help = "the same for people"},
    {.id = "range_path", TEXT(PATH), .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "its range and those around it, the outermost first"},
    {.id = "time_s", .head = "time", TIME(0), .unit = RL_UNIT_SECOND, .help = "of all bins: no kernel ran"},
    {.id = "share", .head = "share", TIME(1), .unit = RL_UNIT_FRACTION, .digits = 3, .help = "of the time axis"},
    {.id = "picture", .head = "over time", .type = VIEW_TYPE_TEXT, .get = picture_cell, .for_people = true,
     .help = "how much of each step of time it was"},
    {.id = "bins_s", .type = VIEW_TYPE_LIST, .record = &view_record_bin_time, .get = bins_cell, .unit = RL_UNIT_SECOND,
     .shown = VIEW_ON_REQUEST, .help = "seconds of it in each bin"},
};
/* clang-format on */
const struct view_record view_record_range_lane = {.id = "timeline_range",
                                                   .title = "",
                                                   .help = "time in which no kernel ran before launches from an NVTX range",
                                                   VIEW_FIELDS(range_lane_fields)};

struct view_cell view_range_lanes_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_over_time *over = row;
    assert(over->first_range_lane + over->range_lane_count <= capture_of(view)->range_lane_count);
    const struct rl_range_lane *first = over->range_lane_count ? &capture_of(view)->range_lanes[over->first_range_lane] : NULL;
    return view_cell_rows((struct view_rows){first, sizeof *first, over->range_lane_count, NULL});
}

struct view_rows view_choose_range_lanes(const struct view *view, struct view_rows rows, size_t most)
{
    assert(rows.first || rows.count == 0);
    size_t *at = rl_arena_alloc(view->arena, (rows.count + 1) * sizeof *at), count = 0;
    for (size_t i = 0; i < rows.count; i++)
        if (((const struct rl_range_lane *)rows.first + i)->total_ns)
            at[count++] = i;
    rows.at = at;
    rows.count = count;
    return rows;
}
