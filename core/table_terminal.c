/* table_terminal.c - tables that fit a terminal. */
#include "core/core.h"
#include "core/intern.h"
#include "table_parts.h"

/* Row 0 is the head. */
const char *rl_table_text(const struct rl_table *table, size_t row, size_t column)
{
    assert(row <= table->row_count && column < table->column_count);
    if (row == 0)
        return table->columns[column].head;
    size_t index = (row - 1) * table->column_count + column;
    return index < table->cell_count ? table->cells[index] : "";
}

/* For terminals: printable. */
static void table_encode_terminal(struct rl_buf *out, const char *text)
{
    rl_utf8_printable(out, text, strlen(text));
}

/* Columns that a text takes after `encode`. */
static size_t encoded_width(rl_table_encode encode, const char *text, size_t len)
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
static size_t table_head_break(const char *head)
{
    const char *blank = strrchr(head, ' ');
    return blank ? (size_t)(blank - head) : strlen(head);
}

static size_t head_width(rl_table_encode encode, const char *head, bool two_lines)
{
    size_t upper = two_lines ? table_head_break(head) : strlen(head), length = strlen(head);
    size_t above = encoded_width(encode, head, upper);
    size_t below = upper < length ? encoded_width(encode, head + upper + 1, length - upper - 1) : 0;
    return above > below ? above : below;
}

/* A terminal shows printable ASCII as it is. `room` is memory to work in. */
static size_t cell_width(rl_table_encode encode, const char *text, struct rl_buf *room)
{
    const size_t len = strlen(text);
    if (encode == table_encode_terminal && rl_utf8_plain(text, len) == len)
        return len;
    rl_buf_reset(room);
    encode(room, text);
    return rl_utf8_width(room->data, room->len);
}

/* Widest text of each column below its head after `encode`. Free with free(). */
size_t *rl_table_cell_widths(const struct rl_table *table, rl_table_encode encode)
{
    size_t *widths = rl_calloc(table->column_count, sizeof *widths);
    RL_SCRATCH text = RL_BUF_INIT;
    for (size_t row = 1; row <= table->row_count; row++)
        for (size_t column = 0; column < table->column_count; column++) {
            const size_t width = cell_width(encode, rl_table_text(table, row, column), &text);
            widths[column] = width > widths[column] ? width : widths[column];
        }
    return widths;
}

/* Widest text of each column, which has `cells`, with its head. */
void rl_table_column_widths(const struct rl_table *table, rl_table_encode encode, const size_t *cells, bool two_lines,
                            size_t *widths)
{
    for (size_t column = 0; column < table->column_count; column++) {
        size_t head = head_width(encode, table->columns[column].head, two_lines);
        widths[column] = head > cells[column] ? head : cells[column];
    }
}

/* One cell of `len` bytes that takes `used` columns, padded to `width` columns on the side that its alignment asks for; the last
 * one of a line not behind it. */
static void table_add_cell(struct rl_buf *out, const char *text, size_t len, size_t used, size_t width, enum rl_align align,
                           bool last)
{
    const size_t padding = used < width ? width - used : 0;
    if (align == RL_RIGHT)
        rl_buf_fill(out, ' ', padding);
    rl_buf_add(out, text, len);
    if (align == RL_LEFT && !last)
        rl_buf_fill(out, ' ', padding);
}

void rl_table_add_padded(struct rl_buf *out, const struct rl_buf *text, size_t width, enum rl_align align, bool last)
{
    table_add_cell(out, text->data, text->len, rl_utf8_width(text->data, text->len), width, align, last);
}

#define RULE "\xE2\x94\x80" /* U+2500 */

/* Columns between columns; what a LEFT column may be shortened to at first, and at last. */
enum { GAP = 2, NARROW_GAP = 1, MODEST_WIDTH = 20, LEAST_WIDTH = 8, LEAST_KEY = 3 };

/* How a table is laid out on a terminal: the first column, and then those from `from` up to `to`. */
struct layout {
    size_t *widths; /* one a column */
    size_t gap;
    size_t key; /* the first column, which says what a row is about, is not shortened below it */
    size_t from, to;
    size_t *done;   /* bytes of the row's cells that are on its lines so far, of columns that are broken into lines */
    bool two_lines; /* of heads */
    bool split;     /* not all columns have room side by side */
};

static size_t line_width(const struct layout *layout)
{
    size_t total = layout->widths[0];
    for (size_t i = layout->from; i < layout->to; i++)
        total += layout->gap + layout->widths[i];
    return total;
}

/* The different texts of the first column as a terminal shows them, each once. */
struct keys {
    struct rl_intern texts;
    struct rl_arena arena;
};

static void keys_of(const struct rl_table *table, struct keys *keys)
{
    RL_SCRATCH text = RL_BUF_INIT;
    bool is_new;
    for (size_t row = 1; row <= table->row_count; row++) {
        const char *cell = rl_table_text(table, row, 0);
        const size_t len = strlen(cell);
        if (rl_utf8_plain(cell, len) < len) {
            rl_buf_reset(&text);
            table_encode_terminal(&text, cell);
            cell = rl_arena_strndup(&keys->arena, text.data, text.len);
        }
        (void)rl_intern(&keys->texts, 0, cell, &is_new);
    }
}

/* The smallest width, from LEAST_WIDTH on, at which rows of different names look different; more columns never make less of it. */
static size_t key_width(const struct rl_table *table, size_t widest)
{
    struct keys keys = {.arena = RL_ARENA_INIT};
    size_t low = LEAST_WIDTH, high = widest > LEAST_WIDTH ? widest : LEAST_WIDTH;
    if (table->columns[0].align != RL_LEFT)
        return widest;
    keys_of(table, &keys);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        /* Whether they still differ when they are shortened to `width`. */
        struct rl_intern shown = {0};
        struct rl_arena arena = RL_ARENA_INIT;
        struct rl_buf fitted = RL_BUF_INIT;
        bool apart = true;
        for (size_t i = 0; apart && i < keys.texts.count; i++) {
            const char *text = keys.texts.entries[i].text;
            rl_buf_reset(&fitted);
            rl_utf8_ellipsis(&fitted, text, strlen(text), middle);
            (void)rl_intern(&shown, 0, rl_arena_strndup(&arena, fitted.data, fitted.len), &apart);
        }
        rl_buf_release(&fitted);
        rl_intern_release(&shown);
        rl_arena_release(&arena);
        if (apart)
            high = middle;
        else
            low = middle + 1;
    }
    rl_intern_release(&keys.texts);
    rl_arena_release(&keys.arena);
    return low;
}

/* The widest LEFT column that may still be shortened, NULL when there is none. */
static size_t *widest_left(const struct rl_table *table, const struct layout *layout, size_t least)
{
    size_t *widest = NULL;
    for (size_t i = 0; i < table->column_count; i++) {
        const size_t lowest = i == 0 && layout->key > least ? layout->key : least;
        if (table->columns[i].align == RL_LEFT && layout->widths[i] > lowest && (!widest || layout->widths[i] > *widest))
            widest = &layout->widths[i];
    }
    return widest;
}

/* True when the table fits afterwards. */
static bool shorten_left(const struct rl_table *table, struct layout *layout, size_t width, size_t least)
{
    size_t total = line_width(layout);
    size_t *column;
    for (; total > width && (column = widest_left(table, layout, least)); total--)
        --*column;
    return total <= width;
}

/* The steps that rl_table_print names. `width` 0: no limit. */
static void fit_to(const struct rl_table *table, size_t width, const size_t *cells, struct layout *layout)
{
    layout->gap = GAP;
    rl_table_column_widths(table, table_encode_terminal, cells, false, layout->widths);
    if (!width || line_width(layout) <= width)
        return;
    layout->two_lines = true;
    rl_table_column_widths(table, table_encode_terminal, cells, true, layout->widths);
    if (line_width(layout) <= width)
        return;
    layout->key = key_width(table, cells[0]); /* which takes a look at every row */
    if (shorten_left(table, layout, width, MODEST_WIDTH))
        return;
    layout->gap = NARROW_GAP;
    rl_table_column_widths(table, table_encode_terminal, cells, true, layout->widths);
    if (!shorten_left(table, layout, width, LEAST_WIDTH)) {
        rl_table_column_widths(table, table_encode_terminal, cells, true, layout->widths);
        /* Widths of columns that do not all fit side by side. */
        const size_t most = width > LEAST_KEY ? width : LEAST_KEY;
        layout->split = true;
        for (size_t i = 0; i < table->column_count; i++)
            if (table->columns[i].align == RL_LEFT && layout->widths[i] > MODEST_WIDTH)
                layout->widths[i] = i == 0 && layout->key > MODEST_WIDTH ? layout->key : MODEST_WIDTH;
        layout->widths[0] = layout->widths[0] < most ? layout->widths[0] : most;
    }
}

/* Bytes of a number before the words behind it: up to the first blank. */
static size_t number_length(const char *text, enum rl_align align)
{
    return align == RL_RIGHT ? strcspn(text, " ") : 0;
}

static void terminal_cell(const struct rl_table *table, struct rl_buf *out, const char *text, size_t len, size_t column,
                          size_t width)
{
    struct rl_buf part = RL_BUF_INIT, safe = RL_BUF_INIT, fitted = RL_BUF_INIT;
    const bool last = column + 1 == table->column_count;
    if (len <= width && rl_utf8_plain(text, len) == len) {
        table_add_cell(out, text, len, len, width, table->columns[column].align, last);
        return;
    }
    rl_buf_add(&part, text, len);
    table_encode_terminal(&safe, part.data);
    /* A text in `width` columns: shortened in the middle, or, where a number leads, in the words behind it. */
    const size_t number = number_length(safe.data, table->columns[column].align), used = rl_utf8_width(safe.data, number);
    if (number < safe.len && used < width) {
        rl_buf_add(&fitted, safe.data, number);
        rl_utf8_ellipsis(&fitted, safe.data + number, safe.len - number, width - used);
    } else {
        rl_utf8_ellipsis(&fitted, safe.data, safe.len, width);
    }
    rl_table_add_padded(out, &fitted, width, table->columns[column].align, last);
    rl_buf_release(&fitted);
    rl_buf_release(&safe);
    rl_buf_release(&part);
}

/* Appends a line of a cell that is broken into lines: up to the last blank that has room, or where there is none as much as has
 * room. Returns how many bytes of the text are done then; SIZE_MAX: all. */
static size_t add_wrapped(const struct rl_table *table, struct rl_buf *out, const char *text, size_t done, size_t column,
                          size_t width)
{
    RL_SCRATCH safe = RL_BUF_INIT, line = RL_BUF_INIT;
    const bool last = column + 1 == table->column_count;
    table_encode_terminal(&safe, text);
    done = done < safe.len ? done : safe.len;
    const char *rest = safe.data + done;
    const size_t len = safe.len - done, indent = strspn(rest, " ");
    size_t fits = rl_utf8_head(rest, len, width), blank = fits;
    while (blank > indent && rest[blank] != ' ')
        blank--;
    fits = fits < len && blank > indent ? blank : fits;
    rl_buf_add(&line, rest, fits);
    rl_table_add_padded(out, &line, width, RL_LEFT, last);
    return fits < len ? done + fits + strspn(rest + fits, " ") : SIZE_MAX;
}

/* Which part of a head a line shows. */
enum part { WHOLE, UPPER, LOWER, REST };

/* A line of the table without its end. */
static void terminal_row(const struct rl_table *table, struct rl_buf *out, size_t row, enum part part, const struct layout *layout)
{
    size_t start = out->len;
    for (size_t column = 0; column == 0 || column < layout->to; column = column ? column + 1 : layout->from) {
        const bool wraps = table->columns[column].wraps && row > 0;
        const char *text = part == REST && !wraps ? "" : rl_table_text(table, row, column);
        size_t length = strlen(text), end = part == UPPER || part == LOWER ? table_head_break(text) : length;
        size_t begin = part != LOWER ? 0 : end < length ? end + 1 : length;
        if (column)
            rl_buf_fill(out, ' ', layout->gap);
        if (wraps) {
            layout->done[column] = add_wrapped(table, out, text, layout->done[column], column, layout->widths[column]);
            continue;
        }
        terminal_cell(table, out, text + begin, part == LOWER ? length - begin : end, column, layout->widths[column]);
    }
    while (out->len > start && out->data[out->len - 1] == ' ') /* empty last cells */
        rl_buf_truncate(out, out->len - 1);
}

static void add_rule(struct rl_buf *out, size_t width)
{
    for (size_t i = 0; i < width; i++)
        rl_buf_adds(out, RULE);
    rl_buf_addch(out, '\n');
}

/* Whether a cell needs another line. */
static bool has_rest(const struct rl_table *table, const struct layout *layout)
{
    bool has = table->columns[0].wraps && layout->done[0] < SIZE_MAX;
    for (size_t i = layout->from; i < layout->to; i++)
        has |= table->columns[i].wraps && layout->done[i] < SIZE_MAX;
    return has;
}

static void print_part(const struct rl_table *table, struct rl_buf *out, const struct layout *layout, bool bold)
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
    add_rule(out, line_width(layout));
    for (size_t row = 1; row <= table->row_count; row++) {
        if (table->rule_before[row - 1] && row > 1)
            add_rule(out, line_width(layout));
        memset(layout->done, 0, table->column_count * sizeof *layout->done);
        terminal_row(table, out, row, WHOLE, layout);
        rl_buf_addch(out, '\n');
        while (has_rest(table, layout)) {
            terminal_row(table, out, row, REST, layout);
            rl_buf_addch(out, '\n');
        }
    }
}

/* The minimum of a RIGHT column: its numbers, and for words behind them a sign that there are some. */
static size_t width_of_numbers(const struct rl_table *table, size_t column)
{
    enum { SIGN = 3 };
    size_t widest = LEAST_WIDTH;
    for (size_t row = 1; row <= table->row_count; row++) {
        const char *text = rl_table_text(table, row, column);
        const size_t number = number_length(text, RL_RIGHT), width = rl_utf8_width(text, number) + (text[number] ? SIGN : 0);
        widest = width > widest ? width : widest;
    }
    return widest;
}

void rl_table_print_terminal(const struct rl_table *table, struct rl_buf *out, size_t width, bool bold)
{
    /* The layout for that width; layout.widths: free with free(). */
    struct layout layout = {.widths = rl_calloc(table->column_count, sizeof *layout.widths),
                            .from = 1,
                            .to = table->column_count,
                            .done = rl_calloc(table->column_count, sizeof *layout.done)};
    size_t *cells = rl_table_cell_widths(table, table_encode_terminal);
    fit_to(table, width, cells, &layout);
    free(cells);
    const size_t first = layout.widths[0];
    if (!layout.split || table->column_count == 1)
        print_part(table, out, &layout, bold);
    for (layout.from = 1; layout.split && layout.from < table->column_count; layout.from = layout.to) {
        layout.widths[0] = first;
        /* As many columns as have room, at least one; for one that has none the first column gives way, and words behind numbers
         * do. */
        layout.to = layout.from + 1;
        while (layout.to < table->column_count && line_width(&layout) + layout.gap + layout.widths[layout.to] <= width)
            layout.to++;
        size_t *only = &layout.widths[layout.from], over = line_width(&layout);
        const size_t least = table->columns[layout.from].align == RL_LEFT ? LEAST_WIDTH : width_of_numbers(table, layout.from);
        for (; over > width && *only > least; over--)
            --*only;
        for (; over > width && layout.widths[0] > LEAST_KEY; over--)
            layout.widths[0]--;
        rl_buf_adds(out, layout.from > 1 ? "\n" : "");
        print_part(table, out, &layout, bold);
    }
    RL_FREE(layout.widths, layout.done);
}
