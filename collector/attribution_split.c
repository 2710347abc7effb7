/* attribution_split.c - launches cut into parts that are alike (attribution_split.h). */
#include "attribution_split.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "core/mem.h"
#include "core/sort.h"

/* Lengths by powers of the root of 2, from below a microsecond to above a quarter of an hour. */
enum { LENGTHS = 64, PARTS = 5, LEAST_OF_A_LENGTH = 32 };
static const double LONG = 3;   /* samples that a launch must last to be cut in more than halves */
static const double MUCH = 0.1; /* of the time of its class: a length with less goes to the length below it */

static size_t length_of(const struct rl_span *launch)
{
    const double ns = (double)(launch->end_ns - launch->start_ns) + 1;
    const double length = 2 * log2(ns / 250);
    return length <= 0 ? 0 : length >= LENGTHS - 1 ? LENGTHS - 1 : (size_t)length;
}

struct of_length {
    double ns;
    size_t count;
};

static bool is_enough(const struct of_length *bin, double all_ns)
{
    return bin->ns >= MUCH * all_ns && bin->count >= LEAST_OF_A_LENGTH;
}

static void add_length(struct of_length *to, const struct of_length *length)
{
    to->ns += length->ns;
    to->count += length->count;
}

/* Gives each length of a class the number of its bin. Bins are parted by a length that nothing has, so that what is continuous
 * stays together, and each has enough launches to tell something. */
static void join_lengths(const struct of_length *lengths, uint8_t *bin)
{
    struct of_length all = {0}, now = {0};
    uint8_t number = 0;
    for (size_t i = 0; i < LENGTHS; i++)
        add_length(&all, &lengths[i]);
    for (size_t i = 0; i < LENGTHS; i++) {
        const bool parted = i > 0 && lengths[i].count > 0 && lengths[i - 1].count == 0;
        if (parted && is_enough(&now, all.ns)) {
            number++;
            now = (struct of_length){0};
        }
        bin[i] = number;
        add_length(&now, &lengths[i]);
    }
    const uint8_t last = number > 0 && !is_enough(&now, all.ns) ? (uint8_t)(number - 1) : number;
    for (size_t i = 0; i < LENGTHS; i++)
        bin[i] = bin[i] < last ? bin[i] : last;
}

/* What becomes of launches of a class by their length: LENGTHS for each class. */
struct lengths {
    uint8_t *bin;
    uint8_t *parts; /* into which launches of this bin are cut: by how many samples they last on average */
};

static void find_parts(const struct of_length *lengths, const uint8_t *bin, double sample_ns, uint8_t *parts)
{
    struct of_length bins[LENGTHS] = {{0}};
    for (size_t i = 0; i < LENGTHS; i++) {
        bins[bin[i]].ns += lengths[i].ns;
        bins[bin[i]].count += lengths[i].count;
    }
    for (size_t i = 0; i < LENGTHS; i++) {
        const struct of_length *of = &bins[bin[i]];
        const double samples = of->count ? of->ns / (double)of->count / sample_ns : 0;
        parts[i] = samples >= LONG ? PARTS : samples >= 1 ? 2 : 1;
    }
}

static struct lengths lengths_of(const struct rl_sampled *sampled, uint64_t sample_ns)
{
    struct of_length *of = rl_calloc(sampled->class_count * LENGTHS, sizeof *of);
    const struct lengths lengths = {rl_calloc(sampled->class_count * LENGTHS, 1), rl_calloc(sampled->class_count * LENGTHS, 1)};
    for (size_t i = 0; i < sampled->launch_count; i++) {
        const struct rl_span *launch = &sampled->launches[i];
        assert(launch->class_id < sampled->class_count && launch->end_ns >= launch->start_ns);
        struct of_length *length = &of[launch->class_id * LENGTHS + length_of(launch)];
        length->ns += (double)(launch->end_ns - launch->start_ns);
        length->count++;
    }
    for (size_t i = 0; i < sampled->class_count * LENGTHS; i += LENGTHS) {
        join_lengths(&of[i], &lengths.bin[i]);
        find_parts(&of[i], &lengths.bin[i], (double)sample_ns, &lengths.parts[i]);
    }
    free(of);
    return lengths;
}

static int compare_spans(const void *a, const void *b)
{
    const struct rl_span *x = a, *y = b;
    return rl_ascending(x->start_ns, y->start_ns) ?: rl_ascending(x->end_ns, y->end_ns);
}

/* Kinds in the order in which they were met; number 0: not met yet. */
struct kinds {
    uint32_t *number; /* of class, bin and part */
    struct rl_split *split;
    size_t cap;
};

static uint32_t kind_of(struct kinds *kinds, uint32_t class_id, size_t bin, size_t part)
{
    uint32_t *number = &kinds->number[(class_id * LENGTHS + bin) * PARTS + part];
    if (*number == 0) {
        const size_t count = kinds->split->sampled.class_count++;
        RL_GROW(kinds->split->class_of, count + 1, kinds->cap);
        kinds->split->class_of[count] = class_id;
        *number = (uint32_t)count + 1;
    }
    return *number - 1;
}

/* Where a part of a launch begins, from its start: halves; or one sample, the rest in equal parts, one sample. */
static uint64_t begin_of(size_t part, size_t parts, uint64_t lasts, uint64_t edge)
{
    if (part == 0 || part == parts)
        return part ? lasts : 0;
    return parts < PARTS ? lasts * part / parts : edge + (lasts - 2 * edge) * (part - 1) / (PARTS - 2);
}

static void cut(struct kinds *kinds, const struct rl_span *launch, size_t bin, size_t parts, uint64_t sample_ns)
{
    struct rl_split *split = kinds->split;
    const uint64_t lasts = launch->end_ns - launch->start_ns, edge = lasts / PARTS < sample_ns ? lasts / PARTS : sample_ns;
    assert(parts >= 1 && parts <= PARTS);
    for (size_t part = 0; part < parts; part++)
        split->spans[split->sampled.launch_count++] = (struct rl_span){launch->start_ns + begin_of(part, parts, lasts, edge),
                                                                       launch->start_ns + begin_of(part + 1, parts, lasts, edge),
                                                                       kind_of(kinds, launch->class_id, bin, part)};
}

/* Parts of launches in the samples: both ascend. */
static void count_launches(const struct rl_sampled *sampled, double *launches)
{
    size_t first = 0;
    for (size_t i = 0; i < sampled->launch_count; i++) {
        const struct rl_span *launch = &sampled->launches[i];
        const uint64_t lasts = launch->end_ns - launch->start_ns;
        while (first < sampled->sample_count && sampled->end_ns[first] <= launch->start_ns)
            first++;
        for (size_t s = first; s < sampled->sample_count && sampled->start_ns[s] <= launch->end_ns; s++) {
            const uint64_t from = launch->start_ns > sampled->start_ns[s] ? launch->start_ns : sampled->start_ns[s];
            const uint64_t to = launch->end_ns < sampled->end_ns[s] ? launch->end_ns : sampled->end_ns[s];
            if (lasts == 0 || to > from)
                launches[launch->class_id] += lasts ? (double)(to - from) / (double)lasts : 1;
            if (lasts == 0)
                break;
        }
    }
}

void rl_split_make(const struct rl_sampled *sampled, uint64_t sample_ns, struct rl_split *split)
{
    assert(sampled->sample_count > 0);
    const struct lengths lengths = lengths_of(sampled, sample_ns);
    struct kinds kinds = {.number = rl_calloc(sampled->class_count * LENGTHS * PARTS, sizeof(uint32_t)), .split = split};
    *split = (struct rl_split){.sampled = *sampled,
                               .spans = rl_calloc(sampled->launch_count * PARTS, sizeof *split->spans),
                               .launches = rl_calloc(sampled->class_count, sizeof *split->launches)};
    split->sampled.class_count = split->sampled.launch_count = 0;
    for (size_t i = 0; i < sampled->launch_count; i++) {
        const struct rl_span *launch = &sampled->launches[i];
        const size_t at = launch->class_id * LENGTHS + length_of(launch);
        cut(&kinds, launch, lengths.bin[at], lengths.parts[at], sample_ns);
    }
    rl_sort(split->spans, split->sampled.launch_count, sizeof *split->spans, compare_spans);
    split->sampled.launches = split->spans;
    count_launches(sampled, split->launches);
    free(kinds.number);
    free(lengths.bin);
    free(lengths.parts);
}

void rl_split_release(struct rl_split *split)
{
    free(split->spans);
    free(split->class_of);
    free(split->launches);
    *split = (struct rl_split){0};
}
