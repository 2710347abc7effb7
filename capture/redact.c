/* Leaves out of a capture what may say where, by whom and for whom it was made (see rl_capture_redact). Every text of every table
 * is looked at, by way of rl_schema: a column that is added is covered, by the strictest rule. */
#include "redact.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "core/mem.h"
#include "core/sort.h"
#include "schema.h"

enum { SHORTEST_NAME = 3, LONGEST_NAME = 255, LIST_VERSION = 1 };

/* What was found in one column. */
struct tally {
    size_t texts, changed, kept, dropped[RL_DROP_COUNT];
    struct rl_intern words;
};

struct redaction {
    struct rl_capture *capture;
    const struct rl_redaction *how;
    struct rl_cleaner cleaner;
    struct rl_known_name *names; /* of hosts and users; sorted when all are known */
    size_t name_count, name_cap;
    struct shared {
        struct rl_intern texts;
        char **clean; /* of each */
        size_t cap;
    } shared[RL_SHARED_COUNT]; /* texts that many rows have in common are looked at once */
    struct rl_intern programs; /* that were run, in the order of the processes */
    struct tally **tallies;    /* [RL_SCHEMA_COUNT][columns]; NULL: no list is wanted */
};

/* ---- all texts ---- */

typedef void (*visit_fn)(struct redaction *redaction, enum rl_schema_id id, const struct rl_column *column, char **text);

static const struct rl_column *shared_text(enum rl_schema_id id)
{
    assert(id < RL_SCHEMA_COUNT && rl_schema[id].column_count > 1); /* what it belongs to, and the text */
    return &rl_schema[id].columns[1];
}

static void visit_column(struct redaction *redaction, enum rl_schema_id id, const struct rl_column *column, char *element,
                         visit_fn visit)
{
    if (column->kind == RL_COLUMN_TEXT) {
        visit(redaction, id, column, (char **)(element + column->offset));
    } else if (column->kind == RL_COLUMN_COUNTER_NAME) {
        visit(redaction, RL_SCHEMA_COUNTER_NAME, shared_text(RL_SCHEMA_COUNTER_NAME), &((struct rl_counter *)element)->name);
    } else if (column->kind == RL_COLUMN_VALUE) {
        struct rl_value *value = (struct rl_value *)(element + column->offset);
        char *reason = (char *)rl_value_reason(*value);
        if (!rl_present(*value)) {
            visit(redaction, RL_SCHEMA_MISSING, shared_text(RL_SCHEMA_MISSING), &reason);
            *value = rl_value_missing(rl_value_state(*value), reason);
        }
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

static void visit_table(struct redaction *redaction, enum rl_schema_id id, visit_fn visit)
{
    assert(id < RL_SCHEMA_COUNT);
    const struct rl_schema_table *table = &rl_schema[id];
    size_t owner_count, count;
    void **owners = rl_schema_elements(redaction->capture, table->owner, &owner_count);
    for (size_t o = 0; o < owner_count; o++) {
        char *array = rl_schema_array(table, owners[o], &count);
        for (size_t i = 0; i < count; i++)
            for (size_t c = 0; c < table->column_count; c++)
                visit_column(redaction, id, &table->columns[c], array + i * table->element_size, visit);
    }
    free(owners);
}

static void visit_all(struct redaction *redaction, visit_fn visit)
{
    for (int id = 0; id < RL_SCHEMA_COUNT; id++)
        if (has_texts(&rl_schema[id]))
            visit_table(redaction, (enum rl_schema_id)id, visit);
}

/* ---- names of hosts and users ---- */

static void add_name(struct redaction *redaction, const char *text, size_t len, enum rl_drop what)
{
    static const char *const common[] = {"root", "user", "users", "shared", "public", "localhost", "home"};
    char *copy = rl_arena_strndup(&redaction->capture->arena, text, len), *end = copy;
    for (const char *c = copy; *c; c++)
        if (!rl_parts_words(*c))
            *end++ = (char)tolower((unsigned char)*c);
    *end = 0;
    len = (size_t)(end - copy);
    for (size_t i = 0; i < RL_COUNT(common); i++)
        if (len < SHORTEST_NAME || len > LONGEST_NAME || strcmp(copy, common[i]) == 0)
            return;
    RL_GROW(redaction->names, redaction->name_count + 1, redaction->name_cap);
    redaction->names[redaction->name_count++] = (struct rl_known_name){copy, what};
}

/* Users are the folders in which homes are kept. */
static void add_users(struct redaction *redaction, const char *text)
{
    static const char *const homes[] = {"/home/", "/Users/", "/users/", "/scratch/", "\\Users\\"};
    for (size_t i = 0; i < RL_COUNT(homes); i++)
        for (const char *at = text; (at = strstr(at, homes[i]));) {
            at += strlen(homes[i]);
            add_name(redaction, at, strcspn(at, "/\\ \t\n\"'`:;,)]}>"), RL_DROP_USER);
        }
}

/* "alice@node17.corp": a user in front, a host behind, whole and without its domain. */
static void add_addresses(struct redaction *redaction, const char *text)
{
    static const char name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    for (const char *at = text; (at = strchr(at, '@')); at++) {
        const char *user = at;
        while (user > text && strchr(name, user[-1]))
            user--;
        const size_t host = strspn(at + 1, name), label = strcspn(at + 1, ".");
        if (user < at && label > 0 && label < host) {
            add_name(redaction, user, (size_t)(at - user), RL_DROP_USER);
            add_name(redaction, at + 1, host, RL_DROP_HOST);
            add_name(redaction, at + 1, label, RL_DROP_HOST);
        }
    }
}

/* Of hosts: whole, and without the domain. */
static void learn(struct redaction *redaction, enum rl_schema_id id, const struct rl_column *column, char **text)
{
    (void)id;
    if (*text && strcmp(column->name, "host") == 0) {
        add_name(redaction, *text, strlen(*text), RL_DROP_HOST);
        add_name(redaction, *text, strcspn(*text, "."), RL_DROP_HOST);
    } else if (*text) {
        add_users(redaction, *text);
        add_addresses(redaction, *text);
    }
}

/* Each once. */
static void sort_names(struct redaction *redaction)
{
    size_t kept = 0;
    struct rl_known_name *names = redaction->names;
    if (redaction->name_count)
        rl_sort(names, redaction->name_count, sizeof *names, rl_by_known_name);
    for (size_t i = 0; i < redaction->name_count; i++)
        if (kept == 0 || strcmp(names[kept - 1].text, names[i].text) != 0)
            names[kept++] = names[i];
    rl_cleaner_know(&redaction->cleaner, names, kept);
}

/* ---- one rule for each kind of text ---- */

static void drop_whole(struct redaction *redaction, const char *sign, struct rl_buf *out)
{
    redaction->cleaner.dropped[RL_DROP_WHOLE]++;
    rl_buf_adds(out, sign);
}

/* Length of an option of this program, "=" included where it has one. */
static size_t option_length(const struct redaction *redaction, const char *text)
{
    const size_t name = strcspn(text, "="), dashes = strspn(text, "-");
    const bool letter = dashes == 1 && name == 2 && isalpha((unsigned char)text[1]);
    const bool known = dashes == 2 && (name == 2 || rl_word_is_allowed(&redaction->cleaner, text + 2, name - 2));
    return letter || known ? name + (text[name] == '=') : 0;
}

/* Harmless words with commas between them. */
static bool is_list(const struct redaction *redaction, const char *value)
{
    for (;; value++) {
        const size_t len = strcspn(value, ",");
        if (*value == '-' || !rl_word_is_allowed(&redaction->cleaner, value, len))
            return false;
        value += len;
        if (!*value)
            return true;
    }
}

/* Of an argument of ours options stay, and values that are harmless: every other one may be the name of a file, of a customer. */
static void clean_argument(struct redaction *redaction, const char *text, struct rl_buf *out)
{
    const size_t option = option_length(redaction, text);
    const char *value = text + option;
    rl_buf_add(out, text, option);
    if (rl_sign_at(value) == strlen(value) || is_list(redaction, value))
        rl_buf_adds(out, value);
    else
        drop_whole(redaction, strpbrk(value, "/\\") ? "[path]" : "[argument]", out);
}

/* A program's own arguments, behind "--", are left out as a whole. */
static void end_command(struct redaction *redaction)
{
    struct rl_session *session = &redaction->capture->session;
    for (size_t i = 1; i + 1 < session->command_count; i++)
        if (strcmp(session->command[i], "--") == 0) {
            session->command[i + 1] = rl_capture_text(redaction->capture, "[program]");
            session->command_count = i + 2;
        }
}

/* "[program 1]" for what was run: the same number for the same program, so that it can be seen whether ranks ran different ones. */
static void clean_program(struct redaction *redaction, const char *text, struct rl_buf *out)
{
    bool is_new;
    const size_t sign = rl_sign_at(text);
    const char *name = rl_arena_strndup(&redaction->capture->arena, text, sign ? sign : strcspn(text, " "));
    const size_t number = rl_intern(&redaction->programs, 0, name, &is_new) + 1;
    drop_whole(redaction, "", out);
    rl_buf_addf(out, "[program\u00a0%zu]", number);
}

static void clean_kernel(struct redaction *redaction, const char *text, struct rl_buf *out)
{
    struct rl_cleaner *cleaner = &redaction->cleaner;
    if (!redaction->how->kernels || rl_sign_at(text) == strlen(text)) {
        rl_clean_kernel(cleaner, text, out);
    } else {
        cleaner->dropped[RL_DROP_NAME]++;
        rl_add_pseudonym(cleaner, "kernel", text, strlen(text), out);
    }
}

static void clean_by_rule(struct redaction *redaction, enum rl_privacy rule, const char *text, struct rl_buf *out)
{
    static void (*const cleaners[])(struct rl_cleaner *, const char *, struct rl_buf *) = {
        [RL_PRIVACY_WORDS] = rl_redact_words,
        [RL_PRIVACY_NAME] = rl_clean_name,
        [RL_PRIVACY_PRODUCT] = rl_clean_product,
    };
    static void (*const others[])(struct redaction *, const char *, struct rl_buf *) = {
        [RL_PRIVACY_KERNEL] = clean_kernel,
        [RL_PRIVACY_COMMAND] = clean_argument,
        [RL_PRIVACY_PROGRAM] = clean_program,
    };
    if (rule < RL_COUNT(cleaners))
        cleaners[rule](&redaction->cleaner, text, out);
    else
        others[rule](redaction, text, out);
}

static struct tally *tally_of(struct redaction *redaction, enum rl_schema_id id, const struct rl_column *column)
{
    assert(id < RL_SCHEMA_COUNT);
    return redaction->tallies ? &redaction->tallies[id][column - rl_schema[id].columns] : NULL;
}

static void redact(struct redaction *redaction, enum rl_schema_id id, const struct rl_column *column, char **text)
{
    struct rl_cleaner *cleaner = &redaction->cleaner;
    struct tally *tally = tally_of(redaction, id, column);
    struct rl_buf out = RL_BUF_INIT;
    if (column->words || column->privacy == RL_PRIVACY_PUBLIC)
        return;
    memset(cleaner->dropped, 0, sizeof cleaner->dropped);
    cleaner->kept = 0;
    cleaner->words = tally ? &tally->words : NULL;
    const char *before = *text;
    if (column->privacy == RL_PRIVACY_PLACE || (column->privacy == RL_PRIVACY_KERNEL && column->optional)) {
        drop_whole(redaction, "", &out); /* the mangled name says nothing else */
        *text = NULL;
    } else {
        clean_by_rule(redaction, column->privacy, *text, &out);
        if (strcmp(*text, out.data) != 0)
            *text = rl_capture_text(redaction->capture, out.data); /* cuts it: signs may be longer than what they stand for */
    }
    rl_buf_release(&out);
    if (!tally)
        return;
    tally->texts++;
    tally->changed += *text != before;
    tally->kept += cleaner->kept;
    for (size_t i = 0; i < RL_DROP_COUNT; i++)
        tally->dropped[i] += cleaner->dropped[i];
}

/* ---- the list ---- */

static void make_tallies(struct redaction *redaction)
{
    redaction->tallies = rl_calloc(RL_SCHEMA_COUNT, sizeof *redaction->tallies);
    for (size_t i = 0; i < RL_SCHEMA_COUNT; i++)
        redaction->tallies[i] = rl_calloc(rl_schema[i].column_count, sizeof **redaction->tallies);
}

static void release_tallies(struct redaction *redaction)
{
    for (size_t i = 0; redaction->tallies && i < RL_SCHEMA_COUNT; i++) {
        for (size_t c = 0; c < rl_schema[i].column_count; c++)
            rl_intern_release(&redaction->tallies[i][c].words);
        free(redaction->tallies[i]);
    }
    free(redaction->tallies);
}

static void list_column(struct rl_json *json, const struct rl_schema_table *table, const struct rl_column *column,
                        const struct tally *tally)
{
    static const char *const names[RL_DROP_COUNT] = {
        [RL_DROP_WORD] = "words",     [RL_DROP_PATH] = "paths",   [RL_DROP_HOST] = "hosts",  [RL_DROP_USER] = "users",
        [RL_DROP_SECRET] = "secrets", [RL_DROP_NAME] = "renamed", [RL_DROP_WHOLE] = "whole",
    };
    rl_json_object(json, NULL);
    rl_json_string(json, "table", table->name);
    rl_json_string(json, "column", column->name);
    rl_json_uint(json, "texts", tally->texts);
    rl_json_uint(json, "changed", tally->changed);
    rl_json_uint(json, "kept_words", tally->kept);
    rl_json_object(json, "dropped");
    for (size_t i = 0; i < RL_DROP_COUNT; i++)
        if (tally->dropped[i])
            rl_json_uint(json, names[i], tally->dropped[i]);
    rl_json_end(json);
    rl_json_array(json, "kept");
    for (size_t i = 0; i < tally->words.count; i++)
        rl_json_string(json, NULL, tally->words.entries[i].text);
    rl_json_end(json);
    rl_json_end(json);
}

static void write_list(const struct redaction *redaction, struct rl_buf *list)
{
    struct rl_json json;
    const char *hash = redaction->capture->sha256.hex;
    rl_json_init(&json, list, RL_JSON_INDENTED);
    rl_json_object(&json, NULL);
    rl_json_string(&json, "format", "rooflight redaction");
    rl_json_int(&json, "version", LIST_VERSION);
    rl_json_string(&json, "redacted_from", *hash ? hash : NULL);
    rl_json_array(&json, "columns");
    for (size_t i = 0; i < RL_SCHEMA_COUNT; i++)
        for (size_t c = 0; c < rl_schema[i].column_count; c++)
            if (redaction->tallies[i][c].texts)
                list_column(&json, &rl_schema[i], &rl_schema[i].columns[c], &redaction->tallies[i][c]);
    rl_json_end(&json);
    rl_json_end(&json);
    assert(rl_json_done(&json));
}

static void redact_shared(struct redaction *redaction, enum rl_schema_id id, const struct rl_column *column, char **text)
{
    struct shared *shared = &redaction->shared[id];
    bool is_new;
    const size_t number = rl_intern(&shared->texts, 0, *text, &is_new);
    if (is_new) {
        RL_GROW(shared->clean, number + 1, shared->cap);
        shared->clean[number] = *text;
        redact(redaction, id, column, &shared->clean[number]);
    }
    *text = shared->clean[number];
}

/* Where the capture came from was told in the log by an earlier redaction, too: that stays. */
static bool is_origin(enum rl_schema_id id, const char *text)
{
    const size_t len = strlen(RL_CAPTURE_REDACTED_FROM);
    return id == RL_SCHEMA_LOG && strncmp(text, RL_CAPTURE_REDACTED_FROM, len) == 0 && strlen(text) == len + 64 &&
           strspn(text + len, "0123456789abcdef") == 64;
}

static void redact_any(struct redaction *redaction, enum rl_schema_id id, const struct rl_column *column, char **text)
{
    if (*text && (unsigned)id < RL_SHARED_COUNT)
        redact_shared(redaction, id, column, text);
    else if (*text && !is_origin(id, *text))
        redact(redaction, id, column, text);
}

static int by_mangled(const void *a, const void *b)
{
    return rl_ascending((*(const struct rl_kernel *const *)a)->mangled, (*(const struct rl_kernel *const *)b)->mangled);
}

static int is_mangled(const void *name, const void *kernel)
{
    return strcmp(name, (*(const struct rl_kernel *const *)kernel)->mangled);
}

/* Samples belong to the kernel whose mangled name the function has. That name goes, so that the function is called as the kernel.
 */
static void name_functions(struct rl_capture *capture)
{
    const struct rl_kernel **kernels = rl_calloc(capture->pc_function_count ? capture->kernel_count : 0, sizeof *kernels);
    size_t count = 0;
    for (size_t i = 0; i < capture->kernel_count && capture->pc_function_count; i++)
        if (capture->kernels[i].mangled)
            kernels[count++] = &capture->kernels[i];
    rl_sort(kernels, count, sizeof *kernels, by_mangled);
    for (size_t i = 0; i < capture->pc_function_count && count; i++) {
        const struct rl_kernel *const *found = bsearch(capture->pc_functions[i].name, kernels, count, sizeof *kernels, is_mangled);
        if (found)
            capture->pc_functions[i].name = (*found)->name;
    }
    free(kernels);
}

void rl_capture_redact(struct rl_capture *capture, const struct rl_redaction *how, struct rl_buf *list)
{
    assert(capture && how && how->key);
    struct redaction redaction = {.capture = capture, .how = how, .cleaner = {.key = how->key, .arena = &capture->arena}};
    if (list)
        make_tallies(&redaction);
    name_functions(capture);
    visit_all(&redaction, learn);
    sort_names(&redaction);
    end_command(&redaction);
    visit_all(&redaction, redact_any);
    rl_capture_log(capture, 0, RL_LOG_NOTE, "%s", RL_CAPTURE_REDACTED);
    if (*capture->sha256.hex)
        rl_capture_log(capture, 0, RL_LOG_NOTE, "%s%s", RL_CAPTURE_REDACTED_FROM, capture->sha256.hex);
    if (list)
        write_list(&redaction, list);
    release_tallies(&redaction);
    for (size_t i = 0; i < RL_SHARED_COUNT; i++) {
        rl_intern_release(&redaction.shared[i].texts);
        free(redaction.shared[i].clean);
    }
    rl_intern_release(&redaction.programs);
    free(redaction.names);
}
