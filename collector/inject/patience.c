/* patience.c - how long it may take until the GPU is quiet, by the classes that are under way. */
#include "inject.h"

enum { WHOLE = 100 /* percent: counters at any price */ };
static const uint64_t MS = 1000000, MOST_PATIENCE_NS = 300 * MS;

bool may_hold(uint64_t *drain_ns)
{
    bool waits = false, steady = true;
    double left_ns = 0;
    *drain_ns = REPLAY_PATIENCE_NS;
    if (!settings.times)
        return true; /* nothing is known of what is under way */
    if (!hold())
        return false;
    for (size_t i = 0; i < class_count(); i++) {
        const struct class *class = class_at(i);
        const uint64_t pending = class_pending(class);
        if (!pending)
            continue;
        waits = waits || class->waits;
        steady = steady && class_is_steady(class);
        left_ns += (double)pending * class->mean_ns;
    }
    let_go();
    const double most_ns = steady ? 2 * left_ns + 20e6 : 20e6;
    const uint64_t patience_ns = settings.budget >= WHOLE ? REPLAY_PATIENCE_NS : MOST_PATIENCE_NS;
    *drain_ns = most_ns < (double)patience_ns ? (uint64_t)most_ns : patience_ns;
    return !waits;
}

uint64_t patience_for(const struct class *class)
{
    uint64_t most_ns = REPLAY_PATIENCE_NS;
    if (settings.times && hold()) {
        most_ns = 100 * MS + 50 * (class->timed ? class->max_ns : 0);
        let_go();
    }
    return most_ns < REPLAY_PATIENCE_NS ? most_ns : REPLAY_PATIENCE_NS;
}
