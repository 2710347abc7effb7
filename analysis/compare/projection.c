/* projection.c - launches under another GPU's roofs (see projection.h). */
#include "analysis/projection.h"

#include "internal.h"

/* A GPU with less than this share of the L2 of the measured one is worth a word: what fitted may not fit. So is one with more. */
static const double smaller_l2 = 0.99;

/* Whether the launch does packed FP16 or BF16, which counters do not distinguish. */
static bool projection_has_packed(const struct rl_kernel_result *result)
{
    return rl_positive(result->metric[RL_METRIC_flop_fp16]);
}

/* Whether the GPU has less L2 than the measured one, or that is unknown. */
static bool projection_has_less_l2(const struct rl_card_info *card, const struct rl_gpu *gpu)
{
    const struct rl_value l2 = gpu->fact[RL_FACT_l2_bytes];
    return !rl_present(l2) || card->l2_bytes < smaller_l2 * l2.v;
}

static void assume(struct rl_projection *projection, struct rl_buf *text)
{
    RL_APPEND(projection->assumptions, projection->assumption_count, projection->assumption_cap,
              rl_arena_strndup(&projection->arena, text->data, text->len));
    rl_buf_release(text);
}

void rl_projection_origin_text(const struct rl_projection *projection, enum rl_ceiling_id ceiling, struct rl_buf *out)
{
    assert(ceiling < RL_CEILING_COUNT);
    const struct rl_card_ceiling *there = &projection->ceiling[ceiling];
    if (there->recorded)
        rl_buf_addf(out, "measured by rooflight (%s)", there->recorded->source);
    else if (rl_present(there->theoretical))
        rl_buf_addf(out, "theoretical (%s)", projection->card->source);
    else if (there->published)
        rl_buf_addf(out, "published (%s)", there->published->source);
}

static void assume_ceilings(struct rl_projection *projection)
{
    const struct rl_card_ceiling *dram = &projection->ceiling[RL_CEILING_dram];
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_addf(&text, "Roofs of the %s: ", projection->card->id);
    const char *rate = RL_UNIT_TEXT(RL_UNIT_BYTE_PER_SECOND, dram->figure.v, 4);
    if (dram->recorded)
        rl_buf_addf(&text, "those that rooflight measured on one (%s), DRAM at %s; else of the data sheet at the boost clock, ",
                    dram->recorded->source, rate);
    else
        rl_buf_addf(&text, "of the data sheet, DRAM at %s (%s), arithmetic at the boost clock, ", rate, projection->card->source);
    rl_buf_addf(&text, "%s.", RL_UNIT_TEXT(RL_UNIT_HERTZ, projection->card->boost_hz, 4));
    assume(projection, &text);
}

static void assume_l2(struct rl_projection *projection)
{
    const struct rl_capture *capture = projection->analysis->capture;
    struct rl_buf text = RL_BUF_INIT;
    for (size_t i = 0; i < capture->gpu_count; i++) {
        const struct rl_value l2 = capture->gpus[i].fact[RL_FACT_l2_bytes];
        if (!rl_present(l2) || !projection_has_less_l2(projection->card, &capture->gpus[i]))
            continue;
        rl_buf_adds(&text, projection->card->l2_bytes > 0 ? "Its L2 is smaller (" : "Its L2 may be smaller (size not published,");
        if (projection->card->l2_bytes > 0)
            rl_unit_format(&text, RL_UNIT_SIZE, projection->card->l2_bytes, 3);
        rl_buf_adds(&text, " instead of ");
        rl_unit_format(&text, RL_UNIT_SIZE, l2.v, 3);
        rl_buf_adds(&text,
                    "): data that stayed in L2 here may come from DRAM there; the upper end of the bound assumes that all of it "
                    "does.");
        assume(projection, &text);
        return;
    }
}

/* The roof of packed BF16 there, where it is under that of FP16. */
static struct rl_value projection_lower_bf16(const struct rl_projection *projection)
{
    const struct rl_value fp16 = projection->ceiling[RL_CEILING_fp16].figure, bf16 = projection->ceiling[RL_CEILING_bf16].figure;
    const bool lower = rl_present(fp16) && rl_positive(bf16) && bf16.v < fp16.v;
    return lower ? bf16 : rl_value_missing(RL_UNDEFINED, "no lower than that of FP16");
}

/* Whether packed FP16 is possible there and packed BF16 is not. */
static bool projection_lacks_bf16(const struct rl_projection *projection)
{
    return rl_present(projection->ceiling[RL_CEILING_fp16].figure) && !rl_present(projection->ceiling[RL_CEILING_bf16].figure);
}

static void assume_fp16(struct rl_projection *projection)
{
    const struct rl_value bf16 = projection_lower_bf16(projection), fp16 = projection->ceiling[RL_CEILING_fp16].figure;
    struct rl_buf text = RL_BUF_INIT;
    const bool any =
        RL_ANY(i, projection->analysis->capture->kernel_count, projection_has_packed(&projection->analysis->kernels[i]));
    if (!any || (!rl_present(bf16) && !projection_lacks_bf16(projection)))
        return;
    if (projection_lacks_bf16(projection)) {
        rl_buf_adds(
            &text,
            "Counters do not distinguish packed BF16 from packed FP16, and this GPU has no BF16: launches of packed arithmetic "
            "have a bound that holds for FP16.");
        assume(projection, &text);
        return;
    }
    rl_buf_addf(
        &text,
        "Counters do not distinguish packed BF16 from packed FP16, so both are compared with the FP16 roof there, %s; that of BF16 "
        "is %s. The upper end of the bound assumes that all of it is BF16; for a launch where that is so, the bound may be "
        "too short by a factor of %.2f.",
        RL_UNIT_TEXT(RL_UNIT_FLOP_PER_SECOND, fp16.v, 4), RL_UNIT_TEXT(RL_UNIT_FLOP_PER_SECOND, bf16.v, 4), fp16.v / bf16.v);
    assume(projection, &text);
}

/* Work that bounds the time one by one, and the roof above each; the kinds of arithmetic (rl_arithmetics) take it together. What
 * another compiler or cache may change is not here. */
static const struct level {
    enum rl_metric work;
    double unit; /* of the roof, for one of the work */
    enum rl_ceiling_id ceiling;
} levels[] = {
    {RL_METRIC_dram_bytes, 1, RL_CEILING_dram},
    {RL_METRIC_shared_wavefronts, 128, RL_CEILING_shared},
};

static bool does(const struct rl_kernel_result *result, size_t kind)
{
    const struct rl_value work = rl_arithmetic_work(result->metric, kind);
    return rl_positive(work);
}

bool rl_projection_uses(const struct rl_projection *projection, enum rl_ceiling_id ceiling)
{
    assert(ceiling < RL_CEILING_COUNT);
    return RL_ANY(i, RL_COUNT(levels), levels[i].ceiling == ceiling) ||
           RL_ANY(i, RL_ARITHMETICS,
                  rl_arithmetics[i].roof == ceiling &&
                      (!rl_arithmetics[i].matrix ||
                       RL_ANY(k, projection->analysis->capture->kernel_count, does(&projection->analysis->kernels[k], i))));
}

/* ---- bounds ---- */

/* Time under one set of ceilings. */
struct bound {
    double seconds;
    enum rl_ceiling_id binding;
    bool any; /* something was counted that has a roof on both GPUs */
};

static void take(struct bound *bound, double seconds, enum rl_ceiling_id binding)
{
    if (seconds > bound->seconds) {
        bound->seconds = seconds;
        bound->binding = binding;
    }
    bound->any = true;
}

/* The roofs of one GPU: missing values bound nothing. */
struct roofs {
    struct rl_value of[RL_CEILING_COUNT];
};

static bool has_time(struct rl_value work, const struct roofs *roofs, enum rl_ceiling_id id)
{
    return rl_present(work) && rl_positive(roofs->of[id]);
}

/* With `dram` bytes, which need not be those that were counted. */
static struct bound time_with(const struct rl_kernel_result *result, struct rl_value dram, const struct roofs *roofs)
{
    struct bound bound = {.binding = RL_CEILING_dram};
    for (size_t i = 0; i < RL_COUNT(levels); i++) {
        const struct level *level = &levels[i];
        const struct rl_value work = level->work == RL_METRIC_dram_bytes ? dram : result->metric[level->work];
        if (has_time(work, roofs, level->ceiling))
            take(&bound, work.v * level->unit / roofs->of[level->ceiling].v, level->ceiling);
    }
    /* All kinds together; the one with most of the time stands for them. */
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
        take(&bound, compute, precision);
    return bound;
}

/* DRAM bytes of the launch itself: less of writes beyond what its SMs stored, which are lines that earlier launches left dirty in
 * L2. All that was counted where stores were not. */
static struct rl_value own_dram(const struct rl_kernel_result *result)
{
    const struct rl_value *metric = result->metric, atomics = metric[RL_METRIC_l2_atomic_sectors];
    const double sector = 32;
    const struct rl_value stored = rl_present(atomics)
                                       ? rl_value_add(metric[RL_METRIC_l2_write_bytes], rl_value_of(sector * atomics.v))
                                       : metric[RL_METRIC_l2_write_bytes];
    const struct rl_value others = rl_value_sub(metric[RL_METRIC_dram_write_bytes], stored);
    return rl_present(others) && others.v > 0 ? rl_value_sub(metric[RL_METRIC_dram_bytes], others) : metric[RL_METRIC_dram_bytes];
}

static struct bound bound_of(const struct rl_kernel_result *result, const struct roofs *roofs)
{
    return time_with(result, own_dram(result), roofs);
}

/* Work of a kind that the other GPU cannot do at all, or at a rate that is unknown. */
static const char *cannot(const struct rl_kernel_result *result, const struct roofs *roofs, int cc)
{
    for (size_t i = 0; i < RL_ARITHMETICS; i++) {
        if (!does(result, i) || roofs->of[rl_arithmetics[i].roof].state != RL_NOT_ON_CHIP)
            continue;
        if (roofs->of[RL_CEILING_tensor_fp16].state == RL_NOT_ON_CHIP && rl_arithmetics[i].matrix)
            return "not possible: no tensor cores there";
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

/* Carried over: the limits and the roofs of the other GPU, and roofs of both that are alike. */
struct carried {
    int cc;
    struct roofs figures, theory, there, here;
    struct rl_value bf16; /* its roof there, where it is under that of FP16: counters do not tell the two apart */
    bool no_bf16;         /* packed FP16 is possible there, packed BF16 is not */
    bool less_l2;         /* than the GPU that was measured, or unknown */
    bool more_l2;         /* than it, or unknown */
    bool same_chip;
};

static const char not_told_apart[] = "packed FP16 and BF16 were not counted separately, and the GPU has no BF16";

static int clipped(struct rl_value value, int otherwise)
{
    return rl_present(value) && value.v >= 0 ? (int)fmin(value.v, INT_MAX) : otherwise;
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
    const struct rl_value dram = own_dram(result), l2 = result->metric[RL_METRIC_l2_bytes];
    const bool kept = carried->more_l2 && rl_present(dram) && rl_present(l2) && l2.v > once * dram.v;
    return time_with(result, kept ? rl_value_missing(RL_UNDEFINED, "more L2 may keep it") : dram, &carried->theory);
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
    if (carried->no_bf16 && projection_has_packed(result)) {
        projected->bound_high_s = rl_value_missing(RL_UNDEFINED, not_told_apart);
        return;
    }
    if (carried->less_l2 && (!rl_present(l2) || !rl_present(dram))) {
        projected->bound_high_s = rl_value_missing(RL_NOT_COLLECTED, "L2 traffic not counted");
        return;
    }
    const struct bound high = time_with(result, carried->less_l2 ? rl_value_of(fmax(dram.v, l2.v)) : dram, &roofs);
    projected->bound_high_s = seconds_of(&high, result);
}

/* ---- estimate ---- */

/* Times that resources would take there for each second that they take here. */
static struct rl_value slower(const struct carried *carried, int ceiling)
{
    return ceiling < RL_CEILING_COUNT ? rl_value_div(carried->here.of[ceiling], carried->there.of[ceiling], "no roof")
                                      : rl_value_missing(RL_NOT_COLLECTED, NULL);
}

/* Between the two rows that are nearest to `at` on either side, the time is taken to change in a straight line, as it is at either
 * GPU's roof (limits.c); beyond all and where one is unknown, `otherwise`. */
static struct rl_value slower_at(const struct carried *carried, const struct rl_roof_at *rows, size_t count, struct rl_value at,
                                 struct rl_value otherwise)
{
    for (size_t i = 0; i + 1 < count && rl_present(at); i++) {
        const struct rl_value less = slower(carried, (int)rows[i].ceiling), more = slower(carried, (int)rows[i + 1].ceiling);
        if (at.v < rows[i].at || at.v > rows[i + 1].at || !rl_present(less) || !rl_present(more))
            continue;
        const double part = (at.v - rows[i].at) / (rows[i + 1].at - rows[i].at);
        return rl_value_of(less.v + part * (more.v - less.v));
    }
    return otherwise;
}

static struct rl_value slower_at_resource(const struct rl_kernel *kernel, const struct rl_kernel_result *result,
                                          const struct carried *carried, enum rl_resource resource)
{
    const struct rl_value read = rl_value_div(result->metric[RL_METRIC_dram_read_bytes], result->metric[RL_METRIC_dram_bytes], ""),
                          threads = rl_value_of((double)kernel->block[0] * kernel->block[1] * kernel->block[2]);
    const struct rl_demand_info *demand = rl_demands;
    while (demand->resource != resource)
        demand++;
    if (demand->matrices) {
        /* Types of matrix operations share the pipe. */
        double here = 0, there = 0;
        for (size_t i = 0; i < RL_ARITHMETICS; i++) {
            const struct rl_value work = rl_arithmetic_work(result->metric, i);
            const enum rl_ceiling_id id = rl_arithmetics[i].roof;
            if (!rl_arithmetics[i].matrix || !has_time(work, &carried->here, id) || !has_time(work, &carried->there, id))
                continue;
            here += work.v / carried->here.of[id].v;
            there += work.v / carried->there.of[id].v;
        }
        return rl_value_div(rl_value_of(there), rl_value_of(here), "no roof");
    }
    struct rl_value plain = slower(carried, demand->roof);
    if (!rl_present(plain) && (demand->rate || demand->roof == RL_CEILING_COUNT))
        plain = slower(carried, demand->like);
    return demand->mixed   ? slower_at(carried, rl_dram_mixes, rl_dram_mix_count, read, plain)
           : demand->sized ? slower_at(carried, rl_block_sizes, rl_block_size_count, threads, plain)
                           : plain;
}

/* The same there. A resource that may limit and of which nothing says how fast it is there leaves it unknown. */
static struct rl_value time_there(const struct rl_kernel *kernel, const struct rl_kernel_result *result, double here_s,
                                  const struct carried *carried)
{
    double most = bound_of(result, &carried->there).seconds;
    for (size_t r = 0; r < RL_RESOURCE_COUNT; r++) {
        const struct rl_limit *limit = &result->limits.of[r];
        if (!rl_positive(limit->time_s))
            continue;
        const struct rl_value times = slower_at_resource(kernel, result, carried, (enum rl_resource)r);
        if (rl_present(times))
            most = fmax(most, limit->time_s.v * times.v);
        else if (limit->time_s.v >= RL_BOUND_SHARE * here_s)
            return rl_value_missing(RL_NOT_COLLECTED, "a resource that may limit has no roof that is known of both GPUs");
    }
    return rl_value_of(most);
}

/* Why there is no estimate; NULL: there may be one. */
static const char *no_estimate(const struct rl_projected *projected, const struct carried *carried)
{
    if (!carried->same_chip)
        return "a bound only: no measurement tests estimates between chips";
    return projected->limited_elsewhere ? "under 60 % of every roof here: what limits it need not scale with a roof" : NULL;
}

/* Time that the launch spends away from its roof may grow with the rest, or stay as it is: the ends of the interval, and as much on
 * either side as holds 90 % of the launches that both captures of samples/ have (test_pairs.c). */
static void project_estimate(struct rl_projected *projected, const struct rl_kernel *kernel, const struct rl_kernel_result *result,
                             struct rl_value time, const struct carried *carried)
{
    static const double beyond = 0.09;
    const char *why = no_estimate(projected, carried);
    const struct rl_value here = projected->bound_here_s,
                          there = !rl_present(time)   ? time
                                  : why               ? rl_value_missing(RL_UNDEFINED, why)
                                  : !rl_present(here) ? here
                                                      : time_there(kernel, result, here.v, carried),
                          grown = rl_value_mul(time, rl_value_div(there, here, "no work that has a roof"));
    projected->estimate_s = projected->estimate_low_s = projected->estimate_high_s = grown;
    if (!rl_present(grown))
        return;
    const double kept = time.v + there.v - here.v, least = rl_present(projected->bound_low_s) ? projected->bound_low_s.v : 0;
    projected->estimate_s.v = fmax(grown.v, rl_present(projected->bound_s) ? projected->bound_s.v : 0);
    projected->estimate_low_s.v = fmax(fmin(grown.v, kept) * (1 - beyond), least);
    projected->estimate_high_s.v = fmax(fmax(grown.v, kept) * (1 + beyond), projected->estimate_s.v);
}

static void project_times(struct rl_projected *projected, const struct rl_kernel *kernel, const struct rl_kernel_result *result,
                          const struct carried *carried)
{
    const struct rl_value time =
        result->duration.n ? rl_value_of(result->duration.median) : rl_value_missing(RL_NOT_COLLECTED, "not timed");
    const struct bound least = bound_of(result, &carried->figures);
    projected->binding = least.binding;
    projected->bound_s = seconds_of(&least, result);
    project_interval(projected, result, carried);
    /* The largest time of all resources here, also of what bounds the time by metrics alone (imported captures). */
    const enum rl_resource first = result->limits.first;
    const struct bound by_metrics = bound_of(result, &carried->here);
    const double most = fmax(first < RL_RESOURCE_COUNT ? result->limits.of[first].time_s.v : 0, by_metrics.seconds);
    projected->bound_here_s = most > 0                          ? rl_value_of(most)
                              : rl_present(result->roof_time_s) ? rl_value_missing(RL_UNDEFINED, "no work that has a roof")
                                                                : result->roof_time_s;
    projected->share_here = rl_value_div(projected->bound_here_s, time, "not timed");
    projected->limited_elsewhere =
        rl_present(time) && rl_present(projected->bound_here_s) && projected->bound_here_s.v < RL_BOUND_SHARE * time.v;
    project_estimate(projected, kernel, result, time, carried);
    projected->most_speedup = rl_value_div(time, projected->bound_low_s, "no bound");
    projected->estimate_speedup = rl_value_div(time, projected->estimate_s, "no estimate");
}

static void no_times(struct rl_projected *projected, const char *why)
{
    const struct rl_value none = rl_value_missing(RL_UNDEFINED, why);
    projected->bound_s = projected->bound_low_s = projected->bound_high_s = none;
    projected->bound_here_s = projected->share_here = none;
    projected->estimate_s = projected->estimate_low_s = projected->estimate_high_s = none;
    projected->most_speedup = projected->estimate_speedup = none;
}

static void project_kernel(struct rl_projection *projection, size_t index, struct carried *carried)
{
    const struct rl_analysis *analysis = projection->analysis;
    const struct rl_kernel *kernel = &analysis->capture->kernels[index];
    const struct rl_kernel_result *result = &analysis->kernels[index];
    struct rl_projected *projected = &projection->kernels[index];
    /* Roofs of the same kind on both GPUs, so that their quotient says what the GPUs differ and not what theory and measurement
     * do: measured by us on both, else theoretical. */
    struct roofs *there = &carried->there;
    struct roofs *here = &carried->here;
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const struct rl_card_ceiling *other = &projection->ceiling[i];
        const struct rl_ceiling *own = &projection->analysis->gpus[kernel->gpu].ceiling[i];
        const bool measured = other->recorded && own->measured.n;
        there->of[i] = measured ? rl_value_of(other->recorded->value) : other->theoretical;
        here->of[i] = measured ? rl_value_of(own->measured.median) : own->theoretical;
        if (!rl_present(there->of[i]) || !rl_present(here->of[i]))
            there->of[i] = here->of[i] = rl_value_missing(RL_NOT_COLLECTED, NULL);
    }
    const char *chip = analysis->capture->gpus[kernel->gpu].chip;
    carried->same_chip = chip && strcmp(chip, projection->card->chip) == 0;
    carried->less_l2 = projection_has_less_l2(projection->card, &analysis->capture->gpus[kernel->gpu]);
    /* Likewise more. */
    const struct rl_value l2 = analysis->capture->gpus[kernel->gpu].fact[RL_FACT_l2_bytes];
    carried->more_l2 = !rl_present(l2) || smaller_l2 * projection->card->l2_bytes > l2.v;
    projected->kernel = index;
    const double threads = (double)kernel->block[0] * kernel->block[1] * kernel->block[2];
    const struct rl_block_shape shape = {
        .threads = (int)fmin(threads, INT_MAX),
        .registers_per_thread = clipped(kernel->registers_per_thread, -1),
        .static_shared_bytes = clipped(kernel->static_shared_bytes, -1),
        .dynamic_shared_bytes = (int64_t)fmin((double)kernel->dynamic_shared_bytes, INT_MAX),
    };
    projected->occupancy = rl_occupancy_of(rl_sm_limits_of(carried->cc), &shape);
    projected->why_not = projected->occupancy.too_large ? rl_value_reason(projected->occupancy.fraction) : NULL;
    if (!projected->why_not)
        projected->why_not = cannot(result, &carried->figures, carried->cc);
    if (result->wrong)
        no_times(projected, "computed a wrong result");
    else if (projected->why_not)
        no_times(projected, projected->why_not);
    else
        project_times(projected, kernel, result, carried);
}

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
    carried.bf16 = projection_lower_bf16(projection);
    carried.no_bf16 = projection_lacks_bf16(projection);
    for (size_t i = 0; i < analysis->capture->kernel_count; i++)
        project_kernel(projection, i, &carried);
    /* Writes the sentences; the kernels are projected. */
    static const char *const always[] = {
        "The other GPU is assumed to move the same bytes and do the same operations: same problem, same code, same cache "
        "behaviour.",
        "Registers and shared memory are those compiled here; a compiler for the other GPU may choose others.",
        "The bound is the shortest time that the other GPU's roofs allow; its lower end uses the data sheet's. The estimate is "
        "for GPUs with the same chip: every resource takes as much longer as its roof is lower, the slowest limits, and the rest "
        "of the time grows with it; its interval held 90 % of the times measured on both an H100 and an H200. Where a launch is "
        "under 60 % of all roofs here, something else limits it, which need not scale, and there is no estimate.",
    };
    assume_ceilings(projection);
    assume_l2(projection);
    assume_fp16(projection);
    for (size_t i = 0; i < RL_COUNT(always); i++) {
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_adds(&text, always[i]);
        assume(projection, &text);
    }
    return projection;
}

void rl_projection_free(struct rl_projection *projection)
{
    if (!projection)
        return;
    rl_arena_release(&projection->arena);
    RL_FREE(projection->kernels, projection->assumptions, projection);
}
