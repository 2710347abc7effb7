/* brief_text.c - texts of a capture, as short as a brief has them. */
#include "show_parts.h"

const char *view_brief_text(const struct view *view, const char *text)
{
    struct rl_buf safe = RL_BUF_IN(view->arena), buf = RL_BUF_IN(view->arena);
    if (!text)
        return NULL;
    rl_utf8_printable(&safe, text, strlen(text));
    rl_utf8_ellipsis(&buf, safe.len ? safe.data : "", safe.len, VIEW_BRIEF_TEXT);
    /* Bytes of a text that stay: up to a clause, so that no command and no number is cut; without one up to a word, or none. */
    size_t clause = 0, word = 0;
    for (size_t i = 1; i < safe.len && i < VIEW_BRIEF_TEXT; i++)
        if (safe.data[i] == ' ') {
            word = i;
            clause = strchr(".;:,", safe.data[i - 1]) ? i : clause;
        }
    const size_t end = clause >= VIEW_BRIEF_TEXT / 3 ? clause : word;
    if ((buf.len != safe.len || memcmp(buf.data, safe.data, buf.len) != 0) && end) { /* one long word is a name, and stays */
        rl_buf_reset(&buf);
        rl_buf_addf(&buf, "%.*s \xE2\x80\xA6", (int)end, safe.data);
    }
    return rl_arena_strdup(view->arena, buf.len ? buf.data : "");
}
