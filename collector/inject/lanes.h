/* lanes.h - what a GPU did over time: bins, and the times between kernels. Private to inject. */
#pragma once

#include "times.h"

/* By enum rl_lane, then classes, then idle time by range. */
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

/* Bins of time, as wide as it takes for all of them to hold what has been seen: neighbours are put together when they do not. */
struct bins {
    uint64_t start_ns, width_ns; /* width 0: nothing has been added */
    struct bin_lane {
        uint64_t ns[RL_STREAM_LANE_BINS], total_ns;
        struct class *class; /* of a lane of classes; NULL: it is free */
        int32_t range;       /* of a lane of ranges that is taken */
        bool used, changed, taken;
    } lanes[LANES];
};
/* Makes room up to `end_ns`; the first time the bins begin at `start_ns`. */
void bins_reach(struct bins *bins, uint64_t start_ns, uint64_t end_ns);
/* Adds [from_ns, to_ns) to a lane, for which there is room; what is before the bins begin is left out. */
void bins_add(struct bins *bins, size_t lane, uint64_t from_ns, uint64_t to_ns);
/* The lane of a class, which may take it from one that has far less time: that one's goes to the others. */
size_t bins_lane_of(struct bins *bins, struct class *class);
/* The same of a range, in which the GPU was idle for `total_ns` until now. */
size_t bins_range_of(struct bins *bins, int32_t range, uint64_t total_ns);
/* Puts the lanes that have changed into the stream, from 0 to the last bin with anything in it. Under `lock`. */
void bins_tell(struct bins *bins, uint32_t gpu);

/* ---- idle.c ---- */

/* Times between two kernels, with those pieces of them in which copies ran. */
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
/* The next kernel. */
struct idle_end {
    int32_t range;
    struct call_times call; /* by CUPTI's clock */
    bool cut;               /* others may be missing before it */
};
/* A copy ran after the last kernel had ended. */
void idle_copy(struct idle *idle, uint64_t from_ns, uint64_t to_ns);
/* No kernel ran from `from_ns` to `to_ns`, when the next one began. */
void idle_close(struct idle *idle, struct bins *bins, uint64_t from_ns, uint64_t to_ns, const struct idle_end *end);
/* Puts the sums that have changed into the stream. Under `lock`. */
void idle_tell(struct idle *idle, uint32_t gpu);

/* ---- lanes.c; under `lock` ---- */

/* An activity of the GPU: of which lane its time is, RL_LANE_COMPUTE or RL_LANE_COLLECTIVES for a kernel, that of its direction for
 * a copy. Of a kernel: the class (NULL: it has none), and where and when it was launched. */
struct activity {
    uint32_t gpu;
    enum rl_lane lane;
    uint64_t start_ns, end_ns;
    struct class *class;
    int32_t range;
    struct call_times call;
};
/* Takes it; one without beginning or length is left out. It may come a little out of order. */
void lanes_add(const struct activity *activity);
/* From the call that launched it to its end; 0: unknown. */
uint64_t lanes_lag(const struct activity *kernel);
/* Kernels may be missing from here to the next one of each GPU. */
void lanes_cut(void);
/* Puts what has changed into the stream, now and then; with `all` everything up to the last activity. */
void lanes_flush(bool all);
/* How much of the lane is in one bin, ns; of all classes together for RL_LANE_CLASS. The GPU has had an activity. For the tests. */
uint64_t lanes_bin(uint32_t gpu, enum rl_lane lane, size_t bin);
/* How wide its bins are, ns. The same. */
uint64_t lanes_width(uint32_t gpu);
