/* page_notes.c - the reviewer's own text, behind the first page, line for line.
 *
 * The text is hostile like any other: it is only ever laid out. */

#include "compare_doc.h"
#include "page.h"

#define GAP 5.0 /* in place of a blank line */

static void draw(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_report_options *options = doc->options;
    struct rl_layout *layout = doc->layout;
    const char *text = options->notes, *end = text + options->notes_len;
    rl_layout_textf(layout, RL_STYLE_QUIET, "Text by the author of this report%s%s; nothing in it was measured or checked.",
                    options->author ? ": " : "", options->author ? rl_words_short(doc, options->author, 80) : "");
    rl_layout_skip(layout, 8);
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        size_t len = (size_t)((stop ? stop : end) - text);
        if (len > 0 && text[len - 1] == '\r')
            len--;
        char *line = rl_arena_strndup(doc->arena, text, len);
        for (size_t i = 0; i < len; i++)
            line[i] = line[i] ? line[i] : ' ';
        if (len > 0)
            rl_layout_text(layout, RL_STYLE_BODY, line);
        else
            rl_layout_skip(layout, GAP);
        text = stop ? stop + 1 : end;
    }
}

const struct rl_page rl_compare_page_notes = {.draw = draw};
static size_t how_many(const struct rl_document *doc)
{
    return doc->options->notes != NULL;
}

const struct rl_page rl_page_notes = {.count = how_many, .draw = draw};
