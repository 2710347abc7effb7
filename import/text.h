/* text.h - a piece of a line: bytes that belong to somebody else (private to import/). */
#ifndef RL_IMPORT_TEXT_H
#define RL_IMPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

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

#endif
