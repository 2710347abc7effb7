/* compare_map.c - the map file that --match names. */
#include "analysis/compare.h"

static const char arrow[] = "=>";

/* Without blanks around; a copy. */
static char *trimmed(const char *text, size_t len)
{
    while (len && strchr(" \t\r", text[len - 1]))
        len--;
    while (len && strchr(" \t", *text))
        text++, len--;
    return rl_strndup(text, len);
}

/* The last arrow of the line: operators have names like "operator=>" nowhere, but lambdas may hold anything. */
static const char *find_arrow(const char *text, size_t len)
{
    for (size_t i = len; i >= strlen(arrow); i--)
        if (memcmp(&text[i - strlen(arrow)], arrow, strlen(arrow)) == 0)
            return &text[i - strlen(arrow)];
    return NULL;
}

static enum rl_status parse_line(const char *text, size_t len, const char *label, size_t line, struct rl_match_map *map,
                                 struct rl_err *err)
{
    const char *middle = find_arrow(text, len);
    struct rl_map_entry entry = {.line = line};
    if (middle) {
        entry.base = trimmed(text, (size_t)(middle - text));
        entry.new = trimmed(middle + strlen(arrow), len - (size_t)(middle - text) - strlen(arrow));
    }
    if (!middle || !*entry.base || !*entry.new) {
        RL_FREE(entry.base, entry.new);
        return rl_err_set(err, RL_FORMAT, "'%s', line %zu: expected NAME => NAME", label, line);
    }
    RL_APPEND(map->entries, map->count, map->cap, entry);
    return RL_OK;
}

/* The text has no end but its length. */
static bool says_nothing(const char *text, size_t len)
{
    size_t blanks = 0;
    while (blanks < len && strchr(" \t\r", text[blanks]))
        blanks++;
    return blanks == len || text[0] == '#';
}

enum rl_status rl_match_map_parse(const char *text, size_t len, const char *label, struct rl_match_map *map, struct rl_err *err)
{
    if (memchr(text, '\0', len))
        return rl_err_set(err, RL_FORMAT, "'%s' is not a map: it contains zero bytes", label);
    for (size_t line = 1, at = 0; at < len; line++) {
        const char *end = memchr(&text[at], '\n', len - at);
        const size_t length = end ? (size_t)(end - &text[at]) : len - at;
        if (!says_nothing(&text[at], length)) {
            RL_TRY(parse_line(&text[at], length, label, line, map, err));
        }
        at += length + 1;
    }
    return RL_OK;
}

void rl_match_map_release(struct rl_match_map *map)
{
    for (size_t i = 0; i < map->count; i++) {
        RL_FREE(map->entries[i].base, map->entries[i].new);
    }
    free(map->entries);
    *map = (struct rl_match_map){0};
}
