#include "core/fs.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/mem.h"

enum { MAX_LINKS = 40, NAME_ATTEMPTS = 100, PRIVATE_FILE = 0600 };

/* What an error means for someone who asked for a file; the system's own words for the rest. */
static const char *explain(int error)
{
    static const struct {
        int error;
        const char *text;
    } texts[] = {
        {ENOSPC, "the disk is full"},
        {EDQUOT, "the disk quota is used up"},
        {EACCES, "no permission"},
        {EPERM, "not permitted"},
        {EROFS, "the file system is read-only"},
        {ENOENT, "no such file or folder"},
        {ENOTDIR, "a part of the path is not a folder"},
        {EISDIR, "it is a folder"},
        {ENAMETOOLONG, "the name is too long"},
        {ELOOP, "too many symbolic links"},
        {EFBIG, "the file would be too large"},
    };
    for (size_t i = 0; i < RL_COUNT(texts); i++)
        if (texts[i].error == error)
            return texts[i].text;
    return strerror(error);
}

static enum rl_status cannot(const char *what, const char *path, int error, struct rl_err *err)
{
    return rl_err_set(err, RL_IO, "cannot %s '%s': %s", what, path, explain(error));
}

static int close_checked(int fd)
{
    return close(fd) == 0 || errno == EINTR ? 0 : errno; /* Linux has closed it also after EINTR */
}

/* ---- reading ---- */

static enum rl_status too_large(const char *path, size_t limit, struct rl_err *err)
{
    return rl_err_set(err, RL_IO, "cannot read '%s': larger than the limit of %zu bytes", path, limit);
}

static enum rl_status read_all(int fd, const char *path, size_t limit, struct rl_buf *out, struct rl_err *err)
{
    char chunk[32 * 1024];
    size_t total = 0;
    for (;;) {
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n == 0)
            return RL_OK;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return cannot("read", path, errno, err);
        total += (size_t)n;
        if (total > limit) /* it may have grown since fstat */
            return too_large(path, limit, err);
        rl_buf_add(out, chunk, (size_t)n);
    }
}

enum rl_status rl_read_file(const char *path, size_t limit, struct rl_buf *out, struct rl_err *err)
{
    struct stat info;
    enum rl_status status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* never waits for a FIFO's other end */
    if (fd < 0) {
        int error = errno;
        status = cannot("read", path, error, err);
        return error == ENOENT ? RL_ABSENT : status;
    }
    if (fstat(fd, &info) != 0)
        status = cannot("read", path, errno, err);
    else if (!S_ISREG(info.st_mode))
        status =
            rl_err_set(err, RL_IO, "cannot read '%s': %s", path, S_ISDIR(info.st_mode) ? "it is a folder" : "not a regular file");
    else if (info.st_size > 0 && (unsigned long long)info.st_size > limit)
        status = too_large(path, limit, err);
    else
        status = read_all(fd, path, limit, out, err);
    close(fd);
    return status;
}

/* ---- writing ---- */

/* Where a write to `path` will go. */
struct target {
    char *path;   /* behind all symbolic links */
    char *folder; /* of that */
    bool exists;
    mode_t mode; /* type and permission bits when it exists */
};

static void target_release(struct target *target)
{
    free(target->path);
    free(target->folder);
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return rl_strdup(".");
    return rl_strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* Replaces `*path` by what it points to, until it is no symbolic link; links to nothing are followed too. Returns errno or 0. */
static int follow_links(char **path)
{
    char link[PATH_MAX];
    for (int i = 0; i < MAX_LINKS; i++) {
        ssize_t len = readlink(*path, link, sizeof link - 1);
        if (len < 0)
            return errno == EINVAL || errno == ENOENT ? 0 : errno;
        link[len] = '\0';
        char *folder = folder_of(*path);
        free(*path);
        *path = rl_path_join(folder, link);
        free(folder);
    }
    return ELOOP;
}

/* Checks everything that can be checked before the first byte is written. Returns errno or 0. */
static int check_target(const struct target *target)
{
    size_t len = strlen(target->path);
    if (len == 0)
        return ENOENT;
    if ((target->exists && S_ISDIR(target->mode)) || target->path[len - 1] == '/')
        return EISDIR;
    if (target->exists && faccessat(AT_FDCWD, target->path, W_OK, AT_EACCESS) != 0)
        return errno;
    if (target->exists && !S_ISREG(target->mode))
        return 0;
    struct stat info;
    if (stat(target->folder, &info) != 0)
        return errno;
    if (!S_ISDIR(info.st_mode))
        return ENOTDIR;
    return faccessat(AT_FDCWD, target->folder, W_OK | X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

static int target_find(const char *path, struct target *target)
{
    struct stat info;
    *target = (struct target){.path = rl_strdup(path)};
    target->exists = stat(path, &info) == 0;
    if (!target->exists && errno != ENOENT)
        return errno;
    target->mode = target->exists ? info.st_mode : 0;
    if (!target->exists || S_ISREG(target->mode)) {
        int error = follow_links(&target->path);
        if (error)
            return error;
    }
    target->folder = folder_of(target->path);
    return check_target(target);
}

static int write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        bytes += n;
        len -= (size_t)n;
    }
    return 0;
}

/* Devices and pipes have no content to keep and cannot be replaced. */
static int write_through(const char *path, const void *bytes, size_t len)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return errno;
    int error = write_all(fd, bytes, len), closed = close_checked(fd);
    return error ? error : closed;
}

/* ".NAME.XXXXXXXX" in the target's folder; long names are cut so that the result is one the file system accepts. */
static char *temporary_name(const struct target *target)
{
    unsigned random = 0;
    struct rl_buf name = RL_BUF_INIT;
    const char *slash = strrchr(target->path, '/');
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random)
        random = (unsigned)getpid();
    rl_buf_addf(&name, "%s/.%.200s.%08x", target->folder, slash ? slash + 1 : target->path, random);
    return rl_buf_detach(&name, NULL);
}

/* Not mkstemp: a mode given to open() lets the kernel apply the umask, which a program with threads cannot read safely. */
static int open_temporary(const struct target *target, char **path)
{
    int fd = -1;
    for (int i = 0; i < NAME_ATTEMPTS && fd < 0; i++) {
        free(*path);
        *path = temporary_name(target);
        fd = open(*path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, PRIVATE_FILE);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

static int sync_fd(int fd)
{
    if (fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP) /* some file systems have no fsync */
        return 0;
    return errno;
}

/* Makes the new name durable. What fails here cannot be undone, and the file is complete, so it is no failure. */
static void sync_folder(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    sync_fd(fd);
    close(fd);
}

static int fill_temporary(int fd, const struct target *target, const void *bytes, size_t len, bool sync)
{
    int error = 0;
    if (target->exists && fchmod(fd, target->mode & 07777) != 0)
        error = errno;
    if (!error)
        error = write_all(fd, bytes, len);
    return error || !sync ? error : sync_fd(fd);
}

static int replace(const struct target *target, const void *bytes, size_t len, bool sync)
{
    char *temporary = NULL;
    int error = 0, fd = open_temporary(target, &temporary);
    if (fd < 0) {
        error = errno;
        goto done;
    }
    error = fill_temporary(fd, target, bytes, len, sync);
    int closed = close_checked(fd);
    if (!error)
        error = closed;
    if (!error && rename(temporary, target->path) != 0)
        error = errno;
    if (error)
        unlink(temporary);
    else if (sync)
        sync_folder(target->folder);
done:
    free(temporary);
    return error;
}

static enum rl_status write_file(const char *path, const void *bytes, size_t len, bool sync, struct rl_err *err)
{
    struct target target;
    int error = target_find(path, &target);
    if (!error && target.exists && !S_ISREG(target.mode))
        error = write_through(path, bytes, len);
    else if (!error)
        error = replace(&target, bytes, len, sync);
    target_release(&target);
    return error ? cannot("write", path, error, err) : RL_OK;
}

enum rl_status rl_write_file_atomic(const char *path, const void *bytes, size_t len, struct rl_err *err)
{
    return write_file(path, bytes, len, true, err);
}

enum rl_status rl_write_file_unsynced(const char *path, const void *bytes, size_t len, struct rl_err *err)
{
    return write_file(path, bytes, len, false, err);
}

enum rl_status rl_check_writable(const char *path, struct rl_err *err)
{
    struct target target;
    int error = target_find(path, &target);
    target_release(&target);
    return error ? cannot("write", path, error, err) : RL_OK;
}

/* ---- places ---- */

bool rl_path_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

char *rl_executable_dir(void)
{
    char path[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
    if (len <= 0)
        return rl_strdup(".");
    path[len] = '\0';
    return folder_of(path);
}

char *rl_path_join(const char *a, const char *b)
{
    if (b[0] == '/')
        return rl_strdup(b);
    struct rl_buf path = RL_BUF_INIT;
    rl_buf_addf(&path, "%s%s%s", a, a[0] && a[strlen(a) - 1] == '/' ? "" : "/", b);
    return rl_buf_detach(&path, NULL);
}

static bool is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

char *rl_find_program(const char *program)
{
    if (strchr(program, '/'))
        return is_program(program) ? rl_strdup(program) : NULL;
    const char *folder = getenv("PATH");
    while (folder && *program) {
        size_t len = strcspn(folder, ":");
        char *name = rl_strndup(len ? folder : ".", len ? len : 1), *path = rl_path_join(name, program);
        free(name);
        if (is_program(path))
            return path;
        free(path);
        folder = folder[len] ? folder + len + 1 : NULL;
    }
    return NULL;
}

static const char *temp_base(void)
{
    const char *base = getenv("TMPDIR");
    return base && *base ? base : "/tmp";
}

enum rl_status rl_temp_cannot_write(const char *path, int error, struct rl_err *err)
{
    if (error == ENOSPC || error == EDQUOT)
        return rl_err_set(err, RL_IO,
                          "the folder for temporary files, '%s', is full (%s): make room, or name another one in TMPDIR",
                          temp_base(), explain(error));
    return cannot("write", path, error, err);
}

enum rl_status rl_make_temp_dir(char **path, struct rl_err *err)
{
    *path = rl_path_join(temp_base(), "rooflight-XXXXXX");
    if (mkdtemp(*path))
        return RL_OK;
    enum rl_status status = errno == ENOSPC || errno == EDQUOT ? rl_temp_cannot_write(*path, errno, err)
                                                               : cannot("make a temporary folder", *path, errno, err);
    free(*path);
    *path = NULL;
    return status;
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void)info;
    (void)type;
    (void)place;
    remove(path); /* what cannot be removed stays; the rest goes */
    return 0;
}

void rl_remove_tree(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}
