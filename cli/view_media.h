/* view_media.h - any result (results/view.h) as text, CSV or JSON, and the schema of the latter: a file each. */
#ifndef RL_CLI_VIEW_MEDIA_H
#define RL_CLI_VIEW_MEDIA_H

#include "doc.h"
#include "results/listing.h"

/* ---- any result for people: on a terminal or as Markdown ---- */

struct cli_view_options {
    const struct view_choice *choice; /* of columns and rows of the list `chosen`; NULL: none */
    const struct view_record *chosen; /* the record whose tables the choice is about */
    bool document;                    /* the title of the view's record is that of the whole document */
    const char *more;                 /* behind the note about rows left out: "--verbose lists all"; NULL: nothing */
};

/* Prints the blocks of the view's row: below its title, as a heading, where it has one. */
void cli_view_text(const struct view *view, const struct cli_view_options *options, struct cli_doc *doc);
/* Prints a list as a table with its notes. */
void cli_view_table(const struct view *view, const struct view_record *record, const struct view_rows *rows,
                    const struct view_choice *choice, struct cli_doc *doc);

/* ---- a list of any result as CSV ---- */

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

/* ---- any result as JSON ---- */

struct cli_view_document {
    const struct view_choice *choice; /* of rows of the lists whose record is `chosen`; NULL: all */
    const struct view_record *chosen;
};
/* Appends the view's row as a separate document, which begins with the format of its record, where it has one, and the version. */
void cli_view_document(const struct view *view, const struct cli_view_document *document, struct rl_buf *out);
/* Appends the rows of a list, a field of the view's record, as an array. */
void cli_view_list(const struct view *view, const struct view_field *field, struct rl_buf *out);

/* ---- the JSON schema of any result ---- */

/* Appends the schema (JSON Schema, draft 2020-12) of what cli_view_document writes for the record: every record is a definition,
 * every key has its sentence and the unit of its values. */
void cli_view_schema(const struct view_record *record, struct rl_buf *out);

#endif
