/* faults.c - makes one call of the system fail, or ends the process there. Loaded by LD_PRELOAD; tests/faults/faults.py tells it:
 *
 *     FAULTS_PROGRAM   name of the program that is meant; others that it starts are left alone
 *     FAULTS_SHARED    a file of at least a page, in which the processes count together: struct shared
 *     FAULTS_HOW       ENOSPC, EIO, EINTR, EACCES: the call fails so; short: it reads or writes half; a number: this signal comes
 * first FAULTS_AT        at which call, from 1 on, of those for which that is possible
 *
 * A close that fails has closed, as with Linux. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Read by faults.py: two numbers, then the name of the call that was met. */
struct shared {
    atomic_uint calls, fired;
    char name[32];
};

enum kind {
    READS = 1,
    WRITES = 2,
    OPENS = 4,
    MAKES = 8,
    SYNCS = 16,
    CLOSES = 32,
    NAMES = 64,
    REMOVES = 128,
    OTHER = 256,
    ALL = 511
};

static const struct way {
    const char *name;
    int error;
    unsigned kinds;
} ways[] = {{"ENOSPC", ENOSPC, WRITES | MAKES | SYNCS | CLOSES | NAMES},
            {"EIO", EIO, READS | WRITES | OPENS | MAKES | SYNCS | CLOSES | NAMES | REMOVES | OTHER},
            {"EINTR", EINTR, READS | WRITES | OPENS | MAKES | SYNCS | CLOSES},
            {"EACCES", EACCES, OPENS | MAKES | NAMES | REMOVES},
            {"short", 0, READS | WRITES}};

static struct shared *shared;
static struct way chosen;
static unsigned at;
static int number; /* the signal */

static __attribute__((constructor)) void begin(void)
{
    const char *program = getenv("FAULTS_PROGRAM"), *path = getenv("FAULTS_SHARED"), *how = getenv("FAULTS_HOW");
    if (!program || !path || !how || strcmp(program, program_invocation_short_name) != 0)
        return;
    int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    int fd = real_open(path, O_RDWR | O_CLOEXEC);
    void *place = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    at = (unsigned)strtoul(getenv("FAULTS_AT"), NULL, 10);
    number = (int)strtol(how, NULL, 10);
    chosen.kinds = number ? ALL : 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].name, how) == 0)
            chosen = ways[i];
    if (fd < 0 || place == MAP_FAILED || !chosen.kinds)
        abort();
    shared = place;
}

/* Whether the fault is to be met here; a signal has come already then. */
static bool is_met(enum kind kind, const char *name)
{
    if (!shared || !(chosen.kinds & kind) || atomic_fetch_add(&shared->calls, 1) + 1 != at)
        return false;
    snprintf(shared->name, sizeof shared->name, "%s", name);
    atomic_store(&shared->fired, 1);
    if (number)
        raise(number);
    errno = chosen.error;
    return !number;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* A call that fails before anything is done. */
#define FAILING(kind, result, name, parameters, arguments)                                                                         \
    __attribute__((visibility("default"))) result name parameters                                                                  \
    {                                                                                                                              \
        return is_met(kind, #name) ? (result)-1 : REAL(name) arguments;                                                            \
    }

FAILING(SYNCS, int, fsync, (int fd), (fd))
FAILING(NAMES, int, rename, (const char *from, const char *to), (from, to))
FAILING(REMOVES, int, unlink, (const char *path), (path))
FAILING(REMOVES, int, unlinkat, (int fd, const char *path, int flags), (fd, path, flags))
FAILING(REMOVES, int, rmdir, (const char *path), (path))
FAILING(MAKES, int, mkdir, (const char *path, mode_t mode), (path, mode))
FAILING(OTHER, int, flock, (int fd, int how), (fd, how))
FAILING(OTHER, int, fchmod, (int fd, mode_t mode), (fd, mode))

/* Only with O_CREAT is there a mode. */
#define MODE_OF(flags, mode)                                                                                                       \
    va_list rest;                                                                                                                  \
    va_start(rest, flags);                                                                                                         \
    const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;                                                                \
    va_end(rest)

__attribute__((visibility("default"))) int open(const char *path, int flags, ...)
{
    MODE_OF(flags, mode);
    return is_met(flags & O_CREAT ? MAKES : OPENS, "open") ? -1 : REAL(open)(path, flags, mode);
}

__attribute__((visibility("default"))) int openat(int folder, const char *path, int flags, ...)
{
    MODE_OF(flags, mode);
    return is_met(flags & O_CREAT ? MAKES : OPENS, "openat") ? -1 : REAL(openat)(folder, path, flags, mode);
}

__attribute__((visibility("default"))) ssize_t read(int fd, void *bytes, size_t len)
{
    const bool met = is_met(READS, "read");
    return met && chosen.error ? -1 : REAL(read)(fd, bytes, met && len > 1 ? len / 2 : len);
}

__attribute__((visibility("default"))) ssize_t write(int fd, const void *bytes, size_t len)
{
    const bool met = is_met(WRITES, "write");
    return met && chosen.error ? -1 : REAL(write)(fd, bytes, met && len > 1 ? len / 2 : len);
}

__attribute__((visibility("default"))) int close(int fd)
{
    const bool met = is_met(CLOSES, "close");
    const int closed = REAL(close)(fd);
    errno = met ? chosen.error : errno;
    return met ? -1 : closed;
}

__attribute__((visibility("default"))) int fcntl(int fd, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return command == F_DUPFD_CLOEXEC && is_met(OTHER, "fcntl") ? -1 : REAL(fcntl)(fd, command, argument);
}

/* The library's own calls below these are not seen. */
__attribute__((visibility("default"))) FILE *fopen(const char *path, const char *mode)
{
    return is_met(strpbrk(mode, "wa") ? MAKES : OPENS, "fopen") ? NULL : REAL(fopen)(path, mode);
}

__attribute__((visibility("default"))) size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
    return is_met(WRITES, "fwrite") ? 0 : REAL(fwrite)(bytes, size, count, file);
}
