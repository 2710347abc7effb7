/* stream_lanes.c - what a GPU did over time (stream_read.h). */
#include "stream_read.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

enum { MOST_IDLES = 4096 };
static const uint64_t BELIEVABLE_NS = UINT64_C(1) << 53; /* 104 days in one bin */

bool rl_stream_lanes_take(struct rl_stream_lanes *lanes, const char *bytes, size_t len)
{
    struct rl_record_lane is;
    assert(len >= sizeof is);
    memcpy(&is, bytes, sizeof is);
    if (is.slot >= RL_STREAM_MOST_LANES || is.lane >= RL_STREAM_LANE_KINDS || is.bin_count > RL_STREAM_LANE_BINS ||
        len < sizeof is + is.bin_count * sizeof *is.bins_ns || is.width_ns == 0 || is.width_ns > BELIEVABLE_NS || is.start_ns >> 63)
        return false;
    struct rl_record_lane **lane = &lanes->lanes[is.slot];
    if (!*lane)
        *lane = rl_calloc(1, sizeof **lane + RL_STREAM_LANE_BINS * sizeof *is.bins_ns);
    memset(*lane, 0, sizeof **lane + RL_STREAM_LANE_BINS * sizeof *is.bins_ns);
    memcpy(*lane, bytes, sizeof is + is.bin_count * sizeof *is.bins_ns);
    for (uint32_t i = 0; i < is.bin_count; i++)
        if ((*lane)->bins_ns[i] > BELIEVABLE_NS)
            return false;
    return true;
}

bool rl_stream_lanes_take_idle(struct rl_stream_lanes *lanes, const struct rl_record_idle *idle)
{
    if (idle->lane < RL_LANE_IDLE_COPY || idle->lane > RL_LANE_UNWATCHED || idle->longest_ns > idle->total_ns ||
        idle->total_ns > BELIEVABLE_NS || idle->count > BELIEVABLE_NS)
        return false;
    for (size_t i = 0; i < lanes->idle_count; i++)
        if (lanes->idles[i].lane == idle->lane && lanes->idles[i].range == idle->range) {
            lanes->idles[i] = *idle;
            return true;
        }
    if (lanes->idle_count == MOST_IDLES)
        return false;
    RL_GROW(lanes->idles, lanes->idle_count + 1, lanes->idle_cap);
    lanes->idles[lanes->idle_count++] = *idle;
    return true;
}

void rl_stream_lanes_release(struct rl_stream_lanes *lanes)
{
    for (size_t i = 0; i < RL_STREAM_MOST_LANES; i++)
        free(lanes->lanes[i]);
    free(lanes->idles);
    *lanes = (struct rl_stream_lanes){0};
}
