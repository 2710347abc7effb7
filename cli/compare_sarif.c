/* compare_sarif.c - the breaches of gates as SARIF 2.1.0 (OASIS Standard, 2020): a rule for each condition, a result for each
 * breach. A kernel is a logical location; the file that a service needs beside it is the capture. */
#include <string.h>

#include "command.h"
#include "compare_gate.h"
#include "core/json.h"
#include "core/utf8.h"

static const char *level_of(enum rl_gate_state state)
{
    return state == RL_GATE_FAILS ? "error" : "warning";
}

static void add_message(struct rl_json *json, const char *key, const char *text)
{
    rl_json_object(json, key);
    rl_json_string(json, "text", text);
    rl_json_end(json);
}

static void add_rule(struct rl_json *json, const struct rl_gate_info *info)
{
    rl_json_object(json, NULL);
    rl_json_string(json, "id", info->id);
    add_message(json, "shortDescription", info->explanation);
    rl_json_object(json, "defaultConfiguration");
    rl_json_string(json, "level", level_of(info->broken));
    rl_json_end(json);
    rl_json_end(json);
}

/* A path as a URI: what RFC 3986 leaves unreserved, and the slashes. */
static void add_uri(struct rl_json *json, const char *path)
{
    struct rl_buf uri = RL_BUF_INIT;
    for (const char *at = path; *at; at++)
        if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/", *at))
            rl_buf_addch(&uri, *at);
        else
            rl_buf_addf(&uri, "%%%02X", (unsigned)(unsigned char)*at);
    rl_json_string(json, "uri", uri.data);
    rl_buf_release(&uri);
}

static void add_location(struct rl_json *json, const char *path, const char *kernel)
{
    rl_json_array(json, "locations");
    rl_json_object(json, NULL);
    rl_json_object(json, "physicalLocation");
    rl_json_object(json, "artifactLocation");
    add_uri(json, path);
    rl_json_end(json);
    rl_json_end(json);
    rl_json_array(json, "logicalLocations");
    rl_json_object(json, NULL);
    rl_json_string(json, "name", kernel);
    rl_json_string(json, "kind", "function");
    rl_json_end(json);
    rl_json_end(json);
    rl_json_end(json);
    rl_json_end(json);
}

static void add_result(struct rl_json *json, const struct compare_part *part, const struct rl_gate_answer *answer,
                       const struct rl_gate_breach *breach)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_addf(&text, "%s: %s", breach->label, breach->text);
    rl_json_object(json, NULL);
    rl_json_string(json, "ruleId", rl_gate_conditions[answer->condition].id);
    rl_json_uint(json, "ruleIndex", answer->condition);
    rl_json_string(json, "level", level_of(answer->state));
    add_message(json, "message", text.data);
    add_location(json, part->path, breach->label);
    rl_json_end(json);
    rl_buf_release(&text);
}

static void add_results(struct rl_json *json, const struct compare *compare)
{
    rl_json_array(json, "results");
    for (size_t i = 1; i < compare->count; i++) {
        const struct rl_gate *gate = compare->parts[i].gate;
        for (size_t a = 0; a < gate->count; a++)
            for (size_t b = 0; b < gate->answers[a].count && gate->answers[a].state != RL_GATE_HOLDS; b++)
                add_result(json, &compare->parts[i], &gate->answers[a], &gate->answers[a].breaches[b]);
    }
    rl_json_end(json);
}

void compare_gate_sarif(const struct compare *compare, struct rl_buf *out)
{
    struct rl_json json;
    rl_json_init(&json, out, RL_JSON_INDENTED);
    rl_json_object(&json, NULL);
    rl_json_string(&json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    rl_json_string(&json, "version", "2.1.0");
    rl_json_array(&json, "runs");
    rl_json_object(&json, NULL);
    rl_json_object(&json, "tool");
    rl_json_object(&json, "driver");
    rl_json_string(&json, "name", "rooflight");
    rl_json_string(&json, "version", CLI_VERSION);
    rl_json_array(&json, "rules");
    for (size_t i = 0; i < RL_GATE_COUNT; i++)
        add_rule(&json, &rl_gate_conditions[i]);
    rl_json_end(&json);
    rl_json_end(&json);
    rl_json_end(&json);
    add_results(&json, compare);
    rl_json_end(&json);
    rl_json_end(&json);
    rl_json_end(&json);
}
