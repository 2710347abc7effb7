#include "text.h"

/* FNV-1a. It begins with the pool's address, which differs from run to run, so that no file can be made whose names all fall
 * together. */
static uint32_t hash_of(const struct rl_pool *pool, struct rl_text text)
{
    uint64_t hash = 14695981039346656037u ^ text.len ^ (uint64_t)(uintptr_t)pool << 16;

    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.at[i]) * 1099511628211u;
    return (uint32_t)(hash ^ hash >> 32);
}

void rl_pool_release(struct rl_pool *pool)
{
    RL_FREE(pool->items, pool->slots);
    rl_arena_release(&pool->arena);
    *pool = (struct rl_pool){0};
}

/* The slot that holds `text`, or the free one where it belongs. There is always a free one. */
static size_t slot_of(const struct rl_pool *pool, struct rl_text text, uint32_t hash)
{
    size_t slot = hash & (pool->slot_count - 1);

    for (;; slot = (slot + 1) & (pool->slot_count - 1)) {
        if (!pool->slots[slot])
            return slot;
        const struct rl_pooled_ *item = &pool->items[pool->slots[slot] - 1];
        if (item->hash == hash && item->text.len == text.len && memcmp(item->text.at, text.at, text.len) == 0)
            return slot;
    }
}

uint32_t rl_pool_add(struct rl_pool *pool, struct rl_text text)
{
    const uint32_t hash = hash_of(pool, text);

    assert(pool->count < UINT32_MAX - 1);
    if (2 * (pool->count + 1) > pool->slot_count) {
        const size_t wanted = pool->slot_count ? 2 * pool->slot_count : 64;
        free(pool->slots);
        pool->slots = rl_calloc(wanted, sizeof *pool->slots);
        pool->slot_count = wanted;
        for (size_t i = 0; i < pool->count; i++)
            pool->slots[slot_of(pool, pool->items[i].text, pool->items[i].hash)] = (uint32_t)i + 1;
    }
    size_t slot = slot_of(pool, text, hash);
    if (!pool->slots[slot]) {
        RL_GROW(pool->items, pool->count + 1, pool->cap);
        pool->items[pool->count] = (struct rl_pooled_){{rl_arena_strndup(&pool->arena, text.at, text.len), text.len}, hash};
        pool->slots[slot] = (uint32_t)++pool->count;
    }
    return pool->slots[slot] - 1;
}

bool rl_pool_find(const struct rl_pool *pool, struct rl_text text, uint32_t *number)
{
    if (pool->slot_count == 0)
        return false;
    size_t slot = slot_of(pool, text, hash_of(pool, text));
    if (!pool->slots[slot])
        return false;
    *number = pool->slots[slot] - 1;
    return true;
}

struct rl_text rl_pool_text(const struct rl_pool *pool, uint32_t number)
{
    assert(number < pool->count);
    return pool->items[number].text;
}
