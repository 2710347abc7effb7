/* text.h - a piece of a line: borrowed bytes (private to import/). */
#pragma once

#include "core/core.h"

struct rl_text {
    const char *at; /* not terminated; never NULL */
    size_t len;
};

/* The text of a terminated string, which must live as long. */
static inline struct rl_text rl_text_of(const char *words)
{
    return (struct rl_text){words, strlen(words)};
}

/* Whether the text is these words. */
static inline bool rl_text_is(struct rl_text text, const char *words)
{
    return strlen(words) == text.len && memcmp(words, text.at, text.len) == 0;
}

/* Whether the text begins with these words. */
static inline bool rl_text_begins(struct rl_text text, const char *words)
{
    const size_t len = strlen(words);

    return len <= text.len && memcmp(words, text.at, len) == 0;
}

/* Position of `words` in the text; text.len when they are not there. */
static inline size_t rl_text_find(struct rl_text text, const char *words)
{
    const char *found = memmem(text.at, text.len, words, strlen(words));

    return found ? (size_t)(found - text.at) : text.len;
}

/* The rest from byte `from` (at most text.len) on. */
static inline struct rl_text rl_text_from(struct rl_text text, size_t from)
{
    from = from < text.len ? from : text.len;
    return (struct rl_text){text.at + from, text.len - from};
}

/* Without blanks at both ends. */
static inline struct rl_text rl_text_trim(struct rl_text text)
{
    while (text.len && (text.at[0] == ' ' || text.at[0] == '\t'))
        text = rl_text_from(text, 1);
    while (text.len && (text.at[text.len - 1] == ' ' || text.at[text.len - 1] == '\t'))
        text.len--;
    return text;
}

/* ---- byte strings by number: each gets the next one when it is first seen ---- */

struct rl_pool {
    struct rl_arena arena;
    struct rl_pooled_ {
        struct rl_text text; /* terminated by a 0 that is not counted */
        uint32_t hash;
    } * items;
    size_t count, cap;
    uint32_t *slots; /* open addressing: index + 1 of the item, 0: free */
    size_t slot_count;
};

/* Frees the texts; the pool is then empty. */
void rl_pool_release(struct rl_pool *pool);
/* The number of `text`, a new one (pool->count before the call) when it was not there. */
uint32_t rl_pool_add(struct rl_pool *pool, struct rl_text text);
/* True when it is there. */
bool rl_pool_find(const struct rl_pool *pool, struct rl_text text, uint32_t *number);
/* The bytes, terminated; they stay where they are. */
struct rl_text rl_pool_text(const struct rl_pool *pool, uint32_t number);
