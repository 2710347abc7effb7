/* soft.c - memory whose exhaustion does not end the program: core/mem.h for the injected library, in place of core/allocate.c.
 *
 * When the system has no memory left, operations in progress get it from a reserve and profiling stops (give_in); the ring records
 * that. Memory of the reserve is never freed: free, which the linker wraps, ignores it. */
#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include "inject.h"

enum { RESERVE = 1 << 19, ALIGN = 16 };

static _Alignas(ALIGN) char reserve[RESERVE];
static atomic_size_t used;

void __real_free(void *pointer);
void __wrap_free(void *pointer);

static bool is_reserved(const void *pointer)
{
    return (uintptr_t)pointer - (uintptr_t)reserve < RESERVE;
}

void __wrap_free(void *pointer)
{
    if (!is_reserved(pointer))
        __real_free(pointer);
}

/* From the reserve, zeroed; where that is used up, this thread waits until the system has some again. */
static void *without_memory(size_t bytes)
{
    const struct timespec moment = {.tv_nsec = 100000000};
    const size_t whole = bytes < RESERVE ? (bytes + ALIGN - 1) / ALIGN * ALIGN : RESERVE + 1;
    void *found = NULL;
    ring_mark(RL_RING_LOST | RL_RING_NO_MEMORY);
    give_in();
    for (size_t at = atomic_load(&used); !found && whole <= RESERVE - at;)
        if (atomic_compare_exchange_weak(&used, &at, at + whole))
            found = reserve + at;
    while (!found && !(found = calloc(1, bytes)))
        (void)nanosleep(&moment, NULL);
    return found;
}

void *rl_try_calloc(size_t count, size_t size)
{
    return calloc(count ? count : 1, size ? size : 1);
}

void *rl_calloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = SIZE_MAX;
    bytes += bytes == 0;
    void *found = calloc(1, bytes);
    return found ? found : without_memory(bytes);
}

void *rl_realloc(void *pointer, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = SIZE_MAX;
    bytes += bytes == 0;
    void *found = is_reserved(pointer) ? NULL : realloc(pointer, bytes);
    if (found)
        return found;
    found = without_memory(bytes);
    if (pointer) { /* of unknown size: memory behind it is read, too, and belongs to the heap or the reserve */
        const size_t most = is_reserved(pointer) ? (size_t)(reserve + RESERVE - (char *)pointer) : malloc_usable_size(pointer);
        memcpy(found, pointer, most < bytes ? most : bytes);
        __wrap_free(pointer);
    }
    return found;
}

bool memory_is_scarce(void)
{
    static const int resources[] = {RLIMIT_AS, RLIMIT_DATA};
    /* Callbacks run on the stack of the thread that calls CUDA. */
    const rlim_t least = (rlim_t)256 << 20, least_stack = (rlim_t)64 << 10;
    struct rlimit stack;
    if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < least_stack)
        return true;
    for (size_t i = 0; i < RL_COUNT(resources); i++) {
        struct rlimit limit;
        if (getrlimit(resources[i], &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
            /* Bytes in use, of all mappings or of private writable ones: the first and the sixth number of statm, in pages. */
            const int resource = resources[i];
            char text[256] = "", *at = text;
            const int statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
            if (statm >= 0 && read(statm, text, sizeof text - 1) < 0)
                *text = 0;
            if (statm >= 0)
                close(statm);
            unsigned long long pages = strtoull(at, &at, 10);
            for (int skipped = 0; resource == RLIMIT_DATA && skipped < 5; skipped++)
                pages = strtoull(at, &at, 10);
            const rlim_t in_use = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
            if (limit.rlim_cur < in_use || limit.rlim_cur - in_use < least)
                return true;
        }
    }
    return false;
}
