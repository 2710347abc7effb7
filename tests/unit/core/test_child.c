/* Children: what they write arrives whole, how they end is told once, and a signal does not cut the waiting short. */
#include "rl_test.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/child.h"
#include "core/clock.h"
#include "core/mem.h"

static void say_hello(void *context, int fd)
{
    (void)!write(fd, context, strlen(context));
}

static void a_child_writes_to_its_parent(void **state)
{
    (void)state;
    struct rl_child child;
    char text[16] = "";
    int how = -1;
    assert_int_equal(rl_child_start(&child, SIGTERM, say_hello, (char[]){"hello"}, NULL), RL_OK);
    assert_int_equal(read(child.fd, text, sizeof text), 5);
    assert_string_equal(text, "hello");
    assert_int_equal(read(child.fd, text, sizeof text), 0); /* its end closes the pipe */
    close(child.fd);
    assert_true(rl_child_wait(child.pid, &how));
    assert_int_equal(how, 0);
    assert_false(rl_child_wait(child.pid, &how)); /* only once */
}

static void sleep_long(void *context, int fd)
{
    (void)context, (void)fd;
    sleep(60);
}

static void on_alarm(int number)
{
    (void)number;
}

static void waiting_outlasts_signals(void **state)
{
    (void)state;
    struct rl_child child;
    struct sigaction action = {.sa_handler = on_alarm}, before; /* without SA_RESTART: waitpid is interrupted */
    int how = 0;
    assert_int_equal(rl_child_start(&child, SIGTERM, sleep_long, NULL, NULL), RL_OK);
    assert_false(rl_child_is_over(child.pid));
    assert_false(rl_child_ended(child.pid, &how));
    assert_false(rl_child_ends_within(child.pid, 0.1, &how));
    const pid_t waker = rl_child_fork(SIGTERM);
    if (waker == 0) {
        usleep(200000);
        kill(getppid(), SIGALRM);
        usleep(100000);
        kill(child.pid, SIGKILL);
        _exit(3);
    }
    sigaction(SIGALRM, &action, &before);
    assert_true(rl_child_wait(child.pid, &how));
    sigaction(SIGALRM, &before, NULL);
    close(child.fd);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
    assert_true(rl_child_ends_within(waker, 60, &how));
    assert_int_equal(WEXITSTATUS(how), 3);
}

static void one_that_is_over_stays_until_it_is_waited_for(void **state)
{
    (void)state;
    struct rl_child child;
    char nothing;
    assert_int_equal(rl_child_start(&child, 0, say_hello, (char[]){""}, NULL), RL_OK);
    assert_int_equal(read(child.fd, &nothing, 1), 0);
    close(child.fd);
    while (!rl_child_is_over(child.pid))
        usleep(1000);
    assert_true(rl_child_is_over(child.pid));
    assert_true(rl_child_ended(child.pid, NULL));
    assert_true(rl_child_is_over(child.pid)); /* no child any more */
}

static void a_program_that_is_not_there_is_told(void **state)
{
    (void)state;
    const char *const argv[] = {"/nowhere/to/be/found", NULL};
    assert_int_equal(rl_child_become(argv[0], argv), ENOENT);
}

static void deadlines_and_durations(void **state)
{
    (void)state;
    const int64_t start_ns = rl_monotonic_ns(), real_ns = rl_realtime_ns();
    const struct timespec until = rl_deadline_in(1500000000);
    const int64_t until_ns = (int64_t)until.tv_sec * 1000000000 + until.tv_nsec;
    assert_true(real_ns > INT64_C(1700000000) * 1000000000); /* a time of day after 2023, not since the start of the machine */
    assert_true(until.tv_nsec >= 0 && until.tv_nsec < 1000000000);
    assert_true(until_ns - real_ns >= 1500000000 && until_ns - rl_realtime_ns() <= 1500000000);
    assert_true(rl_monotonic_ns() >= start_ns);
    assert_true(rl_seconds_since(start_ns) >= 0 && rl_seconds_since(start_ns - 2000000000) >= 2);
}

/* Without a descriptor there is no pipe, and no child. */
static void no_pipe_no_child(void **state)
{
    (void)state;
    int how = -1;
    const pid_t tried = rl_child_fork(0);
    if (tried == 0) {
        struct rl_child child;
        struct rl_err err = RL_ERR_INIT;
        (void)setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, 0});
        const enum rl_status status = rl_child_start(&child, 0, say_hello, (char[]){"hello"}, &err);
        _exit(status == RL_FAILED && strcmp(err.text, "cannot make a pipe: Too many open files") == 0 && child.pid <= 0 ? 7 : 8);
    }
    assert_true(rl_child_wait(tried, &how));
    assert_int_equal(how, 7 << 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_writes_to_its_parent),
        cmocka_unit_test(waiting_outlasts_signals),
        cmocka_unit_test(one_that_is_over_stays_until_it_is_waited_for),
        cmocka_unit_test(a_program_that_is_not_there_is_told),
        cmocka_unit_test(deadlines_and_durations),
        cmocka_unit_test(no_pipe_no_child),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
