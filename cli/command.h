/* command.h - declaration and call of a command.
 *
 * A command appends its result to call->out, which main writes to standard output at once and checks. It prints other messages with
 * cli_say and cli_detail, and returns a status, with one line in `err` if it fails. It never prints or exits itself.
 */
#pragma once

#include "options.h"
#include "terminal.h"
#include <regex.h>

#define CLI_VERSION RL_PROGRAM_VERSION

/* How the process ends after the command has profiled a program without an error of its own. */
struct cli_outcome {
    int status; /* exit status */
    int signal; /* ends by this signal; 0: none */
    int stop;   /* signal received meanwhile, after which nothing further begins; 0: none */
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
    bool runs_programs;   /* operands after "--" are words of programs, which keep standard input */
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
/* Hint for a message about a word that is no command or experiment: the command that accepts it if it is a capture, a path or a
 * file of $PATH; otherwise "". */
const char *cli_file_hint(const char *word);

/* "rooflight: ..." on standard error, made printable; not with --quiet. */
void cli_say(const struct cli_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same with --verbose only. */
void cli_detail(const struct cli_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints a line on standard error, wrapped at blanks on a terminal. */
void cli_line(const char *text);
/* The same with "rooflight: " before it, also with --quiet. */
void cli_usage_error(const char *text);

/* Number of operands after the "--" that ended the options: the last ones of argv. */
size_t cli_operands_behind_dashes(const struct cli_call *call);
/* Warns if the text of an option is the name of a file, as in --title notes.md. */
void cli_say_texts(const struct cli_call *call);
/* Declares the files of options and operands, and `count` further inputs, to core/outputs.h. main does this before the command
 * runs; a command repeats it if it finds further inputs. RL_USAGE, RL_IO. */
enum rl_status cli_declare_files(const struct cli_call *call, const char *const *also_read, size_t count, struct rl_err *err);
/* Fills the output option with its default name, kept in `name`, which must live as long as the options. */
void cli_default_output(const struct cli_command_body *body, const char *operand, struct cli_common *options, struct rl_buf *name);

/* ---- regular expressions and percentages on the command line ---- */

/* Compiles an extended regular expression into `expression`; free it with regfree. A prefix "regex:", as Nsight Compute has it, is
 * skipped. RL_USAGE, naming the option ("--kernel"), when the expression is invalid. */
enum rl_status cli_expression(const char *option, const char *text, regex_t *expression, struct rl_err *err);

/* Converts a kernel name in the form of Nsight Compute, NAME or regex:REGEX, to a regular expression for demangled names, and
 * points `*expression` to it; `text` holds it. Does nothing for a NULL name. RL_USAGE when `*expression` is already set. */
enum rl_status cli_kernel_named(const char *name, const char **expression, struct rl_buf *text, struct rl_err *err);

/* Parses "3" or "3%" as 3. False for any other text (rl_number_parse). */
bool cli_parse_percent(const char *text, double *percent);

/* ---- results and where they go ---- */

/* Formats that several options share: captures, and documents. */
extern const struct cli_format cli_capture_formats[];
extern const struct cli_format cli_document_formats[];
/* Largest size of a document's notes, in bytes. */
enum { CLI_MOST_NOTES = 1 << 20 };

/* Chooses the format of every output by the ending of its name, as if the option `select` of that format (options.h) had been
 * given. Call it before the command runs. RL_USAGE for an unknown ending (the message lists the known ones), an ending that
 * contradicts an option, a binary format on a terminal, and two outputs to standard output. */
enum rl_status cli_choose_formats(const struct cli_call *call, struct cli_common *options, struct rl_err *err);

/* Whether a file of this name is written in the first format of the table, the one of names without an ending. */
bool cli_is_first_format(const struct cli_format *formats, const char *path);

/* Whether a file's name has this ending, ignoring case, with at least one character before it. */
bool cli_name_ends_with(const char *text, const char *ending);
/* Whether a document of this name is HTML rather than PDF. */
bool cli_is_html(const char *path);

/* Writes bytes to the file (rl_write_file_atomic) and prints a message, with `more` (may be NULL) in brackets. For "-", appends
 * them to the call's result without a message. */
enum rl_status cli_write_output(const struct cli_call *call, const char *path, const struct rl_buf *bytes, const char *more,
                                struct rl_err *err);
/* Whether an output goes to standard output, so that nothing else may be printed there. */
bool cli_stdout_is_taken(const struct cli_call *call);
/* Writes the call's result so far to the file instead of standard output. Does nothing for NULL and "-". */
enum rl_status cli_redirect_result(const struct cli_call *call, const char *path, struct rl_err *err);
/* Properties of the result's destination: those of the terminal, or of plain text for a file. */
struct cli_terminal cli_terminal_for(const struct cli_call *call, const char *path);
