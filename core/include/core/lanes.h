/* lanes.h - the state of a program on one GPU at each moment. */
#pragma once

enum rl_lane {
#define LANE(symbol, ...) RL_LANE_##symbol,
#include "core/lanes.def"
    RL_LANE_COUNT
};
/* Id in captures, label and meaning of a lane. */
struct rl_lane_row {
    const char *id, *label, *meaning;
};
extern const struct rl_lane_row rl_lanes[RL_LANE_COUNT];
