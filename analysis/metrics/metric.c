#include "limits_decide.h"

const struct rl_metric_info rl_metrics[RL_METRIC_COUNT] = {
#define METRIC(id_, set_, unit_, label_, definition_, ...)                                                                         \
    [RL_METRIC_##id_] = {                                                                                                          \
        .id = #id_, .label = label_, .unit = RL_UNIT_##unit_, .set = RL_SET_##set_, .definition = definition_, __VA_ARGS__},
#include "analysis/metrics.def"
#undef METRIC
};

const struct rl_set_info rl_sets[RL_SET_COUNT] = {
#define SET(id, ...) [RL_SET_##id] = {__VA_ARGS__},
#include "analysis/sets.def"
};

const struct rl_ceiling_info rl_ceilings[RL_CEILING_COUNT] = {
#define CEILING(id_, ...) [RL_CEILING_##id_] = {.id = #id_, __VA_ARGS__},
#include "analysis/ceilings.def"
#undef CEILING
};

const struct rl_name_info rl_names[RL_NAME_COUNT] = {
#define NAME(id_, ...) [RL_NAME_##id_] = {.id = #id_, __VA_ARGS__},
#include "analysis/names.def"
};

const struct rl_rule_info rl_rules[RL_RULE_COUNT] = {
#define FINDING(id_, ...) [RL_RULE_##id_] = {.id = #id_, __VA_ARGS__},
#include "analysis/findings.def"
#undef FINDING
};

const struct rl_invariant_info rl_invariants[RL_INVARIANT_COUNT] = {
#define INVARIANT(id_, ...) [RL_INVARIANT_##id_] = {.id = #id_, __VA_ARGS__},
#include "analysis/invariants.def"
#undef INVARIANT
};

const struct rl_resource_info rl_resources[RL_RESOURCE_COUNT] = {
#define RESOURCE(id_, ...) [RL_RESOURCE_##id_] = {.id = #id_, __VA_ARGS__},
#define DEMAND(id_, ...)
#include "analysis/limits.def"
#undef DEMAND
#undef RESOURCE
};

const struct rl_demand_info rl_demands[RL_DEMAND_COUNT] = {
#define RESOURCE(id_, ...)
#define DEMAND(id_, ...) {.resource = RL_RESOURCE_##id_, __VA_ARGS__},
#include "analysis/limits.def"
#undef DEMAND
#undef RESOURCE
};

enum rl_metric rl_metric_find(const char *id)
{
    return RL_FIRST(i, RL_METRIC_COUNT, *rl_metrics[i].id == *id && strcmp(rl_metrics[i].id, id) == 0);
}

enum rl_metric_set rl_set_find(const char *name)
{
    return RL_FIRST(i, RL_SET_COUNT, strcmp(rl_sets[i].name, name) == 0);
}

unsigned rl_sets_of_suite(void)
{
    unsigned sets = 0;
    for (size_t i = 0; i < RL_SET_COUNT; i++)
        sets |= rl_sets[i].suite ? 1u << i : 0;
    return sets;
}

bool rl_metric_listed(const struct rl_analysis *analysis, enum rl_metric metric)
{
    assert(metric < RL_METRIC_COUNT);
    return analysis->sets & (1u << rl_metrics[metric].set);
}

bool rl_names_counter(const char *name)
{
    return strstr(name, "__") != NULL;
}
