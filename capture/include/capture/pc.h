/* pc.h - PC samples of a profiled program: sampled instructions, stall reasons and source lines (capture.h). */
#pragma once

#include "core/core.h"
#include "core/stalls.h"

/* PC sampling of one GPU, while a program ran. */
struct rl_pc_sampling {
    size_t gpu;
    uint32_t period;    /* a scheduler is sampled every 2^period cycles */
    uint64_t samples;   /* of warps; includes the counts below */
    uint64_t dropped;   /* for lack of room in the hardware's buffer */
    uint64_t others;    /* in code that is not the program's */
    uint64_t overflows; /* how often the hardware's buffer was full, after which samples are missing */
    uint64_t unkept;    /* in functions beyond the limit of the capture */
};
/* A function that was sampled; of a kernel, the one that is launched. */
struct rl_pc_function {
    size_t sampling;
    char *name;  /* mangled, as that of a kernel */
    char *cubin; /* CUPTI's checksum of its module: 16 hexadecimal digits */
    bool lines;  /* its module has a line table */
};
/* A source file. */
struct rl_source_file {
    char *path; /* as given to the compiler; NULL: left out */
};
/* The source line of a sampled instruction, or a line near it. */
struct rl_source_line {
    size_t file;
    uint32_t number; /* 1 and up */
    char *text;      /* read from the file after the program's end; NULL: no such file, or left out */
};
/* One instruction, or the sum of a function's instructions that are not kept one by one. */
struct rl_pc_instruction {
    size_t function;
    bool rest;       /* such a sum; it comes last */
    uint64_t offset; /* in the function, bytes; 0 for the rest */
    size_t line;     /* RL_NONE: unknown */
};
/* Samples of an instruction with one stall reason. */
struct rl_pc_stall {
    size_t instruction;
    enum rl_stall_reason reason;
    uint64_t samples, not_issued; /* not_issued: part of them in cycles in which the scheduler issued nothing */
};
/* Text of an instruction, without names of the program (capture/pcs.h). */
struct rl_pc_text {
    size_t instruction;
    char *text;
};

/* A count of an instruction, in all launches whose instructions were counted. */
enum rl_pc_counter {
#define PC_COUNTER(id, metric, meaning) RL_PC_##id,
#include "pc_counters.def"
    RL_PC_COUNTER_COUNT
};
struct rl_pc_counted {
    size_t instruction;
    enum rl_pc_counter counter;
    uint64_t count;
};

struct rl_capture;
/* The text of an instruction; NULL: there is none. */
const char *rl_capture_pc_text(const struct rl_capture *capture, size_t instruction);
