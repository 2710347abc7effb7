/* From the bytes of a capture file to the model. guard.c has looked at the database as a whole; here every value is looked at. */
#include <pthread.h>

#include "guard.h"

struct reader {
    struct rl_capture *capture;
    struct rl_guard guard;
    struct rl_shared_text *shared[RL_SHARED_COUNT]; /* guard.rows[] of each */
};

/* The table that is read. */
struct cursor {
    struct reader *reader;
    enum rl_schema_id id;
    const struct rl_schema_table *table;
    sqlite3_value **values; /* of the row; they stay until the next one */
    int next;               /* which of them is looked at next; 0 is the id */
    void **owners;
    size_t owner_count;
    char *block;              /* BLOCK: memory of all elements */
    uint64_t seen;            /* fields of this owner that were there, one bit each */
    size_t number;            /* the row's id */
    struct rl_schema_row row; /* its element and where it belongs */
};
_Static_assert(RL_FACT_COUNT <= 64 && RL_READING_COUNT <= 64, "cursor.seen has 64 bits");

/* ---- SQL values ---- */

static sqlite3_value *cell(const struct cursor *cursor, int at)
{
    return cursor->values[at];
}

static enum rl_status get_integer(sqlite3_value *value, int64_t *number, struct rl_err *err)
{
    if (sqlite3_value_type(value) != SQLITE_INTEGER)
        return rl_err_set(err, RL_FORMAT, "not an integer");
    *number = sqlite3_value_int64(value);
    return RL_OK;
}

static enum rl_status get_real(sqlite3_value *value, double *number, struct rl_err *err)
{
    if (sqlite3_value_type(value) != SQLITE_FLOAT)
        return rl_err_set(err, RL_FORMAT, "not a number");
    *number = sqlite3_value_double(value);
    return RL_OK;
}

/* Text, or bytes that are no UTF-8. The bytes stay until the next row. */
static enum rl_status get_text(sqlite3_value *value, const char **text, size_t *len, struct rl_err *err)
{
    const int type = sqlite3_value_type(value);
    if (type != SQLITE_TEXT && type != SQLITE_BLOB)
        return rl_err_set(err, RL_FORMAT, "not a text");
    *text = sqlite3_value_blob(value);
    *len = (size_t)sqlite3_value_bytes(value);
    if (!*text)
        *text = "";
    return RL_OK;
}

/* A row number of a table with `count` rows. Ids count up from 0 (guard.c): no reference leads to a row that is not there. */
static enum rl_status get_reference(sqlite3_value *value, const char *name, size_t count, size_t *index, struct rl_err *err)
{
    int64_t number = 0;
    enum rl_status status = get_integer(value, &number, err);
    if (status == RL_OK && (number < 0 || (uint64_t)number >= count))
        return rl_err_set(err, RL_FORMAT, "refers to a row of %s that is not there", name);
    *index = (size_t)number;
    return status;
}

/* An optional column that is NULL is passed over. */
static bool skip_null(struct cursor *cursor, const struct rl_column *column)
{
    bool null = column->optional && sqlite3_value_type(cell(cursor, cursor->next)) == SQLITE_NULL;
    cursor->next += null;
    return null;
}

/* ---- one function for each kind of column ---- */

/* Owner and field were looked at when the element was placed. */
static enum rl_status read_nothing(struct cursor *cursor, const struct rl_column *column, void *member, struct rl_err *err)
{
    (void)column, (void)member, (void)err;
    cursor->next++;
    return RL_OK;
}

static enum rl_status read_text(struct cursor *cursor, const struct rl_column *column, void *member, struct rl_err *err)
{
    const char *text = NULL;
    size_t len = 0;
    if (skip_null(cursor, column)) {
        *(char **)member = NULL;
        return RL_OK;
    }
    enum rl_status status = get_text(cell(cursor, cursor->next++), &text, &len, err);
    RL_THEN(status, rl_check_text(column, text, len, err));
    if (status == RL_OK)
        *(char **)member = rl_arena_strndup(&cursor->reader->capture->arena, text, len);
    return status;
}

static enum rl_status read_enum(struct cursor *cursor, const struct rl_column *column, void *member, struct rl_err *err)
{
    const char *text = NULL;
    size_t len = 0;
    unsigned number = 0;
    enum rl_status status = get_text(cell(cursor, cursor->next++), &text, &len, err);
    if (status == RL_OK && !rl_enumeration_find(column->enumeration, text, len, &number))
        return rl_err_set(err, RL_FORMAT, "unknown word '%.*s'", (int)(len < 100 ? len : 100), text);
    memcpy(member, &number, sizeof number); /* an enumeration of that size */
    return status;
}

static enum rl_status read_integer(struct cursor *cursor, const struct rl_column *column, void *member, struct rl_err *err)
{
    int64_t number = 0;
    if (skip_null(cursor, column))
        return RL_OK; /* stays 0 */
    enum rl_status status = get_integer(cell(cursor, cursor->next++), &number, err);
    RL_THEN(status, rl_check_integer(column, number, err));
    if (status == RL_OK)
        rl_integers[column->integer].store(member, number);
    return status;
}

static enum rl_status read_real(struct cursor *cursor, const struct rl_column *column, void *member, struct rl_err *err)
{
    enum rl_status status = get_real(cell(cursor, cursor->next++), member, err);
    return status == RL_OK ? rl_check_real(column, *(double *)member, err) : status;
}

static enum rl_status read_index(struct cursor *cursor, const struct rl_column *column, void *member, struct rl_err *err)
{
    size_t index = RL_NONE;
    if (!skip_null(cursor, column)) {
        size_t count = cursor->reader->guard.rows[column->target];
        RL_TRY(get_reference(cell(cursor, cursor->next++), rl_schema[column->target].name, count, &index, err));
    }
    *(size_t *)member = index;
    return RL_OK;
}

static enum rl_status read_shared(struct cursor *cursor, enum rl_schema_id id, const struct rl_shared_text **shared,
                                  struct rl_err *err)
{
    size_t index = 0;
    const size_t count = cursor->reader->guard.rows[id];
    enum rl_status status = get_reference(cell(cursor, cursor->next++), rl_schema[id].name, count, &index, err);
    if (status == RL_OK)
        *shared = &cursor->reader->shared[id][index];
    return status;
}

static enum rl_status read_value(struct cursor *cursor, const struct rl_column *column, void *member, struct rl_err *err)
{
    struct rl_value *value = member;
    sqlite3_value *number = cell(cursor, cursor->next), *reason = cell(cursor, cursor->next + 1);
    const bool present = sqlite3_value_type(number) != SQLITE_NULL, missing = sqlite3_value_type(reason) != SQLITE_NULL;
    if (present == missing)
        return rl_err_set(err, RL_FORMAT, present ? "a number and a reason why there is none" : "neither a number nor a reason");
    if (present) {
        *value = rl_value_of(0.0);
        cursor->next += 2;
        enum rl_status status = get_real(number, &value->v, err);
        return status == RL_OK ? rl_check_real(column, value->v, err) : status;
    }
    const struct rl_shared_text *shared = NULL;
    cursor->next++;
    enum rl_status status = read_shared(cursor, RL_SCHEMA_MISSING, &shared, err);
    if (status == RL_OK)
        *value = rl_value_missing((enum rl_state)shared->tag, shared->text);
    return status;
}

static enum rl_status read_counter_name(struct cursor *cursor, const struct rl_column *column, void *member, struct rl_err *err)
{
    (void)column;
    struct rl_counter *counter = member;
    const struct rl_shared_text *shared = NULL;
    enum rl_status status = read_shared(cursor, RL_SCHEMA_COUNTER_NAME, &shared, err);
    if (status == RL_OK) {
        counter->kind = (enum rl_counter_kind)shared->tag;
        counter->name = shared->text;
    }
    return status;
}

typedef enum rl_status (*read_function)(struct cursor *, const struct rl_column *, void *, struct rl_err *);
static const read_function reads[RL_COLUMN_KIND_COUNT] = {
    [RL_COLUMN_OWNER] = read_nothing, [RL_COLUMN_FIELD] = read_nothing,   [RL_COLUMN_TEXT] = read_text,
    [RL_COLUMN_ENUM] = read_enum,     [RL_COLUMN_INTEGER] = read_integer, [RL_COLUMN_REAL] = read_real,
    [RL_COLUMN_VALUE] = read_value,   [RL_COLUMN_INDEX] = read_index,     [RL_COLUMN_COUNTER_NAME] = read_counter_name,
    [RL_COLUMN_HEX] = read_text,
};

/* ---- finding the element that a row belongs to ---- */

static enum rl_status place_shared(struct cursor *cursor, struct rl_err *err)
{
    (void)err;
    cursor->row.element = &cursor->reader->shared[cursor->id][cursor->number];
    return RL_OK;
}

static enum rl_status place_grown(struct cursor *cursor, struct rl_err *err)
{
    (void)err;
    cursor->row.element = cursor->table->add(cursor->reader->capture, cursor->row.owner);
    return RL_OK;
}

/* All elements of the table lie in one block; each owner gets its part of it. */
static enum rl_status place_block(struct cursor *cursor, struct rl_err *err)
{
    (void)err;
    const struct rl_schema_table *table = cursor->table;
    char *owner = cursor->owners[cursor->row.owner];
    void *element = cursor->block + cursor->number * table->element_size;
    size_t count = cursor->row.position + 1;
    if (count == 1)
        memcpy(owner + table->array, &element, sizeof element); /* a pointer of another type */
    memcpy(owner + table->count, &count, sizeof count);
    cursor->row.element = element;
    return RL_OK;
}

/* The one with the name in the row's field column. */
static enum rl_status place_field(struct cursor *cursor, struct rl_err *err)
{
    const char *name = NULL;
    size_t len = 0;
    RL_TRY(get_text(cell(cursor, 2), &name, &len, err));
    const struct rl_field *fields = cursor->table->fields;
    size_t i = 0;
    while (i < cursor->table->count && (strlen(fields[i].id) != len || memcmp(fields[i].id, name, len) != 0))
        i++;
    if (i == cursor->table->count)
        return rl_err_set(err, RL_VERSION, "'%.*s' is unknown to this rooflight: use the rooflight that made the capture",
                          (int)(len < 100 ? len : 100), name);
    if (cursor->seen & UINT64_C(1) << i)
        return rl_err_set(err, RL_FORMAT, "'%s' is there twice", fields[i].id);
    cursor->seen |= UINT64_C(1) << i;
    cursor->row.position = i;
    return RL_OK;
}

static enum rl_status place_embedded(struct cursor *cursor, struct rl_err *err)
{
    enum rl_status status = cursor->table->fields ? place_field(cursor, err) : RL_OK;
    char *owner = cursor->owners[cursor->row.owner];
    if (status == RL_OK)
        cursor->row.element = owner + cursor->table->array + cursor->row.position * cursor->table->element_size;
    return status;
}

static enum rl_status (*const places[])(struct cursor *, struct rl_err *) = {
    [RL_STORAGE_SHARED] = place_shared,
    [RL_STORAGE_GROWN] = place_grown,
    [RL_STORAGE_BLOCK] = place_block,
    [RL_STORAGE_EMBEDDED] = place_embedded,
};

/* The row's owner and its position there. Rows stand in the order of their owners. */
static enum rl_status find_owner(struct cursor *cursor, struct rl_err *err)
{
    size_t last = cursor->row.owner, owner = 0;
    if (cursor->table->columns[0].kind == RL_COLUMN_OWNER) {
        const char *name = rl_schema[cursor->table->owner].name;
        RL_TRY(get_reference(cell(cursor, 1), name, cursor->owner_count, &owner, err));
        if (owner < last)
            return rl_err_set(err, RL_FORMAT, "stands after the rows of %s %zu, but belongs to %zu", name, last, owner);
    }
    bool same = owner == last && cursor->number > 0;
    cursor->row.owner = owner;
    cursor->row.position = same ? cursor->row.position + 1 : 0;
    cursor->seen = same ? cursor->seen : 0;
    return RL_OK;
}

/* ---- rows and tables ---- */

static enum rl_status read_row(struct cursor *cursor, const struct rl_column **column, struct rl_err *err)
{
    *column = NULL;
    enum rl_status status = find_owner(cursor, err);
    if (status == RL_OK && cursor->row.position >= cursor->table->limit)
        status = rl_err_set(err, RL_FORMAT, "more than %zu rows belong together", cursor->table->limit);
    RL_THEN(status, places[cursor->table->storage](cursor, err));
    cursor->next = 1;
    for (size_t i = 0; i < cursor->table->column_count && status == RL_OK; i++) {
        *column = &cursor->table->columns[i];
        status = reads[(*column)->kind](cursor, *column, (char *)cursor->row.element + (*column)->offset, err);
    }
    if (status != RL_OK)
        return status;
    *column = NULL;
    return rl_check_row(cursor->table, &cursor->row, err);
}

/* Memory for the elements, as far as their number is known beforehand. */
static void prepare_memory(struct cursor *cursor)
{
    struct reader *reader = cursor->reader;
    size_t rows = reader->guard.rows[cursor->id];
    if (cursor->table->storage == RL_STORAGE_SHARED) {
        reader->shared[cursor->id] = rl_calloc(rows, cursor->table->element_size);
        return;
    }
    cursor->owners = rl_schema_elements(reader->capture, cursor->table->owner, &cursor->owner_count);
    if (cursor->table->storage == RL_STORAGE_BLOCK)
        cursor->block = rl_arena_alloc(&reader->capture->arena, rows * cursor->table->element_size);
}

static enum rl_status take_row(void *context, sqlite3_value **values, struct rl_err *err)
{
    struct cursor *cursor = context;
    const struct rl_column *column;
    if (cursor->number >= cursor->reader->guard.rows[cursor->id]) /* memory was taken for as many as the guard counted */
        return rl_err_set(err, RL_FORMAT, "damaged: table %s has more rows than it had before", cursor->table->name);
    cursor->values = values;
    enum rl_status status = read_row(cursor, &column, err);
    if (status != RL_OK) {
        rl_check_place(cursor->id, cursor->number, column, status, err);
        return status == RL_FORMAT ? rl_err_context(err, status, "damaged") : status;
    }
    cursor->number++;
    return RL_OK;
}

static enum rl_status read_table(struct reader *reader, enum rl_schema_id id, struct rl_err *err)
{
    struct cursor cursor = {.reader = reader, .id = id, .table = &rl_schema[id], .row = {.capture = reader->capture}};
    RL_SCRATCH sql = RL_BUF_INIT;
    prepare_memory(&cursor);
    rl_schema_take_sql(id, &sql);
    enum rl_status status = rl_guard_each(&reader->guard, sql.data, take_row, &cursor, err);
    if (status == RL_OK && cursor.number != reader->guard.rows[id]) /* references lead to as many as were counted */
        status = rl_err_set(err, RL_FORMAT, "damaged: table %s has fewer rows than ids", cursor.table->name);
    if (status == RL_OK && id == RL_SCHEMA_SESSION && cursor.number != 1)
        status = rl_err_set(err, RL_FORMAT, "damaged: it has no session");
    free(cursor.owners);
    return status;
}

/* The work of a second thread on a large file: both only read the bytes. */
enum { LARGE_FILE = 4 << 20 };
struct beside {
    const void *bytes;
    size_t len;
    enum rl_status whole; /* what rl_guard_check says */
    struct rl_err err;
    struct rl_sha256 sha256;
    bool threaded;
    pthread_t thread;
};

static void *check_and_hash(void *context)
{
    struct beside *beside = context;
    beside->whole = rl_guard_check(beside->bytes, beside->len, &beside->err);
    beside->sha256 = rl_sha256_of(beside->bytes, beside->len);
    return NULL;
}

/* Faults of ids and pages are reported first: what was read from them then means nothing. */
static enum rl_status read_checked(struct reader *reader, const void *bytes, size_t len, struct rl_err *err)
{
    struct beside beside = {.bytes = bytes, .len = len, .err = RL_ERR_INIT};
    struct rl_err of_rows = RL_ERR_INIT;
    assert(reader->guard.db);
    /* Without a thread it is done now. */
    if (beside.len >= LARGE_FILE)
        beside.threaded = pthread_create(&beside.thread, NULL, check_and_hash, &beside) == 0;
    if (!beside.threaded)
        check_and_hash(&beside);
    enum rl_status status = beside.threaded ? RL_OK : beside.whole; /* the thread's is known at its end */
    RL_THEN(status, rl_guard_count(&reader->guard, len, &of_rows));
    if (status == RL_OK) {
        for (size_t i = 0; i < RL_SCHEMA_COUNT && status == RL_OK; i++)
            if (!reader->guard.absent[i])
                status = read_table(reader, (enum rl_schema_id)i, &of_rows);
        for (size_t i = 0; i < RL_SHARED_COUNT; i++)
            free(reader->shared[i]);
    }
    if (beside.threaded)
        pthread_join(beside.thread, NULL);
    reader->capture->sha256 = beside.sha256;
    if (err && (beside.whole != RL_OK || status != RL_OK))
        *err = beside.whole != RL_OK ? beside.err : of_rows;
    return beside.whole != RL_OK ? beside.whole : status;
}

enum rl_status rl_capture_read_bytes(const void *bytes, size_t len, const char *label, struct rl_capture **capture,
                                     struct rl_err *err)
{
    struct reader reader = {.capture = rl_capture_new()};
    *capture = NULL;
    enum rl_status status = rl_guard_begin(&reader.guard, bytes, len, err);
    RL_THEN(status, read_checked(&reader, bytes, len, err));
    rl_guard_close(&reader.guard);
    if (status != RL_OK) {
        rl_capture_free(reader.capture);
        return rl_err_context(err, status, "'%s'", label);
    }
    *capture = reader.capture;
    return RL_OK;
}

enum rl_status rl_capture_read(const char *path, struct rl_capture **capture, struct rl_err *err)
{
    RL_SCRATCH bytes = RL_BUF_INIT;
    *capture = NULL;
    enum rl_status status = rl_read_file(path, RL_CAPTURE_MAX_BYTES, &bytes, err);
    RL_THEN(status, rl_capture_read_bytes(bytes.data, bytes.len, path, capture, err));
    return status;
}
