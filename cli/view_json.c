#include "view_media.h"

#include "core/json.h"

/* Why values are absent, of the record that is being written and of those around it. */
struct reason {
    const char *key, *text;
};
struct reasons {
    struct reason *list;
    size_t count, cap;
};

/* Constant on the way down. */
struct writer {
    const struct view *view;
    struct rl_json *json;
    const struct view_choice *choice; /* of rows of lists of `chosen`; NULL: all */
    const struct view_record *chosen;
    struct reasons *reasons;
};

static void write_record(const struct writer *writer, const struct view_record *record, const void *row);

static void write_rows(const struct writer *writer, const char *key, const struct view_field *field, const struct view_rows *rows);

static double rounded(double number, int digits)
{
    enum { LONGEST = 40 };
    char text[LONGEST];
    if (!digits || !isfinite(number))
        return number;
    snprintf(text, sizeof text, "%.*e", digits - 1, number);
    return strtod(text, NULL);
}

static void write_cell(const struct writer *writer, const char *key, const struct view_field *field, const struct view_cell *cell)
{
    if (cell->state != RL_PRESENT) {
        rl_json_string(writer->json, key, NULL);
        return;
    }
    switch (field->type) {
    case VIEW_TYPE_TEXT:
        rl_json_string(writer->json, key, cell->text);
        break;
    case VIEW_TYPE_NUMBER:
        rl_json_double(writer->json, key, rounded(cell->number, writer->view->record->data_digits));
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
        write_rows(writer, key, field, &cell->rows);
        break;
    case VIEW_TYPE_RECORD:
        rl_json_object(writer->json, key);
        write_record(writer, field->record, cell->record);
        rl_json_end(writer->json);
        break;
    }
}

static void write_rows(const struct writer *writer, const char *key, const struct view_field *field, const struct view_rows *all)
{
    const bool chosen = writer->choice && field->record == writer->chosen;
    const struct view_rows rows = chosen ? view_choice_rows(writer->choice, writer->view, *all) : *all;
    rl_json_array(writer->json, key);
    for (size_t i = 0; i < rows.count; i++) {
        const void *row = view_rows_at(&rows, i);
        if (field->record->plain) {
            const struct view_record *record = field->record;
            const struct view_cell cell = view_value(writer->view, &record->fields[0], row);
            assert(record->field_count == 1);
            write_cell(writer, NULL, &record->fields[0], &cell);
            continue;
        }
        rl_json_object(writer->json, NULL);
        write_record(writer, field->record, row);
        rl_json_end(writer->json);
    }
    rl_json_end(writer->json);
}

static void write_record(const struct writer *writer, const struct view_record *record, const void *row)
{
    const size_t from = writer->reasons->count;
    for (size_t i = 0; i < record->field_count; i++) {
        const struct view_field *field = &record->fields[i];
        if (field->for_people || (field->listed && !field->listed(writer->view, field)))
            continue;
        const struct view_cell cell = view_value(writer->view, field, row);
        if (cell.state != RL_PRESENT && *cell.reason) {
            struct reasons *reasons = writer->reasons;
            RL_APPEND(reasons->list, reasons->count, reasons->cap, (struct reason){field->id, cell.reason});
        } else if (cell.state != RL_PRESENT && field->optional)
            continue;
        write_cell(writer, field->id, field, &cell);
    }
    /* Why values are null: those from `from` on. The object is there only where there is something to say. */
    const struct reasons *reasons = writer->reasons;
    if (reasons->count != from) {
        rl_json_object(writer->json, "missing");
        for (size_t j = from; j < reasons->count; j++)
            rl_json_string(writer->json, reasons->list[j].key, reasons->list[j].text);
        rl_json_end(writer->json);
    }
    writer->reasons->count = from;
}

void cli_view_document(const struct view *view, const struct cli_view_document *document, struct rl_buf *out)
{
    struct rl_json json;
    struct reasons reasons = {0};
    const struct writer writer = {view, &json, document->choice, document->chosen, &reasons};
    rl_json_init(&json, out);
    rl_json_object(&json, NULL);
    if (view->record->format) {
        rl_json_string(&json, "format", view->record->format);
        rl_json_int(&json, "version", VIEW_VERSION);
    }
    write_record(&writer, view->record, view->row);
    rl_json_end(&json);
    assert(rl_json_done(&json));
    free(reasons.list);
}

void cli_view_list(const struct view *view, const struct view_field *field, struct rl_buf *out)
{
    struct rl_json json;
    struct reasons reasons = {0};
    const struct writer writer = {view, &json, NULL, NULL, &reasons};
    const struct view_cell cell = view_value(view, field, view->row);
    rl_json_init(&json, out);
    write_rows(&writer, NULL, field, &cell.rows);
    assert(rl_json_done(&json));
    free(reasons.list);
}
