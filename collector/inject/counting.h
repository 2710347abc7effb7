/* counting.h - counters, as the rest of the object sees them: when the GPU is quiet, how long the program may be held up for them,
 * what is done around a launch. Private to collector/inject. */
#pragma once

#include "classes.h"

/* ---- quiet.c ---- */

/* Shows whether a context has work. */
struct quiet {
    CUevent event;
};
/* False when the driver cannot tell without waiting. The context is current. */
bool quiet_init(struct quiet *quiet);
/* Whether everything that the context was given has ended, or ends within `patience_ns`. No stream may be in capture. */
bool quiet_within(const struct quiet *quiet, CUcontext context, uint64_t patience_ns);

/* ---- patience.c ---- */

static const uint64_t REPLAY_PATIENCE_NS = 2000000000;
/* Whether the program may be held up until the GPU is quiet: not while a class that waits for the host is in flight. `*drain_ns`
 * gets how long the rest may take. */
bool may_hold(uint64_t *drain_ns);
/* How long what is in flight should take, by the times of other launches; gathers what has ended before. 0: unknown, or nothing.
 */
uint64_t time_to_quiet_ns(void);
/* For a launch of the class that is held, alone on the GPU: instrumented ones run many times as long. */
uint64_t patience_for(const struct class *class);

/* ---- budget.c; needs no lock, but whoever asks before spending has counts_lock for both ---- */

/* The program has launched its first kernel. */
void budget_begin(void);
/* Since then; 0: it has not. */
uint64_t budget_since_begin_ns(void);
/* Whether the program may be held up for so long now, besides what it was already. */
bool budget_has(uint64_t ns);
/* The same, and nothing is left out because of the answer. */
bool budget_allows(uint64_t ns);
/* To record a launch costs the program so much more time. */
void budget_note_recording(double ns);
/* About how much, in ns. */
double budget_recording_ns(void);
/* Counters at any price: --budget is 100 % or more. */
bool budget_is_whole(void);
/* It was held up until the GPU had nothing to do, which did not come in time. */
void budget_note_not_idle(void);
/* A graph was launched whose kernels are not counted one by one. */
void budget_note_whole_graph(void);
/* It was held up for so long. */
void budget_spend_held(uint64_t ns);
/* The same; for `own_ns` of that because the GPU did what it was given, and would have done anyway. */
void budget_spend(uint64_t held_ns, uint64_t own_ns);
/* The program makes a launch, or waits for the GPU: what it did since then it could have done meanwhile. */
void budget_settle(void);
/* How much of such time was lost so far, 0 to 1. */
double budget_lost_share(void);
/* It ran for so long while nothing was timed. */
void budget_spend_window(uint64_t ns);
/* A window has been closed, which brought the counters of so many launches. */
void budget_note_window(uint64_t launches);
/* A launch was made in one that could not be counted. */
void budget_note_passed(void);
/* A launch was not recorded. */
void budget_note_skipped(void);
struct budget_totals {
    uint64_t held_ns, window_ns;
    uint64_t windows, unread_windows;  /* with counters, and without */
    uint64_t counted, passed, skipped; /* launches */
    uint64_t not_idle, whole_graphs;   /* launches of graphs that are left whole */
    bool begun;                        /* the program has run long enough for anything to be counted */
    bool refused;                      /* something was left out because it would have cost too much */
};
/* Until now; each of them by itself. */
struct budget_totals budget_totals(void);

/* ---- stretches.c ---- */

/* Whether launches are only counted now, because to record them all would exceed the budget. It stays as long as the caller shares
 * the launch lock. */
bool stretches_between(void);
/* By the worker, now and then, under counts_lock and while no window is open; `due`: something is to be counted. */
void stretches_tick(bool due);
/* Goes on recording; under counts_lock, which shares no launch lock. False: the GPU is busy. */
bool stretches_resume(void);
/* Times are off, or on, for another reason from now on. */
void stretches_forget(void);

/* ---- counts.c ---- */

struct launch {
    CUcontext context;
    uint32_t gpu;
    CUstream stream;
    const char *name;
    struct shape shape;
    struct class *class; /* NULL: the lock could not be had */
    int32_t range;       /* the innermost one that it is made in */
    int32_t instance;    /* of one with parameters (instances.c) */
    bool selected;
    bool overlaps; /* it may overlap the one before it in its stream, or in a stream of its thread */
};
/* The duty of counts_leave. */
enum counting {
    COUNT_NOTHING,
    COUNT_UNTIMED, /* made while nothing is timed */
    COUNT_SKIPPED, /* made between two stretches in which launches are recorded */
    COUNT_HELD,    /* until it has ended */
    COUNT_MARKED,  /* counted, and not timed */
    COUNT_TIMED    /* counted, and timed by a serial record */
};
/* Before any launch: a run that was asked for reads what it is to count. */
void counts_start(void);
/* Whether the first launch of each class is held until it has ended, so that its later launches are known to wait for no other. */
static inline bool counts_prove_launches(void)
{
    return settings.counters == RL_COUNT_ROTATE && settings.times;
}
/* A context is there: what a window needs is prepared, by the worker, before the program launches anything. */
void counts_context_made(CUcontext context);
/* Another stream is made, or a graph: kernels may overlap from now on. */
void counts_overlap(void);
/* A graph is going to be launched: kernels are recorded from here on. */
void counts_record_on(void);
/* The program has waited for the GPU: a launch that was being counted may have ended. */
void counts_settle(void);
/* Around each launch of a kernel, on the same thread. */
enum counting counts_enter(const struct launch *launch);
/* `made`: the driver has accepted it. */
void counts_leave(enum counting counting, const struct launch *launch, bool made);
/* After the launch of a collective kernel. */
void counts_collective(const struct launch *launch);
/* Around a call that may give the GPU something to wait for, or kernels that are not counted: it neither begins nor goes on while a
 * window of the context (NULL: of any) is open, or is opened or closed. */
void counts_fence_enter(CUcontext context);
/* Behind that call, on the same thread. */
void counts_fence_leave(void);
/* The same around a call that brings or removes code, which may be instrumented while a window is open. */
void counts_module_enter(void);
/* A stream is going to be captured: nothing is counted meanwhile. */
void counts_capture_enter(void);
/* It has been, or could not be. */
void counts_capture_leave(void);
/* Whether a launch into this stream is only noted down for a graph. */
bool counts_is_capturing(CUstream stream);
/* Whether the next launch of this thread could be counted. */
bool counts_are_due(void);
/* Whether counters of the class are wanted in this context, or it must show that it waits for no other. Waits for no lock: false
 * while a launch is counted. */
bool counts_want(CUcontext context, const struct class *class);
/* Launches, ever, of which counters were taken, or which have shown that they wait for no other. */
uint64_t counts_done(void);
/* The program was held up for something that is not a launch. */
void counts_spend(uint64_t ns);
/* A context is destroyed. */
void counts_forget_context(CUcontext context);
/* By the worker, when it begins: what needs no context is prepared. */
void counts_warm(void);
/* By the worker, now and then: what is wanted next, and a window that was left open. */
void counts_tick(void);
/* By the worker, when the process ends. */
void counts_end(void);
