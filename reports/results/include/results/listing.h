/* listing.h - a list of a result as a table: columns, units, cells, and reasons of missing values. Every medium prints the same
 * listing.
 *
 *     struct view_listing listing;
 *     view_listing_make(&listing, view, record, rows, choice);
 *     for each column: view_listing_head; for each row and column: view_listing_cell
 *     view_listing_release(&listing);
 */
#pragma once

#include "results/view.h"

/* ---- the user's choice of columns and rows ---- */

/* --columns, --sort and --where of one list; NULL: not given. */
struct view_choice_texts {
    const char *columns; /* ids, separated by commas */
    const char *sort;    /* an id; with '-' before it the other way round: texts from z to a, numbers from small to large */
    const char *where;   /* conditions, separated by commas: ID, one of = != < <= > >=, a value in base units or a pattern of text;
                          * or ~ or !~ and an extended regular expression without commas */
};
struct view_choice; /* which columns and rows, and their order */
/* Parses the texts against the fields of a record. On error (RL_USAGE) says which id or value is wrong, with the nearest ids.
 * Free with view_choice_free. */
enum rl_status view_choice_new(const struct view_record *record, const struct view_choice_texts *texts, struct view_choice **choice,
                               struct rl_err *err);
void view_choice_free(struct view_choice *choice); /* NULL is allowed */
/* Whether a choice of columns was made, so that only these are shown. NULL: none was. */
bool view_choice_has_columns(const struct view_choice *choice);
/* The rows that fulfil the conditions, in the order asked for; rows that compare equal keep their order, absent values come last.
 * Indices are in the view's arena. `choice` NULL: the same rows. */
struct view_rows view_choice_rows(const struct view_choice *choice, const struct view *view, struct view_rows rows);
/* The chosen columns in their order; NULL and a count of 0 without a choice of columns. */
const struct view_path *view_choice_columns(const struct view_choice *choice, size_t *count);

/* ---- the table ---- */

struct view_column {
    struct view_path path;
    size_t element;        /* of the list that the path leads through, if it does */
    double least, most;    /* its numbers other than 0, by magnitude; INFINITY and 0: there are none */
    struct rl_scale scale; /* of numbers: one for all rows, and for all columns of one field */
    bool complete;         /* it is known that every row has a value */
};
struct view_listing {
    const struct view *view;
    const struct view_record *record; /* of a row */
    struct view_rows rows;
    struct view_column *columns;
    size_t column_count, column_cap;
    bool labels; /* names of columns are the longest there are (view_field.label) */
};
/* Makes a listing. Its columns are those of `choice` (may be NULL), all shown; otherwise those of `columns`, ids separated by
 * commas; otherwise (NULL) those of the record, without empty columns whose field is shown only if any row has a value. */
void view_listing_make(struct view_listing *listing, const struct view *view, const struct view_record *record,
                       struct view_rows rows, const struct view_choice *choice, const char *columns);
/* Frees what the listing holds; its rows are borrowed. */
void view_listing_release(struct view_listing *listing);
/* Appends the name of a column: "time". */
void view_listing_name(const struct view_listing *listing, size_t column, struct rl_buf *out);
/* Appends the head of a column: name and unit, "time ms". */
void view_listing_head(const struct view_listing *listing, size_t column, struct rl_buf *out);
/* The unit that the head of a column names; "" where it has none. */
const char *view_listing_unit(const struct view_listing *listing, size_t column);
/* Whether a column's cells are numbers: set at the right. */
bool view_listing_is_number(const struct view_listing *listing, size_t column);
/* The value of a row in a column. */
struct view_cell view_listing_value(const struct view_listing *listing, size_t row, size_t column);
/* The row of the list that the path of a column leads through; NULL: it leads through none. */
const void *view_listing_element(const struct view_listing *listing, size_t row, size_t column);
/* Appends a cell: numbers in the unit of the column, a dash for a missing value, nothing if its absence needs no note. */
void view_listing_cell(const struct view_listing *listing, size_t row, size_t column, struct rl_buf *out);
/* The same where fields stand below each other and not in columns: each with its unit and, where it is known, half of its 95 %
 * interval: "~2.41 TB/s ±1.2 %". */
void view_listing_alone(const struct view_listing *listing, size_t row, size_t column, struct rl_buf *out);

/* ---- notes below the table ---- */

enum { VIEW_LISTING_NOTES = 32 };
/* The reason of a missing value, or the note of a present one; "": none. */
const char *view_listing_missing(const struct view_listing *listing, size_t row, size_t column);
/* Appends the definitions of the columns that ask for it, "own: kernels that wait for no other rank; counted: ...". */
void view_listing_definitions(const struct view_listing *listing, struct rl_buf *out);
/* Calls `take` with each note: the definitions, then why values are missing, "roof: not collected
 * (stride_1, stride_2)". At most VIEW_LISTING_NOTES reasons are listed one by one. */
void view_listing_notes(const struct view_listing *listing, void (*take)(void *to, const char *text), void *to);

/* ---- the table of a block (results/view.h); a block may be NULL: nothing is asked for ---- */

/* Whether a block is shown for a row of its record (view_block.with, when). */
bool view_block_applies(const struct view *view, const struct view_block *block, const struct view_record *record, const void *row);
/* The block that shows the list `field` of a record's row; NULL: none does. */
const struct view_block *view_block_of(const struct view *view, const struct view_record *record, const void *row,
                                       const char *field);
/* The rows that a block shows of its list, at most `most` (0: all). */
struct view_rows view_block_rows(const struct view *view, const struct view_block *block, struct view_rows rows, size_t most);
/* The ids of the columns that it shows for this row of its record; NULL: those of the list's record. */
const char *view_block_columns(const struct view *view, const struct view_block *block, const void *row);
/* Appends the note of a block that shows `shown` of `all` rows; nothing if these are all. */
void view_block_rest(const struct view *view, const struct view_block *block, size_t shown, size_t all, struct rl_buf *out);
/* Whether a rule stands above a row of a listing; */
bool view_block_rules(const struct view_block *block, const struct view_listing *listing, size_t row);
