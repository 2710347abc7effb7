/* view_media.h - prints any result (results/view.h) as text, CSV or JSON, and writes its JSON schema. */
#pragma once

#include "doc.h"
#include "results/listing.h"

/* ---- text for a terminal, or Markdown ---- */

struct cli_view_options {
    const struct view_choice *choice; /* columns and rows of tables of the record `chosen`; NULL: no selection */
    const struct view_record *chosen; /* the record to whose tables the choice applies */
    bool document;                    /* the title of the view's record is the title of the document */
    const char *more;                 /* added to the note about omitted rows ("--verbose lists all"), or NULL */
};

/* Prints the blocks of the view's row, below its title if it has one. */
void cli_view_text(const struct view *view, const struct cli_view_options *options, struct cli_doc *doc);
/* Leaves out the last parts of what was printed from byte `start` of the text on, where it has more than 120 lines (more where the
 * terminal is narrow), and says how many: --full prints them. */
void cli_view_shorten(struct cli_doc *doc, size_t start);
/* Prints a list as a table with its notes. */
void cli_view_table(const struct view *view, const struct view_record *record, const struct view_rows *rows,
                    const struct view_choice *choice, struct cli_doc *doc);

/* ---- CSV ---- */

/* Additional columns, after those of the record. `cell` appends the text of one cell. */
struct cli_csv_beside {
    const char *const *heads;
    size_t count;
    void (*cell)(const void *context, const void *row, size_t column, struct rl_buf *out);
    const void *context;
};

/* Appends one line per row. Columns are named by their ids ("duration_s.median"); numbers are in base units and read back to the
 * same value; an absent value is an empty cell; values of a plain list are separated by blanks. `choice` selects columns (NULL:
 * all); those of `beside` (may be NULL) follow. */
void cli_view_csv(const struct view *view, const struct view_record *record, const struct view_rows *rows,
                  const struct view_choice *choice, const struct cli_csv_beside *beside, struct rl_buf *out);

/* ---- JSON ---- */

struct cli_view_document {
    const struct view_choice *choice; /* rows of the lists whose record is `chosen`; NULL: all */
    const struct view_record *chosen;
};
/* Appends the view's row as a JSON document, which begins with the format of its record, if it has one, and the version. */
void cli_view_document(const struct view *view, const struct cli_view_document *document, struct rl_buf *out);
/* Appends the rows of a list field of the view's record as a JSON array. */
void cli_view_list(const struct view *view, const struct view_field *field, struct rl_buf *out);

/* ---- the JSON schema ---- */

/* Appends the schema (JSON Schema, draft 2020-12) of what cli_view_document writes for the record. Every record is a definition;
 * every key has a description and the unit of its values. */
void cli_view_schema(const struct view_record *record, struct rl_buf *out);
