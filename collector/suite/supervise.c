/* supervise.c - the process that the user started. It never touches the GPU: a child does, and when the child crashes, or a variant
 * hangs or breaks the device, the variant is marked as failed in the capture and another child goes on with the next one. */
#include <signal.h>
#include <unistd.h>

#include "core/child.h"
#include "outputs.h"
#include "session.h"

struct message {
    enum { ITEM_BEGINS, STEP_BEGINS, CHILD_ENDS } kind;
    size_t item;
    char what[160]; /* the step */
    int status;     /* enum rl_status or RL_RESUME */
    struct rl_collect_summary summary;
    struct rl_err err;
};

struct supervisor {
    const struct rl_collect_options *options;
    struct rl_collect_summary *summary;
    const struct rl_suite_item *items;
    size_t item_count;
    char **failed; /* of each item: why its process died, or NULL */
    char *path;    /* of the unfinished capture */
    struct rl_clock_lock lock;
    int64_t start_ns;
    size_t current; /* item in hand; RL_NONE: before the first */
    bool ended;     /* the child has said how it ended */
    struct message last;
};

/* Time limits: a launch has the user's; a variant as a whole (input, reference, timing) some of those. */
enum { LAUNCHES_PER_VARIANT_LIMIT = 10, DEFAULT_LIMIT_S = 60 };

static double time_limit(const struct rl_collect_options *options)
{
    return options->time_limit_s > 0 ? options->time_limit_s : DEFAULT_LIMIT_S;
}

/* ---- the child ---- */

static void send_message(int fd, const struct message *message)
{
    if (!rl_pipe_write(fd, message, sizeof *message))
        _exit(1); /* no listener any more */
}

static void report_item(void *context, size_t item)
{
    struct message message = {.kind = ITEM_BEGINS, .item = item};
    send_message(*(int *)context, &message);
}

static void report_step(void *context, const char *what)
{
    struct message message = {.kind = STEP_BEGINS};
    snprintf(message.what, sizeof message.what, "%s", what);
    send_message(*(int *)context, &message);
}

/* The work of one child: the items from `first` on. */
struct child_work {
    const struct supervisor *s;
    size_t first;
    bool resumes;
};

static void run_child(void *context, int fd)
{
    const struct child_work *work = context;
    const struct supervisor *s = work->s;
    assert(work->first <= s->item_count);
    struct message message = {.kind = CHILD_ENDS};
    struct rl_collect_task task = {.items = s->items,
                                   .item_count = s->item_count,
                                   .first = work->first,
                                   .failed = (const char *const *)s->failed,
                                   .resumes = work->resumes,
                                   .path = s->path,
                                   .start_ns = s->start_ns,
                                   .lock = s->lock.keeper ? &s->lock : NULL,
                                   .begins = report_item,
                                   .says = report_step,
                                   .context = &fd};
    rl_clock_lock_leave(&s->lock);
    rl_device_set_time_limit(time_limit(s->options));
    message.status = (int)rl_collect_items(s->options, &task, &message.summary, &message.err);
    send_message(fd, &message);
}

/* ---- the parent ---- */

/* Reads one whole message; false at the end of the pipe, or when nothing came for `limit_s` (then the child is killed). */
static bool read_message(const struct rl_child *child, double limit_s, struct message *message)
{
    enum rl_pipe end = rl_pipe_read(child->fd, message, sizeof *message, (int)(limit_s * 1000));
    if (end == RL_PIPE_SILENT)
        kill(child->pid, SIGKILL);
    return end == RL_PIPE_READ;
}

/* The summary is read off the capture: a child that dies takes its own with it. */
static enum rl_status summarise(struct supervisor *s, struct rl_err *err)
{
    struct rl_capture *capture = NULL;
    RL_TRY(rl_capture_read(s->options->output, &capture, err));
    for (size_t i = 0; i < capture->variant_count; i++) {
        const struct rl_variant *variant = &capture->variants[i];
        s->summary->variants_done += variant->status == RL_VARIANT_DONE;
        s->summary->variants_failed += variant->status == RL_VARIANT_FAILED;
        s->summary->variants_unsupported += variant->status == RL_VARIANT_UNSUPPORTED;
        s->summary->variants_wrong += variant->result == RL_RESULT_WRONG;
    }
    for (size_t i = 0; i < capture->log_count; i++)
        s->summary->warnings += capture->log[i].level > RL_LOG_NOTE;
    rl_capture_free(capture);
    return RL_OK;
}

/* Runs one child to its end; `*how` is its wait status. */
static enum rl_status run_one(struct supervisor *s, size_t first, bool resumes, int *how, struct rl_err *err)
{
    struct rl_child child;
    struct child_work work = {s, first, resumes};
    struct message message;
    s->ended = false;
    s->current = first;
    /* Who ends the parent means both; not by SIGKILL, which would leave a file half written. */
    RL_TRY(rl_child_start(&child, SIGPWR, run_child, &work, err));
    while (read_message(&child, LAUNCHES_PER_VARIANT_LIMIT * time_limit(s->options), &message)) {
        if (message.kind == CHILD_ENDS) {
            s->ended = true;
            s->last = message;
            for (size_t i = 0; i < RL_PHASE_COUNT; i++)
                s->summary->phase_s[i] += message.summary.phase_s[i];
            continue;
        }
        if (message.kind == ITEM_BEGINS)
            s->current = message.item;
        if (!s->options->progress)
            continue;
        char what[160] = "counters";
        if (message.kind == STEP_BEGINS)
            memcpy(what, message.what, sizeof what);
        else if (s->current < s->item_count)
            snprintf(what, sizeof what, "%s/%s", s->items[s->current].experiment->name, s->items[s->current].variant->name);
        s->options->progress(s->options->progress_context, s->current == RL_NONE ? 0 : s->current, s->item_count, what);
    }
    close(child.fd);
    (void)rl_child_wait(child.pid, how);
    return RL_OK;
}

/* Items already in the capture, and those that belong to none, are reported at once. */
static bool is_told(const struct supervisor *s, struct rl_capture *capture, const char *reason)
{
    struct rl_collect_summary summary = {0};
    struct rl_collecting collecting = {
        .options = s->options, .summary = &summary, .capture = capture, .path = s->path, .start_ns = s->start_ns};
    if (s->current == RL_NONE) {
        rl_warn(&collecting, "while roofs were measured: %s", reason);
        return true;
    }
    if (s->current >= capture->variant_count)
        return false;
    struct rl_variant *variant = &capture->variants[s->current];
    variant->status = RL_VARIANT_FAILED;
    variant->reason = rl_capture_text(capture, reason);
    rl_warn(&collecting, "%s/%s: %s", s->items[s->current].experiment->name, variant->name, reason);
    return true;
}

/* The item in hand is not tried again; what was done before it and is not in the capture that the dead child has left is. */
static enum rl_status mark_failed(struct supervisor *s, const char *reason, size_t *first, struct rl_err *err)
{
    struct rl_capture *capture = NULL;
    RL_TRY(rl_capture_read(s->path, &capture, err));
    enum rl_status status = RL_OK;
    *first = capture->variant_count;
    if (is_told(s, capture, reason)) {
        status = rl_capture_write(capture, s->path, err);
    } else {
        assert(s->current < s->item_count);
        free(s->failed[s->current]);
        s->failed[s->current] = rl_strdup(reason);
    }
    rl_capture_free(capture);
    return status;
}

/* After a child that did not finish: what is next? RL_OK: go on with item `*first`. */
static enum rl_status after_death(struct supervisor *s, int how, size_t *first, struct rl_err *err)
{
    assert(!s->ended || s->last.status == RL_RESUME);
    if (s->ended) { /* it has written all it had */
        *first = s->current == RL_NONE ? 0 : s->current + 1;
        return RL_OK;
    }
    RL_SCRATCH reason = RL_BUF_INIT;
    /* How the child ended without a word. */
    if (WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL)
        rl_buf_adds(&reason, "the collecting process was killed: it hung, or memory ran out");
    else if (WIFSIGNALED(how))
        rl_buf_addf(&reason, "the collecting process died of signal %d (%s)", WTERMSIG(how), strsignal(WTERMSIG(how)));
    else
        rl_buf_addf(&reason, "the collecting process ended with status %d", WEXITSTATUS(how));
    const bool goes_on = s->current == RL_NONE || s->current < s->item_count;
    /* A dead child while counters were taken leaves nothing to go on with but what is in the file. */
    return goes_on && rl_path_exists(s->path)
               ? mark_failed(s, reason.data, first, err)
               : rl_err_set(err, RL_FAILED, "%s; what was finished is in %s, marked incomplete", reason.data, s->path);
}

static enum rl_status supervise(struct supervisor *s, struct rl_err *err)
{
    size_t first = 0;
    for (bool resumes = false;; resumes = true) {
        int how = 0;
        RL_TRY(run_one(s, first, resumes, &how, err));
        enum rl_status status = RL_OK;
        if (s->ended && s->last.status != RL_RESUME) {
            s->summary->counters = s->last.summary.counters;
            memcpy(s->summary->counters_text, s->last.summary.counters_text, sizeof s->summary->counters_text);
            if (s->last.status != RL_OK)
                return rl_err_set(err, (enum rl_status)s->last.status, "%s", s->last.err.text);
            return summarise(s, err);
        }
        status = after_death(s, how, &first, err);
        if (status != RL_OK)
            return status;
    }
}

/* Removes the file of a killed session, which would be taken for the beginning of this one. */
static enum rl_status remove_leftover(const struct supervisor *s, struct rl_err *err)
{
    if (strcmp(s->path, s->options->output) == 0 || unlink(s->path) == 0 || errno == ENOENT)
        return RL_OK;
    return rl_err_set(err, RL_IO, "cannot remove '%s', which another collect has left: %s", s->path, strerror(errno));
}

enum rl_status rl_collect_suite(const struct rl_collect_options *options, struct rl_collect_summary *summary, struct rl_err *err)
{
    assert(options->output && options->plan && options->tool_version && options->item_count > 0);
    *summary = (struct rl_collect_summary){0};
    struct supervisor s = {.options = options,
                           .summary = summary,
                           .items = options->items,
                           .item_count = options->item_count,
                           .failed = rl_calloc(options->item_count, sizeof *s.failed),
                           .path = rl_growing_path(options->output),
                           .lock = RL_CLOCK_LOCK_NONE,
                           .start_ns = rl_monotonic_ns()};
    enum rl_status status = rl_check_writable(options->output, err);
    RL_THEN(status, remove_leftover(&s, err));
    if (status == RL_OK && options->lock_clocks_mhz != 0)
        status = rl_clock_lock_start(&s.lock, options->gpu, options->lock_clocks_mhz, err);
    RL_THEN(status, supervise(&s, err));
    struct rl_err still_locked = RL_ERR_INIT;
    if (rl_clock_lock_end(&s.lock, &still_locked) != RL_OK)
        status = status == RL_OK ? rl_err_set(err, RL_FAILED, "%s", still_locked.text)
                                 : rl_err_context(err, status, "%s", still_locked.text);
    summary->wall_s = rl_seconds_since(s.start_ns);
    for (size_t i = 0; i < s.item_count; i++)
        free(s.failed[i]);
    free(s.failed);
    rl_growing_end(s.path);
    return status;
}
