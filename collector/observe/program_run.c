/* program_run.c - one run of an observed program (program_parts.h). */
#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "program_parts.h"
#include "settings.h"

static const double FIRST_SAVE_S = 3, SAVE_FACTOR = 1.5, LAST_SAVE_S = 60; /* between two calls of now_and_then */

static struct rl_settings settings_of(const struct program *p, size_t run)
{
    const struct rl_program_options *options = p->options;
    const enum rl_replay replay = run == 0 ? options->replay : p->further[run].replay;
    struct rl_settings settings;
    rl_settings_init(&settings);
    settings.address = rl_receiver_address(p->receiver);
    settings.budget = options->budget;
    settings.seccomp = rl_seccomp_filters();
    settings.run = (long)run;
    settings.times = run == 0;
    settings.launches = run == 0 && options->sample_gpu != RL_SAMPLE_NOT;
    settings.samples = options->samples;
    /* Kernel replay repeats launches, which nothing ends if they wait for later ones: as many are held in the timed run as are
     * repeated. Application replay has windows, which close: one launch is held. */
    settings.prove = run > 0 || replay == RL_REPLAY_ROTATE || replay == RL_REPLAY_NONE ? 0
                     : replay == RL_REPLAY_KERNEL                                      ? options->samples
                                                                                       : 1;
    settings.cupti = options->cupti;
    settings.backend = options->backend;
    settings.kernel = options->kernel;
    settings.nvtx = options->nvtx;
    settings.range = options->range;
    settings.skip = (long)options->launch_skip;
    settings.count = (long)options->launch_count;
    settings.wait = options->profiler_api;
    if (run == 0) {
        settings.counters = rl_program_counts_in_first(options) ? RL_COUNT_ROTATE : RL_COUNT_NOT;
        settings.pc_sampling = options->pc_sampling;
    } else {
        settings.counters = replay == RL_REPLAY_KERNEL ? RL_COUNT_KERNEL_REPLAY : RL_COUNT_ROTATE;
        settings.pass = p->further[run].pass;
    }
    return settings;
}

/* Later runs are for counters only: they say nothing and ask nothing. */
static bool silence(void)
{
    int null = open("/dev/null", O_RDWR);
    bool done = null >= 0 && dup2(null, 0) >= 0 && dup2(null, 1) >= 0 && dup2(null, 2) >= 0;
    if (null > 2)
        close(null);
    return done;
}

/* The environment for the library, and where CUDA and NVTX look for it. */
static bool set_environment(const struct program *p, const struct rl_settings *settings)
{
    return rl_settings_export(settings) && setenv("CUDA_INJECTION64_PATH", p->library, 1) == 0 &&
           setenv("NVTX_INJECTION64_PATH", p->library, 1) == 0;
}

/* In the child: becomes the program, or tells why not. */
static _Noreturn void become(const struct program *p, size_t run, int report)
{
    assert(report >= 0);
    const struct rl_settings settings = settings_of(p, run);
    for (const int *fd = p->options->closed; fd && *fd >= 0; fd++)
        close(*fd);
    const bool ready = set_environment(p, &settings) && (run == 0 || silence());
    for (const int *number = p->options->ignored; number && *number; number++)
        signal(*number, SIG_IGN);
    sigprocmask(SIG_SETMASK, &p->mask, NULL);
    int error = ready ? rl_child_become(p->path, (const char *const *)p->options->program) : errno;
    ssize_t told = write(report, &error, sizeof error);
    (void)told;
    _exit(127);
}

/* Signals that are handed on to the program, and whether whoever sends one wants everything to end. */
static const struct {
    int number;
    bool stops;
} passed_on[] = {{SIGTERM, true}, {SIGHUP, true}, {SIGINT, true}, {SIGQUIT, true}, {SIGUSR1, false}, {SIGUSR2, false}};

void rl_program_watch_signals(struct program *p)
{
    sigemptyset(&p->watched);
    sigaddset(&p->watched, SIGCHLD);
    for (size_t i = 0; i < RL_COUNT(passed_on); i++)
        sigaddset(&p->watched, passed_on[i].number);
    sigprocmask(SIG_BLOCK, &p->watched, &p->mask);
}

/* Where nohup or a shell's background has it ignored it is to end nothing. */
static void take_signal(struct program *p, int number)
{
    struct sigaction action;
    if (sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
        return;
    for (size_t i = 0; i < RL_COUNT(passed_on); i++)
        if (passed_on[i].number == number && passed_on[i].stops)
            p->stop = number;
}

void rl_program_take_pending(struct program *p)
{
    const struct timespec at_once = {0};
    int number;
    while ((number = sigtimedwait(&p->watched, NULL, &at_once)) > 0 || errno == EINTR)
        if (number > 0)
            take_signal(p, number);
}

static enum rl_status start(struct program *p, size_t run, pid_t *child, struct rl_err *err)
{
    int ends[2], error = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return rl_err_set(err, RL_FAILED, "cannot make a pipe: %s", strerror(errno));
    *child = rl_child_fork(0);
    if (*child == 0)
        become(p, run, ends[1]);
    close(ends[1]);
    ssize_t got = *child < 0 ? 0 : read(ends[0], &error, sizeof error); /* at its exec the other end closes */
    close(ends[0]);
    if (*child < 0)
        return rl_err_set(err, RL_FAILED, "cannot start a process: %s", strerror(errno));
    p->facts.main_pid[run] = (uint32_t)*child;
    if (got != sizeof error)
        return run == 0 ? rl_receiver_start(p->receiver, err) : RL_OK;
    (void)rl_child_wait(*child, NULL);
    return rl_err_set(err, RL_FAILED, "cannot run '%s': %s", p->path, strerror(error));
}

/* Whether a process that has asked for a ring goes on. */
static bool any_goes_on(struct rl_receiver *receiver)
{
    size_t count = 0;
    bool any = false;
    rl_receiver_lock(receiver);
    struct rl_stream *const *streams = rl_receiver_streams(receiver, &count);
    for (size_t s = 0; s < count; s++)
        any |= !streams[s]->gone && !streams[s]->replaced && !(streams[s]->state & (RL_RING_ENDED | RL_RING_INTERRUPTED));
    rl_receiver_unlock(receiver);
    return any;
}

/* Until the child is gone. */
static int wait_for(struct program *p, pid_t child, size_t run, void (*now_and_then)(struct program *p))
{
    assert(child > 0 && now_and_then);
    double next_s = FIRST_SAVE_S;
    int how = 0;
    const int signals = signalfd(-1, &p->watched, SFD_CLOEXEC | SFD_NONBLOCK);
    int64_t since_ns = rl_monotonic_ns();
    while (!rl_child_ended(child, &how)) {
        /* Until something happens, or for a moment: a shorter one while a GPU is waited for that may be used for a moment only. */
        const int tick_ms = rl_program_sample_waits(p) ? 10 : 50;
        struct pollfd looks[] = {{.fd = signals, .events = POLLIN}, {.fd = rl_program_sample_fd(p), .events = POLLIN}};
        (void)poll(looks, RL_COUNT(looks), tick_ms);
        /* Takes a signal and hands it on; what the terminal sends has reached the program already, because it is in the same
         * group. */
        struct signalfd_siginfo info;
        while (read(signals, &info, sizeof info) == sizeof info) {
            if (info.ssi_signo == SIGCHLD)
                continue;
            take_signal(p, (int)info.ssi_signo);
            if (info.ssi_code != SI_KERNEL)
                kill(child, (int)info.ssi_signo);
        }
        if (run == 0)
            rl_program_sample(p);
        if (rl_seconds_since(since_ns) < next_s)
            continue;
        now_and_then(p);
        next_s = next_s * SAVE_FACTOR < LAST_SAVE_S ? next_s * SAVE_FACTOR : LAST_SAVE_S;
        since_ns = rl_monotonic_ns();
    }
    if (signals >= 0)
        close(signals);
    return how;
}

/* Processes that were not waited for are about to end when the program does. Of those that stay the capture says so. */
static void wait_for_stragglers(struct rl_receiver *receiver)
{
    enum { MOST_TRIES = 20 };
    const struct timespec moment = {.tv_nsec = 10000000};
    for (int i = 0; i < MOST_TRIES && any_goes_on(receiver); i++)
        (void)nanosleep(&moment, NULL);
}

enum rl_status rl_program_run_once(struct program *p, size_t run, void (*now_and_then)(struct program *p), struct rl_err *err)
{
    pid_t child = 0;
    enum rl_status status = start(p, run, &child, err);
    if (status != RL_OK)
        return status;
    p->run_ns = run == 0 ? rl_monotonic_ns() : p->run_ns;
    int how = wait_for(p, child, run, now_and_then);
    if (run == 0) {
        rl_program_sample_end(p);
        wait_for_stragglers(p->receiver);
        p->facts.main_ended = true;
        p->facts.main_signal = WIFSIGNALED(how) ? WTERMSIG(how) : 0;
        p->facts.main_status = WIFEXITED(how) ? WEXITSTATUS(how) : 0;
    }
    return RL_OK;
}
