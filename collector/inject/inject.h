/* inject.h - the object that runs inside an observed program. Private to collector/inject.
 *
 * Each file uses only files above it (lint/layers):
 *
 *     guard.c     the lock, who is inside of us, whether anything may be touched
 *     memory.c    memory that is never given back, without malloc
 *     out.c       the record stream (../stream.h)
 *     gpus.c      the GPUs and contexts of the process
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
 *     beside.c    launches that ran at the same time
 *     origins.c   where each launch was made
 *     times.c     the Activity API: times of kernels, copies, sets
 *     modules.c   modules that say which line an instruction is of
 *     pc.c        PC sampling: where warps stand, and why
 *     window.c    counters: one window of the range profiler
 *     counts.c, counts_calls.c, counts_worker.c
 *                 counters: which launches, and when
 *     graph_nodes.c, graph_run.c, graphs.c
 *                 CUDA graphs, taken apart to count their kernels
 *     launches.c  callbacks on launches: where, and whether they are selected
 *     worker.c    a thread of ours
 *     inject.c    entry points, beginning and end of the process, forks
 *
 * It must not disturb its host: nothing is exported but the entry points, nothing is printed, memory is bounded, no descriptor is
 * kept, and whatever fails here is said in the stream while the program goes on.
 *
 * The program may be interrupted anywhere by a signal whose handler calls exit(), forks, or never comes back. So:
 *   - what comes in through a callback goes through enter(), which lets a thread in once: a handler finds the door shut;
 *   - nothing waits for a lock without end: hold() gives up, for good, when the lock cannot be had;
 *   - no lock is taken where the process ends or forks; what is left to do then is done by the worker, for which at_exit waits a
 *     bounded time.
 * `lock` guards what all threads share (classes, ranges, stream); it is never held while CUDA or CUPTI is called. counts.c has two
 * more and pc.c one, which are taken before it, and graphs.c one, which is taken before those. */
#ifndef RL_INJECT_H
#define RL_INJECT_H

#include <cuda.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/clock.h"
#include "core/value.h"
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
void give_in(void);

/* Into code of ours from the program's: false when this thread is in it already, or nothing may be touched. leave() goes with true.
 */
bool enter(void);
void leave(void);
/* Whether this thread is. */
bool is_entered(void);
/* Takes `lock`; false: it cannot be had, and never will be. let_go() goes with true. */
bool hold(void);
void let_go(void);
/* Whether this thread has it. */
bool is_held(void);
/* Takes another mutex within a few seconds; false: we have given up. */
bool take_mutex(pthread_mutex_t *mutex);
/* Threads that are started in between handle none of the program's signals; what a fault of our own raises is not blocked. */
void signals_block(sigset_t *before);
void signals_restore(const sigset_t *before);
/* In the child of a fork: whoever held `lock` is not there. */
void guard_renew(void);

/* ---- memory.c; under `lock` ---- */

/* Zeroed memory that stays for as long as the process lives; NULL when there is none. It does not come from malloc: a program may
 * have put its own in the place of that, from which our callbacks are called. */
void *keep(size_t bytes);
/* A copy of a text; NULL when there is no memory, or the text is NULL. */
const char *keep_text(const char *text);

/* ---- out.c; all but out_open under `lock` ---- */

/* Gets the stream of this process and says hello; false when there is nobody to write to. */
bool out_open(void);
/* Appends a record: `size` bytes of its struct (the head is filled in) and `count` texts; NULL counts as "". */
void out_add(enum rl_record_kind kind, void *record, size_t size, const char *const *texts, size_t count);
/* Whether a record of so many bytes leaves half of the room to others; whoever asks can do without it. */
bool out_has_room(size_t bytes);
/* Publishes what was appended; what there is no room for is kept for the next time. */
void out_flush(void);
/* Counters that the parent sees at once: of calls that launched a kernel, and of those of a class. */
atomic_ullong *out_made(void);
atomic_uint *out_graphs(void);
atomic_ullong *out_launched(uint32_t class_id);
/* Whether counters of the GPU may be taken; while somebody else has them he is asked. */
bool out_may_count(void);
/* The same, without asking for it. */
bool out_was_given(void);
/* Nobody reads: true when records have waited for long. */
bool out_is_stuck(void);
/* One line for the capture's log; takes the lock itself. `status` tells why there are no counters, RL_OK otherwise. */
void say(int level, enum rl_status status, const char *text);

/* ---- classes.c; under `lock` ---- */

struct shape {
    uint32_t gpu, grid[3], block[3];
    uint64_t dynamic_shared_bytes;
};
enum { MOST_WATCHED = 8, MOST_BANDS = 8, RECENT = 4 };
/* Launches in a row that take about equally long do the same work, as far as can be told from outside. */
struct band {
    uint64_t near_ns;             /* 0: launches in a row that did not */
    uint8_t counted[MOST_PASSES]; /* under counts_lock */
};
struct class
{
    uint32_t id;
    struct shape shape;
    const char *name;   /* mangled, interned */
    uint64_t hash;      /* rl_stream_hash */
    bool excluded;      /* by name */
    bool collective;    /* waits for its peers */
    atomic_bool waits;  /* for the host, as its name says or as it has shown: never counted, and nothing is counted while it runs */
    bool wanted;        /* its counters matter */
    unsigned unended;   /* counts.c: launches that were held, and did not end meanwhile */
    atomic_bool tried;  /* counts.c: has been held, or may not be */
    atomic_bool proven; /* it has ended while the program was held up */
    atomic_bool told;
    bool shape_told, changed;
    uint64_t seen; /* launches that nobody timed because counters were taken */
    atomic_ullong timed;
    uint64_t graph, total_ns, min_ns, max_ns, overlapped;
    double mean_ns, squares;
    struct rl_stream_bin *bins; /* of all timed launches, ascending */
    uint32_t bin_count, bin_room;
    uint64_t bins_told; /* launches in them when they were last told */
    uint64_t recent_ns[RECENT];
    struct band
        *bands; /* MOST_BANDS of them, once the times of the class are spread; the first one is for launches of unlike length */
    uint32_t band_count;
    atomic_uint band;        /* 1 and the one that the latest launches belong to; 0: the times are not spread */
    atomic_ullong near_ns;   /* what they took; 0: not the same */
    atomic_ullong *launched; /* by calls, whatever has become of them; in memory that the parent sees */
    uint8_t counted[MOST_PASSES];
    struct rl_value watched[MOST_WATCHED]; /* counters that conditions name */
};
enum { LEAST_TIMED = 5 }; /* launches with a time that others of the class may rest on */
/* The class of a launch, made when it is new, or the one for all that there is no room for; NULL when there is no memory. */
struct class *class_of(const char *name, const struct shape *shape);
/* The same for a launching thread, which takes the lock itself when it has to; NULL also when the lock cannot be had. */
struct class *class_of_launch(const char *name, const struct shape *shape);
/* One timed launch. */
void class_time(struct class *class, uint64_t start_ns, uint64_t duration_ns, bool graph);
/* Launches that were made, but of which no activity record has come yet; those of graphs are not among them. */
uint64_t class_pending(const struct class *class);
/* The parent learns that the class is there. */
void class_tell(struct class *class);
/* Enough launches have a time, and none took much longer than the others: nothing in it waits for somebody. */
bool class_is_steady(const struct class *class);
bool shape_same(const struct shape *a, const struct shape *b);
size_t class_count(void);
struct class *class_at(size_t index);
/* Writes the totals of every class that has changed; with `all` also of those whose launches have no record yet. */
void classes_flush(bool all);

/* ---- beside.c; under `lock` ---- */

/* A launch of the class (NULL: of none) ran on the GPU. It, and those of the latest ones that ran meanwhile, count as overlapped.
 */
void beside_note(struct class *class, uint32_t gpu, uint64_t start_ns, uint64_t end_ns);

/* ---- durations.c; under `lock` ---- */

/* Another timed launch of the class, which is in its totals already. */
void durations_note(struct class *class, uint64_t duration_ns);
/* Writes the bins of the class when they have doubled since; `all`: when they have changed. */
void durations_tell(struct class *class, bool all);
/* Of how many launches counters are still wanted under a configuration, where `samples` are enough for launches that do the same
 * work. Needs no lock but counts_lock. */
size_t durations_missing(const struct class *class, size_t config, size_t samples);
/* Counters have been taken of a launch. The same. */
void durations_counted(struct class *class, size_t config);

/* ---- select.c ---- */

/* Compiles the filters; false, with what is wrong, when an expression is none. */
bool select_init(const char **wrong);
/* Of a kernel's mangled name. */
bool select_name(const char *mangled);
/* Whether the filters look at launches one by one, so that callbacks are needed for times. */
bool select_needs_launches(void);
/* Whether a launch inside these ranges (innermost last) of a kernel that passes by name is selected; counts it for skip and count.
 */
struct place {
    int32_t nodes[MOST_DEPTH];
    size_t depth;
};
bool select_launch(const struct place *place, bool name_passes);
/* Told by ranges.c and launches.c. */
void select_range_entered(const char *domain, const char *name);
void select_range_left(const char *domain, const char *name);
void select_profiler(bool started);
/* Whether the path of nodes matches a pattern such as domain@name or outer/inner; for the tests too. */
struct path_step;
bool select_path_matches(const char *pattern, const struct path_step *steps, size_t count);

/* ---- busy.c; under `lock` ---- */

/* An activity of the GPU; `kernel`: its duration counts as kernel time. */
void busy_add(uint32_t gpu, uint64_t start_ns, uint64_t end_ns, bool kernel);
void busy_flush(void);
/* Nothing is recorded from here to the next activity: that time is neither busy nor idle. */
void busy_cut(void);
struct busy_totals {
    uint64_t span_ns, busy_ns, kernel_ns;
};
struct busy_totals busy_of(uint32_t gpu);

/* ---- spans.c; under `lock` ---- */

/* A kernel that ran on the GPU; `class_id` may be RL_STREAM_NO_CLASS. Nothing unless the settings ask for launches. */
void spans_add(uint32_t gpu, uint32_t class_id, uint64_t start_ns, uint64_t end_ns);
/* Launches may be missing from here to the next one of each GPU. */
void spans_cut(void);
/* Puts what has been added into the stream. */
void spans_flush(void);
/* From and to when launches of the GPU are missing that the stream was not told of yet; false: none are. */
bool spans_missing(uint32_t gpu, uint64_t *from_ns, uint64_t *to_ns);

/* ---- tree.c; under `lock` ---- */

/* What a domain handle of NVTX points to. */
struct nvtxDomainRegistration_st {
    const char *name;
};
/* The node of the name in the domain (NULL: the default one) below `parent` (RL_STREAM_NO_RANGE: outermost), made when it is new;
 * `parent` when there is no room. */
int32_t node_of(int32_t parent, struct nvtxDomainRegistration_st *domain, const char *name);
/* A range of the node has been opened; no node: nothing. */
void node_enter(int32_t node);
/* It has been closed. */
void node_leave(int32_t node, uint64_t since_ns);
/* A kernel was launched in this range that has no time; one that has. */
void node_launch(int32_t node);
void node_time(int32_t node, uint64_t duration_ns);
/* What a pattern is held against. */
struct path_step {
    const char *domain, *name;
};
struct path_step node_step(int32_t node);
/* Writes nodes that are new and totals that have changed. */
void tree_flush(void);
/* In the child of a fork: an empty tree, in which node_again finds a node of the one before anew, below `parent`. What the parent
 * did in it is the parent's. */
struct tree;
const struct tree *tree_forget(void);
int32_t node_again(const struct tree *before, int32_t node, int32_t parent);

/* ---- ranges.c ---- */

/* In the child of a fork: an empty tree, in which this thread is where it was. */
void ranges_forget(void);
/* Ranges of the calling thread, one inside the other. Both return the depth as NVTX counts it. */
int range_push(struct nvtxDomainRegistration_st *domain, const char *name);
int range_pop(struct nvtxDomainRegistration_st *domain);
/* Ranges of the process; 0 is no range. */
uint64_t range_start(struct nvtxDomainRegistration_st *domain, const char *name);
void range_end(uint64_t id);
/* Where this thread is: its own ranges, or those opened for the whole process when it has none. */
void ranges_place(struct place *place);
/* Whether there ever was one. */
bool ranges_used(void);

/* ---- nvtx.c ---- */

/* Fills in NVTX's table of functions; false when it has none of ours. */
bool nvtx_attach(const void *(*export_table)(uint32_t id));
/* The same for an extension of NVTX; false when nothing of it is wanted. */
struct nvtx_extension;
bool nvtx_extend(struct nvtx_extension *extension);

/* ---- origins.c ---- */

/* Of a launch: its class (NULL: not known, or the kernels of a graph), the range that it was made in, whether the filters select
 * it, whether it is counted and so not timed. */
struct origin {
    struct class *class;
    int32_t range;
    bool selected, counted;
    struct call_times {
        uint64_t called_ns; /* CLOCK_MONOTONIC; 0: not known */
        /* The thread's last call before that waited for the GPU; 0 and 0: there was none. */
        uint64_t waited_from_ns, waited_to_ns;
    } call;
};
/* What the callback knew of the launch with this correlation id. */
void origin_note(uint32_t correlation, struct origin origin);
/* The same, for its record, under `lock`; false when it has been forgotten, or there was no callback. */
bool origin_find(uint32_t correlation, struct origin *origin);
/* Counts a launch that nobody times; takes the lock itself. */
void origin_untimed(struct class *class, int32_t range);
/* Calls that launched a kernel while nothing was timed. */
extern atomic_ullong launches_untimed;

/* ---- times.c ---- */

enum rl_status times_start(struct rl_err *err);
/* Stops and starts recording between windows of counters, with everything so far delivered. */
void times_pause(void);
void times_resume(void);
/* Delivers what is finished. */
void times_deliver(bool all);
/* The same, if it has not been done for a while. */
void times_gather(void);
/* Puts everything that has changed into the stream. */
void times_publish(void);

/* ---- gpus.c ---- */

/* Ordinal of the context's device; false when it cannot be told, or the settings leave the device out. Tells the stream about a GPU
 * that is new. */
bool gpu_of_context(CUcontext context, uint32_t *gpu);
/* The context is destroyed; its address may be used again. */
void gpu_context_gone(CUcontext context);
/* The same for a device ordinal from an activity record. */
bool gpu_seen(uint32_t gpu);
/* A function of the driver, which the program has loaded; NULL: it has none. Takes about a microsecond. */
void *driver_function(const char *name);
#define DRIVER(function) ((__typeof__(&function))driver_function(#function))

/* ---- launches.c ---- */

enum rl_status launches_start(struct rl_err *err);

/* ---- leave.c ---- */

/* The process is about to end, and what CUPTI rests on is about to be destroyed: nothing is counted any more. */
extern atomic_bool leaving;
/* The worker is in a call that has to come back before the process ends: it is waited for, for ten seconds at most. */
void leave_waits_whole(bool closing);
/* By the worker, before it is started; false: there can be none. */
bool leave_init(void);
/* For so long, or until somebody asks. */
void leave_sleep(int64_t ns);
/* By the worker, when it begins. */
void leave_work(void);
/* Asks the worker for something, and waits until it is done: for a second at most; while it prepares for a second in which it does
 * not run, or ten. False when it is not done; then nobody waits again. */
bool leave_ask(atomic_bool *asked, const atomic_bool *done);
/* To be called after CUPTI's host library was opened or used for the first time, by the thread that did so: from now on the end of
 * the process waits until nobody uses it. */
void settle_first(void);
/* By the worker: what is being counted is to be ended, and then has been. */
bool settle_is_due(void);
void settle_done(void);
/* The worker is preparing what is to be counted, which cannot be broken off at any moment: whoever ends the process waits. */
void settle_waits_for(bool preparing);

/* ---- worker.c ---- */

/* Starts the thread, which takes no signals; without it everything goes on but what it does. */
void worker_start(void);
/* Lets the worker gather what CUPTI still has, and waits for that, for a second at most; true when all was gathered. */
bool worker_finish(void);

/* ---- quiet.c ---- */

/* What tells whether a context has work. */
struct quiet {
    CUevent event;
};
/* False when the driver cannot tell without waiting. The context is current. */
bool quiet_init(struct quiet *quiet);
/* Whether everything that the context was given has ended, or ends within `patience_ns`. No stream may be in capture. */
bool quiet_within(const struct quiet *quiet, CUcontext context, uint64_t patience_ns);

/* ---- patience.c ---- */

static const uint64_t REPLAY_PATIENCE_NS = 2000000000;
/* Whether the program may be held up until the GPU is quiet: not while a class that waits for the host is under way. `*drain_ns`
 * gets how long the rest may take. */
bool may_hold(uint64_t *drain_ns);
/* How long what is under way should take, by the times of other launches; gathers what has ended before. 0: not known, or nothing.
 */
uint64_t time_to_quiet_ns(void);
/* For a launch of the class that is held, alone on the GPU: instrumented ones run many times as long. */
uint64_t patience_for(const struct class *class);

/* ---- budget.c; spent under counts_lock ---- */

/* The program has launched its first kernel. */
void budget_begin(void);
/* Whether the program may be held up for so long now, beside what it was already. */
bool budget_has(uint64_t ns);
/* Counters at any price: --budget is 100 % or more. */
bool budget_is_whole(void);
/* It was held up until the GPU had nothing to do, which did not come in time. */
void budget_note_not_idle(void);
/* A graph was launched whose kernels are not counted one by one. */
void budget_note_whole_graph(void);
/* It was held up, or it ran while nothing was timed. */
void budget_spend_held(uint64_t ns);
void budget_spend_window(uint64_t ns);
/* How long it may run on while nothing is timed. */
uint64_t budget_window_left(void);
/* A window has been closed, which brought the counters of so many launches; a launch was made in one that could not be counted. */
void budget_note_window(uint64_t launches);
void budget_note_passed(void);
struct budget_totals {
    uint64_t held_ns, window_ns;
    uint64_t windows, unread_windows; /* with counters, and without */
    uint64_t counted, passed;         /* launches */
    uint64_t not_idle, whole_graphs;  /* launches of graphs that are left whole */
    bool begun;   /* the program has run long enough for anything to be counted */
    bool refused; /* something was left out because it would have cost too much */
};
struct budget_totals budget_totals(void);

/* ---- counts.c ---- */

struct launch {
    CUcontext context;
    uint32_t gpu;
    CUstream stream;
    const char *name;
    struct shape shape;
    struct class *class; /* NULL: the lock could not be had */
    int32_t range;       /* the innermost one that it is made in */
    bool selected;
};
/* What counts_leave has to do. */
enum counting { COUNT_NOTHING, COUNT_UNTIMED, COUNT_HELD, COUNT_MARKED };
void counts_start(void);
/* Around each launch of a kernel, on the same thread. */
enum counting counts_enter(const struct launch *launch);
/* `made`: the driver has accepted it. */
void counts_leave(enum counting counting, const struct launch *launch, bool made);
/* After the launch of a collective kernel. */
void counts_collective(const struct launch *launch);
/* Around a call that may give the GPU something to wait for: it neither begins nor goes on while a window is opened or closed. */
void counts_fence_enter(CUcontext context);
void counts_fence_leave(void);
/* A stream is going to be captured, or has been: nothing is counted meanwhile. */
void counts_capture_enter(void);
void counts_capture_leave(void);
/* Whether a launch into this stream is only noted down for a graph. */
bool counts_is_capturing(CUstream stream);
/* Whether the next launch could be counted; whether counters of the class are wanted, or it must show that it waits for nobody. */
bool counts_are_due(void);
bool counts_want(CUcontext context, const struct class *class);
/* Launches, ever, of which counters were taken, or which have shown that they wait for nobody. */
uint64_t counts_done(void);
/* The program was held up for something that is not a launch. */
void counts_spend(uint64_t ns);
/* A context is destroyed. */
void counts_forget_context(CUcontext context);
/* By the worker, now and then: what is wanted next, and a window that nobody closes. */
void counts_tick(void);
/* By the worker, when the process ends. */
void counts_end(void);

#endif
