/* budget.c - how long the program may be delayed for counters, and totals of the delays.
 *
 * Counting comes first: preparation and counting may delay the program for RL_STREAM_ALLOWANCE_NS, enough for two windows with a
 * few launches of each class; beyond that for the share of the time since then that --budget sets. At 100 % or more the delay is
 * unlimited. A launch that the program waits for would have occupied the GPU anyway, so the program loses only the host work that
 * it would have done until its next launch or its next wait for the GPU; only that is charged. Recording launches costs time, too,
 * even if nothing is counted. In a program that spends its time launching, this is a delay, and stretches.c then records only some
 * of them. */
#include "counting.h"

enum { WHOLE = 100 }; /* percent */

static atomic_ullong began_ns;
/* Written under counts_lock, read without it by reporters. */
static atomic_ullong held, window_time;
/* Delays during which the GPU did the program's own work: unsettled, and since when; total; the part that was lost. */
static atomic_ullong owed, owed_since, settled, lost;
static atomic_bool begun, refused;
static atomic_ullong windows, unread_windows, counted, passed, skipped, not_idle, whole_graphs;

void budget_begin(void)
{
    unsigned long long none = 0;
    if (!atomic_load(&began_ns)) /* usually true, and saves a launch the look at the clock */
        (void)atomic_compare_exchange_strong(&began_ns, &none, now_ns());
}

static double elapsed_s(void)
{
    const uint64_t began = atomic_load(&began_ns);
    assume(!began || now_ns() >= began);
    return began ? (double)(now_ns() - began) * 1e-9 : 0;
}

uint64_t budget_since_begin_ns(void)
{
    return (uint64_t)(elapsed_s() * 1e9);
}

static uint64_t lost_of(uint64_t own_ns)
{
    const uint64_t since = atomic_load(&owed_since), now = now_ns(), worked_ns = now > since ? now - since : 0;
    return own_ns < worked_ns ? own_ns : worked_ns;
}

void budget_spend(uint64_t held_ns, uint64_t own_ns)
{
    const uint64_t own = own_ns < held_ns ? own_ns : held_ns;
    atomic_fetch_add(&held, held_ns - own);
    atomic_store(&owed_since, now_ns()); /* the program has done nothing that could settle the rest */
    atomic_fetch_add(&owed, own);
}

void budget_settle(void)
{
    if (!atomic_load(&owed))
        return;
    const uint64_t own_ns = atomic_exchange(&owed, 0), lost_ns = lost_of(own_ns);
    atomic_fetch_add(&held, lost_ns);
    atomic_fetch_add(&settled, own_ns);
    atomic_fetch_add(&lost, lost_ns);
}

double budget_lost_share(void)
{
    const double all = (double)atomic_load(&settled);
    return all > 0 ? (double)atomic_load(&lost) / all : 0;
}

static atomic_ullong recording_ns; /* cost of recording a launch beyond RL_STREAM_RECORDING_NS */

void budget_note_recording(double ns)
{
    const double more_ns = ns > RL_STREAM_RECORDING_NS ? ns - RL_STREAM_RECORDING_NS : 0;
    atomic_store(&recording_ns, ((unsigned long long)more_ns + atomic_load(&recording_ns)) / 2);
}

double budget_recording_ns(void)
{
    return RL_STREAM_RECORDING_NS + (double)atomic_load(&recording_ns);
}

bool budget_allows(uint64_t ns)
{
    const double recorded_ns = budget_recording_ns() * (double)(atomic_load(out_made()) - atomic_load(&skipped)),
                 percentage_ns = elapsed_s() * (double)settings.budget * 1e7;
    return (double)(atomic_load(&held) + lost_of(atomic_load(&owed)) + ns) + recorded_ns <= percentage_ns + RL_STREAM_ALLOWANCE_NS;
}

bool budget_has(uint64_t ns)
{
    atomic_store(&begun, true);
    if (!settings.times || budget_is_whole()) /* a run requested for counters, or an unlimited budget */
        return true;
    const bool has = budget_allows(ns);
    if (!has)
        atomic_store(&refused, true);
    return has;
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

void budget_note_window(uint64_t launches)
{
    atomic_fetch_add(launches ? &windows : &unread_windows, 1);
    atomic_fetch_add(&counted, launches);
}

void budget_note_passed(void)
{
    atomic_fetch_add(&passed, 1);
}

void budget_note_skipped(void)
{
    atomic_fetch_add(&skipped, 1);
}

struct budget_totals budget_totals(void)
{
    return (struct budget_totals){.held_ns = atomic_load(&held),
                                  .window_ns = atomic_load(&window_time),
                                  .windows = atomic_load(&windows),
                                  .unread_windows = atomic_load(&unread_windows),
                                  .counted = atomic_load(&counted),
                                  .passed = atomic_load(&passed),
                                  .skipped = atomic_load(&skipped),
                                  .not_idle = atomic_load(&not_idle),
                                  .whole_graphs = atomic_load(&whole_graphs),
                                  .begun = atomic_load(&begun),
                                  .refused = atomic_load(&refused)};
}
