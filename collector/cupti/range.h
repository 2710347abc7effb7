/* range.h - windows of launches under one counter configuration, on one context, by the back end in force (backend.h). Private to
 * the collector.
 *
 *     rl_range_open -> { rl_range_begin -> { launches -> rl_range_next } while again -> rl_range_end } ... -> rl_range_close
 *
 * Opening and closing a window of the range profiler costs about 0.2 s (H200, CUPTI 13.0), or, as another pass of the image that
 * the profiler is enabled for, 5 to 70 ms (host.h, struct rl_joint); a launch inside it costs about a millisecond. So a window is
 * kept open over as many launches as possible. What a range is, the mode says.
 */
#pragma once

#include "host.h"

struct rl_range_profiler {
    const struct rl_backend *backend; /* NULL: closed */
    CUcontext context;
    int device;
    char *chip;
    uint8_t *availability; /* counter-availability image of the device */
    size_t availability_size;
    bool asked; /* it was queried from the device, which takes 0.1 s; otherwise it was known */
    /* the open window */
    void *object;                   /* the back end's */
    const struct rl_config *config; /* NULL: no window is open */
    uint8_t *image;                 /* counter data */
    size_t image_size, image_room;  /* bytes of it, and of its memory */
    size_t max_ranges;              /* launches it has room for */
    /* between windows of one image the profiler stays enabled */
    bool marked;                  /* the open window has marked ranges, the only kind with passes of one image */
    const struct rl_joint *joint; /* for which it is; NULL: it is not, or for the open window alone */
    size_t next_pass;             /* that CUPTI takes next */
    struct rl_blank {             /* counter data as it is before a window */
        const struct rl_config *of;
        size_t ranges, size;
        uint8_t *image;
    } * blanks;
    size_t blank_count, blank_cap;
    uint8_t *spent; /* image of the previous window, which CUPTI may still use */
    uint8_t *spare; /* an image that it no longer uses, for the next window */
    size_t spent_size, spare_size;
};

/* Returns the availability image of a device from another process, with its size; NULL: unknown. */
typedef const uint8_t *(*rl_availability_known)(const char *chip, int device, size_t *size);
/* Opens windows with known images from now on. Call it from the thread that opens them. */
void rl_range_know(rl_availability_known known);
/* Does the part of rl_range_open that needs no context and takes 0.1 s; rl_range_open reports a failure again. */
void rl_range_warm(void);

/* Initialises CUPTI on a context, which is current and belongs to CUDA device `device`, and reads which counters it has.
 * RL_PERMISSION, RL_BUSY and RL_UNSUPPORTED carry the cure. `profiler` must be closed in every case; its `chip` may be known even
 * on failure. */
enum rl_status rl_range_open(struct rl_range_profiler *profiler, CUcontext context, int device, struct rl_err *err);
/* Closes an open window without its values; does nothing without one. */
void rl_range_close(struct rl_range_profiler *profiler);

/* Opens a window for at most `max_ranges` ranges. */
enum rl_status rl_range_begin(struct rl_range_profiler *profiler, const struct rl_config *config, size_t max_ranges,
                              enum rl_range_mode mode, struct rl_err *err);
/* RL_RANGE_MARKED: range `number`, below max_ranges, begins. The device must be idle. */
enum rl_status rl_range_push(struct rl_range_profiler *profiler, size_t number, struct rl_err *err);
/* RL_RANGE_MARKED: the range that was begun ends. The device must be idle. */
enum rl_status rl_range_pop(struct rl_range_profiler *profiler, struct rl_err *err);
/* Between launches and end: `again`, the same launches are wanted once more, for another pass of the configuration. Only
 * configurations of rl_host_join take more than one. The device must be idle. */
enum rl_status rl_range_next(struct rl_range_profiler *profiler, bool *again, struct rl_err *err);
/* Closes the window (the device must be idle) and evaluates: values[r * config->counter_count + c] is counter c of the r-th
 * range.
 * The caller's array has room for max_ranges rows; rows of ranges that CUPTI did not deliver, and values it gives as NaN, are
 * RL_VALUE_FAILED. */
enum rl_status rl_range_end(struct rl_range_profiler *profiler, struct rl_value *values, struct rl_err *err);

/* Whether another window can be opened without enabling the profiler again. */
bool rl_range_is_enabled(const struct rl_range_profiler *profiler);
/* Number of passes before that of the configuration, while the profiler stays enabled for its image. */
size_t rl_range_distance(const struct rl_range_profiler *profiler, const struct rl_config *config);
/* Releases the counters between windows. The device should be idle. */
void rl_range_rest(struct rl_range_profiler *profiler);

/* ---- for the back ends ---- */

struct rl_range_kind {
    CUpti_ProfilerRange range;
    CUpti_ProfilerReplayMode replay;
};
/* CUPTI's constant for the mode. */
struct rl_range_kind rl_range_kind(enum rl_range_mode mode);
/* Which range of the window has this name: auto ranges carry the launch's number as name, marked ones theirs. RL_FAILED: none. */
enum rl_status rl_range_number(const struct rl_range_profiler *profiler, const char *name, size_t *number, struct rl_err *err);
