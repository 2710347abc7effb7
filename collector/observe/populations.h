/* populations.h - how many kinds of launches the times of a class show, and which kinds of work its counters. Private to the
 * collector. */
#ifndef RL_COLLECTOR_POPULATIONS_H
#define RL_COLLECTOR_POPULATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream.h"

enum { RL_MOST_POPULATIONS = 8 };
#define RL_POPULATIONS_END ((UINT64_C(1) << 62) - 1) /* longer than any launch */

/* Kinds of launches, ascending by time: those of kind i (from 0) last less than before_ns[i], and as long as before_ns[i - 1] or
 * longer. The last before_ns is RL_POPULATIONS_END. */
struct rl_populations {
    size_t count;    /* 1: all launches are alike, or it cannot be told */
    bool overlapped; /* to be filled in: launches ran beside others, so that times that differ are no sign of other work */
    uint64_t before_ns[RL_MOST_POPULATIONS];
};

/* What the bins (ascending) of a class's times show. Two kinds are apart where few launches lie between them, each has 2 % of the
 * launches or of the time and at least five launches, and their means are 10 % apart and three ticks of a GPU's clock. A kind whose
 * times go over more than a quarter of their middle without a gap, and of which `near` (times of launches around counted ones, 0:
 * not known) says that it changes slowly, is divided into pieces that are narrow enough to have a place of their own. */
void rl_populations_of_times(const struct rl_stream_bin *bins, size_t count, const uint64_t *near, size_t near_count,
                             struct rl_populations *found);
/* Which one a launch of this length belongs to, from 1. */
uint8_t rl_populations_which(const struct rl_populations *populations, uint64_t duration_ns);
/* Groups `count` values of a counter that depends on the work alone: `group` of each, from 1, ascending by value; values within 2 %
 * of the one below are of one group. Returns how many groups there are. */
size_t rl_populations_of_work(const double *values, size_t count, uint8_t *group);

/* A launch that was counted. */
struct rl_counted_launch {
    const char *counter; /* one that depends on the work alone; "": it has none */
    double witness;      /* its value; NAN: none */
    uint64_t near_ns;    /* how long those just before it took, where they were alike; 0: not known */
    double active_ns;    /* how long the SMs were at it, where its blocks fill the card; NAN: not known */
    uint8_t work;        /* filled in: kind of work among those of its counter, from 1; 0: no witness */
    uint8_t kind;        /* filled in: of the times, from 1; 0: not known; RL_ANY_KIND: it stands for all of them */
};
#define RL_ANY_KIND UINT8_MAX
/* Tells which kind each counted launch of a class is, with the bins that the kinds were found in. False: they all did the same work
 * and are enough to have met every kind, or nothing is known of which kind they are and the times of all are within half as much
 * again, so that the times differ for another reason and the class is one; the kinds then mean nothing. Where launches ran beside
 * others, only counted ones that did different work tell them apart.
 *
 * A launch is the kind of those just before it, where these were alike. Else how long the SMs were active tells: a launch of 9.2 µs
 * takes 90 while it is counted, of which they are active for 8.2. Else its work tells: it is what others of the same work are; or
 * its rank says, because more work takes longer, where there are as many kinds of work as of times, or where kinds of work have
 * shares of the counted launches that add up to those of the times. Where all did the same work, the launch is of the most frequent
 * kind if it is of another one with a small chance only; and if it is certain that several kinds were met, each stands for all of
 * them. */
bool rl_populations_tell_apart(const struct rl_populations *kinds, const struct rl_stream_bin *bins, size_t bin_count,
                               struct rl_counted_launch *launches, size_t count);

#endif
