#include "capture/capture.h"

const struct rl_field rl_facts[RL_FACT_COUNT] = {
#define FACT(id, unit, label)    {#id, RL_UNIT_##unit, label, {NULL, NULL}},
#define FLAG(id, label, no, yes) {#id, RL_UNIT_COUNT, label, {no, yes}},
#include "capture/facts.def"
};
const struct rl_field rl_readings[RL_READING_COUNT] = {
#define READING(id, unit, label) {#id, RL_UNIT_##unit, label, {NULL, NULL}},
#include "capture/readings.def"
};

static struct rl_value missing(void)
{
    return rl_value_missing(RL_NOT_COLLECTED, NULL);
}

static void set_missing(struct rl_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = missing();
}

struct rl_capture *rl_capture_new(void)
{
    struct rl_capture *capture = rl_calloc(1, sizeof *capture);
    capture->session.started = rl_capture_text(capture, "");
    capture->session.tool_version = rl_capture_text(capture, "");
    capture->session.source = rl_capture_text(capture, "collect");
    capture->session.counters = rl_capture_text(capture, "not collected");
    return capture;
}

bool rl_session_counted(const struct rl_session *session)
{
    return strcmp(session->counters, RL_COUNTERS_COLLECTED) == 0;
}

/* Room for one element more in `items`; its address. */
#define APPEND(items, number, capacity) (RL_GROW(items, (number) + 1, capacity), &(items)[(number)++])

/* The function that appends a row, with these members set. */
#define ROWS(one, type, items, ...)                                                                                                \
    struct type *rl_capture_add_##one(struct rl_capture *capture)                                                                  \
    {                                                                                                                              \
        struct type *added = APPEND(capture->items, capture->one##_count, capture->one##_cap);                                     \
        *added = (struct type){__VA_ARGS__};                                                                                       \
        return added;                                                                                                              \
    }
#define OWN_ROWS(...)
#include "capture/rows.def"
#undef ROWS

struct rl_gpu *rl_capture_add_gpu(struct rl_capture *capture)
{
    struct rl_gpu *gpu = APPEND(capture->gpus, capture->gpu_count, capture->gpu_cap);
    *gpu = (struct rl_gpu){0};
    set_missing(gpu->fact, RL_FACT_COUNT);
    return gpu;
}

struct rl_gpu_moment *rl_capture_add_moment(struct rl_capture *capture, size_t gpu)
{
    assert(gpu < capture->gpu_count);
    struct rl_gpu *owner = &capture->gpus[gpu];
    struct rl_gpu_moment *moment = APPEND(owner->moments, owner->moment_count, owner->moment_cap);
    *moment = (struct rl_gpu_moment){0};
    set_missing(moment->reading, RL_READING_COUNT);
    return moment;
}

struct rl_claim *rl_capture_add_claim(struct rl_capture *capture, size_t experiment)
{
    assert(experiment < capture->experiment_count);
    struct rl_experiment *owner = &capture->experiments[experiment];
    struct rl_claim *claim = APPEND(owner->claims, owner->claim_count, owner->claim_cap);
    *claim = (struct rl_claim){.from = {.most = rl_value_missing(RL_UNDEFINED, "no upper end")}};
    return claim;
}

struct rl_counter *rl_capture_add_counter(struct rl_capture *capture, size_t kernel)
{
    assert(kernel < capture->kernel_count);
    struct rl_kernel *owner = &capture->kernels[kernel];
    if (owner->counter_count > 0 && owner->counter_cap == 0) {
        /* Counters that were read lie in the arena, where they cannot grow. */
        struct rl_counter *own = NULL;
        assert(owner->counter_cap == 0);
        RL_GROW(own, owner->counter_count, owner->counter_cap);
        memcpy(own, owner->counters, owner->counter_count * sizeof *own);
        owner->counters = own;
    }
    if (!owner->counters && kernel > 0) /* classes of one capture have equally many most of the time */
        RL_GROW(owner->counters, capture->kernels[kernel - 1].counter_count, owner->counter_cap);
    struct rl_counter *counter = APPEND(owner->counters, owner->counter_count, owner->counter_cap);
    *counter = (struct rl_counter){.value = missing(), .pass = RL_NONE};
    return counter;
}

struct rl_process_gpu *rl_capture_add_process_gpu(struct rl_capture *capture, size_t process)
{
    assert(process < capture->process_count);
    struct rl_process *owner = &capture->processes[process];
    struct rl_process_gpu *gpu = APPEND(owner->gpus, owner->gpu_count, owner->gpu_cap);
    *gpu = (struct rl_process_gpu){0};
    return gpu;
}

RL_NAMES(rl_clock_name, enum rl_clock, [RL_CLOCK_UNKNOWN] = "unknown", [RL_CLOCK_SERIAL] = "serial records",
         [RL_CLOCK_CONCURRENT] = "concurrent records", [RL_CLOCK_BOTH] = "serial and concurrent records",
         [RL_CLOCK_EVENTS] = "events", [RL_CLOCK_COUNTERS] = "counters")

RL_NAMES(rl_fate_name, enum rl_fate, [RL_FATE_USED] = "used", [RL_FATE_SCALED] = "scaled", [RL_FATE_FOREIGN] = "foreign",
         [RL_FATE_IGNORED] = "ignored", [RL_FATE_CONTRADICTED] = "contradicted")

const char *rl_sampled_name(enum rl_sampled_counter counter)
{
    static const char *const names[] = {
#define SAMPLED(id, ...) #id,
#include "capture/sampled.def"
    };
    assert(counter < RL_SAMPLED_COUNT);
    return names[counter];
}

enum rl_sampled_of rl_sampled_of_what(enum rl_sampled_counter counter)
{
    static const enum rl_sampled_of of[] = {
#define SAMPLED(id, unit, what, ...) RL_SAMPLED_OF_##what,
#include "capture/sampled.def"
    };
    assert(counter < RL_SAMPLED_COUNT);
    return of[counter];
}

static void add_log_text(struct rl_capture *capture, int64_t at_ns, enum rl_log_level level, const char *text)
{
    struct rl_log_entry *entry = APPEND(capture->log, capture->log_count, capture->log_cap);
    *entry = (struct rl_log_entry){at_ns, level, rl_capture_text(capture, text)};
}

void rl_capture_log(struct rl_capture *capture, int64_t at_ns, enum rl_log_level level, const char *format, ...)
{
    if (capture->log_count >= RL_CAPTURE_MAX_LOG)
        return;
    if (capture->log_count == RL_CAPTURE_MAX_LOG - 1) {
        add_log_text(capture, at_ns, RL_LOG_WARNING, "the log is full: later messages are not in it");
        return;
    }
    RL_SCRATCH text = RL_BUF_INIT;
    va_list args;
    va_start(args, format);
    rl_buf_vaddf(&text, format, args);
    va_end(args);
    add_log_text(capture, at_ns, level, text.data);
}

char *rl_capture_text(struct rl_capture *capture, const char *text)
{
    static const char more[] = "...";
    size_t len = text ? strlen(text) : 0;
    if (len <= RL_CAPTURE_MAX_TEXT)
        return rl_arena_strdup(&capture->arena, text);
    size_t keep = RL_CAPTURE_MAX_TEXT - strlen(more);
    for (int back = 0; back < 3 && ((unsigned char)text[keep] & 0xC0) == 0x80; back++)
        keep--; /* not in the middle of a character */
    char *cut = rl_arena_strndup(&capture->arena, text, keep + strlen(more));
    memcpy(cut + keep, more, strlen(more));
    return cut;
}

struct rl_value rl_capture_value(struct rl_capture *capture, struct rl_value value)
{
    if (rl_present(value))
        return value;
    return rl_value_missing(value.state, rl_capture_text(capture, rl_value_reason(value)));
}

const struct rl_counter *rl_kernel_counter(const struct rl_kernel *kernel, const char *name)
{
    return RL_FIND(i, kernel->counters, kernel->counter_count, strcmp(kernel->counters[i].name, name) == 0);
}

RL_NAMES(rl_result_name,
         enum rl_result, [RL_RESULT_NOT_CHECKED] = "not checked", [RL_RESULT_OK] = "ok", [RL_RESULT_WRONG] = "WRONG")

RL_NAMES(rl_variant_status_name, enum rl_variant_status, [RL_VARIANT_DONE] = "done",
         [RL_VARIANT_UNSUPPORTED] = "not supported here", [RL_VARIANT_FAILED] = "failed")

RL_NAMES(rl_event_kind_name, enum rl_event_kind, [RL_EVENT_KERNEL] = "kernel", [RL_EVENT_COPY_TO_DEVICE] = "copy to device",
         [RL_EVENT_COPY_TO_HOST] = "copy to host", [RL_EVENT_COPY_ON_DEVICE] = "copy on device", [RL_EVENT_SET] = "set")

const char *rl_capture_pc_text(const struct rl_capture *capture, size_t instruction)
{
    const size_t at = RL_FIRST_FROM(capture->pc_texts, capture->pc_text_count, instruction, instruction);
    return at < capture->pc_text_count && capture->pc_texts[at].instruction == instruction ? capture->pc_texts[at].text : NULL;
}

RL_NAMES(rl_idle_place_name, enum rl_idle_place, "range", "other_ranges", "no_range")

/* ---- transfers ---- */

const char *const rl_transfer_directions[] = {"to device", "to host", "on device", "between devices", "on host", "set", NULL};
const char *const rl_transfer_memories[] = {"pageable", "pinned", "managed", "device", "unknown", NULL};

static struct rl_value rate_of(double bytes_per_second)
{
    return bytes_per_second > 0 ? rl_value_of(bytes_per_second) : rl_value_missing(RL_NOT_COLLECTED, "no copy of 1 MiB or more");
}

void rl_capture_add_transfer_of(struct rl_capture *capture, const struct rl_transfer *of, size_t direction, size_t memory,
                                double slowest, double fastest)
{
    struct rl_transfer *to = rl_capture_add_transfer(capture);
    *to = *of;
    to->direction = rl_capture_text(capture, rl_transfer_directions[direction]);
    to->memory = rl_capture_text(capture, rl_transfer_memories[memory]);
    to->slowest = rate_of(slowest);
    to->fastest = rate_of(fastest);
}
