/* inject.h - the object that runs inside an observed program. Private to collector/inject.
 *
 *     inject.c    entry points, beginning and end of the process, forks
 *     out.c       the record stream (../stream.h)
 *     classes.c   kernel classes: counted, timed, sampled
 *     busy.c      how long each GPU was busy
 *     times.c     the Activity API: times of kernels, copies, sets
 *     ranges.c    NVTX: a stack for each thread, a tree for all
 *     launches.c  callbacks on launches: where, and whether they are selected
 *     select.c    the filters
 *     counts.c    counters: windows of the range profiler around chosen launches
 *     gpus.c      the GPUs and contexts of the process
 *
 * It must not disturb its host: nothing is exported but the three entry points, nothing is printed, memory is bounded, and whatever
 * fails here is said in the stream while the program goes on. One lock guards what all threads share (classes, ranges, stream);
 * it is never held while CUDA or CUPTI is called. A second one, counts_lock, keeps other launches out while one is counted; it is
 * taken before the first.
 */
#ifndef RL_INJECT_H
#define RL_INJECT_H

#include <cuda.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/value.h"
#include "cupti_api.h"
#include "settings.h"
#include "stream.h"

enum { MOST_CLASSES = 1 << 16, MOST_RANGES = 1 << 16, MOST_GPUS = 64, MOST_PASSES = 24, MOST_DEPTH = 64 };

/* ---- inject.c ---- */

extern struct rl_settings settings;
extern pthread_mutex_t lock;
/* False in a process that inherited our state by fork after CUDA was started: it may not touch anything. */
extern atomic_bool alive;
uint64_t now_ns(void); /* CLOCK_MONOTONIC */

/* ---- out.c; all but out_open under `lock` ---- */

/* Opens the stream of this process and says hello; false when there is nothing to write to. */
bool out_open(void);
/* Appends a record: `size` bytes of its struct (the head is filled in) and `count` texts; NULL counts as "". */
void out_add(enum rl_record_kind kind, void *record, size_t size, const char *const *texts, size_t count);
/* Hands everything to the kernel. */
void out_flush(void);
/* Forgets the stream of the parent process. */
void out_forget(void);
/* One line for the capture's log; takes the lock itself. `status` tells why there are no counters, RL_OK otherwise. */
void say(int level, enum rl_status status, const char *text);

/* ---- classes.c; under `lock` ---- */

struct shape {
    uint32_t gpu, grid[3], block[3];
    uint64_t dynamic_shared_bytes;
};
enum { MOST_WATCHED = 8 };
struct class
{
    uint32_t id;
    struct shape shape;
    const char *name; /* mangled, interned */
    uint64_t hash;    /* rl_stream_hash */
    bool excluded;    /* by name */
    bool collective;  /* waits for its peers */
    bool wanted;      /* second run: its counters matter */
    bool shape_told, changed;
    bool met; /* counts.c: has been launched */
    uint64_t seen, timed, graph, total_ns, min_ns, max_ns;
    double mean_ns, squares;
    uint8_t counted[MOST_PASSES];
    uint32_t window;                       /* counts.c: the last one that has seen it */
    uint64_t absent;                       /* counts.c: launches, and 1, when a window waited for it in vain; 0: none did */
    struct rl_value watched[MOST_WATCHED]; /* counts.c: counters that conditions name */
};
/* The class of a launch, made when it is new; NULL when there are MOST_CLASSES already. */
struct class *class_of(const char *name, const struct shape *shape);
/* One timed launch. */
void class_time(struct class *class, uint64_t start_ns, uint64_t duration_ns, bool graph);
size_t class_count(void);
struct class *class_at(size_t index);
/* Writes the totals of every class that has changed. */
void classes_flush(void);

/* ---- select.c ---- */

/* Compiles the filters; false, with what is wrong, when an expression is none. */
bool select_init(const char **wrong);
/* Of a kernel's mangled name. */
bool select_name(const char *mangled);
/* Whether the filters look at launches one by one, so that callbacks are needed for times. */
bool select_needs_launches(void);
/* Whether a launch inside these ranges (innermost last) of a kernel that passes by name is selected; counts it for skip and count.
 */
struct place {
    int32_t nodes[MOST_DEPTH];
    size_t depth;
};
bool select_launch(const struct place *place, bool name_passes);
/* Told by ranges.c and launches.c. */
void select_range_entered(const char *domain, const char *name);
void select_range_left(const char *domain, const char *name);
void select_profiler(bool started);
/* Whether the path of nodes matches a pattern such as domain@name or outer/inner; for the tests too. */
struct path_step {
    const char *domain, *name;
};
bool select_path_matches(const char *pattern, const struct path_step *steps, size_t count);

/* ---- busy.c; under `lock` ---- */

/* An activity of the GPU; `kernel`: its duration counts as kernel time. */
void busy_add(uint32_t gpu, uint64_t start_ns, uint64_t end_ns, bool kernel);
void busy_flush(void);
/* Nothing is recorded from here to the next activity: that time is neither busy nor idle. */
void busy_cut(void);
struct busy_totals {
    uint64_t span_ns, busy_ns, kernel_ns;
};
struct busy_totals busy_of(uint32_t gpu);

/* ---- ranges.c ---- */

/* Fills in NVTX's table of functions; false when it has none of ours. */
bool ranges_attach(const void *(*export_table)(uint32_t id));
/* The same for an extension of NVTX; false when nothing of it is wanted. */
struct nvtx_extension;
bool ranges_extend(struct nvtx_extension *extension);
/* Where this thread is: its own ranges, or those opened for the whole process when it has none. */
void ranges_place(struct place *place);
/* Under `lock`: a timed kernel that was launched in this range. */
void range_time(int32_t range, uint64_t duration_ns);
void ranges_flush(void);
struct path_step range_step(int32_t range);
bool ranges_used(void);

/* ---- launches.c ---- */

enum rl_status launches_start(struct rl_err *err);
/* What the callback knew of the launch with this correlation id; false when it has been forgotten, or there was no callback. */
struct origin {
    int32_t range;
    bool selected, counted;
};
bool launch_origin(uint32_t correlation, struct origin *origin);
bool launches_watched(void);
extern atomic_ullong launches_untimed;

/* ---- times.c ---- */

enum rl_status times_start(struct rl_err *err);
/* Stops and starts recording between windows of counters, with everything so far delivered. */
void times_pause(void);
void times_resume(void);
/* Delivers what is finished. */
void times_deliver(bool all);
/* Under `lock`: totals of transfers and of the process. */
void times_flush(void);

/* ---- gpus.c ---- */

/* Ordinal of the context's device; false when it cannot be told, or the settings leave the device out. Tells the stream about a GPU
 * that is new. */
bool gpu_of_context(CUcontext context, uint32_t *gpu);
/* The context is destroyed; its address may be used again. */
void gpu_context_gone(CUcontext context);
/* The same for a device ordinal from an activity record. */
bool gpu_seen(uint32_t gpu);
/* A function of the driver, which the program has loaded; NULL: it has none. Takes about a microsecond. */
void *driver_function(const char *name);
#define DRIVER(function) ((__typeof__(&function))driver_function(#function))

/* ---- counts.c ---- */

struct launch {
    CUcontext context;
    uint32_t gpu;
    CUstream stream;
    const char *name;
    struct shape shape;
    bool selected;
};
void counts_start(void);
/* Around each launch of a kernel, on the same thread; true: it is counted, and counts_leave must be told so. */
bool counts_enter(const struct launch *launch);
void counts_leave(bool counted);
/* After the launch of a collective kernel. */
void counts_collective(const struct launch *launch);
/* A graph is launched, a stream is going to be captured, the process ends: an open window is closed first. NULL: of any context. */
void counts_close(CUcontext context);
/* The process ends: closes what is open and says what was not counted for want of time. */
void counts_end(void);
/* A context is destroyed. */
void counts_forget_context(CUcontext context);
/* A stream begins (1) or ends (-1) to be captured. */
void counts_capture(int change);

#endif
