/* database.h - tables of an SQLite file that another program wrote, for who imports them. Captures have capture.h.
 *
 *     struct rl_database *database = NULL;
 *     enum rl_status status = rl_database_open(path, &database, err);
 *     if (status == RL_OK)
 *         status = rl_database_each(database, "StringIds", columns, 2, take, context, err);
 *     rl_database_close(database);
 *
 * The file is hostile: it is opened read-only and taken not to change, without its views, triggers, virtual tables, functions and
 * extensions; a row has at most RL_DATABASE_MAX_ROW bytes, and all reading ends when the work grows out of proportion to the file's
 * size. Rows are streamed: memory does not grow with the file.
 */
#ifndef RL_CAPTURE_DATABASE_H
#define RL_CAPTURE_DATABASE_H

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
    const char *text; /* of a text: terminated, until the taker returns; may hold any bytes. Otherwise "" */
    size_t len;
};

struct rl_database;
/* Takes the cells of one row, in the order in which columns were asked for. */
typedef void (*rl_database_taker)(void *context, const struct rl_database_cell *cells);

/* Opens the file at `path`. RL_FORMAT: it is no SQLite database, or damaged; RL_IO. Free with rl_database_close. */
enum rl_status rl_database_open(const char *path, struct rl_database **database, struct rl_err *err);
/* The same of `len` bytes, which must stay until rl_database_close. */
enum rl_status rl_database_open_bytes(const void *bytes, size_t len, struct rl_database **database, struct rl_err *err);
/* NULL is allowed. */
void rl_database_close(struct rl_database *database);

/* Whether there is a table of that name; no view, no virtual table. */
bool rl_database_has(struct rl_database *database, const char *table);
/* Hands over `count` columns (at most RL_DATABASE_MOST_ASKED) of every row, in no order; no row when the table is not there. Names
 * are ours, never the file's. RL_FORMAT when the file is damaged. */
enum rl_status rl_database_each(struct rl_database *database, const char *table, const char *const *columns, size_t count,
                                rl_database_taker take, void *context, struct rl_err *err);

#endif
