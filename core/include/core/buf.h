/* buf.h - a growing byte string.
 *
 * Life cycle: RL_BUF_INIT -> any number of rl_buf_add* -> rl_buf_release, or rl_buf_detach to keep the bytes.
 * RL_BUF_IN: the bytes belong to an arena and need not be released.
 * `data` is always terminated (never NULL), `len` does not count the terminator; bytes of value 0 may be inside.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>

struct rl_arena;
struct rl_buf {
    char *data;
    size_t len;
    size_t cap;             /* bytes allocated; 0 while `data` points to a static empty string */
    struct rl_arena *arena; /* NULL: the heap */
};

extern char rl_buf_empty[1];
#define RL_BUF_INIT      {rl_buf_empty, 0, 0, NULL}
#define RL_BUF_IN(where) {rl_buf_empty, 0, 0, (where)}
/* A buffer that is released where its scope ends: RL_SCRATCH text = RL_BUF_INIT; */
#define RL_SCRATCH __attribute__((cleanup(rl_buf_release))) struct rl_buf

/* RL_BUF_INIT for memory that is not initialised yet. */
void rl_buf_init(struct rl_buf *buf);
/* Frees the bytes, unless they belong to an arena; the buffer is then empty and can be used again. */
void rl_buf_release(struct rl_buf *buf);
/* Empties without freeing. */
void rl_buf_reset(struct rl_buf *buf);
/* Returns the bytes of a buffer on the heap, which the caller owns (free()); `*len` (may be NULL) gets their number. The buffer is
 * then empty. */
char *rl_buf_detach(struct rl_buf *buf, size_t *len);

/* Appends bytes. */
void rl_buf_add(struct rl_buf *buf, const void *bytes, size_t len);
/* Appends a terminated string. */
void rl_buf_adds(struct rl_buf *buf, const char *text);
/* Appends one character. */
void rl_buf_addch(struct rl_buf *buf, char c);
/* Appends `count` times the character `c`. */
void rl_buf_fill(struct rl_buf *buf, char c, size_t count);
/* Appends formatted text. */
void rl_buf_addf(struct rl_buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same with the arguments of a caller; `args` is used up. */
void rl_buf_vaddf(struct rl_buf *buf, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
/* Reserves room for `more` bytes and a terminator behind the last byte. After writing there, call rl_buf_filled. */
void rl_buf_reserve(struct rl_buf *buf, size_t more);
/* Adds `len` bytes to the length that were written into reserved room, for example by read(2). */
void rl_buf_filled(struct rl_buf *buf, size_t len);
/* Cuts to `len` bytes (no effect when it is shorter). */
void rl_buf_truncate(struct rl_buf *buf, size_t len);
