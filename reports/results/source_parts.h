/* source_parts.h - what source.c works out and source_fields.c declares. */
#ifndef RL_VIEWS_SOURCE_PARTS_H
#define RL_VIEWS_SOURCE_PARTS_H

#include "analysis/pc.h"
#include "results/source.h"

/* Samples of one reason. */
struct reason_row {
    enum rl_stall_reason reason;
    uint64_t samples;
    double share;
};
/* A line or an instruction. */
struct place_row {
    const char *kernel; /* label */
    const char *path, *text;
    const char *sass; /* of an instruction; NULL: not known */
    uint32_t number;
    uint64_t offset;
    uint64_t samples;
    double share, low, high; /* of the samples of the kernel, with its 95 % interval */
    enum rl_stall_reason reason;
    double reason_share; /* of the samples here */
    bool has_line, hot;
};
struct source_kernel {
    const char *label, *name, *id;
    int gpu;
    const struct rl_pc_profile *profile;
    double stalled_share, gpu_share;
    struct rl_value sectors[2], ideal[2]; /* of a global load, of a store: measured, and the fewest that have its bytes */
    struct reason_row *reasons;
    size_t reason_count;
    struct place_row *lines, *around, *instructions;
    size_t line_count, around_count, instruction_count;
};
struct view_source {
    struct view_subject *subject;
    size_t matching;
    struct source_kernel *kernels;
    size_t kernel_count;
    struct place_row *lines; /* of all of them */
    size_t line_count;
};

#endif
