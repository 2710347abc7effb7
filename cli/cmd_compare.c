#include "compare.h"
#include "parts.h"

enum { MOST_CAPTURES = 64, MOST_SESSIONS = 1000 };

static const char *const papers[] = {[RL_PAPER_A4] = "a4", [RL_PAPER_LETTER] = "letter", NULL};

/* The document, and what is printed otherwise. */
static const struct cli_format outputs[] = {{.ending = ".pdf", .bytes = "a PDF"},    {.ending = ".html"},
                                            {.ending = ".md", .select = "markdown"}, {.ending = ".json", .select = "json"},
                                            {.ending = ".csv", .select = "csv"},     {0}};

static const struct cli_option options[] = {
    {0, "run", CLI_FLAG, offsetof(struct compare_options, run.wanted), .group = "Measuring",
     .help = "measure two programs alternately, and compare them"},
    {0, "captures", CLI_FOLDER, offsetof(struct compare_options, run.captures), "DIR",
     .help = "with --run: keep the captures in DIR", .ending = " .rlcap"},
    {0, "time", CLI_TEXT, offsetof(struct compare_options, run.time), "DURATION",
     .help = "with --run: end within DURATION (90s, 10m, 2h)"},
    {0, "sessions", CLI_INT, offsetof(struct compare_options, run.sessions), "N", .low = 1, .high = 500,
     .help = "with --run: measure at most N sessions (default: 16)"},
    {0, "warm-up", CLI_COUNT, offsetof(struct compare_options, run.warm_up), "N", .low = 1, .high = 100,
     .help = "with --run: run each N times first (default: 1)"},
    {0, "match", CLI_INPUT, offsetof(struct compare_options, map), "FILE", .group = "Comparing",
     .help = "match renamed kernels: lines 'NAME => NAME'"},
    {0, "smallest-effect", CLI_TEXT, offsetof(struct compare_options, smallest_effect), "PCT",
     .help = "set the smallest change that matters (default: 1)"},
    {0, "margin", CLI_TEXT, offsetof(struct compare_options, margin), "PCT",
     .help = "set the largest change that is SAME (default: 1)"},
    {0, "project", CLI_TEXT, offsetof(struct compare_options, cards), "CARD,...", .help = "project BASELINE to other GPUs"},
    {0, "fleet", CLI_FLAG, offsetof(struct compare_options, is_fleet), .help = "find slow GPUs among many of one model"},
    {0, "fail-on", CLI_TEXT, offsetof(struct compare_options, gate.fail_on), "LIST", .group = "Gate",
     .help = "set conditions, or 'default': 3 fails, 4 undecided"},
    {0, "junit", CLI_OUTPUT, offsetof(struct compare_options, gate.junit), "FILE", .help = "write the gate's result as JUnit XML",
     .formats = compare_junit_formats},
    {0, "json", CLI_SELECT, offsetof(struct compare_options, format), .low = COMPARE_JSON, .group = "Printing",
     .help = "print everything as JSON, in SI base units"},
    {0, "markdown", CLI_SELECT, offsetof(struct compare_options, format), .low = COMPARE_MARKDOWN,
     .help = "print a review of at most 60 lines"},
    {0, "csv", CLI_SELECT, offsetof(struct compare_options, format), .low = COMPARE_CSV,
     .help = "print a row for each kernel and capture as CSV"},
    {0, "columns", CLI_TEXT, offsetof(struct compare_options, choice.columns), "ID,...", .help = "show these columns of the table"},
    {0, "sort", CLI_TEXT, offsetof(struct compare_options, choice.sort), "ID",
     .help = "sort the table, the largest first; -ID: reversed"},
    {0, "where", CLI_TEXT, offsetof(struct compare_options, choice.where), "CONDITION,...",
     .help = "show rows that meet all, such as 'verdict=SLOWER'"},
    {'o', "output", CLI_OUTPUT, offsetof(struct compare_options, output), "FILE", .group = "Document",
     .help = "write a document (.pdf, .html) or .md, .json, .csv", .formats = outputs},
    {0, "title", CLI_TEXT, offsetof(struct compare_options, document.title), "TEXT", .help = "print TEXT at the top of each page"},
    {0, "author", CLI_TEXT, offsetof(struct compare_options, document.author), "TEXT", .help = "name the author on the first page"},
    {0, "notes", CLI_INPUT, offsetof(struct compare_options, document.notes), "FILE", .help = "add a page of your own text"},
    {0, "full", CLI_FLAG, offsetof(struct compare_options, document.full),
     .help = "print every kernel, what was matched, the method"},
    {0, "only", CLI_TEXT, offsetof(struct compare_options, document.only), "SECTION,...", .help = "include only these sections"},
    {0, "paper", CLI_CHOICE, offsetof(struct compare_options, paper), "SIZE", .help = "use a4 (default) or letter",
     .choices = papers},
    {0, "redact", CLI_FLAG, offsetof(struct compare_options, redact), NULL, .help = "keep only text known to be harmless"},
    {0, "pseudonyms", CLI_TEXT, offsetof(struct compare_options, pseudonyms), "KEY",
     .help = "with --redact: replace names of kernels, too"},
    {0},
};

static enum rl_status print(const struct cli_call *call, const struct compare *compare, struct rl_err *err)
{
    const struct compare_options *chosen = call->options;
    const struct view_choice_texts *texts = &chosen->choice;
    struct compare_print print = {
        .form = (enum compare_form)chosen->format, .width = call->terminal.width, .bold = call->terminal.bold};
    struct view_choice *choice = NULL;
    enum rl_status status = RL_OK;
    if (cli_stdout_is_taken(call))
        return RL_OK;
    if (texts->columns || texts->sort || texts->where)
        status = view_choice_new(&view_record_pair, texts, &choice, err);
    print.choice = choice;
    if (status == RL_OK)
        compare_print(compare, &print, call->out);
    view_choice_free(choice);
    return status;
}

/* Whether the output is a document and not what is printed otherwise. */
static bool is_document(const char *output)
{
    return cli_is_first_format(outputs, output) || cli_is_html(output);
}

/* The document that was asked for, or the one that --run adds to its captures: where none can be made, the rest is there. */
static enum rl_status write_document(const struct cli_call *call, const struct compare *compare, const struct compare_sides *sides,
                                     struct rl_err *err)
{
    const struct compare_options *chosen = call->options;
    if (chosen->output && !is_document(chosen->output))
        return cli_redirect_result(call, chosen->output, err);
    if (chosen->output)
        return compare_document_write(call, compare, chosen->output, err);
    if (!sides->document)
        return RL_OK;
    struct rl_err none = RL_ERR_INIT;
    const enum rl_status status = cli_reports ? compare_document_write(call, compare, sides->document, &none) : RL_UNSUPPORTED;
    if (status != RL_OK)
        cli_say(call, "no document: %s", cli_reports ? none.text : cli_no_reports);
    return RL_OK;
}

/* ---- many GPUs ---- */

/* The gate of many GPUs has one condition. */
static enum rl_status read_fleet_gate(const struct compare_gate_options *gate, bool *fail_on_outlier, struct rl_err *err)
{
    *fail_on_outlier = gate->fail_on && strcmp(gate->fail_on, "outlier") == 0;
    if (gate->junit || (gate->fail_on && !*fail_on_outlier))
        return rl_err_set(err, RL_USAGE, "of a gate, --fleet takes --fail-on outlier and nothing else");
    return RL_OK;
}

static enum rl_status run_fleet(const struct cli_call *call, struct rl_err *err)
{
    static const enum cli_fleet_format formats[] = {[COMPARE_TEXT] = CLI_FLEET_TEXT,
                                                    [COMPARE_JSON] = CLI_FLEET_JSON,
                                                    [COMPARE_MARKDOWN] = CLI_FLEET_MARKDOWN,
                                                    [COMPARE_CSV] = CLI_FLEET_CSV};
    const struct compare_options *chosen = call->options;
    struct cli_fleet_options fleet = {.output = chosen->output,
                                      .document = chosen->output && is_document(chosen->output),
                                      .format = formats[chosen->format],
                                      .paper = chosen->paper,
                                      .redact = chosen->redact,
                                      .pseudonyms = chosen->pseudonyms};
    /* An option that a comparison of many GPUs cannot take; NULL: there is none. */
    const char *const document = compare_document_option(&chosen->document);
    const struct {
        bool given;
        const char *name;
    } rows[] = {
        {chosen->run.wanted, "run"},         {chosen->map, "match"},        {chosen->cards, "project"},     {document, document},
        {chosen->choice.columns, "columns"}, {chosen->choice.sort, "sort"}, {chosen->choice.where, "where"}};
    const size_t at = RL_FIRST(i, RL_COUNT(rows), rows[i].given);
    const char *const misplaced = at < RL_COUNT(rows) ? rows[at].name : NULL;
    if (misplaced)
        return rl_err_set(err, RL_USAGE, "--%s does not go with --fleet", misplaced);
    enum rl_status status = read_fleet_gate(&chosen->gate, &fleet.fail_on_outlier, err);
    if (status == RL_OK && chosen->smallest_effect)
        status = compare_percent("smallest-effect", chosen->smallest_effect, 0.01, 50, &fleet.least, err);
    return status == RL_OK ? cli_fleet_run(call, &fleet, err) : status;
}

/* How many captures there may be, and on which side of "--". */
static enum rl_status check_sides(const struct cli_call *call, struct rl_err *err)
{
    const size_t behind = cli_operands_behind_dashes(call), most = behind ? MOST_SESSIONS : MOST_CAPTURES;
    if (behind == call->operand_count)
        return rl_err_set(err, RL_USAGE, "a session of the baseline is missing before '--'");
    if (call->operand_count > most)
        return rl_err_set(err, RL_USAGE, "'%s' is one argument too many: %zu captures are the most", call->operands[most], most);
    return RL_OK;
}

/* Options that only a comparison of many GPUs, or only one of few captures, can take. */
static enum rl_status check_pairs(const struct cli_call *call, struct rl_err *err)
{
    const struct compare_options *chosen = call->options;
    if (call->operand_count < 2 && !chosen->cards)
        return rl_err_set(err, RL_USAGE, "a capture to compare with '%s' is missing, or --project CARD", call->operands[0]);
    RL_TRY(check_sides(call, err));
    if (call->operand_count < 2 && compare_gate_option(&chosen->gate))
        return rl_err_set(err, RL_USAGE, "--%s needs a capture to compare with '%s'", compare_gate_option(&chosen->gate),
                          call->operands[0]);
    if (call->operand_count < 2 && chosen->format == COMPARE_CSV)
        return rl_err_set(err, RL_USAGE, "--csv needs a capture to compare with '%s', or --fleet", call->operands[0]);
    return RL_OK;
}

/* ---- the command ---- */

/* Prints and writes what the files hold, and asks the gate. */
static enum rl_status run_pairs(const struct cli_call *call, const struct compare_sides *sides, struct rl_err *err)
{
    const struct compare_options *chosen = call->options;
    const struct rl_card_info *cards[COMPARE_MOST_CARDS];
    size_t card_count = 0;
    struct compare compare = {0};
    enum rl_status status = RL_OK;
    if (chosen->cards)
        status = compare_parse_cards(chosen->cards, cards, &card_count, err);
    RL_THEN(status, compare_open(call, sides, &compare, err));
    if (status == RL_OK) {
        compare_cards_relate(&compare, cards, card_count);
        compare_gate_run(&compare);
        status = print(call, &compare, err);
        RL_THEN(status, write_document(call, &compare, sides, err));
    }
    RL_THEN(status, compare_gate_write(call, &chosen->gate, &compare, err));
    RL_THEN(status, compare_gate_status(&compare, err));
    compare_close(&compare);
    return status;
}

/* Columns that do not exist are refused before anything is measured. */
static enum rl_status check_choice(const struct view_choice_texts *texts, struct rl_err *err)
{
    struct view_choice *choice = NULL;
    const enum rl_status status = view_choice_new(&view_record_pair, texts, &choice, err);
    view_choice_free(choice);
    return status;
}

static enum rl_status check_use(const struct cli_call *call, struct rl_err *err)
{
    const struct compare_options *chosen = call->options;
    if (chosen->pseudonyms && !chosen->redact)
        return rl_err_set(err, RL_USAGE, "--pseudonyms goes with --redact");
    for (size_t i = 0; i < call->operand_count && chosen->is_fleet; i++)
        if (rl_is_stream(call->operands[i]))
            return rl_err_set(err, RL_USAGE,
                              "'-' is standard input, and --fleet reads its captures more than once: give a file ('./-' is one)");
    return RL_OK;
}

static enum rl_status run(const struct cli_call *call, struct rl_err *err)
{
    const struct compare_options *chosen = call->options;
    if (check_use(call, err) != RL_OK)
        return RL_USAGE;
    if (chosen->is_fleet)
        return run_fleet(call, err);
    if (chosen->run.wanted)
        return check_choice(&chosen->choice, err) == RL_OK ? compare_run(call, run_pairs, err) : RL_USAGE;
    enum rl_status status = compare_run_options_alone(&chosen->run, err);
    RL_THEN(status, check_pairs(call, err));
    const struct compare_sides sides = {call->operands, call->operand_count, cli_operands_behind_dashes(call), 0, NULL};
    return status == RL_OK ? run_pairs(call, &sides, err) : status;
}

const struct cli_command_body cmd_compare = {
    .operands = "BASELINE [CANDIDATE ...] | BASELINE ... -- CANDIDATE ... | --run -- PROGRAM [ARG ...] -- PROGRAM [ARG ...]",
    .least = 1,
    .most = SIZE_MAX,
    .reads_operands = true,
    .reads_stdin = true,
    .runs_programs = true,
    .about = "Gives each kernel and case a verdict, FASTER, SLOWER, SAME or UNDECIDED, from an interval for the ratio of medians "
             "that allows for differences between sessions. Only --run needs a GPU. 'man rooflight-compare' explains "
             "matching, sessions and each option.",
    .options = options,
    .options_size = sizeof(struct compare_options),
    .run = run,
};
