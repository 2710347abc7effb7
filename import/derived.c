#include "core/formula.h"
#include "targets.h"

static const struct {
    enum rl_destination destination;
    const char *target, *needs, *formula, *source;
    double least;
    bool each;
} rows[] = {
#define DERIVED(...) {__VA_ARGS__},
#include "derived.def"
#undef DERIVED
};

struct rl_derivations {
    struct rl_formula *formulas[RL_COUNT(rows)];
};

static bool is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

bool rl_derivations_use(struct rl_text name)
{
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const struct rl_text formula = rl_text_of(rows[i].formula);
        for (size_t at = 0; name.len && at + name.len <= formula.len; at++)
            if (memcmp(formula.at + at, name.at, name.len) == 0 && (at == 0 || !is_of_name(formula.at[at - 1])) &&
                (at + name.len == formula.len || !is_of_name(formula.at[at + name.len])))
                return true;
    }
    return false;
}

struct rl_derivations *rl_derivations_new(void)
{
    struct rl_derivations *derivations = rl_calloc(1, sizeof *derivations);

    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const enum rl_status status = rl_formula_parse(rows[i].formula, &derivations->formulas[i], NULL);
        assert(status == RL_OK); /* rows are ours, and tested */
        (void)status;
    }
    return derivations;
}

void rl_derivations_free(struct rl_derivations *derivations)
{
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        rl_formula_free(derivations->formulas[i]);
    free(derivations);
}

const char *rl_derivation_target(size_t row, enum rl_destination *destination)
{
    if (row >= RL_COUNT(rows))
        return NULL;
    *destination = rows[row].destination;
    return rows[row].target;
}

bool rl_derivation_each(size_t row)
{
    assert(row < RL_COUNT(rows));
    return rows[row].each;
}

struct rl_value rl_derivation_value(const struct rl_derivations *derivations, size_t row, rl_name_lookup lookup, void *context)
{
    assert(row < RL_COUNT(rows));
    if (rows[row].needs) {
        const struct rl_value needed = lookup(context, rows[row].needs);
        if (!rl_present(needed) || needed.v < rows[row].least)
            return rl_value_missing(RL_NOT_COLLECTED, NULL);
    }
    return rl_formula_eval(derivations->formulas[row], lookup, context, NULL);
}
