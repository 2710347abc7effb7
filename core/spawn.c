#include "core/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/core.h"

extern char **environ;

enum { IN, OUT, ERR, STREAMS };
enum { TOLD = STREAMS };                    /* in the child: where it says why it cannot become the program */
enum { NOT_STARTED = 127, NOT_TOLD = 126 }; /* its exit status then */

/* While the pipes are open their end wakes us; this is how often we look for a program that closed them, or left them open in a
 * child, before it ended. */
enum { LOOK_MS = 20 };

struct run {
    const struct rl_spawn *spawn;
    struct rl_spawn_result *result;
    int child_fd[STREAMS]; /* the program's ends */
    int our_fd[STREAMS];   /* read ends of OUT and ERR; IN is not used */
    int told_fd[2];        /* what the child has to say */
    pid_t pid;
    int64_t start_ns;
};

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Moves a descriptor out of 0..2: a parent that started without standard streams would get those numbers for its pipes, and
 * connecting one stream would then overwrite the next. */
static bool above_standard(int *fd)
{
    if (*fd > STDERR_FILENO)
        return true;
    int moved = fcntl(*fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close_fd(fd);
    *fd = moved;
    return moved >= 0;
}

static bool open_pipe(int *read_end, int *write_end)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    *read_end = ends[0];
    *write_end = ends[1];
    return above_standard(read_end) && above_standard(write_end);
}

/* One that is read without waiting. */
static bool open_output(int *read_end, int *write_end)
{
    return open_pipe(read_end, write_end) && fcntl(*read_end, F_SETFL, O_NONBLOCK) == 0;
}

static bool write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        }
    }
    return true;
}

/* Input comes from a file in memory: no pipe has to be fed, and a program that does not read it costs no SIGPIPE. */
static bool open_input(const struct rl_spawn *spawn, int *fd)
{
    *fd = spawn->input ? memfd_create("input", MFD_CLOEXEC) : open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (*fd < 0 || !above_standard(fd))
        return false;
    return !spawn->input || (write_all(*fd, spawn->input, spawn->input_len) && lseek(*fd, 0, SEEK_SET) == 0);
}

static enum rl_status open_streams(struct run *run, struct rl_err *err)
{
    if (open_input(run->spawn, &run->child_fd[IN]) && open_output(&run->our_fd[OUT], &run->child_fd[OUT]) &&
        open_output(&run->our_fd[ERR], &run->child_fd[ERR]) && open_pipe(&run->told_fd[0], &run->told_fd[1]))
        return RL_OK;
    return rl_err_set(err, RL_FAILED, "cannot connect to '%s': %s", run->spawn->argv[0], strerror(errno));
}

/* The child until it is the program, without memory or locks, which another thread may have held as it was made. Signals
 * are blocked up to the last step. Returns only when that fails, with the errno. */
static int become(const struct run *run, const char *const *env)
{
    sigset_t none;
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    sigemptyset(&none);
    for (int i = 0; i < STREAMS; i++)
        if (dup2(run->child_fd[i], i) < 0)
            return errno;
    if (run->told_fd[1] != TOLD && dup3(run->told_fd[1], TOLD, O_CLOEXEC) < 0)
        return errno;
    /* closefrom(3), which glibc has since 2.34 only; kernels before 5.9 lack close_range(2). */
    int first = TOLD + 1;
    enum { SYS_CLOSE_RANGE = 436 }; /* on every architecture; older headers do not define it */
    struct rlimit limit;
    if (syscall(SYS_CLOSE_RANGE, first, ~0U, 0) != 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        for (rlim_t fd = (rlim_t)first; fd < limit.rlim_cur && fd < INT_MAX; fd++)
            (void)close((int)fd);
    }
    for (int signal = 1; signal < NSIG; signal++)
        (void)sigaction(signal, &usual, NULL); /* those that cannot be changed are as they should be */
    if (setpgid(0, 0) != 0 || (run->spawn->dir && chdir(run->spawn->dir) != 0) || sigprocmask(SIG_SETMASK, &none, NULL) != 0)
        return errno;
    (void)execve(run->spawn->argv[0], (char *const *)run->spawn->argv, (char *const *)env); /* neither is changed by it */
    return errno;
}

/* The errno of a program that did not start, which is what the child says; the pipe just ends when the program has. */
static int first_word(int fd)
{
    int error = 0;
    ssize_t got;
    while ((got = read(fd, &error, sizeof error)) < 0 && errno == EINTR)
        ;
    return got == sizeof error ? error : 0;
}

/* A new process group, so that it can be killed with its children; no signal blocked or ignored. */
static int start(struct run *run)
{
    const char *env[8];
    sigset_t all, before;
    /* The few variables that a program needs to find its way; `env` gets pointers into our own environment. */
    const size_t room = RL_COUNT(env);
    static const char *const kept[] = {"PATH=", "HOME=", "TMPDIR="};
    size_t count = 0;
    env[count++] = "LANG=C.UTF-8";
    for (char **variable = environ; variable && *variable; variable++)
        for (size_t i = 0; i < RL_COUNT(kept); i++)
            if (count + 1 < room && strncmp(*variable, kept[i], strlen(kept[i])) == 0)
                env[count++] = *variable;
    env[count] = NULL;
    sigfillset(&all);
    int error = pthread_sigmask(SIG_SETMASK, &all, &before);
    if (error)
        return error;
    run->pid = rl_child_fork(0);
    if (run->pid == 0) {
        error = become(run, run->spawn->env ? run->spawn->env : env);
        _exit(write(TOLD, &error, sizeof error) == sizeof error ? NOT_STARTED : NOT_TOLD);
    }
    error = run->pid < 0 ? errno : 0;
    close_fd(&run->told_fd[1]);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!error && (error = first_word(run->told_fd[0])) != 0)
        (void)rl_child_wait(run->pid, NULL);
    return error;
}

/* Reads once; false at the end of the stream or when there is nothing to read at the moment. */
static bool read_some(int *fd, struct rl_buf *kept, size_t limit)
{
    char chunk[16 * 1024];
    ssize_t n;
    while ((n = read(*fd, chunk, sizeof chunk)) < 0 && errno == EINTR)
        ;
    if (n == 0 || (n < 0 && errno != EAGAIN))
        close_fd(fd);
    if (n <= 0)
        return false;
    size_t room = kept->len < limit ? limit - kept->len : 0;
    rl_buf_add(kept, chunk, (size_t)n < room ? (size_t)n : room);
    return true;
}

/* Reads until the program ends or its time runs out (false). */
static bool watch(struct run *run)
{
    while (!rl_child_is_over(run->pid)) { /* not reaped yet: its process group cannot become someone else's */
        double left = run->spawn->timeout_s - rl_seconds_since(run->start_ns);
        if (left <= 0)
            return false;
        int wait_ms = left * 1000 < LOOK_MS ? (int)(left * 1000) + 1 : LOOK_MS;
        struct pollfd polled[] = {{run->our_fd[OUT], POLLIN, 0}, {run->our_fd[ERR], POLLIN, 0}}; /* poll skips negative ones */
        if (poll(polled, 2, wait_ms) <= 0)
            continue;
        if (polled[0].revents)
            read_some(&run->our_fd[OUT], &run->result->out, run->spawn->output_limit);
        if (polled[1].revents)
            read_some(&run->our_fd[ERR], &run->result->err, run->spawn->output_limit);
    }
    return true;
}

/* Kills what is left of the group, keeps what was already written, reaps the program. False when its exit status is lost, which
 * happens to a process that ignores SIGCHLD. */
static bool finish(struct run *run)
{
    int status = 0;
    kill(-run->pid, SIGKILL);
    const bool reaped = rl_child_wait(run->pid, &status);
    while (run->our_fd[OUT] >= 0 && read_some(&run->our_fd[OUT], &run->result->out, run->spawn->output_limit))
        ;
    while (run->our_fd[ERR] >= 0 && read_some(&run->our_fd[ERR], &run->result->err, run->spawn->output_limit))
        ;
    run->result->exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    run->result->wall_s = rl_seconds_since(run->start_ns);
    return reaped;
}

static enum rl_status start_error(const struct rl_spawn *spawn, int error, struct rl_err *err)
{
    if (spawn->dir && access(spawn->dir, X_OK) != 0)
        return rl_err_set(err, RL_ABSENT, "cannot start '%s' in '%s': %s", spawn->argv[0], spawn->dir, strerror(errno));
    return rl_err_set(err, RL_ABSENT, "cannot start '%s': %s", spawn->argv[0], strerror(error));
}

enum rl_status rl_spawn_run(const struct rl_spawn *spawn, struct rl_spawn_result *result, struct rl_err *err)
{
    assert(spawn->argv && spawn->argv[0] && spawn->timeout_s > 0);
    *result = (struct rl_spawn_result){.out = RL_BUF_INIT, .err = RL_BUF_INIT};
    struct run run = {spawn, result, {-1, -1, -1}, {-1, -1, -1}, {-1, -1}, -1, rl_monotonic_ns()};
    enum rl_status status = open_streams(&run, err);
    if (status != RL_OK)
        goto done;
    int error = start(&run);
    for (int i = 0; i < STREAMS; i++)
        close_fd(&run.child_fd[i]);
    if (error) {
        status = start_error(spawn, error, err);
        goto done;
    }
    bool in_time = watch(&run), reaped = finish(&run);
    if (in_time && !reaped)
        status = rl_err_set(err, RL_FAILED, "the exit status of '%s' is lost: SIGCHLD is ignored", spawn->argv[0]);
    else if (!in_time)
        status = rl_err_set(err, RL_TIMEOUT, "'%s' did not end within %g s and was stopped", spawn->argv[0], spawn->timeout_s);
done:
    for (int i = 0; i < STREAMS; i++) {
        close_fd(&run.child_fd[i]);
        close_fd(&run.our_fd[i]);
    }
    close_fd(&run.told_fd[0]);
    close_fd(&run.told_fd[1]);
    return status;
}

void rl_spawn_result_release(struct rl_spawn_result *result)
{
    rl_buf_release(&result->out);
    rl_buf_release(&result->err);
}
