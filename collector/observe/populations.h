/* populations.h - kinds of launches of a class: counters say whether launches do different work, times divide them. Private to the
 * collector. */
#pragma once

#include "stream.h"

enum { RL_MOST_POPULATIONS = 16 };
#define RL_POPULATIONS_END ((UINT64_C(1) << 62) - 1) /* longer than any launch */

/* Kinds of launches, ascending by time: those of kind i (from 0) last less than before_ns[i], and as long as before_ns[i - 1] or
 * longer. The last before_ns is RL_POPULATIONS_END. */
struct rl_populations {
    size_t count;
    uint64_t before_ns[RL_MOST_POPULATIONS];
};

/* A launch that was counted. */
struct rl_counted_launch {
    const char *counter; /* a counter that depends only on the work; "": none */
    double witness;      /* its value; NAN: none */
    uint64_t near_ns;    /* duration of the preceding launches, if they agree; 0: unknown */
    double busy_ns;      /* active time of its busiest SM; NAN: unknown */
    uint8_t kind;        /* filled in, from 1; 0: unknown */
};

/* Finds the kinds of a class in the bins (ascending) of its times, and which one each counted launch is. False: the class is one,
 * and `found` and the kinds mean nothing: all launches counted with the same counter did the same work (values within 2 % of the
 * next lower one), so that times differ for another reason, or the times of different work are alike.
 *
 * Two kinds are apart where few launches lie between them, each has 2 % of the launches or of the time and at least five launches,
 * and their means are 10 % apart and three ticks of a GPU's clock. A kind in which counted launches show that it changes slowly, by
 * more than a quarter, is divided into pieces that are narrow enough to have a place under the roofs each.
 *
 * How long its busiest SM was active identifies a launch: one of 9.2 µs takes 90 while it is counted, of which that is active for
 * 8.2. Where that was not counted, or is near no kind, it is the kind of those just before it, if these were alike, and the SM was
 * not active for a quarter more or less. Else its work identifies it: by rank where there are as many kinds of work as of times,
 * because more work takes longer, or by what is known of another launch of the same work. */
bool rl_populations_find(const struct rl_stream_bin *bins, size_t bin_count, struct rl_counted_launch *launches, size_t count,
                         struct rl_populations *found);
/* The population of a launch of this duration, from 1. */
uint8_t rl_populations_which(const struct rl_populations *populations, uint64_t duration_ns);
