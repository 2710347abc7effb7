#include "core/err.h"

#include "core/core.h"

/* One '?' for each control character and each invalid byte, so that the line is one line and valid UTF-8. */
static void make_safe(char *text)
{
    size_t len = strlen(text), used, to = 0;
    uint32_t codepoint;
    for (size_t from = 0; from < len; from += used) {
        used = rl_utf8_decode(text + from, len - from, &codepoint);
        if (rl_utf8_is_hidden(text, len, from, codepoint) || (codepoint == RL_UTF8_REPLACEMENT && used == 1)) {
            text[to++] = '?';
        } else {
            memmove(text + to, text + from, used);
            to += used;
        }
    }
    text[to] = '\0';
}

enum { LONGEST_WORD = 256, SHORTENED_WORD = 100 }; /* bytes; columns */

/* A text too long for vsnprintf at hand, or with a long word. */
__attribute__((format(printf, 2, 0))) static void set_long(struct rl_err *err, const char *format, va_list args)
{
    struct rl_buf whole = RL_BUF_INIT, shortened = RL_BUF_INIT;
    rl_buf_vaddf(&whole, format, args);
    make_safe(whole.data);
    /* Copies the text with words that are too long shortened in the middle, so that what follows such a name is still read. */
    const char *text = whole.data;
    while (*text) {
        size_t blanks = strspn(text, " "), len = strcspn(text + blanks, " ");
        rl_buf_add(&shortened, text, blanks);
        if (len > LONGEST_WORD)
            rl_utf8_ellipsis(&shortened, text + blanks, len, SHORTENED_WORD);
        else
            rl_buf_add(&shortened, text + blanks, len);
        text += blanks + len;
    }
    rl_buf_release(&whole);
    snprintf(err->text, sizeof err->text, "%s", shortened.data);
    if (shortened.len >= sizeof err->text) {
        /* Ends a text that was too long in "..." without splitting a character. */
        const size_t size = sizeof err->text;
        size_t end = size - sizeof "...";
        for (int back = 0; back < 3 && ((unsigned char)err->text[end] & 0xC0) == 0x80; back++)
            end--;
        memcpy(err->text + end, "...", sizeof "...");
    }
    rl_buf_release(&shortened);
}

enum rl_status rl_err_vset(struct rl_err *err, enum rl_status status, const char *format, va_list args)
{
    if (!err)
        return status;
    struct rl_err fresh; /* an argument may be err->text itself */
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(fresh.text, sizeof fresh.text, format, args);
    if (len < 0)
        fresh = (struct rl_err){"an error whose text could not be formatted"};
    else if (len > LONGEST_WORD)
        set_long(&fresh, format, again);
    va_end(again);
    make_safe(fresh.text);
    *err = fresh;
    return status;
}

enum rl_status rl_err_set(struct rl_err *err, enum rl_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    rl_err_vset(err, status, format, args);
    va_end(args);
    return status;
}

enum rl_status rl_err_context(struct rl_err *err, enum rl_status status, const char *format, ...)
{
    if (!err)
        return status;
    struct rl_err context;
    va_list args;
    va_start(args, format);
    rl_err_vset(&context, status, format, args);
    va_end(args);
    return rl_err_set(err, status, "%s: %s", context.text, err->text);
}

int rl_status_exit_code(enum rl_status status)
{
    if (status == RL_USAGE)
        return 2;
    if (status == RL_REGRESSION)
        return 3;
    if (status == RL_OPEN)
        return 4;
    return status == RL_OK ? 0 : 1;
}
