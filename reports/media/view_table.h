/* view_table.h - any list of a result as a table on a page: columns, heads, units, digits and notes are those that the result
 * declares (results/view.h), as in every other medium. A value that is missing is an en dash with a note below the table.
 *
 *     rl_view_table(layout, &view, &(struct rl_view_table){.list = "kernels"});
 */
#ifndef RL_REPORTS_VIEW_TABLE_H
#define RL_REPORTS_VIEW_TABLE_H

#include "flow.h"
#include "results/listing.h"

struct rl_view_table {
    const char *list; /* id of a list of the view's record; NULL: `rows` of `record` */
    const struct view_record *record;
    struct view_rows rows;
    const char *title;   /* stands above it; NULL: what the result says */
    const char *columns; /* ids with commas between them; NULL: what the result says */
    const char *foot;    /* stands below it, behind the definitions of columns; NULL: nothing */
    size_t most;         /* rows at most; 0: as many as the result says */
    /* Which rows; NULL: those that the result says. */
    struct view_rows (*choose)(const struct view *view, struct view_rows rows, size_t most);
    /* Additions of a document to a cell: a colour, a link, a mark. NULL: nothing. `row` is the row of the list that the field
     * belongs to; NULL: the cell is the name of the field. */
    void (*dress)(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell);
    void *to; /* its first argument */
    /* A rule stands between rows for which this is not the same; NULL: where the result says. */
    int (*group)(const struct view *view, const void *row);
    bool rest_elsewhere; /* rows left out are noted elsewhere */
    bool tight, plain;   /* as struct rl_grid has them */
    bool small;          /* set in the size of notes */
    bool across;         /* fields stand below each other, each figure with its unit, and rows are columns */
    bool there;          /* of such a table only the fields that some row has */
    bool slices;         /* columns that find no room stand in further tables, behind the first column again */
    double reserve;      /* > 0: as many rows as there is room for above so many points: whole groups, and one at least */
    size_t *shown;       /* gets the number of rows; may be NULL */
};

/* `record` and `rows` of a table whose fields stand in an array and whose rows in another. */
#define RL_TABLE(columns_, rows_, count_)                                                                                          \
    .record = &(const struct view_record){.id = #columns_, .title = "", .help = "rows of a page", VIEW_FIELDS(columns_)},          \
    .rows = {(rows_), sizeof *(rows_), (count_), NULL}

/* Lays the table, below it the definitions of its columns, a note about rows left out, and why values are missing. Nothing where
 * the list is empty. Whether the table is there. */
bool rl_view_table(struct rl_layout *layout, const struct view *view, const struct rl_view_table *table);
/* Lays what the result says of a list as items: `most` of them (0: as many as it says), each behind its label, below their title;
 * nothing where the list is empty. */
void rl_view_items(struct rl_layout *layout, const struct view *view, const char *list, size_t most);
/* Lays the blocks of the view's record below each other, but for its lead, which a page sets itself. `one_page`: tables and lists
 * have as many rows as leave room on the page for the blocks behind them. */
void rl_view_blocks(struct rl_layout *layout, const struct view *view, bool one_page);
/* The items of a list in a column of boxes. */
void rl_view_items_add(struct rl_box *column, struct rl_layout *layout, const struct view *view, const char *list, size_t most);
/* Lays each row of the list `list` by the blocks of its record: tables, sliced, and notes. */
void rl_view_each(struct rl_layout *layout, const struct view *view, const char *list);
/* A sentence about the view's row (results/sentence.h), which lives as long as the layout. */
const char *rl_view_words(struct rl_layout *layout, const struct view *view, const char *text);
/* The same in a column of boxes; notes are left open. */
bool rl_view_table_add(struct rl_box *column, const struct view *view, const struct rl_view_table *table);

/* Fills a table that has been begun without columns. */
bool rl_view_fill(struct rl_grid *grid, const struct view *view, const struct rl_view_table *table);

/* A line of a list of details. */
struct rl_detail {
    const char *what, *text; /* text: NULL or "": unknown */
    enum rl_mark mark;       /* of `what` */
    bool is_name;            /* `text` is set as names are */
};
/* Adds such a list. */
void rl_details_add(struct rl_box *column, const struct rl_detail *details, size_t count);

#endif
