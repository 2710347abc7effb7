/* view.h - declarations of results, common to all media.
 *
 * A *record* describes an element of a result by its *fields*. A field has an id (its key in JSON and CSV, its name in --columns),
 * a head, a unit, a sentence of help, and the place of its value: a member of the row, or a function. A field may hold a record or
 * a list of records, so that a result is a tree. *Blocks* are the text about a record, in order: sentences, tables of its lists,
 * notes. Renderers (terminal, Markdown, CSV, JSON, PDF, JSON schema) traverse records, fields and blocks and are independent of
 * results. A new column is one row of a field table, and appears in all media.
 *
 *     static const struct view_field fields[] = {
 *         {.id = "rank", .head = "rank", VIEW_AT(struct rl_rank, name), .help = "as the launcher numbers it"},
 *         {.id = "wall_s", .head = "wall", VIEW_AT(struct rl_rank, wall_s), .unit = RL_UNIT_SECOND, .digits = 3,
 *          .help = "from its first to its last activity on the GPU"},
 *     };
 *
 * Values are in SI base units; missing values have a reason (core/value.h).
 */
#pragma once

#include "core/core.h"

/* Version of the declarations as JSON has it: SI base units everywhere and, in every object, the reasons for what is absent. */
enum { VIEW_VERSION = 2 };

struct view;
struct view_record;
struct view_field;

/* ---- values ---- */

enum view_type {
    VIEW_TYPE_TEXT,
    VIEW_TYPE_NUMBER,  /* in the base unit of the field */
    VIEW_TYPE_WHOLE,   /* a number of things, 0 and up */
    VIEW_TYPE_INTEGER, /* an index, a status: may be negative, and is never scaled or grouped */
    VIEW_TYPE_BOOLEAN,
    VIEW_TYPE_RECORD,
    VIEW_TYPE_LIST,
};

/* Rows of a list: an array, or a choice and order of its elements. Borrowed. */
struct view_rows {
    const void *first; /* of an array of elements of `stride` bytes */
    size_t stride;
    size_t count;
    const size_t *at; /* indices of the rows in the array; NULL: all, in its order */
};
/* All of an array, which has a type. */
#define VIEW_ROWS(array, number) ((struct view_rows){(array), sizeof *(array), (number), NULL})

/* The value of a row in a field. */
struct view_cell {
    enum rl_state state; /* RL_PRESENT: the member of the field's type holds */
    const char *reason;  /* why the value is missing; of a present value: its note below a table; "": none */
    const char *sign;    /* before the number, or the text in a table, for people: "≥", "≈"; NULL: none */
    double half_width;   /* of a number's 95 % CI, printed outside tables; 0: none */
    enum rl_unit unit;   /* of numbers whose field has `unit_of_row` */
    union {
        const char *text;
        double number;
        uint64_t whole;
        int64_t integer;
        bool boolean;
        const void *record;
        struct view_rows rows;
    };
};

/* A text that lives as long as the view (its arena); releases the buffer. NULL when it is empty. */
const char *view_keep(const struct view *view, struct rl_buf *text);
/* A cell of text, borrowed: it lives as long as the view. NULL: absent without a note. */
struct view_cell view_cell_text(const char *text);
/* The same of a text that is kept. */
struct view_cell view_cell_kept(const struct view *view, struct rl_buf *text);
/* A number in the base unit of its field, or absent for the value's reason. */
struct view_cell view_cell_number(struct rl_value value);
/* A number of things. */
struct view_cell view_cell_whole(uint64_t value);
/* An index, a status. */
struct view_cell view_cell_integer(int64_t value);
/* Yes or no. */
struct view_cell view_cell_boolean(bool value);
/* A nested record. NULL: absent without a note. */
struct view_cell view_cell_record(const void *row);
/* A list, which may be empty. */
struct view_cell view_cell_rows(struct view_rows rows);
/* An absent value with its reason ("": none to say). */
struct view_cell view_cell_absent(const char *reason);
/* A number in the unit of the field. */
static inline struct view_cell view_cell_double(double number)
{
    return view_cell_number(rl_value_of(number));
}
/* A number with a sign before it, for people (struct view_cell). */
static inline struct view_cell view_cell_signed(struct rl_value value, const char *sign)
{
    struct view_cell cell = view_cell_number(value);
    cell.sign = sign;
    return cell;
}
/* A number with the unit of its row, of a field with `unit_of_row`. */
static inline struct view_cell view_cell_in(struct rl_value value, enum rl_unit unit)
{
    struct view_cell cell = view_cell_number(value);
    cell.unit = unit;
    return cell;
}
/* Identity, for VIEW_CELL. */
static inline struct view_cell view_cell_itself(struct view_cell cell)
{
    return cell;
}

/* Defines the function of a field (`get`): its value is an expression of the row, of `view` and of `field`. */
#define VIEW_CELL(name, type, ...)                                                                                                 \
    static struct view_cell name(const struct view *view, const struct view_field *field, const void *row_)                        \
    {                                                                                                                              \
        const type *row = row_;                                                                                                    \
        (void)row;                                                                                                                 \
        return VIEW_CELL_OF(__VA_ARGS__);                                                                                          \
    }                                                                                                                              \
    static struct view_cell name(const struct view *view, const struct view_field *field, const void *row_)
/* The same where the condition holds; elsewhere nothing, without a reason. */
#define VIEW_CELL_IF(name, type, condition, ...)                                                                                   \
    VIEW_CELL(name, type, (condition) ? VIEW_CELL_OF(__VA_ARGS__) : view_cell_absent(""))
/* Defines the function of a field whose value `...` adds to the buffer `text`; absent for this reason where that is nothing. */
#define VIEW_SAID(name, type, absent, ...)                                                                                         \
    static struct view_cell name(const struct view *view, const struct view_field *field, const void *row_)                        \
    {                                                                                                                              \
        const type *row = row_;                                                                                                    \
        struct rl_buf text = RL_BUF_IN(view->arena);                                                                               \
        (void)row;                                                                                                                 \
        __VA_ARGS__;                                                                                                               \
        const char *said = view_keep(view, &text);                                                                                 \
        return said ? view_cell_text(said) : view_cell_absent(absent);                                                             \
    }                                                                                                                              \
    static struct view_cell name(const struct view *view, const struct view_field *field, const void *row_)
/* Defines a predicate of a row (`when`), or the group of one, by an expression. */
#define VIEW_WHEN(name, type, ...)  VIEW_OF_ROW(bool, name, type, __VA_ARGS__)
#define VIEW_GROUP(name, type, ...) VIEW_OF_ROW(int, name, type, __VA_ARGS__)
#define VIEW_OF_ROW(result, name, type, ...)                                                                                       \
    static result name(const struct view *view, const void *row_)                                                                  \
    {                                                                                                                              \
        const type *row = row_;                                                                                                    \
        (void)row;                                                                                                                 \
        return __VA_ARGS__;                                                                                                        \
    }                                                                                                                              \
    static result name(const struct view *view, const void *row_)
/* The type of the expression chooses the kind of the value; a cell is one already. */
#define VIEW_CELL_OF(...)                                                                                                          \
    _Generic((__VA_ARGS__), struct view_cell: view_cell_itself, char *: view_cell_text, const char *: view_cell_text,              \
             struct rl_value: view_cell_number, double: view_cell_double, bool: view_cell_boolean, uint32_t: view_cell_whole,      \
             uint64_t: view_cell_whole, int: view_cell_integer, int64_t: view_cell_integer,                                        \
             struct view_rows: view_cell_rows)(__VA_ARGS__)

/* ---- fields ---- */

/* How a field's value is found in a row. */
enum view_access {
    VIEW_BY_GET = 0, /* by the field's function */
    VIEW_AT_TEXT,
    VIEW_AT_CHARS,
    VIEW_AT_VALUE,
    VIEW_AT_DOUBLE,
    VIEW_AT_U64,
    VIEW_AT_U32,
    VIEW_AT_I64,
    VIEW_AT_INT,
    VIEW_AT_BOOL,
    VIEW_AT_NS_VALUE, /* nanoseconds, as seconds */
    VIEW_AT_NS_DOUBLE,
    VIEW_AT_NS_U64,
    VIEW_AT_RECORD, /* a member that is the nested row */
    VIEW_AT_STATS,  /* a struct rl_stats; absent without samples */
    VIEW_AT_LIST,   /* a pointer to the first row; their number is a size_t at `count_at` */
    VIEW_ACCESS_COUNT
};

/* Whether a field is a column of a table for people. CSV and JSON have all fields. */
enum view_shown {
    VIEW_SHOWN = 0,
    VIEW_SHOWN_WHEN_ANY, /* unless no row has more than zero, or any text */
    VIEW_ON_REQUEST,     /* only when --columns names it */
};

/* How media that have typefaces set the cells of a field. */
enum view_look {
    VIEW_LOOK_PLAIN = 0,
    VIEW_LOOK_CODE,   /* a name out of code, an id: in a face of one width */
    VIEW_LOOK_QUIET,  /* secondary: in grey */
    VIEW_LOOK_STRONG, /* what the row is about: in bold */
};

struct view_field {
    const char *id; /* key in JSON and CSV: words and underscores, with the base unit at the end where there is one */
    const char
        *head; /* in tables, before the unit; NULL: as the id. Heads of nested fields stand behind one another; "" adds none */
    const char *label; /* longer head for lists of the fields of one row; NULL: the head */
    const char *help;  /* definition, one sentence without a full stop */
    enum view_type type;
    enum rl_unit unit;
    bool unit_of_row;         /* each value has its own unit, in its cell */
    const char *const *words; /* of a number that is 0 or 1: printed words for each; NULL: the number */
    int digits;               /* significant, for people; 0: 4 */
    size_t columns;           /* texts are shortened in the middle to so many, for people; 0: never */
    enum view_shown shown;
    const char *scale; /* columns with the same word here are compared by readers, and share a unit; NULL: none */
    /* The head where it depends on the data, as of one column for each GPU: in the view's arena; NULL: there is no such column. */
    const char *(*head_of)(const struct view *view, const struct view_field *field);
    double magnitude;  /* tables show the unit in which this value has 1 to 3 digits; 0: the one that suits the values */
    bool unit_aside;   /* the unit is in a note, not in the head */
    bool explained;    /* `help` is a note below tables that show it */
    bool unit_is_head; /* the unit alone is the head: "FLOP/s" */
    bool identifies;   /* the field names the row, in notes about missing values */
    bool numeral;      /* a text that is a number as a rule: set at the right */
    bool beside;       /* belongs to the column on its left: small, close to it, without the name of a row of a list in its head */
    bool is_change;    /* a difference: people see its sign, + too */
    bool for_people;   /* other fields in words: not in JSON and CSV */
    const char *sign;  /* of a member: before its number, for people (struct view_cell); NULL: none */
    enum view_look look;
    bool bar;   /* media that draw put a bar next to the number: a fraction of 1, others of the column's maximum */
    bool wraps; /* a text that media with room break into lines; of so many columns, where `columns` says how many */
    enum view_access access;
    bool of_subject; /* the place is in the view's subject (results/subject.h), not in the row */
    size_t through;  /* the member is in what a pointer of the row leads to: the pointer's place, plus 1; 0: in the row */
    size_t at, count_at, stride;
    bool quiet; /* a missing member needs no note; neither does a 0 where `none_if_zero` says that it stands for none */
    bool none_if_zero;
    size_t unit_at; /* with `unit_of_row`: the member that is its unit */
    /* The value, unless `access` says where it is. */
    struct view_cell (*get)(const struct view *view, const struct view_field *field, const void *row);
    /* Whether a missing value in this row (of the table) needs no note; NULL: it needs one. */
    bool (*excused)(const struct view *view, const void *row);
    int key;                          /* what `get` needs besides the row: a metric, a reading */
    const struct view_record *record; /* of records and lists */
    /* Whether the field exists, unlike metrics that were not collected; NULL: always. */
    bool (*listed)(const struct view *view, const struct view_field *field);
    bool optional; /* JSON leaves the key out where the value is absent without a reason */
};

/* `.type` and function of a field that is no member of the row: VIEW_GET(TEXT, name_cell). */
#define VIEW_GET(kind, function)      .type = VIEW_TYPE_##kind, .get = (function)
#define VIEW_GET_LIST(of, function)   .type = VIEW_TYPE_LIST, .record = (of), .get = (function)
#define VIEW_GET_RECORD(of, function) .type = VIEW_TYPE_RECORD, .record = (of), .get = (function)
/* `.type` and place of a field that is a member of the row. */
#define VIEW_AT(row, member)                                                                                                       \
    .at = offsetof(row, member),                                                                                                   \
    .access = _Generic(((row *)0)->member, char *: VIEW_AT_TEXT, const char *: VIEW_AT_TEXT, struct rl_value: VIEW_AT_VALUE,       \
                       double: VIEW_AT_DOUBLE, uint64_t: VIEW_AT_U64, uint32_t: VIEW_AT_U32, int64_t: VIEW_AT_I64,                 \
                       int: VIEW_AT_INT, bool: VIEW_AT_BOOL, struct rl_stats: VIEW_AT_STATS),                                      \
    .type = _Generic(((row *)0)->member, char *: VIEW_TYPE_TEXT, const char *: VIEW_TYPE_TEXT, struct rl_value: VIEW_TYPE_NUMBER,  \
                     double: VIEW_TYPE_NUMBER, uint64_t: VIEW_TYPE_WHOLE, uint32_t: VIEW_TYPE_WHOLE, int64_t: VIEW_TYPE_INTEGER,   \
                     int: VIEW_TYPE_INTEGER, bool: VIEW_TYPE_BOOLEAN, struct rl_stats: VIEW_TYPE_RECORD)
/* A member in nanoseconds. */
#define VIEW_NS(row, member)                                                                                                       \
    .at = offsetof(row, member), .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND,                                                 \
    .access = _Generic(((row *)0)->member, struct rl_value                                                                         \
                       : VIEW_AT_NS_VALUE, double                                                                                  \
                       : VIEW_AT_NS_DOUBLE, uint64_t                                                                               \
                       : VIEW_AT_NS_U64)
/* A member of what the row's member `pointer` leads to; absent where that is NULL. */
#define VIEW_IN(row, pointer, member)    .through = offsetof(row, pointer) + 1, VIEW_AT(__typeof__(*((row *)0)->pointer), member)
#define VIEW_IN_NS(row, pointer, member) .through = offsetof(row, pointer) + 1, VIEW_NS(__typeof__(*((row *)0)->pointer), member)
/* The row, where rows are pointers to text. */
#define VIEW_ITSELF .type = VIEW_TYPE_TEXT, .access = VIEW_AT_TEXT, .at = 0
/* A member with its unit in another one. */
#define VIEW_AT_UNIT(row, member, unit_member) VIEW_AT(row, member), .unit_of_row = true, .unit_at = offsetof(row, unit_member)
/* A member that is an array of characters. */
#define VIEW_AT_ARRAY(row, member) .type = VIEW_TYPE_TEXT, .access = VIEW_AT_CHARS, .at = offsetof(row, member)
/* A member that is a record itself. */
#define VIEW_AT_MEMBER(row, member, of)                                                                                            \
    .type = VIEW_TYPE_RECORD, .access = VIEW_AT_RECORD, .at = offsetof(row, member), .record = (of)
/* A member that points to a record; absent where it is NULL. */
#define VIEW_AT_POINTER(row, member, of)                                                                                           \
    .type = VIEW_TYPE_RECORD, .access = VIEW_AT_RECORD, .through = offsetof(row, member) + 1, .record = (of)
/* The row, as another record. */
#define VIEW_SELF(of) .type = VIEW_TYPE_RECORD, .access = VIEW_AT_RECORD, .record = (of)
/* A pointer member and the number of what it points to. */
#define VIEW_AT_ROWS(row, pointer, number, of)                                                                                     \
    .type = VIEW_TYPE_LIST, .access = VIEW_AT_LIST, .at = offsetof(row, pointer), .count_at = offsetof(row, number),               \
    .stride = sizeof *((row *)0)->pointer, .record = (of)
/* These of what the row's member `pointer` leads to; absent where that is NULL. */
#define VIEW_IN_MEMBER(row, pointer, member, of)                                                                                   \
    .through = offsetof(row, pointer) + 1, VIEW_AT_MEMBER(__typeof__(*((row *)0)->pointer), member, of)
#define VIEW_IN_ROWS(row, pointer, items, number, of)                                                                              \
    .through = offsetof(row, pointer) + 1, VIEW_AT_ROWS(__typeof__(*((row *)0)->pointer), items, number, of)

/* ---- records ---- */

struct view_record {
    const char *id;     /* of the result: "ranks" */
    const char *format; /* `format` of a JSON document of it; NULL: it is only part of others */
    const char *title;  /* for people; a template (results/sentence.h); NULL: none */
    const char *help;   /* definition, one sentence */
    const struct view_field *fields;
    size_t field_count;
    const struct view_block *blocks;
    size_t block_count;
    const char *columns; /* of tables, unless their block says others: ids, separated by commas; NULL: fields that tables show */
    bool plain;          /* rows of one field: in JSON its value alone */
    int data_digits;     /* significant digits of numbers in a JSON document of it; 0: all */
    /* Whether a row stands out in a table; NULL: none does. */
    bool (*strong)(const struct view *view, const void *row);
};
#define VIEW_FIELDS(array) .fields = (array), .field_count = RL_COUNT(array)
#define VIEW_BLOCKS(array) .blocks = (array), .block_count = RL_COUNT(array)

/* ---- the text about a record ---- */

enum view_block_kind {
    VIEW_BLOCK_FACT,     /* `label`, then the sentence `text` */
    VIEW_BLOCK_SENTENCE, /* `text` */
    VIEW_BLOCK_LEAD,     /* opening: the template `label`, emphasised, and the sentence `text` */
    VIEW_BLOCK_NOTE,     /* `text`, smaller, below a table */
    VIEW_BLOCK_TABLE,    /* the list `field` */
    VIEW_BLOCK_ITEMS, /* of each row of the list `field` the sentence `text`, after `label` or the value of the path `label_field`
                       * */
    VIEW_BLOCK_NOTES, /* of each row of the list `field` the sentence `text`, as a note */
    VIEW_BLOCK_CODE,  /* of each row of the list `field` the sentence `text`, a line of a command */
    VIEW_BLOCK_EACH,  /* of each row of the list `field`, or of the record `field`, its own title and blocks */
};
struct view_block {
    enum view_block_kind kind;
    const char *label;
    const char *label_field; /* a field of each row: the label of its item */
    const char *text;        /* a template (results/sentence.h) */
    const char *field;       /* id of a list or record */
    const char *title;       /* a template: stands above a table */
    /* Tables: ids of the columns, separated by commas. A path through a list of each row ("cards.time_s") is as many columns as
     * the list has rows, each headed by what names its row. Both NULL: those of the record. */
    const char *columns;
    const char *(*columns_of)(const struct view *view, const void *row);
    const char *narrow; /* columns on a page, where that has room for fewer than a line; NULL: the same */
    /* Tables: a rule separates rows for which this differs; NULL: no rules. */
    int (*group)(const struct view *view, const void *row);
    size_t most; /* largest number of rows, unless all are requested; 0: all */
    /* Chooses and orders at most `most` rows (0: all); indices of the array of `rows`, in the view's arena. NULL: the first ones.
     */
    struct view_rows (*choose)(const struct view *view, struct view_rows rows, size_t most);
    bool (*only)(const struct view *view, const void *row); /* the rows for which it holds, in order; NULL: any */
    bool more;                                              /* `text` is followed by the way to see all rows */
    const char *rest; /* template printed if rows are left out, with the numbers of rows {left} and {all} */
    bool apart;       /* with an empty line above it */
    bool folded;      /* of VIEW_BLOCK_EACH: media that can do so show only the title at first */
    /* Whether it is shown: fields of the record, ids separated by commas, each of which has a value (view_cell_says), or with '!'
     * before it none; and a function. NULL: always. */
    const char *with;
    bool (*when)(const struct view *view, const void *row);
    bool (*unless)(const struct view *view, const void *row); /* not shown where it holds; NULL: never */
};

/* ---- a view: a record and the row to look at ---- */

struct view {
    const struct view_record *record;
    const void *row;
    const void *subject;    /* further data of the record's functions; its type depends on the result */
    struct rl_arena *arena; /* for texts that they make */
    bool all;               /* all rows of tables, however many */
    bool (*has_said)(const void *subject, const char *reason); /* whether an earlier block has printed a reason; NULL: none has */
};

/* The value of `field` in `row`, a row of the record that the field belongs to. */
struct view_cell view_value(const struct view *view, const struct view_field *field, const void *row);
/* Whether a value is present and not 0, false or empty. */
bool view_cell_says(const struct view_field *field, const struct view_cell *cell);
/* The field with this id; NULL: none. */
const struct view_field *view_record_field(const struct view_record *record, const char *id);

/* The field that names a row: the first that says so, or the first. */
const struct view_field *view_record_identity(const struct view_record *record);

/* The path to a value below a row, through nested records ("duration_s.median"). */
enum { VIEW_PATH_STEPS = 4 };
struct view_path {
    const struct view_field *step[VIEW_PATH_STEPS];
    size_t count;
};
/* Parses `length` bytes of ids with dots between them; false: no such path. */
bool view_path_parse(const struct view_record *record, const char *text, size_t length, struct view_path *path);
/* The same, and the steps before the last may be lists. */
bool view_path_parse_across(const struct view_record *record, const char *text, size_t length, struct view_path *path);
/* The field that has the value. */
const struct view_field *view_path_field(const struct view_path *path);
/* The value; absent where a record on the way is. */
struct view_cell view_path_cell(const struct view *view, const struct view_path *path, const void *row);
/* The same through lists, of which row `element` is taken; absent where there are fewer. */
struct view_cell view_path_element(const struct view *view, const struct view_path *path, const void *row, size_t element);
/* Appends the ids with dots between them. */
void view_path_format(const struct view_path *path, struct rl_buf *out);
/* Appends the heads of its fields, as tables and their notes have them. */
void view_path_head(const struct view *view, const struct view_path *path, struct rl_buf *out);
/* Whether all its fields exist (view_field.listed). */
bool view_path_listed(const struct view *view, const struct view_path *path);
/* Calls `take` with the path to each single value of a record and its nested records, in the order of their fields; without lists
 * that are not plain, and without fields for people only. */
void view_record_paths(const struct view_record *record, void (*take)(void *to, const struct view_path *path), void *to);

/* The rows for which `holds` is true, in order. */
struct view_rows view_rows_where(const struct view *view, struct view_rows rows,
                                 bool (*holds)(const struct view *, const void *row));
/* Row `index` of a list. */
const void *view_rows_at(const struct view_rows *rows, size_t index);
/* Appends a share as percentage, "52.4 %"; under 0.01, "<0.01 %". */
void view_share_add(struct rl_buf *out, double share);
/* Appends a speedup, "1.33×"; a dash where there is none (NAN). */
void view_speedup_add(struct rl_buf *out, double speedup);
/* The same with both ends of an interval, "1.33× 1.10–1.50"; without where these are NAN. */
void view_speedup_interval_add(struct rl_buf *out, double speedup, double low, double high);
/* Appends a cell for people: a number with its unit, a text as it is; an en dash where it is absent. */
void view_cell_format(struct rl_buf *out, const struct view_field *field, const struct view_cell *cell);

/* A list of sentences: a row is a const char *. */
extern const struct view_record view_record_note;

/* Statistics of samples as a field of a result (a row is a struct rl_stats): of times in seconds, of rates in B/s, and of values
 * with a unit per row. */
extern const struct view_record view_record_times, view_record_rates, view_record_samples;
/* The row of statistics, absent without samples. */
struct view_cell view_cell_stats(const struct rl_stats *stats);
