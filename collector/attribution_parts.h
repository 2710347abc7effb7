/* attribution_parts.h - the steps of sharing samples out to classes (attribution.h). Private to attribution*.c. */
#ifndef RL_COLLECTOR_ATTRIBUTION_PARTS_H
#define RL_COLLECTOR_ATTRIBUTION_PARTS_H

#include "attribution_design.h"
#include "nnls.h"

/* Arrivals that the best one is held against: steps of the grid on either side of it (less and more delay, shorter and longer
 * tail), and, where it stands at the far edge of the grid, so that nothing says where it would have ended, no lag at all. */
enum { RL_ARRIVAL_SIDES = 5, RL_ARRIVAL_NO_LAG = 4 };

/* What is at work in one attribution. */
struct rl_attributing {
    const struct rl_sampled *sampled; /* kinds of launches in the place of classes (attribution_split.h) */
    const uint32_t *class_of;         /* of each kind */
    const double *launches;           /* of each class: how many there were in the samples */
    size_t class_count;
    uint64_t sample_ns; /* what a sample lasts */
    struct rl_columns columns;
    struct rl_nnls nnls;
    size_t probe; /* the first so many samples serve the searches */
};

/* ---- shift of the clocks (attribution_shift.c) ---- */

struct rl_shift_found {
    double shift_ns, correlation;
};
/* The shift at which the busy counter goes best with the time that kernels ran; where they ran nearly all the time, at which all
 * counters together go best with the classes that ran. */
struct rl_shift_found rl_find_shift(struct rl_attributing *at);

/* ---- delay and tail of each counter (attribution_arrival.c) ---- */

struct rl_arrival_found {
    struct rl_arrival best;
    double *side[RL_ARRIVAL_SIDES]; /* of each column: how much its value differs there, as far as the samples allow it */
    double *floor;                  /* of each column: standard error if it overlapped no other */
};
/* Fills one for each counter; free with rl_arrivals_release. */
void rl_find_arrivals(struct rl_attributing *at, double shift_ns, struct rl_arrival_found *found);
void rl_arrivals_release(struct rl_arrival_found *found, size_t counter_count);

/* ---- shares (attribution_share.c) ---- */

/* Value of a unit of each column (a launch; for the last two the whole of a sample) from all samples, and with each block left
 * out. */
struct rl_shares {
    size_t columns;
    double *value;                       /* counter x column */
    double *replicate[RL_DESIGN_BLOCKS]; /* the same without the block; less than 0: the block had all of the column */
    double *weight;                      /* counter x column: units in the samples */
};
/* Works all counters out. Free with rl_shares_release. */
void rl_share_out(struct rl_attributing *at, const struct rl_arrival_found *arrivals, struct rl_shares *shares);
void rl_shares_release(struct rl_shares *shares);

/* ---- what can be told apart (attribution_groups.c) ---- */

/* States and values of one counter for each class, in of[class * counter_count]. */
void rl_tell_apart(const struct rl_attributing *at, const struct rl_arrival_found *arrival, const struct rl_shares *shares,
                   size_t counter, struct rl_attributed *of);

#endif
