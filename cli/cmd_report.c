#include <assert.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/capture.h"
#include "captures.h"
#include "command.h"
#include "core/fs.h"
#include "core/mem.h"
#include "core/units.h"
#include "parts.h"

struct report_options {
    struct cli_common common;
    const char *output;
    int paper, top;
};

static const char *const papers[] = {[RL_PAPER_A4] = "a4", [RL_PAPER_LETTER] = "letter", NULL};

static const struct cli_option options[] = {
    {'o', "output", CLI_TEXT, offsetof(struct report_options, output), "FILE",
     .help = "write the report to FILE (default: the capture's name with .pdf in the current folder)"},
    {0, "paper", CLI_CHOICE, offsetof(struct report_options, paper), "SIZE", .help = "a4 (default) or letter", .choices = papers},
    {0, "top", CLI_INT, offsetof(struct report_options, top), "N",
     .help = "a block of its own for at most N kernel classes of each GPU, those with the most time (default 20)", .low = 1,
     .high = 1000},
    {0},
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "h200.pdf" for "samples/h200.rlcap". */
static void default_output(const char *capture, struct rl_buf *out)
{
    static const char ending[] = ".rlcap";
    const char *base = base_name(capture);
    size_t len = strlen(base);
    if (len > strlen(ending) && strcmp(base + len - strlen(ending), ending) == 0)
        len -= strlen(ending);
    rl_buf_add(out, base, len);
    rl_buf_adds(out, ".pdf");
}

static bool same_file(const char *a, const char *b)
{
    struct stat stat_a, stat_b;
    return stat(a, &stat_a) == 0 && stat(b, &stat_b) == 0 && stat_a.st_dev == stat_b.st_dev && stat_a.st_ino == stat_b.st_ino;
}

/* The document of the capture or captures. */
static enum rl_status make_report(const struct cli_call *call, struct rl_buf *bytes, struct rl_buf *pdf, struct rl_err *err)
{
    assert(cli_reports);
    const struct report_options *chosen = call->options;
    const char *path = call->operands[0];
    struct rl_capture *capture = NULL;
    enum rl_status status = cli_read_captures(call->operands, call->operand_count, bytes, &capture, err);
    if (status != RL_OK)
        return status;
    if (!capture->session.complete)
        cli_say(call, "'%s' is incomplete; the report holds what was finished", path);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    struct rl_report_options make = {.paper = (enum rl_paper)chosen->paper,
                                     .top = (size_t)chosen->top,
                                     .tool_version = CLI_VERSION,
                                     .attachment = bytes->data,
                                     .attachment_len = bytes->len,
                                     .attachment_name = base_name(path)};
    status = cli_reports->make(analysis, &make, pdf, err);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
    return status;
}

static enum rl_status run(const struct cli_call *call, struct rl_err *err)
{
    const struct report_options *chosen = call->options;
    struct rl_buf bytes = RL_BUF_INIT, pdf = RL_BUF_INIT, output = RL_BUF_INIT, size = RL_BUF_INIT;
    if (chosen->output)
        rl_buf_adds(&output, chosen->output);
    else
        default_output(call->operands[0], &output);
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < call->operand_count && status == RL_OK; i++)
        if (same_file(call->operands[i], output.data))
            status =
                rl_err_set(err, RL_USAGE, "the report would replace the capture '%s': choose another name with -o", output.data);
    if (status == RL_OK)
        status = rl_check_writable(output.data, err);
    if (status == RL_OK)
        status = make_report(call, &bytes, &pdf, err);
    if (status == RL_OK)
        status = rl_write_file_atomic(output.data, pdf.data, pdf.len, err);
    if (status == RL_OK) {
        rl_unit_format_ascii(&size, RL_UNIT_BYTE, (double)pdf.len, 3);
        cli_say(call, "wrote %s (%s)", output.data, size.data);
    }
    rl_buf_release(&size);
    rl_buf_release(&output);
    rl_buf_release(&pdf);
    rl_buf_release(&bytes);
    return status;
}

const struct cli_command_body cmd_report = {
    .operands = "CAPTURE ...",
    .least = 1,
    .most = SIZE_MAX,
    .about = "Makes a PDF of a capture: the card, its rooflines, a page for each experiment with chart, table and the claim's "
             "verdict, a block for each of the kernel classes that took the most time, and how "
             "it was measured. Of an observed program: where the GPU's time went, NVTX ranges, copies. Captures of several "
             "processes of a program make one document. The capture itself is attached to it. No GPU is needed; gnuplot is. An "
             "existing file is "
             "replaced only by a whole report.",
    .options = options,
    .options_size = sizeof(struct report_options),
    .run = run,
};
