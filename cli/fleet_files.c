/* fleet_files.c - captures in files and folders. */
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/fs.h"
#include "core/mem.h"
#include "core/sort.h"
#include "fleet.h"

static void add(struct cli_files *files, const char *path)
{
    RL_GROW(files->paths, files->count + 1, files->cap);
    files->paths[files->count++] = rl_strdup(path);
}

/* nftw has no argument for its caller; the command looks for files once, in one thread. */
static struct cli_files *collecting;

static bool is_capture(const char *path)
{
    static const char ending[] = ".rlcap";
    size_t len = strlen(path);
    return len > strlen(ending) && strcmp(path + len - strlen(ending), ending) == 0;
}

/* Whether a capture stands there. A link that leads nowhere is one that cannot be read. */
static bool holds_capture(const char *path, const struct stat *status, int kind)
{
    struct stat target;
    if (!is_capture(path))
        return false;
    return kind == FTW_F ? S_ISREG(status->st_mode) : kind == FTW_SL && (stat(path, &target) != 0 || S_ISREG(target.st_mode));
}

/* Folders that are being filled hold parts of captures, or those of a command that was killed. What cannot be looked at is listed
 * like a capture: whoever reads it says why not, and nothing goes missing without a word. */
static int visit(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    const bool sealed = kind == FTW_NS || kind == FTW_DNR;
    if (kind == FTW_D && where->level > 0 && rl_is_temporary(path + where->base))
        return FTW_SKIP_SUBTREE;
    if (sealed && where->level == 0)
        return FTW_STOP;
    if (sealed || holds_capture(path, status, kind))
        add(collecting, path);
    return FTW_CONTINUE;
}

/* Symbolic links to files are followed, those to folders are not: they could lead around in a circle. Returns errno or 0. */
static int add_folder(struct cli_files *files, const char *folder)
{
    enum { OPEN_FOLDERS = 32 };
    collecting = files;
    const int walked = nftw(folder, visit, OPEN_FOLDERS, FTW_PHYS | FTW_ACTIONRETVAL);
    collecting = NULL;
    return walked == FTW_STOP ? EACCES : walked ? errno : 0; /* nftw calls what has no permission sealed, and fails for the rest */
}

/* "caps" for "caps///". */
static char *without_final_slashes(const char *path)
{
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/')
        len--;
    return rl_strndup(path, len);
}

enum rl_status cli_files_find(const char *const *operands, size_t count, struct cli_files *files, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    *files = (struct cli_files){0};
    for (size_t i = 0; i < count && status == RL_OK; i++) {
        struct stat what;
        int error;
        char *path = without_final_slashes(operands[i]);
        if (stat(path, &what) != 0 || !S_ISDIR(what.st_mode))
            add(files, operands[i]);
        else if ((error = add_folder(files, path)))
            status = rl_err_set(err, RL_IO, "cannot look through the folder '%s': %s", operands[i], strerror(error));
        free(path);
    }
    if (status == RL_OK && files->count == 0)
        status = rl_err_set(err, RL_USAGE, "no captures (*.rlcap) below '%s'", operands[0]);
    if (files->count > 0)
        rl_sort(files->paths, files->count, sizeof *files->paths, rl_by_text);
    size_t kept = 0;
    for (size_t i = 0; i < files->count; i++) {
        if (kept > 0 && strcmp(files->paths[kept - 1], files->paths[i]) == 0)
            free(files->paths[i]);
        else
            files->paths[kept++] = files->paths[i];
    }
    files->count = kept;
    return status;
}

void cli_files_release(struct cli_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->paths[i]);
    free(files->paths);
}
