/* program_sampling.c - samples of the program's GPU shared out to its kernel classes (program_builder.h). */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attribution.h"
#include "core/mem.h"
#include "core/sort.h"
#include "facts.h"
#include "gaps.h"
#include "program_builder.h"
#include "program_together.h"
#include "sampling.h"

static const uint64_t NEAR_NS = 50000;  /* what ran so close to a sample may have a part in it */
static const uint64_t FAR_NS = 1000000; /* what ran so far from every sample has none, whatever the shift of the clocks */
static const uint64_t LEAST_WORK_NS = 100000000;
static const double WORK_PART = 0.01; /* of the run, that sharing out may take of a processor behind it, but for LEAST_WORK_NS */

/* Where the launches of one stream's class go: kernels of the capture that are made of it. */
struct link {
    size_t kernel, next; /* RL_NONE: no more */
};
struct sharing {
    const struct builder *b;
    const struct rl_sampling *sampling;
    size_t others; /* the class of launches that are in no kernel of this capture */
    struct rl_span *spans;
    size_t span_count, span_cap;
    struct rl_stream_gap *gaps; /* merged, when all are gathered */
    size_t gap_count, gap_cap;
    struct link *links;
    size_t link_count, link_cap;
    size_t counter_count, counters[RL_PM_COUNTERS]; /* positions of those that are told of kernels, in a sample */
    struct rl_pm_samples used;                      /* samples of which it is known what ran in them, with those counters */
    struct rl_stream_gap *windows;                  /* in which they were taken, with what is close to them */
    size_t window_count, window_cap;
    size_t spared; /* of the used samples: there was no time to share them out */
};

/* ---- launches ---- */

/* First link of each class of the stream, to be freed. */
static size_t *links_of(struct sharing *sharing, const struct rl_stream *stream)
{
    size_t *first = rl_calloc(stream->class_count + 1, sizeof *first);
    for (size_t i = 0; i < stream->class_count; i++)
        first[i] = RL_NONE;
    sharing->link_count = 0;
    for (size_t k = 0; k < sharing->b->class_count; k++)
        for (size_t p = 0; p < sharing->b->classes[k].part_count; p++) {
            const struct part *part = &sharing->b->classes[k].parts[p];
            if (part->stream != stream)
                continue;
            const size_t id = (size_t)(part->class - stream->classes);
            assert(id < stream->class_count);
            RL_GROW(sharing->links, sharing->link_count + 1, sharing->link_cap);
            sharing->links[sharing->link_count] = (struct link){k, first[id]};
            first[id] = sharing->link_count++;
        }
    return first;
}

/* The kernel of a launch; the others' class when it is none of this capture. */
static size_t kernel_of(const struct sharing *sharing, size_t link, uint64_t duration_ns)
{
    for (; link != RL_NONE; link = sharing->links[link].next) {
        const struct merged *merged = &sharing->b->classes[sharing->links[link].kernel];
        if (!merged->population || (duration_ns >= merged->from_ns && duration_ns < merged->below_ns))
            return sharing->links[link].kernel;
    }
    return sharing->others;
}

static void add_gap(struct sharing *sharing, uint64_t from_ns, uint64_t to_ns)
{
    RL_GROW(sharing->gaps, sharing->gap_count + 1, sharing->gap_cap);
    sharing->gaps[sharing->gap_count++] = (struct rl_stream_gap){from_ns, to_ns};
}

/* When launches may be missing. */
static void add_gaps(struct sharing *sharing, const struct rl_stream *stream, const struct rl_stream_launches *launches)
{
    uint64_t last_ns = 0;
    for (size_t i = 0; i < launches->gap_count; i++)
        add_gap(sharing, launches->gaps[i].from_ns, launches->gaps[i].to_ns);
    if ((stream->state & RL_RING_ENDED) && !rl_stream_lacks(stream))
        return;
    for (size_t i = 0; i < launches->launch_count; i++) {
        const uint64_t end_ns = launches->launches[i].start_ns + rl_stream_launch_ns(&launches->launches[i]);
        last_ns = end_ns > last_ns ? end_ns : last_ns;
    }
    add_gap(sharing, last_ns ? last_ns : 1, UINT64_MAX); /* what it did last is not known */
}

/* Those that may have a part in a sample. */
static void add_launches(struct sharing *sharing, const struct rl_stream *stream, const struct rl_stream_launches *launches)
{
    size_t *first = links_of(sharing, stream);
    for (size_t i = 0; i < launches->launch_count; i++) {
        const struct rl_stream_launch *launch = &launches->launches[i];
        const uint32_t class_id = rl_stream_launch_class(launch);
        const uint64_t lasts_ns = rl_stream_launch_ns(launch), end_ns = launch->start_ns + lasts_ns;
        if (!rl_gaps_meet(sharing->windows, sharing->window_count, launch->start_ns, end_ns + 1))
            continue;
        const size_t kernel = class_id < stream->class_count ? kernel_of(sharing, first[class_id], lasts_ns) : sharing->others;
        RL_GROW(sharing->spans, sharing->span_count + 1, sharing->span_cap);
        sharing->spans[sharing->span_count++] = (struct rl_span){launch->start_ns, end_ns, (uint32_t)kernel};
    }
    free(first);
}

static int compare_spans(const void *a, const void *b)
{
    const struct rl_span *x = a, *y = b;
    return rl_ascending(x->start_ns, y->start_ns) ?: rl_ascending(x->end_ns, y->end_ns);
}

/* Shows what each process of the timed run did on the GPU that was sampled. */
static void for_each_process(struct sharing *sharing,
                             void (*show)(struct sharing *, const struct rl_stream *, const struct rl_stream_launches *))
{
    const struct rl_program_facts *facts = sharing->b->facts;
    for (size_t s = 0; s < facts->stream_count; s++)
        for (size_t g = 0; g < RL_STREAM_MOST_GPUS && facts->streams[s]->hello.run == 0; g++) {
            const struct rl_stream *stream = facts->streams[s];
            if (stream->gpus[g].known && memcmp(stream->gpus[g].is.uuid, sharing->sampling->uuid, 16) == 0)
                show(sharing, stream, &stream->gpus[g].launches);
        }
}

/* ---- samples ---- */

/* Samples are in the order of their time; one that is stretched over a pause is of no use. */
static void add_window(struct sharing *sharing, uint64_t start_ns, uint64_t end_ns)
{
    const uint64_t from_ns = start_ns > FAR_NS ? start_ns - FAR_NS : 0, to_ns = end_ns + FAR_NS;
    if (end_ns - start_ns > FAR_NS)
        return;
    RL_GROW(sharing->windows, sharing->window_count + 1, sharing->window_cap);
    sharing->window_count = rl_gaps_append(sharing->windows, sharing->window_count, (struct rl_stream_gap){from_ns, to_ns}, 0);
}

static void choose_counters(struct sharing *sharing)
{
    for (size_t c = 0; c < sharing->sampling->counter_count; c++)
        if (rl_sampled_of_what(rl_builder_sampled(sharing->sampling->counters[c])) & RL_SAMPLED_OF_KERNELS)
            sharing->counters[sharing->counter_count++] = c;
}

static void choose_samples(struct sharing *sharing)
{
    const struct rl_pm_samples *all = &sharing->sampling->samples;
    const size_t counters = sharing->counter_count, each = sharing->sampling->counter_count;
    struct rl_pm_samples *used = &sharing->used;
    RL_GROW(used->start_ns, all->count, used->start_cap);
    RL_GROW(used->end_ns, all->count, used->end_cap);
    RL_GROW(used->values, all->count * counters, used->value_cap);
    sharing->gap_count = rl_gaps_merge(sharing->gaps, sharing->gap_count);
    for (size_t s = 0; s < all->count; s++) {
        if (rl_gaps_meet(sharing->gaps, sharing->gap_count, all->start_ns[s], all->end_ns[s] + NEAR_NS))
            continue;
        used->start_ns[used->count] = all->start_ns[s];
        used->end_ns[used->count] = all->end_ns[s];
        for (size_t c = 0; c < counters; c++)
            used->values[used->count * counters + c] = all->values[s * each + sharing->counters[c]];
        used->count++;
        add_window(sharing, all->start_ns[s], all->end_ns[s]);
    }
}

static void gather(struct sharing *sharing)
{
    for_each_process(sharing, add_gaps);
    choose_counters(sharing);
    choose_samples(sharing);
    for_each_process(sharing, add_launches);
    if (sharing->span_count)
        rl_sort(sharing->spans, sharing->span_count, sizeof *sharing->spans, compare_spans);
}

/* ---- results ---- */

enum rl_sampled_counter rl_builder_sampled(enum rl_pm_counter counter)
{
    static const enum rl_sampled_counter words[RL_PM_COUNTERS] = {
#define PM_COUNTER(id, lags, ...) [RL_PM_##id] = RL_SAMPLED_##id,
#include "pm_counters.def"
#undef PM_COUNTER
    };
    assert(counter < RL_PM_COUNTERS);
    return words[counter];
}

/* The i-th of those that are told of kernels. */
static enum rl_pm_counter counter_at(const struct sharing *sharing, size_t i)
{
    return sharing->sampling->counters[sharing->counters[i]];
}

static void add_value(struct rl_capture *capture, size_t kernel, size_t counter, double launches, const struct rl_attributed *of)
{
    const bool alone = of->state == RL_ATTRIBUTED_ALONE;
    struct rl_sampled_value *value = rl_capture_add_sampled(capture);
    value->kernel = kernel;
    value->sampling = capture->sampling_count - 1;
    value->counter = (enum rl_sampled_counter)counter;
    value->launches = launches;
    value->together = of->group;
    value->total = of->group_total;
    value->total_half_width = of->group_half_width;
    value->per_launch =
        alone ? rl_value_of(of->per_launch) : rl_value_missing(RL_UNDEFINED, "only known together with other kernels");
    value->half_width = alone ? rl_value_of(of->half_width) : value->per_launch;
}

/* In the order of the words of the capture. */
static void add_values(struct sharing *sharing, const struct rl_attribution *found)
{
    const size_t counters = sharing->counter_count;
    for (size_t k = 0; k < sharing->others; k++)
        for (size_t word = 0; word < RL_SAMPLED_COUNT; word++)
            for (size_t c = 0; c < counters; c++) {
                const struct rl_attributed *of = &found->of[k * counters + c];
                if (rl_builder_sampled(counter_at(sharing, c)) == word && of->state != RL_ATTRIBUTED_NOT)
                    add_value(sharing->b->capture, k, word, found->launches[k], of);
            }
}

static uint64_t work_after(double run_s)
{
    const uint64_t part_ns = (uint64_t)(WORK_PART * run_s * 1e9);
    return part_ns > LEAST_WORK_NS ? part_ns : LEAST_WORK_NS;
}

static enum rl_status share_out(struct sharing *sharing, struct rl_gpu_sampling *row, struct rl_err *err)
{
    bool lags[RL_PM_COUNTERS] = {false};
    struct rl_attribution found;
    double *made = rl_calloc(sharing->others + 1, sizeof *made);
    for (size_t k = 0; k < sharing->others; k++)
        made[k] = (double)sharing->b->capture->kernels[k].launches;
    made[sharing->others] = INFINITY;
    for (size_t c = 0; c < sharing->counter_count; c++)
        lags[c] = rl_pm_counter_lags(counter_at(sharing, c));
    const struct rl_sampled sampled = {.class_count = sharing->others + 1,
                                       .counter_count = sharing->counter_count,
                                       .launches = sharing->spans,
                                       .launch_count = sharing->span_count,
                                       .start_ns = sharing->used.start_ns,
                                       .end_ns = sharing->used.end_ns,
                                       .values = sharing->used.values,
                                       .sample_count = sharing->used.count,
                                       .work_ns = work_after(sharing->b->facts->run_s),
                                       .made = made,
                                       .lags = lags};
    const enum rl_status status = rl_attribute(&sampled, &found, err);
    row->used = sharing->used.count - found.stretched_samples - found.spared_samples;
    sharing->spared = found.spared_samples;
    row->shift_ns = found.shift_ns;
    row->correlation = found.correlation;
    row->idle = found.idle_samples;
    row->others = found.foreign_samples;
    if (status == RL_OK) {
        rl_tell_together(&sampled, sharing->b->capture->kernels, sharing->others, &found);
        add_values(sharing, &found);
    }
    rl_attribution_release(&found);
    free(made);
    return status;
}

/* Where hardly a sample is left, it is not the samples that were too few. */
static bool is_told(const struct sharing *sharing, struct rl_err *err)
{
    const size_t all = sharing->sampling->samples.count, used = sharing->used.count;
    if (used >= RL_ATTRIBUTION_LEAST_SAMPLES || all < RL_ATTRIBUTION_LEAST_SAMPLES)
        return true;
    (void)rl_err_set(err, RL_ABSENT, "which kernels ran is not known for %zu of %zu samples: there was no room for their times",
                     all - used, all);
    return false;
}

static void release(struct sharing *sharing)
{
    free(sharing->spans);
    free(sharing->gaps);
    free(sharing->windows);
    free(sharing->links);
    rl_pm_samples_release(&sharing->used);
}

static size_t find_gpu(const struct rl_capture *capture, const uint8_t uuid[16])
{
    char text[RL_UUID_TEXT];
    rl_facts_uuid(uuid, text);
    for (size_t i = 0; i < capture->gpu_count; i++)
        if (capture->gpus[i].uuid && strcmp(capture->gpus[i].uuid, text) == 0)
            return i;
    return RL_NONE;
}

/* What nobody asked for, and cannot be had here, is worth no warning; nor is what was said of other counters already, or follows
 * from samples that are said to be lost (tell_losses). */
static enum rl_log_level failure_level(const struct builder *b, const struct rl_sampling *sampling)
{
    const bool by_default = b->facts->options->sample_gpu == RL_SAMPLE_FIRST;
    const bool cannot_be = sampling->status == RL_UNSUPPORTED || sampling->status == RL_ABSENT || sampling->status == RL_OK;
    const bool lost = sampling->status == RL_OK && (sampling->samples.cut || sampling->undecoded);
    const bool said = sampling->status == RL_PERMISSION && b->counters == RL_PERMISSION;
    return said || lost || (by_default && cannot_be) ? RL_LOG_NOTE : RL_LOG_WARNING;
}

/* Samples that were taken, or would have been, and are in no value. */
enum loss { LOST_ROOM, LOST_TIME, LOST_WINDOWS, LOST_SHARING, LOSSES };
static const struct {
    const char *what, *why;
} losses[LOSSES] = {
    [LOST_ROOM] = {"samples", "no more are kept"},
    [LOST_TIME] = {"samples", "the program ended before they were decoded"},
    [LOST_WINDOWS] = {"windows of samples", "the program ended before they were decoded"},
    [LOST_SHARING] = {"samples", "sharing them out would have taken too long after the program's end"},
};

static void tell_losses(const struct sharing *sharing)
{
    const struct rl_sampling *sampling = sharing->sampling;
    const size_t lost[LOSSES] = {[LOST_ROOM] = sampling->dropped,
                                 [LOST_TIME] = sampling->samples.cut,
                                 [LOST_WINDOWS] = sampling->undecoded,
                                 [LOST_SHARING] = sharing->spared};
    for (size_t i = 0; i < LOSSES; i++)
        if (lost[i])
            rl_capture_log(sharing->b->capture, 0, RL_LOG_NOTE, "%zu %s of the GPU are not used: %s", lost[i], losses[i].what,
                           losses[i].why);
}

/* What the user is told of it. */
static void conclude(struct builder *b, struct rl_gpu_sampling *row, const struct rl_sampling *sampling, const struct rl_err *err)
{
    const char *failure = sampling->status != RL_OK ? sampling->failure.text : err->text;
    struct rl_capture *capture = b->capture;
    if (*failure) {
        row->failure = rl_capture_text(capture, failure);
        rl_capture_log(capture, 0, failure_level(b, sampling), "samples of the GPU: %s",
                       sampling->status == RL_PERMISSION
                           ? "counters are not permitted here: 'rooflight doctor' says how to allow them"
                           : failure);
    }
    if (row->others)
        rl_capture_log(
            capture, 0, RL_LOG_WARNING,
            "another process ran kernels on the GPU: in %llu of %llu samples without one of the program; what it did is in "
            "the sampled values",
            (unsigned long long)row->others, (unsigned long long)row->idle);
    if (capture->gpu_count > 1)
        rl_capture_log(capture, 0, RL_LOG_NOTE, "only the GPU that was used first was sampled, GPU %d",
                       capture->gpus[row->gpu].index);
}

void rl_builder_add_sampling(struct builder *b)
{
    const struct rl_sampling *sampling = b->facts->sampling;
    struct rl_err err = RL_ERR_INIT;
    const size_t gpu = sampling && b->facts->complete ? find_gpu(b->capture, sampling->uuid) : RL_NONE;
    if (gpu == RL_NONE)
        return;
    struct sharing sharing = {.b = b, .sampling = sampling, .others = b->class_count};
    struct rl_gpu_sampling *row = rl_capture_add_sampling(b->capture);
    *row = (struct rl_gpu_sampling){.gpu = gpu,
                                    .interval_ns = sampling->interval_ns,
                                    .samples = sampling->samples.count,
                                    .windows = sampling->samples.windows,
                                    .overflows = sampling->samples.overflows,
                                    .cpu_ns = sampling->cpu_ns};
    if (sampling->samples.count) {
        gather(&sharing);
        b->clocks_known = is_told(&sharing, &err) && share_out(&sharing, row, &err) == RL_OK;
    }
    conclude(b, row, sampling, &err);
    tell_losses(&sharing);
    release(&sharing);
}
