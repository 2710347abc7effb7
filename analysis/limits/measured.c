/* measured.c - what the micro-benchmarks measured: which run is the roof, what it is compared with, and whether it can be true. */
#include "internal.h"

/* ---- ceilings of a GPU without a capture ---- */

static bool of_dram(const char *measured)
{
    return RL_ANY(i, RL_CEILING_COUNT, rl_ceilings[i].level == RL_LEVEL_DRAM && strcmp(rl_ceilings[i].measured, measured) == 0);
}

/* Any published figure of DRAM: which way of using it is fastest depends on the GPU less than whether it was measured at all. */
static const struct rl_published *any_of_dram(const char *card)
{
    const struct rl_published *best = NULL;
    for (size_t i = 0; i < rl_published_count; i++) {
        const struct rl_published *found =
            of_dram(rl_published[i].measured) ? rl_published_best(card, rl_published[i].measured) : NULL;
        if (found && (!best || found->value > best->value))
            best = found;
    }
    return best;
}

const struct rl_recorded rl_recorded[] = {
#define RECORDED(card, measured, value, source) {card, #measured, value, source},
#include "analysis/recorded.def"
#undef RECORDED
};
const size_t rl_recorded_count = RL_COUNT(rl_recorded);

static const struct rl_recorded *recorded_of(const struct rl_card_info *card, const char *measured)
{
    return RL_FIND(i, rl_recorded, rl_recorded_count,
                   strcmp(rl_recorded[i].card, card->id) == 0 && strcmp(rl_recorded[i].measured, measured) == 0);
}

/* The ceilings that launches are compared with. */
static struct rl_value figure_of(const struct rl_card_ceiling *ceiling)
{
    if (ceiling->recorded)
        return rl_value_of(ceiling->recorded->value);
    return rl_present(ceiling->theoretical) || !ceiling->published ? ceiling->theoretical : rl_value_of(ceiling->published->value);
}

void rl_card_ceilings(const struct rl_card_info *card, struct rl_card_ceiling ceiling[RL_CEILING_COUNT])
{
    /* A capture with the GPU and nothing else, for the formulas of ceilings.def. */
    struct rl_capture *capture = rl_capture_new();
    struct rl_gpu *gpu = rl_capture_add_gpu(capture);
    const struct rl_chip *chip = rl_chip_find(card->chip);
    assert(chip); /* rows are ours, and tested */
    gpu->name = rl_capture_text(capture, card->name);
    gpu->chip = rl_capture_text(capture, card->chip);
    gpu->cc_major = chip->cc / 10;
    gpu->cc_minor = chip->cc % 10;
    rl_card_fill_facts(card, gpu->fact);
    const struct rl_analysis alone = {.capture = capture};
    struct rl_eval eval;
    rl_eval_init(&eval, &alone);
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        /* Makers print FP64 of the tensor cores at the boost clock, other types at the matrix clock. */
        const bool matrices = rl_ceilings[i].level == RL_LEVEL_TENSOR && i != RL_CEILING_tensor_fp64;
        const struct rl_value theoretical =
            rl_ceiling_without_kernels(&eval, 0, i, rl_value_of(matrices ? card->matrix_hz : card->boost_hz));
        ceiling[i].theoretical = theoretical;
        if (!rl_present(theoretical)) /* its reason must outlive the capture */
            ceiling[i].theoretical = rl_value_missing(theoretical.state, NULL);
        const struct rl_ceiling_info *info = &rl_ceilings[i];
        const struct rl_published *found = rl_published_best(card->name, info->measured);
        ceiling[i].published = found || info->role != RL_ROOF || !of_dram(info->measured) ? found : any_of_dram(card->name);
        ceiling[i].recorded = recorded_of(card, rl_ceilings[i].measured);
        ceiling[i].figure = figure_of(&ceiling[i]);
    }
    rl_eval_release(&eval);
    rl_capture_free(capture);
}

/* A rate this much above what the GPU can do is no noise of the clock any more. */
static const double above_theory = 1.01;
/* From this many samples on a run is more than a look in a sweep. */
static const size_t enough_samples = 30;

static bool usable(const struct rl_ceiling_run *run, enum rl_unit unit, const char *id)
{
    if (run->unit != unit || strcmp(run->id, id) != 0)
        return false;
    return !RL_ANY(i, run->sample_count, !isfinite(run->samples[i])) && run->sample_count > 0;
}

/* The configuration with the highest median is the roof: the others say less about the GPU and more about themselves. */
static size_t best_run(const struct rl_analysis *analysis, size_t gpu, enum rl_unit unit, const char *id, size_t least_samples,
                       struct rl_stats *best)
{
    const size_t *runs, count = rl_group(&analysis->index.ceilings_of_gpu, gpu, &runs);
    size_t found = RL_NONE;
    for (size_t i = 0; i < count; i++) {
        const struct rl_ceiling_run *run = &analysis->capture->ceilings[runs[i]];
        if (!usable(run, unit, id) || run->sample_count < least_samples)
            continue;
        const struct rl_stats stats = rl_stats_of_series(run->samples, run->sample_count, 0);
        if (found == RL_NONE || stats.median > best->median) {
            *best = stats;
            found = runs[i];
        }
    }
    return found;
}

static size_t choose_run(const struct rl_analysis *analysis, size_t gpu, enum rl_unit unit, const char *id, struct rl_stats *best)
{
    const size_t found = best_run(analysis, gpu, unit, id, enough_samples, best);
    return found != RL_NONE ? found : best_run(analysis, gpu, unit, id, 1, best);
}

bool rl_ceiling_goes_with_clock(const struct rl_eval *eval, size_t ceiling)
{
    const struct rl_formula *formula = eval->formulas.ceiling[ceiling];
    const char *const *names;
    const size_t count = formula ? rl_formula_names(formula, &names) : 0;
    return RL_ANY(i, count, strcmp(names[i], "sm_clock_hz") == 0);
}

struct rl_value rl_ceiling_without_kernels(struct rl_eval *eval, size_t gpu, size_t ceiling, struct rl_value clock)
{
    assert(ceiling < RL_CEILING_COUNT);
    const struct rl_formula *fallback = eval->formulas.fallback[ceiling];
    rl_eval_focus(eval, gpu, RL_NONE);
    rl_eval_set_value(eval, RL_METRIC_sm_clock_hz, clock);
    struct rl_value value = rl_eval_ceiling(eval, ceiling);
    if (!rl_present(value) && fallback)
        value = rl_eval_formula(eval, fallback, NULL);
    return value;
}

/* The theoretical figure at the clock of the run: rates of the SMs are proportional to it. */
static struct rl_value limit_of(const struct rl_gpu_result *card, const struct rl_eval *eval, size_t ceiling, struct rl_value clock)
{
    const struct rl_value theoretical = card->ceiling[ceiling].theoretical;
    if (!rl_present(clock) || card->sm_clock.n == 0 || !rl_ceiling_goes_with_clock(eval, ceiling))
        return theoretical;
    return rl_value_mul(theoretical, rl_value_div(clock, rl_value_of(card->sm_clock.median), "no SM clock"));
}

static void compare_with_theory(struct rl_analysis *analysis, struct rl_eval *eval, size_t gpu, size_t id)
{
    struct rl_gpu_result *card = &analysis->gpus[gpu];
    struct rl_ceiling *ceiling = &card->ceiling[id];
    const struct rl_value clock = analysis->capture->ceilings[ceiling->run].sm_clock_hz;
    ceiling->by_clock = rl_ceiling_goes_with_clock(eval, id);
    if (rl_present(ceiling->theoretical)) {
        ceiling->limit = limit_of(card, eval, id, clock);
    } else {
        const struct rl_value reason = ceiling->theoretical;
        ceiling->limit = rl_ceiling_without_kernels(eval, gpu, id, clock);
        ceiling->theoretical = rl_present(ceiling->limit) ? ceiling->limit : reason;
        ceiling->theoretical_low = ceiling->theoretical_high = ceiling->theoretical;
    }
    ceiling->share = rl_value_div(rl_value_of(ceiling->measured.median), ceiling->limit, "no theoretical figure");
}

static void refuse_the_impossible(struct rl_analysis *analysis, size_t id, struct rl_ceiling *ceiling)
{
    struct rl_buf text = RL_BUF_INIT;
    if (!rl_present(ceiling->share) || ceiling->share.v <= above_theory)
        return;
    rl_buf_addf(&text,
                "%s was measured, %s of what the GPU can do at the clock of that run: either the clock or a rate of the GPU is not "
                "what the tables and the driver say, or the benchmark did less than it should",
                RL_UNIT_TEXT(rl_ceilings[id].unit, ceiling->measured.median, 4),
                RL_UNIT_TEXT(RL_UNIT_FRACTION, ceiling->share.v, 4));
    ceiling->refused = rl_analysis_keep_text(analysis, &text);
    ceiling->measured = (struct rl_stats){0};
}

void rl_ceilings_measured(struct rl_analysis *analysis, struct rl_eval *eval, size_t gpu)
{
    const struct rl_value none = rl_value_missing(RL_NOT_COLLECTED, "not measured");
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        struct rl_ceiling *ceiling = &analysis->gpus[gpu].ceiling[i];
        ceiling->limit = ceiling->share = ceiling->sustained_share = none;
        ceiling->published_share = rl_value_missing(RL_NOT_COLLECTED, "nothing published for this GPU");
        ceiling->sustained_run = RL_NONE;
        ceiling->run = choose_run(analysis, gpu, rl_ceilings[i].unit, rl_ceilings[i].measured, &ceiling->measured);
        if (ceiling->run == RL_NONE)
            continue;
        compare_with_theory(analysis, eval, gpu, i);
        refuse_the_impossible(analysis, i, ceiling);
        ceiling->published = rl_published_best(analysis->capture->gpus[gpu].name, rl_ceilings[i].measured);
        if (ceiling->published && ceiling->measured.n)
            ceiling->published_share = rl_value_of(ceiling->measured.median / ceiling->published->value);
        char sustained[64];
        snprintf(sustained, sizeof sustained, "%s_sustained", rl_ceilings[i].measured);
        ceiling->sustained_run = choose_run(analysis, gpu, rl_ceilings[i].unit, sustained, &ceiling->sustained);
        if (ceiling->sustained.n && ceiling->measured.n)
            ceiling->sustained_share =
                rl_value_div(rl_value_of(ceiling->sustained.median), rl_value_of(ceiling->measured.median), "measured as zero");
    }
}
