/* table_parts.h - what the formats of tables have in common (private to core/). */
#pragma once

#include "core/table.h"

/* How a format makes a cell's text safe; the result has no line break outside CSV's quotes. */
typedef void (*rl_table_encode)(struct rl_buf *out, const char *text);

/* The text of a cell; row 0 is the head. */
const char *rl_table_text(const struct rl_table *table, size_t row, size_t column);
/* Widest text of each column below its head after `encode`. Free with free(). */
size_t *rl_table_cell_widths(const struct rl_table *table, rl_table_encode encode);
/* Widest text of each column, which has `cells`, with its head. */
void rl_table_column_widths(const struct rl_table *table, rl_table_encode encode, const size_t *cells, bool two_lines,
                            size_t *widths);
/* The same of a text whose columns are counted. */
void rl_table_add_padded(struct rl_buf *out, const struct rl_buf *text, size_t width, enum rl_align align, bool last);

/* The formats for terminals. */
void rl_table_print_terminal(const struct rl_table *table, struct rl_buf *out, size_t width, bool bold);
