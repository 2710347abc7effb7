/* record.h - a row of a table, cell by cell (private to import/). */
#ifndef RL_IMPORT_RECORD_H
#define RL_IMPORT_RECORD_H

#include "text.h"

struct rl_record;

/* Free with rl_record_free. One record serves all rows of a file. */
struct rl_record *rl_record_new(void);
void rl_record_free(struct rl_record *record); /* NULL is allowed */

/* Takes the cells of one CSV record (RFC 4180, read by libcsv: quotes, doubled quotes, line breaks inside quotes; blanks around
 * cells that are not quoted are dropped) with this separator. Beyond RL_IMPORT_MAX_COLUMNS cells the record is empty. */
void rl_record_read_csv(struct rl_record *record, struct rl_text text, char separator);
/* Takes the cells of a row of a printed table: they are separated by two blanks or more; cell number `most` takes the rest of the
 * line. */
void rl_record_read_printed(struct rl_record *record, struct rl_text text, size_t most);

/* Takes the cells below the runs of dashes in `rule`; the last one takes the rest of the line. Cells may be empty. */
void rl_record_read_ruled(struct rl_record *record, struct rl_text text, struct rl_text rule);

/* Makes the cells from `count` - 1 on one cell: the commas of a name that nobody has quoted. Empty ones at the end are dropped. */
void rl_record_join_rest(struct rl_record *record, size_t count);

/* How many cells the row has. */
size_t rl_record_count(const struct rl_record *record);
/* Cell `index`, valid until the next row is read; an empty text beyond the last one. */
struct rl_text rl_record_cell(const struct rl_record *record, size_t index);

#endif
