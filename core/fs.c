#include "core/fs.h"

#include <fcntl.h>
#include <unistd.h>

#include "core/core.h"
#include "target.h"
#include "temporary.h"

/* Permissions of every file that this program makes for a user, less the umask; a file that is there keeps its own. */
enum { NEW_FILE_MODE = 0600 };

/* An error in the terms of someone who asked for a file; the system's own words for the rest. */
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
    const size_t at = RL_FIRST(i, RL_COUNT(texts), texts[i].error == error);
    return at < RL_COUNT(texts) ? texts[at].text : strerror(error);
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

/* At least so much is asked for at a time. */
enum { LEAST_READ = 32 * 1024 };

static enum rl_status read_to_end(int fd, const char *path, size_t limit, struct rl_buf *out, struct rl_err *err)
{
    size_t total = 0;
    for (;;) {
        rl_buf_reserve(out, LEAST_READ);
        ssize_t n = read(fd, out->data + out->len, out->cap - out->len - 1);
        if (n == 0)
            return RL_OK;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return cannot("read", path, errno, err);
        total += (size_t)n;
        if (total > limit) /* it may have grown since fstat */
            return too_large(path, limit, err);
        rl_buf_filled(out, (size_t)n);
    }
}

/* `expected`: how many bytes there should be, for which there is room at once. When it fails there is as much to free as before. */
static enum rl_status read_all(int fd, const char *path, size_t expected, size_t limit, struct rl_buf *out, struct rl_err *err)
{
    const bool is_new = out->cap == 0;
    rl_buf_reserve(out, expected + LEAST_READ);
    const enum rl_status status = read_to_end(fd, path, limit, out, err);
    if (status != RL_OK && is_new)
        rl_buf_release(out);
    return status;
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
        status = read_all(fd, path, (size_t)info.st_size, limit, out, err);
    close(fd);
    return status;
}

enum rl_status rl_read_stdin(size_t limit, struct rl_buf *out, struct rl_err *err)
{
    if (isatty(STDIN_FILENO))
        return rl_err_set(err, RL_USAGE, "standard input is a terminal: redirect a file or a pipe into it");
    return read_all(STDIN_FILENO, "standard input", 0, limit, out, err);
}

bool rl_is_stream(const char *path)
{
    return strcmp(path, "-") == 0;
}

const char *rl_input_name(const char *path)
{
    return rl_is_stream(path) ? "standard input" : path;
}

enum rl_status rl_read_input(const char *path, size_t limit, struct rl_buf *out, struct rl_err *err)
{
    return rl_is_stream(path) ? rl_read_stdin(limit, out, err) : rl_read_file(path, limit, out, err);
}

/* ---- writing ---- */

static bool is_replaced(const struct rl_target *target)
{
    return !target->exists || S_ISREG(target->info.st_mode);
}

/* Checks what can be seen by looking. Returns errno or 0. */
static int check_target(const struct rl_target *target)
{
    struct stat info;
    size_t len = strlen(target->path);
    if (len == 0)
        return ENOENT;
    if ((target->exists && S_ISDIR(target->info.st_mode)) || target->path[len - 1] == '/')
        return EISDIR;
    if (target->exists && S_ISSOCK(target->info.st_mode))
        return ENXIO;
    if (target->exists && faccessat(AT_FDCWD, target->path, W_OK, AT_EACCESS) != 0)
        return errno;
    if (!is_replaced(target))
        return 0;
    if (stat(target->folder, &info) != 0)
        return errno;
    return S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
}

static enum rl_status find_target(const char *path, struct rl_target *target, struct rl_err *err)
{
    int error = rl_target_find(path, target);
    if (!error)
        error = check_target(target);
    if (error)
        return cannot("write", path, error, err);
    if (is_replaced(target) && target->exists && rl_is_input(&target->info))
        return rl_err_set(err, RL_USAGE, "'%s' is not overwritten: it was read; choose another name", path);
    return RL_OK;
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

int rl_write_stdout(const void *bytes, size_t len)
{
    const int error = write_all(STDOUT_FILENO, bytes, len), closed = close_checked(STDOUT_FILENO);
    return error ? error : closed;
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

static int fill_temporary(int fd, const struct rl_target *target, const void *bytes, size_t len, bool sync)
{
    int error = 0;
    if (target->exists && fchmod(fd, target->info.st_mode & 07777) != 0)
        error = errno;
    if (!error)
        error = write_all(fd, bytes, len);
    return error || !sync ? error : sync_fd(fd);
}

static int replace(const struct rl_target *target, const void *bytes, size_t len, bool sync)
{
    struct rl_temporary *temporary;
    /* A file in the target's folder. Not mkstemp: a mode given to open() lets the kernel apply the umask, which a program with
     * threads cannot read safely. */
    int fd = rl_temporary_file(target->folder, rl_target_name(target->path), NEW_FILE_MODE, &temporary);
    if (fd < 0)
        return errno;
    int error = fill_temporary(fd, target, bytes, len, sync), closed = close_checked(fd);
    if (!error)
        error = closed;
    if (!error)
        error = rl_temporary_rename(temporary, target->path);
    if (error)
        rl_temporary_remove(temporary);
    else if (sync)
        sync_folder(target->folder);
    return error;
}

static enum rl_status write_file(const char *path, const void *bytes, size_t len, bool sync, struct rl_err *err)
{
    struct rl_target target;
    enum rl_status status = find_target(path, &target, err);
    if (status == RL_OK) {
        const int error = is_replaced(&target) ? replace(&target, bytes, len, sync) : write_through(path, bytes, len);
        status = error ? cannot("write", path, error, err) : RL_OK;
    }
    rl_target_release(&target);
    return status;
}

enum rl_status rl_write_file_atomic(const char *path, const void *bytes, size_t len, struct rl_err *err)
{
    return write_file(path, bytes, len, true, err);
}

enum rl_status rl_write_file_unsynced(const char *path, const void *bytes, size_t len, struct rl_err *err)
{
    return write_file(path, bytes, len, false, err);
}

/* Whether a file can be made in a folder is known for certain only when one is made. Returns errno or 0. */
static int try_folder(const char *folder, const char *name)
{
    struct rl_temporary *temporary;
    rl_temporaries_sweep(folder);
    const int fd = rl_temporary_file(folder, name, NEW_FILE_MODE, &temporary);
    if (fd < 0)
        return errno;
    close(fd);
    rl_temporary_remove(temporary);
    return 0;
}

enum rl_status rl_check_writable(const char *path, struct rl_err *err)
{
    struct rl_target target;
    enum rl_status status = find_target(path, &target, err);
    if (status == RL_OK && is_replaced(&target)) {
        const int error = try_folder(target.folder, rl_target_name(target.path));
        status = error ? cannot("write", path, error, err) : RL_OK;
    }
    rl_target_release(&target);
    return status;
}

static enum rl_status cannot_make(const char *path, int error, struct rl_err *err)
{
    return rl_err_set(err, RL_IO, "cannot make the folder '%s': %s", path,
                      error == EEXIST ? "a file has that name" : explain(error));
}

enum rl_status rl_check_folder(const char *path, struct rl_err *err)
{
    struct stat info;
    int error = 0;
    if (stat(path, &info) == 0) {
        error = S_ISDIR(info.st_mode) ? try_folder(path, "folder") : EEXIST;
        return !error ? RL_OK : error == EEXIST ? cannot_make(path, error, err) : cannot("write into", path, error, err);
    }
    char *name = rl_strdup(path), *parent;
    for (size_t len = strlen(name); len > 1 && name[len - 1] == '/'; len--)
        name[len - 1] = 0;
    parent = rl_target_folder(name);
    error = lstat(name, &info) == 0 ? EEXIST : try_folder(parent, "folder");
    RL_FREE(parent, name);
    return error ? cannot_make(path, error, err) : RL_OK;
}

enum rl_status rl_make_folder(const char *path, struct rl_err *err)
{
    struct stat info;
    if (mkdir(path, RL_PRIVATE_FOLDER) == 0)
        return RL_OK;
    const int error = errno;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode) ? RL_OK : cannot_make(path, error, err);
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
    return rl_target_folder(path);
}

static bool is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

static char *find_in_path(const char *program, bool relative)
{
    if (strchr(program, '/'))
        return is_program(program) ? rl_strdup(program) : NULL;
    const char *folder = getenv("PATH");
    while (folder && *program) {
        size_t len = strcspn(folder, ":");
        char *name = rl_strndup(len ? folder : ".", len ? len : 1), *path = rl_path_join(name, program);
        free(name);
        if ((relative || *folder == '/') && is_program(path))
            return path;
        free(path);
        folder = folder[len] ? folder + len + 1 : NULL;
    }
    return NULL;
}

char *rl_find_program(const char *program)
{
    return find_in_path(program, true);
}

char *rl_find_tool(const char *program)
{
    return find_in_path(program, false);
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
    struct rl_temporary *temporary;
    rl_temporaries_sweep(temp_base());
    const int error = rl_temporary_folder(temp_base(), &temporary);
    *path = error ? NULL : rl_strdup(rl_temporary_path(temporary));
    if (error == ENOSPC || error == EDQUOT)
        return rl_temp_cannot_write(temp_base(), error, err);
    return error ? cannot("make a temporary folder in", temp_base(), error, err) : RL_OK;
}

bool rl_cache_folder(struct rl_buf *path)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool given = cache && *cache == '/';
    if (!given && !(home && *home == '/'))
        return false;
    rl_buf_addf(path, "%s%s", given ? cache : home, given ? "" : "/.cache");
    (void)mkdir(path->data, 0700);
    rl_buf_adds(path, "/rooflight");
    (void)mkdir(path->data, 0700);
    return true;
}
