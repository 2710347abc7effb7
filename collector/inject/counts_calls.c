/* counts_calls.c - counters: collective kernels, destroyed contexts, kernels not launched one by one (counts.c). */
#include "counts.h"

void counts_collective(const struct launch *launch)
{
    if (!counts_allowed() || !take_mutex(&counts_lock))
        return;
    struct target *target = target_of(launch);
    if (target)
        collectives_note(&target->collectives, launch->stream);
    pthread_mutex_unlock(&counts_lock);
}

void counts_forget_context(CUcontext context)
{
    if (!settings.counters)
        return;
    counts_close_for(context);
    if (!take_mutex(&counts_lock))
        return;
    for (size_t i = 0; target_at(i); i++) {
        struct target *target = target_at(i);
        if (target->context != context)
            continue;
        if (window.target != target && !target->planning)
            rl_range_close(&target->profiler);
        target->context = NULL;
        target->dead = true;
    }
    pthread_mutex_unlock(&counts_lock);
}

/* In the mode of the settings; under counts_lock. */
static bool wants_counters(const struct target *target, const struct class *class)
{
    if (!wanted_at_all(class) || (target && target->dead))
        return false;
    if (settings.counters == RL_COUNT_KERNEL_REPLAY)
        return class->counted[0] < settings.samples;
    if (!target || !target->ready)
        return true;
    for (size_t c = 0; c < target->plan.count; c++)
        if (wanted_still(target, class, c))
            return true;
    return false;
}

bool counts_want(CUcontext context, const struct class *class)
{
    if (class->excluded || class->collective || class->waits || counts_is_past(class))
        return false;
    if (counts_may_prove(class))
        return true;
    if (settings.counters == RL_COUNT_NOT || pthread_mutex_trylock(&counts_lock) != 0)
        return false;
    const struct target *target = NULL;
    for (size_t i = 0; !target && target_at(i); i++)
        target = target_at(i)->context == context ? target_at(i) : NULL;
    const bool wants = wants_counters(target, class);
    pthread_mutex_unlock(&counts_lock);
    return wants;
}

void counts_spend(uint64_t ns)
{
    if (!take_mutex(&counts_lock))
        return;
    budget_spend_held(ns);
    pthread_mutex_unlock(&counts_lock);
}
