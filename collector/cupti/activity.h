/* activity.h - what the GPU did and when, from CUPTI's Activity API. Private to the collector.
 *
 * Two clocks. Records of concurrent kernels instrument the code of every kernel: each warp executes eight more instructions, which
 * makes kernels of many short warps up to a tenth longer. Serial records leave the code alone and add a constant, which is measured
 * on the GPU (record_cost.h) and subtracted here. So kernels are timed by serial records; concurrent ones are for timelines, where
 * kernels of several streams overlap.
 *
 * Activity records and counters do not belong together (each spoils the other), so recording is on only while launches are timed.
 */
#pragma once

#include "capture/capture.h"
#include "record_cost.h"

/* One activity as the device saw it; the fields after `bytes` are those of kernels. */
struct rl_activity {
    enum rl_event_kind kind;
    uint64_t start_ns, end_ns; /* GPU timestamps */
    uint32_t stream;
    uint64_t bytes;   /* of memcpys and memsets */
    const char *name; /* mangled; interned: equal names have equal pointers, valid until the process ends */
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared_bytes;
};

enum rl_activity_clock {
    RL_ACTIVITY_SERIAL,   /* kernels, one after another, without what the records cost */
    RL_ACTIVITY_TIMELINE, /* kernels, memcpys and memsets as they overlap; kernels last as long as the instrumented code */
};

/* Starts recording; what was recorded before is forgotten. */
enum rl_status rl_activity_start(enum rl_activity_clock clock, struct rl_err *err);
/* From now on serial records are shortened by this; NULL: by nothing. It outlives its use. */
void rl_activity_set_cost(const struct rl_record_cost *cost);
/* Stops recording (the device must be idle) and gives what happened in order of its start. The array is the module's, valid until
 * the next rl_activity_start. RL_FAILED when CUPTI dropped records. */
enum rl_status rl_activity_stop(const struct rl_activity **activities, size_t *count, struct rl_err *err);
