#include "captures.h"
#include "command.h"
#include "show.h"

struct show_options {
    struct cli_common common;
    int format;
    bool shapes, launches, brief, timeline, gaps, cases, full;
    const char *kernel, *kernel_name, *source, *output;
    struct view_choice_texts texts;
    bool all_columns; /* --columns all */
    int findings;     /* at most so many in text and Markdown; INT_MAX: all; -1: none; 0: not said */
};
enum { MOST_FINDINGS = 5 };

static const struct cli_format formats[] = {{.ending = ".txt"},
                                            {.ending = ".md", .select = "markdown"},
                                            {.ending = ".json", .select = "json"},
                                            {.ending = ".csv", .select = "csv"},
                                            {0}};

static const struct cli_option options[] = {
    {'o', "output", CLI_OUTPUT, offsetof(struct show_options, output), "FILE", .group = "Form",
     .help = "write to FILE: .txt, .md, .json or .csv", .formats = formats},
    {0, "json", CLI_SELECT, offsetof(struct show_options, format), .low = SHOW_JSON,
     .help = "print everything as JSON ('list schema show')"},
    {0, "csv", CLI_SELECT, offsetof(struct show_options, format), .low = SHOW_CSV, .help = "print a row for each kernel as CSV"},
    {0, "markdown", CLI_SELECT, offsetof(struct show_options, format), .low = SHOW_MARKDOWN,
     .help = "print the tables as Markdown"},
    {0, "brief", CLI_FLAG, offsetof(struct show_options, brief), .group = "Contents",
     .help = "print limiters and what to do first, at most 8 kB"},
    {0, "kernel", CLI_TEXT, offsetof(struct show_options, kernel), "REGEX",
     .help = "with --brief: print the kernel that matches, 6 kB"},
    {'k', "kernel-name", CLI_TEXT, offsetof(struct show_options, kernel_name), "NAME",
     .help = "the same, selected by plain name, as with ncu -k"},
    {0, "full", CLI_FLAG, offsetof(struct show_options, full), .help = "print all variants, small kernels, stalls, hit rates"},
    {0, "source", CLI_TEXT, offsetof(struct show_options, source), "REGEX",
     .help = "print where and why the warps of a kernel stalled"},
    {0, "timeline", CLI_FLAG, offsetof(struct show_options, timeline), .help = "print what the GPUs of a program did over time"},
    {0, "gaps", CLI_FLAG, offsetof(struct show_options, gaps), .help = "print why no kernel ran, by cause and NVTX range"},
    {0, "cases", CLI_FLAG, offsetof(struct show_options, cases), .help = "print cases: NVTX ranges with parameters, benchmarks"},
    {0, "findings", CLI_COUNT, offsetof(struct show_options, findings), "N", .low = 1, .high = 1000000000,
     .help = "print N findings (default: 5), 'all' or 'none'"},
    {0, "shapes", CLI_FLAG, offsetof(struct show_options, shapes), .help = "list the configurations of a kernel one by one"},
    {0, "launches", CLI_FLAG, offsetof(struct show_options, launches), .help = "list imported launches one by one"},
    {0, "columns", CLI_TEXT, offsetof(struct show_options, texts.columns), "ID,...", .group = "Kernels",
     .help = "print one table of these ('list columns', 'all')"},
    {0, "sort", CLI_TEXT, offsetof(struct show_options, texts.sort), "ID",
     .help = "sort by a column, the largest first; -ID: reversed"},
    {0, "where", CLI_TEXT, offsetof(struct show_options, texts.where), "COND,...",
     .help = "print kernels that meet all, as 'roof_share>0.5'"},
    {0},
};

static enum rl_status print(const struct show *show, const struct cli_call *call, const struct view_choice *choice,
                            struct rl_err *err)
{
    const struct show_options *chosen = call->options;
    if (chosen->source)
        return show_source(show, chosen->source, err);
    if (chosen->brief)
        return show_brief(show, chosen->kernel, chosen->kernel_name ? chosen->kernel_name : chosen->kernel, err);
    if (chosen->cases)
        show_cases(show);
    else if (chosen->timeline || chosen->gaps)
        show_timeline(show, chosen->gaps);
    else
        show_whole(show, choice,
                   &(struct view_told_options){.all = call->verbose,
                                               .full = chosen->full || call->verbose,
                                               .findings = chosen->findings < 0 ? 0
                                                           : chosen->findings   ? (size_t)chosen->findings
                                                                                : MOST_FINDINGS});
    return RL_OK;
}

/* Puts the launches of the capture in its place. */
static enum rl_status take_launches(const char *name, struct rl_capture **capture, struct rl_err *err)
{
    struct rl_capture *launches = rl_capture_of_launches(*capture);

    rl_capture_free(*capture);
    *capture = launches;
    return launches->kernel_count ? RL_OK
                                  : rl_err_set(err, RL_ABSENT,
                                               "'%s' has no counters by launch: imported reports and CSV of Nsight Compute have "
                                               "them, and traces of nvprof with metrics",
                                               name);
}

/* Data, and what the reader asked for in full, has every GPU. */
static enum rl_fold fold_of(const struct show_options *chosen, const struct view_choice *choice, bool verbose)
{
    const bool of_people = chosen->format == SHOW_TEXT || chosen->format == SHOW_MARKDOWN,
               apart = chosen->source || chosen->timeline || chosen->gaps || chosen->cases;
    if (chosen->shapes || chosen->launches)
        return RL_FOLD_NONE;
    return chosen->brief || (of_people && !apart && !choice && !chosen->full && !verbose) ? RL_FOLD_ALIKE : RL_FOLD_EACH_GPU;
}

static enum rl_status show_captures(const struct cli_call *call, const struct view_choice *choice, struct rl_err *err)
{
    const struct show_options *chosen = call->options;
    struct rl_capture *capture = NULL;
    struct rl_analysis *analysis;
    RL_SCRATCH bytes = RL_BUF_INIT, name = RL_BUF_INIT;
    RL_TRY(cli_read_captures(call->operands, call->operand_count, &bytes, &capture, err));
    enum rl_status status = RL_OK;
    cli_captures_name(call->operands, call->operand_count, &name);
    if (chosen->launches && (status = take_launches(name.data, &capture, err)) != RL_OK) {
        rl_capture_free(capture);
        return status;
    }
    const struct cli_terminal terminal = cli_terminal_for(call, chosen->output);
    const bool markdown = chosen->format == SHOW_MARKDOWN;
    const struct show show = {.subject =
                                  view_subject_analyse(name.data, capture, fold_of(chosen, choice, call->verbose), &analysis),
                              .format = (enum show_format)chosen->format,
                              .doc = {.out = call->out,
                                      .style = markdown ? CLI_DOC_MARKDOWN : CLI_DOC_TERMINAL,
                                      .width = markdown ? 0 : terminal.width,
                                      .bold = terminal.bold},
                              .whole = chosen->full || chosen->findings > 0 || call->verbose,
                              .all = call->verbose,
                              .all_columns = chosen->all_columns};
    status = print(&show, call, choice, err);
    view_subject_free(show.subject);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
    return status;
}

/* Options that go together: of the results that are separate, and of --brief. */
static enum rl_status check(const struct show_options *chosen, struct rl_err *err)
{
    const bool has_choice = chosen->texts.columns || chosen->texts.sort || chosen->texts.where || chosen->all_columns;
    const char *apart = chosen->source     ? "--source"
                        : chosen->timeline ? "--timeline"
                        : chosen->gaps     ? "--gaps"
                        : chosen->cases    ? "--cases"
                                           : NULL;
    if ((chosen->kernel || chosen->kernel_name) && !chosen->brief)
        return rl_err_set(err, RL_USAGE,
                          "--kernel and --kernel-name go with --brief; in the tables, --where 'name=*gemm*' chooses kernels");
    if (apart && (chosen->brief || has_choice))
        return rl_err_set(err, RL_USAGE, "%s is a separate result: leave out --brief, --columns, --sort and --where", apart);
    if (apart && chosen->launches)
        return rl_err_set(err, RL_USAGE, "%s is a separate result: leave out --launches", apart);
    if ((chosen->source != NULL) + chosen->timeline + chosen->gaps + chosen->cases > 1)
        return rl_err_set(err, RL_USAGE, "--source, --timeline, --gaps and --cases are separate results: ask for one of them");
    if (chosen->brief && has_choice)
        return rl_err_set(err, RL_USAGE, "--brief has its own columns: leave out --columns, --sort and --where");
    if (chosen->brief && chosen->format == SHOW_CSV)
        return rl_err_set(err, RL_USAGE, "--brief is text, Markdown (--markdown) or JSON (--json)");
    return chosen->all_columns && chosen->format != SHOW_CSV ? rl_err_set(err, RL_USAGE, "'--columns all' goes with --csv") : RL_OK;
}

static enum rl_status show_with_choice(const struct cli_call *call, struct rl_err *err)
{
    const struct view_choice_texts *texts = &((const struct show_options *)call->options)->texts;
    struct view_choice *choice = NULL;
    RL_TRY(check(call->options, err));
    enum rl_status status = RL_OK;
    if (texts->columns || texts->sort || texts->where)
        status = view_choice_new(&view_record_kernel, texts, &choice, err);
    RL_THEN(status, show_captures(call, choice, err));
    RL_THEN(status, cli_redirect_result(call, ((const struct show_options *)call->options)->output, err));
    view_choice_free(choice);
    return status;
}

static enum rl_status run(const struct cli_call *call, struct rl_err *err)
{
    struct show_options chosen = *(const struct show_options *)call->options;
    struct cli_call named = *call;
    RL_SCRATCH kernel = RL_BUF_INIT;
    named.options = &chosen;
    chosen.all_columns = chosen.texts.columns && strcmp(chosen.texts.columns, "all") == 0;
    if (chosen.all_columns)
        chosen.texts.columns = NULL;
    enum rl_status status = cli_kernel_named(chosen.kernel_name, &chosen.kernel, &kernel, err);
    RL_THEN(status, show_with_choice(&named, err));
    return status;
}

const struct cli_command_body cmd_show = {
    .operands = "CAPTURE ...",
    .least = 1,
    .most = SIZE_MAX,
    .reads_operands = true,
    .reads_stdin = true,
    .about = "Computes metrics, limiters, verdicts and findings, and prints them with the reason for each missing value. "
             "Captures of several processes of one program are shown as one; '-' is standard input. No GPU is needed. 'man "
             "rooflight-show' explains each option.",
    .options = options,
    .options_size = sizeof(struct show_options),
    .run = run,
};
