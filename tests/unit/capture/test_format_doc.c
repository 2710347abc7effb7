/* docs/data/capture-tables.md and the tables that are written agree; so do docs/capture-format.md and the header. */
#include "rl_test.h"

#include "edit.h"

/* Tables and columns, one a line: "kernel", "kernel.variant INTEGER or NULL → variant", "kernel.static_shared_bytes value". */

/* The type of one column as the document writes it. */
static void add_type(sqlite3 *db, const char *table, const char *column, struct rl_buf *out)
{
    static const char sql[] =
        "SELECT c.type || CASE WHEN c.\"notnull\" OR c.pk THEN '' ELSE ' or NULL' END || ifnull(' → ' || f.\"table\", '') "
        "FROM pragma_table_info(?1) c LEFT JOIN pragma_foreign_key_list(?1) f ON f.\"from\" = c.name WHERE c.name = ?2";
    sqlite3_stmt *stmt = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 2, column, -1, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    rl_buf_adds(out, (const char *)sqlite3_column_text(stmt, 0));
    sqlite3_finalize(stmt);
}

static bool has_column(sqlite3 *db, const char *table, const char *column, const char *suffix)
{
    sqlite3_stmt *stmt = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2 || ?3", -1, &stmt, NULL),
                     SQLITE_OK);
    sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 2, column, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 3, suffix, -1, SQLITE_STATIC);
    bool found = sqlite3_step(stmt) == SQLITE_ROW;
    sqlite3_finalize(stmt);
    return found;
}

static bool ends_with(const char *text, const char *end)
{
    return strlen(text) >= strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0;
}

/* A number and its "_missing" are one line, after a look at the types of both. */
static void add_column(sqlite3 *db, const char *table, const char *column, struct rl_buf *out)
{
    struct rl_buf type = RL_BUF_INIT;
    add_type(db, table, column, &type);
    if (ends_with(column, "_missing")) {
        assert_string_equal(type.data, "INTEGER or NULL → missing");
    } else if (has_column(db, table, column, "_missing")) {
        assert_string_equal(type.data, "REAL or NULL");
        rl_buf_addf(out, "%s.%s value\n", table, column);
    } else {
        rl_buf_addf(out, "%s.%s %s\n", table, column, type.data);
    }
    rl_buf_release(&type);
}

static void list_tables(struct rl_buf *out)
{
    struct rl_capture *full = full_program(); /* with the tables that others leave out */
    struct rl_buf bytes = RL_BUF_INIT;
    assert_int_equal(rl_capture_write_bytes(full, &bytes, NULL), RL_OK);
    rl_capture_free(full);
    sqlite3 *db = database_of(&bytes);
    sqlite3_stmt *stmt = NULL;
    static const char sql[] =
        "SELECT s.name, c.name, c.cid FROM sqlite_schema s, pragma_table_info(s.name) c ORDER BY s.rowid, c.cid";
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        const char *table = (const char *)sqlite3_column_text(stmt, 0);
        if (sqlite3_column_int(stmt, 2) == 0)
            rl_buf_addf(out, "%s\n", table);
        add_column(db, table, (const char *)sqlite3_column_text(stmt, 1), out);
    }
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    rl_buf_release(&bytes);
}

/* "### `kernel`" and "| `gpu` | INTEGER → gpu | ..." of the chapter "Tables". */
static void list_document(const char *text, struct rl_buf *out)
{
    const char *line = strstr(text, "\n## Tables\n");
    assert_non_null(line);
    struct rl_buf table = RL_BUF_INIT;
    for (line += 5; (line = strchr(line, '\n')) && strncmp(line, "\n## ", 4) != 0; line++) {
        const char *name = line + 1, *end, *type;
        if (strncmp(name, "### `", 5) == 0) {
            rl_buf_reset(&table);
            rl_buf_add(&table, name + 5, strcspn(name + 5, "`"));
            rl_buf_addf(out, "%s\n", table.data);
        } else if (strncmp(name, "| `", 3) == 0) {
            end = strstr(name, "` | ");
            type = end + 4;
            rl_buf_addf(out, "%s.%.*s %.*s\n", table.data, (int)(end - name - 3), name + 3, (int)(strstr(type, " |") - type), type);
        }
    }
    rl_buf_release(&table);
}

static void document_and_tables_agree(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf text = RL_BUF_INIT, said = RL_BUF_INIT, is = RL_BUF_INIT;
    if (rl_read_file(RL_SOURCE_DIR "/docs/data/capture-tables.md", 1 << 20, &text, &err) != RL_OK)
        fail_msg("%s", err.text);
    list_document(text.data, &said);
    list_tables(&is);
    size_t same = 0, line = 0;
    for (; said.data[same] && said.data[same] == is.data[same]; same++)
        line = said.data[same] == '\n' ? same + 1 : line;
    if (strcmp(said.data, is.data) != 0)
        fail_msg("docs/data/capture-tables.md says '%.*s' where the capture has '%.*s'", (int)strcspn(said.data + line, "\n"),
                 said.data + line, (int)strcspn(is.data + line, "\n"), is.data + line);
    assert_true(said.len > 1000);
    rl_buf_release(&text);
    rl_buf_release(&said);
    rl_buf_release(&is);
}

/* The figures in the document's head. */
static void document_names_the_header(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf text = RL_BUF_INIT, wanted = RL_BUF_INIT;
    assert_int_equal(rl_read_file(RL_SOURCE_DIR "/docs/capture-format.md", 1 << 20, &text, &err), RL_OK);
    rl_buf_addf(&wanted, "# The capture file, version %d\n", RL_CAPTURE_VERSION);
    assert_memory_equal(text.data, wanted.data, wanted.len);
    rl_buf_reset(&wanted);
    rl_buf_addf(&wanted, "`0x%x`", (unsigned)RL_CAPTURE_APPLICATION_ID);
    assert_non_null(strstr(text.data, wanted.data));
    rl_buf_release(&wanted);
    rl_buf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(document_and_tables_agree),
        cmocka_unit_test(document_names_the_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
