/* mem.h - memory allocation that does not fail.
 *
 * Sizes from outside are checked on input (capture limits, file size limits), so requests are reasonable. If the system has no
 * memory, these functions write one line to standard error and abort: the only exception to "libraries never print or exit".
 */
#pragma once

#include <assert.h>
#include <stddef.h>

/* `count` * `size` zeroed bytes (overflow is checked; a zero size gives a valid pointer). Free with free(). */
void *rl_calloc(size_t count, size_t size);
/* The same for optional memory: NULL if the system has not enough. */
void *rl_try_calloc(size_t count, size_t size);
/* Resizes to `count` * `size` bytes (overflow is checked); new bytes are not initialised. Free with free(). */
void *rl_realloc(void *pointer, size_t count, size_t size);
/* Copy of a terminated string; NULL gives NULL. Free with free(). */
char *rl_strdup(const char *text);
/* Copy of `length` bytes plus a terminator. Free with free(). */
char *rl_strndup(const char *text, size_t length);

/* Frees several pointers: RL_FREE(list->items, list). */
#define RL_FREE(...) rl_free_((void *const[]){__VA_ARGS__}, sizeof((void *const[]){__VA_ARGS__}) / sizeof(void *))
/* Called by RL_FREE only. */
void rl_free_(void *const *pointers, size_t count);
/* Calls a function with the address of a variable at the end of its scope: RL_AT_END(rl_arena_release) struct rl_arena arena. */
#define RL_AT_END(function) __attribute__((cleanup(function)))
/* A pointer that is freed at the end of its scope: RL_FREED double *values = rl_calloc(count, sizeof *values); */
#define RL_FREED RL_AT_END(rl_freed_)
/* Called by RL_FREED only, with the address of the pointer. */
void rl_freed_(void *pointer);

/* Makes room for `wanted` elements of `array`, which has room for `capacity`; at least doubles it, so that appending is cheap. */
#define RL_GROW(array, wanted, capacity) ((array) = rl_grow_((array), sizeof *(array), (wanted), &(capacity)))
/* Appends a value to such an array of `count` elements. */
#define RL_APPEND(array, count, capacity, ...) (RL_GROW(array, (count) + 1, capacity), (void)((array)[(count)++] = (__VA_ARGS__)))
/* Called by RL_GROW only. Returns the array, moved or not. */
void *rl_grow_(void *array, size_t element_size, size_t wanted, size_t *capacity);

#define RL_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The first `i` below `count` for which the condition is true; `count` if there is none. */
#define RL_FIRST(i, count, ...)                                                                                                    \
    ({                                                                                                                             \
        size_t i = 0;                                                                                                              \
        while (i < (count) && !(__VA_ARGS__))                                                                                      \
            i++;                                                                                                                   \
        i;                                                                                                                         \
    })
/* Whether the condition is true for any `i` below `count`. */
#define RL_ANY(i, count, ...) (RL_FIRST(i, count, __VA_ARGS__) < (count))
/* The first of `count` elements for which the condition on its index is true; NULL if there is none. */
#define RL_FIND(i, array, count, ...)                                                                                              \
    ({                                                                                                                             \
        const size_t found_ = RL_FIRST(i, count, __VA_ARGS__);                                                                     \
        found_ < (count) ? &(array)[found_] : NULL;                                                                                \
    })
/* The sum of a term over all `i` below `count`; for a condition, the number of times it is true. */
#define RL_SUM(type, i, count, ...)                                                                                                \
    ({                                                                                                                             \
        type sum_ = 0;                                                                                                             \
        for (size_t i = 0; i < (count); i++)                                                                                       \
            sum_ += (__VA_ARGS__);                                                                                                 \
        sum_;                                                                                                                      \
    })

/* Defines a function that returns the static name of a member of an enumeration that counts from 0. */
#define RL_NAMES(function, type, ...)                                                                                              \
    const char *function(type member)                                                                                              \
    {                                                                                                                              \
        static const char *const names[] = {__VA_ARGS__};                                                                          \
        assert((size_t)member < RL_COUNT(names) && names[member]);                                                                 \
        return names[member];                                                                                                      \
    }
