/* attribution.h - samples of hardware counters of a whole GPU shared out to the kernels that ran meanwhile. Private to the
 * collector.
 *
 * A sample says what all kernels did in its few microseconds; the Activity API says when each launch ran. What a launch of a class
 * does on average is found by least squares: the sample's value is the sum over the launches in it of their work times the part of
 * them that fell into the sample, plus what happens while nothing runs. No result is negative.
 *
 * The two clocks may be apart by a microsecond, and a counter may lag behind the kernel that caused it (a write waits in the
 * cache): the first is found from a counter that is above zero only while a kernel runs, the other for each counter that may lag:
 * how much later than recorded its kernels begin for it, how much later they end (both may be negative: the first load comes after
 * the start, the record ends after the last), and an exponential tail of a mean length, those that leave the smallest sum of
 * squares. It is not looked for in others, because a kernel that does most of its work at its beginning or end would look like a
 * lag. What is counted within 3 us of a launch is its own.
 *
 * Launches of a class may differ, and least squares weigh a launch that is all in one sample more than one that lasts for many. So
 * what each sample counted is shared out once more, in proportion to what least squares expect of those in it (a step of
 * Richardson, J. Opt. Soc. Am. 62, 1972, and Lucy, Astron. J. 79, 1974): then the values of all add up to what was counted.
 *
 * The unknowns are bounded: 400 columns, and an eighth of the samples. A class is in them with all its kinds (its launches by their
 * length, long ones cut into parts: attribution_split.h), or with one kind, or not at all, in the order of the time that it took;
 * what is not in them is one column together and has no values. With n samples, c counters and k columns of which u are in a
 * sample, the steps are about n (u^2 + 40 u c) + 30 c k^2 + 10 k^3: eight seconds of a processor for a million samples and 30
 * counters, with 400 columns and kernels of 30 us or with 20 and kernels of 10 us.
 *
 * That is too long for whoever waits for the end of a program. So the work may be bounded: then fewer samples serve the searches,
 * fewer classes have columns, and of the samples pieces are taken, as many from each part of the run. Intervals are wider by what
 * that costs.
 *
 * Launches that run beside others are added up like all: what a sample counted is the sum of what each did in it. That holds for
 * what is done (bytes, instructions); cycles in which something was active are less than the sum where two share it, and go to
 * those that shared them in proportion. How much of its time a class ran beside others is said.
 *
 * Every value has an interval: from leaving out one of 20 parts of the samples at a time (the jackknife of Quenouille and Tukey:
 * Miller, Biometrika 61, 1974), with what another delay or tail would have changed added to it, and with what no residual shows.
 * That is a launch whose edges are counted late: 200 ns of work, its own or what all do on average, whichever is more. The shift of
 * the clocks is one for all counters and found in steps of 50 ns, clocks tick in 32 ns, arrivals are told to 125 ns; on an
 * H200 kernels of 2 to 10 us had up to 11 % fewer instructions than range counters gave them, which is 200 ns of 2 us. Of counters
 * that may lag it is 1 % more: traffic of kernels of 20 to 160 us differed there by 0.5 to 2 %. Classes that the samples cannot
 * tell apart, because they always follow one another and are short, get one value together.
 *
 * Where only sums over the launches in the samples are asked for, how much launches differ does not matter: then a part of the
 * samples that is left out takes no part in the least squares, but is shared out by what these found without it.
 *
 * A launch is not even: at its edges, where it begins late or only stores at its end, its neighbours would lose or gain. So the
 * first and the last sample of long launches are cut into parts, the outer ones a quarter of a sample each. A quarter of what that
 * has changed, against edges of one part each, is a part of the interval: what changes inside the parts is not seen. Of shorter
 * launches finer parts are not told well enough: twice what they would change is in the interval.
 *
 * With fewer than 16 launches there is nothing to leave out. Of a class all of whose launches were in samples the value is known
 * all the same, for its launches are no sample of others: what was counted while they ran. Half of its interval is then the sum of
 * what might be somebody else's: in samples that others ran in, too, its share or theirs, whichever is less; and its part of what
 * was counted while nothing ran, which may be late. Of long launches (ten samples) four are enough where there were others: each is
 * known by itself, and what they differ, with Student's t, is added to the interval.
 */
#ifndef RL_COLLECTOR_ATTRIBUTION_H
#define RL_COLLECTOR_ATTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

/* A launch, on the clock of activity records. */
struct rl_span {
    uint64_t start_ns, end_ns;
    uint32_t class_id;
};
struct rl_sampled {
    size_t class_count, counter_count;
    const struct rl_span *launches; /* by start: all that ran while samples were taken, and whatever ran before and after */
    size_t launch_count;
    const uint64_t *start_ns, *end_ns; /* of each sample, on the samples' clock, ascending */
    const double *values;              /* counter_count for each sample: what was counted in it */
    size_t sample_count;
    const double *made;  /* of each class: all launches of it, also where nothing was sampled; NULL: not known */
    const bool *lags;    /* of each counter: it may lag behind its kernels (memory); NULL: none does */
    size_t busy_counter; /* is above zero only while a kernel runs; tells the shift of the clocks */
    uint64_t work_ns;    /* of a processor that it may take, about; 0: whatever it takes */
    bool sums;           /* it is asked what launches in the samples did, all together, and not what one does on average */
};

enum rl_attributed_state {
    RL_ATTRIBUTED_NOT,   /* nothing can be told; `why` */
    RL_ATTRIBUTED_ALONE, /* it has a value of its own */
    RL_ATTRIBUTED_GROUP, /* only the sum over its group is known */
};
enum rl_attributed_why {
    RL_ATTRIBUTED_TOLD,
    RL_ATTRIBUTED_NONE, /* no launch of it was in a sample */
    RL_ATTRIBUTED_FEW,  /* too few launches of it were: under 16, not all of them, and under four long ones */
    RL_ATTRIBUTED_REST, /* too many classes took more time: it is only in the sum of the rest */
};
/* "none of its launches was in a sample"; static. */
const char *rl_attributed_why(enum rl_attributed_why why);

/* What the launches of a class counted. */
struct rl_attributed {
    enum rl_attributed_state state;
    enum rl_attributed_why why;
    size_t group;                         /* least class id of those that are one; its own id */
    double per_launch, half_width;        /* alone: mean of a launch, half of the 95 % interval */
    double group_total, group_half_width; /* of all launches of the group in the samples */
};

/* Mixed work inside a class: some of its launches, those that lasted about as long, or those of one tenth of the time in which
 * samples were taken. */
struct rl_attributed_part {
    uint32_t class_id;
    bool by_position;      /* false: by length */
    double from_ns, to_ns; /* the shortest and the longest; or the tenth, since the first sample */
    double launches;       /* how many of them were in the samples, parts of launches added up; 16 or more */
    double mean_ns;        /* of their lengths */
};
/* What one counter counted in a launch of a part. Known only where the class has a value of its own. */
struct rl_attributed_mean {
    bool known;
    double per_launch, half_width; /* half of the 95 % interval */
};
enum { RL_ATTRIBUTED_TENTHS = 10 };

/* Why samples and launches do not go together. */
enum rl_unmatched {
    RL_MATCHED,
    RL_UNMATCHED_APART, /* no sample was taken while, or shortly before or after, a launch of those told ran */
    RL_UNMATCHED_IDLE,  /* launches ran in samples, and the busy counter stayed at zero in all of these */
    RL_UNMATCHED_EVEN,  /* both are busy all the time, and no sample differs enough from others to tell when a kernel began */
    RL_UNMATCHED_CLOCK, /* both vary, and there is no shift of the clocks at which they do so together */
};

struct rl_attribution {
    double shift_ns;    /* samples' clock less records' clock */
    double correlation; /* of the busy counter with the time that kernels ran */
    enum rl_unmatched unmatched;
    double *delay_ns, *tail_ns; /* of each counter: how late it is behind the middle of its kernels, and its tail */
    double *unexplained;        /* of each counter: what was counted while no kernel ran, of all that was counted; 0 to 1 */
    size_t spared_samples;      /* left out: there was no time for them; pieces of the whole run are left */
    size_t stretched_samples;   /* left out: they last several times as long as most, the first after a pause does */
    size_t idle_samples;        /* in which, and shortly before which, no kernel ran */
    size_t foreign_samples;     /* of those: the busy counter was above zero all the same: another process's kernels */
    bool foreign_known;         /* there were idle samples enough to tell; otherwise 0 foreign samples say nothing */
    size_t columns;             /* unknowns */
    double rest;                /* part of the kernels' time in the samples whose classes are RL_ATTRIBUTED_REST; 0 to 1 */
    double *launches;           /* of each class: how many there were in the samples, parts of launches added up */
    double *beside;             /* of each class: the part of its launches' time in which another launch ran as well; 0 to 1 */
    struct rl_attributed *of;   /* counter_count for each class */
    struct rl_attributed_part *parts; /* by class; by length, then by position, ascending; of a class with two or more of them */
    size_t part_count;
    struct rl_attributed_mean *part_values; /* counter_count for each part */
};

enum { RL_ATTRIBUTION_LEAST_SAMPLES = 64 };
/* Fails with RL_ABSENT where there is too little to tell anything: fewer than so many samples of even length, no launch at all
 * meanwhile, or samples that do not go with the launches: `unmatched` says how. Free with rl_attribution_release. */
enum rl_status rl_attribute(const struct rl_sampled *sampled, struct rl_attribution *attribution, struct rl_err *err);
/* Also after a failure, and of a zeroed one; zeroes it. */
void rl_attribution_release(struct rl_attribution *attribution);

#endif
