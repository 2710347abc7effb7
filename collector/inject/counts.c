/* counts.c - counters: the launches to be counted, and when.
 *
 * Counting comes first: windows of the range profiler (window.h) are opened from the program's first launch on, and the program
 * runs freely afterwards. In a window the first launches of each class are counted, in the order in which classes appear, and other
 * launches run freely; it is closed when every launched class has its launches, or when no wanted one has appeared for a while.
 * Then the next configuration has its window:
 *   - The hardware configuration is the first of the plan, followed by the instrumented one and the conditional ones: kernels not
 *     limited by DRAM have their execution units and stall reasons counted, within a part of the budget while the program is young.
 *   - The worker prepares what it can once the first context exists (counts_worker.c).
 *   - Later, if classes with a hundredth of the GPU time lack counters and the budget allows it, windows are opened again; also
 *     after 2, 4, 8 ... seconds, because first launches may have cold caches.
 *   - The program is delayed no longer than budget.c allows.
 *
 * Counting cannot hang: the program waits for a counted launch until it has ended, but no longer than its patience; then it
 * continues, and the open range is closed when the GPU is idle. A class with a launch that ended while the program waited is
 * `proven`; only such classes are recorded by serial records, which order kernels on the GPU (times.h). A class with a launch that
 * has not ended when others are made `waits`: it is never counted, and nothing is counted while it is in flight.
 *
 * Kernel replay opens the profiler around a single launch, which CUPTI repeats for each pass. It is a separate, requested run
 * without times; application replay counts one configuration in such a run, in windows.
 *
 * A launch is either timed or counted as untimed, whatever other threads do: a thread shares the launch lock from that decision to
 * the launch, and a thread that opens or closes a window holds it exclusively.
 *
 * Nothing is opened while a stream is being captured, because querying the GPU would invalidate the capture, nor while a collective
 * kernel waits for its peers beyond a bounded time.
 *
 * This file handles launches and the calls that must not come in between; counts_calls.c handles the program's other calls,
 * counts_worker.c the worker. */

#include "counts.h"

#include "guest.h"
#include "times.h"

enum {
    MOST_FREE = 24, /* consecutive launches in a window that are not wanted */
    REPEATS = 2,    /* of these, launches of one class, after which another may follow: a class has a single configuration under a
                       condition */
    LATE = 2,       /* number of classes that appeared after others were counted, from which on more are expected */
    MOST_PASSING = 50000, /* consecutive launches in a resting window: they cost as much as opening another one */
    MOST_FIRSTS = 1000    /* first launches to wait for, which keeps records serial; each takes longer the more classes there are */
};
static const uint64_t TRY_NS = MS / 5, BUSY_NS = 500 * MS, FIRST_PATIENCE_NS = 100 * MS, SETTLE_NS = 2000 * MS,
                      HOLD_NS = MS / 5; /* cost of waiting for a launch, without the launch itself */
/* Maximum time that a hardware window without wanted launches stays open for classes not launched yet: after instrumented code,
 * opening another one takes 60 ms. */
static const uint64_t LINGER_NS = 5 * MS;
/* The part of the budget reserved for new classes, if classes have appeared after others were counted and still do: a class
 * without hardware counters loses most. */
static const uint64_t RESERVE_NS = 100 * MS;
/* How long a hardware window rests without a wanted launch: while the program launches, and while it launches next to nothing. */
static const uint64_t REST_NS = 1000 * MS, IDLE_REST_NS = 4000 * MS;
/* The cost of a launch in a resting window (H200, CUPTI 13.0). */
static const uint64_t PASSING_NS = 1000;
/* Maximum part of the budget for conditional configurations in a young program: other classes may follow. */
static const uint64_t YOUNG_NS = 1500 * MS, MOST_CONDITIONAL_NS = 150 * MS;

static __thread bool sharing;        /* this thread shares the launch lock */
static bool alone;                   /* the thread that holds counts_lock holds it exclusively */
atomic_bool counts_due, counts_open; /* something is wanted, or a window is open: launches come here */
static atomic_bool counts_pending;   /* and a launch in it had not ended when the program continued, */
static atomic_bool resting;          /* or it rests */
atomic_ullong counts_try_ns;         /* time of the next attempt, */
static atomic_ullong try_others_ns;  /* and of the next for other configurations than the first */
static atomic_int captures;          /* streams in capture */
static atomic_ullong done;           /* launches counted or proven to wait for no other */
static size_t held_firsts;           /* first launches of classes that were waited for, to prove that they end */
static uint64_t held_since_ns;       /* a launch that is waited for */
static unsigned late;                /* hardware windows except the first, and ends of their rests */
atomic_bool counts_preparing;        /* the worker is preparing a target */

/* ---- around a launch ---- */

static void share_launch_lock(void)
{
    sharing = pthread_rwlock_rdlock(&launch_lock) == 0;
}

static void unshare_launch_lock(void)
{
    if (sharing)
        pthread_rwlock_unlock(&launch_lock);
    sharing = false;
}

static void release_others(void)
{
    launch_unlock_alone(alone);
    alone = false;
}

static void note_window(void)
{
    atomic_store(&counts_open, window.target != NULL);
    atomic_store(&counts_pending, window.target && window.pending);
    atomic_store(&resting, window.target && window.rests_ns);
}

void counts_close(void)
{
    uint64_t drain_ns = 0;
    (void)may_hold(&drain_ns);
    const bool kept_out = alone || launch_lock_alone();
    if (kept_out)
        window_close(window.stuck ? 0 : drain_ns);
    if (!alone)
        launch_unlock_alone(kept_out);
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

/* Whether the open window must be closed before the launch. */
static bool must_close(const struct launch *launch)
{
    assume(window.target);
    return window.stuck || window.used == window.room || atomic_load(&captures) || collectives_wait(&window.target->collectives) ||
           (launch->class && launch->class->collective);
}

/* Notes a delay of the program, in which the GPU worked on the program's launches for `own_ns`, as it would have done anyway. */
static void spend(uint64_t held_ns, uint64_t own_ns)
{
    budget_spend(held_ns, times_are_serial() ? own_ns : 0);
}

/* Whether the GPU is idle, or becomes idle within the expected time of the launches in flight. */
static bool is_quiet(struct target *target)
{
    uint64_t drain_ns = 0;
    const uint64_t begin_ns = now_ns();
    times_deliver(false);
    const bool quiet = may_hold(&drain_ns) && quiet_within(&target->quiet, target->context, drain_ns);
    spend(now_ns() - begin_ns, quiet ? now_ns() - begin_ns : 0);
    if (!quiet) {
        budget_note_not_idle();
        atomic_store(&counts_try_ns, now_ns() + TRY_NS + 4 * (now_ns() - begin_ns));
    }
    return quiet;
}

/* Waits for the first launch of a class. */
static enum counting hold_launch(void)
{
    assume(!alone);
    uint64_t drain_ns;
    held_since_ns = now_ns();
    return may_hold(&drain_ns) && (alone = launch_lock_alone()) ? COUNT_HELD : COUNT_NOTHING;
}

/* Another run repeats launches. A repeated launch that waits for a later one would never end, so each shows here that it does not.
 * The first alone is no proof: what it waits for may be there already, or another thread may have been quicker. */
static enum counting prove(struct class *class)
{
    assume(!window.target);
    atomic_fetch_add(&class->tried, 1);
    const enum counting counting = hold_launch();
    if (counting == COUNT_NOTHING)
        class->proven = false;
    return counting;
}

/* A resting window stays open until the GPU can be idle. */
static enum counting leave_resting(void)
{
    const uint64_t took_ns = now_ns() - held_since_ns;
    release_others();
    spend(took_ns, 0);
    atomic_store(&counts_try_ns, now_ns() + TRY_NS + 4 * took_ns);
    return COUNT_NOTHING;
}

/* Closes the window before a launch that cannot be counted, so that timing resumes. */
static enum counting mark(const struct launch *launch)
{
    uint64_t drain_ns;
    struct class *class = launch->class;
    held_since_ns = now_ns();
    if (window.rests_ns)
        times_deliver(false); /* a launch that waited for the host may have ended */
    const bool held = may_hold(&drain_ns) && (alone || (alone = launch_lock_alone()));
    late += window.rests_ns > 0;
    if (held && window_push(class, drain_ns)) {
        const bool timed = times_are_serial() && class->proven && !window.target->instruments[window.config];
        if (timed)
            times_record_one(true);
        window.recording = timed;
        return timed ? COUNT_TIMED : COUNT_MARKED;
    }
    if (window.target && window.rests_ns && !window.stuck)
        return leave_resting();
    if (window.target && !window.stuck)
        counts_close();
    release_others();
    note_window();
    return window.target && !window.stuck ? COUNT_UNTIMED : COUNT_NOTHING;
}

/* Frameworks try one kernel after the other. While new ones come, kernels of few launches get hardware counters alone, because
 * every other window takes 60 ms, there and back (H200, CUPTI 13.0). */
static bool may_not_last(const struct class *class)
{
    enum { MANY_LATE = 12, LASTING = 16 };
    return settings.times && late >= MANY_LATE && atomic_load(class->launched) < LASTING && wanted_more_come();
}

static bool can_afford_window(const struct target *target, const struct class *class, size_t config)
{
    if (config != 0 && may_not_last(class) && !budget_is_whole())
        return false;
    if (config != 0 && settings.times && wanted_is_beyond_hardware(target, config) && wanted_more_come() && !budget_is_whole())
        return false; /* a new class will need the pass that lies in between */
    const bool later = settings.times && target->plan.when[config] && budget_since_begin_ns() < YOUNG_NS && wanted_more_come();
    if (later && window_conditional_ns() > MOST_CONDITIONAL_NS && !budget_is_whole()) {
        wanted_defer(now_ns() + WANTED_COMING_NS);
        return false;
    }
    /* Whether the budget allows something that needs an idle GPU first. */
    const uint64_t kept_ns = settings.times && config != 0 && late >= LATE && wanted_more_come() ? RESERVE_NS : 0,
                   cost_ns = kept_ns + wanted_cost(target, config) + wanted_launch_cost(target, class, config);
    const bool can = out_may_count() && budget_has(cost_ns) && budget_has(cost_ns + wanted_lost_ns(time_to_quiet_ns()));
    if (!can)
        atomic_store(config == 0 ? &counts_try_ns : &try_others_ns, now_ns() + LOOK_NS);
    return can;
}

/* Opens a window at a wanted launch. */
static bool open_window(const struct launch *launch, struct target *target)
{
    assume(!alone && !window.target && target->ready);
    size_t config = 0;
    if (!wanted_config(target, launch->class, &config) || (config != 0 && now_ns() < atomic_load(&try_others_ns)) ||
        !can_afford_window(target, launch->class, config))
        return false;
    if (!(alone = launch_lock_alone()))
        return false;
    const bool quiet = is_quiet(target);
    const uint64_t begin_ns = now_ns();
    const size_t launches =
        config == 0 ? RANGES : wanted_launches(target, config, RANGES); /* the first: other classes may follow */
    const bool opened = quiet && window_open(target, config, launches);
    late += opened && config == 0 && launch->class->timed == 0;
    budget_spend_held(now_ns() - begin_ns);
    if (quiet && !opened)
        atomic_store(&counts_try_ns, now_ns() + BUSY_NS);
    note_window();
    if (!opened)
        release_others();
    return opened;
}

void counts_load_host(void)
{
    static atomic_bool loaded;
    if (atomic_load(&loaded))
        return;
    settle_first(); /* the process may end meanwhile */
    rl_cupti_load_host();
    settle_first();
    atomic_store(&loaded, true);
}

/* For a context that the worker has not prepared. */
static bool make_ready(struct target *target)
{
    if (target->ready)
        return true;
    if (target->dead || target->planning || !out_may_count())
        return false;
    counts_load_host();
    if (!(alone = launch_lock_alone()))
        return false;
    const bool ready = is_quiet(target) && target_prepare(target);
    release_others();
    return ready;
}

/* Starts nothing while a stream is being captured, or if the last window may have been the final one: the next would stay open. */
static bool can_begin(const struct launch *launch, const struct target *target)
{
    return target && !target->planning && is_countable(launch) && !atomic_load(&captures) && !atomic_load(&given_up);
}

static enum counting begin_counting(const struct launch *launch, struct target *target)
{
    if (!atomic_load(&counts_due) || now_ns() < atomic_load(&counts_try_ns) || !can_begin(launch, target) ||
        collectives_wait(&target->collectives) || !wanted_at_all(launch->class) || !make_ready(target))
        return COUNT_NOTHING;
    return open_window(launch, target) ? mark(launch) : COUNT_NOTHING;
}

/* In a window of another configuration: a class that was not counted under the first one. */
static bool is_stranger(const struct class *class)
{
    return settings.times && window.config != 0 && !class->counted[0] && class->shape.gpu == window.target->gpu &&
           wanted_still(window.target, class, 0) > 0;
}

/* Whether the launch is to be counted in the open window. */
static bool is_wanted(const struct launch *launch, const struct target *target)
{
    return window.target == target && is_countable(launch) && wanted_still(target, launch->class, window.config) &&
           budget_has(wanted_launch_cost(target, launch->class, window.config));
}

static enum counting enter_window(const struct launch *launch, const struct target *target)
{
    assume(window.target && !window.stuck);
    const bool wanted = is_wanted(launch, target);
    window.launched_ns = now_ns();
    window.passing = wanted ? 0 : window.passing;
    window.free_launches = wanted ? 0 : window.free_launches + 1;
    window.strangers = wanted ? 0 : window.strangers + is_stranger(launch->class);
    window.last = launch->class;
    if (wanted)
        window.wanted_ns = window.launched_ns;
    return wanted ? mark(launch) : COUNT_UNTIMED;
}

/* Every launched class has its launches, and one more of each brought no new class. */
static bool is_complete(void)
{
    const size_t lingering = settings.samples > 0 ? window.used / (size_t)settings.samples : 0;
    const bool lingers =
        settings.times && window.config == 0 && window.free_launches < lingering && now_ns() - window.wanted_ns < LINGER_NS;
    return window.used == window.room || (settings.times && !lingers && !wanted_in_window());
}

/* Whether the window may wait in vain: programs run one shape after the other and do not come back. A class that has its launches
 * here follows itself, and lacks others; or a class that lacks the first configuration comes for the first time, or twice in a row.
 */
static bool is_left_behind(const struct launch *launch)
{
    size_t other = 0;
    const struct class *class = launch->class;
    const unsigned repeats = window.target->plan.when[window.config] ? REPEATS : 0;
    if (!settings.times || !class || wanted_still(window.target, class, window.config))
        return false;
    return ((window.strangers || !atomic_load(class->launched)) && is_stranger(class)) ||
           (class == window.last && window.free_launches >= repeats && wanted_config(window.target, class, &other));
}

/* Nothing more is expected for the window, at least at present. */
static bool is_over(const struct launch *launch)
{
    return window.free_launches >= MOST_FREE || is_left_behind(launch) ||
           ((window.settled || (window.config == 0 && window.free_launches)) && is_complete());
}

bool counts_may_rest(void)
{
    assume(window.target);
    const uint64_t now = now_ns();
    const bool idles = window.passing < MOST_FREE && now - window.launched_ns < IDLE_REST_NS,
               brings_classes = wanted_more_come() && now - window.wanted_ns < REST_NS;
    return settings.times && window.config == 0 && !window.pending && !window.stuck && window.passing < MOST_PASSING &&
           (idles || brings_classes) && !budget_is_whole();
}

void counts_rest(void)
{
    if (!counts_may_rest()) {
        counts_close();
    } else if (!window.rests_ns) {
        const bool kept_out = alone || launch_lock_alone();
        if (kept_out)
            window_rest();
        else
            counts_close();
        if (!alone)
            launch_unlock_alone(kept_out);
        note_window();
    }
}

/* Rests the window if nothing else can be counted of this class now. */
static void rest_or_close(const struct launch *launch, const struct target *target)
{
    size_t other = 0;
    const bool rests = window.target == target && counts_may_rest() &&
                       (!is_countable(launch) || now_ns() < atomic_load(&try_others_ns) ||
                        !wanted_config(target, launch->class, &other) || !can_afford_window(target, launch->class, other));
    if (rests)
        counts_rest();
    else
        counts_close();
}

/* In a window of instrumented code every launch is slow, counted or not. */
static bool is_slowed(const struct launch *launch)
{
    static const uint64_t MOST_NS = 5 * MS; /* about the cost of another window */
    const struct target *target = window.target;
    return settings.times && launch->class && target->instruments[window.config] &&
           !wanted_still(target, launch->class, window.config) &&
           wanted_launch_cost(target, launch->class, window.config) > MOST_NS + wanted_own_ns(launch->class);
}

/* Before another launch, the launch in the window must have ended, or is given up. */
static void settle_window(void)
{
    uint64_t drain_ns = 0;
    if (!window.target || !window.pending)
        return;
    const bool kept_out = alone || launch_lock_alone();
    const uint64_t begin_ns = now_ns();
    if (kept_out && !window_settle(times_are_serial() && may_hold(&drain_ns) ? SETTLE_NS : 0)) /* a single stream would wait, too */
        window_give_up_launch();
    spend(now_ns() - begin_ns, now_ns() - begin_ns);
    if (!alone)
        launch_unlock_alone(kept_out);
    note_window();
}

static bool can_be_held(const struct class *class)
{
    return class && !class->collective && !class->waits;
}

static bool is_first_of_class(const struct class *class)
{
    return times_are_serial() && can_be_held(class) && !class->proven;
}

/* A launch in a resting window. */
static void pass(void)
{
    window.launched_ns = now_ns();
    window.passing++;
    budget_spend_held(PASSING_NS);
}

static enum counting enter_rotate(const struct launch *launch)
{
    struct target *target = target_of(launch);
    settle_window();
    if (settings.prove && !window.target && can_begin(launch, target) && counts_may_prove(launch->class))
        return prove(launch->class);
    if (settings.counters == RL_COUNT_NOT)
        return COUNT_NOTHING;
    if (window.target && (must_close(launch) || is_slowed(launch)))
        counts_close();
    else if (window.target && !is_wanted(launch, target) && (window.rests_ns || !is_countable(launch) || is_over(launch)))
        rest_or_close(launch, target);
    if (window.target && window.stuck)
        return COUNT_NOTHING;
    enum counting counting = COUNT_NOTHING;
    if (!window.target)
        counting = begin_counting(launch, target);
    else if (!window.rests_ns || (is_wanted(launch, target) && now_ns() >= atomic_load(&counts_try_ns)))
        counting = enter_window(launch, target);
    if (window.target && window.rests_ns)
        pass();
    if (counting == COUNT_NOTHING && is_first_of_class(launch->class))
        counting = target && !atomic_load(&captures) && held_firsts < MOST_FIRSTS ? hold_launch() : COUNT_NOTHING;
    held_firsts += counting == COUNT_HELD;
    if (counting == COUNT_NOTHING && is_first_of_class(launch->class))
        times_overlap();
    return counting;
}

/* Wanted are only classes that the timed run has proven to wait for no other launch, and of them the same launches (prove). */
static enum counting enter_replay(const struct launch *launch)
{
    struct target *target = target_of(launch);
    if (!can_begin(launch, target) || !wanted_at_all(launch->class) || counts_is_past(launch->class))
        return COUNT_NOTHING;
    atomic_fetch_add(&launch->class->tried, 1);
    if (collectives_wait(&target->collectives) || !(alone = launch_lock_alone()))
        return COUNT_NOTHING;
    if (is_quiet(target) && target_prepare(target) && window_replay(target, launch->class))
        return COUNT_MARKED;
    release_others();
    return COUNT_NOTHING;
}

bool counts_allowed(void)
{
    return (settings.counters || settings.prove) && !atomic_load(&given_up) && !atomic_load(&leaving) && !atomic_load(&ending) &&
           !guest_is_at_work();
}

static bool take_counts(void)
{
    if (!take_mutex(&counts_lock))
        return false;
    if (counts_allowed())
        return true;
    pthread_mutex_unlock(&counts_lock); /* the process began to exit meanwhile */
    return false;
}

bool counts_may_prove(const struct class *class)
{
    return class && atomic_load(&class->tried) < (unsigned long)settings.prove;
}

bool counts_is_past(const struct class *class)
{
    return settings.counters == RL_COUNT_KERNEL_REPLAY && atomic_load(&class->tried) >= (unsigned long)settings.samples;
}

/* Whether the launch may overlap others, or cannot be waited for. */
static bool overlaps(const struct launch *launch)
{
    static _Atomic(CUstream) first;
    static atomic_bool used;
    if (!atomic_exchange(&used, true))
        atomic_store(&first, launch->stream);
    return launch->overlaps || launch->stream != atomic_load(&first) || !can_be_held(launch->class);
}

/* The worker prepares windows while CUDA initialises. A launch that comes earlier waits for it, because a program of few launches
 * would otherwise be over. After a wait that takes too long no other launch waits. */
static void await_preparation(void)
{
    static const uint64_t MOST_NS = 1500 * MS;
    static atomic_bool in_vain;
    const struct timespec moment = {.tv_nsec = 100000};
    const uint64_t begin_ns = now_ns(); /* the worker accounts for the cost */
    while (atomic_load(&counts_preparing) && atomic_load(&alive) && !atomic_load(&in_vain)) {
        (void)nanosleep(&moment, NULL);
        if (now_ns() - begin_ns >= MOST_NS)
            atomic_store(&in_vain, true);
    }
}

/* Records a launch of an untimed class. False: not recorded; the caller shares the launch lock either way. */
static bool end_gap(const struct launch *launch)
{
    bool ended = false;
    assume(sharing);
    if (!launch->class || launch->class->timed)
        return false;
    unshare_launch_lock();
    if (take_counts()) {
        ended = stretches_resume();
        pthread_mutex_unlock(&counts_lock);
    }
    share_launch_lock();
    return ended && !stretches_between();
}

/* Needs no lock. A class with a time has had its chance under the first configuration. */
static bool may_be_due(const struct class *class)
{
    const uint64_t now = now_ns();
    return atomic_load(&counts_due) && now >= atomic_load(&counts_try_ns) &&
           (!class || !class->timed || now >= atomic_load(&try_others_ns));
}

enum counting counts_enter(const struct launch *launch)
{
    if (sharing) /* a launch that the driver makes inside another */
        return COUNT_NOTHING;
    if (settings.times && guest_has_counters())
        return COUNT_UNTIMED;
    if (times_are_serial() && (overlaps(launch) || !counts_allowed()))
        counts_overlap();
    if (!counts_allowed())
        return COUNT_NOTHING;
    budget_begin();
    budget_settle();
    if (atomic_load(&counts_preparing))
        await_preparation();
    share_launch_lock();
    if (stretches_between() && !end_gap(launch))
        return COUNT_SKIPPED;
    if (!atomic_load(&counts_open) && !counts_may_prove(launch->class) && !is_first_of_class(launch->class) &&
        !may_be_due(launch->class))
        return COUNT_NOTHING;
    unshare_launch_lock();
    if (!take_counts())
        return COUNT_NOTHING;
    if (launch->class)
        wanted_learn(launch->class);
    const enum counting counting = settings.counters == RL_COUNT_KERNEL_REPLAY ? enter_replay(launch) : enter_rotate(launch);
    assume(alone == (counting == COUNT_HELD || counting == COUNT_MARKED || counting == COUNT_TIMED));
    if (!alone) { /* otherwise other launches wait for this one */
        share_launch_lock();
        pthread_mutex_unlock(&counts_lock);
    }
    return counting;
}

/* A launch that has not ended, of a class without a known duration. */
static uint64_t patience_of(const struct class *class)
{
    if (settings.prove || !settings.times)
        return REPLAY_PATIENCE_NS;
    return class->timed || class->proven ? patience_for(class) : FIRST_PATIENCE_NS;
}

/* Instrumented code of a class that waits for nothing does end, only later. */
static uint64_t patience_in_window(const struct class *class)
{
    const bool slow = settings.times && window.target->instruments[window.config] && class->proven;
    return patience_of(class) + (slow ? 2 * wanted_launch_cost(window.target, class, window.config) : 0);
}

static void end_mark(const struct launch *launch, bool made)
{
    assume(window.target);
    if (settings.counters == RL_COUNT_KERNEL_REPLAY) {
        window_close(REPLAY_PATIENCE_NS);
        return;
    }
    window_pop(made, patience_in_window(launch->class));
    window_note_cost(launch->class, now_ns() - held_since_ns, times_are_serial() ? wanted_own_ns(launch->class) : 0);
    atomic_fetch_add(&done, made);
    if (window.target && !window.pending && (window_is_off() || is_complete()))
        window_close(patience_for(launch->class));
}

void counts_leave(enum counting counting, const struct launch *launch, bool made)
{
    unshare_launch_lock();
    if (counting == COUNT_NOTHING)
        return;
    if (made && (counting == COUNT_UNTIMED || counting == COUNT_SKIPPED || counting == COUNT_MARKED))
        origin_untimed(launch->class, launch->range);
    if (made && counting == COUNT_UNTIMED)
        budget_note_passed();
    if (made && counting == COUNT_SKIPPED)
        budget_note_skipped();
    if (counting == COUNT_UNTIMED || counting == COUNT_SKIPPED)
        return;
    if (counting != COUNT_HELD)
        end_mark(launch, made);
    else if (made) {
        struct class *class = launch->class;
        struct target *target = target_of(launch);
        assume(target); /* counts_enter checked it under the same lock */
        class->proven = quiet_within(&target->quiet, target->context, patience_of(class));
        atomic_fetch_add(&done, class->proven);
        if (!class->proven) {
            budget_note_not_idle();
            class->waits = settings.prove || ++class->unended >= MOST_UNENDED;
            if (times_are_serial())
                times_overlap();
        }
    }
    if (window.target)
        window_stop_recording();
    const uint64_t held_ns = now_ns() - held_since_ns;
    spend(held_ns, counting != COUNT_HELD ? wanted_own_ns(launch->class) : held_ns > HOLD_NS ? held_ns - HOLD_NS : 0);
    window.held_ns += held_ns;
    note_window();
    release_others();
    pthread_mutex_unlock(&counts_lock);
}

/* ---- around other calls ---- */

void counts_settle(void)
{
    if (!atomic_load(&counts_pending) || !counts_allowed() || pthread_mutex_trylock(&counts_lock) != 0)
        return;
    if (window.target && launch_lock_alone()) {
        (void)window_settle(0);
        launch_unlock_alone(true);
    }
    note_window();
    pthread_mutex_unlock(&counts_lock);
}

/* Earlier launches may have to end before the next kernel can: waits for them if that is short. */
void counts_overlap(void)
{
    if (!times_are_serial() || !take_mutex(&counts_lock))
        return;
    uint64_t drain_ns = 0;
    for (size_t i = 0; target_at(i) && may_hold(&drain_ns); i++)
        if (!target_at(i)->dead)
            (void)quiet_within(&target_at(i)->quiet, target_at(i)->context, drain_ns);
    times_overlap();
    pthread_mutex_unlock(&counts_lock);
}

void counts_record_on(void)
{
    if (!stretches_between() || !take_mutex(&counts_lock))
        return;
    (void)stretches_resume();
    pthread_mutex_unlock(&counts_lock);
}

/* Closes a window of the context (NULL: of any), or lets it rest. */
static void settle_and(void (*act)(void), CUcontext context)
{
    if (!atomic_load(&counts_open) || !take_mutex(&counts_lock))
        return;
    settle_window();
    if (window.target && (!context || window.target->context == context))
        act();
    pthread_mutex_unlock(&counts_lock);
}

void counts_close_for(CUcontext context)
{
    settle_and(counts_close, context);
}

/* Whether no window delays a call. A resting one delays nothing: the next launch to be counted is delayed only if the GPU is idle.
 */
static bool is_clear(void)
{
    return !atomic_load(&counts_open) || atomic_load(&resting);
}

void counts_fence_enter(CUcontext context)
{
    enum { MOST_WINDOWS = 3 }; /* no reason to wait for one that does not close */
    if (!counts_allowed() || sharing)
        return;
    for (int i = 0; i < MOST_WINDOWS; i++) {
        if (!is_clear())
            settle_and(counts_rest, context);
        share_launch_lock(); /* keeps others from opening a window, which the worker may have done meanwhile */
        if (!sharing || is_clear())
            return;
        unshare_launch_lock();
    }
    share_launch_lock();
}

void counts_fence_leave(void)
{
    unshare_launch_lock();
}

void counts_module_enter(void)
{
    const bool open = atomic_load(&counts_open);
    if (!counts_allowed() || sharing)
        return;
    if (open && take_mutex(&counts_lock)) {
        if (window.target && window.target->instruments[window.config])
            counts_close();
        pthread_mutex_unlock(&counts_lock);
    }
    share_launch_lock();
}

/* Before the first launch the worker asks whether the GPU is quiet and allocates device memory, which would invalidate a stream
 * capture; a program that does not check for that crashes. So a capture begins when nothing is being prepared or open, and nothing
 * is begun from here on. */
void counts_capture_enter(void)
{
    atomic_fetch_add(&captures, 1);
    if (atomic_load(&counts_preparing))
        await_preparation();
    counts_overlap();
    if (!counts_allowed() || !take_counts())
        return;
    settle_window();
    if (window.target)
        counts_close();
    pthread_mutex_unlock(&counts_lock);
}

void counts_capture_leave(void)
{
    atomic_fetch_sub(&captures, 1);
}

bool counts_captures(void)
{
    return atomic_load(&captures) > 0;
}

bool counts_are_due(void)
{
    if (!counts_allowed())
        return false;
    budget_begin();
    const bool soon =
        atomic_load(&counts_open) || settings.prove || (atomic_load(&counts_due) && now_ns() >= atomic_load(&counts_try_ns));
    return soon && !sharing && !atomic_load(&captures);
}

uint64_t counts_done(void)
{
    return atomic_load(&done);
}

void counts_start(void)
{
    if (settings.counters && !settings.times)
        wanted_read();
    atomic_store(&counts_due, settings.counters != RL_COUNT_NOT);
}
