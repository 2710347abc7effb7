/* allocate.c - memory from the system, or the end. What is injected into programs has its own instead (collector/inject/soft.c). */

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/core.h"

static void *checked(void *pointer)
{
    if (!pointer) {
        fputs("rooflight: out of memory\n", stderr);
        abort();
    }
    return pointer;
}

static size_t product(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        checked(NULL);
    return bytes ? bytes : 1;
}

/* Large memory is taken in large pages where the system has them: touching it for the first time costs a fault for every page,
 * which is a good part of what 100,000 kernel classes cost. Whole mappings are advised, so that they can still grow where they lie.
 * A refusal changes nothing. */
enum { LARGE_BYTES = 4 << 20 };
static void *in_large_pages(void *pointer, size_t bytes)
{
    if (bytes < LARGE_BYTES)
        return pointer;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)pointer / page * page;
    const uintptr_t end = ((uintptr_t)pointer + malloc_usable_size(pointer)) / page * page;
    (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
    return pointer;
}

void *rl_try_calloc(size_t count, size_t size)
{
    return calloc(count ? count : 1, size ? size : 1);
}

void *rl_calloc(size_t count, size_t size)
{
    const size_t bytes = product(count, size);
    return in_large_pages(checked(calloc(1, bytes)), bytes);
}

void *rl_realloc(void *pointer, size_t count, size_t size)
{
    const size_t bytes = product(count, size);
    return in_large_pages(checked(realloc(pointer, bytes)), bytes);
}
