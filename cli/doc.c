#include "doc.h"

#include "terminal.h"

/* Printable; in Markdown markup is escaped. */
static void add_text(const struct cli_doc *doc, const char *text, struct rl_buf *out)
{
    (doc->style == CLI_DOC_MARKDOWN ? rl_markdown_escape : rl_utf8_printable)(out, text, strlen(text));
}

static void add_head(struct cli_doc *doc, const char *mark, const char *text)
{
    RL_SCRATCH safe = RL_BUF_INIT;
    add_text(doc, text, &safe);
    if (doc->style == CLI_DOC_MARKDOWN) {
        rl_buf_addf(doc->out, "%s%s\n\n", mark, safe.data);
    } else {
        rl_buf_adds(doc->out, doc->bold ? "\033[1m" : "");
        cli_wrap(doc->out, safe.data, 0, 0, doc->width);
        rl_buf_adds(doc->out, doc->bold ? "\033[0m\n" : "\n");
    }
}

void cli_doc_title(struct cli_doc *doc, const char *text)
{
    add_head(doc, "# ", text);
}

void cli_doc_heading(struct cli_doc *doc, const char *text)
{
    assert(doc->heading_end <= doc->out->len);
    doc->heading_end = 0;
    cli_doc_gap(doc);
    add_head(doc, "## ", text);
    doc->heading_end = doc->out->len;
}

enum { INDENT = 2 };

void cli_doc_item(struct cli_doc *doc, const char *label, size_t label_width, const char *text)
{
    RL_SCRATCH safe_label = RL_BUF_INIT, safe_text = RL_BUF_INIT;
    add_text(doc, label, &safe_label);
    add_text(doc, text, &safe_text);
    if (doc->style == CLI_DOC_MARKDOWN) {
        rl_buf_adds(doc->out, "- ");
        if (*safe_label.data)
            rl_buf_addf(doc->out, "**%s**%s", safe_label.data, *safe_text.data ? ": " : "");
        rl_buf_adds(doc->out, safe_text.data);
    } else {
        enum { SEPARATION = 2, LEAST_TEXT = 20 };
        const size_t columns = rl_utf8_width(safe_label.data, strlen(safe_label.data)),
                     used = columns < label_width ? label_width : columns;
        /* A label that is wider than the terminal is shortened. */
        const size_t room = doc->width > INDENT ? doc->width - INDENT : columns;
        rl_buf_fill(doc->out, ' ', INDENT);
        rl_utf8_ellipsis(doc->out, safe_label.data, strlen(safe_label.data), columns < room ? columns : room);
        if (*safe_text.data && doc->width && used && INDENT + used + SEPARATION + LEAST_TEXT > doc->width) {
            rl_buf_adds(doc->out, columns ? "\n  " : ""); /* no room next to the label: the text stands below it */
            rl_buf_fill(doc->out, ' ', INDENT);
            cli_wrap(doc->out, safe_text.data, 2 * (size_t)INDENT, 2 * (size_t)INDENT, doc->width);
        } else if (*safe_text.data) {
            rl_buf_fill(doc->out, ' ', used - columns + (used ? SEPARATION : 0));
            size_t hanging = INDENT + label_width + (label_width ? SEPARATION : 0);
            cli_wrap(doc->out, safe_text.data, INDENT + used + (used ? SEPARATION : 0), hanging, doc->width);
        }
    }
    rl_buf_addch(doc->out, '\n');
}

void cli_doc_lead(struct cli_doc *doc, const char *strong, const char *text)
{
    RL_SCRATCH safe_strong = RL_BUF_INIT, safe_text = RL_BUF_INIT;
    if (doc->style == CLI_DOC_TERMINAL) {
        cli_doc_item(doc, strong, 0, text);
        return;
    }
    add_text(doc, strong, &safe_strong);
    add_text(doc, text, &safe_text);
    rl_buf_addf(doc->out, "**%s** %s\n\n", safe_strong.data, safe_text.data);
}

/* Backticks that follow one another in a line, at most. */
static size_t longest_ticks(const char *line)
{
    size_t longest = 0;
    for (const char *at = line; *at; at += *at != 0) {
        const size_t ticks = strspn(at, "`");
        longest = ticks > longest ? ticks : longest;
        at += ticks;
    }
    return longest;
}

static void add_fence(struct cli_doc *doc, size_t ticks)
{
    if (doc->style == CLI_DOC_TERMINAL)
        return;
    rl_buf_fill(doc->out, '`', ticks);
    rl_buf_addch(doc->out, '\n');
}

void cli_doc_code(struct cli_doc *doc, const char *const *lines, size_t count)
{
    size_t fence = 3;
    for (size_t i = 0; i < count; i++)
        fence = longest_ticks(lines[i]) >= fence ? longest_ticks(lines[i]) + 1 : fence;
    cli_doc_gap(doc);
    add_fence(doc, fence);
    for (size_t i = 0; i < count; i++) {
        rl_buf_fill(doc->out, ' ', doc->style == CLI_DOC_TERMINAL ? 2 * (size_t)INDENT : 0);
        rl_utf8_printable(doc->out, lines[i], strlen(lines[i]));
        rl_buf_addch(doc->out, '\n');
    }
    add_fence(doc, fence);
}

void cli_doc_fold(struct cli_doc *doc, const char *title)
{
    assert(!strpbrk(title, "<&")); /* HTML, in which the escapes of Markdown mean nothing */
    if (doc->style == CLI_DOC_TERMINAL) {
        cli_doc_heading(doc, title);
        return;
    }
    cli_doc_gap(doc);
    rl_buf_addf(doc->out, "<details><summary>%s</summary>\n\n", title);
}

void cli_doc_unfold(struct cli_doc *doc)
{
    if (doc->style == CLI_DOC_TERMINAL)
        return;
    cli_doc_gap(doc);
    rl_buf_adds(doc->out, "</details>\n");
}

void cli_doc_note(struct cli_doc *doc, const char *text)
{
    if (doc->style == CLI_DOC_MARKDOWN)
        cli_doc_item(doc, "", 0, text);
    else
        cli_doc_item(doc, RL_EN_DASH, 1, text);
}

void cli_doc_table(struct cli_doc *doc, const struct rl_table *table)
{
    if (doc->style == CLI_DOC_MARKDOWN) {
        rl_table_print(table, doc->out, RL_TABLE_MARKDOWN, 0);
        cli_doc_gap(doc);
        return;
    }
    rl_table_print(table, doc->out, doc->bold ? RL_TABLE_TERMINAL_BOLD : RL_TABLE_TERMINAL, doc->width);
}

void cli_doc_gap(struct cli_doc *doc)
{
    assert(doc->heading_end <= doc->out->len);
    const struct rl_buf *out = doc->out;
    if (out->len != doc->heading_end && out->len >= 2 && out->data[out->len - 1] == '\n' && out->data[out->len - 2] != '\n')
        rl_buf_addch(doc->out, '\n');
}
