/* lanes.c - names of the lanes. */
#include "core/lanes.h"

const struct rl_lane_row rl_lanes[RL_LANE_COUNT] = {
#define LANE(symbol, id, label, meaning) {id, label, meaning},
#include "core/lanes.def"
};
