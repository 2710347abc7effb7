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
    const struct rl_place place =
        rl_place_of_several(launches, count, sum_of(counted, count, time_of, RL_METRIC_COUNT, NULL, RL_METRIC_COUNT));
    figures->roof_share = place.roof_share;
    figures->types_matter = place.types_matter;
    figures->bound = figures->above_roof ? RL_BOUND_UNKNOWN : place.bound;
    figures->limiter = figures->above_roof ? RL_RESOURCE_COUNT : place.limiter;
}

static struct rl_value trait_of(const struct counted *counted, enum rl_trait trait)
{
    if (trait == RL_TRAIT_dram_bytes_per_thread)
        return rl_value_div(metric_of(counted, RL_METRIC_dram_bytes),
                            rl_value_of(product(counted->kernel->grid) * product(counted->kernel->block)), "no threads");
    return metric_of(counted, trait == RL_TRAIT_intensity_dram ? RL_METRIC_intensity_dram : RL_METRIC_achieved_occupancy);
}

/* Where no shape was counted, estimates and lengths of launches still say what limits most of them. */
static enum rl_bound bound_of_most(const struct rl_analysis *analysis, const struct rl_family *family)
{
    double seconds[RL_BOUND_COUNT] = {0};
    for (size_t i = 0; i < family->shapes; i++) {
        const struct rl_kernel_result *result = &analysis->kernels[family->classes[i].kernel];
        seconds[result->above_roof ? RL_BOUND_UNKNOWN : result->bound] += family->classes[i].gpu_s;
    }
    const size_t at = RL_FIRST(bound, RL_BOUND_COUNT, seconds[bound] >= RL_BOUND_SHARE * family->gpu_s && family->gpu_s > 0);
    return at < RL_BOUND_COUNT ? (enum rl_bound)at : RL_BOUND_UNKNOWN;
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
        count ? rl_value_missing(RL_UNDEFINED, "a family of shapes")
              : rl_value_missing(RL_NOT_COLLECTED,
                                 figures->disagreeing_shapes ? "passes disagree in every counted shape" : "no shape was counted");
    for (size_t m = 0; m < RL_METRIC_COUNT; m++)
        figures->metric[m] = none;
    figures->time_s = figures->roof_share = none;
    if (count) {
        take_metrics(counted, count, figures);
        place(counted, count, figures);
    } else {
        figures->bound = bound_of_most(analysis, family);
    }
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
    *figures = (struct rl_family_figures){.bound = RL_BOUND_UNKNOWN, .limiter = RL_RESOURCE_COUNT, .foremost = RL_NONE};
    measure_sizes(analysis->capture, family, figures);
    measure_launches(analysis->capture, family, figures);
    measure_counters(analysis, family, figures);
    return figures;
}
