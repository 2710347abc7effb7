#include "analysis/turns.h"

#include <assert.h>
#include <stdlib.h>

#include "core/mem.h"

enum { TURNS = 4 }; /* of one order */

/* SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014): draw number `index`. */
static uint64_t draw(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

bool rl_turn_is_new(uint64_t seed, size_t turn)
{
    static const bool orders[][TURNS] = {{false, true, true, false}, {true, false, false, true}};
    return orders[draw(seed, turn / TURNS) >> 63][turn % TURNS];
}

bool rl_turns_look(size_t sessions)
{
    if (sessions < RL_SESSIONS_ENOUGH)
        return false;
    while (sessions % 2 == 0 && sessions > RL_SESSIONS_ENOUGH + 1)
        sessions /= 2;
    return sessions == RL_SESSIONS_ENOUGH || sessions == RL_SESSIONS_ENOUGH + 1;
}

double rl_comparison_open_share(const struct rl_comparison *comparison)
{
    double *weights = rl_calloc(comparison->base.count, sizeof *weights);
    const double all = rl_compare_side_weigh(&comparison->base, weights);
    double open = 0;
    bool compared = false;
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = &comparison->pairs[i];
        compared |= !pair->not_compared;
        if (!pair->not_compared && pair->change.verdict == RL_UNDECIDED)
            open += weights[pair->base];
    }
    free(weights);
    assert(open <= all * (1 + 1e-9));
    return compared ? open / all : 1;
}
