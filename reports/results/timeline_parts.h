/* timeline_parts.h - what the results of timeline.h are made of (private to reports/results/). */
#pragma once

#include "analysis/timeline.h"
#include "results/results.h"

/* One cause on all GPUs. */
struct view_gap_cause {
    bool is_unwatched;
    const char *cause, *label, *phrase, *advice, *range_path; /* range_path: of the longest gap; NULL: in none */
    uint64_t count;
    double time_s;
    struct rl_value share, most;
};
extern const struct view_record view_record_gap_cause;
/* Those with any time, the largest first, counter collection last. In the arena of the view. */
struct view_rows view_gap_causes(const struct view *view);

/* A field's function: why nothing is known over time; absent where something is. */
struct view_cell view_unknown_timelines(const struct view *view, const struct view_field *field, const void *row);

/* Lists of a struct rl_over_time: each kind of lanes, what overlapped, phases. */
extern const struct view_record view_record_timeline_lane, view_record_range_lane, view_record_moment, view_record_overlap,
    view_record_phase;
/* Seconds of one bin. */
extern const struct view_record view_record_bin_time;
enum view_lanes { VIEW_LANES_OF_TIME, VIEW_LANES_OF_RANGES, VIEW_LANES_OF_SAMPLES };
/* Functions of fields of a struct rl_over_time: lanes of the kind `key`; */
struct view_cell view_lanes_cell(const struct view *view, const struct view_field *field, const void *row);
/* seconds of each bin in which samples were taken; */
struct view_cell view_covered_cell(const struct view *view, const struct view_field *field, const void *row);
/* overlaps of which there is something; */
struct view_cell view_overlaps_cell(const struct view *view, const struct view_field *field, const void *row);
/* its phases; */
struct view_cell view_phases_cell(const struct view *view, const struct view_field *field, const void *row);
/* its times without a kernel. */
struct view_cell view_gaps_cell(const struct view *view, const struct view_field *field, const void *row);
/* Lanes of time that are shown: kernels first, then copies, then why none ran. */
struct view_rows view_choose_lanes(const struct view *view, struct view_rows rows, size_t most);
/* Whether a lane has any time. */
bool view_lane_has_time(const struct view *view, const void *row);
/* Steps of the picture of a lane. */
uint32_t view_steps(const struct rl_timeline *timeline);
/* The path of a range, in the arena of the view; NULL for RL_NONE. */
const char *view_range_path(const struct view *view, size_t range);
