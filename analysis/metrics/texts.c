/* texts.c - texts that rows of tables have as patterns. */
#include "internal.h"

char *rl_analysis_keep_text(struct rl_analysis *analysis, struct rl_buf *buf)
{
    char *text = rl_arena_strndup(&analysis->arena, buf->data, buf->len);
    rl_buf_release(buf);
    return text;
}

void rl_expand_placeholders(struct rl_buf *out, const char *pattern, rl_fill fill, void *context)
{
    while (*pattern) {
        const size_t plain = strcspn(pattern, "{");
        rl_buf_add(out, pattern, plain);
        pattern += plain;
        if (*pattern == '{') {
            const size_t len = strcspn(pattern, "}");
            assert(pattern[len] == '}');
            fill(context, pattern + 1, len - 1, out);
            pattern += len + 1;
        }
    }
}
