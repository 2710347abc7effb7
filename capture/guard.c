#include "guard.h"

/* Work allowed, in virtual machine instructions counted by the STEP: for the schema (a table takes about ten), and after that for a
 * file of any size and for each of its bytes. The fullest captures need 2.5 for a byte; what needs more than this does not end. */
enum { STEP = 1000, STEPS_SCHEMA = 20, STEPS_FLAT = 10000, INSTRUCTIONS_PER_BYTE = 20 };

/* ---- header (https://www.sqlite.org/fileformat2.html, section 1.3) ---- */

enum { HEADER_SIZE = 100, VERSION_AT = 60 };
static const char magic[16] = "SQLite format 3";

/* Fields of the header that must have one value, in the order of looking; numbers are big-endian. */
static const struct {
    size_t offset, size;
    uint32_t wanted;
    const char *otherwise;
} fields[] = {
    {68, 4, RL_CAPTURE_APPLICATION_ID, "not a capture: an SQLite database of another program"},
    {18, 1, 1, "damaged: its journal mode was changed (a capture is never in WAL mode)"},
    {19, 1, 1, "damaged: its journal mode was changed (a capture is never in WAL mode)"},
    {56, 4, 1, "damaged: its text encoding is not UTF-8"},
};

static uint32_t big_endian(const unsigned char *bytes, size_t size)
{
    assert(size <= sizeof(uint32_t));
    uint32_t number = 0;
    for (size_t i = 0; i < size; i++)
        number = number << 8 | bytes[i];
    return number;
}

static enum rl_status check_size(const unsigned char *bytes, size_t len, struct rl_err *err)
{
    uint64_t page_size = big_endian(bytes + 16, 2), pages = big_endian(bytes + 28, 4);
    if (page_size == 1)
        page_size = 65536;
    if (page_size < 512 || (page_size & (page_size - 1)))
        return rl_err_set(err, RL_FORMAT, "damaged: its page size is %u", (unsigned)page_size);
    if (len < page_size * pages)
        return rl_err_set(err, RL_FORMAT, "truncated: %zu of %llu bytes are there: copy it again", len,
                          (unsigned long long)(page_size * pages));
    if (len > page_size * pages)
        return rl_err_set(err, RL_FORMAT, "damaged: %llu bytes are expected, %zu are there",
                          (unsigned long long)(page_size * pages), len);
    return RL_OK;
}

static enum rl_status check_header(const unsigned char *bytes, size_t len, struct rl_err *err)
{
    if (len == 0)
        return rl_err_set(err, RL_FORMAT, "not a capture: the file is empty");
    if (memcmp(bytes, magic, len < sizeof magic ? len : sizeof magic) != 0)
        return rl_err_set(err, RL_FORMAT, "not a capture: it does not begin as an SQLite database does");
    if (len < HEADER_SIZE)
        return rl_err_set(err, RL_FORMAT, "truncated: only %zu bytes are there: copy it again", len);
    for (size_t i = 0; i < RL_COUNT(fields); i++) {
        if (big_endian(bytes + fields[i].offset, fields[i].size) != fields[i].wanted)
            return rl_err_set(err, RL_FORMAT, "%s", fields[i].otherwise);
        int version = (int)big_endian(bytes + VERSION_AT, 4);
        if (i == 0 && version != RL_CAPTURE_VERSION)
            return rl_err_set(
                err, RL_VERSION,
                "capture is of format version %d; this rooflight reads version %d: use the rooflight that made it, or "
                "make the capture again",
                version, RL_CAPTURE_VERSION);
    }
    return check_size(bytes, len, err);
}

/* ---- SQLite on a short lead ---- */

static const struct {
    int option, value;
} options[] = {
    {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0}, {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},    {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0},
    {SQLITE_DBCONFIG_DQS_DDL, 0},        {SQLITE_DBCONFIG_DQS_DML, 0},
};

static const struct rl_guard_limit limits[] = {
    {SQLITE_LIMIT_LENGTH, 1 << 20},     /* of a row: more than 12 texts of the greatest length */
    {SQLITE_LIMIT_SQL_LENGTH, 1 << 13}, /* of a table's definition, too */
    {SQLITE_LIMIT_COLUMN, 40},          {SQLITE_LIMIT_EXPR_DEPTH, 10},         {SQLITE_LIMIT_COMPOUND_SELECT, 2},
    {SQLITE_LIMIT_VDBE_OP, 50000},      {SQLITE_LIMIT_FUNCTION_ARG, 40}, /* of a row's columns */
    {SQLITE_LIMIT_ATTACHED, 0},         {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1}, {SQLITE_LIMIT_VARIABLE_NUMBER, 1},
    {SQLITE_LIMIT_TRIGGER_DEPTH, 1},    {SQLITE_LIMIT_WORKER_THREADS, 0},
};

static int progress(void *context)
{
    struct rl_guard *guard = context;
    return guard->patience == 0 || --guard->patience == 0;
}

/* SQLite's last error about the file as one of ours. */
static enum rl_status said(struct rl_guard *guard, struct rl_err *err)
{
    if (sqlite3_errcode(guard->db) == SQLITE_INTERRUPT)
        return rl_err_set(err, RL_FORMAT, "damaged: reading it does not come to an end");
    return rl_err_set(err, RL_FORMAT, "damaged: %s", sqlite3_errmsg(guard->db));
}

enum rl_status rl_guard_prepare(struct rl_guard *guard, const char *sql, sqlite3_stmt **statement, struct rl_err *err)
{
    return sqlite3_prepare_v2(guard->db, sql, -1, statement, NULL) == SQLITE_OK ? RL_OK : said(guard, err);
}

enum rl_status rl_guard_step(struct rl_guard *guard, sqlite3_stmt *statement, bool *row, struct rl_err *err)
{
    int code = sqlite3_step(statement);
    *row = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? RL_OK : said(guard, err);
}

/* A step of the aggregate TAKE(...): what reads rows ends with the first that cannot be taken. */
static void take_row(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct rl_guard *guard = sqlite3_user_data(context);
    (void)count;
    if (guard->taken == RL_OK)
        guard->taken = guard->take(guard->context, values, guard->err);
    if (guard->taken != RL_OK)
        sqlite3_result_error_code(context, SQLITE_ABORT);
}

static void end_rows(sqlite3_context *context)
{
    (void)context; /* its result is of no interest */
}

enum rl_status rl_guard_each(struct rl_guard *guard, const char *sql, rl_row_taker take, void *context, struct rl_err *err)
{
    struct rl_err of_row = RL_ERR_INIT;
    sqlite3_stmt *statement = NULL;
    bool row = false;
    assert(take);
    guard->take = take;
    guard->context = context;
    guard->taken = RL_OK;
    guard->err = &of_row;
    enum rl_status status = rl_guard_prepare(guard, sql, &statement, err);
    RL_THEN(status, rl_guard_step(guard, statement, &row, err));
    sqlite3_finalize(statement);
    if (guard->taken != RL_OK && err)
        *err = of_row;
    return guard->taken != RL_OK ? guard->taken : status;
}

enum rl_status rl_guard_distrust(sqlite3 *db, const struct rl_guard_limit *least, size_t count, struct rl_err *err)
{
    for (size_t i = 0; i < RL_COUNT(options); i++) {
        int now = -1;
        int code = sqlite3_db_config(db, options[i].option, options[i].value, &now);
        if (code != SQLITE_OK || now != options[i].value)
            return rl_err_set(err, RL_FAILED, "this SQLite (%s) has no option to distrust a file: install a newer one",
                              sqlite3_libversion());
    }
    for (size_t i = 0; i < count; i++)
        sqlite3_limit(db, least[i].limit, least[i].value);
    int code = sqlite3_exec(db, "PRAGMA cell_size_check=ON; PRAGMA query_only=ON; PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY",
                            NULL, NULL, NULL);
    return code == SQLITE_OK ? RL_OK : rl_err_set(err, RL_FORMAT, "damaged: %s", sqlite3_errmsg(db));
}

static enum rl_status configure(struct rl_guard *guard, struct rl_err *err)
{
    RL_TRY(rl_guard_distrust(guard->db, limits, RL_COUNT(limits), err));
    sqlite3_progress_handler(guard->db, STEP, progress, guard);
    if (sqlite3_create_function_v2(guard->db, "take", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, guard, NULL, take_row, end_rows, NULL) !=
        SQLITE_OK)
        return said(guard, err);
    return RL_OK;
}

static enum rl_status open_bytes(struct rl_guard *guard, const void *bytes, size_t len, struct rl_err *err)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(":memory:", &guard->db, flags, NULL) != SQLITE_OK)
        return rl_err_set(err, RL_FAILED, "SQLite: %s", guard->db ? sqlite3_errmsg(guard->db) : "out of memory");
    guard->patience = STEPS_SCHEMA;
    RL_TRY(configure(guard, err));
    /* SQLite takes a pointer that it could write through, and does not under SQLITE_DESERIALIZE_READONLY. */
    if (sqlite3_deserialize(guard->db, "main", (unsigned char *)bytes, (sqlite3_int64)len, (sqlite3_int64)len,
                            SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
        return said(guard, err);
    return RL_OK;
}

/* ---- schema ---- */

static bool column_is(sqlite3_stmt *statement, int column, const char *wanted)
{
    const void *text = sqlite3_column_blob(statement, column);
    size_t len = (size_t)sqlite3_column_bytes(statement, column);
    return text && len == strlen(wanted) && memcmp(text, wanted, len) == 0;
}

static const char *column_text(sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text ? text : "";
}

/* The row of sqlite_schema is table `id`, as we would define it. */
static enum rl_status check_definition(sqlite3_stmt *statement, size_t id, struct rl_err *err)
{
    const char *name = id < RL_SCHEMA_COUNT ? rl_schema[id].name : "";
    if (!column_is(statement, 0, "table") || !column_is(statement, 1, name) || !column_is(statement, 2, name))
        return rl_err_set(err, RL_FORMAT, "damaged: %.20s '%.200s' in its schema, where a capture has %s%s",
                          column_text(statement, 0), column_text(statement, 1), *name ? "table " : "nothing", name);
    RL_SCRATCH sql = RL_BUF_INIT;
    rl_schema_create_sql((enum rl_schema_id)id, &sql);
    bool same = column_is(statement, 3, sql.data);
    return same ? RL_OK : rl_err_set(err, RL_FORMAT, "damaged: its table %s is not defined as in a capture", name);
}

static enum rl_status check_schema(struct rl_guard *guard, struct rl_err *err)
{
    sqlite3_stmt *statement = NULL;
    size_t seen = 0;
    bool row = true;
    for (size_t i = 0; i < RL_SCHEMA_COUNT; i++)
        guard->absent[i] = rl_schema[i].optional; /* until it is met */
    enum rl_status status =
        rl_guard_prepare(guard, "SELECT type,name,tbl_name,sql FROM sqlite_schema ORDER BY rowid", &statement, err);
    while (status == RL_OK && (status = rl_guard_step(guard, statement, &row, err)) == RL_OK && row) {
        /* The row is the next table; optional ones may be left out. */
        while (seen < RL_SCHEMA_COUNT && rl_schema[seen].optional && !column_is(statement, 1, rl_schema[seen].name))
            ++seen;
        if (seen < RL_SCHEMA_COUNT)
            guard->absent[seen] = false;
        status = check_definition(statement, seen++, err);
    }
    while (seen < RL_SCHEMA_COUNT && rl_schema[seen].optional)
        seen++;
    if (status == RL_OK && seen < RL_SCHEMA_COUNT)
        status = rl_err_set(err, RL_FORMAT, "damaged: it has no table %s", rl_schema[seen].name);
    sqlite3_finalize(statement);
    return status;
}

/* ---- contents ---- */

struct table_ids {
    enum rl_schema_id id;
    size_t *rows; /* so far */
};

static enum rl_status check_id(void *context, sqlite3_value **values, struct rl_err *err)
{
    const struct table_ids *ids = context;
    const struct rl_schema_table *table = &rl_schema[ids->id];
    if (sqlite3_value_int64(values[0]) != (sqlite3_int64)*ids->rows)
        return rl_err_set(err, RL_FORMAT, "damaged: ids of table %s do not count up from 0", table->name);
    if (++*ids->rows > table->total)
        return rl_err_set(err, RL_FORMAT, "damaged: more than %zu rows in table %s", table->total, table->name);
    return RL_OK;
}

/* Ids are 0, 1, 2, ... This goes first over the trees: a cursor refuses trees deeper than 20 pages, on which the recursion of
 * quick_check could use up the stack, and a page that is met again repeats an id. */
static enum rl_status check_ids(struct rl_guard *guard, enum rl_schema_id id, struct rl_err *err)
{
    struct table_ids ids = {id, &guard->rows[id]};
    RL_SCRATCH sql = RL_BUF_INIT;
    rl_buf_addf(&sql, "SELECT take(id) FROM %s", rl_schema[id].name);
    return rl_guard_each(guard, sql.data, check_id, &ids, err);
}

static enum rl_status check_pages(struct rl_guard *guard, struct rl_err *err)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    enum rl_status status = rl_guard_prepare(guard, "PRAGMA quick_check(1)", &statement, err);
    RL_THEN(status, rl_guard_step(guard, statement, &row, err));
    if (status == RL_OK && !(row && column_is(statement, 0, "ok"))) {
        const char *found = column_text(statement, 0), *last = strrchr(found, '\n');
        status = rl_err_set(err, RL_FORMAT, "damaged: %s", last ? last + 1 : found);
    }
    sqlite3_finalize(statement);
    return status;
}

static enum rl_status check_all_ids(struct rl_guard *guard, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    memset(guard->rows, 0, sizeof guard->rows);
    for (size_t i = 0; i < RL_SCHEMA_COUNT && status == RL_OK; i++)
        if (!guard->absent[i])
            status = check_ids(guard, (enum rl_schema_id)i, err);
    return status;
}

/* Rows of a table whose ids count up from 0, by its last id. */
static enum rl_status count_rows(struct rl_guard *guard, enum rl_schema_id id, struct rl_err *err)
{
    sqlite3_stmt *statement = NULL;
    RL_SCRATCH sql = RL_BUF_INIT;
    bool row = false;
    rl_buf_addf(&sql, "SELECT max(id) FROM %s", rl_schema[id].name);
    enum rl_status status = rl_guard_prepare(guard, sql.data, &statement, err);
    RL_THEN(status, rl_guard_step(guard, statement, &row, err));
    if (status == RL_OK && row && sqlite3_column_type(statement, 0) != SQLITE_NULL)
        guard->rows[id] = (size_t)sqlite3_column_int64(statement, 0) + 1;
    sqlite3_finalize(statement);
    return status;
}

enum rl_status rl_guard_count(struct rl_guard *guard, size_t len, struct rl_err *err)
{
    enum { LEAST_OF_ROW = 6 }; /* bytes, with the pointer to it */
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < RL_SCHEMA_COUNT && status == RL_OK; i++) {
        if (guard->absent[i])
            continue;
        status = count_rows(guard, (enum rl_schema_id)i, err);
        if (status == RL_OK && (guard->rows[i] > rl_schema[i].total || guard->rows[i] > len / LEAST_OF_ROW))
            status = check_all_ids(guard, err); /* which says what is wrong */
    }
    return status;
}

enum rl_status rl_guard_begin(struct rl_guard *guard, const void *bytes, size_t len, struct rl_err *err)
{
    *guard = (struct rl_guard){0};
    if (len > RL_CAPTURE_MAX_BYTES)
        return rl_err_set(err, RL_FORMAT, "larger than %d MiB", RL_CAPTURE_MAX_BYTES >> 20);
    enum rl_status status = check_header(bytes, len, err);
    RL_THEN(status, open_bytes(guard, bytes, len, err));
    RL_THEN(status, check_schema(guard, err));
    guard->patience = STEPS_FLAT + (uint64_t)len * INSTRUCTIONS_PER_BYTE / STEP;
    return status;
}

enum rl_status rl_guard_open(struct rl_guard *guard, const void *bytes, size_t len, struct rl_err *err)
{
    enum rl_status status = rl_guard_begin(guard, bytes, len, err);
    RL_THEN(status, check_all_ids(guard, err));
    return status == RL_OK ? check_pages(guard, err) : status;
}

enum rl_status rl_guard_check(const void *bytes, size_t len, struct rl_err *err)
{
    struct rl_guard guard;
    enum rl_status status = rl_guard_open(&guard, bytes, len, err);
    rl_guard_close(&guard);
    return status;
}

void rl_guard_close(struct rl_guard *guard)
{
    int code = sqlite3_close(guard->db);
    assert(code == SQLITE_OK); /* otherwise a statement was not finalized */
    (void)code;
    guard->db = NULL;
}
