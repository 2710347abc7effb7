/* The tables: every row means something, and no two rows mean the same thing twice. */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "analysis/plan.h"
#include "core/formula.h"
#include "reader.h"

struct row {
    const char *tool, *name, *label, *destination, *target;
};
static const struct row rows[] = {
#define FOREIGN(tool, name, label, destination, target, dimension, scale, zero) {#tool, name, label, #destination, #target},
#include "foreign.def"
#undef FOREIGN
};

static bool is_fact(const char *name)
{
    for (size_t i = 0; i < RL_FACT_COUNT; i++)
        if (strcmp(rl_facts[i].id, name) == 0)
            return true;
    return false;
}

static bool is_planned(const char *name)
{
    struct rl_plan plan;
    bool found = false;

    rl_plan_make(NULL, RL_SET_CORE, &plan);
    for (size_t i = 0; i < plan.configuration_count; i++)
        for (size_t j = 0; j < plan.configurations[i].counter_count; j++)
            found |= strcmp(plan.configurations[i].counters[j], name) == 0;
    rl_plan_release(&plan);
    return found;
}

static bool is_field(const char *name)
{
    static const char *const fields[] = {
#define X(id) #id,
        RL_LAUNCH_FIELDS(X)
#undef X
    };

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (strcmp(fields[i], name) == 0)
            return true;
    return false;
}

static bool leads_somewhere(const struct row *row)
{
    const struct {
        const char *destination;
        bool there;
    } destinations[] = {
        {"METRIC", rl_metric_find(row->target) < RL_METRIC_COUNT},
        {"COUNTER", is_planned(row->target)},
        {"FACT", is_fact(row->target)},
        {"LAUNCH", is_field(row->target)},
        {"DURATION", true},
        {"CARD", true},
    };

    for (size_t i = 0; i < sizeof destinations / sizeof destinations[0]; i++)
        if (strcmp(destinations[i].destination, row->destination) == 0)
            return destinations[i].there;
    return false;
}

static void targets_exist(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (!leads_somewhere(&rows[i]))
            fail_msg("%s '%s': there is no %s %s", rows[i].tool, rows[i].name, rows[i].destination, rows[i].target);
}

static void names_are_unique(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(rows[i].tool, rows[j].tool) == 0 && strcmp(rows[i].name, rows[j].name) == 0)
                fail_msg("%s '%s' has two rows", rows[i].tool, rows[i].name);
}

static void spellings_are_unique(void **state)
{
    static const char *const spellings[] = {
#define UNIT(spelling, dimension, thousands, factor) spelling,
#include "units.def"
#undef UNIT
    };

    (void)state;
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(spellings[i], spellings[j]);
}

/* Formulas of derived values and limits parse, and lead to what exists. */
static void formulas_parse(void **state)
{
    static const struct {
        const char *destination, *target, *formula;
    } formulas[] = {
#define DERIVED(destination, target, needs, formula, source) {#destination, #target, formula},
#include "derived.def"
#undef DERIVED
#define LIMIT(metric, value, most, slack, words) {"METRIC", #metric, value}, {"METRIC", #metric, most},
#include "limits.def"
#undef LIMIT
    };

    (void)state;
    for (size_t i = 0; i < sizeof formulas / sizeof formulas[0]; i++) {
        const struct row row = {"", "", NULL, formulas[i].destination, formulas[i].target};
        struct rl_formula *formula = NULL;
        struct rl_err err = RL_ERR_INIT;
        if (rl_formula_parse(formulas[i].formula, &formula, &err) != RL_OK)
            fail_msg("%s: %s", formulas[i].target, err.text);
        rl_formula_free(formula);
        if (!leads_somewhere(&row))
            fail_msg("there is no %s %s", row.destination, row.target);
    }
}

/* A limit's names are facts. */
static void limits_are_of_cards(void **state)
{
    static const char *const limits[] = {
#define LIMIT(metric, value, most, slack, words) most,
#include "limits.def"
#undef LIMIT
    };

    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct rl_formula *formula = NULL;
        const char *const *names;
        assert_int_equal(rl_formula_parse(limits[i], &formula, NULL), RL_OK);
        const size_t count = rl_formula_names(formula, &names);
        for (size_t j = 0; j < count; j++) {
            assert_int_equal(strncmp(names[j], "gpu_", 4), 0);
            assert_true(is_fact(names[j] + 4));
        }
        rl_formula_free(formula);
    }
}

/* A head is looked for when its first cell is a known column: so the first column of every table must be one. */
static void heads_are_columns(void **state)
{
    static const char *const heads[] = {
#define COLUMN(id, head) head,
#include "columns.def"
#undef COLUMN
    };
    static const char *const needs[] = {
#define TABLE(id, tool, label, form, needs, lacks, row) needs,
#include "tables.def"
#undef TABLE
    };

    (void)state;
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(heads[i], heads[j]);
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        bool found = false;
        for (size_t j = 0; j < sizeof heads / sizeof heads[0]; j++)
            found |= strncmp(needs[i], heads[j], strlen(heads[j])) == 0;
        assert_true(found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets_exist),  cmocka_unit_test(names_are_unique),    cmocka_unit_test(spellings_are_unique),
        cmocka_unit_test(formulas_parse), cmocka_unit_test(limits_are_of_cards), cmocka_unit_test(heads_are_columns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
