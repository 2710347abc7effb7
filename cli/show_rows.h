/* show_rows.h - rows of a result table, with the label of each. */
#ifndef RL_CLI_SHOW_ROWS_H
#define RL_CLI_SHOW_ROWS_H

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

#endif
