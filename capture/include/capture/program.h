/* program.h - what an observed program did: its processes, copies and ranges, and how its kernels were used (capture.h). */
#ifndef RL_CAPTURE_PROGRAM_H
#define RL_CAPTURE_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "core/value.h"

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

#endif
