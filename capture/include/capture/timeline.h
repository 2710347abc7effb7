/* timeline.h - what the GPUs of an observed program did over time (capture.h). */
#ifndef RL_CAPTURE_TIMELINE_H
#define RL_CAPTURE_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include "capture/sampled.h"
#include "core/lanes.h"

enum { RL_TIMELINE_MOST_BINS = 1 << 16 };

/* One GPU, as one process used it: equal bins of time from its first activity on. */
struct rl_timeline {
    size_t process, gpu;
    uint64_t start_ns; /* after the earliest timeline of the capture */
    uint64_t width_ns; /* of a bin */
    uint32_t bins;     /* up to the last activity */
};
struct rl_timeline_lane {
    size_t timeline;
    enum rl_lane lane;
    size_t kernel;     /* of RL_LANE_CLASS: the class, or the first of those that it was taken apart into; RL_NONE otherwise */
    uint64_t total_ns; /* of all its bins */
};
/* One bin of a lane of time, or of a lane of idle time by range; bins without anything are left out. */
struct rl_timeline_bin {
    size_t lane;
    uint32_t bin;
    uint64_t ns;
};
/* Times between two kernels that have one cause and ended with a launch from one range. */
struct rl_timeline_gap {
    size_t timeline;
    enum rl_lane lane; /* RL_LANE_IDLE_COPY to RL_LANE_UNWATCHED */
    size_t range;      /* RL_NONE: none, or unknown */
    uint64_t count, total_ns, longest_ns;
};

/* Counts from samples of a whole GPU, bin by bin: everything that ran on it, of whatever process. Bins without a
 * sample are unknown, not zero. */
struct rl_sampled_lane {
    size_t timeline;
    enum rl_sampled_counter counter;
    uint64_t covered_ns; /* of all its bins: time in which samples were taken, */
    double total;        /* and what they counted */
};
/* Bins without samples are left out. */
struct rl_sampled_bin {
    size_t lane;
    uint32_t bin;
    uint64_t covered_ns; /* of the bin; a rate is the total over this */
    double total;
};

/* Where the host was while no kernel ran. */
enum rl_idle_place {
    RL_IDLE_RANGE,        /* in one NVTX range: one of those with the most */
    RL_IDLE_OTHER_RANGES, /* in all the others together */
    RL_IDLE_NO_RANGE,     /* in none, or in one that is unknown */
    RL_IDLE_PLACE_COUNT
};
/* "range", "other_ranges", "no_range"; static. */
const char *rl_idle_place_name(enum rl_idle_place place);
/* Times between two kernels, whatever their cause, by the range that the second one was launched from; without what was not
 * observed. */
struct rl_range_lane {
    size_t timeline;
    enum rl_idle_place place;
    size_t range;      /* of RL_IDLE_RANGE; RL_NONE otherwise */
    uint64_t total_ns; /* of all its bins */
};

#endif
