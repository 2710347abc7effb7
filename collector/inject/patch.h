/* patch.h - calls of another library's function are led to one of ours. Private to collector/inject.
 *
 * A jump is written over the beginning of the function, so that it does not matter how a caller came by its address: by linking, by
 * dlsym, before us or after us. What stood there is copied to where the original is called from then on. Only beginnings that are
 * understood are touched (x86-64: what compilers put there); any other function stays as it is. */
#ifndef RL_INJECT_PATCH_H
#define RL_INJECT_PATCH_H

#include <stdbool.h>
#include <stddef.h>

struct patch {
    void *entry;     /* NULL: none */
    const void *to;  /* has the same parameters */
    void **original; /* gets the function as it was, before anybody arrives at `to`; NULL: the original is not called any more */
};
/* Patches functions of one library, all of them or (false) none. Takes no memory from malloc. One thread at a time. */
bool patch_all(const struct patch *patches, size_t count);
/* Whether calls of the function already arrive there. */
bool patch_is_done(const void *entry, const void *to);

#endif
