/* Conditions on a value, whether it comes from a file or from the program; and the ways through the model that both use. */
#include "schema.h"

static int64_t load_int(const void *member)
{
    return *(const int *)member;
}
static int64_t load_bool(const void *member)
{
    return *(const bool *)member;
}
static int64_t load_u32(const void *member)
{
    return *(const uint32_t *)member;
}
static int64_t load_i64(const void *member)
{
    return *(const int64_t *)member;
}
static int64_t load_u64(const void *member)
{
    uint64_t number = *(const uint64_t *)member;
    return number > INT64_MAX ? INT64_MAX : (int64_t)number;
}
static void store_int(void *member, int64_t number)
{
    *(int *)member = (int)number;
}
static void store_bool(void *member, int64_t number)
{
    *(bool *)member = number != 0;
}
static void store_u32(void *member, int64_t number)
{
    *(uint32_t *)member = (uint32_t)number;
}
static void store_i64(void *member, int64_t number)
{
    *(int64_t *)member = number;
}
static void store_u64(void *member, int64_t number)
{
    *(uint64_t *)member = (uint64_t)number;
}

const struct rl_integer rl_integers[RL_INTEGER_COUNT] = {
    [RL_INTEGER_INT] = {load_int, store_int}, [RL_INTEGER_BOOL] = {load_bool, store_bool}, [RL_INTEGER_U32] = {load_u32, store_u32},
    [RL_INTEGER_U64] = {load_u64, store_u64}, [RL_INTEGER_I64] = {load_i64, store_i64},
};

bool rl_enumeration_find(const struct rl_enumeration *enumeration, const char *name, size_t len, unsigned *member)
{
    for (unsigned i = 0; i < enumeration->count; i++) {
        const char *known = enumeration->name(i);
        if (strlen(known) == len && memcmp(known, name, len) == 0) {
            *member = i;
            return true;
        }
    }
    return false;
}

char *rl_schema_array(const struct rl_schema_table *table, void *owner, size_t *count)
{
    assert(table->storage != RL_STORAGE_SHARED);
    if (table->storage == RL_STORAGE_EMBEDDED) {
        *count = table->count;
        return (char *)owner + table->array;
    }
    void *array; /* copied, because the member is a pointer of another type */
    memcpy(&array, (char *)owner + table->array, sizeof array);
    memcpy(count, (char *)owner + table->count, sizeof *count);
    return array;
}

void **rl_schema_elements(const struct rl_capture *capture, enum rl_schema_id id, size_t *count)
{
    void **elements = NULL;
    size_t capacity = 0;
    *count = 0;
    if (id == RL_SCHEMA_NO_TABLE) {
        RL_GROW(elements, 1, capacity);
        elements[(*count)++] = (void *)capture; /* what the caller does with it is the caller's right */
        return elements;
    }
    const struct rl_schema_table *table = &rl_schema[id];
    size_t owner_count;
    RL_FREED void **owners = rl_schema_elements(capture, table->owner, &owner_count);
    for (size_t i = 0; i < owner_count; i++) {
        size_t here;
        char *array = rl_schema_array(table, owners[i], &here);
        RL_GROW(elements, *count + here, capacity);
        for (size_t j = 0; j < here; j++)
            elements[(*count)++] = array + j * table->element_size;
    }
    return elements;
}

void rl_capture_free(struct rl_capture *capture)
{
    if (!capture)
        return;
    for (size_t i = 0; i < capture->gpu_count; i++)
        free(capture->gpus[i].moments);
    for (size_t i = 0; i < capture->experiment_count; i++)
        free(capture->experiments[i].claims);
    for (size_t i = 0; i < capture->kernel_count; i++)
        if (capture->kernels[i].counter_cap > 0)
            free(capture->kernels[i].counters);
    for (size_t i = 0; i < capture->process_count; i++)
        free(capture->processes[i].gpus);
    for (size_t i = 0; i < RL_SCHEMA_COUNT; i++) {
        void *array; /* a pointer of another type */
        if (rl_schema[i].owner != RL_SCHEMA_NO_TABLE || rl_schema[i].storage != RL_STORAGE_GROWN)
            continue;
        memcpy(&array, (const char *)capture + rl_schema[i].array, sizeof array);
        free(array);
    }
    rl_arena_release(&capture->arena);
    free(capture);
}

static bool is_word(const char *const *words, const char *text, size_t len)
{
    for (; *words; words++)
        if (strlen(*words) == len && memcmp(*words, text, len) == 0)
            return true;
    return false;
}

enum rl_status rl_check_text(const struct rl_column *column, const char *text, size_t len, struct rl_err *err)
{
    if (len > RL_CAPTURE_MAX_TEXT)
        return rl_err_set(err, RL_FORMAT, "a text of %zu bytes, more than %d", len, RL_CAPTURE_MAX_TEXT);
    if (len && memchr(text, '\0', len))
        return rl_err_set(err, RL_FORMAT, "a text that contains a zero byte");
    if (column->words && !is_word(column->words, text, len))
        return rl_err_set(err, RL_FORMAT, "unknown word '%.*s'", (int)(len < 100 ? len : 100), text);
    if (column->kind == RL_COLUMN_HEX && (len != (size_t)column->max || RL_ANY(i, len, !strchr("0123456789abcdef", text[i]))))
        return rl_err_set(err, RL_FORMAT, "not %d lower-case hexadecimal digits", (int)column->max);
    return RL_OK;
}

enum rl_status rl_check_integer(const struct rl_column *column, int64_t number, struct rl_err *err)
{
    if (number < column->min || number > column->max)
        return rl_err_set(err, RL_FORMAT, "%" PRId64 " is not in %" PRId64 "..%" PRId64, number, column->min, column->max);
    return RL_OK;
}

enum rl_status rl_check_real(const struct rl_column *column, double number, struct rl_err *err)
{
    if (!isfinite(number))
        return rl_err_set(err, RL_FORMAT, "not a finite number");
    if (number < column->low || number > column->high)
        return rl_err_set(err, RL_FORMAT, "%g is not in %g..%g", number, column->low, column->high);
    return RL_OK;
}

enum rl_status rl_check_index(const struct rl_capture *capture, const struct rl_column *column, size_t index, struct rl_err *err)
{
    const struct rl_schema_table *target = &rl_schema[column->target];
    assert(target->owner == RL_SCHEMA_NO_TABLE && target->storage == RL_STORAGE_GROWN);
    size_t count;
    rl_schema_array(target, (void *)capture, &count); /* only read */
    if (index >= count)
        return rl_err_set(err, RL_FORMAT, "refers to %s %zu of %zu", target->name, index, count);
    return RL_OK;
}

enum rl_status rl_check_row(const struct rl_schema_table *table, const struct rl_schema_row *row, struct rl_err *err)
{
    const char *fault = table->rule ? table->rule(row) : NULL;
    return fault ? rl_err_set(err, RL_FORMAT, "%s", fault) : RL_OK;
}

enum rl_status rl_check_place(enum rl_schema_id id, size_t row, const struct rl_column *column, enum rl_status status,
                              struct rl_err *err)
{
    assert(id < RL_SCHEMA_COUNT);
    if (column)
        rl_err_context(err, status, "%s", column->name);
    return rl_err_context(err, status, "%s %zu", rl_schema[id].name, row);
}
