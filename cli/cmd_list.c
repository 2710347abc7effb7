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
     .help = "metrics only: say which are available on CUPTI chip NAME, and in how many passes"},
    {0, "json", CLI_FLAG, offsetof(struct list_options, json), .help = "the list as JSON"},
    {0},
};

/* What there are lists of: name, function, whether it takes --chip, whether a RESULT follows. */
#define TOPICS(TOPIC)                                                                                                              \
    TOPIC("kernels", list_kernels, false, false)                                                                                   \
    TOPIC("metrics", list_metrics, true, false)                                                                                    \
    TOPIC("chips", list_chips, false, false)                                                                                       \
    TOPIC("cards", list_cards, false, false)                                                                                       \
    TOPIC("findings", list_findings, false, false)                                                                                 \
    TOPIC("columns", list_columns, false, false)                                                                                   \
    TOPIC("schema", list_schema, false, true)

static const struct topic {
    enum rl_status (*list)(const struct list_request *request, struct rl_err *err);
    bool takes_chip, takes_result;
} topics[] = {
#define TOPIC(name, list, takes_chip, takes_result) {list, takes_chip, takes_result},
    TOPICS(TOPIC)
#undef TOPIC
};
static const char *const topic_names[RL_COUNT(topics) + 1] = {
#define TOPIC(name, list, takes_chip, takes_result) name,
    TOPICS(TOPIC)
#undef TOPIC
};

static const struct topic *find_topic(const char *name, struct rl_err *err)
{
    for (size_t i = 0; i < RL_COUNT(topics); i++)
        if (strcmp(topic_names[i], name) == 0)
            return &topics[i];
    const char *nearest = rl_suggest_nearest(name, topic_names, RL_COUNT(topics));
    struct rl_buf known = RL_BUF_INIT;
    for (size_t i = 0; i < RL_COUNT(topics); i++)
        rl_buf_addf(&known, "%s%s", i == 0 ? "" : i + 1 < RL_COUNT(topics) ? ", " : " and ", topic_names[i]);
    if (nearest)
        rl_err_set(err, RL_USAGE, "there is no list of '%s', did you mean '%s'?", name, nearest);
    else
        rl_err_set(err, RL_USAGE, "there is no list of '%s', only of %s", name, known.data);
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
        "definition and the counters it needs; with --chip also whether that chip has them, which the CUPTI library knows without "
        "a GPU. chips: the chips known and whether the CUPTI found here serves them. cards: data-sheet figures of cards, and what "
        "others have measured on them, for --card. findings: the rules that judge results. columns: what 'show' knows about a "
        "kernel, for --columns, --sort and --where. schema: the JSON schema of what 'show --json' writes ('list schema show').",
    .options = options,
    .options_size = sizeof(struct list_options),
    .run = run,
};
