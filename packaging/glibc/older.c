/* older.c - what older versions of glibc lack, for programs that are linked against the libraries of stubs.py. Functions that glibc 2.33
 * gave a new name, the start of a program, which 2.34 changed, and what the libraries of GCC 12 use. Nothing of it is visible outside of the
 * program. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/types.h>

/* ---- files ---- */

/* The functions behind stat and its like before 2.33. The first argument is the layout of struct stat, of which x86-64 has this one. */
enum { LAYOUT = 1, NODE_LAYOUT = 0 };
int __xstat(int layout, const char *path, struct stat *info);
int __lxstat(int layout, const char *path, struct stat *info);
int __fxstat(int layout, int fd, struct stat *info);
int __fxstatat(int layout, int folder, const char *path, struct stat *info, int flags);
int __xmknod(int layout, const char *path, mode_t mode, dev_t *device);

int stat(const char *restrict path, struct stat *restrict info)
{
    return __xstat(LAYOUT, path, info);
}
int lstat(const char *restrict path, struct stat *restrict info)
{
    return __lxstat(LAYOUT, path, info);
}
int fstat(int fd, struct stat *info)
{
    return __fxstat(LAYOUT, fd, info);
}
int fstatat(int folder, const char *restrict path, struct stat *restrict info, int flags)
{
    return __fxstatat(LAYOUT, folder, path, info, flags);
}
int mknod(const char *path, mode_t mode, dev_t device)
{
    return __xmknod(NODE_LAYOUT, path, mode, &device);
}

/* struct stat64 is the same struct on machines of 64 bits. */
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "struct stat and stat64 differ");
int stat64(const char *restrict path, struct stat64 *restrict info)
{
    return __xstat(LAYOUT, path, (struct stat *)info);
}
int lstat64(const char *restrict path, struct stat64 *restrict info)
{
    return __lxstat(LAYOUT, path, (struct stat *)info);
}
int fstat64(int fd, struct stat64 *info)
{
    return __fxstat(LAYOUT, fd, (struct stat *)info);
}
int fstatat64(int folder, const char *restrict path, struct stat64 *restrict info, int flags)
{
    return __fxstatat(LAYOUT, folder, path, (struct stat *)info, flags);
}

/* ---- the start of a program ---- */

typedef int main_function(int argc, char **argv, char **environment);
typedef void initializer(int argc, char **argv, char **environment);
extern initializer *const __preinit_array_start[] __attribute__((weak, visibility("hidden")));
extern initializer *const __preinit_array_end[] __attribute__((weak, visibility("hidden")));
extern initializer *const __init_array_start[] __attribute__((visibility("hidden")));
extern initializer *const __init_array_end[] __attribute__((visibility("hidden")));

int older_start(main_function *main, int argc, char **argv, main_function *init, void (*fini)(void), void (*loader_fini)(void), void *stack);
__asm__(".symver older_start,__libc_start_main@GLIBC_2.2.5");

/* Before 2.34 a program ran its constructors itself: its start files had this function, of which today's have none. */
static int construct(int argc, char **argv, char **environment)
{
    for (initializer *const *each = __preinit_array_start; each < __preinit_array_end; each++)
        (*each)(argc, argv, environment);
    for (initializer *const *each = __init_array_start; each < __init_array_end; each++)
        (*each)(argc, argv, environment);
    return 0;
}

/* What the start files call. Destructors are run by the loader, then as now. */
int __libc_start_main(main_function *main, int argc, char **argv, main_function *init, void (*fini)(void), void (*loader_fini)(void), void *stack);
int __libc_start_main(main_function *main, int argc, char **argv, main_function *init, void (*fini)(void), void (*loader_fini)(void), void *stack)
{
    return older_start(main, argc, argv, init ? init : construct, fini, loader_fini, stack);
}

/* ---- for libgcc and libstdc++ of GCC 12 ---- */

/* True only where the process has a single thread for certain, which is not known here: counts of references stay atomic. */
char __libc_single_threaded = 0;

/* A random number, of 2.36, where it cannot fail either. */
uint32_t arc4random(void)
{
    uint32_t number;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        abort();
    return number;
}

/* The object that a place in the code belongs to, of 2.35: by the list of loaded objects. */
struct search {
    uintptr_t wanted;
    struct dl_find_object *found;
};

static int look_at(struct dl_phdr_info *object, size_t size, void *context)
{
    struct search *search = context;
    uintptr_t start = UINTPTR_MAX, end = 0, frames = 0;
    bool inside = false;
    (void)size;
    for (const ElfW(Phdr) *part = object->dlpi_phdr; part < object->dlpi_phdr + object->dlpi_phnum; part++) {
        const uintptr_t first = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_GNU_EH_FRAME)
            frames = first;
        if (part->p_type != PT_LOAD)
            continue;
        start = first < start ? first : start;
        end = first + part->p_memsz > end ? first + part->p_memsz : end;
        inside = inside || (search->wanted >= first && search->wanted - first < part->p_memsz);
    }
    if (!inside || !frames)
        return 0;
    *search->found = (struct dl_find_object){.dlfo_map_start = (void *)start, .dlfo_map_end = (void *)end, .dlfo_eh_frame = (void *)frames};
    return 1;
}

int _dl_find_object(void *address, struct dl_find_object *found)
{
    struct search search = {(uintptr_t)address, found};
    return dl_iterate_phdr(look_at, &search) == 1 ? 0 : -1;
}
