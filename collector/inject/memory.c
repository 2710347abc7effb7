/* memory.c - memory that is never freed, cut from mappings of the kernel. */
#include <sys/mman.h>

#include "inject.h"

enum { PIECE = 1 << 20, ALIGN = 16 };

static struct {
    char *at;
    size_t left;
} piece;

static char *map(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

void *keep(size_t bytes)
{
    assume(bytes > 0);
    bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    if (bytes > PIECE / 4) /* a table whose pages are allocated as they are used */
        return map(bytes);
    if (bytes > piece.left) {
        piece.at = map(PIECE);
        piece.left = piece.at ? PIECE : 0;
    }
    if (bytes > piece.left)
        return NULL;
    void *found = piece.at;
    piece.at += bytes;
    piece.left -= bytes;
    return found;
}

const char *keep_text(const char *text)
{
    const size_t size = text ? strlen(text) + 1 : 0;
    char *copy = size ? keep(size) : NULL;
    return copy ? memcpy(copy, text, size) : NULL;
}
