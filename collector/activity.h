/* activity.h - what the GPU did and when, from CUPTI's Activity API. Private to the collector.
 *
 * Activity records and counters do not belong together (each spoils the other), so recording is on only while launches are timed.
 */
#ifndef RL_COLLECTOR_ACTIVITY_H
#define RL_COLLECTOR_ACTIVITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/capture.h"
#include "core/err.h"

/* One activity as the device saw it; the fields after `bytes` are those of kernels. */
struct rl_activity {
    enum rl_event_kind kind;
    uint64_t start_ns, end_ns; /* GPU timestamps */
    uint32_t stream;
    uint64_t bytes;   /* of copies and sets */
    const char *name; /* mangled; interned: equal names have equal pointers, valid until the process ends */
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared_bytes;
};

/* Starts recording kernel launches, and with `copies` also copies and sets; what was recorded before is forgotten. */
enum rl_status rl_activity_start(bool copies, struct rl_err *err);
/* Stops recording (the device must be idle) and gives what happened in order of its start. The array is the module's, valid until
 * the next rl_activity_start. RL_FAILED when CUPTI dropped records. */
enum rl_status rl_activity_stop(const struct rl_activity **activities, size_t *count, struct rl_err *err);

#endif
