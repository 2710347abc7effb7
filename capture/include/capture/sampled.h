/* sampled.h - what samples of a whole GPU say of the kernels of an observed program (capture.h). */
#ifndef RL_CAPTURE_SAMPLED_H
#define RL_CAPTURE_SAMPLED_H

#include <stddef.h>
#include <stdint.h>

#include "core/value.h"

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

#endif
