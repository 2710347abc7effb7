/* attribution_samples.c - the samples that can tell kernels apart (attribution_samples.h). */
#include "attribution_samples.h"

#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/sort.h"

enum { PIECE = 500 };   /* samples, of which the first are taken; a window has several */
enum { STRETCHED = 4 }; /* times the median: a system clock that samples may be taken by varies less */

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

void rl_even_samples_make(const struct rl_sampled *sampled, size_t most, struct rl_even_samples *even)
{
    const size_t counters = sampled->counter_count;
    size_t kept = 0, at = 0;
    *even = (struct rl_even_samples){.sampled = *sampled,
                                     .typical_ns = median_length(sampled),
                                     .start_ns = rl_calloc(sampled->sample_count, sizeof *even->start_ns),
                                     .end_ns = rl_calloc(sampled->sample_count, sizeof *even->end_ns),
                                     .values = rl_calloc(sampled->sample_count * counters, sizeof *even->values)};
    for (size_t s = 0; s < sampled->sample_count; s++) {
        if (length_of(sampled, s) > STRETCHED * even->typical_ns)
            continue;
        if (!is_taken(at++, sampled->sample_count, most))
            continue;
        even->start_ns[kept] = sampled->start_ns[s];
        even->end_ns[kept] = sampled->end_ns[s];
        memcpy(&even->values[kept * counters], &sampled->values[s * counters], counters * sizeof *even->values);
        kept++;
    }
    even->stretched = sampled->sample_count - at;
    even->spared = at - kept;
    even->sampled.sample_count = kept;
    even->sampled.start_ns = even->start_ns;
    even->sampled.end_ns = even->end_ns;
    even->sampled.values = even->values;
}

void rl_even_samples_release(struct rl_even_samples *even)
{
    free(even->start_ns);
    free(even->end_ns);
    free(even->values);
    *even = (struct rl_even_samples){0};
}
