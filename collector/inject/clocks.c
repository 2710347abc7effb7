/* clocks.c - our clock and that of activities (clocks.h). */
#include "clocks.h"

#include "inject.h"

static int64_t shift_ns; /* from CLOCK_MONOTONIC to CUPTI's clock */
static bool is_known;

void clocks_look(void)
{
    uint64_t theirs = 0;
    const uint64_t before = now_ns();
    if (!rl_cupti.cuptiGetTimestamp || rl_cupti.cuptiGetTimestamp(&theirs) != CUPTI_SUCCESS)
        return;
    shift_ns = (int64_t)(theirs - (before + (now_ns() - before) / 2));
    is_known = true;
}

bool clocks_known(void)
{
    return is_known;
}

uint64_t clocks_theirs(uint64_t ns)
{
    return ns ? (uint64_t)((int64_t)ns + shift_ns) : 0;
}
