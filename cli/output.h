/* output.h - where a result goes and in which format: `-o FILE`, and `-o -`, which is standard output. */
#ifndef RL_CLI_OUTPUT_H
#define RL_CLI_OUTPUT_H

#include "command.h"

/* Formats of more than one option: a capture; a document. */
extern const struct cli_format cli_capture_formats[];
extern const struct cli_format cli_document_formats[];
/* Bytes of notes for a document. */
enum { CLI_MOST_NOTES = 1 << 20 };

/* Holds every output that the options name against the formats of its row (options.h): the ending of a name chooses, as if the
 * option `select` had been given. RL_USAGE, with what there is, for another ending, for two ways to choose that disagree, for bytes
 * that a terminal cannot show, and for two outputs that are standard output. Before the command runs. */
enum rl_status cli_choose_formats(const struct cli_call *call, struct cli_common *options, struct rl_err *err);

/* Whether a file of this name is written in the format of the first row, which is also that of a name without an ending. */
bool cli_is_first_format(const struct cli_format *formats, const char *path);

/* Whether the name of a file has this ending, in any case, and something before it. */
bool cli_name_ends_with(const char *text, const char *ending);
/* Whether a document of this name is HTML, and no PDF. */
bool cli_is_html(const char *path);

/* Writes bytes to the file (rl_write_file_atomic) and says so, with `more` (may be NULL) in brackets; "-": to the end of the call's
 * result, and says nothing. */
enum rl_status cli_write_output(const struct cli_call *call, const char *path, const struct rl_buf *bytes, const char *more,
                                struct rl_err *err);
/* Whether an output is standard output, which has room for nothing else then. */
bool cli_stdout_is_taken(const struct cli_call *call);
/* The call's result so far goes to the file and no longer to standard output; nothing for NULL and "-". */
enum rl_status cli_redirect_result(const struct cli_call *call, const char *path, struct rl_err *err);
/* The reader of the result: the terminal, unless it goes to a file. */
struct cli_terminal cli_terminal_for(const struct cli_call *call, const char *path);

#endif
