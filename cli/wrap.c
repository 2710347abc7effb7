/* wrap.c - text in lines of a width. */
#include "terminal.h"

enum { LEAST_WORD = 16 };

/* The lines that text is set in. */
struct measure {
    size_t indent, width;
    bool whole; /* words that fit no line are left as they are */
};

/* Whether a line that has come to `column` is to end before a word of `columns`. */
static bool ends_before(const struct measure *measure, size_t columns, size_t column, bool first)
{
    const size_t least = columns < LEAST_WORD || measure->whole ? columns : LEAST_WORD;
    if (measure->width == 0)
        return false;
    return first ? column > measure->indent && column + least > measure->width : column + 1 + columns > measure->width;
}

/* Appends one word, on a new line when it does not fit any more; one that fits no line is shortened unless it is to stay whole.
 * Returns the column after it. */
static size_t add_word(struct rl_buf *out, const char *word, size_t len, size_t column, bool first, const struct measure *measure)
{
    const size_t columns = rl_utf8_width(word, len), indent = measure->indent, width = measure->width;
    if (ends_before(measure, columns, column, first)) {
        rl_buf_addch(out, '\n');
        rl_buf_fill(out, ' ', indent);
        column = indent;
    } else if (!first) {
        rl_buf_addch(out, ' ');
        column++;
    }
    if (width == 0 || measure->whole || column + columns <= width) {
        rl_buf_add(out, word, len);
        return column + columns;
    }
    size_t room = width > column + LEAST_WORD ? width - column : LEAST_WORD;
    rl_utf8_ellipsis(out, word, len, room);
    return column + (columns < room ? columns : room);
}

static void wrap(struct rl_buf *out, const char *text, size_t column, struct measure measure)
{
    bool first = true;
    if (measure.width > 0 && measure.indent + LEAST_WORD > measure.width) /* text goes before order */
        measure.indent = measure.width > LEAST_WORD ? measure.width - LEAST_WORD : 0;
    assert(measure.width == 0 || measure.indent < measure.width);
    while (*text) {
        size_t len = strcspn(text, " \n");
        if (len > 0) {
            column = add_word(out, text, len, column, first, &measure);
            first = false;
        }
        text += len;
        if (*text == '\n') {
            rl_buf_addch(out, '\n');
            rl_buf_fill(out, ' ', text[1] && text[1] != '\n' ? measure.indent : 0);
            column = measure.indent;
            first = true;
        }
        text += *text != 0;
    }
}

void cli_wrap(struct rl_buf *out, const char *text, size_t column, size_t indent, size_t width)
{
    wrap(out, text, column, (struct measure){.indent = indent, .width = width});
}

void cli_wrap_whole(struct rl_buf *out, const char *text, size_t column, size_t indent, size_t width)
{
    wrap(out, text, column, (struct measure){.indent = indent, .width = width, .whole = true});
}
