/* origins.c - where each launch was made. The callback around the launch notes it, the activity record, which comes later, finds it
 * by the correlation id. Ids count up, and a record comes long before RING further calls have been made, so a ring is enough: what
 * does not fit any more counts as launched outside of all ranges. */
#include "inject.h"

enum { RING = 1 << 18, RANGE_BITS = 30 };

/* Correlation in the upper half, below it the range and one, selected, counted: written and read at once. */
static atomic_ullong origins[RING];
atomic_ullong launches_untimed;

_Static_assert(MOST_RANGES < 1 << RANGE_BITS, "a range fits");

void origin_note(uint32_t correlation, struct origin origin)
{
    assume(origin.range >= RL_STREAM_NO_RANGE && origin.range < MOST_RANGES);
    const unsigned long long place = (unsigned long long)correlation << 32 | (unsigned long long)(origin.range + 1) << 2 |
                                     (unsigned)origin.selected << 1 | origin.counted;
    atomic_store(&origins[correlation % RING], place);
}

bool origin_find(uint32_t correlation, struct origin *origin)
{
    const unsigned long long place = atomic_load(&origins[correlation % RING]);
    if (!correlation || place >> 32 != correlation)
        return false;
    *origin = (struct origin){(int32_t)(place >> 2 & ((1u << RANGE_BITS) - 1)) - 1, place >> 1 & 1, place & 1};
    return true;
}
