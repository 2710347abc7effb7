/* series_models.h - times of kernels as cards give them, made from a fixed seed: what the verdicts are tried on.
 *
 * A model draws one session: `n` times around 1 s x `effect`. Two sessions of a model share what belongs to the kernel (its noise,
 * its modes) and differ in what belongs to the session (where it drifts, when it steps). */
#ifndef RL_TEST_SERIES_MODELS_H
#define RL_TEST_SERIES_MODELS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct random_source {
    uint64_t state;
};

/* Uniform in [0, 1): Steele, Lea and Flood's splitmix64. */
static inline double uniform(struct random_source *source)
{
    uint64_t z = (source->state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

/* Box and Muller. */
static inline double normal(struct random_source *source)
{
    const double radius = sqrt(-2 * log(1 - uniform(source)));
    return radius * cos(6.283185307179586 * uniform(source));
}

/* Student's t with 5 degrees of freedom: heavier tails than the normal's. */
static inline double heavy(struct random_source *source)
{
    double squares = 0;
    for (int i = 0; i < 5; i++) {
        const double x = normal(source);
        squares += x * x;
    }
    return normal(source) / sqrt(squares / 5);
}

/* A kernel, as both captures have it. */
struct model_kernel {
    double noise;      /* relative */
    double gap, share; /* of the second mode */
    double level_s;
};

typedef void (*draw_session)(struct random_source *source, const struct model_kernel *kernel, double *times, size_t n);

static inline void draw_independent(struct random_source *source, const struct model_kernel *kernel, double *times, size_t n)
{
    for (size_t i = 0; i < n; i++)
        times[i] = 1 + kernel->noise * normal(source);
}

/* One launch in twenty takes up to half as long again. */
static inline void draw_outliers(struct random_source *source, const struct model_kernel *kernel, double *times, size_t n)
{
    for (size_t i = 0; i < n; i++)
        times[i] = 1 + kernel->noise * heavy(source) + (uniform(source) < 0.05 ? 0.5 * uniform(source) : 0);
}

/* Each time remembers the last one (AR(1) with 0.8). */
static inline void draw_correlated(struct random_source *source, const struct model_kernel *kernel, double *times, size_t n)
{
    double last = kernel->noise * normal(source);
    for (size_t i = 0; i < n; i++) {
        times[i] = 1 + last;
        last = 0.8 * last + 0.6 * kernel->noise * normal(source);
    }
}

/* A slow walk: AR(1) with 0.98, so that a session sees a part of it. */
static inline void draw_wandering(struct random_source *source, const struct model_kernel *kernel, double *times, size_t n)
{
    double last = kernel->noise * normal(source);
    for (size_t i = 0; i < n; i++) {
        times[i] = 1 + last + 0.2 * kernel->noise * normal(source);
        last = 0.98 * last + 0.199 * kernel->noise * normal(source);
    }
}

/* From the common level up to 3 % away at the end. */
static inline void draw_drift(struct random_source *source, const struct model_kernel *kernel, double *times, size_t n)
{
    const double end = 0.06 * (uniform(source) - 0.5);
    for (size_t i = 0; i < n; i++)
        times[i] = 1 + end * (double)i / (double)n + kernel->noise * normal(source);
}

/* At a moment of its own the session steps by up to 5 %, as when power management lowers the clock. */
static inline void draw_step(struct random_source *source, const struct model_kernel *kernel, double *times, size_t n)
{
    const double at = (0.1 + 0.9 * uniform(source)) * (double)n, height = 0.05 * uniform(source);
    for (size_t i = 0; i < n; i++)
        times[i] = 1 + ((double)i >= at ? height : 0) + kernel->noise * normal(source);
}

/* Each launch finds the caches in one of two states. */
static inline void draw_bimodal(struct random_source *source, const struct model_kernel *kernel, double *times, size_t n)
{
    for (size_t i = 0; i < n; i++)
        times[i] = 1 + (uniform(source) < kernel->share ? kernel->gap : 0) + kernel->noise * normal(source);
}

/* The same two states, kept for ten launches on average. */
static inline void draw_switching(struct random_source *source, const struct model_kernel *kernel, double *times, size_t n)
{
    int state = uniform(source) < 0.5;
    for (size_t i = 0; i < n; i++) {
        state ^= uniform(source) < 0.1;
        times[i] = 1 + (state ? kernel->gap : 0) + kernel->noise * normal(source);
    }
}

/* A short kernel under a clock with steps of 32 ns: both ends are rounded down, at a phase of the session. */
enum { CLOCK_STEP_NS = 32 };
static inline void draw_quantised(struct random_source *source, const struct model_kernel *kernel, double *times, size_t n)
{
    const double step = CLOCK_STEP_NS * 1e-9 / kernel->level_s, phase = uniform(source);
    for (size_t i = 0; i < n; i++) {
        const double start = phase + 0.05 * uniform(source), time = 1 + 0.1 * kernel->noise * normal(source);
        times[i] = step * (floor(start + time / step) - floor(start));
    }
}

static const struct model {
    const char *name;
    draw_session draw;
    double level_s;
    double step_s; /* of the clock */
    bool clocks;   /* each session has an SM clock of its own, up to 5 % away, and all of the time is the SM's */
} models[] = {
    {"independent", draw_independent, 100e-6, 0, false},
    {"outliers", draw_outliers, 100e-6, 0, false},
    {"correlated", draw_correlated, 100e-6, 0, false},
    {"wandering", draw_wandering, 100e-6, 0, false},
    {"drift", draw_drift, 100e-6, 0, false},
    {"step", draw_step, 100e-6, 0, false},
    {"two modes", draw_bimodal, 100e-6, 0, false},
    {"switching", draw_switching, 100e-6, 0, false},
    {"quantised", draw_quantised, 2e-6, CLOCK_STEP_NS * 1e-9, false},
    {"clocks", draw_independent, 100e-6, 0, true},
};

/* Noise from 0.05 % to 1 %, spread evenly over the logarithm, as on a real card; modes up to 5 % apart. */
static inline struct model_kernel draw_kernel(struct random_source *source, const struct model *model)
{
    return (struct model_kernel){.noise = 0.0005 * pow(20, uniform(source)),
                                 .gap = 0.05 * uniform(source),
                                 .share = 0.3 + 0.4 * uniform(source),
                                 .level_s = model->level_s * (1 + uniform(source))};
}

/* What sessions of one code differ: heavy tails, 0.15 % typical, 0.5 % in one of a hundred. */
static inline double draw_session_effect(struct random_source *source)
{
    return 1 + 0.0012 * heavy(source);
}

/* One session of a kernel: times in seconds, `effect` times as long as the base. */
static inline void draw_times(struct random_source *source, const struct model *model, const struct model_kernel *kernel,
                              double effect, double *times, size_t n)
{
    struct model_kernel slower = *kernel;
    slower.level_s *= effect * draw_session_effect(source);
    model->draw(source, &slower, times, n);
    for (size_t i = 0; i < n; i++)
        times[i] *= slower.level_s;
}

#endif
