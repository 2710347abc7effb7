/* program_capture.c - processes to one picture: the same kernel class in several processes on one GPU is one class. */
#include "program_capture.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/mem.h"
#include "core/stats.h"
#include "demangle.h"
#include "facts.h"
#include "nvml.h"

enum { MOST_UNCOUNTED_ROWS = 1000 }; /* classes for which each missing counter is told one by one */
static const double SHARE = 0.99;

/* A class of the capture and where it was seen. */
struct merged {
    const char *name;
    struct rl_record_class shape; /* gpu is the capture's */
    struct part {
        const struct rl_stream *stream;
        const struct rl_stream_class *class;
    } * parts;
    size_t part_count, part_cap;
    uint64_t seen, timed, graph, total_ns, min_ns, max_ns;
    double squares;
    size_t counted;     /* launches, of the configuration with the fewest */
    size_t kin_counted; /* shapes of the same kernel that have counters */
};

struct builder {
    const struct rl_program_facts *facts;
    struct rl_capture *capture;
    struct rl_stream *const *streams;
    size_t stream_count;
    struct merged *classes;
    size_t class_count, class_cap;
    uint32_t *slots; /* class + 1 by place_of, while classes are merged; a power of two of them */
    size_t slot_count;
    size_t (*gpus)[RL_STREAM_MOST_GPUS]; /* of each stream: index in the capture; RL_NONE */
    bool *conditional;                   /* of each pass of the capture: only some classes are to have it */
    bool lacks;                          /* something is missing of what processes have said */
    enum rl_status counters;             /* why there are none, as a process told */
    const char *counters_text;
};

/* ---- session and GPUs ---- */

static char *time_text(struct rl_capture *capture, int64_t since_1970_ns)
{
    time_t seconds = (time_t)(since_1970_ns / 1000000000);
    struct tm utc;
    char text[32] = "";
    if (gmtime_r(&seconds, &utc))
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return rl_capture_text(capture, text);
}

static void describe_session(struct builder *b)
{
    const struct rl_program_options *options = b->facts->options;
    struct rl_session *session = &b->capture->session;
    rl_facts_host(b->capture);
    session->started = time_text(b->capture, b->facts->started_ns);
    session->tool_version = rl_capture_text(b->capture, options->tool_version);
    rl_capture_set_command(b->capture, options->command, options->command_count, options->keep_command);
    session->complete = b->facts->complete && !b->facts->main_signal;
}

/* What could not be read, or not be written, is told first, and the capture is not complete without it. */
static void add_losses(struct builder *b)
{
    for (size_t i = 0; i < b->facts->loss_count; i++)
        rl_capture_log(b->capture, 0, RL_LOG_ERROR, "%s", b->facts->losses[i]);
    b->lacks = b->facts->loss_count > 0;
    for (size_t s = 0; s < b->stream_count; s++)
        if (rl_stream_lacks(b->streams[s])) {
            struct rl_buf text = RL_BUF_INIT;
            rl_stream_describe_loss(b->streams[s], &text);
            rl_capture_log(b->capture, 0, RL_LOG_ERROR, "%s", text.data);
            rl_buf_release(&text);
            b->lacks = true;
        }
    if (b->facts->stopped)
        rl_capture_log(b->capture, 0, RL_LOG_WARNING,
                       "interrupted by signal %d (%s): counters are missing that further runs would have taken", b->facts->stopped,
                       strsignal(b->facts->stopped));
    if (b->lacks || b->facts->stopped)
        b->capture->session.complete = false;
}

/* The same card has the same UUID in every process; one without is told apart by its number. */
static size_t find_gpu(const struct rl_capture *capture, const struct rl_record_gpu *is, const char *uuid)
{
    for (size_t i = 0; i < capture->gpu_count; i++)
        if (uuid ? capture->gpus[i].uuid && strcmp(capture->gpus[i].uuid, uuid) == 0
                 : !capture->gpus[i].uuid && capture->gpus[i].index == (int)is->gpu)
            return i;
    return RL_NONE;
}

static size_t add_gpu(struct builder *b, const struct rl_stream *stream, uint32_t ordinal)
{
    static const uint8_t no_uuid[16];
    const struct rl_record_gpu *is = &stream->gpus[ordinal].is;
    char text[RL_UUID_TEXT];
    const char *uuid = memcmp(is->uuid, no_uuid, sizeof no_uuid) != 0 ? rl_facts_uuid(is->uuid, text) : NULL;
    size_t found = find_gpu(b->capture, is, uuid);
    if (found != RL_NONE)
        return found;
    struct rl_gpu *gpu = rl_capture_add_gpu(b->capture);
    gpu->index = (int)is->gpu;
    gpu->name = rl_capture_text(b->capture, stream->gpus[ordinal].name);
    gpu->uuid = rl_capture_text(b->capture, uuid);
    gpu->chip = rl_capture_text(b->capture, stream->gpus[ordinal].chip);
    gpu->cc_major = (int)is->cc_major;
    gpu->cc_minor = (int)is->cc_minor;
    if (is->memory_bytes)
        gpu->fact[RL_FACT_memory_bytes] = rl_value_of((double)is->memory_bytes);
    for (uint32_t i = 0; i < is->attribute_count; i++)
        rl_facts_attribute(gpu, is->attributes[i].attribute, is->attributes[i].value);
    if (uuid)
        rl_facts_of_card(gpu);
    if (is->driver_version > 0 && !b->capture->session.cuda_driver)
        b->capture->session.cuda_driver =
            rl_arena_printf(&b->capture->arena, "%d.%d", is->driver_version / 1000, is->driver_version % 1000 / 10);
    if (stream->gpus[ordinal].cupti && *stream->gpus[ordinal].cupti)
        b->capture->session.cupti = rl_capture_text(b->capture, stream->gpus[ordinal].cupti);
    return b->capture->gpu_count - 1;
}

static void add_gpus(struct builder *b)
{
    b->gpus = rl_calloc(b->stream_count, sizeof *b->gpus);
    for (size_t s = 0; s < b->stream_count; s++)
        for (uint32_t g = 0; g < RL_STREAM_MOST_GPUS; g++)
            b->gpus[s][g] = b->streams[s]->gpus[g].known ? add_gpu(b, b->streams[s], g) : RL_NONE;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t now_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    for (size_t g = 0; g < b->capture->gpu_count; g++)
        if (b->capture->gpus[g].uuid && rl_nvml_open(NULL) == RL_OK)
            rl_facts_moment(b->capture, g, b->facts->complete ? "after" : "during", now_ns - b->facts->started_ns);
}

/* ---- processes ---- */

static const char *phases_text(const struct rl_program_facts *facts)
{
    static const char *const texts[] = {
        [RL_REPLAY_NONE] = "times only, no counters",
        [RL_REPLAY_AUTO] =
            "one run: times all along, but for windows in which counters were taken of chosen launches and nothing was timed",
        [RL_REPLAY_ROTATE] =
            "one run: times all along, but for windows in which counters were taken of chosen launches and nothing was timed",
        [RL_REPLAY_KERNEL] = "two runs: times in the first, counters in the second by repeating chosen launches",
        [RL_REPLAY_APPLICATION] = "several runs: times in the first, one configuration of counters in each of the others",
    };
    if (facts->options->replay == RL_REPLAY_AUTO && facts->main_pid[1])
        return "several runs: times in the first, but for windows in which counters were taken of chosen launches; in the others "
               "counters of classes that were launched too seldom for that";
    return texts[facts->options->replay];
}

/* What is known of how a process ended, and what that means for what is known of it. */
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

/* Launches that were made, but that CUPTI never told of. */
static void add_gaps(struct builder *b, const struct rl_stream *stream)
{
    const uint64_t unrecorded = rl_stream_unrecorded(stream);
    if (!b->facts->main_ended || !unrecorded)
        return;
    rl_capture_log(b->capture, 0, RL_LOG_WARNING,
                   "process %" PRIu32 ": %" PRIu64 " of %" PRIu64
                   " launches have no record: they had not ended when the process did, or "
                   "there was no room for what was said of them",
                   stream->hello.pid, unrecorded, rl_stream_launches(stream));
    b->capture->session.complete = false;
}

static void add_process(struct builder *b, size_t s)
{
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
    for (uint32_t g = 0; g < RL_STREAM_MOST_GPUS; g++)
        if (stream->gpus[g].known) {
            const struct rl_record_busy *busy = &stream->gpus[g].busy;
            *rl_capture_add_process_gpu(b->capture, index) =
                (struct rl_process_gpu){b->gpus[s][g], busy->span_ns, busy->busy_ns, busy->kernel_ns};
        }
}

static struct rl_value rate(double bytes_per_second)
{
    return bytes_per_second > 0 ? rl_value_of(bytes_per_second) : rl_value_missing(RL_NOT_COLLECTED, "no copy of 1 MiB or more");
}

static void add_transfers(struct builder *b, size_t s, size_t process)
{
    static const char *const directions[RL_DIRECTIONS] = {"to device", "to host", "on device", "between devices", "on host", "set"};
    static const char *const memories[RL_MEMORIES] = {"pageable", "pinned", "managed", "device", "unknown"};
    for (size_t i = 0; i < b->streams[s]->transfer_count; i++) {
        const struct rl_record_transfer *from = &b->streams[s]->transfers[i];
        if (b->gpus[s][from->gpu] == RL_NONE)
            continue;
        struct rl_transfer *to = rl_capture_add_transfer(b->capture);
        to->process = process;
        to->gpu = b->gpus[s][from->gpu];
        to->direction = rl_capture_text(b->capture, directions[from->direction]);
        to->memory = rl_capture_text(b->capture, memories[from->memory]);
        to->count = from->count;
        to->bytes = from->bytes;
        to->total_ns = from->total_ns;
        to->slowest = rate(from->slowest);
        to->fastest = rate(from->fastest);
    }
}

static void add_ranges(struct builder *b, const struct rl_stream *stream, size_t process)
{
    size_t first = b->capture->range_count;
    for (size_t i = 0; i < stream->range_count; i++) {
        const struct rl_stream_range *from = &stream->ranges[i];
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

static void add_troubles(struct builder *b, const struct rl_stream *stream)
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

static void add_processes(struct builder *b)
{
    for (size_t s = 0; s < b->stream_count; s++) {
        const struct rl_stream *stream = b->streams[s];
        add_troubles(b, stream);
        if (stream->hello.run != 0)
            continue;
        add_process(b, s);
        add_transfers(b, s, b->capture->process_count - 1);
        add_ranges(b, stream, b->capture->process_count - 1);
    }
}

/* ---- classes ---- */

static bool is_class(const struct merged *merged, size_t gpu, const struct rl_stream_class *class)
{
    const struct rl_record_class *a = &merged->shape, *b = &class->is;
    return a->gpu == gpu && a->dynamic_shared_bytes == b->dynamic_shared_bytes && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0 && strcmp(merged->name, class->name) == 0;
}

static size_t place_of(const struct builder *b, size_t gpu, const struct rl_stream_class *class)
{
    const uint64_t hash = rl_stream_hash(class->name, class->is.grid, class->is.block, class->is.dynamic_shared_bytes);
    return (hash ^ gpu * UINT64_C(0x9e3779b97f4a7c15)) & (b->slot_count - 1);
}

static struct merged *find_class(struct builder *b, size_t gpu, const struct rl_stream_class *class)
{
    if (!b->slot_count)
        return NULL;
    for (size_t at = place_of(b, gpu, class); b->slots[at]; at = (at + 1) & (b->slot_count - 1))
        if (is_class(&b->classes[b->slots[at] - 1], gpu, class))
            return &b->classes[b->slots[at] - 1];
    return NULL;
}

static void put_class(struct builder *b, size_t index)
{
    const struct rl_stream_class *class = b->classes[index].parts[0].class;
    size_t at = place_of(b, b->classes[index].shape.gpu, class);
    while (b->slots[at])
        at = (at + 1) & (b->slot_count - 1);
    b->slots[at] = (uint32_t)index + 1;
}

/* The table is at most half full. */
static void enter_class(struct builder *b, size_t index)
{
    if (2 * (index + 1) > b->slot_count) {
        b->slot_count = b->slot_count ? 2 * b->slot_count : 64;
        free(b->slots);
        b->slots = rl_calloc(b->slot_count, sizeof *b->slots);
        for (size_t i = 0; i < index; i++)
            put_class(b, i);
    }
    put_class(b, index);
}

/* Sums of squared deviations of two sets: Chan, Golub and LeVeque, COMPSTAT 1982. */
static void add_totals(struct merged *merged, const struct rl_stream_class *class)
{
    const struct rl_record_totals *totals = &class->totals;
    if (totals->timed && merged->timed) {
        double a = (double)merged->timed, c = (double)totals->timed;
        double apart = (double)totals->total_ns / c - (double)merged->total_ns / a;
        merged->squares += totals->squares + apart * apart * a * c / (a + c);
    } else {
        merged->squares += totals->squares;
    }
    if (totals->timed) {
        merged->min_ns = merged->timed && merged->min_ns < totals->min_ns ? merged->min_ns : totals->min_ns;
        merged->max_ns = merged->max_ns > totals->max_ns ? merged->max_ns : totals->max_ns;
    }
    merged->seen += rl_stream_class_launches(class);
    merged->timed += totals->timed;
    merged->graph += totals->graph;
    merged->total_ns += totals->total_ns;
}

static void merge_class(struct builder *b, size_t s, const struct rl_stream_class *class)
{
    const struct rl_stream *stream = b->streams[s];
    size_t gpu = class->name ? b->gpus[s][class->is.gpu] : RL_NONE;
    if (gpu == RL_NONE)
        return;
    struct merged *merged = find_class(b, gpu, class);
    const bool fresh = !merged;
    if (!merged && stream->hello.run != 0)
        return; /* launched only while counters were taken: there is no time to go with them */
    if (!merged) {
        RL_GROW(b->classes, b->class_count + 1, b->class_cap);
        merged = &b->classes[b->class_count++];
        *merged = (struct merged){.name = class->name, .shape = class->is};
        merged->shape.gpu = (uint32_t)gpu;
    }
    RL_GROW(merged->parts, merged->part_count + 1, merged->part_cap);
    merged->parts[merged->part_count++] = (struct part){stream, class};
    if (fresh)
        enter_class(b, (size_t)(merged - b->classes));
    if (stream->hello.run == 0)
        add_totals(merged, class);
}

static int compare_totals(const void *a, const void *b)
{
    const struct merged *x = a, *y = b;
    int by_time = (x->total_ns < y->total_ns) - (x->total_ns > y->total_ns);
    return by_time ? by_time : strcmp(x->name, y->name);
}

static void merge_classes(struct builder *b)
{
    for (size_t s = 0; s < b->stream_count; s++)
        for (size_t i = 0; i < b->streams[s]->class_count; i++)
            merge_class(b, s, &b->streams[s]->classes[i]);
    if (b->class_count)
        qsort(b->classes, b->class_count, sizeof *b->classes, compare_totals);
}

static int compare_samples(const void *a, const void *b)
{
    const struct rl_stream_sample *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->duration_ns > y->duration_ns) - (x->duration_ns < y->duration_ns);
}

/* Puts a process's samples in the order of starting, and keeps `take` of them, spread over the whole. */
static size_t thin_samples(struct rl_stream_sample *samples, size_t count, size_t take)
{
    if (count)
        qsort(samples, count, sizeof *samples, compare_samples);
    for (size_t i = 0; i < take; i++)
        samples[i] = samples[(2 * i + 1) * count / (2 * take)];
    return take;
}

/* Each process's part of the samples is as large as its part of the launches. */
static void add_samples(struct builder *b, struct rl_kernel *kernel, const struct merged *merged)
{
    struct rl_stream_sample *samples = rl_calloc(merged->part_count * RL_STREAM_SAMPLES, sizeof *samples);
    size_t count = 0;
    for (size_t p = 0; p < merged->part_count; p++) {
        const struct rl_stream_class *class = merged->parts[p].class;
        if (merged->parts[p].stream->hello.run != 0)
            continue;
        size_t take = class->sample_count;
        if (class->totals.timed < merged->timed && merged->timed > RL_STREAM_SAMPLES) {
            double share = RL_STREAM_SAMPLES * (double)class->totals.timed / (double)merged->timed;
            take = (size_t)ceil(share) < take ? (size_t)ceil(share) : take;
        }
        if (class->sample_count)
            memcpy(&samples[count], class->samples, class->sample_count * sizeof *samples);
        count += thin_samples(&samples[count], class->sample_count, take);
    }
    if (count)
        qsort(samples, count, sizeof *samples, compare_samples);
    kernel->duration_ns = rl_arena_alloc(&b->capture->arena, count * sizeof *kernel->duration_ns);
    for (; kernel->duration_count < count; kernel->duration_count++)
        kernel->duration_ns[kernel->duration_count] = samples[kernel->duration_count].duration_ns;
    free(samples);
}

static void describe_shape(struct rl_kernel *kernel, struct rl_kernel_use *use, const struct merged *merged)
{
    for (size_t p = 0; p < merged->part_count; p++)
        if (merged->parts[p].class->has_shape) {
            const struct rl_record_shape *shape = &merged->parts[p].class->shape;
            kernel->registers_per_thread = rl_value_of(shape->registers);
            kernel->static_shared_bytes = rl_value_of(shape->static_shared_bytes);
            kernel->local_bytes_per_thread = rl_value_of(shape->local_bytes);
            memcpy(use->cluster, shape->cluster, sizeof use->cluster);
            return;
        }
}

/* ---- counters ---- */

static size_t pass_of(struct builder *b, size_t gpu, const struct rl_stream_pass *from)
{
    for (size_t i = 0; i < b->capture->pass_count; i++)
        if (b->capture->passes[i].gpu == gpu && strcmp(b->capture->passes[i].configuration, from->configuration) == 0 &&
            strcmp(b->capture->passes[i].mode, from->mode) == 0)
            return i;
    struct rl_pass *pass = rl_capture_add_pass(b->capture);
    pass->gpu = gpu;
    pass->configuration = rl_capture_text(b->capture, from->configuration);
    pass->mode = rl_capture_text(b->capture, from->mode);
    pass->cache = rl_capture_text(b->capture, "unknown"); /* as the program left it */
    b->conditional = rl_realloc(b->conditional, b->capture->pass_count, sizeof *b->conditional);
    b->conditional[b->capture->pass_count - 1] = from->is.conditional;
    return b->capture->pass_count - 1;
}

/* Over the counted launches of a class, in all parts. */
struct summed_up {
    size_t count;         /* launches */
    size_t numbers;       /* of their values */
    struct rl_value each; /* median */
    double least, most;   /* of those that are numbers; equal when there is none */
};

static struct summed_up sum_up(const struct merged *merged, const char *configuration, uint32_t column)
{
    struct summed_up found = {0};
    double *values = NULL;
    size_t cap = 0, finite = 0;
    for (size_t p = 0; p < merged->part_count; p++)
        for (size_t i = 0; i < merged->parts[p].class->counted_count; i++) {
            const struct rl_stream_counted *counted = &merged->parts[p].class->counted[i];
            const struct rl_stream_pass *pass = &merged->parts[p].stream->passes[counted->pass];
            if (strcmp(pass->configuration, configuration) != 0 || column >= pass->is.counter_count)
                continue;
            found.count++;
            RL_GROW(values, finite + 1, cap);
            if (isfinite(counted->values[column]))
                values[finite++] = counted->values[column];
        }
    const struct rl_stats stats = rl_stats_of(values, finite);
    found.each = finite ? rl_value_of(stats.median) : rl_value_missing(RL_VALUE_FAILED, "not a finite number");
    found.numbers = finite;
    found.least = stats.min;
    found.most = stats.max;
    free(values);
    return found;
}

static void store(struct builder *b, size_t kernel, const char *name, struct rl_value value, size_t pass)
{
    struct rl_counter *counter = rl_capture_add_counter(b->capture, kernel);
    counter->name = rl_capture_text(b->capture, name);
    counter->value = value;
    counter->value.reason = rl_capture_text(b->capture, value.reason);
    counter->pass = pass;
}

/* Whether the plan of the chip has the counter as a witness. */
static bool is_witness(const struct builder *b, size_t gpu, const char *name)
{
    const struct rl_collect_configuration *wanted = NULL;
    size_t count = 0;
    b->facts->options->plan(b->facts->options->plan_context, b->capture->gpus[gpu].chip, &wanted, &count);
    for (size_t i = 0; i < count; i++)
        for (const char *const *witness = wanted[i].witnesses; witness && *witness; witness++)
            if (strcmp(*witness, name) == 0)
                return true;
    return false;
}

/* Of a witness that was read several times the least and the most are kept, too: they tell whether the launches do the same work.
 */
static size_t store_counter(struct builder *b, size_t kernel, const struct merged *merged, const struct rl_stream_pass *pass,
                            uint32_t column, size_t index)
{
    const char *name = pass->counters[column];
    const struct summed_up found = sum_up(merged, pass->configuration, column);
    const bool known = rl_kernel_counter(&b->capture->kernels[kernel], name) != NULL,
               witness = found.numbers > 1 && is_witness(b, merged->shape.gpu, name);
    if (!known)
        store(b, kernel, name, found.each, index);
    if (witness) {
        store(b, kernel, name, rl_value_of(found.least), index);
        store(b, kernel, name, rl_value_of(found.most), index);
    }
    return found.count;
}

/* The counters of the pass that the part's first counted launch under it names. */
static void store_pass(struct builder *b, size_t kernel, struct merged *merged, const struct rl_stream_pass *pass, bool first)
{
    size_t index = pass_of(b, merged->shape.gpu, pass), count = 0;
    for (uint32_t c = 0; c < pass->is.counter_count; c++)
        count = store_counter(b, kernel, merged, pass, c, index);
    merged->counted = first || count < merged->counted ? count : merged->counted;
}

static bool was_stored(const struct rl_stream_pass *const *seen, size_t count, const struct rl_stream_pass *pass)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(seen[i]->configuration, pass->configuration) == 0)
            return true;
    return false;
}

static void store_counters(struct builder *b, size_t kernel, struct merged *merged)
{
    enum { MOST = 64 };
    const struct rl_stream_pass *seen[MOST];
    size_t count = 0;
    for (size_t p = 0; p < merged->part_count; p++)
        for (size_t i = 0; i < merged->parts[p].class->counted_count; i++) {
            const struct rl_stream_counted *counted = &merged->parts[p].class->counted[i];
            const struct rl_stream_pass *pass = &merged->parts[p].stream->passes[counted->pass];
            if (count == MOST || !pass->configuration || was_stored(seen, count, pass))
                continue;
            store_pass(b, kernel, merged, pass, count == 0);
            seen[count++] = pass;
        }
}

static bool is_configuration(const struct rl_stream_pass *pass, const char *name, const char *mode)
{
    return pass->configuration && !pass->is.conditional && strcmp(pass->configuration, name) == 0 && strcmp(pass->mode, mode) == 0;
}

static bool has_configuration(const struct merged *merged, const char *name, const char *mode)
{
    for (size_t p = 0; p < merged->part_count; p++)
        for (size_t i = 0; i < merged->parts[p].class->counted_count; i++)
            if (is_configuration(&merged->parts[p].stream->passes[merged->parts[p].class->counted[i].pass], name, mode))
                return true;
    return false;
}

/* Whether the class has every configuration of `mode` that the processes on its GPU have announced, of one at least. */
static bool is_whole_under(const struct builder *b, const struct merged *merged, const char *mode)
{
    bool any = false;
    for (size_t i = 0; i < b->capture->pass_count; i++) {
        const struct rl_pass *pass = &b->capture->passes[i];
        if (pass->gpu != merged->shape.gpu || b->conditional[i] || strcmp(pass->mode, mode) != 0)
            continue;
        if (!has_configuration(merged, pass->configuration, mode))
            return false;
        any = true;
    }
    return any;
}

/* A class is wholly counted when one way of counting has all of it. */
static bool is_whole(const struct builder *b, const struct merged *merged)
{
    for (size_t i = 0; i < b->capture->pass_count; i++)
        if (is_whole_under(b, merged, b->capture->passes[i].mode))
            return true;
    return false;
}

static enum rl_state missing_state(const struct builder *b)
{
    return b->counters == RL_PERMISSION ? RL_NOT_PERMITTED : RL_NOT_COLLECTED;
}

static const char *times_text(struct rl_arena *arena, uint64_t times)
{
    return times == 1 ? "once" : rl_arena_printf(arena, "%" PRIu64 " times", times);
}

/* Of all launches: those without a time are taken to have lasted as long as the others. Collective kernels have no counters: what
 * else matters is judged without them. */
static double countable_ns(const struct merged *merged)
{
    const double each_ns = merged->timed ? (double)merged->total_ns / (double)merged->timed : 0;
    return merged->shape.collective ? 0 : each_ns * (double)merged->seen;
}

/* Why a class has no counters, or not all of them. */
enum why {
    WHY_NOT,
    WHY_NOT_ASKED,
    WHY_COLLECTIVE,
    WHY_NO_COUNTERS,
    WHY_GRAPH,
    WHY_LEAST,
    WHY_FAMILY,
    WHY_WAITS,
    WHY_SHORT_RUN,
    WHY_BUDGET,
    WHY_TOO_SELDOM,
};

/* A launch of it has ended while the program was held up. */
static bool is_proven(const struct merged *merged)
{
    for (size_t p = 0; p < merged->part_count; p++)
        if (merged->parts[p].class->totals.proven)
            return true;
    return false;
}

/* How far any process of the timed run was let come with counters. */
static uint32_t counting_state(const struct builder *b)
{
    uint32_t most = RL_COUNTING_NOT_BEGUN;
    for (size_t s = 0; s < b->stream_count; s++)
        if (b->streams[s]->hello.run == 0 && b->streams[s]->process.counting > most)
            most = b->streams[s]->process.counting;
    return most;
}

/* Why counters that were asked for have not come: no more is known than how far the budget went. */
static enum why why_not_reached(const struct builder *b, const struct merged *merged)
{
    const uint32_t state = counting_state(b);
    if (b->facts->main_pid[1])
        return is_proven(merged) ? WHY_TOO_SELDOM : WHY_WAITS;
    return state == RL_COUNTING_NOT_BEGUN ? WHY_SHORT_RUN : state == RL_COUNTING_REFUSED ? WHY_BUDGET : WHY_TOO_SELDOM;
}

/* `above` is the share of the time that could be counted in classes with more of it. */
static enum why why_uncounted(const struct builder *b, const struct merged *merged, double above)
{
    return is_whole(b, merged)                               ? WHY_NOT
           : b->facts->options->replay == RL_REPLAY_NONE     ? WHY_NOT_ASKED
           : merged->shape.collective                        ? WHY_COLLECTIVE
           : b->counters != RL_OK                            ? WHY_NO_COUNTERS
           : merged->timed && merged->graph == merged->timed ? WHY_GRAPH
           : above >= SHARE && merged->timed                 ? WHY_LEAST
           : merged->kin_counted >= RL_STREAM_MOST_SHAPES    ? WHY_FAMILY
                                                             : why_not_reached(b, merged);
}

static char *budget_text(const struct builder *b)
{
    struct rl_arena *arena = &b->capture->arena;
    const double run_s = b->facts->run_s;
    return rl_arena_printf(arena, "--budget lets the program be held up for longer; --replay kernel counts in a second run%s",
                           run_s > 0 ? rl_arena_printf(arena, " of about %.1f s and 0.1 s for each counted launch", run_s) : "");
}

/* NULL: it has them. */
static char *uncounted_reason(const struct builder *b, const struct merged *merged, double above)
{
    struct rl_arena *arena = &b->capture->arena;
    static const char *const reasons[] = {
        [WHY_NOT_ASKED] = "counters were not asked for",
        [WHY_COLLECTIVE] = "a collective kernel waits for its peers: it is never held up or repeated",
        [WHY_GRAPH] = "launched by CUDA graphs: their kernels are timed, not counted one by one",
        [WHY_LEAST] = "among the classes with the least GPU time, 1 % together",
        [WHY_FAMILY] = "other shapes of this kernel were counted and stand for it",
        [WHY_WAITS] = "it did not end while the program was held up: it may wait for the program, so it is not repeated",
    };
    const enum why why = why_uncounted(b, merged, above);
    switch (why) {
    case WHY_NOT:
        return NULL;
    case WHY_NO_COUNTERS:
        return rl_arena_printf(arena, "%s", b->counters_text);
    case WHY_SHORT_RUN:
        return rl_arena_printf(arena,
                               "the program ended before counters could be taken without holding it up for much of its time: %s",
                               budget_text(b));
    case WHY_BUDGET:
        return rl_arena_printf(arena, "counting it would have held the program up for more than %d %% of its time: %s",
                               b->facts->options->budget, budget_text(b));
    case WHY_TOO_SELDOM:
        return rl_arena_printf(arena, "launched too late or too seldom (%s) for every configuration%s%s",
                               times_text(arena, merged->seen),
                               b->facts->main_pid[1] ? ", and not counted when the program ran again" : ": ",
                               b->facts->main_pid[1] ? "" : budget_text(b));
    default:
        return rl_arena_strdup(arena, reasons[why]);
    }
}

/* Each counter of the plan that the class does not have, with the reason. */
static void store_missing(struct builder *b, size_t kernel, const char *reason)
{
    const struct rl_program_options *options = b->facts->options;
    const struct rl_collect_configuration *wanted = NULL;
    size_t count = 0;
    const char *chip = b->capture->gpus[b->capture->kernels[kernel].gpu].chip;
    options->plan(options->plan_context, chip, &wanted, &count);
    struct rl_value missing = reason ? rl_value_missing(missing_state(b), b->counters == RL_PERMISSION ? NULL : reason)
                                     : rl_value_missing(RL_NOT_ON_CHIP, NULL);
    for (size_t i = 0; i < count; i++)
        for (size_t n = 0; n < wanted[i].counter_count && rl_program_takes(&wanted[i]); n++)
            store(b, kernel, wanted[i].counters[n], missing, RL_NONE);
}

bool rl_program_takes(const struct rl_collect_configuration *configuration)
{
    return !configuration->when && !configuration->of_device;
}

/* ---- all together ---- */

static void add_kernel(struct builder *b, struct merged *merged, double above)
{
    struct rl_kernel *kernel = rl_capture_add_kernel(b->capture);
    size_t index = b->capture->kernel_count - 1;
    struct rl_kernel_use *use = rl_capture_add_use(b->capture);
    kernel->gpu = merged->shape.gpu;
    kernel->mangled = rl_capture_text(b->capture, merged->name);
    kernel->name = rl_capture_text(b->capture, rl_demangle(&b->capture->arena, merged->name));
    memcpy(kernel->grid, merged->shape.grid, sizeof kernel->grid);
    memcpy(kernel->block, merged->shape.block, sizeof kernel->block);
    kernel->dynamic_shared_bytes = merged->shape.dynamic_shared_bytes;
    kernel->launches = merged->seen;
    kernel->total_ns = merged->total_ns;
    kernel->timing = rl_capture_text(b->capture, merged->timed ? RL_TIMING_IN_ORDER : NULL);
    *use = (struct rl_kernel_use){.kernel = index,
                                  .timed = merged->timed,
                                  .min_ns = merged->min_ns,
                                  .max_ns = merged->max_ns,
                                  .deviation_ns = merged->timed > 1 ? sqrt(merged->squares / (double)(merged->timed - 1)) : 0,
                                  .graph = merged->graph};
    if (merged->timed)
        add_samples(b, kernel, merged);
    describe_shape(kernel, use, merged);
    store_counters(b, index, merged);
    use->uncounted = uncounted_reason(b, merged, above);
    use->counted = use->uncounted ? 0 : merged->counted;
    if (!use->uncounted || index < MOST_UNCOUNTED_ROWS)
        store_missing(b, index, use->uncounted);
}

/* Passes come first: what a class lacks is told by what its GPU has. */
static void add_passes(struct builder *b)
{
    for (size_t s = 0; s < b->stream_count; s++)
        for (size_t p = 0; p < b->streams[s]->pass_count; p++) {
            const struct rl_stream_pass *pass = &b->streams[s]->passes[p];
            size_t gpu = pass->configuration ? b->gpus[s][pass->is.gpu] : RL_NONE;
            if (gpu != RL_NONE && pass->is.counter_count)
                pass_of(b, gpu, pass);
        }
}

static int compare_names(const void *a, const void *b)
{
    const struct merged *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

/* Tells each class how many shapes of its kernel have counters. */
static void count_kin(struct builder *b)
{
    struct merged **sorted = rl_calloc(b->class_count, sizeof(struct merged *));
    for (size_t i = 0; i < b->class_count; i++)
        sorted[i] = &b->classes[i];
    if (b->class_count)
        qsort(sorted, b->class_count, sizeof *sorted, compare_names);
    for (size_t first = 0, end; first < b->class_count; first = end) {
        size_t counted = 0;
        for (end = first; end < b->class_count && strcmp(sorted[end]->name, sorted[first]->name) == 0; end++)
            counted += is_whole(b, sorted[end]);
        for (size_t i = first; i < end; i++)
            sorted[i]->kin_counted = counted;
    }
    free(sorted);
}

static void add_kernels(struct builder *b)
{
    double total = 0, above = 0;
    count_kin(b);
    for (size_t i = 0; i < b->class_count; i++)
        total += countable_ns(&b->classes[i]);
    for (size_t i = 0; i < b->class_count; i++) {
        add_kernel(b, &b->classes[i], total > 0 ? above / total : 0);
        above += countable_ns(&b->classes[i]);
    }
}

/* A process that has used CUDA, or may have, while nothing of ours was in it. */
static void add_unobserved(struct builder *b, const struct rl_descendant *process)
{
    if (process->unobserved == RL_FACT_NO || (process->unobserved == RL_FACT_UNKNOWN && process->driver != RL_LOADED_YES))
        return;
    rl_capture_log(b->capture, 0, RL_LOG_WARNING,
                   "process %" PRIu32
                   " (%s) loaded the CUDA driver and was not observed: CUDA_INJECTION64_PATH was not in its environment, or "
                   "the object that it names could not be loaded there",
                   process->pid, process->name);
}

static void add_gaps_of_knowledge(struct builder *b, const struct rl_descendants_answer *known)
{
    for (unsigned gap = 0; gap < RL_GAP_COUNT; gap++)
        if (known->gaps & 1u << gap)
            rl_capture_log(b->capture, 0, RL_LOG_NOTE, "processes of the program may be missing: %s",
                           rl_gap_text((enum rl_gap)gap));
}

/* What the processes of the program were, beside those that spoke. */
static void add_descendants(struct builder *b)
{
    enum { MOST_TOLD = 16 };
    if (!b->facts->descendants || !b->facts->main_ended)
        return;
    const struct rl_descendants_answer known = rl_descendants_answer(b->facts->descendants);
    size_t told = 0;
    for (size_t i = 0; i < known.remembered && told < MOST_TOLD; i++) {
        const size_t before = b->capture->log_count;
        add_unobserved(b, rl_descendants_get(b->facts->descendants, i));
        told += b->capture->log_count - before;
    }
    add_gaps_of_knowledge(b, &known);
    if (known.alive)
        rl_capture_log(b->capture, 0, RL_LOG_WARNING,
                       "%" PRIu64
                       " process(es) that the program has started were still running when it had ended: what they do later is "
                       "not in the capture",
                       known.alive);
    if (known.unobserved || known.alive || (known.gaps & ~(1u << RL_GAP_POLLED)))
        b->capture->session.complete = false;
}

/* Why there is no kernel in the capture. */
static void explain_nothing(struct builder *b)
{
    struct rl_descendants_answer known = {.used_cuda = RL_FACT_UNKNOWN, .reason = RL_CUDA_GAPS};
    if (b->stream_count) {
        rl_capture_log(b->capture, 0, RL_LOG_WARNING, "the program used CUDA, but no selected kernel ran");
        return;
    }
    if (b->facts->descendants)
        known = rl_descendants_answer(b->facts->descendants);
    if (known.used_cuda == RL_FACT_NO && known.alive)
        rl_capture_log(b->capture, 0, RL_LOG_WARNING, "no process had used CUDA when the program ended");
    else if (known.used_cuda == RL_FACT_NO)
        rl_capture_log(b->capture, 0, RL_LOG_WARNING, "the program did not use CUDA: %s", rl_cuda_reason_text(known.reason));
    else
        rl_capture_log(b->capture, 0, RL_LOG_WARNING, "%s: %s",
                       known.used_cuda == RL_FACT_YES ? "the program used CUDA, but nothing of it was observed"
                                                      : "nothing was observed, and whether the program used CUDA is not known",
                       rl_cuda_reason_text(known.reason));
    b->capture->session.complete = b->capture->session.complete && known.used_cuda == RL_FACT_NO;
}

static void conclude(struct builder *b)
{
    struct rl_session *session = &b->capture->session;
    bool counted = false;
    for (size_t i = 0; i < b->capture->use_count; i++)
        counted |= b->capture->uses[i].counted > 0;
    const char *text = counted                                       ? "collected"
                       : b->facts->options->replay == RL_REPLAY_NONE ? "not asked for"
                       : b->counters != RL_OK                        ? b->counters_text
                       : b->class_count                              ? "no launch could be counted: see the reasons of the classes"
                       : b->lacks                                    ? "what the program did is not known: see the log"
                                                                     : "no kernel was launched";
    session->counters = rl_capture_text(b->capture, text);
    if (b->class_count == 0 && !b->lacks)
        explain_nothing(b);
    add_descendants(b);
}

static void release(struct builder *b)
{
    for (size_t i = 0; i < b->class_count; i++)
        free(b->classes[i].parts);
    free(b->classes);
    free(b->slots);
    free(b->gpus);
    free(b->conditional);
}

struct rl_capture *rl_program_capture(const struct rl_program_facts *facts, struct rl_stream *const *streams, size_t count)
{
    struct builder b = {.facts = facts, .capture = rl_capture_new(), .streams = streams, .stream_count = count};
    describe_session(&b);
    add_losses(&b);
    add_gpus(&b);
    add_processes(&b);
    merge_classes(&b);
    add_passes(&b);
    add_kernels(&b);
    conclude(&b);
    release(&b);
    return b.capture;
}

double rl_program_wanted(const struct rl_program_facts *facts, struct rl_stream *const *streams, size_t count, bool missing,
                         struct rl_buf *out)
{
    struct builder b = {.facts = facts, .capture = rl_capture_new(), .streams = streams, .stream_count = count};
    double total = 0, above = 0, wanted = 0;
    add_gpus(&b);
    for (size_t s = 0; s < count; s++)
        if (streams[s]->hello.run == 0) /* what another way of counting has met is no reason against the next */
            add_troubles(&b, streams[s]);
    merge_classes(&b);
    add_passes(&b);
    for (size_t i = 0; i < b.class_count; i++)
        total += countable_ns(&b.classes[i]);
    for (size_t i = 0; i < b.class_count && above < SHARE * total; i++) {
        const struct merged *class = &b.classes[i];
        const struct rl_record_class *is = &class->shape;
        const bool is_wanted =
            is_proven(class) && (missing ? why_uncounted(&b, class, above / total) >= WHY_WAITS : !is->collective);
        above += countable_ns(class);
        if (!is_wanted)
            continue;
        wanted += countable_ns(class);
        rl_buf_addf(out, "%016" PRIx64 "\n", rl_stream_hash(class->name, is->grid, is->block, is->dynamic_shared_bytes));
    }
    release(&b);
    rl_capture_free(b.capture);
    return total > 0 ? wanted / total : 0;
}
