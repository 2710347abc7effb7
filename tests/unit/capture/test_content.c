/* What is signed of a capture, worked out anew as docs/capture-format.md describes it: signatures that are out there rest on it. */
#include "rl_test.h"

#include "content.h"
#include "edit.h"
#include "schema.h"

static void add_sized(struct rl_buf *out, char sign, uint64_t number, const void *bytes, size_t len)
{
    rl_buf_addch(out, sign);
    for (int shift = 56; shift >= 0; shift -= 8)
        rl_buf_addch(out, (char)(number >> shift & 0xff));
    if (len)
        rl_buf_add(out, bytes, len);
}

static void add_value(struct rl_buf *out, sqlite3_value *value)
{
    const double real = sqlite3_value_double(value);
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    const size_t len = (size_t)sqlite3_value_bytes(value);
    switch (sqlite3_value_type(value)) {
    case SQLITE_NULL:
        rl_buf_addch(out, 'N');
        break;
    case SQLITE_INTEGER:
        add_sized(out, 'I', (uint64_t)sqlite3_value_int64(value), NULL, 0);
        break;
    case SQLITE_FLOAT:
        add_sized(out, 'R', bits, NULL, 0);
        break;
    case SQLITE_TEXT:
        add_sized(out, 'T', len, sqlite3_value_blob(value), len);
        break;
    default:
        add_sized(out, 'B', len, sqlite3_value_blob(value), len);
    }
}

static void add_rows_of(sqlite3 *db, const char *table, struct rl_buf *out)
{
    char sql[200];
    sqlite3_stmt *rows = NULL;
    size_t count = 0;
    snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY id", table);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &rows, NULL), SQLITE_OK);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        if (count++ == 0)
            add_sized(out, 'S', strlen(table), table, strlen(table));
        for (int i = 0; i < sqlite3_column_count(rows); i++)
            add_value(out, sqlite3_column_value(rows, i));
    }
    sqlite3_finalize(rows);
}

static void the_content_as_documented(void **state)
{
    (void)state;
    struct rl_buf bytes = sample_bytes(), signed_text = RL_BUF_INIT;
    struct rl_guard guard;
    struct rl_sha256 content;
    assert_int_equal(rl_guard_open(&guard, bytes.data, bytes.len, NULL), RL_OK);
    assert_int_equal(rl_content_of(&guard, &content, NULL), RL_OK);
    sqlite3 *db = database_of(&bytes);
    rl_buf_adds(&signed_text, "rooflight capture content 1\n");
    for (size_t i = 0; i < RL_SCHEMA_COUNT; i++)
        if (strcmp(rl_schema[i].name, "signature") != 0)
            add_rows_of(db, rl_schema[i].name, &signed_text);
    const struct rl_sha256 wanted = rl_sha256_of(signed_text.data, signed_text.len);
    assert_string_equal(content.hex, wanted.hex);
    sqlite3_close(db);
    rl_guard_close(&guard);
    rl_buf_release(&signed_text);
    rl_buf_release(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_content_as_documented)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
