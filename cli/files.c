/* files.c - which files a command reads and writes, as the table of its options says. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "core/arena.h"
#include "core/mem.h"
#include "core/outputs.h"

struct uses {
    struct rl_file_use *list;
    size_t count, cap;
    struct rl_arena arena;
};

static void add(struct uses *uses, enum rl_file_role role, const char *path, const char *who, const char *endings)
{
    RL_GROW(uses->list, uses->count + 1, uses->cap);
    uses->list[uses->count++] = (struct rl_file_use){role, path, who, endings};
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

static void add_option(struct uses *uses, const struct cli_option *row, enum rl_file_role role, const char *path)
{
    const char *who = rl_arena_printf(&uses->arena, "--%s", row->name);
    if (role == RL_FILE_WRITTEN && cli_is_stdin(path))
        return; /* standard output, which is told apart by itself */
    if (row->kind == CLI_GROWING && strchr(path, '%'))
        return; /* the names that it stands for are checked where they are made */
    add(uses, role, path, who, row->ending);
    if (row->kind == CLI_GROWING && may_grow(path))
        add(uses, role, rl_arena_printf(&uses->arena, "%s.partial", path), who, NULL);
}

static void add_options(struct uses *uses, const struct cli_option *rows, const void *options)
{
    static const struct {
        enum cli_option_kind kind;
        enum rl_file_role role;
    } roles[] = {
        {CLI_INPUT, RL_FILE_READ}, {CLI_OUTPUT, RL_FILE_WRITTEN}, {CLI_GROWING, RL_FILE_WRITTEN}, {CLI_FOLDER, RL_FOLDER_WRITTEN}};
    for (const struct cli_option *row = rows; row->name; row++)
        for (size_t i = 0; i < RL_COUNT(roles); i++)
            if (roles[i].kind == row->kind && text_of(row, options))
                add_option(uses, row, roles[i].role, text_of(row, options));
}

bool cli_is_stdin(const char *path)
{
    return strcmp(path, "-") == 0;
}

const char *cli_file_name(const char *path)
{
    return cli_is_stdin(path) ? "standard input" : path;
}

/* The operands that are files. Standard input may be one of them where the command says so, and it can be read once. */
static enum rl_status add_operands(struct uses *uses, const struct cli_call *call, const char *who, struct rl_err *err)
{
    const bool own = call->body->reads_stdin || !((const struct cli_common *)call->options)->dashes; /* a program's are its own */
    bool taken = false;
    for (size_t i = 0; i < call->operand_count; i++) {
        const bool streamed = own && cli_is_stdin(call->operands[i]);
        if (streamed && !call->body->reads_stdin)
            return rl_err_set(err, RL_USAGE, "'-' is standard input, which this command does not read: give a file ('./-' is one)");
        if (streamed && taken)
            return rl_err_set(err, RL_USAGE, "standard input can be read once: give '-' once");
        taken |= streamed;
        add(uses, RL_FILE_READ, streamed ? "/dev/stdin" : call->operands[i], who, NULL);
    }
    return RL_OK;
}

enum rl_status cli_declare_files(const struct cli_call *call, const char *const *also_read, size_t count, struct rl_err *err)
{
    static const char input[] = "the input";
    struct uses uses = {.arena = RL_ARENA_INIT};
    add_options(&uses, call->body->options, call->options);
    enum rl_status status = call->body->reads_operands ? add_operands(&uses, call, input, err) : RL_OK;
    for (size_t i = 0; i < count; i++)
        add(&uses, RL_FILE_READ, also_read[i], input, NULL);
    if (call->body->reads_operands && !((const struct cli_common *)call->options)->dashes) /* a program's is its own */
        add(&uses, RL_FILE_OPEN, "/dev/stdout", "standard output", NULL);
    if (status == RL_OK)
        status = rl_outputs_declare(uses.list, uses.count, err);
    free(uses.list);
    rl_arena_release(&uses.arena);
    return status;
}

/* "h200.pdf" for "captures/h200.rlcap". */
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

static void add_default(const struct cli_option *row, const char *ending, const char *operand, struct rl_buf *name)
{
    operand = cli_is_stdin(operand) ? "stdin" : operand;
    const char *slash = strrchr(operand, '/'), *base = slash ? slash + 1 : operand, *dot = strrchr(base, '.');
    const char *replaced = *row->replaces ? row->replaces : dot ? dot : "";
    size_t len = strlen(base), end = strlen(replaced);
    if (len > end && strcmp(base + len - end, replaced) == 0)
        len -= end;
    rl_buf_add(name, base, len);
    rl_buf_adds(name, ending);
}

void cli_default_output(const struct cli_command_body *body, const char *operand, struct cli_common *options, struct rl_buf *name)
{
    for (const struct cli_option *row = body->options; row->name; row++)
        if (row->kind == CLI_OUTPUT && row->ending && !text_of(row, options)) {
            add_default(row, ending_of(body->options, row, options), operand, name);
            *(const char **)((char *)options + row->offset) = name->data;
            options->by_default = true;
        }
}
