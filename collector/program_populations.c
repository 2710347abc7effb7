/* program_populations.c - classes whose launches do different work taken apart: each kind of them is a kernel of the capture, with
 * its own times and its own counters, because the counters of one say nothing of the rate of another.
 *
 * The times of all launches say how many kinds there may be (populations.h). Which of them a counted launch is, it does not say
 * itself: nobody has timed it, and profiled it takes longer. What tells is how long the launches just before it took, where those
 * were alike; otherwise the work: where there are as many kinds of work as kinds of times, more of it takes longer. Where every
 * counted launch did the same work, and they are many enough to have met every kind, the times differ for another reason, and the
 * class stays whole. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "populations.h"
#include "program_builder.h"

static const double UNMET = 0.05; /* chance of having met one kind of launches only when there are others */

/* The counted launches of a class. */
struct counted {
    const char *configuration;
    double witness; /* NAN: none */
    uint64_t near_ns;
    uint8_t kind; /* of the times, from 1; 0: not known */
    uint8_t work; /* kind of work among those of its configuration, from 1 */
};
struct launches {
    struct counted *of;
    size_t count, cap;
};

/* ---- what is known of them ---- */

static double witness_of(const struct builder *b, const struct merged *merged, const struct rl_stream_pass *pass,
                         const double *values)
{
    for (uint32_t c = 0; c < pass->is.counter_count; c++)
        if (isfinite(values[c]) && rl_builder_is_witness(b, merged->shape.gpu, pass->counters[c]))
            return values[c];
    return NAN;
}

static struct launches gather_launches(const struct builder *b, const struct merged *merged)
{
    struct launches launches = {0};
    for (size_t p = 0; p < merged->part_count; p++)
        for (size_t i = 0; i < merged->parts[p].class->counted_count; i++) {
            const struct rl_stream_counted *counted = &merged->parts[p].class->counted[i];
            const struct rl_stream_pass *pass = &merged->parts[p].stream->passes[counted->pass];
            RL_GROW(launches.of, launches.count + 1, launches.cap);
            launches.of[launches.count++] = (struct counted){.configuration = pass->configuration ? pass->configuration : "",
                                                             .witness = witness_of(b, merged, pass, counted->values),
                                                             .near_ns = counted->near_ns};
        }
    return launches;
}

/* Bins of all processes, ascending. */
static struct rl_stream_bin *gather_bins(const struct merged *merged, size_t *count)
{
    struct rl_stream_bin *bins = rl_calloc(RL_STREAM_MOST_BINS, sizeof *bins);
    *count = 0;
    for (size_t p = 0; p < merged->part_count; p++)
        for (size_t i = 0; i < merged->parts[p].class->bin_count && merged->parts[p].stream->hello.run == 0; i++) {
            const struct rl_stream_bin *from = &merged->parts[p].class->bins[i];
            bins[from->bin].count += from->count;
            bins[from->bin].total_ns += from->total_ns;
        }
    for (uint32_t i = 0; i < RL_STREAM_MOST_BINS; i++)
        if (bins[i].count) {
            const struct rl_stream_bin bin = {.bin = i, .count = bins[i].count, .total_ns = bins[i].total_ns};
            bins[(*count)++] = bin;
        }
    return bins;
}

/* ---- kinds of work, configuration by configuration ---- */

static bool is_first_of(const struct launches *launches, size_t i)
{
    for (size_t before = 0; before < i; before++)
        if (strcmp(launches->of[before].configuration, launches->of[i].configuration) == 0)
            return false;
    return true;
}

/* Fills in `work` of the launches of a configuration; returns how many kinds there are, 0 when it has no witness. */
static size_t group_by_work(struct launches *launches, const char *configuration, size_t *count)
{
    double *values = rl_calloc(launches->count, sizeof *values);
    uint8_t *group = rl_calloc(launches->count, sizeof *group);
    size_t groups = 0, next = 0;
    *count = 0;
    for (size_t i = 0; i < launches->count; i++)
        if (strcmp(launches->of[i].configuration, configuration) == 0 && isfinite(launches->of[i].witness))
            values[(*count)++] = launches->of[i].witness;
    groups = rl_populations_of_work(values, *count, group);
    for (size_t i = 0; i < launches->count; i++)
        if (strcmp(launches->of[i].configuration, configuration) == 0 && isfinite(launches->of[i].witness))
            launches->of[i].work = group[next++];
    free(values);
    free(group);
    return groups;
}

/* The launches of a configuration of which nothing else is known get the kind of times that their kind of work says: the one that
 * those of the same work have, or, where there are as many kinds of the one as of the other, the one of the same rank. */
static void learn_from_work(struct launches *launches, const char *configuration, size_t groups, size_t kinds)
{
    for (size_t i = 0; i < launches->count; i++) {
        struct counted *launch = &launches->of[i];
        if (launch->kind || !launch->work || strcmp(launch->configuration, configuration) != 0)
            continue;
        launch->kind = groups == kinds ? launch->work : 0;
        for (size_t k = 0; k < launches->count && groups != kinds; k++)
            if (launches->of[k].near_ns && launches->of[k].work == launch->work &&
                strcmp(launches->of[k].configuration, configuration) == 0)
                launch->kind = launches->of[k].kind;
    }
}

/* ---- whether there is anything to be taken apart ---- */

/* So many launches have met the rarest kind, but for a small chance. */
static bool are_enough(size_t count, const struct rl_stream_bin *bins, size_t bin_count, const struct rl_populations *kinds)
{
    double launches[RL_MOST_POPULATIONS + 1] = {0}, all = 0, least = 1;
    for (size_t i = 0; i < bin_count; i++) {
        launches[rl_populations_which(kinds, rl_stream_bin_from(bins[i].bin))] += (double)bins[i].count;
        all += (double)bins[i].count;
    }
    for (size_t k = 1; k <= kinds->count; k++)
        least = launches[k] / all < least ? launches[k] / all : least;
    return pow(1 - least, (double)count) < UNMET;
}

/* Of how many kinds of times launches are known to have been counted under the configuration. */
static size_t kinds_met(const struct launches *launches, const char *configuration)
{
    bool met[RL_MOST_POPULATIONS + 1] = {false};
    size_t count = 0;
    for (size_t i = 0; i < launches->count; i++)
        if (strcmp(launches->of[i].configuration, configuration) == 0)
            met[launches->of[i].kind] = true;
    for (size_t k = 1; k <= RL_MOST_POPULATIONS; k++)
        count += met[k];
    return count;
}

/* Fills in the kind of every counted launch as far as it can be known. False: they all did the same work. */
static bool tell_apart(struct launches *launches, const struct rl_stream_bin *bins, size_t bin_count,
                       const struct rl_populations *kinds)
{
    bool same = true, any = false;
    for (size_t i = 0; i < launches->count; i++)
        launches->of[i].kind = launches->of[i].near_ns ? rl_populations_which(kinds, launches->of[i].near_ns) : 0;
    for (size_t i = 0; i < launches->count; i++) {
        const char *configuration = launches->of[i].configuration;
        size_t count = 0;
        if (!is_first_of(launches, i))
            continue;
        const size_t groups = group_by_work(launches, configuration, &count);
        if (groups == 0)
            continue;
        any = true;
        same = same && groups == 1 &&
               (kinds_met(launches, configuration) == kinds->count || are_enough(count, bins, bin_count, kinds));
        learn_from_work(launches, configuration, groups, kinds->count);
    }
    return !same || !any;
}

/* ---- taking apart ---- */

/* What belongs to one kind: `whole` shared out as the launches in the bins are; ends with nothing left. */
struct shares {
    double rest; /* launches in this kind and those after it */
    uint64_t timed, untimed, graph, total_ns;
};

static uint64_t take_share(uint64_t *left, double part)
{
    assert(part >= 0);
    const double share = round((double)*left * fmin(part, 1));
    const uint64_t taken = share < (double)*left ? (uint64_t)share : *left;
    *left -= taken;
    return taken;
}

/* Sum of squared deviations from the mean, by the means of bins. */
static double squares_of(const struct rl_stream_bin *bins, size_t count, double mean_ns)
{
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        const double apart = (double)bins[i].total_ns / (double)bins[i].count - mean_ns;
        squares += apart * apart * (double)bins[i].count;
    }
    return squares;
}

/* The bins [0, count) are those of the kind; `left` and `left_ns` are their launches and time with those of the later kinds. */
static void fill_times(struct merged *kind, const struct merged *class, const struct rl_stream_bin *bins, size_t count,
                       struct shares *left, double *left_ns)
{
    double launches = 0, total_ns = 0;
    for (size_t i = 0; i < count; i++) {
        launches += (double)bins[i].count;
        total_ns += (double)bins[i].total_ns;
    }
    const double part = left->rest > 0 ? launches / left->rest : 1, part_ns = *left_ns > 0 ? total_ns / *left_ns : 1;
    kind->timed = take_share(&left->timed, part);
    kind->seen = kind->timed + take_share(&left->untimed, part);
    kind->graph = take_share(&left->graph, part);
    kind->total_ns = take_share(&left->total_ns, part_ns);
    kind->squares = launches > 0 ? squares_of(bins, count, total_ns / launches) : 0;
    kind->min_ns = count && kind->population > 1 ? rl_stream_bin_from(bins[0].bin) : class->min_ns;
    kind->max_ns = count && kind->population < kind->populations ? rl_stream_bin_from(bins[count - 1].bin + 1) - 1 : class->max_ns;
    left->rest -= launches;
    *left_ns -= total_ns;
}

/* The parts of the class, with the kinds of its counted launches, which stand in the order of the parts. */
static struct part *copy_parts(struct builder *b, const struct merged *class, const struct launches *launches)
{
    struct part *parts = rl_calloc(class->part_count, sizeof *parts);
    for (size_t p = 0, next = 0; p < class->part_count; p++) {
        const size_t count = class->parts[p].class->counted_count;
        uint8_t *kinds = rl_arena_alloc(&b->capture->arena, count + 1);
        for (size_t i = 0; i < count; i++)
            kinds[i] = launches->of[next++].kind;
        parts[p] = class->parts[p];
        parts[p].population = kinds;
    }
    return parts;
}

static void take_apart(struct builder *b, size_t index, const struct rl_stream_bin *bins, size_t bin_count,
                       const struct rl_populations *kinds, const struct launches *launches)
{
    const struct merged class = b->classes[index];
    struct shares left = {
        .timed = class.timed, .untimed = class.seen - class.timed, .graph = class.graph, .total_ns = class.total_ns};
    double left_ns = 0;
    for (size_t i = 0; i < bin_count; i++) {
        left.rest += (double)bins[i].count;
        left_ns += (double)bins[i].total_ns;
    }
    for (size_t k = 0, from = 0, to = 0; k < kinds->count; k++, from = to) {
        while (to < bin_count && rl_populations_which(kinds, rl_stream_bin_from(bins[to].bin)) == k + 1)
            to++;
        struct merged kind = class;
        kind.population = (uint32_t)k + 1;
        kind.populations = (uint32_t)kinds->count;
        kind.class_timed = class.timed;
        kind.from_ns = k ? kinds->before_ns[k - 1] : 0;
        kind.below_ns = kinds->before_ns[k];
        kind.parts = copy_parts(b, &class, launches);
        kind.part_cap = kind.part_count;
        fill_times(&kind, &class, &bins[from], to - from, &left, &left_ns);
        if (k > 0)
            RL_GROW(b->classes, b->class_count + 1, b->class_cap);
        b->classes[k > 0 ? b->class_count++ : index] = kind;
    }
    free(class.parts);
}

static void look_at_class(struct builder *b, size_t index)
{
    const struct merged *class = &b->classes[index];
    struct launches launches = gather_launches(b, class);
    size_t bin_count = 0;
    struct rl_stream_bin *bins = launches.count ? gather_bins(class, &bin_count) : NULL;
    uint64_t *near = rl_calloc(launches.count, sizeof *near);
    struct rl_populations kinds;
    for (size_t i = 0; i < launches.count; i++)
        near[i] = launches.of[i].near_ns;
    rl_populations_of_times(bins, bin_count, near, launches.count, &kinds);
    if (kinds.count > 1 && tell_apart(&launches, bins, bin_count, &kinds))
        take_apart(b, index, bins, bin_count, &kinds, &launches);
    free(near);
    free(bins);
    free(launches.of);
}

void rl_builder_split(struct builder *b)
{
    const size_t count = b->class_count;
    assert(b->capture);
    for (size_t i = 0; i < count; i++)
        look_at_class(b, i);
    rl_builder_sort_classes(b);
}
