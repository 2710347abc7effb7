/* json.h - a JSON writer whose output is always valid JSON.
 *
 *     struct rl_json json;
 *     rl_json_init(&json, &buf);
 *     rl_json_object(&json, NULL);
 *         rl_json_string(&json, "name", "NVIDIA H200");
 *         rl_json_array(&json, "block");  rl_json_uint(&json, NULL, 256);  rl_json_end(&json);
 *     rl_json_end(&json);
 *     assert(rl_json_done(&json));
 *
 * `key` is the member name inside an object and must be NULL inside an array and at the top. Strings may hold any bytes: invalid
 * UTF-8 becomes U+FFFD, control characters (and line separators and bidirectional controls) are escaped. NaN and infinities are
 * written as null. A key in the wrong place, a second value at the top, an end without a beginning and nesting beyond
 * RL_JSON_MAX_DEPTH are programming errors (assert).
 *
 * Each member and nested value starts a line, indented by two spaces a level; plain values of an array are on one line.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/buf.h"

enum { RL_JSON_MAX_DEPTH = 32 };

struct rl_json {
    struct rl_buf *out; /* not owned */
    int depth;
    struct {
        char kind;
        bool empty;
    } level[RL_JSON_MAX_DEPTH + 1];
};

/* Begins a text, which is appended to `out`; there is nothing to release. */
void rl_json_init(struct rl_json *json, struct rl_buf *out);
/* Opens an object. */
void rl_json_object(struct rl_json *json, const char *key);
/* Opens an array. */
void rl_json_array(struct rl_json *json, const char *key);
/* Closes the innermost object or array; the outermost one is followed by a line break. */
void rl_json_end(struct rl_json *json);
/* True if exactly one value was written and all objects and arrays are closed. */
bool rl_json_done(const struct rl_json *json);

void rl_json_string(struct rl_json *json, const char *key, const char *text); /* NULL text gives null */
/* A string of `len` bytes, which need not be terminated. */
void rl_json_bytes(struct rl_json *json, const char *key, const char *text, size_t len);
void rl_json_double(struct rl_json *json, const char *key, double value); /* shortest text that reads back equal */
/* A whole number with its sign. */
void rl_json_int(struct rl_json *json, const char *key, int64_t value);
/* A whole number. */
void rl_json_uint(struct rl_json *json, const char *key, uint64_t value);
/* true or false. */
void rl_json_bool(struct rl_json *json, const char *key, bool value);
