/* view_csv.h - a list of any result as CSV. */
#ifndef RL_CLI_VIEW_CSV_H
#define RL_CLI_VIEW_CSV_H

#include "core/buf.h"
#include "views/listing.h"

/* One line per row, columns named by their ids ("duration_s.median"), numbers in base units that read back to the same value, an
 * empty cell for what is absent; the values of a plain list with blanks between them. `choice` (may be NULL) says which columns. */
void cli_view_csv(const struct view *view, const struct view_record *record, const struct view_rows *rows,
                  const struct view_choice *choice, struct rl_buf *out);

#endif
