#include "core/table.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/markdown.h"
#include "core/mem.h"
#include "core/utf8.h"

#define RULE "\xE2\x94\x80" /* U+2500 */

/* Columns between columns; what a LEFT column may be shortened to at first, and at last. */
enum { GAP = 2, NARROW_GAP = 1, MODEST_WIDTH = 20, LEAST_WIDTH = 8 };

void rl_table_init(struct rl_table *table)
{
    memset(table, 0, sizeof *table);
}

void rl_table_release(struct rl_table *table)
{
    for (size_t i = 0; i < table->column_count; i++)
        free(table->columns[i].head);
    for (size_t i = 0; i < table->cell_count; i++)
        free(table->cells[i]);
    free(table->columns);
    free(table->cells);
    free(table->rule_before);
    rl_table_init(table);
}

void rl_table_column(struct rl_table *table, const char *head, enum rl_align align)
{
    assert(table->row_count == 0);
    RL_GROW(table->columns, table->column_count + 1, table->column_cap);
    table->columns[table->column_count++] = (struct rl_table_column_){rl_strdup(head), align};
}

static void add_cell(struct rl_table *table, char *text)
{
    assert(table->cell_count < table->row_count * table->column_count);
    RL_GROW(table->cells, table->cell_count + 1, table->cell_cap);
    table->cells[table->cell_count++] = text;
}

/* rule_before[row_count] is there before the row is, so that a rule can wait for it. */
static void reserve_rule(struct rl_table *table)
{
    size_t before = table->rule_cap;
    RL_GROW(table->rule_before, table->row_count + 1, table->rule_cap);
    memset(table->rule_before + before, 0, (table->rule_cap - before) * sizeof *table->rule_before);
}

void rl_table_row(struct rl_table *table)
{
    assert(table->column_count > 0);
    while (table->cell_count < table->row_count * table->column_count)
        add_cell(table, rl_strdup(""));
    reserve_rule(table);
    table->row_count++;
}

void rl_table_rule(struct rl_table *table)
{
    reserve_rule(table);
    table->rule_before[table->row_count] = true;
}

void rl_table_cell(struct rl_table *table, const char *text)
{
    rl_table_cell_bytes(table, text, strlen(text));
}

/* Cells are terminated strings, so a byte of value 0 becomes the replacement character here. */
void rl_table_cell_bytes(struct rl_table *table, const char *text, size_t len)
{
    struct rl_buf cell = RL_BUF_INIT;
    const char *zero;
    for (; len && (zero = memchr(text, '\0', len)); len -= (size_t)(zero + 1 - text), text = zero + 1) {
        rl_buf_add(&cell, text, (size_t)(zero - text));
        rl_utf8_encode(&cell, RL_UTF8_REPLACEMENT);
    }
    rl_buf_add(&cell, text, len);
    add_cell(table, rl_buf_detach(&cell, NULL));
}

void rl_table_cellf(struct rl_table *table, const char *format, ...)
{
    struct rl_buf cell = RL_BUF_INIT;
    va_list args;
    va_start(args, format);
    rl_buf_vaddf(&cell, format, args);
    va_end(args);
    add_cell(table, rl_buf_detach(&cell, NULL));
}

void rl_table_value(struct rl_table *table, enum rl_unit unit, struct rl_value value, int digits)
{
    struct rl_buf cell = RL_BUF_INIT;
    rl_value_format(&cell, unit, value, digits);
    add_cell(table, rl_buf_detach(&cell, NULL));
}

/* How a format makes a cell's text safe; the result has no line break outside CSV's quotes. */
typedef void (*encode_fn)(struct rl_buf *out, const char *text);

/* Row 0 is the head. */
static const char *text_at(const struct rl_table *table, size_t row, size_t column)
{
    assert(row <= table->row_count && column < table->column_count);
    if (row == 0)
        return table->columns[column].head;
    size_t index = (row - 1) * table->column_count + column;
    return index < table->cell_count ? table->cells[index] : "";
}

static void encode_terminal(struct rl_buf *out, const char *text)
{
    rl_utf8_printable(out, text, strlen(text));
}

static void encode_markdown(struct rl_buf *out, const char *text)
{
    for (;;) {
        size_t len = strcspn(text, "\r\n");
        rl_markdown_escape(out, text, len);
        text += len;
        if (*text == '\0')
            return;
        rl_buf_adds(out, "<br>");
        text += strncmp(text, "\r\n", 2) == 0 ? 2 : 1;
    }
}

/* What a spreadsheet would take for a formula, wide forms of the signs included. Numbers are none. */
static bool is_formula(const char *text, size_t len)
{
    static const char *const signs[] = {"=", "+", "-", "@", "\t", "\r", "\n", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
    double number;
    const size_t blanks = strspn(text, " ");
    for (size_t i = 0; i < RL_COUNT(signs); i++)
        if (strncmp(text + blanks, signs[i], strlen(signs[i])) == 0)
            return !rl_number_parse(text, len, &number);
    return false;
}

/* Line breaks and tabs are data in CSV; other control characters could still steer the terminal that shows it. */
static void encode_csv(struct rl_buf *out, const char *text)
{
    size_t len = strlen(text);
    bool quoted = text[strcspn(text, "\",;\t\r\n")] || (len && (text[0] == ' ' || text[len - 1] == ' '));
    uint32_t codepoint;
    if (quoted)
        rl_buf_addch(out, '"');
    if (is_formula(text, len))
        rl_buf_addch(out, '\'');
    for (size_t at = 0; at < len;) {
        at += rl_utf8_decode(text + at, len - at, &codepoint);
        if (codepoint == '"')
            rl_buf_addch(out, '"');
        bool kept = codepoint == '\r' || codepoint == '\n' || codepoint == '\t' || !rl_utf8_is_control(codepoint);
        rl_utf8_encode(out, kept ? codepoint : RL_UTF8_REPLACEMENT);
    }
    if (quoted)
        rl_buf_addch(out, '"');
}

/* Columns that a text takes after `encode`. */
static size_t encoded_width(encode_fn encode, const char *text, size_t len)
{
    struct rl_buf part = RL_BUF_INIT, encoded = RL_BUF_INIT;
    rl_buf_add(&part, text, len);
    encode(&encoded, part.data);
    size_t width = rl_utf8_width(encoded.data, encoded.len);
    rl_buf_release(&encoded);
    rl_buf_release(&part);
    return width;
}

/* Where a head is broken into two lines: its last blank, or its end when it stays in one. */
static size_t head_break(const char *head)
{
    const char *blank = strrchr(head, ' ');
    return blank ? (size_t)(blank - head) : strlen(head);
}

static size_t head_width(encode_fn encode, const char *head, bool two_lines)
{
    size_t upper = two_lines ? head_break(head) : strlen(head), length = strlen(head);
    size_t above = encoded_width(encode, head, upper);
    size_t below = upper < length ? encoded_width(encode, head + upper + 1, length - upper - 1) : 0;
    return above > below ? above : below;
}

/* Widest text of each column below its head after `encode`. Free with free(). */
static size_t *cell_widths(const struct rl_table *table, encode_fn encode)
{
    size_t *widths = rl_calloc(table->column_count, sizeof *widths);
    struct rl_buf text = RL_BUF_INIT;
    for (size_t row = 1; row <= table->row_count; row++)
        for (size_t column = 0; column < table->column_count; column++) {
            rl_buf_reset(&text);
            encode(&text, text_at(table, row, column));
            size_t width = rl_utf8_width(text.data, text.len);
            if (width > widths[column])
                widths[column] = width;
        }
    rl_buf_release(&text);
    return widths;
}

/* Widest text of each column, which has `cells`, with its head. */
static void column_widths(const struct rl_table *table, encode_fn encode, const size_t *cells, bool two_lines, size_t *widths)
{
    for (size_t column = 0; column < table->column_count; column++) {
        size_t head = head_width(encode, table->columns[column].head, two_lines);
        widths[column] = head > cells[column] ? head : cells[column];
    }
}

/* How a table is laid out on a terminal. */
struct layout {
    size_t *widths; /* one a column */
    size_t gap;
    bool two_lines; /* of heads */
};

static size_t line_width(const struct layout *layout, size_t count)
{
    size_t total = layout->gap * (count - 1);
    for (size_t i = 0; i < count; i++)
        total += layout->widths[i];
    return total;
}

/* The widest LEFT column that may still be shortened, NULL when there is none. */
static size_t *widest_left(const struct rl_table *table, const struct layout *layout, size_t least)
{
    size_t *widest = NULL;
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].align == RL_LEFT && layout->widths[i] > least && (!widest || layout->widths[i] > *widest))
            widest = &layout->widths[i];
    return widest;
}

/* True when the table fits afterwards. */
static bool shorten_left(const struct rl_table *table, struct layout *layout, size_t width, size_t least)
{
    size_t total = line_width(layout, table->column_count);
    size_t *column;
    for (; total > width && (column = widest_left(table, layout, least)); total--)
        --*column;
    return total <= width;
}

/* The steps that rl_table_print names. `width` 0: no limit. */
static void fit_to(const struct rl_table *table, size_t width, const size_t *cells, struct layout *layout)
{
    layout->gap = GAP;
    column_widths(table, encode_terminal, cells, false, layout->widths);
    if (!width || line_width(layout, table->column_count) <= width)
        return;
    layout->two_lines = true;
    column_widths(table, encode_terminal, cells, true, layout->widths);
    if (shorten_left(table, layout, width, MODEST_WIDTH))
        return;
    layout->gap = NARROW_GAP;
    column_widths(table, encode_terminal, cells, true, layout->widths);
    shorten_left(table, layout, width, LEAST_WIDTH);
}

/* The layout for that width; layout.widths: free with free(). */
static struct layout fit(const struct rl_table *table, size_t width)
{
    struct layout layout = {.widths = rl_calloc(table->column_count, sizeof *layout.widths)};
    size_t *cells = cell_widths(table, encode_terminal);
    fit_to(table, width, cells, &layout);
    free(cells);
    return layout;
}

/* One cell, padded to `width` columns on the side that its alignment asks for. */
static void add_padded(struct rl_buf *out, const struct rl_buf *text, size_t width, enum rl_align align, bool last)
{
    size_t used = rl_utf8_width(text->data, text->len), padding = used < width ? width - used : 0;
    if (align == RL_RIGHT)
        rl_buf_fill(out, ' ', padding);
    rl_buf_add(out, text->data, text->len);
    if (align == RL_LEFT && !last)
        rl_buf_fill(out, ' ', padding);
}

static void terminal_cell(const struct rl_table *table, struct rl_buf *out, const char *text, size_t len, size_t column,
                          size_t width)
{
    struct rl_buf part = RL_BUF_INIT, safe = RL_BUF_INIT, fitted = RL_BUF_INIT;
    rl_buf_add(&part, text, len);
    encode_terminal(&safe, part.data);
    rl_utf8_ellipsis(&fitted, safe.data, safe.len, width);
    add_padded(out, &fitted, width, table->columns[column].align, column + 1 == table->column_count);
    rl_buf_release(&fitted);
    rl_buf_release(&safe);
    rl_buf_release(&part);
}

/* Which part of a head a line shows. */
enum part { WHOLE, UPPER, LOWER };

/* A line of the table without its end. */
static void terminal_row(const struct rl_table *table, struct rl_buf *out, size_t row, enum part part, const struct layout *layout)
{
    size_t start = out->len;
    for (size_t column = 0; column < table->column_count; column++) {
        const char *text = text_at(table, row, column);
        size_t length = strlen(text), end = part == WHOLE ? length : head_break(text);
        size_t begin = part != LOWER ? 0 : end < length ? end + 1 : length;
        if (column)
            rl_buf_fill(out, ' ', layout->gap);
        terminal_cell(table, out, text + begin, part == LOWER ? length - begin : end, column, layout->widths[column]);
    }
    while (out->len > start && out->data[out->len - 1] == ' ') /* empty last cells */
        rl_buf_truncate(out, out->len - 1);
}

static void terminal_head(const struct rl_table *table, struct rl_buf *out, const struct layout *layout, bool bold)
{
    rl_buf_adds(out, bold ? "\033[1m" : "");
    terminal_row(table, out, 0, layout->two_lines ? UPPER : WHOLE, layout);
    size_t upper = out->len;
    if (layout->two_lines) {
        rl_buf_addch(out, '\n');
        terminal_row(table, out, 0, LOWER, layout);
    }
    if (out->len == upper + 1) /* no head has two lines */
        rl_buf_truncate(out, upper);
    rl_buf_adds(out, bold ? "\033[0m\n" : "\n");
}

static void add_rule(struct rl_buf *out, size_t width)
{
    for (size_t i = 0; i < width; i++)
        rl_buf_adds(out, RULE);
    rl_buf_addch(out, '\n');
}

static void print_terminal(const struct rl_table *table, struct rl_buf *out, size_t width, bool bold)
{
    struct layout layout = fit(table, width);
    size_t total = line_width(&layout, table->column_count);
    terminal_head(table, out, &layout, bold);
    add_rule(out, total);
    for (size_t row = 1; row <= table->row_count; row++) {
        if (table->rule_before[row - 1] && row > 1)
            add_rule(out, total);
        terminal_row(table, out, row, WHOLE, &layout);
        rl_buf_addch(out, '\n');
    }
    free(layout.widths);
}

static void markdown_row(const struct rl_table *table, struct rl_buf *out, size_t row, const size_t *widths)
{
    struct rl_buf text = RL_BUF_INIT;
    for (size_t column = 0; column < table->column_count; column++) {
        rl_buf_adds(out, column ? " | " : "| ");
        rl_buf_reset(&text);
        encode_markdown(&text, text_at(table, row, column));
        add_padded(out, &text, widths[column], table->columns[column].align, false);
    }
    rl_buf_adds(out, " |\n");
    rl_buf_release(&text);
}

static void print_markdown(const struct rl_table *table, struct rl_buf *out)
{
    size_t *widths = cell_widths(table, encode_markdown);
    column_widths(table, encode_markdown, widths, false, widths);
    for (size_t column = 0; column < table->column_count; column++)
        widths[column] = widths[column] > 3 ? widths[column] : 3;
    markdown_row(table, out, 0, widths);
    for (size_t column = 0; column < table->column_count; column++) {
        bool left = table->columns[column].align == RL_LEFT;
        rl_buf_adds(out, column ? " | " : "| ");
        rl_buf_addch(out, left ? ':' : '-');
        rl_buf_fill(out, '-', widths[column] - 2);
        rl_buf_addch(out, left ? '-' : ':');
    }
    rl_buf_adds(out, " |\n");
    for (size_t row = 1; row <= table->row_count; row++)
        markdown_row(table, out, row, widths);
    free(widths);
}

static void print_csv(const struct rl_table *table, struct rl_buf *out)
{
    for (size_t row = 0; row <= table->row_count; row++) {
        for (size_t column = 0; column < table->column_count; column++) {
            if (column)
                rl_buf_addch(out, ',');
            encode_csv(out, text_at(table, row, column));
        }
        rl_buf_adds(out, "\r\n");
    }
}

void rl_table_print(const struct rl_table *table, struct rl_buf *out, enum rl_table_format format, size_t width)
{
    if (table->column_count == 0)
        return;
    if (format == RL_TABLE_CSV)
        print_csv(table, out);
    else if (format == RL_TABLE_MARKDOWN)
        print_markdown(table, out);
    else
        print_terminal(table, out, width, format == RL_TABLE_TERMINAL_BOLD);
}
