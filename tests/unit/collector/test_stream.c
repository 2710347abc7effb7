/* The record stream of a process, read while it grows: what a process of ours writes is taken once, what none of ours writes is
 * refused, and what was read before stays. */
#include "rl_test.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/mem.h"
#include "stream_read.h"

static char path[] = "/tmp/rl_stream_XXXXXX";
static int file = -1;

static int open_file(void **state)
{
    (void)state;
    memset(path + sizeof path - 7, 'X', 6);
    file = mkstemp(path);
    return file < 0;
}

static int close_file(void **state)
{
    (void)state;
    close(file);
    return unlink(path);
}

/* Appends a record with its texts, of which `missing` bytes are not there yet. */
static void add(enum rl_record_kind kind, void *record, size_t size, const char *texts, size_t text_bytes, size_t missing)
{
    struct rl_buf bytes = RL_BUF_INIT;
    const size_t padded = (size + text_bytes + 7) & ~(size_t)7;
    *(struct rl_record *)record = (struct rl_record){(uint32_t)padded, kind};
    rl_buf_add(&bytes, record, size);
    rl_buf_add(&bytes, texts, text_bytes);
    rl_buf_fill(&bytes, 0, padded - bytes.len);
    assert_int_equal(write(file, bytes.data, padded - missing), (ssize_t)(padded - missing));
    rl_buf_release(&bytes);
}

static void add_hello(void)
{
    static const char texts[] = "node7\0003\0./app";
    struct rl_record_hello hello = {.version = RL_STREAM_VERSION, .pid = 47, .started_ns = 1};
    add(RL_RECORD_hello, &hello, sizeof hello, texts, sizeof texts, 0);
}

static void add_totals(uint64_t seen, size_t missing)
{
    struct rl_record_totals totals = {.seen = seen};
    add(RL_RECORD_totals, &totals, sizeof totals, "", 0, missing);
}

static void add_trouble(void)
{
    struct rl_record_trouble trouble = {.level = 1};
    add(RL_RECORD_trouble, &trouble, sizeof trouble, "oh", 3, 0);
}

static void add_pass(uint32_t pass, uint32_t counters)
{
    static const char texts[] = "hardware\0rotate\0a\0b";
    struct rl_record_pass is = {.pass = pass, .counter_count = counters};
    add(RL_RECORD_pass, &is, sizeof is, texts, sizeof texts, 0);
}

static void add_counters(uint32_t pass)
{
    struct {
        struct rl_record_counters is;
        double values[2];
    } record = {.is = {.pass = pass}, .values = {1, 2}};
    add(RL_RECORD_counters, &record, sizeof record, "", 0, 0);
}

static void everything_is_taken_once(void **state)
{
    (void)state;
    struct rl_stream stream;
    rl_stream_init(&stream, path);
    assert_int_equal(rl_stream_read(&stream), RL_FORMAT); /* there is nothing in it, so far */
    assert_true(!rl_stream_known(&stream) && rl_stream_lacks(&stream));
    add_hello();
    add_trouble();
    add_totals(5, 0);
    assert_int_equal(rl_stream_read(&stream), RL_OK);
    assert_true(rl_stream_known(&stream) && !rl_stream_lacks(&stream));
    assert_string_equal(stream.host, "node7");
    assert_string_equal(stream.rank, "3");
    assert_int_equal(stream.argument_count, 1);
    assert_int_equal(stream.classes[0].totals.seen, 5);
    assert_int_equal(rl_stream_read(&stream), RL_OK); /* nothing new */
    add_trouble();
    add_totals(9, 4);
    assert_int_equal(rl_stream_read(&stream), RL_OK);
    assert_int_equal(stream.trouble_count, 2);
    assert_int_equal(stream.classes[0].totals.seen, 5); /* the last record is not whole */
    assert_int_equal(write(file, "\0\0\0\0", 4), 4);
    assert_int_equal(rl_stream_read(&stream), RL_OK);
    assert_int_equal(stream.classes[0].totals.seen, 9);
    assert_int_equal(stream.at, lseek(file, 0, SEEK_END));
    rl_stream_release(&stream);
}

/* Records of 80 bytes, so that many of them lie across the end of what is read at once. */
static void long_streams_are_read_in_parts(void **state)
{
    (void)state;
    enum { RECORDS = 100000 };
    struct rl_stream stream;
    struct stat info;
    rl_stream_init(&stream, path);
    add_hello();
    for (uint64_t i = 1; i <= RECORDS; i++)
        add_totals(i, 0);
    assert_int_equal(rl_stream_read(&stream), RL_OK);
    assert_int_equal(stream.classes[0].totals.seen, RECORDS);
    assert_int_equal(fstat(file, &info), 0);
    assert_int_equal(stream.at, info.st_size); /* what follows stands where it would have stood */
    add_totals(RECORDS + 1, 0);
    assert_int_equal(rl_stream_read(&stream), RL_OK);
    assert_int_equal(stream.classes[0].totals.seen, RECORDS + 1);
    rl_stream_release(&stream);
}

/* Each ends a stream that has said something before, and nothing behind it counts. */
static void second_hello(void)
{
    add_hello();
}
static void other_counters(void)
{
    add_pass(0, 1); /* its launches have two */
}
static void unknown_pass(void)
{
    add_pass(2, 2);
    add_counters(1);
}
static void noise(void)
{
    assert_int_equal(write(file, "\377\377\377\377\377\377\377\377", 8), 8);
}

static void what_no_process_writes_is_refused(void **state)
{
    static void (*const faults[])(void) = {second_hello, other_counters, unknown_pass, noise};
    for (size_t i = 0; i < RL_COUNT(faults); i++) {
        struct rl_stream stream;
        struct rl_buf loss = RL_BUF_INIT;
        rl_stream_init(&stream, path);
        add_hello();
        add_totals(5, 0);
        add_pass(0, 2);
        add_counters(0);
        assert_int_equal(rl_stream_read(&stream), RL_OK);
        faults[i]();
        add_totals(9, 0);
        assert_int_equal(rl_stream_read(&stream), RL_FORMAT);
        assert_int_equal(rl_stream_read(&stream), RL_FORMAT);
        assert_true(rl_stream_known(&stream) && rl_stream_lacks(&stream));
        assert_int_equal(stream.classes[0].totals.seen, 5);
        assert_int_equal(stream.passes[0].is.counter_count, 2);
        rl_stream_say_loss(&stream, &loss);
        assert_non_null(strstr(loss.data, "process 47: record stream"));
        assert_non_null(strstr(loss.data, "damaged at byte"));
        rl_buf_release(&loss);
        rl_stream_release(&stream);
        assert_int_equal(close_file(state) | open_file(state), 0);
    }
}

/* A process without room leaves whole records and says by the file's mode that there were more. */
static void a_stream_that_was_cut_says_so(void **state)
{
    (void)state;
    struct rl_stream stream;
    struct rl_buf loss = RL_BUF_INIT;
    rl_stream_init(&stream, path);
    add_hello();
    add_totals(5, 0);
    assert_int_equal(fchmod(file, RL_STREAM_CUT_MODE), 0);
    assert_int_equal(rl_stream_read(&stream), RL_OK);
    assert_true(rl_stream_lacks(&stream));
    assert_int_equal(stream.classes[0].totals.seen, 5);
    rl_stream_say_loss(&stream, &loss);
    assert_non_null(strstr(loss.data, "process 47: there was no room"));
    rl_buf_release(&loss);
    rl_stream_release(&stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(everything_is_taken_once, open_file, close_file),
        cmocka_unit_test_setup_teardown(long_streams_are_read_in_parts, open_file, close_file),
        cmocka_unit_test_setup_teardown(what_no_process_writes_is_refused, open_file, close_file),
        cmocka_unit_test_setup_teardown(a_stream_that_was_cut_says_so, open_file, close_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
