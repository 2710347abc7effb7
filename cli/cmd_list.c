#include "core/suggest.h"
#include "list.h"
#include "results/results.h"
#include "view_media.h"

struct list_options {
    struct cli_common common;
    const char *chip;
    bool json;
};

static const struct cli_option options[] = {
    {0, "chip", CLI_TEXT, offsetof(struct list_options, chip), "NAME", .help = "with metrics: show which of them chip NAME has"},
    {0, "json", CLI_FLAG, offsetof(struct list_options, json), .help = "print the list as JSON"},
    {0},
};

enum topic { KERNELS, METRICS, CHIPS, CARDS, FINDINGS, COLUMNS, SCHEMA, TOPICS };
static const char *const topic_names[TOPICS] = {"kernels", "metrics", "chips", "cards", "findings", "columns", "schema"};
/* The list is the field "rows" of a record without a row. */
struct list {
    const struct view_record *record;
    list_rows *rows;
    struct view_block blocks[2];
};
/* clang-format off */
static const struct list lists[TOPICS] = {
    [KERNELS] = {&list_experiment, list_experiment_rows, {{.kind = VIEW_BLOCK_EACH, .field = "rows"}}},
    [CHIPS] = {&list_chip, list_chip_rows, {{.kind = VIEW_BLOCK_TABLE, .field = "rows"}}},
    [CARDS] = {&list_card, list_card_rows,
               {{.kind = VIEW_BLOCK_TABLE, .field = "rows"},
                {.kind = VIEW_BLOCK_NOTE,
                 .text = "pins: rate of the memory's pins; measured: the best published of that. FP64, FP32, tensor (dense FP16): "
                         "theoretical. Sources: --json."}}},
    [FINDINGS] = {&list_rule, list_rule_rows,
                  {{.kind = VIEW_BLOCK_ITEMS, .field = "rows", .label_field = "id",
                    .text = "of a {subject}: {value} {relation} {threshold}[, when {when}]. Source: {source}."}}},
    [COLUMNS] = {&list_column, list_column_rows,
                 {{.kind = VIEW_BLOCK_ITEMS, .field = "rows", .label_field = "id", .text = "{help} ({unit})"}}},
};
/* clang-format on */

static void print_list(const struct list *list, struct cli_doc *doc, bool json)
{
    RL_AT_END(rl_arena_release) struct rl_arena arena = RL_ARENA_INIT;
    const struct view_field rows = {.id = "rows", .type = VIEW_TYPE_LIST, .record = list->record, .get = list->rows};
    const struct view_record record = {.id = "list",
                                       .title = "",
                                       .fields = &rows,
                                       .field_count = 1,
                                       .blocks = list->blocks,
                                       .block_count = list->blocks[1].text ? 2 : 1};
    const struct view view = {.record = &record, .row = "", .arena = &arena};
    if (json)
        cli_view_list(&view, &rows, doc->out);
    else
        cli_view_text(&view, &(struct cli_view_options){0}, doc);
}

static enum rl_status find_topic(const char *name, enum topic *topic, struct rl_err *err)
{
    for (*topic = 0; *topic < TOPICS; ++*topic)
        if (strcmp(topic_names[*topic], name) == 0)
            return RL_OK;
    const char *nearest = rl_suggest_nearest(name, topic_names, TOPICS);
    if (nearest)
        return rl_err_set(err, RL_USAGE, "there is no list of '%s', did you mean '%s'?", name, nearest);
    RL_SCRATCH known = RL_BUF_INIT;
    for (size_t i = 0; i < TOPICS; i++)
        rl_buf_addf(&known, "%s%s", i == 0 ? "" : i + 1 < TOPICS ? ", " : " and ", topic_names[i]);
    rl_err_set(err, RL_USAGE, "there is no list of '%s', only of %s", name, known.data);
    return RL_USAGE;
}

static enum rl_status run(const struct cli_call *call, struct rl_err *err)
{
    const struct list_options *chosen = call->options;
    const char *result = call->operand_count > 1 ? call->operands[1] : NULL;
    struct cli_doc doc = {.out = call->out, .style = CLI_DOC_TERMINAL, .width = call->terminal.width, .bold = call->terminal.bold};
    enum topic topic;
    if (find_topic(call->operands[0], &topic, err) != RL_OK)
        return RL_USAGE;
    if (chosen->chip && topic != METRICS)
        return rl_err_set(err, RL_USAGE, "option '--chip' goes with 'metrics' only");
    if (result && topic != SCHEMA)
        return rl_err_set(err, RL_USAGE, "'%s' is one argument too many", result);
    if (topic == SCHEMA) {
        /* The JSON schema of a result. */
        RL_SCRATCH known = RL_BUF_INIT;
        for (int i = 0; i < VIEW_RESULT_COUNT; i++) {
            if (!view_results[i]->format)
                continue;
            if (result && strcmp(result, view_results[i]->id) == 0) {
                cli_view_schema(view_results[i], call->out);
                return RL_OK;
            }
            rl_buf_addf(&known, "%s%s", known.len ? ", " : "", view_results[i]->id);
        }
        rl_err_set(err, RL_USAGE, "there is no schema of '%s', only of: %s", result ? result : "", known.data);
        return RL_USAGE;
    }
    if (topic == METRICS) {
        RL_AT_END(rl_arena_release) struct rl_arena arena = RL_ARENA_INIT;
        struct view view = {.record = &list_metrics, .arena = &arena};
        const enum rl_status status = list_metrics_ask(chosen->chip, &arena, &view.row, err);
        if (status == RL_OK && chosen->json)
            cli_view_document(&view, &(struct cli_view_document){0}, doc.out);
        else if (status == RL_OK)
            cli_view_text(&view, &(struct cli_view_options){.document = true}, &doc);
        return status;
    }
    print_list(&lists[topic], &doc, chosen->json);
    return RL_OK;
}

const struct cli_command_body cmd_list = {
    .operands = "kernels|metrics|chips|cards|findings|columns|schema [RESULT]",
    .least = 1,
    .most = 2,
    .about =
        "kernels: the experiments of the suite, their variants, work models and claims. metrics: every metric with unit, "
        "definition and the counters it needs; with --chip also whether that chip has them (no GPU is needed). chips: the known "
        "chips and whether the installed CUPTI supports them. cards: data-sheet and published figures of GPU models, for "
        "--card. findings: rules and thresholds. columns: the columns of 'show', for --columns, --sort and --where. schema: the "
        "JSON schema of what 'show --json' writes ('list schema show').",
    .options = options,
    .options_size = sizeof(struct list_options),
    .run = run,
};
