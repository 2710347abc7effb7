/* Rows as bytes, each value with its type and length in front, so that no two contents give the same bytes. */
#include "content.h"

#include <assert.h>
#include <string.h>

#include "core/buf.h"

/* A sign and 8 bytes, the greatest first. */
static void add_number(struct rl_buf *out, char sign, uint64_t number)
{
    char bytes[9] = {sign};
    for (int i = 1; i < 9; i++)
        bytes[i] = (char)(number >> (64 - 8 * i));
    rl_buf_add(out, bytes, sizeof bytes);
}

static void add_bytes(struct rl_buf *out, char sign, const void *bytes, size_t len)
{
    add_number(out, sign, len);
    rl_buf_add(out, bytes, len);
}

static void add_cell(struct rl_buf *out, sqlite3_stmt *row, int column)
{
    const int type = sqlite3_column_type(row, column);
    if (type == SQLITE_NULL) {
        rl_buf_addch(out, 'N');
    } else if (type == SQLITE_INTEGER) {
        add_number(out, 'I', (uint64_t)sqlite3_column_int64(row, column));
    } else if (type == SQLITE_FLOAT) {
        const double real = sqlite3_column_double(row, column);
        uint64_t bits;
        memcpy(&bits, &real, sizeof bits);
        add_number(out, 'R', bits);
    } else {
        const void *bytes = sqlite3_column_blob(row, column); /* before their number is asked for */
        add_bytes(out, type == SQLITE_TEXT ? 'T' : 'B', bytes, (size_t)sqlite3_column_bytes(row, column));
    }
}

static enum rl_status add_rows(struct rl_guard *guard, sqlite3_stmt *rows, struct rl_sha256_stream *hash, struct rl_err *err)
{
    struct rl_buf cells = RL_BUF_INIT;
    enum rl_status status;
    bool row = true;
    while ((status = rl_guard_step(guard, rows, &row, err)) == RL_OK && row) {
        rl_buf_reset(&cells);
        for (int i = 0; i < sqlite3_column_count(rows); i++)
            add_cell(&cells, rows, i);
        rl_sha256_add(hash, cells.data, cells.len);
    }
    rl_buf_release(&cells);
    return status;
}

/* A table without rows says nothing: a later version may add some, and signatures hold. */
static enum rl_status add_table(struct rl_guard *guard, enum rl_schema_id id, struct rl_sha256_stream *hash, struct rl_err *err)
{
    assert(id < RL_SCHEMA_COUNT);
    struct rl_buf text = RL_BUF_INIT;
    sqlite3_stmt *rows = NULL;
    if (guard->rows[id] == 0 || id == RL_SCHEMA_SIGNATURE)
        return RL_OK;
    add_bytes(&text, 'S', rl_schema[id].name, strlen(rl_schema[id].name));
    rl_sha256_add(hash, text.data, text.len);
    rl_buf_reset(&text);
    rl_schema_select_sql(id, &text);
    enum rl_status status = rl_guard_prepare(guard, text.data, &rows, err);
    if (status == RL_OK)
        status = add_rows(guard, rows, hash, err);
    sqlite3_finalize(rows);
    rl_buf_release(&text);
    return status;
}

enum rl_status rl_content_of(struct rl_guard *guard, struct rl_sha256 *content, struct rl_err *err)
{
    static const char begin[] = "rooflight capture content 1\n";
    struct rl_sha256_stream *hash = rl_sha256_new();
    enum rl_status status = RL_OK;
    rl_sha256_add(hash, begin, strlen(begin));
    for (size_t i = 0; i < guard->tables && status == RL_OK; i++)
        status = add_table(guard, (enum rl_schema_id)i, hash, err);
    *content = rl_sha256_end(hash);
    return status;
}
