/* benchmarks.c - results of benchmarks: states of nvbench as published figures; roofs that mixbench and ERT (roofline-benchmark)
 * have measured. */
#include <math.h>
#include <stdlib.h>

#include "core/mem.h"
#include "json.h"
#include "published.h"
#include "reader.h"

/* ---- mixbench ---- */

/* A row: a number of iterations, then intensity, time, Gop/s and GB/s of each kind of operation, which the head names. */
bool rl_row_mixbench(struct rl_reader *reader)
{
    static const struct {
        const char *head, *id;
    } kinds[] = {{"Single Precision ops", "fp32"},
                 {"Double precision ops", "fp64"},
                 {"Half precision ops", "fp16"},
                 {"Integer operations", NULL}};
    const struct rl_table *table = &reader->table;
    const struct rl_text card = {reader->device.data, reader->device.len};
    struct rl_buf words = RL_BUF_INIT;
    unsigned long long iterations;

    if (!rl_whole_read(rl_record_cell(reader->record, 0), RL_POINT, &iterations))
        return rl_text_is(rl_record_cell(reader->record, 0), "Compute iters");
    rl_buf_addf(&words, "mixbench: %s", reader->label);
    for (size_t i = 0; i < table->column_count; i++) {
        for (size_t j = 0; j < RL_COUNT(kinds); j++) {
            if (!rl_text_is(table->heads[i], kinds[j].head))
                continue;
            const struct rl_cell rate = rl_cell_read(rl_record_cell(reader->record, i + 2), RL_POINT);
            const struct rl_cell bytes = rl_cell_read(rl_record_cell(reader->record, i + 3), RL_POINT);
            if (kinds[j].id && rate.kind == RL_CELL_NUMBER)
                rl_roof_keep(reader->model, card, kinds[j].id, RL_UNIT_FLOP_PER_SECOND, 1e9 * rate.number, words.data);
            if (bytes.kind == RL_CELL_NUMBER)
                rl_roof_keep(reader->model, card, "dram_read", RL_UNIT_BYTE_PER_SECOND, 1e9 * bytes.number, words.data);
        }
    }
    rl_buf_release(&words);
    return true;
}

/* ---- JSON ---- */

enum { MOST_DEVICES = 256 };

struct walk {
    struct rl_model *model;
    const char *label;
    struct rl_buf path;                          /* "benchmarks.states.device": keys of the objects around, and of the value */
    size_t before[RL_JSON_MAX_DEPTH + 1], depth; /* lengths of the paths of those around */
    struct rl_buf device, name, benchmark, axis, axes, tag, value;
    struct rl_device {
        uint32_t id, name; /* in model->names */
    } devices[MOST_DEVICES];
    size_t device_count;
    double seconds, rate; /* of a state; NAN: none */
};

static bool at(const struct walk *walk, const char *path)
{
    return rl_text_is((struct rl_text){walk->path.data, walk->path.len}, path);
}

static struct rl_text text_in(const struct rl_buf *buf)
{
    return (struct rl_text){buf->data, buf->len};
}

/* Where a text of an object of nvbench or ERT goes; NULL: nowhere. */
static struct rl_buf *field_at(struct walk *walk)
{
    const struct {
        const char *path;
        struct rl_buf *to;
    } fields[] = {{"devices.id", &walk->device},
                  {"devices.name", &walk->name},
                  {"benchmarks.name", &walk->benchmark},
                  {"benchmarks.states.device", &walk->device},
                  {"benchmarks.states.axis_values.name", &walk->axis},
                  {"benchmarks.states.axis_values.value", &walk->value},
                  {"benchmarks.states.summaries.tag", &walk->tag},
                  {"benchmarks.states.summaries.data.value", &walk->value},
                  {"empirical.gbytes.data", &walk->name},
                  {"empirical.gflops.data", &walk->name}};

    for (size_t i = 0; i < RL_COUNT(fields); i++)
        if (at(walk, fields[i].path))
            return fields[i].to;
    return NULL;
}

/* ERT's roofs are pairs of a name and a number. */
static void take_roof(struct walk *walk, struct rl_text number)
{
    static const struct {
        const char *name, *id;
        enum rl_unit unit;
    } roofs[] = {{"DRAM", "dram_read", RL_UNIT_BYTE_PER_SECOND},   {"L2", "l2_read", RL_UNIT_BYTE_PER_SECOND},
                 {"L1", "l1_read", RL_UNIT_BYTE_PER_SECOND},       {"FP64 GFLOPs", "fp64", RL_UNIT_FLOP_PER_SECOND},
                 {"FP32 GFLOPs", "fp32", RL_UNIT_FLOP_PER_SECOND}, {"FP16 GFLOPs", "fp16", RL_UNIT_FLOP_PER_SECOND}};
    const struct rl_cell cell = rl_cell_read(number, RL_POINT);
    struct rl_buf words = RL_BUF_INIT;
    size_t i = 0;

    while (i < RL_COUNT(roofs) && !rl_text_is(text_in(&walk->name), roofs[i].name))
        i++;
    rl_buf_addf(&words, "ERT: %s", walk->label);
    if (i < RL_COUNT(roofs) && cell.kind == RL_CELL_NUMBER)
        rl_roof_keep(walk->model, rl_text_of(""), roofs[i].id, roofs[i].unit, 1e9 * cell.number, words.data);
    else
        rl_notes_add(&walk->model->notes, RL_NOTE_figure, text_in(&walk->name));
    rl_buf_release(&words);
}

static void end_state(struct walk *walk)
{
    const uint32_t id = rl_pool_add(&walk->model->names, text_in(&walk->device));
    size_t i = 0;

    while (i < walk->device_count && walk->devices[i].id != id)
        i++;
    if (walk->seconds > 0 && i < walk->device_count && walk->benchmark.len)
        rl_published_state(walk->model, walk->label, rl_pool_text(&walk->model->names, walk->devices[i].name),
                           text_in(&walk->benchmark), text_in(&walk->axes), walk->seconds, walk->rate);
    else
        rl_notes_add(&walk->model->notes, RL_NOTE_figure, text_in(&walk->benchmark));
}

/* The object at the path is complete. */
static void end_object(struct walk *walk)
{
    if (at(walk, "devices") && walk->device_count < MOST_DEVICES) {
        walk->devices[walk->device_count++] = (struct rl_device){rl_pool_add(&walk->model->names, text_in(&walk->device)),
                                                                 rl_pool_add(&walk->model->names, text_in(&walk->name))};
    } else if (at(walk, "benchmarks.states.axis_values")) {
        rl_buf_addf(&walk->axes, "%s%s=%s", walk->axes.len ? ", " : "", walk->axis.data, walk->value.data);
    } else if (at(walk, "benchmarks.states.summaries")) {
        const struct rl_cell cell = rl_cell_read(text_in(&walk->value), RL_POINT);
        if (cell.kind == RL_CELL_NUMBER && rl_text_is(text_in(&walk->tag), "nv/cold/time/gpu/mean"))
            walk->seconds = cell.number;
        else if (cell.kind == RL_CELL_NUMBER && rl_text_is(text_in(&walk->tag), "nv/cold/bw/global/bytes_per_second"))
            walk->rate = cell.number;
    } else if (at(walk, "benchmarks.states")) {
        end_state(walk);
    }
}

static void begin_object(struct walk *walk)
{
    if (at(walk, "benchmarks.states")) {
        walk->seconds = walk->rate = NAN;
        rl_buf_reset(&walk->axes);
        rl_buf_reset(&walk->device);
    } else if (at(walk, "benchmarks.states.axis_values") || at(walk, "benchmarks.states.summaries")) {
        rl_buf_reset(&walk->axis);
        rl_buf_reset(&walk->tag);
        rl_buf_reset(&walk->value);
    }
}

static void take(void *context, enum rl_json_kind kind, struct rl_text text)
{
    struct walk *walk = context;
    struct rl_buf *field;

    if (kind == RL_JSON_MAP || kind == RL_JSON_ARRAY) {
        walk->before[walk->depth++] = walk->path.len; /* json.c bounds the depth */
        if (kind == RL_JSON_MAP)
            begin_object(walk);
    } else if (kind == RL_JSON_END_MAP || kind == RL_JSON_END_ARRAY) {
        rl_buf_truncate(&walk->path, walk->before[--walk->depth]);
        if (kind == RL_JSON_END_MAP)
            end_object(walk);
    } else if (kind == RL_JSON_KEY) {
        rl_buf_truncate(&walk->path, walk->before[walk->depth - 1]);
        rl_buf_addf(&walk->path, walk->path.len ? ".%.*s" : "%.*s", (int)(text.len < 64 ? text.len : 64), text.at);
    } else if (kind == RL_JSON_NUMBER && (at(walk, "empirical.gbytes.data") || at(walk, "empirical.gflops.data"))) {
        take_roof(walk, text);
    } else if (kind != RL_JSON_OTHER && (field = field_at(walk))) {
        rl_buf_reset(field);
        rl_buf_add(field, text.at, text.len < 4096 ? text.len : 4096);
    }
}

bool rl_benchmarks_begin(struct rl_text start)
{
    return rl_text_find(start, "\"nvbench\"") < start.len || rl_text_find(start, "\"empirical\"") < start.len;
}

enum rl_status rl_benchmarks_read(struct rl_model *model, struct rl_lines *lines, const char *label, struct rl_err *err)
{
    struct walk *walk = rl_calloc(1, sizeof *walk);
    struct rl_buf *const buffers[] = {&walk->path, &walk->device, &walk->name, &walk->benchmark,
                                      &walk->axis, &walk->axes,   &walk->tag,  &walk->value};
    const size_t known = model->launch_count;
    bool cut = false;

    *walk = (struct walk){.model = model, .label = label, .seconds = NAN, .rate = NAN};
    for (size_t i = 0; i < RL_COUNT(buffers); i++)
        rl_buf_init(buffers[i]);
    enum rl_status status = rl_json_read(lines, take, walk, &cut, err);
    if (status == RL_OK && model->launch_count == known)
        status = rl_err_set(err, RL_FORMAT, "results of a benchmark without a figure that is read");
    if (status != RL_OK)
        rl_err_context(err, status, "'%s'", label);
    else if (cut)
        rl_notes_add(&model->notes, RL_NOTE_cut_off, rl_text_of(label));
    for (size_t i = 0; i < RL_COUNT(buffers); i++)
        rl_buf_release(buffers[i]);
    free(walk);
    return status;
}
