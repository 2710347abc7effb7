/* terminal.h - what the standard streams are, and text that fits them. */
#ifndef RL_CLI_TERMINAL_H
#define RL_CLI_TERMINAL_H

#include "core/core.h"

struct cli_terminal {
    bool interactive; /* a terminal is at the other end */
    bool bold;        /* and it takes escape sequences, and NO_COLOR is not set */
    bool moves;       /* and it can go back to the beginning of a line: $TERM is not "dumb" */
    size_t width;     /* columns: $COLUMNS, else the terminal's, else 100 */
};
/* Properties of the terminal behind a descriptor; plain text where there is none. */
struct cli_terminal cli_terminal_of(int descriptor);

/* Appends printable text, broken at blanks so that no line is wider than `width` columns (0: not broken) and lines after the first
 * are indented by `indent`, or less where it would leave no room. The cursor is taken to be at column `column` now. Line breaks in
 * `text` stay. Ends without a line break. */
void cli_wrap(struct rl_buf *out, const char *text, size_t column, size_t indent, size_t width);
/* The same, but a word that fits no line is wider than the others instead of shortened: what is to be typed again, and names. */
void cli_wrap_whole(struct rl_buf *out, const char *text, size_t column, size_t indent, size_t width);

/* Opens /dev/null in place of standard streams that are closed, so that no file of ours takes their number and gets messages
 * written into it. Standard output stays an error to write to. */
void cli_guard_streams(void);
/* Those that were closed; ends with -1. */
const int *cli_closed_streams(void);
/* Turns a closed pipe and a file-size limit into errors of the write that meets them; without it both would kill the program
 * half-way through its clean-up. Signals that end the program first remove its temporary files. Children can be waited for, also
 * when whoever started us ignores theirs. Programs that we start get the default behaviour back. */
void cli_guard_signals(void);
/* Those of these signals that were ignored before, for a program that is to find all as it would be without us; ends with 0. */
const int *cli_ignored_signals(void);

#endif
