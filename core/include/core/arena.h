/* arena.h - memory that is allocated piece by piece and freed at once.
 *
 * Strings and small arrays that live as long as the object that owns them (a capture, an analysis) are allocated in its arena and
 * never freed individually.
 */
#pragma once

#include <stddef.h>

struct rl_arena_block;
struct rl_arena {
    struct rl_arena_block *blocks;
};
#define RL_ARENA_INIT                                                                                                              \
    {                                                                                                                              \
        NULL                                                                                                                       \
    }

/* Zeroed memory, aligned for any type. */
void *rl_arena_alloc(struct rl_arena *arena, size_t size);
/* Copies; NULL gives NULL. */
char *rl_arena_strdup(struct rl_arena *arena, const char *text);
/* A terminated copy of exactly `len` bytes; NULL gives NULL. */
char *rl_arena_strndup(struct rl_arena *arena, const char *text, size_t len);
/* Formatted text. */
char *rl_arena_printf(struct rl_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* As RL_GROW (core/mem.h), in an arena; the old array stays allocated. New elements are zeroed. */
#define RL_ARENA_GROW(arena, array, wanted, capacity)                                                                              \
    ((array) = rl_arena_grow_((arena), (array), sizeof *(array), (wanted), &(capacity)))
/* Called by RL_ARENA_GROW only. Returns the array, moved or not. */
void *rl_arena_grow_(struct rl_arena *arena, void *array, size_t element_size, size_t wanted, size_t *capacity);
/* Moves all memory of `from`, which is then empty, to `arena`; pointers stay valid. */
void rl_arena_take(struct rl_arena *arena, struct rl_arena *from);
/* Frees all memory of the arena, which is then empty and can be used again. */
void rl_arena_release(struct rl_arena *arena);
