#include <string.h>

#include "analysis/analysis.h"

const struct rl_metric_info rl_metrics[RL_METRIC_COUNT] = {
#define METRIC(id, label, unit, set, formula, zero_reason, definition)                                                             \
    [RL_METRIC_##id] = {#id, label, RL_UNIT_##unit, RL_SET_##set, formula, zero_reason, definition},
#include "analysis/metrics.def"
#undef METRIC
};

const struct rl_set_info rl_sets[RL_SET_COUNT] = {
#define SET(id, name, title, includes, words) [RL_SET_##id] = {name, title, includes, words},
#include "analysis/sets.def"
#undef SET
};

const struct rl_ceiling_info rl_ceilings[RL_CEILING_COUNT] = {
#define CEILING(id, label, unit, level, kind, role, measured, formula, fallback, definition)                                       \
    [RL_CEILING_##                                                                                                                 \
        id] = {#id, label, RL_UNIT_##unit, RL_LEVEL_##level, RL_##kind, RL_##role, measured, formula, fallback, definition},
#include "analysis/ceilings.def"
#undef CEILING
};

const struct rl_name_info rl_names[RL_NAME_COUNT] = {
#define NAME(id, subject, unit, needs, definition) [RL_NAME_##id] = {#id, RL_OF_##subject, RL_UNIT_##unit, needs, definition},
#include "analysis/names.def"
#undef NAME
};

const struct rl_rule_info rl_rules[RL_RULE_COUNT] = {
#define SAVING_TRAFFIC(formula) formula, .saves_traffic = true
#define NO_ADVICE               NULL, .no_advice = true
#define FINDING(id, subject, title, value, unit, relation, threshold, when, words, gain_, source_)                                 \
    [RL_RULE_##id] = {#id,           RL_OF_##subject,  title, value, RL_UNIT_##unit, RL_##relation, threshold, when, words,        \
                      .gain = gain_, .source = source_},
#include "analysis/findings.def"
#undef FINDING
#undef SAVING_TRAFFIC
#undef NO_ADVICE
};

enum rl_metric rl_metric_find(const char *id)
{
    size_t i = 0;

    while (i < RL_METRIC_COUNT && strcmp(rl_metrics[i].id, id) != 0)
        i++;
    return (enum rl_metric)i;
}

enum rl_ceiling_id rl_ceiling_find(const char *id)
{
    size_t i = 0;

    while (i < RL_CEILING_COUNT && strcmp(rl_ceilings[i].id, id) != 0)
        i++;
    return (enum rl_ceiling_id)i;
}

enum rl_metric_set rl_set_find(const char *name)
{
    size_t i = 0;

    while (i < RL_SET_COUNT && strcmp(rl_sets[i].name, name) != 0)
        i++;
    return (enum rl_metric_set)i;
}

bool rl_metric_listed(const struct rl_analysis *analysis, enum rl_metric metric)
{
    return analysis->sets & (1u << rl_metrics[metric].set);
}

bool rl_names_counter(const char *name)
{
    return strstr(name, "__") != NULL;
}
