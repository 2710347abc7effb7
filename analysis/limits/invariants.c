/* invariants.c - counters of a launch that contradict each other (see invariants.h). */
#include "analysis/invariants.h"

#include "limits_decide.h"

_Static_assert(RL_INVARIANT_COUNT <= 8 * sizeof(((struct rl_kernel_result *)0)->broken), "a bit for every invariant");

/* The two sides of an invariant, for its words. */
struct compared {
    const struct rl_invariant_info *row;
    struct rl_value part, whole;
};

/* Counters that are known to be of launches that did different work contradict each other for that reason. */
static bool is_explained(struct rl_eval *eval, const struct rl_kernel_result *result, size_t invariant)
{
    return result->disagrees &&
           (rl_eval_mixes_passes(eval, eval->formulas.part[invariant]) ||
            rl_eval_mixes_passes(eval, eval->formulas.whole[invariant]) ||
            rl_eval_pass(eval, eval->formulas.part[invariant]) != rl_eval_pass(eval, eval->formulas.whole[invariant]));
}

static bool applies(struct rl_eval *eval, size_t invariant)
{
    const struct rl_condition *condition = &eval->formulas.invariant_when[invariant];

    return !condition->formula ||
           rl_exceeds(rl_eval_formula(eval, condition->formula, NULL), condition->relation, condition->number);
}

static bool is_broken(struct rl_eval *eval, size_t invariant, struct compared *compared)
{
    const struct rl_invariant_info *row = &rl_invariants[invariant];

    compared->row = row;
    compared->part = rl_eval_formula(eval, eval->formulas.part[invariant], NULL);
    compared->whole = rl_eval_formula(eval, eval->formulas.whole[invariant], NULL);
    return rl_present(compared->part) && rl_present(compared->whole) && compared->part.v > compared->whole.v * (1 + row->slack) &&
           applies(eval, invariant);
}

static void fill(void *context, const char *name, size_t len, struct rl_buf *out)
{
    const struct compared *compared = context;

    rl_unit_format(out, compared->row->unit, name[0] == 'p' ? compared->part.v : compared->whole.v, 3);
    assert(len == (name[0] == 'p' ? sizeof "part" : sizeof "whole") - 1);
}

static struct rl_value reason_of(struct rl_analysis *analysis, const struct rl_kernel_result *result)
{
    const char *before = result->contradictions ? "counters contradict each other: " : "";

    return rl_value_missing(RL_DISAGREES, rl_arena_printf(&analysis->arena, "%s%s", before, result->contradicts));
}

void rl_kernel_invariants(struct rl_analysis *analysis, struct rl_eval *eval, struct rl_kernel_result *result)
{
    RL_SCRATCH text = RL_BUF_INIT;
    struct compared compared;

    assert(eval->kernel == result->kernel);
    for (size_t i = 0; i < RL_INVARIANT_COUNT; i++) {
        if (!is_broken(eval, i, &compared) || is_explained(eval, result, i))
            continue;
        result->broken |= 1u << i;
        result->contradictions += !rl_invariants[i].quiet;
        rl_buf_adds(&text, text.len ? "; " : "");
        rl_expand_placeholders(&text, rl_invariants[i].words, fill, &compared);
    }
    result->contradicts = result->broken ? rl_analysis_keep_text(analysis, &text) : NULL;
    if (!result->broken)
        return;
    const struct rl_value why = reason_of(analysis, result);
    for (size_t i = 0; i < RL_INVARIANT_COUNT; i++)
        if (result->broken >> i & 1) {
            const char *listed = rl_invariants[i].metrics;
            for (size_t j = 0; listed && j < RL_METRIC_COUNT; j++)
                if (rl_is_listed(listed, rl_metrics[j].id))
                    result->metric[j] = why;
        }
}

void rl_invariants_unjudge(struct rl_analysis *analysis, struct rl_kernel_result *result)
{
    if (!result->broken)
        return;
    const struct rl_value why = reason_of(analysis, result);
    for (size_t i = 0; i < RL_INVARIANT_COUNT; i++) {
        const char *listed = rl_invariants[i].resources;
        for (size_t r = 0; listed && r < RL_RESOURCE_COUNT && result->broken >> i & 1; r++) {
            struct rl_limit *limit = &result->limits.of[r];
            if (rl_is_listed(listed, rl_resources[r].id) && rl_present(limit->share))
                *limit = (struct rl_limit){.time_s = why, .share = why, .unjudged = true};
        }
    }
}
