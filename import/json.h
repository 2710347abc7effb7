/* json.h - JSON of any length, plain or compressed by gzip, as a stream of values (private to import/). */
#pragma once

#include "lines.h"

enum {
    RL_JSON_MAX_DEPTH = 64,
    RL_JSON_MAX_STRING = 1 << 20, /* bytes of one string; the rest of it is left out */
};
static const unsigned long long RL_JSON_MAX_BYTES = 1ull << 36; /* of a file, when it is unpacked */

enum rl_json_kind {
    RL_JSON_MAP,
    RL_JSON_END_MAP,
    RL_JSON_ARRAY,
    RL_JSON_END_ARRAY,
    RL_JSON_KEY,
    RL_JSON_STRING,
    RL_JSON_NUMBER, /* as it is written */
    RL_JSON_OTHER,  /* "true", "false", "null" */
};
/* Receives the next token; the text of a key, string or number is valid until it returns. */
typedef void (*rl_json_taker)(void *context, enum rl_json_kind kind, struct rl_text text);

/* Whether a file that begins with these bytes is an object, or an array of objects. */
bool rl_json_begins(struct rl_text start);
/* Reads a file from its beginning. Accepts what profilers write beyond JSON: NaN, Infinity and numbers of
 * more than 64 characters become empty strings, control characters in strings blanks. `*cut`: the file is
 * truncated. RL_FORMAT: it is damaged, nested too deep or too long; RL_IO. */
enum rl_status rl_json_read(struct rl_lines *lines, rl_json_taker take, void *context, bool *cut, struct rl_err *err);

/* Where a value is, by the keys of the objects around it: "benchmarks.states.device"; arrays have none. */
struct rl_json_path {
    struct rl_buf text;
    size_t before[RL_JSON_MAX_DEPTH + 1], depth;
};
/* Advances by a token that a taker received; at the end of an object its own path remains. Zeroed memory is a new path. */
void rl_json_path_step(struct rl_json_path *path, enum rl_json_kind kind, struct rl_text text);
/* Whether the value is there. */
bool rl_json_path_is(const struct rl_json_path *path, const char *keys);
void rl_json_path_release(struct rl_json_path *path); /* it is new again */

/* A decimal number with an exponent or without, times 10^`digits`, rounded. False: it is none, or beyond 62 bits. */
bool rl_json_integer(struct rl_text number, int digits, int64_t *value);
