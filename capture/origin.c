/* origin.c - whether a redacted copy says what its signed original says: every number, reference and word of a closed list. Texts
 * may have been replaced. The rows of rl_schema[] say what there is, so that a new table or column is compared, too. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "schema.h"

struct pair {
    struct rl_origin_check *found;
    const struct rl_column *column;
};

/* ---- columns: whether what must be the same is ---- */

static bool same_text(struct pair *pair, const void *copy, const void *original)
{
    const char *a = *(char *const *)copy, *b = *(char *const *)original;
    bool same = a == b || (a && b && strcmp(a, b) == 0);
    if (pair->column->words)
        return same;
    pair->found->texts += b != NULL;
    pair->found->replaced += !same;
    return true;
}

static bool same_enum(struct pair *pair, const void *copy, const void *original)
{
    (void)pair;
    return memcmp(copy, original, sizeof(unsigned)) == 0;
}

static bool same_integer(struct pair *pair, const void *copy, const void *original)
{
    const struct rl_integer *integer = &rl_integers[pair->column->integer];
    pair->found->figures++;
    return integer->load(copy) == integer->load(original);
}

static bool same_real(struct pair *pair, const void *copy, const void *original)
{
    pair->found->figures++;
    return memcmp(copy, original, sizeof(double)) == 0;
}

static bool same_value(struct pair *pair, const void *copy, const void *original)
{
    const struct rl_value *a = copy, *b = original;
    if (rl_value_state(*a) != rl_value_state(*b))
        return false;
    const char *const why = rl_value_reason(*a), *const original_why = rl_value_reason(*b);
    return rl_present(*a) ? same_real(pair, &a->v, &b->v) : same_text(pair, &why, &original_why);
}

static bool same_index(struct pair *pair, const void *copy, const void *original)
{
    (void)pair;
    return memcmp(copy, original, sizeof(size_t)) == 0;
}

static bool same_counter_name(struct pair *pair, const void *copy, const void *original)
{
    const struct rl_counter *a = copy, *b = original;
    return a->kind == b->kind && same_text(pair, &a->name, &b->name);
}

typedef bool (*same_function)(struct pair *, const void *, const void *);
static const same_function sames[RL_COLUMN_KIND_COUNT] = {
    [RL_COLUMN_TEXT] = same_text,
    [RL_COLUMN_ENUM] = same_enum,
    [RL_COLUMN_INTEGER] = same_integer,
    [RL_COLUMN_REAL] = same_real,
    [RL_COLUMN_VALUE] = same_value,
    [RL_COLUMN_INDEX] = same_index,
    [RL_COLUMN_COUNTER_NAME] = same_counter_name, /* owner and field are the element's place */
};

/* ---- tables ---- */

static enum rl_status compare_element(enum rl_schema_id id, size_t number, const char *copy, const char *original,
                                      struct rl_origin_check *found, struct rl_err *err)
{
    assert(id < RL_SCHEMA_COUNT);
    const struct rl_schema_table *table = &rl_schema[id];
    for (size_t i = 0; i < table->column_count; i++) {
        struct pair pair = {found, &table->columns[i]};
        const same_function same = sames[pair.column->kind];
        if (same && !same(&pair, copy + pair.column->offset, original + pair.column->offset))
            return rl_err_set(err, RL_FAILED, "%s %zu: %s is not that of the original", table->name, number, pair.column->name);
    }
    return RL_OK;
}

static enum rl_status compare_owner(enum rl_schema_id id, void *copy, void *original, size_t *number, struct rl_origin_check *found,
                                    struct rl_err *err)
{
    const struct rl_schema_table *table = &rl_schema[id];
    size_t count, there;
    const char *a = rl_schema_array(table, copy, &count), *b = rl_schema_array(table, original, &there);
    enum rl_status status = RL_OK;
    if (count != there)
        return rl_err_set(err, RL_FAILED, "%s: not as many rows as the original has", table->name);
    assert((a && b) || count == 0);
    for (size_t i = 0; i < count && status == RL_OK; i++, ++*number)
        status = compare_element(id, *number, a + i * table->element_size, b + i * table->element_size, found, err);
    return status;
}

static enum rl_status compare_table(enum rl_schema_id id, const struct rl_capture *copy, const struct rl_capture *original,
                                    struct rl_origin_check *found, struct rl_err *err)
{
    assert(id < RL_SCHEMA_COUNT);
    size_t count, there, number = 0;
    void **copies = rl_schema_elements(copy, rl_schema[id].owner, &count);
    void **originals = rl_schema_elements(original, rl_schema[id].owner, &there);
    enum rl_status status = RL_OK; /* as many owners: their table was compared before */
    for (size_t i = 0; i < count && i < there && status == RL_OK; i++)
        status = compare_owner(id, copies[i], originals[i], &number, found, err);
    free(copies);
    free(originals);
    return status;
}

/* Texts that redaction leaves out as rows, not as texts, and what says who signed. */
static bool is_compared(enum rl_schema_id id)
{
    return rl_schema[id].storage != RL_STORAGE_SHARED && id != RL_SCHEMA_ARGUMENT && id != RL_SCHEMA_LOG &&
           id != RL_SCHEMA_ORIGIN && id != RL_SCHEMA_SIGNATURE;
}

static bool names_origin(const struct rl_capture *copy, const struct rl_capture *original)
{
    for (size_t i = 0; i < copy->origin_count; i++)
        for (size_t j = 0; j < original->signature_count; j++)
            if (copy->origins[i].holds && strcmp(copy->origins[i].digest, original->signatures[j].digest) == 0)
                return true;
    return false;
}

enum rl_status rl_capture_check_origin(const struct rl_capture *copy, const struct rl_capture *original,
                                       struct rl_origin_check *found, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    *found = (struct rl_origin_check){0};
    if (rl_capture_signed(original) != RL_SIGNED)
        return rl_err_set(err, RL_FAILED,
                          rl_capture_signed(original) == RL_BROKEN ? "the signature of the original is broken"
                                                                   : "the original is not signed");
    if (!names_origin(copy, original))
        return rl_err_set(err, RL_FAILED, "it does not say that it was made from this original");
    for (size_t i = 0; i < RL_SCHEMA_COUNT && status == RL_OK; i++)
        if (is_compared((enum rl_schema_id)i))
            status = compare_table((enum rl_schema_id)i, copy, original, found, err);
    return status;
}
