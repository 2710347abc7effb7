/* The two ways to read a capture: straight from the pages of a plain file, and, where that does not do, by SQLite. */
#include "read.h"

#include <assert.h>
#include <pthread.h>

#include "core/buf.h"

/* What another thread does meanwhile with a large file: both only read the bytes. */
enum { LARGE_FILE = 4 << 20 };
struct beside {
    const void *bytes;
    size_t len;
    void (*work)(struct beside *beside);
    enum rl_status pages; /* what rl_guard_check_pages says */
    struct rl_err err;
    struct rl_sha256 sha256;
    bool threaded;
    pthread_t thread;
};

static void hash(struct beside *beside)
{
    beside->sha256 = rl_sha256_of(beside->bytes, beside->len);
}

static void check_and_hash(struct beside *beside)
{
    beside->pages = rl_guard_check_pages(beside->bytes, beside->len, &beside->err);
    hash(beside);
}

static void *work(void *context)
{
    struct beside *beside = context;
    beside->work(beside);
    return NULL;
}

/* Without a thread it is done now. */
static void beside_begin(struct beside *beside)
{
    if (beside->len >= LARGE_FILE)
        beside->threaded = pthread_create(&beside->thread, NULL, work, beside) == 0;
    if (!beside->threaded)
        beside->work(beside);
}

static void beside_end(struct beside *beside)
{
    if (beside->threaded)
        pthread_join(beside->thread, NULL);
}

/* What is wrong with the pages is said first: what was read from them then means nothing. */
static enum rl_status read_by_sqlite(struct rl_reader *reader, const void *bytes, size_t len, struct rl_err *err)
{
    struct beside beside = {.bytes = bytes, .len = len, .work = check_and_hash, .err = RL_ERR_INIT};
    struct rl_err of_rows = RL_ERR_INIT;
    assert(reader->guard.db && !reader->pages);
    enum rl_status status = rl_guard_count(&reader->guard, err);
    if (status != RL_OK)
        return status;
    beside_begin(&beside);
    status = beside.threaded || beside.pages == RL_OK ? rl_read_tables(reader, &of_rows) : RL_OK;
    beside_end(&beside);
    reader->capture->sha256 = beside.sha256;
    if (err && (beside.pages != RL_OK || status != RL_OK))
        *err = beside.pages != RL_OK ? beside.err : of_rows;
    return beside.pages != RL_OK ? beside.pages : status;
}

/* False: not all of it is as it would have to be, and nothing is said of what. */
static bool read_by_pages(struct rl_reader *reader, const void *bytes, size_t len)
{
    struct beside beside = {.bytes = bytes, .len = len, .work = hash};
    struct rl_pages pages;
    struct rl_err unsaid = RL_ERR_INIT;
    bool whole = rl_pages_open(&pages, &reader->guard, bytes, len);
    if (whole) {
        reader->pages = &pages;
        beside_begin(&beside);
        whole = rl_read_tables(reader, &unsaid) == RL_OK && rl_pages_all_met(&pages);
        beside_end(&beside);
        reader->capture->sha256 = beside.sha256;
    }
    reader->pages = NULL;
    rl_pages_close(&pages);
    return whole;
}

enum rl_status rl_read_in_ways(const void *bytes, size_t len, unsigned ways, struct rl_capture **capture, struct rl_err *err)
{
    struct rl_reader reader = {.capture = rl_capture_new()};
    assert(ways);
    *capture = NULL;
    enum rl_status status = rl_guard_begin(&reader.guard, bytes, len, err);
    const bool done = status == RL_OK && (ways & RL_READ_BY_PAGES) && read_by_pages(&reader, bytes, len);
    if (status == RL_OK && !done) {
        rl_capture_free(reader.capture);
        reader.capture = rl_capture_new();
        status = ways & RL_READ_BY_SQLITE ? read_by_sqlite(&reader, bytes, len, err) : rl_err_set(err, RL_FORMAT, "not plain");
    }
    rl_guard_close(&reader.guard);
    if (status == RL_OK)
        *capture = reader.capture;
    else
        rl_capture_free(reader.capture);
    return status;
}

enum rl_status rl_capture_read_bytes(const void *bytes, size_t len, const char *label, struct rl_capture **capture,
                                     struct rl_err *err)
{
    enum rl_status status = rl_read_in_ways(bytes, len, RL_READ_BY_PAGES | RL_READ_BY_SQLITE, capture, err);
    return status == RL_OK ? status : rl_err_context(err, status, "'%s'", label);
}

enum rl_status rl_capture_read(const char *path, struct rl_capture **capture, struct rl_err *err)
{
    struct rl_buf bytes = RL_BUF_INIT;
    *capture = NULL;
    enum rl_status status = rl_read_file(path, RL_CAPTURE_MAX_BYTES, &bytes, err);
    if (status == RL_OK)
        status = rl_capture_read_bytes(bytes.data, bytes.len, path, capture, err);
    rl_buf_release(&bytes);
    return status;
}
