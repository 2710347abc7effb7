/* view_csv.h - a list of any result as CSV. */
#ifndef RL_CLI_VIEW_CSV_H
#define RL_CLI_VIEW_CSV_H

#include "core/buf.h"
#include "results/listing.h"

/* Columns behind those of the record, for what no field has: heads, and the cell of a row, appended. */
struct cli_csv_beside {
    const char *const *heads;
    size_t count;
    void (*cell)(const void *context, const void *row, size_t column, struct rl_buf *out);
    const void *context;
};

/* One line per row, columns named by their ids ("duration_s.median"), numbers in base units that read back to the same value, an
 * empty cell for what is absent; the values of a plain list with blanks between them. `choice` (may be NULL: all) says which
 * columns, behind which stand those of `beside` (may be NULL). */
void cli_view_csv(const struct view *view, const struct view_record *record, const struct view_rows *rows,
                  const struct view_choice *choice, const struct cli_csv_beside *beside, struct rl_buf *out);

#endif
