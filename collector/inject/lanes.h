/* lanes.h - timelines of GPUs: time bins, and idle times between kernels. Private to inject. */
#pragma once

#include "times.h"

/* Lanes: enum rl_lane, then classes, then idle time by range. */
enum {
    CLASS_LANES = 24,
    RANGE_LANES = 16,
    BEHIND_CLASSES = RL_LANE_COUNT + CLASS_LANES,
    OTHER_RANGES = BEHIND_CLASSES,
    NO_RANGE,
    FIRST_RANGE,
    LANES = FIRST_RANGE + RANGE_LANES
};
enum { IDLE_SLOTS = 1024, MOST_PIECES = 512 };
_Static_assert((int)LANES <= RL_STREAM_MOST_LANES, "the stream has room");
static const uint64_t FIRST_WIDTH_NS = 1 << 16;

/* ---- bins.c ---- */

/* Time bins, whose width is doubled by merging neighbours when the time exceeds their span. */
struct bins {
    uint64_t start_ns, width_ns; /* width 0: empty */
    struct bin_lane {
        uint64_t ns[RL_STREAM_LANE_BINS], total_ns;
        struct class *class; /* class of the lane; NULL: free */
        int32_t range;       /* range of the lane, if taken */
        bool used, changed, taken;
    } lanes[LANES];
};
/* Extends the bins to `end_ns`; the first call begins them at `start_ns`. */
void bins_reach(struct bins *bins, uint64_t start_ns, uint64_t end_ns);
/* Adds [from_ns, to_ns) to a lane, after bins_reach; time before the bins begin is dropped. */
void bins_add(struct bins *bins, size_t lane, uint64_t from_ns, uint64_t to_ns);
/* The lane of a class; may take the lane of a class with far less time, whose time then goes to the other classes. */
size_t bins_lane_of(struct bins *bins, struct class *class);
/* The same for a range in which the GPU was idle for `total_ns` so far. */
size_t bins_range_of(struct bins *bins, int32_t range, uint64_t total_ns);
/* Writes changed lanes into the stream, from bin 0 to the last used one. Under `lock`. */
void bins_tell(struct bins *bins, uint32_t gpu);

/* ---- idle.c ---- */

/* Idle time between two kernels, and the parts of it in which memcpys ran. */
struct idle {
    struct piece {
        uint64_t from_ns, to_ns;
    } pieces[MOST_PIECES]; /* disjoint, ascending */
    size_t piece_count;
    struct idle_sum {
        int32_t range;
        enum rl_lane lane;
        bool used, changed;
        uint64_t count, total_ns, longest_ns;
    } sums[IDLE_SLOTS]; /* open addressing by lane and range */
    size_t sum_count;
};
/* The kernel that ends an idle time. */
struct idle_end {
    int32_t range;
    struct call_times call; /* in CUPTI's clock */
    bool cut;               /* records of kernels before it may be missing */
};
/* A memcpy ran after the last kernel had ended. */
void idle_copy(struct idle *idle, uint64_t from_ns, uint64_t to_ns);
/* Adds the idle time from `from_ns` to `to_ns`, when the next kernel began. */
void idle_close(struct idle *idle, struct bins *bins, uint64_t from_ns, uint64_t to_ns, const struct idle_end *end);
/* Writes changed sums into the stream. Under `lock`. */
void idle_tell(struct idle *idle, uint32_t gpu);

/* ---- lanes.c; under `lock` ---- */

/* An activity of the GPU. `lane`: RL_LANE_COMPUTE or RL_LANE_COLLECTIVES for a kernel, the direction's lane for a memcpy. Kernels
 * also have a class (NULL: none) and the range and time of the launch. */
struct activity {
    uint32_t gpu;
    enum rl_lane lane;
    uint64_t start_ns, end_ns;
    struct class *class;
    int32_t range;
    struct call_times call;
};
/* Adds it; ignored without a start or duration. Activities may arrive slightly out of order. */
void lanes_add(const struct activity *activity);
/* Time from the launch call to the end of the kernel; 0: unknown. */
uint64_t lanes_lag(const struct activity *kernel);
/* Kernels may be missing between now and the next one of each GPU. */
void lanes_cut(void);
/* Writes changes into the stream from time to time; with `all` everything up to the last activity. */
void lanes_flush(bool all);
/* Time of the lane in one bin, ns; for RL_LANE_CLASS of all classes. The GPU must have had an activity. For tests. */
uint64_t lanes_bin(uint32_t gpu, enum rl_lane lane, size_t bin);
/* Width of the GPU's bins, ns. For tests. */
uint64_t lanes_width(uint32_t gpu);
