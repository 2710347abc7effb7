#include <assert.h>
#include <string.h>

#include "capture/capture.h"
#include "command.h"
#include "core/fs.h"
#include "core/mem.h"
#include "core/units.h"
#include "parts.h"

struct extract_options {
    struct cli_common common;
    const char *output;
};

static const struct cli_option options[] = {
    {'o', "output", CLI_OUTPUT, offsetof(struct extract_options, output), "CAPTURE",
     .help =
         "write the capture to CAPTURE (default: the report's name with .rlcap in the current folder, unless that would replace "
         "a different file)",
     .ending = ".rlcap", .replaces = ".pdf"},
    {0},
};

/* Refuses a name that nobody has typed when something else has it. */
static enum rl_status check_free(const char *path, const struct rl_buf *bytes, struct rl_err *err)
{
    struct rl_buf there = RL_BUF_INIT;
    struct rl_err unreadable = RL_ERR_INIT;
    enum rl_status status = RL_OK;
    bool same = rl_path_exists(path) && rl_read_file(path, RL_CAPTURE_MAX_BYTES, &there, &unreadable) == RL_OK &&
                there.len == bytes->len && memcmp(there.data, bytes->data, bytes->len) == 0;
    if (rl_path_exists(path) && !same)
        status = rl_err_set(err, RL_IO, "'%s' is there and is another file: choose a name with -o", path);
    rl_buf_release(&there);
    return status;
}

/* Whoever makes a document chooses its hash, too: what is written as a capture must read as one. */
static enum rl_status check_capture(const char *report, const struct rl_buf *bytes, struct rl_err *err)
{
    struct rl_capture *capture = NULL;
    enum rl_status status = rl_capture_read_bytes(bytes->data, bytes->len, report, &capture, err);
    rl_capture_free(capture);
    return status == RL_OK ? RL_OK : rl_err_context(err, status, "attached capture");
}

static void say_done(const struct cli_call *call, const char *path, size_t len, const struct rl_extracted *extracted)
{
    struct rl_buf size = RL_BUF_INIT;
    rl_unit_format_ascii(&size, RL_UNIT_BYTE, (double)len, 3);
    cli_say(call, "wrote %s (%s, SHA-256 %s%s)", path, size.data, extracted->sha256.hex,
            extracted->proven ? ", as the report says" : "");
    if (extracted->others > 0)
        cli_say(call, "the document carries %zu more: 'pdfdetach -list' names them", extracted->others);
    rl_buf_release(&size);
}

static enum rl_status run(const struct cli_call *call, struct rl_err *err)
{
    assert(cli_reports);
    const struct extract_options *chosen = call->options;
    const char *path = call->operands[0];
    struct rl_buf pdf = RL_BUF_INIT, bytes = RL_BUF_INIT;
    struct rl_extracted extracted;
    enum rl_status status = rl_read_file(path, RL_CAPTURE_MAX_BYTES, &pdf, err);
    if (status == RL_OK && (status = cli_reports->extract(pdf.data, pdf.len, &bytes, &extracted, err)) != RL_OK)
        rl_err_context(err, status, "'%s'", path);
    if (status == RL_OK)
        status = check_capture(path, &bytes, err);
    if (status == RL_OK && chosen->common.by_default)
        status = check_free(chosen->output, &bytes, err);
    if (status == RL_OK)
        status = rl_write_file_atomic(chosen->output, bytes.data, bytes.len, err);
    if (status == RL_OK)
        say_done(call, chosen->output, bytes.len, &extracted);
    rl_buf_release(&bytes);
    rl_buf_release(&pdf);
    return status;
}

const struct cli_command_body cmd_extract = {
    .operands = "REPORT",
    .least = 1,
    .most = 1,
    .reads_operands = true,
    .about =
        "Writes the capture that a report carries, byte for byte as it was attached, and says its SHA-256, which stands on the "
        "report's last pages and, shortened, at the foot of each one. It works on documents that other programs have saved "
        "since, as long as they kept the attachment.",
    .options = options,
    .options_size = sizeof(struct extract_options),
    .run = run,
};
