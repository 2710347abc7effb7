/* files.c - what glibc gave a new name in 2.33, by the functions that were behind it before. */
#define _GNU_SOURCE
#include <sys/stat.h>

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
