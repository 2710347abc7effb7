/* wrap.c - text in lines of a width. */
#include <assert.h>
#include <string.h>

#include "core/utf8.h"
#include "terminal.h"

enum { LEAST_WORD = 16 };

/* Appends one word, on a new line when it does not fit any more; one that fits no line is shortened. Returns the column after it.
 */
static size_t add_word(struct rl_buf *out, const char *word, size_t len, size_t column, size_t indent, size_t width, bool first)
{
    size_t columns = rl_utf8_width(word, len);
    const size_t least = columns < LEAST_WORD ? columns : LEAST_WORD;
    if (width > 0 && (first ? column > indent && column + least > width : column + 1 + columns > width)) {
        rl_buf_addch(out, '\n');
        rl_buf_fill(out, ' ', indent);
        column = indent;
    } else if (!first) {
        rl_buf_addch(out, ' ');
        column++;
    }
    if (width == 0 || column + columns <= width) {
        rl_buf_add(out, word, len);
        return column + columns;
    }
    size_t room = width > column + LEAST_WORD ? width - column : LEAST_WORD;
    rl_utf8_ellipsis(out, word, len, room);
    return column + (columns < room ? columns : room);
}

void cli_wrap(struct rl_buf *out, const char *text, size_t column, size_t indent, size_t width)
{
    bool first = true;
    if (width > 0 && indent + LEAST_WORD > width) /* text goes before order */
        indent = width > LEAST_WORD ? width - LEAST_WORD : 0;
    assert(width == 0 || indent < width);
    while (*text) {
        size_t len = strcspn(text, " \n");
        if (len > 0) {
            column = add_word(out, text, len, column, indent, width, first);
            first = false;
        }
        text += len;
        if (*text == '\n') {
            rl_buf_addch(out, '\n');
            rl_buf_fill(out, ' ', text[1] && text[1] != '\n' ? indent : 0);
            column = indent;
            first = true;
        }
        text += *text != 0;
    }
}
