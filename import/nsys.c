/* nsys.c - SQLite exports of Nsight Systems (nsys export --type sqlite), of 2020 to 2026. Tables and columns that a version does
 * not write are absent: each is asked for by name, and values that are not there are missing. */
#include "capture/database.h"
#include "trace.h"

static const char tool[] = "Nsight Systems";
enum { MOST_MAPPED = 256, MOST_STRINGS = 10000000, MOST_SAID = 20 };

/* A text that rows refer to by number. */
struct string {
    int64_t id;
    uint32_t text; /* 0: the file does not have it */
};

/* Which GPU a process calls by which ordinal. */
struct device {
    int64_t pid, ordinal, gpu;
};
struct gpu {
    int64_t id, ordinal; /* -1: unknown */
    size_t card;         /* RL_NONE: no activity has been on it yet */
    uint32_t name, uuid;
    int capability;
    struct rl_value fact[RL_FACT_COUNT];
};
struct domain {
    int64_t process, id;
    uint32_t name;
};

struct nsys {
    struct rl_trace *trace;
    struct rl_pool card_keys; /* process and ordinal of */
    size_t *cards;            /* these */
    size_t card_count, card_cap;
    struct rl_database *database;
    struct string *strings; /* ascending by id, once they are read */
    size_t string_count, string_cap;
    struct device *devices;
    size_t device_count, device_cap;
    struct gpu *gpus;
    size_t gpu_count, gpu_cap;
    struct domain *domains;
    size_t domain_count, domain_cap;
    int64_t began_ns; /* since 1970; 0: unknown */
    uint32_t host;    /* a text */
    struct rl_buf version;
    size_t said; /* warnings of the tool */
};

static int64_t number_or(const struct rl_database_cell *cell, int64_t otherwise)
{
    return cell->kind == RL_DATABASE_INTEGER ? cell->integer : otherwise;
}

static uint64_t count_in(const struct rl_database_cell *cell)
{
    return cell->kind == RL_DATABASE_INTEGER && cell->integer >= 0 && cell->integer < INT64_C(1) << 62 ? (uint64_t)cell->integer
                                                                                                       : RL_TRACE_UNKNOWN;
}

/* A dimension of a grid or block; 0: unknown. */
static uint32_t dimension(const struct rl_database_cell *cell)
{
    return cell->kind == RL_DATABASE_INTEGER && cell->integer > 0 && cell->integer <= INT32_MAX ? (uint32_t)cell->integer : 0;
}

static uint32_t text_in(struct nsys *nsys, const struct rl_database_cell *cell)
{
    return cell->kind == RL_DATABASE_TEXT ? rl_trace_text(nsys->trace, cell->text, cell->len) : 0;
}

/* ---- strings ---- */

RL_COMPARATOR(by_id, struct string, rl_ascending(x->id, y->id));

static void want_strings(void *context, const struct rl_database_cell *cells)
{
    struct nsys *nsys = context;

    for (size_t i = 0; i < 3; i++) {
        const bool again = nsys->string_count && cells[i].integer == nsys->strings[nsys->string_count - 1].id;
        if (cells[i].kind != RL_DATABASE_INTEGER || again || nsys->string_count == MOST_STRINGS)
            continue;
        RL_APPEND(nsys->strings, nsys->string_count, nsys->string_cap, (struct string){cells[i].integer, 0});
    }
}

/* Leaves each id once. */
static void settle_strings(struct nsys *nsys)
{
    size_t kept = 0;

    if (nsys->string_count)
        rl_sort(nsys->strings, nsys->string_count, sizeof *nsys->strings, by_id);
    for (size_t i = 0; i < nsys->string_count; i++)
        if (!kept || nsys->strings[kept - 1].id != nsys->strings[i].id)
            nsys->strings[kept++] = nsys->strings[i];
    nsys->string_count = kept;
}

static struct string *find_string(struct nsys *nsys, int64_t id)
{
    const struct string key = {id, 0};

    return nsys->string_count ? bsearch(&key, nsys->strings, nsys->string_count, sizeof key, by_id) : NULL;
}

static void take_string(void *context, const struct rl_database_cell *cells)
{
    struct nsys *nsys = context;
    struct string *string = cells[0].kind == RL_DATABASE_INTEGER ? find_string(nsys, cells[0].integer) : NULL;

    if (string)
        string->text = text_in(nsys, &cells[1]);
}

/* The text that a cell refers to; 0: none. */
static uint32_t string_of(struct nsys *nsys, const struct rl_database_cell *cell)
{
    const struct string *string = cell->kind == RL_DATABASE_INTEGER ? find_string(nsys, cell->integer) : NULL;

    return string ? string->text : 0;
}

/* Texts of StringIds that rows of other tables refer to: a file has many more, of samples and of calls that are not read. */
static enum rl_status read_strings(struct nsys *nsys, struct rl_err *err)
{
    static const struct {
        const char *table, *columns[3];
    } uses[] = {
        {"CUPTI_ACTIVITY_KIND_KERNEL", {"demangledName", "shortName", "mangledName"}},
        {"CUPTI_ACTIVITY_KIND_RUNTIME", {"nameId", "nameId", "nameId"}},
        {"NVTX_EVENTS", {"textId", "textId", "textId"}},
    };
    static const char *const columns[] = {"id", "value"};
    enum rl_status status = RL_OK;

    for (size_t i = 0; i < RL_COUNT(uses) && status == RL_OK; i++) {
        status = rl_database_each(nsys->database, uses[i].table, uses[i].columns, 3, want_strings, nsys, err);
        settle_strings(nsys);
    }
    return status == RL_OK ? rl_database_each(nsys->database, "StringIds", columns, 2, take_string, nsys, err) : status;
}

/* ---- the session ---- */

static void take_beginning(void *context, const struct rl_database_cell *cells)
{
    struct nsys *nsys = context;
    struct rl_session *session = &nsys->trace->capture->session;

    nsys->began_ns = number_or(&cells[0], 0);
    if (nsys->began_ns < 0 || nsys->began_ns >= INT64_C(1) << 61)
        nsys->began_ns = 0;
    if (cells[1].kind == RL_DATABASE_TEXT && cells[1].len == strlen("2026-11-21T10:30:40") && !*session->started)
        session->started = rl_arena_printf(&nsys->trace->capture->arena, "%sZ", cells[1].text);
}

static void take_environment(void *context, const struct rl_database_cell *cells)
{
    struct nsys *nsys = context;
    struct rl_capture *capture = nsys->trace->capture;
    struct rl_session *session = &capture->session;

    if (cells[0].kind != RL_DATABASE_TEXT || cells[1].kind != RL_DATABASE_TEXT || !cells[1].len)
        return;
    if (strcmp(cells[0].text, "Hostname") == 0) {
        nsys->host = text_in(nsys, &cells[1]);
        session->host = session->host ? session->host : rl_capture_text(capture, cells[1].text);
    } else if (strcmp(cells[0].text, "OsDescription") == 0 && !session->os) {
        session->os = rl_capture_text(capture, cells[1].text);
    } else if (strcmp(cells[0].text, "NvDriverVersion") == 0 && !session->driver) {
        session->driver = rl_capture_text(capture, cells[1].text);
    } else if (strcmp(cells[0].text, "CudaDriverVersion") == 0 && !session->cuda_driver) {
        /* "13010" as "13.1". */
        const char *text = cells[1].text;
        const long version = strtol(text, NULL, 10);
        session->cuda_driver = version >= 1000 && version < 1000000
                                   ? rl_arena_printf(&capture->arena, "%ld.%ld", version / 1000, version % 1000 / 10)
                                   : NULL;
    }
}

static void take_version(void *context, const struct rl_database_cell *cells)
{
    struct nsys *nsys = context;

    if (cells[0].kind == RL_DATABASE_TEXT && cells[1].kind == RL_DATABASE_TEXT && cells[1].len < 40 &&
        strcmp(cells[0].text, "EXPORT_PRODUCT_VERSION") == 0 && nsys->version.len == strlen(tool))
        rl_buf_addf(&nsys->version, " %s", cells[1].text);
}

/* Warnings of the tool: records that it lost, a driver that it did not understand. */
static void take_diagnostic(void *context, const struct rl_database_cell *cells)
{
    struct nsys *nsys = context;
    const int64_t severity = number_or(&cells[0], 0);
    RL_SCRATCH text = RL_BUF_INIT;

    if ((severity != 2 && severity != 3) || cells[1].kind != RL_DATABASE_TEXT || nsys->said++ >= MOST_SAID)
        return;
    rl_utf8_printable(&text, cells[1].text, cells[1].len < 1000 ? cells[1].len : 1000);
    rl_capture_log(nsys->trace->capture, 0, severity == 2 ? RL_LOG_NOTE : RL_LOG_WARNING, "import: Nsight Systems says: %s",
                   text.data);
}

/* ---- processes and GPUs ---- */

/* The process of a serialised id: hardware, virtual machine, process (24 bits), thread (24 bits). */
static uint64_t pid_of(const struct rl_database_cell *global)
{
    return global->kind == RL_DATABASE_INTEGER ? (uint64_t)global->integer >> 24 & 0xFFFFFF : 0;
}

static uint32_t process_of(struct nsys *nsys, const struct rl_database_cell *global)
{
    return rl_trace_process(nsys->trace, pid_of(global), nsys->host, 0);
}

static void take_process_name(void *context, const struct rl_database_cell *cells)
{
    struct nsys *nsys = context;
    struct rl_trace *trace = nsys->trace;

    for (size_t i = 0; i < trace->process_count && cells[0].kind == RL_DATABASE_INTEGER; i++)
        if (trace->processes[i].host == nsys->host && trace->processes[i].pid == pid_of(&cells[0]) && !trace->processes[i].command)
            trace->processes[i].command = text_in(nsys, &cells[1]);
}

static const struct {
    const char *column;
    enum rl_fact_id fact;
} gpu_facts[] = {
    {"smCount", RL_FACT_sm_count},
    {"totalMemory", RL_FACT_memory_bytes},
    {"l2CacheSize", RL_FACT_l2_bytes},
    {"clockRate", RL_FACT_sm_clock_max_hz},
    {"threadsPerWarp", RL_FACT_warp_size},
    {"maxBlocksPerSm", RL_FACT_max_blocks_per_sm},
    {"maxThreadsPerBlock", RL_FACT_max_threads_per_block},
    {"maxRegistersPerSm", RL_FACT_registers_per_sm},
    {"maxRegistersPerBlock", RL_FACT_registers_per_block},
    {"maxShmemPerSm", RL_FACT_shared_bytes_per_sm},
    {"maxShmemPerBlock", RL_FACT_shared_bytes_per_block},
    {"maxShmemPerBlockOptin", RL_FACT_shared_bytes_per_block_optin},
};
enum { GPU_OTHERS = 6 }; /* columns of take_gpu before those of facts */

static void take_gpu(void *context, const struct rl_database_cell *cells)
{
    struct nsys *nsys = context;
    const int64_t major = number_or(&cells[4], 0), minor = number_or(&cells[5], 0);
    const bool known = major > 0 && major < 100 && minor >= 0 && minor < 10;

    if (nsys->gpu_count == MOST_MAPPED)
        return;
    RL_GROW(nsys->gpus, nsys->gpu_count + 1, nsys->gpu_cap);
    struct gpu *gpu = &nsys->gpus[nsys->gpu_count++];
    *gpu = (struct gpu){.id = number_or(&cells[0], -1),
                        .ordinal = number_or(&cells[1], -1),
                        .card = RL_NONE,
                        .name = text_in(nsys, &cells[2]),
                        .uuid = text_in(nsys, &cells[3]),
                        .capability = known ? (int)(10 * major + minor) : 0};
    for (size_t i = 0; i < RL_COUNT(gpu_facts); i++) {
        const struct rl_database_cell *cell = &cells[GPU_OTHERS + i];
        const double most = rl_facts[gpu_facts[i].fact].unit == RL_UNIT_COUNT ? 2147483647.0 : 9007199254740992.0;
        const bool is =
            (cell->kind == RL_DATABASE_INTEGER || cell->kind == RL_DATABASE_REAL) && cell->real > 0 && cell->real <= most;
        gpu->fact[gpu_facts[i].fact] = is ? rl_value_of(cell->real) : rl_value_missing(RL_NOT_COLLECTED, NULL);
    }
}

static void take_device(void *context, const struct rl_database_cell *cells)
{
    struct nsys *nsys = context;

    if (nsys->device_count == MOST_MAPPED || cells[0].kind != RL_DATABASE_INTEGER || cells[1].kind != RL_DATABASE_INTEGER)
        return;
    RL_APPEND(nsys->devices, nsys->device_count, nsys->device_cap,
              (struct device){number_or(&cells[2], 0), cells[1].integer, cells[0].integer});
}

/* The GPU that a process calls by an ordinal; NULL: the file does not have it. CUDA_VISIBLE_DEVICES may give each of them another
 * 0. */
static struct gpu *gpu_of(struct nsys *nsys, uint64_t pid, int64_t ordinal)
{
    for (size_t i = 0; i < nsys->device_count; i++)
        for (size_t g = 0; g < nsys->gpu_count; g++)
            if (nsys->devices[i].ordinal == ordinal && (uint64_t)nsys->devices[i].pid == pid &&
                nsys->gpus[g].id == nsys->devices[i].gpu)
                return &nsys->gpus[g];
    return RL_FIND(g, nsys->gpus, nsys->gpu_count,
                   (nsys->gpus[g].ordinal >= 0 ? nsys->gpus[g].ordinal : nsys->gpus[g].id) == ordinal);
}

/* RL_NONE: no such ordinal, or too many GPUs. */
static size_t find_card(struct nsys *nsys, uint64_t pid, int64_t ordinal)
{
    struct rl_model *model = nsys->trace->model;
    struct gpu *gpu = gpu_of(nsys, pid, ordinal);
    const struct rl_text host = rl_pool_text(&nsys->trace->texts, nsys->host);

    if (ordinal < 0 || ordinal > INT16_MAX)
        return RL_NONE;
    if (!gpu)
        return rl_model_card(model, (int)ordinal, rl_text_of(""), host, 0);
    if (gpu->card == RL_NONE) {
        const int number = (int)(gpu->id >= 0 && gpu->id <= INT16_MAX ? gpu->id : ordinal);
        gpu->card = rl_model_card(model, number, rl_pool_text(&nsys->trace->texts, gpu->name), host, gpu->capability);
        for (size_t i = 0; i < RL_COUNT(gpu_facts) && gpu->card != RL_NONE; i++) {
            struct rl_value *fact = &model->cards[gpu->card].fact[gpu_facts[i].fact];
            *fact = rl_present(*fact) ? *fact : gpu->fact[gpu_facts[i].fact];
        }
        if (gpu->uuid && gpu->card != RL_NONE)
            rl_trace_uuid(nsys->trace, gpu->card, gpu->uuid);
    }
    return gpu->card;
}

static size_t card_of(struct nsys *nsys, const struct rl_database_cell *device, const struct rl_database_cell *global)
{
    const uint64_t pid = pid_of(global);
    const int64_t key[] = {(int64_t)pid, number_or(device, 0)};
    const uint32_t number = rl_pool_add(&nsys->card_keys, (struct rl_text){(const char *)key, sizeof key});

    if (number == nsys->card_count) {
        const size_t card = find_card(nsys, pid, key[1]);
        RL_APPEND(nsys->cards, nsys->card_count, nsys->card_cap, card);
    }
    return nsys->cards[number];
}

static int64_t time_of(const struct nsys *nsys, const struct rl_database_cell *cell)
{
    const bool is = cell->kind == RL_DATABASE_INTEGER && cell->integer >= 0 && cell->integer < INT64_C(1) << 61;

    return is ? cell->integer + nsys->began_ns : -1;
}

/* ---- activities ---- */

/* Columns that all activities begin with. */
#define ACTIVITY "start", "end", "deviceId", "globalPid", "correlationId"
/* Members that all activities have. */
#define PLACE(nsys, cells)                                                                                                         \
    .process = process_of(nsys, &(cells)[3]), .card = card_of(nsys, &(cells)[2], &(cells)[3]),                                     \
    .start_ns = time_of(nsys, &(cells)[0]), .end_ns = time_of(nsys, &(cells)[1])

static void take_kernel(void *context, const struct rl_database_cell *cells)
{
    struct nsys *nsys = context;
    struct rl_trace_kernel kernel = {PLACE(nsys, cells),
                                     .correlation = count_in(&cells[4]),
                                     .name = string_of(nsys, &cells[5]),
                                     .mangled = string_of(nsys, &cells[7]),
                                     .static_shared = count_in(&cells[14]),
                                     .registers = count_in(&cells[16]),
                                     .local_bytes = count_in(&cells[17]),
                                     .graph = number_or(&cells[18], 0) != 0};
    const uint64_t dynamic = count_in(&cells[15]);

    kernel.name = kernel.name ? kernel.name : string_of(nsys, &cells[6]);
    if (!kernel.name) {
        char words[64];
        snprintf(words, sizeof words, "kernel without a name (string %lld)",
                 (long long)number_or(&cells[5], number_or(&cells[6], 0)));
        kernel.name = rl_trace_text(nsys->trace, words, strlen(words));
        rl_notes_add(&nsys->trace->model->notes, RL_NOTE_no_name, rl_text_of(words));
    }
    kernel.dynamic_shared = dynamic == RL_TRACE_UNKNOWN ? 0 : dynamic;
    for (size_t i = 0; i < 3; i++) {
        kernel.grid[i] = dimension(&cells[8 + i]);
        kernel.block[i] = dimension(&cells[11 + i]);
        kernel.cluster[i] = dimension(&cells[19 + i]);
    }
    if (kernel.card != RL_NONE)
        rl_trace_add_kernel(nsys->trace, &kernel);
}

/* A graph that was recorded as a whole stands for its kernels, which are not in the file. */
static void take_graph(void *context, const struct rl_database_cell *cells)
{
    struct nsys *nsys = context;
    char words[64];
    struct rl_trace_kernel kernel = {PLACE(nsys, cells),
                                     .correlation = count_in(&cells[4]),
                                     .static_shared = RL_TRACE_UNKNOWN,
                                     .registers = RL_TRACE_UNKNOWN,
                                     .local_bytes = RL_TRACE_UNKNOWN,
                                     .graph = true};

    snprintf(words, sizeof words, "CUDA graph %lld (recorded as a whole)", (long long)number_or(&cells[5], 0));
    kernel.name = rl_trace_text(nsys->trace, words, strlen(words));
    rl_notes_add(&nsys->trace->model->notes, RL_NOTE_whole_graph, rl_text_of(""));
    if (kernel.card != RL_NONE)
        rl_trace_add_kernel(nsys->trace, &kernel);
}

/* ENUM_CUDA_MEM_KIND */
static enum rl_trace_memory memory_of(const struct rl_database_cell *cell)
{
    static const enum rl_trace_memory memories[] = {RL_TRACE_PAGEABLE, RL_TRACE_PINNED, RL_TRACE_DEVICE,  RL_TRACE_DEVICE,
                                                    RL_TRACE_MANAGED,  RL_TRACE_DEVICE, RL_TRACE_MANAGED, RL_TRACE_OTHER_MEMORY};
    const int64_t kind = number_or(cell, -1);

    return kind >= 0 && kind < (int64_t)RL_COUNT(memories) ? memories[kind] : RL_TRACE_OTHER_MEMORY;
}

/* ENUM_CUDA_MEMCPY_OPER: unknown, H to D, D to H, H to array, array to H, A to A, A to D, D to A, D to D, H to H, peer, and unified
 * memory H to D, D to H, D to D. */
static void take_copy(void *context, const struct rl_database_cell *cells)
{
    static const enum rl_trace_direction directions[] = {
        RL_TRACE_ON_DEVICE, RL_TRACE_TO_DEVICE, RL_TRACE_TO_HOST,   RL_TRACE_TO_DEVICE, RL_TRACE_TO_HOST,
        RL_TRACE_ON_DEVICE, RL_TRACE_ON_DEVICE, RL_TRACE_ON_DEVICE, RL_TRACE_ON_DEVICE, RL_TRACE_ON_HOST,
        RL_TRACE_PEER,      RL_TRACE_TO_DEVICE, RL_TRACE_TO_HOST,   RL_TRACE_ON_DEVICE,
    };
    enum { FIRST_UNIFIED = 11 };
    struct nsys *nsys = context;
    const int64_t kind = number_or(&cells[5], 0);
    struct rl_trace_copy copy = {
        PLACE(nsys, cells), .direction = kind > 0 && kind < (int64_t)RL_COUNT(directions) ? directions[kind] : RL_TRACE_ON_DEVICE,
        .bytes = count_in(&cells[6])};

    copy.memory = kind >= FIRST_UNIFIED                             ? RL_TRACE_MANAGED
                  : copy.direction == RL_TRACE_TO_DEVICE            ? memory_of(&cells[7])
                  : copy.direction == RL_TRACE_TO_HOST              ? memory_of(&cells[8])
                  : copy.direction == RL_TRACE_ON_HOST || kind <= 0 ? RL_TRACE_OTHER_MEMORY
                                                                    : RL_TRACE_DEVICE;
    if (copy.card != RL_NONE)
        rl_trace_add_copy(nsys->trace, &copy);
}

static void take_set(void *context, const struct rl_database_cell *cells)
{
    struct nsys *nsys = context;
    struct rl_trace_copy copy = {PLACE(nsys, cells), .direction = RL_TRACE_SET, .memory = RL_TRACE_DEVICE,
                                 .bytes = count_in(&cells[5])};

    if (copy.card != RL_NONE)
        rl_trace_add_copy(nsys->trace, &copy);
}

/* Calls of CUDA: those that launch, and those that wait. A file without their names has launches only. */
static void take_call(void *context, const struct rl_database_cell *cells)
{
    struct nsys *nsys = context;
    const struct rl_text name = rl_pool_text(&nsys->trace->texts, string_of(nsys, &cells[4]));
    enum rl_trace_host_kind kind = RL_TRACE_LAUNCH;
    struct rl_trace_host host = {
        .start_ns = time_of(nsys, &cells[0]), .end_ns = time_of(nsys, &cells[1]), .what = count_in(&cells[3])};

    if (name.len && !rl_trace_call_kind(name, &kind))
        return;
    host.kind = kind;
    host.thread = rl_trace_thread(nsys->trace, process_of(nsys, &cells[2]), (uint64_t)number_or(&cells[2], 0) & 0xFFFFFF);
    rl_trace_add_host(nsys->trace, &host);
}

/* ENUM_NSYS_EVENT_TYPE */
enum { NVTX_PUSH_POP = 59, NVTX_START_END = 60, NVTXT_PUSH_POP = 70, NVTXT_START_END = 71, NVTX_DOMAIN = 75 };

/* The text of an NVTX event is in the row, or registered. */
static uint32_t nvtx_text(struct nsys *nsys, const struct rl_database_cell *text, const struct rl_database_cell *id)
{
    const uint32_t own = text_in(nsys, text);

    return own ? own : string_of(nsys, id);
}

static void take_domain(void *context, const struct rl_database_cell *cells)
{
    struct nsys *nsys = context;
    const uint32_t name = nvtx_text(nsys, &cells[3], &cells[4]);

    if (number_or(&cells[2], 0) != NVTX_DOMAIN || !name || nsys->domain_count == MOST_MAPPED)
        return;
    RL_APPEND(nsys->domains, nsys->domain_count, nsys->domain_cap,
              (struct domain){(int64_t)pid_of(&cells[5]), number_or(&cells[6], 0), name});
}

static uint32_t domain_of(const struct nsys *nsys, int64_t process, int64_t id)
{
    for (size_t i = 0; i < nsys->domain_count && id; i++)
        if (nsys->domains[i].process == process && nsys->domains[i].id == id)
            return nsys->domains[i].name;
    return 0;
}

static void take_range(void *context, const struct rl_database_cell *cells)
{
    struct nsys *nsys = context;
    const int64_t type = number_or(&cells[2], NVTX_PUSH_POP);
    const bool loose = type == NVTX_START_END || type == NVTXT_START_END;
    struct rl_trace_host host = {.start_ns = time_of(nsys, &cells[0]), .end_ns = time_of(nsys, &cells[1])};

    if (!loose && type != NVTX_PUSH_POP && type != NVTXT_PUSH_POP)
        return;
    if (cells[1].kind != RL_DATABASE_INTEGER) {
        rl_notes_add(&nsys->trace->model->notes, RL_NOTE_open_range, rl_text_of(""));
        return;
    }
    host.kind = loose ? RL_TRACE_FREE : RL_TRACE_RANGE;
    host.thread = rl_trace_thread(nsys->trace, process_of(nsys, &cells[5]), (uint64_t)number_or(&cells[5], 0) & 0xFFFFFF);
    host.what = nvtx_text(nsys, &cells[3], &cells[4]) |
                (uint64_t)domain_of(nsys, (int64_t)pid_of(&cells[5]), number_or(&cells[6], 0)) << 32;
    rl_trace_add_host(nsys->trace, &host);
}

/* ---- the file ---- */

/* Tables in the order in which they are read: what others refer to first. */
static const struct table {
    const char *name;
    rl_database_taker take;
    const char *columns[24];
} tables[] = {
    {"META_DATA_EXPORT", take_version, {"name", "value"}},
    {"TARGET_INFO_SESSION_START_TIME", take_beginning, {"utcEpochNs", "utcTime"}},
    {"TARGET_INFO_SYSTEM_ENV", take_environment, {"name", "value"}},
    {"DIAGNOSTIC_EVENT", take_diagnostic, {"severity", "text"}},
    {"TARGET_INFO_GPU",
     take_gpu,
     {"id", "cuDevice", "name", "uuid", "computeMajor", "computeMinor", "smCount", "totalMemory", "l2CacheSize", "clockRate",
      "threadsPerWarp", "maxBlocksPerSm", "maxThreadsPerBlock", "maxRegistersPerSm", "maxRegistersPerBlock", "maxShmemPerSm",
      "maxShmemPerBlock", "maxShmemPerBlockOptin"}},
    {"TARGET_INFO_CUDA_DEVICE", take_device, {"gpuId", "cudaId", "pid"}},
    {"CUPTI_ACTIVITY_KIND_KERNEL",
     take_kernel,
     {ACTIVITY, "demangledName", "shortName", "mangledName", "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ",
      "staticSharedMemory", "dynamicSharedMemory", "registersPerThread", "localMemoryPerThread", "graphNodeId", "clusterX",
      "clusterY", "clusterZ"}},
    {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", take_graph, {ACTIVITY, "graphId"}},
    {"CUPTI_ACTIVITY_KIND_MEMCPY", take_copy, {ACTIVITY, "copyKind", "bytes", "srcKind", "dstKind"}},
    {"CUPTI_ACTIVITY_KIND_MEMSET", take_set, {ACTIVITY, "bytes"}},
    {"CUPTI_ACTIVITY_KIND_RUNTIME", take_call, {"start", "end", "globalTid", "correlationId", "nameId"}},
    {"NVTX_EVENTS", take_domain, {"start", "end", "eventType", "text", "textId", "globalTid", "domainId"}},
    {"NVTX_EVENTS", take_range, {"start", "end", "eventType", "text", "textId", "globalTid", "domainId"}},
    {"PROCESSES", take_process_name, {"globalPid", "name"}},
};

static enum rl_status read_tables(struct nsys *nsys, struct rl_err *err)
{
    enum rl_status status = read_strings(nsys, err);

    for (size_t i = 0; i < RL_COUNT(tables) && status == RL_OK; i++) {
        size_t count = 0;
        while (count < RL_COUNT(tables[i].columns) && tables[i].columns[count])
            count++;
        status = rl_database_each(nsys->database, tables[i].name, tables[i].columns, count, tables[i].take, nsys, err);
    }
    return status;
}

enum rl_status rl_nsys_read(struct rl_trace *trace, const char *path, struct rl_text bytes, const char *label, bool *is,
                            struct rl_err *err)
{
    struct nsys nsys = {.trace = trace};
    const size_t kernels = trace->kernels;

    rl_buf_init(&nsys.version);
    rl_buf_adds(&nsys.version, tool);
    enum rl_status status =
        path ? rl_database_open(path, &nsys.database, err) : rl_database_open_bytes(bytes.at, bytes.len, &nsys.database, err);
    *is = status == RL_OK && rl_database_has(nsys.database, "StringIds");
    if (*is) {
        status = read_tables(&nsys, err);
        if (status == RL_OK && trace->kernels == kernels) {
            /* Why there is no launch in it. */
            const bool there = rl_database_has(nsys.database, "CUPTI_ACTIVITY_KIND_KERNEL");
            status = rl_err_set(err, RL_FORMAT, "an SQLite export of Nsight Systems %s",
                                there ? "with no kernel that has a name, a GPU and a time"
                                      : "without kernels: record them with nsys profile --trace=cuda,nvtx");
        }
        if (status == RL_OK && !kernels) {
            trace->source = "nsys";
            trace->tool = rl_trace_text(trace, nsys.version.data, nsys.version.len);
        }
        rl_trace_end_file(trace, 0, true);
    }
    if (status != RL_OK)
        rl_err_context(err, status, "'%s'", label);
    rl_database_close(nsys.database);
    rl_buf_release(&nsys.version);
    rl_pool_release(&nsys.card_keys);
    RL_FREE(nsys.cards, nsys.strings, nsys.devices, nsys.gpus, nsys.domains);
    return status;
}
