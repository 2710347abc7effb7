#include "core/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "core/core.h"

enum step { WAITING, RUNNING, TERMINATED, KILLED, DONE };

struct running {
    enum step step;
    pid_t pid;
    int fd; /* of its standard error; -1: closed */
    double start, deadline;
    struct rl_buf line;
};

struct state {
    const struct rl_jobs *jobs;
    struct running *running; /* one for each job */
    size_t active;
};

static double now(void)
{
    return 1e-9 * (double)rl_monotonic_ns();
}

static void keep_line(struct rl_job *job, const char *text)
{
    size_t len = strlen(text) < sizeof job->last_line ? strlen(text) : sizeof job->last_line - 1;
    memcpy(job->last_line, text, len);
    job->last_line[len] = 0;
}

static void fail_to_start(struct rl_job *job, struct running *running, const char *why)
{
    job->end = RL_JOB_NOT_STARTED;
    keep_line(job, why);
    running->step = DONE;
}

static void start(struct state *state, size_t index)
{
    struct rl_job *job = &state->jobs->jobs[index];
    struct running *running = &state->running[index];
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        fail_to_start(job, running, strerror(errno));
        return;
    }
    running->pid = rl_child_fork(SIGTERM);
    if (running->pid == 0) {
        int error_fd = ends[1];
        static const int restored[] = {SIGPIPE, SIGXFSZ};
        int nothing = open("/dev/null", O_RDWR);
        if (nothing < 0)
            _exit(127);
        for (size_t i = 0; i < RL_COUNT(restored); i++)
            signal(restored[i], SIG_DFL);
        if (dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0 || dup2(error_fd, STDERR_FILENO) < 0)
            _exit(127);
        (void)rl_child_become(job->argv[0], (const char *const *)job->argv);
        static const char text[] = "cannot be started\n";
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
        _exit(127);
    }
    close(ends[1]);
    if (running->pid < 0) {
        fail_to_start(job, running, strerror(errno));
        close(ends[0]);
        return;
    }
    running->fd = ends[0];
    running->step = RUNNING;
    running->start = now();
    running->deadline = state->jobs->limit_s > 0 ? running->start + state->jobs->limit_s : 0;
    state->active++;
}

static void hand_on(struct state *state, size_t index)
{
    struct running *running = &state->running[index];
    keep_line(&state->jobs->jobs[index], running->line.data);
    if (state->jobs->line)
        state->jobs->line(state->jobs->context, index, running->line.data);
    rl_buf_reset(&running->line);
}

/* Splits what has come into lines; '\r' redraws a line, so what stood before it is gone. */
static void take_bytes(struct state *state, size_t index, const char *bytes, size_t len)
{
    enum { LONGEST = 4096 };
    struct running *running = &state->running[index];
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] == '\n')
            hand_on(state, index);
        else if (bytes[i] == '\r')
            rl_buf_reset(&running->line);
        else if (running->line.len < LONGEST && bytes[i])
            rl_buf_addch(&running->line, bytes[i]);
    }
}

static void read_from(struct state *state, size_t index)
{
    char bytes[4096];
    struct running *running = &state->running[index];
    ssize_t n = read(running->fd, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR)
        return;
    if (n > 0) {
        take_bytes(state, index, bytes, (size_t)n);
        return;
    }
    close(running->fd);
    running->fd = -1;
    if (running->line.len)
        hand_on(state, index);
}

static void finish(struct state *state, size_t index, enum rl_job_end end, int exit_status)
{
    struct running *running = &state->running[index];
    struct rl_job *job = &state->jobs->jobs[index];
    while (running->fd >= 0) { /* what it has left in the pipe; grandchildren may hold the other end open */
        struct pollfd poller = {.fd = running->fd, .events = POLLIN};
        if (poll(&poller, 1, 0) <= 0) {
            close(running->fd);
            running->fd = -1;
        } else {
            read_from(state, index);
        }
    }
    job->end = end;
    job->exit_status = exit_status;
    job->wall_s = now() - running->start;
    running->step = DONE;
    state->active--;
}

static void look_after(struct state *state, size_t index)
{
    struct running *running = &state->running[index];
    int how;
    if (running->step == WAITING || running->step == DONE)
        return;
    if (rl_child_ended(running->pid, &how)) {
        bool given_up = running->step == TERMINATED || running->step == KILLED;
        finish(state, index,
               given_up           ? RL_JOB_GIVEN_UP
               : WIFSIGNALED(how) ? RL_JOB_KILLED
                                  : RL_JOB_EXITED,
               WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how));
        return;
    }
    if (running->deadline == 0 || now() < running->deadline)
        return;
    running->deadline = now() + state->jobs->grace_s;
    if (running->step == RUNNING) {
        kill(running->pid, SIGTERM);
        running->step = TERMINATED;
    } else if (running->step == TERMINATED) {
        kill(running->pid, SIGKILL);
        running->step = KILLED;
    } else {
        finish(state, index, RL_JOB_UNKILLABLE, 0);
    }
}

static void start_more(struct state *state)
{
    for (size_t i = 0; i < state->jobs->count && state->active < state->jobs->at_once; i++)
        if (state->running[i].step == WAITING)
            start(state, i);
}

void rl_jobs_run(const struct rl_jobs *jobs)
{
    assert(jobs->at_once > 0);
    struct state state = {.jobs = jobs, .running = rl_calloc(jobs->count, sizeof *state.running)};
    RL_FREED struct pollfd *pollers = rl_calloc(jobs->count, sizeof *pollers);
    RL_FREED size_t *owners = rl_calloc(jobs->count, sizeof *owners);
    for (size_t i = 0; i < jobs->count; i++) {
        state.running[i].fd = -1;
        rl_buf_init(&state.running[i].line);
        jobs->jobs[i].last_line[0] = 0;
    }
    for (start_more(&state); state.active > 0; start_more(&state)) {
        enum { TICK_MS = 100 };
        size_t count = 0;
        for (size_t j = 0; j < state.jobs->count; j++)
            if (state.running[j].step != WAITING && state.running[j].fd >= 0) {
                pollers[count] = (struct pollfd){.fd = state.running[j].fd, .events = POLLIN};
                owners[count++] = j;
            }
        if (poll(pollers, count, TICK_MS) > 0) {
            for (size_t j = 0; j < count; j++)
                if (pollers[j].revents)
                    read_from(&state, owners[j]);
        }
        for (size_t i = 0; i < jobs->count; i++)
            look_after(&state, i);
    }
    for (size_t i = 0; i < jobs->count; i++)
        rl_buf_release(&state.running[i].line);
    free(state.running);
}
