/* stretches.c - recording launches in stretches.
 *
 * Recording a launch takes some microseconds, of the host or between kernels of the GPU, which adds up in a program of many short
 * kernels. If that exceeds the budget and nothing is left to be counted, kernels are recorded in stretches of a tenth of a second
 * with gaps between them; a program that launches fast has one gap at first, which measures the cost of recording. In a gap
 * launches are only tallied, by class and range; their times are estimated from those of the stretches. A class without a time ends
 * the gap at once. Programs that launch graphs, or of which only some launches are selected, have no gaps: the kernels of a graph
 * are known from its records only.
 *
 * A gap begins and ends while the GPU is idle and no thread is launching, so that each launch is on one side. */
#include "counts.h"
#include "ranges.h"
#include "times.h"

static const uint64_t STRETCH_NS = 100 * MS;
static const uint64_t KEPT_NS = 300 * MS; /* part of the budget that recording leaves to the counters of kernels that come late */
enum {
    MOST_GAP = 9,  /* stretches: at least a tenth of the time is recorded */
    ENOUGH = 2000, /* launches in a stretch or a gap required to compare their rates */
    MOST_COST_NS = 8000
};

static atomic_bool between;
/* Under counts_lock: when the stretch or the gap began, and how many launches had been made; the same of the last look. */
static uint64_t changed_ns, changed_made, looked_ns, looked_made;
static double interval_ns[2]; /* time from one launch to the next, in the last stretch and the last gap; 0: unknown */

bool stretches_between(void)
{
    return atomic_load(&between);
}

/* Nothing is being launched, and all earlier launches have ended. */
static bool is_quiet_everywhere(void)
{
    uint64_t drain_ns = 0;
    bool quiet = may_hold(&drain_ns);
    for (size_t i = 0; quiet && target_at(i); i++)
        quiet = target_at(i)->dead || quiet_within(&target_at(i)->quiet, target_at(i)->context, drain_ns);
    return quiet;
}

/* A stretch or a gap has ended: the difference of the launch rates is the cost of recording, on the host or on the GPU. */
static void compare_rates(uint64_t now)
{
    const uint64_t launches = atomic_load(out_made()) - changed_made;
    interval_ns[stretches_between()] = launches >= ENOUGH ? (double)(now - changed_ns) / (double)launches : 0;
    const double more_ns = interval_ns[0] - interval_ns[1];
    if (interval_ns[0] > 0 && interval_ns[1] > 0)
        budget_note_recording(more_ns < MOST_COST_NS ? more_ns : MOST_COST_NS);
}

static bool change(bool gap)
{
    const uint64_t begin_ns = now_ns();
    if (!launch_lock_alone())
        return false;
    const bool quiet = is_quiet_everywhere();
    const uint64_t drained_ns = now_ns() - begin_ns; /* the GPU does what it would have done anyway */
    if (quiet) {
        compare_rates(begin_ns);
        if (gap)
            times_pause();
        else
            times_resume();
        atomic_store(&between, gap);
        changed_ns = now_ns();
        changed_made = atomic_load(out_made());
    }
    launch_unlock_alone(true);
    budget_spend(now_ns() - begin_ns, drained_ns);
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
    const double recording_ns = budget_recording_ns() * (double)(made - looked_made);
    const bool costly = 100 * recording_ns > (double)settings.budget * (double)span_ns, first = !looked_ns,
               unknown = !interval_ns[1] && made - looked_made >= ENOUGH;
    looked_ns = now;
    looked_made = made;
    const uint64_t since_ns = now - changed_ns;
    if (stretches_between()) {
        if (due || since_ns >= MOST_GAP * STRETCH_NS || budget_allows(KEPT_NS + (uint64_t)recording_ns))
            (void)change(false);
    } else if (!first && !due && (unknown || (costly && !budget_allows(KEPT_NS))) && since_ns >= STRETCH_NS &&
               !atomic_load(out_graphs()) && !select_needs_launches()) {
        (void)change(true);
    }
}
