#include "command.h"
#include "import/import.h"
#include "results/results.h"
#include "view_media.h"

struct import_options {
    struct cli_common common;
    const char *output;
    const char *card, *csv_time, *csv_case;
    bool keep_command;
    bool ledger;
};

static const struct cli_option options[] = {
    {'o', "output", CLI_OUTPUT, offsetof(struct import_options, output), "FILE", .help = "write the capture to FILE",
     .ending = ".rlcap", .replaces = "", .formats = cli_capture_formats},
    {0, "card", CLI_TEXT, offsetof(struct import_options, card), "NAME", .help = "name the GPU, where the files do not"},
    {0, "csv-time", CLI_TEXT, offsetof(struct import_options, csv_time), "COLUMN",
     .help = "read CSV, a line a sample: the column of its time"},
    {0, "csv-case", CLI_TEXT, offsetof(struct import_options, csv_case), "COLUMN,...",
     .help = "with --csv-time: the columns that name the case"},
    {0, "keep-command", CLI_FLAG, offsetof(struct import_options, keep_command),
     .help = "record the arguments of commands in full"},
    {0, "ledger", CLI_FLAG, offsetof(struct import_options, ledger), .help = "print the fate of every value"},
    {0},
};

static enum rl_status read_inputs(const struct cli_call *call, struct rl_capture **capture, struct rl_err *err)
{
    const struct import_options *chosen = call->options;
    const struct rl_import_options make = {.card = chosen->card,
                                           .csv_time = chosen->csv_time,
                                           .csv_case = chosen->csv_case,
                                           .tool_version = CLI_VERSION,
                                           .command = call->command,
                                           .command_count = call->command_count,
                                           .keep_command = chosen->keep_command};
    struct rl_import *import = rl_import_new(&make);
    enum rl_status status = RL_OK;

    if (!chosen->csv_time != !chosen->csv_case)
        status = rl_err_set(err, RL_USAGE, "options --csv-time and --csv-case go together");
    for (size_t i = 0; i < call->operand_count && status == RL_OK; i++)
        status = rl_import_file(import, call->operands[i], err);
    RL_THEN(status, rl_import_finish(import, capture, err));
    rl_import_free(import);
    return status;
}

static void say_written(const struct cli_call *call, const struct rl_capture *capture, const char *output)
{
    if (capture->benchmark_count) {
        cli_say(call, "wrote %s: %zu case%s, %zu time%s; %s", output, capture->benchmark_count,
                capture->benchmark_count == 1 ? "" : "s", capture->benchmark_sample_count,
                capture->benchmark_sample_count == 1 ? "" : "s", capture->session.counters);
        return;
    }
    const unsigned long long launches = RL_SUM(unsigned long long, i, capture->kernel_count, capture->kernels[i].launches);
    cli_say(call, "wrote %s: %zu launch configuration%s, %llu launch%s, %s; %s", output, capture->kernel_count,
            capture->kernel_count == 1 ? "" : "s", launches, launches == 1 ? "" : "es", capture->gpus[0].name,
            capture->session.counters);
}

static enum rl_status write_capture(const struct cli_call *call, const struct rl_capture *capture, const char *output,
                                    struct rl_err *err)
{
    RL_SCRATCH bytes = RL_BUF_INIT;
    if (!rl_is_stream(output))
        return rl_capture_write(capture, output, err);
    enum rl_status status = rl_capture_write_bytes(capture, &bytes, err);
    RL_THEN(status, cli_write_output(call, output, &bytes, NULL, err));
    return status;
}

/* As wide as its texts: values and reasons are not shortened. */
static void print_ledger(const struct cli_call *call, const struct rl_capture *capture)
{
    enum { WIDTH = 170 };
    RL_AT_END(rl_arena_release) struct rl_arena arena = RL_ARENA_INIT;
    struct cli_doc doc = {.out = call->out,
                          .style = CLI_DOC_TERMINAL,
                          .width = call->terminal.width > WIDTH ? call->terminal.width : WIDTH,
                          .bold = call->terminal.bold};
    const struct view_rows rows = view_ledger_rows(capture, false, &arena);
    const struct view view = {.record = &view_record_ledger_row, .subject = capture, .arena = &arena, .all = true};

    cli_view_table(&view, &view_record_ledger_row, &rows, NULL, &doc);
}

static enum rl_status run(const struct cli_call *call, struct rl_err *err)
{
    const struct import_options *chosen = call->options;
    struct rl_capture *capture = NULL;

    if (chosen->ledger && rl_is_stream(chosen->output))
        return rl_err_set(err, RL_USAGE, "--ledger prints on standard output, too: name a file with --output");
    enum rl_status status = read_inputs(call, &capture, err);
    RL_THEN(status, write_capture(call, capture, chosen->output, err));
    if (status == RL_OK) {
        if (chosen->ledger)
            print_ledger(call, capture);
        /* Warnings always; notes with --verbose. */
        for (size_t i = 0; i < capture->log_count; i++) {
            if (capture->log[i].level == RL_LOG_NOTE)
                cli_detail(call, "%s", capture->log[i].text);
            else
                cli_say(call, "%s", capture->log[i].text);
        }
        say_written(call, capture, rl_is_stream(chosen->output) ? "standard output" : chosen->output);
    }
    rl_capture_free(capture);
    return status;
}

const struct cli_command_body cmd_import = {
    .operands = "INPUT ...",
    .least = 1,
    .most = 10000,
    .reads_operands = true,
    .reads_stdin = true,
    .about =
        "Reads ncu reports (.ncu-rep) and CSV (raw page, details page, --metrics, summaries), nvprof CSV or text (metrics, "
        "events, summary, GPU trace), tables of nsys stats, timelines (SQLite exports of Nsight Systems, JSON traces of PyTorch's"
        " profiler, also gzip), and times of Google Benchmark, llama-bench, nvbench and other benchmarks (CSV). Files are "
        "recognised by content. Several files are views of one run and are joined by kernel, so a file of metrics and one of times "
        "make one capture; processes with the same metrics stay separate. Units are converted, unknown metrics are kept by name, "
        "and doubtful values are reported and logged.",
    .options = options,
    .options_size = sizeof(struct import_options),
    .run = run,
};
