/* web.h - the second medium of documents: one file of HTML that needs nothing else.
 *
 * Pages say what there is (a heading, a paragraph, a table, charts in a row) and never where it stands; the layout and the tables
 * know where. A layout that has a web hands on its content and places nothing: there are no sheets, no lines and no widths
 * here, a browser finds them. Targets become anchors with readable names, page numbers become links, charts stand in the text as
 * SVG with the values of their marks, tables are complete and can be sorted.
 *
 * The file holds its style sheet and its script (templates/document.css, document.js) and allows no other, by their hashes, and no
 * request. Texts may hold any bytes: none of them becomes markup.
 */
#pragma once

#include "flow.h"

struct rl_web;

/* An empty document with style sheet and script. Free with rl_web_free. */
struct rl_web *rl_web_new(void);
/* Frees it; NULL is allowed. */
void rl_web_free(struct rl_web *web);

/* ---- what there is, in its order ---- */

/* Begins a section. */
void rl_web_section(struct rl_web *web);
/* Ends it. */
void rl_web_section_end(struct rl_web *web);
/* Begins a row that is `columns` columns of the page's grid wide. */
void rl_web_row(struct rl_web *web, int columns);
/* Begins a cell of it. */
void rl_web_cell(struct rl_web *web, int columns);
/* Ends either. */
void rl_web_end(struct rl_web *web);
/* A title of the contents, below an earlier one or RL_PDF_NO_PARENT; returns its number. The next target that is bound is its
 * place, and gets its name from it. */
size_t rl_web_bookmark(struct rl_web *web, size_t parent, const char *title);
/* The place of a target. */
void rl_web_bind(struct rl_web *web, size_t target);
/* A heading or a paragraph, as its styles have it. */
void rl_web_para(struct rl_web *web, const struct rl_para *para);
/* A paragraph with a mark, which leads to `target` unless that is RL_NO_TARGET. */
void rl_web_item(struct rl_web *web, enum rl_mark mark, const struct rl_para *para, size_t target);
/* A line with something at its right end. */
void rl_web_line(struct rl_web *web, const struct rl_line *line);
/* A chart. */
void rl_web_drawing(struct rl_web *web, const struct rl_drawing *drawing, const char *alternative);
/* A table whose rows are complete, without its title and foot. */
void rl_web_table(struct rl_web *web, const struct rl_grid *grid);

/* ---- the end ---- */

/* Writes the document. */
void rl_web_finish(struct rl_web *web, const struct rl_running *running, const struct rl_pdf_info *info, struct rl_buf *out);
