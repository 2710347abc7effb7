/* program_parts.h - the collecting process while it observes a program. Private to program*.c of the collector.
 *
 *     program.c        what is done before, between and after the runs
 *     program_run.c    one run: starts the program, passes signals on, waits
 *     program_sample.c the child that samples the program's GPU
 *     program_tracer.c what recording added to the program's kernels
 *     program_save.c   captures of what the processes have said
 */
#pragma once

#include <signal.h>

#include "program_capture.h"
#include "receiver.h"
#include "sampling.h"
#include "tracer.h"

/* A run after the timed one. */
struct further {
    enum rl_replay replay;
    long pass; /* -1: all */
};

struct program {
    const struct rl_program_options *options;
    struct rl_program_summary *summary;
    struct rl_program_facts facts;
    char *path;                           /* of the program */
    char *library;                        /* the injected part */
    char *growing;                        /* path of the unfinished capture if its name has no placeholders; otherwise NULL */
    struct rl_receiver *receiver;         /* of what processes say */
    struct rl_buf notes;                  /* the plans of all chips, passed to every run */
    sigset_t watched, mask;               /* signals that are awaited; the original mask, which the program gets */
    int stop;                             /* signal received, after which no further run begins */
    struct further further[RL_MOST_RUNS]; /* by run; unused for run 0 */
    size_t runs;                          /* made, with the timed one */
    struct rl_sampling sampling;          /* of the first GPU that was used, unless it was not wanted */
    bool sampling_begun;
    struct rl_tracer tracer; /* measured if sampled launches were instrumented */
    struct rl_err tracer_failure;
    int64_t run_ns;             /* when the timed run began */
    int64_t told_ns;            /* time at which the child received the GPU; 0: not yet */
    bool counters_given;        /* the counters were returned to the program's processes: the child has exited */
    struct rl_stream **streams; /* those of known processes, while captures are made */
    size_t stream_count, stream_cap;
    char **losses; /* sentences about the others */
    size_t loss_count, loss_cap;
    struct group *groups;
    size_t group_count, group_cap;
};

/* Streams that go into one capture file. */
struct group {
    char *output, *growing;
    struct rl_stream **streams;
    size_t count, cap;
    struct rl_capture *capture; /* copies of the streams, while captures are made */
    bool saved;                 /* under the name `growing` */
};

/* ---- program_run.c ---- */

/* Blocks the forwarded signals from here on; they stay pending. */
void rl_program_watch_signals(struct program *p);
/* Consumes signals that arrived without a running program, such as those to the whole process group. */
void rl_program_take_pending(struct program *p);
/* Runs the program to its end; `now_and_then` is called while it runs. RL_FAILED: it cannot be started. */
enum rl_status rl_program_run_once(struct program *p, size_t run, void (*now_and_then)(struct program *p), struct rl_err *err);

/* ---- program_sample.c ---- */

/* Whether the timed run takes counters. */
bool rl_program_counts_in_first(const struct rl_program_options *options);

/* Starts the sampling child when a process begins to use CUDA, sends it the first GPU in use, reads its data, and ends it when
 * processes of the program want the counters. */
void rl_program_sample(struct program *p);
/* Whether samples are wanted, and no GPU has been used yet. */
bool rl_program_sample_waits(const struct program *p);
/* Descriptor that is readable if there is data; -1: no sampling. */
int rl_program_sample_fd(const struct program *p);
/* Ends the child after the program, within RL_SAMPLING_END_S. */
void rl_program_sample_end(struct program *p);
/* Waits for the child's exit, after which the counters are free. */
void rl_program_sample_settle(struct program *p);

/* ---- program_tracer.c ---- */

/* Measures the overhead of recording in the program's kernels, if samples contain it; after the timed run. */
void rl_program_measure_tracer(struct program *p);

/* ---- program_save.c ---- */

/* Reads all records that processes have sent; then p->streams are sorted by run and start. Under the receiver's lock. */
void rl_program_poll(struct program *p);
/* Discards the result of rl_program_poll; needs no lock. */
void rl_program_forget(struct program *p);
/* Writes captures of it: under their final names if `last`, otherwise of the state so far. */
enum rl_status rl_program_save(struct program *p, bool last, struct rl_err *err);
/* Removes intermediate captures, because nothing was selected and no capture is due. */
void rl_program_unsave(struct program *p);
