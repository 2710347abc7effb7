/* program.c - the process that the user started, when it observes another program. It starts the program with the injected part
 * named in the environment, passes signals on, waits, and makes captures of what the processes wrote: now and then while they run,
 * so that killing this process leaves a capture, and whole at the end. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/fs.h"
#include "core/launcher.h"
#include "core/mem.h"
#include "descendants.h"
#include "elapsed.h"
#include "handout.h"
#include "outputs.h"
#include "program_capture.h"
#include "program_filters.h"
#include "receiver.h"
#include "settings.h"

static const double FIRST_SAVE_S = 3, SAVE_FACTOR = 1.5, LAST_SAVE_S = 60;
/* Nobody has asked for another run: it is made when these classes have at least this share of the time, and the first took no
 * longer. */
static const double LEAST_MISSING = 0.1, LONGEST_AGAIN_S = 60;

/* A run after the timed one. */
struct further {
    enum rl_replay replay;
    long pass; /* -1: all */
};

struct program {
    const struct rl_program_options *options;
    struct rl_program_summary *summary;
    struct rl_program_facts facts;
    char *path;                           /* of the program */
    char *library;                        /* the injected part */
    struct rl_receiver *receiver;         /* of what processes say */
    struct rl_buf notes;                  /* the plans of all chips, which every run is given */
    sigset_t watched, mask;               /* signals that are waited for; the mask as it was, and as the program gets it */
    int stop;                             /* this signal came, after which no other run is begun */
    struct further further[RL_MOST_RUNS]; /* by run; that of run 0 says nothing */
    size_t runs;                          /* made, with the timed one */
    double first_s;                       /* what the timed one took */
    struct rl_stream **streams;           /* those of known processes, while captures are made */
    size_t stream_count, stream_cap;
    char **losses; /* sentences about the others */
    size_t loss_count, loss_cap;
    struct group *groups;
    size_t group_count, group_cap;
};

/* Streams that go into one capture file. */
struct group {
    char *output, *growing;
    struct rl_stream **streams;
    size_t count, cap;
    struct rl_capture *capture; /* of what they say, while captures are made */
};

/* ---- before the program runs ---- */

/* Beside the program when it is run from its build folder; where it was installed otherwise. */
static enum rl_status find_library(struct program *p, struct rl_err *err)
{
    static const char *const places[] = {"librooflight-inject.so", "../" RL_INJECT_LIBDIR "/rooflight/librooflight-inject.so",
                                         "../lib/rooflight/librooflight-inject.so"};
    char *here = rl_executable_dir();
    for (size_t i = 0; i < RL_COUNT(places) && !p->library; i++) {
        char *place = rl_path_join(here, places[i]);
        if (rl_path_exists(place))
            p->library = realpath(place, NULL);
        free(place);
    }
    enum rl_status status = RL_OK;
    if (!p->library)
        status = rl_err_set(err, RL_ABSENT, "librooflight-inject.so not found beside %s/rooflight: install rooflight again", here);
    free(here);
    return status;
}

static enum rl_status find_program(struct program *p, struct rl_err *err)
{
    const char *name = p->options->program[0];
    p->path = rl_find_program(name);
    if (p->path)
        return RL_OK;
    if (strchr(name, '/') && rl_path_exists(name))
        return rl_err_set(err, RL_FAILED, "cannot run '%s': it is not an executable file", name);
    return rl_err_set(err, RL_ABSENT, "program '%s' not found%s", name, strchr(name, '/') ? "" : " in $PATH");
}

/* A line for each counter in a note for each chip: a process learns its chip only when it runs. */
static void note_plan(struct program *p, const char *chip)
{
    const struct rl_collect_configuration *configurations = NULL;
    size_t count = 0;
    struct rl_buf text = RL_BUF_INIT, name = RL_BUF_INIT;
    p->options->plan(p->options->plan_context, chip, &configurations, &count);
    for (size_t i = 0; i < count; i++)
        for (size_t n = 0; n < configurations[i].counter_count && !configurations[i].of_device; n++)
            rl_buf_addf(&text, "%s\t%zu\t%s\t%s\n", configurations[i].name, configurations[i].fixed,
                        configurations[i].when ? configurations[i].when : "", configurations[i].counters[n]);
    rl_buf_addf(&name, RL_HANDOUT_PLAN "%s", chip ? chip : "unknown");
    rl_handout_add(&p->notes, name.data, &text);
    rl_buf_release(&name);
    rl_buf_release(&text);
}

static void note_plans(struct program *p)
{
    if (p->options->replay == RL_REPLAY_NONE)
        return;
    note_plan(p, NULL);
    for (size_t i = 0; i < p->options->chip_count; i++)
        note_plan(p, p->options->chips[i]);
}

/* ---- one run ---- */

static struct rl_settings settings_of(const struct program *p, size_t run)
{
    const struct rl_program_options *options = p->options;
    struct rl_settings settings;
    rl_settings_init(&settings);
    settings.address = rl_receiver_address(p->receiver);
    settings.budget = options->budget;
    settings.seccomp = rl_seccomp_filters();
    settings.prove = run == 0 && (options->replay == RL_REPLAY_AUTO || options->replay == RL_REPLAY_KERNEL ||
                                  options->replay == RL_REPLAY_APPLICATION);
    settings.run = (long)run;
    settings.times = run == 0;
    settings.samples = options->samples;
    settings.kernel = options->kernel;
    settings.kernel_exclude = options->kernel_exclude;
    settings.nvtx = options->nvtx;
    settings.range = options->range;
    settings.skip = (long)options->launch_skip;
    settings.count = (long)options->launch_count;
    settings.wait = options->profiler_api;
    bool in_first = options->replay == RL_REPLAY_AUTO || options->replay == RL_REPLAY_ROTATE;
    if (run == 0) {
        settings.counters = in_first && options->budget ? RL_COUNT_ROTATE : RL_COUNT_NOT;
    } else {
        settings.counters = p->further[run].replay == RL_REPLAY_KERNEL ? RL_COUNT_KERNEL_REPLAY : RL_COUNT_ROTATE;
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

/* In the child: becomes the program, or tells why not. */
static _Noreturn void become(const struct program *p, size_t run, int go, int report)
{
    struct rl_settings settings = settings_of(p, run);
    char nothing;
    while (read(go, &nothing, 1) < 0 && errno == EINTR) /* until its parent watches it */
        continue;
    for (const int *fd = p->options->closed; fd && *fd >= 0; fd++)
        close(*fd);
    bool ready = rl_settings_export(&settings) && setenv("CUDA_INJECTION64_PATH", p->library, 1) == 0 &&
                 setenv("NVTX_INJECTION64_PATH", p->library, 1) == 0 && (run == 0 || silence());
    for (const int *number = p->options->ignored; number && *number; number++)
        signal(*number, SIG_IGN);
    sigprocmask(SIG_SETMASK, &p->mask, NULL);
    if (ready)
        execv(p->path, (char *const *)p->options->program); /* argv is not changed by it */
    int error = errno;
    ssize_t told = write(report, &error, sizeof error);
    (void)told;
    _exit(127);
}

/* Signals that are handed on to the program, and whether whoever sends one wants everything to end. */
static const struct {
    int number;
    bool stops;
} passed_on[] = {{SIGTERM, true}, {SIGHUP, true}, {SIGINT, true}, {SIGQUIT, true}, {SIGUSR1, false}, {SIGUSR2, false}};

static void watched_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    for (size_t i = 0; i < RL_COUNT(passed_on); i++)
        sigaddset(set, passed_on[i].number);
}

/* Where nohup or a shell's background has it ignored nobody wants it to end anything. */
static void take_signal(struct program *p, int number)
{
    struct sigaction action;
    if (sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
        return;
    for (size_t i = 0; i < RL_COUNT(passed_on); i++)
        if (passed_on[i].number == number && passed_on[i].stops)
            p->stop = number;
}

/* Takes what came while no program was there, as it does when the whole process group is told to end. */
static void take_pending(struct program *p)
{
    const struct timespec at_once = {0};
    int number;
    while ((number = sigtimedwait(&p->watched, NULL, &at_once)) > 0 || errno == EINTR)
        if (number > 0)
            take_signal(p, number);
}

static enum rl_status start(struct program *p, size_t run, pid_t *child, struct rl_err *err)
{
    int ends[2], go[2], error = 0;
    fflush(NULL);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return rl_err_set(err, RL_FAILED, "cannot make a pipe: %s", strerror(errno));
    if (pipe2(go, O_CLOEXEC) != 0) {
        close(ends[0]);
        close(ends[1]);
        return rl_err_set(err, RL_FAILED, "cannot make a pipe: %s", strerror(errno));
    }
    *child = fork();
    if (*child == 0) {
        close(go[1]);
        become(p, run, go[0], ends[1]);
    }
    if (*child > 0 && run == 0)
        rl_descendants_attach(p->facts.descendants, *child);
    close(go[0]);
    close(go[1]);
    close(ends[1]);
    ssize_t got = *child < 0 ? 0 : read(ends[0], &error, sizeof error); /* at its exec the other end closes */
    close(ends[0]);
    if (*child < 0)
        return rl_err_set(err, RL_FAILED, "cannot start a process: %s", strerror(errno));
    p->facts.main_pid[run] = (uint32_t)*child;
    if (got != sizeof error)
        return run == 0 ? rl_receiver_start(p->receiver, err) : RL_OK;
    while (waitpid(*child, NULL, 0) < 0 && errno == EINTR)
        continue;
    return rl_err_set(err, RL_FAILED, "cannot run '%s': %s", p->path, strerror(error));
}

static enum rl_status save(struct program *p, bool last, struct rl_err *err);

/* Takes a signal and hands it on; what the terminal sends has reached the program already, because it is in the same group. */
static void pass_signals(struct program *p, pid_t child, int signals)
{
    struct signalfd_siginfo info;
    while (read(signals, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo == SIGCHLD)
            continue;
        take_signal(p, (int)info.ssi_signo);
        if (info.ssi_code != SI_KERNEL)
            kill(child, (int)info.ssi_signo);
    }
}

/* Until something happens, or for a moment. */
static void doze(const struct program *p, int signals)
{
    enum { TICK_MS = 50 };
    struct pollfd looks[] = {{.fd = signals, .events = POLLIN}, {.fd = rl_descendants_fd(p->facts.descendants), .events = POLLIN}};
    (void)poll(looks, RL_COUNT(looks), TICK_MS);
}

/* Until the child is gone. */
static int wait_for(struct program *p, pid_t child, size_t run)
{
    double next_s = FIRST_SAVE_S;
    struct timespec since;
    int how = 0;
    const int signals = signalfd(-1, &p->watched, SFD_CLOEXEC | SFD_NONBLOCK);
    clock_gettime(CLOCK_MONOTONIC, &since);
    while (waitpid(child, &how, WNOHANG) != child) {
        doze(p, signals);
        pass_signals(p, child, signals);
        if (run == 0)
            rl_descendants_tick(p->facts.descendants);
        if (seconds_since(&since) < next_s)
            continue;
        struct rl_err ignored = RL_ERR_INIT; /* the last save tells */
        (void)save(p, false, &ignored);
        next_s = next_s * SAVE_FACTOR < LAST_SAVE_S ? next_s * SAVE_FACTOR : LAST_SAVE_S;
        clock_gettime(CLOCK_MONOTONIC, &since);
    }
    if (signals >= 0)
        close(signals);
    return how;
}

/* Processes that nobody has waited for are about to end when the program does. Those that stay are said. */
static void wait_for_stragglers(struct rl_descendants *descendants)
{
    enum { MOST_TRIES = 20 };
    const struct timespec moment = {.tv_nsec = 10000000};
    rl_descendants_tick(descendants);
    for (int i = 0; i < MOST_TRIES && rl_descendants_answer(descendants).alive; i++) {
        (void)nanosleep(&moment, NULL);
        rl_descendants_tick(descendants);
    }
}

static enum rl_status run_once(struct program *p, size_t run, struct rl_err *err)
{
    pid_t child = 0;
    enum rl_status status = start(p, run, &child, err);
    if (status != RL_OK)
        return status;
    int how = wait_for(p, child, run);
    if (run == 0) {
        wait_for_stragglers(p->facts.descendants);
        rl_descendants_finish(p->facts.descendants, how);
        p->facts.main_ended = true;
        p->facts.main_signal = WIFSIGNALED(how) ? WTERMSIG(how) : 0;
        p->facts.main_status = WIFEXITED(how) ? WEXITSTATUS(how) : 0;
    }
    return RL_OK;
}

/* ---- captures ---- */

static void forget_streams(struct program *p)
{
    for (size_t i = 0; i < p->loss_count; i++)
        free(p->losses[i]);
    p->loss_count = p->stream_count = 0;
    for (size_t i = 0; i < p->group_count; i++)
        p->groups[i].count = 0;
}

static void add_loss(struct program *p, const struct rl_stream *stream)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_stream_describe_loss(stream, &text);
    RL_GROW(p->losses, p->loss_count + 1, p->loss_cap);
    p->losses[p->loss_count++] = rl_buf_detach(&text, NULL);
}

static int compare_starts(const void *a, const void *b)
{
    const struct rl_stream *x = *(struct rl_stream *const *)a, *y = *(struct rl_stream *const *)b;
    int by_run = (x->hello.run > y->hello.run) - (x->hello.run < y->hello.run);
    return by_run ? by_run : (x->hello.started_ns > y->hello.started_ns) - (x->hello.started_ns < y->hello.started_ns);
}

/* What processes have said until now; then p->streams are sorted by run and start. Under the receiver's lock. */
static void look_at_streams(struct program *p)
{
    size_t count = 0;
    struct rl_stream *const *streams = rl_receiver_streams(p->receiver, &count);
    for (size_t i = 0; i < count; i++) {
        RL_GROW(p->streams, p->stream_count + 1, p->stream_cap);
        if (rl_stream_known(streams[i]))
            p->streams[p->stream_count++] = streams[i];
        else if (rl_stream_lacks(streams[i]))
            add_loss(p, streams[i]);
    }
    if (p->stream_count)
        qsort(p->streams, p->stream_count, sizeof(struct rl_stream *), compare_starts);
    p->facts.losses = (const char *const *)p->losses;
    p->facts.loss_count = p->loss_count;
}

static struct group *group_of(struct program *p, const char *output)
{
    for (size_t i = 0; i < p->group_count; i++)
        if (strcmp(p->groups[i].output, output) == 0)
            return &p->groups[i];
    RL_GROW(p->groups, p->group_count + 1, p->group_cap);
    struct group *group = &p->groups[p->group_count++];
    *group = (struct group){.output = rl_strdup(output), .growing = rl_growing_path(output)};
    return group;
}

static void add_stream(struct group *group, struct rl_stream *stream)
{
    RL_GROW(group->streams, group->count + 1, group->cap);
    group->streams[group->count++] = stream;
}

/* A process of a later run belongs to the group of its counterpart: the same rank, or the same place in the order of starting. */
static struct group *counterpart(struct program *p, size_t nth)
{
    size_t seen = 0;
    for (size_t i = 0; i < p->group_count; i++)
        for (size_t s = 0; s < p->groups[i].count; s++)
            if (p->groups[i].streams[s]->hello.run == 0 && seen++ == nth)
                return &p->groups[i];
    return p->group_count ? &p->groups[0] : NULL;
}

/* The pattern was checked before the program was started. */
static void name_of(const struct program *p, uint32_t pid, const char *host, const char *rank, struct rl_buf *output)
{
    const enum rl_status status = rl_program_output(p->options->output, pid, host, rank, output, NULL);
    assert(status == RL_OK);
    (void)status;
}

static void share_out(struct program *p)
{
    size_t nth = 0;
    uint32_t run = 0;
    for (size_t i = 0; i < p->stream_count; i++) {
        struct rl_stream *stream = p->streams[i];
        struct rl_buf output = RL_BUF_INIT;
        nth = stream->hello.run == run ? nth : 0;
        run = stream->hello.run;
        name_of(p, stream->hello.pid, stream->host, stream->rank, &output);
        struct group *group = run == 0 ? group_of(p, output.data) : counterpart(p, nth);
        if (group)
            add_stream(group, stream);
        nth++;
        rl_buf_release(&output);
    }
}

/* Where nothing used CUDA there is one capture all the same, which says so. */
static void group_of_nothing(struct program *p)
{
    struct rl_buf output = RL_BUF_INIT;
    char host[256] = "";
    (void)gethostname(host, sizeof host - 1);
    name_of(p, p->facts.main_pid[0], host, NULL, &output);
    group_of(p, output.data);
    rl_buf_release(&output);
}

static void summarise(struct rl_program_summary *summary, const struct rl_capture *capture, const char *output, bool first)
{
    if (first)
        snprintf(summary->output, sizeof summary->output, "%s", output);
    summary->captures++;
    summary->processes += capture->process_count;
    summary->classes += capture->kernel_count;
    for (size_t i = 0; i < capture->kernel_count; i++) {
        const struct rl_kernel_use *use = &capture->uses[i];
        summary->launches += capture->kernels[i].launches;
        summary->gpu_ns += capture->kernels[i].total_ns;
        summary->counted_classes += use->counted > 0;
        summary->counted_launches += use->counted;
        summary->counted_ns += use->counted ? capture->kernels[i].total_ns : 0;
    }
    for (size_t i = 0; i < capture->log_count; i++)
        if (capture->log[i].level > RL_LOG_NOTE) {
            if (summary->warnings++ == 0)
                snprintf(summary->warning, sizeof summary->warning, "%s", capture->log[i].text);
        }
    if (!rl_session_counted(&capture->session))
        snprintf(summary->counters_text, sizeof summary->counters_text, "%s", capture->session.counters);
}

static bool holds_kernels(const char *path)
{
    struct rl_capture *capture = NULL;
    bool holds = rl_path_exists(path) && rl_capture_read(path, &capture, NULL) == RL_OK && capture->kernel_count > 0;
    rl_capture_free(capture);
    return holds;
}

/* RL_IO for a capture that says nothing, because what processes have said cannot be read, in the place of one that says something.
 */
static enum rl_status check_worth(const struct program *p, const struct group *group, const char *path, struct rl_err *err)
{
    struct rl_buf why = RL_BUF_INIT;
    if (p->loss_count)
        rl_buf_adds(&why, p->losses[0]);
    for (size_t i = 0; i < group->count && !why.len; i++)
        if (rl_stream_lacks(group->streams[i]))
            rl_stream_describe_loss(group->streams[i], &why);
    bool worthless = why.len && group->capture->kernel_count == 0 && holds_kernels(path);
    enum rl_status status = worthless ? rl_err_set(err, RL_IO, "%s; '%s' is left as it was", why.data, path) : RL_OK;
    rl_buf_release(&why);
    return status;
}

static enum rl_status save_group(struct program *p, struct group *group, bool last, struct rl_err *err)
{
    const char *path = last ? group->output : group->growing;
    enum rl_status status = check_worth(p, group, path, err);
    if (status == RL_OK)
        status = rl_capture_write(group->capture, path, err);
    if (last && status == RL_OK) {
        summarise(p->summary, group->capture, group->output, p->summary->captures == 0);
        if (strcmp(group->growing, group->output) != 0)
            (void)unlink(group->growing); /* it was not there, if the program was quick */
        if (p->options->written)
            p->options->written(p->options->written_context, group->output);
    }
    return status;
}

/* Processes go on talking while a capture is written, not while it is made. */
static enum rl_status save(struct program *p, bool last, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    rl_receiver_lock(p->receiver);
    look_at_streams(p);
    share_out(p);
    if (last && p->group_count == 0)
        group_of_nothing(p);
    for (size_t i = 0; i < p->group_count; i++)
        p->groups[i].capture = rl_program_capture(&p->facts, p->groups[i].streams, p->groups[i].count);
    rl_receiver_unlock(p->receiver);
    for (size_t i = 0; i < p->group_count; i++) {
        if (status == RL_OK)
            status = save_group(p, &p->groups[i], last, err);
        rl_capture_free(p->groups[i].capture);
        p->groups[i].capture = NULL;
    }
    forget_streams(p);
    return status;
}

/* ---- further runs ---- */

/* What processes of the next run are given: the plans, and (unless all are meant) the classes that they are to count. */
static enum rl_status give_notes(struct program *p, const struct rl_buf *wanted, struct rl_err *err)
{
    struct rl_buf notes = RL_BUF_INIT;
    if (wanted)
        rl_handout_add(&notes, RL_HANDOUT_WANTED, wanted);
    rl_buf_add(&notes, p->notes.data, p->notes.len);
    enum rl_status status = rl_receiver_give(p->receiver, &notes, err);
    rl_buf_release(&notes);
    return status;
}

/* `share` gets that of the GPU time which those classes have. */
static enum rl_status note_wanted(struct program *p, bool missing, double *share, struct rl_err *err)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_receiver_lock(p->receiver);
    look_at_streams(p);
    *share = rl_program_wanted(&p->facts, p->streams, p->stream_count, missing, &text);
    forget_streams(p);
    rl_receiver_unlock(p->receiver);
    enum rl_status status = give_notes(p, &text, err);
    rl_buf_release(&text);
    return status;
}

/* Kernel replay needs one more run, application replay one for each configuration. */
static size_t plan_further(struct program *p, enum rl_replay replay)
{
    const struct rl_collect_configuration *configurations = NULL;
    size_t count = 0, runs = replay == RL_REPLAY_KERNEL;
    p->options->plan(p->options->plan_context, NULL, &configurations, &count);
    for (size_t i = 0; i < count && replay == RL_REPLAY_APPLICATION; i++)
        runs += rl_program_takes(&configurations[i]);
    const size_t room = RL_MOST_RUNS - p->runs;
    runs = runs < room ? runs : room;
    for (size_t i = 0; i < runs; i++)
        p->further[p->runs + i] = (struct further){replay, replay == RL_REPLAY_APPLICATION ? (long)i : -1};
    return runs;
}

static enum rl_status run_further(struct program *p, enum rl_replay replay, const char *why, struct rl_err *err)
{
    const size_t end = p->runs + plan_further(p, replay);
    enum rl_status status = RL_OK;
    for (take_pending(p); p->runs < end && status == RL_OK && !p->stop; take_pending(p)) {
        const size_t run = p->runs++;
        if (p->options->progress)
            p->options->progress(p->options->progress_context, run, end - 1, why);
        status = run_once(p, run, err);
    }
    p->facts.stopped = p->stop;
    return status;
}

/* Whether its input is there for another run as it was for the first: a terminal's, or none. */
static bool reads_nothing(void)
{
    struct stat input;
    return fstat(0, &input) != 0 || isatty(0) || (S_ISCHR(input.st_mode) && input.st_rdev == makedev(1, 3));
}

/* Whether nobody minds that the program runs again: one rank alone would wait for the others, and a long run is not made twice. */
static bool may_run_again(const struct program *p)
{
    return p->first_s <= LONGEST_AGAIN_S && !rl_launcher_find().name && reads_nothing();
}

/* What was launched too seldom for windows is repeated in a second run, and what that cannot count is counted by running the
 * program once for each configuration. */
static enum rl_status run_for_missing(struct program *p, struct rl_err *err)
{
    static const enum rl_replay ways[] = {RL_REPLAY_KERNEL, RL_REPLAY_APPLICATION};
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < RL_COUNT(ways) && status == RL_OK && may_run_again(p); i++) {
        double share = 0;
        status = note_wanted(p, true, &share, err);
        if (status != RL_OK || share < LEAST_MISSING)
            break;
        status = run_further(p, ways[i],
                             "the program again, for counters of what was launched too seldom (--replay rotate: only once)", err);
    }
    return status;
}

/* After a timed run that ended well. */
static enum rl_status run_again(struct program *p, struct rl_err *err)
{
    const enum rl_replay replay = p->options->replay;
    double share;
    if (p->facts.main_signal || p->facts.main_status)
        return RL_OK; /* it would only fail again */
    if (replay == RL_REPLAY_AUTO)
        return run_for_missing(p, err);
    if (replay != RL_REPLAY_KERNEL && replay != RL_REPLAY_APPLICATION)
        return RL_OK;
    enum rl_status status = note_wanted(p, false, &share, err);
    return status == RL_OK && share > 0 ? run_further(p, replay, "the program again, for counters", err) : status;
}

static void release(struct program *p)
{
    forget_streams(p);
    free(p->losses);
    for (size_t i = 0; i < p->group_count; i++) {
        free(p->groups[i].output);
        free(p->groups[i].growing);
        free(p->groups[i].streams);
    }
    free(p->groups);
    free(p->streams);
    rl_receiver_close(p->receiver);
    rl_descendants_close(p->facts.descendants);
    rl_buf_release(&p->notes);
    free(p->library);
    free(p->path);
}

/* Two tools cannot share CUPTI: whoever has set another one is told, rather than served by only one of them. */
static enum rl_status check_environment(struct rl_err *err)
{
    static const char *const variables[] = {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"};
    for (size_t i = 0; i < RL_COUNT(variables); i++) {
        const char *set = getenv(variables[i]);
        if (set && *set)
            return rl_err_set(err, RL_FAILED, "%s is set already, to '%s', and only one tool can observe a program: unset it first",
                              variables[i], set);
    }
    return RL_OK;
}

static enum rl_status prepare(struct program *p, struct rl_err *err)
{
    struct rl_buf output = RL_BUF_INIT;
    enum rl_status status = rl_program_output(p->options->output, 0, "host", "0", &output, err);
    if (status == RL_OK)
        status = rl_check_writable(output.data, err);
    if (status == RL_OK)
        status = check_environment(err);
    if (status == RL_OK)
        status = find_program(p, err);
    if (status == RL_OK)
        status = find_library(p, err);
    if (status == RL_OK)
        status = rl_receiver_open(&p->receiver, err);
    note_plans(p);
    if (status == RL_OK)
        status = give_notes(p, NULL, err);
    rl_buf_release(&output);
    return status;
}

static enum rl_status check_filters(const struct program *p, struct rl_err *err)
{
    size_t count = 0;
    struct rl_stream *const *streams = rl_receiver_streams(p->receiver, &count);
    return rl_program_filters_check(p->options, streams, count, err);
}

/* No signal ends this process meanwhile: the last capture would be lost. */
static enum rl_status run_and_save(struct program *p, struct rl_err *err)
{
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    watched_signals(&p->watched);
    sigprocmask(SIG_BLOCK, &p->watched, &p->mask);
    p->facts.descendants = rl_descendants_open(NULL);
    enum rl_status status = run_once(p, 0, err);
    p->summary->ran = status == RL_OK;
    p->facts.run_s = p->first_s = seconds_since(&start);
    if (status == RL_OK) {
        status = run_again(p, err);
        p->facts.complete = true;
        rl_receiver_stop(p->receiver);
        if (status == RL_OK)
            status = check_filters(p, err);
        enum rl_status saved = status == RL_ABSENT ? status : save(p, true, status == RL_OK ? err : NULL);
        status = status == RL_OK ? saved : status;
    }
    take_pending(p);
    sigprocmask(SIG_SETMASK, &p->mask, NULL);
    return status;
}

enum rl_status rl_collect_program(const struct rl_program_options *options, struct rl_program_summary *summary, struct rl_err *err)
{
    assert(options->output && options->program[0] && options->plan && options->tool_version);
    *summary = (struct rl_program_summary){0};
    struct program p = {.options = options, .summary = summary, .facts = {.options = options}, .notes = RL_BUF_INIT, .runs = 1};
    struct timespec now, start;
    clock_gettime(CLOCK_REALTIME, &now);
    clock_gettime(CLOCK_MONOTONIC, &start);
    p.facts.started_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    enum rl_status status = prepare(&p, err);
    if (status == RL_OK)
        status = run_and_save(&p, err);
    summary->exit_status = p.facts.main_status;
    summary->exit_signal = p.facts.main_signal;
    summary->wall_s = seconds_since(&start);
    release(&p);
    return status;
}
