#include "captures.h"

#include "analysis/program.h"
#include "command.h"
#include "import/import.h"

/* Whether a file is to be read as the output of another profiler: not called as captures are, and neither begun so nor a database
 * with the tables of a profiler. */
static bool is_profile(const char *name, const struct rl_buf *bytes)
{
    static const char begin[] = "SQLite format 3", end[] = ".rlcap";
    static const char *const tables[] = {"StringIds", "StringTable", "rocpd_"};
    enum { APPLICATION_ID = 68, NEAR = 1 << 18 };
    const size_t len = strlen(name), near = bytes->len < NEAR ? bytes->len : NEAR;
    bool other = false;

    if (bytes->len < strlen(begin) || (len >= strlen(end) && strcmp(name + len - strlen(end), end) == 0))
        return false;
    if (memcmp(bytes->data, begin, strlen(begin)) != 0)
        return true;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        other |= memmem(bytes->data, near, tables[i], strlen(tables[i])) != NULL;
    return other && bytes->len > APPLICATION_ID + 4 && memcmp(bytes->data + APPLICATION_ID, "RLCP", 4) != 0;
}

/* Puts the capture of what another profiler printed in place of that. */
static enum rl_status import_profile(const char *name, struct rl_buf *bytes, struct rl_err *err)
{
    struct rl_import *import = rl_import_new(&(struct rl_import_options){.tool_version = CLI_VERSION});
    struct rl_capture *capture = NULL;
    enum rl_status status = rl_import_bytes(import, bytes->data, bytes->len, name, err);
    RL_THEN(status, rl_import_finish(import, &capture, err));
    rl_import_free(import);
    rl_buf_reset(bytes);
    RL_THEN(status, rl_capture_write_bytes(capture, bytes, err));
    rl_capture_free(capture);
    return status;
}

enum rl_status cli_read_capture(const char *path, struct rl_buf *bytes, struct rl_capture **capture, struct rl_err *err)
{
    const char *name = rl_input_name(path);
    enum rl_status status = rl_read_input(path, RL_CAPTURE_MAX_BYTES, bytes, err);
    if (status == RL_OK && is_profile(name, bytes))
        status = import_profile(name, bytes, err);
    return status == RL_OK ? rl_capture_read_bytes(bytes->data, bytes->len, name, capture, err) : status;
}

void cli_captures_name(const char *const *paths, size_t count, struct rl_buf *out)
{
    assert(count > 0);
    rl_buf_adds(out, rl_input_name(paths[0]));
    if (count > 1)
        rl_buf_addf(out, " and %zu more", count - 1);
}

void cli_redaction_init(struct cli_redaction *redaction, const char *key, const struct rl_buf *bytes)
{
    RL_SCRATCH source = RL_BUF_INIT;
    rl_buf_adds(&source, "names:");
    rl_buf_add(&source, bytes->data, bytes->len);
    redaction->own_key = rl_sha256_of(source.data, source.len);
    redaction->how = (struct rl_redaction){.key = key ? key : redaction->own_key.hex, .kernels = key != NULL};
}

enum rl_status cli_redact_capture(struct rl_buf *bytes, struct rl_capture **capture, const struct cli_redaction *redaction,
                                  const size_t *numbers, struct rl_err *err)
{
    assert(*capture);
    rl_capture_redact(*capture, &redaction->how);
    for (size_t i = 0; i < (*capture)->gpu_count && numbers; i++)
        if (numbers[i])
            (*capture)->gpus[i].uuid = rl_arena_printf(&(*capture)->arena, "GPU-%zu", numbers[i]);
    rl_buf_reset(bytes);
    enum rl_status status = rl_capture_write_bytes(*capture, bytes, err);
    rl_capture_free(*capture);
    *capture = NULL;
    return status == RL_OK ? rl_capture_read_bytes(bytes->data, bytes->len, "redacted copy", capture, err) : status;
}

/* The merged capture goes through bytes, so that it is what a file of it would be. */
static enum rl_status merge(struct rl_capture *const *captures, size_t count, const char *label, struct rl_buf *bytes,
                            struct rl_capture **capture, struct rl_err *err)
{
    assert(count > 1);
    struct rl_capture *merged = rl_capture_merge(captures, count);
    enum rl_status status = rl_capture_write_bytes(merged, bytes, err);
    rl_capture_free(merged);
    if (status != RL_OK)
        return rl_err_context(err, status, "%zu captures are too many for one: give fewer", count);
    return rl_capture_read_bytes(bytes->data, bytes->len, label, capture, err);
}

/* Captures of the processes of one program. */
static enum rl_status read_several(const char *const *paths, size_t count, struct rl_buf *bytes, struct rl_capture **capture,
                                   struct rl_err *err)
{
    assert(count > 1);
    RL_FREED struct rl_capture **captures = rl_calloc(count, sizeof *captures);
    RL_SCRATCH label = RL_BUF_INIT;
    enum rl_status status = RL_OK;
    cli_captures_name(paths, count, &label);
    for (size_t i = 0; i < count && status == RL_OK; i++) {
        RL_SCRATCH file = RL_BUF_INIT;
        status = cli_read_capture(paths[i], &file, &captures[i], err);
        if (status == RL_OK && !rl_is_program(captures[i]))
            status = rl_err_set(err, RL_USAGE, "'%s' is not the capture of a profiled program: only those can be combined",
                                rl_input_name(paths[i]));
    }
    RL_THEN(status, merge(captures, count, label.data, bytes, capture, err));
    for (size_t i = 0; i < count; i++)
        rl_capture_free(captures[i]);
    return status;
}

enum rl_status cli_read_captures(const char *const *paths, size_t count, struct rl_buf *bytes, struct rl_capture **capture,
                                 struct rl_err *err)
{
    assert(count > 0);
    return count == 1 ? cli_read_capture(paths[0], bytes, capture, err) : read_several(paths, count, bytes, capture, err);
}
