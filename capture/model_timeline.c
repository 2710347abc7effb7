/* model_timeline.c - what the GPUs of a program did over time: adding to it. */
#include <assert.h>

#include "capture/capture.h"
#include "core/mem.h"

struct rl_timeline *rl_capture_add_timeline(struct rl_capture *capture)
{
    RL_GROW(capture->timelines, capture->timeline_count + 1, capture->timeline_cap);
    struct rl_timeline *timeline = &capture->timelines[capture->timeline_count++];
    *timeline = (struct rl_timeline){0};
    return timeline;
}

struct rl_timeline_lane *rl_capture_add_timeline_lane(struct rl_capture *capture)
{
    RL_GROW(capture->timeline_lanes, capture->timeline_lane_count + 1, capture->timeline_lane_cap);
    struct rl_timeline_lane *lane = &capture->timeline_lanes[capture->timeline_lane_count++];
    *lane = (struct rl_timeline_lane){.kernel = RL_NONE};
    return lane;
}

struct rl_timeline_bin *rl_capture_add_timeline_bin(struct rl_capture *capture)
{
    RL_GROW(capture->timeline_bins, capture->timeline_bin_count + 1, capture->timeline_bin_cap);
    struct rl_timeline_bin *bin = &capture->timeline_bins[capture->timeline_bin_count++];
    *bin = (struct rl_timeline_bin){0};
    return bin;
}

struct rl_timeline_gap *rl_capture_add_timeline_gap(struct rl_capture *capture)
{
    RL_GROW(capture->timeline_gaps, capture->timeline_gap_count + 1, capture->timeline_gap_cap);
    struct rl_timeline_gap *gap = &capture->timeline_gaps[capture->timeline_gap_count++];
    *gap = (struct rl_timeline_gap){.lane = RL_LANE_IDLE_COPY, .range = RL_NONE};
    return gap;
}

struct rl_sampled_lane *rl_capture_add_sampled_lane(struct rl_capture *capture)
{
    RL_GROW(capture->sampled_lanes, capture->sampled_lane_count + 1, capture->sampled_lane_cap);
    struct rl_sampled_lane *lane = &capture->sampled_lanes[capture->sampled_lane_count++];
    *lane = (struct rl_sampled_lane){0};
    return lane;
}

struct rl_sampled_bin *rl_capture_add_sampled_bin(struct rl_capture *capture)
{
    RL_GROW(capture->sampled_bins, capture->sampled_bin_count + 1, capture->sampled_bin_cap);
    struct rl_sampled_bin *bin = &capture->sampled_bins[capture->sampled_bin_count++];
    *bin = (struct rl_sampled_bin){0};
    return bin;
}

struct rl_range_lane *rl_capture_add_range_lane(struct rl_capture *capture)
{
    RL_GROW(capture->range_lanes, capture->range_lane_count + 1, capture->range_lane_cap);
    struct rl_range_lane *lane = &capture->range_lanes[capture->range_lane_count++];
    *lane = (struct rl_range_lane){.place = RL_IDLE_NO_RANGE, .range = RL_NONE};
    return lane;
}

struct rl_range_bin *rl_capture_add_range_bin(struct rl_capture *capture)
{
    RL_GROW(capture->range_bins, capture->range_bin_count + 1, capture->range_bin_cap);
    struct rl_range_bin *bin = &capture->range_bins[capture->range_bin_count++];
    *bin = (struct rl_range_bin){0};
    return bin;
}

const char *rl_idle_place_name(enum rl_idle_place place)
{
    static const char *const names[RL_IDLE_PLACE_COUNT] = {"range", "other_ranges", "no_range"};
    assert(place < RL_IDLE_PLACE_COUNT);
    return names[place];
}
