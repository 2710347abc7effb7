/* activity.h - durations of kernel launches from CUPTI's Activity API. Private to the collector.
 *
 * Activity records and counters do not belong together (each spoils the other), so recording is on only while launches are timed.
 */
#ifndef RL_COLLECTOR_ACTIVITY_H
#define RL_COLLECTOR_ACTIVITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

/* One launch as the device saw it. */
struct rl_activity_launch {
    const char *name;                  /* mangled; interned: equal names have equal pointers, valid until the process ends */
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared_bytes, static_shared_bytes, registers_per_thread, local_bytes_per_thread;
    uint64_t start_ns, end_ns;         /* GPU timestamps */
};

/* Starts recording kernel launches; what was recorded before is forgotten. */
enum rl_status rl_activity_start(struct rl_err *err);
/* Stops recording (the device must be idle) and gives the launches in order of their start. The array is the module's, valid until the next
 * rl_activity_start. RL_FAILED when CUPTI dropped records. */
enum rl_status rl_activity_stop(const struct rl_activity_launch **launches, size_t *count, struct rl_err *err);

#endif
