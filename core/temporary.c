#include "temporary.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/core.h"

enum { MOST = 32, ATTEMPTS = 100, DEEPEST = 16, PASSES = 100, HOST_HEX = 8, HEX = HOST_HEX + 16 };
static const char mark[] = "rooflight-";

/* `owner`: the process that has it; those of other processes are copies that a fork made, and free here. */
struct rl_temporary {
    atomic_int owner;
    int lock; /* an open descriptor that holds the lock */
    bool is_folder;
    char path[PATH_MAX];
};
enum { NOBODY = 0, BEING_FILLED = -1 };
static struct rl_temporary table[MOST];

/* ---- the table ---- */

static struct rl_temporary *take_place(void)
{
    const int self = (int)getpid();
    for (size_t i = 0; i < MOST; i++) {
        int owner = atomic_load(&table[i].owner);
        if (owner != self && owner != BEING_FILLED && atomic_compare_exchange_strong(&table[i].owner, &owner, BEING_FILLED)) {
            table[i].lock = -1;
            return &table[i];
        }
    }
    return NULL;
}

static void forget(struct rl_temporary *temporary)
{
    const int lock = temporary->lock;
    atomic_store(&temporary->owner, NOBODY);
    if (lock >= 0)
        close(lock);
}

const char *rl_temporary_path(const struct rl_temporary *temporary)
{
    return temporary->path;
}

/* ---- removing, with nothing but what a signal's handler may call ---- */

/* One read of a folder; see getdents64(2). */
struct entries {
    _Alignas(struct dirent64) char bytes[2048];
    long len, at;
};

static const char *next_entry(int folder, struct entries *entries)
{
    for (;;) {
        if (entries->at >= entries->len) {
            entries->len = syscall(SYS_getdents64, folder, entries->bytes, sizeof entries->bytes);
            entries->at = 0;
            if (entries->len <= 0)
                return NULL;
        }
        const struct dirent64 *entry = (const void *)(entries->bytes + entries->at);
        entries->at += entry->d_reclen;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            return entry->d_name;
    }
}

static bool is_mounted(int parent, int folder)
{
    struct stat outside, inside;
    return fstat(parent, &outside) == 0 && fstat(folder, &inside) == 0 && outside.st_dev != inside.st_dev;
}

/* Removes `name` in `parent`, and what is in it when it is a folder; other file systems in it stay. Returns errno or 0. */
static int remove_at(int parent, const char *name, int depth)
{
    struct entries entries = {.len = 0};
    bool removed;
    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return errno;
    const int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return errno;
    removed = depth < DEEPEST && !(depth > 0 && is_mounted(parent, folder));
    for (int pass = 0; removed && pass < PASSES; pass++) { /* several, because removing may move what is left */
        removed = false;
        for (const char *entry; (entry = next_entry(folder, &entries));)
            removed |= remove_at(folder, entry, depth + 1) == 0;
        entries.len = entries.at = 0;
        removed &= lseek(folder, 0, SEEK_SET) == 0;
    }
    close(folder);
    return unlinkat(parent, name, AT_REMOVEDIR) == 0 ? 0 : errno;
}

void rl_remove_tree(const char *path)
{
    /* The one at `path`; NULL: none of this process. */
    const int self = (int)getpid();
    struct rl_temporary *temporary =
        RL_FIND(i, table, MOST, atomic_load(&table[i].owner) == self && strcmp(table[i].path, path) == 0);
    if (temporary)
        rl_temporary_remove(temporary);
    else
        (void)remove_at(AT_FDCWD, path, 0);
}

void rl_temporary_remove(struct rl_temporary *temporary)
{
    const int error = temporary->is_folder                              ? remove_at(AT_FDCWD, temporary->path, 0)
                      : unlink(temporary->path) == 0 || errno == ENOENT ? 0
                                                                        : errno;
    if (error == 0)
        forget(temporary);
}

void rl_temporaries_remove(void)
{
    const int before = errno, self = (int)getpid();
    for (size_t i = 0; i < MOST; i++)
        if (atomic_load(&table[i].owner) == self)
            rl_temporary_remove(&table[i]);
    errno = before;
}

/* ---- making ---- */

/* Stands for this machine since it was started; 0: unknown. Other machines may see the same folder, and not our locks. */
static uint32_t host_mark(void)
{
    static atomic_uint known;
    uint32_t hash = atomic_load(&known);
    char text[64];
    const int fd = hash ? -1 : open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    const ssize_t len = fd < 0 ? 0 : read(fd, text, sizeof text);
    for (ssize_t i = 0; i < len; i++) /* FNV-1a */
        hash = ((hash ? hash : 2166136261u) ^ (unsigned char)text[i]) * 16777619u;
    if (fd >= 0)
        close(fd);
    atomic_store(&known, hash);
    return hash;
}

/* Whether it was locked before a sweeping process took it for left behind. True where there are no locks. */
static bool is_locked(int fd)
{
    struct stat info;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0)
        return errno != EWOULDBLOCK;
    return fstat(fd, &info) != 0 || info.st_nlink > 0;
}

static int make_folder(const char *path, mode_t mode)
{
    if (mkdir(path, mode) != 0)
        return -1;
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), error = errno;
    if (fd < 0)
        rmdir(path);
    errno = error == ENOENT ? EEXIST : error; /* a sweeping process was faster */
    return fd;
}

/* Makes what `temporary` says and returns a descriptor of it; -1 with errno, which is EEXIST where another name may help. */
static int make_named(struct rl_temporary *temporary, mode_t mode)
{
    const int fd = temporary->is_folder ? make_folder(temporary->path, mode)
                                        : open(temporary->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0 && is_locked(fd))
        return fd;
    if (fd >= 0)
        close(fd);
    if (fd >= 0 || errno == EINTR)
        errno = EEXIST;
    return -1;
}

static int make(const char *folder, const char *base, mode_t mode, bool is_folder, struct rl_temporary **made)
{
    struct rl_temporary *temporary = take_place();
    int fd = -1;
    *made = temporary;
    errno = temporary ? EEXIST : EMFILE;
    for (int i = 0; temporary && i < ATTEMPTS && fd < 0 && errno == EEXIST; i++) {
        temporary->is_folder = is_folder;
        atomic_store(&temporary->owner, BEING_FILLED);
        /* False with errno where the path is too long. */
        uint64_t random = 0;
        if (getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random)
            random = (uint64_t)getpid() << 32 ^ (uint64_t)(uintptr_t)folder ^ (uint64_t)atomic_load(&table[0].owner);
        const size_t len = strlen(folder);
        const int written = snprintf(temporary->path, sizeof temporary->path, "%s%s%s%.200s%s%s%08x%016llx", folder,
                                     len && folder[len - 1] == '/' ? "" : "/", *base ? "." : "", base, *base ? "." : "", mark,
                                     host_mark(), (unsigned long long)random);
        errno = ENAMETOOLONG;
        if (written > 0 && (size_t)written < sizeof temporary->path) {
            atomic_store(&temporary->owner, (int)getpid()); /* noted before it is there */
            fd = make_named(temporary, mode);
        }
    }
    if (temporary && fd < 0)
        atomic_store(&temporary->owner, NOBODY);
    return fd;
}

int rl_temporary_file(const char *folder, const char *base, mode_t mode, struct rl_temporary **temporary)
{
    int fd = make(folder, base, mode, false, temporary);
    if (fd < 0)
        return -1;
    (*temporary)->lock = fcntl(fd, F_DUPFD_CLOEXEC, 3); /* keeps the lock when the caller has closed its own */
    if ((*temporary)->lock >= 0)
        return fd;
    const int error = errno;
    close(fd);
    rl_temporary_remove(*temporary);
    errno = error;
    return -1;
}

int rl_temporary_folder(const char *folder, struct rl_temporary **temporary)
{
    const int fd = make(folder, "", 0700, true, temporary);
    if (fd < 0)
        return errno;
    (*temporary)->lock = fd;
    return 0;
}

int rl_temporary_rename(struct rl_temporary *temporary, const char *path)
{
    if (rename(temporary->path, path) != 0)
        return errno;
    forget(temporary);
    return 0;
}

/* ---- what others have left ---- */

bool rl_is_temporary(const char *name)
{
    const size_t len = strlen(name), tail = sizeof mark - 1 + HEX;
    return len >= tail && strncmp(name + len - tail, mark, sizeof mark - 1) == 0 &&
           strspn(name + len - HEX, "0123456789abcdef") == HEX;
}

/* Whether the name is one that a process of this machine made. */
static bool is_ours(const char *name)
{
    char host[HOST_HEX + 1];
    snprintf(host, sizeof host, "%08x", host_mark());
    return host_mark() && rl_is_temporary(name) && strncmp(name + strlen(name) - HEX, host, HOST_HEX) == 0;
}

/* Its process holds the lock until it ends, however it ends. */
static void remove_if_left(int folder, const char *name)
{
    struct stat info;
    int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC); /* some file systems lock nothing else */
    if (fd < 0)
        fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &info) == 0 && info.st_uid == geteuid() && (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) &&
        flock(fd, LOCK_EX | LOCK_NB) == 0)
        (void)remove_at(folder, name, 0);
    close(fd);
}

void rl_temporaries_sweep(const char *folder)
{
    struct entries entries = {.len = 0};
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    for (const char *name; (name = next_entry(fd, &entries));)
        if (is_ours(name))
            remove_if_left(fd, name);
    close(fd);
}
