/* lines.h - a file, line by line (private to import/). */
#pragma once

#include "text.h"

enum { RL_LINES_CHUNK = 256 * 1024 }; /* read at a time */

struct rl_lines;

/* Opens a file; what cannot be read twice (standard input, a pipe) is kept in memory. RL_ABSENT or RL_IO with the reason. Close
 * with rl_lines_close. */
enum rl_status rl_lines_open(const char *path, struct rl_lines **lines, struct rl_err *err);
/* Bytes that stay where they are until rl_lines_close. */
struct rl_lines *rl_lines_of(const void *bytes, size_t len);
void rl_lines_close(struct rl_lines *lines); /* NULL is allowed */

/* The next line without its end (LF or CR LF), valid until the next call. UTF-16, which PowerShell writes, becomes UTF-8, with or
 * without a byte order mark. That is left out, and bytes of value 0 become '?'. False at the end of the file and after a fault. */
bool rl_lines_next(struct rl_lines *lines, struct rl_text *line);
/* Begins anew with the first line. */
void rl_lines_rewind(struct rl_lines *lines);
/* ---- bytes, as they are in the file: from its start after rl_lines_rewind, where no line is asked for ---- */
/* The next `len` bytes; how many there were. Fewer at the end of the file and after a fault. */
size_t rl_lines_bytes(struct rl_lines *lines, void *to, size_t len);
/* Goes past `len` bytes; false when there are fewer. */
bool rl_lines_skip(struct rl_lines *lines, uint64_t len);

/* Whether the last line was longer than RL_IMPORT_MAX_LINE; then only its beginning was returned. */
bool rl_lines_was_truncated(const struct rl_lines *lines);
/* The beginning of the file, 256 KiB where there is as much, to tell formats apart; until the next call. */
struct rl_text rl_lines_head(struct rl_lines *lines);
/* Whether all of it is in memory, and where. */
bool rl_lines_in_memory(const struct rl_lines *lines, struct rl_text *bytes);
/* RL_IO when reading failed; `path` is for the text. */
enum rl_status rl_lines_status(const struct rl_lines *lines, const char *path, struct rl_err *err);

/* ---- a row of a table, cell by cell ---- */

struct rl_record;

/* Free with rl_record_free. One record serves all rows of a file. */
struct rl_record *rl_record_new(void);
void rl_record_free(struct rl_record *record); /* NULL is allowed */

/* Takes the cells of one CSV record (RFC 4180, read by libcsv: quotes, doubled quotes, line breaks inside quotes; blanks around
 * cells that are not quoted are dropped) with this separator. Beyond RL_IMPORT_MAX_COLUMNS cells the record is empty. */
void rl_record_read_csv(struct rl_record *record, struct rl_text text, char separator);
/* Splits a row of a printed table at two or more blanks; cell number `most` has the rest of the line. */
void rl_record_read_printed(struct rl_record *record, struct rl_text text, size_t most);

/* Takes the cells below the runs of dashes in `rule`; the last one takes the rest of the line. Cells may be empty. */
void rl_record_read_ruled(struct rl_record *record, struct rl_text text, struct rl_text rule);

/* Joins the cells from `count` - 1 on: the commas of an unquoted name. Empty cells at the end are dropped. */
void rl_record_join_rest(struct rl_record *record, size_t count);

/* How many cells the row has. */
size_t rl_record_count(const struct rl_record *record);
/* Cell `index`, valid until the next row is read; an empty text beyond the last one. */
struct rl_text rl_record_cell(const struct rl_record *record, size_t index);
