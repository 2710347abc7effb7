/* waits.c - when the program waited for us (waits.h). */
#include "waits.h"

#include "clocks.h"
#include "inject.h"

static struct {
    atomic_ullong from_ns, to_ns; /* 0: not yet; to: not yet over */
} waits[WAITS];

void waits_begin(enum wait which, uint64_t ns)
{
    atomic_store(&waits[which].from_ns, ns);
}

void waits_end(enum wait which, uint64_t ns)
{
    atomic_store(&waits[which].to_ns, ns);
}

uint64_t waits_lasted(enum wait which)
{
    const uint64_t to_ns = atomic_load(&waits[which].to_ns);
    return to_ns ? to_ns - atomic_load(&waits[which].from_ns) : 0;
}

bool waits_first_in(struct stretch in, struct stretch *wait)
{
    bool found = false;
    for (int i = 0; i < WAITS; i++) {
        struct stretch is = {clocks_theirs(atomic_load(&waits[i].from_ns)), clocks_theirs(atomic_load(&waits[i].to_ns))};
        if (!is.from_ns)
            continue;
        is.from_ns = is.from_ns > in.from_ns ? is.from_ns : in.from_ns;
        is.to_ns = is.to_ns && is.to_ns < in.to_ns ? is.to_ns : in.to_ns;
        if (is.from_ns >= is.to_ns || (found && is.from_ns >= wait->from_ns))
            continue;
        *wait = is;
        found = true;
    }
    return found;
}

uint64_t waits_in(struct stretch in)
{
    uint64_t ns = 0;
    for (struct stretch wait; waits_first_in(in, &wait); in.from_ns = wait.to_ns)
        ns += wait.to_ns - wait.from_ns;
    return ns;
}
