/* Several captures as one: everything that belongs to a GPU, a process or a kernel stands behind what was there, and references
 * move with it. The rows of rl_schema[] say how, so that a new table or column needs nothing here. */
#include "schema.h"

struct merger {
    struct rl_capture *into;
    const struct rl_capture *from;
    size_t first[RL_SCHEMA_COUNT]; /* where the rows of `from` begin in each table of `into` that indices refer to */
};

static void copy_column(struct merger *m, const struct rl_column *column, void *to, const void *from)
{
    switch (column->kind) {
    case RL_COLUMN_TEXT:
    case RL_COLUMN_HEX:
        *(char **)to = rl_capture_text(m->into, *(char *const *)from);
        break;
    case RL_COLUMN_ENUM:
        memcpy(to, from, sizeof(unsigned));
        break;
    case RL_COLUMN_INTEGER:
        rl_integers[column->integer].store(to, rl_integers[column->integer].load(from));
        break;
    case RL_COLUMN_REAL:
        memcpy(to, from, sizeof(double));
        break;
    case RL_COLUMN_VALUE:
        *(struct rl_value *)to = rl_capture_value(m->into, *(const struct rl_value *)from);
        break;
    case RL_COLUMN_INDEX: {
        const size_t index = *(const size_t *)from;
        *(size_t *)to = index == RL_NONE ? RL_NONE : m->first[column->target] + index;
        break;
    }
    case RL_COLUMN_COUNTER_NAME:
        ((struct rl_counter *)to)->kind = ((const struct rl_counter *)from)->kind;
        ((struct rl_counter *)to)->name = rl_capture_text(m->into, ((const struct rl_counter *)from)->name);
        break;
    case RL_COLUMN_OWNER: /* these two are the element's place */
    case RL_COLUMN_FIELD:
    case RL_COLUMN_KIND_COUNT:
        break;
    }
}

/* Room for `count` elements more of an owner; they are `first` and the following ones. */
static void *make_block(struct merger *m, const struct rl_schema_table *table, void *owner, size_t count)
{
    void *block = rl_arena_alloc(&m->into->arena, count * table->element_size);
    memcpy((char *)owner + table->array, &block, sizeof block); /* a pointer of another type */
    memcpy((char *)owner + table->count, &count, sizeof count);
    return block;
}

static void copy_rows_of(struct merger *m, const struct rl_schema_table *table, void *source_owner, void *target_owner,
                         size_t owner)
{
    size_t count;
    const char *source = rl_schema_array(table, source_owner, &count);
    char *block = table->storage == RL_STORAGE_BLOCK && count ? make_block(m, table, target_owner, count) : NULL;
    for (size_t i = 0; i < count; i++) {
        void *target = table->storage == RL_STORAGE_GROWN      ? table->add(m->into, owner)
                       : table->storage == RL_STORAGE_EMBEDDED ? (char *)target_owner + table->array + i * table->element_size
                                                               : block + i * table->element_size;
        const void *from = source + i * table->element_size;
        for (size_t j = 0; j < table->column_count; j++)
            copy_column(m, &table->columns[j], (char *)target + table->columns[j].offset,
                        (const char *)from + table->columns[j].offset);
    }
}

/* The owners of `from` are the last ones of `into`, in the same order. */
static void copy_table(struct merger *m, enum rl_schema_id id)
{
    const struct rl_schema_table *table = &rl_schema[id];
    size_t source_count, target_count;
    void **sources = rl_schema_elements(m->from, table->owner, &source_count);
    void **targets = rl_schema_elements(m->into, table->owner, &target_count);
    assert(target_count >= source_count);
    for (size_t i = 0; i < source_count; i++) {
        size_t owner = target_count - source_count + i;
        copy_rows_of(m, table, sources[i], targets[owner], owner);
    }
    RL_FREE(sources, targets);
}

/* The session is one row: the first capture's, complete when all are. */
static bool is_of_session(enum rl_schema_id id)
{
    return id == RL_SCHEMA_SESSION || rl_schema[id].owner == RL_SCHEMA_SESSION;
}

struct rl_capture *rl_capture_merge(struct rl_capture *const *captures, size_t count)
{
    assert(count > 0);
    struct rl_capture *merged = rl_capture_new();
    for (size_t i = 0; i < count; i++) {
        bool first = i == 0;
        struct merger m = {.into = merged, .from = captures[i]};
        for (size_t j = 0; j < RL_SCHEMA_COUNT; j++)
            if (rl_schema[j].owner == RL_SCHEMA_NO_TABLE && rl_schema[j].storage == RL_STORAGE_GROWN)
                rl_schema_array(&rl_schema[j], merged, &m.first[j]);
        for (size_t j = 0; j < RL_SCHEMA_COUNT; j++)
            if (rl_schema[j].storage != RL_STORAGE_SHARED && (first || !is_of_session((enum rl_schema_id)j)))
                copy_table(&m, (enum rl_schema_id)j);
    }
    for (size_t i = 0; i < count; i++)
        merged->session.complete &= captures[i]->session.complete;
    return merged;
}
