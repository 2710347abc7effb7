#include "redact.h"

#include <ctype.h>
#include <strings.h>

/* Longest lengths of secrets: they bound the time that is spent at one place. */
enum { LONGEST_RUN = 4096, LONGEST_NAME = 64, LONGEST_USER = 512, SMALL_NUMBER = 6 };

#define LETTERS      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS       "0123456789"
#define DIGITS_UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ" DIGITS
#define ALNUM        LETTERS DIGITS
#define HEX          "abcdefABCDEF" DIGITS
#define URL          ALNUM "-_"
#define DOTTED       ALNUM "-_."
#define BASE64       ALNUM "+/="

static const struct {
    const char *start, *alphabet;
    size_t least;
} tokens[] = {
#define SECRET(kind, start, alphabet, least) {start, alphabet, least},
#include "secrets.def"
};
static const struct {
    const char *name;
    bool alone;
} names[] = {
#define NAME(name, alone) {name, alone},
#include "secrets.def"
};
static const char *const behinds[] = {
#define BEHIND(kind, words) words,
#include "secrets.def"
};

/* The text to be dropped; none: `end` is 0. */
struct secret {
    size_t start, end;
};

/* Like strspn, but not without an end. */
static size_t run_of(const char *text, const char *alphabet)
{
    return RL_FIRST(len, LONGEST_RUN, !text[len] || !strchr(alphabet, text[len]));
}

/* To the blank or mark at which a value ends. */
static size_t value_at(const char *text)
{
    size_t len = 0;
    while (text[len] && !strchr(" \t\r\n\"'`;,&|<>()[]{}", text[len]))
        len++;
    return len;
}

static bool keep(struct secret *found, size_t start, size_t end)
{
    *found = (struct secret){start, end};
    return end > start;
}

/* ---- shapes ---- */

static bool token_at(const char *text, size_t at, struct secret *found)
{
    for (size_t i = 0; i < RL_COUNT(tokens); i++) {
        const char *start = tokens[i].start;
        const size_t len = text[at] == start[0] ? strlen(start) : 0;
        if (len == 0 || strncmp(text + at, start, len) != 0)
            continue;
        size_t more = run_of(text + at + len, tokens[i].alphabet);
        if (more >= tokens[i].least)
            return keep(found, at, at + len + more);
    }
    return false;
}

static bool behind_at(const char *text, size_t at, struct secret *found)
{
    for (size_t i = 0; i < RL_COUNT(behinds); i++) {
        const size_t len = strlen(behinds[i]), start = at + len;
        if (strncasecmp(text + at, behinds[i], len) == 0)
            return keep(found, start, start + value_at(text + start));
    }
    return false;
}

/* "-----BEGIN RSA PRIVATE KEY-----" to the end of its last line, or of the text. */
static bool pem_at(const char *text, size_t at, struct secret *found)
{
    static const char begin[] = "-----BEGIN ", end[] = "-----END ";
    if (strncmp(text + at, begin, strlen(begin)) != 0)
        return false;
    const char *last = strstr(text + at, end);
    if (last)
        last += strlen(end) + strcspn(last + strlen(end), "-\n");
    return keep(found, at, last ? (size_t)(last - text) + strspn(last, "-") : strlen(text));
}

/* Letters of both cases and digits in turns: no name is like that. */
static bool random_at(const char *text, size_t at, struct secret *found)
{
    enum { LEAST = 32, LEAST_CHANGES = 3 };
    bool upper = false, lower = false;
    size_t changes = 0, len = run_of(text + at, BASE64);
    for (size_t i = 0; i < len; i++) {
        const unsigned char c = (unsigned char)text[at + i];
        upper |= isupper(c) != 0;
        lower |= islower(c) != 0;
        changes += i > 0 && isdigit(c) && !isdigit((unsigned char)text[at + i - 1]);
    }
    return len >= LEAST && upper && lower && changes >= LEAST_CHANGES && keep(found, at, at + len);
}

/* ---- what is assigned to a name ---- */

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

static bool is_secret_part(const char *part, size_t len, bool only)
{
    return RL_ANY(i, RL_COUNT(names),
                  strlen(names[i].name) == len && strncasecmp(names[i].name, part, len) == 0 && (names[i].alone || !only));
}

/* Parts end at signs and where small letters are followed by a capital one. */
static size_t part_length(const char *part, size_t len)
{
    return RL_FIRST(end, len,
                    !isalnum((unsigned char)part[end]) ||
                        (end > 0 && isupper((unsigned char)part[end]) && islower((unsigned char)part[end - 1])));
}

bool rl_is_secret_name(const char *name, size_t len)
{
    size_t first = 0;
    while (first < len && !isalnum((unsigned char)name[first]))
        first++;
    for (size_t at = first, end; at < len; at = end + (end < len && !isalnum((unsigned char)name[end]))) {
        end = at + part_length(name + at, len - at);
        if (is_secret_part(name + at, end - at, at == first || end < len))
            return true;
    }
    return len > first && is_secret_part(name + first, len - first, true);
}

/* Length of what stands between a name and its value: '=', ": ", "\": \"", of an option also a blank; 0: no value follows. */
static size_t assignment_at(const char *text, bool option)
{
    size_t len = strspn(text, "\"'");
    len = len > 1 ? 1 : len;
    size_t blanks = strspn(text + len, " \t"), sign = len + (blanks < 3 ? blanks : 0);
    size_t signs = strspn(text + sign, ":=>");
    if (signs > 0 && signs < 3 && strncmp(text + sign, "::", 2) != 0 && text[sign] != '>')
        return sign + signs + (strspn(text + sign + signs, " \t") < 3 ? strspn(text + sign + signs, " \t") : 0);
    return option && len == 0 && blanks > 0 ? blanks : 0;
}

static bool ends_in(const char *name, size_t len, const char *end)
{
    const size_t end_len = strlen(end);
    return len >= end_len && strncasecmp(name + len - end_len, end, end_len) == 0;
}

/* Length of the words for schemes of HTTP's Authorization, which stand before the secret. */
static size_t schemes_at(const char *text)
{
    static const char *const schemes[] = {"Bearer ", "Basic ", "Digest ", "Token ", "ApiKey "};
    size_t len = 0;
    for (size_t i = 0; i < RL_COUNT(schemes); i++)
        if (strncasecmp(text + len, schemes[i], strlen(schemes[i])) == 0)
            len += strlen(schemes[i]);
    return len;
}

static bool assigned_at(const char *text, size_t at, struct secret *found)
{
    size_t len = 0, start;
    while (len < LONGEST_NAME && is_name(text[at + len]))
        len++;
    if (len == 0 || is_name(text[at + len]))
        return false;
    const size_t between = assignment_at(text + at + len, text[at] == '-');
    if (between == 0 || !rl_is_secret_name(text + at, len))
        return false;
    start = at + len + between;
    if (text[start] && strchr("\"'`", text[start])) {
        const char *quote = strchr(text + start + 1, text[start]);
        return keep(found, start + 1, quote ? (size_t)(quote - text) : strlen(text));
    }
    start += schemes_at(text + start);
    size_t value = value_at(text + start);
    /* A count of tokens is no secret, nor is a key that something is sorted by. */
    const char *name = text + at;
    return !((ends_in(name, len, "token") || ends_in(name, len, "key")) && value <= SMALL_NUMBER &&
             run_of(text + start, DIGITS) >= value) &&
           keep(found, start, start + value);
}

/* The secret that `at` introduces ("--token hf_..." begins at its name) or begins. */
static bool secret_at(const char *text, size_t at, struct secret *found)
{
    const char before = at > 0 ? text[at - 1] : ' ', first = text[at];
    if (first == ':') {
        /* "user:password@" behind "://". */
        if (strncmp(text + at, "://", 3) != 0)
            return false;
        size_t len = 0, last = 0;
        for (const char *user = text + at + 3; len < LONGEST_USER && user[len] && !strchr(" \t\r\n\"'`<>/?#", user[len]); len++)
            if (user[len] == '@')
                last = len;
        return keep(found, at + 3, at + 3 + last);
    }
    if (first == '-' && pem_at(text, at, found))
        return true;
    /* A capital behind a small letter begins a word, and so does a letter behind a digit. */
    const bool turns = isalpha((unsigned char)first) &&
                       (isdigit((unsigned char)before) || (isupper((unsigned char)first) && islower((unsigned char)before)));
    if (turns && token_at(text, at, found))
        return true;
    /* Behind a letter or digit it is the middle of a word. */
    if (isalnum((unsigned char)before) || !(isalnum((unsigned char)first) || first == '-' || first == '_'))
        return false;
    if (first != '-' && (token_at(text, at, found) || behind_at(text, at, found)))
        return true;
    return (!is_name(before) && assigned_at(text, at, found)) || random_at(text, at, found);
}

static bool drop_once(const char *text, struct rl_buf *out)
{
    RL_SCRATCH clean = RL_BUF_INIT;
    struct secret found, ahead = {0}; /* ahead: its name has been seen, and may be a secret itself */
    bool dropped = false;
    for (size_t at = 0; text[at];) {
        if (ahead.end > 0 && at >= ahead.start) {
            found = (struct secret){at, ahead.end};
            ahead.end = 0;
        } else if (!secret_at(text, at, &found) || strncmp(text + found.start, RL_SECRET_SIGN, strlen(RL_SECRET_SIGN)) == 0) {
            found.end = 0;
        }
        if (found.end > at && found.start == at) {
            const size_t sign = strlen(RL_SECRET_SIGN); /* once for secrets that stand behind one another */
            if (clean.len < sign || memcmp(clean.data + clean.len - sign, RL_SECRET_SIGN, sign) != 0)
                rl_buf_adds(&clean, RL_SECRET_SIGN);
            dropped = true;
            at = found.end;
            continue;
        }
        if (found.end > 0 && found.start > at && ahead.end == 0)
            ahead = found;
        rl_buf_addch(&clean, text[at++]);
    }
    if (dropped)
        rl_buf_add(out, clean.data, clean.len);
    return dropped;
}

/* Where one was dropped the text before and behind it may be read anew. */
bool rl_secrets_remove(const char *text, struct rl_buf *out)
{
    enum { MOST_PASSES = 8 };
    struct rl_buf clean = RL_BUF_INIT, next = RL_BUF_INIT;
    bool dropped = drop_once(text, &clean);
    for (int pass = 1; dropped && pass < MOST_PASSES && drop_once(clean.data, &next); pass++) {
        rl_buf_release(&clean);
        clean = next;
        rl_buf_init(&next);
    }
    rl_buf_add(out, clean.data, clean.len);
    rl_buf_release(&clean);
    rl_buf_release(&next);
    return dropped;
}

bool rl_has_secret(const char *text)
{
    RL_SCRATCH rest = RL_BUF_INIT;
    return rl_secrets_remove(text, &rest);
}
