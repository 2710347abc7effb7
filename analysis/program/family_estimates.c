/* family_estimates.c - what samples of the whole GPU tell of a family of shapes none of which was counted (see families.h).
 *
 * Of single shapes, each launched a few times for a microsecond, samples tell little; of all of them together they tell much. The
 * mean launch of the shapes that are known, alone or as a group, is looked at as if it were a kernel class of its own: with the
 * mean time of those launches, and the grid of the shape with the most time. */
#include <assert.h>
#include <stdlib.h>

#include "analysis/sampled.h"
#include "core/mem.h"
#include "families_internal.h"
#include "internal.h"

static const double LEAST_SHARE = 1e-3; /* of all GPU time: families with less have no estimates */

/* ---- sums over shapes ---- */

/* Of one counter. */
struct sum {
    double total, half_width, launches;
};
/* Of a family: each counter; and of the shapes of which something is known. */
struct sums {
    struct sum of[RL_SAMPLED_COUNT];
    size_t shapes;
    double launches, seconds; /* of them, in the samples */
    size_t sampling;
};

static bool is_alone(const struct rl_sampled_value *row)
{
    return rl_present(row->per_launch) && rl_present(row->half_width);
}

/* The row that names a group, and has its sum; NULL: there is none, or the group has kernels of other families. */
static const struct rl_sampled_value *leader_of(const struct rl_capture *capture, const bool *mixed,
                                                const struct rl_sampled_value *row)
{
    size_t first = 0;
    const size_t count = mixed[row->together] ? 0 : rl_sampled_of(capture, row->together, &first);
    for (size_t i = first; i < first + count; i++)
        if (capture->sampled[i].counter == row->counter && !is_alone(&capture->sampled[i]))
            return &capture->sampled[i];
    return NULL;
}

/* Whether something is known by it. */
static bool add_row(const struct rl_capture *capture, const bool *mixed, const struct rl_sampled_value *row, struct sum *sum)
{
    if (is_alone(row)) {
        sum->total += row->per_launch.v * row->launches;
        sum->half_width += row->half_width.v * row->launches;
    } else {
        const struct rl_sampled_value *leader = leader_of(capture, mixed, row);
        if (!leader)
            return false;
        sum->total += leader == row ? row->total : 0;
        sum->half_width += leader == row ? row->total_half_width : 0;
    }
    sum->launches += row->launches;
    return true;
}

/* Whether something is known of it. */
static bool add_shape(const struct rl_capture *capture, const bool *mixed, const struct rl_program_class *class, struct sums *sums)
{
    size_t first = 0;
    const size_t count = rl_sampled_of(capture, class->kernel, &first);
    double launches = 0;
    for (size_t i = first; i < first + count; i++) {
        const struct rl_sampled_value *row = &capture->sampled[i];
        if (!add_row(capture, mixed, row, &sums->of[row->counter]))
            continue;
        launches = row->launches;
        sums->sampling = row->sampling;
    }
    if (launches <= 0 || class->time.launches == 0)
        return false;
    sums->shapes++;
    sums->launches += launches;
    sums->seconds += launches * class->gpu_s / (double)class->time.launches;
    return true;
}

/* ---- the mean launch ---- */

/* One row for each counter that is known. */
static size_t take_rows(const struct sums *sums, struct rl_sampled_value *rows)
{
    size_t count = 0;
    for (size_t c = 0; c < RL_SAMPLED_COUNT; c++) {
        const struct sum *sum = &sums->of[c];
        if (sum->launches > 0)
            rows[count++] = (struct rl_sampled_value){.kernel = 0,
                                                      .sampling = sums->sampling,
                                                      .counter = (enum rl_sampled_counter)c,
                                                      .launches = sum->launches,
                                                      .per_launch = rl_value_of(sum->total / sum->launches),
                                                      .half_width = rl_value_of(sum->half_width / sum->launches),
                                                      .together = 0};
    }
    return count;
}

/* Reasons outlive the analysis that they were found in. */
static struct rl_value kept(struct rl_arena *arena, struct rl_value value)
{
    return rl_present(value) ? value : rl_value_missing(rl_value_state(value), rl_arena_strdup(arena, rl_value_reason(value)));
}

static void take_result(const struct rl_kernel_result *result, struct rl_arena *arena, struct rl_family_figures *figures)
{
    struct rl_estimate *estimates = rl_arena_alloc(arena, RL_METRIC_COUNT * sizeof *estimates);
    for (size_t m = 0; m < RL_METRIC_COUNT; m++)
        estimates[m] = (struct rl_estimate){.value = kept(arena, result->estimate[m].value),
                                            .half_width = result->estimate[m].half_width};
    figures->estimate = estimates;
    figures->time_s = result->rate_time_s;
    figures->roof_share = kept(arena, result->roof_share);
    figures->types_matter = result->types_matter;
    if (result->bound == RL_BOUND_UNKNOWN || result->above_roof) /* then what limits most shapes stands */
        return;
    figures->bound = result->bound;
    figures->limiter = result->limits.limiter;
}

/* Cards whose highest clock is the one at which kernels of this capture ran, where that is known: their roofs are those of all
 * others. */
static struct rl_gpu *gpus_at_clock(const struct rl_analysis *analysis)
{
    const struct rl_capture *capture = analysis->capture;
    struct rl_gpu *gpus = rl_calloc(capture->gpu_count, sizeof *gpus);
    for (size_t i = 0; i < capture->gpu_count; i++) {
        gpus[i] = capture->gpus[i];
        if (analysis->gpus[i].sm_clock.n)
            gpus[i].fact[RL_FACT_sm_clock_max_hz] = rl_value_of(analysis->gpus[i].sm_clock.median);
    }
    return gpus;
}

/* Looks at the mean launch as at the only kernel of a capture. */
static void look_at_mean(const struct rl_analysis *of, const struct rl_family *family, const struct sums *sums,
                         struct rl_arena *arena, struct rl_family_figures *figures)
{
    const struct rl_capture *capture = of->capture;
    struct rl_gpu *gpus = gpus_at_clock(of);
    struct rl_sampled_value rows[RL_SAMPLED_COUNT];
    uint64_t duration_ns = (uint64_t)(sums->seconds / sums->launches * 1e9 + 0.5);
    struct rl_kernel kernel = capture->kernels[family->kernel];
    struct rl_capture alone = {.session = capture->session,
                               .gpus = gpus,
                               .gpu_count = capture->gpu_count,
                               .ceilings = capture->ceilings,
                               .ceiling_count = capture->ceiling_count,
                               .samplings = capture->samplings,
                               .sampling_count = capture->sampling_count,
                               .kernels = &kernel,
                               .kernel_count = 1,
                               .sampled = rows,
                               .sampled_count = take_rows(sums, rows)};
    kernel.counters = NULL;
    kernel.counter_count = 0;
    kernel.duration_ns = &duration_ns;
    kernel.duration_count = 1;
    struct rl_analysis *analysis = rl_analysis_new(&alone);
    if (analysis->kernels[0].estimate)
        take_result(&analysis->kernels[0], arena, figures);
    rl_analysis_free(analysis);
    free(gpus);
}

static bool is_wanted(const struct rl_family *family)
{
    return family->figures && family->figures->counted_shapes == 0 && family->figures->disagreeing_shapes == 0 &&
           family->share >= LEAST_SHARE;
}

/* Of each kernel: the group that is named by it has kernels of several rows. */
static bool *find_mixed(const struct rl_capture *capture, const struct rl_families *families)
{
    bool *mixed = rl_calloc(capture->kernel_count, sizeof *mixed);
    for (size_t i = 0; i < capture->sampled_count; i++) {
        const struct rl_sampled_value *row = &capture->sampled[i];
        if (!is_alone(row) && families->of_kernel[row->kernel] != families->of_kernel[row->together])
            mixed[row->together] = true;
    }
    return mixed;
}

/* `classes`: of the family; those of which something is known become sampled ones. */
static void estimate(const struct rl_analysis *analysis, const bool *mixed, struct rl_arena *arena,
                     struct rl_program_class *classes, struct rl_family *family)
{
    struct sums sums = {.shapes = 0};
    bool *known = rl_calloc(family->shapes, sizeof *known);
    for (size_t k = 0; k < family->shapes; k++)
        known[k] = add_shape(analysis->capture, mixed, &classes[k], &sums);
    if (sums.seconds > 0) {
        struct rl_family_figures *figures = rl_arena_alloc(arena, sizeof *figures);
        *figures = *family->figures;
        figures->sampled_shapes = sums.shapes;
        figures->sampled = sums.launches;
        look_at_mean(analysis, family, &sums, arena, figures);
        for (size_t k = 0; k < family->shapes; k++)
            classes[k].sampled |= known[k] && figures->estimate;
        family->figures = figures;
    }
    free(known);
}

void rl_families_estimate(const struct rl_analysis *analysis, struct rl_families *families)
{
    const struct rl_capture *capture = analysis->capture;
    bool *mixed = capture->sampled_count ? find_mixed(capture, families) : NULL;
    for (size_t i = 0; i < families->count && mixed; i++) {
        struct rl_family *family = &families->at[i];
        if (is_wanted(family))
            estimate(analysis, mixed, &families->arena, &families->classes[family->classes - families->classes], family);
    }
    free(mixed);
}

double rl_families_sampled_s(const struct rl_families *families)
{
    double sampled_s = 0;
    for (size_t i = 0; i < families->count; i++)
        for (size_t k = 0; k < families->at[i].shapes; k++) {
            const struct rl_program_class *class = &families->at[i].classes[k];
            sampled_s += class->sampled && !(class->use && class->use->counted) ? class->gpu_s : 0;
        }
    return sampled_s;
}
