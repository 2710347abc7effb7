/* How short the lead is on which SQLite reads a stranger's file: what it is told, and how much work it may do. */
#include "rl_test.h"

#include "edit.h"
#include "guard.h"

static void open_guard(struct rl_guard *guard, const struct rl_buf *bytes)
{
    struct rl_err err = RL_ERR_INIT;
    if (rl_guard_open(guard, bytes->data, bytes->len, &err) != RL_OK)
        fail_msg("%s", err.text);
}

/* Most of these stand behind another lock (the schema is compared word for word), so that no hostile file can show them missing. */
static void sqlite_is_told_to_distrust_the_file(void **state)
{
    static const struct {
        int option, value;
    } wanted[] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0}, {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},    {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0},
        {SQLITE_DBCONFIG_DQS_DDL, 0},        {SQLITE_DBCONFIG_DQS_DML, 0},
    };
    static const struct {
        int limit, most;
    } bounds[] = {
        {SQLITE_LIMIT_LENGTH, 1048576},  {SQLITE_LIMIT_SQL_LENGTH, 8192},   {SQLITE_LIMIT_COLUMN, 40},
        {SQLITE_LIMIT_EXPR_DEPTH, 10},   {SQLITE_LIMIT_COMPOUND_SELECT, 2}, {SQLITE_LIMIT_VDBE_OP, 50000},
        {SQLITE_LIMIT_FUNCTION_ARG, 40}, {SQLITE_LIMIT_ATTACHED, 0},        {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1},
        {SQLITE_LIMIT_TRIGGER_DEPTH, 1}, {SQLITE_LIMIT_VARIABLE_NUMBER, 1}, {SQLITE_LIMIT_WORKER_THREADS, 0},
    };
    struct rl_buf bytes = sample_bytes();
    struct rl_guard guard;
    (void)state;

    open_guard(&guard, &bytes);
    for (size_t i = 0; i < RL_COUNT(wanted); i++) {
        int now = -1;
        assert_int_equal(sqlite3_db_config(guard.db, wanted[i].option, -1, &now), SQLITE_OK);
        if (now != wanted[i].value)
            fail_msg("option %d is %d", wanted[i].option, now);
    }
    for (size_t i = 0; i < RL_COUNT(bounds); i++)
        if (sqlite3_limit(guard.db, bounds[i].limit, -1) != bounds[i].most)
            fail_msg("limit %d is %d", bounds[i].limit, sqlite3_limit(guard.db, bounds[i].limit, -1));
    rl_guard_close(&guard);
    rl_buf_release(&bytes);
}

static int pragma(struct rl_guard *guard, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    struct rl_err err = RL_ERR_INIT;
    bool row = false;

    assert_int_equal(rl_guard_prepare(guard, sql, &statement, &err), RL_OK);
    assert_int_equal(rl_guard_step(guard, statement, &row, &err), RL_OK);
    const int value = row ? sqlite3_column_int(statement, 0) : -1; /* a pragma that says nothing is not there */
    sqlite3_finalize(statement);
    return value;
}

static void nothing_is_written(void **state)
{
    struct rl_buf bytes = sample_bytes();
    struct rl_guard guard;
    (void)state;

    open_guard(&guard, &bytes);
    assert_int_equal(pragma(&guard, "PRAGMA query_only"), 1);
    assert_int_equal(pragma(&guard, "PRAGMA cell_size_check"), 1);
    assert_int_equal(pragma(&guard, "PRAGMA temp_store"), 2); /* in memory */
    assert_int_not_equal(sqlite3_exec(guard.db, "DELETE FROM log", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(guard.db, "PRAGMA query_only=OFF", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(guard.db, "DELETE FROM log", NULL, NULL, NULL), SQLITE_READONLY); /* the bytes are, too */
    rl_guard_close(&guard);
    rl_buf_release(&bytes);
}

/* 10,000 calls of the progress handler, and one for each 50 bytes (20 of 1000 instructions); looking at the sample takes few. */
static void work_is_allowed_in_proportion_to_the_file(void **state)
{
    struct rl_buf bytes = sample_bytes();
    struct rl_guard guard;
    (void)state;

    open_guard(&guard, &bytes);
    const uint64_t allowed = 10000 + bytes.len / 50;
    assert_true(guard.patience <= allowed);
    assert_true(guard.patience >= allowed - allowed / 50);
    rl_guard_close(&guard);
    rl_buf_release(&bytes);
}

/* A query that never ends is stopped by the call that uses up what is left: after so many thousand instructions, not before. */
static void work_without_end_is_stopped(void **state)
{
    static const char forever[] = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
    struct rl_buf bytes = sample_bytes();
    struct rl_guard guard;
    struct rl_err err = RL_ERR_INIT;
    sqlite3_stmt *statement = NULL;
    bool row = true;
    (void)state;

    open_guard(&guard, &bytes);
    guard.patience = 20;
    assert_int_equal(rl_guard_prepare(&guard, forever, &statement, &err), RL_OK);
    enum rl_status status = RL_OK;
    for (long rows = 0; status == RL_OK && row && rows < 100000; rows++)
        status = rl_guard_step(&guard, statement, &row, &err);
    assert_int_equal(status, RL_FORMAT);
    assert_string_equal(err.text, "damaged: reading it does not come to an end");
    assert_int_equal(guard.patience, 0);
    const int instructions = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0);
    assert_in_range(instructions, 19000, 21000);
    sqlite3_finalize(statement);

    row = true; /* and it stays stopped: 0 does not become the greatest number */
    assert_int_equal(rl_guard_prepare(&guard, forever, &statement, &err), RL_OK);
    status = RL_OK;
    for (long rows = 0; status == RL_OK && row && rows < 100000; rows++)
        status = rl_guard_step(&guard, statement, &row, &err);
    assert_int_equal(status, RL_FORMAT);
    sqlite3_finalize(statement);
    rl_guard_close(&guard);
    rl_buf_release(&bytes);
}

struct taken {
    size_t rows, most; /* the row after `most` is not taken */
};

static enum rl_status take_some(void *context, sqlite3_value **values, struct rl_err *err)
{
    struct taken *taken = context;
    if (taken->rows == taken->most)
        return rl_err_set(err, RL_VERSION, "row %d is too many", (int)sqlite3_value_int64(values[0]));
    assert_int_equal(sqlite3_value_int64(values[0]), taken->rows);
    taken->rows++;
    return RL_OK;
}

/* Each row once, by its id; after one that is not taken no other comes, and status and words are those of who did not take it. */
static void rows_are_handed_over_until_one_is_not_taken(void **state)
{
    static const char sql[] = "SELECT take(id, fact) FROM gpu_fact";
    struct rl_buf bytes = sample_bytes();
    struct rl_guard guard;
    struct rl_err err = RL_ERR_INIT;
    (void)state;

    open_guard(&guard, &bytes);
    struct taken all = {0, SIZE_MAX}, some = {0, 3}, none = {0, SIZE_MAX};
    assert_int_equal(rl_guard_each(&guard, sql, take_some, &all, &err), RL_OK);
    assert_int_equal(all.rows, guard.rows[RL_SCHEMA_GPU_FACT]);
    assert_true(all.rows > 4);
    assert_int_equal(rl_guard_each(&guard, sql, take_some, &some, &err), RL_VERSION);
    assert_int_equal(some.rows, 3);
    assert_string_equal(err.text, "row 3 is too many");
    assert_int_equal(rl_guard_each(&guard, sql, take_some, &some, NULL), RL_VERSION);
    assert_int_equal(rl_guard_each(&guard, "SELECT take(id) FROM nowhere", take_some, &none, &err), RL_FORMAT);
    assert_string_equal(err.text, "damaged: no such table: nowhere");
    rl_guard_close(&guard);
    rl_buf_release(&bytes);
}

/* One byte of each field of the header that must have one value, and what is said of it. */
static void every_field_of_the_header_is_looked_at(void **state)
{
    static const struct {
        size_t at;
        char value;
        const char *says;
    } rows[] = {
        {0, 'X', "not a capture: it does not begin as an SQLite database does"},
        {15, 'X', "not a capture: it does not begin as an SQLite database does"},
        {68, 1, "not a capture: an SQLite database of another program"},
        {71, 1, "not a capture: an SQLite database of another program"},
        {18, 2, "damaged: its journal mode was changed (a capture is never in WAL mode)"},
        {19, 2, "damaged: its journal mode was changed (a capture is never in WAL mode)"},
        {59, 2, "damaged: its text encoding is not UTF-8"},
        {56, 1, "damaged: its text encoding is not UTF-8"},
        {16, 3, "damaged: its page size is "},
        {31, 0, "damaged: "},
    };
    struct rl_buf bytes = sample_bytes();
    (void)state;

    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_guard guard;
        struct rl_err err = RL_ERR_INIT;
        const char before = bytes.data[rows[i].at];
        bytes.data[rows[i].at] = rows[i].value;
        assert_int_equal(rl_guard_open(&guard, bytes.data, bytes.len, &err), RL_FORMAT);
        if (strncmp(err.text, rows[i].says, strlen(rows[i].says)) != 0)
            fail_msg("byte %zu: %s", rows[i].at, err.text);
        rl_guard_close(&guard);
        bytes.data[rows[i].at] = before;
    }
    rl_buf_release(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sqlite_is_told_to_distrust_the_file),
        cmocka_unit_test(every_field_of_the_header_is_looked_at),
        cmocka_unit_test(nothing_is_written),
        cmocka_unit_test(work_is_allowed_in_proportion_to_the_file),
        cmocka_unit_test(work_without_end_is_stopped),
        cmocka_unit_test(rows_are_handed_over_until_one_is_not_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
