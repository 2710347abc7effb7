/* allocator.c - to be preloaded: an allocator that ends the program where it is called when it must not be: after
 * allocator_forbid(), and in the child of a fork, which may only use what is safe in a signal handler. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *old);
void allocator_forbid(void);

static __thread int forbidden; /* to the thread that is in the handler, or in the child */

EXPORTED void allocator_forbid(void)
{
    forbidden = 1;
}

static void check(const char *what)
{
    if (!forbidden)
        return;
    forbidden = 0;
    (void)!write(2, what, strlen(what));
    abort();
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, allocator_forbid);
}

EXPORTED void *malloc(size_t size)
{
    check("malloc where it is forbidden\n");
    return __libc_malloc(size);
}

EXPORTED void *calloc(size_t count, size_t size)
{
    check("calloc where it is forbidden\n");
    return __libc_calloc(count, size);
}

EXPORTED void *realloc(void *old, size_t size)
{
    check("realloc where it is forbidden\n");
    return __libc_realloc(old, size);
}

EXPORTED void free(void *old)
{
    check("free where it is forbidden\n");
    __libc_free(old);
}
