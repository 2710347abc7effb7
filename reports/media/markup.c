#include "markup.h"

#include "core/core.h"

/* Invisible characters other than blanks, and those that XML does not allow. */
static bool is_foreign(const char *text, size_t len, size_t at, uint32_t c)
{
    const bool blank = c == '\t' || c == '\n' || c == '\r';
    return c == 0xFFFE || c == 0xFFFF || (!blank && rl_utf8_is_hidden(text, len, at, c));
}

void rl_markup_text(struct rl_buf *out, const char *text, size_t len)
{
    uint32_t c;
    for (size_t at = 0, used; at < len; at += used) {
        used = rl_utf8_decode(text + at, len - at, &c);
        if (c == '<' || c == '>' || c == '&' || c == '"' || c == '\'')
            rl_buf_addf(out, "&#%u;", (unsigned)c);
        else
            rl_utf8_encode(out, is_foreign(text, len, at, c) ? RL_UTF8_REPLACEMENT : c);
    }
}

void rl_markup_number(struct rl_buf *out, double value)
{
    long hundredths = lround(value * 100);
    unsigned long magnitude = (unsigned long)labs(hundredths), rest = magnitude % 100;
    rl_buf_addf(out, "%s%lu", hundredths < 0 ? "-" : "", magnitude / 100);
    if (rest % 10 != 0)
        rl_buf_addf(out, ".%02lu", rest);
    else if (rest != 0)
        rl_buf_addf(out, ".%lu", rest / 10);
}
