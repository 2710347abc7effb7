/* Which mutant is active: included in front of every file of a build for mutation testing (mutate.py). RL_MUTANT is its number;
 * RL_MUTANT_TRACE instead names a file in which each mutant that is reached leaves a mark, also from children and to the end. */
#ifndef RL_TESTS_MUTANT_H
#define RL_TESTS_MUTANT_H

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

extern int close(int fd); /* unistd.h would take names like write from static functions of files that do without it */

__attribute__((weak)) long rl_mutant = -1;
__attribute__((weak)) unsigned char *rl_mutant_trace;

#define RL_MUTANT(number) (rl_mutant_trace ? (rl_mutant_trace[number] = 1, 0) : rl_mutant == (number))

__attribute__((constructor)) static void rl_mutant_begin(void)
{
    const char *number = getenv("RL_MUTANT"), *path = getenv("RL_MUTANT_TRACE");
    if (number)
        rl_mutant = strtol(number, NULL, 10);
    if (!path || rl_mutant_trace)
        return;
    struct stat status;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0)
        abort();
    void *map = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (map == MAP_FAILED)
        abort();
    rl_mutant_trace = map;
}

#endif
