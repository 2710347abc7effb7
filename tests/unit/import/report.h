/* report.h - reports of Nsight Compute, made field by field. */
#ifndef RL_TESTS_REPORT_H
#define RL_TESTS_REPORT_H

#include "bench.h"
#include "core/buf.h"

/* ---- protocol buffers ---- */

static inline void varint(struct rl_buf *to, uint64_t value)
{
    for (; value > 0x7F; value >>= 7)
        rl_buf_addch(to, (char)(value | 0x80));
    rl_buf_addch(to, (char)value);
}

static inline void number(struct rl_buf *to, unsigned field, uint64_t value)
{
    varint(to, field << 3);
    varint(to, value);
}

static inline void bytes(struct rl_buf *to, unsigned field, const void *at, size_t len)
{
    varint(to, field << 3 | 2);
    varint(to, len);
    rl_buf_add(to, at, len);
}

static inline void text(struct rl_buf *to, unsigned field, const char *words)
{
    bytes(to, field, words, strlen(words));
}

/* Puts a message in, and releases it. */
static inline void message(struct rl_buf *to, unsigned field, struct rl_buf *part)
{
    bytes(to, field, part->data, part->len);
    rl_buf_release(part);
}

static inline void fixed(struct rl_buf *to, unsigned field, uint64_t bits, unsigned width)
{
    varint(to, field << 3 | (width == 8 ? 1 : 5));
    for (unsigned i = 0; i < width; i++)
        rl_buf_addch(to, (char)(bits >> 8 * i));
}

/* Puts a message behind its length in 4 bytes, and releases it. */
static inline void sized(struct rl_buf *to, struct rl_buf *part)
{
    for (unsigned i = 0; i < 4; i++)
        rl_buf_addch(to, (char)(part->len >> 8 * i));
    rl_buf_add(to, part->data, part->len);
    rl_buf_release(part);
}

/* ---- reports ---- */

enum stored { DOUBLE, FLOAT, UINT32, UINT64, WORDS, NOTHING, EMPTY, INSTANCES, OPCODES, PLACES, FIRST };

struct metric {
    const char *name;
    enum stored stored;
    double value;
    const char *words;
};

struct report {
    struct rl_buf file;
    const char *names[64]; /* by their numbers */
    size_t name_count;
    struct rl_buf source;  /* of the block in hand; empty: a module without code */
    struct rl_buf payload; /* of the block in hand, */
    size_t launches, ranges;
    size_t from; /* and the first name that it brings */
};

static inline struct report begin_report(unsigned version)
{
    struct report report = {.name_count = 0};
    struct rl_buf header = RL_BUF_INIT;

    rl_buf_init(&report.file);
    rl_buf_init(&report.payload);
    rl_buf_init(&report.source);
    rl_buf_add(&report.file, "NVR", 4);
    number(&header, 1, version);
    sized(&report.file, &header);
    return report;
}

static inline size_t name_of(struct report *report, const char *name)
{
    for (size_t i = 0; i < report->name_count; i++)
        if (strcmp(report->names[i], name) == 0)
            return i;
    assert_true(report->name_count < sizeof report->names / sizeof *report->names);
    report->names[report->name_count] = name;
    return report->name_count++;
}

static inline void put_value(struct rl_buf *to, const struct metric *metric);

enum { BASE = 0x7F0000001000, MODULE = 81 };

/* Instances by address, "0=5 16=7": 5 at the first instruction of the function, 7 at the second. */
static inline void put_places(struct rl_buf *to, const char *places)
{
    for (char *end = (char *)places; *end;) {
        struct rl_buf instance = RL_BUF_INIT, id = RL_BUF_INIT, value = RL_BUF_INIT;
        const unsigned long offset = strtoul(end, &end, 10);
        number(&id, 5, BASE + offset);
        message(&instance, 1, &id);
        number(&value, 5, strtoul(end + 1, &end, 10));
        message(&instance, 2, &value);
        message(to, 3, &instance);
    }
}

/* Two instances with names, which have as much and twice as much. */
static inline void put_opcodes(struct rl_buf *to, const struct metric *metric)
{
    static const char *const opcodes[] = {"FFMA", "LDG.E"};

    for (size_t i = 0; i < 2; i++) {
        struct rl_buf instance = RL_BUF_INIT, id = RL_BUF_INIT, value = RL_BUF_INIT;
        put_value(&id, &(struct metric){.stored = WORDS, .words = opcodes[i]});
        message(&instance, 1, &id);
        put_value(&value, &(struct metric){.stored = DOUBLE, .value = (double)(i + 1) * metric->value});
        message(&instance, 2, &value);
        message(to, 3, &instance);
    }
}

static inline void put_value(struct rl_buf *to, const struct metric *metric)
{
    const float narrow = (float)metric->value;
    uint64_t wide_bits;
    uint32_t narrow_bits;

    memcpy(&wide_bits, &metric->value, sizeof wide_bits);
    memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
    if (metric->stored == WORDS)
        text(to, 1, metric->words);
    else if (metric->stored == FLOAT)
        fixed(to, 2, narrow_bits, 4);
    else if (metric->stored == DOUBLE)
        fixed(to, 3, wide_bits, 8);
    else if (metric->stored == UINT32 || metric->stored == UINT64)
        number(to, metric->stored == UINT32 ? 4 : 5, metric->value < 0 ? UINT64_MAX : (uint64_t)metric->value);
}

static inline void put_metrics(struct report *report, struct rl_buf *to, unsigned field, const struct metric *metrics, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct rl_buf result = RL_BUF_INIT, value = RL_BUF_INIT;
        number(&result, 1, name_of(report, metrics[i].name));
        put_value(&value, &metrics[i]);
        if (metrics[i].stored == INSTANCES) {
            text(&result, 3, "");
            rl_buf_release(&value);
        } else if (metrics[i].stored == OPCODES) {
            put_opcodes(&result, &metrics[i]);
            put_value(&value, &(struct metric){.stored = DOUBLE, .value = 3 * metrics[i].value});
            message(&result, 2, &value);
        } else if (metrics[i].stored == PLACES) {
            put_places(&result, metrics[i].words);
            rl_buf_release(&value);
        } else if (metrics[i].stored == FIRST) {
            struct rl_buf instance = RL_BUF_INIT, id = RL_BUF_INIT;
            number(&id, 5, 0);
            message(&instance, 1, &id);
            put_value(&value, &(struct metric){.stored = UINT64, .value = metrics[i].value});
            message(&instance, 2, &value);
            message(&result, 3, &instance);
            put_value(&value, &(struct metric){.stored = UINT32, .value = 1}); /* how many there are */
            message(&result, 2, &value);
        } else if (metrics[i].stored == NOTHING) {
            rl_buf_release(&value);
        } else {
            message(&result, 2, &value);
        }
        message(to, field, &result);
    }
}

static inline void put_extent(struct rl_buf *to, unsigned field, unsigned x, unsigned y, unsigned z)
{
    struct rl_buf extent = RL_BUF_INIT;

    number(&extent, 1, x);
    number(&extent, 2, y);
    number(&extent, 3, z);
    message(to, field, &extent);
}

/* A launch of 4 * 2 blocks with 64 threads, with every kind of field before, between and behind those that are read. */
static inline void add_launch(struct report *report, const char *mangled, const char *function, const char *demangled,
                              const struct metric *metrics, size_t count)
{
    struct rl_buf launch = RL_BUF_INIT, module = RL_BUF_INIT;

    number(&launch, 1, 7);
    text(&launch, 5, mangled);
    text(&launch, 6, function);
    text(&launch, 7, demangled);
    put_extent(&launch, 9, 0, 0, 0);
    put_extent(&launch, 10, 4, 2, 1);
    put_extent(&launch, 11, 64, 1, 1);
    put_metrics(report, &launch, 13, metrics, count);
    number(&module, 1, MODULE);
    message(&launch, 15, &module);
    number(&launch, 23, 7);
    fixed(&launch, 40, 1, 4);
    fixed(&launch, 41, 1, 8);
    sized(&report->payload, &launch);
    report->launches++;
}

static inline void add_range(struct report *report)
{
    struct rl_buf range = RL_BUF_INIT;

    number(&range, 1, 7);
    sized(&report->payload, &range);
    report->ranges++;
}

/* Closes a block: a source, then what was added. `names`: it brings the new ones. */
static inline void end_block(struct report *report, unsigned process, bool names)
{
    struct rl_buf header = RL_BUF_INIT, table = RL_BUF_INIT, payload = RL_BUF_INIT, source = RL_BUF_INIT, by = RL_BUF_INIT;

    if (report->source.len)
        rl_buf_add(&source, report->source.data, report->source.len);
    else
        text(&source, 4,
             "\x7F"
             "ELF");
    sized(&payload, &source);
    rl_buf_add(&payload, report->payload.data, report->payload.len);
    rl_buf_reset(&report->payload);
    number(&header, 1, 1);
    number(&header, 2, report->launches);
    for (size_t i = report->from; names && i < report->name_count; i++)
        text(&table, 1, report->names[i]);
    report->from = names ? report->name_count : report->from;
    message(&header, 4, &table);
    number(&header, 5, payload.len);
    number(&by, 1, process);
    bytes(&by, 2, "alpha", 6); /* with its 0 */
    bytes(&by, 3, "/home/user/app\0", 15);
    message(&header, 6, &by);
    number(&header, 7, report->ranges);
    sized(&report->file, &header);
    rl_buf_add(&report->file, payload.data, payload.len);
    rl_buf_release(&payload);
    report->launches = report->ranges = 0;
}

/* A block without messages: the version of Nsight Compute. */
static inline void add_session(struct report *report, const char *version)
{
    struct rl_buf header = RL_BUF_INIT, session = RL_BUF_INIT, part = RL_BUF_INIT, other = RL_BUF_INIT;

    number(&header, 1, 0); /* as in real ones */
    text(&other, 1, "CUDA Version");
    text(&other, 2, "12.4");
    message(&session, 8, &other);
    text(&part, 1, "Nsight Compute Target");
    text(&part, 2, version);
    message(&session, 8, &part);
    message(&header, 3, &session);
    number(&header, 5, 0);
    sized(&report->file, &header);
}

#define CARD                                                                                                                       \
    {"device__attribute_device_index", UINT64, 1}, {"device__attribute_compute_capability_major", UINT64, 8},                      \
        {"device__attribute_compute_capability_minor", UINT64, 6}, {"device__attribute_display_name", WORDS, 0, "NVIDIA A10"},     \
    {                                                                                                                              \
        "device__attribute_multiprocessor_count", UINT64, 72                                                                       \
    }

#endif
