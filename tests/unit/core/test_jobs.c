/* Several programs at once: what one does changes nothing for the others. Stand-ins are shell scripts. */
#include "core/child.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/fs.h"
#include "core/mem.h"
#include "fixtures/files.h"
#include "rl_test.h"

#define SH(script) ((const char *const[]){"/bin/sh", "-c", script, NULL})

static void collect_line(void *context, size_t job, const char *text)
{
    rl_buf_addf(context, "%zu:%s\n", job, text);
}

static void each_has_its_own_end(void **state)
{
    (void)state;
    struct rl_buf lines = RL_BUF_INIT;
    struct rl_job jobs[] = {{.argv = SH("echo one >&2; exit 0")},
                            {.argv = SH("printf 'old\\rredrawn\\nno end' >&2; exit 3")},
                            {.argv = SH("kill -9 $$")},
                            {.argv = (const char *const[]){"/nonexistent/program", NULL}}};
    struct rl_jobs all = {.jobs = jobs, .count = RL_COUNT(jobs), .at_once = 4, .line = collect_line, .context = &lines};
    rl_jobs_run(&all);
    assert_int_equal(jobs[0].end, RL_JOB_EXITED);
    assert_int_equal(jobs[0].exit_status, 0);
    assert_string_equal(jobs[0].last_line, "one");
    assert_int_equal(jobs[1].exit_status, 3);
    assert_string_equal(jobs[1].last_line, "no end");
    assert_non_null(strstr(lines.data, "1:redrawn\n"));
    assert_null(strstr(lines.data, "old"));
    assert_int_equal(jobs[2].end, RL_JOB_KILLED);
    assert_int_equal(jobs[2].exit_status, SIGKILL);
    assert_int_equal(jobs[3].end, RL_JOB_EXITED);
    assert_int_equal(jobs[3].exit_status, 127);
    assert_string_equal(jobs[3].last_line, "cannot be started");
    rl_buf_release(&lines);
}

static void what_takes_too_long_is_given_up(void **state)
{
    (void)state;
    struct rl_job job = {.argv = SH("trap '' TERM; while :; do sleep 0.1; done")};
    struct rl_jobs all = {.jobs = &job, .count = 1, .at_once = 1, .limit_s = 0.5, .grace_s = 0.3};
    rl_jobs_run(&all);
    assert_int_equal(job.end, RL_JOB_GIVEN_UP);
}

static void mark(void *context, size_t job, const char *text)
{
    char *order = context;
    size_t len = strlen(order);
    order[len] = (char)(*text == 'b' ? 'a' + (int)job : 'A' + (int)job);
    order[len + 1] = 0;
}

static void one_after_another(void **state)
{
    (void)state;
    char order[16] = "";
    struct rl_job jobs[3];
    static const char *const argv[] = {"/bin/sh", "-c", "echo begin >&2; echo end >&2", NULL};
    for (int i = 0; i < 3; i++)
        jobs[i] = (struct rl_job){.argv = argv};
    struct rl_jobs all = {.jobs = jobs, .count = 3, .at_once = 1, .line = mark, .context = order};
    rl_jobs_run(&all);
    assert_string_equal(order, "aAbBcC");
}

/* Each ends when all have begun, which they never do one after another. */
static void all_at_once(void **state)
{
    (void)state;
    char *folder = files_new_folder();
    struct rl_job jobs[3];
    const char *const argv[] = {"/bin/sh", "-c", ": > $0/$$; while [ $(ls $0 | wc -l) -lt 3 ]; do sleep 0.02; done", folder, NULL};
    for (int i = 0; i < 3; i++)
        jobs[i] = (struct rl_job){.argv = argv};
    struct rl_jobs all = {.jobs = jobs, .count = 3, .at_once = 3, .limit_s = 300, .grace_s = 1};
    rl_jobs_run(&all);
    for (int i = 0; i < 3; i++)
        assert_true(jobs[i].end == RL_JOB_EXITED && jobs[i].exit_status == 0);
    files_remove_folder(folder);
}

static void nothing_to_run(void **state)
{
    (void)state;
    struct rl_jobs none = {.at_once = 4};
    rl_jobs_run(&none);
}

/* A program that is told to end has its grace to do so, and ends as it wants. */
static void who_ends_in_time_is_not_killed(void **state)
{
    (void)state;
    struct rl_job job = {.argv = SH("trap 'sleep 0.5; exit 7' TERM; while :; do sleep 0.05; done")};
    struct rl_jobs all = {.jobs = &job, .count = 1, .at_once = 1, .limit_s = 0.3, .grace_s = 60};
    rl_jobs_run(&all);
    assert_int_equal(job.end, RL_JOB_GIVEN_UP);
    assert_int_equal(job.exit_status, 7);
    assert_true(job.wall_s >= 0.8 && job.wall_s < 60);
}

/* What a program leaves behind may keep its standard error open: the program has ended all the same. */
static void a_grandchild_that_holds_the_pipe_is_not_waited_for(void **state)
{
    (void)state;
    const int next = dup(STDIN_FILENO);
    close(next);
    struct rl_job job = {.argv = SH("sleep 30 & echo $! >&2; exit 4")};
    struct rl_jobs all = {.jobs = &job, .count = 1, .at_once = 1};
    rl_jobs_run(&all);
    assert_int_equal(job.end, RL_JOB_EXITED);
    assert_int_equal(job.exit_status, 4);
    assert_true(job.wall_s < 20);
    assert_int_equal(kill((pid_t)strtol(job.last_line, NULL, 10), SIGKILL), 0);
    const int after = dup(STDIN_FILENO); /* no descriptor is left open */
    close(after);
    assert_int_equal(after, next);
}

static void what_cannot_be_started_says_why(void **state)
{
    struct rlimit usual;
    (void)state;
    const int next = dup(STDIN_FILENO);
    close(next);
    getrlimit(RLIMIT_NOFILE, &usual);
    struct rl_job jobs[] = {{.argv = SH("exit 0")}, {.argv = SH("exit 0")}};
    struct rl_jobs all = {.jobs = jobs, .count = RL_COUNT(jobs), .at_once = 1};
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){(rlim_t)next + 1, usual.rlim_max}); /* a pipe needs two */
    rl_jobs_run(&all);
    setrlimit(RLIMIT_NOFILE, &usual);
    for (size_t i = 0; i < RL_COUNT(jobs); i++) {
        assert_int_equal(jobs[i].end, RL_JOB_NOT_STARTED);
        assert_string_equal(jobs[i].last_line, "Too many open files");
    }
    const int after = dup(STDIN_FILENO);
    close(after);
    assert_int_equal(after, next);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_has_its_own_end),
        cmocka_unit_test(what_takes_too_long_is_given_up),
        cmocka_unit_test(one_after_another),
        cmocka_unit_test(all_at_once),
        cmocka_unit_test(nothing_to_run),
        cmocka_unit_test(who_ends_in_time_is_not_killed),
        cmocka_unit_test(a_grandchild_that_holds_the_pipe_is_not_waited_for),
        cmocka_unit_test(what_cannot_be_started_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
