/* program_timeline.c - what the GPUs of a program did over time: lanes of its processes with one width of bins each, and the times
 * between kernels. */

#include "program_builder.h"

enum { MOST_CLASS_LANES = 10, MOST_RANGE_LANES = 8 }; /* the others are one lane */

/* The first kernel of the capture that has something of the class; RL_NONE: it was left out. */
static size_t kernel_of(const struct builder *b, const struct rl_stream *stream, uint32_t class_id)
{
    for (size_t i = 0; i < b->class_count; i++)
        for (size_t p = 0; p < b->classes[i].part_count; p++)
            if (b->classes[i].parts[p].stream == stream && b->classes[i].parts[p].class->is.class_id == class_id)
                return i;
    return RL_NONE;
}

static uint64_t total_of(const struct rl_record_lane *lane)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < lane->bin_count; i++)
        total += lane->bins_ns[i];
    return total;
}

/* One timeline while it is made. */
struct making {
    struct builder *b;
    const struct rl_stream *stream;
    const struct rl_stream_lanes *lanes;
    uint64_t start_ns, width_ns;
    uint32_t bins;
};

/* The width that all lanes can have; the bins that they need of it. False: nothing was reported. */
static bool measure(struct making *making)
{
    for (size_t i = 0; i < RL_STREAM_MOST_LANES; i++) {
        const struct rl_record_lane *lane = making->lanes->lanes[i];
        if (!lane)
            continue;
        making->start_ns = lane->start_ns;
        making->width_ns = lane->width_ns > making->width_ns ? lane->width_ns : making->width_ns;
    }
    for (size_t i = 0; i < RL_STREAM_MOST_LANES; i++) {
        const struct rl_record_lane *lane = making->lanes->lanes[i];
        if (!lane || making->width_ns % lane->width_ns != 0 || lane->start_ns != making->start_ns)
            continue;
        const uint64_t times = making->width_ns / lane->width_ns, bins = (lane->bin_count + times - 1) / times;
        making->bins = bins > making->bins ? (uint32_t)bins : making->bins;
    }
    return making->bins > 0;
}

static void gather(const struct making *making, const struct rl_record_lane *lane, uint64_t *bins_ns)
{
    if (making->width_ns % lane->width_ns != 0 || lane->start_ns != making->start_ns)
        return;
    const uint64_t times = making->width_ns / lane->width_ns;
    for (uint32_t i = 0; i < lane->bin_count; i++)
        bins_ns[i / times] += lane->bins_ns[i];
}

/* Whether there is one. */
static bool gather_kind(const struct making *making, uint32_t kind, uint64_t *bins_ns)
{
    bool told = false;
    for (size_t i = 0; i < RL_STREAM_MOST_LANES; i++) {
        const struct rl_record_lane *lane = making->lanes->lanes[i];
        if (!lane || lane->lane != kind)
            continue;
        gather(making, lane, bins_ns);
        told = true;
    }
    return told;
}

/* Bins with anything in them, of the capture's lane that comes next; how much that is. */
static uint64_t add_bins(const struct making *making, struct rl_timeline_bin *(*add)(struct rl_capture *), size_t lane,
                         const uint64_t *bins_ns)
{
    uint64_t total_ns = 0;
    for (uint32_t i = 0; i < making->bins; i++) {
        total_ns += bins_ns[i];
        if (bins_ns[i])
            *add(making->b->capture) = (struct rl_timeline_bin){.lane = lane, .bin = i, .ns = bins_ns[i]};
    }
    return total_ns;
}

static void add_lane(const struct making *making, enum rl_lane lane, size_t kernel, const uint64_t *bins_ns)
{
    struct rl_capture *capture = making->b->capture;
    const uint64_t total_ns = add_bins(making, rl_capture_add_timeline_bin, capture->timeline_lane_count, bins_ns);
    *rl_capture_add_timeline_lane(capture) =
        (struct rl_timeline_lane){capture->timeline_count - 1, .lane = lane, .kernel = kernel, .total_ns = total_ns};
}

/* The lane of that kind with the most time that was not taken yet; NULL: there is none. */
static const struct rl_record_lane *next_of(const struct making *making, uint32_t kind, const bool *done, size_t *slot)
{
    const struct rl_record_lane *next = NULL;
    for (size_t i = 0; i < RL_STREAM_MOST_LANES; i++) {
        const struct rl_record_lane *lane = making->lanes->lanes[i];
        if (!lane || done[i] || lane->lane != kind || (next && total_of(lane) <= total_of(next)))
            continue;
        next = lane;
        *slot = i;
    }
    return next;
}

static void add_gaps(const struct making *making, size_t first_range)
{
    struct rl_capture *capture = making->b->capture;
    for (size_t i = 0; i < making->lanes->idle_count; i++) {
        const struct rl_record_idle *from = &making->lanes->idles[i];
        const bool known = from->range >= 0 && (size_t)from->range < making->stream->range_count;
        *rl_capture_add_timeline_gap(capture) =
            (struct rl_timeline_gap){.timeline = capture->timeline_count - 1,
                                     .lane = (enum rl_lane)from->lane,
                                     .range = known ? first_range + (size_t)from->range : RL_NONE,
                                     .count = from->count,
                                     .total_ns = from->total_ns,
                                     .longest_ns = from->longest_ns};
    }
}

static void add_range_lane(const struct making *making, enum rl_idle_place place, size_t range, const uint64_t *bins_ns)
{
    struct rl_capture *capture = making->b->capture;
    const uint64_t total_ns = add_bins(making, rl_capture_add_range_bin, capture->range_lane_count, bins_ns);
    *rl_capture_add_range_lane(capture) =
        (struct rl_range_lane){capture->timeline_count - 1, .place = place, .range = range, .total_ns = total_ns};
}

/* Where the host was while no kernel ran, of a program that has ranges: without any it is the same for all of the time. */
static void add_range_lanes(const struct making *making, size_t first_range)
{
    bool done[RL_STREAM_MOST_LANES] = {false};
    uint64_t others[RL_STREAM_LANE_BINS] = {0}, none[RL_STREAM_LANE_BINS] = {0};
    size_t slot = 0, made = 0;
    if (!making->stream->range_count)
        return;
    gather_kind(making, RL_STREAM_IDLE_OTHERS, others);
    gather_kind(making, RL_STREAM_IDLE_NO_RANGE, none);
    for (const struct rl_record_lane *lane; (lane = next_of(making, RL_STREAM_IDLE_RANGE, done, &slot));) {
        const bool known = lane->range >= 0 && (size_t)lane->range < making->stream->range_count;
        uint64_t own[RL_STREAM_LANE_BINS] = {0};
        done[slot] = true;
        gather(making, lane, !known ? none : made == MOST_RANGE_LANES ? others : own);
        if (!known || made == MOST_RANGE_LANES)
            continue;
        add_range_lane(making, RL_IDLE_RANGE, first_range + (size_t)lane->range, own);
        made++;
    }
    add_range_lane(making, RL_IDLE_OTHER_RANGES, RL_NONE, others);
    add_range_lane(making, RL_IDLE_NO_RANGE, RL_NONE, none);
}

void rl_builder_add_timelines(struct builder *b)
{
    size_t process = 0, first_range = 0;
    for (size_t s = 0; s < b->stream_count; s++) {
        const struct rl_stream *stream = b->streams[s];
        if (stream->hello.run != 0)
            continue;
        assert(process < b->capture->process_count && first_range + stream->range_count <= b->capture->range_count);
        for (uint32_t g = 0; g < RL_STREAM_MOST_GPUS; g++) {
            struct making making = {.b = b, .stream = stream, .lanes = &stream->gpus[g].lanes};
            size_t gpu = b->gpus[s][g];
            if (gpu == RL_NONE || !measure(&making))
                continue;
            *rl_capture_add_timeline(making.b->capture) = (struct rl_timeline){
                .process = process, .gpu = gpu, .start_ns = making.start_ns, .width_ns = making.width_ns, .bins = making.bins};
            for (unsigned lane = 0; lane < RL_LANE_CLASS; lane++) {
                uint64_t bins[RL_STREAM_LANE_BINS] = {0};
                if (gather_kind(&making, lane, bins))
                    add_lane(&making, (enum rl_lane)lane, RL_NONE, bins);
            }
            bool done[RL_STREAM_MOST_LANES] = {false};
            uint64_t others[RL_STREAM_LANE_BINS] = {0};
            size_t slot = 0, made = 0;
            for (const struct rl_record_lane *lane; (lane = next_of(&making, RL_LANE_CLASS, done, &slot));) {
                const size_t kernel = made < MOST_CLASS_LANES ? kernel_of(making.b, making.stream, lane->class_id) : RL_NONE;
                uint64_t own[RL_STREAM_LANE_BINS] = {0};
                done[slot] = true;
                gather(&making, lane, kernel == RL_NONE ? others : own);
                if (kernel == RL_NONE)
                    continue;
                add_lane(&making, RL_LANE_CLASS, kernel, own);
                made++;
            }
            gather_kind(&making, RL_LANE_OTHER_CLASSES, others);
            add_lane(&making, RL_LANE_OTHER_CLASSES, RL_NONE, others);
            add_gaps(&making, first_range);
            add_range_lanes(&making, first_range);
            rl_builder_add_moments(making.b, making.start_ns);
        }
        process++;
        first_range += stream->range_count;
    }
    /* By CUPTI's clock they would say when the machine was started. */
    struct rl_capture *capture = b->capture;
    uint64_t first_ns = UINT64_MAX;
    for (size_t i = 0; i < capture->timeline_count; i++)
        first_ns = capture->timelines[i].start_ns < first_ns ? capture->timelines[i].start_ns : first_ns;
    for (size_t i = 0; i < capture->timeline_count; i++)
        capture->timelines[i].start_ns -= first_ns;
}
