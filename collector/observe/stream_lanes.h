/* stream_lanes.h - what a GPU did over time, as its process told it (stream.h). Private to the collector. */
#ifndef RL_COLLECTOR_STREAM_LANES_H
#define RL_COLLECTOR_STREAM_LANES_H

#include <stdbool.h>
#include <stddef.h>

#include "stream.h"

/* Lanes by slot, NULL: none was told, and times without a kernel; both as they were last told. */
struct rl_stream_lanes {
    struct rl_record_lane *lanes[RL_STREAM_MOST_LANES];
    struct rl_record_idle *idles;
    size_t idle_count, idle_cap;
};

/* Takes a record of `len` bytes; false: no process of ours writes such a one. */
bool rl_stream_lanes_take(struct rl_stream_lanes *lanes, const char *bytes, size_t len);
/* The same of a time without a kernel. */
bool rl_stream_lanes_take_idle(struct rl_stream_lanes *lanes, const struct rl_record_idle *idle);
/* Of a zeroed one, too; zeroes it. */
void rl_stream_lanes_release(struct rl_stream_lanes *lanes);

#endif
