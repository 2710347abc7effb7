/* collect.h - the two halves of the command collect: the suite, and a program that is observed. */
#ifndef RL_CLI_COLLECT_H
#define RL_CLI_COLLECT_H

#include "command.h"
#include "plans.h"

struct collect_options {
    struct cli_common common;
    const char *output;
    int sessions; /* 0: one, whose capture has the name that was said */
    const char *gpu;
    bool serial;
    int gpu_limit;
    bool quick;
    uint64_t size;
    int time_limit;
    bool keep_command;
    bool brief;          /* of a program: what the capture says, in the end */
    int window;          /* of the times of a variant, in ms; 0: not said */
    size_t displacement; /* bytes of device memory taken first; of several sessions each has its own */
    int lock_clocks;     /* MHz; -1: base clock; 0: as they are */
    int ceilings;        /* position in ceiling_choices */
    int links;           /* position in link_choices */
    int backend;         /* position in collect_backends */
    const char *metrics; /* names of sets; NULL: none besides the default */
    /* of a program */
    const char *kernel_name; /* makes `kernel` */
    const char *kernel, *nvtx, *range;
    uint64_t launch_skip, launch_count;
    bool profiler_api;
    int replay;      /* position in replay_choices */
    int sample_gpu;  /* position in sample_choices; -1: as only */
    int pc_sampling; /* every 2 to this power cycles; 0: not; -1: as often as is usual */
    int samples;
    int budget; /* percent; 0: not said; -1: none; INT_MAX: any */
};

/* Choices of the option --backend. */
extern const char *const collect_backends[];
/* The back end that was chosen; NULL: auto. */
const char *collect_backend(int choice);
#define COLLECT_BACKEND_HELP                                                                                                       \
    "which of CUPTI's interfaces takes the counters: range (CUPTI 12.6 and newer), profiler (11.8 and newer, compute capability "  \
    "7.0 and newer) or auto, the default: the first that serves the card (rooflight doctor says which do)"

/* What --links says, in the order of link_choices. */
enum { COLLECT_LINKS_AUTO, COLLECT_LINKS_NONE, COLLECT_LINKS_ONLY };

/* Says where the capture will be; aloud where a file is there, next to which it grows. */
void collect_say_name(const struct cli_call *call, const char *output);

/* Told about progress, as rl_collect_progress; a line on a terminal. */
struct collect_progress {
    bool on_terminal, verbose;
    bool line_open; /* the cursor stands behind a progress line */
};
/* Progress that is shown where the call wants it. */
struct collect_progress collect_progress_new(const struct cli_call *call);
/* An rl_progress: `what` is measured, `done` of `total` are behind it. The context is a struct collect_progress. */
void collect_progress_show(void *context, size_t done, size_t total, const char *what);
/* Ends an open line, so that what is printed next has one of its own. */
void collect_progress_clear(struct collect_progress *progress);

/* Measures the links between these GPUs (all when there are none) in this process. */
enum rl_status collect_links(const struct cli_call *call, const int *gpus, size_t gpu_count, const char *output,
                             struct rl_err *err);

/* Measures one session. */
typedef enum rl_status collect_session(const struct cli_call *call, struct rl_err *err);
/* Measures the sessions that --sessions asks for by `session`, in turn, and ends at the first that fails or whose program does;
 * captures of sessions before it stay. */
enum rl_status collect_sessions(const struct cli_call *call, collect_session *session, struct rl_err *err);

/* Observes the program in the operands. call->outcome says how it ended. */
enum rl_status collect_program(const struct cli_call *call, struct rl_err *err);

#endif
