#include "lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/fs.h"
#include "core/mem.h"
#include "import/import.h"

enum { CHUNK = 256 * 1024, HEAD = 16 };

struct rl_lines {
    FILE *file;           /* NULL: from memory */
    struct rl_text bytes; /* what is left of them */
    struct rl_buf window; /* read and not yet given */
    size_t at;            /* start of the next line in the window */
    bool started, ended, cut;
    int fault; /* errno */
};

static struct rl_lines *make(FILE *file, struct rl_text bytes)
{
    struct rl_lines *lines = rl_calloc(1, sizeof *lines);

    rl_buf_init(&lines->window);
    lines->file = file;
    lines->bytes = bytes;
    return lines;
}

enum rl_status rl_lines_open(const char *path, struct rl_lines **lines, struct rl_err *err)
{
    const bool stream = rl_is_stream(path);
    *lines = NULL;
    if (stream && isatty(STDIN_FILENO))
        return rl_err_set(err, RL_USAGE, "standard input is a terminal: redirect a file or a pipe into it");
    const int copy = stream ? dup(STDIN_FILENO) : -1;
    FILE *file = stream ? (copy < 0 ? NULL : fdopen(copy, "rb")) : fopen(path, "rb");

    path = rl_input_name(path);
    if (!file && errno == ENOENT)
        return rl_err_set(err, RL_ABSENT, "cannot read '%s': no such file or folder", path);
    if (!file)
        return rl_err_set(err, RL_IO, "cannot read '%s': %s", path, strerror(errno));
    *lines = make(file, rl_text_of(""));
    return RL_OK;
}

struct rl_lines *rl_lines_of(const void *bytes, size_t len)
{
    return make(NULL, (struct rl_text){bytes, len});
}

void rl_lines_close(struct rl_lines *lines)
{
    if (!lines)
        return;
    if (lines->file)
        fclose(lines->file); /* was only read */
    rl_buf_release(&lines->window);
    free(lines);
}

enum rl_status rl_lines_status(const struct rl_lines *lines, const char *path, struct rl_err *err)
{
    return lines->fault ? rl_err_set(err, RL_IO, "cannot read '%s': %s", path, strerror(lines->fault)) : RL_OK;
}

/* ---- the window ---- */

static size_t read_some(struct rl_lines *lines, char *to)
{
    size_t len;

    if (!lines->file) {
        len = lines->bytes.len < CHUNK ? lines->bytes.len : CHUNK;
        memcpy(to, lines->bytes.at, len);
        lines->bytes = rl_text_from(lines->bytes, len);
        return len;
    }
    do {
        clearerr(lines->file);
        len = fread(to, 1, CHUNK, lines->file);
    } while (len == 0 && ferror(lines->file) && errno == EINTR);
    if (len == 0 && ferror(lines->file))
        lines->fault = errno;
    return len;
}

/* Moves what is left to the front and reads a chunk behind it. */
static void fill(struct rl_lines *lines)
{
    struct rl_buf *window = &lines->window;
    const size_t left = window->len - lines->at;
    size_t len;

    memmove(window->data, window->data + lines->at, left);
    rl_buf_truncate(window, left);
    lines->at = 0;
    rl_buf_fill(window, '\0', CHUNK);
    len = read_some(lines, window->data + left);
    rl_buf_truncate(window, left + len);
    for (char *zero = window->data + left; (zero = memchr(zero, '\0', (size_t)(window->data + window->len - zero)));)
        *zero = '?';
    lines->ended = len == 0;
}

static void start(struct rl_lines *lines)
{
    if (lines->started)
        return;
    lines->started = true;
    while (lines->window.len < HEAD && !lines->ended)
        fill(lines);
    if (rl_text_begins((struct rl_text){lines->window.data, lines->window.len}, "\xEF\xBB\xBF"))
        lines->at = 3;
}

struct rl_text rl_lines_head(struct rl_lines *lines)
{
    start(lines);
    return (struct rl_text){lines->window.data, lines->window.len < HEAD ? lines->window.len : HEAD};
}

/* Drops bytes up to the end of the line, which is too long to keep. */
static void skip_line(struct rl_lines *lines)
{
    const char *end = NULL;

    while (!end) {
        lines->at = lines->window.len;
        fill(lines);
        if (lines->ended)
            return;
        end = memchr(lines->window.data, '\n', lines->window.len);
    }
    lines->at = (size_t)(end - lines->window.data) + 1;
}

/* The first RL_IMPORT_MAX_LINE bytes of a line that is longer; the rest of the line is read past. */
static bool give_cut(struct rl_lines *lines, struct rl_text *line)
{
    struct rl_buf kept = RL_BUF_INIT; /* the new window: the beginning of this line, then what follows the line */

    rl_buf_add(&kept, lines->window.data + lines->at, RL_IMPORT_MAX_LINE);
    skip_line(lines);
    rl_buf_add(&kept, lines->window.data + lines->at, lines->window.len - lines->at);
    rl_buf_release(&lines->window);
    lines->window = kept;
    lines->at = RL_IMPORT_MAX_LINE;
    lines->cut = true;
    *line = (struct rl_text){lines->window.data, RL_IMPORT_MAX_LINE};
    return true;
}

static bool give(struct rl_lines *lines, size_t len, size_t end, struct rl_text *line)
{
    *line = (struct rl_text){lines->window.data + lines->at, len < RL_IMPORT_MAX_LINE ? len : RL_IMPORT_MAX_LINE};
    lines->cut = len > RL_IMPORT_MAX_LINE;
    if (line->len && line->at[line->len - 1] == '\r')
        line->len--;
    lines->at += len + end;
    return true;
}

bool rl_lines_next(struct rl_lines *lines, struct rl_text *line)
{
    size_t seen = 0; /* bytes of this line without an end in them */

    start(lines);
    lines->cut = false;
    for (;;) {
        const char *from = lines->window.data + lines->at;
        const size_t left = lines->window.len - lines->at;
        const char *end = memchr(from + seen, '\n', left - seen);
        if (end)
            return give(lines, (size_t)(end - from), 1, line);
        if (lines->ended || lines->fault)
            return left && !lines->fault && give(lines, left, 0, line);
        if (left > RL_IMPORT_MAX_LINE)
            return give_cut(lines, line);
        seen = left;
        fill(lines);
    }
}

bool rl_lines_was_truncated(const struct rl_lines *lines)
{
    return lines->cut;
}
