/* The records of a process: what a process of ours writes is taken once, what none of ours writes is
 * refused, and what was read before stays. */
#include "rl_test.h"

#include <unistd.h>

#include "core/buf.h"
#include "core/mem.h"
#include "stream_read.h"

static struct rl_buf bytes;

static int begin(void **state)
{
    (void)state;
    rl_buf_init(&bytes);
    return 0;
}

static int end(void **state)
{
    (void)state;
    rl_buf_release(&bytes);
    return 0;
}

/* Appends a record with its texts. */
static void add(enum rl_record_kind kind, void *record, size_t size, const char *texts, size_t text_bytes)
{
    const size_t begin_at = bytes.len, padded = (size + text_bytes + 7) & ~(size_t)7;
    *(struct rl_record *)record = (struct rl_record){(uint32_t)padded, kind};
    rl_buf_add(&bytes, record, size);
    rl_buf_add(&bytes, texts, text_bytes);
    rl_buf_fill(&bytes, 0, begin_at + padded - bytes.len);
}

/* What was added since the last time. */
static enum rl_status take(struct rl_stream *stream)
{
    enum rl_status status = rl_stream_take(stream, bytes.data, bytes.len);
    rl_buf_reset(&bytes);
    return status;
}

static void add_hello(void)
{
    static const char texts[] = "node7\0003\0./app";
    struct rl_record_hello hello = {.version = RL_STREAM_VERSION, .pid = 47, .started_ns = 1};
    add(RL_RECORD_hello, &hello, sizeof hello, texts, sizeof texts);
}

static void add_totals(uint64_t seen)
{
    struct rl_record_totals totals = {.seen = seen};
    add(RL_RECORD_totals, &totals, sizeof totals, "", 0);
}

static void add_trouble(void)
{
    struct rl_record_trouble trouble = {.level = 1};
    add(RL_RECORD_trouble, &trouble, sizeof trouble, "oh", 3);
}

static void add_pass(uint32_t pass, uint32_t counters)
{
    static const char texts[] = "hardware\0rotate\0a\0b";
    struct rl_record_pass is = {.pass = pass, .counter_count = counters};
    add(RL_RECORD_pass, &is, sizeof is, texts, sizeof texts);
}

static void add_counters(uint32_t pass)
{
    struct {
        struct rl_record_counters is;
        double values[2];
    } record = {.is = {.pass = pass}, .values = {1, 2}};
    add(RL_RECORD_counters, &record, sizeof record, "", 0);
}

static void add_launches(uint32_t gpu, uint32_t count, uint32_t told, uint64_t from_ns, uint64_t to_ns)
{
    struct {
        struct rl_record_launches is;
        struct rl_stream_launch launches[RL_STREAM_MOST_LAUNCHES];
    } *record = rl_calloc(1, sizeof *record);
    record->is = (struct rl_record_launches){.gpu = gpu, .launch_count = told, .missing_from_ns = from_ns, .missing_to_ns = to_ns};
    for (uint32_t i = 0; i < count; i++)
        record->launches[i] = rl_stream_launch_of(i % 2 ? RL_STREAM_NO_CLASS : 7, i % 3 == 1, 1000 + 10 * (uint64_t)i, i);
    add(RL_RECORD_launches, record, sizeof record->is + count * sizeof *record->launches, "", 0);
    free(record);
}

static void every_launch_is_taken(void **state)
{
    (void)state;
    struct rl_stream stream;
    rl_stream_init(&stream, 40);
    add_hello();
    add_launches(3, 5, 5, 0, 0);
    add_launches(3, 2, 2, 200, 300);
    add_launches(0, 0, 0, 50, 60);
    assert_int_equal(take(&stream), RL_OK);
    const struct rl_stream_launches *launches = &stream.gpus[3].launches;
    assert_int_equal(launches->launch_count, 7);
    assert_int_equal(launches->launches[4].start_ns, 1040);
    assert_int_equal(rl_stream_launch_ns(&launches->launches[4]), 4);
    assert_int_equal(rl_stream_launch_class(&launches->launches[4]), 7);
    assert_int_equal(rl_stream_launch_class(&launches->launches[3]), RL_STREAM_NO_CLASS);
    assert_true(rl_stream_launch_traced(&launches->launches[4]));
    assert_false(rl_stream_launch_traced(&launches->launches[3]));
    assert_int_equal(launches->gap_count, 1);
    assert_int_equal(launches->gaps[0].to_ns, 300);
    assert_int_equal(stream.gpus[0].launches.gap_count, 1);
    rl_stream_release(&stream);
}

/* What is not kept any more is missing from there on. */
static void launches_are_bounded(void **state)
{
    (void)state;
    struct rl_stream stream;
    rl_stream_init(&stream, 40);
    add_hello();
    assert_int_equal(take(&stream), RL_OK);
    const struct rl_stream_launches *launches = &stream.gpus[0].launches;
    for (size_t i = 0; i <= RL_STREAM_KEPT_LAUNCHES / RL_STREAM_MOST_LAUNCHES; i++) {
        add_launches(0, RL_STREAM_MOST_LAUNCHES, RL_STREAM_MOST_LAUNCHES, 0, 0);
        assert_int_equal(take(&stream), RL_OK);
    }
    assert_int_equal(launches->launch_count, RL_STREAM_KEPT_LAUNCHES);
    assert_int_equal(launches->gap_count, 1);
    assert_int_equal(launches->gaps[0].from_ns, launches->launches[RL_STREAM_KEPT_LAUNCHES - 1].start_ns);
    assert_true(launches->gaps[0].to_ns == UINT64_MAX);
    rl_stream_release(&stream);
}

static void nonsense_about_launches_is_refused(void **state)
{
    (void)state;
    static const struct {
        uint32_t gpu, count, told;
        uint64_t from_ns, to_ns;
    } rows[] = {{RL_STREAM_MOST_GPUS, 1, 1, 0, 0}, {0, 1, 2, 0, 0}, {0, 1, UINT32_MAX, 0, 0}, {0, 1, 1, 7, 6}};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_stream stream;
        rl_stream_init(&stream, 40);
        add_hello();
        add_launches(rows[i].gpu, rows[i].count, rows[i].told, rows[i].from_ns, rows[i].to_ns);
        assert_int_equal(take(&stream), RL_FORMAT);
        rl_stream_release(&stream);
    }
    const struct rl_stream_launch longest = rl_stream_launch_of(5, false, 1, UINT64_MAX);
    assert_int_equal(rl_stream_launch_class(&longest), 5);
    assert_false(rl_stream_launch_traced(&longest));
}

static void everything_is_taken_once(void **state)
{
    (void)state;
    struct rl_stream stream;
    rl_stream_init(&stream, 40);
    assert_int_equal(take(&stream), RL_OK); /* nothing, so far */
    assert_true(!rl_stream_known(&stream) && !rl_stream_lacks(&stream));
    add_hello();
    add_trouble();
    add_totals(5);
    assert_int_equal(take(&stream), RL_OK);
    assert_true(rl_stream_known(&stream) && !rl_stream_lacks(&stream));
    assert_string_equal(stream.host, "node7");
    assert_string_equal(stream.rank, "3");
    assert_int_equal(stream.argument_count, 1);
    assert_int_equal(stream.classes[0].totals.seen, 5);
    add_trouble();
    add_totals(9);
    const size_t len = bytes.len;
    const uint64_t before = stream.at;
    assert_int_equal(take(&stream), RL_OK);
    assert_int_equal(stream.trouble_count, 2);
    assert_int_equal(stream.classes[0].totals.seen, 9);
    assert_int_equal(stream.at, before + len);
    rl_stream_release(&stream);
}

/* Launches that were made, but of which nothing was said any more. */
static void counters_know_more_than_records(void **state)
{
    (void)state;
    struct rl_stream stream;
    struct rl_ring ring;
    int fd = -1;
    rl_stream_init(&stream, 40);
    assert_int_equal(rl_ring_create(&ring, &fd, NULL), RL_OK);
    add_hello();
    struct rl_record_totals totals = {.seen = 9, .timed = 8, .graph = 2};
    add(RL_RECORD_totals, &totals, sizeof totals, "", 0);
    struct rl_record_process process = {.launches = 9, .pending = 1, .lost = 2, .made = 7};
    add(RL_RECORD_process, &process, sizeof process, "", 0);
    assert_int_equal(take(&stream), RL_OK);
    atomic_store(&ring.shared->made, 7);
    atomic_store(&ring.shared->launched[0], 7);
    rl_stream_count(&stream, &ring);
    assert_int_equal(rl_stream_class_launches(&stream.classes[0]), 9);
    assert_int_equal(rl_stream_launches(&stream), 9);
    assert_int_equal(rl_stream_unrecorded(&stream), 3);
    atomic_store(&ring.shared->made, 47);
    atomic_store(&ring.shared->launched[0], 47);
    rl_stream_count(&stream, &ring);
    assert_int_equal(rl_stream_class_launches(&stream.classes[0]), 49); /* those of graphs are made by no call */
    assert_int_equal(rl_stream_launches(&stream), 49);
    assert_int_equal(rl_stream_unrecorded(&stream), 43);
    atomic_store(&ring.shared->made, UINT64_MAX); /* the program has written there */
    atomic_store(&ring.shared->launched[0], UINT64_MAX);
    rl_stream_count(&stream, &ring);
    assert_int_equal(rl_stream_class_launches(&stream.classes[0]), 9);
    assert_int_equal(rl_stream_launches(&stream), 9);
    rl_ring_unmap(&ring);
    close(fd);
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
    rl_buf_add(&bytes, "\377\377\377\377\377\377\377\377", 8);
}

static void half_a_record(void)
{
    add_trouble();
    rl_buf_truncate(&bytes, bytes.len - 8);
}

static void what_no_process_writes_is_refused(void **state)
{
    (void)state;
    static void (*const faults[])(void) = {second_hello, other_counters, unknown_pass, noise, half_a_record};
    for (size_t i = 0; i < RL_COUNT(faults); i++) {
        struct rl_stream stream;
        struct rl_buf loss = RL_BUF_INIT;
        rl_stream_init(&stream, 40);
        add_hello();
        add_totals(5);
        add_pass(0, 2);
        add_counters(0);
        assert_int_equal(take(&stream), RL_OK);
        faults[i]();
        add_totals(9);
        assert_int_equal(take(&stream), RL_FORMAT);
        add_totals(10);
        assert_int_equal(take(&stream), RL_FORMAT);
        assert_true(rl_stream_known(&stream) && rl_stream_lacks(&stream));
        assert_int_equal(stream.classes[0].totals.seen, 5);
        assert_int_equal(stream.passes[0].is.counter_count, 2);
        rl_stream_describe_loss(&stream, &loss);
        assert_non_null(strstr(loss.data, "process 47: its records are damaged at byte"));
        rl_buf_release(&loss);
        rl_stream_release(&stream);
    }
}

/* A process that has more to say than there is room for says so. */
static void a_stream_that_lacks_something_says_so(void **state)
{
    (void)state;
    struct rl_stream stream;
    struct rl_buf loss = RL_BUF_INIT;
    rl_stream_init(&stream, 40);
    add_hello();
    assert_int_equal(take(&stream), RL_OK);
    assert_false(rl_stream_lacks(&stream));
    stream.state = RL_RING_ENDED | RL_RING_LOST;
    assert_true(rl_stream_lacks(&stream));
    rl_stream_describe_loss(&stream, &loss);
    assert_non_null(strstr(loss.data, "process 47: its records were not read in time"));
    rl_buf_release(&loss);
    rl_stream_release(&stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(everything_is_taken_once, begin, end),
        cmocka_unit_test_setup_teardown(every_launch_is_taken, begin, end),
        cmocka_unit_test_setup_teardown(launches_are_bounded, begin, end),
        cmocka_unit_test_setup_teardown(nonsense_about_launches_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(counters_know_more_than_records, begin, end),
        cmocka_unit_test_setup_teardown(what_no_process_writes_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(a_stream_that_lacks_something_says_so, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
