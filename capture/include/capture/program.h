/* program.h - a profiled program: its processes, memcpys and NVTX ranges, and the use of its kernels (capture.h). */
#pragma once

#include "core/core.h"
#include "core/lanes.h"

/* ---- PM samples of a whole GPU, and the estimates for kernels of a program that follow from them ---- */

/* Counters that are sampled. */
enum rl_sampled_counter {
#define SAMPLED(id, ...) RL_SAMPLED_##id,
#include "capture/sampled.def"
    RL_SAMPLED_COUNT
};
/* "dram_read"; static. */
const char *rl_sampled_name(enum rl_sampled_counter counter);
/* Whether its samples are reported per kernel, over time, or both. */
enum rl_sampled_of { RL_SAMPLED_OF_KERNELS = 1, RL_SAMPLED_OF_MOMENTS = 2, RL_SAMPLED_OF_BOTH = 3 };
/* Where samples of a counter are reported. */
enum rl_sampled_of rl_sampled_of_what(enum rl_sampled_counter counter);

/* PM sampling of a whole GPU while a program ran, of all processes. */
struct rl_gpu_sampling {
    size_t gpu;
    uint64_t interval_ns; /* requested between samples */
    uint64_t samples;     /* number of samples */
    uint64_t windows;     /* number of sampling windows */
    uint64_t overflows;   /* windows that ended early because the hardware's buffer was full */
    uint64_t used;        /* samples that could be attributed; the others could not, or span a pause */
    uint64_t idle;        /* used samples without a kernel of the program in or shortly before them */
    uint64_t others;      /* idle samples in which a kernel of another process ran */
    uint64_t cpu_ns;      /* processor time of sampling */
    double shift_ns;      /* estimated offset: clock of samples less clock of launches */
    double correlation;   /* of SM activity with kernel time at that offset; 0: not determined */
    char *failure;        /* why there are no or fewer samples or values; NULL: no failure */
};
/* Estimate of a counter of a kernel class, from the samples in which it ran alone. Older captures also have sums over groups of
 * kernels. */
struct rl_sampled_value {
    size_t kernel, sampling;
    enum rl_sampled_counter counter;
    double launches;                        /* launches of the kernel in its samples, including fractions */
    struct rl_value per_launch, half_width; /* mean per launch, half of its 95 % CI; missing: only the group's sum is known */
    size_t together;                        /* lowest kernel index of the group; the kernel itself if it is alone */
    double total, total_half_width;         /* of all launches of the group in the samples */
};

/* Counts that concurrent kernel records add to a kernel by instrumenting its code, measured with an empty kernel on the GPU. They
 * are subtracted from sampled values. */
struct rl_tracer_row {
    size_t gpu;
    enum rl_sampled_counter counter;
    double per_warp;          /* of a launch */
    struct rl_value residual; /* another kernel with records, less this, over the same kernel without; missing: not measured */
};

/* Activity of a process on one GPU. */
struct rl_process_gpu {
    size_t gpu;
    uint64_t span_ns;   /* from the start of the first to the end of the last activity, without counter collection */
    uint64_t busy_ns;   /* part of it in which at least one kernel, memcpy or memset was running */
    uint64_t kernel_ns; /* sum of the durations of all timed kernels; exceeds busy_ns if kernels overlap */
};
/* A process of a profiled program that used CUDA. */
struct rl_process {
    uint64_t pid, parent_pid;
    char *host;             /* NULL: unknown */
    char *rank;             /* of Open MPI, MPICH, Slurm, ...; NULL: none */
    char *command;          /* program and arguments, as one line */
    char *end;              /* "exited", "killed", "unknown" (its end was not seen) */
    int status;             /* exit status, or number of the signal; 0 when unknown */
    char *phases;           /* how times and counters were kept apart, in one sentence */
    uint64_t launches;      /* kernel launches seen, selected or not */
    uint64_t untimed;       /* part of them launched during counter collection, and so without a time */
    uint64_t lost;          /* activity records that CUPTI could not store */
    uint64_t unselected;    /* timed launches that the filters left out */
    uint64_t unselected_ns; /* their summed duration */
    struct rl_process_gpu *gpus;
    size_t gpu_count, gpu_cap;
};

/* Memcpys and memsets of one kind by one process on one GPU. */
struct rl_transfer {
    size_t process, gpu;
    char *direction; /* one of rl_transfer_directions */
    char *memory;    /* one of rl_transfer_memories: of the host's side, or "device" */
    uint64_t count, bytes, total_ns;
    struct rl_value slowest, fastest; /* rate of a memcpy or memset of at least 1 MiB, B/s; missing: none was so large */
};
/* NULL behind the last. Who records transfers numbers them in this order. */
extern const char *const rl_transfer_directions[], *const rl_transfer_memories[];
struct rl_capture;
/* Appends `of` with the direction and memory of these numbers; `slowest`, `fastest`: 0: none was so large. */
void rl_capture_add_transfer_of(struct rl_capture *capture, const struct rl_transfer *of, size_t direction, size_t memory,
                                double slowest, double fastest);

/* A node of the tree of NVTX ranges: a name inside the path of enclosing ranges. */
struct rl_range {
    size_t process;
    size_t parent; /* RL_NONE: outermost; otherwise an earlier range of the same process */
    char *domain;  /* NULL: the default domain */
    char *name;
    uint64_t instances; /* times it was entered */
    uint64_t host_ns;   /* total time between entering and leaving, by the host's clock */
    uint64_t launches;  /* timed kernels launched directly in it, not in a nested range */
    uint64_t gpu_ns;    /* their summed duration */
};

/* Data on a kernel class of a profiled program, in addition to struct rl_kernel. There `launches` is the number of all launches,
 * `total_ns` the sum of the timed ones, and `duration_ns` a uniform sample of them, in order of start if `timing` is
 * RL_TIMING_IN_ORDER. Older captures have no order if there are more timed launches than samples. */
#define RL_TIMING_IN_ORDER "activity, in order of start"
#define RL_TIMING_COUNTERS "counters of launches in a window" /* of a class without other times */
struct rl_kernel_use {
    size_t kernel;
    uint64_t timed; /* launches with a time */
    uint64_t min_ns, max_ns;
    double deviation_ns; /* standard deviation of all timed launches */
    uint64_t graph;      /* timed launches that were nodes of CUDA graphs */
    uint32_t cluster[3]; /* blocks in a cluster; 0 0 0: none */
    uint64_t counted;    /* counted launches, minimum over the configurations of every launch */
    char *uncounted;     /* why counters are missing or fewer than requested; NULL: they are complete */
};

/* Launches of a kernel that were counted in one pass, and whether they did the same work. */
struct rl_counted {
    size_t kernel, pass;
    uint64_t launches;
    char *witness;                   /* counter of the pass that depends only on the work; NULL: none */
    struct rl_value lowest, highest; /* of its values */
};

/* Instances of NVTX ranges with parameters in their names, and benchmarks timed by other programs. These tables are optional: a
 * capture without such rows is written without them. */

/* An instance of a range with an equals sign in its name. The first instances of a range are kept; rl_range.instances counts all.
 * */
struct rl_instance {
    size_t range;
    size_t gpu;              /* of its first timed launch; RL_NONE: no launch in it was timed */
    uint64_t started_ns;     /* time of entering, since the earliest instance of its process */
    uint64_t host_ns;        /* between entering and leaving; 0: it was not left */
    uint64_t gpu_started_ns; /* start of its first timed kernel, on the same clock; 0 without one */
    uint64_t gpu_ns;         /* from there to the end of its last timed kernel */
    uint64_t busy_ns;        /* part of it in which a kernel of the instance was running */
    uint64_t launches;       /* timed kernels launched in it, including nested ranges */
    uint64_t untimed;        /* launches in it without a time, because counters were taken or records were lost */
    uint64_t assumed;        /* launches by threads without a range, attributed to it as the last of several started ranges */
};

/* Timed launches of a kernel class directly in a range, or in nested ranges without parameters. */
struct rl_range_kernel {
    size_t range;
    size_t kernel; /* for a class with several populations, the one of the mean time */
    uint64_t launches, total_ns;
};

/* Unit of bytes of global memory that a benchmark declares: DRAM bounds their rate if caches do not serve them. */
#define RL_BENCHMARK_GLOBAL_MEMORY "global memory"
/* A row of another benchmark program's output. */
struct rl_benchmark {
    char *name;           /* with parameters: "BM_Gemm M=512,N=4096" */
    struct rl_value work; /* of one sample, in `unit`: rate is work over time */
    char *unit;           /* "B", "FLOP", "items", "tokens", RL_BENCHMARK_GLOBAL_MEMORY; NULL: none */
    uint64_t missing;     /* samples that the output leaves out or marks as failed */
    uint64_t summarised;  /* samples that the output has only as statistics; the only stored sample is then their mean */
};
struct rl_benchmark_sample {
    size_t benchmark; /* ascending */
    double seconds;
};

/* ---- the GPUs of a profiled program over time ---- */

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
    size_t kernel;     /* of RL_LANE_CLASS: the class, or its first population; RL_NONE otherwise */
    uint64_t total_ns; /* of all its bins */
};
/* One bin of a lane, or of a lane of idle time by range; empty bins are left out. */
struct rl_timeline_bin {
    size_t lane;
    uint32_t bin;
    uint64_t ns;
};
/* Gaps between kernels that have one cause and ended with a launch from one range. */
struct rl_timeline_gap {
    size_t timeline;
    enum rl_lane lane; /* RL_LANE_IDLE_COPY to RL_LANE_UNWATCHED */
    size_t range;      /* RL_NONE: none, or unknown */
    uint64_t count, total_ns, longest_ns;
};

/* Counts from PM samples of a whole GPU, of all processes, by bin. Bins without a sample are unknown, not zero. */
struct rl_sampled_lane {
    size_t timeline;
    enum rl_sampled_counter counter;
    uint64_t covered_ns; /* sampled time of all its bins */
    double total;        /* count in that time */
};
/* Bins without samples are left out. */
struct rl_sampled_bin {
    size_t lane;
    uint32_t bin;
    uint64_t covered_ns; /* sampled time of the bin; the rate is total over covered_ns */
    double total;
};

/* The host's NVTX range while no kernel ran. */
enum rl_idle_place {
    RL_IDLE_RANGE,        /* one of the ranges with the most such time */
    RL_IDLE_OTHER_RANGES, /* all other ranges together */
    RL_IDLE_NO_RANGE,     /* no range, or an unknown one */
    RL_IDLE_PLACE_COUNT
};
/* "range", "other_ranges", "no_range"; static. */
const char *rl_idle_place_name(enum rl_idle_place place);
/* Gaps between kernels, of any cause, by the range from which the kernel after the gap was launched; without counter collection. */
struct rl_range_lane {
    size_t timeline;
    enum rl_idle_place place;
    size_t range;      /* of RL_IDLE_RANGE; RL_NONE otherwise */
    uint64_t total_ns; /* of all its bins */
};
