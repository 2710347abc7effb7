/* extract.c - finds the embedded file that is a capture (see media/extract.h).
 *
 * In the dictionary of the attachment stands its hash, below a key of our own: around each place where that key stands the object
 * is read, back to its "obj", on to its "stream", then its bytes, as they are or deflated. The hash decides.
 */
#include "media/extract.h"

#include <ctype.h>
#include <zlib.h>

#include "capture/capture.h"
#include "pdf.h"

enum {
    HEADER_WITHIN = 1024, /* readers accept some bytes before "%PDF-" */
    MOST_DICTIONARY = 4096,
    MOST_CANDIDATES = 256,
    CHUNK = 1 << 16,
    PAGE_SIZE_AT = 16, /* in SQLite's header: bytes of a page, as a number of two bytes */
    PAGES_AT = 28,     /* the number of pages, of four */
    ID_AT = 68,        /* the application, of four */
    LEAST_CAPTURE = ID_AT + 4,
};

static const char *find(const char *at, const char *end, const char *what)
{
    return at < end ? memmem(at, (size_t)(end - at), what, strlen(what)) : NULL;
}

static uint32_t number_at(const char *bytes, size_t count)
{
    uint32_t number = 0;
    for (size_t i = 0; i < count; i++)
        number = number << 8 | (uint8_t)bytes[i];
    return number;
}

/* By the first bytes of a capture: SQLite's, with our application id. */
static bool is_capture(const char *bytes, size_t len)
{
    static const char magic[] = "SQLite format 3";
    return len >= LEAST_CAPTURE && memcmp(bytes, magic, sizeof magic) == 0 &&
           number_at(bytes + ID_AT, 4) == RL_CAPTURE_APPLICATION_ID;
}

/* ---- an embedded file ---- */

struct candidate {
    const char *bytes, *end; /* from the first one to the end of the document: where they end is unknown yet */
    bool deflated;           /* otherwise as it is */
    struct rl_sha256 hash;
};

/* The hash behind its key: a string in parentheses, or the same in hexadecimal digits. False for anything else. */
static bool read_hash(const char *at, const char *end, struct rl_sha256 *hash)
{
    const size_t digits = sizeof hash->hex - 1;
    while (at < end && isspace((unsigned char)*at))
        at++;
    const bool coded = at < end && *at == '<';
    if ((size_t)(end - at) < (coded ? 2 : 1) * digits + 2 || (!coded && *at != '('))
        return false;
    for (size_t i = 0; i < digits; i++) {
        const char pair[] = {coded ? at[1 + 2 * i] : '0', coded ? at[2 + 2 * i] : '0', 0};
        const int c = coded ? (int)strtol(pair, NULL, 16) : at[1 + i];
        if (c > 127 || !isxdigit(c))
            return false;
        hash->hex[i] = (char)tolower(c);
    }
    return true;
}

/* The object around the key of the hash. */
static bool read_object(const char *document, const char *end, const char *key, struct candidate *c)
{
    const char *start = key, *least = key - document > MOST_DICTIONARY ? key - MOST_DICTIONARY : document;
    const char *behind = key + strlen("/" RL_PDF_HASH_KEY);
    const char *stream = find(behind, end - behind > MOST_DICTIONARY ? behind + MOST_DICTIONARY : end, "stream");
    while (start > least && memcmp(start, "obj", 3) != 0)
        start--;
    *c = (struct candidate){.end = end};
    if (!stream || !read_hash(behind, stream, &c->hash))
        return false;
    c->deflated = find(start, stream, "/FlateDecode") != NULL;
    stream += strlen("stream");
    stream += stream < end && *stream == '\r';
    if (stream == end || *stream != '\n')
        return false;
    c->bytes = stream + 1;
    return true;
}

/* ---- its bytes ---- */

/* Deflated bytes say themselves where they end. At most `most` bytes, and no more than the first ones of what is no capture: few
 * bytes may stand for very many. False: they are damaged, or no capture. */
static bool inflate_into(const struct candidate *c, size_t most, struct rl_buf *out)
{
    const char *packed = c->bytes;
    z_stream z = {0};
    char *chunk = rl_calloc(1, CHUNK);
    const size_t start = out->len;
    int status = inflateInit(&z);
    bool may_be_one = true;
    while (status == Z_OK && may_be_one && out->len - start <= most) {
        if (z.avail_in == 0) {
            const size_t left = (size_t)(c->end - packed);
            z.next_in = (Bytef *)packed;
            z.avail_in = (uInt)(left < CHUNK ? left : CHUNK);
            packed += z.avail_in;
        }
        z.next_out = (Bytef *)chunk;
        z.avail_out = CHUNK;
        status = inflate(&z, Z_NO_FLUSH); /* Z_BUF_ERROR: the document ends before the data do */
        rl_buf_add(out, chunk, CHUNK - z.avail_out);
        may_be_one = out->len - start < LEAST_CAPTURE || is_capture(out->data + start, out->len - start);
    }
    inflateEnd(&z);
    free(chunk);
    return status == Z_STREAM_END && out->len - start <= most && is_capture(out->data + start, out->len - start);
}

/* SQLite's header says how many bytes a capture has. */
static bool copy_into(const struct candidate *c, size_t most, struct rl_buf *out)
{
    const size_t left = (size_t)(c->end - c->bytes);
    if (!is_capture(c->bytes, left))
        return false;
    const size_t page = number_at(c->bytes + PAGE_SIZE_AT, 2),
                 size = (page == 1 ? 65536 : page) * number_at(c->bytes + PAGES_AT, 4);
    if (size > left || size > most)
        return false;
    rl_buf_add(out, c->bytes, size);
    return true;
}

/* ---- all of them ---- */

enum rl_status rl_report_extract(const void *pdf, size_t len, struct rl_buf *out, struct rl_extracted *extracted,
                                 struct rl_err *err)
{
    assert((pdf || len == 0) && out && extracted);
    const char *document = pdf, *end = document + len, *at = document;
    size_t budget = RL_CAPTURE_MAX_BYTES; /* that may still be unpacked, so that no document costs more than the largest capture */
    size_t damaged = 0, wrong = 0;
    bool found = false;
    struct candidate c;
    struct rl_sha256 said = {{0}}, is = {{0}};
    *extracted = (struct rl_extracted){{{0}}, 0};
    if (!find(document, document + (len < HEADER_WITHIN ? len : HEADER_WITHIN), "%PDF-"))
        return rl_err_set(err, RL_FORMAT, len ? "not a PDF: it does not begin like one" : "not a PDF: the file is empty");
    for (size_t tried = 0; tried < MOST_CANDIDATES && (at = find(at, end, "/" RL_PDF_HASH_KEY)); tried++, at++) {
        if (!read_object(document, end, at, &c))
            continue;
        const size_t start = out->len;
        const bool whole = (c.deflated ? inflate_into : copy_into)(&c, budget, out);
        budget -= out->len - start < budget ? out->len - start : budget;
        const struct rl_sha256 hash = rl_sha256_of(out->data + start, out->len - start);
        const bool fits = whole && strcmp(hash.hex, c.hash.hex) == 0;
        damaged += !whole;
        if (whole && !fits) {
            wrong++;
            said = c.hash;
            is = hash;
        }
        if (fits && found)
            extracted->others += strcmp(hash.hex, extracted->sha256.hex) != 0;
        if (!fits || found)
            rl_buf_truncate(out, start);
        else
            extracted->sha256 = hash;
        found |= fits;
    }
    if (found)
        return RL_OK;
    if (find(document, end, "/Encrypt"))
        return rl_err_set(err, RL_FORMAT, "the document is encrypted: make a copy without a password first (qpdf --decrypt)");
    if (wrong)
        return rl_err_set(err, RL_FORMAT,
                          "the attachment is not the capture that the report was made from: its SHA-256 is %.12s…, the report says "
                          "%.12s…",
                          is.hex, said.hex);
    if (damaged)
        return rl_err_set(err, RL_FORMAT, "the attached capture is damaged: get the document again from where it was made");
    return rl_err_set(
        err, RL_ABSENT,
        "the document carries no capture: it is not a report of this program, or was saved by one that drops attachments");
}
