/* stream_launches.c - every launch of a process (stream_read.h). */
#include "stream_read.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

static void add_gap(struct rl_stream_launches *launches, uint64_t from_ns, uint64_t to_ns)
{
    assert(from_ns < to_ns && launches->gap_count <= RL_STREAM_KEPT_GAPS);
    if (launches->gap_count == RL_STREAM_KEPT_GAPS) {
        struct rl_stream_gap *last = &launches->gaps[RL_STREAM_KEPT_GAPS - 1];
        last->from_ns = from_ns < last->from_ns ? from_ns : last->from_ns;
        last->to_ns = UINT64_MAX;
        return;
    }
    RL_GROW(launches->gaps, launches->gap_count + 1, launches->gap_cap);
    launches->gaps[launches->gap_count++] = (struct rl_stream_gap){from_ns, to_ns};
}

static bool is_full(const struct rl_stream_launches *launches)
{
    return launches->launch_count >= RL_STREAM_KEPT_LAUNCHES;
}

bool rl_stream_launches_take(struct rl_stream_launches *launches, const char *bytes, size_t len)
{
    struct rl_record_launches is;
    assert(len >= sizeof is);
    memcpy(&is, bytes, sizeof is);
    if (is.launch_count > RL_STREAM_MOST_LAUNCHES || len < sizeof is + is.launch_count * sizeof *is.launches ||
        is.missing_from_ns > is.missing_to_ns)
        return false;
    if (is.missing_from_ns < is.missing_to_ns && !is_full(launches))
        add_gap(launches, is.missing_from_ns, is.missing_to_ns);
    for (uint32_t i = 0; i < is.launch_count; i++) {
        struct rl_stream_launch launch;
        memcpy(&launch, bytes + sizeof is + i * sizeof launch, sizeof launch);
        if (launch.start_ns >> 63)
            return false;
        if (is_full(launches))
            continue;
        RL_GROW(launches->launches, launches->launch_count + 1, launches->launch_cap);
        launches->launches[launches->launch_count++] = launch;
        if (is_full(launches))
            add_gap(launches, launch.start_ns, UINT64_MAX);
    }
    return true;
}

void rl_stream_launches_release(struct rl_stream_launches *launches)
{
    free(launches->launches);
    free(launches->gaps);
    *launches = (struct rl_stream_launches){0};
}
