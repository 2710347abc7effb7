/* kineto.c - traces of PyTorch's profiler (Kineto): JSON in Chrome's trace format. Fields of an event come in any order, and events
 * do, too: an event is taken when it ends. */
#include "json.h"
#include "trace.h"

enum { MOST_DEVICES = 256 };

/* Kinds of events, by category. */
enum kind { OTHER, KERNEL, COPY, SET, RANGE, CALL };
static const struct {
    const char *category;
    enum kind kind;
} categories[] = {
    {"kernel", KERNEL},         {"gpu_memcpy", COPY},   {"gpu_memset", SET},   {"cpu_op", RANGE},
    {"user_annotation", RANGE}, {"cuda_runtime", CALL}, {"cuda_driver", CALL}, {"Kernel", KERNEL},
    {"Memcpy", COPY},           {"Memset", SET},        {"Operator", RANGE},   {"Runtime", CALL},
};

/* Numbers of an event; of those in args, too, and of a device. */
enum field {
    NONE,
    ARGS,
    PHASE,
    CATEGORY,
    NAME,
    PID,
    TID,
    TS,
    DUR,
    DEVICE,
    CORRELATION,
    REGISTERS,
    SHARED,
    BYTES,
    GRAPH_NODE,
    GRID,
    BLOCK,
    ID,
    MAJOR,
    MINOR,
    MEMORY,
    FIRST_FACT,
    FIELDS = FIRST_FACT + 16
};
struct key {
    const char *name;
    enum field field;
};
static const struct key event_keys[] = {{"args", ARGS}, {"ph", PHASE}, {"cat", CATEGORY}, {"name", NAME},
                                        {"pid", PID},   {"tid", TID},  {"ts", TS},        {"dur", DUR}};
static const struct key arg_keys[] = {{"device", DEVICE},
                                      {"correlation", CORRELATION},
                                      {"registers per thread", REGISTERS},
                                      {"shared memory", SHARED},
                                      {"grid", GRID},
                                      {"block", BLOCK},
                                      {"bytes", BYTES},
                                      {"graph node id", GRAPH_NODE}};
static const struct {
    const char *name;
    enum rl_fact_id fact;
} device_facts[] = {
    {"numSms", RL_FACT_sm_count},
    {"totalGlobalMem", RL_FACT_memory_bytes},
    {"warpSize", RL_FACT_warp_size},
    {"maxThreadsPerMultiprocessor", RL_FACT_max_threads_per_sm},
    {"maxThreadsPerBlock", RL_FACT_max_threads_per_block},
    {"regsPerMultiprocessor", RL_FACT_registers_per_sm},
    {"regsPerBlock", RL_FACT_registers_per_block},
    {"sharedMemPerMultiprocessor", RL_FACT_shared_bytes_per_sm},
    {"sharedMemPerBlock", RL_FACT_shared_bytes_per_block},
    {"sharedMemPerBlockOptin", RL_FACT_shared_bytes_per_block_optin},
};
static const struct key device_keys[] = {{"id", ID}, {"name", NAME}, {"computeMajor", MAJOR}, {"computeMinor", MINOR}};
_Static_assert(RL_COUNT(device_facts) <= FIELDS - FIRST_FACT, "each fact has a field");

struct device {
    int64_t id;
    size_t card; /* RL_NONE: nothing ran on it, or there are too many */
};

struct kineto {
    struct rl_trace *trace;
    enum { ELSEWHERE, EVENTS, DEVICES, DISTRIBUTED, BASE } section;
    size_t depth, base; /* depth of the array of events */
    enum field field;
    bool in_args;
    size_t axis;
    /* the event or device in hand */
    bool duration_event; /* "X" */
    enum kind kind;
    struct rl_buf name;
    int64_t number[FIELDS];
    bool has[FIELDS];
    uint32_t grid[3], block[3];
    /* of the file */
    bool found; /* an array of events */
    int64_t base_ns;
    uint32_t rank, process; /* a text; RL_TRACE_NO_PROCESS: no event of the host yet */
    struct device devices[MOST_DEVICES];
    size_t device_count;
    struct known { /* a device in deviceProperties */
        int64_t id;
        uint32_t name;
        int capability;
        double fact[RL_COUNT(device_facts)];
    } known[MOST_DEVICES];
    size_t known_count;
};

static enum field look_up(const struct key *keys, size_t count, struct rl_text name)
{
    const size_t at = RL_FIRST(i, count, rl_text_is(name, keys[i].name));
    return at < count ? keys[at].field : NONE;
}

/* ---- events ---- */

static struct rl_text host_of(const struct kineto *k, char words[32])
{
    snprintf(words, 32, "rank %.20s", rl_pool_text(&k->trace->texts, k->rank).at);
    return rl_text_of(k->rank ? words : "");
}

/* Ranks of one trace may call different GPUs by the same number. */
static size_t card_of(struct kineto *k, int64_t id)
{
    char words[32];

    for (size_t i = 0; i < k->device_count; i++)
        if (k->devices[i].id == id)
            return k->devices[i].card;
    if (id < 0 || id > INT16_MAX || k->device_count == MOST_DEVICES)
        return RL_NONE;
    const size_t card = rl_model_card(k->trace->model, (int)id, rl_text_of(""), host_of(k, words), 0);
    k->devices[k->device_count++] = (struct device){id, card};
    return card;
}

static uint64_t number_or(const struct kineto *k, enum field field, uint64_t otherwise)
{
    return k->has[field] && k->number[field] >= 0 ? (uint64_t)k->number[field] : otherwise;
}

static void take_kernel(struct kineto *k, size_t card, int64_t start_ns, int64_t end_ns)
{
    struct rl_trace_kernel kernel = {.process = RL_TRACE_NO_PROCESS,
                                     .card = card,
                                     .start_ns = start_ns,
                                     .end_ns = end_ns,
                                     .correlation = number_or(k, CORRELATION, RL_TRACE_UNKNOWN),
                                     .name = rl_trace_text(k->trace, k->name.data, k->name.len),
                                     .dynamic_shared = number_or(k, SHARED, 0),
                                     .static_shared = number_or(k, SHARED, 1) ? RL_TRACE_UNKNOWN : 0,
                                     .registers = number_or(k, REGISTERS, RL_TRACE_UNKNOWN),
                                     .local_bytes = RL_TRACE_UNKNOWN,
                                     .graph = number_or(k, GRAPH_NODE, 0) != 0};

    memcpy(kernel.grid, k->grid, sizeof kernel.grid);
    memcpy(kernel.block, k->block, sizeof kernel.block);
    if (kernel.dynamic_shared)
        rl_notes_add(&k->trace->model->notes, RL_NOTE_shared_sum, rl_text_of(""));
    if (!k->name.len) {
        rl_notes_add(&k->trace->model->notes, RL_NOTE_no_name, rl_text_of(""));
        kernel.name = rl_trace_text(k->trace, "kernel without a name", strlen("kernel without a name"));
    }
    rl_trace_add_kernel(k->trace, &kernel);
}

/* "Memcpy HtoD (Pinned -> Device)", "Memset (Device)". */
static void take_copy(struct kineto *k, size_t card, int64_t start_ns, int64_t end_ns)
{
    static const struct {
        const char *part;
        enum rl_trace_direction direction;
    } directions[] = {{"HtoD", RL_TRACE_TO_DEVICE}, {"HtoA", RL_TRACE_TO_DEVICE}, {"DtoH", RL_TRACE_TO_HOST},
                      {"AtoH", RL_TRACE_TO_HOST},   {"HtoH", RL_TRACE_ON_HOST},   {"PtoP", RL_TRACE_PEER}};
    static const struct {
        const char *part;
        enum rl_trace_memory memory;
    } memories[] = {{"Pageable", RL_TRACE_PAGEABLE}, {"Pinned", RL_TRACE_PINNED}, {"Managed", RL_TRACE_MANAGED}};
    const struct rl_text name = {k->name.data, k->name.len};
    struct rl_trace_copy copy = {.process = RL_TRACE_NO_PROCESS,
                                 .card = card,
                                 .start_ns = start_ns,
                                 .end_ns = end_ns,
                                 .direction = k->kind == SET ? RL_TRACE_SET : RL_TRACE_ON_DEVICE,
                                 .memory = RL_TRACE_DEVICE,
                                 .bytes = number_or(k, BYTES, RL_TRACE_UNKNOWN)};

    for (size_t i = 0; i < RL_COUNT(directions) && k->kind == COPY; i++)
        if (rl_text_find(name, directions[i].part) < name.len)
            copy.direction = directions[i].direction;
    if (copy.direction == RL_TRACE_TO_DEVICE || copy.direction == RL_TRACE_TO_HOST || copy.direction == RL_TRACE_ON_HOST) {
        copy.memory = RL_TRACE_OTHER_MEMORY;
        for (size_t i = 0; i < RL_COUNT(memories); i++)
            if (rl_text_find(name, memories[i].part) < name.len)
                copy.memory = memories[i].memory;
    }
    rl_trace_add_copy(k->trace, &copy);
}

static void take_host(struct kineto *k, int64_t start_ns, int64_t end_ns)
{
    struct rl_trace_host host = {.start_ns = start_ns, .end_ns = end_ns, .kind = RL_TRACE_RANGE};
    const struct rl_text name = {k->name.data, k->name.len};

    if (k->kind == CALL && !rl_trace_call_kind(name, &host.kind))
        return;
    const uint32_t process = rl_trace_process(k->trace, number_or(k, PID, 0), 0, k->rank);
    k->process = k->process == RL_TRACE_NO_PROCESS ? process : k->process;
    host.thread = rl_trace_thread(k->trace, process, number_or(k, TID, 0));
    host.what = k->kind == CALL ? number_or(k, CORRELATION, RL_TRACE_UNKNOWN) : rl_trace_text(k->trace, name.at, name.len);
    rl_trace_add_host(k->trace, &host);
}

static void end_event(struct kineto *k)
{
    const bool timed = k->has[TS] && k->has[DUR];
    const int64_t start_ns = timed ? k->number[TS] : -1, end_ns = timed ? k->number[TS] + k->number[DUR] : -1;

    if (!k->duration_event || k->kind == OTHER)
        return;
    if (k->kind == RANGE || k->kind == CALL) {
        take_host(k, start_ns, end_ns);
        return;
    }
    const size_t card = card_of(k, k->has[DEVICE] ? k->number[DEVICE] : k->has[PID] ? k->number[PID] : 0);
    if (card == RL_NONE)
        return;
    if (k->kind == KERNEL)
        take_kernel(k, card, start_ns, end_ns);
    else
        take_copy(k, card, start_ns, end_ns);
}

/* ---- GPUs ---- */

static void end_device(struct kineto *k)
{
    if (k->known_count == MOST_DEVICES || !k->has[ID])
        return;
    struct known *known = &k->known[k->known_count++];
    const int64_t major = k->has[MAJOR] ? k->number[MAJOR] : 0, minor = k->has[MINOR] ? k->number[MINOR] : 0;
    *known = (struct known){.id = k->number[ID],
                            .name = rl_trace_text(k->trace, k->name.data, k->name.len),
                            .capability = major > 0 && major < 100 && minor >= 0 && minor < 10 ? (int)(10 * major + minor) : 0};
    for (size_t i = 0; i < RL_COUNT(device_facts); i++) {
        const double most = rl_facts[device_facts[i].fact].unit == RL_UNIT_COUNT ? 2147483647.0 : 9007199254740992.0;
        const double value = k->has[FIRST_FACT + i] ? (double)k->number[FIRST_FACT + i] : 0;
        known->fact[i] = value <= most ? value : 0;
    }
}

/* Names and facts of the GPUs on which something ran. */
static void describe_cards(struct kineto *k)
{
    struct rl_model *model = k->trace->model;
    char words[32];

    for (size_t i = 0; i < k->known_count; i++) {
        const struct known *known = &k->known[i];
        const bool used = RL_ANY(j, k->device_count, k->devices[j].id == known->id && k->devices[j].card != RL_NONE);
        if (!used)
            continue;
        const size_t card =
            rl_model_card(model, (int)known->id, rl_pool_text(&k->trace->texts, known->name), host_of(k, words), known->capability);
        for (size_t f = 0; f < RL_COUNT(device_facts) && card != RL_NONE; f++)
            if (known->fact[f] > 0)
                model->cards[card].fact[device_facts[f].fact] = rl_value_of(known->fact[f]);
    }
}

/* ---- JSON ---- */

static void take_key(struct kineto *k, struct rl_text name)
{
    const size_t event = k->base + 1;

    if (k->depth == 1) {
        k->section = rl_text_is(name, "traceEvents")           ? EVENTS
                     : rl_text_is(name, "deviceProperties")    ? DEVICES
                     : rl_text_is(name, "distributedInfo")     ? DISTRIBUTED
                     : rl_text_is(name, "baseTimeNanoseconds") ? BASE
                                                               : ELSEWHERE;
        k->base = 2;
        k->found |= k->section == EVENTS;
    } else if (k->section == EVENTS && k->depth == event) {
        k->field = look_up(event_keys, RL_COUNT(event_keys), name);
    } else if (k->section == EVENTS && k->depth == event + 1 && k->in_args) {
        k->field = look_up(arg_keys, RL_COUNT(arg_keys), name);
    } else if (k->section == DEVICES && k->depth == 3) {
        k->field = look_up(device_keys, RL_COUNT(device_keys), name);
        for (size_t i = 0; i < RL_COUNT(device_facts); i++)
            k->field = rl_text_is(name, device_facts[i].name) ? (enum field)(FIRST_FACT + i) : k->field;
    } else if (k->section == DISTRIBUTED && k->depth == 2) {
        k->field = rl_text_is(name, "rank") ? ID : NONE;
    }
}

static void take_number(struct kineto *k, struct rl_text text)
{
    static const int MICROSECONDS = 3; /* digits between them and nanoseconds */
    const bool time = k->section == EVENTS && (k->field == TS || k->field == DUR);
    int64_t value = 0;
    const bool is = rl_json_integer(text, time ? MICROSECONDS : 0, &value);

    if (k->field == GRID || k->field == BLOCK) {
        uint32_t *axes = k->field == GRID ? k->grid : k->block;
        if (k->axis < 3 && is && value > 0 && value <= INT32_MAX)
            axes[k->axis] = (uint32_t)value;
        k->axis++;
    } else if (k->field != NONE) {
        k->has[k->field] = is;
        k->number[k->field] = value;
    }
}

/* Whether values at this depth are fields of what is in hand. */
static bool is_field(const struct kineto *k)
{
    const size_t event = k->base + 1;

    if (k->section == EVENTS)
        return k->depth == event || (k->depth == event + 1 && k->in_args) ||
               (k->depth == event + 2 && k->in_args && (k->field == GRID || k->field == BLOCK));
    return k->section == DEVICES && k->depth == 3;
}

static void open_one(struct kineto *k, bool map)
{
    const size_t event = k->base + 1;

    k->depth++;
    if (!map && k->depth == 1) {
        k->section = EVENTS;
        k->base = 1;
        k->found = true;
    } else if (map && ((k->section == EVENTS && k->depth == event) || (k->section == DEVICES && k->depth == 3))) {
        memset(k->has, 0, sizeof k->has);
        memset(k->grid, 0, sizeof k->grid);
        memset(k->block, 0, sizeof k->block);
        rl_buf_reset(&k->name);
        k->duration_event = k->in_args = false;
        k->kind = OTHER;
        k->field = NONE;
    } else if (map && k->section == EVENTS && k->depth == event + 1) {
        k->in_args = k->field == ARGS;
    } else if (!map && k->section == EVENTS && k->depth == event + 2) {
        k->axis = 0;
    } else if (k->depth > event && k->section == EVENTS) {
        k->field = NONE;
    }
}

static void take(void *context, enum rl_json_kind kind, struct rl_text text)
{
    struct kineto *k = context;
    char words[24];

    if (kind == RL_JSON_MAP || kind == RL_JSON_ARRAY) {
        open_one(k, kind == RL_JSON_MAP);
    } else if (kind == RL_JSON_END_MAP || kind == RL_JSON_END_ARRAY) {
        const bool map = kind == RL_JSON_END_MAP;
        const size_t event = k->base + 1;

        if (map && k->section == EVENTS && k->depth == event)
            end_event(k);
        else if (map && k->section == DEVICES && k->depth == 3)
            end_device(k);
        k->depth--;
        if (k->depth == event)
            k->in_args = false;
        k->field = NONE;
    } else if (kind == RL_JSON_KEY) {
        take_key(k, text);
    } else if (kind == RL_JSON_NUMBER && k->section == BASE && k->depth == 1) {
        if (!rl_json_integer(text, 0, &k->base_ns) || k->base_ns < 0)
            k->base_ns = 0;
    } else if (kind == RL_JSON_NUMBER && k->section == DISTRIBUTED && k->depth == 2 && k->field == ID) {
        snprintf(words, sizeof words, "%.*s", (int)(text.len < 20 ? text.len : 20), text.at);
        k->rank = rl_trace_text(k->trace, words, strlen(words));
    } else if (is_field(k) && kind == RL_JSON_NUMBER) {
        take_number(k, text);
    } else if (is_field(k) && kind == RL_JSON_STRING) {
        if (k->field == NAME) {
            rl_buf_reset(&k->name);
            rl_buf_add(&k->name, text.at, text.len);
        } else if (k->field == PHASE) {
            k->duration_event = rl_text_is(text, "X");
        } else if (k->field == CATEGORY) {
            k->kind = OTHER;
            for (size_t i = 0; i < RL_COUNT(categories); i++)
                if (rl_text_is(text, categories[i].category))
                    k->kind = categories[i].kind;
        }
    }
}

/* ---- the file ---- */

/* Times are after a beginning that stands behind the events. */
static void shift_times(struct rl_trace *trace, int64_t by_ns)
{
    static const int64_t most = INT64_C(1) << 61;

    for (size_t i = trace->first_activity; i < trace->activity_count && by_ns < most; i++) {
        struct rl_trace_activity *activity = &trace->activities[i];
        const bool fits = activity->end_ns < most;
        activity->start_ns += fits ? by_ns : 0;
        activity->end_ns += fits ? by_ns : 0;
    }
    for (size_t i = 0; i < trace->host_count && by_ns < most; i++) {
        struct rl_trace_host *host = &trace->hosts[i];
        const bool fits = host->end_ns < most;
        host->start_ns += fits ? by_ns : 0;
        host->end_ns += fits ? by_ns : 0;
    }
}

static enum rl_status nothing_in(const struct kineto *k, bool cut, struct rl_err *err)
{
    if (cut)
        return rl_err_set(err, RL_FORMAT, "JSON that ends in the middle, before any kernel: copy the file again");
    if (!k->found)
        return rl_err_set(err, RL_FORMAT, "JSON without 'traceEvents': of JSON only traces of PyTorch's profiler are read");
    return rl_err_set(
        err, RL_FORMAT,
        "a trace in Chrome's format without kernels as PyTorch's profiler writes them (ProfilerActivity.CUDA): of JAX, "
        "rocprof and others none are read: profile the program with rooflight collect");
}

enum rl_status rl_kineto_read(struct rl_trace *trace, struct rl_lines *lines, const char *label, struct rl_err *err)
{
    RL_FREED struct kineto *k = rl_calloc(1, sizeof *k);
    const size_t kernels = trace->kernels;
    bool cut = false;

    k->trace = trace;
    k->process = RL_TRACE_NO_PROCESS;
    rl_buf_init(&k->name);
    enum rl_status status = rl_json_read(lines, take, k, &cut, err);
    if (status == RL_OK && trace->kernels == kernels)
        status = nothing_in(k, cut, err);
    if (status == RL_OK) {
        describe_cards(k);
        shift_times(trace, k->base_ns);
        rl_trace_end_file(trace, k->process == RL_TRACE_NO_PROCESS ? rl_trace_process(trace, 0, 0, k->rank) : k->process, false);
        if (cut)
            rl_notes_add(&trace->model->notes, RL_NOTE_cut_off, rl_text_of(label));
        trace->incomplete |= cut;
        if (!kernels) {
            trace->source = "kineto";
            trace->tool = rl_trace_text(trace, "PyTorch's profiler", strlen("PyTorch's profiler"));
        }
    } else {
        rl_err_context(err, status, "'%s'", label);
    }
    rl_buf_release(&k->name);
    return status;
}
