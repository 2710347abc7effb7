/* budget.c - how long the program may be held up for the sake of counters, and how long it may run while nothing is timed; what it
 * was, and what came of it.
 *
 * Both are the percentage of the time since the first launch that --budget names. A window costs a part of a second whatever it
 * counts, so that a program which has run for a while is held up for up to ALLOWANCE_NS beside that: its time is then at most that
 * of the percentage and one second, with all that happens before the first launch.
 *
 * Recording launches costs time, too, whatever is counted. Where launching is what a program's time goes into, that is time that it
 * has been held up for.
 *
 * While somebody else has the GPU's counters there is no time for ours. Who samples the GPU has them until they are asked for, and
 * does not get them back: they are asked for when there is room for windows under the whole default plan. */
#include "counting.h"

enum { WHOLE = 100 }; /* percent */
/* At 5 % the program has run for a second before anything is counted. */
static const double FIRST_S_PERCENT = 5;
static const uint64_t ALLOWANCE_NS = 400000000;
static const uint64_t PLAN_NS = 1000000000; /* two windows, 0.47 s each (H100) */

static atomic_ullong began_ns;
/* Written under counts_lock, read by whoever tells them. */
static atomic_ullong held, window_time;
static atomic_bool begun, refused, asked;
static atomic_ullong windows, unread_windows, counted, passed, not_idle, whole_graphs;

void budget_begin(void)
{
    unsigned long long none = 0;
    if (!atomic_load(&began_ns)) /* most often it has, and a launch costs no look at the clock */
        (void)atomic_compare_exchange_strong(&began_ns, &none, now_ns());
}

static double elapsed_s(void)
{
    const uint64_t began = atomic_load(&began_ns);
    assume(!began || now_ns() >= began);
    return began ? (double)(now_ns() - began) * 1e-9 : 0;
}

static double percentage_ns(void)
{
    return elapsed_s() * (double)settings.budget * 1e7;
}

static double recorded_ns(void)
{
    return RL_STREAM_RECORDING_NS * (double)atomic_load(out_made());
}

static bool has_room(uint64_t ns)
{
    const bool has = (double)(atomic_load(&held) + ns) + recorded_ns() <= percentage_ns() + (double)ALLOWANCE_NS;
    atomic_store(&begun, true);
    if (!has)
        atomic_store(&refused, true);
    return has;
}

/* Whether the counters are ours, or will be when they are asked for. */
static bool may_ask(void)
{
    return atomic_load(&asked) || budget_is_whole() || out_was_given() || has_room(PLAN_NS);
}

bool budget_has(uint64_t ns)
{
    if (!settings.times)
        return true; /* a run that was asked for to take counters */
    if (elapsed_s() * (double)settings.budget < FIRST_S_PERCENT || !may_ask())
        return false;
    atomic_store(&asked, true);
    return out_may_count() && has_room(ns);
}

bool budget_is_whole(void)
{
    return settings.budget >= WHOLE;
}

void budget_note_not_idle(void)
{
    atomic_fetch_add(&not_idle, 1);
}

void budget_spend_held(uint64_t ns)
{
    atomic_fetch_add(&held, ns);
}

void budget_note_whole_graph(void)
{
    atomic_fetch_add(&whole_graphs, 1);
}

void budget_spend_window(uint64_t ns)
{
    atomic_fetch_add(&window_time, ns);
}

uint64_t budget_window_left(void)
{
    const double left = percentage_ns() - (double)atomic_load(&window_time);
    return !settings.times ? UINT64_MAX : left > 0 ? (uint64_t)left : 0;
}

void budget_note_window(uint64_t launches)
{
    atomic_fetch_add(launches ? &windows : &unread_windows, 1);
    atomic_fetch_add(&counted, launches);
}

void budget_note_passed(void)
{
    atomic_fetch_add(&passed, 1);
}

struct budget_totals budget_totals(void)
{
    return (struct budget_totals){.held_ns = atomic_load(&held),
                                  .window_ns = atomic_load(&window_time),
                                  .windows = atomic_load(&windows),
                                  .unread_windows = atomic_load(&unread_windows),
                                  .counted = atomic_load(&counted),
                                  .passed = atomic_load(&passed),
                                  .not_idle = atomic_load(&not_idle),
                                  .whole_graphs = atomic_load(&whole_graphs),
                                  .begun = atomic_load(&begun),
                                  .refused = atomic_load(&refused)};
}
