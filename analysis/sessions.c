#include "analysis/sessions.h"

#include <assert.h>
#include <math.h>

#include "analysis/robust.h"
#include "verdict_internal.h"

/* ---- one side ---- */

/* What the sessions of one side say of a kernel. */
struct side {
    size_t sessions, samples;
    double mean;      /* of ln(median) */
    double squares;   /* sum of the squared distances from it */
    double within;    /* sum of the variances of the medians, as their samples tell them */
    double step_s;    /* of the coarsest clock */
    double clock;     /* mean of the SM clocks; NAN: not known of all */
    double low, high; /* least and greatest median */
    size_t least;     /* samples for an interval */
};

/* Variance of ln(median) by its interval of 95 %; 0 without one. */
static double variance_of(const struct rl_median *median)
{
    const double sigmas = 2 * 1.959964;
    if (!median->has_interval || median->low <= 0)
        return 0;
    const double width = log(median->high / median->low) / sigmas;
    return width * width;
}

static void add_session(struct side *side, const struct rl_times *times)
{
    const struct rl_median median = rl_median_of(times->seconds, times->n, 0.95);
    if (times->n == 0 || median.median <= 0)
        return;
    const double y = log(median.median), before = y - side->mean;
    side->low = side->sessions ? fmin(side->low, median.median) : median.median;
    side->high = fmax(side->high, median.median);
    side->sessions++;
    side->samples += times->n;
    side->mean += before / (double)side->sessions;
    side->squares += before * (y - side->mean);
    side->within += variance_of(&median);
    side->step_s = fmax(side->step_s, times->resolution_s);
    const double clock = rl_present(times->sm_clock_hz) && times->sm_clock_hz.v > 0 ? times->sm_clock_hz.v : NAN;
    side->clock += (clock - side->clock) / (double)side->sessions;
    side->least = median.least;
}

static struct side side_of(const struct rl_sessions *sessions)
{
    struct side side = {0};
    for (size_t i = 0; i < sessions->count; i++)
        add_session(&side, &sessions->times[i]);
    return side;
}

/* ---- scatter ---- */

static struct rl_scatter spread_of(const struct side *base, const struct side *new)
{
    const size_t sessions = base->sessions + new->sessions, means = (base->sessions > 0) + (new->sessions > 0);
    struct rl_scatter spread = {.freedom = (double)(sessions - means)};
    if (spread.freedom > 0)
        spread.variance = (base->squares + new->squares) / spread.freedom;
    if (sessions)
        spread.length_s = exp(base->sessions ? base->mean : new->mean);
    return spread;
}

struct rl_scatter rl_sessions_scatter(const struct rl_sessions *base, const struct rl_sessions *new)
{
    const struct side a = side_of(base), b = side_of(new);
    return spread_of(&a, &b);
}

/* ---- the verdict ---- */

static struct rl_median median_of(const struct side *side)
{
    return (struct rl_median){.n = side->samples,
                              .median = exp(side->mean),
                              .dependence = 1,
                              .has_interval = true,
                              .low = side->low,
                              .high = side->high,
                              .least = side->least};
}

double rl_look_share(size_t look)
{
    return look ? (double)look * (double)(look + 1) : 1;
}

/* Of how many ways to share the sessions out to both sides the one at hand is one; large numbers are cut off. */
static double ways_to_share(size_t base, size_t new)
{
    double ways = 1;
    for (size_t i = 1; i <= base && ways < 1e9; i++)
        ways *= (double)(new + i) / (double)i;
    return ways;
}

double rl_sessions_confidence(size_t base, size_t new)
{
    return ways_to_share(base, new) >= RL_SESSIONS_WAYS ? RL_SESSIONS_CONFIDENCE : RL_FEW_SESSIONS_CONFIDENCE;
}

/* What the interval is made from: variance between sessions of one side, and how well it is known. */
static struct rl_scatter scatter_of(const struct side *base, const struct side *new, const struct rl_like *like)
{
    const struct rl_scatter own = spread_of(base, new);
    const double sessions = (double)(base->sessions + new->sessions), floor = RL_SESSION_FLOOR * RL_SESSION_FLOOR;
    struct rl_scatter scatter = own;
    if (ways_to_share(base->sessions, new->sessions) >= RL_SESSIONS_WAYS) {
        scatter.freedom = own.freedom + like->prior_freedom;
        scatter.variance = (own.freedom * own.variance + like->prior_freedom * like->prior) / scatter.freedom;
    } else {
        scatter.freedom = fmax(like->freedom, own.freedom);
        scatter.variance = fmax(own.variance, like->variance);
    }
    scatter.variance = fmax(scatter.variance, fmax((base->within + new->within) / sessions, floor));
    return scatter;
}

/* Half of the width of the interval of ln(ratio), without the clocks' steps. */
static double reach_of(const struct side *base, const struct side *new, const struct rl_like *like,
                       const struct rl_verdict_rules *rules)
{
    const struct rl_scatter scatter = scatter_of(base, new, like);
    const double shares = (double)rules->comparisons * rl_look_share(rules->look);
    const double confidence = rl_sessions_confidence(base->sessions, new->sessions);
    const double limit = rl_robust_limit(1 - confidence, shares, scatter.freedom);
    return log1p(rules->session_effect) + limit * sqrt(scatter.variance * (1 / (double)base->sessions + 1 / (double)new->sessions));
}

static struct rl_ratio ratio_of(const struct side *base, const struct side *new, double reach)
{
    const double estimate = exp(new->mean - base->mean);
    const double steps = base->step_s / 2 / exp(base->mean) + new->step_s / 2 / exp(new->mean);
    return (struct rl_ratio){.present = true,
                             .has_interval = true,
                             .estimate = estimate,
                             .low = estimate * exp(-reach - steps),
                             .high = estimate * exp(reach + steps)};
}

/* More sessions shrink the part of the interval that is theirs with their square root; the clock's step stays. */
static void count_more(struct rl_change *change, const struct side *base, const struct side *new, double reach,
                       const struct rl_verdict_rules *rules)
{
    const double room = rl_change_room(change, rules) - (log(change->time.high / change->time.low) / 2 - reach);
    const size_t n = base->sessions < new->sessions ? base->sessions : new->sessions;
    const double wanted = (double)n * pow(reach / room, 2);
    change->doubt = RL_DOUBT_SESSIONS;
    if (room > 0 && wanted < RL_MOST_SESSIONS_TOLD)
        change->more_samples = wanted > (double)n + 1 ? (size_t)ceil(wanted) - n : 1;
}

struct rl_change rl_change_of_sessions(const struct rl_sessions *base, const struct rl_sessions *new, const struct rl_like *like,
                                       const struct rl_verdict_rules *rules)
{
    assert(rules->comparisons > 0 && rules->smallest_effect > 0 && rules->smallest_effect < 1 && rules->margin > 0);
    const struct side a = side_of(base), b = side_of(new);
    struct rl_change change = {.verdict = RL_UNDECIDED, .clock = rl_value_missing(RL_NOT_COLLECTED, "no clock")};
    if (a.sessions == 0 || b.sessions == 0) {
        change.doubt = RL_DOUBT_NO_TIMES;
        change.base.n = a.samples;
        change.new.n = b.samples;
        return change;
    }
    change.base = median_of(&a);
    change.new = median_of(&b);
    if (!isnan(a.clock) && !isnan(b.clock))
        change.clock = rl_value_of(b.clock / a.clock);
    const bool known = like->freedom > 0;
    const double reach = known ? reach_of(&a, &b, like, rules) : 0;
    change.time = ratio_of(&a, &b, reach);
    change.time.has_interval = known;
    if (!known) {
        change.doubt = RL_DOUBT_FEW;
        return change;
    }
    rl_change_judge(&change, rules);
    if (change.verdict == RL_UNDECIDED && change.doubt == RL_DOUBT_NONE)
        count_more(&change, &a, &b, reach, rules);
    return change;
}
