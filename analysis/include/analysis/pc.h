/* pc.h - where the warps of a kernel stood, and why: samples of its instructions by reason, instruction and source line. */
#ifndef RL_ANALYSIS_PC_H
#define RL_ANALYSIS_PC_H

#include "capture/capture.h"

struct rl_pc_count {
    uint64_t samples;            /* of warps */
    uint64_t stalled;            /* of them, of warps that could not issue (stall_reasons.def) */
    uint64_t by[RL_STALL_COUNT]; /* samples by reason */
};
/* An instruction or a line, hottest first. */
struct rl_pc_place {
    size_t at; /* index of a struct rl_pc_instruction or a struct rl_source_line */
    struct rl_pc_count count;
};
/* Of a kernel: of all classes of its name on its GPU, because a sample says the function and not the launch. */
struct rl_pc_profile {
    const struct rl_pc_sampling *sampling; /* of its GPU; NULL: none was taken, and nothing below says anything */
    struct rl_pc_count all;
    size_t functions;      /* of this name that were sampled: a module may be loaded in several versions */
    size_t classes;        /* of this name on this GPU */
    bool has_lines;        /* a module of it says which line an instruction is of */
    uint64_t without_line; /* samples of instructions of which the line is not known */
    uint64_t rest;         /* of them, of instructions that were not kept one by one */
    struct rl_pc_place *instructions, *lines;
    size_t instruction_count, line_count;
};

/* Of kernel class `kernel`, in the arena. Takes time in the order of the functions and kernels of the capture. */
const struct rl_pc_profile *rl_pc_profile_of(const struct rl_capture *capture, size_t kernel, struct rl_arena *arena);
/* The reason with the most samples among stalls; RL_STALL_COUNT: nothing stalled. */
enum rl_stall_reason rl_pc_top(const struct rl_pc_count *count);

#endif
