#include "core/toml.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/buf.h"
#include "core/mem.h"
#include "core/units.h"
#include "core/utf8.h"

static const char name_bytes[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

struct parsed {
    struct rl_toml toml; /* first: what callers see */
    struct rl_arena arena;
    struct rl_toml_entry *entries;
    struct rl_toml_section *sections;
    size_t entry_cap, section_cap;
};

/* `at` stands in a terminated copy. */
struct reader {
    struct parsed *parsed;
    const char *at;
    size_t line;
    struct rl_err *err;
};

#define REFUSE(reader, ...) refuse(reader, (reader)->line, __VA_ARGS__)

static enum rl_status __attribute__((format(printf, 3, 4))) refuse(struct reader *reader, size_t line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    rl_err_vset(reader->err, RL_FORMAT, format, args);
    va_end(args);
    return rl_err_context(reader->err, RL_FORMAT, "line %zu", line);
}

static void skip_blanks(struct reader *reader)
{
    reader->at += strspn(reader->at, " \t");
}

/* To the end of the line, where nothing but a comment may be left. */
static enum rl_status end_line(struct reader *reader)
{
    skip_blanks(reader);
    if (*reader->at == '#')
        reader->at += strcspn(reader->at, "\n");
    if (*reader->at && *reader->at != '\n')
        return REFUSE(reader, "nothing is expected at '%.*s'", (int)strcspn(reader->at, "\n"), reader->at);
    if (*reader->at) {
        reader->at++;
        reader->line++;
    }
    return RL_OK;
}

/* "name"; NULL: there is none. */
static const char *read_name(struct reader *reader)
{
    const size_t len = strspn(reader->at, name_bytes);
    const char *name = len ? rl_arena_strndup(&reader->parsed->arena, reader->at, len) : NULL;
    reader->at += len;
    return name;
}

/* One byte of a text between quotes, or an escape; the quote that ends it is left. */
static enum rl_status read_byte(struct reader *reader, char quote, struct rl_buf *text)
{
    static const char escapes[] = "\"\\tn", meant[] = "\"\\\t\n";
    const char byte = *reader->at++;
    if (byte != '\\' || quote == '\'') {
        rl_buf_addch(text, byte);
        return RL_OK;
    }
    const char *found = *reader->at ? strchr(escapes, *reader->at) : NULL;
    if (!found)
        return REFUSE(reader, "a backslash stands before \", \\, t or n; 'text' in single quotes has none of it");
    rl_buf_addch(text, meant[found - escapes]);
    reader->at++;
    return RL_OK;
}

static enum rl_status read_text(struct reader *reader, struct rl_buf *text)
{
    const char quote = *reader->at++;
    enum rl_status status = RL_OK;
    assert(quote == '"' || quote == '\'');
    while (status == RL_OK && *reader->at && *reader->at != '\n' && *reader->at != quote)
        status = read_byte(reader, quote, text);
    if (status == RL_OK && *reader->at != quote)
        return REFUSE(reader, "a text has no end on its line");
    reader->at += status == RL_OK;
    return status;
}

/* Blanks, comments and line breaks inside a list. */
static enum rl_status skip_lines(struct reader *reader)
{
    enum rl_status status = RL_OK;
    skip_blanks(reader);
    while (status == RL_OK && (*reader->at == '#' || *reader->at == '\n')) {
        status = end_line(reader);
        skip_blanks(reader);
    }
    return status;
}

/* A text of a list, and the comma behind it. */
static enum rl_status read_element(struct reader *reader, struct rl_buf *text)
{
    if (*reader->at != '"' && *reader->at != '\'')
        return REFUSE(reader, "a list has texts in quotes, then ]");
    if (text->len)
        rl_buf_addch(text, ',');
    const size_t start = text->len;
    enum rl_status status = read_text(reader, text);
    if (status == RL_OK && (text->len == start || strchr(text->data + start, ',')))
        return REFUSE(reader, "a text of a list is neither empty nor has a comma");
    if (status == RL_OK)
        status = skip_lines(reader);
    if (status == RL_OK && *reader->at != ',' && *reader->at != ']')
        return REFUSE(reader, "a list goes on with , or ends with ]");
    reader->at += status == RL_OK && *reader->at == ',';
    return status;
}

static enum rl_status read_list(struct reader *reader, struct rl_buf *text)
{
    assert(*reader->at == '[');
    reader->at++;
    enum rl_status status = skip_lines(reader);
    while (status == RL_OK && *reader->at != ']') {
        status = read_element(reader, text);
        if (status == RL_OK)
            status = skip_lines(reader);
    }
    reader->at += status == RL_OK;
    return status;
}

/* "true", "false" or a number, up to what cannot be one. */
static enum rl_status read_word(struct reader *reader, struct rl_toml_entry *entry, struct rl_buf *text)
{
    const size_t len = strcspn(reader->at, " \t\n#,]");
    double number;
    rl_buf_add(text, reader->at, len);
    const bool truth = strcmp(text->data, "true") == 0 || strcmp(text->data, "false") == 0;
    if (!truth && !rl_number_parse(text->data, len, &number))
        return REFUSE(reader, "'%s' has no value that is a text in quotes, a number, true, false or a list of texts", entry->key);
    entry->kind = truth ? RL_TOML_BOOL : RL_TOML_NUMBER;
    reader->at += len;
    return RL_OK;
}

static enum rl_status read_value(struct reader *reader, struct rl_toml_entry *entry)
{
    struct rl_buf text = RL_BUF_INIT;
    enum rl_status status;
    rl_buf_adds(&text, "");
    if (*reader->at == '"' || *reader->at == '\'') {
        entry->kind = RL_TOML_TEXT;
        status = read_text(reader, &text);
    } else if (*reader->at == '[') {
        entry->kind = RL_TOML_LIST;
        status = read_list(reader, &text);
    } else {
        status = read_word(reader, entry, &text);
    }
    entry->text = rl_arena_strdup(&reader->parsed->arena, text.data);
    rl_buf_release(&text);
    return status;
}

static enum rl_status read_entry(struct reader *reader)
{
    struct parsed *parsed = reader->parsed;
    struct rl_toml *toml = &parsed->toml;
    struct rl_toml_entry entry = {.line = reader->line, .key = read_name(reader)};
    if (!entry.key)
        return REFUSE(reader, "neither [SECTION] nor KEY = VALUE");
    if (toml->section_count == 0)
        return REFUSE(reader, "'%s' stands before any [SECTION]", entry.key);
    entry.section = parsed->sections[toml->section_count - 1].name;
    for (size_t i = 0; i < toml->entry_count; i++)
        if (parsed->entries[i].section == entry.section && strcmp(parsed->entries[i].key, entry.key) == 0)
            return REFUSE(reader, "'%s' is set in line %zu already", entry.key, parsed->entries[i].line);
    skip_blanks(reader);
    if (*reader->at != '=')
        return REFUSE(reader, "'=' is missing behind '%s'", entry.key);
    reader->at++;
    skip_blanks(reader);
    enum rl_status status = read_value(reader, &entry);
    if (status != RL_OK)
        return status;
    RL_GROW(parsed->entries, toml->entry_count + 1, parsed->entry_cap);
    parsed->entries[toml->entry_count++] = entry;
    return RL_OK;
}

static enum rl_status read_section(struct reader *reader)
{
    struct parsed *parsed = reader->parsed;
    struct rl_toml *toml = &parsed->toml;
    assert(*reader->at == '[');
    reader->at++;
    skip_blanks(reader);
    const char *name = read_name(reader);
    skip_blanks(reader);
    if (!name || *reader->at != ']')
        return REFUSE(reader, "a section is [NAME], a name of letters, digits, - and _");
    reader->at++;
    for (size_t i = 0; i < toml->section_count; i++)
        if (strcmp(parsed->sections[i].name, name) == 0)
            return REFUSE(reader, "[%s] has begun in line %zu already", name, parsed->sections[i].line);
    RL_GROW(parsed->sections, toml->section_count + 1, parsed->section_cap);
    parsed->sections[toml->section_count++] = (struct rl_toml_section){name, reader->line};
    return RL_OK;
}

static enum rl_status read_line(struct reader *reader)
{
    enum rl_status status = RL_OK;
    skip_blanks(reader);
    if (*reader->at == '[')
        status = read_section(reader);
    else if (*reader->at && *reader->at != '\n' && *reader->at != '#')
        status = read_entry(reader);
    return status == RL_OK ? end_line(reader) : status;
}

/* A terminated copy with line feeds alone between lines. RL_FORMAT for what no line may have. */
static enum rl_status copy_text(struct reader *reader, const char *bytes, size_t len, struct rl_buf *copy)
{
    for (size_t i = 0; i < len; i++) {
        const unsigned char byte = (unsigned char)bytes[i];
        const bool ends = byte == '\r' && i + 1 < len && bytes[i + 1] == '\n';
        reader->line += byte == '\n';
        if ((byte < 32 && byte != '\n' && byte != '\t' && !ends) || byte == 127)
            return REFUSE(reader, "a control character: this is no text");
        if (!ends)
            rl_buf_addch(copy, bytes[i]);
    }
    reader->line = 1;
    return rl_utf8_valid(copy->data, copy->len) ? RL_OK : rl_err_set(reader->err, RL_FORMAT, "the text is not UTF-8");
}

enum rl_status rl_toml_parse(const char *bytes, size_t len, struct rl_toml **toml, struct rl_err *err)
{
    struct parsed *parsed = rl_calloc(1, sizeof *parsed);
    struct reader reader = {.parsed = parsed, .line = 1, .err = err};
    struct rl_buf copy = RL_BUF_INIT;
    parsed->arena = (struct rl_arena)RL_ARENA_INIT;
    *toml = NULL;
    rl_buf_adds(&copy, "");
    enum rl_status status = len <= RL_TOML_MAX_BYTES ? copy_text(&reader, bytes, len, &copy)
                                                     : rl_err_set(err, RL_FORMAT, "more than %d bytes", RL_TOML_MAX_BYTES);
    reader.at = copy.data;
    while (status == RL_OK && *reader.at)
        status = read_line(&reader);
    rl_buf_release(&copy);
    parsed->toml.entries = parsed->entries;
    parsed->toml.sections = parsed->sections;
    if (status == RL_OK)
        *toml = &parsed->toml;
    else
        rl_toml_free(&parsed->toml);
    return status;
}

void rl_toml_free(struct rl_toml *toml)
{
    struct parsed *parsed = (struct parsed *)toml;
    if (!parsed)
        return;
    free(parsed->entries);
    free(parsed->sections);
    rl_arena_release(&parsed->arena);
    free(parsed);
}
