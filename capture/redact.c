/* Leaves out of a capture what says where, by whom and for whom it was made (see rl_capture_redact). Every text of every table is
 * looked at, by way of rl_schema: a column that is added is covered. */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "schema.h"

enum { SHORTEST_NAME = 3, UUID_LENGTH = 36, MOST_PROGRAMS = 1000, LONGEST_NAME = 255, LONGEST_PATH = 4096 };

static const char host_sign[] = "[host]", user_sign[] = "[user]", path_sign[] = "[path]", uuid_sign[] = "[uuid]",
                  address_sign[] = "[address]", argument_sign[] = "[argument]", program_sign[] = "[program]";

/* Names that are left out wherever they stand as words. */
struct name {
    char *text; /* of the capture, in small letters */
    const char *sign;
};
struct secrets {
    struct rl_capture *capture;
    struct name *names; /* sorted by their text when all are known */
    size_t count, cap;
    size_t longest;
    const char **programs; /* names of programs that were run, each once, in the order of the processes */
    size_t program_count, program_cap;
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
    for (char *c = copy; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    len = strlen(copy);
    for (size_t i = 0; i < RL_COUNT(common); i++)
        if (len < SHORTEST_NAME || len > LONGEST_NAME || strcmp(copy, common[i]) == 0)
            return;
    RL_GROW(secrets->names, secrets->count + 1, secrets->cap);
    secrets->names[secrets->count++] = (struct name){copy, sign};
    secrets->longest = len > secrets->longest ? len : secrets->longest;
}

/* Whole, without its domain, and the domain, when it is more than one word. */
static void add_host(struct secrets *secrets, const char *host)
{
    if (!host)
        return;
    size_t node = strcspn(host, ".");
    add_name(secrets, host, strlen(host), host_sign);
    add_name(secrets, host, node, host_sign);
    if (host[node] && strchr(host + node + 1, '.'))
        add_name(secrets, host + node + 1, strlen(host + node + 1), host_sign);
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

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

/* Adding goes before asking. */
static void sort_names(struct secrets *secrets)
{
    size_t kept = 0;
    if (secrets->count)
        qsort(secrets->names, secrets->count, sizeof *secrets->names, by_text);
    for (size_t i = 0; i < secrets->count; i++)
        if (kept == 0 || strcmp(secrets->names[kept - 1].text, secrets->names[i].text) != 0)
            secrets->names[kept++] = secrets->names[i];
    secrets->count = kept;
}

/* ---- one text ---- */

/* The sign of a name of exactly that text, NULL: it is none. */
static const char *sign_of(const struct secrets *secrets, const char *text, size_t len)
{
    char *small = rl_strndup(text, len);
    for (char *c = small; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    const struct name key = {small, NULL};
    const struct name *found =
        secrets->count ? bsearch(&key, secrets->names, secrets->count, sizeof key, by_text) : NULL;
    free(small);
    return found ? found->sign : NULL;
}

/* Length of a name that stands at `at` as a word, with the domain behind a host's; 0: none. The longest one wins. */
static size_t name_at(const struct secrets *secrets, const char *text, const char *at, const char **sign)
{
    if ((at > text && is_word_part(at[-1])) || secrets->count == 0)
        return 0;
    for (size_t len = strnlen(at, secrets->longest); len >= SHORTEST_NAME; len--) {
        const char *found = is_word_part(at[len]) ? NULL : sign_of(secrets, at, len);
        if (!found)
            continue;
        *sign = found;
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

#define OWN_FOLDER "kernels/" /* which sources of the suite's claims name */

static const char path_ends[] = " \t\r\n\"'`()[]{}<>,;|:";

/* Length of what a path begins with: a root, a home, a drive, a share, a variable, a dot; 0: none. */
static size_t path_start(const char *at)
{
    static const char *const starts[] = {"file://", "~/", "./", "../", ".\\", "..\\", "\\\\"};
    for (size_t i = 0; i < RL_COUNT(starts); i++)
        if (strncmp(at, starts[i], strlen(starts[i])) == 0)
            return strlen(starts[i]);
    if (isalpha((unsigned char)at[0]) && at[1] == ':' && (at[2] == '\\' || at[2] == '/') && at[2] != at[3])
        return 3;
    if (at[0] == '~' || at[0] == '$') { /* ~name/, $NAME/, ${NAME}/ */
        size_t len = 1 + (at[1] == '{');
        if (!isalpha((unsigned char)at[len]) && at[len] != '_')
            return 0;
        while (is_word_part(at[len]) || at[len] == '-')
            len++;
        len += at[1] == '{' && at[len] == '}';
        return at[len] == '/' ? len + 1 : 0;
    }
    return at[0] == '/' && at[1] != '/' ? 1 : 0;
}

/* Length of a path without such a beginning in the first `len` bytes: a name with a slash whose last part has an ending, as
 * "data/run.bin". Rates, operations and names of counters with a point are none. */
static size_t relative_path_at(const char *at, size_t len)
{
    static const char *const suffixes[] = {"sum", "avg", "min", "max"};
    char *word = rl_strndup(at, len < LONGEST_PATH ? len : LONGEST_PATH);
    const char *slash = strrchr(word, '/'), *backslash = strrchr(word, '\\');
    const char *last = !slash || (backslash && backslash > slash) ? backslash : slash;
    const char *dot = last ? strrchr(last, '.') : NULL;
    size_t letters = dot ? strspn(dot + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") : 0;
    bool is_path = dot && dot > last + 1 && isalpha((unsigned char)dot[1]) && letters <= 8;
    for (size_t i = 0; i < RL_COUNT(suffixes) && is_path; i++)
        is_path = strcmp(dot + 1, suffixes[i]) != 0;
    size_t length = is_path ? (size_t)(dot + 1 - word) + letters : 0;
    free(word);
    return length;
}

/* To the blank or mark that ends a path, not farther than paths reach. */
static size_t token_length(const char *at)
{
    size_t len = 0;
    while (at[len] && len < LONGEST_PATH && !strchr(path_ends, at[len]))
        len++;
    return len;
}

/* Length of a path; 0: none; with `own` files of this program's are none. Addresses of the web are none, nor is a slash between
 * words. A path behind a quotation mark goes to the next one, blanks and all; elsewhere a blank ends it unless a backslash stands
 * before it. */
static size_t path_at(const char *text, const char *at, bool own)
{
    const char before = at > text ? at[-1] : ' ';
    if (!strchr(" \t\n\"'`(=[{<,;|:@!&?+%#", before) || (before == ':' && at[0] == '/' && at[1] == '/'))
        return 0;
    const char *quote = strchr("\"'`", before) ? strchr(at, before) : NULL;
    size_t start = path_start(at), len;
    bool is_own = own && strncmp(at, OWN_FOLDER, strlen(OWN_FOLDER)) == 0;
    if (start == 0 || at[start] == 0 || strchr(path_ends, at[start]))
        return is_own ? 0 : relative_path_at(at, quote ? (size_t)(quote - at) : token_length(at));
    if (quote)
        return (size_t)(quote - at);
    for (len = start + strcspn(at + start, path_ends); at[len] == ' ' && at[len - 1] == '\\';)
        len += 1 + strcspn(at + len + 1, path_ends);
    return len;
}

/* Length of a mail address; 0: none. */
static size_t address_at(const char *text, const char *at)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    if (at > text && is_word_part(at[-1]))
        return 0;
    size_t name = 0;
    while (name < LONGEST_NAME && at[name] && (strchr(letters, at[name]) || strchr("._+", at[name])))
        name++;
    if (name == 0 || at[name] != '@')
        return 0;
    size_t len = name + 1 + strspn(at + name + 1, letters);
    const size_t first = len;
    while (len > name + 1 && at[len] == '.' && isalnum((unsigned char)at[len + 1]))
        len += 1 + strspn(at + len + 1, letters);
    return len > first ? len : 0;
}

/* Appends `text` without them; false: there was nothing to leave out. */
static bool clean(const struct secrets *secrets, const char *text, bool own, struct rl_buf *out)
{
    bool changed = false;
    for (const char *at = text; *at;) {
        const char *sign = path_sign;
        size_t len = path_at(text, at, own);
        if (len == 0 && (len = uuid_at(text, at)) > 0)
            sign = uuid_sign;
        if (len == 0)
            len = name_at(secrets, text, at, &sign);
        if (len == 0 && (len = address_at(text, at)) > 0)
            sign = address_sign;
        if (len > 0)
            rl_buf_adds(out, sign);
        else
            rl_buf_addch(out, *at);
        changed |= len > 0;
        at += len ? len : 1;
    }
    return changed;
}

static const char *cleaned(const struct secrets *secrets, const char *text, bool own)
{
    struct rl_buf out = RL_BUF_INIT;
    if (text && clean(secrets, text, own, &out))
        text = rl_capture_text(secrets->capture, out.data); /* cuts it: signs may be longer than what they stand for */
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
    return product || column->words;
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
    if (*text && strcmp(column->name, "host") == 0)
        add_host(secrets, *text);
    else if (*text)
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

/* "-o", "--gpu": an option of ours has no capital letters and no marks. */
static bool is_option(const char *text, size_t len)
{
    return text[0] == '-' && strspn(text, "-abcdefghijklmnopqrstuvwxyz") >= len;
}

static bool is_number(const char *text)
{
    return *text && text[strspn(text, "0123456789.,%-")] == 0;
}

/* What a command line of ours begins with. */
static const char *const words[] = {"rooflight", "collect", "import", "check"};
static bool is_word(const char *text)
{
    size_t i = 0;
    while (i < RL_COUNT(words) && strcmp(words[i], text) != 0)
        i++;
    return i < RL_COUNT(words);
}

/* Of the command line that made the capture its options stay, with numbers and parts of the suite; every other value may be a name:
 * of a file, of a customer. */
static void clean_argument(struct secrets *secrets, char **text, size_t position)
{
    const char *equals = strchr(*text, '=');
    size_t option = equals && is_option(*text, (size_t)(equals - *text)) ? (size_t)(equals + 1 - *text) : 0;
    const char *value = *text + option;
    bool known = is_number(value) || names_experiment(secrets->capture, value) || (position < 2 && is_word(value));
    if (*value == 0 || known || (!option && is_option(value, strlen(value))))
        return;
    const char *sign = strpbrk(value, "/\\") ? path_sign : argument_sign;
    struct rl_buf clean = RL_BUF_INIT;
    rl_buf_add(&clean, *text, option);
    rl_buf_adds(&clean, sign);
    *text = rl_capture_text(secrets->capture, clean.data);
    rl_buf_release(&clean);
}

/* A program's own arguments, behind "--", are left out as a whole. */
static void clean_command(struct secrets *secrets)
{
    struct rl_session *session = &secrets->capture->session;
    for (size_t i = 0; i < session->command_count; i++) {
        if (i > 0 && strcmp(session->command[i], "--") == 0 && i + 1 < session->command_count) {
            session->command[i + 1] = rl_capture_text(secrets->capture, program_sign);
            session->command_count = i + 2;
            return;
        }
        clean_argument(secrets, &session->command[i], i);
    }
}

/* "[program 1]" for what was run: the same number for the same program, so that it can be seen whether ranks ran different ones. */
static void clean_program(struct secrets *secrets, char **command)
{
    size_t len = strcspn(*command, " "), i = 0;
    char *name = rl_arena_strndup(&secrets->capture->arena, *command, len);
    if (strncmp(*command, "[program", strlen("[program")) == 0 && strcmp(*command + strcspn(*command, "]"), "]") == 0)
        len = strlen(*command), name = *command; /* redacted before: the numbers are given anew, in the same order */
    while (i < secrets->program_count && i < MOST_PROGRAMS && strcmp(secrets->programs[i], name) != 0)
        i++;
    if (i == MOST_PROGRAMS) {
        *command = rl_capture_text(secrets->capture, program_sign);
        return;
    }
    if (i == secrets->program_count) {
        RL_GROW(secrets->programs, secrets->program_count + 1, secrets->program_cap);
        secrets->programs[secrets->program_count++] = name;
    }
    *command = rl_arena_printf(&secrets->capture->arena, "[program\u00a0%zu]", i + 1);
}

static void redact(struct secrets *secrets, enum rl_schema_id id, const struct rl_column *column, char **text)
{
    if (is_secret(column)) {
        *text = NULL;
        return;
    }
    if (!*text || is_public(id, column))
        return;
    if (id == RL_SCHEMA_PROCESS && strcmp(column->name, "command") == 0)
        clean_program(secrets, text);
    else
        *text = (char *)cleaned(secrets, *text, strcmp(column->name, "source") == 0);
}

void rl_capture_redact(struct rl_capture *capture)
{
    assert(capture);
    struct secrets secrets = {.capture = capture};
    rl_capture_keep_origins(capture, capture);
    visit_all(&secrets, learn);
    sort_names(&secrets);
    clean_command(&secrets);
    visit_all(&secrets, redact);
    rl_capture_log(capture, 0, RL_LOG_NOTE, "%s", RL_CAPTURE_REDACTED);
    free(secrets.programs);
    free(secrets.names);
}
