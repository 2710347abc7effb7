#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "captures.h"
#include "choice.h"
#include "command.h"
#include "compare.h"
#include "compare_gate.h"
#include "core/fs.h"
#include "core/intern.h"
#include "core/mem.h"
#include "core/units.h"
#include "fleet.h"
#include "parts.h"
#include "view_json.h"

enum { MOST_CAPTURES = 64, MOST_SESSIONS = 1000, MOST_MAP_BYTES = 1 << 24 };

struct compare_options {
    struct cli_common common;
    int format, schema;
    struct view_choice_texts choice;
    const char *map, *smallest_effect, *cards, *prices;
    struct compare_gate_options gate;
    bool is_fleet, fail_on_outlier, redact;
    const char *output, *each, *pseudonyms;
    int paper;
    struct cli_trust_options trust;
};

static const char *const papers[] = {[RL_PAPER_A4] = "a4", [RL_PAPER_LETTER] = "letter", NULL};

static const struct cli_option options[] = {
    {0, "json", CLI_SELECT, offsetof(struct compare_options, format), .low = COMPARE_JSON,
     .help = "everything as JSON, version 2: units are SI base units, keys are stable (docs/schema/changes.json)"},
    {0, "markdown", CLI_SELECT, offsetof(struct compare_options, format), .low = COMPARE_MARKDOWN,
     .help = "the summary as Markdown, for a review comment"},
    {0, "csv", CLI_SELECT, offsetof(struct compare_options, format), .low = COMPARE_CSV,
     .help = "one row for each kernel and capture as CSV: units are SI base units, an empty cell is a missing value; with --fleet "
             "one for each slower GPU or link, for tickets"},
    {0, "values", CLI_SELECT, offsetof(struct compare_options, format), .low = COMPARE_VALUES,
     .help = "with --fleet: one row for each figure of each GPU and link as CSV, for databases"},
    {0, "schema", CLI_INT, offsetof(struct compare_options, schema), "VERSION", .low = CLI_JSON_OLD, .high = CLI_JSON_VERSION,
     .help = "version of the JSON: 2 (default), or 1, which has no reasons for what is null"},
    CLI_CHOICE_OPTIONS(compare_options, choice),
    {0, "match", CLI_INPUT, offsetof(struct compare_options, map), "FILE",
     .help = "which kernel is which where names changed: lines 'NAME => NAME', base first"},
    COMPARE_GATE_OPTIONS(compare_options, gate),
    {0, "smallest-effect", CLI_TEXT, offsetof(struct compare_options, smallest_effect), "PCT",
     .help = "the smallest change that matters, in percent (default 1): smaller ones are SAME when that can be shown"},
    {0, "project", CLI_TEXT, offsetof(struct compare_options, cards), "CARD,...",
     .help = "what the base's launches could do on cards that are not at hand ('rooflight list cards'): least time under their "
             "roofs and occupancy, labelled projected; BASE alone is enough then"},
    {0, "price", CLI_TEXT, offsetof(struct compare_options, prices), "PRICE,...",
     .help =
         "of several cards: what an hour of each costs, the base's first, in one currency: then what a launch costs is compared "
         "too"},
    {0, "fleet", CLI_FLAG, offsetof(struct compare_options, is_fleet),
     .help =
         "compare many GPUs of one kind with each other, from files and folders: who is slower than the others, by how much, why"},
    {'o', "output", CLI_OUTPUT, offsetof(struct compare_options, output), "FILE",
     .help = "write a document to FILE (PDF): a page that says it, then the evidence"},
    {0, "paper", CLI_CHOICE, offsetof(struct compare_options, paper), "SIZE", .help = "a4 (default) or letter", .choices = papers},
    {0, "fail-on-outlier", CLI_FLAG, offsetof(struct compare_options, fail_on_outlier),
     .help = "with --fleet: exit with status 3 when a GPU is slower than the others"},
    {0, "each", CLI_FOLDER, offsetof(struct compare_options, each), "DIR",
     .help = "with --fleet: also write a report of each capture to the folder DIR, made in parallel", .ending = " .pdf"},
    {0, "redact", CLI_FLAG, offsetof(struct compare_options, redact), NULL,
     .help =
         "leave names of files, and of the captures all but figures, names of kernels and words that this program knows, out of "
         "what is printed and written"},
    {0, "pseudonyms", CLI_TEXT, offsetof(struct compare_options, pseudonyms), "KEY",
     .help = "with --redact: names of kernels go, too; the same KEY makes the same names of them, and nobody without it can"},
    CLI_TRUST_OPTIONS(compare_options),
    {0},
};

/* A percentage as a fraction. */
static enum rl_status parse_percent(const char *option, const char *text, double least, double most, double *fraction,
                                    struct rl_err *err)
{
    double percent;
    if (!rl_number_parse(text, strlen(text), &percent) || percent < least || percent > most)
        return rl_err_set(err, RL_USAGE, "--%s takes a percentage from %g to %g, not '%s'", option, least, most, text);
    *fraction = percent / 100;
    return RL_OK;
}

/* "2.5,1.2": one for each capture. */
static enum rl_status parse_prices(const char *list, double *prices, size_t count, struct rl_err *err)
{
    size_t found = 0;
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL, found++) {
        double price;
        if (!rl_number_parse(at, strcspn(at, ","), &price) || price <= 0 || price > 1e6)
            return rl_err_set(err, RL_USAGE, "--price takes prices of an hour over 0, not '%.*s'", (int)strcspn(at, ","), at);
        if (found < count)
            prices[found] = price;
    }
    if (found != count)
        return rl_err_set(err, RL_USAGE, "--price takes one price for each capture, the base's first: %zu, not %zu", count, found);
    return RL_OK;
}

static enum rl_status read_map(const char *path, struct rl_match_map *map, struct rl_err *err)
{
    struct rl_buf text = RL_BUF_INIT;
    enum rl_status status = rl_read_file(path, MOST_MAP_BYTES, &text, err);
    if (status == RL_OK)
        status = rl_match_map_parse(text.data, text.len, path, map, err);
    rl_buf_release(&text);
    return status;
}

/* 1 for the first GPU of all captures, the same number for the same GPU; 0: its UUID is not known. */
static size_t number_of(struct compare *compare, const char *uuid)
{
    size_t i = 0;
    if (!uuid)
        return 0;
    while (i < compare->uuid_count && strcmp(compare->uuids[i], uuid) != 0)
        i++;
    if (i == compare->uuid_count) {
        RL_GROW(compare->uuids, i + 1, compare->uuid_cap);
        compare->uuids[compare->uuid_count++] = rl_strdup(uuid);
    }
    return i + 1;
}

/* From here on the part is a redacted copy without the name of its file. Whether two captures are of one card still shows. */
static enum rl_status redact_part(struct compare *compare, struct compare_part *part, size_t place, const char *key,
                                  struct rl_err *err)
{
    if (place == 0)
        cli_redaction_init(&compare->redaction, key, &part->bytes);
    size_t *numbers = rl_calloc(part->capture->gpu_count, sizeof *numbers);
    for (size_t i = 0; i < part->capture->gpu_count; i++)
        numbers[i] = number_of(compare, part->capture->gpus[i].uuid);
    if (place >= compare->count)
        snprintf(part->alias, sizeof part->alias, "session-%zu.rlcap", place + 1);
    else if (place > 1)
        snprintf(part->alias, sizeof part->alias, "new-%zu.rlcap", place);
    else
        snprintf(part->alias, sizeof part->alias, "%s.rlcap", place ? "new" : "base");
    part->path = part->alias;
    enum rl_status status = cli_redact_capture(&part->bytes, &part->capture, &compare->redaction, numbers, NULL, err);
    free(numbers);
    return status;
}

static enum rl_status read_part(const struct cli_call *call, struct compare *compare, size_t place, struct rl_err *err)
{
    struct compare_part *part = &compare->parts[place];
    const struct compare_options *chosen = call->options;
    rl_buf_init(&part->bytes);
    enum rl_status status = cli_read_capture(part->path, &compare->trust, &part->bytes, &part->capture, err);
    if (status != RL_OK)
        return status;
    if (!part->capture->session.complete)
        cli_say(call, "'%s' is incomplete; what was finished is compared", part->path);
    if (rl_capture_signed(part->capture) == RL_BROKEN)
        cli_say(call, "the signature of '%s' is BROKEN", part->path);
    if (chosen->redact && (status = redact_part(compare, part, place, chosen->pseudonyms, err)) != RL_OK)
        return status;
    part->analysis = rl_analysis_new(part->capture);
    return RL_OK;
}

/* The last `depth` parts of a path. */
static const char *end_of(const char *path, size_t depth)
{
    const char *at = path + strlen(path);
    for (; at > path; at--)
        if (at[-1] == '/' && --depth == 0)
            break;
    return at;
}

static bool names_differ(const struct compare *compare)
{
    struct rl_intern seen = {0};
    bool differ = true;
    for (size_t i = 0; i < compare->read && differ; i++)
        (void)rl_intern(&seen, 0, compare->parts[i].name, &differ);
    rl_intern_release(&seen);
    return differ;
}

/* "before/app.rlcap" and "after/app.rlcap": as much of the paths as tells them apart. */
static void name_parts(struct compare *compare)
{
    enum { MOST_DEPTH = 8 };
    for (size_t depth = 1; depth <= MOST_DEPTH; depth++) {
        for (size_t i = 0; i < compare->read; i++)
            compare->parts[i].name = end_of(compare->parts[i].path, depth);
        if (names_differ(compare))
            return;
    }
}

static enum rl_status compare_part(const struct compare *compare, struct compare_part *part, double smallest_effect,
                                   const struct rl_match_map *map, struct rl_err *err)
{
    struct rl_compare_session *more = rl_calloc(compare->read - compare->count, sizeof *more);
    for (size_t i = compare->count; i < compare->read; i++)
        more[i - compare->count] = (struct rl_compare_session){compare->parts[i].analysis, compare->parts[i].name};
    const struct rl_compare_options wanted = {.smallest_effect = smallest_effect,
                                              .more = {more, more + compare->more[0]},
                                              .more_count = {compare->more[0], compare->more[1]},
                                              .map = map,
                                              .base_name = compare->parts[0].name,
                                              .new_name = part->name};
    const enum rl_status status = rl_comparison_new(compare->parts[0].analysis, part->analysis, &wanted, &part->against_base, err);
    free(more);
    return status;
}

static void release(struct compare *compare)
{
    project_release(&compare->project);
    cli_trust_close(&compare->trust);
    rl_columns_free(compare->columns);
    for (size_t i = 0; i < compare->read; i++) {
        rl_gate_free(compare->parts[i].gate);
        rl_comparison_free(compare->parts[i].against_base);
        rl_analysis_free(compare->parts[i].analysis);
        rl_capture_free(compare->parts[i].capture);
        rl_buf_release(&compare->parts[i].bytes);
    }
    for (size_t i = 0; i < compare->uuid_count; i++)
        free(compare->uuids[i]);
    free(compare->uuids);
    free(compare->parts);
}

static enum rl_status print(const struct cli_call *call, const struct compare *compare, struct rl_err *err)
{
    const struct compare_options *chosen = call->options;
    const struct view_choice_texts *texts = &chosen->choice;
    struct compare_print print = {.form = (enum compare_form)chosen->format,
                                  .version = chosen->schema ? chosen->schema : CLI_JSON_VERSION,
                                  .width = call->terminal.width,
                                  .bold = call->terminal.bold};
    struct view_choice *choice = NULL;
    enum rl_status status = RL_OK;
    if (texts->columns || texts->sort || texts->where)
        status = view_choice_new(&view_record_pair, texts, &choice, err);
    print.choice = choice;
    if (status == RL_OK)
        compare_print(compare, &print, call->out);
    view_choice_free(choice);
    return status;
}

/* Without the ending ".rlcap". */
static size_t stem_length(const char *name)
{
    static const char ending[] = ".rlcap";
    const size_t len = strlen(name), end = strlen(ending);
    return len > end && strcmp(name + len - end, ending) == 0 ? len - end : len;
}

/* Captures of one model are told apart by their files. */
static void tell_apart(struct compare *compare)
{
    struct rl_columns *columns = compare->columns;
    bool *twice = rl_calloc(columns->count, sizeof *twice);
    for (size_t i = 0; i < columns->count; i++)
        for (size_t j = 0; j < columns->count; j++)
            twice[i] |= i != j && strcmp(columns->columns[i].card, columns->columns[j].card) == 0;
    for (size_t i = 0; i < columns->count; i++)
        if (twice[i])
            columns->columns[i].card = rl_arena_printf(&columns->arena, "%s (%.*s)", columns->columns[i].card,
                                                       (int)stem_length(compare->parts[i].name), compare->parts[i].name);
    free(twice);
}

static void relate_cards(struct compare *compare, const double *prices)
{
    if (!compare_is_of_cards(compare))
        return;
    compare->columns = rl_columns_new(&compare->parts[1].against_base->base);
    for (size_t i = 1; i < compare->count; i++)
        rl_columns_add(compare->columns, compare->parts[i].against_base);
    for (size_t i = 0; i < compare->count; i++)
        compare->columns->columns[i].price = prices[i];
    tell_apart(compare);
}

static enum rl_status make_document(const struct cli_call *call, const struct compare *compare, struct rl_err *err)
{
    const struct compare_options *chosen = call->options;
    const struct rl_report_options make = {
        .paper = (enum rl_paper)chosen->paper, .tool_version = CLI_VERSION, .redacted = chosen->redact};
    struct rl_compare_part *parts = rl_calloc(compare->count, sizeof *parts);
    struct rl_buf pdf = RL_BUF_INIT, size = RL_BUF_INIT;
    for (size_t i = 0; i < compare->count; i++)
        parts[i] = (struct rl_compare_part){.name = compare->parts[i].name,
                                            .analysis = compare->parts[i].analysis,
                                            .comparison = compare->parts[i].against_base,
                                            .gate = compare->parts[i].gate,
                                            .bytes = compare->parts[i].bytes.data,
                                            .len = compare->parts[i].bytes.len};
    const struct rl_compare_report what = {.parts = parts,
                                           .count = compare->count,
                                           .columns = compare->columns,
                                           .projections = (const struct rl_projection *const *)compare->project.cards,
                                           .projection_count = compare->project.count};
    enum rl_status status = cli_reports->make_comparison(&what, &make, &pdf, err);
    if (status == RL_OK)
        status = rl_write_file_atomic(chosen->output, pdf.data, pdf.len, err);
    if (status == RL_OK) {
        rl_unit_format_ascii(&size, RL_UNIT_BYTE, (double)pdf.len, 3);
        cli_say(call, "wrote %s (%s)", chosen->output, size.data);
    }
    rl_buf_release(&size);
    rl_buf_release(&pdf);
    free(parts);
    return status;
}

/* Everything that options say, before the first capture is read. */
static enum rl_status prepare(const struct compare_options *chosen, struct compare *compare, double *smallest_effect,
                              struct rl_match_map *map, struct rl_err *err)
{
    enum rl_status status = compare_gate_rules(&chosen->gate, compare, err);
    if (status == RL_OK && chosen->smallest_effect)
        status = parse_percent("smallest-effect", chosen->smallest_effect, 0.01, 50, smallest_effect, err);
    if (status == RL_OK && chosen->output && !cli_reports)
        status = rl_err_set(err, RL_UNSUPPORTED, "%s", cli_no_reports);
    if (status == RL_OK)
        status = cli_trust_open(&chosen->trust, &compare->trust, err);
    if (status == RL_OK && chosen->map)
        status = read_map(chosen->map, map, err);
    return status;
}

/* ---- many GPUs ---- */

static enum rl_status run_fleet(const struct cli_call *call, struct rl_err *err)
{
    static const enum cli_fleet_format formats[] = {[COMPARE_TEXT] = CLI_FLEET_TEXT,
                                                    [COMPARE_JSON] = CLI_FLEET_JSON,
                                                    [COMPARE_MARKDOWN] = CLI_FLEET_MARKDOWN,
                                                    [COMPARE_CSV] = CLI_FLEET_CSV,
                                                    [COMPARE_VALUES] = CLI_FLEET_VALUES};
    const struct compare_options *chosen = call->options;
    struct cli_fleet_options fleet = {.output = chosen->output,
                                      .each = chosen->each,
                                      .format = formats[chosen->format],
                                      .paper = chosen->paper,
                                      .redact = chosen->redact,
                                      .pseudonyms = chosen->pseudonyms,
                                      .trust = chosen->trust,
                                      .fail_on_outlier = chosen->fail_on_outlier};
    if (chosen->redact && chosen->each)
        return rl_err_set(err, RL_USAGE, "--redact does not go with --each: make the reports with 'rooflight report --redact'");
    const char *const gate = compare_gate_option(&chosen->gate);
    const char *const misplaced = chosen->map              ? "match"
                                  : chosen->cards          ? "project"
                                  : chosen->prices         ? "price"
                                  : gate                   ? gate
                                  : chosen->schema         ? "schema"
                                  : chosen->choice.columns ? "columns"
                                  : chosen->choice.sort    ? "sort"
                                  : chosen->choice.where   ? "where"
                                                           : NULL;
    if (misplaced)
        return rl_err_set(err, RL_USAGE, "--%s does not go with --fleet", misplaced);
    enum rl_status status = RL_OK;
    if (chosen->smallest_effect)
        status = parse_percent("smallest-effect", chosen->smallest_effect, 0.01, 50, &fleet.least, err);
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
    if (chosen->each || chosen->fail_on_outlier || chosen->format == COMPARE_VALUES)
        return rl_err_set(err, RL_USAGE, "--values, --each and --fail-on-outlier need --fleet");
    if (call->operand_count < 2 && compare_gate_option(&chosen->gate))
        return rl_err_set(err, RL_USAGE, "--%s needs a capture to compare with '%s'", compare_gate_option(&chosen->gate),
                          call->operands[0]);
    if (call->operand_count < 2 && chosen->format == COMPARE_CSV)
        return rl_err_set(err, RL_USAGE, "--csv needs a capture to compare with '%s', or --fleet", call->operands[0]);
    return RL_OK;
}

/* ---- the command ---- */

/* In the order of struct compare; with "--" what stands before it are sessions of the base, what stands behind it of
 * the new one. */
static void place_parts(const struct cli_call *call, struct compare *compare)
{
    const size_t all = call->operand_count, behind = cli_operands_behind_dashes(call), bases = all - behind;
    compare->count = behind ? 2 : all;
    if (behind) {
        compare->more[0] = bases - 1;
        compare->more[1] = behind - 1;
    }
    for (size_t i = 0; i < all; i++) {
        const bool first = i == 0 || (behind && i == bases), of_new = behind && i >= bases;
        const size_t place = !behind ? i : first ? of_new : of_new ? i : i + 1;
        compare->parts[place].path = call->operands[i];
    }
}

static enum rl_status run_pairs(const struct cli_call *call, struct rl_err *err)
{
    const struct compare_options *chosen = call->options;
    struct compare compare = {.parts = rl_calloc(call->operand_count, sizeof *compare.parts), .verbose = call->verbose};
    struct rl_match_map map = {0};
    const struct rl_card_info *cards[PROJECT_MOST_CARDS];
    double prices[MOST_CAPTURES] = {0};
    size_t card_count = 0;
    double smallest_effect = 0;
    enum rl_status status = prepare(chosen, &compare, &smallest_effect, &map, err);
    if (status == RL_OK && chosen->cards)
        status = project_parse(chosen->cards, cards, &card_count, err);
    if (status == RL_OK && chosen->prices)
        status = parse_prices(chosen->prices, prices, call->operand_count, err);
    place_parts(call, &compare);
    for (size_t i = 0; i < call->operand_count && status == RL_OK; i++, compare.read++)
        status = read_part(call, &compare, i, err);
    name_parts(&compare);
    for (size_t i = 1; i < compare.count && status == RL_OK; i++)
        status = compare_part(&compare, &compare.parts[i], smallest_effect, &map, err);
    if (status == RL_OK && chosen->prices && !compare_is_of_cards(&compare))
        status = rl_err_set(err, RL_USAGE, "--price compares cards of different models: these captures are of one");
    if (status == RL_OK) {
        project_make(&compare.project, compare.parts[0].analysis, cards, card_count);
        relate_cards(&compare, prices);
        compare_gate_run(&compare);
        status = print(call, &compare, err);
        if (status == RL_OK && chosen->output)
            status = make_document(call, &compare, err);
    }
    if (status == RL_OK)
        status = compare_gate_write(call, &chosen->gate, &compare, err);
    if (status == RL_OK)
        status = compare_gate_status(&compare, err);
    rl_match_map_release(&map);
    release(&compare);
    return status;
}

static enum rl_status run(const struct cli_call *call, struct rl_err *err)
{
    const struct compare_options *chosen = call->options;
    if (chosen->pseudonyms && !chosen->redact)
        return rl_err_set(err, RL_USAGE, "--pseudonyms goes with --redact");
    if (chosen->is_fleet)
        return run_fleet(call, err);
    enum rl_status status = check_pairs(call, err);
    return status == RL_OK ? run_pairs(call, err) : status;
}

const struct cli_command_body cmd_compare = {
    .operands = "BASE [NEW ...] | BASE ... -- NEW ...",
    .least = 1,
    .most = SIZE_MAX,
    .reads_operands = true,
    .about =
        "Compares captures with the first one, kernel by kernel: FASTER, SLOWER, SAME or UNDECIDED, by an interval on the ratio "
        "of the medians that includes what sessions differ; and which metrics moved with it. Kernels are matched by name and "
        "shape, then by name without template arguments, then by NVTX path and order; what was matched how, and what was added "
        "or removed, is printed. No GPU is needed.\n"
        "With --, compares several sessions of one program with several of another: what sessions differ is measured then, "
        "and three on each side tell changes of 1 % that one each cannot.\n"
        "With --fleet, compares many GPUs with each other (captures, and folders with *.rlcap below them): how every ceiling and "
        "every time is distributed, which GPUs stand apart by a robust rule that is corrected for the number of looks, and what "
        "their captures say about the cause.",
    .options = options,
    .options_size = sizeof(struct compare_options),
    .run = run,
};
