/* pc.h - PC samples of a kernel by stall reason, instruction and source line. */
#pragma once

#include "capture/capture.h"

struct rl_pc_count {
    uint64_t samples;            /* of warps */
    uint64_t stalled;            /* of them, of warps that could not issue (stall_reasons.def) */
    uint64_t by[RL_STALL_COUNT]; /* samples by reason */
    uint64_t counts[RL_PC_COUNTER_COUNT];
};
/* An instruction or a line, hottest first. */
struct rl_pc_place {
    size_t at; /* index of a struct rl_pc_instruction or a struct rl_source_line */
    struct rl_pc_count count;
};
/* PC samples of all classes of a kernel's name on its GPU: a sample identifies the function, not the launch. */
struct rl_pc_profile {
    const struct rl_pc_sampling *sampling; /* of its GPU; NULL: not sampled, and the other members are meaningless */
    struct rl_pc_count all;
    size_t functions;      /* of this name that were sampled: a module may be loaded in several versions */
    size_t classes;        /* of this name on this GPU */
    uint64_t without_line; /* samples of instructions without a known line */
    uint64_t rest;         /* part of them of instructions that were not kept one by one */
    struct rl_pc_place *instructions, *lines;
    size_t instruction_count, line_count;
};

/* The profile of kernel class `kernel`, in the arena. Time is linear in the functions and kernels of the capture. */
const struct rl_pc_profile *rl_pc_profile_of(const struct rl_capture *capture, size_t kernel, struct rl_arena *arena);
/* Gets a profile, valid until it returns, and its `profile->classes` kernel classes. */
typedef void (*rl_pc_take)(const struct rl_pc_profile *profile, const size_t *kernels, void *context);
/* Calls `take` for every kernel with a sampled function. n log n in kernels, functions and places. */
void rl_pc_each(const struct rl_capture *capture, rl_pc_take take, void *context);
/* The reason with the most samples among stalls; RL_STALL_COUNT: nothing stalled. */
enum rl_stall_reason rl_pc_top(const struct rl_pc_count *count);

/* A share of samples and its 95 % CI.
 *
 * Samples are not independent. The hardware samples the warps of all schedulers at the same time, and blocks that began together
 * are in the same phase of the kernel, so in the worst case all samples of one moment are equal. They count as one (Kish, Survey
 * Sampling, 1965: the design effect of identical clusters is the size of a cluster); a moment has at most as many samples as the
 * GPU has schedulers. The interval is Wilson's (1927), with the number of moments as the effective number of samples (Korn and
 * Graubard, Survey Methodology 24, 1998). Moments at a fixed distance cover a launch more evenly than random ones. Dropped samples
 * may have had any reason, so each end is moved by their number. Without the number of SMs the interval is 0 to 1. It is about the
 * sampled launches only, not about others of the same kernel. */
struct rl_pc_share {
    double share, low, high;
};
/* `part` of `whole` samples, which were taken by `sampling`. */
struct rl_pc_share rl_pc_share_of(const struct rl_capture *capture, const struct rl_pc_sampling *sampling, uint64_t part,
                                  uint64_t whole);
