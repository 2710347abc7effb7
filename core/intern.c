#include "core/intern.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

/* FNV-1a (Fowler, Noll, Vo), 64 bits. */
static size_t hash_of(unsigned tag, const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037) ^ tag;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return (size_t)(hash ^ (hash >> 32));
}

/* The slot of (tag, text), or the free one where it belongs. */
static size_t *slot_of(const struct rl_intern *intern, unsigned tag, const char *text)
{
    assert(intern->count < intern->slot_count);
    for (size_t at = hash_of(tag, text);; at++) {
        size_t *slot = &intern->slots[at & (intern->slot_count - 1)];
        const struct rl_shared_text *entry = *slot ? &intern->entries[*slot - 1] : NULL;
        if (!entry || (entry->tag == tag && strcmp(entry->text, text) == 0))
            return slot;
    }
}

static void grow(struct rl_intern *intern)
{
    intern->slot_count = intern->slot_count ? intern->slot_count * 2 : 64;
    free(intern->slots);
    intern->slots = rl_calloc(intern->slot_count, sizeof *intern->slots);
    for (size_t i = 0; i < intern->count; i++)
        *slot_of(intern, intern->entries[i].tag, intern->entries[i].text) = i + 1;
}

size_t rl_intern(struct rl_intern *intern, unsigned tag, const char *text, bool *is_new)
{
    assert(text);
    if (2 * intern->count >= intern->slot_count)
        grow(intern);
    size_t *slot = slot_of(intern, tag, text);
    *is_new = *slot == 0;
    if (*is_new) {
        RL_GROW(intern->entries, intern->count + 1, intern->cap);
        intern->entries[intern->count++] = (struct rl_shared_text){tag, (char *)text}; /* read only */
        *slot = intern->count;
    }
    return *slot - 1;
}

void rl_intern_release(struct rl_intern *intern)
{
    free(intern->entries);
    free(intern->slots);
    *intern = (struct rl_intern){0};
}
