/* attribution_samples.c - the samples that can tell kernels apart (attribution_samples.h). */
#include "attribution_samples.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attribution_design.h"
#include "core/mem.h"
#include "core/sort.h"

enum {
    PIECE = 500,     /* samples, of which the first are taken; a window has several */
    SHORT_PIECE = 50 /* samples, which are taken whole or not, by whether they tell time */
};
static const double LEAST_VARIANCE = 1e-3; /* of the part of a sample in which kernels ran: below, a piece tells no time */
enum { STRETCHED = 4 };                    /* times the median: a system clock that samples may be taken by varies less */

static int compare_lengths(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return rl_ascending(*x, *y);
}

static uint64_t length_of(const struct rl_sampled *sampled, size_t sample)
{
    return sampled->end_ns[sample] > sampled->start_ns[sample] ? sampled->end_ns[sample] - sampled->start_ns[sample] : 0;
}

static uint64_t median_length(const struct rl_sampled *sampled)
{
    uint64_t *lengths = rl_calloc(sampled->sample_count + 1, sizeof *lengths);
    for (size_t s = 0; s < sampled->sample_count; s++)
        lengths[s] = length_of(sampled, s);
    rl_sort(lengths, sampled->sample_count, sizeof *lengths, compare_lengths);
    const uint64_t median = lengths[sampled->sample_count / 2];
    free(lengths);
    return median > 0 ? median : 1;
}

static bool is_taken(size_t at, size_t count, size_t most)
{
    return most >= count || at % PIECE * count < PIECE * most;
}

static void make_room(const struct rl_sampled *sampled, struct rl_even_samples *even)
{
    *even = (struct rl_even_samples){.sampled = *sampled,
                                     .start_ns = rl_calloc(sampled->sample_count, sizeof *even->start_ns),
                                     .end_ns = rl_calloc(sampled->sample_count, sizeof *even->end_ns),
                                     .values = rl_calloc(sampled->sample_count * sampled->counter_count, sizeof *even->values)};
    even->sampled.sample_count = 0;
    even->sampled.start_ns = even->start_ns;
    even->sampled.end_ns = even->end_ns;
    even->sampled.values = even->values;
}

static void take(struct rl_even_samples *even, const struct rl_sampled *sampled, size_t sample)
{
    const size_t counters = sampled->counter_count, kept = even->sampled.sample_count++;
    assert(kept <= sample && sample < sampled->sample_count);
    even->start_ns[kept] = sampled->start_ns[sample];
    even->end_ns[kept] = sampled->end_ns[sample];
    memcpy(&even->values[kept * counters], &sampled->values[sample * counters], counters * sizeof *even->values);
}

void rl_even_samples_make(const struct rl_sampled *sampled, size_t most, struct rl_even_samples *even)
{
    size_t at = 0;
    make_room(sampled, even);
    even->typical_ns = median_length(sampled);
    for (size_t s = 0; s < sampled->sample_count; s++) {
        if (length_of(sampled, s) > STRETCHED * even->typical_ns)
            continue;
        if (is_taken(at++, sampled->sample_count, most))
            take(even, sampled, s);
    }
    even->stretched = sampled->sample_count - at;
    even->spared = at - even->sampled.sample_count;
}

static double variance(const double *x, size_t count)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    return fmax(0, squares - sum * sum / (double)count) / (double)count;
}

static size_t piece_length(const struct rl_sampled *sampled, size_t piece)
{
    const size_t from = piece * SHORT_PIECE, left = sampled->sample_count - from;
    return left < SHORT_PIECE ? left : SHORT_PIECE;
}

/* Which pieces tell the time; how many. */
static size_t find_telling(const struct rl_sampled *sampled, size_t pieces, bool *telling)
{
    double *busy = rl_calloc(sampled->sample_count + 1, sizeof *busy);
    size_t count = 0;
    rl_design_busy(sampled, 0, sampled->sample_count, busy);
    for (size_t p = 0; p < pieces; p++) {
        telling[p] = variance(&busy[p * SHORT_PIECE], piece_length(sampled, p)) >= LEAST_VARIANCE;
        count += telling[p];
    }
    free(busy);
    return count;
}

/* Of `count` pieces, `wanted` spread evenly over them: whether that one is taken of which `before` come first. */
static bool is_of_spread(size_t before, size_t count, size_t wanted)
{
    return wanted >= count || (before + 1) * wanted / count > before * wanted / count;
}

void rl_telling_samples_make(const struct rl_sampled *sampled, size_t most, struct rl_even_samples *telling)
{
    const size_t pieces = (sampled->sample_count + SHORT_PIECE - 1) / SHORT_PIECE, wanted = (most + SHORT_PIECE - 1) / SHORT_PIECE;
    bool *tells = rl_calloc(pieces + 1, sizeof *tells);
    const size_t told = find_telling(sampled, pieces, tells), others = wanted > told ? wanted - told : 0;
    size_t before[2] = {0};
    make_room(sampled, telling);
    for (size_t p = 0; p < pieces; p++) {
        const bool taken =
            tells[p] ? is_of_spread(before[true]++, told, wanted) : is_of_spread(before[false]++, pieces - told, others);
        for (size_t i = 0; taken && i < piece_length(sampled, p); i++)
            take(telling, sampled, p * SHORT_PIECE + i);
    }
    telling->spared = sampled->sample_count - telling->sampled.sample_count;
    free(tells);
}

void rl_even_samples_release(struct rl_even_samples *even)
{
    free(even->start_ns);
    free(even->end_ns);
    free(even->values);
    *even = (struct rl_even_samples){0};
}
