/* projection_assume.c - what a projection rests on, in words (see projection.h). */
#include <assert.h>
#include <string.h>

#include "core/mem.h"
#include "internal.h"
#include "projection_internal.h"

/* A card with less than this share of the L2 of the measured one is worth a word: what fitted may not fit. So is one with more. */
static const double smaller_l2 = 0.99;

bool rl_projection_has_packed(const struct rl_kernel_result *result)
{
    return rl_present(result->metric[RL_METRIC_flop_fp16]) && result->metric[RL_METRIC_flop_fp16].v > 0;
}

bool rl_projection_has_less_l2(const struct rl_card_info *card, const struct rl_gpu *gpu)
{
    const struct rl_value l2 = gpu->fact[RL_FACT_l2_bytes];
    return !rl_present(l2) || card->l2_bytes < smaller_l2 * l2.v;
}

bool rl_projection_has_more_l2(const struct rl_card_info *card, const struct rl_gpu *gpu)
{
    const struct rl_value l2 = gpu->fact[RL_FACT_l2_bytes];
    return !rl_present(l2) || smaller_l2 * card->l2_bytes > l2.v;
}

static void assume(struct rl_projection *projection, struct rl_buf *text)
{
    RL_GROW(projection->assumptions, projection->assumption_count + 1, projection->assumption_cap);
    projection->assumptions[projection->assumption_count++] = rl_arena_strndup(&projection->arena, text->data, text->len);
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
    if (dram->recorded) {
        rl_buf_addf(&text, "those that rooflight measured on one (%s), DRAM at ", dram->recorded->source);
        rl_unit_format(&text, RL_UNIT_BYTE_PER_SECOND, dram->figure.v, 4);
        rl_buf_adds(&text, "; else of the data sheet at the boost clock, ");
    } else {
        rl_buf_adds(&text, "of the data sheet, DRAM at ");
        rl_unit_format(&text, RL_UNIT_BYTE_PER_SECOND, dram->figure.v, 4);
        rl_buf_addf(&text, " (%s), arithmetic at the boost clock, ", projection->card->source);
    }
    rl_unit_format(&text, RL_UNIT_HERTZ, projection->card->boost_hz, 4);
    rl_buf_adds(&text, ".");
    assume(projection, &text);
}

static void assume_l2(struct rl_projection *projection)
{
    const struct rl_capture *capture = projection->analysis->capture;
    struct rl_buf text = RL_BUF_INIT;
    for (size_t i = 0; i < capture->gpu_count; i++) {
        const struct rl_value l2 = capture->gpus[i].fact[RL_FACT_l2_bytes];
        if (!rl_present(l2) || !rl_projection_has_less_l2(projection->card, &capture->gpus[i]))
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

struct rl_value rl_projection_lower_bf16(const struct rl_projection *projection)
{
    const struct rl_value fp16 = projection->ceiling[RL_CEILING_fp16].figure, bf16 = projection->ceiling[RL_CEILING_bf16].figure;
    const bool lower = rl_present(fp16) && rl_present(bf16) && bf16.v > 0 && bf16.v < fp16.v;
    return lower ? bf16 : rl_value_missing(RL_UNDEFINED, "no lower than that of FP16");
}

bool rl_projection_lacks_bf16(const struct rl_projection *projection)
{
    return rl_present(projection->ceiling[RL_CEILING_fp16].figure) && !rl_present(projection->ceiling[RL_CEILING_bf16].figure);
}

static void assume_fp16(struct rl_projection *projection)
{
    const struct rl_value bf16 = rl_projection_lower_bf16(projection), fp16 = projection->ceiling[RL_CEILING_fp16].figure;
    struct rl_buf text = RL_BUF_INIT;
    bool any = false;
    for (size_t i = 0; i < projection->analysis->capture->kernel_count; i++)
        any |= rl_projection_has_packed(&projection->analysis->kernels[i]);
    if (!any || (!rl_present(bf16) && !rl_projection_lacks_bf16(projection)))
        return;
    if (rl_projection_lacks_bf16(projection)) {
        rl_buf_adds(&text,
                    "Counters cannot tell packed BF16 from packed FP16, and this card has no BF16: launches of packed arithmetic "
                    "have a least time that holds for FP16.");
        assume(projection, &text);
        return;
    }
    rl_buf_adds(&text, "Counters cannot tell packed BF16 from packed FP16, so both are compared with the FP16 roof there, ");
    rl_unit_format(&text, RL_UNIT_FLOP_PER_SECOND, fp16.v, 4);
    rl_buf_adds(&text, "; that of BF16 is ");
    rl_unit_format(&text, RL_UNIT_FLOP_PER_SECOND, bf16.v, 4);
    rl_buf_addf(&text,
                ". The upper end of the bound assumes that all of it is BF16; for a launch where that is so, the bound "
                "may be too short by a factor of %.2f.",
                fp16.v / bf16.v);
    assume(projection, &text);
}

void rl_projection_assume(struct rl_projection *projection)
{
    static const char *const always[] = {
        "The other card is assumed to move the same bytes and do the same operations: same problem, same code, same cache "
        "behaviour.",
        "Registers and shared memory are those compiled here; a compiler for the other card may choose others.",
        "The bound is the least time that the other card's roofs allow; its lower end uses the data sheet's. The estimate is for "
        "GPUs with the same chip: every resource takes as much longer as its roof is lower, the slowest limits, and the rest of "
        "the time grows with it; its interval held 90 % of the times measured on both an H100 and an H200. Where a launch is "
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
}
