#include "analysis/compare.h"

#include <assert.h>

#include "core/mem.h"

enum {
    TURNS = 4,      /* of one order */
    FORESEEN = 100, /* sessions: more_samples is 0 where more would be needed (rl_change_of_sessions) */
};

bool rl_turn_is_new(uint64_t seed, size_t turn)
{
    static const bool orders[][TURNS] = {{false, true, true, false}, {true, false, false, true}};
    /* SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014): draw number `index`. */
    uint64_t index = turn / TURNS;
    uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return orders[(z ^ (z >> 31)) >> 63][turn % TURNS];
}

bool rl_turns_look(size_t sessions)
{
    if (sessions < RL_SESSIONS_ENOUGH)
        return false;
    while (sessions % 2 == 0 && sessions > RL_SESSIONS_ENOUGH + 1)
        sessions /= 2;
    return sessions == RL_SESSIONS_ENOUGH || sessions == RL_SESSIONS_ENOUGH + 1;
}

static bool is_open(const struct rl_pair *pair)
{
    return !pair->not_compared && pair->change.verdict == RL_UNDECIDED;
}

/* How many sessions an open kernel needs is estimated from the sessions so far, and doubled before it counts. */
static bool is_hopeless(const struct rl_comparison *comparison, const struct rl_pair *pair, size_t most)
{
    const size_t *sessions = comparison->rules.sessions, now = sessions[0] < sessions[1] ? sessions[0] : sessions[1];
    const struct rl_change *change = &pair->change;
    if (!is_open(pair) || change->doubt == RL_DOUBT_FEW)
        return false;
    if (change->doubt != RL_DOUBT_SESSIONS)
        return change->doubt == RL_DOUBT_NO_TIMES;
    return change->more_samples ? now + change->more_samples > 2 * most : 2 * most <= FORESEEN;
}

double rl_comparison_hopeless_share(const struct rl_comparison *comparison, size_t most)
{
    RL_FREED double *weights = rl_calloc(comparison->base.count, sizeof *weights);
    const double all = rl_compare_side_weigh(&comparison->base, weights);
    assert(most > 0);
    return RL_SUM(double, i, comparison->pair_count,
                  is_hopeless(comparison, &comparison->pairs[i], most) ? weights[comparison->pairs[i].base] : 0) /
           all;
}

double rl_comparison_open_share(const struct rl_comparison *comparison)
{
    RL_FREED double *weights = rl_calloc(comparison->base.count, sizeof *weights);
    const double all = rl_compare_side_weigh(&comparison->base, weights);
    double open = 0;
    bool compared = false;
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = &comparison->pairs[i];
        compared |= !pair->not_compared;
        if (is_open(pair))
            open += weights[pair->base];
    }
    assert(open <= all * (1 + 1e-9));
    return compared ? open / all : 1;
}
