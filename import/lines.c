#include "lines.h"

#include <unistd.h>

#include "import/import.h"

enum { CHUNK = RL_LINES_CHUNK, HEAD = 16 };

enum encoding { UTF_8, UTF_16LE, UTF_16BE };

struct rl_lines {
    FILE *file;           /* NULL: from memory */
    struct rl_text bytes; /* all of them */
    size_t taken;         /* of them */
    struct rl_buf kept;   /* of a file that cannot be read twice */
    struct rl_buf window; /* read and not yet given */
    size_t at;            /* start of the next line in the window */
    enum encoding encoding;
    unsigned char half; /* first byte of a unit of UTF-16 whose second one has not been read, */
    bool has_half;      /* if there is one */
    unsigned surrogate; /* the first one of a pair; 0: none */
    bool started, ended, cut;
    int fault; /* errno */
};

static struct rl_lines *make(FILE *file, struct rl_text bytes)
{
    struct rl_lines *lines = rl_calloc(1, sizeof *lines);
    rl_buf_init(&lines->window);
    rl_buf_init(&lines->kept);
    lines->file = file;
    lines->bytes = bytes;
    return lines;
}

size_t rl_lines_bytes(struct rl_lines *lines, void *to, size_t most)
{
    size_t len;
    if (!lines->file) {
        const struct rl_text left = rl_text_from(lines->bytes, lines->taken);
        len = left.len < most ? left.len : most;
        memcpy(to, left.at, len);
        lines->taken += len;
        return len;
    }
    do {
        clearerr(lines->file);
        len = fread(to, 1, most, lines->file);
    } while (len == 0 && ferror(lines->file) && errno == EINTR);
    if (len == 0 && ferror(lines->file))
        lines->fault = errno;
    return len;
}

bool rl_lines_skip(struct rl_lines *lines, uint64_t len)
{
    char last;
    if (len == 0)
        return true;
    if (!lines->file)
        lines->taken = rl_text_from(lines->bytes, lines->taken).len < len ? lines->bytes.len : lines->taken + (size_t)len - 1;
    else if (len > 1 && fseeko(lines->file, (off_t)(len - 1), SEEK_CUR) != 0)
        lines->fault = errno;
    return !lines->fault && rl_lines_bytes(lines, &last, 1) == 1;
}

static void keep_all(struct rl_lines *lines)
{
    size_t len = CHUNK;
    while (len) {
        const size_t before = lines->kept.len;
        rl_buf_fill(&lines->kept, '\0', CHUNK);
        len = rl_lines_bytes(lines, lines->kept.data + before, CHUNK);
        rl_buf_truncate(&lines->kept, before + len);
    }
    fclose(lines->file); /* was only read */
    lines->file = NULL;
    lines->bytes = (struct rl_text){lines->kept.data, lines->kept.len};
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
    if (fseek(file, 0, SEEK_SET) != 0)
        keep_all(*lines);
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
    rl_buf_release(&lines->kept);
    free(lines);
}

enum rl_status rl_lines_status(const struct rl_lines *lines, const char *path, struct rl_err *err)
{
    return lines->fault ? rl_err_set(err, RL_IO, "cannot read '%s': %s", path, strerror(lines->fault)) : RL_OK;
}

/* ---- the window ---- */

/* By the byte order mark; without one, every other of the first bytes is 0, as in UTF-16 of English words. */
static enum encoding encoding_of(const unsigned char *bytes, size_t len)
{
    size_t zeros[2] = {0, 0};
    if (len >= 2 && ((bytes[0] == 0xFF && bytes[1] == 0xFE) || (bytes[0] == 0xFE && bytes[1] == 0xFF)))
        return bytes[0] == 0xFF ? UTF_16LE : UTF_16BE;
    for (size_t i = 0; i < HEAD && i < len; i++)
        zeros[i % 2] += bytes[i] == 0;
    if (len < HEAD || zeros[0] + zeros[1] != HEAD / 2)
        return UTF_8;
    return zeros[1] == HEAD / 2 ? UTF_16LE : zeros[0] == HEAD / 2 ? UTF_16BE : UTF_8;
}

static void add_unit(struct rl_lines *lines, unsigned unit)
{
    if (lines->surrogate && (unit & 0xFC00) == 0xDC00)
        rl_utf8_encode(&lines->window, 0x10000 + ((lines->surrogate & 0x3FF) << 10 | (unit & 0x3FF)));
    else if (lines->surrogate || (unit & 0xFC00) == 0xDC00)
        rl_buf_addch(&lines->window, '?'); /* half a pair */
    lines->surrogate = (unit & 0xFC00) == 0xD800 ? unit : 0;
    if ((unit & 0xF800) != 0xD800)
        rl_utf8_encode(&lines->window, unit);
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
    len = rl_lines_bytes(lines, window->data + left, CHUNK);
    rl_buf_truncate(window, left + len);
    if (!lines->started)
        lines->encoding = encoding_of((const unsigned char *)window->data, window->len);
    lines->started = true;
    if (lines->encoding != UTF_8) {
        unsigned char *bytes = (unsigned char *)rl_strndup(window->data + left, len);
        rl_buf_truncate(window, left);
        /* Puts bytes of UTF-16 behind the window, as UTF-8. */
        for (size_t i = 0; i < len; i++) {
            if (lines->has_half)
                add_unit(lines, lines->encoding == UTF_16LE ? lines->half | bytes[i] << 8 : lines->half << 8 | bytes[i]);
            else
                lines->half = bytes[i];
            lines->has_half = !lines->has_half;
        }
        free(bytes);
    }
    for (char *zero = window->data + left; (zero = memchr(zero, '\0', (size_t)(window->data + window->len - zero)));)
        *zero = '?';
    lines->ended = len == 0;
}

static void start(struct rl_lines *lines)
{
    if (lines->started)
        return;
    fill(lines);
    while (lines->window.len < HEAD && !lines->ended)
        fill(lines);
    if (rl_text_begins((struct rl_text){lines->window.data, lines->window.len}, "\xEF\xBB\xBF"))
        lines->at = 3;
}

struct rl_text rl_lines_head(struct rl_lines *lines)
{
    start(lines);
    return (struct rl_text){lines->window.data + lines->at, lines->window.len - lines->at};
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
        if (left > RL_IMPORT_MAX_LINE) {
            /* The first RL_IMPORT_MAX_LINE bytes of a line that is longer; the rest of the line is read past. */
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
        seen = left;
        fill(lines);
    }
}

void rl_lines_rewind(struct rl_lines *lines)
{
    if (lines->file && fseek(lines->file, 0, SEEK_SET) != 0)
        lines->fault = errno;
    rl_buf_reset(&lines->window);
    lines->at = lines->taken = lines->surrogate = 0;
    lines->has_half = lines->started = lines->ended = false;
}

bool rl_lines_was_truncated(const struct rl_lines *lines)
{
    return lines->cut;
}

bool rl_lines_in_memory(const struct rl_lines *lines, struct rl_text *bytes)
{
    *bytes = lines->bytes;
    return !lines->file;
}
