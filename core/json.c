#include "core/json.h"

#include "core/core.h"

enum { TOP = 't', OBJECT = '{', ARRAY = '[' };

void rl_json_init(struct rl_json *json, struct rl_buf *out)
{
    *json = (struct rl_json){.out = out};
    json->level[0].kind = TOP;
    json->level[0].empty = true;
}

static void add_quoted(struct rl_buf *out, const char *text, size_t len)
{
    uint32_t codepoint;
    rl_buf_addch(out, '"');
    for (size_t at = 0, used; at < len; at += used) {
        used = rl_utf8_decode(text + at, len - at, &codepoint);
        if (rl_utf8_is_hidden(text, len, at, codepoint)) {
            static const char short_form[] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};
            if (codepoint < sizeof short_form && short_form[codepoint]) {
                rl_buf_addch(out, '\\');
                rl_buf_addch(out, short_form[codepoint]);
            } else if (codepoint < 0x10000) {
                rl_buf_addf(out, "\\u%04" PRIx32, codepoint);
            } else { /* as UTF-16 has it */
                rl_buf_addf(out, "\\u%04" PRIx32 "\\u%04" PRIx32, 0xD800 + ((codepoint - 0x10000) >> 10),
                            0xDC00 + ((codepoint - 0x10000) & 0x3FF));
            }
            continue;
        }
        if (codepoint == '"' || codepoint == '\\')
            rl_buf_addch(out, '\\');
        rl_utf8_encode(out, codepoint);
    }
    rl_buf_addch(out, '"');
}

static void add_line(struct rl_json *json)
{
    rl_buf_addch(json->out, '\n');
    rl_buf_fill(json->out, ' ', 2 * (size_t)json->depth);
}

/* True when what was written last is an object or an array: nothing else ends in these characters, strings end in a quote. */
static bool after_container(const struct rl_json *json)
{
    char last = json->out->len ? json->out->data[json->out->len - 1] : '\0';
    return last == '}' || last == ']';
}

/* Members of an object begin a line, and in an array what stands behind an object or an array or is one. */
static bool begins_line(const struct rl_json *json, bool container)
{
    const char kind = json->level[json->depth].kind;
    const bool first = json->level[json->depth].empty;
    return kind == OBJECT || (kind == ARRAY && (container || (!first && after_container(json))));
}

/* Everything that stands before a value: comma, line break, key. */
static void begin_value(struct rl_json *json, const char *key, bool container)
{
    char kind = json->level[json->depth].kind;
    bool first = json->level[json->depth].empty;
    assert((key != NULL) == (kind == OBJECT));
    assert(first || kind != TOP);
    const bool own_line = begins_line(json, container);
    if (!first)
        rl_buf_addch(json->out, ',');
    if (own_line)
        add_line(json);
    else if (!first)
        rl_buf_addch(json->out, ' ');
    if (key) {
        add_quoted(json->out, key, strlen(key));
        rl_buf_adds(json->out, ": ");
    }
    json->level[json->depth].empty = false;
}

static void open_level(struct rl_json *json, const char *key, char kind)
{
    begin_value(json, key, true);
    assert(json->depth < RL_JSON_MAX_DEPTH);
    rl_buf_addch(json->out, kind);
    json->depth++;
    json->level[json->depth].kind = kind;
    json->level[json->depth].empty = true;
}

void rl_json_object(struct rl_json *json, const char *key)
{
    open_level(json, key, OBJECT);
}

void rl_json_array(struct rl_json *json, const char *key)
{
    open_level(json, key, ARRAY);
}

void rl_json_end(struct rl_json *json)
{
    assert(json->depth > 0);
    char kind = json->level[json->depth].kind;
    bool empty = json->level[json->depth].empty;
    json->depth--;
    if (!empty && (kind == OBJECT || after_container(json)))
        add_line(json);
    rl_buf_addch(json->out, kind == OBJECT ? '}' : ']');
    if (json->depth == 0)
        rl_buf_addch(json->out, '\n');
}

bool rl_json_done(const struct rl_json *json)
{
    return json->depth == 0 && !json->level[0].empty;
}

void rl_json_string(struct rl_json *json, const char *key, const char *text)
{
    if (text) {
        rl_json_bytes(json, key, text, strlen(text));
        return;
    }
    begin_value(json, key, false);
    rl_buf_adds(json->out, "null");
}

void rl_json_bytes(struct rl_json *json, const char *key, const char *text, size_t len)
{
    begin_value(json, key, false);
    add_quoted(json->out, text, len);
}

void rl_json_double(struct rl_json *json, const char *key, double value)
{
    begin_value(json, key, false);
    if (isfinite(value))
        rl_number_exact(json->out, value);
    else
        rl_buf_adds(json->out, "null");
}

void rl_json_int(struct rl_json *json, const char *key, int64_t value)
{
    begin_value(json, key, false);
    rl_buf_addf(json->out, "%" PRId64, value);
}

void rl_json_uint(struct rl_json *json, const char *key, uint64_t value)
{
    begin_value(json, key, false);
    rl_buf_addf(json->out, "%" PRIu64, value);
}

void rl_json_bool(struct rl_json *json, const char *key, bool value)
{
    begin_value(json, key, false);
    rl_buf_adds(json->out, value ? "true" : "false");
}
