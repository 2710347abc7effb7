#include "captures.h"
#include "command.h"
#include "parts.h"

struct report_options {
    struct cli_common common;
    const char *output, *title, *author, *notes, *only, *charts, *pseudonyms;
    int paper, top, medium;
    bool full, shapes, redact;
};

static const char *const papers[] = {[RL_PAPER_A4] = "a4", [RL_PAPER_LETTER] = "letter", NULL};

static const struct cli_option options[] = {
    {'o', "output", CLI_OUTPUT, offsetof(struct report_options, output), "FILE", .group = "Document",
     .help = "write to FILE (.pdf, .html; default: CAPTURE's name)", .ending = ".pdf", .replaces = ".rlcap",
     .formats = cli_document_formats},
    {0, "html", CLI_SELECT, offsetof(struct report_options, medium), .low = RL_MEDIUM_HTML,
     .help = "make a page for a browser instead of a PDF"},
    {0, "paper", CLI_CHOICE, offsetof(struct report_options, paper), "SIZE", .help = "use a4 (default) or letter",
     .choices = papers},
    {0, "title", CLI_TEXT, offsetof(struct report_options, title), "TEXT", .help = "print TEXT at the top of each page"},
    {0, "author", CLI_TEXT, offsetof(struct report_options, author), "TEXT", .help = "name the author on the first page"},
    {0, "notes", CLI_INPUT, offsetof(struct report_options, notes), "FILE", .help = "add a page of your own text"},
    {0, "top", CLI_INT, offsetof(struct report_options, top), "N", .group = "Contents",
     .help = "show at most N kernels of each GPU (default: 20)", .low = 1, .high = 1000},
    {0, "full", CLI_FLAG, offsetof(struct report_options, full), .help = "include reference pages and formulas"},
    {0, "shapes", CLI_FLAG, offsetof(struct report_options, shapes), .help = "list the configurations of a kernel one by one"},
    {0, "only", CLI_TEXT, offsetof(struct report_options, only), "SECTION,...", .help = "include only these sections"},
    {0, "charts", CLI_FOLDER, offsetof(struct report_options, charts), "DIR", .help = "write every chart into DIR, too, as SVG",
     .ending = " .svg"},
    {0, "redact", CLI_FLAG, offsetof(struct report_options, redact), NULL, .group = "Privacy",
     .help = "keep only text known to be harmless"},
    {0, "pseudonyms", CLI_TEXT, offsetof(struct report_options, pseudonyms), "KEY",
     .help = "with --redact: replace names of kernels, too"},
    {0},
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

struct inputs {
    struct rl_buf capture, notes;
    char created[32]; /* "" when the capture's own date is taken */
};

/* The date that reproducible builds ask for (reproducible-builds.org/specs/source-date-epoch). */
static enum rl_status read_date(char created[32], struct rl_err *err)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    uint64_t seconds = 0;
    struct tm utc;
    created[0] = 0;
    if (!epoch || !epoch[0])
        return RL_OK;
    if (!cli_parse_number(epoch, 0, 253402300799, &seconds)) /* the last second of the year 9999 */
        return rl_err_set(err, RL_FAILED, "SOURCE_DATE_EPOCH is '%s': it must be seconds since 1970, or not be set", epoch);
    time_t time = (time_t)seconds;
    if (gmtime_r(&time, &utc))
        strftime(created, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return RL_OK;
}

static enum rl_status read_inputs(const struct report_options *chosen, struct inputs *inputs, struct rl_err *err)
{
    const enum rl_status status = chosen->notes ? rl_read_input(chosen->notes, CLI_MOST_NOTES, &inputs->notes, err) : RL_OK;
    return status == RL_OK ? read_date(inputs->created, err) : status;
}

static enum rl_status make_document(const struct report_options *chosen, const char *path, const struct inputs *inputs,
                                    const struct rl_capture *capture, struct rl_buf *pdf, struct rl_err *err)
{
    struct rl_report_options make = {
        .medium = (enum rl_medium)chosen->medium,
        .paper = (enum rl_paper)chosen->paper,
        .top = (size_t)chosen->top,
        .full = chosen->full,
        .title = chosen->title,
        .author = chosen->author,
        .only = chosen->only,
        .redacted = chosen->redact,
        .notes = chosen->notes ? inputs->notes.data : NULL,
        .notes_len = inputs->notes.len,
        .charts_dir = chosen->charts,
        .created = inputs->created[0] ? inputs->created : NULL,
        .shapes = chosen->shapes,
        .tool_version = CLI_VERSION,
        .attachment = inputs->capture.data,
        .attachment_len = inputs->capture.len,
        .attachment_name = chosen->redact       ? "redacted.rlcap"
                           : rl_is_stream(path) ? "stdin.rlcap"
                                                : base_name(path), /* file names say things, too */
    };
    enum rl_status status = chosen->charts ? rl_make_folder(chosen->charts, err) : RL_OK;
    if (status == RL_OK) {
        struct rl_analysis *analysis = rl_analysis_new(capture);
        status = cli_reports->make(analysis, &make, pdf, err);
        rl_analysis_free(analysis);
    }
    return status;
}

static enum rl_status write_document(const struct cli_call *call, const char *path, const struct rl_buf *pdf, struct rl_err *err)
{
    RL_SCRATCH size = RL_BUF_INIT;
    rl_unit_format_ascii(&size, RL_UNIT_BYTE, (double)pdf->len, 3);
    return cli_write_output(call, path, pdf, size.data, err);
}

static enum rl_status run(const struct cli_call *call, struct rl_err *err)
{
    const struct report_options *chosen = call->options;
    struct inputs inputs = {.capture = RL_BUF_INIT, .notes = RL_BUF_INIT};
    RL_SCRATCH pdf = RL_BUF_INIT;
    enum rl_status status = RL_OK;
    if (!chosen->redact && chosen->pseudonyms)
        status = rl_err_set(err, RL_USAGE, "--pseudonyms goes with --redact");
    if (status == RL_OK && chosen->medium == RL_MEDIUM_HTML && cli_name_ends_with(chosen->output, ".pdf"))
        status = rl_err_set(err, RL_USAGE, "option '--output': '%s' ends in .pdf, but --html is given: leave one of them out",
                            chosen->output);
    RL_THEN(status, read_inputs(chosen, &inputs, err));
    if (status == RL_OK) {
        assert(cli_reports);
        const char *path = call->operands[0], *name = rl_input_name(path);
        struct rl_capture *capture = NULL;
        status = cli_read_captures(call->operands, call->operand_count, &inputs.capture, &capture, err);
        if (status == RL_OK && !capture->session.complete)
            cli_say(call, "'%s' is incomplete; the report has the finished part", name);
        if (status == RL_OK && chosen->redact) {
            struct cli_redaction redaction;
            cli_redaction_init(&redaction, chosen->pseudonyms, &inputs.capture);
            if (call->operand_count > 1)
                capture->sha256.hex[0] = 0; /* there is no file that has it */
            status = cli_redact_capture(&inputs.capture, &capture, &redaction, NULL, err);
        }
        RL_THEN(status, make_document(chosen, path, &inputs, capture, &pdf, err));
        rl_capture_free(capture);
    }
    RL_THEN(status, write_document(call, chosen->output, &pdf, err));
    rl_buf_release(&inputs.capture);
    rl_buf_release(&inputs.notes);
    return status;
}

const struct cli_command_body cmd_report = {
    .operands = "CAPTURE ...",
    .least = 1,
    .most = SIZE_MAX,
    .reads_operands = true,
    .reads_stdin = true,
    .about = "The PDF, or with --html one file for a browser, begins with where the time went, what limits it and what to do "
             "first. The capture is attached to it. Captures of several processes of a program make one document. No GPU is "
             "needed; gnuplot is. 'man rooflight-report' explains each option.",
    .options = options,
    .options_size = sizeof(struct report_options),
    .run = run,
};
