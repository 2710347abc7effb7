/* counting.h - counters, as other files of the folder use them: when the GPU is idle, how long the program may be delayed, and the
 * steps around a launch. Private to collector/inject. */
#pragma once

#include "classes.h"

/* ---- quiet.c ---- */

/* Detects whether a context has work. */
struct quiet {
    CUevent event;
};
/* False if the driver cannot answer without waiting. Requires the context to be current. */
bool quiet_init(struct quiet *quiet);
/* Whether all work of the context has ended, or ends within `patience_ns`. No stream may be in capture. */
bool quiet_within(const struct quiet *quiet, CUcontext context, uint64_t patience_ns);

/* ---- patience.c ---- */

static const uint64_t REPLAY_PATIENCE_NS = 2000000000;
/* Whether the program may be delayed until the GPU is idle: not while a class that waits for the host is in flight. `*drain_ns`
 * receives the time that the rest may take. */
bool may_hold(uint64_t *drain_ns);
/* Expected remaining time of the work in flight, from the times of other launches; collects finished records first. 0: unknown, or
 * no work. */
uint64_t time_to_quiet_ns(void);
/* How long to wait for a launch of the class alone on the GPU; instrumented launches take many times as long. */
uint64_t patience_for(const struct class *class);

/* ---- budget.c; needs no lock, but callers that ask before they spend hold counts_lock for both ---- */

/* The program launches its first kernel. */
void budget_begin(void);
/* Time since budget_begin; 0: not called yet. */
uint64_t budget_since_begin_ns(void);
/* Whether the budget allows a further delay of `ns`. */
bool budget_has(uint64_t ns);
/* The same without noting that something was left out. */
bool budget_allows(uint64_t ns);
/* Sets the cost of recording a launch. */
void budget_note_recording(double ns);
/* The estimated cost of recording a launch, in ns. */
double budget_recording_ns(void);
/* Whether the budget is unlimited: --budget is 100 % or more. */
bool budget_is_whole(void);
/* The program was delayed for an idle GPU, which did not become idle in time. */
void budget_note_not_idle(void);
/* A graph was launched as a whole, so its kernels are not counted separately. */
void budget_note_whole_graph(void);
/* The program was delayed for `ns`. */
void budget_spend_held(uint64_t ns);
/* The same, where for `own_ns` of the delay the GPU did the program's own work. */
void budget_spend(uint64_t held_ns, uint64_t own_ns);
/* The program makes a launch or waits for the GPU: the host work since the last delay could have overlapped it. */
void budget_settle(void);
/* The share of the program's own GPU time in delays that was lost, 0 to 1. */
double budget_lost_share(void);
/* The program ran for `ns` without timing. */
void budget_spend_window(uint64_t ns);
/* A counting window was closed with the counters of `launches`. */
void budget_note_window(uint64_t launches);
/* A launch in a window could not be counted. */
void budget_note_passed(void);
/* A launch was not recorded. */
void budget_note_skipped(void);
struct budget_totals {
    uint64_t held_ns, window_ns;
    uint64_t windows, unread_windows;  /* windows with and without counters */
    uint64_t counted, passed, skipped; /* launches */
    uint64_t not_idle, whole_graphs;   /* launches of graphs that were not taken apart */
    bool begun;                        /* the program has run long enough for counting to begin */
    bool refused;                      /* something was left out because of its cost */
};
/* Totals so far; each is read separately. */
struct budget_totals budget_totals(void);

/* ---- stretches.c ---- */

/* Whether launches are at present only tallied, because recording all of them would exceed the budget. Constant while the caller
 * shares the launch lock. */
bool stretches_between(void);
/* Called by the worker from time to time under counts_lock while no window is open; `due`: something is to be counted. */
void stretches_tick(bool due);
/* Resumes recording. Requires counts_lock, and that the caller does not share the launch lock. False: the GPU is busy. */
bool stretches_resume(void);
/* Timing was switched for another reason: forgets the current stretch. */
void stretches_forget(void);

/* ---- counts.c ---- */

struct launch {
    CUcontext context;
    uint32_t gpu;
    CUfunction function;
    CUstream stream;
    const char *name;
    struct shape shape;
    struct class *class; /* NULL: the lock was unavailable */
    int32_t range;       /* the innermost open range */
    int32_t instance;    /* the instance of a range with parameters (instances.c) */
    bool selected;
    bool overlaps; /* may overlap the preceding launch in its stream or its thread's streams */
};
/* The action due in counts_leave. */
enum counting {
    COUNT_NOTHING,
    COUNT_UNTIMED, /* launched while timing is off */
    COUNT_SKIPPED, /* launched between two recorded stretches */
    COUNT_HELD,    /* wait until it has ended */
    COUNT_MARKED,  /* counted, not timed */
    COUNT_TIMED    /* counted and timed by a serial record */
};
/* Called before any launch: a requested run reads which classes it is to count. */
void counts_start(void);
/* Whether to wait for the first launch of each class, which proves that its later launches wait for no other launch. */
static inline bool counts_prove_launches(void)
{
    return settings.counters == RL_COUNT_ROTATE && settings.times;
}
/* A context was created: the worker prepares for windows before the program launches anything. */
void counts_context_made(CUcontext context);
/* A stream or a graph is created: kernels may overlap from now on. */
void counts_overlap(void);
/* A graph is about to be launched: kernels are recorded from now on. */
void counts_record_on(void);
/* The program has waited for the GPU, so a launch that is being counted may have ended. */
void counts_settle(void);
/* Called before each launch of a kernel, on its thread. */
enum counting counts_enter(const struct launch *launch);
/* Called after the launch; `made`: the driver accepted it. */
void counts_leave(enum counting counting, const struct launch *launch, bool made);
/* Called after the launch of a collective kernel. */
void counts_collective(const struct launch *launch);
/* Called before an API call that may make the GPU wait or run kernels that are not counted: waits until no window of the context
 * (NULL: of any) is open or being opened or closed, and keeps it so until counts_fence_leave. */
void counts_fence_enter(CUcontext context);
/* Called after that API call, on the same thread. */
void counts_fence_leave(void);
/* The same as counts_fence_enter for a call that loads or unloads code, which may be instrumented while a window is open. */
void counts_module_enter(void);
/* A stream capture begins: nothing is counted meanwhile. */
void counts_capture_enter(void);
/* The capture has ended or failed. */
void counts_capture_leave(void);
/* Whether the stream is being captured, so that a launch becomes a node of a graph. */
bool counts_is_capturing(CUstream stream);
/* Whether a stream is being captured. */
bool counts_captures(void);
/* Whether counting and delays are allowed at all. */
bool counts_allowed(void);
/* Whether the next launch of this thread could be counted. */
bool counts_are_due(void);
/* Whether launches of the class are to be counted in this context, or waited for once. Takes no lock: false while a launch is
 * counted. */
bool counts_want(CUcontext context, const struct class *class);
/* The number of launches counted or waited for so far. */
uint64_t counts_done(void);
/* The program was delayed for something other than a launch. */
void counts_spend(uint64_t ns);
/* A context is destroyed. */
void counts_forget_context(CUcontext context);
/* Called by the worker at its start: prepares what needs no context. */
void counts_warm(void);
/* Called by the worker from time to time: chooses what to count next and closes a window left open. */
void counts_tick(void);
/* Called by the worker when the process ends. */
void counts_end(void);
