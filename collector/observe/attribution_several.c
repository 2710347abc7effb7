/* attribution_several.c - long launches of which only some were in samples (attribution_parts.h). Each of them is known by itself,
 * from the samples that it lasted for; what they differ says how well they stand for the others. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "attribution_parts.h"
#include "core/mem.h"

enum { LEAST = 4, MOST = 64, LEAST_SAMPLES = 10 };
static const double LEAST_PART = 0.5; /* of a launch, in samples */

/* Sums over the launches of a class: one for each counter. */
struct tally {
    size_t launches;
    double *sum, *squares;
};

/* What was counted while a launch ran, as if all of it had been in samples. */
static void count_launch(const struct rl_sampled *sampled, const struct rl_span *launch, size_t first, double in, double *counted)
{
    const size_t counters = sampled->counter_count;
    for (size_t c = 0; c < counters; c++)
        counted[c] = 0;
    for (size_t s = first; s < sampled->sample_count && sampled->start_ns[s] < launch->end_ns; s++) {
        const double from = fmax((double)launch->start_ns, (double)sampled->start_ns[s]);
        const double to = fmin((double)launch->end_ns, (double)sampled->end_ns[s]);
        const double part = to > from ? (to - from) / (double)(sampled->end_ns[s] - sampled->start_ns[s]) : 0;
        for (size_t c = 0; c < counters; c++)
            counted[c] += part * sampled->values[s * counters + c] / in;
    }
}

static void add(struct tally *tally, const double *counted, size_t counters)
{
    tally->launches++;
    for (size_t c = 0; c < counters; c++) {
        tally->sum[c] += counted[c];
        tally->squares[c] += counted[c] * counted[c];
    }
}

/* Half of the 95 % interval of the mean of a launch. */
static double half_of(const struct tally *tally, size_t counter)
{
    const double n = (double)tally->launches, mean = tally->sum[counter] / n;
    const double variance = fmax(0, tally->squares[counter] / n - mean * mean) * n / (n - 1);
    assert(tally->launches >= LEAST);
    return rl_student(tally->launches - 1) * sqrt(variance / n);
}

double *rl_find_several(const struct rl_sampled *sampled, uint64_t sample_ns)
{
    const size_t classes = sampled->class_count, counters = sampled->counter_count;
    struct tally *tallies = rl_calloc(classes, sizeof *tallies);
    double *half = rl_calloc(classes * counters, sizeof *half), *sums = rl_calloc(2 * classes * counters, sizeof *sums);
    double *counted = rl_calloc(counters, sizeof *counted);
    struct rl_cut_sweep sweep = {.sampled = sampled};
    for (size_t k = 0; k < classes; k++)
        tallies[k] = (struct tally){.sum = &sums[2 * k * counters], .squares = &sums[(2 * k + 1) * counters]};
    for (size_t i = 0; i < sampled->launch_count; i++) {
        const struct rl_span *launch = &sampled->launches[i];
        const double in = rl_cut_part_in(&sweep, launch, 0, NULL);
        if (in < LEAST_PART || launch->end_ns - launch->start_ns < LEAST_SAMPLES * sample_ns ||
            tallies[launch->class_id].launches >= MOST)
            continue;
        count_launch(sampled, launch, sweep.first, in, counted);
        add(&tallies[launch->class_id], counted, counters);
    }
    for (size_t k = 0; k < classes; k++)
        for (size_t c = 0; c < counters; c++)
            half[k * counters + c] = tallies[k].launches >= LEAST ? half_of(&tallies[k], c) : -1;
    free(counted);
    free(sums);
    free(tallies);
    return half;
}
