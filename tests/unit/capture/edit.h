/* edit.h - captures changed behind the writer's back, by SQL or byte by byte. */
#ifndef RL_TEST_CAPTURE_EDIT_H
#define RL_TEST_CAPTURE_EDIT_H

#include "core/mem.h"
#include "fixtures/files.h"
#include "fixtures/full.h"
#include "fixtures/same.h"

#include <sqlite3.h>

/* The database in the bytes, to be changed; sqlite3_close it. */
static inline sqlite3 *database_of(const struct rl_buf *bytes)
{
    sqlite3 *db = NULL;
    unsigned char *copy = sqlite3_malloc64(bytes->len);
    assert_non_null(copy);
    memcpy(copy, bytes->data, bytes->len);
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    unsigned flags = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE;
    sqlite3_int64 len = (sqlite3_int64)bytes->len;
    assert_int_equal(sqlite3_deserialize(db, "main", copy, len, len, flags), SQLITE_OK);
    return db;
}

static inline void run_sql(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
}

/* The bytes after some SQL; release with rl_buf_release. */
static inline struct rl_buf edited(const struct rl_buf *bytes, const char *sql)
{
    sqlite3 *db = database_of(bytes);
    run_sql(db, sql);
    sqlite3_int64 len = 0;
    unsigned char *changed = sqlite3_serialize(db, "main", &len, 0);
    assert_non_null(changed);
    struct rl_buf out = RL_BUF_INIT;
    rl_buf_add(&out, changed, (size_t)len);
    sqlite3_free(changed);
    sqlite3_close(db);
    return out;
}

/* The same capture in pages of another size; release with rl_buf_release. */
static inline struct rl_buf repaged(const struct rl_buf *bytes, const char *page_size)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf sql = RL_BUF_INIT, out = RL_BUF_INIT;
    sqlite3 *db = NULL;
    char *folder = files_new_folder();
    char *path = rl_path_join(folder, "repaged");
    assert_int_equal(rl_write_file_atomic(path, bytes->data, bytes->len, &err), RL_OK);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    rl_buf_addf(&sql, "PRAGMA page_size=%s; VACUUM", page_size);
    run_sql(db, sql.data);
    sqlite3_close(db);
    assert_int_equal(rl_read_file(path, RL_CAPTURE_MAX_BYTES, &out, &err), RL_OK);
    files_remove_folder(folder);
    rl_buf_release(&sql);
    free(path);
    return out;
}

/* The bytes of the full sample. */
static inline struct rl_buf sample_bytes(void)
{
    struct rl_capture *capture = full_capture();
    struct rl_buf bytes = bytes_of(capture);
    rl_capture_free(capture);
    return bytes;
}

static inline void put_big_endian(char *at, uint32_t number, int size)
{
    for (int i = 0; i < size; i++)
        at[i] = (char)(number >> 8 * (size - 1 - i));
}

#endif
