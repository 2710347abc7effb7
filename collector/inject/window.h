/* window.h - one window of the range profiler, and the contexts that can have one. Private to collector/inject; all under
 * counts_lock.
 *
 * In a window the Activity API is off and the range profiler is on under one configuration that needs a single pass. Chosen
 * launches become ranges of it, and nobody times them. Opening one costs about 0.2 s (H200, CUPTI 13.0), a range
 * about a millisecond. CUPTI may wait for the GPU in any of these calls, so they are only made when the GPU is quiet and no thread
 * of the program can give it anything: it might be what a kernel waits for. Where the GPU does not become quiet in time the window
 * is stuck: the program goes on, times are taken again, and the window is closed at a later moment. */
#ifndef RL_INJECT_WINDOW_H
#define RL_INJECT_WINDOW_H

#include "collectives.h"
#include "counting.h"
#include "plan.h"
#include "range.h"

enum { MOST_TARGETS = 32, RANGES = 96 };

struct target {
    CUcontext context;
    uint32_t gpu;
    struct rl_range_profiler profiler;
    struct plan plan;
    struct quiet quiet;
    size_t first_pass;
    bool quiet_ready, open, planning, ready, dead, off[MOST_PASSES];
    unsigned busy;                 /* how often somebody else had the counters */
    size_t missing[MOST_PASSES];   /* launches that classes want under each, when that was last looked at */
    size_t unproven;               /* classes that a window would have to be closed for, when that was last looked at */
    uint64_t cost_ns[MOST_PASSES]; /* of opening and closing a window under each; 0: not known yet */
    struct collectives collectives;
};

/* The window; `target` NULL: none is open. */
struct window {
    struct target *target;
    size_t config, room, used;
    size_t missing;                /* launches that are still wanted */
    struct class *classes[RANGES]; /* of the ranges; NULL: its values are worth nothing */
    uint64_t opened_ns, held_ns;   /* when; of the time since, while the program was held up */
    uint64_t launched_ns;          /* the last launch in it */
    unsigned free_launches;        /* since the last one that was wanted */
    bool inside, wanted;           /* a range is open; its launch is wanted */
    bool stuck;
};
extern struct window window;

/* The context's, made when it is new; NULL when it cannot have windows. */
struct target *target_of(const struct launch *launch);
/* Every one of them; NULL behind the last. */
struct target *target_at(size_t index);
/* Why no counters can be had any more, said once. */
void give_up(enum rl_status status, const char *why);
extern atomic_bool given_up;

/* Shared by threads that are launching, from the decision how a launch is counted to its return; whoever opens or closes a window
 * has it alone. */
extern pthread_rwlock_t flight;
/* Keeps other threads from launching: waits for those that are at it, for a short time. False: they may go on. */
bool ground(void);
/* Lets them launch again, if ground() has kept them out. */
void take_off(bool grounded);

/* The three steps of making a target ready for windows. What needs the context: others are kept out and the GPU is quiet; false,
 * which is said, when it cannot be. */
bool target_open(struct target *target);
/* The plan, which takes CUPTI's host library a part of a second and needs nothing of the program: by any thread, without locks,
 * while the target is `planning`. */
enum rl_status target_plan(struct target *target, struct rl_err *err);
/* Takes what came of it, or says why there is nothing. */
void target_settle(struct target *target, enum rl_status status, const struct rl_err *err);
/* All three at once. */
bool target_prepare(struct target *target);

/* For all that follows others are kept out.
 *
 * Opens a window for `wanted` launches, or for one after a window that brought nothing. The GPU is quiet. False, which is said,
 * when it cannot be; where somebody else has the counters it may be tried again. */
bool window_open(struct target *target, size_t config, size_t wanted);
/* The launch of the class becomes a range if the GPU is quiet within that time; false when it is not, or the window had to be
 * closed. */
bool window_push(struct class *class, bool wanted, uint64_t patience_ns);
/* The launch has been made, or (false) was refused: its range ends when the GPU is quiet within that time, otherwise the window is
 * stuck. */
void window_pop(bool made, uint64_t patience_ns);
/* Its ranges bring nothing. */
bool window_is_off(void);
/* Opens a window around one launch that CUPTI repeats; the GPU is quiet. */
bool window_replay(struct target *target, struct class *class);
/* Closes the window and tells its values, when the GPU is quiet within that time; otherwise it is stuck, or stays so. */
void window_close(uint64_t patience_ns);

#endif
