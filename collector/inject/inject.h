/* inject.h - the library that runs inside a profiled program. Private to collector/inject.
 *
 * Each file uses only files above it (lint/layers):
 *
 *     patch.c     redirects calls of another library's function
 *     guard.c     the lock, entry from the program's code, and whether we are still active
 *     memory.c    memory that is never freed, without malloc
 *     out.c       the record stream (../stream.h)
 *     gpus.c      the GPUs and contexts of the process
 *     leave.c     the end of the process, which waits for the worker
 *     collectives.c
 *                 collective kernels in flight
 *     quiet.c     whether the GPU is idle
 *     budget.c    how long the program may be delayed, and totals of it
 *     busy.c      busy time per GPU
 *     spans.c     start and end of each launch
 *     bins.c      time bins
 *     idle.c      host activity while no kernel ran
 *     lanes.c     timeline of each GPU
 *     tree.c      NVTX: the range tree of the process
 *     select.c    the filters
 *     ranges.c    NVTX: open ranges per thread and of the process
 *     nvtx.c      NVTX: the functions that the program calls
 *     durations.c durations of launches, and which are alike
 *     classes.c   kernel classes: counted, timed, sampled
 *     origins.c   call site and range of each launch
 *     intercept.c, guest.c, records.c, callbacks.c
 *                 the program's own use of CUPTI (guest.h)
 *     times.c     the Activity API: times of kernels, memcpys, memsets
 *     patience.c  expected time until the GPU is idle
 *     modules.c   modules, which map instructions to source lines
 *     pc.c        PC sampling
 *     plan.c      counters: grouping into configurations
 *     availability.c
 *                 counters: those that the GPU has
 *     window.c    counters: one window of the range profiler
 *     wanted.c    counters: the classes to be counted
 *     counts.c, counts_calls.c, counts_worker.c
 *                 counters: the launches to be counted, and when
 *     graph_nodes.c, graph_run.c, graphs.c, graph_calls.c
 *                 CUDA graphs, taken apart to count their kernels
 *     aside.c, shims.c
 *                 redirected CUPTI calls of the program
 *     launches.c  callbacks on launches: range and selection
 *     worker.c    our worker thread
 *     inject.c    entry points, beginning and end of the process, forks
 *
 * This header declares what all files need, launches.c, and the end of the process. classes.h declares kernel classes, ranges.h
 * NVTX and the filters, times.h activity records and the origin of launches, guest.h the program's own use of CUPTI, counting.h
 * counters; each other file has its own header.
 *
 * The library must not disturb its host: it exports only the entry points, prints nothing, bounds its memory, keeps no file
 * descriptor open, and reports failures in the stream while the program continues.
 *
 * A signal may interrupt the program anywhere, with a handler that calls exit(), forks, or never returns. Therefore:
 *   - callbacks begin with enter(), which admits a thread once: it refuses a nested call from a handler;
 *   - no wait for a lock is unbounded: hold() gives up for good if the lock cannot be had;
 *   - no lock is taken at the end of the process or at a fork; the worker does the remaining work, and at_exit waits for it for a
 *     bounded time.
 * `lock` protects what all threads share (classes, ranges, stream) and is never held during calls of CUDA or CUPTI. counts.c has
 * two more locks and pc.c one, which are taken before it, and graphs.c has one, which is taken before those. */
#pragma once

#include <pthread.h>
#include <signal.h>

#include "cupti_api.h"
#include "ring.h"
#include "settings.h"
#include "stream.h"

enum { MOST_CLASSES = 1 << 16, MOST_RANGES = 1 << 16, MOST_GPUS = 64, MOST_PASSES = 24, MOST_DEPTH = 64 };

/* ---- guard.c ---- */

extern struct rl_settings settings;
extern const char *notes; /* the parent's notes (../handout.h) */
extern size_t notes_size;
/* False: the library is inactive, because the process inherited our state by fork after CUDA was initialised, or because we have
 * given up. */
extern atomic_bool alive;
/* The exit handlers run: nothing is counted any more. */
extern atomic_bool ending;
/* The stream to the parent; without `shared` nothing is recorded. */
extern struct rl_ring ring;
/* Adds bits of enum rl_ring_state; needs no lock. */
void ring_mark(unsigned state);

/* CLOCK_MONOTONIC */
static inline uint64_t now_ns(void)
{
    return (uint64_t)rl_monotonic_ns();
}

/* Checks an assumption. If it fails the library becomes inactive, and the program continues. */
#define assume(condition) ((condition) ? (void)0 : give_in())
/* For assume: deactivates the library and reports that to the parent. Callable from any thread; returns. */
void give_in(void);

/* Enters our code from the program's. False: this thread is inside already, or the library is inactive. Pair true with leave(). */
bool enter(void);
/* Returns to the program's code and restores errno as it was at enter(). */
void leave(void);
/* Whether this thread is inside. */
bool is_entered(void);
/* Takes `lock`; false: it cannot be had, now or later. Pair true with let_go(). */
bool hold(void);
/* Releases `lock`, on the thread that holds it. */
void let_go(void);
/* Whether this thread holds `lock`. */
bool is_held(void);
/* Takes another mutex within a few seconds; false: the library is inactive. */
bool take_mutex(pthread_mutex_t *mutex);
/* Blocks the program's signals for threads started before signals_restore; synchronous faults stay unblocked. */
void signals_block(sigset_t *before);
/* Restores the signal mask, on the same thread. */
void signals_restore(const sigset_t *before);
/* In the child of a fork: resets `lock`, whose holder does not exist there. */
void guard_renew(void);

/* ---- soft.c ---- */

/* Whether a resource limit of the process is so low that our memory use could exhaust it. */
bool memory_is_scarce(void);

/* ---- memory.c; under `lock` ---- */

/* Zeroed memory that is never freed; NULL if exhausted. It does not come from malloc, which the program may have replaced by one
 * that calls CUDA, and thus our callbacks. */
void *keep(size_t bytes);
/* A copy of a text that is never freed; NULL if memory is exhausted or the text is NULL. */
const char *keep_text(const char *text);

/* ---- out.c; under `lock` unless noted otherwise ---- */

/* Opens the stream of this process and sends the first record; false if it has no reader. Takes `lock`. */
bool out_open(void);
/* Appends a record: `size` bytes of its struct (the head is filled in) and `count` texts; NULL counts as "". */
void out_add(enum rl_record_kind kind, void *record, size_t size, const char *const *texts, size_t count);
/* Whether a record of `bytes` leaves half of the room free; for optional records. */
bool out_has_room(size_t bytes);
/* The same, leaving a quarter of the ring free: unbounded records leave room for the final ones. May publish. */
bool out_has_spare_room(size_t bytes);
/* Whether records are still waiting for room in the ring after the last out_flush. Needs no lock. */
bool out_waits(void);
/* Publishes appended records; those without room are kept for the next call. */
void out_flush(void);
/* The counter of calls that launched a kernel, in memory shared with the parent; never NULL. Needs no lock, as do the next ones. */
atomic_ullong *out_made(void);
/* The counter of graph launches. */
atomic_uint *out_graphs(void);
/* The counter of launches of a class; ids are below MOST_CLASSES. */
atomic_ullong *out_launched(uint32_t class_id);
/* Whether GPU counters may be used; asks another process that holds them to release them. */
bool out_may_count(void);
/* Counting pauses: releases the counters to other processes. */
void out_counted(void);
/* Sets whether the program uses counters itself: meanwhile out_counted releases nothing. */
void out_keep_counters(bool keep);
/* Whether records have waited for room so long that the reader must have gone. */
bool out_is_stuck(void);
/* Writes one line for the capture's log; takes the lock. `status` is the reason for missing counters, or RL_OK. */
void say(int level, enum rl_status status, const char *text);

/* ---- gpus.c ---- */

/* Ordinal of the context's device; false if it is unknown or excluded by the settings. Reports a new GPU in the stream. */
bool gpu_of_context(CUcontext context, uint32_t *gpu);
/* The context is destroyed; its address may be reused. */
void gpu_context_gone(CUcontext context);
/* Reports a device ordinal from an activity record; false if excluded. */
bool gpu_seen(uint32_t gpu);
/* Number of SMs of a reported GPU; 0: unknown. */
int gpu_sm_count(uint32_t gpu);
/* The address of a driver function, or NULL if the loaded driver lacks it. Takes about 1 us. */
void *driver_function(const char *name);
#define DRIVER(function) ((__typeof__(&function))driver_function(#function))

/* ---- launches.c ---- */

/* Subscribes to the relevant driver calls, once. After a failure some callbacks may still arrive. */
enum rl_status launches_start(struct rl_err *err);
/* Abandons counting for the launch that this thread is making, for a callback of the program inside it. `untimed`: the launch will
 * have no record, unless the driver has already made it. */
void launches_let_go(bool untimed);

/* ---- the end of the process ---- */

/* ---- leave.c ---- */

/* The process is ending and CUPTI's dependencies are about to be destroyed: nothing is counted any more. */
extern atomic_bool leaving;
/* Sets whether the worker is in a call that must return before the process ends, which then waits for up to ten seconds. */
void leave_waits_whole(bool closing);
/* Called before the worker is started; false: it cannot be. */
bool leave_init(void);
/* Sleeps for `ns`, or until leave_wake. */
void leave_sleep(int64_t ns);
/* Ends the worker's sleep. */
void leave_wake(void);
/* Called by the worker at its start. */
void leave_work(void);
/* Sends the worker a request and waits until it is done: for up to a second, or while it prepares for up to a second in which it
 * does not run, or ten. False: not done; then no later request waits. */
bool leave_ask(atomic_bool *asked, const atomic_bool *done);
/* Called after the first use of CUPTI's host library, by the thread that used it: the end of the process then waits until the
 * library is unused. */
void settle_first(void);
/* Called by the worker: whether counting is to be ended. */
bool settle_is_due(void);
/* Called by the worker when that is done; the ending thread continues. */
void settle_done(void);
/* Sets whether the worker is preparing counters, which cannot be interrupted at any moment: the ending thread waits. */
void settle_waits_for(bool preparing);

/* ---- worker.c ---- */

/* Starts the thread, which blocks all signals and waits for worker_begin. False: no thread can be created. */
bool worker_start(void);
/* Lets the worker begin: everything that it uses is initialised. */
void worker_begin(void);
/* Lets the worker collect CUPTI's remaining records, and waits for up to a second; true if all were collected. */
bool worker_finish(void);
