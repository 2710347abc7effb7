/* Whatever is written is JSON that says it: the input is a program of calls to the writer, what comes out is read by a reader of
 * RFC 8259 that shares no code with it, and held against the calls. */
#include <math.h>
#include <string.h>

#include "core/json.h"
#include "core/utf8.h"
#include "fuzz.h"

enum { MOST_VALUES = 4096 };

/* What the reader must find next: an opening or closing character, a text, a number, or a word (null, true, false). */
struct expected {
    char kind; /* '{' '[' ']' '}' 's' 'k' 'n' 'w'; 'k': the key of a member */
    struct rl_buf text;
    double number;
};

struct script {
    const uint8_t *at, *end;
    struct expected values[MOST_VALUES];
    size_t count;
};

static uint8_t next_byte(struct script *script)
{
    return script->at < script->end ? *script->at++ : 0;
}

/* The next bytes of the input, up to 63, as a text without a 0. */
static size_t next_text(struct script *script, char text[64])
{
    const size_t wanted = next_byte(script) % 64, left = (size_t)(script->end - script->at);
    const size_t len = wanted < left ? wanted : left;
    memcpy(text, script->at, len);
    text[len] = '\0';
    script->at += len;
    return strlen(text);
}

static double next_double(struct script *script)
{
    uint8_t bytes[sizeof(double)];
    double value;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = next_byte(script);
    memcpy(&value, bytes, sizeof value);
    return value;
}

/* ---- calls ---- */

static struct expected *expect(struct script *script, char kind)
{
    script->values[script->count] = (struct expected){.kind = kind, .text = RL_BUF_INIT};
    return &script->values[script->count++];
}

/* Valid text comes back as it is, anything else with U+FFFD in the place of each byte that is not. */
static void expect_text(struct script *script, char kind, const char *text, size_t len)
{
    struct rl_buf *wanted = &expect(script, kind)->text;
    uint32_t codepoint;
    for (size_t at = 0; at < len; rl_utf8_encode(wanted, codepoint))
        at += rl_utf8_decode(text + at, len - at, &codepoint);
}

static void write_number(struct script *script, struct rl_json *json, const char *key, uint8_t op)
{
    const double value = next_double(script);
    if (op == 4 && isfinite(value)) {
        rl_json_double(json, key, value);
        expect(script, 'n')->number = value;
    } else if (op == 4) {
        rl_json_double(json, key, value);
        rl_buf_adds(&expect(script, 'w')->text, "null");
    } else {
        const int64_t whole = (int64_t)(next_byte(script) * 0x0101010101010101ull);
        rl_json_int(json, key, whole);
        expect(script, 'n')->number = (double)whole;
    }
}

static void write_value(struct script *script, struct rl_json *json, const char *key, uint8_t op)
{
    char text[64];
    if (op < 3) {
        const size_t len = next_text(script, text);
        rl_json_bytes(json, key, text, len);
        expect_text(script, 's', text, len);
    } else if (op == 3) {
        const bool yes = next_byte(script) & 1;
        rl_json_bool(json, key, yes);
        rl_buf_adds(&expect(script, 'w')->text, yes ? "true" : "false");
    } else {
        write_number(script, json, key, op);
    }
}

static void close_level(struct script *script, struct rl_json *json)
{
    const char open = json->level[json->depth].kind;
    rl_json_end(json);
    expect(script, open == '{' ? '}' : ']');
}

/* One call; in an object with its key. */
static void write_next(struct script *script, struct rl_json *json)
{
    const uint8_t op = next_byte(script) % 10;
    char key[64];
    const bool keyed = json->level[json->depth].kind == '{' && op < 9;
    if (op >= 7 && op < 9 && json->depth >= RL_JSON_MAX_DEPTH)
        return;
    if (keyed)
        expect_text(script, 'k', key, next_text(script, key));
    if (op == 9) {
        if (json->depth > 1)
            close_level(script, json);
    } else if (op == 7) {
        rl_json_object(json, keyed ? key : NULL);
        expect(script, '{');
    } else if (op == 8) {
        rl_json_array(json, keyed ? key : NULL);
        expect(script, '[');
    } else {
        write_value(script, json, keyed ? key : NULL, op);
    }
}

static void write_all(struct script *script, struct rl_buf *out)
{
    struct rl_json json;
    const bool object = next_byte(script) & 1;
    rl_json_init(&json, out);
    (object ? rl_json_object : rl_json_array)(&json, NULL);
    expect(script, object ? '{' : '[');
    while (script->at < script->end && script->count < MOST_VALUES - RL_JSON_MAX_DEPTH - 4)
        write_next(script, &json);
    while (json.depth > 0)
        close_level(script, &json);
    REQUIRE(rl_json_done(&json));
}

/* ---- the reader ---- */

struct reader {
    const char *at, *end;
};

static void skip_blanks(struct reader *reader)
{
    while (reader->at < reader->end && strchr(" \n\t\r", *reader->at))
        reader->at++;
}

static void take(struct reader *reader, char c)
{
    REQUIRE(reader->at < reader->end && *reader->at == c);
    reader->at++;
}

static uint32_t read_hex(struct reader *reader)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef";
        REQUIRE(reader->at < reader->end && *reader->at);
        const char *digit = strchr(digits, *reader->at++ | 0x20);
        REQUIRE(digit);
        value = value * 16 + (uint32_t)(digit - digits);
    }
    return value;
}

/* What follows "\u": four digits, or a surrogate pair of two escapes. */
static uint32_t read_codepoint(struct reader *reader)
{
    const uint32_t high = read_hex(reader);
    if (high < 0xD800 || high > 0xDFFF)
        return high;
    REQUIRE(high < 0xDC00);
    take(reader, '\\');
    take(reader, 'u');
    const uint32_t low = read_hex(reader);
    REQUIRE(low >= 0xDC00 && low <= 0xDFFF);
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

static void read_escape(struct reader *reader, struct rl_buf *text)
{
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    REQUIRE(reader->at < reader->end && *reader->at);
    const char c = *reader->at++;
    if (c == 'u') {
        rl_utf8_encode(text, read_codepoint(reader));
        return;
    }
    REQUIRE(strchr(names, c));
    rl_buf_addch(text, meant[strchr(names, c) - names]);
}

static void read_string(struct reader *reader, struct rl_buf *text)
{
    take(reader, '"');
    for (;;) {
        REQUIRE(reader->at < reader->end);
        const char c = *reader->at++;
        if (c == '"')
            return;
        REQUIRE((unsigned char)c >= 0x20);
        if (c == '\\')
            read_escape(reader, text);
        else
            rl_buf_addch(text, c);
    }
}

static void read_text(struct reader *reader, const struct rl_buf *wanted)
{
    struct rl_buf text = RL_BUF_INIT;
    read_string(reader, &text);
    REQUIRE(text.len == wanted->len && memcmp(text.data, wanted->data, text.len) == 0);
    rl_buf_release(&text);
}

/* -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)? */
static void read_number(struct reader *reader, double wanted)
{
    char copy[64];
    const char *from = reader->at, *at = from + (*from == '-');
    REQUIRE(at < reader->end && *at >= '0' && *at <= '9' && !(*at == '0' && at[1] >= '0' && at[1] <= '9'));
    while (at < reader->end && strchr("0123456789.eE+-", *at))
        at++;
    REQUIRE((size_t)(at - from) < sizeof copy);
    memcpy(copy, from, (size_t)(at - from));
    copy[at - from] = '\0';
    char *end;
    REQUIRE(strtod(copy, &end) == wanted && *end == '\0');
    REQUIRE(at[-1] >= '0' && at[-1] <= '9');
    reader->at = at;
}

static void read_expected(struct reader *reader, const struct expected *value, char *stack, size_t *depth, bool *comma)
{
    const bool closes = value->kind == ']' || value->kind == '}';
    skip_blanks(reader);
    if (*comma && !closes) {
        take(reader, ',');
        skip_blanks(reader);
    }
    *comma = true;
    if (value->kind == 'k') {
        REQUIRE(*depth > 0 && stack[*depth - 1] == '{');
        read_text(reader, &value->text);
        skip_blanks(reader);
        take(reader, ':');
        *comma = false;
    } else if (value->kind == 's') {
        read_text(reader, &value->text);
    } else if (value->kind == 'n') {
        read_number(reader, value->number);
    } else if (value->kind == 'w') {
        REQUIRE((size_t)(reader->end - reader->at) >= value->text.len &&
                memcmp(reader->at, value->text.data, value->text.len) == 0);
        reader->at += value->text.len;
    } else {
        take(reader, value->kind);
        *depth = closes ? *depth - 1 : *depth + 1;
        if (!closes)
            stack[*depth - 1] = value->kind;
        *comma = closes;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct script script;
    struct rl_buf out = RL_BUF_INIT;
    char stack[RL_JSON_MAX_DEPTH + 1];
    size_t depth = 0;
    bool comma = false;
    script.at = data;
    script.end = data + size;
    script.count = 0;
    write_all(&script, &out);
    REQUIRE(rl_utf8_valid(out.data, out.len));
    struct reader reader = {out.data, out.data + out.len};
    for (size_t i = 0; i < script.count; i++) {
        read_expected(&reader, &script.values[i], stack, &depth, &comma);
        rl_buf_release(&script.values[i].text);
    }
    skip_blanks(&reader);
    REQUIRE(depth == 0 && reader.at == reader.end);
    rl_buf_release(&out);
    return 0;
}
