/* card_ceilings.c - ceilings of a card without a capture. */
#include <assert.h>
#include <string.h>

#include "core/mem.h"
#include "internal.h"

static bool of_dram(const char *measured)
{
    return RL_ANY(i, RL_CEILING_COUNT, rl_ceilings[i].level == RL_LEVEL_DRAM && strcmp(rl_ceilings[i].measured, measured) == 0);
}

/* Any published figure of DRAM: which way of using it is fastest depends on the card less than whether it was measured at all. */
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
    /* A capture with the card and nothing else, for the formulas of ceilings.def. */
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
        /* Makers print FP64 of the matrix units at the boost clock, other types at the matrix clock. */
        const bool matrices = rl_ceilings[i].level == RL_LEVEL_TENSOR && i != RL_CEILING_tensor_fp64;
        const struct rl_value theoretical =
            rl_ceiling_without_kernels(&eval, 0, i, rl_value_of(matrices ? card->matrix_hz : card->boost_hz));
        ceiling[i].theoretical = theoretical;
        if (!rl_present(theoretical)) /* its reason must outlive the capture */
            ceiling[i].theoretical = rl_value_missing(rl_value_state(theoretical), NULL);
        const struct rl_ceiling_info *info = &rl_ceilings[i];
        const struct rl_published *found = rl_published_best(card->name, info->measured);
        ceiling[i].published = found || info->role != RL_ROOF || !of_dram(info->measured) ? found : any_of_dram(card->name);
        ceiling[i].recorded = recorded_of(card, rl_ceilings[i].measured);
        ceiling[i].figure = figure_of(&ceiling[i]);
    }
    rl_eval_release(&eval);
    rl_capture_free(capture);
}
