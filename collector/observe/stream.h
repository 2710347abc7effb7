/* stream.h - what the injected part of an observed program says, and the collecting process reads. Private to the collector.
 *
 * Each process that uses CUDA writes records into a ring that it shares with the collecting process (ring.h), whole ones only.
 * Totals are cumulative: the last record of a kind about a class, range or GPU counts, and what a process has not said yet when
 * there is no room, it says later.
 *
 * A record is a struct below, whose `head` says how long it is, followed by texts, each with its terminator, and padding to 8
 * bytes. Both sides come from one build and run on one machine; still, the reader believes no length and no index (stream_read.c).
 */
#pragma once

#include "core/core.h"
#include "core/lanes.h"

enum {
    RL_STREAM_VERSION = 15,
    RL_STREAM_MOST_BYTES = 1 << 17, /* of a record */
    RL_STREAM_MOST_ATTRIBUTES = 32,
    RL_STREAM_MOST_LAUNCHES = 4096, /* in one record */
    RL_STREAM_NO_CLASS = 0xfffff,   /* the class of a launch excluded by filters, and of a memset or device copy */
    RL_STREAM_SAMPLES = 512,        /* times kept of a kernel class */
    RL_STREAM_MOST_SHAPES = 8,      /* counted shapes of one kernel, which represent the others */
    RL_STREAM_NO_RANGE = -1,
    RL_STREAM_MOST_INSTANCES = 100000, /* of ranges with parameters; the first ones */
    RL_STREAM_BINS_PER_OCTAVE = 32,
    RL_STREAM_MOST_BINS = 64 * RL_STREAM_BINS_PER_OCTAVE,
    RL_STREAM_MOST_FUNCTIONS = 1 << 14, /* whose instructions are sampled */
    RL_STREAM_LANE_BINS = 512,          /* of time, at most */
    RL_STREAM_MOST_LANES = 64,          /* of a GPU */
    RL_STREAM_MOST_CUBIN = 32 << 20,    /* bytes of a module, which is sent for its line table */
    RL_STREAM_CUBIN_PART = 64 << 10,    /* of it in one record */
};

enum rl_record_kind {
#define RECORD(name) RL_RECORD_##name,
#include "stream.def"
    RL_RECORD_COUNT
};

struct rl_record {
    uint32_t bytes; /* of the whole record, a multiple of 8 */
    uint32_t kind;
};

/* The first record. Texts: host, rank ("" for none), then the arguments. */
struct rl_record_hello {
    struct rl_record head;
    uint32_t version, pid, parent_pid;
    uint32_t run;       /* 0: the timed run; other runs only count */
    int64_t started_ns; /* since 1970 */
};
/* Texts: name. */
struct rl_record_gpu {
    struct rl_record head;
    uint32_t gpu; /* ordinal in the process */
    uint32_t cc_major, cc_minor;
    int32_t driver_version; /* 13000 for CUDA 13.0 */
    uint64_t memory_bytes;
    uint8_t uuid[16];
    uint32_t attribute_count, unused;
    struct {
        int32_t attribute, value; /* CUdevice_attribute */
    } attributes[RL_STREAM_MOST_ATTRIBUTES];
};
/* Texts: CUPTI's name of the chip, version of CUPTI. */
struct rl_record_chip {
    struct rl_record head;
    uint32_t gpu, unused;
};
/* The counters that CUPTI reports for this GPU, for later processes (availability.h). */
struct rl_record_availability {
    struct rl_record head;
    uint32_t gpu, size;
    uint64_t key;
    unsigned char image[];
};
/* Texts: mangled name. */
#define RL_STREAM_REST "(kernels of further configurations)" /* class of launches beyond the limit of classes: one for each GPU */
struct rl_record_class {
    struct rl_record head;
    uint32_t class_id, gpu;
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared_bytes;
    uint32_t collective; /* waits for its peers: never counted */
    uint32_t unused;
};
/* Facts of a class that only activity records contain. */
struct rl_record_shape {
    struct rl_record head;
    uint32_t class_id, registers, static_shared_bytes, local_bytes;
    uint32_t cluster[3], unused;
};
/* Whether launches of a class may be held, by their behaviour in this process. */
enum rl_standing {
    RL_STANDING_UNKNOWN,
    RL_STANDING_PROVEN, /* launches ended while the program was held: the kernel waits for nothing else */
    RL_STANDING_WAITS,  /* it may wait for the host: launches did not end while the program was held, or its name says so */
};
struct rl_record_totals {
    struct rl_record head;
    uint32_t class_id;
    uint32_t standing; /* enum rl_standing */
    uint64_t seen;     /* launches, timed or not */
    uint64_t timed, graph, total_ns, min_ns, max_ns;
    double squares;             /* sum of squared deviations from the mean; ns^2 */
    uint64_t traced, traced_ns; /* timed by records that instrument the code, and their total time */
    uint64_t cost_ns;           /* total subtracted from the records of the others */
};
/* Launches of one class with about the same duration (rl_stream_bin). */
struct rl_stream_bin {
    uint32_t bin, unused;
    uint64_t count, total_ns;
};
/* Durations of the timed launches of a class: bin_count bins, ascending. They are sent from time to time, so counts may lag
 * behind the totals. */
struct rl_record_durations {
    struct rl_record head;
    uint32_t class_id, bin_count;
    struct rl_stream_bin bins[];
};
/* Replaces the kept sample in this slot; slots have no order. */
struct rl_record_sample {
    struct rl_record head;
    uint32_t class_id;
    uint16_t slot, traced; /* traced: 1, timed by a record that instruments the code */
    uint64_t start_ns;     /* by CUPTI's clock, which is one for all processes of a machine */
    uint64_t duration_ns;
};
/* A launch in 16 bytes: at 200,000 launches a second 3.2 MB/s. */
struct rl_stream_launch {
    uint64_t start_ns;   /* by CUPTI's clock */
    uint64_t class_time; /* rl_stream_launch_of */
};
/* Every launch of a GPU, selected or not, on request: launch_count of them, roughly in the order of their starts. Launches
 * without room, or made while nothing was timed, are missing: those that began from `missing_from_ns` to before `missing_to_ns`;
 * both 0: none. */
struct rl_record_launches {
    struct rl_record head;
    uint32_t gpu, launch_count;
    uint64_t missing_from_ns, missing_to_ns;
    struct rl_stream_launch launches[];
};
struct rl_record_transfer {
    struct rl_record head;
    uint32_t gpu;
    uint16_t direction, memory; /* positions in rl_stream_directions, rl_stream_memories */
    uint64_t count, bytes, total_ns;
    double slowest, fastest; /* B/s; 0: no copy was large enough to tell */
};
struct rl_record_busy {
    struct rl_record head;
    uint32_t gpu, unused;
    uint64_t span_ns, busy_ns, kernel_ns;
};
/* Lanes of idle time by the host's NVTX range: values of a record's `lane` beyond enum rl_lane. */
enum rl_stream_lane {
    RL_STREAM_IDLE_RANGE = RL_LANE_COUNT, /* in one NVTX range */
    RL_STREAM_IDLE_OTHERS,                /* in one of too many */
    RL_STREAM_IDLE_NO_RANGE,
    RL_STREAM_LANE_KINDS
};
/* Activity of a GPU over time: the lane's time in each of bin_count bins of `width_ns` from `start_ns` on. All lanes of a GPU
 * begin at the same time; each width is the smallest one times a power of two. The last record of a slot counts. */
struct rl_record_lane {
    struct rl_record head;
    uint32_t gpu, slot;
    uint32_t lane;     /* enum rl_lane or enum rl_stream_lane */
    uint32_t class_id; /* of RL_LANE_CLASS */
    uint32_t bin_count;
    int32_t range;     /* of RL_STREAM_IDLE_RANGE */
    uint64_t start_ns; /* by CUPTI's clock, which is one for all processes of a machine */
    uint64_t width_ns;
    uint64_t bins_ns[];
};
/* Gaps between kernels of a GPU with one cause, before launches from one range. */
struct rl_record_idle {
    struct rl_record head;
    uint32_t gpu, lane; /* RL_LANE_IDLE_COPY to RL_LANE_UNWATCHED */
    int32_t range;      /* RL_STREAM_NO_RANGE: none, or a range beyond the limit */
    uint32_t unused;
    uint64_t count, total_ns, longest_ns;
};
/* Texts: domain, name. */
struct rl_record_range {
    struct rl_record head;
    int32_t range, parent; /* RL_STREAM_NO_RANGE: outermost */
    uint32_t has_domain, unused;
};
struct rl_record_range_totals {
    struct rl_record head;
    int32_t range;
    uint32_t unused;
    uint64_t instances, host_ns, launches, gpu_ns;
};
/* One instance of a range with parameters in its name. Times are by CUPTI's clock. The last record of an instance counts. */
struct rl_record_instance {
    struct rl_record head;
    uint32_t instance; /* they are numbered as they come */
    int32_t range;
    uint32_t gpu;     /* of its first timed kernel */
    uint32_t assumed; /* launches by threads without a range while several nvtxRangeStart ranges were open, this one opened last */
    uint64_t entered_ns;
    uint64_t host_ns;  /* until it was left; 0: it was not */
    uint64_t begin_ns; /* of its first timed kernel; 0: there is none */
    uint64_t gpu_ns;   /* to the end of its last one */
    uint64_t busy_ns;  /* in that span: time with at least one of them running */
    uint64_t launches, untimed;
};
/* Timed launches of a class in instances of one range, without those in a nested range with parameters. */
struct rl_record_use {
    struct rl_record head;
    uint32_t use; /* they are numbered as they come */
    int32_t range;
    uint32_t class_id, unused;
    uint64_t launches, total_ns;
};
/* The time to record a launch: CUPTI's activity record and its callback (measured on an H200 and an H100). */
#define RL_STREAM_RECORDING_NS 900.
/* Time that counters may hold a program up, in addition to the percentage of its time. */
#define RL_STREAM_ALLOWANCE_NS 850000000.
/* The progress of counting in a process, within the budget. */
enum rl_counting_state {
    RL_COUNTING_NOT_BEGUN, /* it has not run long enough */
    RL_COUNTING_BEGUN,
    RL_COUNTING_REFUSED, /* something was left out because it would have cost too much */
};
struct rl_record_process {
    struct rl_record head;
    uint64_t launches; /* selected or not */
    uint64_t untimed;  /* of them, made while counters were taken */
    uint64_t lost;     /* activity records that CUPTI had no room for */
    uint64_t unselected, unselected_ns;
    uint64_t pending;        /* launched, without an activity record so far */
    uint64_t made;           /* calls that launched a kernel, when this was sent */
    uint64_t held_ns;        /* the program was held up so long for counters */
    uint64_t window_ns;      /* time in which nothing was timed */
    uint64_t windows;        /* closed counting windows that delivered counters */
    uint64_t unread_windows; /* that brought none */
    uint64_t counted;        /* launches in those windows whose counters were sent, each under one configuration */
    uint64_t passed;         /* launches made in a window that could not be counted */
    uint64_t skipped;        /* launches not recorded, because of the cost of recording */
    uint64_t graphs;         /* launches of CUDA graphs; those of graphs whose kernels cannot be counted separately */
    uint64_t whole_graphs;
    uint32_t counting; /* enum rl_counting_state */
    uint32_t not_idle; /* number of times that the program was held until the GPU was idle, without success */
};
/* Texts: name of the configuration, mode, names of the counters. */
struct rl_record_pass {
    struct rl_record head;
    uint32_t pass, gpu;
    uint32_t counter_count;
    uint32_t conditional; /* 1: only for classes that need it according to other counters */
    uint32_t backend;     /* enum rl_backend_id */
    uint32_t unused;
};
/* The counters of one launch: counter_count numbers, NaN where there is none. */
struct rl_record_counters {
    struct rl_record head;
    uint32_t class_id, pass;
    uint64_t near_ns; /* duration of the preceding launches of its class; 0: they differ, or unknown */
    double values[];
};
/* Samples of the instructions of a GPU until now. */
struct rl_record_pc_totals {
    struct rl_record head;
    uint32_t gpu;
    uint32_t period;    /* every 2 to its power cycles */
    uint64_t samples;   /* sampled warps, including those below */
    uint64_t dropped;   /* that the hardware had no room for */
    uint64_t others;    /* in code outside the program, such as the driver's memsets and copies */
    uint64_t overflows; /* how often the hardware's buffer was full */
    uint64_t unkept;    /* in functions for which there was no room */
};
/* A function that was sampled. Texts: mangled name. */
struct rl_record_pc_function {
    struct rl_record head;
    uint32_t function, gpu;
    uint64_t cubin; /* CUPTI's checksum of its module */
};
/* Samples of one instruction since the last time. */
struct rl_stream_stall {
    uint32_t reason;     /* enum rl_stall_reason */
    uint32_t samples;    /* warps stalled there for this reason */
    uint32_t not_issued; /* those of them in cycles without an issued instruction */
};
struct rl_record_pc_samples {
    struct rl_record head;
    uint32_t function, stall_count;
    uint64_t offset; /* in the function */
    struct rl_stream_stall stalls[];
};
/* Part of a module with a line table. */
struct rl_record_cubin {
    struct rl_record head;
    uint64_t cubin, size; /* its checksum, its bytes */
    uint64_t at;          /* offset of this part; parts are in order */
    uint32_t part_size, unused;
    char part[];
};
/* Texts: one sentence. */
struct rl_record_trouble {
    struct rl_record head;
    uint32_t level;  /* enum rl_log_level */
    uint32_t status; /* the enum rl_status that prevented counting; otherwise RL_OK */
};
/* A kernel whose launches the filters have left out; only some are sent. Texts: mangled name. */
struct rl_record_refused {
    struct rl_record head;
};

/* Words of the capture, in the order of the positions in struct rl_record_transfer. */
enum rl_stream_direction { RL_TO_DEVICE, RL_TO_HOST, RL_ON_DEVICE, RL_BETWEEN_DEVICES, RL_ON_HOST, RL_SET, RL_DIRECTIONS };
enum rl_stream_memory { RL_PAGEABLE, RL_PINNED, RL_MANAGED, RL_DEVICE_MEMORY, RL_UNKNOWN_MEMORY, RL_MEMORIES };

/* 20 bits for the class, one for records that instrument the code, 43 for the time, up to 2.4 hours (longer times are clamped). */
enum { RL_STREAM_TRACED_SHIFT = 43, RL_STREAM_CLASS_SHIFT };
/* Packs a launch; `class_id` has at most 20 bits. */
static inline struct rl_stream_launch rl_stream_launch_of(uint32_t class_id, bool traced, uint64_t start_ns, uint64_t duration_ns)
{
    const uint64_t most = (UINT64_C(1) << RL_STREAM_TRACED_SHIFT) - 1;
    return (struct rl_stream_launch){start_ns, (uint64_t)class_id << RL_STREAM_CLASS_SHIFT |
                                                   (uint64_t)traced << RL_STREAM_TRACED_SHIFT |
                                                   (duration_ns < most ? duration_ns : most)};
}
/* The class_id of a launch; RL_STREAM_NO_CLASS: it is of none. */
static inline uint32_t rl_stream_launch_class(const struct rl_stream_launch *launch)
{
    return (uint32_t)(launch->class_time >> RL_STREAM_CLASS_SHIFT);
}
/* Whether it was timed by a record that instruments the code (activity.h). */
static inline bool rl_stream_launch_traced(const struct rl_stream_launch *launch)
{
    return launch->class_time >> RL_STREAM_TRACED_SHIFT & 1;
}
/* Its duration; 2.4 hours: at least that. */
static inline uint64_t rl_stream_launch_ns(const struct rl_stream_launch *launch)
{
    return launch->class_time & ((UINT64_C(1) << RL_STREAM_TRACED_SHIFT) - 1);
}

/* The bin of a duration: RL_STREAM_BINS_PER_OCTAVE equal parts of the octave that it is in, so a bin is 1.6 to 3.1 % wide.
 * Durations below 32 ns are a bin each. */
static inline uint32_t rl_stream_bin(uint64_t duration_ns)
{
    if (duration_ns < RL_STREAM_BINS_PER_OCTAVE)
        return (uint32_t)duration_ns;
    const uint32_t octave = 63u - (uint32_t)__builtin_clzll(duration_ns) - 5u;
    return octave * RL_STREAM_BINS_PER_OCTAVE + (uint32_t)(duration_ns >> octave);
}

/* The smallest duration in the bin. */
static inline uint64_t rl_stream_bin_from(uint32_t bin)
{
    if (bin < 2 * RL_STREAM_BINS_PER_OCTAVE)
        return bin;
    const uint32_t octave = bin / RL_STREAM_BINS_PER_OCTAVE - 1;
    return (uint64_t)(bin % RL_STREAM_BINS_PER_OCTAVE + RL_STREAM_BINS_PER_OCTAVE) << octave;
}

/* Identifies a kernel class from run to run: FNV-1a, 64 bits, over name and shape. */
static inline uint64_t rl_stream_hash(const char *name, const uint32_t grid[3], const uint32_t block[3],
                                      uint64_t dynamic_shared_bytes)
{
    const uint64_t numbers[] = {grid[0], grid[1], grid[2], block[0], block[1], block[2], dynamic_shared_bytes};
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        hash = (hash ^ numbers[i]) * UINT64_C(1099511628211);
    return hash;
}
