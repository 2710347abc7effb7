#include "view_media.h"

enum { ROWS_AT_ONCE = 4096 }; /* so that a long table is not in memory twice */

/* The paths that become columns. */
struct columns {
    struct view_path *list;
    size_t count, cap;
};

static void add_path(void *to, const struct view_path *path)
{
    assert(path->count > 0);
    struct columns *columns = to;
    RL_APPEND(columns->list, columns->count, columns->cap, *path);
}

static void add_value(const struct view *view, const struct view_field *field, const struct view_cell *cell, struct rl_buf *out)
{
    if (cell->state != RL_PRESENT)
        return;
    switch (field->type) {
    case VIEW_TYPE_TEXT:
        rl_buf_adds(out, cell->text);
        break;
    case VIEW_TYPE_NUMBER:
        rl_number_exact(out, cell->number);
        break;
    case VIEW_TYPE_WHOLE:
        rl_buf_addf(out, "%llu", (unsigned long long)cell->whole);
        break;
    case VIEW_TYPE_INTEGER:
        rl_buf_addf(out, "%lld", (long long)cell->integer);
        break;
    case VIEW_TYPE_BOOLEAN:
        rl_buf_adds(out, cell->boolean ? "true" : "false");
        break;
    case VIEW_TYPE_LIST:
        for (size_t i = 0; i < cell->rows.count; i++) {
            const struct view_cell value = view_value(view, &field->record->fields[0], view_rows_at(&cell->rows, i));
            rl_buf_adds(out, i ? " " : "");
            add_value(view, &field->record->fields[0], &value, out);
        }
        break;
    case VIEW_TYPE_RECORD:
        break; /* its fields are separate columns */
    }
}

static void add_row(struct rl_table *table, const struct view *view, const struct columns *columns,
                    const struct cli_csv_beside *beside, const void *row)
{
    RL_SCRATCH text = RL_BUF_INIT;
    rl_table_row(table);
    for (size_t i = 0; i < columns->count; i++) {
        const struct view_cell cell = view_path_cell(view, &columns->list[i], row);
        rl_buf_reset(&text);
        add_value(view, view_path_field(&columns->list[i]), &cell, &text);
        rl_table_cell_bytes(table, text.data, text.len);
    }
    for (size_t i = 0; beside && i < beside->count; i++) {
        rl_buf_reset(&text);
        beside->cell(beside->context, row, i, &text);
        rl_table_cell_bytes(table, text.data, text.len);
    }
}

void cli_view_csv(const struct view *view, const struct view_record *record, const struct view_rows *rows,
                  const struct view_choice *choice, const struct cli_csv_beside *beside, struct rl_buf *out)
{
    struct columns columns = {0};
    size_t row = 0;
    size_t chosen, kept = 0;
    const struct view_path *paths = view_choice_columns(choice, &chosen);
    for (size_t i = 0; i < chosen; i++)
        add_path(&columns, &paths[i]);
    if (!paths) {
        view_record_paths(record, add_path, &columns);
        for (size_t i = 0; i < columns.count; i++)
            if (view_path_listed(view, &columns.list[i]))
                columns.list[kept++] = columns.list[i];
        columns.count = kept;
    }
    do {
        struct rl_table table;
        const bool first = row == 0;
        rl_table_init(&table);
        for (size_t i = 0; i < columns.count; i++) {
            RL_SCRATCH head = RL_BUF_INIT;
            view_path_format(&columns.list[i], &head);
            rl_table_column(&table, head.data, RL_LEFT);
        }
        for (size_t i = 0; beside && i < beside->count; i++)
            rl_table_column(&table, beside->heads[i], RL_LEFT);
        for (size_t i = 0; i < ROWS_AT_ONCE && row < rows->count; i++, row++)
            add_row(&table, view, &columns, beside, view_rows_at(rows, row));
        rl_table_print(&table, out, first ? RL_TABLE_CSV : RL_TABLE_CSV_ROWS, 0);
        rl_table_release(&table);
    } while (row < rows->count);
    free(columns.list);
}
