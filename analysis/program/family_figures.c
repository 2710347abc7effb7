/* family_figures.c - times, sizes and counters of a family of shapes (see families.h). */
#include "internal.h"

static double product(const uint32_t extent[3])
{
    return (double)extent[0] * (double)extent[1] * (double)extent[2];
}

/* Sorts the values. */
static struct rl_spread spread_of(double *values, size_t count)
{
    if (count == 0)
        return (struct rl_spread){0};
    rl_sort_doubles(values, count);
    return (struct rl_spread){.n = count,
                              .least = values[0],
                              .low = rl_stats_quantile_sorted(values, count, 0.25),
                              .median = rl_stats_quantile_sorted(values, count, 0.5),
                              .high = rl_stats_quantile_sorted(values, count, 0.75),
                              .greatest = values[count - 1]};
}

bool rl_spread_agrees(const struct rl_spread *spread)
{
    static const double apart = 0.1;
    return spread->n > 1 && spread->greatest <= spread->least * (1 + apart);
}

struct sized {
    size_t kernel;
    double blocks;
};

RL_COMPARATOR(by_blocks, struct sized, rl_ascending(x->blocks, y->blocks) ?: rl_ascending(x->kernel, y->kernel));

static bool same_block(const struct rl_kernel *a, const struct rl_kernel *b)
{
    return memcmp(a->block, b->block, sizeof a->block) == 0 && a->dynamic_shared_bytes == b->dynamic_shared_bytes;
}

/* A sample, and for how many launches it stands. */
struct weighed {
    double seconds, launches;
};

RL_COMPARATOR(by_seconds, struct weighed, rl_ascending(x->seconds, y->seconds));

static struct rl_value weighed_median(struct weighed *samples, size_t count)
{
    double all = RL_SUM(double, i, count, samples[i].launches), below = 0;
    if (count == 0)
        return rl_value_missing(RL_NOT_COLLECTED, rl_time_state_reason(RL_TIME_NONE));
    rl_sort(samples, count, sizeof *samples, by_seconds);
    const size_t at = RL_FIRST(i, count, (below += samples[i].launches) >= all / 2);
    return at < count ? rl_value_of(samples[at].seconds) : rl_value_of(samples[count - 1].seconds);
}

/* ---- counters ---- */

/* A class whose counters are of use. */
struct counted {
    const struct rl_kernel_result *result;
    const struct rl_kernel *kernel;
    double launches;
};

uint64_t rl_class_counted(const struct rl_analysis *analysis, const struct rl_program_class *class)
{
    const struct rl_kernel *kernel = &analysis->capture->kernels[class->kernel];
    return class->use ? class->use->counted : kernel->counter_count ? kernel->launches : 0;
}

typedef struct rl_value (*figure)(const struct counted *counted, enum rl_metric metric);

static struct rl_value metric_of(const struct counted *counted, enum rl_metric metric)
{
    return counted->result->metric[metric];
}

static struct rl_value time_of(const struct counted *counted, enum rl_metric metric)
{
    (void)metric;
    return rl_value_of(counted->result->duration.median);
}

/* Sum over launches of a figure times another one (NULL: 1). */
static struct rl_value sum_of(const struct counted *counted, size_t count, figure of, enum rl_metric metric, figure by,
                              enum rl_metric by_metric)
{
    assert(counted || count == 0);
    struct rl_value sum = rl_value_of(0);
    for (size_t i = 0; i < count; i++) {
        struct rl_value value = rl_value_mul(of(&counted[i], metric), rl_value_of(counted[i].launches));
        sum = rl_value_add(sum, by ? rl_value_mul(value, by(&counted[i], by_metric)) : value);
    }
    return sum;
}

/* Shares of what they are weighted with, so that they are ratios of sums. RL_METRIC_COUNT: of time. */
static const struct {
    enum rl_metric share, of;
} shares[] = {
    {RL_METRIC_achieved_occupancy, RL_METRIC_COUNT},
    {RL_METRIC_theoretical_occupancy, RL_METRIC_COUNT},
    {RL_METRIC_issue_active, RL_METRIC_COUNT},
    {RL_METRIC_branch_efficiency, RL_METRIC_branch_targets},
    {RL_METRIC_warp_execution_efficiency, RL_METRIC_instructions},
};

static void take_metrics(const struct counted *counted, size_t count, struct rl_family_figures *figures)
{
    const struct rl_value launches = rl_value_of((double)figures->counted);
    for (size_t i = 0; i < rl_metric_sum_count; i++) {
        const enum rl_metric metric = rl_metric_sums[i];
        figures->metric[metric] = rl_value_div(sum_of(counted, count, metric_of, metric, NULL, metric), launches, NULL);
    }
    for (size_t i = 0; i < RL_COUNT(shares); i++) {
        const bool timed = shares[i].of == RL_METRIC_COUNT;
        const figure by = timed ? time_of : metric_of;
        figures->metric[shares[i].share] =
            rl_value_div(sum_of(counted, count, metric_of, shares[i].share, by, shares[i].of),
                         sum_of(counted, count, by, shares[i].of, NULL, RL_METRIC_COUNT), rl_metrics[shares[i].share].zero_reason);
    }
    figures->time_s = rl_value_div(sum_of(counted, count, time_of, RL_METRIC_COUNT, NULL, RL_METRIC_COUNT), launches, NULL);
    rl_metrics_derive(figures->metric, figures->time_s);
}

static void place(const struct counted *counted, size_t count, struct rl_family_figures *figures)
{
    RL_FREED struct rl_limited_launch *launches = rl_calloc(count, sizeof *launches);
    for (size_t i = 0; i < count; i++) {
        launches[i] = (struct rl_limited_launch){counted[i].result, counted[i].launches};
        if (!figures->above_roof && counted[i].result->above_roof) {
            figures->above_roof = counted[i].result->above_roof;
            figures->above_roof_ratio = counted[i].result->above_roof_ratio;
        }
    }
    figures->nearest = counted[0].result->limits.first;
    if (RL_ANY(i, count, counted[i].result->limits.first != figures->nearest))
        figures->nearest = RL_RESOURCE_COUNT;
    figures->roof_share =
        rl_place_of_several(launches, count, sum_of(counted, count, time_of, RL_METRIC_COUNT, NULL, RL_METRIC_COUNT)).roof_share;
}

struct rl_value rl_family_nearest(const struct rl_family_figures *figures, enum rl_resource *resource)
{
    const bool agree = figures->nearest < RL_RESOURCE_COUNT;
    const struct rl_value share = agree ? figures->roof_share : figures->limiter_share;
    *resource = !rl_present(share) ? RL_RESOURCE_COUNT : agree ? figures->nearest : figures->limiter;
    return share;
}

static struct rl_value trait_of(const struct counted *counted, enum rl_trait trait)
{
    if (trait == RL_TRAIT_dram_bytes_per_thread)
        return rl_value_div(metric_of(counted, RL_METRIC_dram_bytes),
                            rl_value_of(product(counted->kernel->grid) * product(counted->kernel->block)), "no threads");
    return metric_of(counted, trait == RL_TRAIT_intensity_dram ? RL_METRIC_intensity_dram : RL_METRIC_achieved_occupancy);
}

/* ---- limiters ---- */

/* The limiter of a shape; judged: there are counters or samples, or it is too short. */
struct limited {
    const struct rl_program_class *class;
    const struct rl_kernel *kernel;
    size_t limiter;
    uint64_t tied;
    const char *label;
    bool judged, between;
};

static int compare_blocks(const struct limited *a, const struct limited *b)
{
    const struct rl_kernel *x = a->kernel, *y = b->kernel;
    return memcmp(x->block, y->block, sizeof x->block)
               ?: rl_ascending(x->dynamic_shared_bytes, y->dynamic_shared_bytes)
               ?: rl_ascending(product(x->grid), product(y->grid));
}

RL_COMPARATOR(by_block_and_blocks, struct limited, compare_blocks(x, y) ?: rl_ascending(x->class->kernel, y->class->kernel));

static struct limited limited_of(const struct rl_analysis *analysis, const struct rl_program_class *class)
{
    const struct rl_kernel_result *result = &analysis->kernels[class->kernel];
    const size_t limiter = rl_kernel_limiter(result);
    return (struct limited){.class = class,
                            .kernel = &analysis->capture->kernels[class->kernel],
                            .limiter = limiter,
                            .tied = result->above_roof ? 0 : result->limits.tied,
                            .label = rl_kernel_limited_by(result),
                            .judged = limiter != RL_LIMITER_UNKNOWN ||
                                      rl_evidence_of(analysis->capture, class->kernel) != RL_EVIDENCE_NONE};
}

/* The next judged one, if it has the same block. */
static const struct limited *neighbour(const struct limited *shape, const struct limited *other)
{
    return other && same_block(shape->kernel, other->kernel) ? other : NULL;
}

/* Shapes without evidence have the limiter of their neighbours. They are in the order of blocks. */
static void fill_between(struct limited *shapes, size_t count)
{
    RL_FREED const struct limited **above = rl_calloc(count, sizeof *above);
    const struct limited *last = NULL;
    for (size_t i = count; i-- > 0;) {
        above[i] = last;
        last = shapes[i].judged ? &shapes[i] : last;
    }
    last = NULL;
    for (size_t i = 0; i < count; i++) {
        struct limited *shape = &shapes[i];
        const struct limited *fewer = neighbour(shape, last), *more = neighbour(shape, above[i]);
        last = shape->judged ? shape : last;
        if (shape->judged || !fewer || !more || fewer->limiter != more->limiter || fewer->limiter == RL_LIMITER_UNKNOWN)
            continue;
        const bool alike = fewer->tied == more->tied;
        shape->between = true;
        shape->limiter = fewer->limiter;
        shape->tied = alike ? fewer->tied : 0;
        shape->label = alike ? fewer->label : rl_limiter_label(fewer->limiter);
    }
}

RL_COMPARATOR(by_limiter_time, struct rl_family_limiter, rl_descending(x->limiter_s, y->limiter_s)
              ?: rl_ascending(x->limiter, y->limiter) ?: rl_descending(x->gpu_s, y->gpu_s) ?: rl_ascending(x->tied, y->tied));

static struct rl_family_limiter *entry_of(struct rl_family_figures *figures, struct rl_family_limiter *limiters,
                                          const struct limited *shape)
{
    const size_t at = RL_FIRST(i, figures->limiter_count, limiters[i].limiter == shape->limiter && limiters[i].tied == shape->tied);
    if (at == figures->limiter_count)
        limiters[figures->limiter_count++] =
            (struct rl_family_limiter){.limiter = shape->limiter, .tied = shape->tied, .label = shape->label};
    return &limiters[at];
}

/* "DRAM bandwidth (~72.0 %" */
static void add_limiter(struct rl_buf *text, const struct rl_family_limiter *limiter, double all_s)
{
    rl_buf_addf(text, "%s (%s", limiter->label, RL_ESTIMATE_TEXT(limiter->between, RL_UNIT_FRACTION, limiter->gpu_s / all_s, 3));
}

/* Those that take a hundredth of the time or more; the others are left to the data. */
static void say_limiters(struct rl_arena *arena, double all_s, struct rl_family_figures *figures)
{
    enum { MOST = 3 };
    static const double least = 0.01;
    struct rl_buf text = RL_BUF_IN(arena), first = RL_BUF_IN(arena);
    double named_s = 0;
    size_t named = 0;
    figures->mostly = figures->limited_by =
        figures->limiter_count ? figures->limiters[0].label : rl_limiter_label(RL_LIMITER_UNKNOWN);
    if (figures->limiter_count < 2)
        return;
    for (size_t i = 0; i < figures->limiter_count && named < MOST; i++) {
        const struct rl_family_limiter *limiter = &figures->limiters[i];
        if (named && limiter->gpu_s < least * all_s)
            continue;
        rl_buf_adds(&text, named ? ", " : "");
        add_limiter(&text, limiter, all_s);
        rl_buf_adds(&text, named ? ")" : " of its time)");
        named_s += limiter->gpu_s;
        named++;
    }
    if (all_s - named_s >= least * all_s)
        rl_buf_addf(&text, ", others (%s)", RL_UNIT_TEXT(RL_UNIT_FRACTION, 1 - named_s / all_s, 3));
    add_limiter(&first, &figures->limiters[0], all_s);
    rl_buf_adds(&first, ")");
    figures->limited_by = text.data;
    figures->mostly = first.data;
}

/* The share of the roof in those counted shapes that the first limiter limits. */
static struct rl_value share_of_first(const struct counted *counted, size_t count, const struct rl_family_figures *figures)
{
    struct rl_value at_roof = rl_value_of(0), time = rl_value_of(0);
    for (size_t i = 0; i < count && figures->limiter < RL_RESOURCE_COUNT; i++) {
        const struct rl_value launches = rl_value_of(counted[i].launches);
        if (rl_kernel_limiter(counted[i].result) != figures->limiters[0].limiter)
            continue;
        at_roof = rl_value_add(at_roof, rl_value_mul(counted[i].result->limits.of[figures->limiter].time_s, launches));
        time = rl_value_add(time, rl_value_mul(time_of(&counted[i], RL_METRIC_COUNT), launches));
    }
    return rl_value_div(at_roof, time, "no configuration that it limits was counted");
}

static void take_limiters(const struct rl_analysis *analysis, struct rl_arena *arena, const struct rl_family *family,
                          struct rl_family_figures *figures)
{
    struct rl_family_limiter *limiters = rl_arena_alloc(arena, family->shapes * sizeof *limiters);
    RL_FREED struct limited *shapes = rl_calloc(family->shapes, sizeof *shapes);
    for (size_t i = 0; i < family->shapes; i++)
        shapes[i] = limited_of(analysis, &family->classes[i]);
    rl_sort(shapes, family->shapes, sizeof *shapes, by_block_and_blocks);
    fill_between(shapes, family->shapes);
    for (size_t i = 0; i < family->shapes; i++) {
        if (shapes[i].class->gpu_s <= 0)
            continue;
        struct rl_family_limiter *limiter = entry_of(figures, limiters, &shapes[i]);
        limiter->shapes++;
        limiter->between += shapes[i].between;
        limiter->gpu_s += shapes[i].class->gpu_s;
    }
    for (size_t i = 0; i < figures->limiter_count; i++)
        limiters[i].limiter_s =
            RL_SUM(double, k, figures->limiter_count, limiters[k].limiter == limiters[i].limiter ? limiters[k].gpu_s : 0);
    if (figures->limiter_count)
        rl_sort(limiters, figures->limiter_count, sizeof *limiters, by_limiter_time);
    figures->limiters = limiters;
    say_limiters(arena, family->gpu_s, figures);
    const size_t first = figures->limiter_count ? limiters[0].limiter : RL_LIMITER_UNKNOWN;
    figures->limiter = first < RL_RESOURCE_COUNT ? (enum rl_resource)first : RL_RESOURCE_COUNT;
    figures->bound = first < RL_RESOURCE_COUNT ? rl_resources[first].bound : (enum rl_bound)(first - RL_RESOURCE_COUNT);
}

static size_t take_counted(const struct rl_analysis *analysis, const struct rl_family *family, struct rl_family_figures *figures,
                           struct counted *counted)
{
    for (size_t i = 0; i < family->shapes; i++) {
        const struct rl_program_class *class = &family->classes[i];
        const struct rl_kernel_result *result = &analysis->kernels[class->kernel];
        const uint64_t launches = rl_class_counted(analysis, class);
        if (launches == 0 || result->duration.n == 0)
            continue;
        if (result->disagrees) {
            figures->disagreeing_shapes++;
            continue;
        }
        figures->counted += launches;
        figures->foremost = figures->foremost == RL_NONE ? class->kernel : figures->foremost;
        counted[figures->counted_shapes++] = (struct counted){result, &analysis->capture->kernels[class->kernel], (double)launches};
    }
    return figures->counted_shapes;
}

static void measure_counters(const struct rl_analysis *analysis, const struct rl_family *family, struct rl_family_figures *figures)
{
    RL_FREED struct counted *counted = rl_calloc(family->shapes, sizeof *counted);
    const size_t count = take_counted(analysis, family, figures, counted);
    const struct rl_value none =
        count ? rl_value_missing(RL_UNDEFINED, "several configurations")
              : rl_value_missing(RL_NOT_COLLECTED, figures->disagreeing_shapes ? "passes disagree in every counted configuration"
                                                                               : "no configuration was counted");
    for (size_t m = 0; m < RL_METRIC_COUNT; m++)
        figures->metric[m] = none;
    figures->time_s = figures->roof_share = none;
    if (count) {
        take_metrics(counted, count, figures);
        place(counted, count, figures);
    }
    figures->limiter_share = share_of_first(counted, count, figures);
    RL_FREED double *values = rl_calloc(count, sizeof *values);
    for (int trait = 0; trait < RL_TRAIT_COUNT; trait++) {
        size_t present = 0;
        for (size_t i = 0; i < count; i++) {
            struct rl_value value = trait_of(&counted[i], (enum rl_trait)trait);
            if (rl_present(value))
                values[present++] = value.v;
        }
        figures->trait[trait] = spread_of(values, present);
    }
}

static void measure_sizes(const struct rl_capture *capture, const struct rl_family *family, struct rl_family_figures *figures)
{
    RL_FREED struct sized *sized = rl_calloc(family->shapes, sizeof *sized);
    RL_FREED double *blocks = rl_calloc(family->shapes, sizeof *blocks), *per_block = rl_calloc(family->shapes, sizeof *per_block);
    size_t timed = 0;
    figures->one_block = true;
    for (size_t i = 0; i < family->shapes; i++) {
        const struct rl_program_class *class = &family->classes[i];
        figures->one_block &= same_block(&capture->kernels[class->kernel], &capture->kernels[family->kernel]);
        blocks[i] = product(capture->kernels[class->kernel].grid);
        sized[i] = (struct sized){class->kernel, blocks[i]};
        if (class->time.state == RL_TIME_NONE)
            continue;
        const double launches =
            (double)(class->time.state == RL_TIME_AT_LEAST ? class->time.timed : class->time.launches); /* that its time is of */
        if (launches > 0 && blocks[i] > 0)
            per_block[timed++] = class->gpu_s / launches / blocks[i];
        figures->timed_shapes++;
    }
    rl_sort(sized, family->shapes, sizeof *sized, by_blocks);
    figures->least = sized[0].kernel;
    figures->middle = sized[(family->shapes - 1) / 2].kernel;
    figures->greatest = sized[family->shapes - 1].kernel;
    figures->blocks = spread_of(blocks, family->shapes);
    figures->per_block_s = spread_of(per_block, timed);
}

static size_t take_samples(const struct rl_capture *capture, const struct rl_program_class *class, struct weighed *samples)
{
    const struct rl_kernel *kernel = &capture->kernels[class->kernel];
    for (size_t i = 0; i < kernel->duration_count; i++)
        samples[i] =
            (struct weighed){(double)kernel->duration_ns[i] * 1e-9, (double)class->launches / (double)kernel->duration_count};
    return kernel->duration_count;
}

static void measure_launches(const struct rl_capture *capture, const struct rl_family *family, struct rl_family_figures *figures)
{
    const size_t count = RL_SUM(size_t, i, family->shapes, capture->kernels[family->classes[i].kernel].duration_count);
    size_t taken = 0;
    RL_FREED struct weighed *samples = rl_calloc(count, sizeof *samples);
    figures->min_s = figures->max_s = rl_value_missing(RL_NOT_COLLECTED, rl_time_state_reason(RL_TIME_NONE));
    for (size_t i = 0; i < family->shapes; i++) {
        const struct rl_program_class *class = &family->classes[i];
        taken += take_samples(capture, class, &samples[taken]);
        if (class->use && class->use->timed) {
            const double min_s = (double)class->use->min_ns * 1e-9, max_s = (double)class->use->max_ns * 1e-9;
            if (!rl_present(figures->min_s) || min_s < figures->min_s.v)
                figures->min_s = rl_value_of(min_s);
            if (!rl_present(figures->max_s) || max_s > figures->max_s.v)
                figures->max_s = rl_value_of(max_s);
        }
    }
    figures->median_s = weighed_median(samples, taken);
}

const struct rl_family_figures *rl_family_figures_new(const struct rl_analysis *analysis, struct rl_arena *arena,
                                                      const struct rl_family *family)
{
    struct rl_family_figures *figures = rl_arena_alloc(arena, sizeof *figures);
    *figures = (struct rl_family_figures){.nearest = RL_RESOURCE_COUNT, .foremost = RL_NONE};
    measure_sizes(analysis->capture, family, figures);
    measure_launches(analysis->capture, family, figures);
    take_limiters(analysis, arena, family, figures);
    measure_counters(analysis, family, figures);
    return figures;
}
