/* Captures read straight from their pages, held against what SQLite reads of the same bytes. */
#include "rl_test.h"

#include <glob.h>
#include <math.h>

#include "edit.h"
#include "fixtures/random.h"
#include "read.h"

static enum rl_status read_by(const struct rl_buf *bytes, unsigned ways, struct rl_buf *out)
{
    struct rl_capture *capture;
    struct rl_err err = RL_ERR_INIT;
    enum rl_status status = rl_read_in_ways(bytes->data, bytes->len, ways, &capture, &err);
    if (status == RL_OK) {
        rl_buf_adds(out, capture->sha256.hex);
        assert_int_equal(rl_capture_write_bytes(capture, out, &err), RL_OK);
        rl_capture_free(capture);
    }
    return status;
}

/* What pages give SQLite gives, too, to the bit. Returns whether they gave anything. */
static bool agrees(const struct rl_buf *bytes, const char *what, size_t number)
{
    struct rl_buf pages = RL_BUF_INIT, sqlite = RL_BUF_INIT;
    const bool read = read_by(bytes, RL_READ_BY_PAGES, &pages) == RL_OK;
    if (read && read_by(bytes, RL_READ_BY_SQLITE, &sqlite) != RL_OK)
        fail_msg("%s %zu: SQLite refuses what was read from the pages", what, number);
    if (read && (pages.len != sqlite.len || memcmp(pages.data, sqlite.data, pages.len) != 0))
        fail_msg("%s %zu: SQLite reads something else", what, number);
    rl_buf_release(&pages);
    rl_buf_release(&sqlite);
    return read;
}

static void recorded_captures_are_plain(void **state)
{
    static const char *const patterns[] = {"/samples/*.rlcap", "/samples/*/*.rlcap", "/tests/data/*.rlcap"};
    glob_t found = {0};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(patterns); i++) {
        struct rl_buf pattern = RL_BUF_INIT;
        rl_buf_addf(&pattern, "%s%s", RL_SOURCE_DIR, patterns[i]);
        assert_int_equal(glob(pattern.data, i ? GLOB_APPEND : 0, NULL, &found), 0);
        rl_buf_release(&pattern);
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct rl_buf bytes = RL_BUF_INIT;
        assert_int_equal(rl_read_file(found.gl_pathv[i], RL_CAPTURE_MAX_BYTES, &bytes, NULL), RL_OK);
        if (!agrees(&bytes, found.gl_pathv[i], 0))
            fail_msg("%s is not read from its pages", found.gl_pathv[i]);
        rl_buf_release(&bytes);
    }
    globfree(&found);
}

static void what_is_written_is_plain(void **state)
{
    struct rl_buf bytes = sample_bytes(), empty;
    struct rl_capture *capture = rl_capture_new();
    (void)state;
    assert_true(agrees(&bytes, "the full sample", 0));
    empty = bytes_of(capture);
    assert_true(agrees(&empty, "an empty capture", 0));
    rl_capture_free(capture);
    rl_buf_release(&empty);
    rl_buf_release(&bytes);
}

/* Trees of several levels; numbers of every length, whole ones in a column of real ones, and texts of all lengths about those at
 * which a row no longer fits its page, and at which what is left fills its pages to the byte. */
static void rows_of_every_size_are_read(void **state)
{
    enum { PAGE = 4096, COUNT = 400 };
    struct rl_capture *capture = full_capture();
    struct rl_buf text = RL_BUF_INIT;
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        rl_buf_reset(&text);
        rl_buf_fill(&text, 'a' + (char)(i % 26), i < 100 ? PAGE - 80 + i : i < 200 ? 2 * PAGE - 80 + i : i);
        rl_capture_log(capture, (int64_t)(UINT64_C(1) << i % 62), RL_LOG_NOTE, "%s", text.data);
        struct rl_counter *counter = rl_capture_add_counter(capture, capture->kernel_count - 1);
        counter->kind = RL_FOREIGN;
        counter->name = rl_capture_text(capture, "a counter");
        counter->value = rl_value_of(i % 2 ? ldexp(1, (int)(i % 60)) * (i % 4 == 1 ? 1 : -1) : 1.0 / (double)(i + 1));
    }
    rl_buf_reset(&text);
    rl_buf_fill(&text, 'z', RL_CAPTURE_MAX_TEXT);
    rl_capture_log(capture, 1, RL_LOG_NOTE, "%s", text.data);
    struct rl_buf bytes = bytes_of(capture), small, large;
    assert_true(agrees(&bytes, "rows of every size", PAGE));
    small = repaged(&bytes, "2048");
    large = repaged(&bytes, "65536");
    assert_true(agrees(&small, "rows of every size", 2048));
    assert_true(agrees(&large, "rows of every size", 65536));
    rl_buf_release(&small);
    rl_buf_release(&large);
    rl_buf_release(&bytes);
    rl_buf_release(&text);
    rl_capture_free(capture);
}

/* What SQLite lets through and this does not: the two together read it. */
static void what_is_not_plain_is_read_by_sqlite(void **state)
{
    static const char *const edits[] = {
        "DELETE FROM log; VACUUM",           /* fine for both */
        "UPDATE log SET text='' WHERE id=0", /* leaves a gap */
        "PRAGMA auto_vacuum=2; VACUUM",
        "UPDATE counter SET value=value WHERE id=0",
    };
    struct rl_buf bytes = sample_bytes();
    (void)state;
    for (size_t i = 0; i < RL_COUNT(edits); i++) {
        struct rl_buf changed = edited(&bytes, edits[i]), both = RL_BUF_INIT, sqlite = RL_BUF_INIT;
        const bool read = agrees(&changed, "edit", i);
        assert_int_equal(read_by(&changed, RL_READ_BY_SQLITE, &sqlite), RL_OK);
        assert_int_equal(read_by(&changed, RL_READ_BY_PAGES | RL_READ_BY_SQLITE, &both), RL_OK);
        assert_int_equal(both.len, sqlite.len);
        assert_memory_equal(both.data, sqlite.data, sqlite.len);
        if (i == 1 || i == 2)
            assert_false(read);
        rl_buf_release(&changed);
        rl_buf_release(&both);
        rl_buf_release(&sqlite);
    }
    rl_buf_release(&bytes);
}

/* ---- damage ---- */

static size_t below(uint64_t *draw, size_t limit)
{
    return (size_t)(random_bits(20261126, (*draw)++) % limit);
}

/* Where a change does the most: heads of pages and the pointers behind them, and every cell's first bytes. */
static size_t place_in(const struct rl_buf *bytes, uint64_t *draw, size_t page_size)
{
    const size_t page = below(draw, bytes->len / page_size) * page_size, kind = below(draw, 4);
    const unsigned char *at = (const unsigned char *)bytes->data + page;
    const size_t cells = (size_t)at[3] << 8 | at[4];
    if (kind == 0 || cells == 0 || 8 + 2 * cells > page_size)
        return page + below(draw, 108);
    const size_t cell = below(draw, cells), pointer = 8 + 2 * cell + (at[0] == 5 ? 4 : 0);
    const size_t from = ((size_t)at[pointer] << 8 | at[pointer + 1]) + below(draw, 12);
    return kind == 1 || from >= page_size ? page + pointer + kind % 2 : kind == 2 ? page + from : page + below(draw, page_size);
}

static void damage_is_read_alike_or_left_to_sqlite(void **state)
{
    enum { PAGE = 2048, TRIES = 1000 };
    struct rl_buf whole = sample_bytes(), bytes = repaged(&whole, "2048");
    uint64_t draw = 0;
    size_t read = 0;
    (void)state;
    assert_true(agrees(&bytes, "undamaged", 0));
    for (size_t i = 0; i < TRIES; i++) {
        const size_t at = place_in(&bytes, &draw, PAGE);
        const char was = bytes.data[at];
        bytes.data[at] = (char)(below(&draw, 3) ? (size_t)was ^ (size_t)1 << below(&draw, 8) : below(&draw, 256));
        read += agrees(&bytes, "damage at", at);
        bytes.data[at] = was;
    }
    assert_in_range(read, TRIES / 100, TRIES); /* some changes give another capture that is whole */
    rl_buf_release(&bytes);
    rl_buf_release(&whole);
}

/* Each of these alone keeps a file from being read from its pages. */
static void what_must_be_so_is_looked_at(void **state)
{
    struct rl_buf bytes = sample_bytes();
    static const struct {
        size_t offset;
        char value;
    } changes[] = {{20, 1}, {35, 1}, {39, 1}, {47, 3}, {55, 1}, {67, 1}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(changes); i++) {
        const char was = bytes.data[changes[i].offset];
        bytes.data[changes[i].offset] = changes[i].value;
        if (agrees(&bytes, "head", changes[i].offset))
            fail_msg("byte %zu of the head is not looked at", changes[i].offset);
        bytes.data[changes[i].offset] = was;
    }
    rl_buf_release(&bytes);
}

/* A page that belongs to nothing. */
static void unused_pages_are_noticed(void **state)
{
    struct rl_buf bytes = sample_bytes();
    enum { PAGES = 28 };
    (void)state;
    put_big_endian(bytes.data + PAGES, (uint32_t)(bytes.len / 4096 + 1), 4);
    rl_buf_fill(&bytes, 0, 4096);
    assert_false(agrees(&bytes, "an unused page", 0));
    rl_buf_release(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_captures_are_plain),
        cmocka_unit_test(what_is_written_is_plain),
        cmocka_unit_test(rows_of_every_size_are_read),
        cmocka_unit_test(what_is_not_plain_is_read_by_sqlite),
        cmocka_unit_test(damage_is_read_alike_or_left_to_sqlite),
        cmocka_unit_test(what_must_be_so_is_looked_at),
        cmocka_unit_test(unused_pages_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
