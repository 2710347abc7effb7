/* output.h - the destination and format of a result: `-o FILE`, or `-o -` for standard output. */
#pragma once

#include "command.h"

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
