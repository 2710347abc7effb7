/* guard.h - opening a database that a stranger may have made (private to capture/).
 *
 * Nothing of the file is believed before this has looked at it: the header's fields, the schema, that the trees are what they
 * should be, that ids count from 0. With that each reference is checked where it is read, by its number alone. SQLite reads from
 * memory, so the file cannot change meanwhile and no journal next to it is looked at; it cannot write, runs no view, trigger or
 * function of the file, and stops when the work grows out of proportion to the file's size.
 */
#pragma once

#include <sqlite3.h>

#include "schema.h"

/* Receives the values of one row, valid until it returns. A status other than RL_OK, with a message in `err`, ends reading. */
typedef enum rl_status (*rl_row_taker)(void *context, sqlite3_value **values, struct rl_err *err);

struct rl_guard {
    sqlite3 *db;
    rl_row_taker take; /* of rl_guard_each(), with its context; */
    void *context;
    enum rl_status taken;         /* what that said last, */
    struct rl_err *err;           /* and why */
    uint64_t patience;            /* calls of the progress handler that are left */
    bool absent[RL_SCHEMA_COUNT]; /* optional tables that the file does not have */
    size_t rows[RL_SCHEMA_COUNT]; /* of each table; ids are 0 .. rows - 1 */
};

/* Opens `len` bytes, which must stay until rl_guard_close. RL_FORMAT or RL_VERSION with the reason otherwise. `guard` must not
 * move; rl_guard_close is due in every case. */
enum rl_status rl_guard_open(struct rl_guard *guard, const void *bytes, size_t len, struct rl_err *err);
/* For a concurrent reader with a separate connection: checks header and schema only, */
enum rl_status rl_guard_begin(struct rl_guard *guard, const void *bytes, size_t len, struct rl_err *err);
/* how many rows there are if ids count up from 0, never more than fit the file, */
enum rl_status rl_guard_count(struct rl_guard *guard, size_t len, struct rl_err *err);
/* and all that rl_guard_open looks at, by another thread: what was read is to be believed when this has found nothing. */
enum rl_status rl_guard_check(const void *bytes, size_t len, struct rl_err *err);
/* Closes the database; the bytes stay. Also after a failed rl_guard_open, and a second time. */
void rl_guard_close(struct rl_guard *guard);

/* A limit of SQLite (SQLITE_LIMIT_...). */
struct rl_guard_limit {
    int limit, value;
};
/* Hardens a new connection: no extensions, triggers, views or functions of the file, no writing, and these limits. RL_FAILED:
 * SQLite refuses. */
enum rl_status rl_guard_distrust(sqlite3 *db, const struct rl_guard_limit *least, size_t count, struct rl_err *err);

/* Prepares one of our own statements. */
enum rl_status rl_guard_prepare(struct rl_guard *guard, const char *sql, sqlite3_stmt **statement, struct rl_err *err);
/* The next row: `*row` says whether there is one. */
enum rl_status rl_guard_step(struct rl_guard *guard, sqlite3_stmt *statement, bool *row, struct rl_err *err);
/* Passes each row of a table to `take` by a statement "SELECT take(id, ...) FROM ...", in storage order, within one call of
 * SQLite. Returns the status of `take`, or of the statement. */
enum rl_status rl_guard_each(struct rl_guard *guard, const char *sql, rl_row_taker take, void *context, struct rl_err *err);
