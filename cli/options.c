#include "options.h"

#include <getopt.h>

#include "core/suggest.h"
#include "terminal.h"

enum { LONG_VALUE = 256, HELP_COLUMN = 28 };

const struct cli_option cli_common_options[] = {
    {'q', "quiet", CLI_FLAG, offsetof(struct cli_common, quiet), .help = "print nothing but errors"},
    {'v', "verbose", CLI_FLAG, offsetof(struct cli_common, verbose), .help = "print more about what is being done"},
    {'h', "help", CLI_FLAG, offsetof(struct cli_common, help), .help = "print this help"},
    {0},
};
const struct cli_option cli_program_options[] = {
    {0, "version", CLI_FLAG, offsetof(struct cli_common, version), .help = "print the version"},
    {0},
};

/* The command's own rows and the common ones, one after the other, and what getopt_long wants to know of them. */
struct parser {
    const struct cli_option **rows;
    size_t count;
    struct option *longs;
    struct rl_buf shorts;
    bool *seen;
    void *values;
};

static size_t count_rows(const struct cli_option *options)
{
    size_t count = 0;
    while (options && options[count].name)
        count++;
    return count;
}

static bool takes_argument(const struct cli_option *row)
{
    return row->argument != NULL;
}

static void add_row(struct parser *parser, const struct cli_option *row)
{
    assert(takes_argument(row) == (row->kind != CLI_FLAG && row->kind != CLI_SELECT));
    assert((row->kind != CLI_INT && row->kind != CLI_MAYBE && row->kind != CLI_COUNT) || row->high <= INT_MAX);
    assert(row->kind != CLI_MAYBE || !row->letter);
    assert(row->kind != CLI_CHOICE || row->choices);
    parser->longs[parser->count] = (struct option){.name = row->name,
                                                   .has_arg = row->kind == CLI_MAYBE ? optional_argument
                                                              : takes_argument(row)  ? required_argument
                                                                                     : no_argument,
                                                   .val = LONG_VALUE + (int)parser->count};
    parser->rows[parser->count++] = row;
    if (row->letter)
        rl_buf_addf(&parser->shorts, "%c%s", row->letter, takes_argument(row) ? ":" : "");
}

static void parser_init(struct parser *parser, const struct cli_option *options, bool stop_at_operand, void *values)
{
    const size_t own = count_rows(options), common = count_rows(cli_common_options), most = own + common;
    *parser = (struct parser){.rows = rl_calloc(most, sizeof *parser->rows),
                              .longs = rl_calloc(most + 1, sizeof *parser->longs),
                              .seen = rl_calloc(most, sizeof *parser->seen),
                              .shorts = RL_BUF_INIT,
                              .values = values};
    rl_buf_adds(&parser->shorts, stop_at_operand ? "+:" : ":");
    for (size_t i = 0; i < own; i++)
        add_row(parser, &options[i]);
    for (size_t i = 0; i < common; i++)
        add_row(parser, &cli_common_options[i]);
}

/* The row that getopt_long means by `code`; parser->count when there is none. */
static size_t row_of(const struct parser *parser, int code)
{
    if (code >= LONG_VALUE)
        return (size_t)(code - LONG_VALUE);
    return RL_FIRST(i, parser->count, code != 0 && parser->rows[i]->letter == code);
}

bool cli_parse_number(const char *text, uint64_t low, uint64_t high, uint64_t *number)
{
    if (!*text || text[strspn(text, "0123456789")])
        return false;
    errno = 0;
    unsigned long long value = strtoull(text, NULL, 10);
    if (errno || value < low || value > high)
        return false;
    *number = value;
    return true;
}

static enum rl_status store_number(const struct cli_option *row, void *member, const char *text, struct rl_err *err)
{
    uint64_t number;
    if (!cli_parse_number(text, row->low, row->high, &number))
        return rl_err_set(err, RL_USAGE, "option '--%s': '%s' is not a whole number from %llu to %llu", row->name, text,
                          (unsigned long long)row->low, (unsigned long long)row->high);
    if (row->kind != CLI_UINT64)
        *(int *)member = (int)number;
    else
        *(uint64_t *)member = number;
    return RL_OK;
}

static enum rl_status store_choice(const struct cli_option *row, void *member, const char *text, struct rl_err *err)
{
    RL_SCRATCH known = RL_BUF_INIT;
    for (int i = 0; row->choices[i]; i++) {
        if (strcmp(text, row->choices[i]) == 0) {
            *(int *)member = i;
            return RL_OK;
        }
        rl_buf_addf(&known, "%s'%s'", i ? " or " : "", row->choices[i]);
    }
    rl_err_set(err, RL_USAGE, "option '--%s': '%s' is not %s", row->name, text, known.data);
    return RL_USAGE;
}

static enum rl_status store_count(const struct cli_option *row, void *member, const char *text, struct rl_err *err)
{
    uint64_t number = strcmp(text, "all") == 0 ? INT_MAX : 0;
    const size_t len = strlen(text);
    RL_FREED char *digits = rl_strndup(text, row->percent && len && text[len - 1] == '%' ? len - 1 : len);
    const bool parsed = strcmp(text, "none") == 0 || number || cli_parse_number(digits, row->low, row->high, &number);
    if (!parsed)
        return rl_err_set(err, RL_USAGE, "option '--%s': '%s' is not 'all', 'none' or a whole number from %llu to %llu", row->name,
                          text, (unsigned long long)row->low, (unsigned long long)row->high);
    *(int *)member = number ? (int)number : -1;
    return RL_OK;
}

/* The other row that set the same member, or NULL. */
static const struct cli_option *rival_of(const struct parser *parser, size_t index)
{
    for (size_t i = 0; i < parser->count; i++) {
        if (i != index && parser->seen[i] && parser->rows[i]->kind == CLI_SELECT &&
            parser->rows[i]->offset == parser->rows[index]->offset)
            return parser->rows[i];
    }
    return NULL;
}

static enum rl_status store_flag(const struct cli_option *row, void *member, const char *text, struct rl_err *err)
{
    (void)row, (void)text, (void)err;
    *(bool *)member = true;
    return RL_OK;
}

static enum rl_status store_selected(const struct cli_option *row, void *member, const char *text, struct rl_err *err)
{
    (void)text, (void)err;
    *(int *)member = (int)row->low;
    return RL_OK;
}

static enum rl_status store_text(const struct cli_option *row, void *member, const char *text, struct rl_err *err)
{
    *(const char **)member = text;
    return *text ? RL_OK : rl_err_set(err, RL_USAGE, "option '--%s' needs a %s that is not empty", row->name, row->argument);
}

static enum rl_status store_maybe(const struct cli_option *row, void *member, const char *text, struct rl_err *err)
{
    *(int *)member = -1;
    if (!text)
        return RL_OK;
    return row->choices ? store_choice(row, member, text, err) : store_number(row, member, text, err);
}

static enum rl_status store(struct parser *parser, size_t index, const char *text, struct rl_err *err)
{
    assert(index < parser->count && parser->rows[index]);
    const struct cli_option *row = parser->rows[index];
    const struct cli_option *rival = row->kind == CLI_SELECT ? rival_of(parser, index) : NULL;
    parser->seen[index] = true;
    if (rival)
        return rl_err_set(err, RL_USAGE, "options '--%s' and '--%s' exclude each other", rival->name, row->name);
    static enum rl_status (*const stores[])(const struct cli_option *, void *, const char *, struct rl_err *) = {
        [CLI_FLAG] = store_flag,   [CLI_SELECT] = store_selected, [CLI_TEXT] = store_text,     [CLI_INPUT] = store_text,
        [CLI_OUTPUT] = store_text, [CLI_GROWING] = store_text,    [CLI_FOLDER] = store_text,   [CLI_MAYBE] = store_maybe,
        [CLI_INT] = store_number,  [CLI_UINT64] = store_number,   [CLI_CHOICE] = store_choice, [CLI_COUNT] = store_count};
    assert((size_t)row->kind < RL_COUNT(stores) && stores[row->kind]);
    return stores[row->kind](row, (char *)parser->values + row->offset, text, err);
}

/* getopt_long said '?' or ':'; `word` is the argument it was looking at. */
static enum rl_status refuse(struct parser *parser, int code, const char *word, struct rl_err *err)
{
    size_t index = row_of(parser, optopt);
    const struct cli_option *row = index < parser->count ? parser->rows[index] : NULL;
    if (code == ':' && row)
        return rl_err_set(err, RL_USAGE, "option '%s' needs an argument: %s", word, row->argument);
    if (row)
        return rl_err_set(err, RL_USAGE, "option '--%s' takes no argument", row->name);
    if (optopt)
        return rl_err_set(err, RL_USAGE, "unknown option '-%c'", optopt);
    /* "--jsn" (or "--jsn=1") is none of ours, or short for more than one of them. */
    const char **names = rl_calloc(parser->count, sizeof *names);
    RL_FREED char *name = rl_strndup(word + 2, strcspn(word + 2, "="));
    RL_SCRATCH matches = RL_BUF_INIT;
    size_t count = 0;
    for (size_t i = 0; i < parser->count; i++) {
        names[count] = parser->rows[i]->name;
        if (strncmp(names[count], name, strlen(name)) == 0)
            rl_buf_addf(&matches, "%s'--%s'", matches.len ? " or " : "", names[count]);
        count++;
    }
    const char *nearest = rl_suggest_nearest(name, names, count);
    if (matches.len)
        rl_err_set(err, RL_USAGE, "option '--%s' is ambiguous: %s?", name, matches.data);
    else if (nearest)
        rl_err_set(err, RL_USAGE, "unknown option '--%s', did you mean '--%s'?", name, nearest);
    else
        rl_err_set(err, RL_USAGE, "unknown option '--%s'", name);
    free(names);
    return RL_USAGE;
}

/* Counts what getopt_long has put in front of the operands, when that is a "--" and not the argument of an option. */
static const char *find_dashes(char **argv, int first, const char *last_argument)
{
    const char *before = first > 1 ? argv[first - 1] : NULL;
    return before && before != last_argument && strcmp(before, "--") == 0 ? before : NULL;
}

enum rl_status cli_options_parse(const struct cli_option *options, bool stop_at_operand, int argc, char **argv, void *values,
                                 int *first, struct rl_err *err)
{
    struct parser parser;
    parser_init(&parser, options, stop_at_operand, values);
    enum rl_status status = RL_OK;
    opterr = 0;
    optind = 0; /* glibc: start anew, also after an earlier scan */
    int code;
    const char *last_argument = NULL;
    while (status == RL_OK && (code = getopt_long(argc, argv, parser.shorts.data, parser.longs, NULL)) != -1) {
        if (code == '?' || code == ':')
            status = refuse(&parser, code, argv[optind - 1], err);
        else
            status = store(&parser, row_of(&parser, code), last_argument = optarg, err);
    }
    *first = optind;
    ((struct cli_common *)values)->dashes = find_dashes(argv, optind, last_argument);
    RL_FREE(parser.rows, parser.longs, parser.seen);
    rl_buf_release(&parser.shorts);
    return status;
}

void cli_help_entry(const char *head, size_t lead, const char *text, size_t column, size_t width, struct rl_buf *out)
{
    enum { NARROW = 60, NARROW_INDENT = 4 };
    const size_t used = lead + strlen(head);
    if (width < NARROW)
        column = NARROW_INDENT;
    rl_buf_fill(out, ' ', lead);
    cli_wrap_whole(out, head, lead, NARROW_INDENT, width);
    if (used + 2 > column)
        rl_buf_addch(out, '\n');
    rl_buf_fill(out, ' ', used + 2 > column ? column : column - used);
    cli_wrap_whole(out, text, column, column, width);
    rl_buf_addch(out, '\n');
}

static void help_rows(const struct cli_option *options, size_t width, struct rl_buf *out)
{
    enum { OF_LETTERS = 2, OF_NAMES = 6 };
    for (; options && options->name; options++) {
        RL_SCRATCH head = RL_BUF_INIT;
        if (options->group)
            rl_buf_addf(out, "%s:\n", options->group);
        if (options->letter)
            rl_buf_addf(&head, "-%c, ", options->letter);
        rl_buf_addf(&head, "--%s", options->name);
        /* "[=MHZ]" or " FILE" behind the option's name. */
        if (options->kind == CLI_MAYBE)
            rl_buf_addf(&head, "[=%s]", options->argument);
        else if (takes_argument(options))
            rl_buf_addf(&head, " %s", options->argument);
        cli_help_entry(head.data, options->letter ? OF_LETTERS : OF_NAMES, options->help, HELP_COLUMN, width, out);
    }
}

void cli_options_help(const struct cli_option *options, size_t width, struct rl_buf *out)
{
    const bool grouped = options && options->name && options->group;
    rl_buf_adds(out, grouped ? "" : "Options:\n");
    help_rows(options, width, out);
    rl_buf_adds(out, grouped ? "General:\n" : "");
    help_rows(cli_common_options, width, out);
}
