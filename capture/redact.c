/* Leaves out of a capture what may say where, by whom and for whom it was made (see rl_capture_redact). Every text of every table
 * is looked at, by way of rl_schema: a column that is added is covered, by the strictest rule. */
#include "redact.h"

#include <ctype.h>

#include "schema.h"

struct redaction {
    struct rl_capture *capture;
    const struct rl_redaction *how;
    struct rl_private_names names;
    struct rl_intern texts; /* each (rule, text) once, */
    char **clean;           /* and what becomes of it */
    size_t clean_cap;
    struct rl_intern programs; /* that were run, in the order of the processes */
};

/* ---- all texts ---- */

typedef void (*visit_fn)(struct redaction *redaction, enum rl_schema_id id, const struct rl_column *column, char **text);

static bool has_texts(const struct rl_schema_table *table)
{
    for (size_t i = 0; i < table->column_count; i++) {
        enum rl_column_kind kind = table->columns[i].kind;
        if (kind == RL_COLUMN_TEXT || kind == RL_COLUMN_VALUE || kind == RL_COLUMN_COUNTER_NAME)
            return table->storage != RL_STORAGE_SHARED;
    }
    return false;
}

static void visit_all(struct redaction *redaction, visit_fn visit)
{
    for (enum rl_schema_id id = 0; id < RL_SCHEMA_COUNT; id++) {
        const struct rl_schema_table *table = &rl_schema[id];
        size_t owner_count, count;
        if (!has_texts(table))
            continue;
        void **owners = rl_schema_elements(redaction->capture, table->owner, &owner_count);
        for (size_t o = 0; o < owner_count; o++) {
            char *array = rl_schema_array(table, owners[o], &count);
            for (size_t i = 0; i < count; i++)
                for (size_t c = 0; c < table->column_count; c++) {
                    /* Column 1 of a table of shared texts is the text. */
                    const struct rl_column *column = &table->columns[c];
                    const char *element = array + i * table->element_size;
                    if (column->kind == RL_COLUMN_TEXT) {
                        visit(redaction, id, column, (char **)(element + column->offset));
                    } else if (column->kind == RL_COLUMN_COUNTER_NAME) {
                        visit(redaction, RL_SCHEMA_COUNTER_NAME, &rl_schema[RL_SCHEMA_COUNTER_NAME].columns[1],
                              &((struct rl_counter *)element)->name);
                    } else if (column->kind == RL_COLUMN_VALUE) {
                        struct rl_value *value = (struct rl_value *)(element + column->offset);
                        char *reason = (char *)rl_value_reason(*value);
                        if (!rl_present(*value)) {
                            visit(redaction, RL_SCHEMA_MISSING, &rl_schema[RL_SCHEMA_MISSING].columns[1], &reason);
                            *value = rl_value_missing(value->state, reason);
                        }
                    }
                }
        }
        free(owners);
    }
}

static void learn(struct redaction *redaction, enum rl_schema_id id, const struct rl_column *column, char **text)
{
    (void)id;
    if (*text && strcmp(column->name, "host") == 0)
        rl_private_names_host(&redaction->names, *text);
    else if (*text && strcmp(column->name, "uuid") == 0)
        rl_private_names_uuid(&redaction->names, *text);
    else if (*text)
        rl_private_names_learn(&redaction->names, *text);
}

enum { PSEUDONYM_DIGITS = 12 };
#define REDACTED "[redacted]"

/* Whether the whole text stands for something that was left out: such a text stays as it is. */
static bool is_sign(const char *text)
{
    static const char *const fixed[] = {REDACTED, "[path]", "[argument]", "[program]"};
    static const char *const numbered[] = {"[name ", "[kernel ", "[program\u00a0"};
    for (size_t i = 0; i < RL_COUNT(fixed); i++)
        if (strcmp(text, fixed[i]) == 0)
            return true;
    for (size_t i = 0; i < RL_COUNT(numbered); i++) {
        const size_t len = strlen(numbered[i]);
        const size_t digits = strncmp(text, numbered[i], len) == 0 ? strspn(text + len, "0123456789abcdef") : 0;
        if (digits > 0 && digits <= PSEUDONYM_DIGITS && strcmp(text + len + digits, "]") == 0)
            return true;
    }
    return false;
}

/* "[WHAT 0123456789ab]": the same for the same text and key. */
static void add_pseudonym(const struct redaction *redaction, const char *what, const char *text, struct rl_buf *out)
{
    RL_SCRATCH keyed = RL_BUF_INIT;
    rl_buf_adds(&keyed, redaction->how->key);
    rl_buf_addch(&keyed, 0);
    rl_buf_adds(&keyed, text);
    rl_buf_addf(out, "[%s %.*s]", what, PSEUDONYM_DIGITS, rl_sha256_of(keyed.data, keyed.len).hex);
}

/* ---- one rule for each kind of text ---- */

/* The replacement of the text; the text itself: it stays. */
static char *clean(struct redaction *redaction, enum rl_privacy privacy, char *text)
{
    const struct rl_private_names *names = &redaction->names;
    RL_SCRATCH out = RL_BUF_INIT;
    if (privacy == RL_PRIVACY_PROGRAM) {
        /* "[program 1]" for what was run: the same number for the same program, so that it can be seen whether ranks ran different
         * ones. */
        bool is_new;
        const char *name = is_sign(text) ? text : rl_arena_strndup(&redaction->capture->arena, text, strcspn(text, " "));
        rl_buf_addf(&out, "[program\u00a0%zu]", rl_intern(&redaction->programs, 0, name, &is_new) + 1);
    } else if (is_sign(text))
        return text;
    else if (privacy == RL_PRIVACY_COMMAND) {
        /* Options of our arguments stay, and values that are harmless: every other one may be the name of a file, of a
         * customer. */
        const size_t dashes = strspn(text, "-"), name = strcspn(text, "=");
        const bool letter = dashes == 1 && name == 2 && isalpha((unsigned char)text[1]);
        const bool known = dashes == 2 && (name == 2 || rl_is_public_word(names, text + 2, name - 2));
        const size_t option = letter || known ? name + (text[name] == '=') : 0;
        const char *value = text + option;
        rl_buf_add(&out, text, option);
        bool is_public = true; /* words with commas between them */
        for (const char *word = value; is_public; word++) {
            const size_t len = strcspn(word, ",");
            is_public = *word != '-' && rl_is_public_word(names, word, len);
            word += len;
            if (!*word)
                break;
        }
        rl_buf_adds(&out, is_public || is_sign(value) ? value : strpbrk(value, "/\\") ? "[path]" : "[argument]");
    } else if (privacy == RL_PRIVACY_KERNEL && (redaction->how->kernels || !rl_is_public_kernel(names, text)))
        add_pseudonym(redaction, "kernel", text, &out);
    else if ((privacy == RL_PRIVACY_NAME && !rl_is_public_text(names, text)) ||
             (privacy == RL_PRIVACY_PRODUCT && !rl_is_public_product(names, text)))
        add_pseudonym(redaction, "name", text, &out);
    else if (privacy == RL_PRIVACY_WORDS && !rl_is_public_text(names, text))
        rl_buf_adds(&out, REDACTED);
    else
        return text;
    if (strcmp(out.data, text) != 0)
        text = rl_capture_text(redaction->capture, out.data); /* cuts it: signs may be longer than what they stand for */
    return text;
}

/* An earlier redaction has noted in the log where the capture came from: that stays. */
static bool is_origin(enum rl_schema_id id, const char *text)
{
    const size_t len = strlen(RL_CAPTURE_REDACTED_FROM);
    return id == RL_SCHEMA_LOG && strncmp(text, RL_CAPTURE_REDACTED_FROM, len) == 0 && strlen(text) == len + 64 &&
           strspn(text + len, "0123456789abcdef") == 64;
}

static void redact(struct redaction *redaction, enum rl_schema_id id, const struct rl_column *column, char **text)
{
    /* the mangled name of a kernel says nothing else */
    const bool goes = column->privacy == RL_PRIVACY_PLACE || (column->privacy == RL_PRIVACY_KERNEL && column->optional);
    char *before = *text;
    bool is_new;
    if (!*text || column->words || column->privacy == RL_PRIVACY_PUBLIC || is_origin(id, *text))
        return;
    if (goes) {
        *text = NULL;
    } else {
        const size_t number = rl_intern(&redaction->texts, column->privacy, before, &is_new);
        if (is_new) {
            RL_GROW(redaction->clean, number + 1, redaction->clean_cap);
            redaction->clean[number] = clean(redaction, column->privacy, before);
        }
        if (strcmp(redaction->clean[number], before) != 0)
            *text = redaction->clean[number];
    }
}

/* ---- the capture ---- */

RL_COMPARATOR(by_mangled, struct rl_kernel *const, rl_ascending((*x)->mangled, (*y)->mangled));

static int is_mangled(const void *name, const void *kernel)
{
    return strcmp(name, (*(const struct rl_kernel *const *)kernel)->mangled);
}

void rl_capture_redact(struct rl_capture *capture, const struct rl_redaction *how)
{
    assert(capture && how && how->key);
    struct redaction redaction = {.capture = capture, .how = how, .names = {.arena = &capture->arena}};
    /* Samples belong to the kernel whose mangled name the function has. That name goes, so that the function is called as the
     * kernel.
     */
    RL_FREED const struct rl_kernel **kernels = rl_calloc(capture->pc_function_count ? capture->kernel_count : 0, sizeof *kernels);
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
    visit_all(&redaction, learn);
    rl_private_names_sort(&redaction.names);
    /* A program's own arguments, behind "--", are left out as a whole. */
    struct rl_session *session = &capture->session;
    for (size_t i = 1; i + 1 < session->command_count; i++)
        if (strcmp(session->command[i], "--") == 0) {
            session->command[i + 1] = rl_capture_text(capture, "[program]");
            session->command_count = i + 2;
        }
    visit_all(&redaction, redact);
    rl_capture_log(capture, 0, RL_LOG_NOTE, "%s", RL_CAPTURE_REDACTED);
    if (*capture->sha256.hex)
        rl_capture_log(capture, 0, RL_LOG_NOTE, "%s%s", RL_CAPTURE_REDACTED_FROM, capture->sha256.hex);
    rl_intern_release(&redaction.texts);
    rl_intern_release(&redaction.programs);
    RL_FREE(redaction.clean, redaction.names.all);
}
