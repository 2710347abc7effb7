/* node.c - how many GPUs there are, without touching CUDA in this process. */
#include <signal.h>
#include <unistd.h>

#include "core/child.h"
#include "session.h"

struct answer {
    int count, status; /* enum rl_status */
    struct rl_err err;
};

static void ask_driver(void *unused, int fd)
{
    struct answer answer = {0};
    (void)unused;
    answer.status = (int)rl_device_count(&answer.count, &answer.err);
    (void)rl_pipe_write(fd, &answer, sizeof answer); /* otherwise there is no answer */
}

enum rl_status rl_collector_gpu_count(int *count, struct rl_err *err)
{
    enum { LIMIT_MS = 120000 };
    struct answer answer = {0};
    struct rl_child child;
    RL_TRY(rl_child_start(&child, 0, ask_driver, NULL, err));
    const bool answered = rl_pipe_read(child.fd, &answer, sizeof answer, LIMIT_MS) == RL_PIPE_READ;
    close(child.fd);
    if (answered) {
        (void)rl_child_wait(child.pid, NULL);
    } else {
        kill(child.pid, SIGKILL);
        (void)rl_child_ended(child.pid, NULL); /* a driver that hangs may keep it for ever */
        return rl_err_set(err, RL_TIMEOUT, "the driver does not say how many GPUs there are: it hangs, or crashed");
    }
    *count = answer.count;
    return answer.status == RL_OK ? RL_OK : rl_err_set(err, (enum rl_status)answer.status, "%s", answer.err.text);
}
