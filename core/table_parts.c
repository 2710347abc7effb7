#include "table_parts.h"

#include <assert.h>
#include <string.h>

#include "core/mem.h"
#include "core/utf8.h"

/* Row 0 is the head. */
const char *rl_table_text(const struct rl_table *table, size_t row, size_t column)
{
    assert(row <= table->row_count && column < table->column_count);
    if (row == 0)
        return table->columns[column].head;
    size_t index = (row - 1) * table->column_count + column;
    return index < table->cell_count ? table->cells[index] : "";
}

void rl_table_encode_terminal(struct rl_buf *out, const char *text)
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
size_t rl_table_head_break(const char *head)
{
    const char *blank = strrchr(head, ' ');
    return blank ? (size_t)(blank - head) : strlen(head);
}

static size_t head_width(rl_table_encode encode, const char *head, bool two_lines)
{
    size_t upper = two_lines ? rl_table_head_break(head) : strlen(head), length = strlen(head);
    size_t above = encoded_width(encode, head, upper);
    size_t below = upper < length ? encoded_width(encode, head + upper + 1, length - upper - 1) : 0;
    return above > below ? above : below;
}

/* A terminal shows printable ASCII as it is. `room` is memory to work in. */
static size_t cell_width(rl_table_encode encode, const char *text, struct rl_buf *room)
{
    const size_t len = strlen(text);
    if (encode == rl_table_encode_terminal && rl_utf8_plain(text, len) == len)
        return len;
    rl_buf_reset(room);
    encode(room, text);
    return rl_utf8_width(room->data, room->len);
}

/* Widest text of each column below its head after `encode`. Free with free(). */
size_t *rl_table_cell_widths(const struct rl_table *table, rl_table_encode encode)
{
    size_t *widths = rl_calloc(table->column_count, sizeof *widths);
    struct rl_buf text = RL_BUF_INIT;
    for (size_t row = 1; row <= table->row_count; row++)
        for (size_t column = 0; column < table->column_count; column++) {
            const size_t width = cell_width(encode, rl_table_text(table, row, column), &text);
            widths[column] = width > widths[column] ? width : widths[column];
        }
    rl_buf_release(&text);
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

void rl_table_add_cell(struct rl_buf *out, const char *text, size_t len, size_t used, size_t width, enum rl_align align, bool last)
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
    rl_table_add_cell(out, text->data, text->len, rl_utf8_width(text->data, text->len), width, align, last);
}
