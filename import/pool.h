/* pool.h - byte strings by number: each gets the next one when it is first seen (private to import/). */
#ifndef RL_IMPORT_POOL_H
#define RL_IMPORT_POOL_H

#include <stdint.h>

#include "core/arena.h"
#include "text.h"

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

#endif
