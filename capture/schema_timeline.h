/* schema_timeline.h - columns of what GPUs did over time, and rules over more than one of them. Private to capture/schema.c. */
#ifndef RL_CAPTURE_SCHEMA_TIMELINE_H
#define RL_CAPTURE_SCHEMA_TIMELINE_H

#include <assert.h>

#include "schema_sampled.h"

/* As the file has them. */
NAMES(lane, RL_LANE_COUNT, rl_lanes[member].id)
static const struct rl_column timeline_columns[] = {
    INDEX(timeline, process, PROCESS),
    INDEX(timeline, gpu, GPU),
    U64(timeline, start_ns),
    INTEGER("width_ns", U64, 1, LARGEST, MEMBER(timeline, width_ns, uint64_t)),
    INTEGER("bins", U32, 1, RL_TIMELINE_MOST_BINS, MEMBER(timeline, bins, uint32_t)),
};
static const struct rl_column timeline_lane_columns[] = {
    INDEX(timeline_lane, timeline, TIMELINE),
    ENUM(timeline_lane, lane, lane_names),
    INDEX_OR_NONE(timeline_lane, kernel, KERNEL),
    U64(timeline_lane, total_ns),
};
static const struct rl_column timeline_bin_columns[] = {
    INDEX(timeline_bin, lane, TIMELINE_LANE),
    INTEGER("bin", U32, 0, RL_TIMELINE_MOST_BINS - 1, MEMBER(timeline_bin, bin, uint32_t)),
    INTEGER("ns", U64, 1, LARGEST, MEMBER(timeline_bin, ns, uint64_t)),
};
static const struct rl_column timeline_gap_columns[] = {
    INDEX(timeline_gap, timeline, TIMELINE),
    ENUM(timeline_gap, lane, lane_names),
    INDEX_OR_NONE(timeline_gap, range, RANGE),
    U64(timeline_gap, count),
    U64(timeline_gap, total_ns),
    U64(timeline_gap, longest_ns),
};
static const struct rl_column sampled_lane_columns[] = {
    INDEX(sampled_lane, timeline, TIMELINE),
    ENUM(sampled_lane, counter, sampled_names),
    U64(sampled_lane, covered_ns),
    REAL(sampled_lane, total, 0, ANY),
};
static const struct rl_column sampled_bin_columns[] = {
    INDEX(sampled_bin, lane, SAMPLED_LANE),
    INTEGER("bin", U32, 0, RL_TIMELINE_MOST_BINS - 1, MEMBER(sampled_bin, bin, uint32_t)),
    INTEGER("covered_ns", U64, 1, LARGEST, MEMBER(sampled_bin, covered_ns, uint64_t)),
    REAL(sampled_bin, total, 0, ANY),
};

/* As the file has them. */
NAMES(place, RL_IDLE_PLACE_COUNT, rl_idle_place_name((enum rl_idle_place)member))
static const struct rl_column range_lane_columns[] = {
    INDEX(range_lane, timeline, TIMELINE),
    ENUM(range_lane, place, place_names),
    INDEX_OR_NONE(range_lane, range, RANGE),
    U64(range_lane, total_ns),
};
static const struct rl_column range_bin_columns[] = {
    INDEX(timeline_bin, lane, RANGE_LANE),
    INTEGER("bin", U32, 0, RL_TIMELINE_MOST_BINS - 1, MEMBER(timeline_bin, bin, uint32_t)),
    INTEGER("ns", U64, 1, LARGEST, MEMBER(timeline_bin, ns, uint64_t)),
};

/* The fault of a timeline; NULL: none. */
static const char *timeline_rule(const struct rl_schema_row *row)
{
    const struct rl_timeline *timeline = row->element;
    return timeline->width_ns > LARGEST / timeline->bins ? "its bins are wider than all time" : NULL;
}

/* The same of a lane. */
static const char *timeline_lane_rule(const struct rl_schema_row *row)
{
    const struct rl_timeline_lane *lane = row->element, *before = lane - 1;
    if (row->position > 0 && before->timeline > lane->timeline)
        return "it does not stand in the order of timelines";
    const bool fits = (lane->lane == RL_LANE_CLASS) == (lane->kernel != RL_NONE);
    return fits ? NULL : "a kernel belongs to the lane of a class, and to no other";
}

/* Whether a lane has each moment at most once. */
static bool is_union(enum rl_lane lane)
{
    return lane <= RL_LANE_COPIES || (lane >= RL_LANE_IDLE_COPY && lane <= RL_LANE_UNWATCHED);
}

/* The same of a bin of a lane on a timeline; `once`: the lane has each moment at most once. */
static const char *bin_rule(const struct rl_schema_row *row, size_t timeline_index, bool once)
{
    const struct rl_timeline_bin *bin = row->element, *before = bin - 1;
    const struct rl_timeline *timeline = &row->capture->timelines[timeline_index];
    if (row->position > 0 && (before->lane > bin->lane || (before->lane == bin->lane && before->bin >= bin->bin)))
        return "it does not stand in the order of lanes and of time";
    if (bin->bin >= timeline->bins)
        return "it is behind the last bin of its timeline";
    return once && bin->ns > timeline->width_ns ? "it says more than all of its time" : NULL;
}
/* The same of a lane of time. */
static const char *timeline_bin_rule(const struct rl_schema_row *row)
{
    const struct rl_timeline_lane *lane = &row->capture->timeline_lanes[((const struct rl_timeline_bin *)row->element)->lane];
    return bin_rule(row, lane->timeline, is_union(lane->lane));
}
/* The same of one of idle time by range. */
static const char *range_bin_rule(const struct rl_schema_row *row)
{
    return bin_rule(row, row->capture->range_lanes[((const struct rl_timeline_bin *)row->element)->lane].timeline, true);
}

/* The same of times between kernels. */
static const char *timeline_gap_rule(const struct rl_schema_row *row)
{
    const struct rl_timeline_gap *gap = row->element, *before = gap - 1;
    if (row->position > 0 && before->timeline > gap->timeline)
        return "it does not stand in the order of timelines";
    if (gap->lane < RL_LANE_IDLE_COPY || gap->lane > RL_LANE_UNWATCHED)
        return "its lane is of no time between kernels";
    if (gap->range != RL_NONE && row->capture->ranges[gap->range].process != row->capture->timelines[gap->timeline].process)
        return "its range belongs to another process";
    return gap->longest_ns > gap->total_ns ? "its longest one is longer than all" : NULL;
}

/* The same of a lane of samples. */
static const char *sampled_lane_rule(const struct rl_schema_row *row)
{
    const struct rl_sampled_lane *lane = row->element, *before = lane - 1;
    if (row->position > 0 &&
        (before->timeline > lane->timeline || (before->timeline == lane->timeline && before->counter >= lane->counter)))
        return "it does not stand in the order of timelines and counters";
    return rl_sampled_of_what(lane->counter) & RL_SAMPLED_OF_MOMENTS ? NULL : "its counter is not recorded over time";
}

/* The same of a bin of one. */
static const char *sampled_bin_rule(const struct rl_schema_row *row)
{
    const struct rl_sampled_bin *bin = row->element, *before = bin - 1;
    const struct rl_timeline *timeline = &row->capture->timelines[row->capture->sampled_lanes[bin->lane].timeline];
    if (row->position > 0 && (before->lane > bin->lane || (before->lane == bin->lane && before->bin >= bin->bin)))
        return "it does not stand in the order of lanes and of time";
    if (bin->bin >= timeline->bins)
        return "it is behind the last bin of its timeline";
    return bin->covered_ns > timeline->width_ns ? "more than all of its time was sampled" : NULL;
}

/* Whether it may stand behind another one of its timeline: that of all other ranges, and that of none, are there once. */
static bool is_behind(const struct rl_range_lane *lane, const struct rl_range_lane *before)
{
    return before->place == RL_IDLE_RANGE || lane->place > before->place;
}

/* The same of a lane of idle time. */
static const char *range_lane_rule(const struct rl_schema_row *row)
{
    const struct rl_range_lane *lane = row->element, *before = lane - 1;
    if (row->position > 0 &&
        (before->timeline > lane->timeline || (before->timeline == lane->timeline && !is_behind(lane, before))))
        return "it does not stand in the order of timelines and places";
    if ((lane->place == RL_IDLE_RANGE) != (lane->range != RL_NONE))
        return "a range belongs to a lane of one range, and to no other";
    if (lane->range != RL_NONE && row->capture->ranges[lane->range].process != row->capture->timelines[lane->timeline].process)
        return "its range belongs to another process";
    return NULL;
}

#endif
