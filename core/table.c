#include "core/table.h"

#include <ctype.h>
#include <strings.h>

#include "core/core.h"
#include "table_parts.h"

/* ---- text of unknown origin ---- */

#define WORD_JOINER "&#8288;" /* as an entity, so that whoever reads the source sees it */

/* Text that GitHub and others turn into a link, a mention or a reference, in spite of backslashes: they look at the text that
 * Markdown has made. A character without width behind `sign` keeps them from it when `before` follows. */
static const struct {
    const char *sign, *before;
} links[] = {
    {"@", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"}, /* mentions, mail addresses */
    {":", "/"},                                                                /* addresses of every scheme */
    {"mailto:", NULL},
    {"xmpp:", NULL},
    {"www", "."},
    {"#", "0123456789"},   /* issues */
    {"gh-", "0123456789"}, /* the same */
};

/* Length of a sign at `at`; 0: none. */
static size_t link_at(const char *at)
{
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        const size_t len = strlen(links[i].sign);
        if (strncasecmp(at, links[i].sign, len) == 0 && (!links[i].before || (at[len] && strchr(links[i].before, at[len]))))
            return len;
    }
    return 0;
}

/* An underscore between letters or digits means nothing in GitHub's Markdown, so names stay readable in the source. */
static bool harmless_underscore(const char *text, size_t at)
{
    size_t before = at, after = at;
    while (before > 0 && text[before - 1] == '_')
        before--;
    while (text[after] == '_')
        after++;
    return before > 0 && isalnum((unsigned char)text[before - 1]) && isalnum((unsigned char)text[after]);
}

/* The sign of a heading, a list or a rule where a line begins. */
static bool begins_block(const char *text, size_t at)
{
    const size_t digits = strspn(text, "0123456789");
    const char next = text[at + 1];
    if (at == 0 && strchr("#+-", text[0]))
        return next == 0 || next == ' ' || next == text[0];
    return at == digits && at > 0 && strchr(".)", text[at]) && (next == 0 || next == ' ');
}

static bool is_markup(const char *text, size_t at)
{
    if (text[at] == '_')
        return !harmless_underscore(text, at);
    return strchr("\\`*[]<>|~&$", text[at]) || begins_block(text, at);
}

void rl_markdown_escape(struct rl_buf *out, const char *text, size_t len)
{
    RL_SCRATCH plain = RL_BUF_INIT;
    rl_utf8_printable(&plain, text, len);
    for (size_t i = 0; i < plain.len; i++) {
        size_t sign = link_at(plain.data + i);
        if (is_markup(plain.data, i))
            rl_buf_addch(out, '\\');
        rl_buf_add(out, plain.data + i, sign ? sign : 1);
        if (sign) {
            rl_buf_adds(out, WORD_JOINER);
            i += sign - 1;
        }
    }
}

void rl_table_init(struct rl_table *table)
{
    memset(table, 0, sizeof *table);
}

void rl_table_release(struct rl_table *table)
{
    for (size_t i = 0; i < table->column_count; i++)
        free(table->columns[i].head);
    rl_arena_release(&table->texts);
    RL_FREE(table->columns, table->cells, table->rule_before);
    rl_table_init(table);
}

void rl_table_column(struct rl_table *table, const char *head, enum rl_align align)
{
    assert(table->row_count == 0);
    RL_APPEND(table->columns, table->column_count, table->column_cap, (struct rl_table_column_){rl_strdup(head), align, false});
}

void rl_table_wrap(struct rl_table *table)
{
    table->columns[table->column_count - 1].wraps = true;
}

static void add_cell(struct rl_table *table, const char *text, size_t len)
{
    assert(table->cell_count < table->row_count * table->column_count);
    RL_APPEND(table->cells, table->cell_count, table->cell_cap, rl_arena_strndup(&table->texts, text, len));
}

static void add_made(struct rl_table *table, struct rl_buf *cell)
{
    add_cell(table, cell->data, cell->len);
    rl_buf_release(cell);
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
        add_cell(table, "", 0);
    reserve_rule(table);
    table->row_count++;
}

void rl_table_rule(struct rl_table *table)
{
    reserve_rule(table);
    table->rule_before[table->row_count] = true;
}

/* Cells are terminated strings, so a byte of value 0 becomes the replacement character here. */
void rl_table_cell_bytes(struct rl_table *table, const char *text, size_t len)
{
    struct rl_buf cell = RL_BUF_INIT;
    const char *zero = len ? memchr(text, '\0', len) : NULL;
    if (!zero) {
        add_cell(table, text, len);
        return;
    }
    for (; zero; zero = len ? memchr(text, '\0', len) : NULL) {
        rl_buf_add(&cell, text, (size_t)(zero - text));
        rl_utf8_encode(&cell, RL_UTF8_REPLACEMENT);
        len -= (size_t)(zero + 1 - text);
        text = zero + 1;
    }
    rl_buf_add(&cell, text, len);
    add_made(table, &cell);
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

/* Text that a spreadsheet would take for a formula, wide forms of the signs included. Numbers are none. */
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

static void markdown_row(const struct rl_table *table, struct rl_buf *out, size_t row, const size_t *widths)
{
    RL_SCRATCH text = RL_BUF_INIT;
    for (size_t column = 0; column < table->column_count; column++) {
        rl_buf_adds(out, column ? " | " : "| ");
        rl_buf_reset(&text);
        encode_markdown(&text, rl_table_text(table, row, column));
        rl_table_add_padded(out, &text, widths[column], table->columns[column].align, false);
    }
    rl_buf_adds(out, " |\n");
}

/* Row 0 is the head. */
static void print_csv(const struct rl_table *table, struct rl_buf *out, size_t first)
{
    for (size_t row = first; row <= table->row_count; row++) {
        for (size_t column = 0; column < table->column_count; column++) {
            if (column)
                rl_buf_addch(out, ',');
            /* Line breaks and tabs are data in CSV; other control characters could still steer the terminal that shows it. */
            const char *text = rl_table_text(table, row, column);
            const size_t len = strlen(text);
            /* Separators, quotes and line breaks (RFC 4180), and blanks that a reader would take away. */
            const bool quoted = text[strcspn(text, "\",;\t\r\n")] || (len && (text[0] == ' ' || text[len - 1] == ' '));
            uint32_t codepoint;
            if (quoted)
                rl_buf_addch(out, '"');
            if (is_formula(text, len))
                rl_buf_addch(out, '\'');
            for (size_t at = 0, used; at < len; at += used) {
                used = rl_utf8_decode(text + at, len - at, &codepoint);
                if (codepoint == '"')
                    rl_buf_addch(out, '"');
                bool kept =
                    codepoint == '\r' || codepoint == '\n' || codepoint == '\t' || !rl_utf8_is_hidden(text, len, at, codepoint);
                rl_utf8_encode(out, kept ? codepoint : RL_UTF8_REPLACEMENT);
            }
            if (quoted)
                rl_buf_addch(out, '"');
        }
        rl_buf_adds(out, "\r\n");
    }
}

void rl_table_print(const struct rl_table *table, struct rl_buf *out, enum rl_table_format format, size_t width)
{
    if (table->column_count == 0)
        return;
    if (format == RL_TABLE_CSV || format == RL_TABLE_CSV_ROWS)
        print_csv(table, out, format == RL_TABLE_CSV_ROWS);
    else if (format == RL_TABLE_MARKDOWN) {
        size_t *widths = rl_table_cell_widths(table, encode_markdown);
        rl_table_column_widths(table, encode_markdown, widths, false, widths);
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
    } else
        rl_table_print_terminal(table, out, width, format == RL_TABLE_TERMINAL_BOLD);
}
