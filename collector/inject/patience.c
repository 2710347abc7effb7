/* patience.c - how long the GPU may take to become idle, by the classes in flight. */
#include "counts.h"
#include "times.h"

static const uint64_t UNKNOWN_NS = 20 * MS, MOST_MORE_NS = 300 * MS /* tolerated beyond the expected time */;

/* Launches that may not have ended yet. */
struct under_way {
    bool waits, steady;
    double left_ns, most_ns; /* expected: typical duration of the classes in flight; at most: their longest */
};

/* A launch that ended while the program waited gives the duration of others, until enough of them are timed. */
static bool is_steady(const struct class *class)
{
    return class_is_steady(class) || (class->proven && class->timed < LEAST_TIMED && wanted_own_ns(class));
}

static bool look(struct under_way *way)
{
    const double graphs_ns = (double)times_graph_lag();
    *way = (struct under_way){.steady = true, .left_ns = graphs_ns, .most_ns = 2 * graphs_ns};
    if (!hold())
        return false;
    for (size_t i = 0; i < class_count(); i++) {
        const struct class *class = class_at(i);
        const uint64_t pending = class_pending(class);
        if (!pending)
            continue;
        way->waits = way->waits || class->waits;
        way->steady = way->steady && is_steady(class);
        way->left_ns += (double)pending * (double)wanted_own_ns(class);
        way->most_ns += (double)pending * (double)class->max_ns;
    }
    let_go();
    return true;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

bool may_hold(uint64_t *drain_ns)
{
    struct under_way way;
    *drain_ns = REPLAY_PATIENCE_NS;
    if (!settings.times)
        return true; /* the durations of launches in flight are unknown */
    if (!look(&way))
        return false;
    const double unknown_ns = (double)UNKNOWN_NS + (budget_is_whole() ? way.most_ns : 0),
                 steady_ns = way.left_ns + least(way.left_ns + (double)UNKNOWN_NS, (double)MOST_MORE_NS);
    *drain_ns = (uint64_t)least(way.steady ? steady_ns : unknown_ns, (double)REPLAY_PATIENCE_NS);
    return !way.waits;
}

uint64_t time_to_quiet_ns(void)
{
    struct under_way way;
    if (!settings.times || !look(&way) || way.left_ns <= 0)
        return 0;
    times_deliver(false);
    return look(&way) ? (uint64_t)way.left_ns : 0;
}

uint64_t patience_for(const struct class *class)
{
    uint64_t most_ns = REPLAY_PATIENCE_NS;
    if (settings.times && hold()) {
        most_ns = 100 * MS + 50 * (class->timed ? class->max_ns : wanted_own_ns(class));
        let_go();
    }
    return most_ns < REPLAY_PATIENCE_NS ? most_ns : REPLAY_PATIENCE_NS;
}
