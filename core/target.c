/* target.c - where a write will go, and which files are read. */
#include "target.h"

#include <unistd.h>

#include "core/core.h"

enum { MAX_LINKS = 40 };

/* Replaces `*path` by what it points to, until it is no symbolic link; links to nothing are followed too. Returns errno or 0. */
static int follow_links(char **path)
{
    char link[PATH_MAX];
    for (int i = 0; i < MAX_LINKS; i++) {
        ssize_t len = readlink(*path, link, sizeof link - 1);
        if (len < 0)
            return errno == EINVAL || errno == ENOENT ? 0 : errno;
        link[len] = '\0';
        char *folder = rl_target_folder(*path);
        free(*path);
        *path = rl_path_join(folder, link);
        free(folder);
    }
    return ELOOP;
}

int rl_target_find(const char *path, struct rl_target *target)
{
    *target = (struct rl_target){.path = rl_strdup(path), .folder = rl_target_folder(path)};
    target->exists = stat(path, &target->info) == 0;
    if (!target->exists && errno != ENOENT)
        return errno;
    if (target->exists && !S_ISREG(target->info.st_mode))
        return 0;
    int error = follow_links(&target->path);
    free(target->folder);
    target->folder = rl_target_folder(target->path);
    return error;
}

void rl_target_release(struct rl_target *target)
{
    free(target->path);
    free(target->folder);
}

struct identity {
    dev_t device;
    ino_t inode;
};
static struct {
    struct identity *list; /* sorted */
    size_t count, cap;
} inputs;

RL_COMPARATOR(compare, struct identity, rl_ascending(x->device, y->device) ?: rl_ascending(x->inode, y->inode));

bool rl_is_input(const struct stat *info)
{
    const struct identity wanted = {info->st_dev, info->st_ino};
    return inputs.count && bsearch(&wanted, inputs.list, inputs.count, sizeof wanted, compare);
}

void rl_inputs_add(const struct stat *info)
{
    RL_APPEND(inputs.list, inputs.count, inputs.cap, (struct identity){info->st_dev, info->st_ino});
}

void rl_inputs_sort(void)
{
    rl_sort(inputs.list, inputs.count, sizeof *inputs.list, compare);
}

char *rl_path_join(const char *a, const char *b)
{
    if (b[0] == '/')
        return rl_strdup(b);
    struct rl_buf path = RL_BUF_INIT;
    rl_buf_addf(&path, "%s%s%s", a, a[0] && a[strlen(a) - 1] == '/' ? "" : "/", b);
    return rl_buf_detach(&path, NULL);
}

char *rl_target_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return rl_strdup(".");
    return rl_strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

const char *rl_target_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
