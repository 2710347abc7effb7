/* program_populations.c - classes whose launches do different work taken apart: each kind of them is a kernel of the capture, with
 * its own times and its own counters, because the counters of one say nothing of the rate of another.
 *
 * The times of all launches say how many kinds there may be, what is known of the counted ones which of them they are
 * (populations.h). */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "populations.h"
#include "program_builder.h"

/* The counted launches of a class. */
struct launches {
    struct rl_counted_launch *of;
    size_t count, cap;
};

/* ---- what is known of them ---- */

/* The counter of the pass that depends on the work alone; counter_count: it has none. */
static uint32_t witness_of(const struct builder *b, const struct merged *merged, const struct rl_stream_pass *pass,
                           const double *values)
{
    uint32_t c = 0;
    while (c < pass->is.counter_count && !(isfinite(values[c]) && rl_builder_is_witness(b, merged->shape.gpu, pass->counters[c])))
        c++;
    return c;
}

static double value_of(const struct rl_stream_pass *pass, const double *values, const char *name)
{
    for (uint32_t c = 0; c < pass->is.counter_count; c++)
        if (strcmp(pass->counters[c], name) == 0)
            return values[c];
    return NAN;
}

/* Whether every SM has a block. */
static bool fills_card(const struct builder *b, const struct merged *merged)
{
    const struct rl_value sms = b->capture->gpus[merged->shape.gpu].fact[RL_FACT_sm_count];
    const double blocks = (double)merged->shape.grid[0] * merged->shape.grid[1] * merged->shape.grid[2];
    return rl_present(sms) && blocks >= sms.v;
}

/* Mean time that the SMs were active. */
static double activity_of(const struct rl_stream_pass *pass, const double *values)
{
    return value_of(pass, values, "sm__cycles_active.avg") / value_of(pass, values, "sm__cycles_elapsed.avg.per_second") * 1e9;
}

/* Sectors that L1 looked up, and those that L2 moved for the SMs. */
static const char *const through_l1 = "l1tex__t_sectors.sum", *const through_l2 = "lts__t_sectors_srcunit_tex.sum";

/* Whether a launch moves much that does not pass L1 (tensor memory accelerator): what passes it says nothing of its work then. */
static bool passes_by(const struct rl_stream_pass *pass, const double *values)
{
    static const double MUCH = 2;
    return value_of(pass, values, through_l2) >= MUCH * value_of(pass, values, through_l1); /* false: one of them is not there */
}

static bool any_passes_by(const struct merged *merged)
{
    for (size_t p = 0; p < merged->part_count; p++)
        for (size_t i = 0; i < merged->parts[p].class->counted_count; i++) {
            const struct rl_stream_counted *counted = &merged->parts[p].class->counted[i];
            if (passes_by(&merged->parts[p].stream->passes[counted->pass], counted->values))
                return true;
        }
    return false;
}

/* By what it is told whether the launch did the same work as others of its class. */
static void set_witness(const struct builder *b, const struct merged *merged, const struct rl_stream_pass *pass,
                        const double *values, bool by, struct rl_counted_launch *launch)
{
    const uint32_t c = witness_of(b, merged, pass, values);
    launch->counter = c < pass->is.counter_count ? pass->counters[c] : "";
    launch->witness = c < pass->is.counter_count ? values[c] : NAN;
    if (!by || strcmp(launch->counter, through_l1) != 0)
        return;
    launch->counter = through_l2;
    launch->witness = value_of(pass, values, through_l2);
}

static struct launches gather_launches(const struct builder *b, const struct merged *merged)
{
    struct launches launches = {0};
    const bool fills = fills_card(b, merged), by = any_passes_by(merged);
    for (size_t p = 0; p < merged->part_count; p++)
        for (size_t i = 0; i < merged->parts[p].class->counted_count; i++) {
            const struct rl_stream_counted *counted = &merged->parts[p].class->counted[i];
            const struct rl_stream_pass *pass = &merged->parts[p].stream->passes[counted->pass];
            RL_GROW(launches.of, launches.count + 1, launches.cap);
            struct rl_counted_launch *launch = &launches.of[launches.count++];
            *launch = (struct rl_counted_launch){.near_ns = counted->near_ns,
                                                 .active_ns = fills ? activity_of(pass, counted->values) : NAN};
            set_witness(b, merged, pass, counted->values, by, launch);
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
    const double of_launches = class->timed ? (double)kind->timed / (double)class->timed : 0,
                 of_time = class->total_ns ? (double)kind->total_ns / (double)class->total_ns : 0;
    kind->traced = (uint64_t)((double)class->traced * of_launches);
    kind->traced_ns = (uint64_t)((double)class->traced_ns * of_time);
    kind->cost_ns = (uint64_t)((double)class->cost_ns * of_launches);
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
    bool any = false;
    for (size_t i = 0; i < launches->count; i++)
        any = any || launches->of[i].kind;
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
        kind.kinds_counted = any;
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

/* Whether so many launches of the class ran beside others that they could be taken for a kind of their own. */
static bool is_overlapped(const struct merged *class)
{
    static const double SHARE = 0.01; /* half of the least kind: of two that overlap one may be known to */
    return (double)class->overlapped > SHARE * (double)class->timed;
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
    kinds.overlapped = is_overlapped(class);
    if (kinds.count > 1 && rl_populations_tell_apart(&kinds, bins, bin_count, launches.of, launches.count))
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
