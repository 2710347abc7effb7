/* show_columns.h - the measured columns of a result table, and the notes for what is missing in them. */
#ifndef RL_CLI_SHOW_COLUMNS_H
#define RL_CLI_SHOW_COLUMNS_H

#include "show_rows.h"

/* Prints the table of `rows`: the label under `head`, then the figures, before and behind which stand the fields of the result that
 * `columns` names. A column has one unit for all rows. Below it a note for every reason for which a figure is missing. */
void show_columns_print(const struct show_rows *rows, const char *head, struct view_subject *subject,
                        const struct view_kernel_columns *columns, struct cli_doc *doc);

#endif
