/* intern.h - numbers for texts: equal texts get equal numbers, 0, 1, 2, ... in the order of their first use. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A text that many rows have in common, with a tag that distinguishes kinds of texts. */
struct rl_shared_text {
    unsigned tag;
    char *text;
};

/* Where an entry is found by its hash. */
struct rl_intern_slot {
    size_t entry; /* its number + 1; 0: free */
    size_t hash;
};

struct rl_intern {
    struct rl_shared_text *entries; /* texts are not owned and must outlive this */
    size_t count, cap;
    struct rl_intern_slot *slots; /* a power of two of them, at most half full */
    size_t slot_count;
};

/* The number of (tag, text); `*is_new` gets whether this is its first use. An rl_intern starts as {0}. */
size_t rl_intern(struct rl_intern *intern, unsigned tag, const char *text, bool *is_new);
/* Frees the table, not the texts; the rl_intern is {0} then. */
void rl_intern_release(struct rl_intern *intern);
