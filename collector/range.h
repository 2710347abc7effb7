/* range.h - CUPTI's range profiler on one context: windows of launches under one counter configuration. Private to the collector.
 *
 *     rl_range_open -> { rl_range_begin -> launches -> rl_range_end } ... -> rl_range_close
 *
 * Opening and closing a window costs about 0.2 s (H200, CUPTI 13.0), a launch inside it about a millisecond, so a window is kept
 * open over as many launches as possible. What a range is, the mode says.
 */
#ifndef RL_COLLECTOR_RANGE_H
#define RL_COLLECTOR_RANGE_H

#include <stddef.h>

#include "core/value.h"
#include "host.h"

enum rl_range_mode {
    RL_RANGE_LAUNCHES, /* every launch in the window is a range, in order: the counters begin and end with the kernel */
    RL_RANGE_MARKED,   /* what lies between rl_range_push and rl_range_pop; other launches run freely and are not counted */
    RL_RANGE_REPLAYED, /* every launch is a range, and CUPTI repeats it for each pass of the configuration */
};

struct rl_range_profiler {
    CUcontext context;
    char *chip;
    uint8_t *availability; /* counter-availability image of the device */
    CUpti_RangeProfiler_Object *object;
    /* the open window */
    const struct rl_config *config; /* NULL: no window is open */
    uint8_t *image;                 /* counter data */
    size_t image_size;
    size_t max_ranges; /* launches it has room for */
};

/* Initialises CUPTI on a context, which is current and belongs to CUDA device `device`, and reads which counters it has.
 * RL_PERMISSION, RL_BUSY and RL_UNSUPPORTED carry the cure. `profiler` must be closed in every case; its `chip` may be known even
 * on failure. */
enum rl_status rl_range_open(struct rl_range_profiler *profiler, CUcontext context, int device, struct rl_err *err);
void rl_range_close(struct rl_range_profiler *profiler);

/* Opens a window for at most `max_ranges` ranges. */
enum rl_status rl_range_begin(struct rl_range_profiler *profiler, const struct rl_config *config, size_t max_ranges,
                              enum rl_range_mode mode, struct rl_err *err);
/* RL_RANGE_MARKED: range `number`, below max_ranges, begins; it ends. The device must be idle at both. */
enum rl_status rl_range_push(struct rl_range_profiler *profiler, size_t number, struct rl_err *err);
enum rl_status rl_range_pop(struct rl_range_profiler *profiler, struct rl_err *err);
/* Closes the window (the device must be idle) and evaluates: values[r * config->counter_count + c] is counter c of the r-th
 * range.
 * The caller's array has room for max_ranges rows; rows of ranges that CUPTI did not deliver, and values it gives as NaN, are
 * RL_VALUE_FAILED. */
enum rl_status rl_range_end(struct rl_range_profiler *profiler, struct rl_value *values, struct rl_err *err);

#endif
