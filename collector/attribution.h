/* attribution.h - samples of hardware counters of a whole GPU shared out to the kernels that ran meanwhile. Private to the
 * collector.
 *
 * A sample says what all kernels did in its few microseconds; the Activity API says when each launch ran. What a launch of a class
 * does on average is found by least squares: the sample's value is the sum over the launches in it of their work times the part of
 * them that fell into the sample, plus what happens while nothing runs. No result is negative.
 *
 * The two clocks may be apart by a microsecond, and a counter may lag behind the kernel that caused it (a write waits in the
 * cache): the first is found from a counter that is above zero only while a kernel runs, the other for each counter that may lag: a
 * delay, and an exponential tail of a mean length, those that leave the smallest sum of squares. It is not looked for in others,
 * because a kernel that does most of its work at its beginning or end would look like a lag.
 *
 * Launches of a class may differ, and least squares weigh a launch that is all in one sample more than one that lasts for many. So
 * what each sample counted is shared out once more, in proportion to what least squares expect of those in it (a step of
 * Richardson, J. Opt. Soc. Am. 62, 1972, and Lucy, Astron. J. 79, 1974): then the values of all add up to what was counted.
 *
 * Every value has an interval: from leaving out one of 20 parts of the samples at a time (the jackknife of Quenouille and Tukey:
 * Miller, Biometrika 61, 1974), with what another delay or tail would have changed added to it. Classes that the samples cannot
 * tell apart, because they always follow one another and are short, get one value together.
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
    const bool *lags;    /* of each counter: it may lag behind its kernels (memory); NULL: none does */
    size_t busy_counter; /* is above zero only while a kernel runs; tells the shift of the clocks */
};

enum rl_attributed_state {
    RL_ATTRIBUTED_NOT,   /* no launch of it was in a sample, or so little that nothing can be told */
    RL_ATTRIBUTED_ALONE, /* it has a value of its own */
    RL_ATTRIBUTED_GROUP, /* only the sum over its group is known */
};
/* What the launches of a class counted. */
struct rl_attributed {
    enum rl_attributed_state state;
    size_t group;                         /* least class id of those that are one; its own id */
    double per_launch, half_width;        /* alone: mean of a launch, half of the 95 % interval */
    double group_total, group_half_width; /* of all launches of the group in the samples */
};
struct rl_attribution {
    double shift_ns;            /* samples' clock less records' clock */
    double correlation;         /* of the busy counter with the time that kernels ran */
    double *delay_ns, *tail_ns; /* of each counter */
    double *unexplained;        /* of each counter: what was counted while no kernel ran, of all that was counted; 0 to 1 */
    size_t stretched_samples;   /* left out: they last several times as long as most, the first after a pause does */
    size_t idle_samples;        /* in which, and shortly before which, no kernel ran */
    size_t foreign_samples;     /* of those: the busy counter was above zero all the same: another process's kernels */
    double *launches;           /* of each class: how many there were in the samples, parts of launches added up */
    struct rl_attributed *of;   /* counter_count for each class */
};

/* Fails with RL_ABSENT where there is too little to tell anything: under 64 samples of even length, no launch in them, or samples
 * that do not go with the launches (correlation under 0.5: another clock, or another GPU). Free with rl_attribution_release. */
enum rl_status rl_attribute(const struct rl_sampled *sampled, struct rl_attribution *attribution, struct rl_err *err);
void rl_attribution_release(struct rl_attribution *attribution);

#endif
