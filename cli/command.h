/* command.h - what a command is, and what it gets.
 *
 * A command appends its result to call->out, which main writes to standard output in one go and checks; it says anything else with
 * cli_say and cli_detail, and returns a status with one line in `err` when it fails. It never prints or exits itself.
 */
#ifndef RL_CLI_COMMAND_H
#define RL_CLI_COMMAND_H

#include "core/core.h"
#include "options.h"
#include "terminal.h"

#define CLI_VERSION RL_PROGRAM_VERSION

/* How the process is to end when the command has observed another one and nothing of ours failed. */
struct cli_outcome {
    int status; /* exit status */
    int signal; /* ends by this signal; 0: none */
    int stop;   /* this signal came to us meanwhile: nothing further is begun; 0: none did */
};

struct cli_call {
    const struct cli_command_body *body;
    const void *options; /* the command's options struct, filled */
    const char *const *operands;
    size_t operand_count;
    const char *const *command; /* everything as typed, program name first */
    size_t command_count;
    bool quiet, verbose;
    struct cli_terminal terminal; /* of standard output */
    struct rl_buf *out;
    struct cli_outcome *outcome;
};

/* Defined by cmd_NAME.c, the only symbol of that file. */
struct cli_command_body {
    const char *operands; /* "CAPTURE", as the synopsis has it; "" for none */
    size_t least, most;   /* number of operands */
    bool reads_operands;  /* they are files or folders that it reads */
    bool reads_stdin;     /* one of them, or of the files that options name, may be "-", standard input */
    bool runs_programs;   /* or, where all stand behind "--", words of programs, whose standard input is their own */
    const char *about;    /* paragraphs of the help text, separated by line breaks */
    const struct cli_option *options;
    size_t options_size; /* of the options struct */
    enum rl_status (*run)(const struct cli_call *call, struct rl_err *err);
};

enum { CLI_NEEDS_COLLECTOR = 1, CLI_NEEDS_REPORTS = 2 };

struct cli_command {
    const char *name;
    const struct cli_command_body *body;
    unsigned needs;
    const char *summary;
};
/* The rows of commands.def. */
extern const struct cli_command cli_commands[];
extern const size_t cli_command_count;
/* The end of a message about a word that is no command or experiment: what takes it where it is a capture, a path or a file of
 * $PATH; "" otherwise. */
const char *cli_file_hint(const char *word);

/* "rooflight: ..." on standard error, made printable; not with --quiet. */
void cli_say(const struct cli_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same with --verbose only. */
void cli_detail(const struct cli_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A line on standard error; where that is a terminal on which it does not fit, as many as it takes, broken at blanks. */
void cli_line(const char *text);
/* The same of ours, whatever the options say: "rooflight: TEXT". */
void cli_usage_error(const char *text);

/* How many operands stand behind the "--" that ended the options. The strings are those of argv: the last ones typed. */
size_t cli_operands_behind_dashes(const struct cli_call *call);
/* Says of options that take a text where the text is the name of a file: "notes.md" for --title was meant for another one. */
void cli_say_texts(const struct cli_call *call);
/* Declares to core/outputs.h the files that options and operands name, and `count` more that are
 * read. main does it before the command runs; a command does it again when it has found out what else it is going to read.
 * RL_USAGE, RL_IO. */
enum rl_status cli_declare_files(const struct cli_call *call, const char *const *also_read, size_t count, struct rl_err *err);
/* The default name of the output: fills the option's member. `name` must live as long as the options. */
void cli_default_output(const struct cli_command_body *body, const char *operand, struct cli_common *options, struct rl_buf *name);

#endif
