/* table.h - tables of text for terminals, Markdown and CSV.
 *
 *     struct rl_table table;
 *     rl_table_init(&table);
 *     rl_table_column(&table, "kernel", RL_LEFT);
 *     rl_table_column(&table, "time (ms)", RL_RIGHT);
 *     rl_table_row(&table);
 *     rl_table_cell_bytes(&table, "stride", 6);
 *     rl_table_cell_bytes(&table, "9.144", 5);
 *     rl_table_print(&table, &out, RL_TABLE_TERMINAL, 100);
 *     rl_table_release(&table);
 *
 * Cells may hold any bytes; each format makes them safe (printable, quoted, escaped). A row with fewer cells than columns is
 * filled with empty ones; more cells than columns is a programming error (assert).
 *
 * In CSV, text that a spreadsheet would read as a formula is marked as text (RL_TABLE_CSV).
 */
#pragma once

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
    /* RFC 4180, UTF-8, a head line, CR LF; line breaks in cells are kept inside quotes. An apostrophe precedes text that a
     * spreadsheet would read as a formula (= + - @, tab, line break), not numbers. */
    RL_TABLE_CSV,
    RL_TABLE_CSV_ROWS, /* the same without the head line, to continue another table with the same columns */
};

struct rl_table; /* members are private */
struct rl_table {
    struct rl_table_column_ {
        char *head;
        enum rl_align align;
        bool wraps;
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
/* Frees columns and cells; the table is then without columns. */
void rl_table_release(struct rl_table *table);
/* Adds a column on the right, before the first row. */
void rl_table_column(struct rl_table *table, const char *head, enum rl_align align);
/* The column added last, LEFT, is broken into lines where others are shortened (terminal only). */
void rl_table_wrap(struct rl_table *table);
/* Begins a row; the cells that follow belong to it. */
void rl_table_row(struct rl_table *table);
/* A thin rule before the next row (terminal only): separates groups. */
void rl_table_rule(struct rl_table *table);
/* The next cell of the row: `len` bytes, which need not be terminated. */
void rl_table_cell_bytes(struct rl_table *table, const char *text, size_t len);
/* Appends the table to `out`. `width` is the terminal's columns (0: no limit), used by the terminal formats only. A wider table is
 * narrowed in steps until it fits: heads are broken at their last blank into two lines; LEFT columns, the widest first, are
 * shortened in the middle, to no less than 20 columns; the space between columns is one blank instead of two; LEFT columns are
 * shortened further, to no less than 8; the columns are divided into several tables, each with the first column. The first column,
 * if LEFT, is not shortened so far that different texts look the same, unless a number next to it would not fit, and then to 3
 * columns. Words after a number in a RIGHT column may be shortened, numbers never: a line may therefore be longer than `width`. */
void rl_table_print(const struct rl_table *table, struct rl_buf *out, enum rl_table_format format, size_t width);

/* ---- escaping untrusted text for GitHub's Markdown ---- */

/* Appends `len` bytes of text, printable (rl_utf8_printable) and on one line, so that nothing in it is markup: backslashes before
 * what Markdown or HTML would interpret, at the beginning also before what would begin a heading or a list; &#8288;
 * (U+2060, without width) in what would become a link, a mention (@team) or a reference to an issue (#1) although it is escaped. */
void rl_markdown_escape(struct rl_buf *out, const char *text, size_t len);
