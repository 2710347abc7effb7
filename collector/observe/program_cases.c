/* program_cases.c - instances of ranges with parameters, and the kernels in them. */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/sort.h"
#include "program_builder.h"

/* A class of a stream, and the kernel of the capture that has something of it. */
struct part_of {
    size_t class_id, kernel;
};

static int by_class(const void *a, const void *b)
{
    const struct part_of *x = a, *y = b;
    return rl_ascending(x->class_id, y->class_id) ?: rl_ascending(x->kernel, y->kernel);
}

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

void rl_builder_add_cases(struct builder *b)
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
