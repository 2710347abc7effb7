#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "command.h"
#include "core/suggest.h"
#include "parts.h"

/* ---- the table of commands ---- */

#define COMMAND(name, body, needs, summary) extern const struct cli_command_body body;
#include "commands.def"

const struct cli_command cli_commands[] = {
#define COMMAND(name, body, needs, summary) {name, &body, needs, summary},
#include "commands.def"
};
const size_t cli_command_count = RL_COUNT(cli_commands);

/* NULL when there is none. */
static const struct cli_command *command_find(const char *name)
{
    return RL_FIND(i, cli_commands, cli_command_count, strcmp(cli_commands[i].name, name) == 0);
}

enum { MOST_WIDTH = 80, SUMMARY_COLUMN = 14 };

static size_t help_width(size_t width)
{
    return width < MOST_WIDTH ? width : MOST_WIDTH;
}

static void add_paragraph(const char *text, size_t indent, size_t width, struct rl_buf *out)
{
    cli_wrap_whole(out, text, 0, indent, width);
    rl_buf_adds(out, "\n");
}

/* Help of one command, for a terminal of `width` columns; no line gets longer than 80. */
static void help_command(const struct cli_command *command, size_t width, struct rl_buf *out)
{
    const struct cli_command_body *body = command->body;
    RL_SCRATCH synopsis = RL_BUF_INIT, summary = RL_BUF_INIT;
    width = help_width(width);
    rl_buf_addf(&synopsis, "Usage: rooflight %s", command->name);
    rl_buf_addf(&synopsis, " [OPTION ...]%s%s", *body->operands ? " " : "", body->operands);
    rl_buf_addf(&summary, "%s.", command->summary);
    add_paragraph(synopsis.data, strlen("Usage: "), width, out);
    rl_buf_addch(out, '\n');
    add_paragraph(summary.data, 0, width, out);
    rl_buf_addch(out, '\n');
    add_paragraph(body->about, 0, width, out);
    rl_buf_addch(out, '\n');
    cli_options_help(body->options, width, out);
}

/* The same of the program: the list of all commands. */
static void help_program(size_t width, struct rl_buf *out)
{
    width = help_width(width);
    add_paragraph("Usage: rooflight COMMAND [OPTION ...] [ARGUMENT ...]\nrooflight help COMMAND", strlen("Usage: "), width, out);
    rl_buf_addch(out, '\n');
    add_paragraph("Profiles CUDA programs and finds the resource that limits each kernel.", 0, width, out);
    rl_buf_adds(out, "\nCommands:\n");
    for (size_t i = 0; i < cli_command_count; i++)
        cli_help_entry(cli_commands[i].name, 2, cli_commands[i].summary, SUMMARY_COLUMN, width, out);
    rl_buf_addch(out, '\n');
    cli_options_help(cli_program_options, width, out);
    rl_buf_addch(out, '\n');
    add_paragraph("Exit status: 0 done, 1 failed, 2 wrong usage, 3 the gate of compare fails, 4 it cannot decide.", 0, width, out);
}

static enum rl_status unknown_command(const char *name, struct rl_err *err)
{
    const char **names = rl_calloc(cli_command_count + 1, sizeof *names);
    names[0] = "help";
    for (size_t i = 0; i < cli_command_count; i++)
        names[i + 1] = cli_commands[i].name;
    const char *nearest = rl_suggest_nearest(name, names, cli_command_count + 1);
    free(names);
    if (nearest)
        return rl_err_set(err, RL_USAGE, "unknown command '%s', did you mean '%s'?", name, nearest);
    return rl_err_set(err, RL_USAGE, "unknown command '%s'%s", name, cli_file_hint(name));
}

static enum rl_status act(const struct cli_command *command, struct cli_call *call, struct cli_common *options, char **operands,
                          struct rl_err *err)
{
    const struct cli_command_body *body = command->body;
    RL_SCRATCH output = RL_BUF_INIT;
    if (options->help) {
        help_command(command, call->terminal.width, call->out);
        return RL_OK;
    }
    if (call->operand_count < body->least)
        return rl_err_set(err, RL_USAGE, "%s is missing", body->operands);
    if (call->operand_count > body->most)
        return rl_err_set(err, RL_USAGE, "'%s' is one argument too many", operands[body->most]);
    if ((command->needs & CLI_NEEDS_COLLECTOR) && !cli_collector)
        return rl_err_set(err, RL_UNSUPPORTED, "%s", cli_no_collector);
    if ((command->needs & CLI_NEEDS_REPORTS) && !cli_reports)
        return rl_err_set(err, RL_UNSUPPORTED, "%s", cli_no_reports);
    /* Nothing is begun before its files are known. `output` gets the name of an output without one. */
    if (call->operand_count)
        cli_default_output(body, call->operands[0], options, &output);
    enum rl_status status = cli_declare_files(call, NULL, 0, err);
    if (status == RL_OK)
        cli_say_texts(call);
    RL_THEN(status, cli_choose_formats(call, options, err));
    RL_THEN(status, body->run(call, err));
    return status;
}

/* argv[0] is the command's name. */
static enum rl_status run_command(const struct cli_command *command, int argc, char **argv, struct cli_call *call,
                                  struct rl_err *err)
{
    const struct cli_command_body *body = command->body;
    assert(body->least <= body->most && body->options_size >= sizeof(struct cli_common));
    RL_FREED struct cli_common *options = rl_calloc(1, body->options_size);
    int first = 0;
    enum rl_status status = cli_options_parse(body->options, false, argc, argv, options, &first, err);
    call->body = body;
    call->options = options;
    call->operands = (const char *const *)argv + first;
    call->operand_count = (size_t)(argc - first);
    call->quiet |= options->quiet;
    call->verbose |= options->verbose;
    RL_THEN(status, act(command, call, options, argv + first, err));
    return status;
}

/* `names`: what follows "help", ends with NULL. */
static enum rl_status run_help(char **names, const struct cli_call *call, struct rl_err *err)
{
    const char *name = names[0];
    const struct cli_command *command = name ? command_find(name) : NULL;
    if (name && names[1])
        return rl_err_set(err, RL_USAGE, "'%s' is one argument too many", names[1]);
    if (name && !command)
        return unknown_command(name, err);
    if (command)
        help_command(command, call->terminal.width, call->out);
    else
        help_program(call->terminal.width, call->out);
    return RL_OK;
}

/* The program's own options, then the command's. `*name` gets the command's name once it is known. */
static enum rl_status dispatch(int argc, char **argv, struct cli_call *call, const char **name, struct rl_err *err)
{
    struct cli_common options = {0};
    int first = 1;
    RL_TRY(cli_options_parse(cli_program_options, true, argc, argv, &options, &first, err));
    if (options.help) {
        help_program(call->terminal.width, call->out);
        return RL_OK;
    }
    if (options.version) {
        rl_buf_adds(call->out, "rooflight " CLI_VERSION "\n");
        return RL_OK;
    }
    if (first >= argc)
        return rl_err_set(err, RL_USAGE, "no command given");
    if (strcmp(argv[first], "help") == 0)
        return run_help(argv + first + 1, call, err);
    const struct cli_command *command = command_find(argv[first]);
    if (!command)
        return unknown_command(argv[first], err);
    *name = command->name;
    call->quiet = options.quiet;
    call->verbose = options.verbose;
    return run_command(command, argc - first, argv + first, call, err);
}

/* RL_IO with an empty text when the reader is gone. */
static enum rl_status write_result(const struct rl_buf *out, struct rl_err *err)
{
    if (out->len == 0)
        return RL_OK;
    const int error = rl_write_stdout(out->data, out->len);
    if (error == 0)
        return RL_OK;
    if (error == EPIPE) /* "| head" has seen enough: the status tells who asks for it */
        return rl_err_set(err, RL_IO, "%s", "");
    return rl_err_set(err, RL_IO, "cannot write the result to standard output: %s", strerror(error));
}

static void complain_about(enum rl_status status, const char *name, const struct rl_err *err)
{
    struct rl_err line = *err;
    if (name)
        rl_err_context(&line, status, "%s", name);
    cli_usage_error(line.text);
    if (status == RL_USAGE) {
        RL_SCRATCH hint = RL_BUF_INIT;
        rl_buf_addf(&hint, "try 'rooflight%s%s --help'", name ? " " : "", name ? name : "");
        cli_line(hint.data);
    }
}

int main(int argc, char **argv)
{
    cli_guard_streams();
    cli_guard_signals();
    RL_SCRATCH out = RL_BUF_INIT;
    struct rl_err err = RL_ERR_INIT;
    char **typed = rl_calloc((size_t)argc + 1, sizeof *typed); /* getopt reorders the arguments; captures have them as typed */
    memcpy(typed, argv, (size_t)argc * sizeof *typed);
    const char *name = NULL;
    struct cli_outcome outcome = {0};
    struct cli_call call = {.command = (const char *const *)typed,
                            .command_count = (size_t)argc,
                            .terminal = cli_terminal_of(STDOUT_FILENO),
                            .out = &out,
                            .outcome = &outcome};
    enum rl_status status = dispatch(argc, argv, &call, &name, &err);
    if (status != RL_OK)
        complain_about(status, name, &err);
    enum rl_status written = write_result(&out, &err);
    if (written != RL_OK && *err.text)
        complain_about(written, NULL, &err);
    RL_THEN(status, written);
    free(typed);
    rl_temporaries_remove();
    if (status != RL_OK)
        return rl_status_exit_code(status);
    if (outcome.signal) {
        /* Ends this process by a signal, as the observed program ended, so that a shell sees the same. Its core file is the one of
         * interest. */
        int number = outcome.signal;
        const struct rlimit none = {0, 0};
        sigset_t only;
        (void)setrlimit(RLIMIT_CORE, &none);
        signal(number, SIG_DFL);
        sigemptyset(&only);
        sigaddset(&only, number);
        sigprocmask(SIG_UNBLOCK, &only, NULL);
        raise(number);
    }
    return outcome.status;
}
