/* close_from.c - closing what a child must not inherit. */
#include "close_from.h"

#include <assert.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436 /* on every architecture; headers before 5.9 lack it */
#endif

/* The number of a descriptor; -1 for other names. */
static int number_of(const char *name)
{
    int number = 0;
    for (; *name >= '0' && *name <= '9' && number < 100000000; name++)
        number = 10 * number + (*name - '0');
    return *name ? -1 : number;
}

/* getdents64(2) itself: opendir() would need memory. Its records are inode and offset, 8 bytes each, their length, a type and the
 * name. */
static bool close_listed(int first)
{
    enum { LENGTH_AT = 16, NAME_AT = 19 };
    _Alignas(8) char entries[4096];
    const int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    long got = -1;
    while (folder >= 0 && (got = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0)
        for (long at = 0; at < got;) {
            unsigned short length;
            memcpy(&length, entries + at + LENGTH_AT, sizeof length);
            const int fd = number_of(entries + at + NAME_AT);
            if (fd >= first && fd != folder)
                (void)close(fd);
            at += length;
        }
    if (folder >= 0)
        (void)close(folder);
    return got == 0;
}

void rl_close_each_from(int first)
{
    enum { USUAL = 1024 };
    struct rlimit limit = {USUAL, USUAL};
    assert(first > STDERR_FILENO);
    if (close_listed(first))
        return;
    (void)getrlimit(RLIMIT_NOFILE, &limit);
    for (rlim_t fd = (rlim_t)first; fd < limit.rlim_cur; fd++)
        (void)close((int)fd);
}

void rl_close_from(int first)
{
    assert(first > STDERR_FILENO);
    if (syscall(SYS_close_range, (unsigned)first, ~0U, 0) != 0)
        rl_close_each_from(first);
}
