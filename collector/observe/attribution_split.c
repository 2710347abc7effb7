/* attribution_split.c - launches cut into parts that are alike (attribution_split.h). */
#include "attribution_split.h"

#include <assert.h>
#include <stdlib.h>

#include "core/mem.h"
#include "core/sort.h"

enum { REACH_NS = 400000, REACH_SAMPLES = 3 }; /* beyond both nothing of a launch arrives, whatever the shift of the clocks */

static int compare_spans(const void *a, const void *b)
{
    const struct rl_span *x = a, *y = b;
    return rl_ascending(x->start_ns, y->start_ns) ?: rl_ascending(x->end_ns, y->end_ns);
}

/* Kinds in the order in which they were met; number 0: not met yet. */
struct cutting {
    uint32_t *number; /* of class, bin and part */
    struct rl_split *split;
    size_t kind_cap, span_cap;
    uint64_t sample_ns;
};

static uint32_t kind_of(struct cutting *cutting, uint32_t class_id, uint8_t bin, uint8_t parts, size_t part)
{
    uint32_t *number = &cutting->number[(class_id * RL_CUT_LENGTHS + bin) * RL_CUT_PARTS + part];
    struct rl_split *split = cutting->split;
    if (*number == 0) {
        const size_t count = split->sampled.class_count++;
        RL_GROW(split->kinds, count + 1, cutting->kind_cap);
        split->kinds[count] = (struct rl_kind){class_id, bin, parts, (uint8_t)part, split->plan.level[class_id] != RL_CUT_REST};
        *number = (uint32_t)count + 1;
    }
    return *number - 1;
}

/* Where parts end: of a launch, or, of those into most parts, of one sample at either edge, between which thirds are left. */
enum { EDGE = 3, MIDDLE = RL_CUT_PARTS - 2 * EDGE };
static const double edge_ends[EDGE + 1] = {0, 0.25, 0.5, 1}, three_ends[RL_CUT_THREE + 1] = {0, 0.25, 0.75, 1},
                                     four_ends[RL_CUT_FOUR + 1] = {0, 0.125, 0.5, 0.875, 1};

static double length_of(const double *ends, size_t part)
{
    return ends[part + 1] - ends[part];
}

bool rl_split_edge(const struct rl_kind *kind, size_t *edge, double *share)
{
    const size_t part = kind->part, outer = part < EDGE ? part : RL_CUT_PARTS - 1 - part; /* from the outside */
    if (kind->parts == RL_CUT_THREE) { /* of a launch that is one part otherwise */
        *edge = 0;
        *share = length_of(three_ends, part);
        return true;
    }
    if (kind->parts == RL_CUT_FOUR) { /* of halves */
        *edge = part >= RL_CUT_FOUR / 2;
        *share = 2 * length_of(four_ends, part);
        return true;
    }
    if (kind->parts < RL_CUT_PARTS || outer >= EDGE)
        return false;
    *edge = part >= EDGE;
    *share = length_of(edge_ends, outer);
    return true;
}

/* Where a part of a launch begins, from its start. */
static uint64_t begin_of(size_t part, size_t parts, uint64_t lasts, uint64_t edge)
{
    assert(part <= parts);
    if (part == 0 || part == parts)
        return part ? lasts : 0;
    if (parts < RL_CUT_PARTS)
        return (uint64_t)((double)lasts * (parts == RL_CUT_THREE ? three_ends : four_ends)[part]);
    if (part <= EDGE)
        return (uint64_t)((double)edge * edge_ends[part]);
    if (part >= RL_CUT_PARTS - EDGE)
        return lasts - (uint64_t)((double)edge * edge_ends[RL_CUT_PARTS - part]);
    return edge + (lasts - 2 * edge) * (part - EDGE) / MIDDLE;
}

static void cut(struct cutting *cutting, const struct rl_span *launch)
{
    struct rl_split *split = cutting->split;
    const size_t at = launch->class_id * RL_CUT_LENGTHS + rl_cut_length(launch);
    const uint8_t parts = split->plan.parts[at];
    const uint64_t lasts = launch->end_ns - launch->start_ns, fifth = lasts / 5;
    const uint64_t edge = fifth < cutting->sample_ns ? fifth : cutting->sample_ns;
    assert(parts >= 1 && parts <= RL_CUT_PARTS);
    RL_GROW(split->spans, split->sampled.launch_count + parts, cutting->span_cap);
    for (size_t part = 0; part < parts; part++)
        split->spans[split->sampled.launch_count++] = (struct rl_span){
            launch->start_ns + begin_of(part, parts, lasts, edge), launch->start_ns + begin_of(part + 1, parts, lasts, edge),
            kind_of(cutting, launch->class_id, split->plan.bin[at], parts, part)};
}

void rl_split_make(const struct rl_sampled *sampled, uint64_t sample_ns, struct rl_split *split)
{
    assert(sampled->sample_count > 0);
    struct rl_cut_sweep sweep = {.sampled = sampled};
    *split = (struct rl_split){.sampled = *sampled};
    split->sampled.class_count = split->sampled.launch_count = 0;
    rl_cut_make(sampled, sample_ns, &split->plan);
    struct cutting cutting = {.number = rl_calloc(sampled->class_count * RL_CUT_LENGTHS * RL_CUT_PARTS, sizeof *cutting.number),
                              .split = split,
                              .sample_ns = sample_ns};
    for (size_t i = 0; i < sampled->launch_count; i++) {
        bool near = false;
        (void)rl_cut_part_in(&sweep, &sampled->launches[i], REACH_NS + REACH_SAMPLES * sample_ns, &near);
        if (near)
            cut(&cutting, &sampled->launches[i]);
    }
    rl_sort(split->spans, split->sampled.launch_count, sizeof *split->spans, compare_spans);
    split->sampled.launches = split->spans;
    free(cutting.number);
}

void rl_split_release(struct rl_split *split)
{
    free(split->spans);
    free(split->kinds);
    rl_cut_release(&split->plan);
    *split = (struct rl_split){0};
}
