/* benchmark_json.c - JSON of Google Benchmark, llama-bench and nvbench: its objects become fields as a table has them. */
#include "benchmark_results.h"
#include "json.h"

enum { MOST_FIELDS = 512, MOST_TEXT = 4096, MOST_DEVICES = 256, MOST_BYTES = 1 << 28 /* of a file of sample times */ };

struct walk {
    struct rl_bench *bench;
    const struct rl_bench_kind *kind;
    const char *label; /* the path */
    struct rl_json_path at;
    struct rl_arena arena; /* of the object */
    struct rl_bench_field fields[MOST_FIELDS];
    size_t count;
    double *samples;
    size_t sample_count, sample_cap;
    bool has_samples;
    enum rl_status status;
    struct rl_err *err;
    /* nvbench: an object within the state, what the state is of */
    struct rl_buf name, value, tag, figure, file, benchmark;
    struct rl_device {
        const char *id, *name;
    } devices[MOST_DEVICES];
    size_t device_count;
};

static struct rl_text text_in(const struct rl_buf *buf)
{
    return (struct rl_text){buf->data, buf->len};
}

/* Both are kept until the object ends. */
static struct rl_bench_field *add_field(struct walk *walk, struct rl_text key, struct rl_text value)
{
    if (walk->count == MOST_FIELDS)
        return NULL;
    key.len = key.len < MOST_TEXT ? key.len : MOST_TEXT;
    value.len = value.len < MOST_TEXT ? value.len : MOST_TEXT;
    struct rl_bench_field *field = &walk->fields[walk->count++];
    *field = (struct rl_bench_field){.key = {rl_arena_strndup(&walk->arena, key.at, key.len), key.len},
                                     .value = {rl_arena_strndup(&walk->arena, value.at, value.len), value.len}};
    return field;
}

static void add_sample(struct walk *walk, double seconds)
{
    RL_APPEND(walk->samples, walk->sample_count, walk->sample_cap, seconds);
}

static bool is_result(const struct walk *walk)
{
    return rl_json_path_is(&walk->at, walk->kind->within);
}

/* ---- nvbench: summaries by tag, and a file of sample times next to the JSON ---- */

static const struct {
    const char *tag, *key; /* the column of its CSV */
} summaries[] = {{"nv/cold/sample_size", "Samples"},
                 {"nv/cold/time/gpu/mean", "GPU Time (sec)"},
                 {"nv/cold/time/gpu/stdev/relative", "GPU Noise"},
                 {"nv/cold/bw/item_rate", "Elem/s (elem/sec)"},
                 {"nv/cold/bw/global/bytes_per_second", "GlobalMem BW (bytes/sec)"}};

/* The last two parts of a path that the file names, next to the file itself: "x.json-bin/0.bin". Some versions name it from the
 * folder in which the benchmark ran. NULL: it has no such parts, or leads out of there. */
static char *sidecar(struct walk *walk, struct rl_text named)
{
    const char *slash = strrchr(walk->label, '/');
    size_t from = named.len, parts = 0;
    while (from && parts < 2) {
        size_t end = from;
        while (from && named.at[from - 1] != '/' && named.at[from - 1] != '\\')
            from--;
        const struct rl_text part = {named.at + from, end - from};
        if (!part.len || rl_text_is(part, "..") || rl_text_is(part, ".") || memchr(part.at, 0, part.len))
            return NULL;
        from -= ++parts < 2 && from > 0;
    }
    if (parts < 2)
        return NULL;
    char *path = rl_arena_printf(&walk->arena, "%.*s%.*s", slash ? (int)(slash + 1 - walk->label) : 0, walk->label,
                                 (int)(named.len - from), named.at + from);
    for (char *c = path + (slash ? slash + 1 - walk->label : 0); *c; c++)
        *c = *c == '\\' ? '/' : *c;
    return path;
}

/* An object within a state, or before the states, is complete. */
static void end_part(struct walk *walk)
{
    struct rl_arena *arena = &walk->bench->arena;
    if (rl_json_path_is(&walk->at, "devices") && walk->device_count < MOST_DEVICES) {
        walk->devices[walk->device_count++] = (struct rl_device){rl_arena_strndup(arena, walk->value.data, walk->value.len),
                                                                 rl_arena_strndup(arena, walk->name.data, walk->name.len)};
    } else if (rl_json_path_is(&walk->at, "benchmarks.states.axis_values")) {
        struct rl_bench_field *field = add_field(walk, text_in(&walk->name), text_in(&walk->value));
        if (field)
            field->is_axis = true;
    } else if (rl_json_path_is(&walk->at, "benchmarks.states.summaries")) {
        for (size_t i = 0; i < RL_COUNT(summaries); i++)
            if (rl_text_is(text_in(&walk->tag), summaries[i].tag))
                (void)add_field(walk, rl_text_of(summaries[i].key), text_in(&walk->figure));
        if (rl_text_is(text_in(&walk->tag), "nv/json/bin:nv/cold/sample_times")) {
            /* Little-endian float32 seconds. */
            struct rl_err err = RL_ERR_INIT;
            RL_SCRATCH bytes = RL_BUF_INIT;
            const char *path = sidecar(walk, text_in(&walk->file));
            if (!path || rl_read_file(path, MOST_BYTES, &bytes, &err) != RL_OK || bytes.len < 4 || bytes.len % 4) {
                walk->bench->lost++;
            } else {
                walk->has_samples = true;
                for (size_t i = 0; i < bytes.len; i += 4) {
                    const unsigned char *at = (const unsigned char *)bytes.data + i;
                    const uint32_t word = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
                    float seconds;
                    memcpy(&seconds, &word, sizeof seconds);
                    add_sample(walk, isfinite(seconds) && seconds > 0 ? (double)seconds : 0);
                }
            }
        }
    } else if (rl_json_path_is(&walk->at, "benchmarks.states.summaries.data")) {
        struct rl_buf *to = rl_text_is(text_in(&walk->name), "value")      ? &walk->figure
                            : rl_text_is(text_in(&walk->name), "filename") ? &walk->file
                                                                           : NULL;
        if (to) {
            rl_buf_reset(to);
            rl_buf_add(to, walk->value.data, walk->value.len);
        }
    }
}

/* Where a value outside the fields of the state goes; NULL: nowhere. */
static struct rl_buf *part_at(struct walk *walk)
{
    const struct {
        const char *path;
        struct rl_buf *to;
    } parts[] = {{"devices.id", &walk->value},
                 {"devices.name", &walk->name},
                 {"benchmarks.name", &walk->benchmark},
                 {"benchmarks.states.axis_values.name", &walk->name},
                 {"benchmarks.states.axis_values.value", &walk->value},
                 {"benchmarks.states.summaries.tag", &walk->tag},
                 {"benchmarks.states.summaries.data.name", &walk->name},
                 {"benchmarks.states.summaries.data.value", &walk->value}};
    const size_t found = RL_FIRST(i, RL_COUNT(parts), rl_json_path_is(&walk->at, parts[i].path));
    return found < RL_COUNT(parts) ? parts[found].to : NULL;
}

/* ---- results ---- */

static void begin_result(struct walk *walk)
{
    rl_arena_release(&walk->arena);
    walk->count = walk->sample_count = 0;
    walk->has_samples = false;
}

static void end_result(struct walk *walk)
{
    struct rl_bench *bench = walk->bench;
    struct rl_bench_result result = {.work = rl_value_missing(RL_NOT_COLLECTED, "not in the file")};
    if (walk->benchmark.len) {
        static const char *const keys[][2] = {{"device", "Device"}, {"is_skipped", "Skipped"}};
        const struct rl_bench_fields fields = {walk->fields, walk->count};
        (void)add_field(walk, rl_text_of("Benchmark"), text_in(&walk->benchmark));
        for (size_t i = 0; i < RL_COUNT(keys); i++)
            (void)add_field(walk, rl_text_of(keys[i][1]), rl_bench_value(&fields, keys[i][0]));
        for (size_t i = 0; i < walk->device_count; i++)
            if (rl_text_is(rl_bench_value(&fields, "device"), walk->devices[i].id))
                (void)add_field(walk, rl_text_of("Device Name"), rl_text_of(walk->devices[i].name));
    }
    if (walk->has_samples && walk->sample_count) {
        result.sample_count = walk->sample_count;
        result.samples = rl_arena_alloc(&bench->arena, walk->sample_count * sizeof *result.samples);
        memcpy(result.samples, walk->samples, walk->sample_count * sizeof *result.samples);
    }
    walk->kind->take(bench, &(struct rl_bench_fields){walk->fields, walk->count}, &result);
    if (result.name && walk->status == RL_OK)
        walk->status = rl_bench_keep(bench, &result, walk->label, walk->err);
    begin_result(walk);
}

/* A value of the result itself, or one of llama-bench's single times. */
static bool take_value(struct walk *walk, enum rl_json_kind kind, struct rl_text text)
{
    double number;
    const struct rl_text path = text_in(&walk->at.text);
    const size_t within = strlen(walk->kind->within);
    const struct rl_text key = rl_text_from(path, within + (within > 0));
    if (!rl_text_begins(path, walk->kind->within) || rl_text_find(key, ".") < key.len || !key.len)
        return false;
    if (rl_text_is(key, "samples_ns")) {
        walk->has_samples = true;
        add_sample(walk, kind == RL_JSON_NUMBER && rl_number_parse(text.at, text.len, &number) && number > 0 ? number * 1e-9 : 0);
    } else {
        (void)add_field(walk, key, text);
    }
    return true;
}

static void take(void *context, enum rl_json_kind kind, struct rl_text text)
{
    struct walk *walk = context;
    struct rl_buf *part;
    rl_json_path_step(&walk->at, kind, text);
    if (walk->status != RL_OK)
        return;
    if (kind == RL_JSON_MAP && is_result(walk)) {
        begin_result(walk);
    } else if (kind == RL_JSON_MAP && rl_json_path_is(&walk->at, "benchmarks.states.summaries")) {
        rl_buf_reset(&walk->tag);
        rl_buf_reset(&walk->figure);
        rl_buf_reset(&walk->file);
    } else if (kind == RL_JSON_MAP) {
        rl_buf_reset(&walk->name);
        rl_buf_reset(&walk->value);
    } else if (kind == RL_JSON_END_MAP && is_result(walk)) {
        end_result(walk);
    } else if (kind == RL_JSON_END_MAP) {
        end_part(walk);
    } else if (kind >= RL_JSON_STRING && !take_value(walk, kind, text) && (part = part_at(walk))) {
        rl_buf_reset(part);
        rl_buf_add(part, text.at, text.len < MOST_TEXT ? text.len : MOST_TEXT);
    }
}

static enum rl_status read_value(struct walk *walk, struct rl_lines *lines)
{
    bool cut = false;
    enum rl_status status = rl_json_read(lines, take, walk, &cut, walk->err);
    rl_json_path_release(&walk->at);
    walk->bench->cut += status == RL_OK && cut;
    return status != RL_OK ? rl_err_context(walk->err, status, "'%s'", walk->label) : walk->status;
}

/* An object in each line (JSONL), between what else was printed. */
static enum rl_status read_each_line(struct walk *walk, struct rl_lines *lines)
{
    enum rl_status status = RL_OK;
    struct rl_text line;
    while (status == RL_OK && rl_lines_next(lines, &line)) {
        if (!rl_text_begins(rl_text_trim(line), "{"))
            continue;
        struct rl_lines *one = rl_lines_of(line.at, line.len);
        status = read_value(walk, one);
        rl_lines_close(one);
    }
    return status == RL_OK ? rl_lines_status(lines, walk->label, walk->err) : status;
}

enum rl_status rl_bench_read_json(struct rl_bench *bench, const struct rl_bench_kind *kind, struct rl_lines *lines,
                                  const char *label, struct rl_err *err)
{
    struct walk *walk = rl_calloc(1, sizeof *walk);
    struct rl_buf *const buffers[] = {&walk->name, &walk->value, &walk->tag, &walk->figure, &walk->file, &walk->benchmark};
    *walk = (struct walk){.bench = bench, .kind = kind, .label = label, .err = err};
    for (size_t i = 0; i < RL_COUNT(buffers); i++)
        rl_buf_init(buffers[i]);
    const bool by_line = !*kind->within && !rl_text_begins(rl_text_trim(rl_lines_head(lines)), "[");
    enum rl_status status = by_line ? read_each_line(walk, lines) : read_value(walk, lines);
    for (size_t i = 0; i < RL_COUNT(buffers); i++)
        rl_buf_release(buffers[i]);
    rl_arena_release(&walk->arena);
    RL_FREE(walk->samples, walk);
    return status;
}
