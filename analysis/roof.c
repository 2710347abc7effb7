/* roof.c - metrics, ceilings, and where the launches lie under them. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "internal.h"

/* A rate this much above a ceiling is no noise of the two medians any more. */
static const double above_tolerance = 1.01;

/* Counters of the same work that differ by more than this between passes have not seen the same work. */
static const double disagreement_tolerance = 0.02;

/* ---- metrics and ceilings of each kernel ---- */

/* The theoretical ceilings as one kernel's clocks give them. */
struct roofs {
    struct rl_value of[RL_CEILING_COUNT];
};

/* What the counters that were read more than once say of the passes. */
static void compare_passes(struct rl_analysis *analysis, const struct rl_eval *eval, struct rl_kernel_result *result)
{
    const struct rl_repeated *repeated = &eval->repeated;

    result->disagreement =
        repeated->name ? rl_value_of(repeated->spread) : rl_value_missing(RL_NOT_COLLECTED, "no counter was repeated");
    if (repeated->name && repeated->spread > disagreement_tolerance)
        result->disagrees =
            rl_arena_printf(&analysis->arena, "%s %.10g and %.10g", repeated->name, repeated->first, repeated->other);
}

/* Whether the metric speaks of launches that did different work. Those of a variant all have the same input; those of a program's
 * class need not, and its times are of other launches than its counters. */
static bool is_mixed(struct rl_eval *eval, const struct rl_formula *formula)
{
    const bool of_program = eval->capture->kernels[eval->kernel].variant == RL_NONE;

    return rl_eval_mixes_passes(eval, formula) || (of_program && rl_eval_mixes_times(eval, formula));
}

/* Operations of the matrix units are counted in passes of their own, which no formula above them shows. */
static bool adds_matrices(const struct rl_kernel_result *result, size_t metric)
{
    const struct rl_value matrices = result->metric[RL_METRIC_flop_tensor];

    return metric == RL_METRIC_intensity_shared && rl_present(matrices) && matrices.v > 0;
}

/* What passes that disagree have in common cannot be said. */
static void drop_mixed(struct rl_analysis *analysis, struct rl_eval *eval, struct rl_kernel_result *result)
{
    for (size_t i = 0; i < RL_METRIC_COUNT && result->disagrees; i++)
        if (rl_present(result->metric[i]) && (is_mixed(eval, eval->formulas.metric[i]) || adds_matrices(result, i)))
            result->metric[i] =
                rl_value_missing(RL_DISAGREES, rl_arena_printf(&analysis->arena, "passes disagree: %s", result->disagrees));
}

static bool is_stall(size_t metric)
{
    return rl_metrics[metric].set == RL_SET_TOPSTALLS || rl_metrics[metric].set == RL_SET_STALLS;
}

/* A warp waits for one reason at a time, so the shares add up to 1 at most. Where they do not, the pass of the stalls and the one
 * that counted the resident warps have seen launches of different length, and none of them means anything. */
static void doubt_stalls(struct rl_kernel_result *result)
{
    static const double most = 1.02;
    double sum = 0;

    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        if (is_stall(i) && rl_present(result->metric[i]))
            sum += result->metric[i].v;
    for (size_t i = 0; i < RL_METRIC_COUNT && sum > most; i++)
        if (is_stall(i) && rl_present(result->metric[i]))
            result->metric[i] = rl_value_missing(RL_DISAGREES, "stalls of more than all warps: passes saw different launches");
}

/* The sets of which the kernel has a value. */
static unsigned sets_of(const struct rl_kernel_result *result)
{
    unsigned sets = 0;

    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        if (rl_present(result->metric[i]))
            sets |= 1u << rl_metrics[i].set;
    return sets;
}

static void evaluate_kernel(struct rl_analysis *analysis, struct rl_eval *eval, size_t kernel, struct roofs *roofs)
{
    assert(kernel < analysis->capture->kernel_count);
    struct rl_kernel_result *result = &analysis->kernels[kernel];
    struct rl_value useful;

    rl_eval_focus(eval, RL_NONE, kernel);
    compare_passes(analysis, eval, result);
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        result->metric[i] = rl_eval_metric(eval, (enum rl_metric)i);
    drop_mixed(analysis, eval, result);
    doubt_stalls(result);
    analysis->sets |= sets_of(result);
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        roofs->of[i] = rl_eval_formula(eval, eval->formulas.ceiling[i], NULL);
    useful = rl_eval_name(eval, RL_NAME_launch_useful_bytes);
    result->useful_bytes_per_second = rl_value_div(useful, rl_eval_name(eval, RL_NAME_time_s), "no duration");
}

/* ---- ceilings of a card ---- */

/* Values of the card's kernels that are there, in `values`; the first reason for one that is not, in `missing`. */
static size_t gather(const struct rl_analysis *analysis, size_t gpu, const struct roofs *roofs, size_t ceiling, double *values,
                     struct rl_value *missing)
{
    assert(ceiling < RL_CEILING_COUNT);
    const size_t *kernels;
    size_t count = 0;

    *missing = rl_value_missing(RL_NOT_COLLECTED, "no kernel was measured on the card");
    for (size_t i = rl_group(&analysis->index.kernels_of_gpu, gpu, &kernels); i-- > 0;) {
        const struct rl_value value = roofs[kernels[i]].of[ceiling];
        if (rl_present(value))
            values[count++] = value.v;
        else
            *missing = value;
    }
    return count;
}

static void summarise(struct rl_ceiling *ceiling, const double *values, size_t count, struct rl_value missing)
{
    const struct rl_stats stats = rl_stats_of(values, count);

    ceiling->theoretical = count ? rl_value_of(stats.median) : missing;
    ceiling->theoretical_low = count ? rl_value_of(stats.min) : missing;
    ceiling->theoretical_high = count ? rl_value_of(stats.max) : missing;
}

static struct rl_stats clock_of(const struct rl_analysis *analysis, size_t gpu, double *values)
{
    const size_t *kernels, all = rl_group(&analysis->index.kernels_of_gpu, gpu, &kernels);
    size_t count = 0;

    for (size_t i = 0; i < all; i++) {
        const struct rl_value clock = analysis->kernels[kernels[i]].metric[RL_METRIC_sm_clock_hz];
        if (rl_present(clock))
            values[count++] = clock.v;
    }
    return rl_stats_of(values, count);
}

struct rl_value rl_ceiling_theory(const struct rl_ceiling *ceiling)
{
    return rl_present(ceiling->limit) ? ceiling->limit : ceiling->theoretical;
}

struct rl_value rl_ceiling_figure(const struct rl_ceiling *ceiling)
{
    return ceiling->measured.n ? rl_value_of(ceiling->measured.median) : ceiling->theoretical;
}

/* What the counters of no kernel gave, from the facts of the card: at the clock that was observed, or, in a capture without any
 * clock (nvprof's, published figures), at the card's highest. */
static void assume_clock(struct rl_analysis *analysis, struct rl_eval *eval, size_t gpu)
{
    struct rl_gpu_result *result = &analysis->gpus[gpu];
    const bool observed = result->sm_clock.n > 0;
    const struct rl_value clock =
        observed ? rl_value_of(result->sm_clock.median) : analysis->capture->gpus[gpu].fact[RL_FACT_sm_clock_max_hz];

    result->assumed_clock = rl_value_missing(RL_NOT_COLLECTED, NULL);
    if (!rl_present(clock))
        return;
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        struct rl_ceiling *ceiling = &result->ceiling[i];
        const struct rl_value value = rl_ceiling_without_kernels(eval, gpu, i, clock);
        if (rl_present(ceiling->theoretical) || !rl_present(value))
            continue;
        if (observed && ceiling->theoretical.state != RL_NOT_COLLECTED) /* counters that failed or disagree are no gap to fill */
            continue;
        ceiling->theoretical = ceiling->theoretical_low = ceiling->theoretical_high = value;
        if (!observed)
            result->assumed_clock = clock;
    }
}

static void describe_card(struct rl_analysis *analysis, struct rl_eval *eval, size_t gpu, const struct roofs *roofs, double *values)
{
    struct rl_gpu_result *result = &analysis->gpus[gpu];
    struct rl_value missing;

    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const size_t count = gather(analysis, gpu, roofs, i, values, &missing);
        summarise(&result->ceiling[i], values, count, missing);
    }
    result->sm_clock = clock_of(analysis, gpu, values);
    rl_ceilings_measured(analysis, eval, gpu);
    assume_clock(analysis, eval, gpu);
    result->ridge_dram = rl_value_div(rl_ceiling_figure(&result->ceiling[RL_CEILING_fp32]),
                                      rl_ceiling_figure(&result->ceiling[RL_CEILING_dram]), "no DRAM ceiling");
}

void rl_step_metrics(struct rl_analysis *analysis, struct rl_eval *eval)
{
    const struct rl_capture *capture = analysis->capture;
    struct roofs *roofs = rl_calloc(capture->kernel_count, sizeof *roofs);
    double *values = rl_calloc(capture->kernel_count, sizeof *values);

    analysis->sets = 1u << RL_SET_CORE;
    for (size_t i = 0; i < capture->kernel_count; i++)
        evaluate_kernel(analysis, eval, i, &roofs[i]);
    for (size_t i = 0; i < capture->gpu_count; i++)
        describe_card(analysis, eval, i, roofs, values);
    free(values);
    free(roofs);
}

/* ---- time at the roofs ---- */

static struct rl_value figure(const struct rl_gpu_result *card, enum rl_ceiling_id ceiling)
{
    return rl_ceiling_figure(&card->ceiling[ceiling]);
}

/* Time for one kind of arithmetic at its roof. A roof that nothing needs may be missing. */
static struct rl_value kind_time(const struct rl_kernel_result *result, const struct rl_gpu_result *card, size_t kind)
{
    const struct rl_value work = rl_arithmetic_work(result->metric, kind), roof = figure(card, rl_arithmetics[kind].roof);

    if (!rl_present(work) || work.v <= 0)
        return rl_present(work) ? rl_value_of(0) : work;
    if (rl_arithmetics[kind].matrix && roof.state == RL_NOT_ON_CHIP)
        return rl_value_missing(RL_NOT_COLLECTED, "no roof is known of a type of its matrix operations");
    return rl_value_div(work, roof, "no ceiling");
}

/* Time for the launch's own mix, each kind at its own roof. */
static struct rl_value compute_time(const struct rl_kernel_result *result, const struct rl_gpu_result *card)
{
    struct rl_value sum = rl_value_of(0);

    for (size_t i = 0; i < RL_ARITHMETICS && rl_present(sum); i++)
        sum = rl_value_add(sum, kind_time(result, card, i));
    return sum;
}

/* Seconds at their roofs of the kinds of arithmetic that are `wanted` (NULL: all). */
static double seconds_of(const struct rl_kernel_result *result, const struct rl_gpu_result *card,
                         bool (*wanted)(const struct rl_arithmetic *kind))
{
    double seconds = 0;

    for (size_t i = 0; i < RL_ARITHMETICS; i++)
        if (!wanted || wanted(&rl_arithmetics[i])) {
            const struct rl_value time = kind_time(result, card, i);
            seconds += rl_present(time) ? time.v : 0;
        }
    return seconds;
}

static bool is_untyped(const struct rl_arithmetic *kind)
{
    return kind->untyped;
}

/* Time for matrix operations whose type was not counted, at the roof of FP16; 0 when there are none. */
static double untyped_time(const struct rl_kernel_result *result, const struct rl_gpu_result *card)
{
    return seconds_of(result, card, is_untyped);
}

/* How many times as fast as with FP16 the card's matrix units are with the floating-point types that are slowest and fastest. */
void rl_types_spread(const struct rl_gpu_result *card, double *slowest, double *fastest)
{
    const struct rl_value fp16 = figure(card, RL_CEILING_tensor_fp16);

    *slowest = *fastest = 1;
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const struct rl_value ratio = rl_value_div(figure(card, (enum rl_ceiling_id)i), fp16, "no ceiling");
        if (rl_ceilings[i].level != RL_LEVEL_TENSOR || rl_ceilings[i].unit != RL_UNIT_FLOP_PER_SECOND || !rl_present(ratio))
            continue;
        *slowest = fmin(*slowest, ratio.v);
        *fastest = fmax(*fastest, ratio.v);
    }
}

static struct rl_value memory_time(const struct rl_kernel_result *result, const struct rl_gpu_result *card)
{
    return rl_value_div(result->metric[RL_METRIC_dram_bytes], figure(card, RL_CEILING_dram), "no DRAM ceiling");
}

static struct rl_value duration_value(const struct rl_kernel_result *result)
{
    return result->duration.n ? rl_value_of(result->duration.median) : rl_value_missing(RL_NOT_COLLECTED, "not timed");
}

static enum rl_bound bound_of(double memory, double compute, double duration)
{
    if (fmax(memory, compute) / duration < RL_BOUND_SHARE)
        return RL_BOUND_LATENCY;
    return memory >= compute ? RL_BOUND_MEMORY : RL_BOUND_COMPUTE;
}

/* Whether the launch would be bound by something else if its matrix operations without a type were of another one than FP16. */
static bool types_matter(const struct rl_kernel_result *result, const struct rl_gpu_result *card, double memory, double compute)
{
    const double untyped = untyped_time(result, card), others = compute - untyped, duration = result->duration.median;
    double slowest, fastest;

    if (untyped <= 0)
        return false;
    rl_types_spread(card, &slowest, &fastest);
    return bound_of(memory, others + untyped / slowest, duration) != bound_of(memory, others + untyped / fastest, duration);
}

/* Passes or launches that have done different work have no place together. */
static struct rl_value unless_mixed(const struct rl_kernel_result *result, struct rl_value value)
{
    return result->disagrees ? rl_value_missing(RL_DISAGREES, NULL) : value;
}

static void place(struct rl_kernel_result *result, const struct rl_gpu_result *card)
{
    const struct rl_value memory = unless_mixed(result, memory_time(result, card)),
                          compute = unless_mixed(result, compute_time(result, card));
    const bool both = rl_present(memory) && rl_present(compute);

    result->arithmetic_time_s = compute;
    result->roof_time_s = both ? rl_value_of(fmax(memory.v, compute.v)) : rl_present(memory) ? compute : memory;
    result->roof_share = rl_value_div(result->roof_time_s, duration_value(result), "no duration");
    result->types_matter = rl_present(result->roof_share) && types_matter(result, card, memory.v, compute.v);
    result->bound = rl_present(result->roof_share) && !result->types_matter ? bound_of(memory.v, compute.v, result->duration.median)
                                                                            : RL_BOUND_UNKNOWN;
}

/* ---- above a roof ---- */

/* A rate that exceeds its ceiling: of which memory level (NULL metric: of arithmetic), and by how much. */
struct excess {
    const struct rl_analysis *analysis;
    const struct rl_kernel_result *result;
    enum rl_ceiling_id ceiling;
    bool arithmetic;
    double ratio;
};

static const struct {
    enum rl_metric rate;
    enum rl_ceiling_id ceiling;
} memory_levels[] = {
    {RL_METRIC_dram_bytes_per_second, RL_CEILING_dram},
    {RL_METRIC_l2_bytes_per_second, RL_CEILING_l2},
    {RL_METRIC_l1_bytes_per_second, RL_CEILING_l1},
};

static const struct rl_kernel *kernel_of(const struct excess *excess)
{
    return &excess->analysis->capture->kernels[excess->result->kernel];
}

static const struct rl_gpu_result *card_of(const struct excess *excess)
{
    return &excess->analysis->gpus[kernel_of(excess)->gpu];
}

static bool below_theory(const struct excess *excess)
{
    const struct rl_ceiling *ceiling = &card_of(excess)->ceiling[excess->ceiling];

    return !excess->arithmetic && ceiling->measured.n && rl_present(ceiling->theoretical) &&
           excess->ratio * ceiling->measured.median <= ceiling->theoretical.v;
}

static bool fits_l2(const struct excess *excess)
{
    const struct rl_value l2 = excess->analysis->capture->gpus[kernel_of(excess)->gpu].fact[RL_FACT_l2_bytes];
    const struct rl_value dram = excess->result->metric[RL_METRIC_dram_bytes];

    return excess->ceiling == RL_CEILING_dram && !excess->arithmetic && rl_present(l2) && rl_present(dram) && dram.v <= l2.v;
}

static bool shared_card(const struct excess *excess)
{
    const struct rl_gpu *gpu = &excess->analysis->capture->gpus[kernel_of(excess)->gpu];

    for (size_t i = 0; i < gpu->moment_count; i++) {
        const struct rl_value seen = gpu->moments[i].reading[RL_READING_process_count];
        if (rl_present(seen) && seen.v > 1)
            return !excess->arithmetic;
    }
    return false;
}

static bool faster_clock(const struct excess *excess)
{
    const struct rl_value clock = excess->result->metric[RL_METRIC_sm_clock_hz];
    const struct rl_stats *usual = &card_of(excess)->sm_clock;

    return rl_present(clock) && usual->n && excess->ceiling != RL_CEILING_dram && clock.v > above_tolerance * usual->median;
}

static double excess_seconds(const struct excess *excess, bool (*wanted)(const struct rl_arithmetic *kind))
{
    return seconds_of(excess->result, card_of(excess), wanted);
}

static bool is_matrix(const struct rl_arithmetic *kind)
{
    return kind->matrix;
}

/* Of FP64 there are no sparse products, no other sums and nothing narrower. */
static bool is_narrow_matrix(const struct rl_arithmetic *kind)
{
    return kind->matrix && kind->roof != RL_CEILING_tensor_fp64;
}

/* Whether the launch lies above the roof of arithmetic, and would not if its arithmetic took that much less time. */
static bool explains(const struct excess *excess, double seconds)
{
    return excess->arithmetic && seconds > 0 &&
           excess_seconds(excess, NULL) - seconds <= above_tolerance * excess->result->duration.median;
}

/* Vectors of each precision and matrices are units of their own; types of matrices share one. */
static bool several_precisions(const struct excess *excess)
{
    double longest = excess_seconds(excess, is_matrix);

    for (size_t i = 0; i < RL_ARITHMETICS; i++) {
        const struct rl_value time = kind_time(excess->result, card_of(excess), i);
        if (!rl_arithmetics[i].matrix && rl_present(time))
            longest = fmax(longest, time.v);
    }
    return explains(excess, excess_seconds(excess, NULL) - longest);
}

static bool is_packed(const struct rl_arithmetic *kind)
{
    return kind->work == RL_METRIC_flop_fp16;
}

static bool packed(const struct excess *excess)
{
    return explains(excess, excess_seconds(excess, is_packed) / 2);
}

static bool types_unknown(const struct excess *excess)
{
    double slowest, fastest;

    rl_types_spread(card_of(excess), &slowest, &fastest);
    return explains(excess, untyped_time(excess->result, card_of(excess)) * (1 - 1 / fastest));
}

static bool dense_roof(const struct excess *excess)
{
    return explains(excess, excess_seconds(excess, is_narrow_matrix) / 2);
}

/* L2 bytes go both ways, its roof is that of the way back to the SMs. */
static bool writes_too(const struct excess *excess)
{
    const struct rl_value stores = excess->result->metric[RL_METRIC_sectors_per_request_store];

    return excess->ceiling == RL_CEILING_l2 && !excess->arithmetic && rl_present(stores) && stores.v > 0;
}

/* L1 bytes are whole sectors, its roof is that of the words in them. */
static bool scattered(const struct excess *excess)
{
    const struct rl_value used = excess->result->metric[RL_METRIC_load_efficiency];

    return excess->ceiling == RL_CEILING_l1 && !excess->arithmetic && rl_present(used) && used.v < 1;
}

static bool always(const struct excess *excess)
{
    return excess->ratio > 0;
}

/* The first cause that applies is given. */
static const struct {
    bool (*applies)(const struct excess *excess);
    const char *words;
} causes[] = {
    {below_theory,
     "it is below the theoretical one, so the micro-benchmark behind the measured ceiling reached less than this kernel"},
    {shared_card, "other processes used the card, and their traffic is counted with the kernel's"},
    {fits_l2, "the data fit in L2: the timed launches found them there, the counted one may not have"},
    {writes_too, "it reads and writes, and the roof is that of L2's return path alone"},
    {scattered, "L1 traffic counts whole sectors, of which its scattered loads use a part"},
    {faster_clock, "its SM clock was above the median at which the ceilings are drawn"},
    {several_precisions, "its precisions run side by side, while the roof takes them one after the other"},
    {packed, "FP16 instructions are counted as packed pairs, which they need not be"},
    {types_unknown, "it is that of FP16 for matrix operations whose types were not counted, and narrower types are faster"},
    {dense_roof,
     "it is that of dense matrix products; sparse ones, FP16 sums on some cards and types narrower than FP8 are faster"},
    {always, "no cause is known; do not rely on this point before the ceiling and the counters are checked"},
};

static void keep_greatest(struct excess *greatest, struct rl_value rate, struct rl_value ceiling, enum rl_ceiling_id id,
                          bool arithmetic)
{
    const struct rl_value ratio = rl_value_div(rate, ceiling, NULL);

    if (!rl_present(ratio) || ratio.v <= fmax(above_tolerance, greatest->ratio))
        return;
    greatest->ratio = ratio.v;
    greatest->ceiling = id;
    greatest->arithmetic = arithmetic;
}

static void explain(struct rl_analysis *analysis, struct rl_kernel_result *result, const struct excess *excess)
{
    size_t i = 0;

    if (excess->ratio == 0)
        return;
    while (!causes[i].applies(excess))
        i++;
    assert(i < RL_COUNT(causes)); /* the last one always applies */
    result->above_roof_ratio = excess->ratio;
    result->above_roof = rl_arena_printf(&analysis->arena, "%s ceiling: %s",
                                         excess->arithmetic ? "arithmetic" : rl_ceilings[excess->ceiling].label, causes[i].words);
}

static void look_above(struct rl_analysis *analysis, struct rl_kernel_result *result)
{
    const struct rl_gpu_result *card = &analysis->gpus[analysis->capture->kernels[result->kernel].gpu];
    struct excess greatest = {.analysis = analysis, .result = result, .ceiling = RL_CEILING_fp32};

    for (size_t i = 0; i < RL_COUNT(memory_levels); i++)
        keep_greatest(&greatest, result->metric[memory_levels[i].rate], figure(card, memory_levels[i].ceiling),
                      memory_levels[i].ceiling, false);
    keep_greatest(&greatest, compute_time(result, card), duration_value(result), RL_CEILING_fp32, true);
    explain(analysis, result, &greatest);
}

void rl_step_roofs(struct rl_analysis *analysis)
{
    for (size_t i = 0; i < analysis->capture->kernel_count; i++) {
        struct rl_kernel_result *result = &analysis->kernels[i];
        place(result, &analysis->gpus[analysis->capture->kernels[i].gpu]);
        look_above(analysis, result);
    }
}

static const char *const bound_names[] = {
    [RL_BOUND_UNKNOWN] = "unknown",
    [RL_BOUND_MEMORY] = "memory-bound",
    [RL_BOUND_COMPUTE] = "compute-bound",
    [RL_BOUND_LATENCY] = "latency-bound",
};
_Static_assert(RL_COUNT(bound_names) == RL_BOUND_LATENCY + 1, "every bound has its name");

const char *rl_bound_name(enum rl_bound bound)
{
    assert((size_t)bound < RL_COUNT(bound_names));
    return bound_names[bound];
}
