/* clock_step.h - the step of the clock that took times, from the times themselves.
 *
 * Times under a clock with steps lie on levels, and the differences between neighbouring levels are multiples of the step. Time
 * stamps scatter by up to two nanoseconds about the steps, a few differences mean nothing, and long kernels hardly meet
 * neighbouring levels: so the differences of all series that one clock took are put together, and the step is the smallest of them
 * that occurs often and that nearly all others are multiples of. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { RL_GAP_BINS = 4096 }; /* nanoseconds; no clock that times kernels has longer steps */

/* Differences between neighbouring levels. All zero: none yet. */
struct rl_gaps {
    size_t count[RL_GAP_BINS]; /* by whole nanoseconds */
    double least_s;            /* 0: there is none */
    bool fine;                 /* times of a series lay closer together than steps that show */
};

/* Adds the differences within one series, in any order. */
void rl_clock_gaps_add(struct rl_gaps *gaps, const double *seconds, size_t n);
/* The step in seconds. Where none shows: what the scatter hides when times lie that close together, otherwise the smallest
 * difference, which no step exceeds; 0 when no times differ. */
double rl_clock_gaps_step(const struct rl_gaps *gaps);
