/* data_sheet.c - the data sheets of GPUs, next to the ceilings of a capture (struct rl_ceiling), and the SM clock at
 * which theory is. */
#include "internal.h"

/* Peaks that cards.def has as they are printed. */
static const struct {
    enum rl_ceiling_id ceiling;
    size_t member; /* a double of struct rl_card_info */
} printed[] = {
    {RL_CEILING_fp64, offsetof(struct rl_card_info, printed_fp64)},
    {RL_CEILING_fp32, offsetof(struct rl_card_info, printed_fp32)},
    {RL_CEILING_tensor_fp16, offsetof(struct rl_card_info, printed_tensor)},
};

static struct rl_value printed_of(const struct rl_card_info *card, size_t id)
{
    double peak = rl_ceilings[id].level == RL_LEVEL_DRAM ? card->printed_dram : 0;
    for (size_t i = 0; i < RL_COUNT(printed); i++)
        if (printed[i].ceiling == id)
            memcpy(&peak, (const char *)card + printed[i].member, sizeof peak);
    return peak > 0 ? rl_value_of(peak) : rl_value_missing(RL_UNDEFINED, NULL);
}

/* Whether data sheets speak of such a rate. */
static bool is_told(enum rl_level level)
{
    return level == RL_LEVEL_FP64 || level == RL_LEVEL_FP32 || level == RL_LEVEL_FP16 || level == RL_LEVEL_TENSOR;
}

static void data_sheet_of(const struct rl_card_info *card, struct rl_value peak[RL_CEILING_COUNT])
{
    struct rl_card_ceiling ceiling[RL_CEILING_COUNT];
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        peak[i] = rl_value_missing(RL_UNDEFINED, "not in the data sheets");
    if (!card)
        return;
    rl_card_ceilings(card, ceiling);
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const struct rl_value told = printed_of(card, i);
        if (rl_present(told))
            peak[i] = told;
        else if (is_told(rl_ceilings[i].level) && rl_present(ceiling[i].theoretical))
            peak[i] = ceiling[i].theoretical;
    }
}

/* That at which rl_ceiling_theory is. */
static struct rl_value clock_of_theory(const struct rl_capture *capture, const struct rl_gpu_result *card,
                                       const struct rl_ceiling *ceiling)
{
    if (rl_present(ceiling->limit) && ceiling->run != RL_NONE)
        return capture->ceilings[ceiling->run].sm_clock_hz;
    return card->sm_clock.n > 0 ? rl_value_of(card->sm_clock.median) : card->assumed_clock;
}

void rl_ceilings_data_sheets(struct rl_analysis *analysis, const struct rl_eval *eval)
{
    const struct rl_capture *capture = analysis->capture;
    struct rl_value peak[RL_CEILING_COUNT];
    const struct rl_card_info *last = NULL;
    for (size_t gpu = 0; gpu < capture->gpu_count; gpu++) {
        const struct rl_card_info *card = rl_card_find(capture->gpus[gpu].name);
        if (gpu == 0 || card != last)
            data_sheet_of(card, peak);
        last = card;
        for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
            struct rl_ceiling *ceiling = &analysis->gpus[gpu].ceiling[i];
            ceiling->data_sheet = peak[i];
            ceiling->data_sheet_share = rl_value_div(ceiling->measured.n ? rl_value_of(ceiling->measured.median)
                                                                         : rl_value_missing(RL_NOT_COLLECTED, "not measured"),
                                                     peak[i], "not in the data sheets");
            ceiling->clock = rl_ceiling_goes_with_clock(eval, i)
                                 ? clock_of_theory(capture, &analysis->gpus[gpu], ceiling)
                                 : rl_value_missing(RL_UNDEFINED, "it does not go with the SM clock");
        }
    }
}
