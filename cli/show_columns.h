/* show_columns.h - the measured columns of a result table, and the notes for what is missing in them. */
#ifndef RL_CLI_SHOW_COLUMNS_H
#define RL_CLI_SHOW_COLUMNS_H

#include "show.h"

/* Rows of one table, with the label of each. Labels are owned. */
struct show_rows {
    struct show_row *row;
    char **label;
    bool *part; /* a kernel of the run that the row before is of: it stands below it */
    size_t count, row_cap, label_cap, part_cap;
};
/* Adds a row that is called `label` (copied); `part`: a kernel below the run that it is part of. */
void show_rows_add(struct show_rows *rows, const struct show_row *row, const char *label, bool part);
/* Frees the rows. */
void show_rows_release(struct show_rows *rows);

/* Prints the table of `rows`: the label under `head`, with `with_launches` the number and the total time of the launches, then the
 * figures. A column has one unit for all rows. Below it a note for every reason for which a figure is missing. */
void show_columns_print(const struct show_rows *rows, const char *head, bool with_launches, struct cli_doc *doc);

#endif
