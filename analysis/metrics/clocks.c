#include "analysis/analysis.h"

static const struct {
    uint32_t bit;
    const char *words;
} reasons_of_bits[] = {
#define REASON(bit, words) {bit, words},
#include "analysis/clock_reasons.def"
#undef REASON
};

/* Readings are numbers; what is no set of 32 bits has none. */
static uint32_t bits_of(struct rl_value reasons)
{
    return rl_present(reasons) && reasons.v >= 0 && reasons.v <= UINT32_MAX ? (uint32_t)reasons.v : 0;
}

bool rl_clock_throttled(struct rl_value reasons)
{
    uint32_t lowering = 0;
    for (size_t i = 0; i < RL_COUNT(reasons_of_bits); i++)
        lowering |= reasons_of_bits[i].bit;
    return bits_of(reasons) & lowering;
}

struct rl_value rl_clock_lowered_by(const struct rl_analysis *analysis, size_t gpu)
{
    const struct rl_capture *capture = analysis->capture;
    const size_t *runs, count = rl_group(&analysis->index.ceilings_of_gpu, gpu, &runs);
    const size_t moments = capture->gpus[gpu].moment_count;
    uint32_t bits = 0;
    bool known = false;
    for (size_t i = 0; i < moments + count; i++) {
        const struct rl_value reasons = i < moments ? capture->gpus[gpu].moments[i].reading[RL_READING_throttle_reasons]
                                                    : capture->ceilings[runs[i - moments]].throttle_reasons;
        known |= rl_present(reasons);
        bits |= rl_clock_throttled(reasons) ? bits_of(reasons) : 0;
    }
    return known ? rl_value_of(bits) : rl_value_missing(RL_NOT_COLLECTED, NULL);
}

void rl_throttle_reasons_text(struct rl_value reasons, struct rl_buf *out)
{
    const uint32_t bits = bits_of(reasons);
    const char *comma = "";
    for (size_t i = 0; i < RL_COUNT(reasons_of_bits); i++) {
        if (!(bits & reasons_of_bits[i].bit))
            continue;
        rl_buf_adds(out, comma);
        rl_buf_adds(out, reasons_of_bits[i].words);
        comma = ", ";
    }
}
