/* fs.h - files: whole reads, atomic writes, paths, temporary files. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"
#include "core/err.h"

/* Appends the whole file to `out`. RL_IO if it is not a regular file or larger than `limit` bytes (`out` may then hold a part of
 * it); RL_ABSENT if it does not exist. */
enum rl_status rl_read_file(const char *path, size_t limit, struct rl_buf *out, struct rl_err *err);
/* Appends the rest of standard input, a file or a pipe, at most `limit` bytes. RL_USAGE: it is a terminal; RL_IO: it cannot be
 * read, or is longer. */
enum rl_status rl_read_stdin(size_t limit, struct rl_buf *out, struct rl_err *err);
/* Whether the name of a file is "-": standard input if it is read, standard output if it is written. A file of that name is "./-".
 * */
bool rl_is_stream(const char *path);
/* Name of an input in messages: the path, or "standard input". */
const char *rl_input_name(const char *path);
/* Reads an input of the user: rl_read_file, or rl_read_stdin for "-". */
enum rl_status rl_read_input(const char *path, size_t limit, struct rl_buf *out, struct rl_err *err);

/* Writes to standard output and closes it, to detect errors of closing. Returns errno or 0. */
int rl_write_stdout(const void *bytes, size_t len);
/* Replaces `path` by `len` bytes in one step: writes a file in the same folder, fsync, rename. On failure (RL_IO: disk full, not
 * writable, a folder of that name) `path` is unchanged and no temporary file is left. A symbolic link is followed and its target
 * replaced. An existing file keeps its mode; a new one gets 0600 less the umask, because captures and reports may be confidential.
 * A file without write permission is refused. A file that is not regular (/dev/stdout, a FIFO) is written to directly. RL_USAGE:
 * the path was declared as an input (core/outputs.h). */
enum rl_status rl_write_file_atomic(const char *path, const void *bytes, size_t len, struct rl_err *err);
/* The same without waiting for the disk, for files that are rewritten often: `path` is the old or the new file however the process
 * ends; after a failure of the machine it may be neither. */
enum rl_status rl_write_file_unsynced(const char *path, const void *bytes, size_t len, struct rl_err *err);

/* Appends "$XDG_CACHE_HOME/rooflight", or "~/.cache/rooflight", and makes missing folders with mode 0700. False: neither is an
 * absolute path. */
bool rl_cache_folder(struct rl_buf *path);

/* Tests before long work whether rl_write_file_atomic(path) can succeed, by making and removing a file in its folder. Removes
 * temporary files of killed processes there. RL_IO and RL_USAGE as above. */
enum rl_status rl_check_writable(const char *path, struct rl_err *err);
/* The same for a folder into which files will be written; it may be missing if it can be made. */
enum rl_status rl_check_folder(const char *path, struct rl_err *err);
/* Makes a folder unless it exists; its parent must exist. RL_IO. */
enum rl_status rl_make_folder(const char *path, struct rl_err *err);

/* Whether the name is that of a temporary file or folder of this program. */
bool rl_is_temporary(const char *name);

/* Mode of folders that this program makes; the umask applies. */
enum { RL_PRIVATE_FOLDER = 0700 };

/* Whether `path` exists; false for a dangling symbolic link. */
bool rl_path_exists(const char *path);
/* Folder of the running executable, without a final slash; "." if unknown. Free with free(). */
char *rl_executable_dir(void);
/* "a" + "/" + "b"; an absolute `b` is returned alone. Free with free(). */
char *rl_path_join(const char *a, const char *b);
/* First executable file called `program` in $PATH, or `program` itself if it has a slash and is executable; NULL: none. Free with
 * free(). */
char *rl_find_program(const char *program);
/* The same for tools that rooflight itself runs: empty and relative entries of $PATH, which depend on the current folder, are
 * skipped. */
char *rl_find_tool(const char *program);

/* Makes a private folder under $TMPDIR or /tmp; the caller frees the path with free() and removes the folder with rl_remove_tree.
 * Folders that killed processes left there are removed. */
enum rl_status rl_make_temp_dir(char **path, struct rl_err *err);
/* Sets the error for `path`, in such a folder or the folder itself, which cannot be written because of `error` (an errno), and
 * returns RL_IO. If the disk is full, the text names the folder, and TMPDIR as the remedy. */
enum rl_status rl_temp_cannot_write(const char *path, int error, struct rl_err *err);
/* Removes a folder and its contents; symbolic links inside are removed, not followed, and other file systems are not entered. */
void rl_remove_tree(const char *path);
/* Removes unfinished files and temporary folders of this process, at its end. May be called by a signal handler; a forked child
 * removes nothing of its parent. */
void rl_temporaries_remove(void);

/* SHA-256 as 64 lower-case hexadecimal digits and a terminator. */
struct rl_sha256 {
    char hex[65];
};
/* The hash of `len` bytes. */
struct rl_sha256 rl_sha256_of(const void *bytes, size_t len);
