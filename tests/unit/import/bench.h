/* bench.h - what the import tests use: texts in, a capture and its figures out. */
#ifndef RL_TEST_IMPORT_BENCH_H
#define RL_TEST_IMPORT_BENCH_H

#include "rl_test.h"

#include "analysis/analysis.h"
#include "core/fs.h"
#include "import/import.h"

struct bench {
    struct rl_capture *capture;
    struct rl_analysis *analysis;
};

/* A file of a test: `bytes` of `len`; len 0: a terminated text. */
struct file {
    const char *bytes;
    size_t len;
};

static inline enum rl_status bench_read(const struct file *files, size_t count, const char *card, struct rl_capture **capture,
                                        struct rl_err *err)
{
    static const char *const command[] = {"rooflight", "import", "input.csv"};
    const struct rl_import_options options = {.card = card, .tool_version = "9.9", .command = command, .command_count = 3};
    struct rl_import *import = rl_import_new(&options);
    enum rl_status status = RL_OK;

    *capture = NULL;
    for (size_t i = 0; i < count && status == RL_OK; i++)
        status = rl_import_bytes(import, files[i].bytes, files[i].len ? files[i].len : strlen(files[i].bytes), "input.csv", err);
    if (status == RL_OK)
        status = rl_import_finish(import, capture, err);
    rl_import_free(import);
    return status;
}

/* A capture of files of a folder, to be freed. Skips the test where one is not there, and names the setting of the build that says
 * where the folder is. */
static inline struct rl_capture *bench_there(const char *folder, const char *setting, size_t count, const char *const *names)
{
    const struct rl_import_options options = {.tool_version = "9.9"};
    struct rl_import *import = rl_import_new(&options);
    struct rl_capture *capture = NULL;
    struct rl_err err = RL_ERR_INIT;

    for (size_t i = 0; i < count; i++) {
        char *path = rl_path_join(folder, names[i]);
        if (!rl_path_exists(path)) {
            print_message("skipped: '%s' is not there (set %s to a folder that has it)\n", path, setting);
            free(path);
            rl_import_free(import);
            skip();
        }
        if (rl_import_file(import, path, &err) != RL_OK)
            fail_msg("%s", err.text);
        free(path);
    }
    if (rl_import_finish(import, &capture, &err) != RL_OK)
        fail_msg("%s", err.text);
    rl_import_free(import);
    return capture;
}

/* Writes the capture, reads it back, and analyses that: what is tested is what a user gets. */
static inline struct bench bench_of(struct rl_capture *made)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf bytes = RL_BUF_INIT;
    struct bench bench = {NULL, NULL};

    if (rl_capture_write_bytes(made, &bytes, &err) != RL_OK ||
        rl_capture_read_bytes(bytes.data, bytes.len, "made", &bench.capture, &err) != RL_OK)
        fail_msg("%s", err.text);
    rl_buf_release(&bytes);
    rl_capture_free(made);
    bench.analysis = rl_analysis_new(bench.capture);
    return bench;
}

static inline struct bench bench_files(const struct file *files, size_t count, const char *card)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *capture = NULL;

    if (bench_read(files, count, card, &capture, &err) != RL_OK)
        fail_msg("%s", err.text);
    return bench_of(capture);
}

static inline struct bench bench_text(const char *text)
{
    return bench_files(&(struct file){text, 0}, 1, NULL);
}

static inline void bench_done(struct bench *bench)
{
    rl_analysis_free(bench->analysis);
    rl_capture_free(bench->capture);
}

/* The text is refused with RL_FORMAT and one line that has `words` in it. */
static inline void assert_refused(const struct file *files, size_t count, const char *words)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *capture = NULL;

    assert_int_equal(bench_read(files, count, NULL, &capture, &err), RL_FORMAT);
    assert_null(capture);
    if (!strstr(err.text, words))
        fail_msg("'%s' does not say '%s'", err.text, words);
}

/* The first kernel whose name begins with `name`. */
static inline const struct rl_kernel *bench_kernel(const struct bench *bench, const char *name)
{
    for (size_t i = 0; i < bench->capture->kernel_count; i++)
        if (strncmp(bench->capture->kernels[i].name, name, strlen(name)) == 0)
            return &bench->capture->kernels[i];
    fail_msg("no kernel '%s'", name);
    return NULL;
}

static inline struct rl_value bench_metric(const struct bench *bench, const char *kernel, enum rl_metric metric)
{
    return bench->analysis->kernels[bench_kernel(bench, kernel) - bench->capture->kernels].metric[metric];
}

/* A counter of any kind, by its name. */
static inline struct rl_value bench_counter(const struct bench *bench, const char *kernel, const char *name)
{
    const struct rl_counter *counter = rl_kernel_counter(bench_kernel(bench, kernel), name);

    if (!counter)
        fail_msg("%s has no '%s'", kernel, name);
    return counter->value;
}

static inline bool bench_has(const struct bench *bench, const char *kernel, const char *name)
{
    return rl_kernel_counter(bench_kernel(bench, kernel), name);
}

#define assert_metric(bench, kernel, id, expected)                                                                                 \
    do {                                                                                                                           \
        const struct rl_value got_ = bench_metric(bench, kernel, RL_METRIC_##id);                                                  \
        if (!rl_present(got_))                                                                                                     \
            fail_msg("%s of %s is missing: %s", #id, kernel, rl_value_reason(got_));                                               \
        assert_close(got_.v, expected, 1e-9);                                                                                      \
    } while (0)

#define assert_counter(bench, kernel, name, expected)                                                                              \
    do {                                                                                                                           \
        const struct rl_value got_ = bench_counter(bench, kernel, name);                                                           \
        if (!rl_present(got_))                                                                                                     \
            fail_msg("%s of %s is missing: %s", name, kernel, rl_value_reason(got_));                                              \
        assert_close(got_.v, expected, 1e-9);                                                                                      \
    } while (0)

#define assert_missing(bench, kernel, id, words)                                                                                   \
    do {                                                                                                                           \
        const struct rl_value got_ = bench_metric(bench, kernel, RL_METRIC_##id);                                                  \
        assert_false(rl_present(got_));                                                                                            \
        if (!strstr(rl_value_reason(got_), words))                                                                                 \
            fail_msg("%s is missing because '%s', not '%s'", #id, rl_value_reason(got_), words);                                   \
    } while (0)

/* Whether an entry of the log has `words` in it. */
static inline bool bench_logged(const struct bench *bench, enum rl_log_level level, const char *words)
{
    for (size_t i = 0; i < bench->capture->log_count; i++)
        if (bench->capture->log[i].level == level && strstr(bench->capture->log[i].text, words))
            return true;
    return false;
}

#endif
