/* stream_read.c - from records to a picture of one process. They were written by code of ours inside a foreign program, so
 * lengths and indices are looked at before they are believed. */
#include "stream_read.h"

#include "availability.h"

enum { MOST_IDLES = 4096 };
static const uint64_t BELIEVABLE_NS = UINT64_C(1) << 53; /* 104 days in one bin */

/* Takes a record of `len` bytes; false: no process of ours writes such a one. */
static bool stream_lanes_take(struct rl_stream_lanes *lanes, const char *bytes, size_t len)
{
    struct rl_record_lane is;
    assert(len >= sizeof is);
    memcpy(&is, bytes, sizeof is);
    if (is.slot >= RL_STREAM_MOST_LANES || is.lane >= RL_STREAM_LANE_KINDS || is.bin_count > RL_STREAM_LANE_BINS ||
        len < sizeof is + is.bin_count * sizeof *is.bins_ns || is.width_ns == 0 || is.width_ns > BELIEVABLE_NS || is.start_ns >> 63)
        return false;
    struct rl_record_lane **lane = &lanes->lanes[is.slot];
    if (!*lane)
        *lane = rl_calloc(1, sizeof **lane + RL_STREAM_LANE_BINS * sizeof *is.bins_ns);
    memset(*lane, 0, sizeof **lane + RL_STREAM_LANE_BINS * sizeof *is.bins_ns);
    memcpy(*lane, bytes, sizeof is + is.bin_count * sizeof *is.bins_ns);
    return !RL_ANY(i, is.bin_count, (*lane)->bins_ns[i] > BELIEVABLE_NS);
}

/* The same of a time without a kernel. */
static bool stream_lanes_take_idle(struct rl_stream_lanes *lanes, const struct rl_record_idle *idle)
{
    if (idle->lane < RL_LANE_IDLE_COPY || idle->lane > RL_LANE_UNWATCHED || idle->longest_ns > idle->total_ns ||
        idle->total_ns > BELIEVABLE_NS || idle->count > BELIEVABLE_NS)
        return false;
    for (size_t i = 0; i < lanes->idle_count; i++)
        if (lanes->idles[i].lane == idle->lane && lanes->idles[i].range == idle->range) {
            lanes->idles[i] = *idle;
            return true;
        }
    if (lanes->idle_count == MOST_IDLES)
        return false;
    RL_APPEND(lanes->idles, lanes->idle_count, lanes->idle_cap, *idle);
    return true;
}

/* Takes a zeroed one, too; zeroes it. */
static void stream_lanes_release(struct rl_stream_lanes *lanes)
{
    for (size_t i = 0; i < RL_STREAM_MOST_LANES; i++)
        free(lanes->lanes[i]);
    free(lanes->idles);
    *lanes = (struct rl_stream_lanes){0};
}

static void add_gap(struct rl_stream_launches *launches, uint64_t from_ns, uint64_t to_ns)
{
    assert(from_ns < to_ns && launches->gap_count <= RL_STREAM_KEPT_GAPS);
    if (launches->gap_count == RL_STREAM_KEPT_GAPS) {
        struct rl_stream_gap *last = &launches->gaps[RL_STREAM_KEPT_GAPS - 1];
        last->from_ns = from_ns < last->from_ns ? from_ns : last->from_ns;
        last->to_ns = UINT64_MAX;
        return;
    }
    RL_APPEND(launches->gaps, launches->gap_count, launches->gap_cap, (struct rl_stream_gap){from_ns, to_ns});
}

static bool is_full(const struct rl_stream_launches *launches)
{
    return launches->launch_count >= RL_STREAM_KEPT_LAUNCHES;
}

/* Takes a record of `len` bytes; false: no process of ours writes such a one. */
static bool stream_launches_take(struct rl_stream_launches *launches, const char *bytes, size_t len)
{
    struct rl_record_launches is;
    assert(len >= sizeof is);
    memcpy(&is, bytes, sizeof is);
    if (is.launch_count > RL_STREAM_MOST_LAUNCHES || len < sizeof is + is.launch_count * sizeof *is.launches ||
        is.missing_from_ns > is.missing_to_ns)
        return false;
    if (is.missing_from_ns < is.missing_to_ns && !is_full(launches))
        add_gap(launches, is.missing_from_ns, is.missing_to_ns);
    for (uint32_t i = 0; i < is.launch_count; i++) {
        struct rl_stream_launch launch;
        memcpy(&launch, bytes + sizeof is + i * sizeof launch, sizeof launch);
        if (launch.start_ns >> 63)
            return false;
        if (is_full(launches))
            continue;
        RL_APPEND(launches->launches, launches->launch_count, launches->launch_cap, launch);
        if (is_full(launches))
            add_gap(launches, launch.start_ns, UINT64_MAX);
    }
    return true;
}

/* Takes a zeroed one, too; zeroes it. */
static void stream_launches_release(struct rl_stream_launches *launches)
{
    free(launches->launches);
    free(launches->gaps);
    *launches = (struct rl_stream_launches){0};
}

enum {
    MOST_CLASSES = 1 << 17,
    MOST_RANGES = 1 << 17,
    MOST_PASSES = 1 << 12,
    MOST_TRANSFERS = 1 << 12,
    MOST_USES = 1 << 17,
    MOST_REFUSED = 1 << 10
};

/* The record in hand. */
struct record {
    const char *bytes;
    size_t len;
    size_t text; /* where the next text begins */
};

/* The next text of the record; "" behind the last one. */
static const char *take_text(struct rl_stream *stream, struct record *record)
{
    assert(record->text <= record->len);
    const char *at = record->bytes + record->text;
    const char *end = memchr(at, 0, record->len - record->text);
    if (!end)
        return "";
    record->text += (size_t)(end - at) + 1;
    return rl_arena_strndup(&stream->arena, at, (size_t)(end - at));
}

/* Room for element `index` of an array, with everything up to it zeroed; NULL when that is absurd. */
#define AT(items, number, capacity, index, most)                                                                                   \
    ((index) < (most) ? (make_room_##items(stream, (index)), &stream->items[index]) : NULL)
#define MAKE_ROOM(items, number, capacity)                                                                                         \
    static void make_room_##items(struct rl_stream *stream, size_t index)                                                          \
    {                                                                                                                              \
        if (index < stream->number)                                                                                                \
            return;                                                                                                                \
        RL_GROW(stream->items, index + 1, stream->capacity);                                                                       \
        memset(&stream->items[stream->number], 0, (index + 1 - stream->number) * sizeof *stream->items);                           \
        stream->number = index + 1;                                                                                                \
    }
MAKE_ROOM(ranges, range_count, range_cap)
MAKE_ROOM(instances, instance_count, instance_cap)
MAKE_ROOM(uses, use_count, use_cap)
MAKE_ROOM(passes, pass_count, pass_cap)
MAKE_ROOM(classes, class_count, class_cap)

/* ---- one function for each kind of record; false: no process of ours writes such a one ---- */

/* `is`: its fixed part, behind which texts begin. */
#define UNUSED __attribute__((unused))
#define TAKE(name)                                                                                                                 \
    static bool take_##name(struct rl_stream *stream, UNUSED const struct rl_record_##name *is, UNUSED struct record *record)

TAKE(hello)
{
    stream->hello = *is;
    stream->host = take_text(stream, record);
    stream->rank = take_text(stream, record);
    size_t cap = 0;
    const char **arguments = NULL;
    while (record->text < record->len && (record->bytes[record->text] || record->len - record->text > 7)) {
        RL_APPEND(arguments, stream->argument_count, cap, take_text(stream, record));
    }
    stream->arguments = rl_arena_alloc(&stream->arena, stream->argument_count * sizeof *arguments);
    if (arguments)
        memcpy(stream->arguments, arguments, stream->argument_count * sizeof *arguments);
    free(arguments);
    return stream->hello.version == RL_STREAM_VERSION;
}

static bool within(uint32_t number, uint32_t most)
{
    return number <= most;
}

TAKE(gpu)
{
    if (is->gpu >= RL_STREAM_MOST_GPUS || is->attribute_count > RL_STREAM_MOST_ATTRIBUTES || !within(is->cc_major, 999) ||
        !within(is->cc_minor, 9))
        return false;
    stream->gpus[is->gpu].is = *is;
    stream->gpus[is->gpu].known = true;
    stream->gpus[is->gpu].name = take_text(stream, record);
    return true;
}

TAKE(chip)
{
    if (is->gpu >= RL_STREAM_MOST_GPUS)
        return false;
    stream->gpus[is->gpu].chip = take_text(stream, record);
    stream->gpus[is->gpu].cupti = take_text(stream, record);
    return true;
}

TAKE(availability)
{
    if (is->gpu >= RL_STREAM_MOST_GPUS || is->size == 0 || is->size > RL_AVAILABILITY_MOST || record->len < sizeof *is + is->size)
        return false;
    unsigned char *image = rl_arena_alloc(&stream->arena, is->size);
    memcpy(image, record->bytes + sizeof *is, is->size);
    stream->gpus[is->gpu].availability = image;
    stream->gpus[is->gpu].availability_size = is->size;
    stream->gpus[is->gpu].availability_key = is->key;
    return true;
}

static struct rl_stream_class *class_at(struct rl_stream *stream, uint32_t id)
{
    return AT(classes, class_count, class_cap, id, MOST_CLASSES);
}

TAKE(class)
{
    struct rl_stream_class *class = class_at(stream, is->class_id);
    if (!class || is->gpu >= RL_STREAM_MOST_GPUS)
        return false;
    class->is = *is;
    class->name = take_text(stream, record);
    return true;
}

TAKE(shape)
{
    struct rl_stream_class *class = class_at(stream, is->class_id);
    if (!class)
        return false;
    class->shape = *is;
    class->has_shape = true;
    return true;
}

TAKE(totals)
{
    struct rl_stream_class *class = class_at(stream, is->class_id);
    if (!class || is->timed > is->seen || is->min_ns > is->max_ns || !(is->squares >= 0))
        return false;
    class->totals = *is;
    return true;
}

static bool are_bins(const struct rl_stream_bin *bins, size_t count)
{
    return !RL_ANY(i, count,
                   bins[i].bin >= RL_STREAM_MOST_BINS || (i && bins[i - 1].bin >= bins[i].bin) || bins[i].count >> 52 ||
                       bins[i].total_ns >> 60);
}

TAKE(durations)
{
    struct rl_stream_class *class = class_at(stream, is->class_id);
    const size_t bytes = is->bin_count * sizeof *is->bins;
    if (!class || is->bin_count > RL_STREAM_MOST_BINS || record->len < sizeof *is + bytes)
        return false;
    free(class->bins);
    class->bins = rl_calloc(is->bin_count, sizeof *class->bins);
    class->bin_count = is->bin_count;
    if (bytes)
        memcpy(class->bins, record->bytes + sizeof *is, bytes);
    return are_bins(class->bins, class->bin_count);
}

TAKE(sample)
{
    struct rl_stream_class *class = class_at(stream, is->class_id);
    if (!class || is->slot >= RL_STREAM_SAMPLES || is->slot > class->sample_count)
        return false;
    RL_GROW(class->samples, (size_t)is->slot + 1, class->sample_cap);
    class->samples[is->slot] = (struct rl_stream_sample){is->start_ns, is->duration_ns, is->traced};
    class->sample_count += is->slot == class->sample_count;
    return true;
}

TAKE(launches)
{
    return is->gpu < RL_STREAM_MOST_GPUS && stream_launches_take(&stream->gpus[is->gpu].launches, record->bytes, record->len);
}

TAKE(transfer)
{
    size_t i = 0;
    while (i < stream->transfer_count && (stream->transfers[i].gpu != is->gpu || stream->transfers[i].direction != is->direction ||
                                          stream->transfers[i].memory != is->memory))
        i++;
    if (is->gpu >= RL_STREAM_MOST_GPUS || is->direction >= RL_DIRECTIONS || is->memory >= RL_MEMORIES || i >= MOST_TRANSFERS ||
        !(is->slowest >= 0) || !(is->fastest >= 0))
        return false;
    if (i == stream->transfer_count) {
        RL_GROW(stream->transfers, i + 1, stream->transfer_cap);
        stream->transfer_count++;
    }
    stream->transfers[i] = *is;
    return true;
}

TAKE(busy)
{
    if (is->gpu >= RL_STREAM_MOST_GPUS || is->busy_ns > is->span_ns)
        return false;
    stream->gpus[is->gpu].busy = *is;
    return true;
}

TAKE(lane)
{
    return is->gpu < RL_STREAM_MOST_GPUS && stream_lanes_take(&stream->gpus[is->gpu].lanes, record->bytes, record->len);
}

TAKE(idle)
{
    return is->gpu < RL_STREAM_MOST_GPUS && stream_lanes_take_idle(&stream->gpus[is->gpu].lanes, is);
}

TAKE(range)
{
    if (is->range < 0 || is->parent < RL_STREAM_NO_RANGE || is->parent >= is->range || (size_t)is->range > stream->range_count)
        return false; /* they are numbered as they come, parents first */
    struct rl_stream_range *range = AT(ranges, range_count, range_cap, (size_t)is->range, MOST_RANGES);
    if (!range)
        return false;
    range->is = *is;
    range->domain = take_text(stream, record);
    range->name = take_text(stream, record);
    return true;
}

TAKE(range_totals)
{
    if (is->range < 0 || (size_t)is->range >= stream->range_count)
        return false;
    stream->ranges[is->range].totals = *is;
    return true;
}

TAKE(instance)
{
    if (is->range < 0 || (size_t)is->range >= stream->range_count || is->gpu >= RL_STREAM_MOST_GPUS ||
        is->instance > stream->instance_count || is->busy_ns > is->gpu_ns)
        return false;
    struct rl_record_instance *instance = AT(instances, instance_count, instance_cap, is->instance, RL_STREAM_MOST_INSTANCES);
    if (!instance)
        return false;
    *instance = *is;
    return true;
}

TAKE(use)
{
    if (is->range < 0 || (size_t)is->range >= stream->range_count || is->use > stream->use_count)
        return false;
    struct rl_record_use *use = AT(uses, use_count, use_cap, is->use, MOST_USES);
    if (!use)
        return false;
    *use = *is;
    return true;
}

TAKE(process)
{
    stream->process = *is;
    return true;
}

TAKE(pass)
{
    struct rl_stream_pass *pass = AT(passes, pass_count, pass_cap, is->pass, MOST_PASSES);
    if (!pass || is->gpu >= RL_STREAM_MOST_GPUS || is->counter_count > record->len ||
        (pass->configuration && pass->is.counter_count != is->counter_count)) /* launches have been counted under it */
        return false;
    pass->is = *is;
    pass->configuration = take_text(stream, record);
    pass->mode = take_text(stream, record);
    pass->counters = rl_arena_alloc(&stream->arena, is->counter_count * sizeof *pass->counters);
    for (uint32_t i = 0; i < is->counter_count; i++)
        pass->counters[i] = take_text(stream, record);
    return true;
}

TAKE(counters)
{
    struct rl_stream_class *class = class_at(stream, is->class_id);
    if (!class || is->pass >= stream->pass_count || !stream->passes[is->pass].configuration)
        return false;
    size_t bytes = stream->passes[is->pass].is.counter_count * sizeof(double);
    if (record->len < sizeof *is + bytes)
        return false;
    double *values = rl_arena_alloc(&stream->arena, bytes);
    memcpy(values, record->bytes + sizeof *is, bytes);
    RL_APPEND(class->counted, class->counted_count, class->counted_cap, (struct rl_stream_counted){is->pass, is->near_ns, values});
    return true;
}

TAKE(pc_totals)
{
    if (is->gpu >= RL_STREAM_MOST_GPUS || is->period > 31)
        return false;
    stream->gpus[is->gpu].pc = *is;
    return true;
}

TAKE(pc_function)
{
    return is->gpu < RL_STREAM_MOST_GPUS && rl_stream_pc_function(&stream->pcs, is, take_text(stream, record));
}

TAKE(pc_samples)
{
    return rl_stream_pc_samples(&stream->pcs, record->bytes, record->len);
}

TAKE(cubin)
{
    return rl_stream_pc_cubin(&stream->pcs, record->bytes, record->len);
}

TAKE(trouble)
{
    RL_APPEND(stream->troubles, stream->trouble_count, stream->trouble_cap,
              (struct rl_stream_trouble){is->level, is->status, take_text(stream, record)});
    return true;
}

TAKE(refused)
{
    if (stream->refused_count == MOST_REFUSED)
        return true;
    RL_APPEND(stream->refused, stream->refused_count, stream->refused_cap, take_text(stream, record));
    return true;
}

/* The fixed part is copied: the record may stand anywhere in memory. */
#define RECORD(name)                                                                                                               \
    static bool take_any_##name(struct rl_stream *stream, struct record *record)                                                   \
    {                                                                                                                              \
        struct rl_record_##name is;                                                                                                \
        memcpy(&is, record->bytes, sizeof is);                                                                                     \
        record->text = sizeof is;                                                                                                  \
        return take_##name(stream, &is, record);                                                                                   \
    }
#include "stream.def"
static const struct {
    size_t least;
    bool (*take)(struct rl_stream *, struct record *);
} kinds[RL_RECORD_COUNT] = {
#define RECORD(name) [RL_RECORD_##name] = {sizeof(struct rl_record_##name), take_any_##name},
#include "stream.def"
};

/* ---- all of them ---- */

void rl_stream_init(struct rl_stream *stream, uint32_t pid)
{
    *stream = (struct rl_stream){.pid = pid, .arena = RL_ARENA_INIT, .host = "", .rank = ""};
}

/* A record that its writer cannot have left so. */
static bool is_sound(const struct rl_stream *stream, const struct rl_record *head, size_t left)
{
    return head->kind < RL_RECORD_COUNT && head->bytes >= kinds[head->kind].least && head->bytes % 8 == 0 &&
           head->bytes <= RL_STREAM_MOST_BYTES && head->bytes <= left && (stream->at == 0) == (head->kind == RL_RECORD_hello);
}

enum rl_status rl_stream_take(struct rl_stream *stream, const char *bytes, size_t len)
{
    assert(stream->at % 8 == 0);
    for (size_t at = 0; at < len && !stream->damaged;) {
        struct rl_record head = {0};
        if (len - at >= sizeof head)
            memcpy(&head, bytes + at, sizeof head);
        struct record record = {bytes + at, head.bytes, sizeof head};
        stream->damaged = !is_sound(stream, &head, len - at) || !kinds[head.kind].take(stream, &record);
        if (stream->damaged)
            return rl_err_set(&stream->failure, RL_FORMAT, "damaged at byte %llu", (unsigned long long)stream->at);
        at += head.bytes;
        stream->at += head.bytes;
    }
    return stream->damaged ? RL_FORMAT : RL_OK;
}

/* A program cannot make more in a century. */
static uint64_t believable(uint64_t count)
{
    return count >> 52 ? 0 : count;
}

void rl_stream_count(struct rl_stream *stream, const struct rl_ring *ring)
{
    if (!ring->shared)
        return;
    stream->made = believable(atomic_load(&ring->shared->made));
    for (size_t i = 0; i < stream->class_count && i < RL_RING_MOST_COUNTERS; i++)
        stream->classes[i].launched = believable(atomic_load(&ring->shared->launched[i]));
}

uint64_t rl_stream_class_launches(const struct rl_stream_class *class)
{
    const uint64_t by_counter = class->launched + class->totals.graph;
    return by_counter > class->totals.seen ? by_counter : class->totals.seen;
}

/* Records made since the process last reported their number. */
static uint64_t since(const struct rl_stream *stream)
{
    return stream->made > stream->process.made ? stream->made - stream->process.made : 0;
}

uint64_t rl_stream_launches(const struct rl_stream *stream)
{
    return stream->process.launches + since(stream);
}

uint64_t rl_stream_unrecorded(const struct rl_stream *stream)
{
    return stream->process.pending + since(stream) + stream->process.lost;
}

bool rl_stream_known(const struct rl_stream *stream)
{
    return stream->hello.pid != 0;
}

bool rl_stream_lacks(const struct rl_stream *stream)
{
    return stream->damaged || (stream->state & (RL_RING_LOST | RL_RING_LEFT));
}

void rl_stream_describe_loss(const struct rl_stream *stream, struct rl_buf *out)
{
    assert(rl_stream_lacks(stream));
    rl_buf_addf(out, "process %u: ", (unsigned)(rl_stream_known(stream) ? stream->hello.pid : stream->pid));
    if (stream->damaged)
        rl_buf_addf(out, "its records are %s: what follows is missing", stream->failure.text);
    else if (stream->state & RL_RING_NO_MEMORY)
        rl_buf_adds(out, "it has too little memory for being observed (ulimit -v, -d, -s): what it did from then on is missing");
    else if (stream->state & RL_RING_LEFT)
        rl_buf_adds(out, "CUPTI was left to it, and launches that were not seen then are missing");
    else if (stream->state & RL_RING_NO_THREAD)
        rl_buf_adds(out, "it may have no more threads (ulimit -u): it was not profiled");
    else
        rl_buf_adds(out, "its records were not read in time: some are missing");
}

void rl_stream_release(struct rl_stream *stream)
{
    for (size_t i = 0; i < stream->class_count; i++) {
        RL_FREE(stream->classes[i].bins, stream->classes[i].counted, stream->classes[i].samples);
    }
    for (size_t i = 0; i < RL_STREAM_MOST_GPUS; i++) {
        stream_launches_release(&stream->gpus[i].launches);
        stream_lanes_release(&stream->gpus[i].lanes);
    }
    RL_FREE(stream->classes, stream->transfers, stream->ranges, stream->instances, stream->uses, stream->passes, stream->troubles,
            stream->refused);
    rl_stream_pcs_release(&stream->pcs);
    rl_arena_release(&stream->arena);
    *stream = (struct rl_stream){0};
}
