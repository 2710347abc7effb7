/* program_processes.c - the processes of an observed program: what they have said, how they ended. */
#include "program_builder.h"
#include "sampling.h"

/* The streams of the timed run, where no other was asked for. */
static const char *one_run_text(const struct rl_program_facts *facts)
{
    const bool sampled = facts->sampling && facts->sampling->samples.count;
    const bool windows = facts->options->budget && facts->options->replay != RL_REPLAY_NONE;
    if (!sampled)
        return windows ? "one run: counting windows for chosen launches, and times of all launches outside them"
                       : "one run: times only, no counters";
    return windows ? "one run: counting windows for chosen launches, PM sampling by another process between them, and times of "
                     "all launches outside the windows"
                   : "one run: times of all launches, with PM sampling by another process";
}

static const char *phases_text(const struct rl_program_facts *facts)
{
    static const char *const texts[] = {
        [RL_REPLAY_KERNEL] = "two runs: times in the first, counters in the second by repeating chosen launches",
        [RL_REPLAY_APPLICATION] = "several runs: times in the first, one counter group in each of the others",
    };
    const enum rl_replay replay = facts->options->replay;
    return replay == RL_REPLAY_KERNEL || replay == RL_REPLAY_APPLICATION ? texts[replay] : one_run_text(facts);
}

/* How a process ended, which bounds how much of it was recorded. */
enum ending {
    ENDING_NOTICED,     /* it came to its exit handlers, and everything was gathered */
    ENDING_INTERRUPTED, /* it came there in the middle of something of ours */
    ENDING_REPLACED,    /* it has become another program */
    ENDING_ABRUPT,      /* killed, crashed, or _exit */
    ENDING_RUNNING,     /* it has not ended */
};

static enum ending ending_of(const struct rl_stream *stream)
{
    return stream->state & RL_RING_ENDED         ? ENDING_NOTICED
           : stream->state & RL_RING_INTERRUPTED ? ENDING_INTERRUPTED
           : stream->replaced                    ? ENDING_REPLACED
           : stream->gone                        ? ENDING_ABRUPT
                                                 : ENDING_RUNNING;
}

static const char *const ending_texts[] = {
    [ENDING_INTERRUPTED] = "was ended while its last launches were being gathered: some of them may be missing",
    [ENDING_REPLACED] = "became another program (exec): its last 0.1 s before that may be missing",
    [ENDING_ABRUPT] = "did not come to its exit handlers (killed, crashed, or _exit): its last 0.1 s may be missing",
    [ENDING_RUNNING] = "was still running when the program had ended: what it did after that is missing",
};

static void add_end(struct builder *b, struct rl_process *process, const struct rl_stream *stream)
{
    bool is_main = stream->hello.pid == b->facts->main_pid[0];
    const enum ending ending = ending_of(stream);
    const char *end = ending == ENDING_NOTICED || ending == ENDING_INTERRUPTED ? "exited" : "unknown";
    if (is_main && b->facts->main_ended && ending != ENDING_REPLACED) {
        end = b->facts->main_signal ? "killed" : "exited";
        process->status = b->facts->main_signal ? b->facts->main_signal : b->facts->main_status;
    }
    process->end = rl_capture_text(b->capture, end);
    if (!b->facts->main_ended || ending == ENDING_NOTICED)
        return;
    rl_capture_log(b->capture, 0, RL_LOG_WARNING, "process %" PRIu32 " %s", stream->hello.pid, ending_texts[ending]);
    b->capture->session.complete = false;
}

/* Launches that were made, but that CUPTI never reported. Few of them count as the mean of the others of their class, as launches
 * without a time do. */
static void add_gaps(struct builder *b, const struct rl_stream *stream)
{
    static const uint64_t ONE_OF = 1000;
    const uint64_t unrecorded = rl_stream_unrecorded(stream);
    if (!b->facts->main_ended || !unrecorded)
        return;
    rl_capture_log(b->capture, 0, RL_LOG_WARNING,
                   "process %" PRIu32 ": %" PRIu64 " of %" PRIu64
                   " launches have no record: they had not ended when the process did, or there was no room for their records",
                   stream->hello.pid, unrecorded, rl_stream_launches(stream));
    if (ONE_OF * unrecorded > rl_stream_launches(stream))
        b->capture->session.complete = false;
}

/* The cost of counters to the process, and that they have brought something for it. */
static void add_windows(struct builder *b, const struct rl_stream *stream)
{
    const struct rl_record_process *process = &stream->process;
    const uint64_t known = process->counted + process->passed + process->skipped,
                   nothing = process->untimed > known ? process->untimed - known : 0;
    /* Its last message about a failure, or NULL: the reason why windows brought nothing. */
    const char *why = NULL;
    for (size_t i = 0; i < stream->trouble_count; i++)
        why = stream->troubles[i].status != RL_OK || !why ? stream->troubles[i].text : why;
    struct rl_buf rest = RL_BUF_INIT;
    if (!process->windows && !process->unread_windows && !process->untimed)
        return;
    if (process->passed)
        rl_buf_addf(&rest, "; %" PRIu64 " passed in them, or in those of the program, and could not be counted", process->passed);
    if (process->skipped)
        rl_buf_addf(&rest,
                    "; %" PRIu64
                    " were not recorded, to find out what recording costs or to keep to the budget, and times are estimated "
                    "from the others",
                    process->skipped);
    if (nothing)
        rl_buf_addf(&rest, "; %" PRIu64 " have neither a time nor counters: their window brought none (%s)", nothing,
                    why ? why : "it does not say why");
    rl_capture_log(b->capture, 0, nothing ? RL_LOG_WARNING : RL_LOG_NOTE,
                   "process %" PRIu32 ": launches without a time: %" PRIu64 " counted in %" PRIu64
                   " window%s%s; delayed for %.3f s, and in windows for %.3f s, of %.3f s",
                   stream->hello.pid, process->counted, process->windows, process->windows == 1 ? "" : "s",
                   rest.data ? rest.data : "", (double)process->held_ns * 1e-9, (double)process->window_ns * 1e-9, b->facts->run_s);
    rl_buf_release(&rest);
}

static void add_process(struct builder *b, size_t s)
{
    assert(s < b->stream_count && b->streams[s]->hello.run == 0);
    const struct rl_stream *stream = b->streams[s];
    struct rl_process *process = rl_capture_add_process(b->capture);
    size_t index = b->capture->process_count - 1;
    process->pid = stream->hello.pid;
    process->parent_pid = stream->hello.parent_pid;
    process->host = rl_capture_text(b->capture, *stream->host ? stream->host : NULL);
    process->rank = rl_capture_text(b->capture, *stream->rank ? stream->rank : NULL);
    process->phases = rl_capture_text(b->capture, phases_text(b->facts));
    process->launches = rl_stream_launches(stream);
    process->untimed = stream->process.untimed;
    process->lost = stream->process.lost;
    process->unselected = stream->process.unselected;
    process->unselected_ns = stream->process.unselected_ns;
    process->command =
        rl_capture_command_line(b->capture, stream->arguments, stream->argument_count, b->facts->options->keep_command);
    add_end(b, process, stream);
    add_gaps(b, stream);
    add_windows(b, stream);
    /* A program that launches all the time takes longer when each launch is recorded, and no counting that is left out helps it. */
    static const double ALLOWANCE_S = 1;
    const double run_s = b->facts->run_s, made = (double)stream->process.made,
                 cost_s = (made - (double)stream->process.skipped) * RL_STREAM_RECORDING_NS * 1e-9,
                 held_s = (double)stream->process.held_ns * 1e-9, alone_s = run_s - cost_s - held_s,
                 room_s = 0.01 * (double)b->facts->options->budget * alone_s + ALLOWANCE_S;
    if (b->facts->main_ended && alone_s > 0 && b->facts->options->budget && cost_s + held_s > room_s)
        rl_capture_log(
            b->capture, 0, RL_LOG_NOTE,
            "process %" PRIu32 ": %.0f launches in %.1f s, %.0f a second: recording each of them takes %.1f us or more, %.1f s in "
            "all, so that the program took longer than the budget of %d %% and a second allows",
            stream->hello.pid, made, run_s, made / run_s, RL_STREAM_RECORDING_NS * 1e-3, cost_s, b->facts->options->budget);
    for (uint32_t g = 0; g < RL_STREAM_MOST_GPUS; g++)
        if (stream->gpus[g].known) {
            const struct rl_record_busy *busy = &stream->gpus[g].busy;
            *rl_capture_add_process_gpu(b->capture, index) =
                (struct rl_process_gpu){b->gpus[s][g], busy->span_ns, busy->busy_ns, busy->kernel_ns};
        }
}

static void add_ranges(struct builder *b, const struct rl_stream *stream, size_t process)
{
    assert(process < b->capture->process_count);
    size_t first = b->capture->range_count;
    for (size_t i = 0; i < stream->range_count; i++) {
        const struct rl_stream_range *from = &stream->ranges[i];
        assert(from->is.parent == RL_STREAM_NO_RANGE || (size_t)from->is.parent < i);
        struct rl_range *to = rl_capture_add_range(b->capture);
        to->process = process;
        to->parent = from->is.parent == RL_STREAM_NO_RANGE ? RL_NONE : first + (size_t)from->is.parent;
        to->domain = rl_capture_text(b->capture, from->is.has_domain ? from->domain : NULL);
        to->name = rl_capture_text(b->capture, from->name ? from->name : "");
        to->instances = from->totals.instances;
        to->host_ns = from->totals.host_ns;
        to->launches = from->totals.launches;
        to->gpu_ns = from->totals.gpu_ns;
    }
}

void rl_builder_add_troubles(struct builder *b, const struct rl_stream *stream)
{
    for (size_t i = 0; i < stream->trouble_count; i++) {
        enum rl_log_level level =
            stream->troubles[i].level <= RL_LOG_ERROR ? (enum rl_log_level)stream->troubles[i].level : RL_LOG_ERROR;
        rl_capture_log(b->capture, 0, level, "process %" PRIu32 ": %s", stream->hello.pid, stream->troubles[i].text);
        if (stream->troubles[i].status != RL_OK && b->counters == RL_OK) {
            b->counters = (enum rl_status)stream->troubles[i].status;
            b->counters_text = stream->troubles[i].text;
        }
    }
}

void rl_builder_add_processes(struct builder *b)
{
    for (size_t s = 0; s < b->stream_count; s++) {
        const struct rl_stream *stream = b->streams[s];
        rl_builder_add_troubles(b, stream);
        if (stream->hello.run != 0)
            continue;
        add_process(b, s);
        size_t process = b->capture->process_count - 1;
        assert(process < b->capture->process_count);
        for (size_t i = 0; i < b->streams[s]->transfer_count; i++) {
            const struct rl_record_transfer *from = &b->streams[s]->transfers[i];
            assert(from->gpu < RL_STREAM_MOST_GPUS && from->direction < RL_DIRECTIONS && from->memory < RL_MEMORIES);
            if (b->gpus[s][from->gpu] == RL_NONE)
                continue;
            const struct rl_transfer of = {.process = process,
                                           .gpu = b->gpus[s][from->gpu],
                                           .count = from->count,
                                           .bytes = from->bytes,
                                           .total_ns = from->total_ns};
            rl_capture_add_transfer_of(b->capture, &of, from->direction, from->memory, from->slowest, from->fastest);
        }
        add_ranges(b, stream, b->capture->process_count - 1);
    }
}

/* Nothing tells that a process was there which CUDA did not load rooflight into, or which cannot reach it: a capture never says
 * that there was none. */
static const char not_seen[] = "one whose environment lacks CUDA_INJECTION64_PATH, or that cannot reach rooflight (another network "
                               "namespace without ~/.cache, a filter of system calls), is not seen";

void rl_builder_add_unseen(struct builder *b)
{
    if (b->facts->main_ended && b->stream_count)
        rl_capture_log(b->capture, 0, RL_LOG_NOTE, "whether other processes of the program used CUDA is unknown: %s", not_seen);
}

void rl_builder_explain_nothing(struct builder *b)
{
    if (b->stream_count) {
        rl_capture_log(b->capture, 0, RL_LOG_WARNING, "the program used CUDA, but no selected kernel ran");
        return;
    }
    rl_capture_log(b->capture, 0, RL_LOG_WARNING, "no process was seen to use CUDA, and whether one did is unknown: %s", not_seen);
    b->capture->session.complete = false;
}
