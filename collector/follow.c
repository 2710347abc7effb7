/* follow.c - when a window of samples is opened (follow.h). */
#include "follow.h"

#include <assert.h>

static const int64_t MS = 1000000;
/* A launch starts within microseconds where the GPU is idle, and later where it is not; then it is under way. */
static const int64_t RECENT_NS = 5 * MS, WANTED_NS = 100 * MS;
/* Records of launches that have ended come so late at most: what is still under way then does run. */
static const int64_t TOLD_NS = 150 * MS;
static const int64_t LOOK_NS = 1 * MS, LATER_NS = 10 * MS, NEVER_NS = 1000 * MS;
static const int64_t MOST_CREDIT_NS = 500 * MS;
/* Where nothing is wanted, pauses are this part of the time since the first launch: windows grow with its logarithm. */
static const double SPREAD_PART = 0.01;

void rl_follow_earn(struct rl_follow_purse *purse, int64_t now_ns)
{
    assert(now_ns >= purse->at_ns);
    const int64_t credit_ns = purse->credit_ns + (int64_t)(RL_FOLLOW_PART * (double)(now_ns - purse->at_ns));
    *purse = (struct rl_follow_purse){now_ns, credit_ns < MOST_CREDIT_NS ? credit_ns : MOST_CREDIT_NS};
}

void rl_follow_spend(struct rl_follow_purse *purse, uint64_t worked_ns)
{
    purse->credit_ns -= (int64_t)worked_ns;
}

static bool is_within(const struct rl_follow_seen *seen, int64_t since_ns, int64_t within_ns)
{
    return since_ns && seen->now_ns - since_ns <= within_ns;
}

static struct rl_follow_choice wait_for(enum rl_follow choice, int64_t ns)
{
    const int64_t wait_ns = ns < LOOK_NS ? LOOK_NS : ns > LATER_NS ? LATER_NS : ns;
    return (struct rl_follow_choice){choice, (uint64_t)wait_ns};
}

/* Launches that are under way have perhaps ended: right after a window that began when they were made they mostly have. */
static bool runs_still(const struct rl_follow_seen *seen)
{
    const int64_t since_ns = seen->launched_ns > seen->window_ns ? seen->launched_ns : seen->window_ns;
    return seen->under_way && (seen->launched_ns > seen->window_ns || seen->now_ns - since_ns >= TOLD_NS);
}

struct rl_follow_choice rl_follow_choose(const struct rl_follow_seen *seen)
{
    assert(seen->window > 0 && seen->now_ns >= seen->launched_ns);
    const bool runs = is_within(seen, seen->launched_ns, RECENT_NS) || runs_still(seen);
    const bool wanted = !seen->window_ns || is_within(seen, seen->wanted_ns, WANTED_NS);
    const int64_t reserve_ns = wanted ? 0 : (int64_t)seen->cost_ns < MOST_CREDIT_NS ? (int64_t)seen->cost_ns : MOST_CREDIT_NS;
    const int64_t spread_ns = (int64_t)(SPREAD_PART * (double)(seen->now_ns - seen->first_ns));
    if (seen->room < seen->window)
        return (struct rl_follow_choice){RL_FOLLOW_FULL, (uint64_t)NEVER_NS};
    if (!runs)
        return wait_for(RL_FOLLOW_IDLE, LOOK_NS);
    if (seen->credit_ns < reserve_ns)
        return wait_for(RL_FOLLOW_PURSE, (int64_t)((double)(reserve_ns - seen->credit_ns) / RL_FOLLOW_PART));
    if (!wanted && seen->now_ns - seen->window_ns < spread_ns)
        return wait_for(RL_FOLLOW_SPREAD, seen->window_ns + spread_ns - seen->now_ns);
    return (struct rl_follow_choice){RL_FOLLOW_OPEN, 0};
}
