/* program.h - what an observed program did: its processes, copies and ranges, and how its kernels were used (capture.h). */
#ifndef RL_CAPTURE_PROGRAM_H
#define RL_CAPTURE_PROGRAM_H

#include "core/core.h"
#include "core/lanes.h"

/* ---- what samples of a whole GPU say of the kernels of an observed program (capture.h) ---- */

/* Counters that are sampled. */
enum rl_sampled_counter {
#define SAMPLED(id, ...) RL_SAMPLED_##id,
#include "capture/sampled.def"
#undef SAMPLED
    RL_SAMPLED_COUNT
};
/* "dram_read"; static. */
const char *rl_sampled_name(enum rl_sampled_counter counter);
/* Whether its samples are reported per kernel, over time, or both. */
enum rl_sampled_of { RL_SAMPLED_OF_KERNELS = 1, RL_SAMPLED_OF_MOMENTS = 2, RL_SAMPLED_OF_BOTH = 3 };
/* The same of one. */
enum rl_sampled_of rl_sampled_of_what(enum rl_sampled_counter counter);

/* Samples of the counters of a whole GPU, taken while a program ran, whatever of it. */
struct rl_gpu_sampling {
    size_t gpu;
    uint64_t interval_ns; /* asked for between samples */
    uint64_t samples;     /* taken, in */
    uint64_t windows;     /* so many windows; */
    uint64_t overflows;   /* of them, so many ended early, because the hardware's buffer was full */
    uint64_t used;        /* samples of which it is known what ran in them; of the others it is not, or they reach over a pause */
    uint64_t idle;        /* of those used: no kernel of the program ran in or shortly before it, */
    uint64_t others;      /* and all the same a kernel did */
    uint64_t cpu_ns;      /* processor's time that sampling took */
    double shift_ns;      /* clock of samples less clock of launches, as found */
    double correlation;   /* of the SMs being active with the time that kernels ran; 0: not looked for */
    char *failure;        /* why there are no samples, no more or no values; NULL: nothing to say */
};
/* A counter of the launches of a class, by the samples in which it ran alone: an estimate, never an exact count. Older
 * captures have sums over groups of kernels, too. */
struct rl_sampled_value {
    size_t kernel, sampling;
    enum rl_sampled_counter counter;
    double launches; /* of the kernel in its samples, parts of launches added up */
    struct rl_value per_launch,
        half_width;                 /* mean of a launch, half of its 95 % interval; missing: only the group's sum is known */
    size_t together;                /* smallest kernel of the group whose sum is known; itself, with a value: it is alone */
    double total, total_half_width; /* of all launches of the group in the samples */
};

/* Counts that recording kernels as they overlap adds to them, because it instruments their code; measured with an empty kernel on
 * the card. Sampled values are without them. */
struct rl_tracer_row {
    size_t gpu;
    enum rl_sampled_counter counter;
    double per_warp;          /* of a launch */
    struct rl_value residual; /* another kernel recorded so, less this, over the same kernel unrecorded; missing: not tried */
};

/* Activity of a process of an observed program on one GPU. */
struct rl_process_gpu {
    size_t gpu;
    uint64_t span_ns;   /* from the start of its first to the end of its last activity, less the time in which nothing was timed */
    uint64_t busy_ns;   /* of those: at least one kernel, memcpy or memset was running */
    uint64_t kernel_ns; /* durations of all timed kernels, added up; more than busy_ns when kernels overlap */
};
/* A process of an observed program that used CUDA. */
struct rl_process {
    uint64_t pid, parent_pid;
    char *host;             /* NULL: unknown */
    char *rank;             /* of Open MPI, MPICH, Slurm, ...; NULL: none */
    char *command;          /* program and arguments, as one line */
    char *end;              /* "exited", "killed", "unknown" (its end was not seen) */
    int status;             /* exit status, or number of the signal; 0 when unknown */
    char *phases;           /* how times and counters were kept apart, in one sentence */
    uint64_t launches;      /* kernel launches seen, selected or not */
    uint64_t untimed;       /* of those: launched while counters were taken, so counted but not timed */
    uint64_t lost;          /* activity records that CUPTI could not store */
    uint64_t unselected;    /* timed launches that the filters left out */
    uint64_t unselected_ns; /* their summed duration */
    struct rl_process_gpu *gpus;
    size_t gpu_count, gpu_cap;
};

/* Memcpys and memsets of one kind by one process on one GPU. */
struct rl_transfer {
    size_t process, gpu;
    char *direction; /* "to device", "to host", "on device", "between devices", "on host", "set" */
    char *memory;    /* of the host's side: "pageable", "pinned"; "managed"; "device" otherwise; "unknown" */
    uint64_t count, bytes, total_ns;
    struct rl_value slowest, fastest; /* rate of one copy of at least 1 MiB, B/s; missing: there was none */
};

/* A node of the tree of NVTX ranges: a name below the ranges that were open around it. */
struct rl_range {
    size_t process;
    size_t parent; /* RL_NONE: outermost; otherwise an earlier range of the same process */
    char *domain;  /* NULL: the default domain */
    char *name;
    uint64_t instances; /* times it was entered */
    uint64_t host_ns;   /* summed time between entering and leaving, by the host's clock */
    uint64_t launches;  /* timed kernels launched directly in it, not in a range below it */
    uint64_t gpu_ns;    /* their summed duration */
};

/* Data on a kernel class of an observed program, in addition to struct rl_kernel. There, `launches` are all that were seen,
 * `total_ns` sums the timed ones, and `duration_ns` is a uniform sample of them, in the order of their starts when `timing` is
 * RL_TIMING_IN_ORDER. Captures from before that word have it in no order when there are more timed launches than samples. */
#define RL_TIMING_IN_ORDER "activity, in order of start"
#define RL_TIMING_COUNTERS "counters of launches in a window" /* of a class of which no launch was timed otherwise */
struct rl_kernel_use {
    size_t kernel;
    uint64_t timed; /* launches with a time */
    uint64_t min_ns, max_ns;
    double deviation_ns; /* standard deviation of all timed launches */
    uint64_t graph;      /* of the timed launches: nodes of CUDA graphs */
    uint32_t cluster[3]; /* blocks in a cluster; 0 0 0: none */
    uint64_t counted;    /* launches whose counters were read, of the configuration with the fewest */
    char *uncounted;     /* why there are no counters, or fewer than asked for; NULL: nothing to say */
};

/* Launches of a kernel that were counted under one pass, and whether they did the same work. */
struct rl_counted {
    size_t kernel, pass;
    uint64_t launches;
    char *witness;                   /* the pass's counter that depends on the work alone; NULL: it has none */
    struct rl_value lowest, highest; /* of its values */
};

/* Instances of NVTX ranges whose names hold parameters, and benchmarks that others timed (capture.h).
 *
 * These tables are optional: a capture without rows of them is written without them, so that captures from before they were there
 * are read as any other.
 */

/* One time that a range was open whose name has an equals sign. A range keeps its first instances; rl_range.instances counts all.
 */
struct rl_instance {
    size_t range;
    size_t gpu;              /* of its first timed launch; RL_NONE: no launch in it was timed */
    uint64_t started_ns;     /* when it was entered, after the earliest instance of its process */
    uint64_t host_ns;        /* between entering and leaving; 0: it was not left */
    uint64_t gpu_started_ns; /* when its first timed kernel began, on the same clock; 0 without one */
    uint64_t gpu_ns;         /* from there to the end of its last timed kernel */
    uint64_t busy_ns;        /* of that: a kernel of it was running */
    uint64_t launches;       /* timed kernels launched in it, also in ranges within */
    uint64_t untimed;        /* launches in it that have no time, because counters were taken or records were lost */
    uint64_t assumed;        /* launches by threads without a range, taken to be in it as the last of several that were started */
};

/* Timed launches of one kernel class directly in ranges of one name, or in ranges without parameters within. */
struct rl_range_kernel {
    size_t range;
    size_t kernel; /* of a class of several populations the one that its mean time belongs to */
    uint64_t launches, total_ns;
};

/* Unit of bytes of global memory that a benchmark declares: DRAM bounds their rate where no cache serves them. */
#define RL_BENCHMARK_GLOBAL_MEMORY "global memory"
/* A row of another benchmark program's output. */
struct rl_benchmark {
    char *name;           /* with parameters: "BM_Gemm M=512,N=4096" */
    struct rl_value work; /* of one sample, in `unit`: rate is work over time */
    char *unit;           /* "B", "FLOP", "items", "tokens", RL_BENCHMARK_GLOBAL_MEMORY; NULL: none */
    uint64_t missing;     /* samples that its output leaves out or marks as failed */
    uint64_t summarised;  /* samples of which its output has only statistics; then the sample is their mean */
};
struct rl_benchmark_sample {
    size_t benchmark; /* ascending */
    double seconds;
};

/* ---- what the GPUs of an observed program did over time (capture.h) ---- */

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
