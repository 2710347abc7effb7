/* node.c - how many GPUs there are, without touching CUDA in this process. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/collector.h"
#include "kernels/run.h"

struct answer {
    int count, status; /* enum rl_status */
    struct rl_err err;
};

static _Noreturn void ask_driver(int fd)
{
    struct answer answer = {0};
    answer.status = (int)rl_device_count(&answer.count, &answer.err);
    _exit(write(fd, &answer, sizeof answer) == (ssize_t)sizeof answer ? 0 : 1);
}

/* The answer is smaller than PIPE_BUF: it comes whole or not at all. */
static bool take_answer(int fd, struct answer *answer)
{
    enum { LIMIT_MS = 120000 };
    struct pollfd poller = {.fd = fd, .events = POLLIN};
    int ready;
    while ((ready = poll(&poller, 1, LIMIT_MS)) < 0 && errno == EINTR)
        continue;
    return ready > 0 && read(fd, answer, sizeof *answer) == (ssize_t)sizeof *answer;
}

enum rl_status rl_collector_gpu_count(int *count, struct rl_err *err)
{
    struct answer answer = {0};
    int ends[2];
    if (pipe(ends) != 0)
        return rl_err_set(err, RL_FAILED, "cannot make a pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child < 0) {
        const int error = errno;
        close(ends[0]);
        close(ends[1]);
        return rl_err_set(err, RL_FAILED, "cannot start a process: %s", strerror(error));
    }
    if (child == 0)
        ask_driver(ends[1]);
    close(ends[1]);
    bool answered = take_answer(ends[0], &answer);
    close(ends[0]);
    if (!answered)
        kill(child, SIGKILL);
    while (waitpid(child, NULL, answered ? 0 : WNOHANG) < 0 && errno == EINTR)
        continue;
    if (!answered)
        return rl_err_set(err, RL_TIMEOUT, "the driver does not say how many GPUs there are: it hangs, or crashed");
    *count = answer.count;
    return answer.status == RL_OK ? RL_OK : rl_err_set(err, (enum rl_status)answer.status, "%s", answer.err.text);
}
