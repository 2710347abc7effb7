/* collect.h - the two halves of the command collect: the suite, and a program that is observed. */
#ifndef RL_CLI_COLLECT_H
#define RL_CLI_COLLECT_H

#include "command.h"
#include "plans.h"

struct collect_options {
    struct cli_common common;
    const char *output;
    const char *gpu;
    bool serial;
    int gpu_limit;
    bool quick;
    uint64_t size;
    int time_limit;
    int ceilings;        /* position in ceiling_choices */
    const char *metrics; /* names of sets; NULL: none besides the default */
    /* of a program */
    const char *kernel, *kernel_exclude, *nvtx, *range;
    uint64_t launch_skip, launch_count;
    bool profiler_api;
    int replay; /* position in replay_choices */
    int samples;
};

/* Observes the program in the operands. call->outcome says how it ended. */
enum rl_status collect_program(const struct cli_call *call, struct rl_err *err);

#endif
