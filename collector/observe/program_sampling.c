/* program_sampling.c - samples of the program's GPU attributed to its kernel classes (program_builder.h). */
#include "attribution.h"
#include "program_builder.h"
#include "sampling.h"
#include "session.h"
#include "tracer.h"

/* ---- times for which no record says what ran (stream_read.h) ---- */

RL_COMPARATOR(compare_gaps, struct rl_stream_gap, rl_ascending(x->from_ns, y->from_ns) ?: rl_ascending(x->to_ns, y->to_ns));

size_t rl_gaps_merge(struct rl_stream_gap *gaps, size_t count)
{
    size_t kept = 0;
    rl_sort(gaps, count, sizeof *gaps, compare_gaps);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || gaps[i].from_ns > gaps[kept - 1].to_ns)
            gaps[kept++] = gaps[i];
        else if (gaps[i].to_ns > gaps[kept - 1].to_ns)
            gaps[kept - 1].to_ns = gaps[i].to_ns;
    return kept;
}

size_t rl_gaps_append(struct rl_stream_gap *gaps, size_t count, struct rl_stream_gap gap, uint64_t near_ns)
{
    struct rl_stream_gap *last = count ? &gaps[count - 1] : NULL;
    assert(gap.from_ns <= gap.to_ns);
    if (!last || gap.from_ns > last->to_ns + near_ns) {
        gaps[count] = gap;
        return count + 1;
    }
    last->to_ns = gap.to_ns > last->to_ns ? gap.to_ns : last->to_ns;
    return count;
}

bool rl_gaps_meet(const struct rl_stream_gap *gaps, size_t count, uint64_t from_ns, uint64_t to_ns)
{
    const size_t first = RL_BISECT(i, count, gaps[i].to_ns <= from_ns); /* that ends after from_ns */
    return first < count && gaps[first].from_ns < to_ns;
}

static const uint64_t NEAR_NS = 50000;  /* what ran so close to a sample may have a part in it */
static const uint64_t FAR_NS = 1000000; /* what ran so far from every sample has none, whatever the shift of the clocks */

/* Where the launches of one stream's class go: kernels of the capture that are made of it. */
struct link {
    size_t kernel, next; /* RL_NONE: no more */
};
struct attributing {
    const struct builder *b;
    const struct rl_sampling *sampling;
    size_t others; /* the class of launches that are in no kernel of this capture */
    struct rl_span *spans;
    size_t span_count, span_cap;
    struct rl_stream_gap *gaps; /* merged, when all are gathered */
    size_t gap_count, gap_cap;
    struct link *links;
    size_t link_count, link_cap;
    size_t counter_count, counters[RL_PM_COUNTERS]; /* positions of those that are of kernels, in a sample */
    struct rl_pm_samples used;                      /* samples of which it is known what ran in them, with those counters */
    struct rl_stream_gap *windows;                  /* in which they were taken, with what is close to them */
    size_t window_count, window_cap;
};

/* ---- launches ---- */

/* The kernel of a launch; the others' class when it is none of this capture. */
static size_t kernel_of(const struct attributing *at, size_t link, uint64_t duration_ns)
{
    for (; link != RL_NONE; link = at->links[link].next) {
        const struct merged *merged = &at->b->classes[at->links[link].kernel];
        if (!merged->population || (duration_ns >= merged->from_ns && duration_ns < merged->below_ns))
            return at->links[link].kernel;
    }
    return at->others;
}

static void add_gap(struct attributing *at, uint64_t from_ns, uint64_t to_ns)
{
    RL_APPEND(at->gaps, at->gap_count, at->gap_cap, (struct rl_stream_gap){from_ns, to_ns});
}

/* When launches may be missing. */
static void add_gaps(struct attributing *at, const struct rl_stream *stream, const struct rl_stream_launches *launches)
{
    uint64_t last_ns = 0;
    for (size_t i = 0; i < launches->gap_count; i++)
        add_gap(at, launches->gaps[i].from_ns, launches->gaps[i].to_ns);
    if ((stream->state & RL_RING_ENDED) && !rl_stream_lacks(stream))
        return;
    for (size_t i = 0; i < launches->launch_count; i++) {
        const uint64_t end_ns = launches->launches[i].start_ns + rl_stream_launch_ns(&launches->launches[i]);
        last_ns = end_ns > last_ns ? end_ns : last_ns;
    }
    add_gap(at, last_ns ? last_ns : 1, UINT64_MAX); /* its last work is unknown */
}

/* Those that may have a part in a sample. */
static void add_launches(struct attributing *at, const struct rl_stream *stream, const struct rl_stream_launches *launches)
{
    /* First link of each class of the stream, to be freed. */
    RL_FREED size_t *first = rl_calloc(stream->class_count + 1, sizeof *first);
    for (size_t i = 0; i < stream->class_count; i++)
        first[i] = RL_NONE;
    at->link_count = 0;
    for (size_t k = 0; k < at->b->class_count; k++)
        for (size_t p = 0; p < at->b->classes[k].part_count; p++) {
            const struct part *part = &at->b->classes[k].parts[p];
            if (part->stream != stream)
                continue;
            const size_t id = (size_t)(part->class - stream->classes);
            assert(id < stream->class_count);
            RL_GROW(at->links, at->link_count + 1, at->link_cap);
            at->links[at->link_count] = (struct link){k, first[id]};
            first[id] = at->link_count++;
        }
    for (size_t i = 0; i < launches->launch_count; i++) {
        const struct rl_stream_launch *launch = &launches->launches[i];
        const uint32_t class_id = rl_stream_launch_class(launch);
        const uint64_t lasts_ns = rl_stream_launch_ns(launch), end_ns = launch->start_ns + lasts_ns;
        if (!rl_gaps_meet(at->windows, at->window_count, launch->start_ns, end_ns + 1))
            continue;
        const size_t kernel = class_id < stream->class_count ? kernel_of(at, first[class_id], lasts_ns) : at->others;
        RL_APPEND(at->spans, at->span_count, at->span_cap,
                  (struct rl_span){launch->start_ns, end_ns, (uint32_t)kernel, rl_stream_launch_traced(launch)});
    }
}

RL_COMPARATOR(compare_spans, struct rl_span, rl_ascending(x->start_ns, y->start_ns) ?: rl_ascending(x->end_ns, y->end_ns));

/* Shows what each process of the timed run did on the GPU that was sampled. */
static void for_each_process(struct attributing *at,
                             void (*show)(struct attributing *, const struct rl_stream *, const struct rl_stream_launches *))
{
    const struct rl_program_facts *facts = at->b->facts;
    for (size_t s = 0; s < facts->stream_count; s++)
        for (size_t g = 0; g < RL_STREAM_MOST_GPUS && facts->streams[s]->hello.run == 0; g++) {
            const struct rl_stream *stream = facts->streams[s];
            if (stream->gpus[g].known && memcmp(stream->gpus[g].is.uuid, at->sampling->uuid, 16) == 0)
                show(at, stream, &stream->gpus[g].launches);
        }
}

/* ---- results ---- */

enum rl_sampled_counter rl_builder_sampled(enum rl_pm_counter counter)
{
    static const enum rl_sampled_counter words[RL_PM_COUNTERS] = {
#define PM_COUNTER(id, ...) [RL_PM_##id] = RL_SAMPLED_##id,
#include "pm_counters.def"
    };
    assert(counter < RL_PM_COUNTERS);
    return words[counter];
}

/* Counts that recording adds to a launch of the kernel if it instruments the code. */
static double added_by_tracer(const struct attributing *at, size_t kernel, enum rl_sampled_counter counter)
{
    const struct rl_tracer *tracer = at->b->facts->tracer;
    const struct rl_record_class *shape = &at->b->classes[kernel].shape;
    for (size_t i = 0; tracer && i < tracer->count; i++)
        if (tracer->of[i].counter == counter)
            return tracer->of[i].per_warp * rl_launch_warps(shape->grid, shape->block);
    return 0;
}

/* The value without `added`, which a `share` of the launches has. The samples may hold more of these launches than of the others,
 * or fewer: the interval covers both. */
static struct rl_attributed untraced(struct rl_attributed of, double added, double share)
{
    return (struct rl_attributed){fmax(0, of.per_launch - share * added), of.half_width + fmin(share, 1 - share) * added};
}

/* In the order of the words of the capture. */
static void add_values(struct attributing *at, size_t kernel, double traced_share, const struct rl_attribution *found)
{
    struct rl_capture *capture = at->b->capture;
    for (size_t word = 0; word < RL_SAMPLED_COUNT; word++)
        for (size_t c = 0; c < at->counter_count; c++) {
            if (rl_builder_sampled(at->sampling->counters[at->counters[c]]) != word)
                continue;
            const struct rl_attributed of = untraced(found->of[kernel * at->counter_count + c],
                                                     added_by_tracer(at, kernel, (enum rl_sampled_counter)word), traced_share);
            *rl_capture_add_sampled(capture) =
                (struct rl_sampled_value){.kernel = kernel,
                                          .sampling = capture->sampling_count - 1,
                                          .counter = (enum rl_sampled_counter)word,
                                          .launches = found->launches[kernel],
                                          .per_launch = rl_value_of(of.per_launch),
                                          .half_width = rl_value_of(of.half_width),
                                          .together = kernel,
                                          .total = found->launches[kernel] * of.per_launch,
                                          .total_half_width = found->launches[kernel] * of.half_width};
        }
}

/* Adds to the reasons of uncounted classes why they have no sampled value either. Many share one reason, and its text. */
static void add_reasons(struct attributing *at, const struct rl_attribution *found)
{
    const char *last = NULL;
    char *text = NULL;
    for (size_t k = 0; k < at->others && at->b->counters == RL_OK; k++) {
        struct rl_kernel_use *use = &at->b->capture->uses[k];
        if (!use->uncounted || found->own[k] >= RL_ATTRIBUTION_LEAST_OWN)
            continue;
        if (use->uncounted != last)
            text = rl_arena_printf(&at->b->capture->arena, "%s; fewer than %d samples of the GPU were wholly inside its launches",
                                   use->uncounted, RL_ATTRIBUTION_LEAST_OWN);
        last = use->uncounted;
        use->uncounted = text;
    }
}

/* The share of each class's GPU time in launches with instrumented code; to be freed. */
static double *traced_shares(const struct attributing *at)
{
    double *traced_ns = rl_calloc(at->others + 1, sizeof *traced_ns), *all_ns = rl_calloc(at->others + 1, sizeof *all_ns);
    for (size_t i = 0; i < at->span_count; i++) {
        const struct rl_span *span = &at->spans[i];
        const double lasted_ns = (double)(span->end_ns - span->start_ns);
        all_ns[span->class_id] += lasted_ns;
        traced_ns[span->class_id] += span->traced ? lasted_ns : 0;
    }
    for (size_t k = 0; k <= at->others; k++)
        traced_ns[k] = all_ns[k] > 0 ? traced_ns[k] / all_ns[k] : 0;
    free(all_ns);
    return traced_ns;
}

static enum rl_status attribute(struct attributing *at, struct rl_gpu_sampling *row, struct rl_err *err)
{
    struct rl_attribution found;
    RL_FREED double *mean_ns = rl_calloc(at->others + 1, sizeof *mean_ns);
    for (size_t k = 0; k < at->others; k++) {
        const struct merged *merged = &at->b->classes[k];
        mean_ns[k] = merged->timed ? (double)merged->total_ns / (double)merged->timed : 0;
    }
    const struct rl_sampled sampled = {.class_count = at->others + 1,
                                       .counter_count = at->counter_count,
                                       .launches = at->spans,
                                       .launch_count = at->span_count,
                                       .start_ns = at->used.start_ns,
                                       .end_ns = at->used.end_ns,
                                       .values = at->used.values,
                                       .sample_count = at->used.count,
                                       .mean_ns = mean_ns};
    const enum rl_status status = rl_attribute(&sampled, &found, err);
    row->used = at->used.count;
    row->shift_ns = found.shift_ns;
    row->correlation = found.correlation;
    row->idle = found.idle_samples;
    row->others = found.foreign_samples;
    double *traced = traced_shares(at);
    for (size_t k = 0; k < at->others && status == RL_OK; k++)
        if (found.own[k] >= RL_ATTRIBUTION_LEAST_OWN && mean_ns[k] > 0)
            add_values(at, k, traced[k], &found);
    free(traced);
    if (status == RL_OK)
        add_reasons(at, &found);
    rl_attribution_release(&found);
    return status;
}

/* Where hardly a sample is left, it is not the samples that were too few. */
static bool is_told(const struct attributing *at, struct rl_err *err)
{
    const size_t all = at->sampling->samples.count, used = at->used.count;
    if (used >= RL_ATTRIBUTION_LEAST_SAMPLES || all < RL_ATTRIBUTION_LEAST_SAMPLES)
        return true;
    (void)rl_err_set(err, RL_ABSENT, "which kernels ran is unknown for %zu of %zu samples: there was no room for their times",
                     all - used, all);
    return false;
}

static size_t find_gpu(const struct rl_capture *capture, const uint8_t uuid[16])
{
    char text[RL_UUID_TEXT];
    rl_facts_uuid(uuid, text);
    const size_t at = RL_FIRST(i, capture->gpu_count, capture->gpus[i].uuid && strcmp(capture->gpus[i].uuid, text) == 0);
    return at < capture->gpu_count ? at : RL_NONE;
}

/* A counter that was not asked for, and cannot be had here, is worth no warning; nor is what was said of other counters already, or
 * follows from samples that are said to be lost (tell_losses). */
static enum rl_log_level failure_level(const struct builder *b, const struct rl_sampling *sampling)
{
    const bool by_default = b->facts->options->sample_gpu == RL_SAMPLE_FIRST;
    const bool cannot_be = sampling->status == RL_UNSUPPORTED || sampling->status == RL_ABSENT || sampling->status == RL_OK;
    const bool lost = sampling->status == RL_OK && (sampling->samples.cut || sampling->undecoded);
    const bool said = sampling->status == RL_PERMISSION && b->counters == RL_PERMISSION;
    return said || lost || (by_default && cannot_be) ? RL_LOG_NOTE : RL_LOG_WARNING;
}

/* Samples that were taken, or would have been, and are in no value. */
enum loss { LOST_ROOM, LOST_TIME, LOST_WINDOWS, LOSSES };
static const struct {
    const char *what, *why;
} losses[LOSSES] = {
    [LOST_ROOM] = {"samples", "no more are kept"},
    [LOST_TIME] = {"samples", "the program ended before they were decoded"},
    [LOST_WINDOWS] = {"windows of samples", "the program ended before they were decoded"},
};

static void tell_losses(const struct attributing *at)
{
    const struct rl_sampling *sampling = at->sampling;
    const size_t lost[LOSSES] = {
        [LOST_ROOM] = sampling->dropped, [LOST_TIME] = sampling->samples.cut, [LOST_WINDOWS] = sampling->undecoded};
    for (size_t i = 0; i < LOSSES; i++)
        if (lost[i])
            rl_capture_log(at->b->capture, 0, RL_LOG_NOTE, "%zu %s of the GPU are not used: %s", lost[i], losses[i].what,
                           losses[i].why);
}

/* The message to the user. */
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

/* Stores what recording adds, or logs why it is unknown. */
static void tell_tracer(struct builder *b, size_t gpu)
{
    const struct rl_program_facts *facts = b->facts;
    if (!facts->tracer)
        return;
    rl_tracer_store(facts->tracer, gpu, b->capture);
    if (*facts->tracer_failure)
        rl_capture_log(b->capture, 0, RL_LOG_NOTE,
                       "sampled instructions of kernels that were recorded as they overlap include those that recording adds, "
                       "which could not be measured: %s",
                       facts->tracer_failure);
}

static void choose_samples(struct attributing *at)
{
    const struct rl_pm_samples *all = &at->sampling->samples;
    const size_t counters = at->counter_count, each = at->sampling->counter_count;
    struct rl_pm_samples *used = &at->used;
    RL_GROW(used->start_ns, all->count, used->start_cap);
    RL_GROW(used->end_ns, all->count, used->end_cap);
    RL_GROW(used->values, all->count * counters, used->value_cap);
    at->gap_count = rl_gaps_merge(at->gaps, at->gap_count);
    for (size_t s = 0; s < all->count; s++) {
        if (rl_sampling_is_stretched(at->sampling, s) ||
            rl_gaps_meet(at->gaps, at->gap_count, all->start_ns[s], all->end_ns[s] + NEAR_NS))
            continue;
        used->start_ns[used->count] = all->start_ns[s];
        used->end_ns[used->count] = all->end_ns[s];
        for (size_t c = 0; c < counters; c++)
            used->values[used->count * counters + c] = all->values[s * each + at->counters[c]];
        used->count++;
        /* In the order of time. */
        const uint64_t from_ns = all->start_ns[s] > FAR_NS ? all->start_ns[s] - FAR_NS : 0, to_ns = all->end_ns[s] + FAR_NS;
        RL_GROW(at->windows, at->window_count + 1, at->window_cap);
        at->window_count = rl_gaps_append(at->windows, at->window_count, (struct rl_stream_gap){from_ns, to_ns}, 0);
    }
}

void rl_builder_add_sampling(struct builder *b)
{
    const struct rl_sampling *sampling = b->facts->sampling;
    struct rl_err err = RL_ERR_INIT;
    const size_t gpu = sampling && b->facts->complete ? find_gpu(b->capture, sampling->uuid) : RL_NONE;
    if (gpu == RL_NONE)
        return;
    struct attributing at = {.b = b, .sampling = sampling, .others = b->class_count};
    struct rl_gpu_sampling *row = rl_capture_add_sampling(b->capture);
    *row = (struct rl_gpu_sampling){.gpu = gpu,
                                    .interval_ns = sampling->interval_ns,
                                    .samples = sampling->samples.count,
                                    .windows = sampling->samples.windows,
                                    .overflows = sampling->samples.overflows,
                                    .cpu_ns = sampling->cpu_ns};
    if (sampling->samples.count) {
        for_each_process(&at, add_gaps);
        for (size_t c = 0; c < at.sampling->counter_count; c++)
            if (rl_sampled_of_what(rl_builder_sampled(at.sampling->counters[c])) & RL_SAMPLED_OF_KERNELS)
                at.counters[at.counter_count++] = c;
        choose_samples(&at);
        for_each_process(&at, add_launches);
        if (at.span_count)
            rl_sort(at.spans, at.span_count, sizeof *at.spans, compare_spans);
        b->clocks_known = is_told(&at, &err) && attribute(&at, row, &err) == RL_OK;
    }
    conclude(b, row, sampling, &err);
    tell_tracer(b, gpu);
    tell_losses(&at);
    RL_FREE(at.spans, at.gaps, at.windows, at.links);
    rl_pm_samples_release(&at.used);
}
