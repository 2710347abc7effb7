/* Running other programs. */
#include "rl_test.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "core/child.h"
#include "core/fs.h"
#include "core/mem.h"

/* A shell command with the usual limits; fields may be changed before it runs. */
#define SHELL(command)                                                                                                             \
    {                                                                                                                              \
        .argv = (const char *const[]){"/bin/sh", "-c", command, NULL}, .timeout_s = 20, .output_limit = 1 << 20                    \
    }

static size_t open_files(void)
{
    size_t count = 0;
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static int remember_open_files(void **state)
{
    static size_t count;
    count = open_files();
    *state = &count;
    return 0;
}

static int no_file_is_left_open(void **state)
{
    return open_files() == *(size_t *)*state ? 0 : -1;
}

static void output_and_status(void **state)
{
    (void)state;
    struct rl_spawn spawn = SHELL("echo out; echo err >&2; exit 3");
    struct rl_spawn_result result;
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(rl_spawn_run(&spawn, &result, &err), RL_OK);
    assert_int_equal(result.exit_status, 3);
    assert_string_equal(result.out.data, "out\n");
    assert_string_equal(result.err.data, "err\n");
    assert_string_equal(err.text, "");
    assert_true(result.wall_s > 0 && result.wall_s < 20);
    rl_spawn_result_release(&result);
}

static void death_by_a_signal(void **state)
{
    (void)state;
    struct rl_spawn spawn = SHELL("kill -TERM $$; sleep 20");
    struct rl_spawn_result result;
    assert_int_equal(rl_spawn_run(&spawn, &result, NULL), RL_OK);
    assert_int_equal(result.exit_status, 128 + SIGTERM);
    rl_spawn_result_release(&result);
}

static void arguments_pass_no_shell(void **state)
{
    (void)state;
    struct rl_spawn spawn = {
        .argv = (const char *const[]){"/bin/echo", "$(id)", "`id`; 'x' \"y\"\n*", NULL}, .timeout_s = 20, .output_limit = 1000};
    struct rl_spawn_result result;
    assert_int_equal(rl_spawn_run(&spawn, &result, NULL), RL_OK);
    assert_string_equal(result.out.data, "$(id) `id`; 'x' \"y\"\n*\n");
    rl_spawn_result_release(&result);
}

static void programs_that_cannot_start(void **state)
{
    (void)state;
    struct rl_spawn spawn = {.argv = (const char *const[]){"/no/such/program", NULL}, .timeout_s = 20};
    struct rl_spawn_result result;
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(rl_spawn_run(&spawn, &result, &err), RL_ABSENT);
    assert_string_equal(err.text, "cannot start '/no/such/program': No such file or directory");
    rl_spawn_result_release(&result);
    spawn.argv = (const char *const[]){"/etc/passwd", NULL};
    assert_int_equal(rl_spawn_run(&spawn, &result, &err), RL_ABSENT);
    assert_string_equal(err.text, "cannot start '/etc/passwd': Permission denied");
    rl_spawn_result_release(&result);
    spawn.argv = (const char *const[]){"/bin/true", NULL};
    spawn.dir = "/no/such/folder";
    assert_int_equal(rl_spawn_run(&spawn, &result, &err), RL_ABSENT);
    assert_string_equal(err.text, "cannot start '/bin/true' in '/no/such/folder': No such file or directory");
    rl_spawn_result_release(&result);
}

static void working_folder(void **state)
{
    (void)state;
    struct rl_spawn spawn = SHELL("pwd");
    struct rl_spawn_result result;
    spawn.dir = "/";
    assert_int_equal(rl_spawn_run(&spawn, &result, NULL), RL_OK);
    assert_string_equal(result.out.data, "/\n");
    rl_spawn_result_release(&result);
}

/* Of variables that are there many times, as many are passed on as there is room for. */
static void an_environment_of_many_paths(void **state)
{
    (void)state;
    char path[] = "PATH=/bin", *many[40], **before = environ;
    struct rl_spawn spawn = SHELL("echo $PATH");
    struct rl_spawn_result result;
    for (size_t i = 0; i < RL_COUNT(many); i++)
        many[i] = i + 1 < RL_COUNT(many) ? path : NULL;
    environ = many;
    const enum rl_status status = rl_spawn_run(&spawn, &result, NULL);
    environ = before;
    assert_int_equal(status, RL_OK);
    assert_string_equal(result.out.data, "/bin\n");
    rl_spawn_result_release(&result);
}

static void environment_is_clean(void **state)
{
    (void)state;
    struct rl_spawn spawn = {.argv = (const char *const[]){"/usr/bin/env", NULL}, .timeout_s = 20, .output_limit = 10000};
    struct rl_spawn_result result;
    setenv("GNUTERM", "hostile", 1);
    setenv("LANG", "de_DE.UTF-8", 1);
    setenv("HOME", "/somewhere", 1);
    assert_int_equal(rl_spawn_run(&spawn, &result, NULL), RL_OK);
    assert_null(strstr(result.out.data, "GNUTERM"));
    assert_non_null(strstr(result.out.data, "LANG=C.UTF-8\n"));
    assert_non_null(strstr(result.out.data, "HOME=/somewhere\n"));
    assert_null(strstr(result.out.data, "de_DE"));
    rl_spawn_result_release(&result);
    spawn.env = (const char *const[]){"ONLY=this", NULL};
    assert_int_equal(rl_spawn_run(&spawn, &result, NULL), RL_OK);
    assert_string_equal(result.out.data, "ONLY=this\n");
    rl_spawn_result_release(&result);
}

static void standard_input(void **state)
{
    (void)state;
    size_t size = 3000000; /* far more than a pipe holds, in both directions at once */
    char *bytes = malloc(size);
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(i * 7 >> 2);
    struct rl_spawn spawn = {
        .argv = (const char *const[]){"/bin/cat", NULL}, .input = bytes, .input_len = size, .timeout_s = 60, .output_limit = size};
    struct rl_spawn_result result;
    assert_int_equal(rl_spawn_run(&spawn, &result, NULL), RL_OK);
    assert_int_equal(result.out.len, size);
    assert_memory_equal(result.out.data, bytes, size);
    rl_spawn_result_release(&result);
    spawn.input = NULL; /* nothing to read, and no waiting for a terminal */
    assert_int_equal(rl_spawn_run(&spawn, &result, NULL), RL_OK);
    assert_int_equal(result.out.len, 0);
    rl_spawn_result_release(&result);
    free(bytes);
}

static void input_that_nobody_reads(void **state)
{
    (void)state;
    char *bytes = rl_calloc(1000000, 1);
    struct rl_spawn spawn = SHELL("exec <&-; echo done");
    struct rl_spawn_result result;
    spawn.input = bytes;
    spawn.input_len = 1000000;
    assert_int_equal(rl_spawn_run(&spawn, &result, NULL), RL_OK); /* no SIGPIPE ended us */
    assert_string_equal(result.out.data, "done\n");
    rl_spawn_result_release(&result);
    free(bytes);
}

static void output_beyond_the_limit_is_dropped(void **state)
{
    (void)state;
    struct rl_spawn spawn = SHELL("head -c 5000000 /dev/zero | tr '\\0' x; head -c 2000 /dev/zero | tr '\\0' y >&2; exit 7");
    struct rl_spawn_result result;
    spawn.output_limit = 1000;
    assert_int_equal(rl_spawn_run(&spawn, &result, NULL), RL_OK);
    assert_int_equal(result.exit_status, 7); /* it was read to the end, so the program did not block or fail */
    assert_int_equal(result.out.len, 1000);
    assert_int_equal(strspn(result.out.data, "x"), 1000);
    assert_int_equal(result.err.len, 1000);
    assert_int_equal(strspn(result.err.data, "y"), 1000);
    rl_spawn_result_release(&result);
}

/* A piece that is only begun below the limit is cut at it. */
static void pieces_fill_the_limit(void **state)
{
    (void)state;
    struct rl_spawn spawn = SHELL("printf 12345; sleep 0.3; printf 67890abcdef");
    struct rl_spawn_result result;
    spawn.output_limit = 10;
    assert_int_equal(rl_spawn_run(&spawn, &result, NULL), RL_OK);
    assert_int_equal(result.out.len, 10);
    assert_string_equal(result.out.data, "1234567890");
    rl_spawn_result_release(&result);
}

/* Waits until the process is gone (true) or two seconds have passed. A zombie that nobody reaps counts as gone. */
static bool is_gone(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    for (int i = 0; i < 200; i++) {
        struct rl_buf stat = RL_BUF_INIT;
        bool gone = rl_read_file(path, 10000, &stat, NULL) != RL_OK || strstr(stat.data, ") Z");
        rl_buf_release(&stat);
        if (gone)
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return false;
}

static void time_limit_takes_grandchildren_along(void **state)
{
    (void)state;
    struct rl_spawn spawn = SHELL("sh -c 'sleep 1000 & echo $!; wait' & echo started; wait");
    struct rl_spawn_result result;
    struct rl_err err = RL_ERR_INIT;
    spawn.timeout_s = 0.5;
    assert_int_equal(rl_spawn_run(&spawn, &result, &err), RL_TIMEOUT);
    assert_string_equal(err.text, "'/bin/sh' did not end within 0.5 s and was stopped");
    assert_int_equal(result.exit_status, 128 + SIGKILL);
    assert_true(result.wall_s >= 0.5 && result.wall_s < 10);
    const char *number = result.out.data + strcspn(result.out.data, "0123456789"); /* what it said before is kept */
    pid_t sleeper = (pid_t)strtol(number, NULL, 10);
    assert_true(sleeper > 1);
    assert_true(is_gone(sleeper));
    rl_spawn_result_release(&result);
}

static void time_limit_of_a_program_that_writes_without_end(void **state)
{
    (void)state;
    struct rl_spawn spawn = SHELL("exec cat /dev/zero");
    struct rl_spawn_result result;
    spawn.timeout_s = 0.3;
    spawn.output_limit = 10;
    assert_int_equal(rl_spawn_run(&spawn, &result, NULL), RL_TIMEOUT);
    assert_int_equal(result.out.len, 10);
    rl_spawn_result_release(&result);
}

static void what_is_left_running_is_killed(void **state)
{
    (void)state;
    struct rl_spawn spawn = SHELL("sleep 1000 & echo $!");
    struct rl_spawn_result result;
    assert_int_equal(rl_spawn_run(&spawn, &result, NULL), RL_OK); /* although its output is still open */
    assert_int_equal(result.exit_status, 0);
    assert_true(result.wall_s < 10);
    assert_true(is_gone((pid_t)strtol(result.out.data, NULL, 10)));
    rl_spawn_result_release(&result);
}

static void program_that_closes_its_output_early(void **state)
{
    (void)state;
    struct rl_spawn spawn = SHELL("echo x; exec >&- 2>&-; sleep 0.2; exit 5");
    struct rl_spawn_result result;
    assert_int_equal(rl_spawn_run(&spawn, &result, NULL), RL_OK);
    assert_int_equal(result.exit_status, 5);
    assert_true(result.wall_s >= 0.2);
    assert_string_equal(result.out.data, "x\n");
    rl_spawn_result_release(&result);
}

static void no_file_is_inherited(void **state)
{
    (void)state;
    int leaky = fcntl(STDERR_FILENO, F_DUPFD, 77); /* not close-on-exec, as a careless library would open it */
    assert_true(leaky >= 77);
    struct rl_spawn spawn = SHELL("for f in /proc/$$/fd/*; do echo ${f##*/}; done");
    struct rl_spawn_result result;
    assert_int_equal(rl_spawn_run(&spawn, &result, NULL), RL_OK);
    assert_int_equal(strncmp(result.out.data, "0\n1\n2\n", 6), 0);
    char number[16];
    snprintf(number, sizeof number, "\n%d\n", leaky);
    assert_null(strstr(result.out.data, number));
    rl_spawn_result_release(&result);
    close(leaky);
}

static void signals_are_back_to_normal(void **state)
{
    (void)state;
    sigset_t block, before;
    sigemptyset(&block);
    sigaddset(&block, SIGTERM);
    sigprocmask(SIG_BLOCK, &block, &before);
    void (*handler)(int) = signal(SIGPIPE, SIG_IGN);
    struct rl_spawn spawn = SHELL("grep -E '^Sig(Blk|Ign)' /proc/self/status");
    struct rl_spawn_result result;
    assert_int_equal(rl_spawn_run(&spawn, &result, NULL), RL_OK);
    signal(SIGPIPE, handler);
    sigprocmask(SIG_SETMASK, &before, NULL);
    unsigned long long blocked, ignored; /* the C library keeps 32 and 33 for itself */
    assert_int_equal(sscanf(result.out.data, "SigBlk: %llx SigIgn: %llx", &blocked, &ignored), 2);
    assert_int_equal(blocked, 0);
    assert_int_equal(ignored & 0x7FFFFFFF, 0);
    rl_spawn_result_release(&result);
}

/* A caller without standard streams must not get its pipes crossed, and has none behind it either. */
static void without_standard_streams(void **state)
{
    (void)state;
    int saved[3], left = 0;
    for (int i = 0; i < 3; i++)
        saved[i] = fcntl(i, F_DUPFD_CLOEXEC, 10);
    for (int i = 0; i < 3; i++)
        close(i);
    struct rl_spawn spawn = SHELL("cat; echo err >&2");
    struct rl_spawn_result result;
    spawn.input = "in";
    spawn.input_len = 2;
    enum rl_status status = rl_spawn_run(&spawn, &result, NULL);
    for (int i = 0; i < 3; i++) {
        left += fcntl(i, F_GETFD) >= 0;
        if (saved[i] >= 0) {
            dup2(saved[i], i);
            close(saved[i]);
        }
    }
    assert_int_equal(status, RL_OK);
    assert_int_equal(left, 0);
    assert_string_equal(result.out.data, "in");
    assert_string_equal(result.err.data, "err\n");
    rl_spawn_result_release(&result);
}

/* A descendant that has left the group lives on, and may hold the output open: nobody waits for it. */
static void what_has_left_the_group_is_not_waited_for(void **state)
{
    (void)state;
    struct rl_spawn spawn = SHELL("setsid sleep 60 & echo $!; sleep 0.2; exit 3");
    struct rl_spawn_result result;
    assert_int_equal(rl_spawn_run(&spawn, &result, NULL), RL_OK);
    assert_int_equal(result.exit_status, 3);
    assert_true(result.wall_s < 10);
    assert_int_equal(kill((pid_t)strtol(result.out.data, NULL, 10), SIGKILL), 0);
    rl_spawn_result_release(&result);
}

/* The limit below which so many descriptors are free; whoever runs the tests may have left some open, with holes among them. */
static rlim_t limit_that_leaves(rlim_t left)
{
    int fd = 0;
    for (; fcntl(fd, F_GETFD) != -1 || left-- > 0; fd++)
        continue;
    return (rlim_t)fd;
}

/* Input takes one descriptor; output, errors and what the child says two each while the program starts; with fewer it is not
 * started. */
static void too_few_descriptors(void **state)
{
    enum { NEEDED = 7 };
    struct rlimit usual, few;
    (void)state;
    getrlimit(RLIMIT_NOFILE, &usual);
    for (rlim_t left = 0; left <= NEEDED; left++) {
        struct rl_spawn spawn = SHELL("echo x");
        struct rl_spawn_result result;
        struct rl_err err = RL_ERR_INIT;
        few = (struct rlimit){limit_that_leaves(left), usual.rlim_max};
        setrlimit(RLIMIT_NOFILE, &few);
        const enum rl_status status = rl_spawn_run(&spawn, &result, &err);
        setrlimit(RLIMIT_NOFILE, &usual);
        assert_int_equal(status, left < NEEDED ? RL_FAILED : RL_OK);
        assert_string_equal(left < NEEDED ? err.text : result.out.data,
                            left < NEEDED ? "cannot connect to '/bin/sh': Too many open files" : "x\n");
        rl_spawn_result_release(&result);
    }
}

static void lost_exit_status_is_said(void **state)
{
    (void)state;
    struct rl_spawn spawn = SHELL("echo x; exit 3");
    struct rl_spawn_result result;
    struct rl_err err = RL_ERR_INIT;
    void (*handler)(int) = signal(SIGCHLD, SIG_IGN);
    enum rl_status status = rl_spawn_run(&spawn, &result, &err);
    signal(SIGCHLD, handler);
    assert_int_equal(status, RL_FAILED);
    assert_string_equal(err.text, "the exit status of '/bin/sh' is lost: SIGCHLD is ignored");
    rl_spawn_result_release(&result);
}

#define WATCHED(test) cmocka_unit_test_setup_teardown(test, remember_open_files, no_file_is_left_open)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WATCHED(output_and_status),
        WATCHED(death_by_a_signal),
        WATCHED(arguments_pass_no_shell),
        WATCHED(programs_that_cannot_start),
        WATCHED(working_folder),
        WATCHED(environment_is_clean),
        WATCHED(an_environment_of_many_paths),
        WATCHED(standard_input),
        WATCHED(input_that_nobody_reads),
        WATCHED(output_beyond_the_limit_is_dropped),
        WATCHED(pieces_fill_the_limit),
        WATCHED(time_limit_takes_grandchildren_along),
        WATCHED(time_limit_of_a_program_that_writes_without_end),
        WATCHED(what_is_left_running_is_killed),
        WATCHED(program_that_closes_its_output_early),
        WATCHED(no_file_is_inherited),
        WATCHED(signals_are_back_to_normal),
        WATCHED(without_standard_streams),
        WATCHED(what_has_left_the_group_is_not_waited_for),
        WATCHED(too_few_descriptors),
        WATCHED(lost_exit_status_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
