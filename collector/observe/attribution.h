/* attribution.h - samples of hardware counters of a whole GPU, attributed to the kernel classes that ran alone in them. Private to
 * the collector.
 *
 * A sample says what all kernels did in its few microseconds; the Activity API says when each launch ran. A sample is a class's own
 * where it lies inside a stretch in which launches of that class alone ran, one of them or many with pauses of up to 10 us, 3 us
 * from both ends of it: the clocks may be apart by a microsecond or two, and others' work arrives a little late. All other samples
 * say nothing of any class. The rate of a class is what its samples counted over the time that launches ran in them (of two at
 * once, twice); a launch did that for as long as launches of the class last on average.
 *
 * The distance of the two clocks is searched for with a counter that is above zero only while a kernel runs. Where kernels ran
 * nearly all the time it cannot be found, and the clocks are taken to agree.
 *
 * In the outer 3 us of a stretch launches do between nothing, while they start, drain and are recorded, and what they do inside:
 * the value has half of it.
 *
 * Half of the 95 % CI of a value is Student's t times the standard error of the rate, from leaving out one of up to 20 parts
 * of the class's samples at a time (the jackknife of Quenouille and Tukey: Miller, Biometrika 61, 1974), and that half. What no
 * interval has: writes of a kernel that wait in the cache are counted in the samples of whatever runs when the cache needs the
 * room. */
#pragma once

#include "core/core.h"

/* A launch, on the clock of activity records. */
struct rl_span {
    uint64_t start_ns, end_ns;
    uint32_t class_id;
    bool traced; /* its record instrumented the code */
};
struct rl_sampled {
    size_t class_count, counter_count;
    const struct rl_span *launches; /* by start: all launches during sampling, and any before and after */
    size_t launch_count;
    const uint64_t *start_ns, *end_ns; /* of each sample, on the samples' clock, ascending */
    const double *values;              /* counter_count values for each sample */
    size_t sample_count;
    const double *mean_ns; /* of each class: what a launch lasts on average */
    size_t busy_counter;   /* is above zero only while a kernel runs */
};

enum {
    RL_ATTRIBUTION_LEAST_SAMPLES = 64,
    RL_ATTRIBUTION_LEAST_OWN = 8, /* samples of a class: with fewer it has no value */
};
/* A counter's value in a launch: the mean, and half of its 95 % CI. */
struct rl_attributed {
    double per_launch, half_width;
};
struct rl_attribution {
    double shift_ns;          /* samples' clock less records' clock */
    double correlation;       /* of the busy counter with the time that kernels ran */
    size_t idle_samples;      /* samples with none of these kernels shortly before, in or after them */
    size_t foreign_samples;   /* of those, samples with a busy counter above zero: kernels of another process */
    size_t *own;              /* of each class: samples of its own */
    double *launches;         /* for each class: number of launches in its samples, by time */
    struct rl_attributed *of; /* counter_count for each class; zero where it has too few samples */
};

/* RL_ABSENT: fewer samples than RL_ATTRIBUTION_LEAST_SAMPLES, no launch meanwhile, or samples that do not go with the launches.
 * Free with rl_attribution_release in every case. */
enum rl_status rl_attribute(const struct rl_sampled *sampled, struct rl_attribution *attribution, struct rl_err *err);
/* Takes a zeroed one, too; zeroes it. */
void rl_attribution_release(struct rl_attribution *attribution);
