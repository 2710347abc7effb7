/* program.c - the process that the user started, when it observes another program. It starts the program with the injected part
 * named in the environment, passes signals on, waits, and makes captures of what the processes wrote: now and then while they run,
 * so that killing this process leaves a capture, and whole at the end. */
#include "availability.h"
#include "core/suggest.h"
#include "demangle.h"
#include "handout.h"
#include "outputs.h"
#include "program_parts.h"

enum { MOST_TOLD = 3, MOST_NAME = 100 };

struct names {
    struct rl_arena arena;
    const char **list;
    size_t count, cap;
};

static void add_name(struct names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->list[i], name) == 0)
            return;
    RL_APPEND(names->list, names->count, names->cap, name);
}

static void add_kernels(struct names *names, const struct rl_stream *stream)
{
    for (size_t i = 0; i < stream->refused_count; i++)
        add_name(names, rl_demangle(&names->arena, stream->refused[i]));
}

static void add_ranges(struct names *names, const struct rl_stream *stream)
{
    for (size_t i = 0; i < stream->range_count; i++)
        if (stream->ranges[i].name && *stream->ranges[i].name)
            add_name(names, stream->ranges[i].name);
}

/* The name nearest to `wanted` first. */
static void tell_names(struct rl_buf *out, const struct names *names, const char *wanted, const char *what)
{
    const char *nearest = rl_suggest_nearest(wanted, names->list, names->count);
    size_t told = 0;
    if (!names->count) {
        rl_buf_addf(out, "; there were no %s", what);
        return;
    }
    rl_buf_addf(out, "; %s: ", what);
    if (nearest) {
        rl_buf_addf(out, "'%.*s'", MOST_NAME, nearest);
        told++;
    }
    for (size_t i = 0; i < names->count && told < MOST_TOLD; i++)
        if (names->list[i] != nearest)
            rl_buf_addf(out, "%s'%.*s'", told++ ? ", " : "", MOST_NAME, names->list[i]);
    if (names->count > told)
        rl_buf_addf(out, " and %zu more", names->count - told);
}

/* Each filter as it is written on the command line, and what it looks at. */
static const struct filter {
    const char *option, *what;
    size_t offset;
    void (*add)(struct names *, const struct rl_stream *);
} filters[] = {
    {"--kernel", "kernels", offsetof(struct rl_program_options, kernel), add_kernels},
    {"--nvtx", "NVTX ranges", offsetof(struct rl_program_options, nvtx), add_ranges},
    {"--range", "NVTX ranges", offsetof(struct rl_program_options, range), add_ranges},
};

static bool any_selected(struct rl_stream *const *streams, size_t count, uint64_t *launches)
{
    bool any = false;
    *launches = 0;
    for (size_t s = 0; s < count; s++) {
        if (streams[s]->hello.run != 0)
            continue;
        *launches += rl_stream_launches(streams[s]);
        for (size_t i = 0; i < streams[s]->class_count; i++)
            any = any || rl_stream_class_launches(&streams[s]->classes[i]);
    }
    return any;
}

static void tell_filter(struct rl_buf *out, const struct filter *filter, const char *text, struct rl_stream *const *streams,
                        size_t count)
{
    struct names names = {.arena = RL_ARENA_INIT};
    rl_buf_addf(out, "%s %s '%s'", out->len ? " and" : "", filter->option, text);
    for (size_t s = 0; s < count; s++)
        if (streams[s]->hello.run == 0)
            filter->add(&names, streams[s]);
    tell_names(out, &names, text, filter->what);
    free(names.list);
    rl_arena_release(&names.arena);
}

/* ---- before the program runs ---- */

/* Next to the program when it is run from its build folder; where it was installed otherwise. */
static enum rl_status find_library(struct program *p, struct rl_err *err)
{
    static const char *const places[] = {"librooflight-inject.so", "../" RL_INJECT_LIBDIR "/rooflight/librooflight-inject.so",
                                         "../lib/rooflight/librooflight-inject.so"};
    RL_FREED char *here = rl_executable_dir();
    for (size_t i = 0; i < RL_COUNT(places) && !p->library; i++) {
        char *place = rl_path_join(here, places[i]);
        if (rl_path_exists(place))
            p->library = realpath(place, NULL);
        free(place);
    }
    enum rl_status status = RL_OK;
    if (!p->library)
        status = rl_err_set(err, RL_ABSENT, "librooflight-inject.so not found next to %s/rooflight: install rooflight again", here);
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

static void add_beside(const struct rl_configuration *configuration, const char *const *names, struct rl_buf *text)
{
    for (; names && *names; names++)
        rl_buf_addf(text, "%s\t" RL_HANDOUT_BESIDE "\t%s\t%s\n", configuration->name,
                    configuration->when ? configuration->when : "", *names);
}

/* A line for each counter in a note for each chip: a process learns its chip only when it runs. */
static void note_plan(struct program *p, const char *chip)
{
    const struct rl_configuration *configurations = NULL;
    size_t count = 0;
    struct rl_buf text = RL_BUF_INIT, name = RL_BUF_INIT;
    p->options->plan(p->options->plan_context, chip, &configurations, &count);
    for (size_t i = 0; i < count; i++) {
        if (configurations[i].of_device)
            continue;
        for (size_t n = 0; n < configurations[i].counter_count; n++)
            rl_buf_addf(&text, "%s\t%zu\t%s\t%s\n", configurations[i].name, configurations[i].fixed,
                        configurations[i].when ? configurations[i].when : "", configurations[i].counters[n]);
        if (configurations[i].counter_count) {
            add_beside(&configurations[i], configurations[i].witnesses, &text);
            add_beside(&configurations[i], configurations[i].beside, &text);
        }
    }
    rl_buf_addf(&name, RL_HANDOUT_PLAN "%s", chip ? chip : "unknown");
    rl_handout_add(&p->notes, name.data, &text);
    rl_buf_release(&name);
    rl_buf_release(&text);
}

/* ---- further runs ---- */

/* Killing this process leaves a capture; the last one tells what went wrong. */
static void save_now(struct program *p)
{
    struct rl_err ignored = RL_ERR_INIT;
    (void)rl_program_save(p, false, &ignored);
}

/* Given to processes of the next run: the plans, and (unless all are meant) the classes that they are to count. */
static enum rl_status give_notes(struct program *p, const struct rl_buf *wanted, struct rl_err *err)
{
    RL_SCRATCH notes = RL_BUF_INIT;
    if (wanted)
        rl_handout_add(&notes, RL_HANDOUT_WANTED, wanted);
    rl_buf_add(&notes, p->notes.data, p->notes.len);
    return rl_receiver_give(p->receiver, &notes, err);
}

/* `share` gets that of the GPU time which those classes have. */
static enum rl_status note_wanted(struct program *p, double *share, struct rl_err *err)
{
    RL_SCRATCH text = RL_BUF_INIT;
    rl_receiver_lock(p->receiver);
    rl_program_poll(p);
    *share = rl_program_wanted(&p->facts, p->streams, p->stream_count, &text);
    rl_program_forget(p);
    rl_receiver_unlock(p->receiver);
    return give_notes(p, &text, err);
}

static enum rl_status run_further(struct program *p, enum rl_replay replay, const char *why, struct rl_err *err)
{
    /* Kernel replay needs one more run, application replay one for each configuration. */
    const struct rl_configuration *configurations = NULL;
    size_t count = 0, runs = replay == RL_REPLAY_KERNEL;
    p->options->plan(p->options->plan_context, NULL, &configurations, &count);
    for (size_t i = 0; i < count && replay == RL_REPLAY_APPLICATION; i++)
        runs += rl_program_selects(&configurations[i]);
    const size_t room = RL_MOST_RUNS - p->runs;
    runs = runs < room ? runs : room;
    for (size_t i = 0; i < runs; i++)
        p->further[p->runs + i] = (struct further){replay, replay == RL_REPLAY_APPLICATION ? (long)i : -1};
    const size_t end = p->runs + runs;
    enum rl_status status = RL_OK;
    rl_program_sample_settle(p);
    for (rl_program_take_pending(p); p->runs < end && status == RL_OK && !p->stop; rl_program_take_pending(p)) {
        const size_t run = p->runs++;
        if (p->options->progress)
            p->options->progress(p->options->progress_context, run, end - 1, why);
        status = rl_program_run_once(p, run, save_now, err);
    }
    p->facts.stopped = p->stop;
    return status;
}

/* After a timed run that ended well. */
static enum rl_status run_again(struct program *p, struct rl_err *err)
{
    const enum rl_replay replay = p->options->replay;
    double share;
    if (p->facts.main_signal || p->facts.main_status)
        return RL_OK; /* it would only fail again */
    if (replay != RL_REPLAY_KERNEL && replay != RL_REPLAY_APPLICATION)
        return RL_OK;
    enum rl_status status = note_wanted(p, &share, err);
    return status == RL_OK && share > 0 ? run_further(p, replay, "the program again, for counters", err) : status;
}

/* Two tools cannot share CUPTI: whoever has another one gets an error, rather than only one of them. */
static enum rl_status check_environment(const struct program *p, struct rl_err *err)
{
    RL_SCRATCH which = RL_BUF_INIT;
    const bool other = rl_other_tool(p->options->program[0], &which);
    const enum rl_status status =
        other ? rl_err_set(err, RL_FAILED, "%s, and only one tool can observe a program: leave the other one out", which.data)
              : RL_OK;
    return status;
}

/* For later runs: which counters the GPUs have that processes had to ask for, and which of the plan's share a pass. */
static void keep_known(const struct program *p)
{
    size_t count = 0;
    struct rl_stream *const *streams = rl_receiver_streams(p->receiver, &count);
    for (size_t s = 0; s < count; s++)
        for (size_t g = 0; g < RL_STREAM_MOST_GPUS; g++)
            if (streams[s]->gpus[g].availability && streams[s]->gpus[g].chip)
                rl_availability_keep(streams[s]->gpus[g].chip, streams[s]->gpus[g].availability_key,
                                     streams[s]->gpus[g].availability, streams[s]->gpus[g].availability_size);
    if (rl_program_counts_in_first(p->options))
        rl_passes_keep(&p->notes, p->options->plan, p->options->plan_context);
}

/* No signal ends this process meanwhile: the last capture would be lost. */
static enum rl_status run_and_save(struct program *p, struct rl_err *err)
{
    const int64_t start_ns = rl_monotonic_ns();
    rl_program_watch_signals(p);
    enum rl_status status = rl_program_run_once(p, 0, save_now, err);
    p->summary->ran = status == RL_OK;
    p->facts.run_s = rl_seconds_since(start_ns);
    if (status == RL_OK) {
        status = run_again(p, err);
        p->facts.complete = true;
        rl_receiver_stop(p->receiver);
        rl_program_measure_tracer(p);
        if (status == RL_OK) {
            size_t count = 0;
            struct rl_stream *const *streams = rl_receiver_streams(p->receiver, &count);
            /* RL_ABSENT, with the names that are nearest to what was asked for, when kernels were launched in the timed run and the
             * filters have left out all of them. */
            const struct rl_program_options *options = p->options;
            struct rl_buf text = RL_BUF_INIT;
            uint64_t launches = 0;
            const bool any = any_selected(streams, count, &launches);
            for (size_t i = 0; i < RL_COUNT(filters); i++) {
                const char *given = *(const char *const *)(const void *)((const char *)options + filters[i].offset);
                if (given)
                    tell_filter(&text, &filters[i], given, streams, count);
            }
            if (options->launch_skip || options->launch_count)
                rl_buf_adds(&text, text.len ? " and --launch-skip, --launch-count" : " --launch-skip, --launch-count");
            if (options->profiler_api)
                rl_buf_adds(&text, text.len ? " and --profiler-api" : " --profiler-api");
            status = RL_OK;
            if (!any && launches && text.len)
                status =
                    rl_err_set(err, RL_ABSENT, "none of %llu launches was selected by%s", (unsigned long long)launches, text.data);
            rl_buf_release(&text);
        }
        if (status == RL_ABSENT)
            rl_program_unsave(p);
        enum rl_status saved = status == RL_ABSENT ? status : rl_program_save(p, true, status == RL_OK ? err : NULL);
        status = status == RL_OK ? saved : status;
        keep_known(p);
    }
    rl_program_take_pending(p);
    sigprocmask(SIG_SETMASK, &p->mask, NULL);
    return status;
}

static void note_plans(struct program *p)
{
    if (p->options->replay == RL_REPLAY_NONE)
        return;
    note_plan(p, NULL);
    for (size_t i = 0; i < p->options->chip_count; i++)
        note_plan(p, p->options->chips[i]);
}

static void release(struct program *p)
{
    rl_program_forget(p);
    rl_growing_end(p->growing);
    free(p->losses);
    for (size_t i = 0; i < p->group_count; i++) {
        free(p->groups[i].output);
        rl_growing_end(p->groups[i].growing);
        free(p->groups[i].streams);
    }
    RL_FREE(p->groups, p->streams);
    rl_receiver_close(p->receiver);
    if (p->sampling_begun)
        rl_sampling_release(&p->sampling);
    rl_buf_release(&p->notes);
    RL_FREE(p->library, p->path);
}

static enum rl_status prepare(struct program *p, struct rl_err *err)
{
    RL_SCRATCH output = RL_BUF_INIT;
    enum rl_status status = rl_program_output(p->options->output, 0, "host", "0", &output, err);
    if (status == RL_OK)
        status = rl_check_writable(output.data, err);
    if (status == RL_OK && !strchr(p->options->output, '%')) /* taken before it is measured, which others may do meanwhile */
        p->growing = rl_growing_path(output.data);
    if (status == RL_OK)
        status = check_environment(p, err);
    if (status == RL_OK)
        status = find_program(p, err);
    if (status == RL_OK)
        status = find_library(p, err);
    if (status == RL_OK)
        status = rl_receiver_open(&p->receiver, err);
    note_plans(p);
    if (rl_program_counts_in_first(p->options)) {
        /* Facts about GPUs from earlier runs. */
        rl_availability_give(&p->notes);
        rl_passes_give(&p->notes);
    }
    if (status == RL_OK)
        status = give_notes(p, NULL, err);
    return status;
}

enum rl_status rl_collect_program(const struct rl_program_options *options, struct rl_program_summary *summary, struct rl_err *err)
{
    assert(options->output && options->program[0] && options->plan && options->tool_version);
    *summary = (struct rl_program_summary){0};
    struct program p = {.options = options, .summary = summary, .facts = {.options = options}, .notes = RL_BUF_INIT, .runs = 1};
    const int64_t start_ns = rl_monotonic_ns();
    p.facts.started_ns = rl_realtime_ns();
    enum rl_status status = prepare(&p, err);
    if (status == RL_OK)
        status = run_and_save(&p, err);
    summary->exit_status = p.facts.main_status;
    summary->exit_signal = p.facts.main_signal;
    summary->stop = p.stop;
    summary->wall_s = rl_seconds_since(start_ns);
    release(&p);
    return status;
}
