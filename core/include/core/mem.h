/* mem.h - memory that does not fail.
 *
 * Sizes that come from outside are checked where they enter (capture limits, file size limits), so what is asked for
 * here is always reasonable. When the system has no memory left all the same, these functions write one line to
 * standard error and abort: the single exception to "libraries never print or exit".
 */
#ifndef RL_CORE_MEM_H
#define RL_CORE_MEM_H

#include <assert.h>
#include <stddef.h>

/* `count` * `size` zeroed bytes (overflow is checked; a zero size gives a valid pointer). Free with free(). */
void *rl_calloc(size_t count, size_t size);
/* The same for what may be more than there is, and can be done without: NULL when the system has no memory for it. */
void *rl_try_calloc(size_t count, size_t size);
/* Resizes to `count` * `size` bytes (overflow is checked); new bytes are not initialised. Free with free(). */
void *rl_realloc(void *pointer, size_t count, size_t size);
/* Copy of a terminated string; NULL gives NULL. Free with free(). */
char *rl_strdup(const char *text);
/* Copy of `length` bytes plus a terminator. Free with free(). */
char *rl_strndup(const char *text, size_t length);

/* Makes room for `wanted` elements of `*array`, which has room for `*capacity`: at least doubles, so that appending is
 * cheap. `array` is the address of a typed pointer. */
#define RL_GROW(array, wanted, capacity) ((array) = rl_grow_((array), sizeof *(array), (wanted), &(capacity)))
/* Called by RL_GROW only. Returns the array, moved or not. */
void *rl_grow_(void *array, size_t element_size, size_t wanted, size_t *capacity);

#define RL_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Defines a function that gives the static name of each member of an enumeration, which are counted from 0. */
#define RL_NAMES(function, type, ...)                                                                                              \
    const char *function(type member)                                                                                              \
    {                                                                                                                              \
        static const char *const names[] = {__VA_ARGS__};                                                                          \
        assert((size_t)member < RL_COUNT(names) && names[member]);                                                                 \
        return names[member];                                                                                                      \
    }

#endif
