/* lines.h - a file, line by line (private to import/). */
#ifndef RL_IMPORT_LINES_H
#define RL_IMPORT_LINES_H

#include "core/err.h"
#include "text.h"

struct rl_lines;

/* Opens a file. RL_ABSENT or RL_IO with the reason. Close with rl_lines_close. */
enum rl_status rl_lines_open(const char *path, struct rl_lines **lines, struct rl_err *err);
/* Bytes that stay where they are until rl_lines_close. */
struct rl_lines *rl_lines_of(const void *bytes, size_t len);
void rl_lines_close(struct rl_lines *lines); /* NULL is allowed */

/* The next line without its end (LF or CR LF), valid until the next call; a byte order mark of UTF-8 at the start of the file is
 * left out, bytes of value 0 become '?'. False at the end of the file and after a fault. */
bool rl_lines_next(struct rl_lines *lines, struct rl_text *line);
/* Whether the line that was given last went beyond RL_IMPORT_MAX_LINE: then it holds its beginning. */
bool rl_lines_was_truncated(const struct rl_lines *lines);
/* The first bytes of the file, at most 16, to tell formats apart. */
struct rl_text rl_lines_head(struct rl_lines *lines);
/* RL_IO when reading failed; `path` is for the text. */
enum rl_status rl_lines_status(const struct rl_lines *lines, const char *path, struct rl_err *err);

#endif
