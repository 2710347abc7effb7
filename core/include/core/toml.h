/* toml.h - configuration files: a strict subset of TOML 1.0 (toml.io), every entry with its line.
 *
 *     # a comment
 *     [section]
 *     key = "text"            also 'text'; escapes \" \\ \t \n
 *     key = 3                 a decimal number, kept as it was typed
 *     key = true              or false
 *     key = ["a", "b",        texts, over as many lines as one likes
 *            "c"]
 *
 * Refused, with the line: a key before any section, the same section or key twice, names of anything but letters, digits, "-" and
 * "_", every other kind of value, control characters, bytes that are no UTF-8.
 */
#ifndef RL_CORE_TOML_H
#define RL_CORE_TOML_H

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"

enum { RL_TOML_MAX_BYTES = 1 << 16 };

enum rl_toml_kind { RL_TOML_TEXT, RL_TOML_NUMBER, RL_TOML_BOOL, RL_TOML_LIST };

struct rl_toml_entry {
    const char *section, *key;
    enum rl_toml_kind kind;
    const char *text; /* of a list its texts with a comma between two: none of them has one; of a bool "true" or "false" */
    size_t line;      /* of the key; 1 is the first */
};

struct rl_toml_section {
    const char *name;
    size_t line;
};

struct rl_toml {
    const struct rl_toml_entry *entries; /* in the order of the file */
    size_t entry_count;
    const struct rl_toml_section *sections;
    size_t section_count;
};

/* Reads `len` bytes, at most RL_TOML_MAX_BYTES. RL_FORMAT, "line 3: ..." otherwise, and `*toml` is NULL. Free with rl_toml_free. */
enum rl_status rl_toml_parse(const char *bytes, size_t len, struct rl_toml **toml, struct rl_err *err);
/* Frees it with all texts; NULL is allowed. */
void rl_toml_free(struct rl_toml *toml);

#endif
