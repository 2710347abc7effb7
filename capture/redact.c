/* Leaves out of a capture what says where and by whom it was made (see rl_capture_redact). Every text of every table is looked at,
 * by way of rl_schema: a column that is added is covered. */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/mem.h"
#include "schema.h"

enum { MOST_NAMES = 64, SHORTEST_NAME = 3, UUID_LENGTH = 36 };

static const char host_sign[] = "[host]", user_sign[] = "[user]", path_sign[] = "[path]", uuid_sign[] = "[uuid]";

/* Names that are left out wherever they stand as words. */
struct name {
    char *text; /* of the capture */
    const char *sign;
};
struct secrets {
    struct rl_capture *capture;
    struct name names[MOST_NAMES];
    size_t count;
};

static bool is_word_part(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (c & 0x80);
}

/* ---- what must not be seen ---- */

static void add_name(struct secrets *secrets, const char *text, size_t len, const char *sign)
{
    static const char *const common[] = {"root", "user", "users", "shared", "public", "localhost", "home"};
    char *copy = rl_arena_strndup(&secrets->capture->arena, text, len);
    bool skip = len < SHORTEST_NAME || secrets->count == MOST_NAMES;
    for (size_t i = 0; i < RL_COUNT(common) && !skip; i++)
        skip = strcasecmp(copy, common[i]) == 0;
    for (size_t i = 0; i < secrets->count && !skip; i++)
        skip = strcasecmp(copy, secrets->names[i].text) == 0;
    if (!skip)
        secrets->names[secrets->count++] = (struct name){copy, sign};
}

/* The full name before the short one: the longer match wins. */
static void add_host(struct secrets *secrets, const char *host)
{
    if (!host)
        return;
    add_name(secrets, host, strlen(host), host_sign);
    add_name(secrets, host, strcspn(host, "."), host_sign);
}

/* Users are the folders in which homes are kept. */
static void add_users(struct secrets *secrets, const char *text)
{
    static const char *const homes[] = {"/home/", "/Users/", "\\Users\\"};
    for (size_t i = 0; i < RL_COUNT(homes); i++)
        for (const char *at = text; (at = strstr(at, homes[i]));) {
            at += strlen(homes[i]);
            add_name(secrets, at, strcspn(at, "/\\ \t\n\"'`:;,)]}>"), user_sign);
        }
}

/* ---- one text ---- */

/* Length of a name that stands at `at` as a word, with the domain behind a host's; 0: none. */
static size_t name_at(const struct secrets *secrets, const char *text, const char *at, const char **sign)
{
    if (at > text && is_word_part(at[-1]))
        return 0;
    for (size_t i = 0; i < secrets->count; i++) {
        size_t len = strlen(secrets->names[i].text);
        if (strncasecmp(at, secrets->names[i].text, len) != 0 || is_word_part(at[len]))
            continue;
        *sign = secrets->names[i].sign;
        while (*sign == host_sign && at[len] == '.' && isalpha((unsigned char)at[len + 1]) && !strstr(at + len, ".rlcap"))
            len += 1 + strspn(at + len + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");
        return len;
    }
    return 0;
}

/* Length of a UUID, "GPU-" or "MIG-" before it included; 0: none. */
static size_t uuid_at(const char *text, const char *at)
{
    size_t before = strncmp(at, "GPU-", 4) == 0 || strncmp(at, "MIG-", 4) == 0 ? 4 : 0;
    if (at > text && is_word_part(at[-1]))
        return 0;
    for (size_t i = 0; i < UUID_LENGTH; i++) {
        char c = at[before + i];
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? c != '-' : !isxdigit((unsigned char)c))
            return 0;
    }
    return is_word_part(at[before + UUID_LENGTH]) ? 0 : before + UUID_LENGTH;
}

/* Length of a path that begins with a root, a home, a drive or a dot; 0: none. Addresses of the web are none, nor is a slash
 * between words. */
static size_t path_at(const char *text, const char *at)
{
    static const char ends[] = " \t\r\n\"'`()[]{}<>,;|:";
    size_t start = 0;
    if (at > text && !strchr(" \t\n\"'`(=[{<,;|:", at[-1]))
        return 0;
    if (isalpha((unsigned char)at[0]) && at[1] == ':' && (at[2] == '\\' || at[2] == '/') && at[2] != at[3])
        start = 3;
    else if (at[0] == '~' && at[1] == '/')
        start = 2;
    else if (at[0] == '.' && (at[1] == '/' || (at[1] == '.' && at[2] == '/')))
        start = at[1] == '/' ? 2 : 3;
    else if (at[0] == '/' && at[1] != '/')
        start = 1;
    if (start == 0 || at[start] == 0 || strchr(ends, at[start]))
        return 0;
    return start + strcspn(at + start, ends);
}

/* Appends `text` without them; false: there was nothing to leave out. */
static bool clean(const struct secrets *secrets, const char *text, struct rl_buf *out)
{
    bool changed = false;
    for (const char *at = text; *at;) {
        const char *sign = path_sign;
        size_t len = path_at(text, at);
        if (len == 0 && (len = uuid_at(text, at)) > 0)
            sign = uuid_sign;
        if (len == 0)
            len = name_at(secrets, text, at, &sign);
        if (len > 0)
            rl_buf_adds(out, sign);
        else
            rl_buf_addch(out, *at);
        changed |= len > 0;
        at += len ? len : 1;
    }
    return changed;
}

static const char *cleaned(const struct secrets *secrets, const char *text)
{
    struct rl_buf out = RL_BUF_INIT;
    if (text && clean(secrets, text, &out))
        text = rl_capture_text(secrets->capture, out.data);
    rl_buf_release(&out);
    return text;
}

/* ---- all texts ---- */

/* Columns whose whole content is a secret, and those that never are: names of products, words that the program itself knows. */
static bool is_secret(const struct rl_column *column)
{
    return column->optional && (strcmp(column->name, "host") == 0 || strcmp(column->name, "uuid") == 0);
}
static bool is_public(enum rl_schema_id id, const struct rl_column *column)
{
    bool product = id == RL_SCHEMA_GPU && (strcmp(column->name, "name") == 0 || strcmp(column->name, "chip") == 0);
    return product || column->words || strcmp(column->name, "source") == 0;
}

typedef void (*visit_fn)(struct secrets *secrets, enum rl_schema_id id, const struct rl_column *column, char **text);

static void visit_column(struct secrets *secrets, enum rl_schema_id id, const struct rl_column *column, char *element,
                         visit_fn visit)
{
    if (column->kind == RL_COLUMN_TEXT) {
        visit(secrets, id, column, (char **)(element + column->offset));
    } else if (column->kind == RL_COLUMN_COUNTER_NAME) {
        visit(secrets, id, column, &((struct rl_counter *)element)->name);
    } else if (column->kind == RL_COLUMN_VALUE) {
        struct rl_value *value = (struct rl_value *)(element + column->offset);
        char *reason = (char *)value->reason;
        if (value->state != RL_PRESENT)
            visit(secrets, id, column, &reason);
        value->reason = reason;
    }
}

static bool has_texts(const struct rl_schema_table *table)
{
    for (size_t i = 0; i < table->column_count; i++) {
        enum rl_column_kind kind = table->columns[i].kind;
        if (kind == RL_COLUMN_TEXT || kind == RL_COLUMN_VALUE || kind == RL_COLUMN_COUNTER_NAME)
            return table->storage != RL_STORAGE_SHARED;
    }
    return false;
}

static void visit_table(struct secrets *secrets, enum rl_schema_id id, visit_fn visit)
{
    const struct rl_schema_table *table = &rl_schema[id];
    size_t owner_count, count;
    void **owners = rl_schema_elements(secrets->capture, table->owner, &owner_count);
    for (size_t o = 0; o < owner_count; o++) {
        char *array = rl_schema_array(table, owners[o], &count);
        for (size_t i = 0; i < count; i++)
            for (size_t c = 0; c < table->column_count; c++)
                visit_column(secrets, id, &table->columns[c], array + i * table->element_size, visit);
    }
    free(owners);
}

static void visit_all(struct secrets *secrets, visit_fn visit)
{
    for (int id = 0; id < RL_SCHEMA_COUNT; id++)
        if (has_texts(&rl_schema[id]))
            visit_table(secrets, (enum rl_schema_id)id, visit);
}

static void learn(struct secrets *secrets, enum rl_schema_id id, const struct rl_column *column, char **text)
{
    (void)id;
    (void)column;
    if (*text)
        add_users(secrets, *text);
}

/* A part of the suite as the command line names it: "transpose/tiled". */
static bool names_experiment(const struct rl_capture *capture, const char *argument)
{
    size_t len = strcspn(argument, "/");
    for (size_t i = 0; i < capture->experiment_count; i++)
        if (strlen(capture->experiments[i].name) == len && strncmp(capture->experiments[i].name, argument, len) == 0)
            return true;
    return false;
}

/* An argument with a slash is a path, whatever it begins with; what stands before "=" is an option's name. */
static void clean_argument(struct secrets *secrets, char **text)
{
    const char *value = (*text)[0] == '-' && strchr(*text, '=') ? strchr(*text, '=') + 1 : *text;
    if (strchr(value, '/') && !strstr(value, "://") && !names_experiment(secrets->capture, value)) {
        char *option = rl_arena_strndup(&secrets->capture->arena, *text, (size_t)(value - *text));
        *text = rl_arena_printf(&secrets->capture->arena, "%s%s", option, path_sign);
    }
}

static void redact(struct secrets *secrets, enum rl_schema_id id, const struct rl_column *column, char **text)
{
    if (is_secret(column)) {
        *text = NULL;
        return;
    }
    if (!*text || is_public(id, column))
        return;
    if (id == RL_SCHEMA_ARGUMENT)
        clean_argument(secrets, text);
    *text = (char *)cleaned(secrets, *text);
}

void rl_capture_redact(struct rl_capture *capture)
{
    assert(capture);
    struct secrets secrets = {.capture = capture};
    add_host(&secrets, capture->session.host);
    visit_all(&secrets, learn);
    visit_all(&secrets, redact);
    rl_capture_log(capture, 0, RL_LOG_NOTE, "%s", RL_CAPTURE_REDACTED);
}
