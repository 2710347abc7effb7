/* make_vocabulary.c - the words that the program itself can put into a capture: those of the string literals of its sources and, in
 * tables (.def), identifiers, too. rl_capture_redact lets nothing else through, so no list has to be kept by hand.
 *
 *   make_vocabulary OUTPUT.c SOURCE ...
 *
 * Words are divided as capture/redact.h says. What stands around a conversion (%d) is a word of its own. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fs.h"
#include "core/mem.h"
#include "redact.h"

enum { MOST_BYTES = 1 << 24 };

#define NAME "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

static struct {
    char **all;
    size_t count, cap;
} words;

static void add_word(const char *text, size_t len)
{
    len = rl_word_end(text, len);
    if (len == 0)
        return;
    char *word = rl_strndup(text, len);
    for (char *c = word; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    RL_GROW(words.all, words.count + 1, words.cap);
    words.all[words.count++] = word;
}

/* Names, "sm__warps_active.avg", also give their parts, of which others are made. */
static void add_parts(const char *text, size_t len)
{
    for (size_t at = 0, end; at < len; at = end + 1) {
        for (end = at; end < len && text[end] != '_' && text[end] != '.';)
            end++;
        add_word(text + at, end - at);
    }
}

/* A word of a literal. Around a conversion only letters count: of "stride_%d" there is no word without its number. */
static void add_chunk(const char *text, size_t len)
{
    const char *percent = memchr(text, '%', len);
    if (!percent || len == 1) {
        add_word(text, len);
        if (memchr(text, '_', len) && strspn(text, NAME ".") >= len)
            add_parts(text, len);
        return;
    }
    size_t after = (size_t)(percent - text) + 1, letters = 0;
    while (letters < (size_t)(percent - text) && isalpha((unsigned char)text[letters]))
        letters++;
    if (text + letters == percent && letters > 1)
        add_word(text, letters);
    after += strspn(text + after, "-+ #0123456789.*lhzjt%");
    if (after < len && after + 1 < len)
        add_chunk(text + after + 1, len - after - 1);
}

static void add_text(const struct rl_buf *text)
{
    for (size_t at = 0, end; at < text->len; at = end + 1) {
        end = at + strcspn(text->data + at, RL_WORD_ENDS);
        if (end > at)
            add_chunk(text->data + at, end - at);
    }
}

/* The literal at the quotation mark; returns what follows it. */
static const char *read_literal(const char *at, struct rl_buf *text)
{
    for (at++; *at && *at != '"'; at++) {
        if (*at != '\\') {
            rl_buf_addch(text, *at);
            continue;
        }
        unsigned long number = 0;
        char *end = NULL;
        at++;
        if (*at == 'x' && (number = strtoul(at + 1, &end, 16)) > 0) {
            rl_buf_addch(text, (char)number);
            at = end - 1;
        } else {
            rl_buf_addch(text, isalnum((unsigned char)*at) ? ' ' : *at);
        }
    }
    return *at ? at + 1 : at;
}

/* Behind a comment, a character, a name of a file to be included; `at` itself where there is none of them. */
static const char *skip(const char *at)
{
    const char *end = NULL;
    if (strncmp(at, "//", 2) == 0 || strncmp(at, "#include", 8) == 0)
        return at + strcspn(at, "\n");
    if (strncmp(at, "/*", 2) == 0)
        return (end = strstr(at + 2, "*/")) ? end + 2 : at + strlen(at);
    if (at[0] == '\'' && at[1])
        return at[1] == '\\' ? at + 3 + (at[3] != '\'' ? strcspn(at + 3, "'") : 0) + 1 : at[2] == '\'' ? at + 3 : at;
    return at;
}

static void read_source(const char *source, bool is_table)
{
    struct rl_buf text = RL_BUF_INIT;
    for (const char *at = source; *at;) {
        const char *after = skip(at);
        const size_t name = is_table ? strspn(at, NAME) : 0;
        if (after > at) {
            at = after;
        } else if (*at == '"') {
            for (; *at == '"'; at += strspn(at, " \t\n")) /* literals behind one another are one */
                at = read_literal(at, &text);
            rl_buf_addch(&text, ' ');
        } else {
            rl_buf_add(&text, at, name);
            rl_buf_adds(&text, name ? " " : "");
            at += name ? name : 1;
        }
    }
    add_text(&text);
    rl_buf_release(&text);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void print_words(struct rl_buf *out)
{
    size_t count = 0;
    qsort(words.all, words.count, sizeof *words.all, by_text);
    rl_buf_adds(out, "#include \"redact.h\"\n\nconst char *const rl_vocabulary[] = {\n");
    for (size_t i = 0; i < words.count; i++) {
        if (i && strcmp(words.all[i - 1], words.all[i]) == 0)
            continue;
        rl_buf_adds(out, "    \"");
        for (const char *c = words.all[i]; *c; c++)
            rl_buf_addf(out, *c == '\\' || *c == '"' ? "\\%c" : (*c & 0x80) ? "\\%03o" : "%c", (unsigned char)*c);
        rl_buf_adds(out, "\",\n");
        count++;
    }
    rl_buf_addf(out, "};\nconst size_t rl_vocabulary_count = %zu;\n", count);
}

/* All words of all sources, as the text of the output. */
static enum rl_status collect(char **paths, size_t count, struct rl_buf *out, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < count && status == RL_OK; i++) {
        struct rl_buf source = RL_BUF_INIT;
        const char *dot = strrchr(paths[i], '.');
        status = rl_read_file(paths[i], MOST_BYTES, &source, err);
        read_source(source.data, dot && strcmp(dot, ".def") == 0);
        rl_buf_release(&source);
    }
    print_words(out);
    for (size_t i = 0; i < words.count; i++)
        free(words.all[i]);
    free(words.all);
    return status;
}

int main(int argc, char **argv)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf out = RL_BUF_INIT;
    enum rl_status status = argc < 3 ? rl_err_set(&err, RL_USAGE, "usage: make_vocabulary OUTPUT.c SOURCE ...") : RL_OK;
    if (status == RL_OK)
        status = collect(argv + 2, (size_t)argc - 2, &out, &err);
    if (status == RL_OK)
        status = rl_write_file_atomic(argv[1], out.data, out.len, &err);
    if (status != RL_OK)
        fprintf(stderr, "make_vocabulary: %s\n", err.text);
    rl_buf_release(&out);
    return status == RL_OK ? 0 : 1;
}
