/* descriptors.c - what glibc gave a new name in 2.28, by the function that was behind it before. */
#include <fcntl.h>
#include <stdarg.h>

/* On machines of 64 bits fcntl is the same; its third argument, a number or an address, is as wide as a pointer there. */
_Static_assert(sizeof(long) == sizeof(void *), "an argument of fcntl is wider than an address");
int fcntl64(int fd, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    void *given = va_arg(rest, void *);
    va_end(rest);
    return fcntl(fd, command, given);
}
