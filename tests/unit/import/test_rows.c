/* The tables: every row means something, and no two rows mean the same thing twice. */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "analysis/plan.h"
#include "core/formula.h"
#include "core/mem.h"
#include "reader.h"
#include "targets.h"

static const struct row {
    enum rl_tool tool;
    const char *name, *label;
    enum rl_destination destination;
    const char *target;
    enum rl_dimension dimension;
    double scale;
    const char *zero;
} rows[] = {
#define FOREIGN(...) {__VA_ARGS__},
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

static const struct {
    enum rl_destination destination;
    const char *target, *needs, *formula, *source;
    double least;
    bool each;
} derived[] = {
#define DERIVED(...) {__VA_ARGS__},
#include "derived.def"
#undef DERIVED
};

/* Whether a derived value needs it. */
static bool is_needed(const char *name)
{
    for (size_t i = 0; i < RL_COUNT(derived); i++)
        if (derived[i].needs && strcmp(derived[i].needs, name) == 0)
            return true;
    return false;
}

static bool leads_somewhere(enum rl_destination destination, const char *target)
{
    const bool there[] = {
        [RL_TO_METRIC] = rl_metric_find(target) < RL_METRIC_COUNT,
        [RL_TO_COUNTER] = is_planned(target),
        [RL_TO_FOREIGN] = is_needed(target) || strstr(target, "_peak_bytes_per_second"),
        [RL_TO_FACT] = is_fact(target),
        [RL_TO_LAUNCH] = is_field(target),
        [RL_TO_DURATION] = true,
        [RL_TO_CARD] = true,
    };

    return there[destination];
}

static void targets_exist(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (!leads_somewhere(rows[i].destination, rows[i].target))
            fail_msg("'%s': there is no '%s'", rows[i].name, rows[i].target);
}

static void names_are_unique(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (size_t j = 0; j < i; j++)
            if (rows[i].tool == rows[j].tool && strcmp(rows[i].name, rows[j].name) == 0)
                fail_msg("'%s' has two rows", rows[i].name);
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

static const struct {
    enum rl_metric metric;
    const char *value, *most;
    double slack;
    const char *words;
} limits[] = {
#define LIMIT(...) {__VA_ARGS__},
#include "limits.def"
#undef LIMIT
};

static void assert_parses(const char *formula)
{
    struct rl_formula *parsed = NULL;
    struct rl_err err = RL_ERR_INIT;
    if (rl_formula_parse(formula, &parsed, &err) != RL_OK)
        fail_msg("%s: %s", formula, err.text);
    rl_formula_free(parsed);
}

/* Formulas of derived values and limits parse, and lead to what exists. */
static void formulas_parse(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_COUNT(derived); i++) {
        assert_parses(derived[i].formula);
        if (!leads_somewhere(derived[i].destination, derived[i].target))
            fail_msg("there is no '%s'", derived[i].target);
    }
    for (size_t i = 0; i < RL_COUNT(limits); i++) {
        assert_parses(limits[i].value);
        assert_parses(limits[i].most);
    }
}

/* A limit's names are facts. */
static void limits_are_of_cards(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_COUNT(limits); i++) {
        struct rl_formula *formula = NULL;
        const char *const *names;
        assert_int_equal(rl_formula_parse(limits[i].most, &formula, NULL), RL_OK);
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
    static const struct rl_table_kind tables[] = {
#define TABLE(...) {__VA_ARGS__},
#include "tables.def"
#undef TABLE
    };

    (void)state;
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(heads[i], heads[j]);
    for (size_t i = 0; i < RL_COUNT(tables); i++) {
        bool found = false;
        for (size_t j = 0; j < sizeof heads / sizeof heads[0]; j++)
            found |= strncmp(tables[i].needs, heads[j], strlen(heads[j])) == 0;
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
