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

RULE(timeline, timeline, here->width_ns > LARGEST / here->bins ? "its bins are wider than all time" : NULL)

RULE(timeline_lane, timeline_lane,
     !IN_ORDER(timeline)                                          ? "it does not stand in the order of timelines"
     : (here->lane == RL_LANE_CLASS) != (here->kernel != RL_NONE) ? "a kernel belongs to the lane of a class, and to no other"
                                                                  : NULL)

/* Whether a lane has each moment at most once. */
static bool is_union(enum rl_lane lane)
{
    return lane <= RL_LANE_COPIES || (lane >= RL_LANE_IDLE_COPY && lane <= RL_LANE_UNWATCHED);
}

/* The fault of a bin on a timeline; `once`: its lane has each moment at most once. NULL: none. */
static const char *fault_of_bin(const struct rl_timeline_bin *here, const struct rl_timeline_bin *before,
                                const struct rl_timeline *timeline, bool once)
{
    return !IN_ORDER_OF(lane, bin)                 ? "it does not stand in the order of lanes and of time"
           : here->bin >= timeline->bins           ? "it is behind the last bin of its timeline"
           : once && here->ns > timeline->width_ns ? "it says more than all of its time"
                                                   : NULL;
}
RULE(timeline_bin, timeline_bin,
     fault_of_bin(here, before, &row->capture->timelines[row->capture->timeline_lanes[here->lane].timeline],
                  is_union(row->capture->timeline_lanes[here->lane].lane)))
RULE(range_bin, timeline_bin,
     fault_of_bin(here, before, &row->capture->timelines[row->capture->range_lanes[here->lane].timeline], true))

RULE(timeline_gap, timeline_gap,
     !IN_ORDER(timeline)                                                ? "it does not stand in the order of timelines"
     : here->lane < RL_LANE_IDLE_COPY || here->lane > RL_LANE_UNWATCHED ? "its lane is of no time between kernels"
     : here->range != RL_NONE && row->capture->ranges[here->range].process != row->capture->timelines[here->timeline].process
         ? "its range belongs to another process"
     : here->longest_ns > here->total_ns ? "its longest one is longer than all"
                                         : NULL)

RULE(sampled_lane, sampled_lane,
     !IN_ORDER_OF(timeline, counter)                                ? "it does not stand in the order of timelines and counters"
     : !(rl_sampled_of_what(here->counter) & RL_SAMPLED_OF_MOMENTS) ? "its counter is not recorded over time"
                                                                    : NULL)

/* The timeline of a bin of samples. */
static const struct rl_timeline *timeline_of(const struct rl_capture *capture, const struct rl_sampled_bin *bin)
{
    return &capture->timelines[capture->sampled_lanes[bin->lane].timeline];
}
RULE(sampled_bin, sampled_bin,
     !IN_ORDER_OF(lane, bin)                                        ? "it does not stand in the order of lanes and of time"
     : here->bin >= timeline_of(row->capture, here)->bins           ? "it is behind the last bin of its timeline"
     : here->covered_ns > timeline_of(row->capture, here)->width_ns ? "more than all of its time was sampled"
                                                                    : NULL)

/* Lanes of single ranges may be several on one timeline; that of all other ranges, and that of none, are there once. */
RULE(range_lane, range_lane,
     !IN_ORDER(timeline) ||
             (before && before->timeline == here->timeline && before->place != RL_IDLE_RANGE && here->place <= before->place)
         ? "it does not stand in the order of timelines and places"
     : (here->place == RL_IDLE_RANGE) != (here->range != RL_NONE) ? "a range belongs to a lane of one range, and to no other"
     : here->range != RL_NONE && row->capture->ranges[here->range].process != row->capture->timelines[here->timeline].process
         ? "its range belongs to another process"
         : NULL)

#endif
