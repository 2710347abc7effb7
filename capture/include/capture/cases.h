/* cases.h - instances of NVTX ranges whose names hold parameters, and benchmarks that others timed (capture.h).
 *
 * These tables are optional: a capture without rows of them is written without them, so that captures from before they were there
 * are read as any other.
 */
#ifndef RL_CAPTURE_CASES_H
#define RL_CAPTURE_CASES_H

#include <stddef.h>
#include <stdint.h>

#include "core/value.h"

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
