/* files.c - which files a command reads and writes, as the table of its options says. */
#include <sys/stat.h>

#include "command.h"
#include "core/outputs.h"

struct uses {
    struct rl_file_use *list;
    size_t count, cap;
    struct rl_arena arena;
    size_t streams; /* how many of them are read from standard input */
};

static void add(struct uses *uses, enum rl_file_role role, const char *path, const char *who, const char *endings)
{
    RL_APPEND(uses->list, uses->count, uses->cap, (struct rl_file_use){role, path, who, endings});
}

static const char *text_of(const struct cli_option *row, const void *options)
{
    return *(const char *const *)((const char *)options + row->offset);
}

/* A device is written to only when the capture is whole. */
static bool may_grow(const char *path)
{
    struct stat info;
    return stat(path, &info) != 0 || S_ISREG(info.st_mode);
}

static void add_input(struct uses *uses, const char *path, bool streamed, const char *who)
{
    uses->streams += streamed;
    add(uses, RL_FILE_READ, streamed ? "/dev/stdin" : path, who, NULL);
}

static void add_option(struct uses *uses, const struct cli_option *row, enum rl_file_role role, const char *path)
{
    const char *who = rl_arena_printf(&uses->arena, "--%s", row->name);
    if (role == RL_FILE_READ) {
        add_input(uses, path, rl_is_stream(path), who);
        return;
    }
    if (role == RL_FILE_WRITTEN && rl_is_stream(path))
        return; /* standard output, which is unique */
    if (row->kind == CLI_GROWING && strchr(path, '%'))
        return; /* the names that it stands for are checked where they are made */
    add(uses, role, path, who, row->ending);
    if (row->kind == CLI_GROWING && may_grow(path))
        add(uses, role, rl_arena_printf(&uses->arena, "%s.partial", path), who, NULL);
}

/* Whether the operands are words of programs, and no files of ours. */
static bool are_programs(const struct cli_call *call)
{
    const size_t behind = cli_operands_behind_dashes(call);
    return call->body->runs_programs && behind && behind == call->operand_count;
}

/* A name with an ending or a folder; other words may be files by chance. */
static bool names_file(const char *text)
{
    struct stat info;
    return strpbrk(text, "./") && stat(text, &info) == 0 && S_ISREG(info.st_mode);
}

void cli_say_texts(const struct cli_call *call)
{
    RL_SCRATCH takers = RL_BUF_INIT;
    for (const struct cli_option *row = call->body->options; row->name; row++)
        if (row->kind == CLI_INPUT)
            rl_buf_addf(&takers, "%s--%s", takers.len ? ", " : "; files are for ", row->name);
    for (const struct cli_option *row = call->body->options; row->name; row++)
        if (row->kind == CLI_TEXT && text_of(row, call->options) && names_file(text_of(row, call->options)))
            cli_say(call, "--%s takes '%s' as a text: the file of that name is not read%s", row->name, text_of(row, call->options),
                    takers.len ? takers.data : "");
}

/* "-" is no folder. */
static enum rl_status check_folders(const struct cli_call *call, struct rl_err *err)
{
    for (const struct cli_option *row = call->body->options; row->name; row++) {
        const bool read = row->kind == CLI_INPUT && strcmp(row->argument, "DIR") == 0;
        const char *path = read || row->kind == CLI_FOLDER ? text_of(row, call->options) : NULL;
        if (path && rl_is_stream(path))
            return rl_err_set(err, RL_USAGE, "--%s takes a folder, and '-' is standard %s: './-' is one", row->name,
                              read ? "input" : "output");
    }
    return RL_OK;
}

/* Standard input may be named once, where the command reads it and no program does. */
static enum rl_status check_streams(const struct cli_call *call, const struct uses *uses, struct rl_err *err)
{
    if (uses->streams && (!call->body->reads_stdin || are_programs(call)))
        return rl_err_set(err, RL_USAGE, "'-' is standard input, which %s: give a file ('./-' is one)",
                          are_programs(call) ? "is the program's" : "this command does not read");
    if (uses->streams > 1)
        return rl_err_set(err, RL_USAGE, "standard input can be read only once: give '-' once");
    return RL_OK;
}

enum rl_status cli_declare_files(const struct cli_call *call, const char *const *also_read, size_t count, struct rl_err *err)
{
    static const char input[] = "the input";
    struct uses uses = {.arena = RL_ARENA_INIT};
    const void *options = call->options;
    static const struct {
        enum cli_option_kind kind;
        enum rl_file_role role;
    } roles[] = {
        {CLI_INPUT, RL_FILE_READ}, {CLI_OUTPUT, RL_FILE_WRITTEN}, {CLI_GROWING, RL_FILE_WRITTEN}, {CLI_FOLDER, RL_FOLDER_WRITTEN}};
    for (const struct cli_option *row = call->body->options; row->name; row++)
        for (size_t i = 0; i < RL_COUNT(roles); i++)
            if (roles[i].kind == row->kind && text_of(row, options))
                add_option(&uses, row, roles[i].role, text_of(row, options));
    if (call->body->reads_operands) {
        for (size_t i = 0; i < call->operand_count; i++)
            add_input(&uses, call->operands[i], !are_programs(call) && rl_is_stream(call->operands[i]), input);
    }
    for (size_t i = 0; i < count; i++)
        add(&uses, RL_FILE_READ, also_read[i], input, NULL);
    if (call->body->reads_operands && !((const struct cli_common *)call->options)->dashes) /* a program's is its own */
        add(&uses, RL_FILE_OPEN, "/dev/stdout", "standard output", NULL);
    enum rl_status status = check_folders(call, err);
    RL_THEN(status, check_streams(call, &uses, err));
    RL_THEN(status, rl_outputs_declare(uses.list, uses.count, err));
    free(uses.list);
    rl_arena_release(&uses.arena);
    return status;
}

size_t cli_operands_behind_dashes(const struct cli_call *call)
{
    const char *dashes = ((const struct cli_common *)call->options)->dashes;
    for (size_t i = 0; i < call->command_count && dashes; i++)
        if (call->command[i] == dashes)
            return call->command_count - i - 1;
    return 0;
}

/* Ending of what is written: of the format that an option chose, or of the row. */
static const char *ending_of(const struct cli_option *rows, const struct cli_option *row, const struct cli_common *options)
{
    for (const struct cli_format *format = row->formats; format && format->ending; format++)
        for (const struct cli_option *select = rows; format->select && select->name; select++)
            if (strcmp(select->name, format->select) == 0 &&
                *(const int *)((const char *)options + select->offset) == (int)select->low)
                return format->ending;
    return row->ending;
}

void cli_default_output(const struct cli_command_body *body, const char *operand, struct cli_common *options, struct rl_buf *name)
{
    for (const struct cli_option *row = body->options; row->name; row++)
        if (row->kind == CLI_OUTPUT && row->ending && !text_of(row, options)) {
            /* "h200.pdf" for "captures/h200.rlcap". */
            const char *ending = ending_of(body->options, row, options);
            operand = rl_is_stream(operand) ? "stdin" : operand;
            const char *slash = strrchr(operand, '/'), *base = slash ? slash + 1 : operand, *dot = strrchr(base, '.');
            const char *replaced = *row->replaces ? row->replaces : dot ? dot : "";
            size_t len = strlen(base), end = strlen(replaced);
            if (len > end && strcmp(base + len - end, replaced) == 0)
                len -= end;
            rl_buf_add(name, base, len);
            rl_buf_adds(name, ending);
            *(const char **)((char *)options + row->offset) = name->data;
            options->by_default = true;
        }
}

/* Only a path begins like this: variants have slashes, too. */
static bool is_path(const char *word)
{
    const size_t dots = strspn(word, ".");
    return dots <= 2 && word[dots] == '/';
}

const char *cli_file_hint(const char *word)
{
    const char *ending = strrchr(word, '.');
    if (ending && strcmp(ending, ".rlcap") == 0)
        return "; to print a capture: rooflight show CAPTURE";
    RL_FREED char *found = rl_find_program(word);
    const bool hinted = found || is_path(word);
    return hinted ? "; to profile a program: rooflight collect -- PROGRAM" : "";
}
