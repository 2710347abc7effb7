/* random.c - random numbers of glibc 2.36, which libstdc++ asks for. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/types.h>

/* A random number, of 2.36, where it cannot fail either. */
uint32_t arc4random(void)
{
    uint32_t number;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        abort();
    return number;
}
