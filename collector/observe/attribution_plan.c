/* attribution_plan.c - which columns each class gets (attribution_plan.h). */
#include "attribution_plan.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "attribution_bound.h"
#include "attribution_design.h"
#include "core/mem.h"
#include "core/sort.h"

static const double LONG = 3, MIDDLING = 1; /* samples that a launch must last to be cut into nine parts, and into four */
static const double SHORT = 0.8;            /* into three */
static const double MUCH = 0.1;             /* of the time of its class: a length with less goes to the length below it */
static const double LEAST_OF_A_LENGTH = 32; /* launches */
enum { SAMPLES_PER_COLUMN = 8 };            /* at least, so that there is something left to tell how good the values are */

size_t rl_cut_length(const struct rl_span *launch)
{
    const double ns = (double)(launch->end_ns - launch->start_ns) + 1;
    const double length = 2 * log2(ns / 250);
    return length <= 0 ? 0 : length >= RL_CUT_LENGTHS - 1 ? RL_CUT_LENGTHS - 1 : (size_t)length;
}

static bool is_near(const struct rl_cut_sweep *sweep, const struct rl_span *launch, uint64_t reach_ns)
{
    const struct rl_sampled *sampled = sweep->sampled;
    const size_t next = sweep->first;
    return (next < sampled->sample_count && sampled->start_ns[next] <= launch->end_ns + reach_ns) ||
           (next > 0 && sampled->end_ns[next - 1] + reach_ns >= launch->start_ns);
}

double rl_cut_part_in(struct rl_cut_sweep *sweep, const struct rl_span *launch, uint64_t reach_ns, bool *near)
{
    const struct rl_sampled *sampled = sweep->sampled;
    const uint64_t lasts = launch->end_ns - launch->start_ns, *begins = sampled->start_ns, *ends = sampled->end_ns;
    double part = 0;
    while (sweep->first < sampled->sample_count && ends[sweep->first] <= launch->start_ns)
        sweep->first++;
    if (near)
        *near = is_near(sweep, launch, reach_ns);
    for (size_t s = sweep->first; s < sampled->sample_count && begins[s] <= launch->end_ns; s++) {
        const uint64_t from = launch->start_ns > begins[s] ? launch->start_ns : begins[s];
        const uint64_t to = launch->end_ns < ends[s] ? launch->end_ns : ends[s];
        if (lasts == 0)
            return from <= to;
        part += to > from ? (double)(to - from) / (double)lasts : 0;
    }
    return part;
}

/* ---- lengths ---- */

struct of_length {
    double ns, count;
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

/* The bin that is being filled; bins are numbered from 0. */
struct filling {
    struct of_length now;
    uint8_t number;
    size_t enough; /* the length at which the bin had enough launches; RL_CUT_LENGTHS: it has not */
};

/* Whether a length begins another bin: one that nothing has is between, or, where lengths have no end, the one above that which
 * made the bin enough: what varies a little stays together. */
static bool begins_bin(const struct filling *filling, const struct of_length *lengths, size_t i)
{
    return lengths[i].count > 0 && i > filling->enough && (lengths[i - 1].count <= 0 || i >= filling->enough + 2);
}

/* Gives each length of a class the number of its bin. Each bin has enough launches to tell something. */
static void join_lengths(const struct of_length *lengths, uint8_t *bin)
{
    struct of_length all = {0};
    struct filling filling = {.enough = RL_CUT_LENGTHS};
    for (size_t i = 0; i < RL_CUT_LENGTHS; i++)
        add_length(&all, &lengths[i]);
    for (size_t i = 0; i < RL_CUT_LENGTHS; i++) {
        if (begins_bin(&filling, lengths, i))
            filling = (struct filling){.number = filling.number + 1, .enough = RL_CUT_LENGTHS};
        bin[i] = filling.number;
        add_length(&filling.now, &lengths[i]);
        if (filling.enough == RL_CUT_LENGTHS && is_enough(&filling.now, all.ns))
            filling.enough = i;
    }
    for (size_t i = 0; i < RL_CUT_LENGTHS && filling.enough == RL_CUT_LENGTHS; i++) /* too little: a part of the bin before */
        bin[i] = filling.number > 0 && bin[i] == filling.number ? (uint8_t)(filling.number - 1) : bin[i];
}

/* Fills `parts` of a class; returns how many kinds that makes. */
static size_t find_parts(const struct of_length *lengths, const uint8_t *bin, double sample_ns, uint8_t *parts)
{
    struct of_length bins[RL_CUT_LENGTHS] = {{0}};
    size_t kinds = 0;
    for (size_t i = 0; i < RL_CUT_LENGTHS; i++)
        add_length(&bins[bin[i]], &lengths[i]);
    for (size_t i = 0; i < RL_CUT_LENGTHS; i++) {
        const struct of_length *of = &bins[bin[i]];
        const double samples = of->count > 0 ? of->ns / of->count / sample_ns : 0;
        parts[i] = samples >= LONG ? RL_CUT_PARTS : samples >= MIDDLING ? RL_CUT_FOUR : samples >= SHORT ? RL_CUT_THREE : 1;
        kinds += i == 0 || bin[i] != bin[i - 1] ? parts[i] : 0;
    }
    return kinds;
}

static struct of_length *measure(const struct rl_sampled *sampled, struct rl_cut_plan *plan)
{
    struct of_length *of = rl_calloc(sampled->class_count * RL_CUT_LENGTHS, sizeof *of);
    struct rl_cut_sweep sweep = {.sampled = sampled};
    for (size_t i = 0; i < sampled->launch_count; i++) {
        const struct rl_span *launch = &sampled->launches[i];
        assert(launch->class_id < sampled->class_count && launch->end_ns >= launch->start_ns);
        const double in = rl_cut_part_in(&sweep, launch, 0, NULL);
        const struct of_length add = {in * (double)(launch->end_ns - launch->start_ns), in};
        add_length(&of[launch->class_id * RL_CUT_LENGTHS + rl_cut_length(launch)], &add);
        plan->launches[launch->class_id] += add.count;
        plan->ns[launch->class_id] += add.ns;
    }
    return of;
}

/* ---- levels ---- */

struct ranked {
    uint32_t class_id;
    double ns;
    size_t kinds;
};

static int compare_times(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return rl_descending(x->ns, y->ns) ?: rl_ascending(x->class_id, y->class_id);
}

/* One column for each class, those of the most time first; what is left makes columns of kinds, in the same order. */
static void choose_levels(const struct rl_sampled *sampled, struct ranked *ranked, struct rl_cut_plan *plan)
{
    const size_t by_samples = sampled->sample_count / SAMPLES_PER_COLUMN;
    const size_t in_time = rl_attribution_bound(sampled->work_ns, sampled->sample_count, sampled->launch_count).kinds;
    const size_t most = by_samples < in_time ? by_samples : in_time;
    rl_sort(ranked, plan->class_count, sizeof *ranked, compare_times);
    for (size_t i = 0; i < plan->class_count && plan->columns < most && ranked[i].ns > 0; i++, plan->columns++)
        plan->level[ranked[i].class_id] = RL_CUT_ONE;
    for (size_t i = 0; i < plan->class_count && plan->level[ranked[i].class_id] == RL_CUT_ONE; i++) {
        assert(ranked[i].kinds >= 1);
        if (plan->columns + ranked[i].kinds - 1 > most)
            continue;
        plan->level[ranked[i].class_id] = RL_CUT_KINDS;
        plan->columns += ranked[i].kinds - 1;
    }
}

void rl_cut_make(const struct rl_sampled *sampled, uint64_t sample_ns, struct rl_cut_plan *plan)
{
    const size_t classes = sampled->class_count;
    *plan = (struct rl_cut_plan){.class_count = classes,
                                 .launches = rl_calloc(classes, sizeof *plan->launches),
                                 .ns = rl_calloc(classes, sizeof *plan->ns),
                                 .level = rl_calloc(classes, sizeof *plan->level),
                                 .bin = rl_calloc(classes * RL_CUT_LENGTHS, 1),
                                 .parts = rl_calloc(classes * RL_CUT_LENGTHS, 1)};
    struct of_length *lengths = measure(sampled, plan);
    struct ranked *ranked = rl_calloc(classes, sizeof *ranked);
    for (size_t k = 0; k < classes; k++) {
        const size_t at = k * RL_CUT_LENGTHS;
        join_lengths(&lengths[at], &plan->bin[at]);
        ranked[k] = (struct ranked){(uint32_t)k, plan->ns[k] + plan->launches[k],
                                    find_parts(&lengths[at], &plan->bin[at], (double)sample_ns, &plan->parts[at])};
    }
    choose_levels(sampled, ranked, plan);
    for (size_t k = 0; k < classes; k++)
        for (size_t i = k * RL_CUT_LENGTHS; i < (k + 1) * RL_CUT_LENGTHS && plan->level[k] != RL_CUT_KINDS; i++) {
            plan->bin[i] = 0;
            plan->parts[i] = 1;
        }
    free(ranked);
    free(lengths);
}

void rl_cut_release(struct rl_cut_plan *plan)
{
    free(plan->launches);
    free(plan->ns);
    free(plan->level);
    free(plan->bin);
    free(plan->parts);
    *plan = (struct rl_cut_plan){0};
}
