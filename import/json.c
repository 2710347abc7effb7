/* json.c - the only file that knows yajl, and zlib's gzip. */
#include "json.h"

#include <yajl/yajl_parse.h>
#include <zlib.h>

enum { TOKEN = 64, GZIP = 15 + 16 /* zlib: the largest window, a header of gzip */ };

/* Between the file and the parser: JSON as others write it becomes JSON, byte by byte. */
struct scrub {
    bool in_string, escaped;
    size_t length;     /* of the string */
    char token[TOKEN]; /* a number or a word that goes on */
    size_t token_len;  /* TOKEN + 1: it is too long */
    struct rl_buf out;
};

struct reading {
    rl_json_taker take;
    void *context;
    size_t depth;
    bool too_deep;
    struct scrub scrub;
    yajl_handle parser;
    yajl_status status;
    unsigned long long bytes; /* unpacked */
};

/* ---- making it JSON ---- */

static bool is_of_token(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' || c == '.' ||
           c == '(' || c == ')' || c == '_';
}

static void end_token(struct scrub *scrub)
{
    const struct rl_text token = {scrub->token, scrub->token_len};
    const char *digit = token.at + (token.len && token.at[0] == '-');
    const bool fits = token.len <= TOKEN;
    const bool number = fits && digit < token.at + token.len && *digit >= '0' && *digit <= '9';

    if (!token.len)
        return;
    if (number || (fits && (rl_text_is(token, "true") || rl_text_is(token, "false") || rl_text_is(token, "null"))))
        rl_buf_add(&scrub->out, token.at, token.len);
    else
        rl_buf_adds(&scrub->out, "\"\"");
    scrub->token_len = 0;
}

static void add_to_string(struct scrub *scrub, char c)
{
    static const char escapes[] = "\"\\/bfnrtu";

    if (scrub->escaped) { /* a backslash waits */
        scrub->escaped = false;
        if (scrub->length < RL_JSON_MAX_STRING && strchr(escapes, c) && c) {
            rl_buf_addch(&scrub->out, '\\');
            rl_buf_addch(&scrub->out, c);
        }
        scrub->length += 2;
    } else if (c == '\\') {
        scrub->escaped = true;
    } else if (c == '"') {
        scrub->in_string = false;
        rl_buf_addch(&scrub->out, c);
    } else if (scrub->length++ < RL_JSON_MAX_STRING) {
        rl_buf_addch(&scrub->out, (unsigned char)c < ' ' ? ' ' : c);
    }
}

static void scrub_bytes(struct scrub *scrub, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        const char c = bytes[i];
        if (scrub->in_string) {
            /* most bytes are those of a string that needs nothing */
            size_t plain = i;
            while (!scrub->escaped && plain < len && bytes[plain] != '"' && bytes[plain] != '\\' &&
                   (unsigned char)bytes[plain] >= ' ')
                plain++;
            if (plain > i) {
                const size_t room = scrub->length < RL_JSON_MAX_STRING ? RL_JSON_MAX_STRING - scrub->length : 0;
                rl_buf_add(&scrub->out, bytes + i, plain - i < room ? plain - i : room);
                scrub->length += plain - i;
                i = plain - 1;
            } else {
                add_to_string(scrub, c);
            }
        } else if (is_of_token(c)) {
            if (scrub->token_len < TOKEN)
                scrub->token[scrub->token_len] = c;
            scrub->token_len += scrub->token_len <= TOKEN;
        } else {
            end_token(scrub);
            scrub->in_string = c == '"';
            scrub->length = 0;
            rl_buf_addch(&scrub->out, c);
        }
    }
}

/* ---- values ---- */

static int give(struct reading *reading, enum rl_json_kind kind, const void *at, size_t len)
{
    reading->take(reading->context, kind, (struct rl_text){at ? at : "", len});
    return 1;
}

static int enter(struct reading *reading, enum rl_json_kind kind)
{
    reading->too_deep = ++reading->depth > RL_JSON_MAX_DEPTH;
    return !reading->too_deep && give(reading, kind, NULL, 0);
}

static int on_null(void *context)
{
    return give(context, RL_JSON_OTHER, "null", 4);
}
static int on_boolean(void *context, int value)
{
    return give(context, RL_JSON_OTHER, value ? "true" : "false", value ? 4 : 5);
}
static int on_number(void *context, const char *text, size_t len)
{
    return give(context, RL_JSON_NUMBER, text, len);
}
static int on_string(void *context, const unsigned char *text, size_t len)
{
    return give(context, RL_JSON_STRING, text, len);
}
static int on_key(void *context, const unsigned char *text, size_t len)
{
    return give(context, RL_JSON_KEY, text, len);
}
static int on_map(void *context)
{
    return enter(context, RL_JSON_MAP);
}
static int on_array(void *context)
{
    return enter(context, RL_JSON_ARRAY);
}
static int on_end_map(void *context)
{
    ((struct reading *)context)->depth--;
    return give(context, RL_JSON_END_MAP, NULL, 0);
}
static int on_end_array(void *context)
{
    ((struct reading *)context)->depth--;
    return give(context, RL_JSON_END_ARRAY, NULL, 0);
}

static const yajl_callbacks callbacks = {.yajl_null = on_null,
                                         .yajl_boolean = on_boolean,
                                         .yajl_number = on_number,
                                         .yajl_string = on_string,
                                         .yajl_start_map = on_map,
                                         .yajl_map_key = on_key,
                                         .yajl_end_map = on_end_map,
                                         .yajl_start_array = on_array,
                                         .yajl_end_array = on_end_array};

static void feed(struct reading *reading, const char *bytes, size_t len)
{
    struct scrub *scrub = &reading->scrub;

    if (reading->status != yajl_status_ok)
        return;
    reading->bytes += len;
    rl_buf_reset(&scrub->out);
    scrub_bytes(scrub, bytes, len);
    reading->status = yajl_parse(reading->parser, (const unsigned char *)scrub->out.data, scrub->out.len);
}

/* Whether the document was whole; a value that goes on has been cut. */
static bool finish(struct reading *reading)
{
    rl_buf_reset(&reading->scrub.out);
    end_token(&reading->scrub);
    reading->status = yajl_parse(reading->parser, (const unsigned char *)reading->scrub.out.data, reading->scrub.out.len);
    return reading->status != yajl_status_ok || yajl_complete_parse(reading->parser) == yajl_status_ok;
}

/* ---- the file ---- */

static bool is_gzip(struct rl_text start)
{
    return rl_text_begins(start, "\x1F\x8B");
}

/* Unpacks what is in `in`, which may be several members one behind the other, and feeds it. False: it is damaged. */
static bool unpack(struct reading *reading, z_stream *zip, char *room, int *code)
{
    while (reading->status == yajl_status_ok && reading->bytes <= RL_JSON_MAX_BYTES) {
        zip->next_out = (unsigned char *)room;
        zip->avail_out = RL_LINES_CHUNK;
        *code = inflate(zip, Z_NO_FLUSH);
        feed(reading, room, RL_LINES_CHUNK - zip->avail_out);
        if (*code == Z_STREAM_END && zip->avail_in)
            *code = inflateReset(zip);
        else if (*code == Z_STREAM_END || (*code == Z_BUF_ERROR && !zip->avail_in) ||
                 (*code == Z_OK && !zip->avail_in && zip->avail_out))
            return true;
        if (*code != Z_OK && *code != Z_BUF_ERROR)
            return false;
    }
    return true;
}

/* Feeds all of the file. `*whole`: it does not end within what is compressed. */
static bool feed_all(struct reading *reading, struct rl_lines *lines, bool *whole)
{
    char *in = rl_calloc(2, RL_LINES_CHUNK), *out = in + RL_LINES_CHUNK;
    z_stream zip = {.next_in = NULL};
    bool first = true, zipped = false, good = true;
    int code = Z_STREAM_END;

    for (size_t len; good && (len = rl_lines_bytes(lines, in, RL_LINES_CHUNK)) > 0; first = false) {
        if (first && is_gzip((struct rl_text){in, len})) {
            zipped = true;
            good = inflateInit2(&zip, GZIP) == Z_OK;
        }
        if (!zipped) {
            const size_t mark = first && rl_text_begins((struct rl_text){in, len}, "\xEF\xBB\xBF") ? 3 : 0;
            feed(reading, in + mark, len - mark);
        } else if (good) {
            zip.next_in = (unsigned char *)in;
            zip.avail_in = (uInt)len;
            if (code == Z_STREAM_END && !first)
                good = inflateReset(&zip) == Z_OK; /* a member ended with the chunk before */
            good = good && unpack(reading, &zip, out, &code);
        }
        if (reading->status != yajl_status_ok || reading->bytes > RL_JSON_MAX_BYTES)
            break;
    }
    if (zipped)
        inflateEnd(&zip);
    *whole = code == Z_STREAM_END;
    free(in);
    return good;
}

enum rl_status rl_json_read(struct rl_lines *lines, rl_json_taker take, void *context, bool *cut, struct rl_err *err)
{
    struct reading reading = {.take = take, .context = context, .status = yajl_status_ok};
    enum rl_status status = RL_OK;
    bool whole = true;

    rl_buf_init(&reading.scrub.out);
    reading.parser = yajl_alloc(&callbacks, NULL, &reading);
    if (!reading.parser)
        return rl_err_set(err, RL_FAILED, "no memory for a parser");
    yajl_config(reading.parser, yajl_dont_validate_strings, 1);
    yajl_config(reading.parser, yajl_allow_trailing_garbage, 1);
    rl_lines_rewind(lines);
    const bool unpacked = feed_all(&reading, lines, &whole);
    *cut = reading.status == yajl_status_ok && (!finish(&reading) || !whole);
    if (reading.too_deep)
        status = rl_err_set(err, RL_FORMAT, "damaged: its JSON is nested more than %d deep", RL_JSON_MAX_DEPTH);
    else if (reading.status != yajl_status_ok)
        status = rl_err_set(err, RL_FORMAT, "damaged: no JSON at about byte %llu", reading.bytes);
    else if (!unpacked)
        status = rl_err_set(err, RL_FORMAT, "damaged: it cannot be unpacked behind byte %llu of its JSON", reading.bytes);
    else if (reading.bytes > RL_JSON_MAX_BYTES)
        status = rl_err_set(err, RL_FORMAT, "more than %llu GiB of JSON", RL_JSON_MAX_BYTES >> 30);
    yajl_free(reading.parser);
    rl_buf_release(&reading.scrub.out);
    return status;
}

bool rl_json_begins(struct rl_text start)
{
    char room[256];
    z_stream zip = {.next_in = (unsigned char *)start.at, .avail_in = (uInt)start.len};

    if (is_gzip(start) && inflateInit2(&zip, GZIP) == Z_OK) {
        zip.next_out = (unsigned char *)room;
        zip.avail_out = sizeof room;
        (void)inflate(&zip, Z_SYNC_FLUSH); /* a damaged one has made no byte */
        inflateEnd(&zip);
        start = (struct rl_text){room, sizeof room - zip.avail_out};
    }
    if (rl_text_begins(start, "\xEF\xBB\xBF"))
        start = rl_text_from(start, 3);
    for (size_t i = 0, seen = 0; i < start.len; i++) {
        const char c = start.at[i];
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
            continue;
        if (seen)
            return seen == '{' ? c == '"' || c == '}' : c == '{';
        if (c != '{' && c != '[')
            return false;
        seen = (size_t)c;
    }
    return false;
}

/* ---- paths ---- */

enum { MOST_OF_KEY = 64 };

void rl_json_path_step(struct rl_json_path *path, enum rl_json_kind kind, struct rl_text text)
{
    if (!path->text.data)
        rl_buf_init(&path->text);
    if (kind == RL_JSON_MAP || kind == RL_JSON_ARRAY) {
        assert(path->depth <= RL_JSON_MAX_DEPTH); /* rl_json_read bounds it */
        path->before[path->depth++] = path->text.len;
    } else if (kind == RL_JSON_END_MAP || kind == RL_JSON_END_ARRAY) {
        rl_buf_truncate(&path->text, path->before[--path->depth]);
    } else if (kind == RL_JSON_KEY) {
        rl_buf_truncate(&path->text, path->before[path->depth - 1]);
        rl_buf_adds(&path->text, path->text.len ? "." : "");
        rl_buf_add(&path->text, text.at, text.len < MOST_OF_KEY ? text.len : MOST_OF_KEY);
    }
}

bool rl_json_path_is(const struct rl_json_path *path, const char *keys)
{
    return path->text.data && rl_text_is((struct rl_text){path->text.data, path->text.len}, keys);
}

void rl_json_path_release(struct rl_json_path *path)
{
    if (path->text.data)
        rl_buf_release(&path->text);
    path->depth = 0;
}

/* ---- numbers ---- */

bool rl_json_integer(struct rl_text number, int digits, int64_t *value)
{
    static const uint64_t most = (UINT64_C(1) << 62) - 1;
    const bool negative = number.len && number.at[0] == '-';
    uint64_t whole = 0;
    long shift = digits, exponent = 0;
    bool point = false, any = false;
    size_t i = negative;

    for (; i < number.len && ((number.at[i] >= '0' && number.at[i] <= '9') || (number.at[i] == '.' && !point)); i++) {
        if (number.at[i] == '.') {
            point = true;
        } else if (whole <= (most - 9) / 10) {
            whole = whole * 10 + (uint64_t)(number.at[i] - '0');
            shift -= point;
            any = true;
        } else if (!point) {
            shift++; /* a digit that does not fit */
        }
    }
    if (i < number.len && any && (number.at[i] == 'e' || number.at[i] == 'E')) {
        const bool below = ++i < number.len && number.at[i] == '-';
        i += i < number.len && (below || number.at[i] == '+');
        for (; i < number.len && number.at[i] >= '0' && number.at[i] <= '9'; i++)
            exponent = exponent < 1000 ? exponent * 10 + (number.at[i] - '0') : exponent;
        exponent = below ? -exponent : exponent;
    }
    shift += exponent;
    for (; shift > 0 && whole && whole <= most / 10; shift--)
        whole *= 10;
    if (!any || i < number.len || (shift > 0 && whole))
        return false;
    for (; shift < -1 && whole; shift++)
        whole /= 10;
    if (shift < 0)
        whole = (whole + 5) / 10;
    *value = negative ? -(int64_t)whole : (int64_t)whole;
    return true;
}
