/* view_table.h - any list of a result as a table on a page: columns, heads, units, digits and notes are those that the result
 * declares (results/view.h), as in every other medium. A value that is missing is an en dash with a note below the table.
 *
 *     rl_view_table(layout, &view, &(struct rl_view_table){.list = "kernels"});
 */
#ifndef RL_REPORTS_VIEW_TABLE_H
#define RL_REPORTS_VIEW_TABLE_H

#include "grid.h"
#include "results/listing.h"

struct rl_view_table {
    const char *list;    /* id of a list of the view's record */
    const char *title;   /* stands above it; NULL: what the result says */
    const char *columns; /* ids with commas between them; NULL: what the result says */
    size_t most;         /* rows at most; 0: as many as the result says */
    /* Which rows; NULL: those that the result says. */
    struct view_rows (*choose)(const struct view *view, struct view_rows rows, size_t most);
    /* What a document adds to a cell: a colour, a link, a mark. NULL: nothing. */
    void (*dress)(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell);
    void *to;            /* its first argument */
    bool rest_elsewhere; /* what is said of rows left out stands elsewhere */
};

/* Lays the table, below it the definitions of its columns, what is said of rows left out, and why values are missing. Nothing where
 * the list is empty. Whether the table is there. */
bool rl_view_table(struct rl_layout *layout, const struct view *view, const struct rl_view_table *table);
/* A sentence about the view's row (results/sentence.h), which lives as long as the layout. */
const char *rl_view_words(struct rl_layout *layout, const struct view *view, const char *text);
/* Adds the columns of a listing to a table without rows. */
void rl_view_columns(struct rl_grid *grid, const struct view_listing *listing);
/* Adds the rows of a listing to a table that has its columns; `table` says how to dress them, `block` where rules stand (NULL: not
 * at all). */
void rl_view_rows(struct rl_grid *grid, const struct view_listing *listing, const struct rl_view_table *table,
                  const struct view_block *block);

#endif
