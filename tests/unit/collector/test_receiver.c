/* Rings for processes that ask: who has the token gets one, what it writes is read whatever becomes of it, and strangers get
 * nothing. */
#include "rl_test.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/fs.h"
#include "core/mem.h"
#include "fixtures/files.h"
#include "handout.h"
#include "receiver.h"
#include "ring.h"

static struct rl_receiver *begin(void)
{
    struct rl_receiver *receiver = NULL;
    struct rl_buf notes = RL_BUF_INIT, text = RL_BUF_INIT;
    assert_int_equal(rl_receiver_open(&receiver, NULL), RL_OK);
    rl_buf_adds(&text, "a plan\nof lines\n");
    rl_handout_add(&notes, RL_HANDOUT_PLAN "GH100", &text);
    rl_buf_reset(&text);
    rl_handout_add(&notes, RL_HANDOUT_WANTED, &text);
    assert_int_equal(rl_receiver_give(receiver, &notes, NULL), RL_OK);
    assert_int_equal(rl_receiver_start(receiver, NULL), RL_OK);
    rl_buf_release(&notes);
    rl_buf_release(&text);
    return receiver;
}

static bool say_hello(struct rl_ring *ring, uint32_t pid)
{
    struct {
        struct rl_record_hello is;
        char texts[16];
    } hello = {.is = {.head = {sizeof hello, RL_RECORD_hello}, .version = RL_STREAM_VERSION, .pid = pid},
               .texts = "node7\0003\0./app"};
    return rl_ring_write(ring, &hello, sizeof hello);
}

/* In a child: asks, says hello, and ends as it is told; 1 when it was refused, 2 when it was given too little. */
static pid_t child(const char *address, void (*end)(void))
{
    const pid_t pid = fork();
    if (pid)
        return pid;
    struct rl_ring ring;
    const char *notes, *plan;
    size_t size, len = 0;
    if (!rl_receiver_ask(address, &ring, &notes, &size))
        _exit(1);
    plan = rl_handout_find(notes, size, RL_HANDOUT_PLAN "GH100", &len);
    if (!plan || len != 16 || memcmp(plan, "a plan\nof lines\n", len) != 0 ||
        !rl_handout_find(notes, size, RL_HANDOUT_WANTED, &len) || len != 0 || rl_handout_find(notes, size, RL_HANDOUT_ANY, &len))
        _exit(2);
    if (!say_hello(&ring, (uint32_t)getpid()))
        _exit(3);
    atomic_store(&ring.shared->made, 47);
    end();
    _exit(0);
}

static void by_kill(void)
{
    raise(SIGKILL);
}

static void well(void) {}

static void processes_are_heard_whatever_becomes_of_them(void **state)
{
    (void)state;
    struct rl_receiver *receiver = begin();
    enum { CHILDREN = 20 };
    pid_t pids[CHILDREN];
    for (size_t i = 0; i < CHILDREN; i++)
        pids[i] = child(rl_receiver_address(receiver), i % 2 ? by_kill : well);
    for (size_t i = 0; i < CHILDREN; i++) {
        int how = 0;
        assert_int_equal(waitpid(pids[i], &how, 0), pids[i]);
        assert_true(i % 2 ? WIFSIGNALED(how) : WIFEXITED(how) && WEXITSTATUS(how) == 0);
    }
    rl_receiver_stop(receiver);
    size_t count = 0;
    struct rl_stream *const *streams = rl_receiver_streams(receiver, &count);
    assert_int_equal(count, CHILDREN);
    for (size_t i = 0; i < count; i++) {
        assert_true(rl_stream_known(streams[i]) && !rl_stream_lacks(streams[i]));
        assert_int_equal(streams[i]->pid, streams[i]->hello.pid);
        assert_true(streams[i]->gone && !streams[i]->replaced);
        assert_int_equal(rl_stream_launches(streams[i]), 47);
    }
    rl_receiver_close(receiver);
}

/* Descriptors are as they were before. */
static void asking_leaves_no_descriptor(void **state)
{
    (void)state;
    struct rl_receiver *receiver = begin();
    struct rl_ring ring;
    const char *notes;
    size_t size;
    const int before = dup(0);
    close(before);
    assert_true(rl_receiver_ask(rl_receiver_address(receiver), &ring, &notes, &size));
    const int after = dup(0);
    close(after);
    assert_int_equal(after, before);
    assert_true(say_hello(&ring, 1));
    rl_receiver_lock(receiver);
    size_t count = 0;
    struct rl_stream *const *streams = rl_receiver_streams(receiver, &count);
    assert_int_equal(count, 1);
    assert_true(rl_stream_known(streams[0]) && !streams[0]->gone);
    rl_receiver_unlock(receiver);
    rl_ring_unmap(&ring);
    rl_receiver_close(receiver);
}

static void who_asks_again_has_become_another_program(void **state)
{
    (void)state;
    struct rl_receiver *receiver = begin();
    struct rl_ring rings[2];
    const char *notes;
    size_t size, count = 0;
    for (uint32_t i = 0; i < 2; i++) {
        assert_true(rl_receiver_ask(rl_receiver_address(receiver), &rings[i], &notes, &size));
        assert_true(say_hello(&rings[i], i + 1));
    }
    rl_receiver_stop(receiver);
    struct rl_stream *const *streams = rl_receiver_streams(receiver, &count);
    assert_int_equal(count, 2);
    assert_true(streams[0]->replaced && !streams[1]->replaced);
    assert_true(rl_stream_known(streams[0]) && rl_stream_known(streams[1]));
    for (size_t i = 0; i < 2; i++)
        rl_ring_unmap(&rings[i]);
    rl_receiver_close(receiver);
}

/* The counters are the processes' until none of them counts; somebody else has them then, and gives them back. */
static void counters_have_one_owner(void **state)
{
    (void)state;
    struct rl_receiver *receiver = begin();
    struct rl_ring rings[3], none = {0};
    const char *notes;
    size_t size;
    for (size_t i = 0; i < 2; i++)
        assert_true(rl_receiver_ask(rl_receiver_address(receiver), &rings[i], &notes, &size));
    rl_receiver_lock(receiver);
    assert_false(rl_receiver_is_counting(receiver));
    assert_false(rl_receiver_has_counted(receiver));
    assert_true(rl_ring_may_count(&rings[1]));
    assert_true(rl_receiver_is_counting(receiver));
    assert_false(rl_receiver_borrow_counters(receiver)); /* one of them counts */
    assert_true(rl_ring_may_count(&rings[0]));           /* so the others may, too */
    rl_ring_counted(&rings[0]);
    rl_ring_counted(&rings[1]);
    assert_true(rl_receiver_has_counted(receiver));
    assert_true(rl_receiver_borrow_counters(receiver));
    rl_receiver_unlock(receiver);
    assert_true(rl_receiver_ask(rl_receiver_address(receiver), &rings[2], &notes, &size));
    for (size_t i = 0; i < 3; i++)
        assert_false(rl_ring_may_count(&rings[i]));
    rl_receiver_lock(receiver);
    assert_true(rl_receiver_is_counting(receiver)); /* they wait for them */
    assert_false(rl_receiver_is_claiming(receiver));
    rl_ring_claim(&rings[1]); /* its program needs them itself */
    assert_false(rl_ring_may_count(&rings[1]));
    assert_true(rl_receiver_is_claiming(receiver)); /* still, after the other question */
    rl_ring_counted(&rings[1]);
    assert_false(rl_receiver_is_claiming(receiver));
    rl_receiver_return_counters(receiver);
    rl_receiver_unlock(receiver);
    for (size_t i = 0; i < 3; i++) {
        assert_true(rl_ring_may_count(&rings[i]));
        rl_ring_unmap(&rings[i]);
    }
    assert_false(rl_ring_may_count(&none));
    assert_false(rl_ring_is_counting(&none));
    rl_receiver_close(receiver);
}

static void strangers_get_nothing(void **state)
{
    (void)state;
    struct rl_receiver *receiver = begin();
    struct rl_ring ring;
    const char *notes;
    size_t size, count = 0;
    char address[256];
    snprintf(address, sizeof address, "%s", rl_receiver_address(receiver));
    strchr(address, ' ')[1] ^= 1; /* another token */
    assert_false(rl_receiver_ask(address, &ring, &notes, &size));
    strchr(address, ' ')[1] ^= 1;
    strchr(address, ' ')[1 + 32] = '/';
    assert_false(rl_receiver_ask(address, &ring, &notes, &size)); /* longer than one */
    assert_false(rl_receiver_ask("rooflight-nobody 00000000000000000000000000000000", &ring, &notes, &size));
    assert_false(rl_receiver_ask("", &ring, &notes, &size));
    assert_false(rl_receiver_ask("no-token", &ring, &notes, &size));
    rl_receiver_stop(receiver);
    (void)rl_receiver_streams(receiver, &count);
    assert_int_equal(count, 0);
    rl_receiver_close(receiver);
}

/* Where the name means nothing, as in another network namespace, the path does. */
static void the_path_serves_where_the_name_does_not(void **state)
{
    (void)state;
    char *folder = files_new_folder(), *left = rl_path_join(folder, "rooflight/socket-999999999");
    struct rl_err err = RL_ERR_INIT;
    setenv("XDG_CACHE_HOME", folder, 1);
    rl_receiver_close(begin());
    assert_int_equal(rl_write_file_atomic(left, "", 0, &err), RL_OK);
    struct rl_receiver *receiver = begin();
    assert_false(rl_path_exists(left)); /* of a process that was killed */
    struct rl_ring ring;
    const char *notes;
    size_t size, count = 0;
    char address[256], path[256];
    snprintf(address, sizeof address, "%s", rl_receiver_address(receiver));
    *address ^= 1;
    snprintf(path, sizeof path, "%s", strchr(strchr(address, ' ') + 1, ' ') + 1);
    assert_true(rl_path_exists(path));
    assert_true(rl_receiver_ask(address, &ring, &notes, &size));
    rl_ring_unmap(&ring);
    strchr(address, ' ')[1] ^= 1; /* another token */
    assert_false(rl_receiver_ask(address, &ring, &notes, &size));
    rl_receiver_stop(receiver);
    (void)rl_receiver_streams(receiver, &count);
    assert_int_equal(count, 1);
    rl_receiver_close(receiver);
    assert_false(rl_path_exists(path));
    unsetenv("XDG_CACHE_HOME");
    files_remove_folder(folder);
    free(left);
}

/* Guests that say nothing keep nobody else from being served. */
static void silent_guests_hold_up_nobody(void **state)
{
    (void)state;
    struct rl_receiver *receiver = begin();
    struct rl_ring ring;
    const char *notes, *blank = strchr(rl_receiver_address(receiver), ' ');
    size_t size;
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    const size_t len = (size_t)(blank - rl_receiver_address(receiver));
    memcpy(to.sun_path + 1, rl_receiver_address(receiver), len);
    int guests[100];
    for (size_t i = 0; i < RL_COUNT(guests); i++) {
        guests[i] = socket(AF_UNIX, SOCK_SEQPACKET, 0);
        assert_int_equal(connect(guests[i], (struct sockaddr *)&to, (socklen_t)(sizeof to.sun_family + 1 + len)), 0);
    }
    assert_true(rl_receiver_ask(rl_receiver_address(receiver), &ring, &notes, &size));
    for (size_t i = 0; i < RL_COUNT(guests); i++)
        close(guests[i]);
    rl_ring_unmap(&ring);
    rl_receiver_close(receiver);
}

/* What a hostile program writes ends its own stream only. */
static void damage_is_said(void **state)
{
    (void)state;
    struct rl_receiver *receiver = begin();
    struct rl_ring bad, good;
    const char *notes;
    size_t size, count = 0;
    assert_true(rl_receiver_ask(rl_receiver_address(receiver), &bad, &notes, &size));
    assert_true(rl_receiver_ask(rl_receiver_address(receiver), &good, &notes, &size));
    assert_true(say_hello(&bad, 1));
    rl_receiver_lock(receiver);
    rl_receiver_unlock(receiver);
    atomic_store(&bad.shared->written, UINT64_MAX);
    assert_true(say_hello(&good, 2));
    rl_receiver_stop(receiver);
    struct rl_stream *const *streams = rl_receiver_streams(receiver, &count);
    assert_int_equal(count, 2);
    assert_true(rl_stream_known(streams[0]) && rl_stream_lacks(streams[0]));
    assert_true(rl_stream_known(streams[1]) && !rl_stream_lacks(streams[1]));
    rl_ring_unmap(&bad);
    rl_ring_unmap(&good);
    rl_receiver_close(receiver);
}

static void notes_of_any_form_are_read_within_bounds(void **state)
{
    (void)state;
    static const char *const texts[] = {"",         "plan.x",  "plan.x 5", "plan.x 5\nabcd", "plan.x 99999999999999999999\nabc",
                                        "plan.x\n", " 3\nabc", "a 0\n\n"};
    for (size_t i = 0; i < RL_COUNT(texts); i++) {
        size_t len;
        char *exact = rl_strndup(texts[i], strlen(texts[i]));
        assert_null(rl_handout_find(exact, strlen(exact), "plan.x", &len));
        free(exact);
    }
    size_t len = 0;
    const char *text = "wanted 2\n\n\nplan.x 3\nabc";
    const char *found = rl_handout_find(text, strlen(text), "plan.x", &len);
    assert_non_null(found);
    assert_int_equal(len, 3);
    assert_memory_equal(found, "abc", 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_are_heard_whatever_becomes_of_them),
        cmocka_unit_test(asking_leaves_no_descriptor),
        cmocka_unit_test(who_asks_again_has_become_another_program),
        cmocka_unit_test(counters_have_one_owner),
        cmocka_unit_test(strangers_get_nothing),
        cmocka_unit_test(the_path_serves_where_the_name_does_not),
        cmocka_unit_test(silent_guests_hold_up_nobody),
        cmocka_unit_test(damage_is_said),
        cmocka_unit_test(notes_of_any_form_are_read_within_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
