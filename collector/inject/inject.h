/* inject.h - the object that runs inside an observed program. Private to collector/inject.
 *
 * Each file uses only files above it (lint/layers):
 *
 *     patch.c     calls of another library's function are led to ours
 *     guard.c     the lock, who is inside of us, whether anything may be touched
 *     memory.c    memory that is never given back, without malloc
 *     out.c       the record stream (../stream.h)
 *     gpus.c      the GPUs and contexts of the process
 *     leave.c     the end of the process, for which the worker is waited
 *     collectives.c
 *                 collective kernels in flight
 *     quiet.c     whether the GPU has nothing to do
 *     budget.c    how long the program may be held up, and what came of it
 *     busy.c      how long each GPU was busy
 *     spans.c     when each single launch ran
 *     bins.c      bins of time
 *     idle.c      what the host did while no kernel ran
 *     lanes.c     what each GPU did over time
 *     tree.c      NVTX: the tree of ranges of the process
 *     select.c    the filters
 *     ranges.c    NVTX: the ranges that each thread, and the process, has open
 *     nvtx.c      NVTX: what the program calls
 *     durations.c how long launches take, and which are alike
 *     classes.c   kernel classes: counted, timed, sampled
 *     origins.c   where each launch was made
 *     intercept.c, guest.c, records.c, callbacks.c
 *                 the program's own use of CUPTI, which shares with us (guest.h)
 *     times.c     the Activity API: times of kernels, copies, sets
 *     patience.c  how long it may take until the GPU is quiet
 *     modules.c   modules that say which line an instruction is of
 *     pc.c        PC sampling: where warps stand, and why
 *     plan.c      counters: which are taken together
 *     availability.c
 *                 counters: which the GPU has
 *     window.c    counters: one window of the range profiler
 *     wanted.c    counters: of which classes they are wanted
 *     counts.c, counts_calls.c, counts_worker.c
 *                 counters: which launches, and when
 *     graph_nodes.c, graph_run.c, graphs.c, graph_calls.c
 *                 CUDA graphs, taken apart to count their kernels
 *     aside.c, shims.c
 *                 what the program's calls of CUPTI become
 *     launches.c  callbacks on launches: where, and whether they are selected
 *     worker.c    a thread of ours
 *     inject.c    entry points, beginning and end of the process, forks
 *
 * Here stands what all of them rest on, and launches.c. Of the others, classes.h has kernel classes, ranges.h NVTX and the filters,
 * times.h what was recorded and from where, guest.h the program's own use of CUPTI, counting.h counters, leave.h the worker and the
 * end; each of the rest has a header.
 *
 * It must not disturb its host: nothing is exported but the entry points, nothing is printed, memory is bounded, no descriptor is
 * kept, and failures are reported in the stream while the program goes on.
 *
 * The program may be interrupted anywhere by a signal whose handler calls exit(), forks, or never comes back. So:
 *   - what comes in through a callback goes through enter(), which lets a thread in once: a handler finds the door shut;
 *   - nothing waits for a lock without end: hold() gives up, for good, when the lock cannot be had;
 *   - no lock is taken where the process ends or forks; what is left to do then is done by the worker, for which at_exit waits a
 *     bounded time.
 * `lock` guards what all threads share (classes, ranges, stream); it is never held while CUDA or CUPTI is called. counts.c has two
 * more and pc.c one, which are taken before it, and graphs.c one, which is taken before those. */
#pragma once

#include <cuda.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "core/core.h"
#include "cupti_api.h"
#include "ring.h"
#include "settings.h"
#include "stream.h"

enum { MOST_CLASSES = 1 << 16, MOST_RANGES = 1 << 16, MOST_GPUS = 64, MOST_PASSES = 24, MOST_DEPTH = 64 };

/* ---- guard.c ---- */

extern struct rl_settings settings;
extern const char *notes; /* what the parent has to say (../handout.h) */
extern size_t notes_size;
/* False when nothing may be touched any more: the process inherited our state by fork after CUDA was started, or we have given up.
 */
extern atomic_bool alive;
/* The exit handlers run: no counters any more. */
extern atomic_bool ending;
/* To the parent; without `shared` nothing is recorded. */
extern struct rl_ring ring;
/* Adds bits of enum rl_ring_state; needs no lock. */
void ring_mark(unsigned state);

/* CLOCK_MONOTONIC */
static inline uint64_t now_ns(void)
{
    return (uint64_t)rl_monotonic_ns();
}

/* States an assumption. Where it is wrong nothing is touched any more, but the program goes on: it is not ours to end. */
#define assume(condition) ((condition) ? (void)0 : give_in())
/* For assume: from now on nothing is touched any more, and the parent learns that we broke off. By any thread; returns. */
void give_in(void);

/* Into code of ours from the program's: false when this thread is in it already, or nothing may be touched. leave() goes with true.
 */
bool enter(void);
/* Back into the program's code, where errno is again as it was at enter(). */
void leave(void);
/* Whether this thread is. */
bool is_entered(void);
/* Takes `lock`; false: it cannot be had, and never will be. let_go() goes with true. */
bool hold(void);
/* Gives `lock` back; by the thread that has it. */
void let_go(void);
/* Whether this thread has it. */
bool is_held(void);
/* Takes another mutex within a few seconds; false: we have given up. */
bool take_mutex(pthread_mutex_t *mutex);
/* Threads that are started in between handle none of the program's signals; what a fault of our own raises is not blocked. */
void signals_block(sigset_t *before);
/* The mask is again as signals_block found it; on the same thread. */
void signals_restore(const sigset_t *before);
/* In the child of a fork: whoever held `lock` is not there. */
void guard_renew(void);

/* ---- soft.c ---- */

/* Whether a limit of the process leaves so little memory that what we take could be what the program lacks. */
bool memory_is_scarce(void);

/* ---- memory.c; under `lock` ---- */

/* Zeroed memory that stays for as long as the process lives; NULL when there is none. It does not come from malloc: a program may
 * have put its own in the place of that, from which our callbacks are called. */
void *keep(size_t bytes);
/* A copy of a text; NULL when there is no memory, or the text is NULL. */
const char *keep_text(const char *text);

/* ---- out.c; under `lock` unless noted otherwise ---- */

/* Opens the stream of this process and sends the first record; false when it has no reader. Takes `lock` itself. */
bool out_open(void);
/* Appends a record: `size` bytes of its struct (the head is filled in) and `count` texts; NULL counts as "". */
void out_add(enum rl_record_kind kind, void *record, size_t size, const char *const *texts, size_t count);
/* Whether a record of so many bytes leaves half of the room to others; whoever asks can do without it. */
bool out_has_room(size_t bytes);
/* The same, and a quarter of the ring stays free: unbounded records leave room for the last ones. May publish. */
bool out_has_spare_room(size_t bytes);
/* Whether records wait for room in the ring, after the last out_flush. Needs no lock. */
bool out_waits(void);
/* Publishes what was appended; what there is no room for is kept for the next time. */
void out_flush(void);
/* Counts calls that launched a kernel, where the parent sees it at once; never NULL. Needs no lock, as the next ones. */
atomic_ullong *out_made(void);
/* The same of launches of graphs. */
atomic_uint *out_graphs(void);
/* The same of calls that launched a kernel of the class; ids are below MOST_CLASSES. */
atomic_ullong *out_launched(uint32_t class_id);
/* Whether counters of the GPU may be taken; asks another process that holds them to release them. */
bool out_may_count(void);
/* Counting pauses: another process may have the counters. */
void out_counted(void);
/* The program counts by itself: until it does not, out_counted gives nothing back. */
void out_keep_counters(bool keep);
/* Whether records have waited so long that the reader must be gone. */
bool out_is_stuck(void);
/* One line for the capture's log; takes the lock itself. `status` is why there are no counters, RL_OK otherwise. */
void say(int level, enum rl_status status, const char *text);

/* ---- gpus.c ---- */

/* Ordinal of the context's device; false when it is unknown, or the settings leave the device out. Reports a new GPU in the
 * stream. */
bool gpu_of_context(CUcontext context, uint32_t *gpu);
/* The context is destroyed; its address may be used again. */
void gpu_context_gone(CUcontext context);
/* The same for a device ordinal from an activity record. */
bool gpu_seen(uint32_t gpu);
/* SMs of a GPU that is in the stream; 0: unknown. */
int gpu_sm_count(uint32_t gpu);
/* A function of the driver, which the program has loaded; NULL: it has none. Takes about a microsecond. */
void *driver_function(const char *name);
#define DRIVER(function) ((__typeof__(&function))driver_function(#function))

/* ---- launches.c ---- */

/* Subscribes to the calls of the driver that matter here, once. Where that fails some callbacks may come all the same. */
enum rl_status launches_start(struct rl_err *err);
/* Inside a launch of this thread, as a callback of the program is: nothing more is done for counters around it. `untimed`: it will
 * have no record, unless the driver has made it. */
void launches_let_go(bool untimed);
