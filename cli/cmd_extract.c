#include "command.h"
#include "parts.h"

struct extract_options {
    struct cli_common common;
    const char *output;
};

static const struct cli_option options[] = {
    {'o', "output", CLI_OUTPUT, offsetof(struct extract_options, output), "CAPTURE", .help = "write the capture to CAPTURE",
     .ending = ".rlcap", .replaces = ".pdf", .formats = cli_capture_formats},
    {0},
};

/* Refuses a name that was not typed when something else has it. */
static enum rl_status check_free(const char *path, const struct rl_buf *bytes, struct rl_err *err)
{
    RL_SCRATCH there = RL_BUF_INIT;
    struct rl_err unreadable = RL_ERR_INIT;
    enum rl_status status = RL_OK;
    bool same = rl_path_exists(path) && rl_read_file(path, RL_CAPTURE_MAX_BYTES, &there, &unreadable) == RL_OK &&
                there.len == bytes->len && memcmp(there.data, bytes->data, bytes->len) == 0;
    if (rl_path_exists(path) && !same)
        status = rl_err_set(err, RL_IO, "'%s' exists and is a different file: choose a name with -o", path);
    return status;
}

static void say_done(const struct cli_call *call, const char *path, size_t len, const struct rl_extracted *extracted)
{
    RL_SCRATCH size = RL_BUF_INIT;
    rl_unit_format_ascii(&size, RL_UNIT_BYTE, (double)len, 3);
    cli_say(call, "wrote %s (%s, SHA-256 %s, as next to the attachment; compare the first 12 digits with the pages)", path,
            size.data, extracted->sha256.hex);
    if (extracted->others > 0)
        cli_say(call, "the document carries %zu more: 'pdfdetach -list' names them", extracted->others);
}

/* A later version of the format cannot be looked into, but is no reason to keep the file from its owner. */
static enum rl_status check_capture(const struct cli_call *call, const char *path, const struct rl_buf *bytes, struct rl_err *err)
{
    struct rl_capture *capture = NULL;
    const enum rl_status status = rl_capture_read_bytes(bytes->data, bytes->len, path, &capture, err);
    rl_capture_free(capture);
    if (status != RL_VERSION)
        return status;
    cli_say(call, "attached capture: %s", err->text);
    return RL_OK;
}

static enum rl_status run(const struct cli_call *call, struct rl_err *err)
{
    assert(cli_reports);
    const struct extract_options *chosen = call->options;
    const char *path = call->operands[0];
    RL_SCRATCH pdf = RL_BUF_INIT, bytes = RL_BUF_INIT;
    struct rl_extracted extracted;
    enum rl_status status = rl_read_input(path, RL_CAPTURE_MAX_BYTES, &pdf, err);
    if (status == RL_OK && (status = cli_reports->extract(pdf.data, pdf.len, &bytes, &extracted, err)) != RL_OK)
        rl_err_context(err, status, "'%s'", rl_input_name(path));
    /* Whoever makes a document chooses its hash, too: what is written as a capture must read as one. */
    if (status == RL_OK && (status = check_capture(call, path, &bytes, err)) != RL_OK)
        rl_err_context(err, status, "attached capture");
    if (status == RL_OK && chosen->common.by_default)
        status = check_free(chosen->output, &bytes, err);
    RL_THEN(status, rl_is_stream(chosen->output) ? cli_write_output(call, chosen->output, &bytes, NULL, err)
                                                 : rl_write_file_atomic(chosen->output, bytes.data, bytes.len, err));
    if (status == RL_OK)
        say_done(call, rl_is_stream(chosen->output) ? "standard output" : chosen->output, bytes.len, &extracted);
    return status;
}

const struct cli_command_body cmd_extract = {
    .operands = "REPORT",
    .least = 1,
    .most = 1,
    .reads_operands = true,
    .reads_stdin = true,
    .about =
        "Writes the capture embedded in a report, byte for byte, and prints its SHA-256, which is also on the report's last pages "
        "and, shortened, at the foot of each page. It works on documents that other programs have saved since, as long as they "
        "kept the attachment.",
    .options = options,
    .options_size = sizeof(struct extract_options),
    .run = run,
};
