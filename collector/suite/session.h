/* session.h - one process that collects: what it knows, and the parts it is made of. Private to the collector.
 *
 *     supervise.c   the parent process: starts the collecting process, and another one when that dies or hangs
 *     suite.c       the collecting process: opens the GPU, takes variant after variant
 *     describe.c    what the capture says of experiments and variants before they ran
 *     ceilings.c    measured roofs
 *     lock.c        clocks that are locked meanwhile
 *     timing.c      times, without counters
 *     count.c       counters, in as few windows as memory allows
 */
#pragma once

#include "kernels/run.h"
#include "lock.h"
#include "range.h"
#include "record_cost.h"

/* A variant that is set up on the device and waits for its counters. */
struct rl_pending {
    struct rl_suite_run run;
    size_t first_kernel, kernel_count; /* its classes in the capture: class i is run.launches[i] */
    size_t runs;                       /* its ranges in the current window; 0: none */
};

/* The parts of one configuration of the plan: `count` configs from `first` on; 0: not packed yet. */
struct rl_packed {
    size_t first, count;
};

struct rl_collecting {
    const struct rl_collect_options *options;
    struct rl_collect_summary *summary;
    struct rl_capture *capture;
    const char *path;            /* where the unfinished capture is written */
    int64_t saved_ns, saving_ns; /* time of the last write, and its duration */
    int64_t start_ns;            /* of the session, in any process */
    enum rl_collect_phase phase; /* being in it since phase_ns */
    int64_t phase_ns;
    size_t gpu; /* index in the capture */
    void *stream;
    struct rl_record_cost record_cost; /* all zero: not measured */
    int sm_count, cc;                  /* compute capability x 10 */
    size_t memory_floor;               /* device memory that waiting variants must leave free */
    struct rl_range_profiler profiler;
    const struct rl_configuration *wanted; /* the plan */
    size_t wanted_count;
    struct rl_packed *packed;  /* one per configuration of the plan */
    struct rl_config *configs; /* what those were packed into */
    size_t *passes;            /* one index in the capture per config */
    size_t config_count;
    struct rl_pending *pending;
    size_t pending_count, pending_cap;
};

/* Nanoseconds since the session began. */
int64_t rl_elapsed_ns(const struct rl_collecting *s);
/* Ends one phase, adds its time to the summary and begins `phase`; returns the one that ended. */
enum rl_collect_phase rl_enter(struct rl_collecting *s, enum rl_collect_phase phase);
/* A warning in the capture's log. */
void rl_warn(struct rl_collecting *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Writes the capture as it is now. */
enum rl_status rl_save(struct rl_collecting *s, struct rl_err *err);
/* The same, at most so often that writing, which always rewrites the whole file, takes a hundredth of the time. Unwritten
 * results are measured again if this process dies. */
enum rl_status rl_save_at_times(struct rl_collecting *s, struct rl_err *err);

/* ---- describe.c ---- */

/* Command, tool and source. */
void rl_describe_command(struct rl_collecting *s);
/* Adds the item's variant, and before its first variant the experiment with its claims; returns the variant's index. */
size_t rl_describe_variant(struct rl_collecting *s, const struct rl_suite_item *item);

/* ---- count.c ---- */

/* Opens the profiler and packs the plan; on failure the session continues with times alone, and logs the reason. */
void rl_count_open(struct rl_collecting *s);
/* Queues a variant for its counters. */
void rl_count_later(struct rl_collecting *s, const struct rl_pending *pending);
/* Marks every counter of the plan that a class does not have as missing for this reason. */
void rl_count_missing(struct rl_collecting *s, size_t kernel, struct rl_value missing);
/* Collects the counters of all queued variants, releases their device memory and writes the capture. */
enum rl_status rl_count_pending(struct rl_collecting *s, struct rl_err *err);
/* Releases queued variants without counting them, and the profiler. */
void rl_count_close(struct rl_collecting *s);

/* ---- suite.c ---- */

/* Report of a collecting process to the one that supervises it. */
typedef void (*rl_collect_report)(void *context, size_t item);

struct rl_collect_task {
    const struct rl_suite_item *items;
    size_t item_count, first;  /* items before `first` are already in the capture */
    const char *const *failed; /* for each item, why it must not be tried again, or NULL */
    bool resumes;              /* the capture at `path` is to be continued */
    const char *path;
    int64_t start_ns;                              /* of the session, CLOCK_MONOTONIC */
    const struct rl_clock_lock *lock;              /* NULL: clocks are as they are */
    rl_collect_report begins;                      /* called before each item, and with RL_NONE before the preparations */
    void (*says)(void *context, const char *what); /* current phase, for the progress line */
    void *context;
};

/* Collects items [first, item_count) in this process. RL_RESUME: the last item begun has failed in a way that leaves the device
 * unusable for this process (the capture says how): another process must go on after it. */
enum rl_status rl_collect_items(const struct rl_collect_options *options, const struct rl_collect_task *task,
                                struct rl_collect_summary *summary, struct rl_err *err);
enum { RL_RESUME = 1000 }; /* besides the values of enum rl_status */

/* ---- timing.c: timing a variant without counters ---- */

struct rl_timing_limits {
    size_t min_samples, max_samples; /* per kernel class */
    double budget_s;                 /* stop after this time, converged or not */
    double half_width;               /* or when the relative half-width of the median's interval is below this */
    double warm_up_s;                /* launches before the first sample, at least this long and at least 3 */
    double window_s;                 /* samples are spread over this time of consecutive runs; 0: no minimum */
};
extern const struct rl_timing_limits rl_timing_full, rl_timing_quick;

/* Adds one kernel class to the capture for each different launch of the variant (class `*first` + i is run->launches[i]) and takes
 * samples as the variant wants to be measured: GPU timestamps of the Activity API for its kernels (serial records, less their cost)
 * or for the span of a run, or the host's clock. Kernels that are a whole run also get their time back to back, the
 * reference of the clock. Where the Activity API cannot be had, runs of a single launch are timed by CUDA events. */
enum rl_status rl_time_variant(struct rl_capture *capture, size_t variant, struct rl_suite_run *run,
                               const struct rl_timing_limits *limits, const struct rl_record_cost *cost, size_t *first,
                               size_t *count, struct rl_err *err);

/* ---- messages of a child process. Private to the collector ---- */

enum rl_pipe { RL_PIPE_READ, RL_PIPE_ENDED, RL_PIPE_SILENT };

/* Reads exactly `size` bytes. RL_PIPE_ENDED: the other end was closed, possibly in the middle; RL_PIPE_SILENT: no data for
 * `silence_ms`. */
enum rl_pipe rl_pipe_read(int fd, void *bytes, size_t size, int silence_ms);

/* Writes exactly `size` bytes, despite signals; false: the reader has closed its end. */
bool rl_pipe_write(int fd, const void *bytes, size_t size);

/* ---- the CUDA context of the collecting process, and its device. Private to the collector ---- */

/* The context that is current on this thread. */
enum rl_status rl_current_context(CUcontext *context, struct rl_err *err);
/* Compute capability x 10 of a CUDA device; 0: unknown. */
int rl_device_cc(int device);

/* ---- what is known of the GPU and the machine before anything is measured. Private to the collector ---- */

/* Fills name, UUID, compute capability and all facts of CUDA device `device`. */
enum rl_status rl_facts_gpu(struct rl_capture *capture, struct rl_gpu *gpu, int device, struct rl_err *err);
/* Facts about a GPU besides CUDA's: the driver's settings and of NVML; `gpu->uuid` is set. */
void rl_facts_of_card(struct rl_gpu *gpu);
/* Stores one CUdevice_attribute, if it is a fact of the capture. */
void rl_facts_attribute(struct rl_gpu *gpu, int attribute, int value);
enum { RL_UUID_TEXT = 48 };
/* "GPU-32c2c9da-...", as nvidia-smi prints it; returns `text`. */
const char *rl_facts_uuid(const unsigned char bytes[16], char text[RL_UUID_TEXT]);
/* Fills host, operating system and the driver's version; touches no CUDA. */
void rl_facts_host(struct rl_capture *capture);
/* Fills start time, host, operating system and the versions of driver, runtime and CUPTI. $SOURCE_DATE_EPOCH is not honoured: a
 * capture says when it was measured. */
void rl_facts_session(struct rl_capture *capture);
/* Reads the GPU now and appends the reading to GPU `gpu` of the capture. */
void rl_facts_moment(struct rl_capture *capture, size_t gpu, const char *moment, int64_t at_ns);

/* ---- measured roofs ---- */

struct rl_activity;
struct rl_capture;
struct rl_collecting;
struct rl_collect_task;

/* How thoroughly ceilings are measured. */
struct rl_ceiling_limits {
    bool quick;                    /* the short sweeps only */
    size_t sweep_samples, samples; /* launches of each configuration in the sweep, and of the best one besides */
    double launch_ns;              /* what a launch takes where rounds can be chosen */
    double warm_up_s;              /* before the first benchmark: an idle GPU needs a while for its clock */
    double budget_s;               /* for all; what is left when it has run out gets the short sweep */
    uint64_t host_bytes;           /* page-locked memory for the link to the host */
};
extern const struct rl_ceiling_limits rl_ceiling_full, rl_ceiling_quick;

/* Measures every ceiling that the GPU and options->ceilings allow and adds the runs to the capture, which is written after each.
 * What cannot be measured is logged. RL_RESUME when the device was lost, RL_IO when the capture cannot be written. */
enum rl_status rl_measure_ceilings(struct rl_collecting *s, const struct rl_collect_task *task, struct rl_err *err);
/* With RL_CEILINGS_SUSTAINED: measures the ceilings that power and heat limit once more, each after 20 s of load. */
enum rl_status rl_measure_sustained(struct rl_collecting *s, const struct rl_collect_task *task, struct rl_err *err);

/* ---- parts, for tests ---- */

/* Index of the series with the highest median; RL_NONE when all are empty. `rates[i]` has `counts[i]` samples. */
size_t rl_ceiling_best(const double *const *rates, const size_t *counts, size_t count);
/* The run that is the ceiling `id` of the GPU: of those with the most samples, which were measured in full, the one with the
 * highest median; a look in the sweep is too short for the clock to fall. RL_NONE: there is no run. */
size_t rl_ceiling_in_full(const struct rl_capture *capture, size_t gpu, const char *id);
/* Shares `seen` activities, in order of their start, out to launches: launch i of case c took activities per_launch[c] at a time
 * and lasts from the start of its first to the end of its last. The number of launches of each case is `repeat`. False when the
 * numbers do not fit; at most one case may have per_launch 0, which is then found from what the others leave. */
bool rl_ceiling_durations(const struct rl_activity *seen, size_t seen_count, size_t *per_launch, size_t cases, size_t repeat,
                          uint64_t *duration_ns);
