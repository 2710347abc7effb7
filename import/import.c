#include "import/import.h"

#include "benchmark_results.h"
#include "build.h"
#include "json.h"
#include "reader.h"
#include "trace.h"

/* ---- what the cells of a Jupyter notebook (.ipynb) printed: profilers' tables as text, and the like ---- */

enum { MOST = 256 << 20 }; /* bytes of text */

struct walk {
    struct rl_json_path at;
    struct rl_buf *text;
};

static void take(void *context, enum rl_json_kind kind, struct rl_text text)
{
    struct walk *walk = context;

    rl_json_path_step(&walk->at, kind, text);
    if (kind == RL_JSON_STRING && walk->text->len < MOST &&
        (rl_json_path_is(&walk->at, "cells.outputs.text") || rl_json_path_is(&walk->at, "cells.outputs.data.text/plain")))
        rl_buf_add(walk->text, text.at, text.len);
    else if (kind == RL_JSON_END_MAP && rl_json_path_is(&walk->at, "cells.outputs"))
        rl_buf_addch(walk->text, '\n'); /* the next output begins a line */
}

/* Whether JSON that begins like this is a Jupyter notebook. */
static bool notebook_begins(struct rl_text start)
{
    return rl_text_find(start, "\"cell_type\"") < start.len;
}

/* Appends what its cells printed. RL_FORMAT: it is damaged; RL_IO. */
static enum rl_status notebook_read(struct rl_lines *lines, struct rl_buf *text, struct rl_err *err)
{
    struct walk walk = {.text = text};
    bool cut = false;
    const enum rl_status status = rl_json_read(lines, take, &walk, &cut, err);

    rl_json_path_release(&walk.at);
    return status;
}

struct rl_import {
    char *card;
    struct rl_capture *capture; /* gets the log from the start */
    struct rl_model model;
    struct rl_trace trace;
    struct rl_bench *bench;
    struct rl_buf version; /* of Nsight Compute, where a file says it */
    uint32_t files;
    /* The inputs that were read, for another reading (rl_model.parted). */
    struct input {
        struct rl_lines *lines; /* in memory; NULL: it is at the path */
        char *path, *label;
        struct rl_sha256 head; /* of the first bytes */
        const char *same;      /* label of the input with the same content: this one is not read; NULL: none */
    } * inputs;
    size_t input_count, input_cap;
};

struct rl_import *rl_import_new(const struct rl_import_options *options)
{
    struct rl_import *import = rl_calloc(1, sizeof *import);

    rl_model_init(&import->model);
    rl_buf_init(&import->version);
    import->card = rl_strdup(options->card);
    import->bench = rl_bench_new(options);
    import->capture = rl_capture_new();
    rl_trace_init(&import->trace, &import->model, import->capture);
    struct rl_session *session = &import->capture->session;
    session->tool_version = rl_capture_text(import->capture, options->tool_version);
    rl_capture_set_command(import->capture, options->command, options->command_count, options->keep_command);
    return import;
}

void rl_import_free(struct rl_import *import)
{
    if (!import)
        return;
    rl_trace_release(&import->trace);
    rl_model_release(&import->model);
    rl_bench_free(import->bench);
    rl_capture_free(import->capture);
    rl_buf_release(&import->version);
    for (size_t i = 0; i < import->input_count; i++) {
        rl_lines_close(import->inputs[i].lines);
        RL_FREE(import->inputs[i].path, import->inputs[i].label);
    }
    RL_FREE(import->inputs, import->card, import);
}

/* `instead`: said where there is no table; NULL: nothing in particular. */
static enum rl_status read_tables(struct rl_import *import, struct rl_lines *lines, const char *label, const char *instead,
                                  struct rl_err *err)
{
    struct rl_reader reader = {.model = &import->model,
                               .capture = import->capture,
                               .label = label,
                               .file = ++import->files,
                               .record = rl_record_new(),
                               .instead = instead};
    struct rl_buf *const buffers[] = {&reader.pending,  &reader.device,  &reader.kernel,      &reader.type,
                                      &reader.identity, &reader.version, &reader.page.kernel, &reader.page.section};

    for (size_t i = 0; i < RL_COUNT(buffers); i++)
        rl_buf_init(buffers[i]);
    enum rl_status status = rl_read_lines(&reader, lines, err);
    if (import->version.len == 0)
        rl_buf_add(&import->version, reader.version.data, reader.version.len);
    for (size_t i = 0; i < RL_COUNT(buffers); i++)
        rl_buf_release(buffers[i]);
    rl_record_free(reader.record);
    return status;
}

static enum rl_status read_notebook(struct rl_import *import, struct rl_lines *lines, const char *label, struct rl_err *err)
{
    RL_SCRATCH text = RL_BUF_INIT;
    enum rl_status status = notebook_read(lines, &text, err);

    if (status != RL_OK) {
        rl_err_context(err, status, "'%s'", label);
    } else {
        struct rl_lines *printed = rl_lines_of(text.data, text.len);
        status = read_tables(import, printed, label, "a notebook whose cells printed no table of a profiler", err);
        rl_lines_close(printed);
    }
    return status;
}

/* Timelines and roofs in JSON, by what the file at `path` begins with (NULL: it is in memory). `*is` false: it is none, and nothing
 * was read. */
static enum rl_status read_timeline(struct rl_import *import, struct rl_lines *lines, const char *path, const char *label, bool *is,
                                    struct rl_err *err)
{
    static const char sqlite[] = "SQLite format 3";
    RL_FREED char *start = rl_calloc(1, RL_LINES_CHUNK);
    struct rl_text bytes;
    enum rl_status status = RL_OK;

    rl_lines_rewind(lines);
    const struct rl_text head = {start, rl_lines_bytes(lines, start, RL_LINES_CHUNK)};
    if (rl_text_begins(head, sqlite) && !rl_other_format(head))
        status = rl_nsys_read(&import->trace, rl_lines_in_memory(lines, &bytes) ? NULL : path, bytes, label, is, err);
    else if ((*is = rl_json_begins(head)))
        status =
            notebook_begins(head) ? read_notebook(import, lines, label, err) : rl_kineto_read(&import->trace, lines, label, err);
    rl_lines_rewind(lines);
    return status;
}

static enum rl_status read_all(struct rl_import *import, struct rl_lines *lines, const char *path, const char *label,
                               struct rl_err *err)
{
    bool is = false;
    enum rl_status status = rl_bench_read(import->bench, lines, label, &is, err);

    if (status == RL_OK && !is)
        status = read_timeline(import, lines, path, label, &is, err);
    return status != RL_OK || is ? status : read_tables(import, lines, label, NULL, err);
}

static bool has_same_bytes(struct rl_lines *lines, const struct input *input)
{
    RL_FREED char *chunks = rl_calloc(2, RL_LINES_CHUNK);
    struct rl_lines *other = input->lines;
    struct rl_err err;
    size_t len = 1;
    bool same = other || rl_lines_open(input->path, &other, &err) == RL_OK;

    if (same) {
        rl_lines_rewind(lines);
        rl_lines_rewind(other);
    }
    while (same && len) {
        len = rl_lines_bytes(lines, chunks, RL_LINES_CHUNK);
        same = rl_lines_bytes(other, chunks + RL_LINES_CHUNK, RL_LINES_CHUNK) == len &&
               memcmp(chunks, chunks + RL_LINES_CHUNK, len) == 0;
    }
    rl_lines_rewind(lines);
    if (!input->lines)
        rl_lines_close(other);
    return same;
}

/* Keeps the file for another reading. Its content counts once, however often it is given. */
static struct input *keep_input(struct rl_import *import, struct rl_lines *lines, const char *path, const char *label)
{
    struct input input = {.path = rl_strdup(path), .label = rl_strdup(label)};
    struct rl_text head = rl_lines_head(lines);

    input.head = rl_sha256_of(head.at, head.len);
    rl_lines_rewind(lines);
    if (rl_lines_in_memory(lines, &head))
        input.lines = lines;
    for (size_t i = 0; i < import->input_count && !input.same; i++)
        if (!import->inputs[i].same && memcmp(&import->inputs[i].head, &input.head, sizeof input.head) == 0 &&
            has_same_bytes(lines, &import->inputs[i]))
            input.same = import->inputs[i].label;
    RL_GROW(import->inputs, import->input_count + 1, import->input_cap);
    import->inputs[import->input_count] = input;
    return &import->inputs[import->input_count++];
}

/* Reads an input for the first time, and closes what can be opened again. */
static enum rl_status read_input(struct rl_import *import, struct rl_lines *lines, const char *path, const char *label,
                                 struct rl_err *err)
{
    const struct input *input = keep_input(import, lines, path, label);
    const bool kept = input->lines != NULL;
    const enum rl_status status = input->same ? RL_OK : read_all(import, lines, path, label, err);

    if (!kept)
        rl_lines_close(lines);
    return status;
}

enum rl_status rl_import_file(struct rl_import *import, const char *path, struct rl_err *err)
{
    const char *label = rl_input_name(path);
    struct rl_lines *lines = NULL;
    enum rl_status status = rl_lines_open(path, &lines, err);

    if (status != RL_OK)
        return status;
    path = rl_is_stream(path) ? "/dev/stdin" : path;
    return read_input(import, lines, path, label, err);
}

enum rl_status rl_import_bytes(struct rl_import *import, const void *bytes, size_t len, const char *label, struct rl_err *err)
{
    return read_input(import, rl_lines_of(bytes, len), NULL, label, err);
}

/* Reads all once more. */
static enum rl_status read_again(struct rl_import *import, struct rl_err *err)
{
    enum rl_status status = RL_OK;

    rl_trace_release(&import->trace);
    rl_model_again(&import->model);
    rl_trace_init(&import->trace, &import->model, import->capture);
    import->capture->log_count = 0;
    import->files = 0;
    for (size_t i = 0; i < import->input_count && status == RL_OK; i++) {
        struct rl_lines *lines = import->inputs[i].lines;
        if (import->inputs[i].same)
            continue;
        if (!lines)
            status = rl_lines_open(import->inputs[i].path, &lines, err);
        if (status == RL_OK)
            rl_lines_rewind(lines);
        RL_THEN(status, read_all(import, lines, import->inputs[i].path, import->inputs[i].label, err));
        if (!import->inputs[i].lines)
            rl_lines_close(lines);
    }
    return status;
}

enum rl_status rl_import_finish(struct rl_import *import, struct rl_capture **capture, struct rl_err *err)
{
    const bool is_bench = rl_bench_has_rows(import->bench);
    const enum rl_status status = import->model.parted && !is_bench ? read_again(import, err) : RL_OK;

    *capture = NULL;
    if (status != RL_OK)
        return status;
    for (size_t i = 0; i < import->input_count; i++)
        if (import->inputs[i].same)
            rl_capture_log(import->capture, 0, RL_LOG_WARNING, "import: '%s' has the content of '%s' and was not counted again",
                           import->inputs[i].label, import->inputs[i].same);
    if (is_bench && (import->model.class_count || import->model.published_count || import->trace.kernels))
        return rl_err_set(err, RL_FORMAT, "one capture cannot hold a benchmark and a profile: import them separately");
    if (import->model.class_count && import->model.published_count)
        return rl_err_set(err, RL_FORMAT, "one capture cannot hold published figures and measurements: import them separately");
    if (import->trace.kernels && import->model.published_count)
        return rl_err_set(err, RL_FORMAT, "one capture cannot hold published figures and a timeline: import them separately");
    if (import->model.class_count == 0 && import->model.published_count == 0 && import->trace.kernels == 0 && !is_bench)
        return rl_err_set(err, RL_FORMAT, "no kernel was read");
    if (import->model.class_count)
        rl_model_join(&import->model);
    if (import->trace.kernels)
        rl_trace_build(&import->trace, import->card);
    if (is_bench) {
        rl_bench_build(import->bench, import->card, import->capture);
    } else if (import->model.published_count) {
        rl_published_build(&import->model, import->capture);
    } else if (import->model.class_count == 0) {
        rl_notes_log(&import->model.notes, import->capture);
    } else {
        rl_build(&import->model, import->card, import->version.data, import->capture);
    }
    *capture = import->capture;
    import->capture = NULL;
    return RL_OK;
}
