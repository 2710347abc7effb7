/* collector.h - measuring on a GPU. The only folder that knows CUPTI, NVML and NVTX.
 *
 * The caller passes the counters to collect (the collector does not know the metrics) and gets a capture file. libcuda, libcupti
 * and libnvidia-ml are opened at run time, so the program also starts on a machine without a driver and reports what is missing.
 */
#pragma once

#include "capture/capture.h"
#include "core/configuration.h"
#include "kernels/suite.h"

/* ---- checks of this machine (doctor) ---- */

/* The result of one check. */
struct rl_probe_check {
    const char *name;      /* "driver", "GPU 0", "CUPTI", "counters", "NVML" */
    enum rl_status status; /* RL_OK, or why not */
    char detail[1024];     /* finding: "580.159.04, CUDA 13.0" */
    char advice[1024];     /* remedy; "": none needed */
};
/* Checks driver, GPUs, CUPTI, counter permission and NVML; fills at most `max` checks and returns their number. With `gpu` >= 0
 * only that device is checked. Takes under two seconds and launches no kernel. */
size_t rl_collector_probe(int gpu, struct rl_probe_check *checks, size_t max);

/* Number of visible CUDA devices, queried by a child process because CUDA does not survive a fork. RL_TIMEOUT if the driver hangs
 * for two minutes; RL_ABSENT if CUDA cannot be used. */
enum rl_status rl_collector_gpu_count(int *count, struct rl_err *err);

/* ---- counters without a GPU (CUPTI's host library) ---- */

/* Path of the CUPTI library in use, opening it if needed; RL_ABSENT with the places that were tried. */
enum rl_status rl_cupti_open(const char **path, struct rl_err *err);
/* Version of the open library, e.g. "13.0" ; "" before rl_cupti_open. */
const char *rl_cupti_version(void);
/* Chips that the host library knows and can initialise; names are static. Returns their number (at most `max` are stored). */
size_t rl_cupti_chips(const char **names, size_t max);

/* Which counters `chip` gives in a single pass: available[i]. About a millisecond for each. Errors as rl_cupti_schedule. */
enum rl_status rl_cupti_available(const char *chip, const char *const *counters, size_t counter_count, bool *available,
                                  struct rl_err *err);

/* How the counters of one configuration are scheduled on a chip. */
struct rl_schedule {
    bool *available;  /* one per counter: the chip has it, in one pass */
    size_t passes;    /* for all available ones, in passes as the program packs them */
    size_t witnessed; /* passes that have a witness among their counters */
};
/* Asks the host library; `chip` is a CUPTI chip name. RL_ABSENT without CUPTI, RL_UNSUPPORTED for a chip it does not know. Free
 * with rl_schedule_release. */
enum rl_status rl_cupti_schedule(const char *chip, const struct rl_configuration *wanted, struct rl_schedule *schedule,
                                 struct rl_err *err);
/* Frees the arrays of the schedule. */
void rl_schedule_release(struct rl_schedule *schedule);

/* ---- collecting ---- */

/* Gives the configurations for a chip (NULL: unknown chip); the arrays must live until rl_collect_suite returns. */
typedef void (*rl_collect_plan)(void *context, const char *chip, const struct rl_configuration **configurations, size_t *count);

/* Reports progress; called from the collecting thread. `done` of `total` variants are finished, `what` comes next
 * ("coalescing/stride_1: counters"). */
typedef void (*rl_collect_progress)(void *context, size_t done, size_t total, const char *what);

/* Measured roofs of the GPU (docs/ceilings.md): a short sweep (under 2 s), all sweeps (under 6 s), and also the rates after
 * sustained load (a minute more). */
enum rl_collect_ceilings { RL_CEILINGS_NONE, RL_CEILINGS_QUICK, RL_CEILINGS_FULL, RL_CEILINGS_SUSTAINED };

struct rl_collect_options {
    const char *output;                /* capture file */
    int gpu;                           /* CUDA ordinal */
    bool quick;                        /* quick sizes and a shorter time budget */
    uint64_t size;                     /* problem size for every selected variant; 0: their own */
    const struct rl_suite_item *items; /* what to collect, at least one (rl_suite_select) */
    size_t item_count;
    enum rl_collect_ceilings ceilings; /* measured before the items; sustained ones after them */
    const char *backend;        /* that takes the counters; NULL: the first that serves the GPU, or of collector/backends.def */
    double time_limit_s;        /* of one launch, which is then treated as hung; 0: 60 s */
    double window_s;            /* times of a variant are spread over at least this; 0: no minimum */
    size_t displacement_bytes;  /* device memory allocated first, so that arrays are at other addresses; 0: none */
    int lock_clocks_mhz;        /* locks the SM clock during the session; -1: to the base clock; 0: not locked */
    const char *const *command; /* arguments as typed, recorded in the capture */
    size_t command_count;
    bool keep_command; /* all of it, not only what is harmless (rl_capture_set_command) */
    const char *tool_version;
    rl_collect_plan plan;
    void *plan_context;
    rl_collect_progress progress; /* may be NULL */
    void *progress_context;
};

/* Phases of a session, whose times are recorded. */
enum rl_collect_phase {
#define PHASE(id, name) RL_PHASE_##id,
#include "collector/phases.def"
    RL_PHASE_COUNT
};

/* Counts of a suite session, for the closing lines of the command. */
struct rl_collect_summary {
    size_t variants_done, variants_wrong, variants_unsupported, variants_failed;
    size_t warnings;          /* entries of the capture's log above a note */
    enum rl_status counters;  /* RL_OK, or why there are none */
    char counters_text[1024]; /* the same in words, with the remedy */
    double wall_s;
    double phase_s[RL_PHASE_COUNT]; /* parts of it; the rest is the time of starting and ending processes */
};

/* Runs the items in a child process and writes the capture after each variant, marked incomplete until the end. If `output` exists,
 * the unfinished capture is in "OUTPUT.partial" until it is complete. Without counters (not permitted, held by another tool, no
 * CUPTI) times, theoretical occupancy and the work model are recorded, and the summary has the reason. A variant that fails,
 * crashes or hangs is marked with its reason, and the others are run. RL_ABSENT: no GPU or driver; RL_USAGE: no such GPU or clock;
 * RL_PERMISSION: only root may lock clocks; RL_IO: output. Locked clocks are unlocked when it returns, or when this process has
 * ended. */
enum rl_status rl_collect_suite(const struct rl_collect_options *options, struct rl_collect_summary *summary, struct rl_err *err);

/* ---- links between GPUs ---- */

struct rl_links_options {
    const char *output; /* capture file */
    const int *gpus;    /* CUDA ordinals; NULL: all */
    size_t gpu_count;
    bool quick;                 /* smaller copies and fewer samples */
    const char *const *command; /* arguments as typed, recorded in the capture */
    size_t command_count;
    bool keep_command; /* all of it, not only what is harmless (rl_capture_set_command) */
    const char *tool_version;
    rl_collect_progress progress; /* may be NULL */
    void *progress_context;
};
struct rl_links_summary {
    size_t gpus, links, failed; /* failed: links that were not measured, or not wholly */
    size_t warnings;            /* entries of the capture's log above a note */
    double wall_s;
};

/* Measures copies between every two GPUs in each direction, alone and both ways, and to and from the host, each GPU alone and all
 * at once, and writes one capture, in steps as rl_collect_suite does. A child process makes the copies; a copy that fails, crashes
 * or hangs is marked with its reason, and another child continues with the next. RL_UNSUPPORTED: fewer than two GPUs; RL_ABSENT: no
 * driver; RL_USAGE: no such GPU; RL_IO: output. */
enum rl_status rl_collect_links(const struct rl_links_options *options, struct rl_links_summary *summary, struct rl_err *err);

/* ---- profiling a program ---- */

/* How counters are taken. With the first and the last the program runs once. */
enum rl_replay {
    RL_REPLAY_ROTATE,      /* in counting windows of the timed run: each configuration on different launches; nothing is repeated */
    RL_REPLAY_KERNEL,      /* in a second run, repeating chosen launches once for each pass */
    RL_REPLAY_APPLICATION, /* in further runs, one for each configuration; nothing is repeated within a run */
    RL_REPLAY_NONE,        /* no counters */
};

/* How the first GPU that a program uses is sampled (sampling.h). Samples and counting windows need the same hardware counters,
 * which have one owner at a time (H100, CUPTI 13.0: the second one is refused as busy). */
enum rl_sample_gpu {
    RL_SAMPLE_FIRST, /* after the first counting windows, taking turns with later ones (docs/sampling.md) */
    RL_SAMPLE_ONLY,  /* all the time, without counting windows */
    RL_SAMPLE_NOT,
};

/* CUPTI, where the program uses it itself. */
enum rl_cupti_use {
    RL_CUPTI_SHARE, /* both use it; where that is impossible the program has precedence */
    RL_CUPTI_YIELD, /* it belongs to the program from its first call on */
    RL_CUPTI_LEAVE, /* not used at all */
};

struct rl_program_options {
    const char *output;         /* pattern of the captures' names: core/launcher.h, without %g */
    const char *const *program; /* its name, searched in $PATH, and its arguments; ends with NULL */
    const int *closed;          /* standard streams to close in the program; ends with -1; NULL: none */
    const int *ignored;         /* signals to ignore in the program; ends with 0; NULL: those ignored in this process */
    enum rl_replay replay;
    int samples; /* launches of a class that are counted under each configuration */
    int budget;  /* counters may hold up the timed run for 0.85 s plus this percentage of its time; 0: no counting windows */
    enum rl_sample_gpu sample_gpu; /* RL_SAMPLE_ONLY: `budget` is 0 */
    int pc_sampling;               /* in the timed run, every 2 to this power cycles, without samples and windows; 0: not */
    enum rl_cupti_use cupti;
    const char *backend; /* that takes the counters; NULL: the first that CUPTI has, or of collector/backends.def */
    /* Filters; NULL, 0 and false: all launches. */
    const char *kernel;                 /* a POSIX extended regular expression over demangled names */
    const char *nvtx;                   /* [DOMAIN@]RANGE/RANGE/..., with the wildcards of the shell */
    const char *range;                  /* START..END */
    uint64_t launch_skip, launch_count; /* of the launches that pass everything else */
    bool profiler_api;                  /* only between cuProfilerStart and cuProfilerStop */
    const char *const *chips;           /* chips to make plans for, because the program's is known only when it runs */
    size_t chip_count;
    const char *const *command; /* arguments as typed, recorded in the capture */
    size_t command_count;
    bool keep_command; /* all of it, not only what is harmless (rl_capture_set_command) */
    const char *tool_version;
    rl_collect_plan plan;
    void *plan_context;
    rl_collect_progress progress; /* may be NULL; called between runs only */
    void *progress_context;
};

/* Outcome of profiling a program. */
struct rl_program_summary {
    bool ran;                     /* the program was started and has ended, */
    int exit_status, exit_signal; /* with this status, or (not 0) by this signal */
    int stop;                     /* signal that this process received, after which no further run begins; 0: none */
    size_t captures, processes;   /* captures written; processes that used CUDA */
    size_t classes, counted_classes;
    uint64_t launches, counted_launches;
    uint64_t gpu_ns, counted_ns; /* GPU time of all kernel classes and of those with counters */
    size_t sampled_classes;      /* with values from samples of the whole GPU, which are estimates, */
    uint64_t sampled_ns;         /* and their GPU time */
    size_t warnings;             /* entries of the captures' logs above a note */
    char warning[1024];          /* the first of them */
    char counters_text[1024];    /* why there are no counters; "" when there are */
    char output[4096];           /* name of the first capture */
    size_t kept;                 /* existing files that were not replaced by worse captures, which are in "OUTPUT.partial" */
    char kept_text[4352];        /* the first of them, with the reason */
    double wall_s;
};

/* Whether another profiler (or another rooflight) is injected into programs that this process starts, or `program` (a path or a
 * name) is one: only one can profile a program. Appends its name. */
bool rl_other_tool(const char *program, struct rl_buf *which);
/* Profiles an unmodified program. Its streams, environment (except CUDA_INJECTION64_PATH, NVTX_INJECTION64_PATH and the variables
 * of docs/programs.md), signals and exit status are unchanged. Captures have every launch of its processes, memcpys, NVTX ranges,
 * and counters of the classes that make up 99 % of the GPU time; they are also written while it runs, marked incomplete. An
 * existing file is replaced by a complete capture only, and a capture with figures not by one without; otherwise the new one is in
 * "OUTPUT.partial". It is no error if the program fails, crashes or is killed: the capture has the finished part, and the summary
 * its end. RL_ABSENT, RL_FAILED: the program cannot be run; RL_USAGE: the pattern; RL_IO: output. SIGCHLD must not be ignored. */
enum rl_status rl_collect_program(const struct rl_program_options *options, struct rl_program_summary *summary, struct rl_err *err);
