/* path.c - parts of paths, without looking at any file. */
#include <string.h>

#include "core/buf.h"
#include "core/fs.h"
#include "core/mem.h"
#include "target.h"

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
