/* extract.c - finds the embedded file that is a capture (see media/extract.h).
 *
 * Embedded files have the type /EmbeddedFile. Around each place where that name stands the object is read: back to its "obj", then
 * its dictionary, then its bytes, as they are or deflated. What does not read as such is no candidate; a file that is no capture is
 * not meant.
 */
#include "media/extract.h"

#include <assert.h>
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "capture/capture.h"
#include "core/mem.h"
#include "pdf.h"

enum {
    HEADER_WITHIN = 1024, /* readers accept some bytes before "%PDF-" */
    MOST_DICTIONARY = 4096,
    MOST_CANDIDATES = 256,
    DEEPEST = 8,
    CHUNK = 1 << 16,
    ID_AT = 68, /* of the application, in SQLite's header */
    LEAST_CAPTURE = ID_AT + 4,
};
static const char type_name[] = "/EmbeddedFile";

/* The bytes still to be read. */
struct view {
    const char *at, *end;
};

static const char *find(const char *at, const char *end, const char *what)
{
    return at < end ? memmem(at, (size_t)(end - at), what, strlen(what)) : NULL;
}

static bool is_space(char c)
{
    return c == 0 || c == '\t' || c == '\n' || c == '\f' || c == '\r' || c == ' ';
}
static bool is_delimiter(char c)
{
    return is_space(c) || (c && strchr("()<>[]{}/%", c));
}

static void skip_space(struct view *v)
{
    while (v->at < v->end && is_space(*v->at))
        v->at++;
}

static bool take(struct view *v, const char *what)
{
    size_t len = strlen(what);
    if ((size_t)(v->end - v->at) < len || memcmp(v->at, what, len) != 0)
        return false;
    v->at += len;
    return true;
}

/* ---- values of a dictionary ---- */

/* A name or a number: up to the next delimiter. */
static struct view take_word(struct view *v)
{
    struct view word = {v->at, v->at};
    if (v->at < v->end && *v->at == '/')
        v->at++;
    while (v->at < v->end && !is_delimiter(*v->at))
        v->at++;
    word.end = v->at;
    return word;
}

static bool is_word(struct view word, const char *text)
{
    return (size_t)(word.end - word.at) == strlen(text) && memcmp(word.at, text, strlen(text)) == 0;
}

/* A string in parentheses, which may hold pairs of them. */
static bool skip_literal(struct view *v)
{
    int open = 0;
    for (; v->at < v->end; v->at++) {
        if (*v->at == '\\' && v->at + 1 < v->end)
            v->at++;
        else if (*v->at == '(')
            open++;
        else if (*v->at == ')' && --open == 0) {
            v->at++;
            return true;
        }
    }
    return false;
}

static bool skip_value(struct view *v, int depth);

/* The values before `close`. */
static bool skip_values(struct view *v, const char *close, int depth)
{
    for (skip_space(v); v->at < v->end; skip_space(v)) {
        if (take(v, close))
            return true;
        if (!skip_value(v, depth + 1))
            return false;
    }
    return false;
}

static bool skip_value(struct view *v, int depth)
{
    if (depth > DEEPEST || v->at >= v->end)
        return false;
    if (take(v, "<<"))
        return skip_values(v, ">>", depth);
    if (take(v, "["))
        return skip_values(v, "]", depth);
    if (*v->at == '(')
        return skip_literal(v);
    if (*v->at == '<') {
        while (v->at < v->end && *v->at != '>')
            v->at++;
        return take(v, ">");
    }
    struct view word = take_word(v);
    return word.end > word.at;
}

static int digit_of(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : -1;
}

/* The byte that two hexadecimal digits stand for; -1: they are none. */
static int byte_of(const char *digits)
{
    const int high = digit_of(digits[0]), low = digit_of(digits[1]);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
}

/* A hash as a string of either kind, or "" for anything else. */
static struct rl_sha256 hash_of(struct view value)
{
    struct rl_sha256 hash = {{0}};
    const size_t digits = sizeof hash.hex - 1, len = (size_t)(value.end - value.at);
    bool plain = len == digits + 2 && *value.at == '(', packed = len == 2 * digits + 2 && *value.at == '<';
    for (size_t i = 0; (plain || packed) && i < digits; i++) {
        const int c = plain ? value.at[1 + i] : byte_of(value.at + 1 + 2 * i);
        if (c < 0 || c > 127 || digit_of((char)c) < 0)
            return (struct rl_sha256){{0}};
        hash.hex[i] = (char)tolower(c);
    }
    return hash;
}

/* ---- an embedded file ---- */

struct candidate {
    struct view bytes; /* from the first one to the end of the document: where they end is unknown yet */
    bool typed;        /* an embedded file, indeed */
    bool deflated;     /* otherwise as it is */
    bool other_filter;
    size_t length; /* SIZE_MAX: a reference */
    bool hashed;
    struct rl_sha256 hash; /* "": not a hash */
};

/* "/FlateDecode", or a list of only that one. */
static void read_filter(struct view value, struct candidate *c)
{
    if (value.at < value.end && *value.at == '[') {
        value.at++;
        value.end--;
        skip_space(&value);
    }
    struct view name = take_word(&value);
    skip_space(&value);
    c->deflated = is_word(name, "/FlateDecode");
    c->other_filter = (!c->deflated && name.end > name.at) || value.at < value.end;
}

/* A direct number; "12 0 R" is a reference. */
static size_t length_of(struct view value)
{
    size_t length = 0;
    struct view number = take_word(&value);
    for (const char *p = number.at; p < number.end; p++) {
        if (!isdigit((unsigned char)*p) || length > RL_CAPTURE_MAX_BYTES)
            return SIZE_MAX;
        length = length * 10 + (size_t)(*p - '0');
    }
    skip_space(&value);
    return value.at == value.end && number.end > number.at ? length : SIZE_MAX;
}

/* All words up to the next key: numbers of a reference stand apart. */
static struct view take_value(struct view *v)
{
    struct view value = {v->at, v->at};
    do {
        if (!skip_value(v, 0))
            return (struct view){NULL, NULL};
        value.end = v->at;
        skip_space(v);
    } while (v->at < v->end && isalnum((unsigned char)*v->at));
    return value;
}

static bool read_dictionary(struct view *v, struct candidate *c)
{
    skip_space(v);
    if (!take(v, "<<"))
        return false;
    c->length = SIZE_MAX;
    for (skip_space(v); !take(v, ">>"); skip_space(v)) {
        struct view key = take_word(v);
        skip_space(v);
        struct view value = take_value(v);
        if (!value.at || key.end == key.at || *key.at != '/')
            return false;
        c->typed = c->typed || (is_word(key, "/Type") && is_word(value, type_name));
        if (is_word(key, "/Filter"))
            read_filter(value, c);
        else if (is_word(key, "/Length"))
            c->length = length_of(value);
        else if (is_word(key, "/" RL_PDF_HASH_KEY))
            c->hash = hash_of(value);
        c->hashed = c->hashed || is_word(key, "/" RL_PDF_HASH_KEY);
    }
    return c->typed;
}

/* The object around `type` in the document, when it is an embedded file. */
static bool read_object(struct view document, const char *type, struct candidate *c)
{
    const char *start = type, *least = type - document.at > MOST_DICTIONARY ? type - MOST_DICTIONARY : document.at;
    while (start > least && memcmp(start, "obj", 3) != 0)
        start--;
    if (memcmp(start, "obj", 3) != 0)
        return false;
    struct view v = {start + 3, document.end - start > MOST_DICTIONARY ? start + MOST_DICTIONARY : document.end};
    *c = (struct candidate){0};
    if (!read_dictionary(&v, c))
        return false;
    skip_space(&v);
    if (!take(&v, "stream"))
        return false;
    take(&v, "\r");
    if (!take(&v, "\n"))
        return false;
    c->bytes = (struct view){v.at, document.end};
    return true;
}

/* ---- its bytes ---- */

/* By the first bytes of a capture: SQLite's, with our application id. */
static bool is_capture(const char *bytes, size_t len)
{
    static const char magic[] = "SQLite format 3";
    if (len < LEAST_CAPTURE || memcmp(bytes, magic, sizeof magic) != 0)
        return false;
    uint32_t id = 0;
    for (size_t i = 0; i < 4; i++)
        id = id << 8 | (uint8_t)bytes[ID_AT + i];
    return id == RL_CAPTURE_APPLICATION_ID;
}

/* The attachment: all of it, or as much as shows that it is no capture. */
enum unpacked { WHOLE, NO_CAPTURE, DAMAGED };

/* Deflated bytes say themselves where they end. At most `most` bytes, and no more than the first ones of what is no capture: few
 * bytes may stand for very many. */
static enum unpacked inflate_into(const struct candidate *c, size_t most, struct rl_buf *out)
{
    struct view packed = c->bytes;
    z_stream z = {0};
    char *chunk = rl_calloc(1, CHUNK);
    const size_t start = out->len;
    int status = inflateInit(&z);
    bool may_be_one = true;
    while (status == Z_OK && may_be_one && out->len - start <= most) {
        if (z.avail_in == 0) {
            size_t left = (size_t)(packed.end - packed.at);
            z.next_in = (Bytef *)packed.at;
            z.avail_in = (uInt)(left < CHUNK ? left : CHUNK);
            packed.at += z.avail_in;
        }
        z.next_out = (Bytef *)chunk;
        z.avail_out = CHUNK;
        status = inflate(&z, Z_NO_FLUSH); /* Z_BUF_ERROR: the document ends before the data do */
        rl_buf_add(out, chunk, CHUNK - z.avail_out);
        may_be_one = out->len - start < LEAST_CAPTURE || is_capture(out->data + start, out->len - start);
    }
    inflateEnd(&z);
    free(chunk);
    if (!may_be_one)
        return NO_CAPTURE;
    return status == Z_STREAM_END && out->len - start <= most ? WHOLE : DAMAGED;
}

/* Bytes as they are: as many as the dictionary says, else up to the word that ends a stream. */
static enum unpacked copy_into(const struct candidate *c, size_t most, struct rl_buf *out)
{
    size_t left = (size_t)(c->bytes.end - c->bytes.at), length = c->length;
    if (length == SIZE_MAX) {
        const char *end = find(c->bytes.at, c->bytes.end, "endstream");
        length = end ? (size_t)(end - c->bytes.at) : left;
        if (length > 0 && end && c->bytes.at[length - 1] == '\n')
            length--;
    }
    if (length > left || length > most)
        return DAMAGED;
    rl_buf_add(out, c->bytes.at, length);
    return WHOLE;
}

struct search {
    struct rl_buf *out;
    struct rl_extracted *extracted;
    size_t budget; /* bytes that may still be unpacked, so that no document costs more than the largest capture */
    bool found;
    size_t damaged, wrong, unknown, bare; /* bare: a capture without a hash */
    struct rl_sha256 said, is;            /* of one that is not what the document says, or of a bare one */
};

static enum unpacked unpack(struct search *search, const struct candidate *c)
{
    size_t start = search->out->len;
    if (c->other_filter)
        return DAMAGED;
    const enum unpacked unpacked = (c->deflated ? inflate_into : copy_into)(c, search->budget, search->out);
    size_t used = search->out->len - start;
    search->budget -= used < search->budget ? used : search->budget;
    return unpacked;
}

/* ---- all of them ---- */

/* Checks a candidate whose bytes are at the end of `out`; true when they stay there. */
static bool judge(struct search *search, const struct candidate *c, const char *bytes, size_t len)
{
    struct rl_sha256 hash = rl_sha256_of(bytes, len);
    if (c->hashed && strcmp(hash.hex, c->hash.hex) != 0) {
        search->wrong++;
        search->said = c->hash;
        search->is = hash;
        return false;
    }
    if (!is_capture(bytes, len)) { /* whoever makes a document chooses its hash */
        search->unknown++;
        return false;
    }
    if (!c->hashed) {
        search->bare++;
        search->is = hash;
        return false;
    }
    if (search->found) {
        search->extracted->others += strcmp(hash.hex, search->extracted->sha256.hex) != 0;
        return false;
    }
    *search->extracted = (struct rl_extracted){hash, 0};
    return search->found = true;
}

/* Why there is none. */
static enum rl_status say_why(const struct search *search, struct view document, struct rl_err *err)
{
    const char *start = document.at;
    if (find(start, document.end, "/Encrypt"))
        return rl_err_set(err, RL_FORMAT, "the document is encrypted: make a copy without a password first (qpdf --decrypt)");
    if (search->wrong)
        return rl_err_set(err, RL_FORMAT,
                          "the attachment is not the capture that the report was made from: its SHA-256 is %.12s…, the report says "
                          "%.12s%s",
                          search->is.hex, search->said.hex[0] ? search->said.hex : "what is none", search->said.hex[0] ? "…" : "");
    if (search->bare)
        return rl_err_set(
            err, RL_FORMAT,
            "no hash stands next to the attached capture, so nothing shows whether it was changed: 'pdfdetach -saveall' "
            "writes it; its SHA-256 is %s, whose first 12 digits must be on the pages",
            search->is.hex);
    if (search->damaged)
        return rl_err_set(err, RL_FORMAT, "the attached capture is damaged: get the document again from where it was made");
    if (search->unknown)
        return rl_err_set(err, RL_ABSENT, "the document carries %zu attached file%s, but no capture", search->unknown,
                          search->unknown == 1 ? "" : "s");
    return rl_err_set(
        err, RL_ABSENT,
        "the document carries no capture: it is not a report of this program, or was saved by one that drops attachments");
}

enum rl_status rl_report_extract(const void *pdf, size_t len, struct rl_buf *out, struct rl_extracted *extracted,
                                 struct rl_err *err)
{
    assert((pdf || len == 0) && out && extracted);
    struct view document = {pdf, (const char *)pdf + len};
    struct search search = {.out = out, .extracted = extracted, .budget = RL_CAPTURE_MAX_BYTES};
    *extracted = (struct rl_extracted){{{0}}, 0};
    if (!find(document.at, document.at + (len < HEADER_WITHIN ? len : HEADER_WITHIN), "%PDF-"))
        return rl_err_set(err, RL_FORMAT, len ? "not a PDF: it does not begin like one" : "not a PDF: the file is empty");
    struct candidate c;
    size_t tried = 0;
    const char *at = document.at;
    for (; tried < MOST_CANDIDATES && (at = find(at, document.end, type_name)); at += strlen(type_name)) {
        const char *behind = at + strlen(type_name);
        if (behind < document.end && is_delimiter(*behind) && read_object(document, at, &c)) {
            size_t start = search.out->len;
            const enum unpacked unpacked = unpack(&search, &c);
            search.damaged += unpacked == DAMAGED;
            search.unknown += unpacked == NO_CAPTURE;
            if (unpacked != WHOLE || !judge(&search, &c, search.out->data + start, search.out->len - start))
                rl_buf_truncate(search.out, start);
            tried++;
        }
    }
    return search.found ? RL_OK : say_why(&search, document, err);
}
