#include <string.h>

#include "core/mem.h"
#include "core/suggest.h"
#include "list.h"

struct list_options {
    struct cli_common common;
    const char *chip;
    bool json;
};

static const struct cli_option options[] = {
    {0, "chip", CLI_TEXT, offsetof(struct list_options, chip), "NAME",
     .help = "metrics only: say for CUPTI chip NAME which are available, and in how many passes"},
    {0, "json", CLI_FLAG, offsetof(struct list_options, json), .help = "the list as JSON"},
    {0},
};

static const struct topic {
    const char *name;
    bool takes_chip, takes_result;
    enum rl_status (*list)(const struct list_request *request, struct rl_err *err);
} topics[] = {
    {.name = "kernels", .list = list_kernels},
    {.name = "metrics", .takes_chip = true, .list = list_metrics},
    {.name = "chips", .list = list_chips},
    {.name = "cards", .list = list_cards},
    {.name = "findings", .list = list_findings},
    {.name = "columns", .list = list_columns},
    {.name = "schema", .takes_result = true, .list = list_schema},
};

static const struct topic *find_topic(const char *name, struct rl_err *err)
{
    const char *names[RL_COUNT(topics)];
    for (size_t i = 0; i < RL_COUNT(topics); i++) {
        if (strcmp(topics[i].name, name) == 0)
            return &topics[i];
        names[i] = topics[i].name;
    }
    const char *nearest = rl_suggest_nearest(name, names, RL_COUNT(names));
    struct rl_buf known = RL_BUF_INIT;
    for (size_t i = 0; i < RL_COUNT(names); i++)
        rl_buf_addf(&known, "%s%s", i == 0 ? "" : i + 1 < RL_COUNT(names) ? ", " : " and ", names[i]);
    if (nearest)
        rl_err_set(err, RL_USAGE, "there is no list of '%s', did you mean '%s'?", name, nearest);
    else
        rl_err_set(err, RL_USAGE, "there is no list of '%s', but of %s", name, known.data);
    rl_buf_release(&known);
    return NULL;
}

static enum rl_status run(const struct cli_call *call, struct rl_err *err)
{
    const struct list_options *chosen = call->options;
    const struct topic *topic = find_topic(call->operands[0], err);
    if (!topic)
        return RL_USAGE;
    if (chosen->chip && !topic->takes_chip)
        return rl_err_set(err, RL_USAGE, "option '--chip' goes with 'metrics' only");
    if (call->operand_count > 1 && !topic->takes_result)
        return rl_err_set(err, RL_USAGE, "'%s' is one argument too many", call->operands[1]);
    struct list_request request = {
        .result = call->operand_count > 1 ? call->operands[1] : NULL,
        .chip = chosen->chip,
        .json = chosen->json,
        .doc = {.out = call->out, .style = CLI_DOC_TERMINAL, .width = call->terminal.width, .bold = call->terminal.bold},
    };
    return topic->list(&request, err);
}

const struct cli_command_body cmd_list = {
    .operands = "kernels|metrics|chips|cards|findings|columns|schema [RESULT]",
    .least = 1,
    .most = 2,
    .about =
        "kernels: the experiments of the suite, their variants, work models and claims. metrics: every metric with unit, "
        "definition and the "
        "counters it needs; with --chip also whether that chip has them, which CUPTI's library knows without a GPU. chips: "
        "the chips "
        "known and whether the CUPTI found here serves them. cards: what makers say of their cards and others have measured, "
        "for --card. findings: the rules that look at results. columns: what 'show' knows of a kernel, for --columns, --sort and "
        "--where. schema: the JSON schema of what 'show --json' writes ('list schema show').",
    .options = options,
    .options_size = sizeof(struct list_options),
    .run = run,
};
