/* program_save.c - captures of what observed processes have said (program_parts.h). */
#include <unistd.h>

#include "outputs.h"
#include "program_parts.h"

void rl_program_forget(struct program *p)
{
    for (size_t i = 0; i < p->loss_count; i++)
        free(p->losses[i]);
    p->loss_count = p->stream_count = 0;
    for (size_t i = 0; i < p->group_count; i++)
        p->groups[i].count = 0;
}

static int compare_starts(const void *a, const void *b)
{
    const struct rl_stream *x = *(struct rl_stream *const *)a, *y = *(struct rl_stream *const *)b;
    return rl_ascending(x->hello.run, y->hello.run) ?: rl_ascending(x->hello.started_ns, y->hello.started_ns);
}

void rl_program_poll(struct program *p)
{
    size_t count = 0;
    struct rl_stream *const *streams = rl_receiver_streams(p->receiver, &count);
    for (size_t i = 0; i < count; i++) {
        RL_GROW(p->streams, p->stream_count + 1, p->stream_cap);
        if (rl_stream_known(streams[i]))
            p->streams[p->stream_count++] = streams[i];
        else if (rl_stream_lacks(streams[i])) {
            struct rl_buf text = RL_BUF_INIT;
            rl_stream_describe_loss(streams[i], &text);
            RL_APPEND(p->losses, p->loss_count, p->loss_cap, rl_buf_detach(&text, NULL));
        }
    }
    if (p->stream_count)
        rl_sort(p->streams, p->stream_count, sizeof(struct rl_stream *), compare_starts);
    p->facts.streams = p->streams;
    p->facts.stream_count = p->stream_count;
    p->facts.losses = (const char *const *)p->losses;
    p->facts.loss_count = p->loss_count;
}

static struct group *group_of(struct program *p, const char *output)
{
    assert(output && *output);
    for (size_t i = 0; i < p->group_count; i++)
        if (strcmp(p->groups[i].output, output) == 0)
            return &p->groups[i];
    RL_GROW(p->groups, p->group_count + 1, p->group_cap);
    struct group *group = &p->groups[p->group_count++];
    *group = (struct group){.output = rl_strdup(output), .growing = rl_growing_path(output)};
    return group;
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

static bool holds_kernels(const char *path)
{
    struct rl_capture *capture = NULL;
    bool holds = rl_path_exists(path) && rl_capture_read(path, &capture, NULL) == RL_OK && capture->kernel_count > 0;
    rl_capture_free(capture);
    return holds;
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
    for (size_t i = 0; i < capture->sampled_count; i++) {
        const size_t kernel = capture->sampled[i].kernel;
        if (i > 0 && capture->sampled[i - 1].kernel == kernel)
            continue;
        summary->sampled_classes++;
        summary->sampled_ns += capture->kernels[kernel].total_ns;
    }
    for (size_t i = 0; i < capture->log_count; i++)
        if (capture->log[i].level > RL_LOG_NOTE) {
            if (summary->warnings++ == 0)
                snprintf(summary->warning, sizeof summary->warning, "%s", capture->log[i].text);
        }
    if (!rl_session_counted(&capture->session))
        snprintf(summary->counters_text, sizeof summary->counters_text, "%s", capture->session.counters);
}

static enum rl_status save_group(struct program *p, struct group *group, bool last, struct rl_err *err)
{
    assert(group->capture && group->growing);
    const char *lacks = NULL;
    RL_SCRATCH why = RL_BUF_INIT;
    if (p->loss_count)
        rl_buf_adds(&why, p->losses[0]);
    for (size_t i = 0; i < group->count && !why.len; i++)
        if (rl_stream_lacks(group->streams[i]))
            rl_stream_describe_loss(group->streams[i], &why);
    /* Nothing, because what processes have said cannot be read any more, does not replace what was saved before. */
    const bool worthless = why.len && group->capture->kernel_count == 0 && group->saved && holds_kernels(group->growing);
    enum rl_status status = RL_OK;
    if (!worthless)
        status = last ? rl_output_finish(group->capture, group->output, group->growing, &lacks, err)
                      : rl_capture_write(group->capture, group->growing, err);
    group->saved |= !last && status == RL_OK;
    if (last && status == RL_OK)
        summarise(p->summary, group->capture, lacks || worthless ? group->growing : group->output, p->summary->captures == 0);
    if (last && worthless && p->summary->kept++ == 0)
        snprintf(p->summary->kept_text, sizeof p->summary->kept_text, "'%s' is left as it was: %s", group->growing, why.data);
    if (lacks && p->summary->kept++ == 0)
        snprintf(p->summary->kept_text, sizeof p->summary->kept_text, "'%s' is left as it was: this capture %s", group->output,
                 lacks);
    return status;
}

void rl_program_unsave(struct program *p)
{
    for (size_t i = 0; i < p->group_count; i++)
        if (p->groups[i].saved)
            (void)unlink(p->groups[i].growing);
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
        if (group) {
            assert(rl_stream_known(stream));
            RL_APPEND(group->streams, group->count, group->cap, stream);
        }
        nth++;
        rl_buf_release(&output);
    }
}

/* Where nothing used CUDA there is one capture all the same, which says so. */
static void group_of_nothing(struct program *p)
{
    RL_SCRATCH output = RL_BUF_INIT;
    char host[256] = "";
    (void)gethostname(host, sizeof host - 1);
    name_of(p, p->facts.main_pid[0], host, NULL, &output);
    group_of(p, output.data);
}

/* Processes go on talking while a capture is written, not while it is made. */
enum rl_status rl_program_save(struct program *p, bool last, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    rl_receiver_lock(p->receiver);
    rl_program_poll(p);
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
    rl_program_forget(p);
    return status;
}
