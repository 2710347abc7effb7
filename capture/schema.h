/* schema.h - the tables of a capture file, as data (private to capture/).
 *
 * rl_schema[] says for every table which columns it has and where their values lie in the model. Everything else follows from it:
 * the SQL that creates, fills and reads the tables, the checks of both directions, and the comparison of a stranger's schema with
 * ours. One row adds a column.
 *
 * Every table has the column `id`, 0, 1, 2, ... in the order of the model's array; references are such ids. Rows of a table that
 * belongs to another one stand in the order of their owners.
 */
#pragma once

#include "capture/capture.h"
#include "core/intern.h"

enum rl_schema_id {
#define TABLE(id, ...) RL_SCHEMA_##id,
#include "schema.def"
    RL_SCHEMA_COUNT,
    RL_SCHEMA_NO_TABLE = RL_SCHEMA_COUNT,
};
enum { RL_SHARED_COUNT = RL_SCHEMA_COUNTER_NAME + 1 };

/* A row of `missing` (tag: enum rl_state) or `counter_name` (tag: enum rl_counter_kind) is a struct rl_shared_text. */

/* Kind of a column; `offset` finds the member. */
enum rl_column_kind {
    RL_COLUMN_OWNER,        /* id of the row that it belongs to; no member */
    RL_COLUMN_FIELD,        /* name of a row of facts.def or readings.def; no member: the element's position */
    RL_COLUMN_TEXT,         /* char * */
    RL_COLUMN_HEX,          /* char *: `max` lower-case hexadecimal digits, which say nothing to people */
    RL_COLUMN_ENUM,         /* an enumeration, stored by its name */
    RL_COLUMN_INTEGER,      /* an integer of a type of enum rl_integer_id */
    RL_COLUMN_REAL,         /* double */
    RL_COLUMN_VALUE,        /* struct rl_value: the number, and `<name>_missing` for state and reason; exactly one is NULL */
    RL_COLUMN_INDEX,        /* size_t, index into another array of the capture */
    RL_COLUMN_COUNTER_NAME, /* kind and name of struct rl_counter, by way of counter_name */
    RL_COLUMN_KIND_COUNT
};

/* Kind of a text, and how redaction treats it. Credentials (redact.h) are dropped from every kind but PUBLIC, KERNEL and COMMAND
 * when a capture is written; the rest is about rl_capture_redact. A column that says nothing gets the strictest treatment. */
enum rl_privacy {
    RL_PRIVACY_WORDS,   /* texts of words of the program's vocabulary and of numbers stay */
    RL_PRIVACY_NAME,    /* the same; others become pseudonyms, so that different texts remain different */
    RL_PRIVACY_PRODUCT, /* a name; models as makers write them stay, too */
    RL_PRIVACY_KERNEL,  /* plain declarations in C++ stay; others become pseudonyms */
    RL_PRIVACY_PLACE,   /* left out as a whole: host, UUID */
    RL_PRIVACY_COMMAND, /* an argument of ours; see command.c for what is recorded */
    RL_PRIVACY_PROGRAM, /* program and arguments of a process; the same */
    RL_PRIVACY_PUBLIC,  /* checked by a rule of its table */
};

enum rl_integer_id { RL_INTEGER_INT, RL_INTEGER_BOOL, RL_INTEGER_U32, RL_INTEGER_U64, RL_INTEGER_I64, RL_INTEGER_COUNT };
struct rl_integer {
    int64_t (*load)(const void *member); /* a number over INT64_MAX gives INT64_MAX, which no column allows */
    void (*store)(void *member, int64_t number);
};
extern const struct rl_integer rl_integers[RL_INTEGER_COUNT];

/* Names of an enumeration whose members are 0 .. count - 1. */
struct rl_enumeration {
    unsigned count;
    const char *(*name)(unsigned member);
};

struct rl_column {
    const char *name;
    enum rl_column_kind kind;
    size_t offset;
    bool optional; /* may be NULL, which stands for NULL (text), 0 (integer), RL_NONE (index) */
    enum rl_integer_id integer;
    int64_t min, max;         /* of an integer */
    double low, high;         /* of a real or a value */
    const char *const *words; /* texts allowed, ends with NULL; NULL: any */
    enum rl_privacy privacy;  /* of a text without such words */
    const struct rl_enumeration *enumeration;
    enum rl_schema_id target; /* table that an index or owner refers to */
};

/* Where the elements of a table lie in their owner. */
enum rl_storage {
    RL_STORAGE_SHARED,   /* not in the model: collected while writing, given out while reading */
    RL_STORAGE_GROWN,    /* pointer and count; memory from rl_capture_add_*, see `add` */
    RL_STORAGE_BLOCK,    /* pointer and count; memory from the arena */
    RL_STORAGE_EMBEDDED, /* an array (or one element) inside the owner */
};

/* One element, for rules that look at more than one column. */
struct rl_schema_row {
    const struct rl_capture *capture;
    const void *element;
    size_t owner;    /* id of its owner */
    size_t position; /* within its owner */
};

struct rl_schema_table {
    const char *name;
    const struct rl_column *columns;
    size_t column_count;
    enum rl_schema_id owner; /* RL_SCHEMA_NO_TABLE: the capture itself */
    enum rl_storage storage;
    size_t array, count; /* offsets in the owner; `count` is the number itself when EMBEDDED */
    size_t element_size;
    size_t limit, total;                                    /* most rows of one owner, and of all */
    void *(*add)(struct rl_capture *capture, size_t owner); /* GROWN: appends an element */
    const struct rl_field *fields;                          /* names of the elements, for RL_COLUMN_FIELD */
    const char *(*rule)(const struct rl_schema_row *row);   /* NULL: fine; otherwise what is wrong; may be NULL */
    bool optional;                                          /* of the capture: not in the file where it has no row */
    bool (*says_nothing)(const void *element);              /* EMBEDDED: such an element has no row; may be NULL: each has one */
};
extern const struct rl_schema_table rl_schema[RL_SCHEMA_COUNT];

/* Addresses of all elements of a table in the order of their ids (free()), for a table whose owners are GROWN or EMBEDDED;
 * RL_SCHEMA_NO_TABLE gives the capture. Valid until something is added to the capture. */
void **rl_schema_elements(const struct rl_capture *capture, enum rl_schema_id id, size_t *count);
/* Elements of one table in one owner: the first one's address (NULL when there is none) and how many. */
char *rl_schema_array(const struct rl_schema_table *table, void *owner, size_t *count);

/* Appends CREATE TABLE. */
void rl_schema_create_sql(enum rl_schema_id id, struct rl_buf *sql);
/* Appends INSERT with one parameter a column. */
void rl_schema_insert_sql(enum rl_schema_id id, struct rl_buf *sql);
/* Appends a SELECT of all columns, for rl_guard_each() (guard.h). */
void rl_schema_take_sql(enum rl_schema_id id, struct rl_buf *sql);

/* A check shared by writing and reading, of a text: RL_FORMAT and what is wrong. */
enum rl_status rl_check_text(const struct rl_column *column, const char *text, size_t len, struct rl_err *err);
/* The same for an integer: "-5 is not in 0..4294967295". */
enum rl_status rl_check_integer(const struct rl_column *column, int64_t number, struct rl_err *err);
/* The same for a number: finite, and within the limits of its column. */
enum rl_status rl_check_real(const struct rl_column *column, double number, struct rl_err *err);
/* `index` is below the number of elements of the column's target. */
enum rl_status rl_check_index(const struct rl_capture *capture, const struct rl_column *column, size_t index, struct rl_err *err);
/* Conditions between the columns of a row that its table has; RL_OK when it has none. */
enum rl_status rl_check_row(const struct rl_schema_table *table, const struct rl_schema_row *row, struct rl_err *err);
/* Puts table, row and column (NULL: the row as a whole) in front of the error. */
enum rl_status rl_check_place(enum rl_schema_id id, size_t row, const struct rl_column *column, enum rl_status status,
                              struct rl_err *err);

/* An enumeration's member by name; false: no such name. */
bool rl_enumeration_find(const struct rl_enumeration *enumeration, const char *name, size_t len, unsigned *member);
