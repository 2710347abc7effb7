/* stream_launches.h - every launch of a process on one GPU, as the process told it (stream.h). Private to the collector. */
#ifndef RL_COLLECTOR_STREAM_LAUNCHES_H
#define RL_COLLECTOR_STREAM_LAUNCHES_H

#include <stdbool.h>
#include <stddef.h>

#include "stream.h"

/* From `from_ns` to before `to_ns` launches may be missing. */
struct rl_stream_gap {
    uint64_t from_ns, to_ns;
};
/* Launches and gaps of a GPU in the order in which they were told; both are bounded, and what is beyond is a gap without end. */
struct rl_stream_launches {
    struct rl_stream_launch *launches;
    size_t launch_count, launch_cap;
    struct rl_stream_gap *gaps;
    size_t gap_count, gap_cap;
};
enum { RL_STREAM_KEPT_LAUNCHES = 1 << 23, RL_STREAM_KEPT_GAPS = 1 << 16 };

/* Takes a record of `len` bytes; false: no process of ours writes such a one. */
bool rl_stream_launches_take(struct rl_stream_launches *launches, const char *bytes, size_t len);
/* Of a zeroed one, too; zeroes it. */
void rl_stream_launches_release(struct rl_stream_launches *launches);

#endif
