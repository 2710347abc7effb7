/* window.h - one window of the range profiler, and the contexts that can have one. Private to collector/inject; all under
 * counts_lock.
 *
 * In a window the Activity API is off and the range profiler is on, under one single-pass configuration. Chosen launches become its
 * ranges and have no times. The first window costs about 0.2 s, later ones of the same image 5 to 70 ms, a range about 1 ms (H200,
 * CUPTI 13.0). Each of these calls may wait for the GPU, so they are made only while the GPU is idle and no thread of the program
 * can launch work that a running kernel waits for. If the GPU does not become idle in time the window is stuck: the program
 * continues, timing resumes, and the window is closed later. */
#pragma once

#include "core/formula.h"
#include "counting.h"
#include "range.h"

/* ---- which counters are taken together ---- */

struct plan {
    struct rl_config *configs;
    size_t count;
    struct rl_joint *joint;               /* of the configurations that are passes of one image; NULL: none */
    struct rl_formula *when[MOST_PASSES]; /* condition of each configuration: only for classes where it is above 0; NULL: for all */
    bool known;                           /* complete, from an earlier run */
    bool rare[MOST_PASSES];               /* for few launches: not a pass of the image */
    const char *watched[MOST_WATCHED];    /* counters that conditions refer to and a configuration has */
    size_t watched_count;
    char *texts[2]; /* text of each part, into which the counter names point */
};

/* The part of a plan that is packed. */
enum plan_part {
    PLAN_ALWAYS,     /* unconditional configurations */
    PLAN_CONDITIONAL /* conditional ones, which take longest and are not counted first */
};
/* Reads the plan for the chip from the notes of this run and packs one part of it after those already packed; `plan` is zero before
 * the first. `availability` may be NULL. Counters that cannot be packed are left out; a plan without configurations is no error. */
enum rl_status plan_make(struct plan *plan, const char *chip, const uint8_t *availability, enum plan_part part, struct rl_err *err);
/* Loads the passes that an earlier run found for the chip, from the notes: without the host library, so they are usable only if
 * plan_unite makes them passes of one image. RL_ABSENT: unknown. */
enum rl_status plan_known(struct plan *plan, const char *chip, struct rl_err *err);
/* Finishes the known passes that are not of the image because they are rare. True: there are some. */
bool plan_finish_known(struct plan *plan, const char *chip, const uint8_t *availability);
/* Whether a window can be opened under the configuration. */
bool plan_is_ready(const struct plan *plan, size_t config);
/* Combines the configurations as passes of one image, if the chip supports it. */
void plan_unite(struct plan *plan, const char *chip, const uint8_t *availability);
/* Whether the configuration is counted by instrumented code. */
bool plan_instruments(const struct rl_config *config);
/* Frees the contents of the plan. */
void plan_release(struct plan *plan);
/* Evaluates the conditions for the class from the values that plan_note kept; to be called for every class after the plan has
 * grown. */
void plan_judge(const struct plan *plan, struct class *class);
/* Whether the configuration is for the class. A conditional one is for none before the class has been counted. */
bool plan_meets(const struct plan *plan, const struct class *class, size_t config);
/* Keeps those counters of a launch that conditions and cost estimates need; `values` has one for each counter of the configuration.
 */
void plan_note(const struct plan *plan, size_t config, struct class *class, const struct rl_value *values);

/* ---- collective kernels in flight in a context ---- */

enum { MOST_COLLECTIVES = 8 };

struct collectives {
    struct {
        CUstream stream;
        CUevent event;
    } of[MOST_COLLECTIVES]; /* the last one of each stream */
    size_t count;
};

/* Records an event behind a collective kernel on a stream that is not being captured. */
void collectives_note(struct collectives *running, CUstream stream);
/* Waits a bounded time for the collective kernels in flight; true if one still runs. Such a kernel ends without us unless it waits
 * for work that this thread has yet to launch; after several vain waits none is tried any more. */
bool collectives_wait(const struct collectives *running);

/* Protects wanted classes, windows and the launch being counted; taken before `lock`. */
extern pthread_mutex_t counts_lock;

enum {
    MOST_TARGETS = 32,
    FIRST_RANGES = 24, /* each adds 1 ms to the first start of the profiler (H200, CUPTI 13.0), */
    RANGES = 64,       /* and 0.1 ms to later ones */
    MOST_UNENDED = 3   /* launches of a class that did not end in the expected time */
};

struct target {
    CUcontext context;
    uint32_t gpu;
    struct rl_range_profiler profiler;
    struct plan plan;
    bool whole; /* the conditional configurations are in the plan, or will never be */
    struct quiet quiet;
    size_t passes[MOST_PASSES]; /* numbers of the configurations in the stream */
    bool quiet_ready, open, planning, ready, dead, off[MOST_PASSES];
    bool instruments[MOST_PASSES]; /* the configuration is counted by instrumented code */
    unsigned busy;                 /* failures because another process held the counters */
    uint64_t cost_ns[MOST_PASSES]; /* cost of a window under each configuration; 0: unknown */
    uint64_t start_ns;             /* time to enable the profiler and open a window, the last time; 0: unknown */
    struct collectives collectives;
};

/* The window; `target` NULL: none is open. */
struct window {
    struct target *target;
    size_t config, room, used;
    struct class *classes[RANGES]; /* classes of the ranges; NULL: values are to be discarded */
    uint64_t opened_ns, held_ns;   /* time of opening; delay of the program since then */
    uint64_t launched_ns;          /* time of the last launch in it */
    uint64_t wanted_ns;            /* time of the last wanted launch */
    unsigned free_launches;        /* launches since the last wanted one */
    unsigned passing;              /* launches since then while the window rested */
    unsigned strangers;            /* of the free ones, those whose class lacks the first configuration */
    const struct class *last;      /* class of the last launch */
    bool inside;                   /* a range is open */
    bool pending;                  /* its launch had not ended when the program continued */
    bool settled;                  /* that launch has ended since */
    bool recording;                /* kernels are recorded for the launch in the range only */
    bool abandoned;                /* a launch failed, or the program needs the counters itself */
    bool stuck;
    uint64_t rests_ns; /* start of resting, to wait for new classes; 0: not resting */
};
extern struct window window;

/* The target of the launch's context, created if new; NULL if the context cannot have windows. */
struct target *target_of(const struct launch *launch);
/* The targets by index; NULL after the last. */
struct target *target_at(size_t index);
/* Ends counting for good and reports the reason, once. */
void give_up(enum rl_status status, const char *why);
extern atomic_bool given_up;

/* ---- availability.c ---- */

/* Called before any context is prepared: loads the images that the parent has. */
void availability_start(void);
/* The chip of the only image from the parent, and the image; NULL: the parent has none or several. Free the name with free(). */
char *availability_only(const uint8_t **image);
/* Reports the availability image of the device to the parent. */
void availability_tell(const struct rl_range_profiler *profiler);

/* Held shared by launching threads from the decision how to count a launch until its return, exclusively to open or close a window.
 */
extern pthread_rwlock_t launch_lock;
/* Takes the launch lock exclusively, waiting a short time. False: not acquired, so other threads may launch. */
bool launch_lock_alone(void);
/* Releases it, if launch_lock_alone() acquired it. */
void launch_unlock_alone(bool alone);

/* The three steps of preparing a target. First, the part that needs the context: requires that other threads are kept from
 * launching and that the GPU is idle. False, with a message, on failure. */
bool target_open(struct target *target);
/* Second, the unconditional part of the plan: uses CUPTI's host library for a moment and nothing of the program. By any thread,
 * without locks, while the target is `planning`. */
enum rl_status target_plan(struct target *target, struct rl_err *err);
/* The conditional part of the plan, for a target that is ready while no window is open. None is opened while the target is
 * `planning`; counts_lock is released meanwhile, because CUPTI's host library takes seconds. True: there is such a part. */
bool target_plan_rest(struct target *target);
/* Third, adopts the result of target_plan, or reports its failure. */
void target_settle(struct target *target, enum rl_status status, const struct rl_err *err);
/* Makes the plan before a context exists, if the parent knows exactly one chip; by the worker, once the host library is loaded. */
void target_plan_ahead(void);
/* All three at once. */
bool target_prepare(struct target *target);

/* Releases the counters for other processes while no window of the target is open. Requires an idle GPU, with other threads kept
 * from launching. */
void target_rest(struct target *target);

/* All that follows requires that other threads are kept from launching. Opens a window for at most `launches`; after a window
 * without values it has room for one. Requires an idle GPU. False, with a message, on failure; it may be retried if another process
 * holds the counters. */
bool window_open(struct target *target, size_t config, size_t launches);
/* Opens a range for the launch of the class if the GPU is idle within `patience_ns`; false if it is not, or if the window had to be
 * closed. */
bool window_push(struct class *class, uint64_t patience_ns);
/* The launch was made, or (false) refused. Its range ends if the GPU is idle within `patience_ns`; otherwise it is pending: the
 * program continues, and the range ends if it waits for the GPU before its next launch. */
void window_pop(bool made, uint64_t patience_ns);
/* Notes the delay of the program for a launch counted in the window; it would have waited for `own_ns` of that anyway. */
void window_note_cost(struct class *class, uint64_t held_ns, uint64_t own_ns);
/* Called before the next launch, and when the program has waited for the GPU: ends a pending range if the GPU is idle within
 * `patience_ns`. True: none is pending any more. */
bool window_settle(uint64_t patience_ns);
/* The launch of the pending range has not ended and others follow: the window is stuck. */
void window_give_up_launch(void);
/* Stops recording kernels for the launch in a range, if started. */
void window_stop_recording(void);
/* Whether ranges of the window return no values. */
bool window_is_off(void);
/* No launch is wanted at present, but others may be soon: rests the window, with kernels recorded until the next range. Opening
 * another hardware window would take forty times as long. */
void window_rest(void);
/* Opens a window around one launch that CUPTI repeats; the GPU is quiet. */
bool window_replay(struct target *target, struct class *class);
/* Whether a window had as many launches as it had room for: the program has many kernels. */
bool window_was_full(void);
/* Cost of windows under conditional configurations, in ns. */
uint64_t window_conditional_ns(void);
/* Closes the window and reports its values if the GPU is idle within `patience_ns`; otherwise it is stuck, or stays so. */
void window_close(uint64_t patience_ns);
