/* projection.c - launches under another card's roofs (see projection.h). */
#include "analysis/projection.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/plan.h"
#include "core/mem.h"
#include "internal.h"
#include "projection_internal.h"

/* What takes time one by one, and the roof above each; the kinds of arithmetic (rl_arithmetics) take it together. What another
 * compiler or cache may change bounds nothing, but limits launches here, and so an estimate goes with it. */
static const struct level {
    enum rl_metric work;
    double unit; /* of the roof, for one of the work */
    enum rl_ceiling_id ceiling;
    bool bounds;
} levels[] = {
    {RL_METRIC_dram_bytes, 1, RL_CEILING_dram, true},
    {RL_METRIC_shared_wavefronts, 128, RL_CEILING_shared, true},
    {RL_METRIC_l1_bytes, 1, RL_CEILING_l1, false},
    {RL_METRIC_instructions, 1, RL_CEILING_issue, false},
};

static bool does(const struct rl_kernel_result *result, size_t kind)
{
    const struct rl_value work = rl_arithmetic_work(result->metric, kind);
    return rl_present(work) && work.v > 0;
}

static bool any_does(const struct rl_projection *projection, size_t kind)
{
    for (size_t k = 0; k < projection->analysis->capture->kernel_count; k++)
        if (does(&projection->analysis->kernels[k], kind))
            return true;
    return false;
}

bool rl_projection_uses(const struct rl_projection *projection, enum rl_ceiling_id ceiling)
{
    assert(ceiling < RL_CEILING_COUNT);
    for (size_t i = 0; i < RL_COUNT(levels); i++)
        if (levels[i].bounds && levels[i].ceiling == ceiling)
            return true;
    for (size_t i = 0; i < RL_ARITHMETICS; i++)
        if (rl_arithmetics[i].roof == ceiling && (!rl_arithmetics[i].matrix || any_does(projection, i)))
            return true;
    return false;
}

/* ---- bounds ---- */

/* Time under one set of ceilings. */
struct bound {
    double seconds;
    enum rl_ceiling_id binding;
    bool any; /* something was counted that has a roof on both cards */
};

static void take(struct bound *bound, double seconds, enum rl_ceiling_id binding)
{
    if (seconds > bound->seconds) {
        bound->seconds = seconds;
        bound->binding = binding;
    }
    bound->any = true;
}

/* The roofs of one card: missing values bound nothing. */
struct roofs {
    struct rl_value of[RL_CEILING_COUNT];
};

static bool has_time(struct rl_value work, const struct roofs *roofs, enum rl_ceiling_id id)
{
    return rl_present(work) && rl_present(roofs->of[id]) && roofs->of[id].v > 0;
}

/* All kinds together; the one with most of the time stands for them. */
static void take_arithmetic(const struct rl_kernel_result *result, const struct roofs *roofs, struct bound *bound)
{
    double compute = 0, most = -1;
    enum rl_ceiling_id precision = RL_CEILING_fp32;
    for (size_t i = 0; i < RL_ARITHMETICS; i++) {
        const struct rl_value work = rl_arithmetic_work(result->metric, i);
        const enum rl_ceiling_id id = rl_arithmetics[i].roof;
        if (!has_time(work, roofs, id))
            continue;
        const double seconds = work.v / roofs->of[id].v;
        compute += seconds;
        if (seconds > most) {
            most = seconds;
            precision = id;
        }
    }
    if (most >= 0)
        take(bound, compute, precision);
}

/* With `dram` bytes, which need not be those that were counted. */
static struct bound time_with(const struct rl_kernel_result *result, struct rl_value dram, const struct roofs *roofs, bool all)
{
    struct bound bound = {.binding = RL_CEILING_dram};
    for (size_t i = 0; i < RL_COUNT(levels); i++) {
        const struct level *level = &levels[i];
        const struct rl_value work = level->work == RL_METRIC_dram_bytes ? dram : result->metric[level->work];
        if ((all || level->bounds) && has_time(work, roofs, level->ceiling))
            take(&bound, work.v * level->unit / roofs->of[level->ceiling].v, level->ceiling);
    }
    take_arithmetic(result, roofs, &bound);
    return bound;
}

static struct bound bound_of(const struct rl_kernel_result *result, const struct roofs *roofs)
{
    return time_with(result, result->metric[RL_METRIC_dram_bytes], roofs, false);
}

/* Time at the roof that allows the most of it, also of those that bound nothing. */
static struct bound limit_of(const struct rl_kernel_result *result, const struct roofs *roofs)
{
    return time_with(result, result->metric[RL_METRIC_dram_bytes], roofs, true);
}

/* Work of a kind that the other card cannot do at all, or of which nobody says how fast it does it. */
static const char *cannot(const struct rl_kernel_result *result, const struct roofs *roofs, int cc)
{
    for (size_t i = 0; i < RL_ARITHMETICS; i++) {
        if (!does(result, i) || rl_value_state(roofs->of[rl_arithmetics[i].roof]) != RL_NOT_ON_CHIP)
            continue;
        if (rl_value_state(roofs->of[RL_CEILING_tensor_fp16]) == RL_NOT_ON_CHIP && rl_arithmetics[i].matrix)
            return "not possible: no matrix units there";
        if (cc < rl_arithmetics[i].since)
            return rl_arithmetics[i].impossible;
        return rl_arithmetics[i].matrix ? "no rate of matrices of this type is known there"
                                        : "no rate of this precision is known there";
    }
    return NULL;
}

static struct rl_value missing_bound(const struct rl_kernel_result *result)
{
    const struct rl_value dram = result->metric[RL_METRIC_dram_bytes];
    if (result->limits.sampled)
        return rl_value_missing(RL_NOT_COLLECTED, "sampled, not counted: estimates are not carried over");
    return rl_present(dram) ? rl_value_missing(RL_UNDEFINED, "no work that has a roof") : dram;
}

/* ---- one kernel ---- */

/* What is carried over: the limits and the roofs of the other card, and roofs of both that are alike. */
struct carried {
    int cc;
    struct roofs figures, theory, there, here;
    struct rl_value bf16; /* its roof there, where it is under that of FP16: counters do not tell the two apart */
    bool no_bf16;         /* packed FP16 is possible there, packed BF16 is not */
    bool less_l2;         /* than the card that was measured, or not known */
    bool more_l2;         /* than it, or not known */
};

static const char not_told_apart[] = "packed FP16 and BF16 were not counted apart, and the card has no BF16";

static int clipped(struct rl_value value, int otherwise)
{
    return rl_present(value) && value.v >= 0 ? (int)fmin(value.v, INT_MAX) : otherwise;
}

static struct rl_occupancy occupancy_there(const struct rl_kernel *kernel, int cc)
{
    const double threads = (double)kernel->block[0] * kernel->block[1] * kernel->block[2];
    const struct rl_block_shape shape = {
        .threads = (int)fmin(threads, INT_MAX),
        .registers_per_thread = clipped(kernel->registers_per_thread, -1),
        .static_shared_bytes = clipped(kernel->static_shared_bytes, -1),
        .dynamic_shared_bytes = (int64_t)fmin((double)kernel->dynamic_shared_bytes, INT_MAX),
    };
    return rl_occupancy_of(rl_sm_limits_of(cc), &shape);
}

/* Every card comes within a percent or two of its arithmetic in theory; published measurements of it differ by what the benchmark
 * could do. What memory delivers of its theory is a matter of the card. */
static bool better_measured(enum rl_ceiling_id id)
{
    return rl_ceilings[id].level == RL_LEVEL_DRAM || rl_ceilings[id].level == RL_LEVEL_L2;
}

/* What was measured here of the kind that a published figure is of: reads, writes, copies. */
static struct rl_value measured_like(const struct rl_gpu_result *gpu, const struct rl_published *published)
{
    for (size_t i = 0; published && i < RL_CEILING_COUNT; i++)
        if (gpu->ceiling[i].measured.n && strcmp(rl_ceilings[i].measured, published->measured) == 0)
            return rl_value_of(gpu->ceiling[i].measured.median);
    return rl_value_missing(RL_NOT_COLLECTED, NULL);
}

/* Roofs of the same kind on both cards, so that their quotient says what the cards differ and not what theory and measurement do:
 * measured by us on both, of memory by others there, else theoretical. */
static void like_roofs(const struct rl_projection *projection, size_t gpu, struct roofs *there, struct roofs *here)
{
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const struct rl_card_ceiling *other = &projection->ceiling[i];
        const struct rl_ceiling *own = &projection->analysis->gpus[gpu].ceiling[i];
        const struct rl_value like = measured_like(&projection->analysis->gpus[gpu], other->published);
        if (other->recorded && own->measured.n) {
            there->of[i] = rl_value_of(other->recorded->value);
            here->of[i] = rl_value_of(own->measured.median);
        } else if (better_measured((enum rl_ceiling_id)i) && rl_present(like)) {
            there->of[i] = rl_value_of(other->published->value);
            here->of[i] = like;
        } else if (rl_present(own->theoretical) && rl_present(other->theoretical)) {
            there->of[i] = other->theoretical;
            here->of[i] = own->theoretical;
        } else {
            there->of[i] = rl_present(rl_ceiling_figure(own)) ? other->figure : rl_value_missing(RL_NOT_COLLECTED, NULL);
            here->of[i] = rl_present(other->figure) ? rl_ceiling_figure(own) : rl_value_missing(RL_NOT_COLLECTED, NULL);
        }
    }
}

static const char *does_not_fit(const struct rl_occupancy *occupancy)
{
    return occupancy->too_large ? rl_value_reason(occupancy->fraction) : NULL;
}

static struct rl_value seconds_of(const struct bound *bound, const struct rl_kernel_result *result)
{
    return bound->any && bound->seconds > 0 ? rl_value_of(bound->seconds) : missing_bound(result);
}

/* The bound at theoretical roofs. More L2 may keep what was read again here, so that less of it comes from DRAM there: where the
 * SMs asked more of L2 than came from DRAM, that bounds nothing. */
static struct bound lowest(const struct rl_kernel_result *result, const struct carried *carried)
{
    static const double once = 1.05;
    const struct rl_value dram = result->metric[RL_METRIC_dram_bytes], l2 = result->metric[RL_METRIC_l2_bytes];
    const bool kept = carried->more_l2 && rl_present(dram) && rl_present(l2) && l2.v > once * dram.v;
    return time_with(result, kept ? rl_value_missing(RL_UNDEFINED, "more L2 may keep it") : dram, &carried->theory, false);
}

/* The ends of the bound under other assumptions (see projection.h). */
static void project_interval(struct rl_projected *projected, const struct rl_kernel_result *result, const struct carried *carried)
{
    const struct rl_value dram = result->metric[RL_METRIC_dram_bytes], l2 = result->metric[RL_METRIC_l2_bytes];
    const struct bound low = lowest(result, carried);
    projected->bound_low_s = projected->bound_high_s = projected->bound_s;
    if (!rl_present(projected->bound_s))
        return;
    projected->bound_low_s = rl_value_of(low.any ? fmin(low.seconds, projected->bound_s.v) : 0);
    struct roofs roofs = carried->figures;
    if (rl_present(carried->bf16))
        roofs.of[RL_CEILING_fp16] = carried->bf16;
    if (carried->no_bf16 && rl_projection_has_packed(result)) {
        projected->bound_high_s = rl_value_missing(RL_UNDEFINED, not_told_apart);
        return;
    }
    if (carried->less_l2 && (!rl_present(l2) || !rl_present(dram))) {
        projected->bound_high_s = rl_value_missing(RL_NOT_COLLECTED, "L2 traffic not counted");
        return;
    }
    const struct bound high = time_with(result, carried->less_l2 ? rl_value_of(fmax(dram.v, l2.v)) : dram, &roofs, false);
    projected->bound_high_s = seconds_of(&high, result);
}

/* Never less than the bound: theory, of which like roofs may be, promises more than anyone has measured. */
static struct rl_value estimate(struct rl_value time, struct rl_value there, const struct rl_projected *projected)
{
    const struct rl_value scaled = rl_value_mul(time, rl_value_div(there, projected->bound_here_s, "no work that has a roof"));
    if (rl_present(time) && !rl_present(projected->bound_here_s))
        return projected->bound_here_s;
    return rl_present(scaled) && rl_present(projected->bound_s) ? rl_value_of(fmax(scaled.v, projected->bound_s.v)) : scaled;
}

static void project_times(struct rl_projected *projected, const struct rl_kernel_result *result, const struct carried *carried)
{
    const struct rl_value time =
        result->duration.n ? rl_value_of(result->duration.median) : rl_value_missing(RL_NOT_COLLECTED, "not timed");
    const struct bound least = bound_of(result, &carried->figures), far = limit_of(result, &carried->there),
                       near = limit_of(result, &carried->here);
    projected->binding = least.binding;
    projected->bound_s = seconds_of(&least, result);
    project_interval(projected, result, carried);
    projected->bound_here_s = near.any || !least.any
                                  ? seconds_of(&near, result)
                                  : rl_value_missing(RL_NOT_COLLECTED, "no roof is known of the card that was measured");
    projected->share_here = rl_value_div(projected->bound_here_s, time, "not timed");
    projected->limited_elsewhere =
        rl_present(time) && rl_present(projected->bound_here_s) && projected->bound_here_s.v < RL_BOUND_SHARE * time.v;
    projected->estimate_s =
        projected->limited_elsewhere
            ? rl_value_missing(RL_UNDEFINED, "under 60 % of every roof here: what limits it need not scale with a roof")
            : estimate(time, seconds_of(&far, result), projected);
    if (rl_present(projected->estimate_s) && carried->no_bf16 && rl_projection_has_packed(result))
        projected->estimate_s = rl_value_missing(RL_UNDEFINED, not_told_apart);
    projected->most_speedup = rl_value_div(time, projected->bound_s, "no bound");
    projected->estimate_speedup = rl_value_div(time, projected->estimate_s, "no estimate");
}

static void no_times(struct rl_projected *projected, const char *why)
{
    const struct rl_value none = rl_value_missing(RL_UNDEFINED, why);
    projected->bound_s = projected->bound_low_s = projected->bound_high_s = none;
    projected->bound_here_s = projected->share_here = none;
    projected->estimate_s = projected->most_speedup = projected->estimate_speedup = none;
}

static void project_kernel(struct rl_projection *projection, size_t index, struct carried *carried)
{
    assert(index < projection->analysis->capture->kernel_count);
    const struct rl_analysis *analysis = projection->analysis;
    const struct rl_kernel *kernel = &analysis->capture->kernels[index];
    const struct rl_kernel_result *result = &analysis->kernels[index];
    struct rl_projected *projected = &projection->kernels[index];
    like_roofs(projection, kernel->gpu, &carried->there, &carried->here);
    carried->less_l2 = rl_projection_has_less_l2(projection->card, &analysis->capture->gpus[kernel->gpu]);
    carried->more_l2 = rl_projection_has_more_l2(projection->card, &analysis->capture->gpus[kernel->gpu]);
    projected->kernel = index;
    projected->occupancy = occupancy_there(kernel, carried->cc);
    projected->why_not = does_not_fit(&projected->occupancy);
    if (!projected->why_not)
        projected->why_not = cannot(result, &carried->figures, carried->cc);
    if (result->wrong)
        no_times(projected, "computed a wrong result");
    else if (projected->why_not)
        no_times(projected, projected->why_not);
    else
        project_times(projected, result, carried);
}

/* ---- the whole ---- */

struct rl_projection *rl_projection_new(const struct rl_analysis *analysis, const struct rl_card_info *card)
{
    struct rl_projection *projection = rl_calloc(1, sizeof *projection);
    const struct rl_chip *chip = rl_chip_find(card->chip);
    struct carried carried = {.cc = chip->cc};
    projection->analysis = analysis;
    projection->card = card;
    projection->kernels = rl_calloc(analysis->capture->kernel_count, sizeof *projection->kernels);
    rl_card_ceilings(card, projection->ceiling);
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const struct rl_card_ceiling *ceiling = &projection->ceiling[i];
        carried.figures.of[i] = ceiling->figure;
        carried.theory.of[i] = rl_present(ceiling->theoretical) ? ceiling->theoretical : ceiling->figure;
    }
    carried.bf16 = rl_projection_lower_bf16(projection);
    carried.no_bf16 = rl_projection_lacks_bf16(projection);
    for (size_t i = 0; i < analysis->capture->kernel_count; i++)
        project_kernel(projection, i, &carried);
    rl_projection_assume(projection);
    return projection;
}

void rl_projection_free(struct rl_projection *projection)
{
    if (!projection)
        return;
    rl_arena_release(&projection->arena);
    free(projection->kernels);
    free(projection->assumptions);
    free(projection);
}
