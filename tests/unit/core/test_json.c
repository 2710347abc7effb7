/* The JSON writer: exact texts, hostile strings, nesting; everything is read back by a strict reader written here. */
#include "rl_test.h"

#include <stdbool.h>

#include "core/json.h"
#include "core/utf8.h"

/* A strict RFC 8259 reader that only says whether the text is JSON. */
static const char *skip_value(const char *p);

static const char *skip_space(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

static const char *skip_string(const char *p)
{
    if (*p++ != '"')
        return NULL;
    while (*p != '"') {
        if ((unsigned char)*p < 0x20)
            return NULL;
        if (*p == '\\') {
            p++;
            if (*p == 'u' && strspn(p + 1, "0123456789abcdefABCDEF") < 4)
                return NULL;
            if (!*p || !strchr("\"\\/bfnrtu", *p))
                return NULL;
        }
        p++;
    }
    return p + 1;
}

static const char *skip_members(const char *p, char end, bool keyed)
{
    p = skip_space(p);
    if (*p == end)
        return p + 1;
    for (;;) {
        if (keyed && (!(p = skip_string(skip_space(p))) || *(p = skip_space(p)) != ':'))
            return NULL;
        p = skip_value(keyed ? p + 1 : p);
        if (!p)
            return NULL;
        p = skip_space(p);
        if (*p == end)
            return p + 1;
        if (*p++ != ',')
            return NULL;
    }
}

static const char *skip_value(const char *p)
{
    p = skip_space(p);
    if (*p == '{' || *p == '[')
        return skip_members(p + 1, *p == '{' ? '}' : ']', *p == '{');
    if (*p == '"')
        return skip_string(p);
    static const char *const words[] = {"true", "false", "null"};
    for (int i = 0; i < 3; i++)
        if (strncmp(p, words[i], strlen(words[i])) == 0)
            return p + strlen(words[i]);
    char *end;
    strtod(p, &end);
    return end > p && strchr("-0123456789", *p) ? end : NULL;
}

static void assert_is_json(const struct rl_buf *buf)
{
    const char *end = skip_value(buf->data);
    if (!end || *skip_space(end) != '\0' || strlen(buf->data) != buf->len || !rl_utf8_valid(buf->data, buf->len))
        fail_msg("not JSON: %s", buf->data);
}

static void write_sample(struct rl_json *json)
{
    rl_json_object(json, NULL);
    rl_json_string(json, "name", "NVIDIA H200");
    rl_json_array(json, "block");
    rl_json_uint(json, NULL, 256);
    rl_json_int(json, NULL, -1);
    rl_json_end(json);
    rl_json_array(json, "kernels");
    rl_json_object(json, NULL);
    rl_json_double(json, "t", 0.1);
    rl_json_end(json);
    rl_json_object(json, NULL);
    rl_json_end(json);
    rl_json_end(json);
    rl_json_array(json, "none");
    rl_json_end(json);
    rl_json_bool(json, "ok", true);
    rl_json_string(json, "nothing", NULL);
    assert_false(rl_json_done(json));
    rl_json_end(json);
    assert_true(rl_json_done(json));
}

static void exact_texts(void **state)
{
    (void)state;
    struct rl_buf buf = RL_BUF_INIT;
    struct rl_json json;
    rl_json_init(&json, &buf);
    assert_false(rl_json_done(&json));
    write_sample(&json);
    assert_string_equal(buf.data, "{\n"
                                  "  \"name\": \"NVIDIA H200\",\n"
                                  "  \"block\": [256, -1],\n"
                                  "  \"kernels\": [\n"
                                  "    {\n"
                                  "      \"t\": 0.1\n"
                                  "    },\n"
                                  "    {}\n"
                                  "  ],\n"
                                  "  \"none\": [],\n"
                                  "  \"ok\": true,\n"
                                  "  \"nothing\": null\n"
                                  "}\n");
    assert_is_json(&buf);
    rl_buf_release(&buf);
}

static void assert_string(const char *bytes, size_t len, const char *expected)
{
    struct rl_buf buf = RL_BUF_INIT;
    struct rl_json json;
    rl_json_init(&json, &buf);
    rl_json_bytes(&json, NULL, bytes, len);
    assert_true(rl_json_done(&json));
    assert_string_equal(buf.data, expected);
    assert_is_json(&buf);
    rl_buf_release(&buf);
}

#define STRING(bytes, expected) assert_string(bytes, sizeof(bytes) - 1, expected)

static void hostile_strings(void **state)
{
    (void)state;
    STRING("", "\"\"");
    STRING("a\"b\\c/d", "\"a\\\"b\\\\c/d\"");
    STRING("\b\t\n\f\r", "\"\\b\\t\\n\\f\\r\"");
    STRING("a\xE2\x80\x8B\xF3\xA0\x81\xA1", "\"a\\u200b\\udb40\\udc61\""); /* what people do not see: zero width, a tag */
    STRING("::a ##vso[b] c::d", "\"\\u003a:a \\u0023#vso[b] c::d\"");
    STRING("\0\x01\x1F\x7F", "\"\\u0000\\u0001\\u001f\\u007f\"");
    STRING("\xC2\x9B"
           "31m",
           "\"\\u009b31m\"");
    STRING("\xE2\x80\xA8\xE2\x80\xAE", "\"\\u2028\\u202e\"");
    STRING("\xFF\xC0\x80\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
    STRING("\xE6\x97\xA5 \xF0\x9F\x98\x80", "\"\xE6\x97\xA5 \xF0\x9F\x98\x80\"");
    STRING("$(rm -rf ~) `id` '; DROP TABLE", "\"$(rm -rf ~) `id` '; DROP TABLE\"");
}

static void every_byte_alone_and_in_a_key(void **state)
{
    (void)state;
    for (int byte = 1; byte < 256; byte++) {
        char text[] = {'x', (char)byte, 'y', '\0'};
        struct rl_buf buf = RL_BUF_INIT;
        struct rl_json json;
        rl_json_init(&json, &buf);
        rl_json_object(&json, NULL);
        rl_json_string(&json, text, text);
        rl_json_end(&json);
        assert_is_json(&buf);
        rl_buf_release(&buf);
    }
}

static void numbers(void **state)
{
    (void)state;
    struct rl_buf buf = RL_BUF_INIT;
    struct rl_json json;
    rl_json_init(&json, &buf);
    rl_json_array(&json, NULL);
    rl_json_double(&json, NULL, 1e300);
    rl_json_double(&json, NULL, -2.5e-10);
    rl_json_double(&json, NULL, 3);
    rl_json_double(&json, NULL, NAN);
    rl_json_double(&json, NULL, -INFINITY);
    rl_json_int(&json, NULL, INT64_MIN);
    rl_json_uint(&json, NULL, UINT64_MAX);
    rl_json_double(&json, NULL, 0.5);
    rl_json_double(&json, NULL, NAN);
    rl_json_string(&json, NULL, NULL);
    rl_json_bool(&json, NULL, false);
    rl_json_end(&json);
    assert_string_equal(buf.data, "[1e300, -2.5e-10, 3, null, null, -9223372036854775808, 18446744073709551615, 0.5, null, null, "
                                  "false]\n");
    assert_is_json(&buf);
    rl_buf_release(&buf);
}

static void nesting_to_the_limit(void **state)
{
    (void)state;
    struct rl_buf buf = RL_BUF_INIT;
    struct rl_json json;
    rl_json_init(&json, &buf);
    for (int i = 0; i < RL_JSON_MAX_DEPTH; i++) {
        if (i % 2)
            rl_json_object(&json, NULL);
        else
            rl_json_array(&json, i ? "a" : NULL);
    }
    rl_json_uint(&json, "deep", 1); /* the 32nd level is an object */
    for (int i = 0; i < RL_JSON_MAX_DEPTH; i++) {
        assert_false(rl_json_done(&json));
        rl_json_end(&json);
    }
    assert_true(rl_json_done(&json));
    assert_is_json(&buf);
    rl_buf_release(&buf);
}

static void text_after_other_output(void **state)
{
    (void)state;
    struct rl_buf buf = RL_BUF_INIT;
    struct rl_json json;
    rl_buf_adds(&buf, "]"); /* what is there already must not be taken for ours */
    rl_json_init(&json, &buf);
    rl_json_array(&json, NULL);
    rl_json_string(&json, NULL, "]");
    rl_json_string(&json, NULL, "x");
    rl_json_end(&json);
    assert_string_equal(buf.data, "][\"]\", \"x\"]\n");
    rl_buf_release(&buf);
}

static void plain_values_share_a_line(void **state)
{
    (void)state;
    struct rl_buf out = RL_BUF_INIT;
    struct rl_json json;
    rl_json_init(&json, &out);
    rl_json_array(&json, NULL);
    rl_json_double(&json, NULL, 1.5);
    rl_json_int(&json, NULL, -2);
    rl_json_uint(&json, NULL, 3);
    rl_json_bool(&json, NULL, true);
    rl_json_string(&json, NULL, NULL);
    rl_json_string(&json, NULL, "s");
    rl_json_double(&json, NULL, 0.5);
    rl_json_double(&json, NULL, 4);
    rl_json_end(&json);
    assert_string_equal(out.data, "[1.5, -2, 3, true, null, \"s\", 0.5, 4]\n");
    rl_buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_texts),
        cmocka_unit_test(hostile_strings),
        cmocka_unit_test(every_byte_alone_and_in_a_key),
        cmocka_unit_test(numbers),
        cmocka_unit_test(nesting_to_the_limit),
        cmocka_unit_test(text_after_other_output),
        cmocka_unit_test(plain_values_share_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
