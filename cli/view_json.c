#include "view_json.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "core/mem.h"

/* Why values are absent, of the record that is being written and of those around it. */
struct reason {
    const char *key, *text;
};
struct reasons {
    struct reason *list;
    size_t count, cap;
};

/* What does not change on the way down. */
struct writer {
    const struct view *view;
    struct rl_json *json;
    int version;
    const struct view_choice *choice; /* of rows of lists of `chosen`; NULL: all */
    const struct view_record *chosen;
    struct reasons *reasons;
};

static void write_record(const struct writer *writer, const struct view_record *record, const void *row, double factor);

static bool has(const struct writer *writer, const struct view_field *field)
{
    return view_field_is_in(field, writer->version) && (!field->listed || field->listed(writer->view, field));
}

static const char *key_of(const struct writer *writer, const struct view_field *field)
{
    return writer->version == CLI_JSON_OLD && field->id_1 ? field->id_1 : field->id;
}

/* What numbers of this field, or of the record in it, are multiplied by. */
static double factor_of(const struct writer *writer, const struct view_field *field, double above)
{
    return writer->version == CLI_JSON_OLD && field->factor_1 != 0 ? field->factor_1 : above;
}

/* Times were in nanoseconds, to hundredths. */
static double in_old_unit(double value, double factor)
{
    return factor == 1 ? value : round(value * factor * 100) / 100;
}

static void write_rows(const struct writer *writer, const char *key, const struct view_field *field, const struct view_rows *rows,
                       double factor);

static void write_cell(const struct writer *writer, const char *key, const struct view_field *field, const struct view_cell *cell,
                       double factor)
{
    if (cell->state != RL_PRESENT) {
        rl_json_string(writer->json, key, writer->version == CLI_JSON_OLD ? field->absent_1 : NULL);
        return;
    }
    switch (field->type) {
    case VIEW_TYPE_TEXT:
        rl_json_string(writer->json, key, cell->text);
        break;
    case VIEW_TYPE_NUMBER:
        rl_json_double(writer->json, key, in_old_unit(cell->number, factor));
        break;
    case VIEW_TYPE_WHOLE:
        rl_json_uint(writer->json, key, cell->whole);
        break;
    case VIEW_TYPE_INTEGER:
        rl_json_int(writer->json, key, cell->integer);
        break;
    case VIEW_TYPE_BOOLEAN:
        rl_json_bool(writer->json, key, cell->boolean);
        break;
    case VIEW_TYPE_LIST:
        write_rows(writer, key, field, &cell->rows, factor);
        break;
    case VIEW_TYPE_RECORD:
        rl_json_object(writer->json, key);
        write_record(writer, field->record, cell->record, factor);
        rl_json_end(writer->json);
        break;
    }
}

static void write_plain(const struct writer *writer, const char *key, const struct view_record *record, const void *row,
                        double factor)
{
    const struct view_cell cell = view_value(writer->view, &record->fields[0], row);
    assert(record->field_count == 1);
    write_cell(writer, key, &record->fields[0], &cell, factor);
}

/* A list as an object. */
static void write_keyed(const struct writer *writer, const char *key, const struct view_field *field, const struct view_rows *rows,
                        double factor)
{
    const struct view_field *name = view_record_field(field->record, field->keyed_1);
    assert(name && name->type == VIEW_TYPE_TEXT);
    rl_json_object(writer->json, key);
    for (size_t i = 0; i < rows->count; i++) {
        const void *row = view_rows_at(rows, i);
        const char *under = view_value(writer->view, name, row).text;
        if (field->value_1) {
            const struct view_field *value = view_record_field(field->record, field->value_1);
            const struct view_cell cell = view_value(writer->view, value, row);
            write_cell(writer, under, value, &cell, factor);
            continue;
        }
        rl_json_object(writer->json, under);
        write_record(writer, field->record, row, factor);
        rl_json_end(writer->json);
    }
    rl_json_end(writer->json);
}

static void write_rows(const struct writer *writer, const char *key, const struct view_field *field, const struct view_rows *all,
                       double factor)
{
    if (writer->version == CLI_JSON_OLD && field->keyed_1) {
        write_keyed(writer, key, field, all, factor);
        return;
    }
    const bool chosen = writer->choice && field->record == writer->chosen;
    const struct view_rows rows = chosen ? view_choice_rows(writer->choice, writer->view, *all) : *all;
    rl_json_array(writer->json, key);
    for (size_t i = 0; i < rows.count; i++) {
        const void *row = view_rows_at(&rows, i);
        if (field->record->plain) {
            write_plain(writer, NULL, field->record, row, factor);
            continue;
        }
        rl_json_object(writer->json, NULL);
        write_record(writer, field->record, row, factor);
        rl_json_end(writer->json);
    }
    rl_json_end(writer->json);
}

/* Why values are null: those from `from` on. The object is there only where there is something to say, in version 1 always. */
static void write_reasons(const struct writer *writer, size_t from)
{
    const struct reasons *reasons = writer->reasons;
    if (writer->version != CLI_JSON_OLD && reasons->count == from)
        return;
    rl_json_object(writer->json, "missing");
    for (size_t i = from; i < reasons->count; i++)
        rl_json_string(writer->json, reasons->list[i].key, reasons->list[i].text);
    rl_json_end(writer->json);
}

static void keep_reason(const struct writer *writer, const struct view_field *field, const char *reason)
{
    struct reasons *reasons = writer->reasons;
    RL_GROW(reasons->list, reasons->count + 1, reasons->cap);
    reasons->list[reasons->count++] = (struct reason){key_of(writer, field), reason};
}

static void write_record(const struct writer *writer, const struct view_record *record, const void *row, double factor)
{
    const size_t from = writer->reasons->count;
    for (size_t i = 0; i < record->field_count; i++) {
        const struct view_field *field = &record->fields[i];
        if (!has(writer, field))
            continue;
        const struct view_cell cell = view_value(writer->view, field, row);
        if (cell.state != RL_PRESENT && *cell.reason)
            keep_reason(writer, field, cell.reason);
        else if (cell.state != RL_PRESENT && field->optional)
            continue;
        write_cell(writer, key_of(writer, field), field, &cell, factor_of(writer, field, factor));
    }
    if (writer->version != CLI_JSON_OLD || record->reasons_1)
        write_reasons(writer, from);
    writer->reasons->count = from;
}

void cli_view_document(const struct view *view, const struct cli_view_document *document, struct rl_buf *out)
{
    struct rl_json json;
    struct reasons reasons = {0};
    const struct writer writer = {view, &json, document->version, document->choice, document->chosen, &reasons};
    rl_json_init(&json, out, RL_JSON_INDENTED);
    rl_json_object(&json, NULL);
    rl_json_string(&json, "format", view->record->format);
    rl_json_int(&json, "version", document->version);
    write_record(&writer, view->record, view->row, 1);
    rl_json_end(&json);
    assert(rl_json_done(&json));
    free(reasons.list);
}
