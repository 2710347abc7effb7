#include <assert.h>
#include <string.h>

#include "analysis/analysis.h"
#include "core/json.h"
#include "core/units.h"
#include "list.h"

static const char *const subjects[] = {[RL_OF_LAUNCH] = "launch", [RL_OF_CARD] = "card", [RL_OF_SESSION] = "session"};
static const char *const relations[] = {[RL_ABOVE] = "above", [RL_BELOW] = "below"};

static void write_rule(struct rl_json *json, const struct rl_rule_info *rule)
{
    rl_json_object(json, NULL);
    rl_json_string(json, "id", rule->id);
    rl_json_string(json, "title", rule->title);
    rl_json_string(json, "problem", rule->problem);
    rl_json_string(json, "subject", subjects[rule->subject]);
    rl_json_string(json, "value", rule->value);
    rl_json_string(json, "unit", rl_unit_json(rule->unit));
    rl_json_string(json, "relation", relations[rule->relation]);
    rl_json_double(json, "threshold", rule->threshold);
    rl_json_string(json, "when", rule->when);
    rl_json_string(json, "words", rule->words);
    rl_json_string(json, "action", rule->action);
    rl_json_string(json, "source", rule->source);
    rl_json_end(json);
}

static void write_rules(struct rl_buf *out)
{
    struct rl_json json;
    rl_json_init(&json, out, RL_JSON_INDENTED);
    rl_json_array(&json, NULL);
    for (int i = 0; i < RL_RULE_COUNT; i++)
        write_rule(&json, &rl_rules[i]);
    rl_json_end(&json);
    assert(rl_json_done(&json));
}

static void print_rule(struct cli_doc *doc, const struct rl_rule_info *rule, size_t width)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_addf(&text, "of a %s: %s %s ", subjects[rule->subject], rule->value, relations[rule->relation]);
    rl_unit_format(&text, rule->unit, rule->threshold, 2);
    if (*rule->when)
        rl_buf_addf(&text, ", when %s", rule->when);
    rl_buf_addf(&text, ". Source: %s.", rule->source);
    cli_doc_item(doc, rule->id, width, text.data);
    rl_buf_release(&text);
}

enum rl_status list_findings(const struct list_request *request, struct rl_err *err)
{
    (void)err;
    struct cli_doc doc = request->doc;
    size_t width = 0;
    for (int i = 0; i < RL_RULE_COUNT; i++)
        width = strlen(rl_rules[i].id) > width ? strlen(rl_rules[i].id) : width;
    if (request->json)
        write_rules(doc.out);
    for (int i = 0; !request->json && i < RL_RULE_COUNT; i++)
        print_rule(&doc, &rl_rules[i], width);
    return RL_OK;
}
