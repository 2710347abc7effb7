#include "core/arena.h"

#include <stdalign.h>

#include "core/core.h"

/* Each block is twice as large as the one before: many small pieces lie in large pages (core/mem.c), and few waste little. */
enum { BLOCK_BYTES = 16 * 1024, MOST_BLOCK_BYTES = 8 << 20 };

struct rl_arena_block {
    struct rl_arena_block *next;
    size_t used, size;
    alignas(max_align_t) char bytes[];
};

static struct rl_arena_block *new_block(size_t size)
{
    struct rl_arena_block *block;
    assert(size <= SIZE_MAX - sizeof *block);
    block = rl_calloc(1, sizeof *block + size);
    block->size = size;
    return block;
}

static size_t rounded(size_t size)
{
    return (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
}

void *rl_arena_alloc(struct rl_arena *arena, size_t size)
{
    assert(size <= SIZE_MAX / 2);
    size = rounded(size);
    struct rl_arena_block *block = arena->blocks;
    if (!block || block->size - block->used < size) {
        size_t wanted = !block ? BLOCK_BYTES : block->size < MOST_BLOCK_BYTES / 2 ? 2 * block->size : MOST_BLOCK_BYTES;
        struct rl_arena_block *fresh = new_block(size > wanted ? size : wanted);
        fresh->next = block;
        arena->blocks = block = fresh;
    }
    void *memory = block->bytes + block->used;
    block->used += size;
    return memory;
}

char *rl_arena_strdup(struct rl_arena *arena, const char *text)
{
    return text ? rl_arena_strndup(arena, text, strlen(text)) : NULL;
}

char *rl_arena_strndup(struct rl_arena *arena, const char *text, size_t len)
{
    if (!text)
        return NULL;
    assert(len < SIZE_MAX / 2);
    char *copy = rl_arena_alloc(arena, len + 1);
    memcpy(copy, text, len);
    return copy;
}

char *rl_arena_printf(struct rl_arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    assert(len >= 0); /* only a wide-character conversion could fail, and there is none */
    char *text = rl_arena_alloc(arena, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

enum { FEWEST_ELEMENTS = 2 };

void *rl_arena_grow_(struct rl_arena *arena, void *array, size_t element_size, size_t wanted, size_t *capacity)
{
    if (wanted <= *capacity)
        return array;
    struct rl_arena_block *block = arena->blocks;
    const size_t had = *capacity * element_size, grown = wanted > 2 * *capacity ? wanted : 2 * *capacity;
    *capacity = grown > FEWEST_ELEMENTS ? grown : FEWEST_ELEMENTS;
    const size_t more = rounded(*capacity * element_size) - rounded(had);
    if (had && (char *)array + rounded(had) == block->bytes + block->used && block->size - block->used >= more) {
        block->used += more; /* what was taken last grows where it is */
        return array;
    }
    void *larger = rl_arena_alloc(arena, *capacity * element_size);
    if (had)
        memcpy(larger, array, had);
    return larger;
}

/* Behind the block that is filled, which goes on to be. */
void rl_arena_take(struct rl_arena *arena, struct rl_arena *from)
{
    struct rl_arena_block **last = &arena->blocks;
    while (*last)
        last = &(*last)->next;
    *last = from->blocks;
    from->blocks = NULL;
}

void rl_arena_release(struct rl_arena *arena)
{
    while (arena->blocks) {
        struct rl_arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}
