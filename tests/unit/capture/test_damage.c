/* Files that are cut, bent, of another program or of another version. */
#include "rl_test.h"

#include "edit.h"

enum { APPLICATION_ID = 68, USER_VERSION = 60, PAGE_SIZE_AT = 16, WRITE_VERSION = 18, PAGES = 28, ENCODING = 56 };

static void no_database(void **state)
{
    (void)state;
    static const char text[] =
        "kernel,duration\nstride,1\n, and some more text, so that it is longer than the header of a database is, "
        "which has one hundred bytes";
    assert_refused("", 0, RL_FORMAT, "not a capture: the file is empty");
    assert_refused(text, sizeof text, RL_FORMAT, "not a capture: it does not begin as an SQLite database does");
    assert_refused("%PDF", 4, RL_FORMAT, "not a capture: it does not begin as an SQLite database does");
}

static void every_truncation_is_noticed(void **state)
{
    (void)state;
    struct rl_buf bytes = sample_bytes();
    for (size_t len = 1; len < bytes.len; len += len < 300 ? 1 : 251) {
        char *exact = rl_calloc(len, 1); /* so that reading behind the end is noticed */
        memcpy(exact, bytes.data, len);
        assert_refused(exact, len, RL_FORMAT, "truncated: ");
        free(exact);
    }
    for (size_t len = 4096; len < bytes.len; len += 4096)
        assert_refused(bytes.data, len, RL_FORMAT, "bytes are there: copy it again");
    rl_buf_release(&bytes);
}

static void bytes_after_the_end_are_noticed(void **state)
{
    (void)state;
    struct rl_buf bytes = sample_bytes();
    rl_buf_addch(&bytes, 'x');
    assert_refused(bytes.data, bytes.len, RL_FORMAT, "damaged: ");
    rl_buf_fill(&bytes, 'x', 4095);
    assert_refused(bytes.data, bytes.len, RL_FORMAT, "bytes are expected");
    rl_buf_release(&bytes);
}

static void other_programs_databases_are_not_captures(void **state)
{
    (void)state;
    struct rl_buf bytes = sample_bytes();
    put_big_endian(bytes.data + APPLICATION_ID, 0x52454553, 4);
    put_big_endian(bytes.data + USER_VERSION, 7, 4); /* says nothing about another program's file */
    assert_refused(bytes.data, bytes.len, RL_FORMAT, "not a capture: an SQLite database of another program");
    rl_buf_release(&bytes);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    run_sql(db, "CREATE TABLE t(x); INSERT INTO t VALUES(1)");
    sqlite3_int64 len = 0;
    unsigned char *plain = sqlite3_serialize(db, "main", &len, 0);
    assert_refused(plain, (size_t)len, RL_FORMAT, "not a capture: an SQLite database of another program");
    sqlite3_free(plain);
    sqlite3_close(db);
}

static void other_versions_say_what_to_do(void **state)
{
    (void)state;
    struct rl_buf bytes = sample_bytes();
    struct rl_buf wanted;
    rl_buf_init(&wanted);
    put_big_endian(bytes.data + USER_VERSION, RL_CAPTURE_VERSION + 1, 4);
    rl_buf_addf(&wanted,
                "'some file': capture is of format version %d; this rooflight reads version %d: use the rooflight that made it, or "
                "make the capture again",
                RL_CAPTURE_VERSION + 1, RL_CAPTURE_VERSION);
    assert_refused(bytes.data, bytes.len, RL_VERSION, wanted.data);
    rl_buf_release(&wanted);
    put_big_endian(bytes.data + USER_VERSION, RL_CAPTURE_VERSION - 1, 4);
    assert_refused(bytes.data, bytes.len, RL_VERSION, "use the rooflight that made it, or make the capture again");
    put_big_endian(bytes.data + USER_VERSION, UINT32_MAX, 4);
    assert_refused(bytes.data, bytes.len, RL_VERSION, "capture is of format version -1;");
    put_big_endian(bytes.data + USER_VERSION, 0, 4);
    assert_refused(bytes.data, bytes.len, RL_VERSION, "capture is of format version 0;");
    rl_buf_release(&bytes);
}

static void bent_headers_are_refused(void **state)
{
    (void)state;
    static const struct {
        int at, size;
        uint32_t value;
        const char *part;
    } rows[] = {
        {PAGE_SIZE_AT, 2, 0, "page size is 0"},
        {PAGE_SIZE_AT, 2, 1, "truncated: "}, /* 1 stands for 65536 */
        {PAGE_SIZE_AT, 2, 256, "page size is 256"},
        {PAGE_SIZE_AT, 2, 4095, "page size is 4095"},
        {PAGES, 4, 0, "damaged: 0 bytes are expected"},
        {PAGES, 4, UINT32_MAX, "truncated: "},
        {WRITE_VERSION, 1, 2, "journal mode"},
        {WRITE_VERSION + 1, 1, 2, "journal mode"},
        {ENCODING, 4, 2, "not UTF-8"},
    };
    struct rl_buf bytes = sample_bytes();
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        char old[4];
        memcpy(old, bytes.data + rows[i].at, sizeof old);
        put_big_endian(bytes.data + rows[i].at, rows[i].value, rows[i].size);
        assert_refused(bytes.data, bytes.len, RL_FORMAT, rows[i].part);
        memcpy(bytes.data + rows[i].at, old, sizeof old);
    }
    rl_capture_free(capture_of(&bytes));
    rl_buf_release(&bytes);
}

/* ---- trees made to break readers ---- */

static sqlite3_int64 root_of(const struct rl_buf *bytes, const char *table)
{
    sqlite3 *db = database_of(bytes);
    sqlite3_stmt *stmt = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT rootpage FROM sqlite_schema WHERE name=?", -1, &stmt, NULL), SQLITE_OK);
    sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    sqlite3_int64 root = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return root;
}

/* A b-tree page without cells; an interior one (5) has its right-most child, a leaf (13) has none. */
static void put_page(char *page, uint32_t size, int type, uint32_t child)
{
    memset(page, 0, 12);
    page[0] = (char)type;
    put_big_endian(page + 5, size, 2); /* where the cells begin: the page's end */
    if (type == 5)
        put_big_endian(page + 8, child, 4);
}

static void deep_trees_do_not_use_up_the_stack(void **state)
{
    (void)state;
    enum { DEPTH = 150000, SIZE = 512 }; /* SQLite's own integrity check recurses, and would not come back from this */
    struct rl_capture *empty = rl_capture_new();
    struct rl_buf large = bytes_of(empty), bytes = repaged(&large, "512");
    uint32_t root = (uint32_t)root_of(&bytes, "log"), pages = (uint32_t)(bytes.len / SIZE);
    rl_buf_fill(&bytes, '\0', (size_t)DEPTH * SIZE);
    put_page(bytes.data + (size_t)(root - 1) * SIZE, SIZE, 5, pages + 1);
    for (uint32_t i = 0; i < DEPTH; i++)
        put_page(bytes.data + (size_t)(pages + i) * SIZE, SIZE, i < DEPTH - 1 ? 5 : 13, pages + i + 2);
    put_big_endian(bytes.data + PAGES, pages + DEPTH, 4);
    assert_refused(bytes.data, bytes.len, RL_FORMAT, "damaged: ");
    rl_buf_release(&bytes);
    rl_buf_release(&large);
    rl_capture_free(empty);
}

static void other_page_sizes_are_read(void **state)
{
    (void)state;
    static const char *const sizes[] = {"512", "8192", "65536"};
    struct rl_capture *capture = full_capture();
    struct rl_buf bytes = bytes_of(capture);
    for (size_t i = 0; i < RL_COUNT(sizes); i++) {
        struct rl_buf other = repaged(&bytes, sizes[i]);
        struct rl_capture *back = capture_of(&other);
        assert_same_capture(capture, back);
        assert_string_equal(back->sha256.hex, rl_sha256_of(other.data, other.len).hex);
        rl_capture_free(back);
        rl_buf_release(&other);
    }
    rl_buf_release(&bytes);
    rl_capture_free(capture);
}

static void tables_do_not_share_pages(void **state)
{
    (void)state;
    struct rl_capture *empty = rl_capture_new();
    struct rl_buf bytes = bytes_of(empty);
    struct rl_buf shared = edited(&bytes, "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage="
                                          "(SELECT rootpage FROM sqlite_schema WHERE name='log') WHERE name='pass'");
    assert_refused(shared.data, shared.len, RL_FORMAT, "damaged: ");
    rl_buf_release(&shared);
    shared = edited(&bytes, "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage=1 WHERE name='log'");
    assert_refused(shared.data, shared.len, RL_FORMAT, "damaged: ");
    rl_buf_release(&shared);
    rl_buf_release(&bytes);
    rl_capture_free(empty);
}

/* The sample with so long a log that its pages are looked at while its rows are read. */
static struct rl_buf large_bytes(void)
{
    struct rl_buf bytes = sample_bytes();
    struct rl_buf large =
        edited(&bytes, "WITH RECURSIVE n(i) AS (SELECT count(*) FROM log UNION ALL "
                       "SELECT i + 1 FROM n WHERE i < 200) INSERT INTO log SELECT i, 0, 'note', hex(zeroblob(20000)) FROM n");
    assert_true(large.len > 5 << 20);
    rl_buf_release(&bytes);
    return large;
}

/* How many bytes of a leaf are in fragments is of use to who writes, and only quick_check looks: the last leaf says that some are.
 */
static void bend_page(struct rl_buf *bytes)
{
    size_t page = bytes->len - 4096;
    while (page > 0 && bytes->data[page] != 13)
        page -= 4096;
    assert_true(page > 0);
    bytes->data[page + 7] = 60;
}

static void large_files_are_looked_at_as_closely(void **state)
{
    (void)state;
    struct rl_buf bytes = large_bytes();
    struct rl_capture *capture = capture_of(&bytes);
    assert_string_equal(capture->sha256.hex, rl_sha256_of(bytes.data, bytes.len).hex);
    assert_int_equal(capture->log_count, 201);
    rl_capture_free(capture);
    struct rl_buf rows = edited(&bytes, "UPDATE log SET at_ns = 'soon' WHERE id = 3");
    assert_refused(rows.data, rows.len, RL_FORMAT, "damaged: log 3: at_ns");
    bend_page(&rows); /* what is said of the pages comes first */
    assert_refused(rows.data, rows.len, RL_FORMAT, "damaged: Fragmentation of ");
    bend_page(&bytes);
    assert_refused(bytes.data, bytes.len, RL_FORMAT, "damaged: Fragmentation of ");
    rl_buf_release(&rows);
    rl_buf_release(&bytes);
}

/* Rows are counted by the last id before anything else is looked at: one that leads nowhere, and one that says more than there can
 * be. */
static void ids_of_large_files_are_looked_at(void **state)
{
    static const char *const tables[] = {"missing", "counter_name", "gpu", "variant", "kernel", "counter", "log", "duration"};
    static const char *const further[] = {"1", "3", "9000000000", "9223372036854770000"};
    struct rl_buf bytes = large_bytes();
    (void)state;
    for (size_t i = 0; i < RL_COUNT(tables); i++) {
        struct rl_buf sql = RL_BUF_INIT, part = RL_BUF_INIT;
        rl_buf_addf(&sql, "UPDATE %s SET id = id + %s WHERE id = (SELECT max(id) FROM %s)", tables[i],
                    further[i % RL_COUNT(further)], tables[i]);
        rl_buf_addf(&part, "damaged: ids of table %s do not count up from 0", tables[i]);
        struct rl_buf changed = edited(&bytes, sql.data);
        assert_refused(changed.data, changed.len, RL_FORMAT, part.data);
        rl_buf_release(&changed);
        rl_buf_release(&part);
        rl_buf_release(&sql);
    }
    rl_buf_release(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_database),
        cmocka_unit_test(every_truncation_is_noticed),
        cmocka_unit_test(bytes_after_the_end_are_noticed),
        cmocka_unit_test(other_programs_databases_are_not_captures),
        cmocka_unit_test(other_versions_say_what_to_do),
        cmocka_unit_test(bent_headers_are_refused),
        cmocka_unit_test(deep_trees_do_not_use_up_the_stack),
        cmocka_unit_test(other_page_sizes_are_read),
        cmocka_unit_test(tables_do_not_share_pages),
        cmocka_unit_test(large_files_are_looked_at_as_closely),
        cmocka_unit_test(ids_of_large_files_are_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
