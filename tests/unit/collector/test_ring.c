/* The ring between an observed process and the collecting one: what is written is read once and whole, what does not fit is kept
 * out, and nothing that a program writes there does harm. */
#include "rl_test.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/mem.h"
#include "ring.h"

struct pair {
    struct rl_ring reader, writer;
    int fd;
};

static struct pair make(void)
{
    struct pair pair;
    assert_int_equal(rl_ring_create(&pair.reader, &pair.fd, NULL), RL_OK);
    assert_true(rl_ring_map(&pair.writer, pair.fd));
    return pair;
}

static void release(struct pair *pair)
{
    rl_ring_unmap(&pair->reader);
    rl_ring_unmap(&pair->writer);
    close(pair->fd);
}

/* Messages of all lengths, so that some lie across the end of the ring; three times around. */
static void what_is_written_is_read(void **state)
{
    (void)state;
    struct pair pair = make();
    struct rl_buf got = RL_BUF_INIT;
    enum { LONGEST = 100003 };
    unsigned char *message = rl_calloc(LONGEST, 1);
    size_t written = 0;
    for (unsigned i = 0; written < 3 * (size_t)RL_RING_BYTES; i++) {
        const size_t len = 1 + (size_t)i * 7919 % LONGEST;
        memset(message, (int)(i % 251), len);
        assert_true(rl_ring_write(&pair.writer, message, len));
        assert_true(rl_ring_waits(&pair.reader));
        rl_buf_reset(&got);
        assert_int_equal(rl_ring_read(&pair.reader, &got, NULL), RL_OK);
        assert_int_equal(got.len, len);
        assert_memory_equal(got.data, message, len);
        assert_false(rl_ring_waits(&pair.reader));
        written += len;
    }
    free(message);
    rl_buf_release(&got);
    release(&pair);
}

static void what_does_not_fit_is_not_written(void **state)
{
    (void)state;
    struct pair pair = make();
    struct rl_buf got = RL_BUF_INIT;
    char *bytes = rl_calloc(RL_RING_BYTES, 1);
    assert_true(rl_ring_write(&pair.writer, bytes, RL_RING_BYTES - 3));
    assert_false(rl_ring_write(&pair.writer, bytes, 4));
    assert_true(rl_ring_write(&pair.writer, bytes, 3));
    assert_false(rl_ring_write(&pair.writer, bytes, 1));
    assert_int_equal(rl_ring_read(&pair.reader, &got, NULL), RL_OK);
    assert_int_equal(got.len, RL_RING_BYTES);
    assert_true(rl_ring_write(&pair.writer, bytes, RL_RING_BYTES));
    assert_false(rl_ring_write(&pair.writer, bytes, (size_t)RL_RING_BYTES + 1));
    free(bytes);
    rl_buf_release(&got);
    release(&pair);
}

static void positions_of_a_hostile_program_are_refused(void **state)
{
    (void)state;
    static const unsigned long long positions[] = {UINT64_MAX, (unsigned long long)RL_RING_BYTES + 1, UINT64_C(1) << 63};
    for (size_t i = 0; i < RL_COUNT(positions); i++) {
        struct pair pair = make();
        struct rl_buf got = RL_BUF_INIT;
        struct rl_err err = RL_ERR_INIT;
        atomic_store(&pair.writer.shared->written, positions[i]);
        assert_int_equal(rl_ring_read(&pair.reader, &got, &err), RL_FORMAT);
        assert_int_equal(got.len, 0);
        assert_non_null(strstr(err.text, "damaged"));
        rl_buf_release(&got);
        release(&pair);
    }
}

/* Who made the file shorter would end the reader by SIGBUS. */
static void nobody_can_cut_it(void **state)
{
    (void)state;
    struct pair pair = make();
    assert_int_not_equal(ftruncate(pair.fd, 0), 0);
    assert_int_not_equal(ftruncate(pair.fd, (off_t)sizeof(struct rl_ring_shared) * 2), 0);
    release(&pair);
}

static void states_add_up(void **state)
{
    (void)state;
    struct pair pair = make();
    struct rl_ring none = {0};
    assert_int_equal(rl_ring_state(&pair.reader), 0);
    rl_ring_mark(&pair.writer, RL_RING_LOST);
    rl_ring_mark(&pair.writer, RL_RING_ENDED);
    assert_int_equal(rl_ring_state(&pair.reader), RL_RING_LOST | RL_RING_ENDED);
    rl_ring_mark(&none, RL_RING_LOST);
    assert_int_equal(rl_ring_state(&none), 0);
    assert_false(rl_ring_waits(&none));
    release(&pair);
}

enum { NUMBERS = 2000000 };

static void *write_numbers(void *context)
{
    struct rl_ring *writer = context;
    for (uint32_t i = 0; i < NUMBERS;)
        i += rl_ring_write(writer, &i, sizeof i);
    return NULL;
}

/* A reader beside the writer finds every number, in order. */
static void both_at_once(void **state)
{
    (void)state;
    struct pair pair = make();
    struct rl_buf got = RL_BUF_INIT;
    pthread_t thread;
    uint32_t next = 0, found = 0;
    assert_int_equal(pthread_create(&thread, NULL, write_numbers, &pair.writer), 0);
    while (next < NUMBERS) {
        rl_buf_reset(&got);
        assert_int_equal(rl_ring_read(&pair.reader, &got, NULL), RL_OK);
        assert_int_equal(got.len % sizeof next, 0);
        for (size_t at = 0; at < got.len; at += sizeof next, next++) {
            memcpy(&found, got.data + at, sizeof found);
            if (found != next)
                fail_msg("%u in place of %u", found, next);
        }
    }
    pthread_join(thread, NULL);
    rl_buf_release(&got);
    release(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(what_does_not_fit_is_not_written),
        cmocka_unit_test(positions_of_a_hostile_program_are_refused),
        cmocka_unit_test(nobody_can_cut_it),
        cmocka_unit_test(states_add_up),
        cmocka_unit_test(both_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
