#include "core/buf.h"

#include "core/core.h"

char rl_buf_empty[1] = "";

void rl_buf_reserve(struct rl_buf *buf, size_t more)
{
    char *data = buf->cap ? buf->data : NULL;
    if (buf->arena)
        RL_ARENA_GROW(buf->arena, data, buf->len + more + 1, buf->cap);
    else
        RL_GROW(data, buf->len + more + 1, buf->cap);
    buf->data = data;
    buf->data[buf->len] = '\0';
}

void rl_buf_filled(struct rl_buf *buf, size_t len)
{
    assert(len < buf->cap - buf->len);
    buf->len += len;
    buf->data[buf->len] = '\0';
}

void rl_buf_init(struct rl_buf *buf)
{
    *buf = (struct rl_buf)RL_BUF_INIT;
}

void rl_buf_release(struct rl_buf *buf)
{
    if (buf->cap && !buf->arena)
        free(buf->data);
    *buf = (struct rl_buf)RL_BUF_IN(buf->arena);
}

void rl_buf_reset(struct rl_buf *buf)
{
    rl_buf_truncate(buf, 0);
}

char *rl_buf_detach(struct rl_buf *buf, size_t *len)
{
    assert(!buf->arena);
    char *data = buf->cap ? buf->data : rl_strdup("");
    if (len)
        *len = buf->len;
    rl_buf_init(buf);
    return data;
}

void rl_buf_add(struct rl_buf *buf, const void *bytes, size_t len)
{
    if (!len)
        return;
    rl_buf_reserve(buf, len);
    memcpy(buf->data + buf->len, bytes, len);
    buf->len += len;
    buf->data[buf->len] = '\0';
}

void rl_buf_adds(struct rl_buf *buf, const char *text)
{
    rl_buf_add(buf, text, strlen(text));
}

void rl_buf_addch(struct rl_buf *buf, char c)
{
    rl_buf_add(buf, &c, 1);
}

void rl_buf_fill(struct rl_buf *buf, char c, size_t count)
{
    if (!count)
        return;
    rl_buf_reserve(buf, count);
    memset(buf->data + buf->len, c, count);
    buf->len += count;
    buf->data[buf->len] = '\0';
}

void rl_buf_addf(struct rl_buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    rl_buf_vaddf(buf, format, args);
    va_end(args);
}

void rl_buf_vaddf(struct rl_buf *buf, const char *format, va_list args)
{
    char usual[128]; /* what is formatted fits most of the time, so that it is formatted once */
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(usual, sizeof usual, format, args);
    assert(len >= 0); /* only a wide-character conversion could fail, and there is none */
    if ((size_t)len < sizeof usual) {
        rl_buf_add(buf, usual, (size_t)len);
    } else {
        rl_buf_reserve(buf, (size_t)len);
        vsnprintf(buf->data + buf->len, (size_t)len + 1, format, again);
        buf->len += (size_t)len;
    }
    va_end(again);
}

void rl_buf_truncate(struct rl_buf *buf, size_t len)
{
    if (len >= buf->len)
        return;
    buf->len = len;
    buf->data[len] = '\0';
}
