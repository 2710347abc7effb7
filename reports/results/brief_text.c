/* brief_text.c - texts of a capture, as short as a brief has them. */
#include "brief_parts.h"
#include "core/utf8.h"

const char *view_brief_text(const struct view *view, const char *text)
{
    struct rl_buf buf = RL_BUF_INIT;
    if (!text)
        return NULL;
    rl_utf8_abbreviate(&buf, text, VIEW_BRIEF_TEXT);
    const char *kept = rl_arena_strdup(view->arena, buf.data);
    rl_buf_release(&buf);
    return kept;
}
