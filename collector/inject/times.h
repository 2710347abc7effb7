/* times.h - when kernels, memcpys and memsets ran, and where the launches were made. Private to collector/inject. */
#pragma once

#include "classes.h"

/* ---- busy.c; under `lock` ---- */

/* An activity of the GPU; `kernel`: its duration counts as kernel time. */
void busy_add(uint32_t gpu, uint64_t start_ns, uint64_t end_ns, bool kernel);
/* Puts the totals that have changed into the stream. */
void busy_flush(void);
/* Nothing is recorded from here to the next activity: that time is neither busy nor idle. */
void busy_cut(void);
/* From the first to the last activity, less what was not observed; time in which there was any; times of kernels, added up. */
struct busy_totals {
    uint64_t span_ns, busy_ns, kernel_ns;
};
/* A GPU's, below MOST_GPUS, until now. */
struct busy_totals busy_of(uint32_t gpu);

/* ---- spans.c; under `lock` ---- */

/* A kernel that ran on the GPU; `class_id` may be RL_STREAM_NO_CLASS; `traced`: its record instrumented the code. Nothing unless
 * the settings ask for launches. */
void spans_add(uint32_t gpu, uint32_t class_id, bool traced, uint64_t start_ns, uint64_t end_ns);
/* Launches may be missing from here to the next one of each GPU. */
void spans_cut(void);
/* Puts what has been added into the stream. */
void spans_flush(void);
/* From and to when launches of the GPU are missing that the stream does not have yet; false: none are. */
bool spans_missing(uint32_t gpu, uint64_t *from_ns, uint64_t *to_ns);

/* ---- origins.c ---- */

/* Of a launch: its class (NULL: unknown, or the kernels of a graph), the range that it was made in, whether the filters select
 * it, whether it is counted and so not timed. */
struct origin {
    struct class *class;
    int32_t range;
    bool selected, counted;
    int32_t instance; /* instances.c */
    struct call_times {
        uint64_t called_ns; /* CLOCK_MONOTONIC; 0: unknown */
        /* The thread's last call before that waited for the GPU; 0 and 0: there was none. */
        uint64_t waited_from_ns, waited_to_ns;
    } call;
};
/* Takes their memory, before the first launch; false: there is none. */
bool origins_open(void);
/* The callback's facts of the launch with this correlation id. */
void origin_note(uint32_t correlation, struct origin origin);
/* The same, for its record, under `lock`; false when it has been forgotten, or there was no callback. */
bool origin_find(uint32_t correlation, struct origin *origin);
/* Counts a launch that is not timed; takes the lock itself where it is in a range. */
void origin_untimed(struct class *class, int32_t range);
/* Calls that launched a kernel while nothing was timed. */
extern atomic_ullong launches_untimed;

/* ---- times.c ---- */

enum { TIMES_FLUSH_MS = 100 }; /* how often CUPTI delivers by itself */

/* Hands CUPTI the buffers and turns recording on, once. Where that fails nothing is timed, or not everything. */
enum rl_status times_start(struct rl_err *err);
/* Stops recording kernels, for a window of counters, when everything so far has been delivered; copies are recorded on, but are not
 * time of the GPU. Takes `lock` itself, as the next ones. */
void times_pause(void);
/* Goes on recording kernels, if times are wanted at all; says it where that fails. */
void times_resume(void);
/* Delivers what is finished, and records nothing any more. */
void times_end(void);
/* The program has the counters: nothing is recorded, and CUPTI is not asked to deliver, which would take samples of warps that it
 * keeps for the program (CUPTI 13.0). */
void times_leave(void);
/* It has given them back. */
void times_return(void);
/* Between times_pause and times_resume: records kernels for a launch that is counted, where they are recorded one after another. */
void times_record_one(bool on);
/* From now on kernels may overlap: they are recorded as they do, which instruments their code. Until this is called kernels are
 * serialised where they are recorded, and their records leave the code alone. Serial records order kernels on the GPU, so whatever
 * was launched before must have ended where the next kernel could be one that it waits for. */
void times_overlap(void);
/* The program has begun to record kernels itself, or has ended: they are recorded as it has them. */
void times_follow_guest(void);
/* Whether kernels are recorded one after another. */
bool times_are_serial(void);
/* Delivers what is finished; `all`: also of buffers in which something is not. */
void times_deliver(bool all);
/* The same, if it has not been done for a while. */
void times_gather(void);
/* Puts everything that has changed into the stream. */
void times_publish(void);
/* A graph has been launched as it is; the number of kernels that this gives the GPU is unknown. */
void times_graph_launched(uint64_t called_ns);
/* How long graphs take, as long as the program goes on launching graphs, from the call to the end of a kernel: what is in flight
 * takes about as long. 0: unknown, or none was launched for longer than that. */
uint64_t times_graph_lag(void);
