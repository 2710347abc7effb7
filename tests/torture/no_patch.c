/* no_patch.c - where code may not be written, as some systems have it: to be loaded before all other libraries. */
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((visibility("default"))) int mprotect(void *at, size_t bytes, int rights)
{
    if (!(rights & PROT_EXEC))
        return (int)syscall(SYS_mprotect, at, bytes, rights);
    errno = EACCES;
    return -1;
}
