/* doc.h - writes headings, labelled lines and tables as terminal text or as Markdown.
 *
 * Texts may hold any bytes: they are made printable, and inert in Markdown.
 */
#pragma once

#include "core/core.h"
#include "core/table.h"

enum cli_doc_style { CLI_DOC_TERMINAL, CLI_DOC_MARKDOWN };

struct cli_doc {
    struct rl_buf *out; /* not owned */
    enum cli_doc_style style;
    size_t width;       /* columns, terminal only */
    bool bold;          /* terminal only */
    size_t heading_end; /* where `out` ended behind the last heading */
};

/* The title of the whole document. */
void cli_doc_title(struct cli_doc *doc, const char *text);
/* After an empty line. */
void cli_doc_heading(struct cli_doc *doc, const char *text);
/* One line of a list: label, then text that is wrapped under itself; the label takes at least `label_width` columns. Either may be
 * "". */
void cli_doc_item(struct cli_doc *doc, const char *label, size_t label_width, const char *text);
/* The first paragraph of a document; its first words are emphasised. */
void cli_doc_lead(struct cli_doc *doc, const char *strong, const char *text);
/* Lines of code, inert and as they are. */
void cli_doc_code(struct cli_doc *doc, const char *const *lines, size_t count);
/* Begins a part that is folded below `title` (trusted text) in Markdown, up to cli_doc_unfold; on a terminal it is shown. */
void cli_doc_fold(struct cli_doc *doc, const char *title);
/* Ends the folded part. */
void cli_doc_unfold(struct cli_doc *doc);
/* A remark below a table. */
void cli_doc_note(struct cli_doc *doc, const char *text);
/* A table, copied. */
void cli_doc_table(struct cli_doc *doc, const struct rl_table *table);
/* An empty line, unless there is one already, nothing yet, or a heading right above. */
void cli_doc_gap(struct cli_doc *doc);
