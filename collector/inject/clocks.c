/* clocks.c - conversion to the clock of activity records (guest.h). */
#include "guest.h"

static int64_t shift_ns; /* offset from CLOCK_MONOTONIC to CUPTI's clock */
static bool is_known;
static atomic_bool kept;

/* Number of measurements, unless one takes no longer than the second constant: a measurement is inexact if the thread was
 * preempted. */
enum { MOST_LOOKS = 5, SOON_NS = 5000 };

void clocks_look(void)
{
    uint64_t least_ns = UINT64_MAX;
    for (int i = 0; i < MOST_LOOKS && !atomic_load(&kept) && least_ns > SOON_NS; i++) {
        uint64_t theirs = 0;
        const uint64_t before = now_ns();
        if (!rl_cupti.cuptiGetTimestamp || rl_cupti.cuptiGetTimestamp(&theirs) != CUPTI_SUCCESS)
            return;
        const uint64_t took_ns = now_ns() - before;
        if (took_ns >= least_ns)
            continue;
        least_ns = took_ns;
        shift_ns = (int64_t)(theirs - (before + took_ns / 2));
        is_known = true;
    }
}

void clocks_keep(void)
{
    atomic_store(&kept, true);
}

bool clocks_known(void)
{
    return is_known;
}

uint64_t clocks_theirs(uint64_t ns)
{
    return ns ? (uint64_t)((int64_t)ns + shift_ns) : 0;
}
