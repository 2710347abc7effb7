#include "ncu_source.h"

#include "import/import.h"

enum {
    VERSION = 7,            /* of the format: of all reports of Nsight Compute 2020.2 to 2025.2 that were tried */
    MAX_HEADER = 64 << 20,  /* bytes of a block's header: it has the names of metrics */
    MAX_RESULT = 256 << 20, /* bytes of one launch with all its instances */
    MAX_MODULE = 64 << 20,  /* bytes of a module with its source files */
};

/* ---- the file ---- */

/* The role of a metric in describing the launch, besides its value. */
enum role { ROLE_NONE, ROLE_DEVICE, ROLE_MAJOR, ROLE_MINOR, ROLE_PERIOD, ROLE_BASE, ROLE_SOURCE, ROLE_COUNT };

struct name {
    struct rl_text text;
    enum role role;
    uint32_t rank;                   /* in the order of texts, which is that of ncu's columns */
    bool query;                      /* no metric: what ncu was asked for a list of them by */
    size_t target;                   /* RL_NONE: not looked up yet */
    uint64_t result;                 /* the last one that has it, from 1 on, and */
    struct rl_text value, instances; /* `instances`: the metric, which has them */
    bool has_value, has_instances;
};

struct report {
    struct rl_reader *reader;
    struct rl_lines *lines;
    uint64_t version;
    bool damaged; /* it ends early, or a header cannot be read */
    struct rl_buf header, message;
    struct rl_arena arena; /* of names */
    struct name *names;
    size_t name_count, name_cap;
    uint64_t results; /* launches seen: they are numbered from 0 on */
    uint64_t taken, values;
    uint32_t *present; /* names of the launch in hand */
    size_t present_count, present_cap;
};

struct block {
    uint64_t sources, launches, others; /* messages: `others` are ranges, lists of commands and graphs */
    uint64_t left;                      /* bytes of them, not yet read */
    struct rl_text process, host;       /* in the header; `process` is a message */
};

static bool read_bytes(struct report *report, void *to, size_t len)
{
    const bool whole = rl_lines_bytes(report->lines, to, len) == len;

    report->damaged |= !whole;
    return whole;
}

/* Grows as bytes come, not by what the length says. */
static bool read_message(struct report *report, size_t len, struct rl_buf *message)
{
    enum { STEP = 1 << 20 };

    rl_buf_reset(message);
    while (len) {
        const size_t step = len < STEP ? len : STEP;
        rl_buf_reserve(message, step);
        if (!read_bytes(report, message->data + message->len, step))
            return false;
        rl_buf_filled(message, step);
        len -= step;
    }
    return true;
}

static bool skip(struct report *report, uint64_t len)
{
    const bool whole = rl_lines_skip(report->lines, len);

    report->damaged |= !whole;
    return whole;
}

/* ---- headers ---- */

static void add_name(struct report *report, struct rl_text text)
{
    static const char *const roles[ROLE_COUNT] = {
        [ROLE_DEVICE] = "device__attribute_device_index",
        [ROLE_MAJOR] = "device__attribute_compute_capability_major",
        [ROLE_MINOR] = "device__attribute_compute_capability_minor",
        [ROLE_PERIOD] = "smsp__pcsamp_interval_cycles",
        [ROLE_BASE] = "launch__function_pcs",
    };

    if (report->name_count == RL_IMPORT_MAX_NAMES) {
        rl_notes_add(&report->reader->model->notes, RL_NOTE_too_many_names, rl_text_of(report->reader->label));
        return;
    }
    RL_GROW(report->names, report->name_count + 1, report->name_cap);
    struct name *name = &report->names[report->name_count++];
    *name = (struct name){.text = {rl_arena_strndup(&report->arena, text.at, text.len), text.len}, .target = RL_NONE};
    name->query =
        text.len == 0 || rl_text_begins(text, "breakdown:") || rl_text_begins(text, "group:") || rl_text_begins(text, "regex:");
    for (size_t i = 1; i < ROLE_SOURCE; i++)
        if (rl_text_is(text, roles[i]))
            name->role = (enum role)i;
    if (rl_ncu_source_wants(name->text.at))
        name->role = ROLE_SOURCE;
}

static void take_names(struct report *report, struct rl_text table)
{
    struct rl_part field;

    while (rl_part_next(&table, &field))
        if (field.number == 1 && field.kind == RL_BYTES)
            add_name(report, rl_part_text(field.bytes));
    report->damaged |= table.len > 0;
}

/* "2024.1.1.0 (build 33998838) (public-release)" of Nsight Compute, among the versions of the session. */
static void take_session(struct report *report, struct rl_text session)
{
    enum { VERSIONS = 8, PROVIDER = 1, NUMBER = 2 };

    for (struct rl_part field; rl_part_next(&session, &field);) {
        if (field.number != VERSIONS || field.kind != RL_BYTES)
            continue;
        const struct rl_text provider = rl_part_bytes(field.bytes, PROVIDER);
        struct rl_text number = rl_part_bytes(field.bytes, NUMBER);
        number.len = strnlen(number.at, rl_text_find(number, " "));
        if (rl_text_begins(provider, "Nsight Compute") && report->reader->version.len == 0 && number.len < 32 &&
            strspn(number.at, "0123456789.") >= number.len)
            rl_buf_add(&report->reader->version, number.at, number.len);
    }
}

/* Reads the header of the next block; false when there is none, or none that can be read. */
static bool next_block(struct report *report, bool names, struct block *block)
{
    enum { SOURCES = 1, LAUNCHES, SESSION, STRINGS, SIZE, PROCESS, RANGES, LISTS, GRAPHS };
    char size[4];
    const size_t there = rl_lines_bytes(report->lines, size, sizeof size);
    struct rl_part field;

    *block = (struct block){.process = rl_text_of(""), .host = rl_text_of("")};
    if (there == 0)
        return false;
    const uint64_t len = rl_little_endian((struct rl_text){size, there});
    if (there < sizeof size || len > MAX_HEADER || !read_message(report, (size_t)len, &report->header)) {
        report->damaged = true;
        return false;
    }
    struct rl_text rest = {report->header.data, report->header.len};
    while (rl_part_next(&rest, &field)) {
        const uint32_t number = (uint32_t)field.value; /* all are 32 bits wide */
        if (field.kind == RL_VARINT && field.number == SOURCES)
            block->sources = number;
        else if (field.kind == RL_VARINT && field.number == LAUNCHES)
            block->launches = number;
        else if (field.kind == RL_VARINT && field.number >= RANGES && field.number <= GRAPHS)
            block->others += number;
        else if (field.kind == RL_VARINT && field.number == SIZE)
            block->left = number;
        else if (field.kind == RL_BYTES && field.number == PROCESS)
            block->process = field.bytes;
        else if (field.kind == RL_BYTES && field.number == STRINGS && names)
            take_names(report, field.bytes);
        else if (field.kind == RL_BYTES && field.number == SESSION && names)
            take_session(report, field.bytes);
    }
    report->damaged |= rest.len > 0;
    return true;
}

/* Magic and version. */
static enum rl_status read_start(struct report *report, struct rl_err *err)
{
    const char *label = report->reader->label;
    char start[8];
    struct rl_part field;

    if (!read_bytes(report, start, sizeof start) || memcmp(start, "NVR", 4) != 0)
        return rl_err_set(err, RL_FORMAT, "'%s': it begins like a report of Nsight Compute, but is none", label);
    const uint64_t len = rl_little_endian((struct rl_text){start + 4, 4});
    if (len > MAX_HEADER || !read_message(report, (size_t)len, &report->header))
        return rl_err_set(err, RL_FORMAT, "'%s': it is the beginning of a report of Nsight Compute: copy all of it", label);
    struct rl_text rest = {report->header.data, report->header.len};
    while (rl_part_next(&rest, &field))
        if (field.number == 1 && field.kind == RL_VARINT)
            report->version = field.value;
    if (report->version < VERSION)
        return rl_err_set(err, RL_FORMAT,
                          "'%s': its format has version %llu, of which nothing is read (only %d and newer): export it with the "
                          "Nsight Compute that wrote it, --import FILE --csv --page raw",
                          label, (unsigned long long)report->version, VERSION);
    return RL_OK;
}

static int by_text(const void *a, const void *b, void *context)
{
    const struct name *names = context;
    const struct rl_text x = names[*(const uint32_t *)a].text, y = names[*(const uint32_t *)b].text;
    const int order = memcmp(x.at, y.at, x.len < y.len ? x.len : y.len);

    return order ? order : rl_ascending(x.len, y.len) ?: rl_ascending(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* ---- values ---- */

/* The base unit, which reports do not have: Nsight Compute makes it from the name. Units whose factor is 1 need no row. */
static struct rl_text unit_of(struct rl_text name)
{
    static const struct {
        const char *has, *unit;
    } units[] = {
        {"pct", "%"},
        {"gpu__time_", "nsecond"},
        {"_interval_time", "nsecond"},
    };

    const size_t at = RL_FIRST(i, RL_COUNT(units), rl_text_find(name, units[i].has) < name.len);
    return at < RL_COUNT(units) ? rl_text_of(units[at].unit) : rl_text_of("");
}

static void add_value(struct report *report, struct rl_text name, size_t *target, const struct rl_cell *cell, struct rl_text words)
{
    struct rl_model *model = report->reader->model;
    char example[32] = "";

    if (*target == RL_NONE && cell->kind == RL_CELL_NUMBER && words.len == 0) {
        snprintf(example, sizeof example, "%.12g", cell->number);
        words = rl_text_of(example); /* for the ledger, which keeps the first one */
    }
    if (*target == RL_NONE)
        *target = rl_targets_of(
            &model->targets,
            &(struct rl_printed){
                .tool = RL_TOOL_NCU, .prefixes = RL_DECIMAL, .section = rl_text_of(""), .name = name, .unit = unit_of(name)});
    rl_model_add_value(model, *target, cell, words);
    report->values++;
}

/* Instances that have a name each, such as an opcode: "sass__inst_executed_per_opcode [FFMA]". Others are by address or time. */
static void take_instances(struct report *report, const struct name *name)
{
    enum { INSTANCE = 3, ID = 1, VALUE = 2, MOST = 256 };
    struct rl_text rest = name->instances;
    RL_SCRATCH text = RL_BUF_INIT;
    struct rl_part field;

    for (size_t i = 0; i < MOST && rl_part_next(&rest, &field);) {
        struct rl_text id, words;
        size_t target = RL_NONE;
        if (field.number != INSTANCE || field.kind != RL_BYTES)
            continue;
        (void)rl_part_cell(rl_part_bytes(field.bytes, ID), &id);
        const struct rl_cell cell = rl_part_cell(rl_part_bytes(field.bytes, VALUE), &words);
        if (!id.len || cell.kind != RL_CELL_NUMBER)
            break;
        rl_buf_reset(&text);
        rl_buf_add(&text, name->text.at, name->text.len);
        rl_buf_adds(&text, " [");
        rl_utf8_printable(&text, id.at, id.len < 100 ? id.len : 100);
        rl_buf_adds(&text, "]");
        add_value(report, (struct rl_text){text.data, text.len}, &target, &cell, words);
        i++;
    }
}

static void take_value(struct report *report, struct name *name)
{
    struct rl_text words;
    struct rl_cell cell = rl_part_cell(name->value, &words);

    if (name->query)
        return;
    if (cell.kind == RL_CELL_EMPTY && !name->has_value && !name->has_instances)
        cell = rl_cell_read(rl_text_of("no data"), RL_POINT);
    if (cell.kind != RL_CELL_EMPTY)
        add_value(report, name->text, &name->target, &cell, words);
    if (name->has_instances)
        take_instances(report, name);
}

/* ---- launches ---- */

struct launch {
    struct rl_text mangled, function, demangled, grid, block;
    uint64_t module; /* number of the one that it is in */
};

/* Of a metric that stands there twice, the last value counts, as for ncu. */
static bool take_metric(struct report *report, struct rl_text rest)
{
    enum { NAME = 1, VALUE, INSTANCE };
    const struct rl_text metric = rest;
    uint64_t number = UINT64_MAX;
    struct rl_text value = rl_text_of("");
    bool has_value = false, has_instances = false;
    struct rl_part field;

    while (rl_part_next(&rest, &field)) {
        if (field.number == NAME && field.kind == RL_VARINT) {
            number = field.value;
        } else if (field.number == VALUE && field.kind == RL_BYTES) {
            value = field.bytes;
            has_value = true;
        } else if (field.number == INSTANCE) {
            has_instances = true;
        }
    }
    if (rest.len || number >= report->name_count)
        return false;
    struct name *name = &report->names[number];
    if (name->result != report->results) {
        RL_APPEND(report->present, report->present_count, report->present_cap, (uint32_t)number);
    }
    name->result = report->results;
    name->value = value;
    name->instances = metric;
    name->has_value = has_value;
    name->has_instances = has_instances;
    return true;
}

static bool extent_of(struct rl_text rest, uint32_t extent[3])
{
    struct rl_part field;

    extent[0] = extent[1] = extent[2] = 0;
    while (rl_part_next(&rest, &field)) {
        if (field.number < 1 || field.number > 3 || field.kind != RL_VARINT || field.value > UINT32_MAX)
            return false;
        extent[field.number - 1] = (uint32_t)field.value;
    }
    return rest.len == 0 && extent[0] && extent[1] && extent[2];
}

RL_COMPARATOR_AT(by_rank, uint32_t, struct name, context, rl_ascending(x->rank, y->rank));

/* The value of a metric's first instance: that of the metric may be how many there are. */
static struct rl_text first_instance(struct rl_text metric)
{
    enum { INSTANCE = 3, VALUE = 2 };
    struct rl_part field, part;

    while (rl_part_next(&metric, &field))
        while (field.number == INSTANCE && field.kind == RL_BYTES && rl_part_next(&field.bytes, &part))
            if (part.number == VALUE && part.kind == RL_BYTES)
                return part.bytes;
    return rl_text_of("");
}

static void take_roles(const struct report *report, double said[ROLE_SOURCE])
{
    struct rl_text words;

    for (size_t i = 0; i < report->present_count; i++) {
        const struct name *name = &report->names[report->present[i]];
        if (!name->role || name->role == ROLE_SOURCE)
            continue;
        const bool in_instance = name->role == ROLE_BASE && name->has_instances;
        const struct rl_cell cell = rl_part_cell(in_instance ? first_instance(name->instances) : name->value, &words);
        if (cell.kind == RL_CELL_NUMBER && cell.number >= 0 && cell.number < 1e18)
            said[name->role] = cell.number;
    }
}

static size_t card_of(const struct report *report, const double said[ROLE_SOURCE], struct rl_text host)
{
    if (said[ROLE_DEVICE] < 0 || said[ROLE_DEVICE] >= 1024)
        return RL_NONE;
    const int capability = said[ROLE_MAJOR] < 100 && said[ROLE_MINOR] < 10 ? 10 * (int)said[ROLE_MAJOR] + (int)said[ROLE_MINOR] : 0;
    return rl_model_card(report->reader->model, (int)said[ROLE_DEVICE], rl_text_of(""), host, capability);
}

/* Metrics by instruction. Without the period of samples, or where the function begins, nothing is made of them. */
static void take_source(struct report *report, const struct launch *launch, const double said[ROLE_SOURCE], size_t card)
{
    struct rl_ncu_source *source = report->reader->model->instructions;
    unsigned period = 0;

    while (period < 31 && (double)(UINT64_C(1) << period) < said[ROLE_PERIOD])
        period++;
    if (!launch->mangled.len || said[ROLE_BASE] < 1 || (double)(UINT64_C(1) << period) != said[ROLE_PERIOD])
        return;
    const struct rl_ncu_place place = {.run = report->reader->model->launch.run,
                                       .number = report->results - 1,
                                       .file = report->reader->file,
                                       .module = launch->module,
                                       .function = launch->mangled,
                                       .card = card,
                                       .period = period,
                                       .base = (uint64_t)said[ROLE_BASE]};
    const bool fresh = rl_ncu_source_launch(source, &place);
    for (size_t i = 0; i < report->present_count && fresh; i++) {
        const struct name *name = &report->names[report->present[i]];
        if (name->role == ROLE_SOURCE && name->has_instances)
            rl_ncu_source_metric(source, name->text.at, name->instances);
    }
}

static void add_launch(struct report *report, const struct launch *launch, const struct block *block)
{
    enum { ID = 1, HOST };
    struct rl_model *model = report->reader->model;
    struct rl_text rest = block->process, host = rl_text_of("");
    char process[24] = "";
    double said[ROLE_SOURCE] = {[ROLE_DEVICE] = -1};
    struct rl_part field;

    while (rl_part_next(&rest, &field)) {
        if (field.number == ID && field.kind == RL_VARINT)
            snprintf(process, sizeof process, "%llu", (unsigned long long)field.value);
        else if (field.number == HOST && field.kind == RL_BYTES)
            host = rl_part_text(field.bytes);
    }
    rl_model_source(model, RL_TOOL_NCU, "Nsight Compute (report)", report->reader->label);
    model->view = UINT32_MAX - report->reader->file; /* as of a details page as text: a file is one or the other */
    struct rl_launch *made = rl_model_begin(model,
                                            launch->demangled.len  ? launch->demangled
                                            : launch->function.len ? launch->function
                                                                   : launch->mangled,
                                            RL_TIMING_NCU);
    made->mangled = launch->mangled.len ? 1 + rl_pool_add(&model->names, launch->mangled) : 0;
    take_roles(report, said);
    const size_t card = card_of(report, said, host);
    made->card = card;
    made->run = rl_model_run(model, rl_text_of(process), host);
    made->number = report->results - 1;
    made->shaped = extent_of(launch->grid, made->grid) && extent_of(launch->block, made->block);
    for (size_t i = 0; i < report->present_count; i++)
        take_value(report, &report->names[report->present[i]]);
    rl_model_end(model);
    take_source(report, launch, said, card);
    report->taken++;
}

/* A message of a launch; false when it is damaged. */
static bool take_launch(struct report *report, struct rl_text rest, const struct block *block)
{
    enum { MANGLED = 5, FUNCTION, DEMANGLED, GRID = 10, BLOCK, METRIC = 13, MODULE = 15 };
    struct launch launch = {rl_text_of(""), rl_text_of(""), rl_text_of(""), rl_text_of(""), rl_text_of(""), 0};
    struct rl_part field;
    bool whole = true;

    report->results++;
    report->present_count = 0;
    while (rl_part_next(&rest, &field)) {
        if (field.kind != RL_BYTES)
            continue;
        if (field.number == MANGLED)
            launch.mangled = rl_part_text(field.bytes);
        else if (field.number == FUNCTION)
            launch.function = rl_part_text(field.bytes);
        else if (field.number == DEMANGLED)
            launch.demangled = rl_part_text(field.bytes);
        else if (field.number == GRID)
            launch.grid = field.bytes;
        else if (field.number == BLOCK)
            launch.block = field.bytes;
        else if (field.number == METRIC)
            whole &= take_metric(report, field.bytes);
        else if (field.number == MODULE && rl_part_next(&field.bytes, &field) && field.kind == RL_VARINT && field.number == 1)
            launch.module = field.value;
    }
    if (rest.len || !whole || launch.mangled.len > RL_IMPORT_MAX_LINE || launch.function.len > RL_IMPORT_MAX_LINE ||
        launch.demangled.len > RL_IMPORT_MAX_LINE)
        return false;
    if (launch.mangled.len + launch.function.len + launch.demangled.len == 0) {
        rl_notes_add(&report->reader->model->notes, RL_NOTE_no_kernel, rl_text_of(report->reader->label));
        return true;
    }
    rl_sort_with(report->present, report->present_count, sizeof *report->present, by_rank, report->names);
    add_launch(report, &launch, block);
    return true;
}

/* ---- blocks ---- */

static void read_launch(struct report *report, size_t len, const struct block *block)
{
    struct rl_notes *notes = &report->reader->model->notes;
    const struct rl_text label = rl_text_of(report->reader->label);

    if (len > MAX_RESULT) {
        report->results++;
        rl_notes_add(notes, RL_NOTE_too_long, label);
        skip(report, len);
    } else if (read_message(report, len, &report->message) &&
               !take_launch(report, (struct rl_text){report->message.data, report->message.len}, block)) {
        rl_notes_add(notes, RL_NOTE_damaged, label);
    }
}

/* The messages of a block, in the order of its counts. */
static void read_block(struct report *report, struct block *block)
{
    const uint64_t ends[] = {block->sources, block->sources + block->launches, block->sources + block->launches + block->others};
    char size[4];

    for (uint64_t i = 0; i < ends[2] && block->left >= sizeof size && !report->damaged; i++) {
        if (!read_bytes(report, size, sizeof size))
            return;
        const uint64_t len = rl_little_endian((struct rl_text){size, sizeof size});
        block->left -= sizeof size;
        if (len > block->left) {
            report->damaged = true;
            return;
        }
        block->left -= len;
        if (i >= ends[0] && i < ends[1]) {
            read_launch(report, (size_t)len, block);
            continue;
        }
        if (i < ends[0] && len <= MAX_MODULE) {
            if (read_message(report, (size_t)len, &report->message))
                rl_ncu_source_module(report->reader->model->instructions, report->reader->file,
                                     (struct rl_text){report->message.data, report->message.len});
            continue;
        }
        if (i >= ends[1])
            rl_notes_add(&report->reader->model->notes, RL_NOTE_ranges, rl_text_of(report->reader->label));
        skip(report, len);
    }
    if (!report->damaged)
        skip(report, block->left);
}

static enum rl_status finish(struct report *report, struct rl_err *err)
{
    struct rl_reader *reader = report->reader;

    if (report->damaged)
        rl_notes_add(&reader->model->notes, RL_NOTE_report, rl_text_of(reader->label));
    if (report->taken == 0)
        return rl_err_set(err, RL_FORMAT, "'%s': it is a report of Nsight Compute without a launch of a kernel%s", reader->label,
                          report->damaged ? ", or the beginning of one: copy all of it" : "");
    if (report->version > VERSION)
        rl_capture_log(
            reader->capture, 0, RL_LOG_WARNING,
            "import: '%s': its format has version %llu, newer than %d: %llu launch%s with %llu values %s read as version %d",
            reader->label, (unsigned long long)report->version, VERSION, (unsigned long long)report->taken,
            report->taken == 1 ? "" : "es", (unsigned long long)report->values, report->taken == 1 ? "was" : "were", VERSION);
    return RL_OK;
}

bool rl_ncu_rep_begins(struct rl_text head)
{
    return rl_text_begins(head, "NVR?"); /* 0 is '?' there */
}

static enum rl_status read_all(struct report *report, struct rl_err *err)
{
    struct block block;
    enum rl_status status = read_start(report, err);

    if (status != RL_OK)
        return status;
    while (next_block(report, true, &block) && skip(report, block.left))
        ;
    RL_FREED uint32_t *order = rl_calloc(report->name_count, sizeof *order);
    for (size_t i = 0; i < report->name_count; i++)
        order[i] = (uint32_t)i;
    rl_sort_with(order, report->name_count, sizeof *order, by_text, report->names);
    for (size_t i = 0; i < report->name_count; i++)
        report->names[order[i]].rank = (uint32_t)i;
    report->damaged = false;
    rl_lines_rewind(report->lines);
    status = read_start(report, err);
    while (status == RL_OK && !report->damaged && next_block(report, false, &block))
        read_block(report, &block);
    RL_THEN(status, rl_lines_status(report->lines, report->reader->label, err));
    return status == RL_OK ? finish(report, err) : status;
}

enum rl_status rl_ncu_rep_read(struct rl_reader *reader, struct rl_lines *lines, struct rl_err *err)
{
    struct report report = {.reader = reader, .lines = lines};

    rl_buf_init(&report.header);
    rl_buf_init(&report.message);
    rl_lines_rewind(lines);
    const enum rl_status status = read_all(&report, err);
    rl_buf_release(&report.header);
    rl_buf_release(&report.message);
    rl_arena_release(&report.arena);
    RL_FREE(report.names, report.present);
    return status;
}
