/* moments.h - what samples of a whole GPU say of each moment of a program (capture/timeline.h): rates of memory and links, and how
 * busy the SMs were. They are of everything that ran on the GPU. Samples are taken in windows: of a time without samples nothing
 * is known, and a mean is one over the time that has some. */
#ifndef RL_ANALYSIS_MOMENTS_H
#define RL_ANALYSIS_MOMENTS_H

#include "analysis/analysis.h"

enum rl_moment {
#define MOMENT(counter, ...) RL_MOMENT_##counter,
#include "analysis/moments.def"
#undef MOMENT
    RL_MOMENT_COUNT
};
struct rl_moment_row {
    enum rl_sampled_counter counter;
    enum rl_unit unit;
    const char *label, *meaning;
};
extern const struct rl_moment_row rl_moments[RL_MOMENT_COUNT];

/* One of them on one timeline. */
struct rl_moment_lane {
    enum rl_moment moment;
    size_t lane;                    /* in the capture */
    size_t whole;                   /* the lane of the cycles of which it is a share; RL_NONE: it is a rate */
    double factor;                  /* of such a cycle */
    struct rl_value mean, greatest; /* over all time with samples; of a bin; missing: a share of what is unknown */
    struct rl_value roof, share;    /* the most that there can be; the mean over it */
};
/* Those of a timeline, in the order of the rows above, and when samples were taken. */
struct rl_moments {
    struct rl_moment_lane at[RL_MOMENT_COUNT];
    size_t count;            /* 0: it has none */
    double covered_s;        /* with samples */
    struct rl_value covered; /* of the time axis; missing without samples */
    struct rl_value from_s,
        to_s; /* the longest time of bins without a sample, from the beginning of the axis; missing: there is none */
};

/* The rate, or the share, between two bins, the latter left out: missing where there is no sample. */
struct rl_value rl_moment_between(const struct rl_capture *capture, const struct rl_moment_lane *of, uint32_t from, uint32_t to);
/* How much of the time between two bins has samples, s. */
double rl_moment_covered_s(const struct rl_capture *capture, const struct rl_moment_lane *of, uint32_t from, uint32_t to);

#endif
