/* formulas.c - the formulas of all tables, parsed. */
#include "eval.h"

static struct rl_formula *parse(const char *text)
{
    struct rl_formula *formula = NULL;
    struct rl_err err = RL_ERR_INIT;
    enum rl_status status = rl_formula_parse(text, &formula, &err);
    assert(status == RL_OK); /* rows are ours, and tested */
    (void)status;
    return formula;
}

/* `text`: "formula > number", `len` bytes of it. */
static struct rl_condition parse_condition(const char *text, size_t len)
{
    const size_t at = strcspn(text, "<>");
    RL_FREED char *formula = rl_strndup(text, at);
    struct rl_condition condition = {.relation = text[at] == '>' ? RL_ABOVE : RL_BELOW};
    bool ok = at + 2 < len && rl_number_parse(text + at + 2, len - at - 2, &condition.number);
    assert(ok);
    (void)ok;
    condition.formula = parse(formula);
    return condition;
}

void rl_formulas_parse(struct rl_formulas *formulas)
{
    *formulas = (struct rl_formulas){0};
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        formulas->metric[i] = parse(rl_metrics[i].formula);
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        formulas->ceiling[i] = rl_ceilings[i].formula ? parse(rl_ceilings[i].formula) : NULL;
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        formulas->fallback[i] = rl_ceilings[i].fallback ? parse(rl_ceilings[i].fallback) : NULL;
    for (size_t i = 0; i < RL_DEMAND_COUNT; i++) {
        formulas->work[i] = rl_demands[i].work ? parse(rl_demands[i].work) : NULL;
        formulas->instead[i] = rl_demands[i].instead ? parse(rl_demands[i].instead) : NULL;
        formulas->rate[i] = rl_demands[i].rate ? parse(rl_demands[i].rate) : NULL;
    }
    for (size_t i = 0; i < RL_RULE_COUNT; i++) {
        formulas->rule[i] = parse(rl_rules[i].value);
        formulas->gain[i] = rl_rules[i].gain ? parse(rl_rules[i].gain) : NULL;
        for (size_t j = 0; j < RL_MAX_RELIEFS; j++)
            formulas->also[i][j] = rl_rules[i].also[j].gain ? parse(rl_rules[i].also[j].gain) : NULL;
        for (const char *p = rl_rules[i].when; *p;) {
            const size_t len = strcspn(p, ";");
            assert(formulas->when_count[i] < RL_MAX_CONDITIONS);
            formulas->when[i][formulas->when_count[i]++] = parse_condition(p, len);
            p += len + strspn(p + len, "; ");
        }
    }
    for (size_t i = 0; i < RL_INVARIANT_COUNT; i++) {
        const struct rl_invariant_info *row = &rl_invariants[i];
        formulas->part[i] = parse(row->part);
        formulas->whole[i] = parse(row->whole);
        if (row->when)
            formulas->invariant_when[i] = parse_condition(row->when, strlen(row->when));
    }
}

void rl_formulas_each(struct rl_formulas *formulas, rl_formula_look look, void *context)
{
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        look(context, formulas->metric[i]);
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        if (formulas->ceiling[i])
            look(context, formulas->ceiling[i]);
        if (formulas->fallback[i])
            look(context, formulas->fallback[i]);
    }
    for (size_t i = 0; i < RL_DEMAND_COUNT; i++) {
        if (formulas->work[i])
            look(context, formulas->work[i]);
        if (formulas->instead[i])
            look(context, formulas->instead[i]);
        if (formulas->rate[i])
            look(context, formulas->rate[i]);
    }
    for (size_t i = 0; i < RL_RULE_COUNT; i++) {
        look(context, formulas->rule[i]);
        if (formulas->gain[i])
            look(context, formulas->gain[i]);
        for (size_t j = 0; j < RL_MAX_RELIEFS; j++)
            if (formulas->also[i][j])
                look(context, formulas->also[i][j]);
        for (size_t j = 0; j < formulas->when_count[i]; j++)
            look(context, formulas->when[i][j].formula);
    }
    for (size_t i = 0; i < RL_INVARIANT_COUNT; i++) {
        look(context, formulas->part[i]);
        look(context, formulas->whole[i]);
        if (formulas->invariant_when[i].formula)
            look(context, formulas->invariant_when[i].formula);
    }
}

static void free_formula(void *context, struct rl_formula *formula)
{
    (void)context;
    rl_formula_free(formula);
}

void rl_formulas_free(struct rl_formulas *formulas)
{
    rl_formulas_each(formulas, free_formula, NULL);
}
