/* table.h - tables of text: for people (terminal), for reviews (Markdown), for programs (CSV).
 *
 *     struct rl_table table;
 *     rl_table_init(&table);
 *     rl_table_column(&table, "kernel", RL_LEFT);
 *     rl_table_column(&table, "time (ms)", RL_RIGHT);
 *     rl_table_row(&table);
 *     rl_table_cell(&table, "stride_kernel");
 *     rl_table_cellf(&table, "%.3f", 9.144);
 *     rl_table_print(&table, &out, RL_TABLE_TERMINAL, 100);
 *     rl_table_release(&table);
 *
 * Cells may hold any bytes; each format makes them safe (printable, quoted, escaped). A row with fewer cells than columns is
 * filled with empty ones; more cells than columns is a programming error (assert).
 *
 * CSV is opened by spreadsheets, too: what they would take for a formula is written as text (RL_TABLE_CSV).
 */
#ifndef RL_CORE_TABLE_H
#define RL_CORE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"
#include "core/buf.h"
#include "core/units.h"
#include "core/value.h"

enum rl_align { RL_LEFT, RL_RIGHT };
enum rl_table_format {
    RL_TABLE_TERMINAL,      /* UTF-8, aligned, a rule under the head; narrowed to fit */
    RL_TABLE_TERMINAL_BOLD, /* the same with a bold head (escape sequences): only for a terminal without NO_COLOR */
    RL_TABLE_MARKDOWN,      /* GitHub's; nothing in a cell is markup (rl_markdown_escape), line breaks are <br> */
    /* RFC 4180, UTF-8, a head line, CR LF; line breaks in cells are kept inside quotes. An apostrophe stands before text that a
     * spreadsheet would take for a formula (= + - @, tab, line break); numbers stay as they are. */
    RL_TABLE_CSV,
    RL_TABLE_CSV_ROWS, /* the same without the head line: what goes on behind another table with the same columns */
};

struct rl_table; /* members are private */
struct rl_table {
    struct rl_table_column_ {
        char *head;
        enum rl_align align;
    } * columns;
    size_t column_count, column_cap;
    struct rl_arena texts; /* of cells */
    char **cells;          /* row after row, column_count each */
    size_t cell_count, cell_cap;
    size_t row_count;
    bool *rule_before; /* one per row */
    size_t rule_cap;
};

/* A table without columns. */
void rl_table_init(struct rl_table *table);
/* Frees columns and cells; the table is then as new. */
void rl_table_release(struct rl_table *table);
/* Adds a column on the right, before the first row. */
void rl_table_column(struct rl_table *table, const char *head, enum rl_align align);
/* Begins a row; the cells that follow belong to it. */
void rl_table_row(struct rl_table *table);
/* A thin rule before the next row (terminal only): separates groups. */
void rl_table_rule(struct rl_table *table);
/* The next cell of the row. */
void rl_table_cell(struct rl_table *table, const char *text);
/* The same of `len` bytes, which need not be terminated. */
void rl_table_cell_bytes(struct rl_table *table, const char *text, size_t len);
/* The same of formatted text. */
void rl_table_cellf(struct rl_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends the table to `out`. `width` is the terminal's columns (0: no limit), used by the terminal formats only. A table that is
 * wider is narrowed step by step until it fits: heads are broken at their last blank into two lines; LEFT columns, the widest
 * first, are shortened in the middle, none below 20 columns; columns stand one blank apart instead of two; LEFT columns are
 * shortened further, none below 8; the columns stand in several tables below each other, each with the first column. That one,
 * where it is LEFT, is not shortened so far that texts that differ look the same, unless a number would have no room next to it,
 * and then to 3 columns. Words behind a number of a RIGHT column are shortened where that alone has no room, the number itself
 * never: a line with one that has no room even then is longer than `width`. */
void rl_table_print(const struct rl_table *table, struct rl_buf *out, enum rl_table_format format, size_t width);

/* ---- text of unknown origin as text in GitHub's Markdown ---- */

/* Appends `len` bytes of text, printable (rl_utf8_printable) and on one line, so that nothing in it is markup: backslashes before
 * what Markdown or HTML would interpret, at the beginning also before what would begin a heading or a list; &#8288;
 * (U+2060, without width) in what would become a link, a mention (@team) or a reference to an issue (#1) although it is escaped. */
void rl_markdown_escape(struct rl_buf *out, const char *text, size_t len);

#endif
