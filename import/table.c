/* table.c - heads of tables: which kind, which column means what. */
#include "reader.h"

#include "import/import.h"

/* Every first cell of a row is looked up here, so lengths are not counted anew each time. */
static const struct {
    enum rl_column column;
    struct rl_text head;
} heads[] = {
#define COLUMN(id, head) {RL_COLUMN_##id, {head, sizeof(head) - 1}},
#include "columns.def"
#undef COLUMN
};

static const struct rl_table_kind kinds[] = {
#define TABLE(...) {__VA_ARGS__},
#include "tables.def"
#undef TABLE
};

static enum rl_column column_of(struct rl_text head)
{
    const size_t found =
        RL_FIRST(i, RL_COUNT(heads), head.len == heads[i].head.len && memcmp(head.at, heads[i].head.at, head.len) == 0);
    return found < RL_COUNT(heads) ? heads[found].column : RL_COLUMN_COUNT;
}

static bool has_head(const struct rl_record *record, struct rl_text head)
{
    for (size_t i = 0; i < rl_record_count(record); i++) {
        const struct rl_text cell = rl_record_cell(record, i);
        if (cell.len == head.len && memcmp(cell.at, head.at, head.len) == 0)
            return true;
    }
    return false;
}

/* How many of the heads in `list` ("a|b|c") the record has; `*all` gets the number of heads in the list. */
static size_t count_heads(const struct rl_record *record, const char *list, size_t *all)
{
    size_t there = 0;
    for (*all = 0; *list; ++*all) {
        const size_t len = strcspn(list, "|");
        there += has_head(record, (struct rl_text){list, len});
        list += len + (list[len] == '|');
    }
    return there;
}

/* The launch of the row: false when it says none. */
static bool launch_of(struct rl_reader *reader, uint64_t *launch)
{
    const uint32_t run = rl_model_run(reader->model, rl_row_cell(reader, RL_COLUMN_process), rl_row_cell(reader, RL_COLUMN_host));
    unsigned long long number;
    if (!rl_whole_read(rl_row_cell(reader, RL_COLUMN_id), RL_POINT, &number))
        return false;
    *launch = (uint64_t)run << 44 ^ number;
    return true;
}

void rl_table_scan_order(struct rl_reader *reader)
{
    struct rl_table *table = &reader->table;
    uint64_t key;
    if (table->kind->row != rl_row_ncu_rows || table->launches.count == RL_IMPORT_MAX_SAMPLES || !launch_of(reader, &key))
        return;
    const size_t known = table->launches.count;
    const uint32_t launch = rl_pool_add(&table->launches, (struct rl_text){(const char *)&key, sizeof key});
    reader->shuffled |= launch < known && launch != table->launch;
    table->launch = launch;
}

bool rl_table_hold(struct rl_reader *reader, struct rl_text line)
{
    struct rl_table *table = &reader->table;
    struct rl_held held = {.row = {rl_arena_strndup(&table->arena, line.at, line.len), line.len}};
    if (!launch_of(reader, &held.launch))
        return false;
    RL_APPEND(table->held, table->held_count, table->held_cap, held);
    return true;
}

RL_COMPARATOR(by_launch, struct rl_held, rl_ascending(x->launch, y->launch));

/* Only some tables have a column for each metric. */
static bool has_metric_columns(const struct rl_table_kind *kind)
{
    return kind->row == rl_row_ncu_wide || kind->row == rl_row_nvprof_trace;
}

/* Enters the cells of columns that are no metrics in the ledger. */
static void enter_columns(struct rl_reader *reader)
{
    const struct rl_table *table = &reader->table;
    struct rl_ledger *ledger = &reader->model->targets.ledger;
    for (size_t i = 0; i < table->column_count && table->rows && table->heads; i++) {
        const enum rl_column column = column_of(table->heads[i]);
        const bool metric = column == RL_COLUMN_metric || column == RL_COLUMN_unit || column == RL_COLUMN_section ||
                            (column == RL_COLUMN_value && table->at[RL_COLUMN_metric] != RL_NONE);
        const bool used = column < RL_COLUMN_COUNT && column != RL_COLUMN_ignored && column != RL_COLUMN_share;
        if (metric || !table->heads[i].len || (column == RL_COLUMN_COUNT && has_metric_columns(table->kind)))
            continue;
        rl_ledger_count(ledger, rl_ledger_column(ledger, table->heads[i]), used ? RL_FATE_USED : RL_FATE_IGNORED, table->rows,
                        rl_text_of(""), rl_text_of(""),
                        used ? "which kernel, launch or GPU it is, or its time" : "says nothing of the kernel that is kept");
    }
}

void rl_table_end(struct rl_reader *reader)
{
    struct rl_record *const present = reader->record; /* it may be the head of the next table */
    reader->record = reader->table.held_count ? rl_record_new() : present;
    rl_sort(reader->table.held, reader->table.held_count, sizeof *reader->table.held, by_launch);
    for (size_t i = 0; i < reader->table.held_count; i++) {
        rl_record_read_csv(reader->record, reader->table.held[i].row, reader->table.separator);
        reader->table.kind->row(reader);
        reader->table.rows++;
    }
    if (reader->record != present)
        rl_record_free(reader->record);
    reader->record = present;
    enter_columns(reader);
    free(reader->table.held);
    rl_pool_release(&reader->table.launches);
    rl_model_end(reader->model);
    rl_buf_reset(&reader->identity);
    rl_arena_release(&reader->table.arena);
    reader->table = (struct rl_table){.kind = NULL};
}

static bool is_time(enum rl_column column)
{
    return column == RL_COLUMN_time || column == RL_COLUMN_duration || column == RL_COLUMN_value || column == RL_COLUMN_least ||
           column == RL_COLUMN_greatest;
}

/* A printed summary says the type in front of some of its rows only: rows are read without it. */
static void drop_type(struct rl_table *table)
{
    table->typed = table->at[RL_COLUMN_type] == 0;
    if (!table->typed)
        return;
    for (size_t i = 0; i < RL_COLUMN_COUNT; i++)
        table->at[i] = table->at[i] == RL_NONE || table->at[i] == 0 ? RL_NONE : table->at[i] - 1;
    assert(table->column_count > 0);
    table->column_count--;
}

static void map_columns(struct rl_table *table, const struct rl_record *record)
{
    const bool wide = has_metric_columns(table->kind);
    table->column_count = rl_record_count(record);
    table->heads = rl_arena_alloc(&table->arena, table->column_count * sizeof *table->heads);
    table->units = rl_arena_alloc(&table->arena, table->column_count * sizeof *table->units);
    table->read_units = rl_arena_alloc(&table->arena, table->column_count * sizeof *table->read_units);
    table->metrics = rl_arena_alloc(&table->arena, table->column_count * sizeof *table->metrics);
    for (size_t i = 0; i < RL_COLUMN_COUNT; i++)
        table->at[i] = RL_NONE;
    for (size_t i = 0; i < table->column_count; i++) {
        const struct rl_text head = rl_record_cell(record, i);
        const enum rl_column column = column_of(head);
        table->heads[i] = (struct rl_text){rl_arena_strndup(&table->arena, head.at, head.len), head.len};
        table->units[i] = rl_text_of(table->kind->tool == RL_TOOL_NSYS && is_time(column) ? "ns" : "");
        table->read_units[i] = rl_unit_read(table->units[i], table->prefixes);
        if (column < RL_COLUMN_COUNT && table->at[column] == RL_NONE)
            table->at[column] = i;
        else if (column == RL_COLUMN_COUNT && wide && head.len)
            table->metrics[table->metric_count++] =
                (struct rl_metric_column){i, {rl_arena_strndup(&table->arena, head.at, head.len), head.len}, RL_NONE};
    }
}

bool rl_table_begin(struct rl_reader *reader, enum rl_form form, char separator)
{
    const struct rl_record *record = reader->record;
    const struct rl_table_kind *kind = NULL;
    const struct rl_text first = rl_record_cell(record, 0);
    const bool metric = rl_text_find(first, "__") < first.len; /* another tool put its column first */

    if (rl_record_count(record) > 1 && (first.len == 0 || metric || column_of(first) < RL_COLUMN_COUNT)) {
        size_t all;
        kind = RL_FIND(i, kinds, RL_COUNT(kinds),
                       kinds[i].form == form && count_heads(record, kinds[i].needs, &all) == all &&
                           count_heads(record, kinds[i].lacks, &all) == 0);
    }
    if (!kind)
        return false;
    rl_table_end(reader);
    reader->saw_table = true;
    reader->model->table++;
    reader->table.kind = kind;
    /* From CUDA 8 on nvprof's traces have memory types next to sizes, and sizes in powers of 1024. */
    const bool sizes = has_head(record, rl_text_of("Size")), types = has_head(record, rl_text_of("SrcMemType"));
    reader->table.prefixes = kind->tool != RL_TOOL_NVPROF || (sizes && !types) ? RL_DECIMAL : RL_BINARY;
    reader->table.separator = separator;
    reader->table.indexed = first.len == 0 || rl_text_is(first, "index") || rl_text_is(first, "Unnamed: 0");
    reader->table.units_due = form == RL_FORM_CSV && (kind->tool == RL_TOOL_NCU || kind->tool == RL_TOOL_NVPROF);
    map_columns(&reader->table, record);
    if (form == RL_FORM_PRINTED)
        drop_type(&reader->table);
    reader->model->view = (reader->run ? 0 : reader->file) * (uint32_t)RL_COUNT(kinds) + (uint32_t)(kind - kinds) + 1;
    if (kind->row)
        rl_model_source(reader->model, kind->tool, kind->label, reader->label);
    return true;
}

/* ---- the row of units ---- */

/* It names no kernel and holds no number. */
static bool is_units(const struct rl_reader *reader)
{
    if (rl_row_cell(reader, RL_COLUMN_kernel).len || reader->table.at[RL_COLUMN_metric] != RL_NONE)
        return false;
    for (size_t i = reader->table.indexed; i < rl_record_count(reader->record); i++)
        if (rl_cell_read(rl_record_cell(reader->record, i), reader->notation).kind == RL_CELL_NUMBER)
            return false;
    return rl_record_count(reader->record) > 1;
}

bool rl_table_takes_rule(struct rl_reader *reader, struct rl_text line)
{
    struct rl_table *table = &reader->table;
    size_t runs = 0;
    for (size_t i = 0; i < line.len; i++) {
        runs += line.at[i] == '-' && (i == 0 || line.at[i - 1] == ' ');
        if (line.at[i] != '-' && line.at[i] != ' ')
            return false;
    }
    if (table->rows || runs != table->column_count || table->kind->tool != RL_TOOL_NSYS)
        return false;
    table->rule = (struct rl_text){rl_arena_strndup(&table->arena, line.at, line.len), line.len};
    return true;
}

bool rl_table_takes_units(struct rl_reader *reader)
{
    struct rl_table *table = &reader->table;
    const bool due = table->units_due;
    table->units_due = false;
    if (!due || !is_units(reader))
        return false;
    for (size_t i = 0; i < table->column_count; i++) {
        const struct rl_text unit = rl_record_cell(reader->record, i);
        table->units[i] = (struct rl_text){rl_arena_strndup(&table->arena, unit.at, unit.len), unit.len};
        table->read_units[i] = rl_unit_read(table->units[i], table->prefixes);
    }
    return true;
}
