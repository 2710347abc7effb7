/* What is known of the processes of a program that forks, execs, threads, hides and dies, from each source. */
#include "rl_test.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/fs.h"
#include "core/mem.h"
#include "descendants_parts.h"

#define DRIVER  "load=" RL_DESCENDANTS_DIR "/libcuda.so.1"
#define PART    "load=" RL_DESCENDANTS_DIR "/librooflight-inject.so"
#define PROGRAM RL_DESCENDANTS_DIR "/descend"

enum { MOST_WORDS = 16 };

static char folder[64], node[80], opens_node[90], seen_file[80], until_seen[90];

struct seen {
    struct rl_descendants *d;
    struct rl_descendants_answer answer;
    int status;
};

/* ---- running ---- */

static _Noreturn void child(int go, const char *const *words)
{
    char *argv[MOST_WORDS + 2] = {(char *)PROGRAM}, byte;
    for (size_t i = 0; i < MOST_WORDS && words[i]; i++)
        argv[i + 1] = (char *)words[i];
    if (read(go, &byte, 1) != 0) /* it ends when the parent has attached */
        _exit(1);
    execv(PROGRAM, argv);
    _exit(127);
}

/* The program may wait until it was seen with the device. */
static void tell_what_was_seen(const struct rl_descendants *d)
{
    if (rl_descendants_answer(d).used_cuda == RL_FACT_YES)
        close(open(seen_file, O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
}

/* `ticks`: also while it runs. */
static void watch(const struct rl_descendants_options *options, bool ticks, const char *const *words, struct seen *seen)
{
    int go[2];
    (void)unlink(seen_file);
    assert_int_equal(pipe2(go, O_CLOEXEC), 0);
    seen->d = rl_descendants_open(options);
    pid_t pid = fork();
    if (pid == 0) {
        close(go[1]);
        child(go[0], words);
    }
    close(go[0]);
    rl_descendants_attach(seen->d, pid);
    close(go[1]);
    struct pollfd ready = {.fd = rl_descendants_fd(seen->d), .events = POLLIN};
    while (ticks && waitpid(pid, &seen->status, WNOHANG) != pid) {
        (void)poll(&ready, 1, 10);
        rl_descendants_tick(seen->d);
        tell_what_was_seen(seen->d);
    }
    if (!ticks)
        assert_int_equal(waitpid(pid, &seen->status, 0), pid);
    rl_descendants_finish(seen->d, seen->status);
    seen->answer = rl_descendants_answer(seen->d);
}

#define WORDS(...) ((const char *const[MOST_WORDS]){__VA_ARGS__})

static void need(const struct seen *seen, enum rl_source source)
{
    if (seen->answer.source == source)
        return;
    print_message("%s: not permitted here (%s)\n", rl_source_text(source), strerror(seen->answer.refused));
    rl_descendants_close(seen->d);
    skip();
}

static struct seen run(enum rl_source source, const char *const *words)
{
    const struct rl_descendants_options options = {.best = source, .nodes = node};
    struct seen seen = {0};
    watch(&options, true, words, &seen);
    need(&seen, source);
    assert_int_equal(seen.answer.gaps, source == RL_SOURCE_POLL ? 1u << RL_GAP_POLLED : 0);
    return seen;
}

static void assert_cuda(const struct seen *seen, enum rl_fact used, enum rl_cuda_reason reason)
{
    assert_int_equal(seen->answer.reason, reason);
    assert_int_equal(seen->answer.used_cuda, used);
}

static const struct rl_descendant *at(const struct seen *seen, size_t i)
{
    assert_true(i < seen->answer.remembered);
    return rl_descendants_get(seen->d, i);
}

static enum rl_source source_of(void **state)
{
    return *(const enum rl_source *)*state;
}

/* ---- programs, with complete records ---- */

static void every_process_is_known(void **state)
{
    struct seen seen = run(source_of(state), WORDS("spawn=500", "children=500", "exit=3"));
    assert_int_equal(seen.answer.processes, 1001);
    assert_int_equal(seen.answer.execs, 501);
    assert_int_equal(seen.answer.alive, 0);
    assert_int_equal(seen.answer.remembered, 1001);
    assert_cuda(&seen, RL_FACT_NO, RL_CUDA_NODES_SILENT);
    const struct rl_descendant *program = at(&seen, 0);
    assert_int_equal(program->parent, getpid());
    assert_int_equal(program->status_known, RL_FACT_YES);
    assert_int_equal(WEXITSTATUS(program->status), 3);
    assert_string_equal(program->commands[0], "descend");
    for (size_t i = 1; i < seen.answer.remembered; i++) {
        const struct rl_descendant *one = at(&seen, i);
        assert_int_equal(one->parent, program->pid);
        assert_int_equal(one->ended, RL_FACT_YES);
        assert_int_equal(one->status_known, RL_FACT_UNKNOWN);
        assert_true(program->started_ns < one->started_ns && one->started_ns < one->ended_ns && one->ended_ns < program->ended_ns);
        assert_true(at(&seen, i - 1)->started_ns <= one->started_ns);
        assert_string_equal(one->name, "descend");
        assert_string_equal(one->commands[0], i <= 500 ? "descend" : "");
        assert_int_equal(one->driver, RL_LOADED_NO);
        assert_int_equal(one->part, RL_FACT_NO);
        assert_ptr_equal(rl_descendants_find(seen.d, one->pid, one->started_ns), one);
    }
    rl_descendants_close(seen.d);
}

static void threads_are_no_processes(void **state)
{
    struct seen seen = run(source_of(state), WORDS("threads=200", "leaderless", "threads=100", "sleep=20"));
    assert_int_equal(seen.answer.processes, 1);
    assert_int_equal(seen.answer.threads, 301);
    assert_int_equal(seen.answer.alive, 0);
    assert_true(at(&seen, 0)->ended_ns - at(&seen, 0)->started_ns > 20000000);
    rl_descendants_close(seen.d);
}

/* The thread takes the number of the process; the first thread's end is not the process's. */
static void a_thread_may_exec(void **state)
{
    struct seen seen = run(source_of(state),
                           WORDS("thread", "exec", "name=other", "fork", "leaderless", "exec", DRIVER, "fork", "exec", "exit=0"));
    assert_int_equal(seen.answer.processes, 3);
    assert_int_equal(seen.answer.threads, 2);
    assert_int_equal(at(&seen, 0)->execs, 2);
    assert_int_equal(at(&seen, 1)->execs, 1);
    assert_int_equal(at(&seen, 2)->execs, 1);
    assert_int_equal(at(&seen, 0)->driver, RL_LOADED_NO);
    assert_int_equal(at(&seen, 1)->driver, RL_LOADED_YES);
    assert_int_equal(at(&seen, 2)->driver, RL_LOADED_INHERITED);
    assert_int_equal(seen.answer.alive, 0);
    assert_int_equal(seen.answer.loaded, 1);
    rl_descendants_close(seen.d);
}

static void names_of_an_exec_chain(void **state)
{
    struct seen seen = run(source_of(state), WORDS("exec", "exec", "exec", "exec", "exec", "exit=0"));
    const struct rl_descendant *program = at(&seen, 0);
    assert_int_equal(program->execs, 6);
    for (size_t i = 0; i < RL_COMMANDS; i++)
        assert_string_equal(program->commands[i], "descend");
    rl_descendants_close(seen.d);
}

/* ---- CUDA ---- */

static void loaded_but_no_device_opened(void **state)
{
    struct seen seen = run(source_of(state), WORDS("fork", DRIVER, "sleep=150"));
    assert_cuda(&seen, RL_FACT_NO, RL_CUDA_NODES_SILENT);
    assert_int_equal(seen.answer.unobserved, 0);
    assert_int_equal(at(&seen, 1)->unobserved, RL_FACT_NO);
    assert_int_equal(at(&seen, 1)->device, RL_FACT_NO);
    rl_descendants_close(seen.d);
}

static void used_without_our_part(void **state)
{
    struct seen seen = run(source_of(state), WORDS("fork", DRIVER, opens_node, until_seen, "exit=7"));
    assert_cuda(&seen, RL_FACT_YES, RL_CUDA_DEVICE_HELD);
    assert_int_equal(seen.answer.loaded, 1);
    assert_int_equal(seen.answer.observed, 0);
    assert_int_equal(seen.answer.unobserved, 1);
    assert_int_equal(at(&seen, 0)->unobserved, source_of(state) == RL_SOURCE_POLL ? RL_FACT_UNKNOWN : RL_FACT_NO);
    assert_int_equal(at(&seen, 1)->driver, RL_LOADED_YES);
    assert_int_equal(at(&seen, 1)->device, RL_FACT_YES);
    assert_int_equal(at(&seen, 1)->unobserved, RL_FACT_YES);
    rl_descendants_close(seen.d);
}

static void used_with_our_part(void **state)
{
    struct seen seen = run(source_of(state), WORDS("fork", DRIVER, PART, opens_node, until_seen));
    assert_cuda(&seen, RL_FACT_YES, RL_CUDA_DEVICE_HELD);
    assert_int_equal(seen.answer.observed, 1);
    assert_int_equal(seen.answer.unobserved, 0);
    assert_int_equal(at(&seen, 1)->part, RL_FACT_YES);
    assert_int_equal(at(&seen, 1)->unobserved, RL_FACT_NO);
    rl_descendants_close(seen.d);
}

/* Observed as one program, not as the next. */
static void our_part_does_not_survive_an_exec(void **state)
{
    struct seen seen = run(source_of(state), WORDS(DRIVER, PART, opens_node, until_seen, "exec", DRIVER, opens_node, "sleep=1000"));
    assert_int_equal(seen.answer.observed, 1);
    assert_int_equal(seen.answer.unobserved, 1);
    assert_int_equal(at(&seen, 0)->part, RL_FACT_YES);
    assert_int_equal(at(&seen, 0)->unobserved, RL_FACT_YES);
    rl_descendants_close(seen.d);
}

static void someone_else_opened_the_device(void **state)
{
    struct seen seen = run(source_of(state), WORDS(opens_node, "exec", "fork", "exec", "sleep=100"));
    assert_cuda(&seen, RL_FACT_NO, RL_CUDA_NOT_LOADED); /* what opened it had no driver */
    assert_int_equal(seen.answer.nodes, RL_NODES_OPENED);
    rl_descendants_close(seen.d);
}

static void driver_and_device_not_seen_together(void **state)
{
    struct seen seen = run(source_of(state), WORDS("fork", opens_node, "exec", DRIVER));
    assert_cuda(&seen, RL_FACT_UNKNOWN, RL_CUDA_LOADED);
    assert_int_equal(seen.answer.unobserved, 1);
    assert_int_equal(at(&seen, 1)->unobserved, RL_FACT_UNKNOWN);
    assert_int_equal(at(&seen, 1)->device, RL_FACT_UNKNOWN);
    rl_descendants_close(seen.d);
}

/* ---- orphans, endings ---- */

static void orphans_are_followed(void **state)
{
    struct seen seen = run(source_of(state), WORDS("fork", "daemon", "exec", "sleep=300", DRIVER));
    assert_int_equal(seen.answer.processes, 4);
    assert_int_equal(seen.answer.alive, 1);
    assert_int_equal(at(&seen, 3)->ended, RL_FACT_NO);
    assert_int_equal(at(&seen, 3)->ended_ns, 0);
    rl_descendants_close(seen.d);
}

/* A process that a subreaper's change of its parent would change: the tests' own parent takes over, as it would without us. */
static void nobody_is_made_a_subreaper(void **state)
{
    int is_one = -1;
    struct seen seen = run(source_of(state), WORDS("exit=0"));
    assert_int_equal(prctl(PR_GET_CHILD_SUBREAPER, &is_one), 0);
    assert_int_equal(is_one, 0);
    rl_descendants_close(seen.d);
}

static bool kernel_tells_endings(void)
{
    int status = 0, own = (int)syscall(SYS_pidfd_open, getpid(), 0);
    assert_false(rl_proc_status(own, &status)); /* has not ended */
    close(own);
    pid_t pid = fork();
    if (pid == 0)
        _exit(9);
    int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    bool tells = rl_proc_status(pidfd, &status);
    close(pidfd);
    assert_int_equal(WEXITSTATUS(status), tells ? 9 : 0);
    return tells;
}

/* Where it cannot be known nothing is made up. */
static void ending_of_a_process_with_the_driver(void **state)
{
    struct seen seen = run(source_of(state), WORDS("fork", opens_node, DRIVER, until_seen, "kill=6"));
    const struct rl_descendant *one = at(&seen, 1);
    assert_int_equal(one->ended, RL_FACT_YES);
    assert_int_equal(one->status_known, kernel_tells_endings() ? RL_FACT_YES : RL_FACT_UNKNOWN);
    if (one->status_known == RL_FACT_YES)
        assert_true(WIFSIGNALED(one->status) && WTERMSIG(one->status) == SIGABRT);
    rl_descendants_close(seen.d);
}

/* Readable when something has come, and not for ever: not when everything is gone either. */
static void readable_when_a_tick_is_due(void **state)
{
    const struct rl_descendants_options options = {.best = source_of(state), .nodes = node};
    int go[2], status;
    assert_int_equal(pipe2(go, O_CLOEXEC), 0);
    struct rl_descendants *d = rl_descendants_open(&options);
    struct pollfd ready = {.fd = rl_descendants_fd(d), .events = POLLIN};
    pid_t pid = fork();
    if (pid == 0) {
        close(go[1]);
        child(go[0], WORDS("spawn=3"));
    }
    close(go[0]);
    rl_descendants_attach(d, pid);
    close(go[1]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    rl_descendants_tick(d);
    if (source_of(state) != RL_SOURCE_SYSTEM) /* others are at work */
        assert_int_equal(poll(&ready, 1, 0), 0);
    close(open(node, O_RDONLY | O_CLOEXEC));
    assert_int_equal(poll(&ready, 1, 0), 1);
    rl_descendants_tick(d);
    rl_descendants_finish(d, status);
    rl_descendants_close(d);
}

/* ---- losses, refusals ---- */

static void lost_records_are_told(void **state)
{
    const struct rl_descendants_options options = {
        .best = source_of(state), .ring_bytes = (size_t)sysconf(_SC_PAGESIZE), .nodes = node};
    struct seen seen;
    watch(&options, false, WORDS("spawn=200", opens_node), &seen);
    need(&seen, source_of(state));
    assert_true(seen.answer.gaps & 1u << RL_GAP_LOST);
    assert_true(seen.answer.processes < 201);
    assert_cuda(&seen, RL_FACT_UNKNOWN, RL_CUDA_GAPS);
    rl_descendants_close(seen.d);
    watch(&options, false, WORDS("spawn=200"), &seen);
    assert_cuda(&seen, RL_FACT_NO, RL_CUDA_NODES_SILENT); /* known all the same */
    assert_true(seen.answer.gaps & 1u << RL_GAP_LOST);
    rl_descendants_close(seen.d);
}

/* Becomes what `prepare` makes of a child process; there nothing may assert. What `check` says: NULL, or what is wrong. */
static void in_child(bool (*prepare)(void), const char *(*check)(void))
{
    int status = 0;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        const char *wrong = prepare() ? check() : "";
        if (wrong && *wrong)
            fprintf(stderr, "%s\n", wrong);
        _exit(wrong ? (*wrong ? 1 : 77) : 0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        print_message("cannot be tried here\n");
        skip();
    }
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* As a container's filter of system calls does. */
static bool forbid_records(void)
{
    struct sock_filter filter[] = {{BPF_LD | BPF_W | BPF_ABS, 0, 0, 0},
                                   {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_perf_event_open},
                                   {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM},
                                   {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
    struct sock_fprog program = {RL_COUNT(filter), filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static const char *polls_and_says_so(void)
{
    const struct rl_descendants_options options = {.nodes = node};
    struct seen seen;
    watch(&options, true, WORDS("spawn=20", opens_node, "fork", DRIVER, opens_node, until_seen), &seen);
    if (seen.answer.source != RL_SOURCE_POLL || seen.answer.refused != EPERM)
        return "does not say that records were refused";
    if (seen.answer.gaps != 1u << RL_GAP_POLLED || seen.answer.used_cuda != RL_FACT_YES || seen.answer.loaded != 1)
        return "looks into /proc did not find the process with the driver";
    rl_descendants_close(seen.d);
    watch(&options, true, WORDS("spawn=20", opens_node), &seen);
    if (seen.answer.used_cuda != RL_FACT_UNKNOWN || seen.answer.reason != RL_CUDA_GAPS)
        return "claims to know what it cannot";
    rl_descendants_close(seen.d);
    return NULL;
}

static void refused_records(void **state)
{
    (void)state;
    in_child(forbid_records, polls_and_says_so);
}

enum { NOBODY = 65534 };

static bool become_nobody(void)
{
    return geteuid() == 0 && setregid(NOBODY, NOBODY) == 0 && setreuid(NOBODY, NOBODY) == 0 && access(PROGRAM, X_OK) == 0 &&
           prctl(PR_SET_DUMPABLE, 1) == 0; /* as an exec would make it */
}

static const char *uses_what_a_user_may(void)
{
    const struct rl_descendants_options options = {.nodes = node};
    struct seen seen;
    char text[16] = "";
    FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
    if (!file || !fgets(text, sizeof text, file) || strtol(text, NULL, 10) <= 0)
        return ""; /* anybody may see everything */
    fclose(file);
    watch(&options, true, WORDS("spawn=20"), &seen);
    if (seen.answer.source == RL_SOURCE_SYSTEM || seen.answer.refused == 0)
        return "does not say that records of all processes were refused";
    if (seen.answer.source == RL_SOURCE_TASK && (seen.answer.gaps || seen.answer.processes != 21))
        return "records of the program are not complete";
    if (seen.answer.source == RL_SOURCE_POLL && seen.answer.gaps != 1u << RL_GAP_POLLED)
        return "looks into /proc are called complete";
    rl_descendants_close(seen.d);
    return NULL;
}

static void as_a_user(void **state)
{
    (void)state;
    in_child(become_nobody, uses_what_a_user_may);
}

/* ---- programs that may not be watched ---- */

static void copy_program(const char *to, mode_t mode, uid_t owner)
{
    struct rl_buf bytes = RL_BUF_INIT;
    assert_int_equal(rl_read_file(PROGRAM, 1 << 30, &bytes, NULL), RL_OK);
    FILE *file = fopen(to, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.data, 1, bytes.len, file), bytes.len);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chown(to, owner, (gid_t)-1), 0);
    assert_int_equal(chmod(to, mode), 0);
    rl_buf_release(&bytes);
}

static const char *notices_that_one_went_out_of_sight(void)
{
    const struct rl_descendants_options options = {.best = RL_SOURCE_TASK, .nodes = node};
    char runs[100];
    struct seen seen;
    snprintf(runs, sizeof runs, "run=%s/unreadable", folder);
    watch(&options, true, WORDS(runs), &seen);
    if (seen.answer.source != RL_SOURCE_TASK)
        return "";
    if (seen.answer.gaps != 1u << RL_GAP_PRIVILEGED || seen.answer.processes != 2)
        return "a program that may not be read went unnoticed";
    if (rl_descendants_get(seen.d, 1)->ended != RL_FACT_YES)
        return "one that is gone is not known to be";
    rl_descendants_close(seen.d);
    return NULL;
}

static void out_of_sight(void **state)
{
    (void)state;
    char path[100];
    if (geteuid() != 0)
        skip();
    snprintf(path, sizeof path, "%s/unreadable", folder);
    copy_program(path, 0711, 0);
    in_child(become_nobody, notices_that_one_went_out_of_sight);
}

/* Who may watch the whole machine sees it all the same. */
static void setuid_programs_stay_in_sight(void **state)
{
    (void)state;
    char path[100], runs[110];
    if (geteuid() != 0)
        skip();
    snprintf(path, sizeof path, "%s/setuid", folder);
    snprintf(runs, sizeof runs, "run=%s", path);
    copy_program(path, 04755, NOBODY);
    struct seen seen = run(RL_SOURCE_SYSTEM, WORDS(runs, "exit=0"));
    assert_int_equal(seen.answer.processes, 2);
    assert_int_equal(seen.answer.alive, 0);
    assert_string_equal(at(&seen, 1)->commands[0], "setuid");
    rl_descendants_close(seen.d);
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/rl-descendants-XXXXXX");
    if (!mkdtemp(folder) || chmod(folder, 0777) != 0)
        return -1;
    snprintf(node, sizeof node, "%s/node", folder);
    snprintf(opens_node, sizeof opens_node, "open=%s", node);
    snprintf(seen_file, sizeof seen_file, "%s/seen", folder);
    snprintf(until_seen, sizeof until_seen, "wait=%s", seen_file);
    int fd = open(node, O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (fd < 0 || fchmod(fd, 0666) != 0)
        return -1;
    return close(fd);
}

static int remove_folder(void **state)
{
    (void)state;
    rl_remove_tree(folder);
    return 0;
}

int main(void)
{
    static enum rl_source sources[] = {RL_SOURCE_SYSTEM, RL_SOURCE_TASK, RL_SOURCE_POLL};
#define WITH(test, i)  cmocka_unit_test_prestate(test, &sources[i])
#define RECORDED(test) WITH(test, 0), WITH(test, 1)
#define ALWAYS(test)   WITH(test, 0), WITH(test, 1), WITH(test, 2)
    const struct CMUnitTest tests[] = {
        RECORDED(every_process_is_known),
        RECORDED(threads_are_no_processes),
        RECORDED(a_thread_may_exec),
        RECORDED(names_of_an_exec_chain),
        ALWAYS(loaded_but_no_device_opened),
        ALWAYS(used_without_our_part),
        ALWAYS(used_with_our_part),
        ALWAYS(our_part_does_not_survive_an_exec),
        RECORDED(someone_else_opened_the_device),
        RECORDED(driver_and_device_not_seen_together),
        RECORDED(orphans_are_followed),
        ALWAYS(nobody_is_made_a_subreaper),
        ALWAYS(ending_of_a_process_with_the_driver),
        ALWAYS(readable_when_a_tick_is_due),
        RECORDED(lost_records_are_told),
        cmocka_unit_test(refused_records),
        cmocka_unit_test(as_a_user),
        cmocka_unit_test(out_of_sight),
        cmocka_unit_test(setuid_programs_stay_in_sight),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
