/* stream_read.c - from records to a picture of one process. The file was written by code of ours inside somebody else's program, so
 * lengths and indices are looked at before they are believed. */
#include "stream_read.h"

#include <stdlib.h>
#include <string.h>

#include "core/fs.h"
#include "core/mem.h"

enum { MOST_FILE = 1 << 30, MOST_CLASSES = 1 << 17, MOST_RANGES = 1 << 17, MOST_PASSES = 1 << 12, MOST_TRANSFERS = 1 << 12 };

/* The record in hand. */
struct record {
    const char *bytes;
    size_t len;
    size_t text; /* where the next text begins */
};

/* The next text of the record; "" behind the last one. */
static const char *take_text(struct rl_stream *stream, struct record *record)
{
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
MAKE_ROOM(passes, pass_count, pass_cap)
MAKE_ROOM(classes, class_count, class_cap)

/* ---- one function for each kind of record; false: no process of ours writes such a one ---- */

static bool take_hello(struct rl_stream *stream, struct record *record)
{
    memcpy(&stream->hello, record->bytes, sizeof stream->hello);
    record->text = sizeof stream->hello;
    stream->host = take_text(stream, record);
    stream->rank = take_text(stream, record);
    size_t cap = 0;
    const char **arguments = NULL;
    while (record->text < record->len && (record->bytes[record->text] || record->len - record->text > 7)) {
        RL_GROW(arguments, stream->argument_count + 1, cap);
        arguments[stream->argument_count++] = take_text(stream, record);
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

static bool take_gpu(struct rl_stream *stream, struct record *record)
{
    struct rl_record_gpu gpu;
    memcpy(&gpu, record->bytes, sizeof gpu);
    record->text = sizeof gpu;
    if (gpu.gpu >= RL_STREAM_MOST_GPUS || gpu.attribute_count > RL_STREAM_MOST_ATTRIBUTES || !within(gpu.cc_major, 999) ||
        !within(gpu.cc_minor, 9))
        return false;
    stream->gpus[gpu.gpu].is = gpu;
    stream->gpus[gpu.gpu].known = true;
    stream->gpus[gpu.gpu].name = take_text(stream, record);
    return true;
}

static bool take_chip(struct rl_stream *stream, struct record *record)
{
    struct rl_record_chip chip;
    memcpy(&chip, record->bytes, sizeof chip);
    record->text = sizeof chip;
    if (chip.gpu >= RL_STREAM_MOST_GPUS)
        return false;
    stream->gpus[chip.gpu].chip = take_text(stream, record);
    stream->gpus[chip.gpu].cupti = take_text(stream, record);
    return true;
}

static struct rl_stream_class *class_at(struct rl_stream *stream, uint32_t id)
{
    return AT(classes, class_count, class_cap, id, MOST_CLASSES);
}

static bool take_class(struct rl_stream *stream, struct record *record)
{
    struct rl_record_class is;
    memcpy(&is, record->bytes, sizeof is);
    record->text = sizeof is;
    struct rl_stream_class *class = class_at(stream, is.class_id);
    if (!class || is.gpu >= RL_STREAM_MOST_GPUS)
        return false;
    class->is = is;
    class->name = take_text(stream, record);
    return true;
}

static bool take_shape(struct rl_stream *stream, struct record *record)
{
    struct rl_record_shape shape;
    memcpy(&shape, record->bytes, sizeof shape);
    struct rl_stream_class *class = class_at(stream, shape.class_id);
    if (!class)
        return false;
    class->shape = shape;
    class->has_shape = true;
    return true;
}

static bool take_totals(struct rl_stream *stream, struct record *record)
{
    struct rl_record_totals totals;
    memcpy(&totals, record->bytes, sizeof totals);
    struct rl_stream_class *class = class_at(stream, totals.class_id);
    if (!class || totals.timed > totals.seen || totals.min_ns > totals.max_ns || !(totals.squares >= 0))
        return false;
    class->totals = totals;
    return true;
}

static bool take_sample(struct rl_stream *stream, struct record *record)
{
    struct rl_record_sample sample;
    memcpy(&sample, record->bytes, sizeof sample);
    struct rl_stream_class *class = class_at(stream, sample.class_id);
    if (!class || sample.slot >= RL_STREAM_SAMPLES || sample.slot > class->sample_count)
        return false;
    RL_GROW(class->samples, (size_t)sample.slot + 1, class->sample_cap);
    class->samples[sample.slot] = sample.duration_ns;
    class->sample_count += sample.slot == class->sample_count;
    return true;
}

static bool take_transfer(struct rl_stream *stream, struct record *record)
{
    struct rl_record_transfer transfer;
    memcpy(&transfer, record->bytes, sizeof transfer);
    size_t i = 0;
    while (i < stream->transfer_count &&
           (stream->transfers[i].gpu != transfer.gpu || stream->transfers[i].direction != transfer.direction ||
            stream->transfers[i].memory != transfer.memory))
        i++;
    if (transfer.gpu >= RL_STREAM_MOST_GPUS || transfer.direction >= RL_DIRECTIONS || transfer.memory >= RL_MEMORIES ||
        i >= MOST_TRANSFERS || !(transfer.slowest >= 0) || !(transfer.fastest >= 0))
        return false;
    if (i == stream->transfer_count) {
        RL_GROW(stream->transfers, i + 1, stream->transfer_cap);
        stream->transfer_count++;
    }
    stream->transfers[i] = transfer;
    return true;
}

static bool take_busy(struct rl_stream *stream, struct record *record)
{
    struct rl_record_busy busy;
    memcpy(&busy, record->bytes, sizeof busy);
    if (busy.gpu >= RL_STREAM_MOST_GPUS || busy.busy_ns > busy.span_ns)
        return false;
    stream->gpus[busy.gpu].busy = busy;
    return true;
}

static bool take_range(struct rl_stream *stream, struct record *record)
{
    struct rl_record_range is;
    memcpy(&is, record->bytes, sizeof is);
    record->text = sizeof is;
    if (is.range < 0 || is.parent < RL_STREAM_NO_RANGE || is.parent >= is.range || (size_t)is.range > stream->range_count)
        return false; /* they are numbered as they come, parents first */
    struct rl_stream_range *range = AT(ranges, range_count, range_cap, (size_t)is.range, MOST_RANGES);
    if (!range)
        return false;
    range->is = is;
    range->domain = take_text(stream, record);
    range->name = take_text(stream, record);
    return true;
}

static bool take_range_totals(struct rl_stream *stream, struct record *record)
{
    struct rl_record_range_totals totals;
    memcpy(&totals, record->bytes, sizeof totals);
    if (totals.range < 0 || (size_t)totals.range >= stream->range_count)
        return false;
    stream->ranges[totals.range].totals = totals;
    return true;
}

static bool take_process(struct rl_stream *stream, struct record *record)
{
    memcpy(&stream->process, record->bytes, sizeof stream->process);
    return true;
}

static bool take_pass(struct rl_stream *stream, struct record *record)
{
    struct rl_record_pass is;
    memcpy(&is, record->bytes, sizeof is);
    record->text = sizeof is;
    struct rl_stream_pass *pass = AT(passes, pass_count, pass_cap, is.pass, MOST_PASSES);
    if (!pass || is.gpu >= RL_STREAM_MOST_GPUS || is.counter_count > record->len)
        return false;
    pass->is = is;
    pass->configuration = take_text(stream, record);
    pass->mode = take_text(stream, record);
    pass->counters = rl_arena_alloc(&stream->arena, is.counter_count * sizeof *pass->counters);
    for (uint32_t i = 0; i < is.counter_count; i++)
        pass->counters[i] = take_text(stream, record);
    return true;
}

static bool take_counters(struct rl_stream *stream, struct record *record)
{
    struct rl_record_counters is;
    memcpy(&is, record->bytes, sizeof is);
    struct rl_stream_class *class = class_at(stream, is.class_id);
    if (!class || is.pass >= stream->pass_count)
        return false;
    size_t bytes = stream->passes[is.pass].is.counter_count * sizeof(double);
    if (record->len < sizeof is + bytes)
        return false;
    double *values = rl_arena_alloc(&stream->arena, bytes);
    memcpy(values, record->bytes + sizeof is, bytes);
    RL_GROW(class->counted, class->counted_count + 1, class->counted_cap);
    class->counted[class->counted_count++] = (struct rl_stream_counted){is.pass, values};
    return true;
}

static bool take_trouble(struct rl_stream *stream, struct record *record)
{
    struct rl_record_trouble trouble;
    memcpy(&trouble, record->bytes, sizeof trouble);
    record->text = sizeof trouble;
    RL_GROW(stream->troubles, stream->trouble_count + 1, stream->trouble_cap);
    stream->troubles[stream->trouble_count++] =
        (struct rl_stream_trouble){trouble.level, trouble.status, take_text(stream, record)};
    return true;
}

static bool take_end(struct rl_stream *stream, struct record *record)
{
    (void)record;
    stream->ended = true;
    return true;
}

static const struct {
    size_t least;
    bool (*take)(struct rl_stream *, struct record *);
} kinds[RL_RECORD_COUNT] = {
#define RECORD(name) [RL_RECORD_##name] = {sizeof(struct rl_record_##name), take_##name},
#include "stream.def"
#undef RECORD
};

/* ---- the file ---- */

static enum rl_status take_records(struct rl_stream *stream, const struct rl_buf *bytes, struct rl_err *err)
{
    size_t at = 0;
    while (bytes->len - at >= sizeof(struct rl_record)) {
        struct rl_record head;
        memcpy(&head, bytes->data + at, sizeof head);
        bool sound = head.kind < RL_RECORD_COUNT && head.bytes >= kinds[head.kind].least && head.bytes % 8 == 0 &&
                     head.bytes <= RL_STREAM_MOST_BYTES && (at > 0 || head.kind == RL_RECORD_hello);
        if (sound && head.bytes > bytes->len - at)
            break; /* not yet written whole */
        struct record record = {bytes->data + at, head.bytes, sizeof head};
        if (!sound || !kinds[head.kind].take(stream, &record))
            return rl_err_set(err, RL_FORMAT, "damaged at byte %zu", at);
        at += head.bytes;
    }
    return at > 0 ? RL_OK : rl_err_set(err, RL_FORMAT, "the process has not said anything");
}

enum rl_status rl_stream_read(const char *path, struct rl_stream *stream, struct rl_err *err)
{
    struct rl_buf bytes = RL_BUF_INIT;
    *stream = (struct rl_stream){.arena = RL_ARENA_INIT, .host = "", .rank = ""};
    enum rl_status status = rl_read_file(path, MOST_FILE, &bytes, err);
    if (status == RL_OK)
        status = take_records(stream, &bytes, err);
    rl_buf_release(&bytes);
    return status == RL_OK ? RL_OK : rl_err_context(err, status, "record stream '%s'", path);
}

void rl_stream_release(struct rl_stream *stream)
{
    for (size_t i = 0; i < stream->class_count; i++) {
        free(stream->classes[i].counted);
        free(stream->classes[i].samples);
    }
    free(stream->classes);
    free(stream->transfers);
    free(stream->ranges);
    free(stream->passes);
    free(stream->troubles);
    rl_arena_release(&stream->arena);
    *stream = (struct rl_stream){0};
}
