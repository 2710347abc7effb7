/* plans.h - where metrics and counters meet: the collector does not know the metrics, the analysis does not know the collector. */
#ifndef RL_CLI_PLANS_H
#define RL_CLI_PLANS_H

#include "analysis/plan.h"
#include "collector/collector.h"

/* A configuration of a plan, for the collector; it refers to the plan. */
struct rl_collect_configuration cli_configuration(const struct rl_plan_configuration *from);

/* Plans for the chips that were asked for; all live until released, as the collector wants it. */
struct cli_plans {
    unsigned sets;   /* of metrics: bits 1u << enum rl_metric_set */
    char **counters; /* by name, besides those of the sets */
    size_t counter_count, counter_cap;
    bool of_program; /* what limits a launch is counted where DRAM does not */
    struct cli_made_plan **list;
    size_t count, cap;
};
/* Reads "stalls,caches" into plans->sets; "all" is all of them, a metric or a counter of its formula the set that collects it,
 * another counter of the vendor's is added to plans->counters. RL_USAGE names the nearest one and the sets; a counter is refused
 * only where CUPTI is there and no chip that it knows has it in one pass. */
enum rl_status cli_parse_metrics(const char *text, struct cli_plans *plans, struct rl_err *err);
/* An rl_collect_plan; the context is a struct cli_plans. */
void cli_plans_give(void *context, const char *chip, const struct rl_collect_configuration **configurations, size_t *count);
/* Frees the plans. */
void cli_plans_release(struct cli_plans *plans);

#endif
