/* simulated_samples.h - programs whose launches and samples of counters are made up, so that it is known what each launch did. */
#ifndef RL_TEST_SIMULATED_SAMPLES_H
#define RL_TEST_SIMULATED_SAMPLES_H

#include "rl_test.h"

#include <math.h>

#include "attribution.h"
#include "core/mem.h"
#include "core/sort.h"
#include "fixtures/random.h"

enum { BUSY, INSTRUCTIONS, BYTES, COUNTERS, MOST_CLASSES = 512 };

static const bool lags[COUNTERS] = {[BYTES] = true};

/* What one class is like. */
struct kind {
    double us, jitter;     /* length of a launch, relative spread of it */
    double work[COUNTERS]; /* of a launch of that length */
    double mixed;          /* every third launch has so many times the length and the work; 0: all are alike */
    double rests_us;       /* so long before its end it has executed all of its INSTRUCTIONS */
};
struct simulation {
    const char *name;
    size_t kinds;
    struct kind kind[MOST_CLASSES];
    const char *order; /* letters: classes in the order of their launches, again and again; "?" any of them, at random; "+" the
                          one behind that of the last "+" */
    double gap_us, gap_spread; /* between launches */
    double break_us;           /* after each round */
    double sample_us, noise;   /* relative noise of a sample's values */
    double shift_us;           /* samples' clock less launches' */
    double delay_us, tail_us;  /* of BYTES */
    double foreign;            /* part of the samples in which somebody else runs kernels, in breaks */
    size_t samples;
    double front;             /* part of a launch's work in its first half; 0: 0.55 */
    size_t window;            /* samples of a window; 0: there is one */
    double paused_us;         /* between windows; the first sample of a window begins with the pause */
    bool pause_counts;        /* and counts what happens in it */
    const char *beside;       /* another stream's order; NULL: there is none */
    double lead_us, trail_us; /* of BYTES: a launch moves its first so long after its start, its last so long before its end */
    double drift;             /* the work of class 0 at the end of the run is so much more than at its beginning; relative */
};

/* A program that ran. */
struct run {
    struct rl_sampled sampled;
    struct rl_span *launches;
    size_t count, cap;
    uint64_t *start, *end;
    double *values, *work, *truth,
        *launches_in; /* work: of each launch; truth: of each class, what its launches in the samples did */
};

static double arrives_before(double at_us, double tail_us)
{
    return at_us <= 0 ? 0 : tail_us > 0 ? 1 - exp(-at_us / tail_us) : 1;
}

/* When a sample begins, or the one before it ends; without the pauses, on the samples' clock from 0. */
static double begins_us(const struct simulation *of, double sample)
{
    const double windows = of->window ? floor(sample / (double)of->window) + 1 : 0;
    return sample * of->sample_us + windows * of->paused_us;
}

/* When it begins to count. */
static double counts_from_us(const struct simulation *of, double sample)
{
    const bool first = of->window && fmod(sample, (double)of->window) == 0;
    return begins_us(of, sample) - (first && of->pause_counts ? of->paused_us : 0);
}

/* The sample of a moment; those of pauses are before the first of the window. */
static double sample_at(const struct simulation *of, double us)
{
    if (of->window == 0)
        return floor(us / of->sample_us);
    const double lasts = (double)of->window * of->sample_us + of->paused_us, window = floor(us / lasts);
    const double inside = us - window * lasts - of->paused_us;
    return window * (double)of->window + (inside >= 0 ? floor(inside / of->sample_us) : of->pause_counts ? 0 : -1);
}

/* Adds work done between two moments to the samples, all of it arriving `delay` later with a tail. */
static void deliver(const struct simulation *of, struct run *run, size_t counter, double from_us, double to_us, double work)
{
    const double delay = counter == BYTES ? of->delay_us : 0, tail = counter == BYTES ? of->tail_us : 0;
    const size_t portions = (size_t)ceil((to_us - from_us) / 0.4); /* short against every sample */
    for (size_t part = 0; part < portions; part++) {
        const double at = from_us + (to_us - from_us) * ((double)part + 0.5) / (double)portions + delay + of->shift_us;
        const double first = sample_at(of, at);
        for (double s = first; s < first + 2 + 8 * tail / of->sample_us; s++)
            if (s >= 0 && s < (double)of->samples)
                run->values[(size_t)s * COUNTERS + counter] += work / (double)portions *
                                                               (arrives_before(begins_us(of, s) + of->sample_us - at, tail) -
                                                                arrives_before(counts_from_us(of, s) - at, tail));
    }
}

/* Runs one launch; returns its length. A kernel reads more in its first half and writes in its second. */
static double launch(const struct simulation *of, struct run *run, size_t class_id, double at_us, struct random_source *random)
{
    const struct kind *kind = &of->kind[class_id];
    const double more = kind->mixed > 0 && random_next(random) < 0.33 ? kind->mixed : 1;
    const double lasts = kind->us * more * fmax(0.3, 1 + kind->jitter * random_next_normal(random));
    const double end = begins_us(of, (double)of->samples) - of->shift_us;
    RL_GROW(run->launches, run->count + 1, run->cap);
    run->launches[run->count++] =
        (struct rl_span){(uint64_t)llround(1e9 + at_us * 1e3), (uint64_t)llround(1e9 + (at_us + lasts) * 1e3), (uint32_t)class_id};
    const double front = of->front > 0 ? of->front : 0.55;
    const double inside = fmax(0, fmin(at_us + lasts, end) - fmax(at_us, -of->shift_us)) / lasts;
    run->launches_in[class_id] += inside;
    for (size_t c = 0; c < COUNTERS; c++) {
        const double drift =
            class_id == 0 && c != BUSY ? 1 + of->drift * (at_us + of->shift_us) / begins_us(of, (double)of->samples) : 1;
        const double work = kind->work[c] * more * drift * (c == BUSY ? lasts / kind->us / more : 1);
        run->truth[class_id * COUNTERS + c] += work * inside;
        const double from = at_us + (c == BYTES ? of->lead_us : 0);
        const double to = at_us + lasts - (c == BYTES ? of->trail_us : c == INSTRUCTIONS ? kind->rests_us : 0);
        deliver(of, run, c, from, (from + to) / 2, (c == BUSY ? 0.5 : front) * work);
        deliver(of, run, c, (from + to) / 2, to, (c == BUSY ? 0.5 : 1 - front) * work);
    }
    return lasts;
}

static void add_noise(const struct simulation *of, struct run *run, struct random_source *random)
{
    for (size_t s = 0; s < of->samples; s++)
        for (size_t c = 0; c < COUNTERS; c++) {
            double *value = &run->values[s * COUNTERS + c];
            *value = fmax(0, *value * (1 + of->noise * random_next_normal(random)));
        }
}

/* Launches of one stream, one after the other. */
static void run_stream(const struct simulation *of, const char *order, struct run *run, struct random_source *random)
{
    const double until = begins_us(of, (double)of->samples) + 10 * of->sample_us;
    size_t in_turn = 0;
    for (double at = -100; at < until; at += of->break_us) {
        for (const char *next = order; *next && at < until; next++) {
            in_turn += *next == '+';
            const size_t class_id = *next == '?'   ? (size_t)(random_next(random) * (double)of->kinds)
                                    : *next == '+' ? in_turn % of->kinds
                                                   : (size_t)(*next - 'a');
            at += launch(of, run, class_id, at, random);
            at += of->gap_us * (1 + of->gap_spread * (random_next(random) - 0.5) * 2);
        }
        if (of->foreign > 0 && random_next(random) < of->foreign)
            for (size_t c = 0; c < COUNTERS; c++)
                deliver(of, run, c, at + of->break_us * 0.6, at + of->break_us * 0.9, of->kind[0].work[c]);
    }
}

static int compare_starts(const void *a, const void *b)
{
    const struct rl_span *x = a, *y = b;
    return rl_ascending(x->start_ns, y->start_ns);
}

static void simulate(const struct simulation *of, uint64_t seed, struct run *run)
{
    struct random_source random = {seed};
    *run = (struct run){.start = rl_calloc(of->samples, 8),
                        .end = rl_calloc(of->samples, 8),
                        .values = rl_calloc(of->samples * COUNTERS, sizeof(double)),
                        .truth = rl_calloc(of->kinds * COUNTERS, sizeof(double)),
                        .launches_in = rl_calloc(of->kinds, sizeof(double))};
    for (size_t s = 0; s < of->samples; s++) {
        const double begins = begins_us(of, (double)s), reaches_back = of->window && s % of->window == 0 ? of->paused_us : 0;
        run->start[s] = (uint64_t)llround(1e9 + (begins - reaches_back) * 1e3);
        run->end[s] = (uint64_t)llround(1e9 + (begins + of->sample_us) * 1e3);
    }
    run_stream(of, of->order, run, &random);
    if (of->beside)
        run_stream(of, of->beside, run, &random);
    rl_sort(run->launches, run->count, sizeof *run->launches, compare_starts);
    add_noise(of, run, &random);
    run->sampled = (struct rl_sampled){.class_count = of->kinds,
                                       .counter_count = COUNTERS,
                                       .launches = run->launches,
                                       .launch_count = run->count,
                                       .start_ns = run->start,
                                       .end_ns = run->end,
                                       .values = run->values,
                                       .sample_count = of->samples,
                                       .lags = lags,
                                       .busy_counter = BUSY};
}

static void release(struct run *run)
{
    free(run->launches);
    free(run->start);
    free(run->end);
    free(run->values);
    free(run->truth);
    free(run->launches_in);
}

#endif
