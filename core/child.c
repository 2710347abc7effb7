/* child.c - child processes. */
#include "core/child.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/core.h"

pid_t rl_child_fork(int death_signal)
{
    const pid_t parent = getpid();
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0 && death_signal && (prctl(PR_SET_PDEATHSIG, death_signal) != 0 || getppid() != parent))
        _exit(1);
    return child;
}

enum rl_status rl_child_start(struct rl_child *child, int death_signal, void (*work)(void *context, int fd), void *context,
                              struct rl_err *err)
{
    int ends[2];
    assert(work);
    *child = (struct rl_child)RL_CHILD_NONE;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return rl_err_set(err, RL_FAILED, "cannot make a pipe: %s", strerror(errno));
    const pid_t pid = rl_child_fork(death_signal);
    if (pid == 0) {
        close(ends[0]);
        work(context, ends[1]);
        rl_temporaries_remove();
        _exit(0);
    }
    const int error = errno;
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return rl_err_set(err, RL_FAILED, "cannot start a process: %s", strerror(error));
    }
    *child = (struct rl_child){pid, ends[0]};
    return RL_OK;
}

int rl_child_become(const char *path, const char *const *argv)
{
    assert(path && argv && argv[0]);
    (void)execv(path, (char *const *)argv); /* argv is not changed by it */
    return errno;
}

bool rl_child_wait(pid_t child, int *how)
{
    pid_t ended;
    assert(child > 0);
    while ((ended = waitpid(child, how, 0)) < 0 && errno == EINTR)
        continue;
    return ended == child;
}

bool rl_child_ended(pid_t child, int *how)
{
    assert(child > 0);
    return waitpid(child, how, WNOHANG) == child;
}

bool rl_child_ends_within(pid_t child, double seconds, int *how)
{
    const struct timespec moment = {.tv_nsec = 50000000};
    const int64_t start_ns = rl_monotonic_ns();
    while (!rl_child_ended(child, how)) {
        if (rl_seconds_since(start_ns) >= seconds)
            return false;
        (void)nanosleep(&moment, NULL);
    }
    return true;
}

bool rl_child_is_over(pid_t child)
{
    siginfo_t info = {0};
    assert(child > 0);
    if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
        return errno != EINTR; /* a question that a signal has cut short has no answer yet */
    return info.si_pid == child;
}
