/* model_timeline.c - what the GPUs of a program did over time: adding to it. */
#include <assert.h>

#include "capture/capture.h"
#include "core/mem.h"

/* rl_capture_add_ROW: a `type` more in `items`, of which nothing is known. */
#define ADD(row, type, items, ...)                                                                                                 \
    struct type *rl_capture_add_##row(struct rl_capture *capture)                                                                  \
    {                                                                                                                              \
        RL_GROW(capture->items, capture->row##_count + 1, capture->row##_cap);                                                     \
        capture->items[capture->row##_count] = (struct type){__VA_ARGS__};                                                         \
        return &capture->items[capture->row##_count++];                                                                            \
    }
ADD(timeline, rl_timeline, timelines, 0)
ADD(timeline_lane, rl_timeline_lane, timeline_lanes, .kernel = RL_NONE)
ADD(timeline_bin, rl_timeline_bin, timeline_bins, 0)
ADD(timeline_gap, rl_timeline_gap, timeline_gaps, .lane = RL_LANE_IDLE_COPY, .range = RL_NONE)
ADD(sampled_lane, rl_sampled_lane, sampled_lanes, 0)
ADD(sampled_bin, rl_sampled_bin, sampled_bins, 0)
ADD(range_lane, rl_range_lane, range_lanes, .place = RL_IDLE_NO_RANGE, .range = RL_NONE)
ADD(range_bin, rl_timeline_bin, range_bins, 0)

const char *rl_idle_place_name(enum rl_idle_place place)
{
    static const char *const names[RL_IDLE_PLACE_COUNT] = {"range", "other_ranges", "no_range"};
    assert(place < RL_IDLE_PLACE_COUNT);
    return names[place];
}
