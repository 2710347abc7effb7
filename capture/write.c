/* From the model to the bytes of a capture file: a database in memory, filled in one transaction, then written in one step. */
#include <sqlite3.h>

#include "redact.h"
#include "schema.h"

enum { PAGE_SIZE = 4096 };

struct writer {
    const struct rl_capture *capture;
    sqlite3 *db;
    sqlite3_stmt *insert[RL_SCHEMA_COUNT];
    size_t rows[RL_SCHEMA_COUNT];             /* written so far */
    struct rl_intern shared[RL_SHARED_COUNT]; /* missing, counter_name */
    struct given {
        struct rl_intern texts;
        size_t *row, cap;     /* of each text: its row, once it has no secrets */
    } given[RL_SHARED_COUNT]; /* as the model has them, so that each is looked at once */
    struct rl_arena texts;    /* in which something was changed; live as long as the tables are filled */
    struct known {
        const char *text; /* of the capture, in which there was no secret */
        bool valid;       /* UTF-8 */
    } known[64];          /* by address: many rows have one text */
};

/* The value that is bound next. */
struct cell {
    struct writer *writer;
    const struct rl_schema_table *table;
    const struct rl_schema_row *row;
    sqlite3_stmt *stmt;
    int parameter; /* number of the next one, from 1 */
};

static enum rl_status insert_row(struct writer *writer, enum rl_schema_id id, const struct rl_schema_row *row, struct rl_err *err);

/* SQLite's message. */
static enum rl_status sql_failed(const struct writer *writer, struct rl_err *err)
{
    if (sqlite3_errcode(writer->db) == SQLITE_FULL)
        return rl_err_set(err, RL_FAILED, "it would be larger than %d MiB", RL_CAPTURE_MAX_BYTES >> 20);
    return rl_err_set(err, RL_FAILED, "SQLite: %s", sqlite3_errmsg(writer->db));
}

static enum rl_status bound(const struct cell *cell, int code, struct rl_err *err)
{
    return code == SQLITE_OK ? RL_OK : sql_failed(cell->writer, err);
}

/* ---- one function for each kind of column ---- */

static enum rl_status bind_null(struct cell *cell, struct rl_err *err)
{
    return bound(cell, sqlite3_bind_null(cell->stmt, cell->parameter++), err);
}

static enum rl_status bind_number(struct cell *cell, int64_t number, struct rl_err *err)
{
    return bound(cell, sqlite3_bind_int64(cell->stmt, cell->parameter++, number), err);
}

static size_t place_of(const char *text)
{
    return ((uintptr_t)text >> 4) % RL_COUNT(((struct writer *)NULL)->known);
}

/* No file gets a credential, wherever it comes from; names of kernels and commands have other rules. */
static const char *without_secrets(struct writer *writer, const struct rl_column *column, const char *text)
{
    static const bool kept[] = {
        [RL_PRIVACY_PUBLIC] = true, [RL_PRIVACY_KERNEL] = true, [RL_PRIVACY_COMMAND] = true, [RL_PRIVACY_PROGRAM] = true};
    RL_SCRATCH clean = RL_BUF_INIT;
    struct known *known = &writer->known[place_of(text)];
    if (column->words || column->kind == RL_COLUMN_HEX || kept[column->privacy] || known->text == text)
        return text;
    if (!rl_secrets_remove(text, &clean)) {
        *known = (struct known){text, rl_utf8_valid(text, strlen(text))};
        return text;
    }
    if (clean.len > RL_CAPTURE_MAX_TEXT) { /* signs may be longer than what they stand for */
        rl_buf_truncate(&clean, RL_CAPTURE_MAX_TEXT - 3);
        rl_buf_adds(&clean, "...");
    }
    text = rl_arena_strndup(&writer->texts, clean.data, clean.len);
    return text;
}

/* Text that is no UTF-8 is stored as a BLOB, so that readers which believe in TEXT are not surprised. */
static enum rl_status bind_text(struct cell *cell, const struct rl_column *column, const char *text, struct rl_err *err)
{
    size_t len = strlen(text);
    const struct known *known = &cell->writer->known[place_of(text)];
    RL_TRY(rl_check_text(column, text, len, err));
    int at = cell->parameter++;
    const bool valid = known->text == text ? known->valid : rl_utf8_valid(text, len);
    int code = valid ? sqlite3_bind_text(cell->stmt, at, text, (int)len, SQLITE_STATIC)
                     : sqlite3_bind_blob(cell->stmt, at, text, (int)len, SQLITE_STATIC);
    return bound(cell, code, err);
}

static enum rl_status bind_owner(struct cell *cell, const struct rl_column *column, const void *member, struct rl_err *err)
{
    (void)column, (void)member;
    return bind_number(cell, (int64_t)cell->row->owner, err);
}

static enum rl_status bind_field(struct cell *cell, const struct rl_column *column, const void *member, struct rl_err *err)
{
    (void)member;
    return bind_text(cell, column, cell->table->fields[cell->row->position].id, err);
}

static enum rl_status bind_text_member(struct cell *cell, const struct rl_column *column, const void *member, struct rl_err *err)
{
    const char *text = *(char *const *)member;
    if (text)
        return bind_text(cell, column, strlen(text) > RL_CAPTURE_MAX_TEXT ? text : without_secrets(cell->writer, column, text),
                         err);
    return column->optional ? bind_null(cell, err) : rl_err_set(err, RL_FORMAT, "is not set");
}

static enum rl_status bind_enum(struct cell *cell, const struct rl_column *column, const void *member, struct rl_err *err)
{
    unsigned number;
    memcpy(&number, member, sizeof number); /* an enumeration of that size */
    if (number >= column->enumeration->count)
        return rl_err_set(err, RL_FORMAT, "no member %u in the enumeration", number);
    return bind_text(cell, column, column->enumeration->name(number), err);
}

static enum rl_status bind_integer(struct cell *cell, const struct rl_column *column, const void *member, struct rl_err *err)
{
    int64_t number = rl_integers[column->integer].load(member);
    RL_TRY(rl_check_integer(column, number, err));
    return column->optional && number == 0 ? bind_null(cell, err) : bind_number(cell, number, err);
}

static enum rl_status bind_real(struct cell *cell, const struct rl_column *column, const void *member, struct rl_err *err)
{
    double number = *(const double *)member;
    enum rl_status status = rl_check_real(column, number, err);
    return status == RL_OK ? bound(cell, sqlite3_bind_double(cell->stmt, cell->parameter++, number), err) : status;
}

static enum rl_status bind_index(struct cell *cell, const struct rl_column *column, const void *member, struct rl_err *err)
{
    size_t index = *(const size_t *)member;
    if (column->optional && index == RL_NONE)
        return bind_null(cell, err);
    enum rl_status status = rl_check_index(cell->writer->capture, column, index, err);
    return status == RL_OK ? bind_number(cell, (int64_t)index, err) : status;
}

/* Writes the row of a shared text, unless another text has become the same. */
static enum rl_status write_shared(struct writer *writer, enum rl_schema_id id, unsigned tag, const char *text, size_t *number,
                                   struct rl_err *err)
{
    assert(text);
    bool is_new;
    text = without_secrets(writer, &rl_schema[id].columns[1], text);
    *number = rl_intern(&writer->shared[id], tag, text, &is_new);
    struct rl_shared_text element = {tag, (char *)text}; /* only read */
    struct rl_schema_row row = {writer->capture, &element, 0, *number};
    return is_new ? insert_row(writer, id, &row, err) : RL_OK;
}

/* The id of a shared text, which is written at its first use. */
static enum rl_status bind_shared(struct cell *cell, enum rl_schema_id id, unsigned tag, const char *text, struct rl_err *err)
{
    bool is_new;
    struct given *given = &cell->writer->given[id];
    const size_t place = rl_intern(&given->texts, tag, text, &is_new);
    enum rl_status status = RL_OK;
    if (is_new) {
        RL_GROW(given->row, place + 1, given->cap);
        status = write_shared(cell->writer, id, tag, text, &given->row[place], err);
    }
    return status == RL_OK ? bind_number(cell, (int64_t)given->row[place], err) : status;
}

static enum rl_status bind_value(struct cell *cell, const struct rl_column *column, const void *member, struct rl_err *err)
{
    const struct rl_value *value = member;
    if (rl_present(*value)) {
        enum rl_status status = bind_real(cell, column, &value->v, err);
        return status == RL_OK ? bind_null(cell, err) : status;
    }
    enum rl_status status = bind_null(cell, err);
    return status == RL_OK ? bind_shared(cell, RL_SCHEMA_MISSING, value->state, rl_value_reason(*value), err) : status;
}

static enum rl_status bind_counter_name(struct cell *cell, const struct rl_column *column, const void *member, struct rl_err *err)
{
    (void)column;
    const struct rl_counter *counter = member;
    if (!counter->name)
        return rl_err_set(err, RL_FORMAT, "is not set");
    return bind_shared(cell, RL_SCHEMA_COUNTER_NAME, counter->kind, counter->name, err);
}

typedef enum rl_status (*bind_function)(struct cell *, const struct rl_column *, const void *, struct rl_err *);
static const bind_function binds[RL_COLUMN_KIND_COUNT] = {
    [RL_COLUMN_OWNER] = bind_owner,     [RL_COLUMN_FIELD] = bind_field,     [RL_COLUMN_TEXT] = bind_text_member,
    [RL_COLUMN_ENUM] = bind_enum,       [RL_COLUMN_INTEGER] = bind_integer, [RL_COLUMN_REAL] = bind_real,
    [RL_COLUMN_VALUE] = bind_value,     [RL_COLUMN_INDEX] = bind_index,     [RL_COLUMN_COUNTER_NAME] = bind_counter_name,
    [RL_COLUMN_HEX] = bind_text_member,
};

/* ---- rows and tables ---- */

static enum rl_status bind_row(struct cell *cell, size_t id, const struct rl_column **column, struct rl_err *err)
{
    enum rl_status status = bind_number(cell, (int64_t)id, err);
    for (size_t i = 0; i < cell->table->column_count && status == RL_OK; i++) {
        *column = &cell->table->columns[i];
        status = binds[(*column)->kind](cell, *column, (const char *)cell->row->element + (*column)->offset, err);
    }
    return status;
}

static enum rl_status insert_row(struct writer *writer, enum rl_schema_id id, const struct rl_schema_row *row, struct rl_err *err)
{
    const struct rl_schema_table *table = &rl_schema[id];
    const struct rl_column *column = NULL;
    struct cell cell = {writer, table, row, writer->insert[id], 1};
    size_t number = writer->rows[id]++;
    if (number >= table->total)
        return rl_err_set(err, RL_FORMAT, "more than %zu rows in table %s", table->total, table->name);
    enum rl_status status = bind_row(&cell, number, &column, err);
    if (status == RL_OK) {
        column = NULL;
        status = rl_check_row(table, row, err);
    }
    if (status == RL_OK && sqlite3_step(cell.stmt) != SQLITE_DONE)
        return sql_failed(writer, err);
    sqlite3_reset(cell.stmt);
    return status == RL_OK ? RL_OK : rl_check_place(id, number, column, status, err);
}

/* Facts and readings that were not asked for have no row. */
static bool has_row(const struct rl_schema_table *table, const void *element)
{
    const struct rl_value *value = element;
    if (table->says_nothing && table->says_nothing(element))
        return false;
    return !table->fields || value->state != RL_NOT_COLLECTED ||
           strcmp(rl_value_reason(*value), rl_state_reason(RL_NOT_COLLECTED)) != 0;
}

static enum rl_status write_rows_of(struct writer *writer, enum rl_schema_id id, void *owner, size_t owner_id, struct rl_err *err)
{
    const struct rl_schema_table *table = &rl_schema[id];
    size_t count;
    const char *array = rl_schema_array(table, owner, &count);
    if (count > table->limit)
        return rl_err_set(err, RL_FORMAT, "%zu rows in table %s, more than %zu", count, table->name, table->limit);
    assert(array || count == 0);
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < count && status == RL_OK; i++) {
        struct rl_schema_row row = {writer->capture, array + i * table->element_size, owner_id, i};
        if (has_row(table, row.element))
            status = insert_row(writer, id, &row, err);
    }
    return status;
}

static enum rl_status write_table(struct writer *writer, enum rl_schema_id id, struct rl_err *err)
{
    if (rl_schema[id].storage == RL_STORAGE_SHARED)
        return RL_OK; /* written by those who refer to it */
    enum rl_status status = RL_OK;
    size_t owner_count;
    RL_FREED void **owners = rl_schema_elements(writer->capture, rl_schema[id].owner, &owner_count);
    for (size_t i = 0; i < owner_count && status == RL_OK; i++)
        status = write_rows_of(writer, id, owners[i], i, err);
    return status;
}

/* ---- the database ---- */

static enum rl_status execute(struct writer *writer, const char *sql, struct rl_err *err)
{
    return sqlite3_exec(writer->db, sql, NULL, NULL, NULL) == SQLITE_OK ? RL_OK : sql_failed(writer, err);
}

static bool is_left_out(const struct writer *writer, enum rl_schema_id id)
{
    size_t owner_count = 0, rows = 0;
    void **owners = rl_schema[id].optional ? rl_schema_elements(writer->capture, rl_schema[id].owner, &owner_count) : NULL;
    for (size_t i = 0; i < owner_count && rows == 0; i++)
        rl_schema_array(&rl_schema[id], owners[i], &rows);
    free(owners);
    return rl_schema[id].optional && rows == 0;
}

/* An empty database with our header and tables, in a transaction. */
static enum rl_status create(struct writer *writer, struct rl_err *err)
{
    RL_SCRATCH sql = RL_BUF_INIT;
    rl_buf_addf(&sql, "PRAGMA page_size=%d; PRAGMA max_page_count=%d; PRAGMA encoding='UTF-8'; PRAGMA journal_mode=OFF;", PAGE_SIZE,
                RL_CAPTURE_MAX_BYTES / PAGE_SIZE);
    rl_buf_addf(&sql, "PRAGMA application_id=%d; PRAGMA user_version=%d; BEGIN;", RL_CAPTURE_APPLICATION_ID, RL_CAPTURE_VERSION);
    for (size_t i = 0; i < RL_SCHEMA_COUNT; i++) {
        if (is_left_out(writer, (enum rl_schema_id)i))
            continue;
        rl_schema_create_sql((enum rl_schema_id)i, &sql);
        rl_buf_adds(&sql, ";");
    }
    enum rl_status status = execute(writer, sql.data, err);
    for (size_t i = 0; i < RL_SCHEMA_COUNT && status == RL_OK; i++) {
        if (is_left_out(writer, (enum rl_schema_id)i))
            continue;
        rl_buf_reset(&sql);
        rl_schema_insert_sql((enum rl_schema_id)i, &sql);
        if (sqlite3_prepare_v2(writer->db, sql.data, -1, &writer->insert[i], NULL) != SQLITE_OK)
            status = sql_failed(writer, err);
    }
    return status;
}

/* The file's bytes, to be freed with sqlite3_free(). */
static enum rl_status serialize(const struct rl_capture *capture, unsigned char **bytes, size_t *len, struct rl_err *err)
{
    struct writer writer = {.capture = capture};
    sqlite3_int64 size = 0;
    enum rl_status status = RL_OK;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(":memory:", &writer.db, flags, NULL) != SQLITE_OK)
        status = writer.db ? sql_failed(&writer, err) : rl_err_set(err, RL_FAILED, "SQLite: out of memory");
    RL_THEN(status, create(&writer, err));
    for (size_t i = 0; i < RL_SCHEMA_COUNT && status == RL_OK; i++)
        status = write_table(&writer, (enum rl_schema_id)i, err);
    RL_THEN(status, execute(&writer, "COMMIT", err));
    if (status == RL_OK) {
        *bytes = sqlite3_serialize(writer.db, "main", &size, 0);
        *len = (size_t)size;
        status = *bytes ? RL_OK : rl_err_set(err, RL_FAILED, "SQLite: out of memory");
    }
    for (size_t i = 0; i < RL_SCHEMA_COUNT; i++)
        sqlite3_finalize(writer.insert[i]);
    for (size_t i = 0; i < RL_SHARED_COUNT; i++) {
        rl_intern_release(&writer.shared[i]);
        rl_intern_release(&writer.given[i].texts);
        free(writer.given[i].row);
    }
    sqlite3_close(writer.db);
    rl_arena_release(&writer.texts);
    return status;
}

enum rl_status rl_capture_write_bytes(const struct rl_capture *capture, struct rl_buf *out, struct rl_err *err)
{
    unsigned char *bytes = NULL;
    size_t len = 0;
    if (serialize(capture, &bytes, &len, err) != RL_OK)
        return rl_err_context(err, RL_FAILED, "cannot make the capture");
    rl_buf_add(out, bytes, len);
    sqlite3_free(bytes);
    return RL_OK;
}

/* How a file is replaced. */
typedef enum rl_status (*replace_file)(const char *path, const void *bytes, size_t len, struct rl_err *err);

static enum rl_status write_by(replace_file replace, const struct rl_capture *capture, const char *path, struct rl_err *err)
{
    unsigned char *bytes = NULL;
    size_t len = 0;
    if (serialize(capture, &bytes, &len, err) != RL_OK)
        return rl_err_context(err, RL_FAILED, "cannot make the capture '%s'", path);
    enum rl_status status = replace(path, bytes, len, err);
    sqlite3_free(bytes);
    return status;
}

enum rl_status rl_capture_write(const struct rl_capture *capture, const char *path, struct rl_err *err)
{
    return write_by(rl_write_file_atomic, capture, path, err);
}

enum rl_status rl_capture_write_growing(const struct rl_capture *capture, const char *path, struct rl_err *err)
{
    return write_by(rl_write_file_unsynced, capture, path, err);
}
