/* database.h - reads tables of an SQLite file that another program wrote. Captures have capture.h.
 *
 *     struct rl_database *database = NULL;
 *     enum rl_status status = rl_database_open(path, &database, err);
 *     if (status == RL_OK)
 *         status = rl_database_each(database, "StringIds", columns, 2, take, context, err);
 *     rl_database_close(database);
 *
 * The file is untrusted. It is opened read-only and must not change while it is read; its views, triggers, virtual tables,
 * functions and extensions are not used. A row has at most RL_DATABASE_MAX_ROW bytes, and reading ends if the work exceeds a bound
 * given by the file's size. Rows are streamed: memory does not grow with the file.
 */
#pragma once

#include "core/core.h"

enum {
    RL_DATABASE_MAX_ROW = 1 << 24,  /* bytes */
    RL_DATABASE_MAX_COLUMNS = 1000, /* of a table */
    RL_DATABASE_MOST_ASKED = 32,    /* columns in one reading */
};

enum rl_database_kind { RL_DATABASE_NULL, RL_DATABASE_INTEGER, RL_DATABASE_REAL, RL_DATABASE_TEXT };
/* A cell; a blob, and a column that the table lacks, is NULL. */
struct rl_database_cell {
    enum rl_database_kind kind;
    int64_t integer;  /* of an integer */
    double real;      /* of a number */
    const char *text; /* terminated, may hold any bytes, valid until the taker returns; "" unless it is a text */
    size_t len;
};

struct rl_database;
/* Takes the cells of one row, in the order of the requested columns. */
typedef void (*rl_database_taker)(void *context, const struct rl_database_cell *cells);

/* Opens the file at `path`; `*database` is the caller's (rl_database_close). RL_FORMAT: no SQLite database, or damaged; RL_IO. */
enum rl_status rl_database_open(const char *path, struct rl_database **database, struct rl_err *err);
/* The same of `len` bytes, which must stay until rl_database_close. */
enum rl_status rl_database_open_bytes(const void *bytes, size_t len, struct rl_database **database, struct rl_err *err);
/* NULL is allowed. */
void rl_database_close(struct rl_database *database);

/* Whether there is a table of that name, not a view or virtual table. */
bool rl_database_has(struct rl_database *database, const char *table);
/* Passes `count` columns (at most RL_DATABASE_MOST_ASKED) of every row to `take`, in no order; without the table there are no rows.
 * `table` and `columns` are constants of the program, never text of the file. RL_FORMAT: the file is damaged. */
enum rl_status rl_database_each(struct rl_database *database, const char *table, const char *const *columns, size_t count,
                                rl_database_taker take, void *context, struct rl_err *err);
