/* counts.c - counters: which launches, and when.
 *
 * Rotate: windows of the range profiler (window.h) in the run that is timed. What a window costs is a time for each launch in it,
 * and that the program is held up. So:
 *   - every launch in a window is counted, wanted or not, but for those in another context, which no range can hold, and those of
 * classes that have nothing of what is counted: else no launch loses its time for nothing;
 *   - a launch in a window belongs to a class of which at least LEAST_TIMED launches have a time; before any other the window is
 * closed;
 *   - a window opens at a launch that is wanted, when the budget has room for those of the other configurations, too, because
 * a class that lacks one of them has no counters; and is closed when no more is wanted under its configuration, or nothing that is
 * wanted comes soon;
 *   - the program is held up no longer than budget.c allows;
 *   - it is held up only while everything the GPU has been given ends by itself. A class shows that it does, before its first
 * launch in a window: one launch is held until it has ended (`proven`). One that does not end is one that waits for the program.
 * A window costs much more than holding a launch, and is closed before one that is not proven: so the classes that are launched
 * are proven first, and then few windows hold them all;
 *   - what can be prepared beside the program is prepared by the worker.
 *
 * Kernel replay: the profiler is opened around a single launch, which CUPTI repeats for each pass. It is a run of its own, without
 * times, which was asked for; application replay counts one configuration in such a run, in windows.
 *
 * A launch is either timed or counted as untimed, whatever other threads do: between deciding that and making the launch a thread
 * shares `flight`, and who opens or closes a window has it alone.
 *
 * Nothing is opened while a stream is being captured, because asking for the GPU would spoil the capture, or while a collective
 * kernel waits for its peers, but for a while in which they may end it.
 *
 * This file has what happens around a launch, or a call that must not come in between; counts_calls.c has what else the program
 * does, counts_worker.c what the worker does beside it. */

#include "counts.h"
#include "leave.h"
#include "times.h"

enum {
    MOST_FREE = 16 /* launches in a row in a window that are not wanted: counting them costs less than another window */,
    MOST_UNENDED = 3,  /* launches of a class that had not ended in the time that they should take */
    MOST_PASSERS = 256 /* classes proven that are not wanted */
};
static const uint64_t PATIENT_NS = 100 * MS, TRY_NS = MS / 5, BUSY_NS = 500 * MS, OPEN_COST_NS = 60 * MS,
                      PROOF_NS = 300 * MS /* without another class that is proven: go on */;

pthread_mutex_t counts_lock = PTHREAD_MUTEX_INITIALIZER;
static __thread bool flying;         /* this thread shares it */
static bool grounded;                /* the thread that has counts_lock has it alone */
atomic_bool counts_due, counts_open; /* something is wanted, a window is open: launches come here */
atomic_ullong counts_due_ns;
static atomic_ullong try_ns;    /* when to try again */
static atomic_int captures;     /* streams that are being captured */
static atomic_ullong done;      /* launches that were counted or have shown that they wait for nobody */
static uint64_t held_since_ns;  /* a launch that is held */
static uint64_t proven_ns;      /* when a class was last proven */
atomic_bool counts_host_loaded; /* CUPTI's host library */

/* ---- around a launch ---- */

static void fly(void)
{
    flying = pthread_rwlock_rdlock(&flight) == 0;
}

static void land(void)
{
    if (flying)
        pthread_rwlock_unlock(&flight);
    flying = false;
}

static void release_others(void)
{
    take_off(grounded);
    grounded = false;
}

static void note_window(void)
{
    atomic_store(&counts_open, window.target != NULL);
}

void counts_close(void)
{
    uint64_t drain_ns = 0;
    (void)may_hold(&drain_ns);
    const bool kept_out = grounded || ground();
    if (kept_out)
        window_close(window.stuck ? 0 : drain_ns);
    if (!grounded)
        take_off(kept_out);
    note_window();
}

bool counts_is_capturing(CUstream stream)
{
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    if (!atomic_load(&captures))
        return false;
    CUresult (*ask)(CUstream, CUstreamCaptureStatus *) = DRIVER(cuStreamIsCapturing);
    return !ask || ask(stream, &status) != CUDA_SUCCESS || status != CU_STREAM_CAPTURE_STATUS_NONE;
}

static bool is_countable(const struct launch *launch)
{
    const struct class *class = launch->class;
    return launch->selected && class && !class->excluded && !class->collective && !class->waits;
}

/* Whether a launch may be made in the open window. */
static bool fits(const struct launch *launch)
{
    assume(window.target);
    const struct class *class = launch->class;
    return is_countable(launch) && class->proven && (!settings.times || class->timed >= LEAST_TIMED) &&
           now_ns() - window.opened_ns - window.held_ns < budget_window_left() && window.used < window.room && window.missing &&
           window.free_launches < MOST_FREE && !atomic_load(&captures) && !collectives_wait(&window.target->collectives);
}

/* The GPU has been given nothing that has not ended: asked at once again and again for a while; then with patience. */
static bool is_quiet(struct target *target)
{
    uint64_t drain_ns = 0;
    const uint64_t begin_ns = now_ns(), since_ns = begin_ns - atomic_load(&counts_due_ns);
    const bool patient = settings.times ? since_ns > PATIENT_NS : true;
    if (patient)
        times_deliver(false);
    const bool quiet = may_hold(&drain_ns) && quiet_within(&target->quiet, target->context, patient ? drain_ns : 0);
    budget_spend_held(now_ns() - begin_ns);
    if (!quiet && patient)
        budget_note_not_idle();
    if (!quiet)
        atomic_store(&try_ns, now_ns() + (patient ? 4 * (now_ns() - begin_ns) : TRY_NS));
    return quiet;
}

/* Whether the budget has room for something that begins when the GPU is quiet. */
static bool can_afford(uint64_t cost_ns)
{
    const bool can = budget_has(cost_ns) && budget_has(cost_ns + time_to_quiet_ns());
    if (!can)
        atomic_store(&try_ns, now_ns() + LOOK_NS);
    return can;
}

/* The first launch of a class that the program is held up for. */
static enum counting hold_up(void)
{
    assume(!grounded);
    uint64_t drain_ns;
    if (!can_afford(HOLD_COST_NS) || !may_hold(&drain_ns) || !(grounded = ground()))
        return COUNT_NOTHING;
    held_since_ns = now_ns();
    return COUNT_HELD;
}

/* Another run is going to repeat launches: the first of each class shows whether that will end. */
static enum counting prove(struct class *class)
{
    assume(!grounded && !window.target);
    uint64_t drain_ns;
    class->tried = true;
    if (class->proven || !may_hold(&drain_ns) || !(grounded = ground()))
        return COUNT_NOTHING;
    held_since_ns = now_ns();
    return COUNT_HELD;
}

/* A launch that cannot be counted is not made in the window either: times are taken again before. */
static enum counting mark(const struct launch *launch, bool wanted)
{
    uint64_t drain_ns;
    const bool held = may_hold(&drain_ns) && (grounded || (grounded = ground()));
    held_since_ns = now_ns();
    if (held && window_push(launch->class, wanted, drain_ns))
        return COUNT_MARKED;
    if (window.target && !window.stuck)
        counts_close();
    release_others();
    note_window();
    return window.target && !window.stuck ? COUNT_UNTIMED : COUNT_NOTHING;
}

/* The part of the preparations that needs the context; the worker does the rest. */
static void open_target(struct target *target)
{
    assume(!grounded && !target->ready);
    if (target->open || !atomic_load(&counts_host_loaded) || !can_afford(OPEN_COST_NS) || !(grounded = ground())) {
        atomic_store(&try_ns, now_ns() + LOOK_NS);
        return;
    }
    if (is_quiet(target))
        (void)target_open(target);
    release_others();
}

/* Opens a window at a launch that is wanted. */
static bool open_window(const struct launch *launch, struct target *target)
{
    assume(!grounded && !window.target && target->ready);
    size_t config = 0;
    if (!wanted_config(target, launch->class, &config))
        return false;
    if (!can_afford(wanted_cost(target, config)) || !(grounded = ground()))
        return false;
    const bool quiet = is_quiet(target), opened = quiet && window_open(target, config, target->missing[config]);
    if (quiet && !opened)
        atomic_store(&try_ns, now_ns() + BUSY_NS);
    note_window();
    if (!opened)
        release_others();
    return opened;
}

/* In a run that was asked for there is nothing that could be prepared beside. Nor is there when counters may take what they take:
 * a program that launches ahead has filled its queue again by then, and would have to be held up for that once more. */
static bool make_ready(struct target *target)
{
    const bool beside = settings.times && !budget_is_whole();
    if (!target->ready && beside)
        open_target(target);
    if (target->ready || beside)
        return target->ready;
    if ((settings.times && !atomic_load(&counts_host_loaded)) || !(grounded = ground()))
        return false;
    const bool ready = is_quiet(target) && target_prepare(target);
    release_others();
    if (ready)
        (void)wanted_look();
    return ready;
}

/* Classes that are not wanted are proven, too: a window may then go on when they are launched. */
static bool is_to_be_proven(const struct class *class)
{
    static unsigned passers;
    return !class->proven && (wanted_at_all(class) || (settings.times && passers++ < MOST_PASSERS));
}

static bool is_still_proving(const struct target *target)
{
    const uint64_t due_since = atomic_load(&counts_due_ns), since = due_since > proven_ns ? due_since : proven_ns;
    return settings.times && target->unproven && now_ns() < since + PROOF_NS;
}

/* Nothing is begun while a stream is being captured. */
static bool can_begin(const struct launch *launch, const struct target *target)
{
    return target && is_countable(launch) && !atomic_load(&captures);
}

static enum counting begin_counting(const struct launch *launch, struct target *target)
{
    const struct class *class = launch->class;
    if (!atomic_load(&counts_due) || !can_begin(launch, target) || collectives_wait(&target->collectives))
        return COUNT_NOTHING;
    if (settings.times && class->timed < LEAST_TIMED)
        return COUNT_NOTHING;
    if (is_to_be_proven(class))
        return hold_up();
    if (!class->proven || !wanted_at_all(class) || !make_ready(target) || is_still_proving(target))
        return COUNT_NOTHING;
    return open_window(launch, target) ? mark(launch, true) : COUNT_NOTHING;
}

static enum counting enter_window(const struct launch *launch, const struct target *target)
{
    assume(window.target && !window.stuck);
    const bool wanted = window.target == target && wanted_still(target, launch->class, window.config);
    const bool useful = window.target == target && plan_meets(&target->plan, launch->class, window.config);
    window.launched_ns = now_ns();
    window.free_launches = wanted ? 0 : window.free_launches + 1;
    return useful ? mark(launch, wanted) : COUNT_UNTIMED;
}

static enum counting enter_rotate(const struct launch *launch)
{
    struct target *target = target_of(launch);
    if (settings.prove && !window.target && can_begin(launch, target) && !launch->class->tried)
        return prove(launch->class);
    if (settings.counters == RL_COUNT_NOT)
        return COUNT_NOTHING;
    if (window.target && (window.stuck || !fits(launch)))
        counts_close();
    if (window.target && window.stuck)
        return COUNT_NOTHING;
    return window.target ? enter_window(launch, target) : begin_counting(launch, target);
}

/* Only classes are wanted of which the timed run has shown that they wait for nobody. */
static enum counting enter_replay(const struct launch *launch)
{
    struct target *target = target_of(launch);
    if (!can_begin(launch, target) || !wanted_at_all(launch->class) || collectives_wait(&target->collectives))
        return COUNT_NOTHING;
    if (launch->class->counted[0] >= settings.samples || !(grounded = ground()))
        return COUNT_NOTHING;
    if (is_quiet(target) && target_prepare(target) && window_replay(target, launch->class))
        return COUNT_MARKED;
    release_others();
    return COUNT_NOTHING;
}

bool counts_allowed(void)
{
    return (settings.counters || settings.prove) && !atomic_load(&given_up) && !atomic_load(&leaving) && !atomic_load(&ending);
}

static bool take_counts(void)
{
    if (!take_mutex(&counts_lock))
        return false;
    if (counts_allowed())
        return true;
    pthread_mutex_unlock(&counts_lock); /* the process began to end meanwhile */
    return false;
}

bool counts_may_prove(const struct class *class)
{
    return settings.prove && class && !atomic_load(&class->tried);
}

enum counting counts_enter(const struct launch *launch)
{
    if (!counts_allowed() || flying) /* flying: a launch that the driver makes inside of one */
        return COUNT_NOTHING;
    budget_begin();
    fly();
    if (!atomic_load(&counts_open) && !counts_may_prove(launch->class) &&
        (!atomic_load(&counts_due) || now_ns() < atomic_load(&try_ns)))
        return COUNT_NOTHING;
    land();
    if (!take_counts())
        return COUNT_NOTHING;
    if (launch->class)
        wanted_learn(launch->class);
    const enum counting counting = settings.counters == RL_COUNT_KERNEL_REPLAY ? enter_replay(launch) : enter_rotate(launch);
    assume(grounded == (counting == COUNT_HELD || counting == COUNT_MARKED));
    if (!grounded) { /* otherwise other launches wait until this one is over */
        fly();
        pthread_mutex_unlock(&counts_lock);
    }
    return counting;
}

static void end_hold(const struct launch *launch)
{
    struct class *class = launch->class;
    struct target *target = target_of(launch);
    uint64_t drain_ns = 0;
    assume(target && !class->proven); /* counts_enter has asked for it under the same lock */
    times_deliver(false);
    (void)may_hold(&drain_ns);
    if (settings.prove || !settings.times)
        drain_ns = REPLAY_PATIENCE_NS;
    class->proven = quiet_within(&target->quiet, target->context, drain_ns);
    atomic_fetch_add(&done, class->proven);
    if (class->proven) {
        proven_ns = now_ns();
        target->unproven -= target->unproven > 0;
    } else
        budget_note_not_idle();
    class->waits = !class->proven && (settings.prove || ++class->unended >= MOST_UNENDED);
    atomic_store(&try_ns, class->proven ? 0 : now_ns() + LOOK_NS);
}

static void end_mark(struct class *class, bool made)
{
    assume(window.target);
    if (settings.counters == RL_COUNT_KERNEL_REPLAY) {
        window_close(REPLAY_PATIENCE_NS);
        return;
    }
    window_pop(made, patience_for(class));
    atomic_fetch_add(&done, made);
    if (window.target && !window.stuck && (!window.missing || window.used == window.room || window_is_off()))
        window_close(patience_for(class));
}

void counts_leave(enum counting counting, const struct launch *launch, bool made)
{
    land();
    if (counting == COUNT_NOTHING)
        return;
    if (made && counting != COUNT_HELD)
        origin_untimed(launch->class, launch->range);
    if (made && counting == COUNT_UNTIMED)
        budget_note_passed();
    if (counting == COUNT_UNTIMED)
        return;
    if (counting == COUNT_HELD)
        end_hold(launch);
    else
        end_mark(launch->class, made);
    const uint64_t held_ns = now_ns() - held_since_ns;
    budget_spend_held(held_ns);
    window.held_ns += held_ns;
    note_window();
    release_others();
    pthread_mutex_unlock(&counts_lock);
}

/* ---- around other calls ---- */

void counts_close_for(CUcontext context)
{
    if (!atomic_load(&counts_open) || !take_mutex(&counts_lock))
        return;
    if (window.target && (!context || window.target->context == context))
        counts_close();
    pthread_mutex_unlock(&counts_lock);
}

void counts_fence_enter(CUcontext context)
{
    if (!counts_allowed() || flying)
        return;
    counts_close_for(context);
    fly();
}

void counts_fence_leave(void)
{
    land();
}

void counts_capture_enter(void)
{
    if (counts_allowed())
        counts_close_for(NULL);
    atomic_fetch_add(&captures, 1);
}

void counts_capture_leave(void)
{
    atomic_fetch_sub(&captures, 1);
}

bool counts_are_due(void)
{
    if (!counts_allowed())
        return false;
    budget_begin();
    const bool soon = atomic_load(&counts_open) || settings.prove || (atomic_load(&counts_due) && now_ns() >= atomic_load(&try_ns));
    return soon && !flying && !atomic_load(&captures);
}

uint64_t counts_done(void)
{
    return atomic_load(&done);
}

void counts_start(void)
{
    if (settings.counters && !settings.times) {
        wanted_read();
        atomic_store(&counts_due, true);
    }
}
