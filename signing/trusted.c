/* trusted.c - lists of known keys, line by line. */
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/fs.h"
#include "core/mem.h"
#include "private.h"

struct known {
    char fingerprint[RL_FINGERPRINT_LENGTH + 1];
    char *name;
};
struct rl_trusted {
    struct known *keys;
    size_t count, cap;
};

static const char type[] = "ssh-ed25519", hash[] = "SHA256:";

static bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next word; `line` begins with what follows it. */
static bool next_word(struct rl_span *line, struct rl_span *word)
{
    size_t len = 0;
    while (len < line->left && !is_blank(line->at[len]))
        len++;
    bool found = rl_span_take(line, len, word) && len > 0;
    while (line->left && is_blank(*line->at))
        line->at++, line->left--;
    return found;
}

static void add(struct rl_trusted *trusted, const char *fingerprint, const struct rl_span *name)
{
    RL_GROW(trusted->keys, trusted->count + 1, trusted->cap);
    struct known *known = &trusted->keys[trusted->count++];
    memcpy(known->fingerprint, fingerprint, RL_FINGERPRINT_LENGTH);
    known->fingerprint[RL_FINGERPRINT_LENGTH] = 0;
    known->name = rl_strndup((const char *)name->at, name->left);
}

/* The key that `line` begins with, in base64, is known by this name (NULL: by what follows the key). */
static bool add_key(struct rl_trusted *trusted, struct rl_span line, const struct rl_span *name)
{
    unsigned char blob[64];
    char fingerprint[RL_FINGERPRINT_LENGTH + 1];
    size_t len = 0;
    struct rl_span word, key;
    if (!next_word(&line, &word) || sodium_base642bin(blob, sizeof blob, (const char *)word.at, word.left, NULL, &len, NULL,
                                                      sodium_base64_VARIANT_ORIGINAL) != 0)
        return false;
    if (!rl_span_public((struct rl_span){blob, len}, &key))
        return false;
    rl_fingerprint_of(key.at, fingerprint);
    add(trusted, fingerprint, name ? name : &line);
    return true;
}

/* False: it cannot be read. */
static bool read_line(struct rl_trusted *trusted, struct rl_span line)
{
    const struct rl_span whole = line;
    struct rl_span first, second;
    if (!next_word(&line, &first) || first.at[0] == '#')
        return true;
    if (rl_span_is(&first, type))
        return add_key(trusted, line, NULL);
    if (first.left >= strlen(hash) && memcmp(first.at, hash, strlen(hash)) == 0) {
        if (first.left == RL_FINGERPRINT_LENGTH)
            add(trusted, (const char *)first.at, &line);
        return first.left == RL_FINGERPRINT_LENGTH;
    }
    if (next_word(&line, &second) && rl_span_is(&second, type))
        return add_key(trusted, line, &first);
    return !memmem(whole.at, whole.left, type, strlen(type)); /* a key of another type, or one behind options */
}

/* The next line without blanks around it. */
static struct rl_span next_line(struct rl_span *text)
{
    const unsigned char *end = memchr(text->at, '\n', text->left);
    struct rl_span line = {text->at, end ? (size_t)(end - text->at) : text->left};
    text->at += line.left + (end != NULL);
    text->left -= line.left + (end != NULL);
    while (line.left && is_blank(*line.at))
        line.at++, line.left--;
    while (line.left && is_blank(line.at[line.left - 1]))
        line.left--;
    return line;
}

enum rl_status rl_trusted_parse(const char *text, size_t len, struct rl_trusted **trusted, struct rl_err *err)
{
    struct rl_trusted *made = rl_calloc(1, sizeof *made);
    struct rl_span rest = {(const unsigned char *)text, len};
    enum rl_status status = RL_OK;
    for (size_t number = 1; rest.left && status == RL_OK; number++)
        if (!read_line(made, next_line(&rest)))
            status = rl_err_set(err, RL_FORMAT,
                                "line %zu is none of 'ssh-ed25519 KEY NAME', 'NAME ssh-ed25519 KEY' and 'SHA256:FINGERPRINT NAME'",
                                number);
    if (status == RL_OK && made->count == 0)
        status = rl_err_set(err, RL_FORMAT, "no key of type ssh-ed25519 and no fingerprint in it");
    if (status != RL_OK) {
        rl_trusted_free(made);
        made = NULL;
    }
    *trusted = made;
    return status;
}

enum rl_status rl_trusted_read(const char *path, struct rl_trusted **trusted, struct rl_err *err)
{
    struct rl_buf text = RL_BUF_INIT;
    *trusted = NULL;
    enum rl_status status = rl_read_input(path, RL_TRUSTED_FILE_MOST, &text, err);
    if (status == RL_OK && (status = rl_trusted_parse(text.data, text.len, trusted, err)) != RL_OK)
        rl_err_context(err, status, "'%s'", rl_input_name(path));
    rl_buf_release(&text);
    return status;
}

void rl_trusted_free(struct rl_trusted *trusted)
{
    if (!trusted)
        return;
    for (size_t i = 0; i < trusted->count; i++)
        free(trusted->keys[i].name);
    free(trusted->keys);
    free(trusted);
}

const char *rl_trusted_name(const struct rl_trusted *trusted, const char *public_key)
{
    char fingerprint[RL_FINGERPRINT_LENGTH + 1];
    rl_fingerprint(public_key, fingerprint);
    for (size_t i = 0; i < trusted->count; i++)
        if (strcmp(trusted->keys[i].fingerprint, fingerprint) == 0)
            return trusted->keys[i].name;
    return NULL;
}
