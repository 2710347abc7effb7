/* database.c - tables of other programs' SQLite files (capture/database.h). */
#include "capture/database.h"

#include <sys/stat.h>

#include "guard.h"

/* Work allowed, in virtual machine instructions counted by the STEP. A row of ten columns takes about 25 for its 80 bytes, and a
 * table is read at most three times. */
enum { STEP = 1000, STEPS_FLAT = 100000, INSTRUCTIONS_PER_BYTE = 20 };

struct rl_database {
    sqlite3 *db;
    uint64_t patience; /* calls of the progress handler that are left */
    bool in_memory;    /* it has no other files, however it asks for them */
};

static const struct rl_guard_limit limits[] = {
    {SQLITE_LIMIT_LENGTH, RL_DATABASE_MAX_ROW},
    {SQLITE_LIMIT_SQL_LENGTH, 1 << 20}, /* of a table's definition, too: Nsight Systems comments every column */
    {SQLITE_LIMIT_COLUMN, RL_DATABASE_MAX_COLUMNS},
    {SQLITE_LIMIT_EXPR_DEPTH, 100}, /* of defaults and checks in definitions, which are parsed and not run */
    {SQLITE_LIMIT_COMPOUND_SELECT, 1},
    {SQLITE_LIMIT_VDBE_OP, 50000},
    {SQLITE_LIMIT_FUNCTION_ARG, 10},
    {SQLITE_LIMIT_ATTACHED, 0},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1},
    {SQLITE_LIMIT_VARIABLE_NUMBER, 1},
    {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
    {SQLITE_LIMIT_WORKER_THREADS, 0},
};

static int progress(void *context)
{
    struct rl_database *database = context;

    return database->patience == 0 || --database->patience == 0;
}

/* Only rows are read. */
static int authorize(void *context, int action, const char *a, const char *b, const char *c, const char *d)
{
    (void)context, (void)a, (void)b, (void)c, (void)d;
    return action == SQLITE_SELECT || action == SQLITE_READ ? SQLITE_OK : SQLITE_DENY;
}

static enum rl_status said(const struct rl_database *database, struct rl_err *err)
{
    const int code = database->db ? sqlite3_errcode(database->db) : SQLITE_NOMEM;

    if (code == SQLITE_NOTADB)
        return rl_err_set(err, RL_FORMAT, "it is no SQLite database, or it is encrypted");
    if (code == SQLITE_INTERRUPT)
        return rl_err_set(err, RL_FORMAT, "damaged: reading it does not come to an end");
    const bool unread = !database->in_memory && (code == SQLITE_IOERR || code == SQLITE_CANTOPEN);
    return rl_err_set(err, unread ? RL_IO : RL_FORMAT, "damaged, or cannot be read: %s",
                      database->db ? sqlite3_errmsg(database->db) : "out of memory");
}

static enum rl_status finish(struct rl_database *made, enum rl_status status, uint64_t len, struct rl_database **database,
                             struct rl_err *err)
{
    if (status == RL_OK) {
        sqlite3_extended_result_codes(made->db, 0);
        status = rl_guard_distrust(made->db, limits, RL_COUNT(limits), err);
        made->patience = STEPS_FLAT + len * INSTRUCTIONS_PER_BYTE / STEP;
        sqlite3_progress_handler(made->db, STEP, progress, made);
        if (status == RL_OK && sqlite3_set_authorizer(made->db, authorize, NULL) != SQLITE_OK)
            status = said(made, err);
    }
    if (status == RL_OK) {
        /* Reads the schema, so that what is no database is known at once. */
        sqlite3_stmt *statement = NULL;
        if (sqlite3_prepare_v2(made->db, "SELECT name FROM sqlite_schema LIMIT 1", -1, &statement, NULL) != SQLITE_OK ||
            (sqlite3_step(statement) != SQLITE_ROW && sqlite3_errcode(made->db) != SQLITE_DONE))
            status = said(made, err);
        sqlite3_finalize(statement);
    }
    if (status == RL_OK)
        *database = made;
    else
        rl_database_close(made);
    return status;
}

enum rl_status rl_database_open(const char *path, struct rl_database **database, struct rl_err *err)
{
    struct rl_database *made = rl_calloc(1, sizeof *made);
    RL_SCRATCH uri = RL_BUF_INIT;
    struct stat is = {.st_size = 0};
    enum rl_status status = RL_OK;

    *database = NULL;
    /* `name` in `uri`, as RFC 3986 has paths: whatever it holds, it is no part of the query. */
    rl_buf_adds(&uri, "file:");
    for (const char *name = path; *name; name++)
        rl_buf_addf(&uri, "%%%02x", (unsigned char)*name);
    rl_buf_adds(&uri, "?mode=ro&immutable=1");
    if (stat(path, &is) != 0)
        status = rl_err_set(err, RL_IO, "cannot be read: %s", strerror(errno));
    else if (sqlite3_open_v2(uri.data, &made->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        status = said(made, err);
    return finish(made, status, (uint64_t)is.st_size, database, err);
}

enum rl_status rl_database_open_bytes(const void *bytes, size_t len, struct rl_database **database, struct rl_err *err)
{
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX;
    struct rl_database *made = rl_calloc(1, sizeof *made);
    enum rl_status status = RL_OK;

    *database = NULL;
    made->in_memory = true;
    /* SQLite takes a pointer that it could write through, and does not under SQLITE_DESERIALIZE_READONLY. */
    if (sqlite3_open_v2(":memory:", &made->db, flags, NULL) != SQLITE_OK ||
        sqlite3_deserialize(made->db, "main", (unsigned char *)bytes, (sqlite3_int64)len, (sqlite3_int64)len,
                            SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
        status = said(made, err);
    return finish(made, status, len, database, err);
}

void rl_database_close(struct rl_database *database)
{
    if (!database)
        return;
    sqlite3_close(database->db);
    free(database);
}

bool rl_database_has(struct rl_database *database, const char *table)
{
    static const char sql[] = "SELECT sql FROM sqlite_schema WHERE type='table' AND name=?1 AND rootpage>0";
    sqlite3_stmt *statement = NULL;
    bool found = sqlite3_prepare_v2(database->db, sql, -1, &statement, NULL) == SQLITE_OK &&
                 sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC) == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW;

    if (found) {
        static const char begins[] = "CREATE TABLE";
        const char *definition = (const char *)sqlite3_column_text(statement, 0);
        found = definition && sqlite3_strnicmp(definition, begins, sizeof begins - 1) == 0;
    }
    sqlite3_finalize(statement);
    return found;
}

/* SELECT of the columns that there are, NULL for the others. */
static enum rl_status make_query(struct rl_database *database, const char *table, const char *const *columns, size_t count,
                                 struct rl_buf *sql, struct rl_err *err)
{
    sqlite3_stmt *statement = NULL;
    enum rl_status status = RL_OK;

    rl_buf_addf(sql, "SELECT * FROM \"%s\" LIMIT 0", table);
    if (sqlite3_prepare_v2(database->db, sql->data, -1, &statement, NULL) != SQLITE_OK)
        status = said(database, err);
    rl_buf_reset(sql);
    const int there = status == RL_OK ? sqlite3_column_count(statement) : 0;
    for (size_t i = 0; i < count; i++) {
        bool found = false;
        for (int c = 0; c < there && !found; c++) {
            const char *name = sqlite3_column_name(statement, c);
            found = name && strcmp(name, columns[i]) == 0;
        }
        rl_buf_addf(sql, found ? "%s\"%s\"" : "%sNULL", i ? "," : "SELECT ", columns[i]);
    }
    rl_buf_addf(sql, " FROM \"%s\" NOT INDEXED", table);
    sqlite3_finalize(statement);
    return status;
}

static struct rl_database_cell cell_at(sqlite3_stmt *statement, int column)
{
    struct rl_database_cell cell = {.text = ""};
    const int type = sqlite3_column_type(statement, column);

    if (type == SQLITE_INTEGER) {
        cell.kind = RL_DATABASE_INTEGER;
        cell.integer = sqlite3_column_int64(statement, column);
        cell.real = (double)cell.integer;
    } else if (type == SQLITE_FLOAT) {
        cell.kind = RL_DATABASE_REAL;
        cell.real = sqlite3_column_double(statement, column);
    } else if (type == SQLITE_TEXT) {
        const char *text = (const char *)sqlite3_column_text(statement, column);
        cell.kind = text ? RL_DATABASE_TEXT : RL_DATABASE_NULL;
        cell.text = text ? text : "";
        cell.len = text ? (size_t)sqlite3_column_bytes(statement, column) : 0;
    }
    return cell;
}

enum rl_status rl_database_each(struct rl_database *database, const char *table, const char *const *columns, size_t count,
                                rl_database_taker take, void *context, struct rl_err *err)
{
    struct rl_database_cell cells[RL_DATABASE_MOST_ASKED];
    sqlite3_stmt *statement = NULL;
    RL_SCRATCH sql = RL_BUF_INIT;
    int code = SQLITE_DONE;

    assert(count > 0 && count <= RL_COUNT(cells));
    if (!rl_database_has(database, table))
        return RL_OK;
    enum rl_status status = make_query(database, table, columns, count, &sql, err);
    if (status == RL_OK && sqlite3_prepare_v2(database->db, sql.data, -1, &statement, NULL) != SQLITE_OK)
        status = said(database, err);
    while (status == RL_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (size_t i = 0; i < count; i++)
            cells[i] = cell_at(statement, (int)i);
        take(context, cells);
    }
    if (status == RL_OK && code != SQLITE_DONE)
        status = said(database, err);
    sqlite3_finalize(statement);
    return status;
}
