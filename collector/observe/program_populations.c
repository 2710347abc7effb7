/* program_populations.c - classes whose launches do different work taken apart: each kind of them is a kernel of the capture, with
 * its own times and its own counters, because the counters of one say nothing of the rate of another.
 *
 * Counters say that there are kinds, the times of all launches where one ends (populations.h). */
#include "program_builder.h"

/* The counted launches of a class. */
struct launches {
    struct rl_counted_launch *of;
    size_t count, cap;
};

static const char *const clock_hz = "sm__cycles_elapsed.avg.per_second";

/* The clock of the latest launch of the class that was counted with it, for passes that have no room for it. NAN: none was. */
static double clock_of(const struct merged *merged)
{
    double hz = NAN;
    for (size_t p = 0; p < merged->part_count; p++)
        for (size_t i = 0; i < merged->parts[p].class->counted_count; i++) {
            const struct rl_stream_counted *counted = &merged->parts[p].class->counted[i];
            const double own = rl_counted_value(&merged->parts[p].stream->passes[counted->pass], counted->values, clock_hz);
            hz = own > 0 ? own : hz;
        }
    return hz;
}

/* How long its busiest SM was active. */
static double busy_of(const struct rl_stream_pass *pass, const double *values, double hz)
{
    const double own = rl_counted_value(pass, values, clock_hz);
    return 1e9 * rl_counted_value(pass, values, "sm__cycles_active.max") / (own > 0 ? own : hz);
}

/* Sectors that L1 looked up, and those that L2 moved for the SMs. */
static const char *const through_l1 = "l1tex__t_sectors.sum", *const through_l2 = "lts__t_sectors_srcunit_tex.sum";

/* NAN: the pass does not have them. Where it has no room for all of them in one counter it has the four that they are made of. */
static double through_l2_of(const struct rl_stream_pass *pass, const double *values)
{
    static const char *const parts[] = {"lts__t_sectors_srcunit_tex_op_read.sum", "lts__t_sectors_srcunit_tex_op_write.sum",
                                        "lts__t_sectors_srcunit_tex_op_atom.sum", "lts__t_sectors_srcunit_tex_op_red.sum"};
    double sum = rl_counted_value(pass, values, through_l2);
    if (isfinite(sum))
        return sum;
    sum = 0;
    for (size_t i = 0; i < RL_COUNT(parts); i++)
        sum += rl_counted_value(pass, values, parts[i]);
    return sum;
}

/* Whether a launch moves much that does not pass L1 (tensor memory accelerator): what passes it says nothing of its work then. */
static bool passes_by(const struct rl_stream_pass *pass, const double *values)
{
    static const double MUCH = 2;
    return through_l2_of(pass, values) >= MUCH * rl_counted_value(pass, values, through_l1); /* false: one of them is not there */
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

static struct launches gather_launches(const struct builder *b, const struct merged *merged)
{
    struct launches launches = {0};
    const double hz = clock_of(merged);
    const bool by = any_passes_by(merged);
    for (size_t p = 0; p < merged->part_count; p++)
        for (size_t i = 0; i < merged->parts[p].class->counted_count; i++) {
            const struct rl_stream_counted *counted = &merged->parts[p].class->counted[i];
            const struct rl_stream_pass *pass = &merged->parts[p].stream->passes[counted->pass];
            RL_GROW(launches.of, launches.count + 1, launches.cap);
            struct rl_counted_launch *launch = &launches.of[launches.count++];
            *launch = (struct rl_counted_launch){.near_ns = counted->near_ns, .busy_ns = busy_of(pass, counted->values, hz)};
            /* Identifies the work of the launch among those of its class. */
            const double *values = counted->values;
            /* The counter of the pass that depends on the work alone; counter_count: it has none. */
            uint32_t c = 0;
            while (c < pass->is.counter_count &&
                   !(isfinite(values[c]) && rl_builder_is_witness(b, merged->shape.gpu, pass->counters[c])))
                c++;
            launch->counter = c < pass->is.counter_count ? pass->counters[c] : "";
            launch->witness = c < pass->is.counter_count ? values[c] : NAN;
            if (!by || strcmp(launch->counter, through_l1) != 0)
                continue;
            launch->counter = through_l2;
            launch->witness = through_l2_of(pass, values);
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

/* The part of `whole` up to this share of it. */
static uint64_t up_to(uint64_t whole, double share)
{
    assert(share >= 0);
    const double part = round((double)whole * share);
    return part < (double)whole ? (uint64_t)part : whole;
}

/* The part of `whole` between two shares of it. */
static uint64_t between(uint64_t whole, double from, double to)
{
    return up_to(whole, to) - up_to(whole, from);
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

/* Launches and time of bins. */
struct sums {
    double launches, ns;
};

static struct sums sum(const struct rl_stream_bin *bins, size_t count)
{
    struct sums sums = {0};
    for (size_t i = 0; i < count; i++) {
        sums.launches += (double)bins[i].count;
        sums.ns += (double)bins[i].total_ns;
    }
    return sums;
}

/* Shares the class out as launches and time of the bins [from, to), which are those of the kind, are of all bins. */
static void fill_times(struct merged *kind, const struct merged *class, const struct rl_stream_bin *bins, size_t bin_count,
                       size_t from, size_t to)
{
    const struct sums all = sum(bins, bin_count), below = sum(bins, from), until = sum(bins, to);
    const double first = below.launches / all.launches, last = until.launches / all.launches,
                 launches = until.launches - below.launches;
    kind->timed = between(class->timed, first, last);
    kind->seen = kind->timed + between(class->seen - class->timed, first, last);
    kind->graph = between(class->graph, first, last);
    kind->traced = between(class->traced, first, last);
    kind->cost_ns = between(class->cost_ns, first, last);
    kind->total_ns = between(class->total_ns, below.ns / all.ns, until.ns / all.ns);
    kind->traced_ns = between(class->traced_ns, below.ns / all.ns, until.ns / all.ns);
    kind->squares = squares_of(&bins[from], to - from, (until.ns - below.ns) / launches);
    kind->min_ns = from > 0 ? rl_stream_bin_from(bins[from].bin) : class->min_ns;
    kind->max_ns = to < bin_count ? rl_stream_bin_from(bins[to - 1].bin + 1) - 1 : class->max_ns;
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

void rl_builder_split(struct builder *b)
{
    const size_t count = b->class_count;
    assert(b->capture);
    for (size_t i = 0; i < count; i++) {
        struct launches launches = gather_launches(b, &b->classes[i]);
        size_t bin_count = 0;
        struct rl_stream_bin *bins = launches.count ? gather_bins(&b->classes[i], &bin_count) : NULL;
        struct rl_populations kinds;
        if (rl_populations_find(bins, bin_count, launches.of, launches.count, &kinds)) {
            const struct merged class = b->classes[i];
            bool any = false;
            for (size_t j = 0; j < launches.count; j++)
                any = any || launches.of[j].kind;
            for (size_t k = 0, from = 0, to = 0; k < kinds.count; k++, from = to) {
                while (to < bin_count && rl_populations_which(&kinds, rl_stream_bin_from(bins[to].bin)) == k + 1)
                    to++;
                struct merged kind = class;
                kind.population = (uint32_t)k + 1;
                kind.populations = (uint32_t)kinds.count;
                kind.class_timed = class.timed;
                kind.kinds_counted = any;
                kind.from_ns = k ? kinds.before_ns[k - 1] : 0;
                kind.below_ns = kinds.before_ns[k];
                kind.parts = copy_parts(b, &class, &launches);
                kind.part_cap = kind.part_count;
                fill_times(&kind, &class, bins, bin_count, from, to);
                if (k > 0)
                    RL_GROW(b->classes, b->class_count + 1, b->class_cap);
                b->classes[k > 0 ? b->class_count++ : i] = kind;
            }
            free(class.parts);
        }
        RL_FREE(bins, launches.of);
    }
    rl_builder_sort_classes(b);
}
