/* window.h - one window of the range profiler, and the contexts that can have one. Private to collector/inject; all under
 * counts_lock.
 *
 * In a window the Activity API is off and the range profiler is on under one configuration that needs a single pass. Chosen
 * launches become ranges of it, and have no times. The first one costs about 0.2 s, others 5 to 70 ms where they are of the
 * same image, a range about a millisecond (H200, CUPTI 13.0). CUPTI may wait for the GPU in any of these calls, so they are only
 * made when the GPU is quiet and no thread of the program can give it anything: it might be what a kernel waits for. Where the GPU
 * does not become quiet in time the window is stuck: the program goes on, times are taken again, and the window is closed at a
 * later moment. */
#pragma once

#include "collectives.h"
#include "counting.h"
#include "plan.h"
#include "range.h"

/* Of what is wanted, of windows and of what is being counted; taken before `lock`. */
extern pthread_mutex_t counts_lock;

enum {
    MOST_TARGETS = 32,
    FIRST_RANGES = 24, /* the first start of the profiler takes 1 ms more for each (H200, CUPTI 13.0), */
    RANGES = 48,       /* and when a window was full the next one is twice as large, up to this */
    MOST_UNENDED = 3   /* launches of a class that had not ended in the time that they should take */
};

struct target {
    CUcontext context;
    uint32_t gpu;
    struct rl_range_profiler profiler;
    struct plan plan;
    bool whole; /* the plan has its conditional configurations, or there is no more to do for them */
    struct quiet quiet;
    size_t passes[MOST_PASSES]; /* numbers of the configurations in the stream */
    bool quiet_ready, open, planning, ready, dead, off[MOST_PASSES];
    bool instruments[MOST_PASSES]; /* the configuration is counted by instrumented code */
    unsigned busy;                 /* how often another process had the counters */
    uint64_t cost_ns[MOST_PASSES]; /* of opening and closing a window under each; 0: unknown yet */
    struct collectives collectives;
};

/* The window; `target` NULL: none is open. */
struct window {
    struct target *target;
    size_t config, room, used;
    struct class *classes[RANGES]; /* of the ranges; NULL: its values are worth nothing */
    uint64_t opened_ns, held_ns;   /* when; of the time since, while the program was held up */
    uint64_t launched_ns;          /* the last launch in it */
    uint64_t wanted_ns;            /* the last one that was wanted */
    unsigned free_launches;        /* since the last one that was wanted, */
    unsigned strangers;            /* and of these, of classes that lack the first configuration */
    const struct class *last;      /* that was launched */
    bool inside;                   /* a range is open */
    bool pending;                  /* and its launch had not ended when the program went on */
    bool settled;                  /* it has ended since */
    bool recording;                /* kernels are recorded, for the launch of the range alone */
    bool abandoned;                /* a launch was not made, or the program wants the counters itself */
    bool stuck;
    uint64_t rests_ns; /* since when it rests, for classes that are still to come; 0: it does not */
};
extern struct window window;

/* The context's, made when it is new; NULL when it cannot have windows. */
struct target *target_of(const struct launch *launch);
/* Every one of them; NULL behind the last. */
struct target *target_at(size_t index);
/* Why no counters can be had any more, said once. */
void give_up(enum rl_status status, const char *why);
extern atomic_bool given_up;

/* ---- availability.c ---- */

/* Before any context is made ready: images that the parent knows are used. */
void availability_start(void);
/* The chip of the only image that the parent knows, and that; NULL: it knows none, or several. Free the name with free(). */
char *availability_only(const uint8_t **image);
/* The parent learns the image that the device was asked for. */
void availability_tell(const struct rl_range_profiler *profiler);

/* Shared by threads that are launching, from the decision how a launch is counted to its return; whoever opens or closes a window
 * has it alone. */
extern pthread_rwlock_t launch_lock;
/* Keeps other threads from launching: waits for those that are at it, for a short time. False: they may go on. */
bool launch_lock_alone(void);
/* Lets them launch again, if launch_lock_alone() has kept them out. */
void launch_unlock_alone(bool alone);

/* The three steps of making a target ready for windows. What needs the context: others are kept out and the GPU is quiet; false,
 * which is said, when it cannot be. */
bool target_open(struct target *target);
/* The part of the plan that every class is counted under, which takes CUPTI's host library a moment and needs nothing of the
 * program: by any thread, without locks, while the target is `planning`. */
enum rl_status target_plan(struct target *target, struct rl_err *err);
/* The rest of the plan, once the target is ready and no window is open; none is opened while the target is `planning`, for which
 * counts_lock is let go: CUPTI's host library takes seconds. True: there is one. */
bool target_plan_rest(struct target *target);
/* Takes what came of it, or says why there is nothing. */
void target_settle(struct target *target, enum rl_status status, const struct rl_err *err);
/* Makes the plan before there is a context, where the parent knows of one chip alone; by the worker, when the host library is
 * loaded. */
void target_plan_ahead(void);
/* All three at once. */
bool target_prepare(struct target *target);

/* No window of its is open: others may have the counters. The GPU is quiet, and others are kept out. */
void target_rest(struct target *target);

/* For all that follows others are kept out.
 *
 * Opens a window for so many launches at most; after one that brought nothing it has room for a single one. The GPU is quiet.
 * False, with a message, when it cannot be; where another process has the counters it may be tried again. */
bool window_open(struct target *target, size_t config, size_t launches);
/* The launch of the class becomes a range if the GPU is quiet within that time; false when it is not, or the window had to be
 * closed. */
bool window_push(struct class *class, uint64_t patience_ns);
/* The launch has been made, or (false) was refused: its range ends when the GPU is quiet within that time, otherwise it is pending:
 * the program goes on, and if it waits for the GPU before it launches anything else, its range ends then. */
void window_pop(bool made, uint64_t patience_ns);
/* The program was held up for so long for a launch of the class that was counted in the window; `own_ns` of that it would have
 * waited anyway. */
void window_note_cost(struct class *class, uint64_t held_ns, uint64_t own_ns);
/* Before anything else is launched, and when the program has waited for the GPU: a range that is pending ends if the GPU is quiet
 * within that time. True: no range is pending any more. */
bool window_settle(uint64_t patience_ns);
/* The launch of the pending range has not ended, and others are launched: the window is stuck. */
void window_give_up_launch(void);
/* Kernels are not recorded any more for the launch of a range, if they were. */
void window_stop_recording(void);
/* Its ranges bring nothing. */
bool window_is_off(void);
/* No launch is wanted now, but others may be soon: kernels are recorded meanwhile, and the next range ends the rest. To open
 * another window of the hardware's counters would take forty times as long. */
void window_rest(void);
/* Opens a window around one launch that CUPTI repeats; the GPU is quiet. */
bool window_replay(struct target *target, struct class *class);
/* Cost of windows under configurations with a condition. */
uint64_t window_conditional_ns(void);
/* Closes the window and tells its values, when the GPU is quiet within that time; otherwise it is stuck, or stays so. */
void window_close(uint64_t patience_ns);
