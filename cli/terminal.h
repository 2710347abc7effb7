/* terminal.h - properties of the standard streams, and wrapping of text to their width. */
#pragma once

#include "core/core.h"

struct cli_terminal {
    bool interactive; /* it is a terminal */
    bool bold;        /* it takes escape sequences, and NO_COLOR is not set */
    bool moves;       /* the cursor can return to the beginning of a line: $TERM is not "dumb" */
    size_t width;     /* columns: $COLUMNS, else the terminal's, else 100 */
};
/* Properties of the terminal behind a descriptor, or of plain text if it is not a terminal. */
struct cli_terminal cli_terminal_of(int descriptor);

/* Appends printable text, broken at blanks so that no line is wider than `width` columns (0: not broken). The first line begins at
 * column `column`; later lines are indented by `indent`, or less if too little room would remain. Keeps line breaks in `text`; adds
 * none at the end. */
void cli_wrap(struct rl_buf *out, const char *text, size_t column, size_t indent, size_t width);
/* As cli_wrap, but a word that is wider than a line is kept whole; for commands and names. */
void cli_wrap_whole(struct rl_buf *out, const char *text, size_t column, size_t indent, size_t width);

/* Opens /dev/null in place of closed standard streams, so that no other file gets their descriptors and then receives messages.
 * Writing to standard output remains an error if it was closed. */
void cli_guard_streams(void);
/* The descriptors that were closed; ends with -1. */
const int *cli_closed_streams(void);
/* Installs the program's signal handling: a closed pipe and a file-size limit become errors of the write; a signal that ends the
 * program first removes its temporary files; children can be waited for even if the parent process ignored SIGCHLD. Programs that
 * are started from here get the default handling. */
void cli_guard_signals(void);
/* The signals among these that were ignored at the start, so that a profiled program can be given the same state; ends with 0. */
const int *cli_ignored_signals(void);
