/* attribution_mixed.c - mixed work inside a class: by the length of its launches and by when they ran (attribution_parts.h). */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "attribution_parts.h"
#include "core/mem.h"

enum { TENTHS = RL_ATTRIBUTED_TENTHS, LEAST_CHUNKS = 4 };
static const double LEAST_LAUNCHES = 16; /* of a part, in the samples */

struct mixing {
    const struct rl_attributing *at;
    const struct rl_shares *shares;
    const struct rl_sampled *sampled; /* with classes */
    struct rl_attribution *to;
    size_t part_cap, value_cap;
    size_t *first, *column; /* columns of class k: column[first[k]] to column[first[k + 1] - 1] */
};

/* ---- which parts there are ---- */

/* The part of a class of a bin of lengths, or, behind those, of a tenth. */
enum { PARTS = RL_CUT_LENGTHS + TENTHS };

static void add_launch(struct rl_attributed_part *part, double in, double lasts_ns)
{
    part->from_ns = part->launches > 0 ? fmin(part->from_ns, lasts_ns) : lasts_ns;
    part->to_ns = fmax(part->to_ns, lasts_ns);
    part->launches += in;
    part->mean_ns += in * lasts_ns;
}

/* Launches in the samples, the shortest and the longest of them, and the sum of their lengths: PARTS for each class. */
static struct rl_attributed_part *measure(const struct mixing *mixing)
{
    const struct rl_cut_plan *plan = mixing->at->plan;
    struct rl_attributed_part *parts = rl_calloc(plan->class_count * PARTS, sizeof *parts);
    struct rl_cut_sweep sweep = {.sampled = mixing->sampled};
    for (size_t i = 0; i < mixing->sampled->launch_count; i++) {
        const struct rl_span *launch = &mixing->sampled->launches[i];
        const double in = rl_cut_part_in(&sweep, launch, 0, NULL), lasts = (double)(launch->end_ns - launch->start_ns);
        const size_t bin = plan->bin[launch->class_id * RL_CUT_LENGTHS + rl_cut_length(launch)];
        const size_t tenth = rl_tenth_of(&mixing->at->clocked, (double)launch->start_ns);
        if (in <= 0)
            continue;
        add_launch(&parts[launch->class_id * PARTS + bin], in, lasts);
        add_launch(&parts[launch->class_id * PARTS + RL_CUT_LENGTHS + tenth], in, lasts);
    }
    return parts;
}

/* ---- their values ---- */

/* So much of the value as the class's is uncertain; more where there are fewer launches. */
static double inherited(const struct rl_attributed *class, double value, double times)
{
    return class->per_launch > 0 ? class->half_width / class->per_launch * value * times : class->half_width * times;
}

static struct rl_attributed_mean mean_of(double total, double launches, double half, double inherited_half)
{
    const double own = half / launches;
    return (struct rl_attributed_mean){true, total / launches, sqrt(own * own + inherited_half * inherited_half)};
}

static struct rl_attributed_mean of_length(const struct mixing *mixing, const struct rl_attributed *class, size_t class_id,
                                           size_t bin, size_t counter)
{
    const struct rl_attributing *at = mixing->at;
    double total = 0, launches = 0, replicate[RL_DESIGN_BLOCKS] = {0};
    for (size_t i = mixing->first[class_id]; i < mixing->first[class_id + 1]; i++) {
        const size_t column = mixing->column[i], cell = counter * mixing->shares->columns + column;
        if (at->kinds[at->columns.kind_of[column]].bin != bin)
            continue;
        const double of = mixing->shares->weight[cell];
        total += fmax(mixing->shares->value[cell], 0) * of;
        launches += of / at->kinds[at->columns.kind_of[column]].parts;
        for (size_t b = 0; b < RL_DESIGN_BLOCKS; b++)
            replicate[b] += fmax(mixing->shares->replicate[b][cell], 0) * of;
    }
    if (launches <= 0)
        return (struct rl_attributed_mean){0};
    return mean_of(total, launches, rl_student(RL_DESIGN_BLOCKS - 1) * sqrt(rl_jackknife(replicate, RL_DESIGN_BLOCKS)),
                   inherited(class, total / launches, 1));
}

/* What the class got in a chunk, and its launches. */
static void add_chunk(const struct mixing *mixing, size_t class_id, size_t counter, size_t chunk, double *got, double *launches)
{
    const struct rl_attributing *at = mixing->at;
    const size_t from = (counter * RL_CHUNKS + chunk) * mixing->shares->columns;
    for (size_t i = mixing->first[class_id]; i < mixing->first[class_id + 1]; i++) {
        const size_t column = mixing->column[i];
        *got += mixing->shares->chunk_got[from + column];
        *launches += mixing->shares->chunk_weight[from + column] / at->kinds[at->columns.kind_of[column]].parts;
    }
}

static struct rl_attributed_mean of_tenth(const struct mixing *mixing, const struct rl_attributed *class, size_t class_id,
                                          size_t tenth, size_t counter)
{
    double got[RL_TENTH_CHUNKS] = {0}, launches[RL_TENTH_CHUNKS] = {0}, all_got = 0, all = 0, without[RL_TENTH_CHUNKS];
    size_t chunks = 0;
    for (size_t i = 0; i < RL_TENTH_CHUNKS; i++) {
        add_chunk(mixing, class_id, counter, tenth * RL_TENTH_CHUNKS + i, &got[chunks], &launches[chunks]);
        all_got += got[chunks];
        all += launches[chunks];
        chunks += launches[chunks] > 0;
    }
    if (chunks < LEAST_CHUNKS)
        return (struct rl_attributed_mean){0};
    for (size_t i = 0; i < chunks; i++)
        without[i] = (all_got - got[i]) / (all - launches[i]) * all;
    return mean_of(all_got, all, rl_student(chunks - 1) * sqrt(rl_jackknife(without, chunks)),
                   inherited(class, all_got / all, sqrt(fmax(1, mixing->to->launches[class_id] / all))));
}

/* ---- what is kept ---- */

static void keep_part(struct mixing *mixing, size_t class_id, size_t of, struct rl_attributed_part part)
{
    struct rl_attribution *to = mixing->to;
    const size_t counters = mixing->sampled->counter_count, at = to->part_count++;
    const double tenth_ns = mixing->at->clocked.tenth_ns;
    const size_t tenth = of - RL_CUT_LENGTHS;
    part.class_id = (uint32_t)class_id;
    part.by_position = of >= RL_CUT_LENGTHS;
    part.mean_ns /= part.launches;
    if (part.by_position) {
        part.from_ns = (double)tenth * tenth_ns;
        part.to_ns = part.from_ns + tenth_ns;
    }
    RL_GROW(to->parts, to->part_count, mixing->part_cap);
    RL_GROW(to->part_values, to->part_count * counters, mixing->value_cap);
    to->parts[at] = part;
    for (size_t c = 0; c < counters; c++) {
        const struct rl_attributed *class = &to->of[class_id * counters + c];
        struct rl_attributed_mean value = {0};
        if (class->state == RL_ATTRIBUTED_ALONE)
            value = part.by_position ? of_tenth(mixing, class, class_id, tenth, c) : of_length(mixing, class, class_id, of, c);
        to->part_values[at * counters + c] = value;
    }
}

/* Parts with launches enough; none where there is but one. */
static void keep_parts(struct mixing *mixing, size_t class_id, const struct rl_attributed_part *parts, size_t from, size_t below)
{
    size_t enough = 0;
    for (size_t i = from; i < below; i++)
        enough += parts[i].launches >= LEAST_LAUNCHES;
    for (size_t i = from; i < below && enough >= 2; i++)
        if (parts[i].launches >= LEAST_LAUNCHES)
            keep_part(mixing, class_id, i, parts[i]);
}

static bool is_alone(const struct mixing *mixing, size_t class_id)
{
    bool alone = false;
    for (size_t c = 0; c < mixing->sampled->counter_count; c++)
        alone = alone || mixing->to->of[class_id * mixing->sampled->counter_count + c].state == RL_ATTRIBUTED_ALONE;
    return alone;
}

static void list_columns(struct mixing *mixing)
{
    const struct rl_attributing *at = mixing->at;
    const size_t used = at->columns.count - 2, classes = at->plan->class_count;
    size_t *next = rl_calloc(classes + 1, sizeof *next);
    mixing->first = rl_calloc(classes + 1, sizeof *mixing->first);
    mixing->column = rl_calloc(used, sizeof *mixing->column);
    for (size_t i = 0; i < used; i++)
        mixing->first[at->kinds[at->columns.kind_of[i]].class_id + 1]++;
    for (size_t k = 0; k < classes; k++)
        next[k + 1] = mixing->first[k + 1] += mixing->first[k];
    for (size_t i = 0; i < used; i++)
        mixing->column[next[at->kinds[at->columns.kind_of[i]].class_id]++] = i;
    free(next);
}

void rl_find_mixed(const struct rl_attributing *at, const struct rl_shares *shares, const struct rl_sampled *sampled,
                   struct rl_attribution *to)
{
    struct mixing mixing = {.at = at, .shares = shares, .sampled = sampled, .to = to};
    struct rl_attributed_part *parts = measure(&mixing);
    list_columns(&mixing);
    for (size_t k = 0; k < at->plan->class_count; k++)
        if (is_alone(&mixing, k)) {
            keep_parts(&mixing, k, &parts[k * PARTS], 0, RL_CUT_LENGTHS);
            keep_parts(&mixing, k, &parts[k * PARTS], RL_CUT_LENGTHS, PARTS);
        }
    free(parts);
    free(mixing.first);
    free(mixing.column);
}
