/* stretches.c - recording launches in stretches.
 *
 * To record a launch takes CUPTI about a microsecond, which a program of many short kernels pays for each of them. Where that is
 * more than the budget allows, and nothing is left to be counted, kernels are recorded in stretches of a tenth of a second, between
 * gaps. In a gap launches are only counted, by class and range; their times are estimated from those of the stretches. A class
 * without a time ends the gap at once, and a program that launches graphs, or of which only some launches are wanted, has none:
 * what is in a graph is known from its records alone.
 *
 * A gap begins and ends when the GPU is quiet and no thread is launching, so that each launch is on one side. */
#include "counts.h"
#include "ranges.h"
#include "times.h"

static const uint64_t STRETCH_NS = 100 * MS;
enum { MOST_GAP = 9 }; /* stretches: a tenth of the time is recorded at least */

static atomic_bool between;
static uint64_t changed_ns, looked_ns, looked_made; /* under counts_lock */

bool stretches_between(void)
{
    return atomic_load(&between);
}

/* Nothing is launched, and all that was has ended. */
static bool is_quiet_everywhere(void)
{
    uint64_t drain_ns = 0;
    bool quiet = may_hold(&drain_ns);
    for (size_t i = 0; quiet && target_at(i); i++)
        quiet = target_at(i)->dead || quiet_within(&target_at(i)->quiet, target_at(i)->context, drain_ns);
    return quiet;
}

static bool change(bool gap)
{
    const uint64_t begin_ns = now_ns();
    if (!launch_lock_alone())
        return false;
    const bool quiet = is_quiet_everywhere();
    if (quiet) {
        if (gap)
            times_pause();
        else
            times_resume();
        atomic_store(&between, gap);
        changed_ns = now_ns();
    }
    launch_unlock_alone(true);
    budget_spend_held(now_ns() - begin_ns);
    return quiet;
}

bool stretches_resume(void)
{
    return !stretches_between() || change(false);
}

void stretches_forget(void)
{
    atomic_store(&between, false);
}

void stretches_tick(bool due)
{
    const uint64_t now = now_ns(), made = atomic_load(out_made()), span_ns = now - looked_ns;
    if (span_ns < STRETCH_NS || !settings.times || settings.budget <= 0 || budget_is_whole())
        return;
    const double recording_ns = RL_STREAM_RECORDING_NS * (double)(made - looked_made);
    const bool costly = 100 * recording_ns > (double)settings.budget * (double)span_ns, first = !looked_ns;
    looked_ns = now;
    looked_made = made;
    const uint64_t since_ns = now - changed_ns;
    if (stretches_between()) {
        if (due || since_ns >= MOST_GAP * STRETCH_NS || budget_allows((uint64_t)recording_ns))
            (void)change(false);
    } else if (!first && !due && costly && since_ns >= STRETCH_NS && !budget_allows(0) && !atomic_load(out_graphs()) &&
               !select_needs_launches()) {
        (void)change(true);
    }
}
