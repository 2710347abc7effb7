/* Any bytes are refused in one line, or are entries whose lines go up, whose names and texts are terminated, and which say the same
 * when they are written out and read again. */
#include <string.h>

#include "core/buf.h"
#include "core/toml.h"
#include "core/utf8.h"
#include "fuzz.h"

static void write_text(struct rl_buf *out, const char *text, size_t len)
{
    static const char meant[] = "\"\\\t\n", escapes[] = "\"\\tn";
    rl_buf_addch(out, '"');
    for (size_t i = 0; i < len; i++) {
        const char *found = strchr(meant, text[i]);
        if (found)
            rl_buf_addf(out, "\\%c", escapes[found - meant]);
        else
            rl_buf_addch(out, text[i]);
    }
    rl_buf_addch(out, '"');
}

static void write_entry(struct rl_buf *out, const struct rl_toml_entry *entry)
{
    rl_buf_addf(out, "%s = ", entry->key);
    if (entry->kind == RL_TOML_TEXT)
        write_text(out, entry->text, strlen(entry->text));
    if (entry->kind == RL_TOML_NUMBER || entry->kind == RL_TOML_BOOL)
        rl_buf_adds(out, entry->text);
    if (entry->kind == RL_TOML_LIST) {
        rl_buf_addch(out, '[');
        for (const char *at = entry->text; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
            write_text(out, at, strcspn(at, ","));
            rl_buf_addch(out, ',');
        }
        rl_buf_addch(out, ']');
    }
    rl_buf_addch(out, '\n');
}

static void read_again(const struct rl_toml *toml)
{
    struct rl_buf out = RL_BUF_INIT;
    struct rl_err err = RL_ERR_INIT;
    struct rl_toml *again = NULL;
    const char *section = NULL;
    rl_buf_adds(&out, "");
    for (size_t i = 0; i < toml->entry_count; i++) {
        if (!section || strcmp(section, toml->entries[i].section) != 0)
            rl_buf_addf(&out, "[%s]\n", section = toml->entries[i].section);
        write_entry(&out, &toml->entries[i]);
    }
    if (out.len <= RL_TOML_MAX_BYTES) {
        REQUIRE(rl_toml_parse(out.data, out.len, &again, &err) == RL_OK && again->entry_count == toml->entry_count);
        for (size_t i = 0; i < toml->entry_count; i++)
            REQUIRE(strcmp(again->entries[i].text, toml->entries[i].text) == 0 && again->entries[i].kind == toml->entries[i].kind &&
                    strcmp(again->entries[i].key, toml->entries[i].key) == 0);
    }
    rl_toml_free(again);
    rl_buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_toml *toml = NULL;
    const enum rl_status status = rl_toml_parse((const char *)data, size, &toml, &err);
    REQUIRE((status == RL_OK) == (toml != NULL));
    REQUIRE(status == RL_OK || (status == RL_FORMAT && *err.text && !strchr(err.text, '\n')));
    for (size_t i = 0; toml && i < toml->entry_count; i++) {
        const struct rl_toml_entry *entry = &toml->entries[i];
        REQUIRE(entry->line > (i ? toml->entries[i - 1].line : 0) && entry->line <= size);
        REQUIRE(*entry->key && *entry->section && rl_utf8_valid(entry->text, strlen(entry->text)));
    }
    if (toml)
        read_again(toml);
    rl_toml_free(toml);
    return 0;
}
