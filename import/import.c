#include "import/import.h"

#include <assert.h>
#include <stdlib.h>

#include "benchmark.h"
#include "build.h"
#include "core/fs.h"
#include "core/mem.h"
#include "published.h"
#include "reader.h"

struct rl_import {
    char *card;
    struct rl_capture *capture; /* gets the log from the start */
    struct rl_model model;
    struct rl_import_options options; /* its texts are borrowed by `bench` */
    struct rl_bench *bench;
    struct rl_buf version; /* of Nsight Compute, where a file says it */
    uint32_t files;
};

struct rl_import *rl_import_new(const struct rl_import_options *options)
{
    struct rl_import *import = rl_calloc(1, sizeof *import);
    struct rl_session *session;

    rl_model_init(&import->model);
    rl_buf_init(&import->version);
    import->card = rl_strdup(options->card);
    import->options =
        (struct rl_import_options){.csv_time = rl_strdup(options->csv_time), .csv_case = rl_strdup(options->csv_case)};
    import->bench = rl_bench_new(&import->options);
    import->capture = rl_capture_new();
    session = &import->capture->session;
    session->tool_version = rl_capture_text(import->capture, options->tool_version);
    rl_capture_set_command(import->capture, options->command, options->command_count, options->keep_command);
    return import;
}

void rl_import_free(struct rl_import *import)
{
    if (!import)
        return;
    rl_model_release(&import->model);
    rl_bench_free(import->bench);
    free((char *)import->options.csv_time);
    free((char *)import->options.csv_case);
    rl_capture_free(import->capture);
    rl_buf_release(&import->version);
    free(import->card);
    free(import);
}

static enum rl_status read_all(struct rl_import *import, struct rl_lines *lines, const char *label, struct rl_err *err)
{
    struct rl_reader reader = {
        .model = &import->model, .capture = import->capture, .label = label, .file = ++import->files, .record = rl_record_new()};
    struct rl_buf *const buffers[] = {&reader.pending,  &reader.device,  &reader.kernel,      &reader.type,
                                      &reader.identity, &reader.version, &reader.page.kernel, &reader.page.section};
    bool is_bench;
    enum rl_status status = rl_bench_read(import->bench, lines, label, &is_bench, err);

    for (size_t i = 0; i < RL_COUNT(buffers); i++)
        rl_buf_init(buffers[i]);
    if (status == RL_OK && !is_bench)
        status = rl_read_lines(&reader, lines, err);
    if (import->version.len == 0)
        rl_buf_add(&import->version, reader.version.data, reader.version.len);
    for (size_t i = 0; i < RL_COUNT(buffers); i++)
        rl_buf_release(buffers[i]);
    rl_record_free(reader.record);
    return status;
}

enum rl_status rl_import_file(struct rl_import *import, const char *path, struct rl_err *err)
{
    struct rl_lines *lines = NULL;
    enum rl_status status = rl_lines_open(path, &lines, err);

    if (status == RL_OK)
        status = read_all(import, lines, rl_input_name(path), err);
    rl_lines_close(lines);
    return status;
}

enum rl_status rl_import_bytes(struct rl_import *import, const void *bytes, size_t len, const char *label, struct rl_err *err)
{
    struct rl_lines *lines = rl_lines_of(bytes, len);
    const enum rl_status status = read_all(import, lines, label, err);

    rl_lines_close(lines);
    return status;
}

enum rl_status rl_import_finish(struct rl_import *import, struct rl_capture **capture, struct rl_err *err)
{
    const bool is_bench = rl_bench_has_rows(import->bench);

    *capture = NULL;
    if (is_bench && (import->model.class_count || import->model.published_count))
        return rl_err_set(err, RL_FORMAT, "one capture cannot hold a benchmark and a profile: import them separately");
    if (import->model.class_count && import->model.published_count)
        return rl_err_set(err, RL_FORMAT, "one capture cannot hold published figures and measurements: import them separately");
    if (import->model.class_count == 0 && import->model.published_count == 0 && !is_bench)
        return rl_err_set(err, RL_FORMAT, "no kernel was read");
    if (is_bench) {
        rl_bench_build(import->bench, import->card, import->capture);
    } else if (import->model.published_count) {
        rl_published_build(&import->model, import->capture);
    } else {
        rl_model_join(&import->model);
        rl_build(&import->model, import->card, import->version.data, import->capture);
    }
    *capture = import->capture;
    import->capture = NULL;
    return RL_OK;
}
