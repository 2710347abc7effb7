#include "view_media.h"

#include "core/json.h"

/* The records that a schema defines, each once, in the order in which they are met. */
struct definitions {
    const struct view_record **list;
    size_t count, cap;
};

static bool is_in(const struct view_field *field)
{
    return !field->for_people;
}

static void find_definitions(struct definitions *definitions, const struct view_record *record)
{
    for (size_t i = 0; i < definitions->count; i++)
        if (definitions->list[i] == record)
            return;
    RL_APPEND(definitions->list, definitions->count, definitions->cap, record);
    for (size_t i = 0; i < record->field_count; i++)
        if (is_in(&record->fields[i]) && record->fields[i].record)
            find_definitions(definitions, record->fields[i].record);
}

static void write_reference(struct rl_json *json, const struct view_record *record)
{
    RL_SCRATCH path = RL_BUF_INIT;
    rl_buf_addf(&path, "#/$defs/%s", record->id);
    rl_json_string(json, "$ref", path.data);
}

static const char *const type_names[] = {
    [VIEW_TYPE_TEXT] = "string",     [VIEW_TYPE_NUMBER] = "number",   [VIEW_TYPE_WHOLE] = "integer",
    [VIEW_TYPE_INTEGER] = "integer", [VIEW_TYPE_BOOLEAN] = "boolean", [VIEW_TYPE_LIST] = "array",
};

static void write_types(struct rl_json *json, const struct view_field *field)
{
    rl_json_array(json, "type");
    rl_json_string(json, NULL, type_names[field->type]);
    rl_json_string(json, NULL, "null");
    rl_json_end(json);
}

static void write_field(struct rl_json *json, const struct view_field *field)
{
    rl_json_object(json, field->id);
    if (field->help)
        rl_json_string(json, "description", field->help);
    if (field->type == VIEW_TYPE_RECORD) {
        /* A record, or null. */
        rl_json_array(json, "anyOf");
        rl_json_object(json, NULL);
        write_reference(json, field->record);
        rl_json_end(json);
        rl_json_object(json, NULL);
        rl_json_string(json, "type", "null");
        rl_json_end(json);
        rl_json_end(json);
    } else
        write_types(json, field);
    if (field->type == VIEW_TYPE_NUMBER && !field->unit_of_row)
        rl_json_string(json, "unit", rl_unit_json(field->unit));
    if (field->type == VIEW_TYPE_WHOLE)
        rl_json_int(json, "minimum", 0);
    if (field->type == VIEW_TYPE_LIST) {
        const struct view_record *record = field->record;
        rl_json_object(json, "items");
        if (record->plain)
            write_types(json, &record->fields[0]);
        else
            write_reference(json, record);
        rl_json_end(json);
    }
    rl_json_end(json);
}

static void write_body(struct rl_json *json, const struct view_record *record)
{
    rl_json_string(json, "description", record->help);
    rl_json_string(json, "type", "object");
    rl_json_object(json, "properties");
    if (record->format) {
        /* The head of a document: its format and its version. */
        rl_json_object(json, "format");
        rl_json_string(json, "description", "what this document is");
        rl_json_string(json, "const", record->format);
        rl_json_end(json);
        rl_json_object(json, "version");
        rl_json_string(json, "description", "version of the format");
        rl_json_int(json, "const", VIEW_VERSION);
        rl_json_end(json);
    }
    for (size_t i = 0; i < record->field_count; i++)
        if (is_in(&record->fields[i]))
            write_field(json, &record->fields[i]);
    /* "missing": why values are null, by key. */
    rl_json_object(json, "missing");
    rl_json_string(json, "description", "why values are null, by their keys");
    rl_json_string(json, "type", "object");
    rl_json_object(json, "additionalProperties");
    rl_json_string(json, "type", "string");
    rl_json_end(json);
    rl_json_end(json);
    rl_json_end(json);
    /* Keys that are always there. */
    rl_json_array(json, "required");
    if (record->format) {
        rl_json_string(json, NULL, "format");
        rl_json_string(json, NULL, "version");
    }
    for (size_t i = 0; i < record->field_count; i++)
        if (is_in(&record->fields[i]) && !record->fields[i].optional && !record->fields[i].listed)
            rl_json_string(json, NULL, record->fields[i].id);
    rl_json_end(json);
    rl_json_bool(json, "additionalProperties", false);
}

void cli_view_schema(const struct view_record *record, struct rl_buf *out)
{
    struct definitions definitions = {0};
    struct rl_json json;
    find_definitions(&definitions, record);
    rl_json_init(&json, out);
    rl_json_object(&json, NULL);
    rl_json_string(&json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    rl_json_string(&json, "title", record->id);
    write_body(&json, record);
    rl_json_object(&json, "$defs");
    for (size_t i = 1; i < definitions.count; i++) {
        if (definitions.list[i]->plain)
            continue;
        rl_json_object(&json, definitions.list[i]->id);
        write_body(&json, definitions.list[i]);
        rl_json_end(&json);
    }
    rl_json_end(&json);
    rl_json_end(&json);
    assert(rl_json_done(&json));
    free(definitions.list);
}
