/* view_table.h - lays out any list of a result as a table on a page. Columns, heads, units, digits and notes are those that the
 * result declares (results/view.h), as in every other output. A missing value is an en dash with a note below the table.
 *
 *     rl_view_table(layout, &view, &(struct rl_view_table){.list = "kernels"});
 */
#pragma once

#include "flow.h"
#include "results/listing.h"

struct rl_view_table {
    const char *list; /* id of a list of the view's record; NULL: the table has `rows` of `record` */
    const struct view_record *record;
    struct view_rows rows;
    const char *title;   /* above the table; NULL: the result's */
    const char *columns; /* ids separated by commas; NULL: the result's */
    const char *foot;    /* below the table, after the definitions of columns; NULL: nothing */
    size_t most;         /* largest number of rows; 0: the result's */
    /* Chooses the rows; NULL: those of the result. */
    struct view_rows (*choose)(const struct view *view, struct view_rows rows, size_t most);
    /* Adds a colour, a link or a mark to a cell; NULL: nothing. `row` is the field's row of the list, or NULL for the cell with the
     * name of the field. */
    void (*dress)(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell);
    void *to; /* first argument of `dress` */
    /* Rows with different values are separated by a rule; NULL: as the result declares. */
    int (*group)(const struct view *view, const void *row);
    bool rest_elsewhere; /* print no note about omitted rows */
    bool tight, plain;   /* as in struct rl_grid */
    bool small;          /* use the type size of notes */
    bool across;         /* transposed: a line for each field, with units, and a column for each row */
    bool there;          /* with `across`: only fields that some row has */
    bool slices;         /* columns that do not fit go to further tables, which repeat the first column */
    double reserve;      /* > 0: print only the rows that leave this height free, in points: whole groups, at least one */
    size_t *shown;       /* receives the number of rows; may be NULL */
};

/* `record` and `rows` of a table from an array of fields and an array of rows. */
#define RL_TABLE(columns_, rows_, count_)                                                                                          \
    .record = &(const struct view_record){.id = #columns_, .title = "", .help = "rows of a page", VIEW_FIELDS(columns_)},          \
    .rows = {(rows_), sizeof *(rows_), (count_), NULL}

/* Lays out the table and below it the definitions of its columns, a note about omitted rows, and reasons for missing values. False,
 * with nothing laid out, if the list is empty. */
bool rl_view_table(struct rl_layout *layout, const struct view *view, const struct rl_view_table *table);
/* Points that a table would take, without the notes of its cells; 0: it has no rows. */
double rl_view_table_height(struct rl_layout *layout, const struct view *view, const struct rl_view_table *table);
/* Lays out a list of the result as labelled items below its title, at most `most` (0: the result's number); nothing if the list is
 * empty. */
void rl_view_items(struct rl_layout *layout, const struct view *view, const char *list, size_t most);
/* Lays out the blocks of the view's record below each other, except its lead, which the page draws. With `one_page`, tables and
 * lists are shortened so that the following blocks fit on the page. */
void rl_view_blocks(struct rl_layout *layout, const struct view *view, bool one_page);
/* As rl_view_items, added to a column of boxes; `text`: the sentence about each row, instead of the result's (NULL). */
void rl_view_items_add(struct rl_box *column, struct rl_layout *layout, const struct view *view, const char *list, size_t most,
                       const char *text);
/* Lays out each row of the list `list` by the blocks of its record: tables (with `slices`) and notes. */
void rl_view_each(struct rl_layout *layout, const struct view *view, const char *list);
/* A sentence about the view's row (results/sentence.h), allocated in the layout's arena. */
const char *rl_view_words(struct rl_layout *layout, const struct view *view, const char *text);
/* As rl_view_table, added to a column of boxes; notes are left open. */
bool rl_view_table_add(struct rl_box *column, const struct view *view, const struct rl_view_table *table);

/* Fills a table that was begun without columns; false if the list is empty. */
bool rl_view_fill(struct rl_grid *grid, const struct view *view, const struct rl_view_table *table);

/* A line in a list of details. */
struct rl_detail {
    const char *what, *text; /* `text` NULL or "" means unknown */
    enum rl_mark mark;       /* of `what` */
    bool is_name;            /* `text` is set in the style of names */
};
/* Adds a list of details. */
void rl_details_add(struct rl_box *column, const struct rl_detail *details, size_t count);
