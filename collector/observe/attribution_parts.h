/* attribution_parts.h - the steps of sharing samples out to classes (attribution.h). Private to attribution*.c. */
#ifndef RL_COLLECTOR_ATTRIBUTION_PARTS_H
#define RL_COLLECTOR_ATTRIBUTION_PARTS_H

#include "attribution_design.h"
#include "attribution_split.h"
#include "nnls.h"

/* Arrivals that the best one is held against: a step on either side of it (an earlier and later beginning, end, a shorter and
 * longer tail), and, where it stands at an edge of what is searched, so that nothing says where it would have ended, no lag at all.
 */
enum { RL_ARRIVAL_SIDES = 7, RL_ARRIVAL_NO_LAG = 6 };

/* 97.5 % of Student's t with so many degrees of freedom, at least one; with more than 19 what it is with 19. */
double rl_student(size_t freedom);
/* The variance of a value from what it is without each block. */
double rl_jackknife(const double *replicate, size_t count);

/* ---- time of the samples (attribution_tenths.c) ---- */

enum { RL_TENTH_CHUNKS = 8, RL_CHUNKS = RL_ATTRIBUTED_TENTHS * RL_TENTH_CHUNKS };

/* The tenths of the time of the samples, each in chunks of as many samples as one another. */
struct rl_clocked {
    uint8_t *tenth, *chunk; /* of each sample; chunks are numbered through all tenths */
    double first_ns, tenth_ns;
};
/* Finds for each sample the tenth of the time, and the chunk of that, in which it began. Free with rl_clocked_release. */
void rl_clock_samples(const struct rl_sampled *sampled, struct rl_clocked *clocked);
/* Of a zeroed one, too; zeroes it. */
void rl_clocked_release(struct rl_clocked *clocked);
/* The tenth of a moment; the nearest one for those outside. */
size_t rl_tenth_of(const struct rl_clocked *clocked, double ns);

/* What is at work in one attribution. */
struct rl_attributing {
    const struct rl_sampled *sampled; /* kinds of launches in the place of classes */
    const struct rl_kind *kinds;
    const struct rl_cut_plan *plan; /* of the classes */
    uint64_t sample_ns;             /* what a sample lasts */
    struct rl_columns columns;
    struct rl_nnls nnls;
    struct rl_clocked clocked;
    const double *made;             /* launches of each class; NULL: nothing is known of those that are not in `sampled` */
    const double *several;          /* class x counter: rl_find_several */
    const struct rl_sampled *probe; /* the samples that serve the searches: some of `sampled`, the same launches */
};

/* ---- shift of the clocks (attribution_shift.c) ---- */

struct rl_shift_found {
    double shift_ns, correlation;
};
/* The shift at which the busy counter goes best with the time that kernels ran; where they ran nearly all the time, at which all
 * counters together go best with the classes that ran. */
struct rl_shift_found rl_find_shift(struct rl_attributing *at);

/* ---- samples that do not go with the launches (attribution_unmatched.c) ---- */

/* Finds out how, and says it: RL_ABSENT. */
enum rl_status rl_unmatched(const struct rl_sampled *sampled, double correlation, enum rl_unmatched *how, struct rl_err *err);

/* ---- delay and tail of each counter (attribution_arrival.c) ---- */

struct rl_arrival_found {
    struct rl_arrival best;
    double *side[RL_ARRIVAL_SIDES]; /* of each column: how much its value differs there, as far as the samples allow it */
    double *floor;                  /* of each column: standard error if it overlapped no other */
};
/* Fills one for each counter; free with rl_arrivals_release. */
void rl_find_arrivals(struct rl_attributing *at, double shift_ns, struct rl_arrival_found *found);
/* Frees what is in `counter_count` of them; the array is the caller's. */
void rl_arrivals_release(struct rl_arrival_found *found, size_t counter_count);

/* ---- shares (attribution_share.c) ---- */

/* Value of a unit of each column (a launch; for the last two the whole of a sample) from all samples, and with each block left
 * out. */
struct rl_shares {
    size_t columns;
    double *value;                       /* counter x column */
    double *replicate[RL_DESIGN_BLOCKS]; /* the same without the block; less than 0: the block had all of the column; for sums: from
                                            all samples, by the solution without the block */
    double *weight;                      /* counter x column: units in the samples */
    double *contested;                /* counter x column: of samples that others ran in, too: its share or theirs, which is less */
    double *changed, *finer;          /* counter x column: by the parts of edges of long launches; by what those of shorter ones
                                         would change */
    double *chunk_got, *chunk_weight; /* counter x chunk x column: what was shared out by the tenth's solution; units */
};
/* Counters that arrive alike; they are worked out together. */
struct rl_alike {
    struct rl_arrival arrival;
    size_t *counters, count;
};
/* Least squares with the parts of each edge as one column: of all launches, or of those alone that are shorter than three samples.
 */
struct rl_coarse {
    size_t fine, count;    /* columns; those that are left */
    size_t *of;            /* of each column: the one that it is a part of */
    double *share;         /* how much of that one's work it has */
    double *gram, *moment; /* count x count; count */
    double *x, *like;      /* count */
};
/* Free with rl_coarse_release. */
void rl_coarse_make(const struct rl_attributing *at, bool of_all, struct rl_coarse *coarse);
/* Frees its arrays; zeroes it. */
void rl_coarse_release(struct rl_coarse *coarse);
/* Takes the matrix of all columns; `nnls` has room for as many. */
void rl_coarse_take(struct rl_coarse *coarse, const double *gram, struct rl_nnls *nnls);
/* Solves for a right-hand side of all columns into `x` of all columns, begun `like` such a solution (may be NULL). Returns what it
 * explains of the squares. */
double rl_coarse_solve(struct rl_coarse *coarse, struct rl_nnls *nnls, const double *moment, const double *like, double *x);
/* Fills `changed` and `finer` for these counters. `found`: the solutions of all samples, counter of `alike` x column
 * (attribution_edges.c). */
void rl_find_edges(struct rl_attributing *at, const struct rl_products *all, const struct rl_alike *alike, const double *found,
                   struct rl_shares *shares);
/* Fills the chunks of these counters (attribution_tenths.c). */
void rl_share_tenths(struct rl_attributing *at, const struct rl_alike *alike, struct rl_shares *shares);
/* Works all counters out. Free with rl_shares_release. */
void rl_share_out(struct rl_attributing *at, const struct rl_arrival_found *arrivals, struct rl_shares *shares);
/* Frees its arrays; it is not to be used afterwards. */
void rl_shares_release(struct rl_shares *shares);

/* ---- long launches of which some were in samples (attribution_several.c) ---- */

/* Class x counter: half of the 95 % interval of the mean of a launch by what those in the samples differ; below 0: under four of
 * them lasted for ten samples and were at least half in samples. `sampled`: with classes. Free it. */
double *rl_find_several(const struct rl_sampled *sampled, uint64_t sample_ns);

/* ---- what can be told apart (attribution_groups.c) ---- */

/* States and values of one counter for each class, in of[class * counter_count]. */
void rl_tell_apart(const struct rl_attributing *at, const struct rl_arrival_found *arrival, const struct rl_shares *shares,
                   size_t counter, struct rl_attributed *of);

/* ---- what else is said ---- */

/* The part of the time of each class's launches in which another launch ran as well (attribution_beside.c). */
void rl_find_beside(const struct rl_sampled *sampled, double *beside);
/* Parts of classes and their values (attribution_mixed.c); `sampled`: with classes; states and values of these are filled. */
void rl_find_mixed(const struct rl_attributing *at, const struct rl_shares *shares, const struct rl_sampled *sampled,
                   struct rl_attribution *to);

#endif
