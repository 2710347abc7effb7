/* fs.h - files: whole reads, atomic writes, places. */
#ifndef RL_CORE_FS_H
#define RL_CORE_FS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"
#include "core/err.h"

/* Appends the whole file to `out`. Refuses what is not a regular file and what is larger than `limit` bytes (RL_IO; `out` may
 * then hold a part of it). A missing file is RL_ABSENT. */
enum rl_status rl_read_file(const char *path, size_t limit, struct rl_buf *out, struct rl_err *err);
/* Appends what is left of standard input, a file or a pipe, at most `limit` bytes. RL_USAGE: it is a terminal; RL_IO: it cannot be
 * read, or holds more. */
enum rl_status rl_read_stdin(size_t limit, struct rl_buf *out, struct rl_err *err);
/* Whether the name of a file is "-": standard input where it is read, standard output where it is written. A file of that name is
 * "./-". */
bool rl_is_stream(const char *path);
/* An input as messages name it: the path, or "standard input". */
const char *rl_input_name(const char *path);
/* rl_read_file, of "-" rl_read_stdin: for what a user names. */
enum rl_status rl_read_input(const char *path, size_t limit, struct rl_buf *out, struct rl_err *err);

/* Writes to standard output and closes it, for what it says when it is closed. Returns errno or 0. */
int rl_write_stdout(const void *bytes, size_t len);
/* Replaces `path` by `len` bytes in one step: writes a file in the same folder, fsync, rename. On any failure (disk full, not
 * writable, a folder in the way) `path` is as it was, nothing is left behind, and the error says which. A symbolic link is
 * followed, so that its target is replaced; an existing file's mode is kept, because a user chose it; a new one gets 0600 less
 * the umask, because captures and reports say what was run where, and for whom. A file without write permission is refused. What is
 * not a regular file (/dev/stdout, a FIFO) is written to directly. RL_IO on failure; RL_USAGE for what was declared as an input
 * (core/outputs.h). */
enum rl_status rl_write_file_atomic(const char *path, const void *bytes, size_t len, struct rl_err *err);
/* The same without waiting for the disk, for files that are written over and over: whatever becomes of the process, `path` is the
 * old or the new file; after a failure of the machine it may be neither. */
enum rl_status rl_write_file_unsynced(const char *path, const void *bytes, size_t len, struct rl_err *err);

/* Appends "$XDG_CACHE_HOME/rooflight", or "~/.cache/rooflight", and makes the folders that are missing, for this user alone. False:
 * neither is an absolute path. */
bool rl_cache_folder(struct rl_buf *path);

/* Before long work: whether rl_write_file_atomic(path) can succeed, by making a file in its folder and removing it. Removes
 * what killed processes have left there. RL_IO and RL_USAGE as above. */
enum rl_status rl_check_writable(const char *path, struct rl_err *err);
/* The same for a folder into which files are going to be written; it may be missing when it can be made. */
enum rl_status rl_check_folder(const char *path, struct rl_err *err);
/* Makes a folder unless it is there; the folder around it must be. RL_IO. */
enum rl_status rl_make_folder(const char *path, struct rl_err *err);

/* Whether a file or folder of this name is one that is being made, or was left behind. */
bool rl_is_temporary(const char *name);

/* Mode of folders that are made for files of this program; the umask takes bits away. */
enum { RL_PRIVATE_FOLDER = 0700 };

/* Whether anything is at `path`; a symbolic link to nothing is nothing. */
bool rl_path_exists(const char *path);
/* Folder of the running executable, without a final slash; "." when it cannot be found. Free with free(). */
char *rl_executable_dir(void);
/* "a" + "/" + "b"; an absolute `b` is returned alone. Free with free(). */
char *rl_path_join(const char *a, const char *b);
/* First executable file called `program` in $PATH, or `program` itself when it has a slash and is executable; NULL: none.
 * Free with free(). */
char *rl_find_program(const char *program);
/* The same for what we call ourselves: an entry of $PATH that is empty or relative, and leads to whatever folder is current, is
 * passed over. */
char *rl_find_tool(const char *program);

/* A fresh private folder under $TMPDIR or /tmp. Free the path with free(); remove with rl_remove_tree. Folders that killed
 * processes have left there are removed. */
enum rl_status rl_make_temp_dir(char **path, struct rl_err *err);
/* RL_IO: `path`, in such a folder or the folder itself, cannot be written because of `error` (an errno). Where there is no room,
 * the text names the folder that is full, and TMPDIR as the way to another one. */
enum rl_status rl_temp_cannot_write(const char *path, int error, struct rl_err *err);
/* Removes a folder and everything in it; symbolic links inside are removed, not followed, and other file systems left alone. */
void rl_remove_tree(const char *path);
/* Removes what this process was writing, and its temporary folders: for its end, whatever the reason. May be called by a signal's
 * handler; a forked child removes nothing of its parent's. */
void rl_temporaries_remove(void);

/* SHA-256 as 64 lower-case hexadecimal digits and a terminator. */
struct rl_sha256 {
    char hex[65];
};
/* The hash of `len` bytes. */
struct rl_sha256 rl_sha256_of(const void *bytes, size_t len);

#endif
