/* Memory that SQLite does not get: a capture is read or written as a whole, or not at all, with one line that says why. */
#include "rl_test.h"

#include "core/mem.h"
#include "edit.h"

/* ---- an allocator that fails once ---- */

static sqlite3_mem_methods real;
static long until = -1; /* allocations that are left before the one that fails; below 0: none does */
static size_t asked;

static bool fails(void)
{
    asked++;
    return until >= 0 && until-- == 0;
}

static void *take(int size)
{
    return fails() ? NULL : real.xMalloc(size);
}

static void *take_again(void *memory, int size)
{
    return fails() ? NULL : real.xRealloc(memory, size);
}

static int begin(void **state)
{
    (void)state;
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real) != SQLITE_OK)
        return -1;
    sqlite3_mem_methods ours = real;
    ours.xMalloc = take;
    ours.xRealloc = take_again;
    return sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0) == SQLITE_OK && sqlite3_config(SQLITE_CONFIG_MALLOC, &ours) == SQLITE_OK
               ? 0
               : -1;
}

/* Which are made to fail: the first ones, while everything is opened, and then some all along. */
static long after(long number, size_t all)
{
    return number < 30 ? number + 1 : number + 1 + (long)all / 30;
}

/* ---- tests ---- */

static void a_capture_is_read_or_refused(void **state)
{
    struct rl_buf bytes = sample_bytes();
    struct rl_capture *whole = capture_of(&bytes);
    size_t refused = 0;
    (void)state;
    asked = 0;
    rl_capture_free(capture_of(&bytes));
    const size_t all = asked;
    assert_true(all > 100);
    for (long number = 0; number < (long)all; number = after(number, all)) {
        struct rl_err err = RL_ERR_INIT;
        struct rl_capture *capture = NULL;
        until = number;
        const enum rl_status status = rl_capture_read_bytes(bytes.data, bytes.len, "bytes", &capture, &err);
        until = -1;
        if (status == RL_OK) { /* it could do without */
            assert_same_capture(capture, whole);
        } else {
            refused++;
            assert_null(capture);
            assert_true(strncmp(err.text, "'bytes': ", 9) == 0 && strlen(err.text) > 9);
        }
        rl_capture_free(capture);
    }
    assert_true(refused > 30);
    rl_capture_free(whole);
    rl_buf_release(&bytes);
}

static void a_capture_is_written_or_not(void **state)
{
    struct rl_capture *capture = full_capture();
    struct rl_buf whole = RL_BUF_INIT;
    size_t refused = 0;
    (void)state;
    asked = 0;
    assert_int_equal(rl_capture_write_bytes(capture, &whole, NULL), RL_OK);
    const size_t all = asked;
    for (long number = 0; number < (long)all; number = after(number, all)) {
        struct rl_err err = RL_ERR_INIT;
        struct rl_buf out = RL_BUF_INIT;
        until = number;
        const enum rl_status status = rl_capture_write_bytes(capture, &out, &err);
        until = -1;
        if (status == RL_OK) {
            assert_int_equal(out.len, whole.len);
            assert_memory_equal(out.data, whole.data, whole.len);
        } else {
            refused++;
            assert_int_equal(status, RL_FAILED);
            assert_int_equal(out.len, 0);
            assert_true(strncmp(err.text, "cannot make the capture: ", 25) == 0 && strlen(err.text) > 25);
        }
        rl_buf_release(&out);
    }
    assert_true(refused > 30);
    rl_buf_release(&whole);
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_capture_is_read_or_refused),
                                       cmocka_unit_test(a_capture_is_written_or_not)};
    return cmocka_run_group_tests(tests, begin, NULL);
}
