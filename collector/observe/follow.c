/* follow.c - when a window of samples is opened (follow.h). */
#include "follow.h"

#include <assert.h>

static const int64_t MS = 1000000;
/* A launch starts within microseconds where the GPU is idle, and later where it is not; then it is under way. */
static const int64_t RECENT_NS = 5 * MS, WANTED_NS = 100 * MS;
/* Records of launches that have ended come so late at most: what is still under way then does run. */
static const int64_t TOLD_NS = 150 * MS;
/* Without a launch for so long a window ends early. Launches are heard of every other millisecond; to decode a millisecond without
 * any takes several, in which nothing is sampled. After a longer time another burst begins, so that none is missed for ever. The
 * first window is of what a program makes ready with, and the sooner over the better. */
static const int64_t OVER_NS = 6 * MS, FIRST_OVER_NS = 3 * MS;
/* Bursts of up to SHORT_NS are worth a window before they begin, if they begin as late or early as LEAST_OFF_NS, or a tenth of the
 * period; to open one takes LEAD_NS. */
static const int64_t SHORT_NS = 20 * MS, LEAST_OFF_NS = 3 * MS, MOST_OFF_NS = 15 * MS, LEAD_NS = 5 * MS;
enum { OFF_PART = 10, FIRST_PART = 4 };
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

void rl_follow_hear(struct rl_follow_rhythm *rhythm, int64_t now_ns)
{
    assert(now_ns > 0 && now_ns >= rhythm->last_ns);
    if (!rhythm->begun_ns || now_ns - rhythm->last_ns >= OVER_NS) {
        const int64_t period_ns = rhythm->begun_ns ? now_ns - rhythm->begun_ns : 0, off_ns = period_ns - rhythm->period_ns;
        rhythm->off_ns = off_ns < 0 ? -off_ns : off_ns;
        rhythm->short_ns = rhythm->last_ns - rhythm->begun_ns;
        rhythm->period_ns = period_ns;
        rhythm->begun_ns = now_ns;
    }
    rhythm->last_ns = now_ns;
}

bool rl_follow_expects(const struct rl_follow_rhythm *rhythm, int64_t now_ns)
{
    const int64_t part_ns = rhythm->period_ns / OFF_PART, bound_ns = part_ns > MOST_OFF_NS ? MOST_OFF_NS : part_ns;
    const int64_t most_ns = bound_ns > LEAST_OFF_NS ? bound_ns : LEAST_OFF_NS, due_ns = rhythm->begun_ns + rhythm->period_ns;
    const bool steady = rhythm->period_ns > 0 && rhythm->off_ns <= most_ns && rhythm->short_ns <= SHORT_NS;
    return steady && now_ns >= due_ns - rhythm->off_ns - LEAD_NS && now_ns <= due_ns + rhythm->off_ns;
}

bool rl_follow_is_over(const struct rl_follow_seen *seen, int64_t opened_ns)
{
    const int64_t since_ns = seen->launched_ns > opened_ns ? seen->launched_ns : opened_ns;
    const bool lasts = seen->under_way && seen->now_ns - seen->launched_ns >= TOLD_NS;
    const bool awaited = seen->expected && seen->launched_ns < opened_ns;
    return !lasts && !awaited && seen->now_ns - since_ns >= (seen->window_ns ? OVER_NS : FIRST_OVER_NS);
}

size_t rl_follow_length(size_t n, size_t window)
{
    const size_t length = n < FIRST_PART ? window / FIRST_PART * (n + 1) : window;
    assert(length > 0);
    return length;
}

/* A kernel runs, or will before a window is open. */
static bool is_moment(const struct rl_follow_seen *seen)
{
    return is_within(seen, seen->launched_ns, RECENT_NS) || runs_still(seen) || seen->expected;
}

/* For classes with few samples. */
static bool is_wanted(const struct rl_follow_seen *seen)
{
    const bool of_burst = seen->expected && seen->wanted_ns && seen->wanted_ns >= seen->burst_ns;
    return !seen->window_ns || of_burst || is_within(seen, seen->wanted_ns, WANTED_NS);
}

struct rl_follow_choice rl_follow_choose(const struct rl_follow_seen *seen)
{
    assert(seen->window > 0 && seen->now_ns >= seen->launched_ns);
    const bool wanted = is_wanted(seen);
    const int64_t reserve_ns = wanted ? 0 : (int64_t)seen->cost_ns < MOST_CREDIT_NS ? (int64_t)seen->cost_ns : MOST_CREDIT_NS;
    const int64_t spread_ns = (int64_t)(SPREAD_PART * (double)(seen->now_ns - seen->first_ns));
    if (seen->room < seen->window)
        return (struct rl_follow_choice){RL_FOLLOW_FULL, (uint64_t)NEVER_NS};
    if (!is_moment(seen))
        return wait_for(RL_FOLLOW_IDLE, LOOK_NS);
    if (seen->credit_ns < reserve_ns)
        return wait_for(RL_FOLLOW_PURSE, (int64_t)((double)(reserve_ns - seen->credit_ns) / RL_FOLLOW_PART));
    if (!wanted && seen->now_ns - seen->window_ns < spread_ns)
        return wait_for(RL_FOLLOW_SPREAD, seen->window_ns + spread_ns - seen->now_ns);
    return (struct rl_follow_choice){RL_FOLLOW_OPEN, 0};
}
