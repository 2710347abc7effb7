#include "core/table.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "core/utf8.h"

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
    struct rl_buf plain = RL_BUF_INIT;
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
    rl_buf_release(&plain);
}
