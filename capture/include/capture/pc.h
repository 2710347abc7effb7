/* pc.h - where warps of an observed program stood, and why: samples of instructions, and the source lines they are of (capture.h).
 */
#ifndef RL_CAPTURE_PC_H
#define RL_CAPTURE_PC_H

#include "core/core.h"
#include "core/stalls.h"

/* Sampling of the instructions of one GPU, while a program ran. */
struct rl_pc_sampling {
    size_t gpu;
    uint32_t period;    /* each scheduler's warps were looked at every 2 to its power cycles */
    uint64_t samples;   /* of warps, everything below with them */
    uint64_t dropped;   /* that the hardware had no room for */
    uint64_t others;    /* in code that is none of the program's */
    uint64_t overflows; /* how often the hardware's buffer was full, after which samples are missing */
    uint64_t unkept;    /* in functions that there was no room for */
};
/* A function that was sampled; of a kernel, the one that is launched. */
struct rl_pc_function {
    size_t sampling;
    char *name;  /* mangled, as that of a kernel */
    char *cubin; /* CUPTI's checksum of its module: 16 hexadecimal digits */
    bool lines;  /* its module says which line an instruction is of */
};
/* A file that lines are of. */
struct rl_source_file {
    char *path; /* as the compiler was given it; NULL: left out */
};
/* A line that a sampled instruction is of, or one near it. */
struct rl_source_line {
    size_t file;
    uint32_t number; /* 1 and up */
    char *text;      /* as the file said when the program had run; NULL: there was no such file, or it was left out */
};
/* One instruction, or all further ones of its function. */
struct rl_pc_instruction {
    size_t function;
    bool rest;       /* the others, together; the last one of the function */
    uint64_t offset; /* in the function, bytes; 0 for the rest */
    size_t line;     /* RL_NONE: unknown */
};
/* Samples of it for one reason. */
struct rl_pc_stall {
    size_t instruction;
    enum rl_stall_reason reason;
    uint64_t samples, not_issued; /* of the former, in cycles in which the scheduler issued nothing */
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
#undef PC_COUNTER
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

#endif
