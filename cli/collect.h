/* collect.h - the parts of the command collect: the suite on a GPU or on all of a node, and profiling a program. */
#pragma once

#include "analysis/plan.h"
#include "collector/collector.h"
#include "command.h"
#include "core/launcher.h"

struct collect_options {
    struct cli_common common;
    const char *output;
    int sessions; /* 0: one, whose capture has the given name */
    const char *gpu;
    bool serial;
    int gpu_limit;
    bool quick;
    uint64_t size;
    int time_limit;
    bool keep_command;
    bool brief;          /* of a program: print the brief at its end */
    int window;          /* of the times of a variant, in ms; 0: not given */
    size_t displacement; /* bytes of device memory taken first; of several sessions each has its own */
    int lock_clocks;     /* MHz; -1: base clock; 0: not locked */
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
    int cupti;       /* position in cupti_choices */
    int samples;
    int budget; /* percent; 0: not given; -1: none; INT_MAX: any */
};

/* Choices of the option --backend. */
extern const char *const collect_backends[];
/* The back end that was chosen; NULL: auto. */
const char *collect_backend(int choice);

/* The value of --links, in the order of link_choices. */
enum { COLLECT_LINKS_AUTO, COLLECT_LINKS_NONE, COLLECT_LINKS_ONLY };

/* Says where the capture will be; aloud where a file is there, next to which it grows. */
void collect_say_name(const struct cli_call *call, const char *output);

/* Reports progress, as rl_collect_progress; a line on a terminal. */
struct collect_progress {
    bool on_terminal, verbose;
    bool line_open; /* the cursor stands behind a progress line */
};
/* Progress that is shown where the call wants it. */
struct collect_progress collect_progress_new(const struct cli_call *call);
/* An rl_progress: `what` is measured, `done` of `total` are behind it. The context is a struct collect_progress. */
void collect_progress_show(void *context, size_t done, size_t total, const char *what);
/* Ends an open progress line, before other output. */
void collect_progress_clear(struct collect_progress *progress);

/* Measures the links between these GPUs (all when there are none) in this process. */
enum rl_status collect_links(const struct cli_call *call, const int *gpus, size_t gpu_count, const char *output,
                             struct rl_err *err);

/* Measures one session. */
typedef enum rl_status collect_session(const struct cli_call *call, struct rl_err *err);

/* Profiles the program in the operands; call->outcome gets its end. If another tool is already in the program, that is an error,
 * or, with `alone` (this process has nothing else to do), the program runs unprofiled. */
enum rl_status collect_program(const struct cli_call *call, bool alone, struct rl_err *err);

/* ---- which GPUs, under which name (collect_node.c) ---- */

/* The value of --gpu. */
struct collect_gpus {
    enum { COLLECT_ONE, COLLECT_LIST, COLLECT_ALL } which;
    int *list; /* ONE and LIST; free with free() */
    size_t count;
};

/* Parses "all", or GPUs separated by commas. NULL: the GPU of this process's local rank if a launcher started it and more than one
 * is visible, otherwise 0. RL_USAGE for anything else, and for a GPU given twice. */
enum rl_status collect_gpus_parse(const char *text, const struct rl_launcher *launcher, struct collect_gpus *gpus,
                                  struct rl_err *err);

/* RL_USAGE if other processes of the same job would write files of the same name. */
enum rl_status collect_check_name(const char *pattern, const struct rl_launcher *launcher, bool of_program, struct rl_err *err);

/* The name of the capture of one GPU, and its folder made where it is missing. RL_USAGE as
 * collect_check_name. */
enum rl_status collect_name(const char *pattern, const struct rl_launcher *launcher, int gpu, struct rl_buf *out,
                            struct rl_err *err);

/* Measuring all GPUs of a node: this program runs once for each GPU, with the options as typed, `at_once` of them concurrently (0:
 * all), then, for several GPUs, once for the links between them, and prints a table of the results. `limit_s`: time after which a
 * GPU is given up. `pattern` must have %g. */
struct collect_node {
    struct collect_gpus gpus;
    const char *pattern;
    const char *links_pattern; /* NULL: links are not measured */
    bool quick;                /* the links */
    size_t at_once;
    double limit_s;
};
/* Does this. RL_FAILED if any capture is missing or incomplete. */
enum rl_status collect_node_run(const struct cli_call *call, struct collect_node *node, const struct rl_launcher *launcher,
                                struct rl_err *err);

/* For tests without a GPU: if $ROOFLIGHT_STANDIN names a program, executes it in place of measuring, with the GPU (or "links") and
 * the name of the capture as arguments. Returns if the variable is not set. */
enum rl_status collect_standin(const char *gpu, const char *output, struct rl_err *err);

/* ---- plans of counters: from metrics (analysis) to counters (collector), which do not know each other ---- */

/* Plans for the chips that were asked for; all live until released, as the collector wants it. */
struct cli_plans {
    unsigned sets;   /* of metrics: bits 1u << enum rl_metric_set */
    char **counters; /* by name, besides those of the sets */
    size_t counter_count, counter_cap;
    bool of_program; /* evidence for limiters is counted for launches that DRAM does not limit */
    struct cli_made_plan **list;
    size_t count, cap;
};
/* Reads "stalls,caches" into plans->sets; "all" is all of them, a metric or a counter of its formula the set that collects it,
 * another counter of the vendor's is added to plans->counters. RL_USAGE names the nearest one and the sets; a counter is refused
 * only where CUPTI is there and no chip that it knows has it in one pass. */
enum rl_status cli_parse_metrics(const char *text, struct cli_plans *plans, struct rl_err *err);
/* An rl_collect_plan; the context is a struct cli_plans. */
void cli_plans_give(void *context, const char *chip, const struct rl_configuration **configurations, size_t *count);
/* Frees the plans. */
void cli_plans_release(struct cli_plans *plans);
