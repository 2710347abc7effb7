/* times.h - times of kernels, memcpys and memsets, and the origin of launches. Private to collector/inject. */
#pragma once

#include "classes.h"

/* ---- busy.c; under `lock` ---- */

/* Adds an activity of the GPU; `kernel`: its duration counts as kernel time. */
void busy_add(uint32_t gpu, uint64_t start_ns, uint64_t end_ns, bool kernel);
/* Writes changed totals into the stream. */
void busy_flush(void);
/* Recording pauses until the next activity: that time is neither busy nor idle. */
void busy_cut(void);
/* Time from the first to the last activity without pauses; time with any activity; sum of kernel durations. */
struct busy_totals {
    uint64_t span_ns, busy_ns, kernel_ns;
};
/* Totals of a GPU (below MOST_GPUS) so far. */
struct busy_totals busy_of(uint32_t gpu);

/* ---- spans.c; under `lock` ---- */

/* Adds a kernel run; `class_id` may be RL_STREAM_NO_CLASS; `traced`: its record instrumented the code. Ignored unless the settings
 * ask for launches. */
void spans_add(uint32_t gpu, uint32_t class_id, bool traced, uint64_t start_ns, uint64_t end_ns);
/* Launches may be missing between now and the next one of each GPU. */
void spans_cut(void);
/* Writes added runs into the stream. */
void spans_flush(void);
/* The time in which launches of the GPU are missing that the stream does not have yet; false: none. */
bool spans_missing(uint32_t gpu, uint64_t *from_ns, uint64_t *to_ns);

/* ---- origins.c ---- */

/* The origin of a launch: its class (NULL: unknown, or the kernels of a graph), its range, whether the filters select it, and
 * whether it is counted and therefore not timed. */
struct origin {
    struct class *class;
    int32_t range;
    bool selected, counted;
    int32_t instance; /* instances.c */
    struct call_times {
        uint64_t called_ns; /* CLOCK_MONOTONIC; 0: unknown */
        /* The thread's last preceding call that waited for the GPU; 0 and 0: none. */
        uint64_t waited_from_ns, waited_to_ns;
    } call;
};
/* Allocates memory, before the first launch; false: exhausted. */
bool origins_open(void);
/* Stores the origin of the launch with this correlation id. */
void origin_note(uint32_t correlation, struct origin origin);
/* Finds the origin for an activity record, under `lock`; false: overwritten, or there was no callback. */
bool origin_find(uint32_t correlation, struct origin *origin);
/* Adds an untimed launch; takes the lock if it is in a range. */
void origin_untimed(struct class *class, int32_t range);
/* The number of launch calls while nothing was timed. */
extern atomic_ullong launches_untimed;

/* ---- times.c ---- */

enum { TIMES_FLUSH_MS = 100 }; /* CUPTI's own flush period */

/* Registers the buffers and enables recording, once. On failure some or all times are missing. */
enum rl_status times_start(struct rl_err *err);
/* Stops recording kernels for a counting window, after everything so far has been delivered. Memcpys are still recorded, but not as
 * GPU time. Takes `lock`, as do the next ones. */
void times_pause(void);
/* Resumes recording kernels if timing is on; reports a failure. */
void times_resume(void);
/* Delivers finished records and ends recording. */
void times_end(void);
/* The program holds the counters: disables recording and does not flush CUPTI, which would take PC samples that CUPTI keeps for the
 * program (CUPTI 13.0). */
void times_leave(void);
/* The program has released the counters. */
void times_return(void);
/* Between times_pause and times_resume: records a launch that is counted, if kernels are recorded serially. */
void times_record_one(bool on);
/* Kernels may overlap from now on: switches to concurrent records, which instrument the code. Before this call kernels are
 * serialised where they are recorded, and their code is unchanged. Serial records order kernels on the GPU, so earlier launches
 * must have ended before the first kernel that one of them could wait for. */
void times_overlap(void);
/* The program began or ended recording kernels itself: uses the same kind of records. */
void times_follow_guest(void);
/* Whether kernels are recorded serially. */
bool times_are_serial(void);
/* Delivers finished records; `all`: also from buffers with unfinished ones. */
void times_deliver(bool all);
/* The same, unless done recently. */
void times_gather(void);
/* Writes all changes into the stream. */
void times_publish(void);
/* A graph was launched whole; its number of kernels is unknown. */
void times_graph_launched(uint64_t called_ns);
/* The time from a graph's launch call to the end of a kernel, while the program keeps launching graphs: an estimate for graphs in
 * flight. 0: unknown, or none was launched for longer than that. */
uint64_t times_graph_lag(void);
