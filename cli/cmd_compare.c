#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "compare.h"
#include "core/fs.h"
#include "core/mem.h"
#include "core/units.h"
#include "fleet.h"
#include "output.h"
#include "parts.h"

enum { MOST_CAPTURES = 64, MOST_SESSIONS = 1000 };

static const char *const papers[] = {[RL_PAPER_A4] = "a4", [RL_PAPER_LETTER] = "letter", NULL};

/* The document, and what is printed otherwise. */
static const struct cli_format outputs[] = {{.ending = ".pdf", .bytes = "a PDF"},    {.ending = ".html"},
                                            {.ending = ".md", .select = "markdown"}, {.ending = ".json", .select = "json"},
                                            {.ending = ".csv", .select = "csv"},     {0}};

static const struct cli_option options[] = {
    {0, "json", CLI_SELECT, offsetof(struct compare_options, format), .low = COMPARE_JSON,
     .help = "everything as JSON: units are SI base units, keys are stable (docs/schema/changes.json)"},
    {0, "markdown", CLI_SELECT, offsetof(struct compare_options, format), .low = COMPARE_MARKDOWN,
     .help = "the review as Markdown for a pull request, at most 60 lines"},
    {0, "csv", CLI_SELECT, offsetof(struct compare_options, format), .low = COMPARE_CSV,
     .help = "one row for each kernel and capture as CSV: units are SI base units, an empty cell is a missing value; with --fleet "
             "one for each slower GPU or link, for tickets"},
    {0, "values", CLI_SELECT, offsetof(struct compare_options, format), .low = COMPARE_VALUES,
     .help = "with --fleet: one row for each figure of each GPU and link as CSV, for databases"},
    {0, "columns", CLI_TEXT, offsetof(struct compare_options, choice.columns), "ID,...",
     .help = "show these columns of the table, by the names that CSV and JSON have for them"},
    {0, "sort", CLI_TEXT, offsetof(struct compare_options, choice.sort), "ID",
     .help = "sort the table by a column: the largest first, text from a to z; with - before it in reverse"},
    {0, "where", CLI_TEXT, offsetof(struct compare_options, choice.where), "CONDITION,...",
     .help = "show only rows that fulfil this: ID, then = != < <= > or >= and a number in SI base units, = or != "
             "and a pattern of text, or ~ or !~ and an extended regular expression without commas"},
    {0, "run", CLI_FLAG, offsetof(struct compare_options, run.wanted),
     .help = "measure both sides: run the two programs behind -- in turn, each session in processes of its own, and compare"},
    {0, "captures", CLI_FOLDER, offsetof(struct compare_options, run.captures), "DIR",
     .help = "with --run: put the captures into the folder DIR as base-N.rlcap and new-N.rlcap, and unless -o names another "
             "place the document as compare.pdf (default: compare-DATE-TIME)",
     .ending = " .rlcap"},
    {0, "time", CLI_TEXT, offsetof(struct compare_options, run.time), "DURATION",
     .help = "with --run: start no session that would outlast DURATION: 90s, 10m or 2h (default: no limit)"},
    {0, "sessions", CLI_INT, offsetof(struct compare_options, run.sessions), "N", .low = 1, .high = 500,
     .help = "with --run: at most N sessions of each side (default: 16)"},
    {0, "warm-up", CLI_COUNT, offsetof(struct compare_options, run.warm_up), "N", .low = 1, .high = 100,
     .help = "with --run: run each program N times before the first session, without keeping what is measured (default: 1); "
             "none: not at all"},
    {0, "match", CLI_INPUT, offsetof(struct compare_options, map), "FILE",
     .help = "which kernel is which where names changed: lines 'NAME => NAME', base first"},
    {0, "fail-on", CLI_TEXT, offsetof(struct compare_options, gate.fail_on), "LIST",
     .help = "a gate: exit with status 3 when it fails and 4 when it cannot decide. LIST is 'default', or conditions with other "
             "bounds, or off: regression=3%,wrong,missing,work,incomplete,undecided=10%,unknown=10%,matched<0.9 is the default, "
             "and what is not named stays in force. For --fleet LIST is 'outlier'"},
    {0, "junit", CLI_OUTPUT, offsetof(struct compare_options, gate.junit), "FILE",
     .help = "with a gate: its answer as JUnit XML, a test for each kernel and condition", .formats = compare_junit_formats},
    {0, "smallest-effect", CLI_TEXT, offsetof(struct compare_options, smallest_effect), "PCT",
     .help = "the smallest change that matters, in percent (default 1, with three sessions and more on each side 0.5): FASTER and "
             "SLOWER are beyond it"},
    {0, "margin", CLI_TEXT, offsetof(struct compare_options, margin), "PCT",
     .help = "what counts as SAME when it can be shown: a change of less than PCT percent (default 1, or --smallest-effect)"},
    {0, "project", CLI_TEXT, offsetof(struct compare_options, cards), "CARD,...",
     .help = "what the base's launches could do on cards that are not at hand ('rooflight list cards'): least time under their "
             "roofs and occupancy, labelled projected; BASE alone is enough"},
    {0, "fleet", CLI_FLAG, offsetof(struct compare_options, is_fleet),
     .help =
         "compare many GPUs of one kind with each other, from files and folders: which are slower than the others, by how much, "
         "and why"},
    {'o', "output", CLI_OUTPUT, offsetof(struct compare_options, output), "FILE",
     .help = "write a document to FILE (PDF; HTML if it ends in .html): a page with the answer, then the evidence; if FILE ends in "
             ".md, .json or .csv, that instead of standard output; '-': the document to standard output, and nothing else",
     .formats = outputs},
    {0, "title", CLI_TEXT, offsetof(struct compare_options, document.title), "TEXT",
     .help = "title of the document, above every page"},
    {0, "author", CLI_TEXT, offsetof(struct compare_options, document.author), "TEXT",
     .help = "who made it: above the first page and in the document's properties"},
    {0, "logo", CLI_INPUT, offsetof(struct compare_options, document.logo), "PNG",
     .help = "a picture for the upper right corner of the document's first page"},
    {0, "notes", CLI_INPUT, offsetof(struct compare_options, document.notes), "FILE",
     .help = "your own text on a page of the document: Markdown if FILE ends in .md or .markdown, plain otherwise"},
    {0, "full", CLI_FLAG, offsetof(struct compare_options, document.full),
     .help = "with what the document leaves out otherwise: every kernel with its interval, what was matched how, the method in "
             "full"},
    {0, "only", CLI_TEXT, offsetof(struct compare_options, document.only), "SECTION,...",
     .help = "only these sections of the document, including those that it leaves out otherwise; a wrong name makes the "
             "command list the right ones"},
    {0, "paper", CLI_CHOICE, offsetof(struct compare_options, paper), "SIZE", .help = "a4 (default) or letter", .choices = papers},
    {0, "redact", CLI_FLAG, offsetof(struct compare_options, redact), NULL,
     .help =
         "leave out of what is printed and written names of files, and everything in the captures except figures, names of kernels "
         "and words that this program knows"},
    {0, "pseudonyms", CLI_TEXT, offsetof(struct compare_options, pseudonyms), "KEY",
     .help = "with --redact: replace names of kernels, too; the same KEY gives the same replacements, and nobody without it can "
             "make them"},
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

/* An option that a comparison of many GPUs cannot take; NULL: there is none. */
static const char *misplaced_in_fleet(const struct compare_options *chosen)
{
    const char *const document = compare_document_option(&chosen->document);
    const struct {
        bool given;
        const char *name;
    } rows[] = {
        {chosen->run.wanted, "run"},         {chosen->map, "match"},        {chosen->cards, "project"},     {document, document},
        {chosen->choice.columns, "columns"}, {chosen->choice.sort, "sort"}, {chosen->choice.where, "where"}};
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        if (rows[i].given)
            return rows[i].name;
    return NULL;
}

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
                                                    [COMPARE_CSV] = CLI_FLEET_CSV,
                                                    [COMPARE_VALUES] = CLI_FLEET_VALUES};
    const struct compare_options *chosen = call->options;
    struct cli_fleet_options fleet = {.output = chosen->output,
                                      .document = chosen->output && is_document(chosen->output),
                                      .format = formats[chosen->format],
                                      .paper = chosen->paper,
                                      .redact = chosen->redact,
                                      .pseudonyms = chosen->pseudonyms};
    const char *const misplaced = misplaced_in_fleet(chosen);
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
        return rl_err_set(err, RL_USAGE, "a session of the base is missing before '--'");
    if (call->operand_count > most)
        return rl_err_set(err, RL_USAGE, "'%s' is one argument too many: %zu captures are the most", call->operands[most], most);
    return RL_OK;
}

/* What only a comparison of many GPUs, or only one of few captures, can take. */
static enum rl_status check_pairs(const struct cli_call *call, struct rl_err *err)
{
    const struct compare_options *chosen = call->options;
    if (call->operand_count < 2 && !chosen->cards)
        return rl_err_set(err, RL_USAGE, "a capture to compare with '%s' is missing, or --project CARD", call->operands[0]);
    enum rl_status status = check_sides(call, err);
    if (status != RL_OK)
        return status;
    if (chosen->format == COMPARE_VALUES)
        return rl_err_set(err, RL_USAGE, "--values needs --fleet");
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
    if (status == RL_OK)
        status = compare_open(call, sides, &compare, err);
    if (status == RL_OK) {
        compare_cards_relate(&compare, cards, card_count);
        compare_gate_run(&compare);
        status = print(call, &compare, err);
        if (status == RL_OK)
            status = write_document(call, &compare, sides, err);
    }
    if (status == RL_OK)
        status = compare_gate_write(call, &chosen->gate, &compare, err);
    if (status == RL_OK)
        status = compare_gate_status(&compare, err);
    compare_close(&compare);
    return status;
}

/* Columns that do not exist are told of before anything is measured. */
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
    if (status == RL_OK)
        status = check_pairs(call, err);
    const struct compare_sides sides = {call->operands, call->operand_count, cli_operands_behind_dashes(call), 0, NULL};
    return status == RL_OK ? run_pairs(call, &sides, err) : status;
}

const struct cli_command_body cmd_compare = {
    .operands = "BASE [NEW ...] | BASE ... -- NEW ... | --run -- PROGRAM [ARG ...] -- PROGRAM [ARG ...]",
    .least = 1,
    .most = SIZE_MAX,
    .reads_operands = true,
    .reads_stdin = true,
    .runs_programs = true,
    .about =
        "Compares captures with the first one, kernel by kernel: FASTER, SLOWER, SAME or UNDECIDED, by an interval for the ratio "
        "of the medians, new over base, that allows for differences between sessions; and which metrics moved with it. Kernels are "
        "matched by name and shape, then by name without template arguments, then by NVTX path and order, then by likeness with a "
        "score; how kernels were matched, and what was added or removed, is printed. No GPU is needed.\nWith --, compares several "
        "sessions of one program with several of another: the difference between sessions is then measured, and three on each side "
        "detect changes of 1 % that one on each side cannot.\nWith --run, measures both sides itself: two programs in turn, "
        "session by session in random order, until nearly all of the time is decided or the budget ends.\nWith --fleet, compares "
        "many GPUs with each other (captures, and folders with *.rlcap below them): how every ceiling and every time is "
        "distributed, which GPUs stand apart by a robust rule that is corrected for the number of looks, and what their captures "
        "say about the cause.",
    .options = options,
    .options_size = sizeof(struct compare_options),
    .run = run,
};
