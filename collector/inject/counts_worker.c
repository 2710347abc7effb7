/* counts_worker.c - counters: what the worker does, beside the program (counts.c). */
#include "counts.h"
#include "leave.h"
#include "times.h"

static const uint64_t IDLE_NS = 20 * MS;

/* With the context that the window belongs to; CUPTI may ask for it. */
static void close_from_here(void)
{
    assume(window.target);
    CUresult (*push)(CUcontext) = DRIVER(cuCtxPushCurrent_v2);
    CUresult (*pop)(CUcontext *) = DRIVER(cuCtxPopCurrent_v2);
    CUcontext ours = NULL;
    if (!push || !pop || push(window.target->context) != CUDA_SUCCESS)
        return;
    counts_close();
    (void)pop(&ours);
}

static void look_again(void)
{
    assume(!window.target);
    static uint64_t next_ns;
    const uint64_t begin_ns = now_ns();
    if (begin_ns < next_ns)
        return;
    if (settings.times)
        times_deliver(false);
    const bool wants = wanted_look();
    if (wants && !atomic_load(&counts_due))
        atomic_store(&counts_due_ns, begin_ns);
    atomic_store(&counts_due, !settings.times ||
                                  (wants && budget_has(HOLD_COST_NS))); /* a run that was asked for may end before the next look */
    const uint64_t took_ns = now_ns() - begin_ns;
    next_ns = now_ns() + (20 * took_ns > LOOK_NS ? 20 * took_ns : LOOK_NS);
}

static struct target *unplanned(void)
{
    for (size_t i = 0; target_at(i); i++)
        if (target_at(i)->open && !target_at(i)->ready && !target_at(i)->dead)
            return target_at(i);
    return NULL;
}

/* What takes long and needs nothing of the program. */
static void prepare_beside(void)
{
    struct rl_err err = RL_ERR_INIT;
    if (!atomic_load(&counts_due))
        return;
    if (!atomic_load(&counts_host_loaded)) { /* the process may end meanwhile */
        settle_first();
        rl_cupti_load_host();
        settle_first();
        atomic_store(&counts_host_loaded, true);
    }
    if (atomic_load(&leaving) || pthread_mutex_trylock(&counts_lock) != 0)
        return;
    struct target *target = unplanned();
    if (target)
        target->planning = true;
    pthread_mutex_unlock(&counts_lock);
    if (!target)
        return;
    const enum rl_status status = target_plan(target, &err);
    if (!take_mutex(&counts_lock))
        return;
    target->planning = false;
    if (target->dead) /* its context is gone */
        rl_range_close(&target->profiler);
    target_settle(target, status, &err);
    (void)wanted_look();
    pthread_mutex_unlock(&counts_lock);
}

void counts_tick(void)
{
    if (out_is_stuck())
        atomic_store(&alive, false);
    if (counts_allowed() && settings.counters && settings.times) {
        settle_waits_for(true);
        prepare_beside();
        settle_waits_for(false);
    }
    if (!counts_allowed() || pthread_mutex_trylock(&counts_lock) != 0)
        return;
    if (window.target && (window.stuck || now_ns() - window.launched_ns > IDLE_NS))
        close_from_here();
    if (!window.target)
        look_again();
    pthread_mutex_unlock(&counts_lock);
}

/* Whoever is counting is soon done. */
void counts_end(void)
{
    const struct timespec until = rl_deadline_in((long)(500 * MS));
    if (!settings.counters || pthread_mutex_timedlock(&counts_lock, &until) != 0)
        return;
    if (window.target)
        close_from_here();
    pthread_mutex_unlock(&counts_lock);
}
