#include "core/intern.h"

#include "core/core.h"

/* FNV-1a (Fowler, Noll, Vo), 64 bits. */
static size_t hash_of(unsigned tag, const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037) ^ tag;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return (size_t)(hash ^ (hash >> 32));
}

/* The slot of (tag, text), or the free one where it belongs. */
static struct rl_intern_slot *slot_of(const struct rl_intern *intern, size_t hash, unsigned tag, const char *text)
{
    for (size_t at = hash;; at++) {
        struct rl_intern_slot *slot = &intern->slots[at & (intern->slot_count - 1)];
        if (slot->entry == 0)
            return slot;
        const struct rl_shared_text *entry = &intern->entries[slot->entry - 1];
        if (slot->hash == hash && entry->tag == tag && strcmp(entry->text, text) == 0)
            return slot;
    }
}

size_t rl_intern(struct rl_intern *intern, unsigned tag, const char *text, bool *is_new)
{
    assert(text);
    const size_t hash = hash_of(tag, text);
    if (2 * intern->count >= intern->slot_count) {
        /* All texts differ, so that each goes to the first slot that is free. */
        const size_t before = intern->slot_count;
        struct rl_intern_slot *old = intern->slots;
        intern->slot_count = before ? before * 2 : 64;
        intern->slots = rl_calloc(intern->slot_count, sizeof *intern->slots);
        for (size_t i = 0; i < before; i++) {
            size_t at = old[i].hash & (intern->slot_count - 1);
            while (old[i].entry && intern->slots[at].entry)
                at = (at + 1) & (intern->slot_count - 1);
            if (old[i].entry)
                intern->slots[at] = old[i];
        }
        free(old);
    }
    struct rl_intern_slot *slot = slot_of(intern, hash, tag, text);
    *is_new = slot->entry == 0;
    if (*is_new) {
        RL_GROW(intern->entries, intern->count + 1, intern->cap);
        intern->entries[intern->count++] = (struct rl_shared_text){tag, (char *)text}; /* read only */
        *slot = (struct rl_intern_slot){intern->count, hash};
    }
    return slot->entry - 1;
}

void rl_intern_release(struct rl_intern *intern)
{
    free(intern->entries);
    free(intern->slots);
    *intern = (struct rl_intern){0};
}
