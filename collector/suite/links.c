/* links.c - the process that the user started: holds the capture and starts the process that copies. */
#include "links.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/child.h"
#include "outputs.h"
#include "session.h"

struct session {
    const struct rl_links_options *options;
    const struct rl_links_work *work;
    const struct rl_link_limits *limits;
    struct rl_links_summary *summary;
    struct rl_capture *capture;
    struct rl_link_plan plan;
    char *path; /* of the unfinished capture */
    int64_t start_ns;
    size_t current; /* task in hand */
    bool finished;
};

static int64_t elapsed_ns(const struct session *s)
{
    return rl_monotonic_ns() - s->start_ns;
}

/* ---- processes ---- */

static void tell(void *context, const struct rl_link_message *message)
{
    if (!rl_pipe_write(*(int *)context, message, sizeof *message))
        _exit(1); /* no listener any more */
}

/* False at the end of the pipe, or after a silence. */
static bool read_message(const struct session *s, int fd, struct rl_link_message *message)
{
    return rl_pipe_read(fd, message, sizeof *message, s->work->silence_ms) == RL_PIPE_READ;
}

/* The work of a separate process. */
struct part {
    const struct session *s;
    void (*work)(const struct session *, int);
};

static void do_part(void *context, int fd)
{
    const struct part *part = context;
    part->work(part->s, fd);
}

/* `work` in a separate process. Who ends the parent means both; not by SIGKILL, which would leave a file half written. */
static enum rl_status start(const struct session *s, void (*work)(const struct session *, int), struct rl_child *child,
                            struct rl_err *err)
{
    struct part part = {s, work};
    return rl_child_start(child, SIGPWR, do_part, &part, err);
}

/* How it ended, in words. A hanging driver may keep it for ever: then it is left behind. */
static void stop(const struct rl_child *child, char *words, size_t size)
{
    assert(child->pid > 0 && child->fd >= 0);
    enum { PATIENCE_S = 5 };
    int how = 0;
    close(child->fd);
    if (!rl_child_ends_within(child->pid, PATIENCE_S, &how)) {
        kill(child->pid, SIGKILL);
        (void)rl_child_ends_within(child->pid, PATIENCE_S, &how);
        snprintf(words, size, "the copy hung");
    } else if (WIFSIGNALED(how)) {
        snprintf(words, size, "the copying process died of signal %d (%s)", WTERMSIG(how), strsignal(WTERMSIG(how)));
    } else {
        snprintf(words, size, "the copying process ended with status %d", WEXITSTATUS(how));
    }
}

/* ---- the capture ---- */

static void describe_work(const struct session *s, int fd)
{
    struct rl_link_message message = {.kind = RL_LINK_FINISHED};
    struct rl_err err = RL_ERR_INIT;
    message.status = (int)s->work->describe(s->path, s->options->gpus, s->options->gpu_count, &err);
    snprintf(message.text, sizeof message.text, "%.500s", err.text);
    tell(&fd, &message);
}

/* The GPUs and links, found by a process that ends then. */
static enum rl_status describe(struct session *s, struct rl_err *err)
{
    struct rl_link_message message = {.kind = RL_LINK_BEGINS};
    struct rl_child child;
    char words[256];
    RL_TRY(start(s, describe_work, &child, err));
    bool told = read_message(s, child.fd, &message);
    stop(&child, words, sizeof words);
    if (!told)
        return rl_err_set(err, RL_FAILED, "while the GPUs were opened: %s", words);
    if (message.status != RL_OK)
        return rl_err_set(err, (enum rl_status)message.status, "%s", message.text);
    enum rl_status status = rl_capture_read(s->path, &s->capture, err);
    if (status == RL_OK) {
        const struct rl_links_options *options = s->options;
        struct rl_session *session = &s->capture->session;
        session->tool_version = rl_capture_text(s->capture, options->tool_version);
        session->counters = rl_capture_text(s->capture, "not collected: only links were measured");
        rl_capture_set_command(s->capture, options->command, options->command_count, options->keep_command);
    }
    return status;
}

static void link_name(const struct rl_capture *capture, size_t link, char *out, size_t size)
{
    char ends[2][32];
    const size_t gpus[] = {capture->links[link].from_gpu, capture->links[link].to_gpu};
    for (size_t i = 0; i < 2; i++) {
        snprintf(ends[i], sizeof ends[i], "the host");
        if (gpus[i] != RL_NONE)
            snprintf(ends[i], sizeof ends[i], "GPU %d", capture->gpus[gpus[i]].index);
    }
    snprintf(out, size, "%s to %s", ends[0], ends[1]);
}

/* "GPU 0 to GPU 1", "GPU 0 to GPU 1, both ways", "all GPUs to the host". */
static void task_name(const struct session *s, size_t task, char *out, size_t size)
{
    const struct rl_link_task *row = &s->plan.tasks[task];
    char name[96];
    link_name(s->capture, row->links[0], name, sizeof name);
    if (row->traffic == RL_LINK_TOGETHER)
        snprintf(out, size, "%s",
                 s->capture->links[row->links[0]].from_gpu == RL_NONE ? "the host to all GPUs" : "all GPUs to the host");
    else
        snprintf(out, size, "%s%s", name, row->traffic == RL_LINK_BOTH_WAYS ? ", both ways" : "");
}

/* Where all GPUs copy at once, a fault cannot be assigned to one. */
static void mark_failed(struct session *s, size_t task, const char *why)
{
    assert(task < s->plan.task_count && why);
    const struct rl_link_task *row = &s->plan.tasks[task];
    struct rl_link *link = &s->capture->links[row->links[0]];
    char name[128];
    task_name(s, task, name, sizeof name);
    rl_capture_log(s->capture, elapsed_ns(s), RL_LOG_WARNING, "link %s: %s", name, why);
    for (size_t i = 0; i < row->link_count && row->traffic != RL_LINK_TOGETHER; i++) {
        link = &s->capture->links[row->links[i]];
        if (!link->failure)
            link->failure =
                rl_arena_printf(&s->capture->arena, "%s%s", row->traffic == RL_LINK_BOTH_WAYS ? "both ways: " : "", why);
    }
}

static enum rl_status take(struct session *s, const struct rl_link_message *message, struct rl_err *err)
{
    if (message->kind == RL_LINK_BEGINS) {
        s->current = message->task;
        char name[128];
        if (s->options->progress) {
            task_name(s, s->current, name, sizeof name);
            s->options->progress(s->options->progress_context, s->current, s->plan.task_count, name);
        }
        return rl_capture_write(s->capture, s->path, err);
    }
    if (message->kind == RL_LINK_RUN) {
        struct rl_link_run *run = rl_capture_add_link_run(s->capture);
        run->link = message->link;
        run->traffic = rl_capture_text(s->capture, rl_link_traffics[s->plan.tasks[message->task].traffic]);
        run->bytes = message->bytes;
        run->copies = message->copies;
        run->duration_count = message->sample_count;
        run->duration_ns = rl_arena_alloc(&s->capture->arena, message->sample_count * sizeof *run->duration_ns);
        memcpy(run->duration_ns, message->duration_ns, message->sample_count * sizeof *run->duration_ns);
    }
    if (message->kind == RL_LINK_PCIE) {
        const struct rl_link *link = &s->capture->links[message->link];
        struct rl_gpu *gpu = &s->capture->gpus[link->from_gpu == RL_NONE ? link->to_gpu : link->from_gpu];
        if (rl_present(message->generation))
            gpu->fact[RL_FACT_pcie_generation] = message->generation;
        if (rl_present(message->width))
            gpu->fact[RL_FACT_pcie_width] = message->width;
    }
    if (message->kind == RL_LINK_FAILED)
        mark_failed(s, message->task, message->text);
    s->finished |= message->kind == RL_LINK_FINISHED;
    return RL_OK;
}

static void measure_work(const struct session *s, int fd)
{
    s->work->measure(s->capture, &s->plan, s->current, s->limits, tell, &fd);
}

/* One process after the other, until one has come to the end. */
static enum rl_status measure(struct session *s, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    while (!s->finished && s->current < s->plan.task_count && status == RL_OK) {
        struct rl_link_message message = {.kind = RL_LINK_BEGINS};
        struct rl_child child;
        char words[256];
        bool failed = false;
        status = start(s, measure_work, &child, err);
        while (status == RL_OK && !s->finished && read_message(s, child.fd, &message)) {
            failed = message.kind == RL_LINK_FAILED;
            status = take(s, &message, err);
        }
        if (child.pid > 0)
            stop(&child, words, sizeof words);
        if (status == RL_OK && !s->finished && !failed) /* it died without a word about this task */
            mark_failed(s, s->current, words);
        s->current += !s->finished;
    }
    return status;
}

static enum rl_status finish(struct session *s, struct rl_err *err)
{
    struct rl_links_summary *summary = s->summary;
    for (size_t i = 0; i < s->capture->gpu_count; i++)
        rl_facts_moment(s->capture, i, "after", elapsed_ns(s));
    summary->gpus = s->capture->gpu_count;
    summary->links = s->capture->link_count;
    for (size_t i = 0; i < s->capture->link_count; i++)
        summary->failed += s->capture->links[i].failure != NULL;
    for (size_t i = 0; i < s->capture->log_count; i++)
        summary->warnings += s->capture->log[i].level > RL_LOG_NOTE;
    s->capture->session.complete = true;
    const enum rl_status status = rl_output_replace(s->capture, s->options->output, s->path, err);
    summary->wall_s = 1e-9 * (double)elapsed_ns(s);
    return status;
}

enum rl_status rl_links_run(const struct rl_links_options *options, const struct rl_links_work *work,
                            struct rl_links_summary *summary, struct rl_err *err)
{
    assert(options->output && options->tool_version);
    *summary = (struct rl_links_summary){0};
    struct session s = {.options = options,
                        .work = work,
                        .limits = options->quick ? &rl_link_quick : &rl_link_full,
                        .summary = summary,
                        .path = rl_growing_path(options->output),
                        .start_ns = rl_monotonic_ns()};
    enum rl_status status = rl_check_writable(options->output, err);
    RL_THEN(status, describe(&s, err));
    if (status == RL_OK) {
        s.plan = rl_link_plan_of(s.capture);
        status = measure(&s, err);
    }
    RL_THEN(status, finish(&s, err));
    rl_link_plan_release(&s.plan);
    rl_capture_free(s.capture);
    rl_growing_end(s.path);
    return status;
}

enum rl_status rl_collect_links(const struct rl_links_options *options, struct rl_links_summary *summary, struct rl_err *err)
{
    /* Opening many GPUs takes the longest. */
    static const struct rl_links_work work = {rl_links_describe, rl_links_measure, 90000};
    return rl_links_run(options, &work, summary, err);
}
