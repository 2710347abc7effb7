/* program_capture.c - what processes have said, put together to one picture. */

#include "nvml.h"
#include "program_builder.h"
#include "session.h"

/* A class of a stream, and the kernel of the capture that has something of it. */
struct part_of {
    size_t class_id, kernel;
};

RL_COMPARATOR(by_class, struct part_of, rl_ascending(x->class_id, y->class_id) ?: rl_ascending(x->kernel, y->kernel));

/* All of a stream, by class; a class that was taken apart has several. Free with free(). */
static struct part_of *parts_of(const struct builder *b, const struct rl_stream *stream, size_t *count)
{
    struct part_of *parts = NULL;
    size_t cap = 0;
    *count = 0;
    for (size_t i = 0; i < b->class_count; i++)
        for (size_t p = 0; p < b->classes[i].part_count; p++) {
            if (b->classes[i].parts[p].stream != stream)
                continue;
            RL_GROW(parts, *count + 1, cap);
            parts[(*count)++] = (struct part_of){b->classes[i].parts[p].class->is.class_id, i};
        }
    if (*count)
        rl_sort(parts, *count, sizeof *parts, by_class);
    return parts;
}

/* The kernel of the class; of one that was taken apart the population that a launch of so many nanoseconds belongs to. */
static size_t kernel_of(const struct builder *b, const struct part_of *parts, size_t count, size_t class_id, uint64_t mean_ns)
{
    const size_t first = RL_FIRST_FROM(parts, count, class_id, class_id);
    for (size_t i = first; i < count && parts[i].class_id == class_id; i++) {
        const struct rl_population *population = &b->capture->kernels[parts[i].kernel].population;
        if (population->total == 0 || (mean_ns >= population->from_ns && mean_ns < population->before_ns))
            return parts[i].kernel;
    }
    return first < count && parts[first].class_id == class_id ? parts[first].kernel : RL_NONE;
}

static void add_instances(struct builder *b, size_t s, size_t first_range)
{
    const struct rl_stream *stream = b->streams[s];
    uint64_t first_ns = UINT64_MAX;
    for (size_t i = 0; i < stream->instance_count; i++)
        first_ns = stream->instances[i].entered_ns < first_ns ? stream->instances[i].entered_ns : first_ns;
    for (size_t i = 0; i < stream->instance_count; i++) {
        const struct rl_record_instance *from = &stream->instances[i];
        const size_t gpu = from->launches ? b->gpus[s][from->gpu] : RL_NONE;
        *rl_capture_add_instance(b->capture) =
            (struct rl_instance){.range = first_range + (size_t)from->range,
                                 .gpu = gpu,
                                 .started_ns = from->entered_ns - first_ns,
                                 .host_ns = from->host_ns,
                                 .gpu_started_ns = gpu != RL_NONE && from->begin_ns > first_ns ? from->begin_ns - first_ns : 0,
                                 .gpu_ns = from->gpu_ns,
                                 .busy_ns = from->busy_ns,
                                 .launches = gpu != RL_NONE ? from->launches : 0,
                                 .untimed = from->untimed,
                                 .assumed = from->assumed};
    }
}

static void add_kernels(struct builder *b, const struct rl_stream *stream, size_t first_range)
{
    size_t count;
    struct part_of *parts = parts_of(b, stream, &count);
    for (size_t i = 0; i < stream->use_count; i++) {
        const struct rl_record_use *from = &stream->uses[i];
        const uint64_t mean_ns = from->launches ? from->total_ns / from->launches : 0;
        const size_t kernel = kernel_of(b, parts, count, from->class_id, mean_ns);
        if (kernel != RL_NONE)
            *rl_capture_add_range_kernel(b->capture) = (struct rl_range_kernel){.range = first_range + (size_t)from->range,
                                                                                .kernel = kernel,
                                                                                .launches = from->launches,
                                                                                .total_ns = from->total_ns};
    }
    free(parts);
}

/* Instances of ranges with parameters and the kernels in them; after kernels and ranges. */
static void builder_add_cases(struct builder *b)
{
    size_t first_range = 0;
    for (size_t s = 0; s < b->stream_count; s++) {
        const struct rl_stream *stream = b->streams[s];
        if (stream->hello.run != 0)
            continue;
        assert(first_range + stream->range_count <= b->capture->range_count);
        /* How often ranges with parameters were entered. */
        uint64_t entered = 0;
        for (size_t i = 0; i < stream->range_count; i++)
            entered += stream->ranges[i].name && strchr(stream->ranges[i].name, '=') ? stream->ranges[i].totals.instances : 0;
        if (entered > stream->instance_count)
            rl_capture_log(b->capture, 0, RL_LOG_WARNING,
                           "process %" PRIu32 ": %" PRIu64 " of %" PRIu64
                           " instances of ranges with parameters were not kept: times of cases are of the first",
                           stream->hello.pid, entered - stream->instance_count, entered);
        add_instances(b, s, first_range);
        add_kernels(b, stream, first_range);
        first_range += stream->range_count;
    }
}

static const double SHARE = 0.99; /* of the GPU time is to be covered */

/* Logs losses of reading and writing first; with any of them the capture is incomplete. */
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

/* The same GPU has the same UUID in every process; one without is identified by its number. */
static size_t find_gpu(const struct rl_capture *capture, const struct rl_record_gpu *is, const char *uuid)
{
    assert(uuid ? *uuid != 0 : is->gpu < RL_STREAM_MOST_GPUS);
    for (size_t i = 0; i < capture->gpu_count; i++)
        if (uuid ? capture->gpus[i].uuid && strcmp(capture->gpus[i].uuid, uuid) == 0
                 : !capture->gpus[i].uuid && capture->gpus[i].index == (int)is->gpu)
            return i;
    return RL_NONE;
}

static size_t add_gpu(struct builder *b, const struct rl_stream *stream, uint32_t ordinal)
{
    assert(ordinal < RL_STREAM_MOST_GPUS && stream->gpus[ordinal].known);
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
    const int64_t now_ns = rl_realtime_ns();
    for (size_t g = 0; g < b->capture->gpu_count; g++)
        if (b->capture->gpus[g].uuid && rl_nvml_open(NULL) == RL_OK)
            rl_facts_moment(b->capture, g, b->facts->complete ? "after" : "during", now_ns - b->facts->started_ns);
}

static void conclude(struct builder *b)
{
    struct rl_session *session = &b->capture->session;
    const char *text = b->any_counters        ? "collected"
                       : !rl_builder_asks(b)  ? "not asked for"
                       : b->counters != RL_OK ? b->counters_text
                       : b->capture->sampled_count
                           ? "no single launch was counted: samples of the whole GPU stand for them, as estimates"
                       : b->class_count               ? "no launch could be counted: see the reasons of the configurations"
                       : b->lacks || !b->stream_count ? "what the program did is unknown: see the log"
                                                      : "no kernel was launched";
    session->counters = rl_capture_text(b->capture, text);
    if (b->class_count == 0 && !b->lacks)
        rl_builder_explain_nothing(b);
    rl_builder_add_unseen(b);
}

static void release(struct builder *b)
{
    for (size_t i = 0; i < b->class_count; i++)
        free(b->classes[i].parts);
    RL_FREE(b->classes, b->slots, b->gpus, b->conditional);
}

struct rl_capture *rl_program_capture(const struct rl_program_facts *facts, struct rl_stream *const *streams, size_t count)
{
    assert(streams || count == 0);
    struct builder b = {.facts = facts, .capture = rl_capture_new(), .streams = streams, .stream_count = count};
    const struct rl_program_options *options = b.facts->options;
    struct rl_session *session = &b.capture->session;
    rl_facts_host(b.capture);
    time_t seconds = (time_t)(b.facts->started_ns / 1000000000);
    struct tm utc;
    char text[32] = "";
    if (gmtime_r(&seconds, &utc))
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    session->started = rl_capture_text(b.capture, text);
    session->tool_version = rl_capture_text(b.capture, options->tool_version);
    rl_capture_set_command(b.capture, options->command, options->command_count, options->keep_command);
    session->complete = b.facts->complete && !b.facts->main_signal;
    add_losses(&b);
    add_gpus(&b);
    rl_builder_add_processes(&b);
    rl_builder_merge_classes(&b);
    rl_builder_split(&b);
    rl_builder_add_passes(&b);
    double total = 0, above = 0;
    rl_builder_count_shapes(&b);
    for (size_t i = 0; i < b.class_count; i++)
        total += rl_merged_countable_ns(&b.classes[i]);
    for (size_t i = 0; i < b.class_count; i++) {
        (void)rl_builder_add_kernel(&b, &b.classes[i]);
        rl_builder_add_counters(&b, i, &b.classes[i], total > 0 ? above / total : 0);
        above += rl_merged_countable_ns(&b.classes[i]);
    }
    rl_builder_add_sampling(&b);
    rl_builder_add_pc(&b);
    rl_builder_add_timelines(&b);
    builder_add_cases(&b);
    conclude(&b);
    release(&b);
    return b.capture;
}

double rl_program_wanted(const struct rl_program_facts *facts, struct rl_stream *const *streams, size_t count, struct rl_buf *out)
{
    struct builder b = {.facts = facts, .capture = rl_capture_new(), .streams = streams, .stream_count = count};
    double total = 0, above = 0, wanted = 0;
    add_gpus(&b);
    for (size_t s = 0; s < count; s++)
        if (streams[s]->hello.run == 0) /* what another way of counting has met is no reason against the next */
            rl_builder_add_troubles(&b, streams[s]);
    rl_builder_merge_classes(&b);
    rl_builder_add_passes(&b);
    for (size_t i = 0; i < b.class_count; i++)
        total += rl_merged_countable_ns(&b.classes[i]);
    for (size_t i = 0; i < b.class_count && above < SHARE * total; i++) {
        const struct merged *class = &b.classes[i];
        const struct rl_record_class *is = &class->shape;
        const bool is_wanted = rl_merged_wants_run(class);
        above += rl_merged_countable_ns(class);
        if (!is_wanted)
            continue;
        wanted += rl_merged_countable_ns(class);
        rl_buf_addf(out, "%016" PRIx64 "\n", rl_stream_hash(class->name, is->grid, is->block, is->dynamic_shared_bytes));
    }
    release(&b);
    rl_capture_free(b.capture);
    return total > 0 ? wanted / total : 0;
}
