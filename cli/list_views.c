/* list_views.c - what results are made of: the columns of `show`, and the JSON schema of a result. */
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "core/mem.h"
#include "list.h"
#include "results/results.h"
#include "results/show.h"
#include "view_schema.h"

/* ---- columns ---- */

/* A column as a row of a list of columns. */
struct column {
    char *id;
    const struct view_field *field;
};
struct columns {
    struct column *list;
    size_t count, cap;
};

static void add_column(void *to, const struct view_path *path)
{
    struct columns *columns = to;
    struct rl_buf id = RL_BUF_INIT;
    view_path_format(path, &id);
    RL_GROW(columns->list, columns->count + 1, columns->cap);
    columns->list[columns->count++] = (struct column){rl_buf_detach(&id, NULL), view_path_field(path)};
}

static const char *unit_of(const struct view_field *field)
{
    static const char *const types[] = {[VIEW_TYPE_TEXT] = "text",     [VIEW_TYPE_WHOLE] = "count", [VIEW_TYPE_INTEGER] = "number",
                                        [VIEW_TYPE_BOOLEAN] = "truth", [VIEW_TYPE_LIST] = "list",   [VIEW_TYPE_RECORD] = ""};
    const bool has_unit = field->type == VIEW_TYPE_NUMBER || field->unit != RL_UNIT_NONE;
    return has_unit ? rl_unit_json(field->unit) : types[field->type];
}

static void write_columns(const struct columns *columns, struct rl_buf *out)
{
    struct rl_json json;
    rl_json_init(&json, out, RL_JSON_INDENTED);
    rl_json_array(&json, NULL);
    for (size_t i = 0; i < columns->count; i++) {
        rl_json_object(&json, NULL);
        rl_json_string(&json, "id", columns->list[i].id);
        rl_json_string(&json, "unit", unit_of(columns->list[i].field));
        rl_json_string(&json, "help", columns->list[i].field->help);
        rl_json_end(&json);
    }
    rl_json_end(&json);
}

/* "duration_s.median (s)  median of all samples" */
static void print_columns(const struct columns *columns, struct cli_doc *doc)
{
    enum { WIDTH = 32 };
    for (size_t i = 0; i < columns->count; i++) {
        struct rl_buf label = RL_BUF_INIT;
        rl_buf_addf(&label, "%s (%s)", columns->list[i].id, unit_of(columns->list[i].field));
        cli_doc_item(doc, label.data, WIDTH, columns->list[i].field->help);
        rl_buf_release(&label);
    }
}

enum rl_status list_columns(const struct list_request *request, struct rl_err *err)
{
    struct cli_doc doc = request->doc;
    struct columns columns = {0};
    (void)err;
    view_record_paths(&view_record_kernel, add_column, &columns);
    if (request->json)
        write_columns(&columns, doc.out);
    else
        print_columns(&columns, &doc);
    for (size_t i = 0; i < columns.count; i++)
        free(columns.list[i].id);
    free(columns.list);
    return RL_OK;
}

/* ---- schema ---- */

enum rl_status list_schema(const struct list_request *request, struct rl_err *err)
{
    const char *names[VIEW_RESULT_COUNT];
    size_t count = 0;
    for (int i = 0; i < VIEW_RESULT_COUNT; i++) {
        if (!view_results[i]->format)
            continue;
        if (request->result && strcmp(request->result, view_results[i]->id) == 0) {
            cli_view_schema(view_results[i], request->doc.out);
            return RL_OK;
        }
        names[count++] = view_results[i]->id;
    }
    struct rl_buf known = RL_BUF_INIT;
    for (size_t i = 0; i < count; i++)
        rl_buf_addf(&known, "%s%s", i ? ", " : "", names[i]);
    enum rl_status status =
        rl_err_set(err, RL_USAGE, "there is no schema of '%s', only of: %s", request->result ? request->result : "", known.data);
    rl_buf_release(&known);
    return status;
}
