/* counts_worker.c - counters: the worker's part, while the program runs (counts.c). */
#include "counts.h"

#include "guest.h"
#include "times.h"

/* Time after which a window without launches is closed. Kept open: one opened ahead of the first launch, and one whose launch has
 * not ended, because the program may wait for a kernel that runs for seconds. */
static const uint64_t IDLE_NS = 200 * MS, AHEAD_NS = 20000 * MS;
/* A round of counting ends after this time without a counted launch, although kernels were launched. */
static const uint64_t ROUND_NS = 300 * MS;
/* How long the profiler stays enabled for later kernels, unless samples are wanted for graphs or longer runs, or the program makes
 * this many launches in a round: each takes some microseconds longer, together as much as enabling it again. */
static const uint64_t FIRST_ROUND_NS = 1500 * MS;
enum { MANY_LAUNCHES = 15000 };
static const uint64_t AGAIN_NS = 2000 * MS; /* first launches may have had cold caches: counts again then, and at twice that ... */
static const double LEAST_SHARE = 0.01;     /* share of the GPU time for which windows are opened again */
static const uint64_t ROUND_COST_NS = 200 * MS;

static _Atomic(CUcontext) made; /* a context to be prepared */

/* ---- ahead of the first launch ---- */

void counts_context_made(CUcontext context)
{
    CUcontext none = NULL;
    if (!counts_allowed() || !counts_prove_launches() || !atomic_compare_exchange_strong(&made, &none, context))
        return;
    atomic_store(&counts_preparing, true);
    leave_wake();
}

/* The target of the current context; NULL: it cannot have windows, or is prepared already. */
static struct target *begin_planning(CUcontext context)
{
    struct launch launch = {.context = context};
    struct target *target = NULL;
    if (!gpu_of_context(context, &launch.gpu) || !take_mutex(&counts_lock))
        return NULL;
    target = target_of(&launch);
    target = target && !target->ready && !target->open && !target->dead ? target : NULL;
    if (target)
        target->planning = true;
    pthread_mutex_unlock(&counts_lock);
    return target;
}

/* Opens a window before the program's first launch. */
static void open_ahead(struct target *target)
{
    if (!target->ready || window.target || counts_captures() || budget_since_begin_ns() || !out_may_count() || !launch_lock_alone())
        return;
    if (quiet_within(&target->quiet, target->context, 0))
        (void)window_open(target, 0, RANGES);
    atomic_store(&counts_open, window.target != NULL);
    launch_unlock_alone(true);
}

/* The slow parts: the profiler, the plan, the first window. The context is current. */
static void make_ready(CUcontext context)
{
    struct rl_err err = RL_ERR_INIT;
    struct target *target = begin_planning(context);
    if (!target)
        return;
    enum rl_status status = rl_range_open(&target->profiler, context, (int)target->gpu, &err);
    const uint64_t begin_ns = now_ns(); /* querying the GPU's counters happens once per machine and is not charged to the budget */
    settle_first();
    target->open = status == RL_OK; /* only this thread accesses a target that is being planned */
    if (target->open)
        availability_tell(&target->profiler);
    if (target->open)
        status = target_plan(target, &err);
    if (!take_mutex(&counts_lock))
        return;
    target->planning = false;
    if (target->dead) /* its context was destroyed */
        rl_range_close(&target->profiler);
    target_settle(target, status, &err);
    open_ahead(target);
    budget_spend_held(now_ns() - begin_ns); /* the program's next call meanwhile waits for the context */
    pthread_mutex_unlock(&counts_lock);
}

void counts_warm(void)
{
    if (!counts_allowed() || !counts_prove_launches())
        return;
    availability_start();
    settle_waits_for(true);
    counts_load_host();
    rl_range_warm();
    target_plan_ahead();
    settle_waits_for(false);
}

static void prepare(void)
{
    CUresult (*push)(CUcontext) = DRIVER(cuCtxPushCurrent_v2);
    CUresult (*pop)(CUcontext *) = DRIVER(cuCtxPopCurrent_v2);
    CUcontext context = atomic_load(&made), ours = NULL;
    if (!context)
        return;
    atomic_store(&counts_preparing, true); /* before looking for captures: one that begins now waits */
    if (counts_captures()) {
        atomic_store(&counts_preparing, false);
        return;
    }
    settle_waits_for(true);
    counts_load_host();
    if (!atomic_load(&leaving) && push && pop && push(context) == CUDA_SUCCESS) {
        make_ready(context);
        (void)pop(&ours);
    }
    settle_waits_for(false);
    atomic_store(&counts_preparing, false);
    atomic_store(&made, NULL);
}

/* ---- rounds ---- */

/* With the window's context current, which CUPTI may query. */
static void from_here(void (*act)(void))
{
    assume(window.target);
    CUresult (*push)(CUcontext) = DRIVER(cuCtxPushCurrent_v2);
    CUresult (*pop)(CUcontext *) = DRIVER(cuCtxPopCurrent_v2);
    CUcontext ours = NULL;
    if (!push || !pop || push(window.target->context) != CUDA_SUCCESS)
        return;
    act();
    (void)pop(&ours);
}

static bool is_idle(void)
{
    const bool ahead = !window.used && !window.free_launches && !budget_since_begin_ns();
    if (window.rests_ns && !window.stuck)
        return !counts_may_rest();
    return window.stuck || (!window.pending && now_ns() - window.launched_ns > (ahead ? AHEAD_NS : IDLE_NS));
}

/* Plans the remaining counters after the first round: CUPTI's host library is used by one thread at a time, and closing a window
 * needs it. True: there is more to count. */
static bool plan_rest(void)
{
    bool more = false;
    for (size_t i = 0; target_at(i) && !atomic_load(&leaving); i++)
        if (target_at(i)->ready && !target_at(i)->whole && !target_at(i)->dead) {
            settle_waits_for(true);
            more |= target_plan_rest(target_at(i));
            settle_waits_for(false);
        }
    return more;
}

/* Time when a launch was last counted or a round began. */
static uint64_t counted_ns;

static bool is_any_enabled(void)
{
    bool any = false;
    for (size_t i = 0; target_at(i) && !any; i++)
        any = !target_at(i)->dead && rl_range_is_enabled(&target_at(i)->profiler);
    return any;
}

/* False: the GPU is busy, or a stream is being captured. */
static bool rest_targets(void)
{
    uint64_t drain_ns = 0;
    if (!is_any_enabled())
        return true;
    if (counts_captures() || !may_hold(&drain_ns) || !launch_lock_alone())
        return false;
    const uint64_t begin_ns = now_ns();
    for (size_t i = 0; target_at(i); i++)
        if (rl_range_is_enabled(&target_at(i)->profiler) && quiet_within(&target_at(i)->quiet, target_at(i)->context, drain_ns))
            target_rest(target_at(i));
    launch_unlock_alone(true);
    budget_spend_held(now_ns() - begin_ns);
    return !is_any_enabled();
}

static void look_whether_over(void)
{
    static uint64_t done_then, launches_then, counted_launches;
    const uint64_t launches = atomic_load(out_made());
    if (counts_done() != done_then || launches == launches_then ||
        !counted_ns) { /* without launches nothing is to be sampled either */
        counted_ns = now_ns();
        counted_launches = launches;
    }
    done_then = counts_done();
    launches_then = launches;
    if (now_ns() - counted_ns < ROUND_NS)
        return;
    if (budget_has(ROUND_COST_NS) && plan_rest()) {
        counted_ns = now_ns();
        return;
    }
    if (budget_since_begin_ns() < FIRST_ROUND_NS && !atomic_load(out_graphs()) && launches - counted_launches < MANY_LAUNCHES)
        return;
    if (!rest_targets())
        return;
    atomic_store(&counts_due, false);
    out_counted();
}

static void look_whether_again(void)
{
    static uint64_t again_ns = AGAIN_NS;
    const double least = budget_is_whole() ? LEAST_SHARE / 4 : LEAST_SHARE;
    if (budget_since_begin_ns() >= again_ns) {
        again_ns *= 2;
        wanted_again();
    }
    if (wanted_share() < least || !budget_has(ROUND_COST_NS))
        return;
    (void)out_may_count(); /* asks the holder of the counters to release them */
    counted_ns = now_ns();
    atomic_store(&counts_due, true);
}

static void look_again(void)
{
    static uint64_t next_ns;
    const uint64_t begin_ns = now_ns();
    if (begin_ns < next_ns || !settings.times || !budget_since_begin_ns())
        return;
    times_deliver(false);
    wanted_choose();
    /* Serial records cost a program of many short kernels more than concurrent ones, and are no better for kernels that
     * instrumentation cannot lengthen: those with few warps for their duration. */
    enum { ENOUGH = 2000 };
    static const double SHORT_NS = 20000, ADDED_NS = 0.05, NEGLIGIBLE = 0.005; /* a warp, on a GPU of 30 SMs or more */
    double launches = 0, total_ns = 0, added_ns = 0;
    if (times_are_serial() && hold()) {
        for (size_t i = 0; i < class_count(); i++) {
            const struct class *class = class_at(i);
            launches += (double)class->timed;
            total_ns += (double)class->total_ns;
            added_ns += (double)class->timed * ADDED_NS * rl_launch_warps(class->shape.grid, class->shape.block);
        }
        let_go();
        if (launches >= ENOUGH && total_ns < SHORT_NS * launches && added_ns < NEGLIGIBLE * total_ns)
            times_overlap();
    }
    if (atomic_load(&counts_due))
        look_whether_over();
    else
        look_whether_again();
    const uint64_t took_ns = now_ns() - begin_ns;
    next_ns = now_ns() + (20 * took_ns > LOOK_NS ? 20 * took_ns : LOOK_NS);
}

/* Closes a window left open when counting ended or the program began to use CUPTI itself: launches in it have no times. */
static void close_last(void)
{
    if (!atomic_load(&counts_open) || !(atomic_load(&given_up) || guest_is_at_work()) || pthread_mutex_trylock(&counts_lock) != 0)
        return;
    if (window.target)
        from_here(counts_close);
    pthread_mutex_unlock(&counts_lock);
}

void counts_tick(void)
{
    static bool told;
    if (out_is_stuck())
        atomic_store(&alive, false);
    if (counts_allowed())
        prepare();
    else
        atomic_store(&counts_preparing, false);
    if (!counts_allowed() || settings.counters == RL_COUNT_NOT) {
        if (stretches_between()) { /* the program uses CUPTI itself, or counting has ended */
            stretches_forget();
            times_resume();
        }
        if (!told)
            out_counted();
        told = true;
        close_last();
        return;
    }
    if (pthread_mutex_trylock(&counts_lock) != 0)
        return;
    if (window.target && is_idle())
        from_here(counts_rest);
    if (!window.target) {
        look_again();
        stretches_tick(atomic_load(&counts_due));
    }
    pthread_mutex_unlock(&counts_lock);
}

/* Runs with counts_lock and without an open window, unless it is stuck; false: the thread that is counting takes too long. */
static bool close_soon(void)
{
    const struct timespec until = rl_deadline_in((long)(500 * MS));
    if (pthread_mutex_timedlock(&counts_lock, &until) != 0)
        return false;
    if (window.target)
        from_here(counts_close);
    return true;
}

/* Leaves an enabled profiler to the end of the process: disabling it could deadlock on a driver lock held by a thread that a signal
 * handler interrupted. */
void counts_end(void)
{
    if (settings.counters && close_soon())
        pthread_mutex_unlock(&counts_lock);
}

bool counts_give_way(void)
{
    if (!settings.counters)
        return true;
    if (!close_soon())
        return false;
    const bool free = !window.target && rest_targets();
    pthread_mutex_unlock(&counts_lock);
    return free;
}
