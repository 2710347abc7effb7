/* session_blocks.h - sessions of one kernel by stretches of measuring, blocks: one host, one card, one day (private to analysis/).
 *
 * Sessions of a block share more than sessions of two blocks do: the card's chip, the host's clocks, the temperature of the room.
 *
 *   one block, or all of them on both sides    what they share cancels. With n and m sessions of a block on either side and d the
 *                  difference of their mean ln(median), the estimate is the mean of the d, weighted by n m / (n + m); what scatters
 * are sessions around the level of their block and side, and the d around the estimate. (Two-way layout without interaction:
 * Searle, Casella and McCulloch, Variance Components, 1992, ch. 4. With one block it is the difference of two means.) some on one
 * side only, more than two       blocks are what is counted: each by the mean of its sessions. What scatters are these means, which
 * have all levels below in them (Kalibera and Jones, ISMM 2013). one on each side, and not the same         what blocks differ is
 * unknown: they are taken for one, and that is said
 */
#ifndef RL_ANALYSIS_SESSION_BLOCKS_H
#define RL_ANALYSIS_SESSION_BLOCKS_H

#include "analysis/sessions.h"

struct rl_session_blocks {
    enum rl_design design;
    double difference; /* of ln(median), new minus base */
    double squares;    /* sum of the squared distances of what scatters, */
    double freedom;    /* which has this freedom; its mean square over `weight` is the variance of `difference` */
    double weight;
    double within;     /* that mean square by the samples; it is not less */
    double ways;       /* of how many ways to share sessions, or blocks, out to both sides this is one; cut off at 1e9 or more */
    size_t counted[2]; /* sessions, or blocks, on each side */
    double trend;      /* the part of `difference` that a steady drift makes, as sessions of one side drift from turn to turn */
    double rank_level; /* two-sided level of the rank-sum test of Wilcoxon, Mann and Whitney, by blocks (van Elteren 1960): how
                        * often sides that chance divided would lie so far apart, whatever sessions depend on. 1 where blocks are
                        * counted */
};

/* Of how many ways to share so many out to both sides the one at hand is one; large numbers are cut off. */
double rl_ways_to_share(size_t base, size_t new);
/* RL_SESSIONS_CONFIDENCE or RL_FEW_SESSIONS_CONFIDENCE (sessions.h), where there are so many. */
double rl_confidence_of_ways(double ways);
/* A session's part in it; `side` 0: base. */
struct rl_session_level {
    size_t block;
    int side;
    double y, within; /* ln(level), and its variance as samples tell it */
    size_t turn;      /* as struct rl_times has it */
};
/* Whether the sides took turns in every block: neither was ever ahead by more than two of its sessions, or half of few. `sessions`
 * are in the order in which they began. */
bool rl_sessions_take_turns(const struct rl_session_level *sessions, size_t count);
/* Both sides have some of `count` sessions. */
struct rl_session_blocks rl_session_blocks_of(const struct rl_session_level *sessions, size_t count);

#endif
