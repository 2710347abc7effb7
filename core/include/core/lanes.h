/* lanes.h - the state of a program on one GPU at each moment. */
#ifndef RL_CORE_LANES_H
#define RL_CORE_LANES_H

enum rl_lane {
#define LANE(symbol, ...) RL_LANE_##symbol,
#include "core/lanes.def"
#undef LANE
    RL_LANE_COUNT
};
/* As captures have it, what it is called, and what it means. */
struct rl_lane_row {
    const char *id, *label, *meaning;
};
extern const struct rl_lane_row rl_lanes[RL_LANE_COUNT];

#endif
